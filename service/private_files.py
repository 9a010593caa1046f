"""Files that only their owner can read: the database, its copies, archives and the installation's key."""

import contextlib
import os
from pathlib import Path

from service.system import system

PRIVATE = 0o077
"""The umask of all our processes: group and others get no access to new files."""
OURS = (
    "secret*",
    "overseer.sqlite3*",
    "last-check.txt",
    "copies-elsewhere.json",
    "set-up-link",
    "address",
    "backups/*",
    "metrics/*",
)
"""The service's files in its data folder."""


def keep_new_files_private() -> None:
    os.umask(PRIVATE)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, on the disk and whole, or leave the earlier one. Raises OSError."""
    if path.exists() and not path.is_file():  # a terminal or a pipe
        path.write_bytes(data)
        return
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            part.chmod(0o600)
            file.write(data)
            file.flush()  # to the disk, before it gets its name
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def set_up_file(data: Path) -> Path:
    return data / "set-up-link"


def address_file(data: Path) -> Path:
    """The file in which ``serve`` saves the service's address, for other commands."""
    return data / "address"


def remove_set_up_file(data: Path) -> None:
    """Delete the set-up link's file, because the link was used or ended."""
    with contextlib.suppress(OSError):
        set_up_file(data).unlink(missing_ok=True)


def tighten(data: Path, database: Path | None) -> list[Path]:
    """Make the service's files private. Returns the files that others could read. Skips another user's files."""
    files = [path for pattern in OURS for path in data.glob(pattern) if path.is_file() and not path.is_symlink()]
    if database is not None and database.parent != data:
        files += [path for tail in ("", "-wal", "-shm") if (path := Path(f"{database}{tail}")).is_file()]
    return [path for path in files if _made_private(path)]


def _made_private(path: Path) -> bool:
    """Make the file private; returns whether others could read it. A running service may delete it at any moment."""
    try:
        status = path.stat()
        if not status.st_mode & PRIVATE or status.st_uid != system.me():
            return False
        path.chmod(status.st_mode & 0o700)
    except FileNotFoundError:
        return False
    return True
