"""The state of the database and its disk, for pages and ``/readyz``.

The last check's findings are stored in a file in the data folder.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.exc import DBAPIError

FILE, WELL = "last-check.txt", "All was well."
LEAST_ROOM = 100_000_000
"""The free bytes on the data folder's disk below which the service is not ready and staff are warned."""


def is_damaged(error: DBAPIError) -> bool:
    """Whether the error says that the file is damaged or is no database."""
    by_sqlite = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return by_sqlite in (11, 26) or getattr(error.orig, "sqlstate", "") in ("XX001", "XX002")


def keep_findings(data: Path, lines: Sequence[str]) -> None:
    """Store a check's findings for staff pages and ``/readyz``."""
    (data / FILE).write_text("\n".join([*lines] or [WELL]) + "\n", encoding="utf-8")


def last_check(data: Path) -> Sequence[str]:
    """The last check's findings, a line each; empty if all was well or no check has run yet."""
    try:
        lines = (data / FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    return [line for line in lines if line != WELL]


def was_damaged(data: Path) -> bool:
    """Whether the last check could not read the database."""
    return any(line.startswith("I9") for line in last_check(data))


def room_warning(data: Path) -> str:
    """The fault of the data folder's disk, as a sentence; "" if it has room. Raises OSError."""
    free = shutil.disk_usage(data).free
    if free >= LEAST_ROOM:
        return ""
    return f"Only {free / 1_000_000:.0f} MB are left on the server’s disk: make room there soon."
