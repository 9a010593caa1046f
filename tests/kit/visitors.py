"""Visitors, events, players and games without a database, for tests of permissions."""

from datetime import UTC, date, datetime
from typing import Any

from events.store.visitor import Visitor
from models.event import Event, EventState
from models.people import Account
from models.play import Game, GameState, Player, PlayerState
from models.staff import Role

NOW = datetime(2026, 12, 5, 9, tzinfo=UTC)
OLGA = Account(id=1, name="Olga", name_key="olga", password_hash="", session_key="", created_at=NOW)
STAFF = {role.value: Visitor(OLGA, roles={1: role}) for role in Role}
"""Staff of event 1, by role."""


def an_event(
    state: EventState = EventState.REGISTRATION, due: datetime | None = None, locked: datetime | None = None
) -> Event:
    return Event(
        id=1, slug="iron-open", name="Iron Open", place="", starts_on=date(2026, 12, 5), ends_on=date(2026, 12, 5),
        timezone="UTC", system="battle_mode", edition="2018-08", size=750, rounds=3, round_minutes=90, points_win=3,
        points_draw=1, points_loss=0, tie_breaks=[], scenario_pool=["pooled"], seed=1, created_at=NOW, changed_at=NOW,
        state=state, list_deadline=due, lists_locked_at=locked,
    )  # fmt: skip


def a_player(id_: int = 1, event_id: int = 1, state: PlayerState = PlayerState.CHECKED_IN, **more: Any) -> Player:
    name = f"Player {id_}"
    return Player(id=id_, event_id=event_id, name=name, name_key=name.lower(), state=state, registered_at=NOW, **more)


def signed_in_as(player: Player) -> Visitor:
    return Visitor(players={1: player})


def a_game(state: GameState = GameState.OPEN, b_id: int | None = 2) -> Game:
    """Player 1 against player 2, or a bye of player 1."""
    return Game(round_id=1, a_id=1, b_id=b_id, table_number=b_id and 1, code="ABCDEFGH", notes=[], state=state)
