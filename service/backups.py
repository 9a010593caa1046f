"""Copies of the whole database in files: made while the service runs, listed, deleted when old, and restored.

SQLite's ``VACUUM INTO`` copies one snapshot without delaying writers; PostgreSQL is copied by ``pg_dump``. A copy gets
its final name only when it is complete and on the disk.

A copy is restored with the service stopped, and the current database is kept as a copy. Sign-ins, invitations and
renewed private links end, so that no access from before the restore remains valid; each event's journal records this.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import URL, Engine, MetaData
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

import migrations
from events.journal.invariants import Broken, check_database, check_invariants, in_lines
from events.setup.archive import one_moment
from models.copies import NotCopied, fold_log, vacuum_into
from models.db import open_engine, write
from models.event import Event
from service.after_restore import Known, close_ended, known_before, note_restored, repeat_ended_claims, repeat_erasures
from service.health import is_damaged, keep_findings
from service.lock import alone
from service.private_files import write_private
from service.settings import Settings
from service.system import system

NAME = re.compile(r"overseer-(\d{8}T\d{6})Z-([a-z-]{1,30})\.(?:sqlite3|pgdump)")
KEPT_NEWEST, KEPT_DAYS, KEPT_BEFORE = 24, 14, timedelta(days=60)
"""The automatic copies to keep: the newest, and one for each day; and how long to keep copies made before a
migration or restore.
"""
KEPT_DAYS_DAMAGED = 60
"""As KEPT_DAYS, while the database is damaged."""
LATEST = datetime.max.replace(tzinfo=UTC)


class NoBackup(Exception):
    """A copy could not be made or restored; the message says why."""


class NoProgram(NoBackup):
    """PostgreSQL's client programs are not installed."""


@dataclass(frozen=True)
class Backup:
    """A copy, and why it was made: "asked", "automatic", "before-upgrade" or "before-restore"."""

    path: Path
    at: datetime
    why: str


def folder_of(data: Path) -> Path:
    """The folder of the copies in a data folder."""
    return data / "backups"


def backups_in(folder: Path, now: datetime = LATEST) -> list[Backup]:
    """The copies in a folder, newest first; those from after ``now``, when the clock was ahead, come last.

    Files with other names are ignored.
    """
    if not folder.is_dir():
        return []
    named = [(path, match) for path in folder.iterdir() if (match := NAME.fullmatch(path.name))]
    found = [Backup(path, datetime.strptime(f"{match[1]}+0000", "%Y%m%dT%H%M%S%z"), match[2]) for path, match in named]
    return sorted(found, key=lambda one: (one.at - now < timedelta(minutes=1), one.at, one.path.name), reverse=True)


def new_backup(engine: Engine, folder: Path, why: str, now: datetime) -> Backup:
    """The name for a new copy. A second copy within one second is named by the next second."""
    ending, at = "sqlite3" if engine.dialect.name == "sqlite" else "pgdump", now.astimezone(UTC).replace(microsecond=0)
    while (path := folder / f"overseer-{at:%Y%m%dT%H%M%S}Z-{why}.{ending}").exists():
        at += timedelta(seconds=1)
    return Backup(path, at, why)


def back_up(engine: Engine, folder: Path, why: str, now: datetime) -> Backup:
    """Make a copy in a folder. Raises NoBackup."""
    backup = new_backup(engine, folder, why, now)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as failed:
        raise NoBackup(f"{folder} cannot be made: {failed.strerror or failed}.") from failed
    write_copy(engine, backup.path)
    return backup


