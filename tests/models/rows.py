"""Rows for the tests of the tables."""

from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlmodel import Session, SQLModel

from models.event import Event
from models.play import Player, PlayerState
from tests.kit.visitors import an_event

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
Row = TypeVar("Row", bound=SQLModel)


def stored(session: Session, row: Row) -> Row:
    session.add(row)
    session.commit()
    return row


def event_row(**values: Any) -> Event:
    return Event(**{k: v for k, v in an_event() if k != "id"} | {"created_at": NOW, "changed_at": NOW} | values)


def player_row(event: Event, name: str = "Ada") -> Player:
    return Player(event_id=event.id, name=name, name_key=name, state=PlayerState.REGISTERED, registered_at=NOW)
