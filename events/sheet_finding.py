"""From what stands on a paper sheet, its table or its code, to the game of the round at hand."""

from dataclasses import dataclass

from sqlmodel import Session, select

from events.errors import Refused
from events.reading import games_of
from events.table_numbers import code_typed, table_typed
from models.event import Event, Round, RoundState
from models.play import Game


@dataclass(frozen=True)
class Sheet:
    """The sheet that is meant: its game, and the round, which is another than that at hand where the code says so."""

    game: Game
    round: Round


def find_sheet(s: Session, event: Event, the_round: Round, typed: str) -> Sheet:
    """The game of this sheet. Raises Refused at the field ``table``, in words."""
    if (table := table_typed(typed)) is not None:
        return Sheet(_at_table(s, the_round, table), the_round)
    game = game_with_code(s, typed)
    other = s.get_one(Round, game.round_id) if game is not None else None
    if game is None or other is None or other.state != RoundState.PUBLISHED:
        raise Refused("Type the table’s number, or the code beside the square on its sheet.", "table")
    if other.event_id != event.id:
        raise Refused("This sheet is of another event.", "table")
    if game.b_id is None:
        raise Refused("This is a bye: it has no sheet.", "table")
    return Sheet(game, other)


def game_with_code(s: Session, typed: str) -> Game | None:
    """The game whose sheet has this code, of whatever event and round."""
    code = code_typed(typed)
    could_be = code.isascii() and code.isalnum()
    return s.exec(select(Game).where(Game.code == code)).first() if could_be else None


def _at_table(s: Session, the_round: Round, number: int) -> Game:
    games = [game for game in games_of(s, the_round) if game.table_number is not None]
    found = next((game for game in games if game.table_number == number), None)
    if found is None:
        last = max((game.table_number or 0 for game in games), default=0)
        raise Refused(f"Nobody plays at table {number} in round {the_round.number}: the last is {last}.", "table")
    return found
