"""The event's own rules in words, for its page and for paper."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from events.play.clock import in_utc, rules_from
from events.play.figures import OF_VP, VP_SHARE
from events.play.points_table import PointsTable, from_document, in_words
from events.play.queries import system_of
from events.play.rulings import Counts, Painting, Sports, soft_rules
from events.play.season import last_day, season_in
from events.play.team_queries import is_team_event
from models.endings import ConcededVp, NotPlayed
from models.event import BoardsMatched, Event, EventFormat, EventState, ListsInPlay, ListsShown, ReportDetail
from validators.contract import EditionInfo, Terms
from validators.scenario import OPEN_END, Limit, Scenario


def known_as(event: Event) -> str:
    """The event's name for public pages: "a draft" for a draft."""
    return "a draft" if event.state == EventState.DRAFT else event.name


def event_rules(event: Event, terms: Terms) -> list[tuple[str, str]]:
    """The event's own rules, for its page and its pack: headings, each with a sentence."""
    system = system_of(event)
    rules = [
        ("Game", f"{system.name}."),
        (system.words.force.capitalize(), f"Up to {event.size} {system.unit}, {_by_lists(terms.edition)}."),
        ("List", f"{_due(event)} {_shown(event)}"),
        ("Rounds", " ".join(day_words(event))),
        ("Points", f"{points_words(event)} {_endings(event)} {scale_words(event)}".rstrip()),
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
                f"Teams of {event.team_size} are paired, and their boards matched {boards}. A match is won by the more "
                "tournament points on its boards, and counts like a game for the team; an empty board is lost.",
            )
        )
    if event.doubles:
        rules.append(("Doubles", f"Two players share one side and one {system.words.force}."))
    if event.painting_points:
        rules.append(("Painting", f"{_points(event.painting_points)} more for a fully painted {system.words.force}."))
    return rules + _soft(event)


REPORTS = {
    ReportDetail.FULL: "Players report all that the scenario asks.",
    ReportDetail.TOTALS: "Players report both totals of VP, not every game round.",
    ReportDetail.OUTCOME: "Players report a win, a draw or a loss. VP are not reported and do not count.",
}


def points_words(event: Event) -> str:
    """The tournament points of games and byes, in sentences."""
    table, asked = table_of(event), f"a bye that you asked for as a {event.asked_bye.value}"
    if table is None:
        return (
            f"{_points(event.points_win)} for a win, {event.points_draw} for a draw, "
            f"{event.points_loss} for a loss. A bye counts as a win{_bye_vp(event)}, {asked}."
        )
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
    return f" with the mean {what} of the winners so far" if event.bye_vp is None else f" with {event.bye_vp}{unit}"


def scale_words(event: Event) -> str:
    """How victory points of different scenarios are counted, in a sentence; "" if they can simply be added."""
    unlike = "" if system_of(event).scoring.one_scale else "The scenarios of this game score on different scales: "
    if not knows_vp(event):
        return ""
    if in_shares(event):
        how = "the standings count each player’s share of a game’s VP, in percent, 50 in a draw."
        return f"{unlike}{how}" if unlike else f"{how[0].upper()}{how[1:]}"
    return f"{unlike}VP of different scenarios do not compare." if unlike else ""


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
        Painting.LIST: "Judged at the tables by a check list.",
        Painting.VOTE: "Players vote for the best painted.",
        Painting.BOTH: "Judged at the tables by a check list; players vote for the best painted as well.",
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
        least += ", and the conceding player’s share is at most what the winner’s leaves of 100"
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
    return f"{event.rounds} rounds {minutes}, paired by Swiss without rematches.{cut}"


