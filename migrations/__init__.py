"""Bringing a database to the shape that this version needs."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from models.db import FOR_WRITING

FOLDER = Path(__file__).parent


class WrongSchema(Exception):
    """The database is not in the shape that this version needs; the message says what to do."""


def alembic_config(connection: Connection | None = None) -> Config:
    """Alembic's settings, bound to an open connection where one is given."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Migrate the database up to ``revision``; does nothing when it is there already. Raises CommandError.

    One process at a time: the caller holds the service lock (``service.lock``).
    """
    with engine.connect().execution_options(**FOR_WRITING) as connection:
        found = revision_of(connection)
        if found is not None:
            refuse_unknown(found)
        connection.commit()
        command.upgrade(alembic_config(connection), revision)
        connection.commit()


def refuse_unknown(revision: str) -> None:
    """Raise CommandError for a revision that this version of the code does not know."""
    ScriptDirectory.from_config(alembic_config()).get_revision(revision)


def revision_of(connection: Connection) -> str | None:
    """The revision that the database is at; None where it has no tables of ours yet."""
    return MigrationContext.configure(connection).get_current_revision()


def is_at_head(connection: Connection) -> bool:
    """Whether the database is in the shape that this version needs."""
    return revision_of(connection) == head()


def head() -> str:
    """The revision that this version of the code needs."""
    return _head_in(FOLDER)


@cache
def _head_in(folder: Path) -> str:
    """Read once: each of the files is loaded for it."""
    revision = ScriptDirectory.from_config(alembic_config()).get_current_head()
    assert revision is not None  # noqa: S101 - the folder ships with at least one
    return revision


def check_schema(engine: Engine) -> None:
    """Refuse to serve a database that was made by another version of the code. Raises WrongSchema."""
    with engine.connect() as connection:
        found = revision_of(connection)
    if found != head():
        engine.dispose()
        raise WrongSchema(
            f"The database is at {found or 'no revision'}, this version needs {head()}: "
            "run `overseer migrate` (or `overseer serve`, which does it first)."
        )
