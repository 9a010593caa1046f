"""The event's settings in words: its own questions, the labels of its forms, and its rules for page and paper."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from events.play.editions import system_of
from events.play.rulings import Counts, Painting, Sports, soft_rules
from events.play.team_queries import is_team_event
from events.tournament.clock import in_utc, rules_from
from events.tournament.figures import OF_VP, VP_SHARE
from events.tournament.points_table import PointsTable, from_document, in_words
from events.tournament.season import is_by_challenge, season_in, window_of
from models.endings import ConcededVp, NotPlayed
from models.event import BoardsMatched, Event, EventFormat, EventState, ListsInPlay, ListsShown, ReportDetail
from models.play import Player
from validators.contract import Terms
from validators.scenario import Limit, Scenario

MOST_QUESTIONS = 10
MOST_CHOICES = 20
LONGEST_LABEL, LONGEST_ANSWER, LARGEST_ANSWER = 120, 200, 1_000_000


class Kind(StrEnum):
    """The kind of answer."""

    TEXT = "text"
    CHOICE = "choice"
    NUMBER = "number"


@dataclass(frozen=True)
class Question:
    """One question. ``id`` stays the same when the wording changes, so that answers are kept."""

    id: str
    label: str
    kind: Kind = Kind.TEXT
    choices: tuple[str, ...] = ()
    """For a choice; empty for other kinds."""
    required: bool = False
    """Required of players only: the desk may leave it blank."""


def questions_of(event: Event) -> tuple[Question, ...]:
    """The event's questions, in order."""
    return tuple(
        Question(one["id"], one["label"], Kind(one["kind"]), tuple(one["choices"]), one["required"])
        for one in event.questions or ()
    )


def as_documents(questions: Iterable[Question]) -> list[dict[str, object]] | None:
    """The questions as the event's column stores them; None if there are none."""
    return [asdict(one) | {"kind": one.kind.value, "choices": list(one.choices)} for one in questions] or None


def answered(event: Event, player: Player) -> list[tuple[str, str]]:
    """The player's answers with the wording of their questions, without blank ones."""
    given = player.answers or {}
    return [(one.label, given[one.id]) for one in questions_of(event) if given.get(one.id)]


def is_valid_answer(question: Question, answer: str) -> bool:
    """Whether an answer is valid for this question; "" (blank) is."""
    if not answer:
        return True
    if question.kind == Kind.CHOICE:
        return answer in question.choices
    if question.kind == Kind.NUMBER:
        return answer.isascii() and answer.isdecimal() and len(answer) < 8 and int(answer) <= LARGEST_ANSWER
    return len(answer) <= LONGEST_ANSWER


def valid_answers(questions: Sequence[Question], answers: Mapping[str, str]) -> dict[str, str] | None:
    """The answers that are still valid for these questions; None if there are none."""
    return {
        one.id: answers[one.id] for one in questions if answers.get(one.id) and is_valid_answer(one, answers[one.id])
    } or None


def next_id(questions: Iterable[Question]) -> str:
    """An unused id for a new question."""
    return f"q{1 + max((int(one.id[1:]) for one in questions if one.id[1:].isdigit()), default=0)}"


