"""Copying a SQLite database that is in use, and moving the log of a closed one into its file."""

import contextlib
from pathlib import Path
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from models.db import sqlite_module


class NotCopied(Exception):
    """SQLite could not copy; the message is SQLite's own."""


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
