"""Attack 47: ten thousand lines that say nothing, or begin a request and never end it; others are served meanwhile.

The lines come from several addresses of this machine, held by two processes (``crowd``) that open anew what the server
closes. Meanwhile one player opens the round's page again and again, and another reports: every page comes in time,
nothing that a phone was told is lost, and no worker dies of it.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

from tests.chaos.crowd import SAYS
from tests.chaos.hall import Hall, open_hall
from tests.chaos.history import UNKNOWN, History, count_reports, hold_against
from tests.chaos.outcome import ROOT, Outcome, Size
from tests.chaos.phone import next_report
from tests.chaos.serving import Service, Warm

LINES: dict[Size, int] = {"short": 1_000, "full": 10_000}
SECONDS: dict[Size, float] = {"short": 8.0, "full": 20.0}
WITHIN = 5.0
"""Seconds for a page while they are there. With gunicorn's own worker it comes when the begun requests are cut."""
BETWEEN = 0.05
PLAYERS = 4


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path) -> Outcome:
    """Let each kind of crowd come; a broken build until something is found."""
    outcome, url = Outcome(), fresh()
    hall, history = open_hall(url, PLAYERS), History()
    service = Service(url, data / (broken or "sound"), broken=broken, warm=warm)
    try:
        service.start()
        for _ in range(10):  # what each worker reads once is read
            _page(hall, service, Outcome(), "")
        workers = service.workers()
        for kind in SAYS:
            outcome.counts["lines at once"] = LINES[size]
            with _crowd(service.port, LINES[size], SECONDS[size], kind) as here:
                while here():
                    _page(hall, service, outcome, kind)
                    _report(hall, service, history)
                    if broken is not None and outcome.wrong:
                        return outcome
                    time.sleep(BETWEEN)
            if service.workers() != workers:
                outcome.wrong.append(f"{kind}: a worker died: {service.log()[-300:]}")
    finally:
        service.kill()
    hold_against(history, url, hall.tables, outcome)
    count_reports(history, outcome)
    return outcome


def _page(hall: Hall, service: Service, outcome: Outcome, kind: str) -> None:
    began, status = time.monotonic(), 0
    try:
        status = hall.tables[0].a.get(service.port, f"/e/{hall.slug}/rounds/1", timeout=2 * WITHIN).status
    except (OSError, HTTPException):
        outcome.counts["pages that did not come"] += 1
    took = time.monotonic() - began
    outcome.counts[f"{kind}: pages"] += 1
    slowest = f"{kind}: milliseconds for a page, at most"
    outcome.counts[slowest] = max(outcome.counts[slowest], round(took * 1000))
    if status != 200 or took > WITHIN:
        outcome.wrong.append(f"{kind}: a page was answered {status} after {took:.1f} s")


def _report(hall: Hall, service: Service, history: History) -> None:
    one = next_report(hall.tables[1], len(history.sent))
    history.add(one)
    for _ in range(3):
        if history.settle(one, service.port, hall.report_path) != UNKNOWN:
            break


@contextmanager
def _crowd(port: int, lines: int, seconds: float, kind: str) -> Iterator[Callable[[], bool]]:
    """Two processes that hold half of the lines each; yields whether they still do."""
    people = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.crowd", *map(str, (port, lines // 2, number, seconds)), kind],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )
        for number in (1, 2)
    ]  # fmt: skip
    try:
        for one in people:
            assert one.stdout is not None and one.stdout.readline() == "open\n"
        yield lambda: any(one.poll() is None for one in people)
    finally:
        for one in people:
            one.kill()
            one.communicate()
