"""What the database itself refuses, and how it keeps moments."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import Session, SQLModel, select

from models.event import Event, Round
from models.play import Game, Player
from tests.models.conftest import NOW

pytestmark = pytest.mark.both_databases
NEVER: tuple[tuple[dict[str, Any], str], ...] = (
    ({"size": 0}, "size_positive"),
    ({"rounds": 0}, "rounds_range"),
    ({"rounds": 21}, "rounds_range"),
    ({"places": 0}, "places_positive"),
    ({"tables": 0}, "tables_positive"),
    ({"ends_on": NOW.date() - timedelta(days=1)}, "ends_after_start"),
    ({}, "slug"),
)
"""Values with which no event is stored next to another, and what forbids them."""


def game(of: Round, a: int, b: int | None, table: int | None) -> Game:
    return Game(round_id=of.id, a_id=a, b_id=b, table_number=table, code=f"{of.id}-{a}-{b}", notes=[])


def refused(session: Session, *rows: SQLModel) -> str:
    """The name of the constraint, or the words, with which the database refuses these rows."""
    session.add_all(rows)
    with pytest.raises(IntegrityError) as failed:
        session.commit()
    session.rollback()
    return str(failed.value.orig)


def test_impossible_games_are_rejected(
    session: Session, make_event: Callable[..., Event], make_round: Callable[..., Round],
    make_player: Callable[..., Player],
) -> None:  # fmt: skip
    event = make_event()
    first, again = make_round(event), make_round(event, 2)
    ada, bo, cy, di = (make_player(event, name).id for name in ("Ada", "Bo", "Cy", "Di"))
    for games, name in (
        ([(ada, ada, 1)], "two_players"),
        ([(ada, bo, 1), (ada, cy, 2)], "a_id"),
        ([(ada, bo, 1), (cy, bo, 2)], "b_id"),
        ([(ada, bo, 1), (cy, di, 1)], "table_number"),
        ([(ada, None, 1)], "bye_has_no_table"),
        ([(ada, bo, None)], "bye_has_no_table"),
        ([(ada, 987654, 1)], "foreign key"),
    ):
        assert name in refused(session, *(game(first, *one) for one in games)).lower(), games
    assert "number_positive" in refused(session, Round(event_id=event.id, number=0))
    session.add_all([game(first, ada, bo, 1), game(first, cy, None, None), game(again, ada, bo, 1)])
    session.commit()
    session.delete(session.get_one(Player, ada))
    assert "foreign key" in refused(session).lower(), "a player with games"


def test_impossible_events_are_rejected(session: Session, make_event: Callable[..., Event]) -> None:
    make_event()
    for values, name in NEVER:
        with pytest.raises(IntegrityError, match=name):
            make_event(**values if "slug" in name else values | {"slug": "another"})
        session.rollback()


def test_moments_are_read_and_compared_in_utc(session: Session, make_event: Callable[..., Event]) -> None:
    """Compared as the text that was given, noon in Tokyo would come after four o'clock UTC."""
    noon_in_tokyo = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=9)))
    event = make_event(created_at=noon_in_tokyo)
    session.expire_all()
    assert (event.created_at, event.created_at.tzinfo, event.created_at.hour) == (noon_in_tokyo, UTC, 3)
    before_four = select(Event.slug).where(Event.created_at < datetime(2026, 11, 21, 4, 0, tzinfo=UTC))
    assert session.exec(before_four).all() == ["open"]
    with pytest.raises(StatementError, match="without its zone"):
        make_event(slug="naive", created_at=datetime(2026, 11, 21, 12, 0))  # noqa: DTZ001 - the mistake itself
    session.rollback()
