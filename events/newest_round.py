"""The newest published round, found without the games of those before it: half a hall asks for it at once."""

from sqlalchemy import or_
from sqlmodel import Session, col, select

from events.reading import RoundView, round_view
from models.event import Event, Round, RoundState
from models.play import Game, Player


def newest_published(s: Session, event: Event) -> int | None:
    """The id of the newest published round; None before the first."""
    query = select(Round.id).where(Round.event_id == event.id, Round.state == RoundState.PUBLISHED)
    return s.exec(query.order_by(col(Round.number).desc()).limit(1)).first()


def newest_view(s: Session, event: Event) -> RoundView | None:
    """That round with its games, as ``reading.current_round`` finds it among all."""
    round_id = newest_published(s, event)
    return round_view(s, event, s.get_one(Round, round_id)) if round_id is not None else None


def own_game(s: Session, event: Event, player: Player) -> Game | None:
    """A player's game or bye in that round."""
    of_player = or_(col(Game.a_id) == player.id, col(Game.b_id) == player.id)
    return s.exec(select(Game).where(Game.round_id == newest_published(s, event), of_player)).first()
