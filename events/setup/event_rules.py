"""The event's rules in words, for its page and its pack."""

from events.lists.locks import due_words, reveal_words
from events.play.editions import system_of
from events.play.rulings import Counts, Painting, Sports, soft_rules
from events.play.team_queries import is_team_event
from events.standings.scale import in_shares, knows_vp, points_table_of, scale_words
from events.tournament.clock import rules_from
from events.tournament.points_table import table_in_words
from events.tournament.season import is_by_challenge, season_in
from models.endings import ConcededVp, NotPlayed
from models.event import Event
from models.settings import BoardsMatched, EventFormat, ReportDetail
from validators.contract import Terms
from validators.names import counted
from validators.scenario import Limit, Scenario


def event_rules(event: Event, terms: Terms) -> list[tuple[str, str]]:
    """The event's own rules, for its page and its pack: headings, each with a sentence."""
    system = system_of(event)
    rules = [
        ("Game", f"{system.name}."),
        (system.words.force.capitalize(), force_words(event, terms)),
        ("List", f"{due_words(event)}{_late(event)} {reveal_words(event)}"),
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


def _late(event: Event) -> str:
    time = counted(event.late_list_hours, "hour")
    return f" Players who join later have {time}, at most until the next round." if event.late_list_hours else ""


def force_words(event: Event, terms: Terms) -> str:
    """What a force may be at this event, in a sentence."""
    system, edition = system_of(event), terms.edition
    also = f", with at most {more}" if (more := system.checks.allows(terms)) else ""
    partial = ", a part of the printed lists" if edition.partial else ""
    return f"Up to {event.size} {system.unit}{also}, by the lists “{edition.name}”{partial}. {edition.caution}".rstrip()


REPORTS = {
    ReportDetail.FULL: "Players report every figure of the scenario.",
    ReportDetail.TOTALS: "Players report both totals of VP, not every game round.",
    ReportDetail.OUTCOME: "Players report a win, a draw or a loss. VP are not reported and do not count.",
}


def points_words(event: Event) -> str:
    """The tournament points of games and byes, in sentences."""
    table, asked = points_table_of(event), f"a bye that you asked for as a {event.asked_bye.value}"
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
        f"{boards}{table_in_words(table)} {shares}A bye and a win by no-show count {table.bye}{_bye_vp(event)}, "
        f"{asked}; a no-show counts nothing. A winner who is not ahead in VP gets the points of the closest win."
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
    left = "for nothing"
    if event.not_played == NotPlayed.DRAW:
        left = "as a draw without VP" if knows_vp(event) else "as a draw"
    if not knows_vp(event):
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
        f"At the start of the game each player chooses: {' or '.join(scenario.choices)}." if scenario.choices else "",
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
