"""Rows as every part of the service makes, finds and reads them."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from models.by_id import by_id, read_again
from models.db import lock_file, read_json, write
from models.event import Event
from tests.models.conftest import NOW
from tests.statements import sent


def test_a_row_has_its_columns_and_no_others(make_event: Callable[..., Event]) -> None:
    one, other = make_event(), make_event(slug="another", name="Another")
    assert one.stamp != other.stamp, "what is made by chance is made for each"
    with pytest.raises(TypeError, match="Event has no colour"):
        make_event(colour="red")


def test_a_row_that_was_read_is_not_asked_for_again(session: Session, make_event: Callable[..., Event]) -> None:
    event_id = make_event().id
    session.expunge_all()
    found = by_id(session, Event, event_id)
    assert found is not None
    with sent(session.get_bind()) as told:  # type: ignore[arg-type]
        assert by_id(session, Event, event_id) is found
        assert told == []
        assert by_id(session, Event, event_id + 1) is None
        session.expire(found)
        assert by_id(session, Event, event_id) is found
        assert len(told) == 2, "an expired one is read whole, at once"
        assert (found.name, len(told)) == ("The Open", 2)


@pytest.mark.both_databases
def test_what_another_stored_is_read_again(session: Session, engine: Engine, make_event: Callable[..., Event]) -> None:
    held = by_id(session, Event, make_event().id)
    assert held is not None
    with Session(engine) as other, write(other, NOW, by_id(other, Event, held.id)):
        by_id(other, Event, held.id).name = "The Other"  # type: ignore[union-attr]
    session.rollback()
    read_again(session, held)
    with sent(engine) as told:
        assert (held.name, told) == ("The Other", [])


@pytest.mark.both_databases
def test_a_change_reads_its_event_anew(engine: Engine, make_event: Callable[..., Event]) -> None:
    event_id = make_event().id
    with Session(engine, expire_on_commit=False) as one, Session(engine) as other:
        held = by_id(one, Event, event_id)
        assert held is not None
        one.commit()  # what it holds is good for ever, as far as it knows
        with write(other, NOW, by_id(other, Event, event_id)):
            by_id(other, Event, event_id).name = "The Other"  # type: ignore[union-attr]
        with write(one, NOW, held):
            assert (held.name, held.version) == ("The Other", 2)


def test_whoever_reads_sees_one_moment(engine: Engine, make_event: Callable[..., Event]) -> None:
    event_id, names = make_event().id, text("SELECT name FROM event")
    with engine.connect() as reader, Session(engine) as writer:
        before = reader.execute(names).scalar_one()
        with write(writer, NOW, by_id(writer, Event, event_id)):
            by_id(writer, Event, event_id).name = "The Later"  # type: ignore[union-attr]
        assert reader.execute(names).scalar_one() == before != "The Later"


def test_the_lock_is_taken_whether_or_not_a_transaction_has_begun(engine: Engine) -> None:
    for begun in (False, True):
        with engine.connect() as one, engine.connect() as other:
            if begun:
                one.begin()
            lock_file(one)
            other.exec_driver_sql("PRAGMA busy_timeout=0")
            other.rollback()
            with pytest.raises(Exception, match="locked"):
                other.exec_driver_sql("BEGIN IMMEDIATE")


def test_a_column_of_json_is_read_as_python_reads_it() -> None:
    assert read_json('{"a": [1, 2.5, null, "\\u00e9"]}') == {"a": [1, 2.5, None, "é"]}
    assert read_json('"\\ud800"') == "\ud800", "half a character, from before such were refused"
    with pytest.raises(ValueError, match="Expecting"):
        read_json("{")
