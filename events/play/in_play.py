"""The rounds in play: the newest, and the rounds of a round robin, which run at the same time."""

from collections.abc import Sequence

from sqlalchemy import and_, case, or_
from sqlmodel import Session, col, select

from events.play.queries import RoundView, current_round
from events.play.rounds import newest_published
from events.play.team_queries import is_team_event
from models.event import Event, Round, RoundKind, RoundState
from models.play import Game, GameState, Player


def opens_together(event: Event, kind: RoundKind) -> bool:
    """Whether a round of this kind can start before earlier rounds are complete, as in a round robin of players."""
    return kind == RoundKind.ROUND_ROBIN and not is_team_event(event)


def rounds_in_play(views: Sequence[RoundView]) -> list[RoundView]:
    """The published rounds with open games, and the newest published round."""
    newest = current_round(views)
    return [view for view in views if view.state == "playing" or view is newest]


def own_game(s: Session, event: Event, player: Player) -> Game | None:
    """The player's oldest open game of a round robin, else the game or bye in the newest round."""
    newest, of_player = newest_published(s, event), or_(col(Game.a_id) == player.id, col(Game.b_id) == player.id)
    if is_team_event(event):
        return s.exec(select(Game).where(Game.round_id == newest, of_player)).first()
    waits = and_(
        col(Round.kind) == RoundKind.ROUND_ROBIN,
        col(Round.state) == RoundState.PUBLISHED,
        col(Game.state) != GameState.CONFIRMED,
    )
    query = select(Game).join(Round).where(Round.event_id == event.id, of_player)
    query = query.where(or_(col(Game.round_id) == newest, waits))
    return s.exec(query.order_by(case((waits, 0), else_=1), col(Round.number))).first()