LABELS = {
    "name": "Name", "place": "Place", "series": "Series", "contact": "Contact", "bring": "What to bring",
    "description": "Information for players", "starts_on": "First day", "starts_at": "Start", "ends_on": "Last day",
    "timezone": "Time zone", "places": "Player limit", "fee": "Entry fee",
    "registration_opens": "Registration opens", "registration_closes": "Registration closes",
    "waiting_list": "Keep a waiting list when all places are taken", "approval": "Approve sign-ups",
    "questions": "Questions", "size": "Size", "edition": "Edition of the force lists",
    "list_deadline": "List deadline", "lists_shown": "Show lists to everyone",
    "lists_shown_from": "Set time for showing lists", "lists_in_play": "Lists during rounds",
    "rounds": "Rounds", "round_minutes": "Minutes per round", "scenarios": "Scenarios",
    "scenario_pool": "Scenario pool", "points_win": "Win", "points_draw": "Draw", "points_loss": "Loss",
    "painting_points": "Fully painted force", "report_detail": "Players’ reports", "points_table": "Points table",
    "format": "Format", "legs": "Round robin meetings", "cut": "Cut to the top",
    "third_place": "The losers of the semi-finals play for third place",
    "player_meeting": "Player meeting: seat all players for the announcements before round 1",
    "method": "Players on equal points", "avoid_clubs": "Keep club mates apart", "off": "Levels ignored",
    "banned": "Levels as good as forbidden", "tables": "Tables", "tables_out": "Tables out of order",
    "top_tables": "Seating", "scenario_per_table": "Scenarios", "bye_vp": "Victory points of a bye",
    "asked_bye": "Bye asked for", "conceded_vp": "Opponent of a conceding player",
    "not_played": "Game not played, both players present", "late_points": "Late entry",
    "vp_cap": "Limit of the VP difference", "tie_breaks": "Tie-breaks", "painting": "Painting",
    "items": "Checklist", "painting_counts": "Painting counts", "sports": "Marks for opponents",
    "sports_counts": "Sportsmanship counts", "rulings_count": "Penalties and bonuses count",
    "ruling_groups": "Their points move players to other score groups of the draw",
    "second_yellow": "A second yellow card counts as a red card", "faction_least": "Best of a faction",
    "one_each": "One award per player: the lower one goes to the next in line",
    "hold": "Show the final standings once the awards are published", "team_size": "Pairing of",
    "boards": "Boards of a team match", "doubles": "Doubles: two players share one side and one force",
    "days": "Days for each round", "kind": "Kind of season", "above": "Ladder: most places above",
    "answer_days": "Days to answer a challenge", "best": "Best results that count", "points": "Points for places",
}  # fmt: skip
"""The label of each setting on its form."""
CHOICES = {
    "lists_shown": {
        "at_lock": "When they are locked",
        "at_time": "From a set time",
        "after_event": "After the event",
        "on_press": "When you press “Show all lists now”",
    },
    "lists_in_play": {
        "staff": "As chosen above",
        "opponents": "Opponents of the current round too",
        "everybody": "Everybody, from round 1 on",
    },
    "report_detail": {
        "full": "All figures of the scenario",
        "totals": "Both totals of VP",
        "outcome": "Win, draw or loss",
    },
    "format": {
        "swiss": "Swiss: players on equal points",
        "round_robin": "Round robin: every player meets every other",
        "knockout": "Knockout from the start",
    },
    "avoid_clubs": {"first_round": "In round 1", "always": "In every round", "never": "Never"},
    "asked_bye": {
        "win": "Win, with the VP of a bye",
        "draw": "Draw, with half the VP of a bye",
        "loss": "Loss, without VP",
    },
    "conceded_vp": {
        "bye": "Win, with at least the VP of a bye",
        "scored": "Win, with the VP scored so far",
    },
    "not_played": {"nothing": "Counts for nothing", "draw": "Draw, without VP"},
    "boards": {
        "order": "In the teams’ own order: board 1 against board 1",
        "choice": "By the captains’ secret choice, match by match",
    },
}
"""The words of each choice, by setting and stored value."""
NONE: Mapping[str, str] = MappingProxyType({})


def label_of(setting: str) -> str:
    """The label of a setting; its name in words if no form has it."""
    return LABELS.get(setting) or setting.replace("_", " ")


def changes_in_words(changed: Mapping[str, tuple[Any, Any]], labels: Mapping[str, str] = NONE) -> str:
    """Changed settings by their labels, with both values where they are numbers. ``labels`` go before the usual."""
    said = []
    for key, (old, new) in changed.items():
        words = f"“{labels.get(key) or label_of(key)}”"
        said.append(f"{words} from {old} to {new}" if type(old) is type(new) is int else words)
    return ", ".join(said)


def known_as(event: Event) -> str:
    """The event's name for public pages: "a draft" for a draft."""
    return "a draft" if event.state == EventState.DRAFT else event.name


