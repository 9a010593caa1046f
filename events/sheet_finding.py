"""From what stands on a paper sheet, its table or its code, to the game of the round at hand."""

from dataclasses import dataclass

from sqlmodel import Session, select

from events.errors import Refused
from events.reading import games_of
from models.event import Event, Round, RoundState
from models.play import Game

LONGEST_TABLE = 4
"""Digits of a table's number; a sheet's code is longer."""


@dataclass(frozen=True)
class Found:
    """A game that was typed by its table or code, and its round: another than that at hand, where the code says so."""

    game: Game
    round: Round


def find_sheet(s: Session, event: Event, the_round: Round, typed: str) -> Found:
    """The game of this sheet. Raises Refused at the field ``table``, in words."""
    wanted = typed.strip().upper().replace(" ", "").replace("-", "")
    if wanted.isascii() and wanted.isdecimal() and len(wanted) <= LONGEST_TABLE:
        return Found(_at_table(s, the_round, int(wanted)), the_round)
    game = s.exec(select(Game).where(Game.code == wanted[:20])).first() if wanted else None
    other = s.get_one(Round, game.round_id) if game is not None else None
    if game is None or other is None or other.state != RoundState.PUBLISHED:
        raise Refused("Type the table’s number, or the code beside the square on its sheet.", "table")
    if other.event_id != event.id:
        raise Refused("This sheet is of another event.", "table")
    if game.b_id is None:
        raise Refused("This is a bye: it has no sheet.", "table")
    return Found(game, other)


def _at_table(s: Session, the_round: Round, number: int) -> Game:
    games = [game for game in games_of(s, the_round) if game.table_number is not None]
    found = next((game for game in games if game.table_number == number), None)
    if found is None:
        last = max((game.table_number or 0 for game in games), default=0)
        raise Refused(f"Nobody plays at table {number} in round {the_round.number}: the last is {last}.", "table")
    return found
