"""Maintaining the database: a daily check, and a copy while there are changes.

``service.health`` stores the findings of a check.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from events.journal.invariants import Broken, check_invariants, in_lines
from events.setup.archive import one_moment
from models.journal import ChangeSet
from service.backups import Backup, back_up, backups_in, clear_away, folder_of
from service.health import is_damaged, keep_findings, was_damaged

log = logging.getLogger("overseer.keeping")

COPY_AGAIN = timedelta(minutes=10)
"""The age of the newest copy after which changes are copied again."""


def check(engine: Engine, data: Path) -> Sequence[str]:
    """Check the whole database; log and store the faults, a line each. Raises DBAPIError if it does not answer."""
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


def copy_if_due(engine: Engine, data: Path, now: datetime) -> Backup | None:
    """Copy the database if the newest copy is old and lacks changes, and delete old copies. Raises NoBackup."""
    newest = next(iter(backups_in(folder_of(data))), None)
    with Session(engine) as s:
        changed = s.exec(select(ChangeSet.at).order_by(col(ChangeSet.id).desc()).limit(1)).first()
    if changed is None or (newest is not None and (changed < newest.at or now - newest.at < COPY_AGAIN)):
        return None
    made = back_up(engine, folder_of(data), "automatic", now)
    clear_away(folder_of(data), now)
    return made


def look_after(engine: Engine, data: Path, now: datetime, *, check_due: bool) -> None:
    """Check and copy the database if they are due.

    Raises DBAPIError if it does not answer, and NoBackup if it cannot be copied.
    """
    if check_due:
        check(engine, data)
    if not was_damaged(data):  # a copy of a damaged database is useless, and good copies must stay
        copy_if_due(engine, data, now)