def event_rules(event: Event, terms: Terms) -> list[tuple[str, str]]:
    """The event's own rules, for its page and its pack: headings, each with a sentence."""
    system = system_of(event)
    rules = [
        ("Game", f"{system.name}."),
        (system.words.force.capitalize(), force_words(event, terms)),
        ("List", f"{_due(event)} {_shown(event)}"),
        ("Rounds", " ".join(day_words(event))),
        ("Points", points_words(event)),
        *([("VP", scale)] if (scale := scale_words(event)) else []),
        ("Ended early", _endings(event)),
    ]
    if event.report_detail != ReportDetail.FULL:
        rules.append(("Reports", REPORTS[event.report_detail]))
    if is_team_event(event):
        boards = (
            "in their teams’ own order" if event.boards == BoardsMatched.ORDER else "as both captains choose in secret"
        )
        rules.append(
            (
                "Teams",
                f"Teams of {event.team_size} are paired, and their boards matched {boards}. The team with more "
                f"tournament points on its boards wins the match, which counts like a game for the team. An empty "
                f"board is lost.",
            )
        )
    if event.doubles:
        rules.append(("Doubles", f"Two players share one side and one {system.words.force}."))
    if event.painting_points:
        rules.append(("Painting", f"{_points(event.painting_points)} more for a fully painted {system.words.force}."))
    if event.fee:
        rules.append(("Entry fee", event.fee))
    return rules + _soft(event)


def force_words(event: Event, terms: Terms) -> str:
    """What a force may be at this event, in a sentence."""
    system, edition = system_of(event), terms.edition
    also = f", with at most {more}" if (more := system.checks.allows(terms)) else ""
    partial = ", a part of the printed lists" if edition.partial else ""
    return f"Up to {event.size} {system.unit}{also}, by the lists “{edition.name}”{partial}."


REPORTS = {
    ReportDetail.FULL: "Players report every figure of the scenario.",
    ReportDetail.TOTALS: "Players report both totals of VP, not every game round.",
    ReportDetail.OUTCOME: "Players report a win, a draw or a loss. VP are not reported and do not count.",
}


def points_words(event: Event) -> str:
    """The tournament points of games and byes, in sentences."""
    table, asked = table_of(event), f"a bye that you asked for as a {event.asked_bye.value}"
    if table is None:
        bye = f" A bye counts as a win{_bye_vp(event)}, {asked}."
        if event.season is not None and event.format == EventFormat.ROUND_ROBIN:
            bye = " A bye scores nothing."
        if is_by_challenge(event.season):
            bye = ""
        won = f"{_points(event.points_win)} for a win"
        return f"{won}, {event.points_draw} for a draw, {event.points_loss} for a loss.{bye}"
    shares = "The differences are of shares in percent. " if in_shares(event) else ""
    boards = "The table is for boards. " if is_team_event(event) else ""
    return (
        f"{boards}{in_words(table)} {shares}A bye and a win by no-show count {table.bye}{_bye_vp(event)}, {asked}; "
        f"a no-show counts nothing. A winner who is not ahead in VP gets the points of the closest win."
    )


def _bye_vp(event: Event) -> str:
    """What a bye scores in addition to the win: " with 5 VP"."""
    if not knows_vp(event) or is_team_event(event):
        return ""
    what, unit = ("share of VP", " percent of the VP") if in_shares(event) else ("VP", " VP")
    if event.bye_vp is not None:
        return f" with {event.bye_vp}{unit}"
    alike = "" if system_of(event).scoring.one_scale else " in the same scenario"
    return f" with the mean {what} of the winners so far{alike}"


def scale_words(event: Event) -> str:
    """How victory points of different scenarios are counted, in a sentence; "" if they can simply be added."""
    unlike = "" if system_of(event).scoring.one_scale else "The scenarios of this game score on different scales: "
    if not knows_vp(event):
        return ""
    if in_shares(event):
        how = "the standings count each player’s share of a game’s VP, in percent, 50 in a draw."
        return f"{unlike}{how}" if unlike else f"{how[0].upper()}{how[1:]}"
    return f"{unlike}VP of different scenarios cannot be compared." if unlike else ""


