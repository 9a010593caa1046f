"""Copying a database: SQLite's while it is in use, and the rows of a copy into a new database of ours.

Only rows are taken from a copy. Its tables, columns, views, triggers and functions are its maker's, who may be anybody.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import AddConstraint, DropConstraint

from models.db import sqlite_module
from models.journal import JOURNAL


class NotCopied(Exception):
    """The database could not be copied; the message is the database's own."""


def vacuum_into(engine: Engine, path: Path) -> None:
    """Copy the database as of one moment into an empty file while others write; check the copy. Raises NotCopied."""
    sqlite = sqlite_module()
    try:
        with contextlib.closing(engine.raw_connection()) as opened:
            driver: Any = opened.driver_connection
            driver.execute("VACUUM INTO ?", (str(path),))
        with contextlib.closing(sqlite.connect(path)) as copy:
            (said,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except (sqlite.Error, DBAPIError) as failed:
        raise NotCopied(str(failed.orig if isinstance(failed, DBAPIError) else failed)) from failed
    if said != "ok":
        raise NotCopied(f"the copy cannot be read: {said}")


def fold_log(path: Path) -> None:
    """Move the write-ahead log into the database file. No one else may have it open. Raises NotCopied."""
    sqlite = sqlite_module()
    try:
        with contextlib.closing(sqlite.connect(path)) as alone:
            alone.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite.Error as failed:
        raise NotCopied(str(failed)) from failed


def parts_of(connection: Connection) -> set[str]:
    """What a database consists of: "table player", "column player.name", "view v", "trigger t on player"."""
    seen = inspect(connection)
    triggers = text("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger'")
    if connection.dialect.name == "postgresql":
        triggers = text(
            "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            "WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace"
        )
    return {
        *(f"table {name}" for name in seen.get_table_names()),
        *(
            f"column {name}.{column['name']}"
            for (_, name), columns in seen.get_multi_columns().items()
            for column in columns
        ),
        *(f"view {name}" for name in seen.get_view_names()),
        *(f"trigger {name} on {table}" for name, table in connection.execute(triggers)),
    }


def parts_in_script(script: str) -> set[str]:
    """The same of the definitions that ``pg_restore`` prints."""
    name = r'("[^"]+"|\w+)'
    parts = set()
    for table, body in re.findall(rf"^CREATE TABLE public\.{name} \((.*?)\n\)", script, re.MULTILINE | re.DOTALL):
        columns = re.findall(rf"^    {name} ", body.split("\n    CONSTRAINT ")[0], re.MULTILINE)
        parts |= {f"table {table}", *(f"column {table}.{column}" for column in columns)}
    parts |= {
        f"view {one}" for one in re.findall(rf"^CREATE (?:MATERIALIZED )?VIEW public\.{name} ", script, re.MULTILINE)
    }
    triggers = re.findall(rf"^CREATE (?:CONSTRAINT )?TRIGGER {name} .*? ON public\.{name} ", script, re.MULTILINE)
    return {one.replace('"', "") for one in parts | {f"trigger {trigger} on {table}" for trigger, table in triggers}}


def take_rows(source: Path, engine: Engine) -> None:
    """Fill the tables of a new SQLite database with the rows of a copy at the same revision. Raises NotCopied."""
    sqlite = sqlite_module()
    try:
        with contextlib.closing(engine.raw_connection()) as opened:
            driver: Any = opened.driver_connection
            driver.execute("PRAGMA foreign_keys=OFF")
            driver.execute("ATTACH DATABASE ? AS copy", (str(source),))
            driver.execute("BEGIN IMMEDIATE")
            tables = [name for (name,) in driver.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
            for table in tables:
                columns = [row[1] for row in driver.execute(f'PRAGMA main.table_info("{table}")')]
                here = ", ".join(f'"{column}"' for column in columns)
                there = ", ".join(f'rows_there."{column}"' for column in columns)
                driver.execute(f'DELETE FROM main."{table}"')  # noqa: S608 - names of our own tables
                driver.execute(f'INSERT INTO main."{table}" ({here}) SELECT {there} FROM copy."{table}" AS rows_there')  # noqa: S608
            driver.execute("COMMIT")
            (mark,) = driver.execute("PRAGMA copy.user_version").fetchone()
            driver.execute(f"PRAGMA main.user_version={int(mark)}")
            opened.invalidate()  # with its attached database
    except (sqlite.Error, DBAPIError) as failed:
        raise NotCopied(str(failed.orig if isinstance(failed, DBAPIError) else failed)) from failed


def clear_postgres(engine: Engine, tables: Iterable[str]) -> None:
    """Drop these tables with what refers to them, and the functions of the journal's triggers."""
    quote = engine.dialect.identifier_preparer.quote
    functions = [
        "journal_stays",
        *(f"{function.__tablename__}_{verb}" for function in JOURNAL for verb in ("remains", "says")),
    ]
    with engine.begin() as connection:
        for name in sorted(tables):
            connection.exec_driver_sql(f"DROP TABLE IF EXISTS public.{quote(name)} CASCADE")
        for name in functions:
            connection.exec_driver_sql(f"DROP FUNCTION IF EXISTS public.{name}() CASCADE")


@contextlib.contextmanager
def open_to_rows(engine: Engine, strange: Iterable[str]) -> Iterator[MetaData]:
    """Let rows of a copy into the tables of a new PostgreSQL database, in any order: without foreign keys meanwhile.

    ``strange`` are columns of the copy, as "table.column", that our tables do not have; they are left out.
    """
    schema, quote = MetaData(), engine.dialect.identifier_preparer.quote
    schema.reflect(engine)
    keys = [key for table in schema.sorted_tables for key in table.foreign_key_constraints]
    split = [name.partition(".") for name in strange]
    columns = [(f"ALTER TABLE public.{quote(table)}", f"COLUMN {quote(name)}") for table, _, name in split]
    with engine.begin() as connection:
        for key in keys:
            connection.execute(DropConstraint(key))
        for alter, column in columns:
            connection.exec_driver_sql(f"{alter} ADD {column} TEXT")
    yield schema
    with engine.begin() as connection:
        for alter, column in columns:
            connection.exec_driver_sql(f"{alter} DROP {column}")
        for key in keys:
            connection.execute(AddConstraint(key))
