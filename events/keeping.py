"""Looking after the database: a check every day, and a copy while there are changes.

The last check's findings are kept in a file of the data folder, for the staff's pages.
"""

import logging
import shutil
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from events.archive import one_moment
from events.backups import Backup, back_up, backups_in, clear_away, folder_of
from events.invariants import Broken, check_invariants, in_lines
from models.journal import ChangeSet

log = logging.getLogger("overseer.keeping")

FILE, WELL = "last-check.txt", "All was well."
LEAST_ROOM = 100_000_000
"""Free bytes on the data folder's disk, below which the service is not ready and staff are warned."""
COPY_AGAIN = timedelta(minutes=10)
"""The age of the newest copy from which on a change is copied."""


def is_damaged(error: DBAPIError) -> bool:
    """Whether the database says that its file is damaged, or no database."""
    by_sqlite = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return by_sqlite in (11, 26) or getattr(error.orig, "sqlstate", "") in ("XX001", "XX002")


def check(engine: Engine, data: Path) -> Sequence[str]:
    """Check the whole database; log and keep what is wrong, a line each. Raises DBAPIError if it does not answer."""
    try:
        with Session(engine) as session:
            found = check_invariants(one_moment(session))
    except DBAPIError as failed:
        if not is_damaged(failed):
            raise
        found = [Broken("I9", "", f"the file cannot be read: {failed.orig}")]
    lines = in_lines(found)
    for line in lines:
        log.error("the check found: %s", line)
    keep_findings(data, lines)
    return lines


def keep_findings(data: Path, lines: Sequence[str]) -> None:
    """Keep what a check found wrong, for the staff's pages and ``/readyz``."""
    (data / FILE).write_text("\n".join([*lines] or [WELL]) + "\n", encoding="utf-8")


def was_damaged(data: Path) -> bool:
    """Whether the last check could not read the database."""
    return any(line.startswith("I9") for line in last_check(data))


def last_check(data: Path) -> Sequence[str]:
    """What the last check found, a line each; empty if all was well, or if there was no check yet."""
    try:
        lines = (data / FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    return [line for line in lines if line != WELL]


def room_warning(data: Path) -> str:
    """What is wrong with the data folder's disk, as a sentence; "" if it has room. Raises OSError."""
    free = shutil.disk_usage(data).free
    if free >= LEAST_ROOM:
        return ""
    return f"Only {free / 1_000_000:.0f} MB are left on the server’s disk: make room there soon."


def copy_if_due(engine: Engine, data: Path, now: datetime) -> Backup | None:
    """Copy the database if the newest copy is old and lacks a change, and delete old copies. Raises NoBackup."""
    newest = next(iter(backups_in(folder_of(data))), None)
    with Session(engine) as s:
        changed = s.exec(select(ChangeSet.at).order_by(col(ChangeSet.id).desc()).limit(1)).first()
    if changed is None or (newest is not None and (changed < newest.at or now - newest.at < COPY_AGAIN)):
        return None
    made = back_up(engine, folder_of(data), "automatic", now)
    clear_away(folder_of(data), now)
    return made


def look_after(engine: Engine, data: Path, now: datetime, *, check_due: bool) -> None:
    """Check the database if that is due, and copy it if that is due.

    Raises DBAPIError if it does not answer, and NoBackup if it cannot be copied.
    """
    if check_due:
        check(engine, data)
    if not was_damaged(data):  # a copy of a damaged database is useless, and the good ones stay
        copy_if_due(engine, data, now)
