"""Disputes: two different reports side by side, with the likely readings; and reopening a game."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from events.play.errors import Refused, Stale
from events.play.in_play import opens_together
from events.play.journal import note
from events.play.outcomes import Ended, doubts_about, ended, figures_of, score
from events.play.queries import reports_of, round_view, rounds_of, scenario_in
from events.play.rulings import won_by_card
from events.results import actions
from events.results.actions import Claim, Origin, apply_reports, bounds_of, latest
from models.endings import Ending
from models.event import Event, EventState, Round, RoundState
from models.play import Game, GameState, Player, Report, ReportSide
from validators.answers import beyond_bounds
from validators.readings import Compared, Reading, compare
from validators.scenario import Answers, Doubt, Scenario, Score

CHANGED = "The reports have changed. Check them before you decide."


@dataclass(frozen=True)
class Dispute:
    """A dispute as shown to the judge."""

    compared: Compared
    a: Report
    b: Report
    readings: tuple[tuple[Reading, Ended, Score | None], ...]
    """The likely results, each with its ending and score."""

    @property
    def endings_differ(self) -> bool:
        """Whether the two reports also name different endings."""
        return ended(self.a) != ended(self.b)


def dispute_of(s: Session, event: Event, game: Game, scenario: Scenario, a: Player, b: Player) -> Dispute | None:
    """The game's dispute; None for a game that is not disputed."""
    reports = actions.latest(s, game)
    ours, theirs = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if game.state != GameState.DISPUTED or ours is None or theirs is None:
        return None
    bounds = bounds_of(s, event, game, scenario)
    card = won_by_card(event, s.get_one(Round, game.round_id).number, game)

    def check(asked: Scenario, answers: Answers) -> tuple[Doubt, ...]:
        doubts = doubts_about(event, asked, answers)
        return doubts if any(doubt.refused for doubt in doubts) else (*doubts, *beyond_bounds(bounds, answers))

    compared = compare(
        scenario, ours.answers, theirs.answers, {"a": a.name, "b": b.name}, check,
        lambda asked, answers: figures_of(event, asked, answers),
    )  # fmt: skip
    found = []
    for reading in compared.readings:
        if reading.report is None and Ending.NOT_PLAYED in (ours.ending, theirs.ending):
            continue
        # Combining both reports needs the same ending in both.
        if reading.report is None and ended(ours) != ended(theirs):
            continue
        how = ended(theirs if reading.report == "b" else ours)
        found.append((reading, how, score(event, scenario, reading.answers, how, card)))
    return Dispute(compared, ours, theirs, tuple(found))


def reading_of(
    s: Session, event: Event, game: Game, key: str, people: tuple[Player, Player], origin: Origin, version: int
) -> Claim:
    """A reading of the dispute as the desk's claim.

    ``key`` is "a" or "b" for that side's report, or the key of another reading. Without a reason from the judge, the
    reason names the reading. Raises Stale if the reports have changed.
    """
    view = round_view(s, event, s.get_one(Round, game.round_id))
    scenario = view.scenario_at(game)
    found = dispute_of(s, event, game, scenario, *people) if scenario is not None else None
    chosen = [one for one in (found.readings if found else ()) if key == (one[0].report or one[0].key)]
    if found is None or not chosen or scenario is None:
        raise Stale(CHANGED)
    reading, how, _ = chosen[0]
    name = {"a": people[0].name, "b": people[1].name}.get(reading.report or "", "")
    why = origin.reason or (f"As {name} reported it." if name else " ".join(reading.why))
    origin = replace(origin, reason=why[:500])
    return Claim(ReportSide.ORGANISER, reading.answers, version, sure=True, how=how, origin=origin)


def changes_published(s: Session, event: Event, game: Game) -> bool:
    """Whether deciding this dispute can change published awards."""
    if game.state != GameState.DISPUTED or event.awards_published_at is None:
        return False
    view = round_view(s, event, s.get_one(Round, game.round_id))
    return view.counts or view.open_games == 1


def why_not_opened(s: Session, event: Event, game: Game) -> str:
    """The reason why this game cannot be reopened; "" if it can."""
    the_round = s.get_one(Round, game.round_id)
    if event.state == EventState.FINISHED:
        return "The event is closed; open it again for a correction."
    if the_round.state != RoundState.PUBLISHED or game.b_id is None:
        return "This game is not open for results."
    later = [one for one in rounds_of(s, event) if one.number > the_round.number and one.state == RoundState.PUBLISHED]
    if later and not opens_together(event, later[0].kind):
        return (
            f"Round {later[0].number} is published: without this result the standings would end before round "
            f"{the_round.number}. Correct the result instead."
        )
    if not reports_of(s, game) and game.absent is None:
        return "This game is open: nothing was reported yet."
    return ""


def open_again(s: Session, event: Event, game: Game, *, version: int, reason: str, actor: str, now: datetime) -> None:
    """Withdraw every report of a game, so that it is open again and its round incomplete.

    ``version`` is the game's version that the organiser saw. Raises Refused, and Stale for an outdated version.
    """
    if why_not := why_not_opened(s, event, game):
        raise Refused(why_not)
    if not reason:
        raise Refused("Give the reason for opening the game again: both players read it.")
    if game.version != version:
        raise Stale("Another person has changed this game. Reload the page.")
    before = game.state
    the_round = s.get_one(Round, game.round_id)
    for report in reports_of(s, game):
        report.withdrawn_at = now
    s.flush()  # the withdrawn reports do not count below
    scenario = scenario_in(s, event, the_round, game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    game.absent, game.goes_through = None, None
    apply_reports(game, scenario, latest(s, game))
    game.version += 1
    note(
        s, event, actor, now, "open-again",
        f"Round {the_round.number}, table {game.table_number}: opened again for new reports",
        game=game.id, before=before, after=game.state, why=reason,
    )  # fmt: skip
