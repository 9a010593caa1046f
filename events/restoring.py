"""Restoring a copy of the whole database, with the service stopped.

The present database is kept as a copy. Sign-ins, invitations and renewed private links end, so that nothing from before
the restore lets anybody in.
"""

import contextlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlmodel import Session, col, select

import migrations
from events.actions.restored import Link, end_old_keys, generations, note_restored
from events.backups import NoBackup, back_up, backups_in, folder_of, new_backup, on_disk, postgres
from events.invariants import check_invariants, in_lines
from events.keeping import keep_findings
from events.private_files import write_private
from events.service_lock import alone
from events.settings import Settings
from models.copies import NotCopied, fold_log
from models.db import open_engine, write
from models.event import Event

Clock = Callable[[], datetime]
UNFINISHED = "restore-unfinished"
"""A file in the data folder while PostgreSQL is restored: how often each private link was renewed before, as JSON."""
TAILS = ("-wal", "-shm")


@dataclass(frozen=True)
class Restored:
    """What a restore did."""

    events: int
    broken: Sequence[str]
    """What is wrong with the restored database, a line each; on SQLite empty unless that was accepted."""
    before: Path | None
    """The copy of the database before the restore; None if there was no database."""


def restore(settings: Settings, source: Path, clock: Clock, *, unsound: bool = False) -> Restored:
    """Replace the database by a copy. ``unsound``: even if its checks fail.

    Raises NoBackup, and InUse where the service runs.
    """
    if not source.is_file():
        raise NoBackup(f"There is no file {source}.")
    engine = open_engine(settings.database_url)
    try:
        with alone(engine):
            if engine.dialect.name == "sqlite":
                done = _restore_sqlite(engine, settings, source, clock, unsound=unsound)
            else:
                done = _restore_postgres(engine, settings, source, clock)
            keep_findings(settings.data, done.broken)
            return done
    except DBAPIError as failed:
        raise NoBackup(f"The database does not answer: {failed.orig}. Nothing was changed.") from failed
    except OSError as failed:
        raise NoBackup(f"{settings.data} cannot be written: {failed.strerror}.") from failed
    finally:
        engine.dispose()


def refuse_running(settings: Settings) -> None:
    """Raise InUse where the service runs, before somebody is asked to confirm a restore."""
    engine = open_engine(settings.database_url)
    try:
        with alone(engine):
            pass
    except (DBAPIError, OSError):
        pass  # what comes next says what is wrong
    finally:
        engine.dispose()


def refuse_unfinished(data: Path) -> None:
    """Raise NoBackup where a restore was interrupted: old links and cookies could let people in."""
    if (data / UNFINISHED).exists():
        raise NoBackup("A restore was interrupted. Run `overseer restore FILE` again before you start Overseer.")


def _restore_sqlite(engine: Engine, settings: Settings, source: Path, clock: Clock, *, unsound: bool) -> Restored:
    live = Path(engine.url.database or "")
    fresh = live.with_name(f"{live.name}.restoring")
    copy = open_engine(f"sqlite:///{fresh}")
    try:
        _remove(fresh)
        _copy(source, fresh)
        links = _links(engine) if live.exists() else {}
        engine.dispose()
        events, broken = _prepare(copy, links, source, clock)
        if broken and not unsound:
            raise NoBackup("\n".join(["The copy is not sound; nothing was changed.", *broken]))
        copy.dispose()
        fold_log(fresh)
        on_disk(fresh)
        before = _keep(engine, live, settings.data, clock()) if live.exists() else None
        for tail in TAILS:  # a log of another database must not be read into this one
            Path(f"{live}{tail}").unlink(missing_ok=True)
        fresh.replace(live)
        on_disk(live.parent)
        return Restored(events, broken, before)
    except (DBAPIError, NotCopied) as failed:
        said = failed.orig if isinstance(failed, DBAPIError) else failed
        raise NoBackup(f"The copy cannot be read: {said}. Nothing was changed.") from failed
    finally:
        copy.dispose()
        _remove(fresh)


