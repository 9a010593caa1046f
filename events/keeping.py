"""Looking after the database: is it whole, and is there a fresh copy of it. Asked at start, each day, and in between.

What is found is told in the trouble file, which every process of the service looks at (``events.trouble``).
"""

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

import migrations
from events.archive import one_moment
from events.backups import Backup, NoBackup, NoProgram, back_up, backups_in, clear_away, folder_of
from events.invariants import UNREADABLE, Broken, check_event, check_file, check_rows, told
from events.trouble import ASKED, DAMAGED, RESTORING, Trouble, tell, trouble_in
from models.event import Event
from models.journal import ChangeSet, JournalEntry

log = logging.getLogger("overseer.keeping")

LOOK_AGAIN = timedelta(days=1)
COPY_AGAIN = timedelta(hours=1)
"""So old the newest copy may be while there are changes that it does not have."""
STEP_AFTER = timedelta(minutes=1)
"""The same after a step of the event day."""
STEPS = ("publish-round", "unpublish-round", "cut", "reveal-lists", "lock-lists", "finish-event", "publish-awards",
         "go-back", "take-in")  # fmt: skip
"""Steps on which much of the event hangs, as the journal names them."""
NOT_WHOLE = (11, 26)
"""SQLite's codes for a damaged file and for none of its own."""
UNDECODABLE = "Could not decode to UTF-8"
"""What SQLite's driver says, without a code, of a text that is none."""


def look(engine: Engine, data: Path, now: datetime, within: float | None = None) -> Trouble | None:
    """Look at everything, newest events first, for so many seconds at most; tell what is wrong, and what is no more.

    A database that does not answer is not judged: what is known of it stays.
    """
    known = trouble_in(data)
    if known is not None and known.closed == RESTORING:
        return known
    try:
        found, complete = _broken(engine, within)
    except DBAPIError as failed:
        if not _says_damaged(failed):
            log.warning("the database could not be looked at: %s", failed.orig)
            return known
        found, complete = [Broken("I9", "", f"the file cannot be read: {failed.orig}")], True
    except UNREADABLE as failed:  # of a damaged page not even SQLite's own words can always be read
        found, complete = [Broken("I9", "", f"the file cannot be read ({type(failed).__name__})")], True
    for line in told(found):
        log.error("not as it must be: %s", line)
    trouble = trouble_of(found, now)
    if trouble is None and known is not None and not complete:
        return known
    if trouble is not None or known is not None:
        tell(data, trouble)
    return trouble


def _says_damaged(failed: DBAPIError) -> bool:
    code = getattr(failed.orig, "sqlite_errorcode", None)
    return UNDECODABLE in str(failed.orig) if code is None else code & 0xFF in NOT_WHOLE


def trouble_of(found: Sequence[Broken], now: datetime) -> Trouble | None:
    """What of it visitors must know: a damaged file closes everything, rows nobody wrote are told of their event."""
    whole = [one.what for one in found if one.promise == "I9" and not one.what.startswith("the rule ")]
    events: dict[str, list[str]] = {}
    for one in found:
        if one.promise == "I8":
            events.setdefault(one.event, []).append(one.what)
    if not whole and not events:
        return None
    return Trouble(now.isoformat(), DAMAGED if whole else "", whole, events)


def _broken(engine: Engine, within: float | None) -> tuple[list[Broken], bool]:
    until = None if within is None else time.monotonic() + within
    with Session(engine) as opened:
        s = one_moment(opened)
        found = check_file(s)
        if found or not migrations.is_at_head(s.connection()):
            return found, True  # what another version's rows mean is for that version to say
        found = check_rows(s)
        for event in s.exec(select(Event).order_by(col(Event.id).desc())).all():
            if until is not None and time.monotonic() > until:
                return found, False
            found += check_event(s, event)
    return found, True


def copy_if_due(engine: Engine, data: Path, now: datetime) -> Backup | None:
    """Make the copy that is due, and clear old ones away; None where none is due. Raises NoBackup."""
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
        # By the moment of the write, not of the entry: an imported entry has no write here, and any moment.
        written = select(ChangeSet.at).join(JournalEntry, col(JournalEntry.change_set_id) == col(ChangeSet.id))
        step = written.where(col(JournalEntry.verb).in_(STEPS), col(ChangeSet.at) >= newest.at)
        return "step" if now - newest.at >= STEP_AFTER and s.exec(step.limit(1)).first() is not None else ""


class Keeper:
    """Somebody who looks after a service's database for as long as it runs."""

    def __init__(self, engine: Engine, data: Path) -> None:
        """Nothing has been looked at yet."""
        self.engine, self.data = engine, data
        self.looked: datetime | None = None
        self.copying = True

    def pass_by(self, now: datetime) -> None:
        """Do what is due: a look each day or when it is asked for, a copy."""
        asked = self.data / ASKED
        wanted = asked.exists()
        if wanted or self.looked is None or now - self.looked >= LOOK_AGAIN:
            asked.unlink(missing_ok=True)
            self.looked = now
            look(self.engine, self.data, now)
        known = trouble_in(self.data)
        if (known is not None and known.closed) or not self.copying:
            return  # nothing of a damaged database is worth a copy, and the good ones stay
        try:
            copy_if_due(self.engine, self.data, now)
        except NoProgram as missing:
            self.copying = False
            log.warning("no copies are made: %s", missing)
        except NoBackup as failed:
            log.error("no copy could be made: %s", failed)
