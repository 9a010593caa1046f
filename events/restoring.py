"""Going back to a copy of the whole database: checked, brought up to date, and its old keys made void, then put in.

Everything is prepared in a file beside the database, so that whatever is wrong with a copy is found before anything is
touched. The service may run meanwhile: visitors are told to wait, and a phone keeps what it wants to send.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlmodel import Session

import migrations
from events import trouble
from events.actions.restored import generations
from events.backups import Backup, NoBackup, back_up, backups_in, check_mark, folder_of, on_disk, postgres
from events.half_restored import Generations, end_keys, forget, forget_if_undone, left, note_begun, renewed
from events.invariants import Broken, check_invariants
from events.settings import Settings
from models.copies import NotCopied, fold_log, put_pages
from models.db import open_engine

Clock = Callable[[], datetime]
PATIENCE = 60.0
"""Seconds that others may hold the database before the copy is put in."""
TAILS = ("-wal", "-shm")
HOLDERS = text(
    "SELECT DISTINCT virtualtransaction, pid FROM pg_locks JOIN pg_database ON pg_database.oid = database "
    "WHERE datname = current_database() AND locktype = 'relation' AND granted AND pid <> pg_backend_pid()"
)


@dataclass(frozen=True)
class Restored:
    """What came of it."""

    events: int
    marked: bool
    """The copy had its SHA-256 beside it, and it is right."""
    broken: Sequence[Broken]
    """What is not as it must be in what was put in; empty unless that was asked for."""
    before: Backup | None
    """What was there until now, as a copy. None: it could not be read any more, and stands in ``aside``."""
    aside: Path | None
    """The folder that the damaged files were put in."""


class Unsound(NoBackup):
    """A copy in which something is not as it must be; ``broken`` says what."""

    def __init__(self, broken: Sequence[Broken]) -> None:
        """With what is wrong."""
        super().__init__("The copy is not sound; nothing was changed.")
        self.broken = broken


def restore(
    settings: Settings, source: Path, clock: Clock, *, unsound: bool = False, patience: float = PATIENCE
) -> Restored:
    """Put a copy in place of the database. ``unsound``: even where its checks fail. Raises NoBackup and Unsound.

    ``patience``: so many seconds others may hold the database before the copy is put in.
    """
    marked = check_mark(source)
    if settings.database_url.startswith("sqlite"):
        return _restore_sqlite(settings, source, clock, patience, marked=marked, unsound=unsound)
    return _restore_postgres(settings, source, clock, patience, marked=marked)


# ---- SQLite


def _restore_sqlite(
    settings: Settings, source: Path, clock: Clock, patience: float, *, marked: bool, unsound: bool
) -> Restored:
    live = Path(settings.database_url.removeprefix("sqlite:///"))
    fresh = live.with_name(f"{live.name}.restoring")
    _remove(fresh)
    try:
        try:
            live.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh.touch(mode=0o600)
            shutil.copyfile(source, fresh)
        except OSError as failed:
            raise NoBackup(f"{source} cannot be copied: {failed.strerror}.") from failed
        with _closed(settings.data, clock()):
            engine = open_engine(settings.database_url)
            try:
                before = _kept_as_it_is(engine, settings.data, clock())
                links = _links(engine)  # of a damaged one too: what can be read of it still ends old keys
            finally:
                engine.dispose()
            broken, events = _prepare(fresh, source, links, clock)
            if broken and not unsound:
                raise Unsound(broken)
            aside = _put_in(live, fresh, settings.data, clock(), patience, sound=before is not None)
        return Restored(events, marked, tuple(broken), before, aside)
    finally:
        _remove(fresh)


def _kept_as_it_is(engine: Engine, data: Path, now: datetime) -> Backup | None:
    """A copy of what is there until now; None where that cannot be read. Raises NoBackup for want of room."""
    for _ in range(2):  # a disk that failed once makes no damaged database
        try:
            return back_up(engine, folder_of(data), "before-restore", now)
        except NoBackup as failed:
            cause = failed.__cause__
            if isinstance(cause, OSError) or (isinstance(cause, NotCopied) and cause.full):
                raise
    return None


def _links(engine: Engine) -> Generations:
    try:
        with Session(engine) as s:
            return generations(s)
    except DBAPIError as failed:
        if engine.dialect.name == "postgresql" and not isinstance(failed, ProgrammingError):
            raise  # a connection that ended knows nothing: without what it would have said, ended links open again
        return {}  # not a database of ours, or of another version


def _prepare(fresh: Path, source: Path, links: Generations, clock: Clock) -> tuple[Sequence[Broken], int]:
    """Bring the copy up to date, end its old keys, and check it; gives what is wrong and how many events it has."""
    engine = open_engine(f"sqlite:///{fresh}")
    try:
        broken = _whole(engine)
        if broken:
            return broken, 0
        migrations.upgrade(engine)
        events = end_keys(engine, links, made_at(source), clock())
        with Session(engine) as s:
            broken = check_invariants(s)
        engine.dispose()
        fold_log(fresh)
        return broken, events
    except CommandError as newer:
        raise NoBackup(
            f"{source} was made by a newer version of Overseer: start that one. Nothing was changed."
        ) from newer
    except DBAPIError as failed:
        return [Broken("I9", "", f"the copy cannot be read: {failed.orig}")], 0
    except NotCopied as failed:
        raise NoBackup(f"The copy could not be made ready: {failed}. Nothing was changed.") from failed
    finally:
        engine.dispose()


def _whole(engine: Engine) -> Sequence[Broken]:
    with engine.connect() as connection:
        said = [row[0] for row in connection.execute(text("PRAGMA integrity_check"))]
        if said == ["ok"] and not inspect(connection).has_table("alembic_version"):
            raise NoBackup("The file is a database, but none of Overseer’s. Nothing was changed.")
    return [Broken("I9", "", f"the copy is damaged: {one}") for one in said if one != "ok"]


def _put_in(live: Path, fresh: Path, data: Path, now: datetime, patience: float, *, sound: bool) -> Path | None:
    """Page by page into the open database, in one transaction; one that is damaged is put aside first."""
    if sound and live.exists():
        try:
            put_pages(fresh, live, patience)
        except NotCopied as failed:
            raise NoBackup(f"The copy could not be put in: {failed}. Stop the service, and try again.") from failed
        return None
    aside = folder_of(data) / f"damaged-{now:%Y%m%dT%H%M%SZ}"
    try:
        on_disk(fresh)
        aside.mkdir(parents=True, exist_ok=True, mode=0o700)
        if live.exists():
            try:
                os.link(live, aside / live.name)  # the name is never without a file
            except OSError:
                shutil.copyfile(live, aside / live.name)
        for tail in TAILS:
            with contextlib.suppress(FileNotFoundError):
                live.with_name(live.name + tail).rename(aside / (live.name + tail))
        fresh.replace(live)
        on_disk(live.parent)
    except OSError as failed:
        raise NoBackup(
            f"The copy could not be put in: {failed}. What was there is in its place, or in {aside}."
        ) from failed
    return aside


def _remove(path: Path) -> None:
    for tail in ("", *TAILS):
        path.with_name(path.name + tail).unlink(missing_ok=True)


# ---- PostgreSQL


def _restore_postgres(settings: Settings, source: Path, clock: Clock, patience: float, *, marked: bool) -> Restored:
    engine = open_engine(settings.database_url)
    try:
        postgres(engine.url, "pg_restore", "--list", str(source), apart=True)
        with _closed(settings.data, clock()):
            try:
                _wait_for_others(engine, patience)
                before = back_up(engine, folder_of(settings.data), "before-restore", clock())
                links = renewed(settings.data, _links(engine))
                note_begun(engine, settings.data, links, made_at(source))
            except OSError as failed:
                raise NoBackup(f"{settings.data} cannot be written: {failed.strerror}.") from failed
            except DBAPIError as failed:
                raise NoBackup(f"The database does not answer: {failed.orig}. Nothing was changed.") from failed
            engine.dispose()
            try:
                postgres(
                    engine.url, "pg_restore", "--clean", "--if-exists", "--single-transaction", "--no-owner",
                    "--no-privileges", "--exit-on-error", str(source),
                )  # fmt: skip
            except NoBackup:
                forget_if_undone(engine, settings.data)
                raise
            try:
                migrations.upgrade(engine)
                events = end_keys(engine, links, made_at(source), clock())
                with Session(engine) as s:
                    broken = check_invariants(s)
            except (CommandError, DBAPIError) as failed:
                raise NoBackup(
                    f"{source} was put in, and cannot be used: {failed}. What was there until now is {before.path}."
                ) from failed
            forget(settings.data)
        return Restored(events, marked, tuple(broken), before, None)
    finally:
        engine.dispose()


def _wait_for_others(engine: Engine, patience: float) -> None:
    """Until nobody holds a table whose transaction was open already: pg_restore itself would wait for them without end.

    An hour's open transaction of somebody's own program is meant, not the requests that come and go meanwhile.
    """
    until, held = time.monotonic() + patience, None
    while True:
        with engine.connect() as connection:
            now = {transaction: pid for transaction, pid in connection.execute(HOLDERS)}  # noqa: C416 - rows, no pairs
        held = now if held is None else {one: held[one] for one in held.keys() & now.keys()}
        if not held:
            return
        if time.monotonic() > until:
            raise NoBackup(
                f"Others hold the database (process {', '.join(map(str, sorted(held.values())))} of PostgreSQL). "
                "End them, and try again. Nothing was changed."
            )
        time.sleep(0.05)


# ---- both


def made_at(source: Path) -> datetime:
    """When a copy was made: by its name, else by its file."""
    known = next((one.at for one in backups_in(source.parent) if one.path.name == source.name), None)
    return known or datetime.fromtimestamp(source.stat().st_mtime, UTC)


@contextmanager
def _closed(data: Path, now: datetime) -> Iterator[None]:
    """Tell visitors to wait. What was known to be wrong is told again where it failed, and no more where it is done.

    Where it failed with old keys still to be ended, visitors wait on.
    """
    known = trouble.trouble_in(data)
    if known is None or known.closed != trouble.DAMAGED:
        trouble.tell(data, trouble.closed_for_restoring(now))
    try:
        yield
    except BaseException:
        if not left(data):
            trouble.tell(data, known)
        raise
    trouble.tell(data, None)
