"""Seals: of what a damaged disk makes of the journal, and of rows that no journal follows, nothing is passed over."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Boolean, Connection, DateTime, Engine, Enum, Integer, LargeBinary, Table, select, text, update
from sqlalchemy.types import JSON
from sqlmodel import Session, SQLModel

import migrations
from events.actions.ways_back import mend
from events.errors import Refused
from events.invariants import check_invariants, told
from events.keeping import look
from models.edition import OwnEdition
from models.event import Event
from models.journal import JOURNAL
from models.kept_answer import KeptAnswer
from models.mail_change import MailChange
from models.message import Contact
from models.people import Account, EndedSignIn, SetUpLink
from models.scenario import OwnScenario
from models.seals import not_as_written, sealed_tables
from models.staff import Invitation, Role
from tests.actions.stage import Stage
from tests.conftest import Clock

PASSED_OVER = {
    "change_set.id": "its rows point to it: the database's own check",
    "row_change.id": "their order alone counts",
}
"""Columns of the journal that a seal says nothing of, and why."""


@pytest.fixture
def stage(engine: Engine, clock: Clock) -> Iterator[Stage]:
    """An event of four in the middle of its day, another one, and a row in every table that is sealed row by row."""
    made = Stage(engine, clock)
    account = made.set_up("Olga")
    event = made.event()
    ada, *_ = made.enter(event, "Ada", "Bo", "Cy", "Dee")
    made.play(event, 1)
    made.draw(event, 2)
    made.event("Rust Cup")
    later = clock() + timedelta(days=1)
    with made.changing(event) as s:
        s.add(Contact(player_id=ada.id, mail="ada@example.org", given_at=clock()))
        s.add(Invitation(event_id=event.id, role=Role.JUDGE, token_hash="a1", created_at=clock(),
                         created_by=account.id, expires_at=later))  # fmt: skip
        s.add(MailChange(event_id=event.id, player_id=ada.id, mail="new@example.org", key="k", asked_at=clock()))
        s.add(KeptAnswer(event_id=event.id, who="player 1", key="k", sha256="x", said="Saved.", at=clock()))
    with made.changing() as s:
        s.add(EndedSignIn(sign_in="n", until=later))
        s.add(SetUpLink(token_hash="b2", created_at=clock()))
        s.add(OwnEdition(system="none", edition="own", name="Ours", date="2026-11-01", text="{}", sha256="y",
                         report={"read": [1, None]}, at=clock(), by="Olga"))  # fmt: skip
        s.add(OwnScenario(system="none", slug="own-one", document={"name": "One", "of": [1]},
                          created_at=clock(), changed_at=clock(), by="Olga"))  # fmt: skip
    yield made
    made.s.close()


def broken(engine: Engine) -> list[str]:
    with Session(engine) as s:
        return told(check_invariants(s))


@contextmanager
def unguarded(engine: Engine) -> Iterator[Connection]:
    """A transaction in which everything can be changed, as a disk changes it; undone at the end."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]
            for name in connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars():
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        yield connection
        connection.rollback()
        if engine.dialect.name == "sqlite":
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=ON")  # type: ignore[union-attr]


def other(column: Any, value: Any) -> Any:
    """Another value than this that the column takes."""
    if isinstance(column.type, JSON):
        return {**(value or {}), "x": 1}
    if isinstance(column.type, Boolean):
        return not value
    if isinstance(column.type, Enum):
        return next(one for one in column.type.enum_class or () if one != value)
    if isinstance(column.type, Integer):
        return (value or 0) + 1000
    if isinstance(column.type, LargeBinary):
        return b"\x00" + value
    if isinstance(value, str):
        return value[:-1] + ("e" if value[-1:] != "e" else "f")
    if column.type.__class__.__name__ == "UTCDateTime" or isinstance(column.type, DateTime):
        return value + timedelta(microseconds=1) if value else None
    raise TypeError(column)


def keys_of(table: Table, row: Any) -> Any:
    return [column == row[column.name] for column in table.primary_key]


@pytest.mark.slow
@pytest.mark.proves("F21", "I8")
@pytest.mark.both_databases
def test_a_value_of_the_journal_that_nobody_wrote_is_found(stage: Stage) -> None:
    event = stage.one(Event, slug="iron-open")
    stage.s.rollback()
    tried, silent = 0, []
    for table in (SQLModel.metadata.tables[one.__tablename__] for one in JOURNAL):
        with stage.engine.connect() as connection:
            rows = connection.execute(select(table)).mappings().all()
        row = next(one for one in reversed(rows) if one.get("event_id", event.id) == event.id)
        for column in table.columns:
            if f"{table.name}.{column.name}" in PASSED_OVER or other(column, row[column.name]) is None:
                continue
            with unguarded(stage.engine) as connection:
                changed = {column.name: other(column, row[column.name])}
                connection.execute(update(table).where(*keys_of(table, row)).values(changed))
                with Session(bind=connection) as s:
                    silent += [] if check_invariants(s) else [f"{table.name}.{column.name}"]
                tried += 1
    assert silent == []
    assert tried >= 25
    assert broken(stage.engine) == [], "each was undone"


