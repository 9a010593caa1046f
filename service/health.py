"""The service watched: the state of the database and its disk, for pages and ``/readyz``, and the metrics.

The last check's findings are stored in a file in the data folder. Metrics are summed over the server's processes by
``prometheus_client``'s multiprocess mode.
"""

import importlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError

from service.logs import masked
from service.private_files import write_private

FILE, WELL = "last-check.txt", "All was well."
KEPT_LONGEST = 60
"""The days after which every automatic copy of the database is deleted (``service.backups``)."""
LEAST_ROOM = 100_000_000
"""The free bytes on the data folder's disk below which the service is not ready and staff are warned."""


def is_damaged(error: DBAPIError) -> bool:
    """Whether the error says that the file is damaged or is no database."""
    by_sqlite = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return by_sqlite in (11, 26) or getattr(error.orig, "sqlstate", "") in ("XX001", "XX002")


def keep_findings(data: Path, lines: Sequence[str]) -> None:
    write_private(data / FILE, ("\n".join([*lines] or [WELL]) + "\n").encode())


def last_check(data: Path) -> Sequence[str]:
    """The last check's findings, a line each; empty if all was well or no check has run yet."""
    try:
        lines = (data / FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    return [line for line in lines if line != WELL]


def was_damaged(data: Path) -> bool:
    return any(line.startswith("I9") for line in last_check(data))


def room_warning(data: Path) -> str:
    """The fault of the data folder's disk, as a sentence; "" if it has room. Raises OSError."""
    free = shutil.disk_usage(data).free
    if free >= LEAST_ROOM:
        return ""
    return f"Only {free / 1_000_000:.0f} MB are left on the server’s disk. Free disk space on the server soon."


ELSEWHERE = "copies-elsewhere.json"


@dataclass(frozen=True)
class Elsewhere:
    """How the copies at one place, on another disk or machine, stand."""

    place: str
    sent: datetime | None = None
    """When the newest copy there was made."""
    read_back: datetime | None = None
    """When one was last fetched and checked."""
    tried: datetime | None = None
    fault: str = ""
    """Why the last try failed; "" if it did not."""


def copies_elsewhere(data: Path, place: str) -> Elsewhere:
    """How the copies at this place stand; all None before the first, as after another place."""
    try:
        kept = json.loads((data / ELSEWHERE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = {}
    if kept.get("place") != masked(place):
        return Elsewhere(place)
    moments = {name: datetime.fromisoformat(kept[name]) for name in ("sent", "read_back", "tried") if kept.get(name)}
    return Elsewhere(place, fault=kept.get("fault", ""), **moments)


def keep_elsewhere(data: Path, elsewhere: Elsewhere) -> None:
    kept = {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in vars(elsewhere).items()
    }
    write_private(data / ELSEWHERE, json.dumps(kept | {"place": masked(elsewhere.place)}).encode())


METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that ``prometheus_client`` reads when it is imported; ``overseer serve`` sets it."""
COUNTED = {
    "reports": "Results sent by players or from sheets, and stored; repeated submissions included.",
    "signed_in": "Sign-ins that succeeded.",
    "sign_in_failed": "Sign-ins refused for a wrong name, password or code.",
    "slowed_down": "Requests answered 429.",
    "refused": "Requests answered 403.",
    "parts_failed": "Parts of pages that could not be worked out; the rest of the page was shown.",
    "wrong_host": "Requests for a host name that is not ours.",
}
"""The plain counters by name."""
REQUESTS = "Requests answered: reads are GET and HEAD, writes everything else."
SECONDS = "Seconds from the request's arrival at a thread to its answer, by group of pages."


class Metrics:
    """This process's figures; ``text`` returns those of all processes."""

    def __init__(self) -> None:
        """Start with zero counts. The library is imported only now, when its folder is known."""
        self._library: Any = importlib.import_module("prometheus_client")
        registry = self._registry = self._library.CollectorRegistry()
        counter, histogram = self._library.Counter, self._library.Histogram
        self._requests = counter("overseer_requests", REQUESTS, ("kind", "status"), registry=registry)
        self._seconds = histogram("overseer_request_seconds", SECONDS, ("kind", "pages"), registry=registry)
        self._counters = {name: counter(f"overseer_{name}", text, registry=registry) for name, text in COUNTED.items()}

    def counted(self, name: str) -> None:
        self._counters[name].inc()

    def request(self, *, pages: str, changing: bool, status: int, seconds: float) -> None:
        """Count an answered request. ``pages`` is its route's blueprint, never a part of its address."""
        kind = "write" if changing else "read"
        self._requests.labels(kind, f"{status // 100}xx").inc()
        self._seconds.labels(kind, pages).observe(seconds)

    def text(self, gauges: Mapping[str, float]) -> tuple[str, str]:
        """All figures, and their content type."""
        registry = self._registry
        if METRICS_FOLDER in os.environ:
            registry = self._library.CollectorRegistry()
            importlib.import_module("prometheus_client.multiprocess").MultiProcessCollector(registry)
        text = self._library.generate_latest(registry).decode()
        text += "".join(f"# TYPE overseer_{name} gauge\noverseer_{name} {value}\n" for name, value in gauges.items())
        return text, self._library.CONTENT_TYPE_LATEST
