"""Counters and timings of the service in the form that Prometheus reads, added up over all its processes.

Each process counts in a small file of its own in one folder, mapped into memory; whoever asks for the figures reads
all of them. A process that has ended leaves its file, so that no counter falls; ``overseer serve`` begins anew.
"""

import mmap
import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper ends of the buckets of a timing."""
CLASSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
KINDS = ("read", "write")
COUNTED = {
    "signed_in": "Sign-ins that succeeded.",
    "sign_in_failed": "Sign-ins refused for a wrong name, password or code.",
    "slowed_down": "Requests answered 429.",
    "refused": "Requests answered 403.",
    "wrong_host": "Requests for a host name that is not ours.",
    "slow_queries": "Statements of the database slower than OVERSEER_SLOW_MS.",
}
"""By name, what is counted beside requests."""


def _series() -> Iterator[str]:
    yield from (f'overseer_requests_total{{kind="{kind}",status="{one}"}}' for kind in KINDS for one in CLASSES)
    for kind in KINDS:
        yield from (f'overseer_request_seconds_bucket{{kind="{kind}",le="{end:g}"}}' for end in SECONDS)
        yield f'overseer_request_seconds_bucket{{kind="{kind}",le="+Inf"}}'
        yield f'overseer_request_seconds_sum{{kind="{kind}"}}'
        yield f'overseer_request_seconds_count{{kind="{kind}"}}'
    yield from (f"overseer_{name}_total" for name in COUNTED)


FAMILIES = {
    "overseer_requests": ("counter", "Requests answered: reads are GET and HEAD, writes all else."),
    "overseer_request_seconds": ("histogram", "From the request's arrival at a thread to its answer."),
} | {f"overseer_{name}": ("counter", told) for name, told in COUNTED.items()}
SERIES = tuple(_series())
PLACE = {name: place for place, name in enumerate(SERIES)}
LAYOUT = struct.Struct(f"<{len(SERIES)}d")
ONE = struct.Struct("<d")


class Counters:
    """The figures of one process, counted by all of its threads."""

    def __init__(self, folder: Path | None) -> None:
        """Count in ``folder``; None: count nowhere, for nobody asks."""
        self._folder, self._lock, self._process = folder, Lock(), 0
        self._map: mmap.mmap | None = None

    def add(self, name: str, much: float = 1.0) -> None:
        """Count ``much`` more of a series."""
        if self._folder is not None:
            with self._lock:
                self._raise(name, much)

    def counted(self, name: str) -> None:
        """Count one of COUNTED."""
        self.add(f"overseer_{name}_total")

    def request(self, *, changing: bool, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        if self._folder is None:
            return
        kind = KINDS[changing]
        with self._lock:
            self._raise(f'overseer_requests_total{{kind="{kind}",status="{status // 100}xx"}}', 1)
            for end in SECONDS:
                if seconds <= end:
                    self._raise(f'overseer_request_seconds_bucket{{kind="{kind}",le="{end:g}"}}', 1)
            self._raise(f'overseer_request_seconds_bucket{{kind="{kind}",le="+Inf"}}', 1)
            self._raise(f'overseer_request_seconds_sum{{kind="{kind}"}}', seconds)
            self._raise(f'overseer_request_seconds_count{{kind="{kind}"}}', 1)

    def _raise(self, name: str, much: float) -> None:
        if self._process != os.getpid():  # the server made this before it made its workers
            self._map = self._open()
            self._process = os.getpid()
        place = PLACE.get(name)
        if self._map is not None and place is not None:
            (before,) = ONE.unpack_from(self._map, place * ONE.size)
            ONE.pack_into(self._map, place * ONE.size, before + much)

    def _open(self) -> mmap.mmap | None:
        """This process's file; None where there is no room for it: a page is worth more than its count."""
        if self._folder is None:
            return None
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = self._folder / str(os.getpid())
            path.touch(mode=0o600)  # one that is there is of a worker that ended, with the same number: counted on
            with path.open("r+b") as file:
                os.posix_fallocate(file.fileno(), 0, LAYOUT.size)  # a disk that fills later takes nothing from it
                return mmap.mmap(file.fileno(), LAYOUT.size)
        except OSError:
            return None

    def text(self) -> str:
        """All figures, of all processes, in Prometheus's text form (version 0.0.4)."""
        sums = [0.0] * len(SERIES)
        for path in sorted(self._folder.iterdir()) if self._folder and self._folder.is_dir() else ():
            stored = path.read_bytes()
            if len(stored) == LAYOUT.size:
                sums = [a + b for a, b in zip(sums, LAYOUT.unpack(stored), strict=True)]
        lines, last = [], ""
        for name, value in zip(SERIES, sums, strict=True):
            family = re.sub(r"_(total|bucket|sum|count)$", "", name.partition("{")[0])
            if family != last:
                kind, help_ = FAMILIES[family]
                told = f"{family}_total" if kind == "counter" else family
                lines += [f"# HELP {told} {help_}", f"# TYPE {told} {kind}"]
                last = family
            lines.append(f"{name} {value:.12g}")
        return "\n".join(lines) + "\n"
