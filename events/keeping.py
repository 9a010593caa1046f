"""Looking after the database: a check every day, and a fresh copy whenever one is due.

What the last check found is kept in a file of the data folder, for the staff's pages and for the metrics.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from events.archive import one_moment
from events.backups import Backup, NoBackup, NoProgram, back_up, backups_in, clear_away, folder_of
from events.invariants import Broken, check_invariants, told
from models.journal import ChangeSet, JournalEntry

log = logging.getLogger("overseer.keeping")

FILE = "last-check.txt"
CHECK_AGAIN = timedelta(days=1)
COPY_AGAIN = timedelta(hours=1)
"""How old the newest copy may be while there are changes that it does not have."""
STEP_AFTER = timedelta(minutes=1)
"""The same after a step of the event day."""
STEPS = ("publish-round", "unpublish-round", "cut", "reveal-lists", "lock-lists", "finish-event", "publish-awards",
         "go-back", "take-in")  # fmt: skip
"""Steps on which much of the event depends, as the journal names them."""
DAMAGED = (11, 26)
"""SQLite's codes for a damaged file, and for a file that is no database."""


def check(engine: Engine, data: Path) -> Sequence[str]:
    """Check the whole database; log and keep what is wrong, a line each. Raises DBAPIError if it does not answer."""
    try:
        with Session(engine) as session:
            found = check_invariants(one_moment(session))
    except DBAPIError as failed:
        if getattr(failed.orig, "sqlite_errorcode", 0) & 0xFF not in DAMAGED:
            raise
        found = [Broken("I9", "", f"the file cannot be read: {failed.orig}")]
    lines = told(found)
    for line in lines:
        log.error("the check found: %s", line)
    (data / FILE).write_text("\n".join(lines), encoding="utf-8")
    return lines


def last_check(data: Path) -> Sequence[str]:
    """What the last check found, a line each; empty if all was well, or if there was no check yet."""
    try:
        return (data / FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()


def copy_if_due(engine: Engine, data: Path, now: datetime) -> Backup | None:
    """Make the copy that is due, and remove old ones; None where none is due. Raises NoBackup."""
    folder = folder_of(data)
    newest = next(iter(backups_in(folder)), None)
    why = _why_due(engine, newest, now)
    if not why:
        return None
    made = back_up(engine, folder, why, now)
    clear_away(folder, now)
    return made


def _why_due(engine: Engine, newest: Backup | None, now: datetime) -> str:
    with Session(engine) as s:
        changed = s.exec(select(ChangeSet.at).order_by(col(ChangeSet.id).desc()).limit(1)).first()
        if changed is None or (newest is not None and changed < newest.at):
            return ""
        if newest is None or now - newest.at >= COPY_AGAIN:
            return "hourly"
        # By the moment of the write: an imported journal entry has no write here, and any moment.
        written = select(ChangeSet.at).join(JournalEntry, col(JournalEntry.change_set_id) == col(ChangeSet.id))
        step = written.where(col(JournalEntry.verb).in_(STEPS), col(ChangeSet.at) >= newest.at)
        return "step" if now - newest.at >= STEP_AFTER and s.exec(step.limit(1)).first() is not None else ""


class Keeper:
    """Looks after a service's database for as long as the process runs."""

    def __init__(self, engine: Engine, data: Path) -> None:
        """Nothing has been checked yet."""
        self.engine, self.data = engine, data
        self.checked: datetime | None = None
        self.copying, self.damaged = True, False

    def pass_by(self, now: datetime) -> None:
        """Do what is due: the check of the day, a copy."""
        if self.checked is None or now - self.checked >= CHECK_AGAIN:
            self.checked = now
            self.damaged = any(line.startswith("I9") for line in check(self.engine, self.data))
        if self.damaged or not self.copying:
            return  # a copy of a damaged database is worth nothing, and the good ones stay
        try:
            copy_if_due(self.engine, self.data, now)
        except NoProgram as missing:
            self.copying = False
            log.warning("no copies are made: %s", missing)
        except NoBackup as failed:
            log.error("no copy could be made: %s", failed)