@pytest.mark.slow
@pytest.mark.proves("F21", "I8")
@pytest.mark.both_databases
@pytest.mark.parametrize("statement", [
    "DELETE FROM journal_entry WHERE id = (SELECT max(id) FROM journal_entry WHERE event_id = 1)",
    "DELETE FROM row_change WHERE id = (SELECT max(id) FROM row_change)",
    "DELETE FROM journal_seal WHERE change_set_id = (SELECT max(change_set_id) FROM journal_seal)",
    "DELETE FROM journal_value WHERE event_id = 1",
    "UPDATE event SET journal_from = NULL WHERE id = 1",
    "UPDATE journal_entry SET text = CASE id WHEN 1 THEN (SELECT text FROM journal_entry WHERE id = 2) "
    "ELSE (SELECT text FROM journal_entry WHERE id = 1) END WHERE id IN (1, 2)",
    "INSERT INTO journal_entry (event_id, at, actor, verb, text, details, change_set_id) "
    "SELECT event_id, at, actor, verb, text, details, change_set_id FROM journal_entry WHERE id = 2",
])  # fmt: skip
def test_rows_that_are_gone_exchanged_or_more_than_were_written_are_found(stage: Stage, statement: str) -> None:
    event = stage.one(Event, slug="iron-open")
    stage.s.rollback()
    with unguarded(stage.engine) as connection:
        assert connection.execute(text(statement)).rowcount
        begun = connection.execute(text("SELECT journal_from FROM event WHERE id = 1")).scalar()
        assert list(not_as_written(connection, event.id, begun))


@pytest.mark.proves("F21", "I8")
@pytest.mark.both_databases
def test_a_write_that_is_gone_with_all_it_told_is_missed(stage: Stage) -> None:
    event = stage.one(Event, slug="iron-open")
    stage.s.rollback()
    with unguarded(stage.engine) as connection:
        gone = connection.execute(text("SELECT id FROM change_set WHERE event_id = 1 AND version = 4")).scalar_one()
        for table in ("journal_entry", "row_change", "journal_seal"):
            connection.execute(text(f"DELETE FROM {table} WHERE change_set_id = {gone}"))  # noqa: S608
        connection.execute(text(f"DELETE FROM change_set WHERE id = {gone}"))  # noqa: S608
        (said,) = not_as_written(connection, event.id, event.journal_from)
    assert said.startswith("the journal lacks a write before write")


@pytest.mark.slow
@pytest.mark.proves("F21", "I8")
@pytest.mark.both_databases
def test_a_value_of_a_row_that_no_journal_follows_is_found(stage: Stage) -> None:
    stage.s.close()
    assert {table.name for table in sealed_tables()} == {
        "organiser", "set_up_link", "ended_sign_in", "own_edition", "own_scenario", "kept_answer", "invitation",
        "contact", "mail_change",
    }  # fmt: skip
    silent = []
    for table in sealed_tables():
        for column in table.columns:
            with unguarded(stage.engine) as connection:
                row = connection.execute(select(table)).mappings().first()
                assert row is not None, table.name
                if column.primary_key or other(column, row[column.name]) is None:
                    continue
                changed = {column.name: other(column, row[column.name])}
                connection.execute(update(table).where(*keys_of(table, row)).values(changed))
                with Session(bind=connection) as s:
                    if not any("not as it was written" in one.what for one in check_invariants(s)):
                        silent.append(f"{table.name}.{column.name}")
    assert silent == []
    assert broken(stage.engine) == []


@pytest.mark.both_databases
def test_an_upgrade_seals_what_is_there(stage: Stage) -> None:
    event = stage.one(Event, slug="rust-cup")
    with stage.changing(event) as s:  # as another server told it
        s.connection().execute(
            text("INSERT INTO journal_entry (event_id, at, actor, verb, text, details) VALUES "
                 "(:id, '2026-11-20 09:00:00', 'x', 'take-in', 'Ü', '{\"a\": 1}')"), {"id": event.id}
        )  # fmt: skip
    stage.s.close()
    with stage.engine.connect() as connection:
        command.downgrade(migrations.alembic_config(connection), "20261124_second_factor")
        connection.commit()
    migrations.upgrade(stage.engine)
    assert broken(stage.engine) == []
    with stage.changing(stage.one(Event, slug="iron-open")):
        pass
    assert broken(stage.engine) == []


@pytest.mark.proves("F21", "G6")
def test_a_damaged_journal_mends_nothing(stage: Stage, tmp_path: Path, clock: Clock) -> None:
    event = stage.one(Event, slug="iron-open")
    stage.s.rollback()
    with stage.engine.connect() as connection:
        connection.execute(text("DROP TRIGGER row_change_stays"))
        connection.execute(text("UPDATE row_change SET after = replace(after, 'Ada', 'Oda')"))
        connection.commit()
    known = look(stage.engine, tmp_path, clock())
    assert known is not None
    assert re.match(r"what the journal tells of write \d+ \(2026-11-21 09:00 UTC\) is", known.events["iron-open"][0])
    with pytest.raises(Refused, match="itself not as it was written"), stage.changing(event) as s:
        mend(s, event, "Olga", clock())
    assert stage.one(Event, slug="iron-open").version == event.version


def test_what_belongs_to_no_event_is_told_as_such(stage: Stage, tmp_path: Path, clock: Clock) -> None:
    stage.s.rollback()
    account = stage.one(Account)
    stage.s.connection().execute(text("UPDATE organiser SET name = 'Olaf'"))
    stage.s.connection().execute(text("UPDATE contact SET mail = 'bda@example.org'"))
    stage.s.commit()
    known = look(stage.engine, tmp_path, clock())
    assert known is not None
    assert (known.closed, dict(known.events)) == ("", {
        "": [f"organiser {account.id} is not as it was written"],
        "iron-open": ["contact 1 is not as it was written"],
    })  # fmt: skip
    assert f"organiser {account.id} is not as it was written" in known.lines
