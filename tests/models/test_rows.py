"""Rows as a write and a reader see them."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from models.db import FOR_WRITING, write
from models.event import Event
from tests.models.conftest import NOW


def test_random_defaults_differ_between_rows(make_event: Callable[..., Event]) -> None:
    assert make_event().stamp != make_event(slug="another", name="Another").stamp


@pytest.mark.both_databases
def test_write_reads_its_event_again(engine: Engine, make_event: Callable[..., Event]) -> None:
    event_id = make_event().id
    with Session(engine, expire_on_commit=False) as one, Session(engine) as other:
        held = one.get_one(Event, event_id)
        one.commit()  # its values stay loaded
        with write(other, NOW, other.get_one(Event, event_id)):
            other.get_one(Event, event_id).name = "The Other"
        with write(one, NOW, held):
            assert (held.name, held.version) == ("The Other", 2)


def test_reader_sees_one_moment(engine: Engine, make_event: Callable[..., Event]) -> None:
    event_id, names = make_event().id, text("SELECT name FROM event")
    with engine.connect() as reader, Session(engine) as writer:
        before = reader.execute(names).scalar_one()
        with write(writer, NOW, writer.get_one(Event, event_id)):
            writer.get_one(Event, event_id).name = "The Later"
        assert reader.execute(names).scalar_one() == before != "The Later"


def test_writing_transaction_takes_the_lock_at_its_beginning(engine: Engine) -> None:
    for options, locked in ((FOR_WRITING, True), ({}, False)):
        with engine.connect().execution_options(**options) as one, engine.connect() as other:
            one.begin()
            other.exec_driver_sql("PRAGMA busy_timeout=0")
            other.rollback()
            other.execution_options(**FOR_WRITING)
            if locked:
                with pytest.raises(Exception, match="locked"):
                    other.begin()
            else:
                other.begin()
