"""What ``service/unix.py`` has, for Windows: nothing here needs a module of Unix."""

import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

BAD_REQUESTS: tuple[type[Exception], ...] = ()
"""None: Waitress reads whole requests first."""


def lock_file(path: Path, *, alone: bool) -> sqlite3.Connection:
    """Lock a file until it is closed or the process ends, by SQLite, which locks files on every system.

    Raises BlockingIOError if another process holds it.
    """
    held = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        held.execute("BEGIN EXCLUSIVE" if alone else "BEGIN")
        held.execute("SELECT name FROM sqlite_master").fetchall()  # locks the file for reading
    except sqlite3.OperationalError as busy:
        held.close()
        raise BlockingIOError(str(busy)) from busy
    return held


def lock_process(path: Path) -> sqlite3.Connection:
    """Lock a file until it is closed or this process ends. Raises BlockingIOError if another process holds it."""
    return lock_file(path, alone=True)


def own_addresses() -> Iterator[str]:
    yield from socket.gethostbyname_ex(socket.gethostname())[2]


def me() -> int | None:
    """None: files have no owner by number."""
    return None


def user_name(user: int) -> str:
    """The number, since nothing else is known."""
    return f"#{user}"
