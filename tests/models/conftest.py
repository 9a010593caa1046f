"""Rows for the tests of the tables."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import Session

from models.event import Event, Round
from models.play import Player, PlayerState
from tests.kit.visitors import an_event

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@pytest.fixture
def make_event(session: Session) -> Callable[..., Event]:
    def make(**values: Any) -> Event:
        given = an_event().model_dump(exclude={"id"}) | {"created_at": NOW, "changed_at": NOW} | values
        event = Event(**given)
        session.add(event)
        session.commit()
        return event

    return make


@pytest.fixture
def make_round(session: Session) -> Callable[..., Round]:
    def make(event: Event, number: int = 1) -> Round:
        row = Round(event_id=event.id, number=number)
        session.add(row)
        session.commit()
        return row

    return make


@pytest.fixture
def make_player(session: Session) -> Callable[..., Player]:
    def make(event: Event, name: str) -> Player:
        player = Player(
            event_id=event.id, name=name, name_key=name.casefold(), state=PlayerState.REGISTERED, registered_at=NOW
        )
        session.add(player)
        session.commit()
        return player

    return make