def _keep(engine: Engine, live: Path, data: Path, now: datetime) -> Path:
    """Copy the present database with its log, damaged or not, as nobody writes to it."""
    kept = new_backup(engine, folder_of(data), "before-restore", now).path
    kept.parent.mkdir(mode=0o700, exist_ok=True)
    part = kept.with_name(f"{kept.name}.part")
    try:
        with contextlib.suppress(NotCopied):  # a damaged file keeps its log
            fold_log(live)
        _copy(live, part)
        on_disk(part)
        for tail in ("-wal", ""):
            if Path(f"{part}{tail}").exists():
                Path(f"{part}{tail}").replace(f"{kept}{tail}")
        return kept
    finally:
        _remove(part)


def _copy(source: Path, target: Path) -> None:
    """Copy a database that nobody writes to, with its log."""
    for tail in ("", "-wal"):
        if Path(f"{source}{tail}").exists():
            Path(f"{target}{tail}").touch(mode=0o600)
            shutil.copyfile(f"{source}{tail}", f"{target}{tail}")


def _remove(path: Path) -> None:
    for tail in ("", *TAILS):
        Path(f"{path}{tail}").unlink(missing_ok=True)


def _restore_postgres(engine: Engine, settings: Settings, source: Path, clock: Clock) -> Restored:
    postgres(None, "pg_restore", "--file=/dev/null", str(source))  # reads the whole copy
    before = back_up(engine, folder_of(settings.data), "before-restore", clock()).path
    mark = settings.data / UNFINISHED
    links: Mapping[Link, int]
    if mark.exists():  # the links as they were before the restore that was interrupted
        links = {(id_, event_id, name): times for id_, event_id, name, times in json.loads(mark.read_bytes())}
    else:
        links = _links(engine)
        part = mark.with_suffix(".part")
        write_private(part, json.dumps([[*link, times] for link, times in links.items()]).encode())
        on_disk(part)
        part.replace(mark)
    try:
        postgres(
            engine.url, "pg_restore", "--clean", "--if-exists", "--single-transaction", "--no-owner",
            "--no-privileges", "--exit-on-error", str(source),
        )  # fmt: skip
        events, broken = _prepare(engine, links, source, clock)
    except (NoBackup, DBAPIError) as failed:
        raise NoBackup(f"{failed} Restore the copy of the database from before: {before.name}") from failed
    mark.unlink()
    return Restored(events, broken, before)


def _links(engine: Engine) -> Mapping[Link, int]:
    """How often each private link was renewed; empty where the database cannot say."""
    try:
        with Session(engine) as s:
            return generations(s)
    except DBAPIError as failed:
        if engine.dialect.name == "postgresql" and not isinstance(failed, ProgrammingError):
            raise  # the connection was lost: without the answer, links that were ended would open again
        return {}  # not our database, another version's, or damaged


def _prepare(engine: Engine, links: Mapping[Link, int], source: Path, clock: Clock) -> tuple[int, list[str]]:
    """Migrate a restored database, end its old keys and check it. Returns its number of events and what is wrong.

    Raises NoBackup if the database is not ours or of a newer version, and DBAPIError if it cannot be read.
    """
    with engine.connect() as connection:
        if migrations.revision_of(connection) is None:
            raise NoBackup("The file is a database, but not one of Overseer’s.")
    try:
        migrations.upgrade(engine)
    except CommandError as other_version:
        raise NoBackup(f"{source} cannot be restored: {other_version}.") from other_version
    made, now = made_at(source), clock()
    with Session(engine, expire_on_commit=False) as session:
        with write(session, now) as s:
            end_old_keys(s, now)
        events = session.exec(select(Event).order_by(col(Event.id))).all()
        for event in events:
            with write(session, now, event) as s:
                note_restored(s, event, links, made, now)
    with Session(engine) as session:
        return len(events), in_lines(check_invariants(session))


def made_at(source: Path) -> datetime:
    """When a copy was made: by its name, else by its file's time."""
    known = next((one.at for one in backups_in(source.parent) if one.path.name == source.name), None)
    return known or datetime.fromtimestamp(source.stat().st_mtime, UTC)
