"""Files for their owner alone: the database, its copies, archives and the installation's key."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

PRIVATE = 0o077
"""The umask of every process of ours: group and others get no access to a new file."""
OURS = (
    "secret",
    "secret.*",
    "overseer.sqlite3*",
    "last-check.txt",
    "restore-unfinished",
    "set-up-link",
    "backups/*",
    "backups/*/*",
    "metrics/*",
)
"""What the service writes in its data folder."""


def keep_new_files_private() -> None:
    """Let this process and those it starts create files for their owner alone."""
    os.umask(PRIVATE)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, also in place of one that others could read. Raises OSError."""
    with open(path, "wb", opener=_open_private) as file:
        file.write(data)


def set_up_file(data: Path) -> Path:
    """Where a set-up link is kept that was made where no terminal could show it."""
    return data / "set-up-link"


def remove_set_up_file(data: Path) -> None:
    """Remove that file: its link was used, or ended."""
    with contextlib.suppress(OSError):
        set_up_file(data).unlink(missing_ok=True)


def tighten(data: Path, database: Path | None) -> list[Path]:
    """Take away the access of others to the service's files; returns the files that others could read until now.

    A file of another user stays as it is: the file system refuses, and the service may not be able to use it either.
    """
    found = [path for path in _files(data, database) if stat.S_IMODE(path.stat().st_mode) & PRIVATE]
    changed = []
    for path in found:
        try:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~PRIVATE)
        except OSError:
            continue
        changed.append(path)
    return changed


def _files(data: Path, database: Path | None) -> Iterator[Path]:
    for pattern in OURS:
        yield from (path for path in data.glob(pattern) if path.is_file() and not path.is_symlink())
    if database is not None and database.parent != data:
        yield from (path for tail in ("", "-wal", "-shm") if (path := Path(f"{database}{tail}")).is_file())


def _open_private(path: str, flags: int) -> int:
    opened = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(opened).st_mode):  # not where it is a terminal or a pipe
        os.fchmod(opened, 0o600)
    return opened