def _soft(event: Event) -> list[tuple[str, str]]:
    """How painting and sportsmanship are judged and counted; empty if neither is judged."""
    rules, sections = soft_rules(event), []
    where = {
        Counts.POINTS: "It counts in tournament points.",
        Counts.TIE_BREAK: "It counts as a tie-break, in the order listed.",
        Counts.OVERALL: "It counts in the overall score for awards.",
        Counts.NOTHING: "It counts only for its own award.",
    }
    by_painting = {
        Painting.LIST: "Judged at the tables by a checklist.",
        Painting.VOTE: "Players vote for the best painted force.",
        Painting.BOTH: "Judged at the tables by a checklist; players also vote for the best painted force.",
    }
    by_sports = {
        Sports.FAVOURITE: "Every player names a favourite opponent, in secret.",
        Sports.THUMBS: "After each game players give their opponent a thumb up or down, in secret.",
        Sports.SCALE: "After each game players give their opponent a mark from 1 to 5, in secret.",
    }
    if rules.painting in by_painting:
        sections.append(("Painting judged", f"{by_painting[rules.painting]} {where[rules.painting_counts]}"))
    if rules.sports in by_sports:
        sections.append(("Sportsmanship", f"{by_sports[rules.sports]} {where[rules.sports_counts]}"))
    return sections


def _endings(event: Event) -> str:
    """The scoring of games that ended early or were not played."""
    least = "at least as many VP as for a bye" if event.conceded_vp == ConcededVp.BYE else "the VP scored so far"
    if in_shares(event):
        least += ", and both shares add up to at most 100: if the winner has 70, the conceding player has at most 30"
    left = "as a draw without VP" if event.not_played == NotPlayed.DRAW else "for nothing"
    if not knows_vp(event):
        left = left.removesuffix(" without VP")
        return f"Conceding counts as a loss. A game that neither player played counts {left}."
    loss = "the widest loss" if event.points_table else "a loss"
    return (
        f"Conceding counts as {loss}; the opponent scores {least}. When time is called, a game is scored as it stands. "
        f"A game that neither player played counts {left}."
    )


def _length(event: Event) -> str:
    """The length of a round."""
    season = season_in(event.season)
    return f"of {event.round_minutes} minutes" if season is None else f"of {season.days} days"


def _rounds(event: Event) -> str:
    """The number of rounds, the pairing method, and the knockout after them."""
    minutes = _length(event)
    third = " The losers of the semi-finals play for third place." if event.third_place else ""
    if event.format == EventFormat.KNOCKOUT:
        return f"A knockout in rounds {minutes}: losers are out.{third}"
    cut = f" Then the top {event.cut} by the standings play a knockout.{third}" if event.cut else ""
    season = season_in(event.season)
    if season and season.by_challenge:
        whom = f"a player at most {season.above} places above, and takes their place by winning"
        whom = whom if season.kind == "ladder" else "any other player"
        times = f"A challenge is answered within {season.answer_days} days and played within {season.days}."
        return f"A player challenges {whom}. {times}{cut}"
    if event.format == EventFormat.ROUND_ROBIN:
        often = "once" if event.legs == 1 else "twice"
        return f"Rounds {minutes}, in which everybody meets everybody {often}.{cut}"
    meet = "players on equal points meet, and nobody meets an opponent twice if it can be avoided"
    return f"{event.rounds} rounds {minutes}: {meet} (Swiss).{cut}"


def day_words(event: Event) -> list[str]:
    """The breaks between rounds and the clock's calls, in sentences."""
    if event.season is not None:
        season = season_in(event.season)
        best = f" The best {season.best} results of each player count." if season and season.best else ""
        return [_rounds(event), f"Players arrange their own games. A result counts as soon as it is confirmed.{best}"]
    rules = rules_from(event.clock_rules)
    calls = " and ".join(filter(None, (", ".join(map(str, rules.calls[:-1])), *map(str, rules.calls[-1:]))))
    sentences = [_rounds(event), f"The break between rounds is {rules.break_minutes} minutes."]
    sentences += [f"Time is announced when {calls} minutes are left."] if calls else []
    sentences += (
        [f"No game round or turn begins in the last {rules.last_game_round} minutes."] if rules.last_game_round else []
    )
    return sentences


def _points(points: int) -> str:
    return f"{points} tournament point{'' if points == 1 else 's'}"


