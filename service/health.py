"""The state of the database and its disk, as pages and ``/readyz`` show it.

The findings of the last check are kept in a file of the data folder.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.exc import DBAPIError

FILE, WELL = "last-check.txt", "All was well."
LEAST_ROOM = 100_000_000
"""Free bytes on the data folder's disk, below which the service is not ready and staff are warned."""


def is_damaged(error: DBAPIError) -> bool:
    """Whether the database says that its file is damaged, or no database."""
    by_sqlite = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return by_sqlite in (11, 26) or getattr(error.orig, "sqlstate", "") in ("XX001", "XX002")


def keep_findings(data: Path, lines: Sequence[str]) -> None:
    """Keep what a check found wrong, for the staff's pages and ``/readyz``."""
    (data / FILE).write_text("\n".join([*lines] or [WELL]) + "\n", encoding="utf-8")


def last_check(data: Path) -> Sequence[str]:
    """What the last check found, a line each; empty if all was well, or if there was no check yet."""
    try:
        lines = (data / FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    return [line for line in lines if line != WELL]


def was_damaged(data: Path) -> bool:
    """Whether the last check could not read the database."""
    return any(line.startswith("I9") for line in last_check(data))


def room_warning(data: Path) -> str:
    """What is wrong with the data folder's disk, as a sentence; "" if it has room. Raises OSError."""
    free = shutil.disk_usage(data).free
    if free >= LEAST_ROOM:
        return ""
    return f"Only {free / 1_000_000:.0f} MB are left on the server’s disk: make room there soon."
