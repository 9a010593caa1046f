"""The reports on a game: the newest of each source, and the state that they give it."""

from collections.abc import Mapping, Sequence

from sqlmodel import Session

from events.store.games import reports_of
from events.store.outcomes import ended, set_ended
from events.tournament.endings import Ending
from events.tournament.scores import PLAYED_OUT
from models.play import Game, GameState, Report, ReportSide, Through
from validators.scenario import Scenario

SHEET = "sheet"
"""The source of a report that was sent with the code of the paper sheet."""


def latest(s: Session, game: Game) -> Mapping[str, Report]:
    """The newest report from each source: the two sides, the organiser, and SHEET for the paper sheet."""
    return newest_reports(reports_of(s, game))


def newest_reports(reports: Sequence[Report]) -> Mapping[str, Report]:
    """The newest report from each source; ``reports`` are oldest first."""
    return {source_of(report): report for report in reports}


def source_of(report: Report) -> str:
    """The side that sent a report; SHEET for a report from the sheet, whose side is unproven."""
    return SHEET if report.by_sheet else report.side


def apply_reports(game: Game, scenario: Scenario, reports: Mapping[str, Report]) -> None:
    """Set the game's state, figures and ending from the newest report of each source."""
    game.state, counts = state_by_reports(scenario, reports)
    how = ended(counts) if counts is not None else PLAYED_OUT
    set_ended(game, how)
    if game.goes_through == Through.NOBODY and how.how != Ending.NOT_PLAYED:
        game.goes_through = None
    game.answers = None if counts is None or how.how == Ending.NOT_PLAYED else counts.answers


def waiting(reports: Mapping[str, Report]) -> Report | None:
    """The report that waits to be confirmed: a player's own, else the sheet's."""
    sent = [reports[side] for side in (ReportSide.A, ReportSide.B) if side in reports]
    return sent[0] if len(sent) == 1 else None if sent else reports.get(SHEET)


def state_by_reports(scenario: Scenario, reports: Mapping[str, Report]) -> tuple[GameState, Report | None]:
    """The game's state by the newest report from each source, and the report that counts or waits.

    A report from the sheet never confirms another one, and a player's own report replaces it.
    """
    if not reports:
        return GameState.OPEN, None
    decided = reports.get(ReportSide.ORGANISER)
    if decided is not None:
        return GameState.CONFIRMED, decided
    a, b = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if a is None or b is None:
        return GameState.REPORTED, waiting(reports)
    # A choice that only describes the game (hackers or smashers) cannot cause a dispute. A missing figure counts as 0.
    figures = [question.key for question in scenario.questions if question.kind != "choice" or question.decides]
    if ended(a) == ended(b) and all(a.answers.get(key, 0) == b.answers.get(key, 0) for key in figures):
        return GameState.CONFIRMED, a
    return GameState.DISPUTED, None
