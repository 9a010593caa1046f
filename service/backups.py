"""Copies of the whole database in files: made while the service runs, listed, checked, and deleted when old.

SQLite's ``VACUUM INTO`` copies one snapshot without delaying writers; PostgreSQL is copied by ``pg_dump``. A copy gets
its final name only when it is complete and on the disk.
"""

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import URL, Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

import migrations
from events.journal.invariants import Broken, check_database, check_invariants, in_lines
from events.setup.archive import one_moment
from models.copies import NotCopied, vacuum_into
from models.db import TCP_TIMEOUTS, open_engine
from service.health import KEPT_LONGEST, is_damaged
from service.system import system

NAME = re.compile(r"overseer-(\d{8}T\d{6})Z-([a-z-]{1,30})\.(?:sqlite3|pgdump)")
KEPT_NEWEST, KEPT_DAYS, KEPT_BEFORE = 24, 14, timedelta(days=KEPT_LONGEST)
"""The automatic copies to keep: the newest, and one for each day; and how long to keep any copy but those made on
request and the newest of all.
"""
KEPT_DAYS_DAMAGED = KEPT_LONGEST
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
    return data / "backups"


def backups_in(folder: Path, now: datetime = LATEST) -> list[Backup]:
    """The copies in a folder, newest first; those from after ``now``, when the clock was ahead, come last.

    Files with other names are ignored.
    """
    if not folder.is_dir():
        return []
    named = [(path, match) for path in folder.iterdir() if (match := NAME.fullmatch(path.name))]
    backups = [
        Backup(path, datetime.strptime(f"{match[1]}+0000", "%Y%m%dT%H%M%S%z"), match[2]) for path, match in named
    ]
    return sorted(
        backups, key=lambda backup: (backup.at - now < timedelta(minutes=1), backup.at, backup.path.name), reverse=True
    )


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

    Raises NoBackup with the beginning of its errors.

    The password is passed in the environment, because other users of the machine can read a program's arguments.
    """
    text = shutil.which(program)
    if text is None:
        raise NoProgram(f"{program} is not installed. Install PostgreSQL’s client programs.")
    command, environment = [text, *arguments], dict(os.environ)
    if url is not None:
        address = url.set(drivername="postgresql")._replace(password=None)
        address = address.update_query_dict({name: str(value) for name, value in TCP_TIMEOUTS.items()})
        command.append(f"--dbname={address.render_as_string()}")
        environment |= {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        errors = " ".join(done.stderr.replace(f"{program}: ", "").split())
        raise NoBackup(f"{program}: {errors[:500] or f'exit status {done.returncode}'}")
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
    automatic = [a_backup for a_backup in every if a_backup.why != "asked" and not a_backup.why.startswith("before-")]
    newest_of_day: dict[date, Backup] = {}
    for backup in automatic:
        newest_of_day.setdefault(backup.at.date(), backup)
    kept = automatic[:KEPT_NEWEST] + list(newest_of_day.values())[: KEPT_DAYS_DAMAGED if damaged else KEPT_DAYS]
    gone = [a_backup for a_backup in automatic if a_backup not in kept]
    old = [a_backup for a_backup in every if a_backup.why != "asked" and now - a_backup.at > KEPT_BEFORE]
    gone += [a_backup for a_backup in old if a_backup.why.startswith("before-")]
    if not damaged:
        gone += [a_backup for a_backup in old if a_backup in kept and a_backup != every[0]]
    for a_backup in gone:
        a_backup.path.unlink(missing_ok=True)
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
