"""The migrations: up, down and up again on both databases, nothing lost, nothing guessed."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, inspect, text
from sqlmodel import SQLModel

import migrations
from events.journal.invariants import check_invariants
from models.db import open_engine
from models.event import RoundDraw
from tests.conftest import Clock
from tests.kit.stage import Stage

PARENT_AND_CHILD = """
from alembic import op
revision, down_revision = "parent_and_child", None

def upgrade():
    op.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(9))")
    op.execute("CREATE TABLE child (id INTEGER PRIMARY KEY, "
               "parent_id INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE)")
    op.execute("INSERT INTO parent VALUES (1, 'Ada'), (7, 'Bo')")
    op.execute("DELETE FROM parent WHERE id = 7")
    op.execute("INSERT INTO child VALUES (10, 1)")
"""
REBUILD = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "rebuild", "parent_and_child"

def upgrade():
    with op.batch_alter_table("parent", recreate="always", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("name", type_=sa.String(20))
"""
"""The table is made anew, as every change of a column on SQLite does."""
ORPHAN = """
from alembic import op
revision, down_revision = "orphan", "rebuild"

def upgrade():
    op.execute("DELETE FROM parent")
"""
"""It forgets the children."""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """Migrations of the test's own, run by this project's ``env.py``."""
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    shutil.copy(migrations.FOLDER / "env.py", folder)
    for name, source in {"1": PARENT_AND_CHILD, "2": REBUILD, "3": ORPHAN}.items():
        (folder / "versions" / f"{name}.py").write_text(source)
    made = migrations.alembic_config()
    made.set_main_option("script_location", str(folder))
    return made


def upgrade(config: Config, connection: Connection, revision: str) -> None:
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    connection.commit()


def nameless(engine: Engine, key: Mapping[str, Any]) -> dict[str, Any]:
    """A foreign key, on SQLite without its name: of a column added later it is kept, but not read back."""
    return {**key, "name": None} if engine.dialect.name == "sqlite" else {**key}


def worded(index: Mapping[str, Any]) -> dict[str, Any]:
    """An index with the words of its condition, which are an object otherwise."""
    return {**index, "dialect_options": {name: str(one) for name, one in index.get("dialect_options", {}).items()}}


def gives_again(engine: Engine, table: str) -> bool:
    """Whether SQLite may give the number of a row that is gone to another one; a table made anew forgets this."""
    if engine.dialect.name != "sqlite":
        return False
    with engine.connect() as connection:
        query = text("SELECT sql FROM sqlite_schema WHERE name = :name")
        return "AUTOINCREMENT" not in connection.execute(query, {"name": table}).scalar_one()


def shape(engine: Engine) -> dict[str, dict[str, object]]:
    """The database's description of its tables. Of columns and constraints, the order does not matter."""
    found = inspect(engine)
    shapes: dict[str, dict[str, object]] = {}
    for table in SQLModel.metadata.tables:
        shapes[table] = {
            "columns": sorted(repr({**column, "type": repr(column["type"])}) for column in found.get_columns(table)),
            "primary key": found.get_pk_constraint(table),
            "checks": sorted(map(repr, found.get_check_constraints(table))),
            "foreign keys": sorted(repr(nameless(engine, key)) for key in found.get_foreign_keys(table)),
            "indexes": sorted(repr(worded(index)) for index in found.get_indexes(table)),
            "unique": sorted(map(repr, found.get_unique_constraints(table))),
            "gives a number again": gives_again(engine, table),
        }
    return shapes


@pytest.mark.both_databases
def test_migrated_tables_equal_those_of_the_models(engine: Engine, empty_url: str) -> None:
    """Alembic's comparison passes over the names and the words of checks; they need the same care."""
    made = open_engine(empty_url)
    SQLModel.metadata.create_all(made)
    wanted = shape(made)
    made.dispose()
    assert shape(engine) == wanted


@pytest.mark.proves("F18")
def test_recreating_a_table_on_sqlite_keeps_rows_that_refer_to_it(config: Config, empty_url: str) -> None:
    engine = open_engine(empty_url)
    with engine.connect() as connection:
        upgrade(config, connection, "parent_and_child")
        upgrade(config, connection, "rebuild")
        assert connection.execute(text("SELECT id, parent_id FROM child")).all() == [(10, 1)]
        assert connection.execute(text("INSERT INTO parent (name) VALUES ('Cy') RETURNING id")).scalar_one() == 8
        connection.rollback()
        with pytest.raises(RuntimeError, match="without their parents"):
            upgrade(config, connection, "orphan")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT name FROM parent")).all() == [("Ada",)], "what orphans rows is undone"
        assert MigrationContext.configure(connection).get_current_revision() == "rebuild"
        assert connection.execute(text("PRAGMA foreign_keys")).scalar_one() == 1
    engine.dispose()


def kept(stage: Stage) -> object:
    """All rows, but for the numbers of draws, which a table made anew does not give twice."""
    draws = [(draw.round_id, draw.inputs, draw.outcome) for draw in stage.all(RoundDraw)]
    return stage.digest(leave_out="round_draw"), draws


@pytest.mark.slow
@pytest.mark.proves("F18", "F19")
@pytest.mark.both_databases
def test_played_event_survives_every_migration(engine: Engine, clock: Clock) -> None:
    stage = Stage(engine, clock)
    stage.set_up("Olga")
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE event SET players_stamp = '', luck = '', news_at = NULL, journal_from = NULL"
        )  # as their migrations
    before, wanted = kept(stage), shape(engine)
    stage.s.close()
    with engine.connect() as connection:
        command.downgrade(migrations.alembic_config(connection), "20261130_tables")
        connection.commit()
    assert wanted.keys() - set(inspect(engine).get_table_names()), "the control"
    engine.dispose()  # a statement that is prepared on PostgreSQL knows the columns of before

    migrations.upgrade(engine)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT luck FROM event").scalar_one(), "nobody knows what lots are made of"
        connection.exec_driver_sql("UPDATE event SET luck = ''")
    assert (shape(engine), kept(stage), check_invariants(stage.s)) == (wanted, before, [])
    stage.s.close()
