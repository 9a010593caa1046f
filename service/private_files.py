"""Files for their owner alone: the database, its copies, archives and the installation's key."""

import contextlib
import os
from pathlib import Path

PRIVATE = 0o077
"""The umask of every process of ours: group and others get no access to a new file."""
OURS = ("secret*", "overseer.sqlite3*", "last-check.txt", "set-up-link", "address", "backups/*", "metrics/*")
"""What the service writes in its data folder."""


def keep_new_files_private() -> None:
    """Let this process and those it starts create files for their owner alone."""
    os.umask(PRIVATE)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, also in place of one that others could read. Raises OSError."""
    with path.open("wb") as file:
        if path.is_file():  # not where it is a terminal or a pipe
            os.fchmod(file.fileno(), 0o600)
        file.write(data)


def set_up_file(data: Path) -> Path:
    """Where a set-up link is kept that was made where no terminal could show it."""
    return data / "set-up-link"


def address_file(data: Path) -> Path:
    """Where ``serve`` notes the address of the service, for commands that are run by hand."""
    return data / "address"


def remove_set_up_file(data: Path) -> None:
    """Remove that file: its link was used, or ended."""
    with contextlib.suppress(OSError):
        set_up_file(data).unlink(missing_ok=True)


def tighten(data: Path, database: Path | None) -> list[Path]:
    """Make the service's files private; returns the files that others could read. Another user's files are left."""
    files = [path for pattern in OURS for path in data.glob(pattern) if path.is_file() and not path.is_symlink()]
    if database is not None and database.parent != data:
        files += [path for tail in ("", "-wal", "-shm") if (path := Path(f"{database}{tail}")).is_file()]
    return [path for path in files if _made_private(path)]


def _made_private(path: Path) -> bool:
    """Whether others could read the file, which is made private. A running service removes files at any moment."""
    try:
        found = path.stat()
        if not found.st_mode & PRIVATE or found.st_uid != os.geteuid():
            return False
        path.chmod(found.st_mode & 0o700)
    except FileNotFoundError:
        return False
    return True
