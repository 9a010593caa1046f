"""Where every table of a round stands, for the desk: reported by whom, confirmed, verified."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, col, func, select

from events.actions.results import SHEET, differ, source_of, waiting
from events.outcomes import score_of
from events.reading import RoundView
from models.endings import Ending
from models.event import Event, Round
from models.play import Game, GameState, Report
from models.sheet_reading import SheetReading
from validators.scenario import Score


class Standing(StrEnum):
    """How far a table's result is. Each table has one."""

    PLAYING = "playing"
    ONE_SIDE = "one_side"
    DISPUTED = "disputed"
    DIFFERS = "differs"
    """Confirmed, and the second pass over its sheet says otherwise."""
    CONFIRMED = "confirmed"
    VERIFIED = "verified"
    NOT_PLAYED = "not_played"
    """Decided without a result: somebody did not come, or it did not take place."""


@dataclass(frozen=True)
class TableRow:
    """One table of the results page."""

    game: Game
    standing: Standing
    score: Score | None
    """What counts, or waits for the other side."""
    waiting: str
    """The source of the report that waits to be confirmed, "" for none: a side, or SHEET."""
    replaced: bool
    """A player's own report waits, and one from the paper sheet says otherwise: look before confirming."""
    second: SheetReading | None
    """The second pass over the result as it stands."""


def table_rows(s: Session, event: Event, view: RoundView) -> list[TableRow]:
    """Every table of a published round, in the order of the tables; a bye has none."""
    games = [game for game in view.games if game.b_id is not None]
    reports = _reports(s, [game.id for game in games if game.state == GameState.REPORTED])
    seconds = second_passes(s, games)
    rows = []
    for game in games:
        score = score_of(event, view.round.number, view.scenario_at(game), game)
        second = seconds.get(game.id)
        found = reports.get(game.id, {})
        waits, sheet = waiting(found), found.get(SHEET)
        replaced = waits is not None and sheet is not None and differ(waits, sheet)
        source = source_of(waits) if waits is not None else ""
        rows.append(TableRow(game, _standing(game, second), score, source, replaced, second))
    return rows


def second_passes(s: Session, games: Sequence[Game]) -> Mapping[int, SheetReading]:
    """The newest second pass of each game over its result as it stands, by the game's id."""
    versions = {game.id: game.version for game in games}
    query = select(SheetReading).where(col(SheetReading.game_id).in_(versions)).order_by(col(SheetReading.id))
    return {one.game_id: one for one in s.exec(query) if versions[one.game_id] == one.version}


def _standing(game: Game, second: SheetReading | None) -> Standing:
    if game.absent is not None or (game.state == GameState.CONFIRMED and game.ending == Ending.NOT_PLAYED):
        return Standing.NOT_PLAYED
    if game.state == GameState.CONFIRMED:
        if second is None:
            return Standing.CONFIRMED
        return Standing.VERIFIED if second.agrees else Standing.DIFFERS
    return {
        GameState.OPEN: Standing.PLAYING,
        GameState.REPORTED: Standing.ONE_SIDE,
        GameState.DISPUTED: Standing.DISPUTED,
    }[game.state]


def _reports(s: Session, ids: Sequence[int]) -> dict[int, dict[str, Report]]:
    """The newest report of each source, by game."""
    found: dict[int, dict[str, Report]] = {}
    query = select(Report).where(col(Report.game_id).in_(ids), col(Report.withdrawn_at).is_(None))
    for report in s.exec(query.order_by(col(Report.id))):
        found.setdefault(report.game_id, {})[source_of(report)] = report
    return found


def last_report(s: Session, a_round: Round) -> datetime | None:
    """When the newest report of a round came in; None before the first."""
    return s.exec(select(func.max(Report.at)).join(Game).where(Game.round_id == a_round.id)).one()
