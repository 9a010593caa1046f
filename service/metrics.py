"""Metrics for Prometheus, summed over the server's processes by ``prometheus_client``'s multiprocess mode."""

import importlib
import os
from typing import Any

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that ``prometheus_client`` reads when it is imported; ``overseer serve`` sets it."""
COUNTED = {
    "reports": "Results sent by players or from sheets, and stored; repeated submissions included.",
    "signed_in": "Sign-ins that succeeded.",
    "sign_in_failed": "Sign-ins refused for a wrong name, password or code.",
    "slowed_down": "Requests answered 429.",
    "refused": "Requests answered 403.",
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
        """Count one of COUNTED."""
        self._counters[name].inc()

    def request(self, *, pages: str, changing: bool, status: int, seconds: float) -> None:
        """Count an answered request. ``pages`` is its route's blueprint, never a part of its address."""
        kind = "write" if changing else "read"
        self._requests.labels(kind, f"{status // 100}xx").inc()
        self._seconds.labels(kind, pages).observe(seconds)

    def text(self) -> tuple[str, str]:
        """All figures, and their content type."""
        registry = self._registry
        if FOLDER in os.environ:
            registry = self._library.CollectorRegistry()
            importlib.import_module("prometheus_client.multiprocess").MultiProcessCollector(registry)
        return self._library.generate_latest(registry).decode(), self._library.CONTENT_TYPE_LATEST
