"""SQLite's own ways to copy a database that is in use, and to fold a log into its file."""

import contextlib
from pathlib import Path
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from models.db import sqlite_module


class NotCopied(Exception):
    """SQLite could not copy; the message is its own words, ``full`` whether it was for want of room."""

    def __init__(self, said: str, *, full: bool = False) -> None:
        """With what it said."""
        super().__init__(said)
        self.full = full


def vacuum_into(engine: Engine, path: Path) -> list[str]:
    """Copy one moment of the database into an empty file while others write; gives what is wrong with the copy.

    Raises NotCopied.
    """
    sqlite = sqlite_module()
    try:
        with contextlib.closing(engine.raw_connection()) as opened:
            driver: Any = opened.driver_connection
            driver.execute("VACUUM INTO ?", (str(path),))
        with contextlib.closing(sqlite.connect(path)) as copy:
            return [str(row[0]) for row in copy.execute("PRAGMA quick_check") if row[0] != "ok"]
    except (sqlite.Error, DBAPIError) as failed:
        cause = failed.orig if isinstance(failed, DBAPIError) else failed
        raise NotCopied(str(cause), full=getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite.SQLITE_FULL) from failed


def fold_log(path: Path) -> None:
    """Let a file that nobody else has open take its log in. Raises NotCopied."""
    sqlite = sqlite_module()
    try:
        with contextlib.closing(sqlite.connect(path)) as alone:
            alone.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite.Error as failed:
        raise NotCopied(str(failed)) from failed