def day_words(event: Event) -> list[str]:
    """The breaks between rounds and the clock's calls, in sentences."""
    if event.season is not None:
        season = season_in(event.season)
        best = f" The best {season.best} results of each player count." if season and season.best else ""
        return [_rounds(event), f"Players arrange their own games. A result counts as soon as it is confirmed.{best}"]
    rules = rules_from(event.clock_rules)
    calls = " and ".join(filter(None, (", ".join(map(str, rules.calls[:-1])), *map(str, rules.calls[-1:]))))
    sentences = [_rounds(event), f"{rules.break_minutes} minutes are planned between two rounds."]
    sentences += [f"Time is announced when {calls} minutes are left."] if calls else []
    sentences += [f"No game round begins in the last {rules.last_game_round} minutes."] if rules.last_game_round else []
    return sentences


def _by_lists(edition: EditionInfo) -> str:
    return (
        f"by the lists “{edition.name}”{', which are partial: less than the printed ones' if edition.partial else ''}"
    )


def _points(points: int) -> str:
    return f"{points} tournament point{'' if points == 1 else 's'}"


def scenario_limits(scenario: Scenario) -> list[str]:
    """How a scenario is scored, with its limits, in sentences."""
    played = {0: "as many game rounds as it takes", 1: "1 game round"}
    rounds = played.get(scenario.game_rounds, f"{scenario.game_rounds} game rounds")
    limits, most = scenario.limits, scenario.most
    held = limits.held_by_one
    if not any(question.kind == "vp" for question in scenario.questions):
        roles = " and ".join(role.name for role in scenario.roles)
        drawn = [f"Roles, drawn with the round: {roles}."] if roles else []
        return [f"{rounds[0].upper()}{rounds[1:]}; {scenario.round_note}.", *drawn]  # no question asks for VP
    lines = [
        f"{rounds}, scoring from game round {scenario.scoring_from}; "
        + ("no limit for one player in a game round" if most >= OPEN_END else f"at most {most} VP a player in each"),
        f"in each game round: {scenario.hint}" if scenario.hint else "",
        _above(limits.together_refused, "for both players together is refused"),
        _above(limits.together_asked, "for both players together needs confirming"),
        _above(limits.one_asked, "for one player needs confirming"),
        f"{held} is held by one player at most in a game round" if held else "",
        f"before the game each player chooses: {' or '.join(scenario.choices)}" if scenario.choices else "",
    ]
    if scenario.objectives:
        kinds = f" ({', '.join(scenario.objective_kinds)})" if scenario.objective_kinds else ""
        lines.append(f"objective markers, {scenario.objectives} of each player{kinds}: {scenario.objective_note}")
    return [f"{line[0].upper()}{line[1:].rstrip('.')}." for line in lines if line]


def _above(limit: Limit | None, what: str) -> str:
    if limit is None:
        return ""
    return f"more than {limit.above} VP {what}" + (f": {limit.why}" if limit.why else "")


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
        return "Due before round 1; after that a list cannot change."
    return f"Due by {_deadline(event)}; after that a list cannot change."


def _deadline(event: Event) -> str:
    if event.list_deadline is None:
        return ""
    return f"{_hour(event, event.list_deadline)} ({event.timezone}, {in_utc(event.list_deadline, event.timezone)})"


def _shown(event: Event) -> str:
    if event.lists_shown == ListsShown.AT_LOCK:
        return "Lists are secret until then. After that, everyone can read them."
    opponents = event.lists_in_play == ListsInPlay.OPPONENTS
    between = " While a round is played, opponents read each other's lists." if opponents else ""
    return (
        f"Lists are secret until {shown_when(event)}; the SHA-256 of each is published when they lock, so that anyone "
        f"can check that nothing was changed.{between}"
    )


def _hour(event: Event, moment: datetime) -> str:
    return moment.astimezone(ZoneInfo(event.timezone)).strftime("%A %-d %B %Y, %H:%M")


def _day(day: date) -> str:
    return day.strftime("%A %-d %B %Y")


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
    if season is None or season.by_challenge:
        return event.ends_on
    return last_day(season, event.starts_on, event.ends_on, event.rounds)
