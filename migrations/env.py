"""How Alembic meets our database; called by ``migrations.upgrade`` and by the alembic command."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString

import models  # noqa: F401 - fills the metadata
from models.base import UTCDateTime
from models.db import FOR_WRITING, open_engine
from service.settings import read_settings

PATIENCE = 10
"""Seconds that a migration waits for a table of PostgreSQL which others have; while it does, nobody else gets it."""


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Write column types in plain SQLAlchemy, so that an old migration needs nothing of ours."""
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String(length={item.length})"
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    return False


def numbers_given(connection: Connection) -> list[tuple[str, int]]:
    """The highest number that SQLite has given to a row of each table, also of rows that are gone."""
    if connection.exec_driver_sql("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").first() is None:
        return []
    return [(name, number) for name, number in connection.exec_driver_sql("SELECT name, seq FROM sqlite_sequence")]


def keep_numbers(connection: Connection, given: list[tuple[str, int]]) -> None:
    """Count on from these numbers: a table that batch mode made anew counts from the rows that it has."""
    for name, number in given:
        seq = connection.exec_driver_sql("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (name,)).scalar()
        connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        highest = (name, max(number, seq or 0))
        connection.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", highest)


def migrate(connection: Connection) -> None:
    """Run the migrations that the command asked for, on one connection, in one transaction."""
    sqlite = connection.dialect.name == "sqlite"
    if sqlite:
        # With foreign keys on, rebuilding a table in batch mode would delete its children's rows in silence. The
        # pragma works only outside a transaction, so it goes to the driver's own connection.
        driver: Any = connection.connection.driver_connection
        connection.rollback()
        driver.execute("PRAGMA foreign_keys=OFF")
        connection.execution_options(**FOR_WRITING)
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=sqlite,
        render_item=render_item,
        compare_server_default=True,
        # Alembic takes SQLite for a database that commits each change of a table; as models.db opens it, it does not.
        transactional_ddl=True,
    )
    try:
        with context.begin_transaction():
            if not sqlite:
                patience = context.config.attributes.get("patience", PATIENCE)
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{patience}s'")
            given = numbers_given(connection) if sqlite else []
            context.run_migrations()
            if sqlite:
                keep_numbers(connection, given)
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                if broken:
                    raise RuntimeError(f"the migration would leave rows without their parents: {broken[:5]}")
    finally:
        if sqlite:
            connection.rollback()
            driver.execute("PRAGMA foreign_keys=ON")


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    with open_engine(read_settings().database_url).connect() as opened:
        migrate(opened)