def write_copy(engine: Engine, path: Path) -> None:
    """Write a copy of the database to a new file in an existing folder. Raises NoBackup."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        if path.exists():
            raise NoBackup(f"{path} exists already.")
        part.touch(mode=0o600)  # it contains secret lists
        if engine.dialect.name == "sqlite":
            vacuum_into(engine, part)
        else:
            postgres(engine.url, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
        on_disk(part)
        part.replace(path)
        on_disk(path.parent)
    except NotCopied as failed:
        raise NoBackup(f"The database could not be copied to {path.parent}: {failed}.") from failed
    except OSError as failed:
        raise NoBackup(f"{path} cannot be written: {failed.strerror or failed}.") from failed
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def postgres(url: URL | None, program: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs, with or without a database, and return what it prints.

    Raises NoBackup with its first line of errors.

    The password is passed in the environment, because other users of the machine can read a program's arguments.
    """
    found = shutil.which(program)
    if found is None:
        raise NoProgram(f"{program} is not installed. Install PostgreSQL’s client programs.")
    command, environment = [found, *arguments], dict(os.environ)
    if url is not None:
        address = url.set(drivername="postgresql")._replace(password=None)
        command.append(f"--dbname={address.render_as_string()}")
        environment |= {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        errors = done.stderr.strip().splitlines()
        raise NoBackup(f"{program}: {errors[0] if errors else f'exit status {done.returncode}'}")
    return done.stdout


def on_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are written to the disk."""
    if path.is_dir() and system.me() is None:
        return  # Windows writes names by itself
    opened = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def clear_away(folder: Path, now: datetime, *, damaged: bool = False) -> list[Backup]:
    """Delete automatic copies that are no longer needed, and return them. Copies made on request stay.

    ``damaged``: the last check found something, so that copies from before it must stay longer.
    """
    every = backups_in(folder, now)
    own = [one for one in every if one.why != "asked" and not one.why.startswith("before-")]
    newest_of_day: dict[date, Backup] = {}
    for backup in own:
        newest_of_day.setdefault(backup.at.date(), backup)
    kept = own[:KEPT_NEWEST] + list(newest_of_day.values())[: KEPT_DAYS_DAMAGED if damaged else KEPT_DAYS]
    gone = [one for one in own if one not in kept]
    gone += [one for one in every if one.why.startswith("before-") and now - one.at > KEPT_BEFORE]
    for one in gone:
        one.path.unlink(missing_ok=True)
    return gone


def faults_of(engine: Engine, check: Callable[[Session], Iterable[Broken]] = check_invariants) -> Sequence[str]:
    """The faults of a whole database, a line each. Raises DBAPIError if it does not answer."""
    try:
        with Session(engine) as session:
            return in_lines([*check(one_moment(session))])
    except DBAPIError as failed:
        if not is_damaged(failed):
            raise
        return in_lines([Broken("I9", "", f"the file cannot be read: {failed.orig}")])


def faults_of_copy(path: Path) -> Sequence[str]:
    """The faults of a copy made by this version or an older one, a line each. SQLite's copy is migrated for it.

    Raises NoBackup, DBAPIError or CommandError if it cannot be restored by this version.
    """
    if path.suffix == ".pgdump":
        read_dump(path)
        return []
    engine = open_engine(f"sqlite:///{path}")
    try:
        faults = faults_of(engine, check_database)
        if not faults:
            migrations.upgrade(engine)
            faults = faults_of(engine)
        return faults
    finally:
        engine.dispose()


def read_dump(path: Path) -> None:
    """Read a whole copy of PostgreSQL. Raises NoBackup."""
    postgres(None, "pg_restore", f"--file={os.devnull}", str(path))


Clock = Callable[[], datetime]
UNFINISHED = "restore-unfinished"
"""The file in the data folder while PostgreSQL is being restored: what the database knew before, as JSON.
"""
TAILS = ("-wal", "-shm")


@dataclass(frozen=True)
class Restored:
    """The outcome of a restore."""

    events: int
    broken: Sequence[str]
    """The faults of the restored database, a line each; on SQLite empty unless they were accepted."""
    before: Path | None
    """The copy of the database before the restore; None if there was no database."""


def restore(settings: Settings, source: Path, clock: Clock, *, unsound: bool = False) -> Restored:
    """Replace the database by a copy; ``unsound`` accepts failed checks.

    Raises NoBackup, and InUse if the service runs.
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
    """Raise InUse if the service runs, before asking anyone to confirm a restore."""
    engine = open_engine(settings.database_url)
    try:
        with alone(engine):
            pass
    except (DBAPIError, OSError):
        pass  # the next step reports the fault
    finally:
        engine.dispose()


def refuse_unfinished(data: Path) -> None:
    """Raise NoBackup if a restore was interrupted, because old links and cookies could still be valid."""
    if (data / UNFINISHED).exists():
        raise NoBackup("A restore was interrupted. Run `overseer restore FILE` again before you start Overseer.")


def _restore_sqlite(engine: Engine, settings: Settings, source: Path, clock: Clock, *, unsound: bool) -> Restored:
    live = Path(engine.url.database or "")
    fresh = live.with_name(f"{live.name}.restoring")
    copy = open_engine(f"sqlite:///{fresh}")
    try:
        _remove(fresh)
        _copy(source, fresh)
        known = known_before(engine) if live.exists() else Known()
        engine.dispose()
        events, broken = _prepare(copy, known, source, clock)
        if broken and not unsound:
            raise NoBackup("\n".join(["The copy failed its checks. Nothing was changed.", *broken]))
        copy.dispose()
        fold_log(fresh)
        on_disk(fresh)
        before = _keep(engine, live, settings.data, clock()) if live.exists() else None
        for tail in TAILS:  # another database's log must not be applied to this one
            Path(f"{live}{tail}").unlink(missing_ok=True)
        fresh.replace(live)
        on_disk(live.parent)
        return Restored(events, broken, before)
    except (DBAPIError, NotCopied) as failed:
        error = failed.orig if isinstance(failed, DBAPIError) else failed
        raise NoBackup(f"The copy cannot be read: {error}. Nothing was changed.") from failed
    finally:
        copy.dispose()
        _remove(fresh)


def _keep(engine: Engine, live: Path, data: Path, now: datetime) -> Path:
    """Copy the current database with its log, damaged or not; nobody writes to it now."""
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
    read_dump(source)
    before = back_up(engine, folder_of(settings.data), "before-restore", clock()).path
    mark = settings.data / UNFINISHED
    if mark.exists():  # what was known before the interrupted restore
        known = Known(**json.loads(mark.read_bytes()))
    else:
        known = known_before(engine)
        write_private(mark, json.dumps(asdict(known)).encode())
    try:
        _drop_newer_tables(engine, source)
        postgres(
            engine.url, "pg_restore", "--clean", "--if-exists", "--single-transaction", "--no-owner",
            "--no-privileges", "--exit-on-error", str(source),
        )  # fmt: skip
        events, broken = _prepare(engine, known, source, clock)
    except (NoBackup, DBAPIError) as failed:
        raise NoBackup(f"{failed} Restore the copy of the database from before: {before.name}") from failed
    mark.unlink()
    return Restored(events, broken, before)


def _drop_newer_tables(engine: Engine, source: Path) -> None:
    """Drop the tables that a copy of an older version lacks: they refer to tables that it replaces."""
    kept = set(re.findall(r" TABLE public (\S+) ", postgres(None, "pg_restore", "--list", str(source))))
    if "alembic_version" not in kept:
        return  # a copy of something else
    found = MetaData()
    found.reflect(engine)
    found.drop_all(engine, [table for name, table in found.tables.items() if name not in kept])


def _prepare(engine: Engine, known: Known, source: Path, clock: Clock) -> tuple[int, list[str]]:
    """Migrate a restored database, end old links and sign-ins, and check it. Returns its number of events and its
    faults.

    Raises NoBackup if the database is not ours or newer than this version, and DBAPIError if it cannot be read.
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
            close_ended(s, None, known, now)
            repeat_ended_claims(s, known)
        events = session.exec(select(Event).order_by(col(Event.id))).all()
        for event in events:
            with write(session, now, event) as s:
                note_restored(s, event, known, made, now)
            if any(event_id == event.id for event_id, _, _ in known.erased):
                with write(session, now, event) as s:
                    repeat_erasures(s, event, known, now)
    with Session(engine) as session:
        return len(events), in_lines(check_invariants(session))


def made_at(source: Path) -> datetime:
    """When a copy was made, by its name, or by its file's time."""
    known = next((one.at for one in backups_in(source.parent) if one.path.name == source.name), None)
    return known or datetime.fromtimestamp(source.stat().st_mtime, UTC)