def scenario_limits(scenario: Scenario) -> list[str]:
    """What binds a scenario's figures, next to the most of one player, and what is chosen or drawn, in sentences."""
    limits = scenario.limits
    lines = [
        _above(limits.together_refused, "Both players together cannot score more than {} VP in a game round"),
        _above(limits.together_asked, "Call a judge if both players together score more than {} VP in a game round"),
        _above(limits.one_asked, "Call a judge if one player scores more than {} VP in a game round"),
        f"Only one player can hold {limits.held_by_one} in a game round." if limits.held_by_one else "",
        f"Before the game each player chooses: {' or '.join(scenario.choices)}." if scenario.choices else "",
        f"Your role is drawn with the round: {' or '.join(role.name for role in scenario.roles)}."
        if scenario.roles
        else "",
    ]
    if scenario.objective_kinds:
        kinds = f"{', '.join(scenario.objective_kinds)}; {scenario.objective_note}"
        lines.append(f"Objective markers, {scenario.objectives} of each player: {kinds}.")
    return list(filter(None, lines))


def _above(limit: Limit | None, what: str) -> str:
    if limit is None:
        return ""
    return what.format(limit.above) + (f": {limit.why}" if limit.why else "") + "."


def shown_when(event: Event) -> str:
    """When everyone may read the lists: a time or a condition, to follow "secret until"."""
    if event.lists_in_play == ListsInPlay.EVERYBODY and event.lists_shown in (
        ListsShown.ON_PRESS,
        ListsShown.AFTER_EVENT,
    ):
        return "round 1 is published"
    if event.lists_shown == ListsShown.ON_PRESS:
        return "the organiser shows them"
    if event.lists_shown == ListsShown.AFTER_EVENT:
        return "the event is over"
    moment = event.lists_shown_from if event.lists_shown == ListsShown.AT_TIME else event.list_deadline
    return _hour(event, moment) if moment else "round 1 is published"


def _due(event: Event) -> str:
    if event.list_deadline is None:
        return "Submit it on your player page before round 1; after that it cannot change."
    zone, utc = event.timezone, in_utc(event.list_deadline, event.timezone)
    due = f"{_hour(event, event.list_deadline)} ({zone if zone == 'UTC' else f'{zone}, {utc}'})"
    return f"Submit it on your player page by {due}; after that it cannot change."


def _shown(event: Event) -> str:
    if event.lists_shown == ListsShown.AT_LOCK:
        return "Lists are secret until then. After that, everyone can read them."
    opponents = event.lists_in_play == ListsInPlay.OPPONENTS
    between = " While a round is played, opponents read each other's lists." if opponents else ""
    return (
        f"Lists are secret until {shown_when(event)}. The SHA-256 of each list is published when it locks: it proves "
        f"that the list was not changed.{between}"
    )


def _hour(event: Event, moment: datetime) -> str:
    return moment.astimezone(ZoneInfo(event.timezone)).strftime("%A %-d %B %Y, %H:%M")


# ---- The event's report detail and points table, and their effect on its standings


def knows_vp(event: Event) -> bool:
    """Whether reports include victory points; if not, no page shows them and no tie-break uses them."""
    return event.report_detail != ReportDetail.OUTCOME


def tie_breaks_of(event: Event) -> list[str]:
    """The event's tie-breaks in order, without those that need figures its reports do not include."""
    return [one for one in event.tie_breaks if knows_vp(event) or one not in OF_VP]


def in_shares(event: Event) -> bool:
    """Whether victory points count as shares of their game."""
    return VP_SHARE in tie_breaks_of(event)


def vp_word(event: Event) -> str:
    """The name of victory points in the standings."""
    return "VP share" if in_shares(event) else "VP"


def table_of(event: Event) -> PointsTable | None:
    """The event's points table; None if a win, a draw and a loss have fixed points."""
    return from_document(event.points_table)


def ends_of(event: Event) -> date:
    """The last day of the event, or of its season."""
    season = season_in(event.season)
    if season is None:
        return event.ends_on
    # A season by challenge lasts at least as long as a challenge made on its first day.
    challenged = event.starts_on if season.by_challenge else None
    return max(event.ends_on, window_of(season, event.starts_on, max(event.rounds, 1), challenged)[1])
