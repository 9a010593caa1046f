"""Copies of the whole database as files: made while it is in use, checked, listed, and the old ones cleared away.

On SQLite a copy is made by ``VACUUM INTO``, which sees one moment and holds up no writer; on PostgreSQL by ``pg_dump``.
A copy is in its place only once it is whole, on the disk, and can be read; its SHA-256 stands beside it, in the form of
``sha256sum``. How one comes back is in ``events.restoring``.
"""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import URL, Engine

from models.copies import NotCopied, vacuum_into

FOLDER = "backups"
NAME = re.compile(r"overseer-(\d{8}T\d{6})Z-([a-z-]{1,30})\.(?:sqlite3|pgdump)")
WHY = {
    "asked": "asked for",
    "hourly": "of the hour",
    "step": "after a step of the event day",
    "before-upgrade": "before an upgrade",
    "before-restore": "before going back",
}
"""Why a copy was made, by what stands in its file's name."""
KEPT_NEWEST, KEPT_DAYS, KEPT_OTHERS = 12, 14, timedelta(days=60)
"""Of those made by themselves: the newest, one for each day, and for so long those before an upgrade or going back."""


class NoBackup(Exception):
    """No copy could be made or used; the message says why, and nothing was changed."""


class NoProgram(NoBackup):
    """A program of PostgreSQL's that copies or restores is not installed here."""


@dataclass(frozen=True)
class Backup:
    """One copy."""

    path: Path
    at: datetime
    why: str
    """A key of ``WHY``."""

    @property
    def words(self) -> str:
        """Why it was made, in words."""
        return WHY.get(self.why, self.why.replace("-", " "))


def folder_of(data: Path) -> Path:
    """Where the copies of a service stand, by its data folder."""
    return data / FOLDER


def backups_in(folder: Path) -> list[Backup]:
    """The copies in a folder, the newest first; whatever is named otherwise is none."""
    found = []
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for path in folder.iterdir():
            named = NAME.fullmatch(path.name)
            if named:
                at = datetime.strptime(named[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
                found.append(Backup(path, at, named[2]))
    return sorted(found, key=lambda one: (one.at, one.path.name), reverse=True)


def back_up(engine: Engine, folder: Path, why: str, now: datetime) -> Backup:
    """Make a copy in a folder, named by the time and the reason. Raises NoBackup."""
    ending = "sqlite3" if engine.dialect.name == "sqlite" else "pgdump"
    moment = now.astimezone(UTC)
    while True:
        path = folder / f"overseer-{moment:%Y%m%dT%H%M%S}Z-{why}.{ending}"
        if not path.exists():
            break
        moment += timedelta(seconds=1)  # of two in one second the second is named by the next
    write_copy(engine, path)
    return Backup(path, moment.replace(microsecond=0), why)


def write_copy(engine: Engine, path: Path) -> None:
    """Write a copy of the database to this file, which must not be there yet. Raises NoBackup."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists():
            raise NoBackup(f"{path} is there already.")
        fresh.touch(mode=0o600)  # secret lists are in it
        if engine.dialect.name == "sqlite":
            _copy_sqlite(engine, fresh)
        else:
            _dump_postgres(engine.url, fresh)
        mark = sha256_of_file(fresh)
        beside = mark_beside(path)
        beside.write_text(f"{mark}  {path.name}\n", encoding="utf-8")
        for one in (fresh, beside):
            on_disk(one)
        fresh.replace(path)
        on_disk(path.parent)
    except OSError as failed:
        raise NoBackup(f"{path} cannot be written: {failed.strerror or failed}.") from failed
    finally:
        for left in (fresh, *(fresh.with_name(f"{fresh.name}{tail}") for tail in ("-wal", "-shm", "-journal"))):
            with contextlib.suppress(OSError):
                left.unlink()


def _copy_sqlite(engine: Engine, path: Path) -> None:
    try:
        wrong = vacuum_into(engine, path)
    except NotCopied as failed:
        raise NoBackup(f"The database could not be copied to {path.parent}: {failed}.") from failed
    if wrong:
        raise NoBackup(f"The copy could not be read again: {wrong[0]}.")


def _dump_postgres(url: URL, path: Path) -> None:
    postgres(url, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={path}")
    postgres(url, "pg_restore", "--list", str(path), apart=True)


def postgres(url: URL, program: str, *arguments: str, apart: bool = False) -> None:
    """Run one of PostgreSQL's own programs on the database of this address (``apart``: on no database).

    Raises NoBackup with what it said. The password goes by the environment: arguments are everybody's to read.
    """
    found = shutil.which(program)
    if found is None:
        raise NoProgram(f"{program} is not installed here: it comes with PostgreSQL’s client programs.")
    parts = {key: value for key, value in url.query.items() if isinstance(value, str)}
    parts |= {
        key: str(value)
        for key, value in (
            ("host", url.host), ("port", url.port), ("user", url.username), ("dbname", url.database),
        )
        if value
    }  # fmt: skip
    address = " ".join(f"{key}={_quoted(value)}" for key, value in parts.items())
    environment = os.environ | ({"PGPASSWORD": str(url.password)} if url.password else {})
    command = [found, *([] if apart else [f"--dbname={address}"]), *arguments]
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise NoBackup(f"{program}: {said[0] if said else f'ended with {done.returncode}'}")


def _quoted(value: str) -> str:
    """A value as PostgreSQL's addresses have it."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def mark_beside(path: Path) -> Path:
    """The file that holds a copy's SHA-256."""
    return path.with_name(f"{path.name}.sha256")


def check_mark(path: Path) -> bool:
    """Whether a copy has its mark beside it. Raises NoBackup where it is another one, or cannot be read."""
    try:
        said = mark_beside(path).read_text(encoding="utf-8").split()
        if not said or said[0] != sha256_of_file(path):
            raise NoBackup(f"{path} is damaged: its SHA-256 is not the one that stands beside it.")
    except FileNotFoundError:
        if not path.is_file():
            raise NoBackup(f"There is no file {path}.") from None
        return False
    except (OSError, UnicodeError) as failed:
        raise NoBackup(f"{path} cannot be read: {failed}.") from failed
    return True


def sha256_of_file(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def on_disk(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def outlived(backups: Iterable[Backup], now: datetime) -> list[Backup]:
    """Those that are not needed any more. What somebody asked for stays until somebody removes it."""
    newest_first = sorted(backups, key=lambda one: one.at, reverse=True)
    own = [one for one in newest_first if one.why in ("hourly", "step")]
    kept: set[Path] = {one.path for one in own[:KEPT_NEWEST]}
    by_day = {one.at.date(): one for one in reversed(own)}  # of each day the newest comes last, and stays
    days = sorted(by_day, reverse=True)[:KEPT_DAYS]
    kept |= {by_day[day].path for day in days}
    old = [one for one in newest_first if one.why.startswith("before-") and now - one.at > KEPT_OTHERS]
    return [one for one in own if one.path not in kept] + old


def clear_away(folder: Path, now: datetime) -> Sequence[Backup]:
    """Remove what is not needed any more; gives what was removed."""
    gone = outlived(backups_in(folder), now)
    for one in gone:
        one.path.unlink(missing_ok=True)
        mark_beside(one.path).unlink(missing_ok=True)
    return gone
