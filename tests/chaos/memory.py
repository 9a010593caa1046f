"""F22: a service whose workers get no more memory, while reports come in and pages and papers are asked for.

Both workers are killed, as a kernel without memory does, and it limits those that follow to little more than they have
(RLIMIT_DATA), and those that follow these: once they have come to their work, or, each other time in full, while they
start. One that has served for a while keeps what it needs, and would not notice. What is answered is whole, or words
that say when to ask again; a line may end with the worker that died of it, and another worker takes the next one.
Nothing that was acknowledged is lost or doubled, and where memory is given back both workers serve as before, by
themselves.
"""

import os
import random
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from signal import SIGKILL

from events.commands.serve import WORKERS
from tests.chaos.awake import STOPPED, Clock, ticking
from tests.chaos.hall import Browser, Hall, Table, open_hall
from tests.chaos.history import SAVED, UNKNOWN, History, count_reports, hold_against
from tests.chaos.outcome import Outcome, Size
from tests.chaos.phone import next_report
from tests.chaos.restarting import at_once
from tests.chaos.serving import Service, Warm

PHONES = 4
ASKING = 2
TURNS: dict[Size, int] = {"short": 1, "full": 100}
MOST_TURNS = 12
"""In the short profile, and of a broken build: so many at most, until somebody was told that memory is wanting."""
LASTS, LASTS_AT_START = 0.7, 1.5
"""Seconds that memory is wanting at least, each time in full."""
LOOKED_FOR = 0.01
"""Seconds between two looks for workers that are new."""
MARGINS = (0, 500_000, 2_000_000, 4_000_000)
"""Bytes that a worker at its work may have more than it has."""
TO_START = 200_000_000
"""Bytes that a worker takes from its fork until it serves, the stacks of its threads among them, and some more."""
UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
PATIENCE = 120.0
"""Seconds until which all has to be as before: gunicorn gives 30 to one worker that hangs in its start."""
OF_BROKEN = 10.0
"""The same of a broken build, where being late is what is looked for."""
ENOUGH = 12
"""So many pages that come one after the other show that all are served."""
WORDS = (503, 429)
"""Want of memory, or of a turn where papers are made."""
SAID = {
    "no memory": "requests answered with the words at hand",
    "makes way for another": "workers that made way",
    "a worker could not start": "starts that failed",
    "was sent SIGALRM": "starts whose threads did not stand",
    "WORKER TIMEOUT": "workers that hung otherwise",
}
"""What the service's log has of it, and what is counted so."""
LINES_CUT, WENT = "lines that ended with their worker", "workers that went while they were limited"
RAN_OUT = "times that memory ran out"
SLOWEST = "milliseconds until both workers served all again, at most"


@dataclass
class Load:
    """What all who ask the service share."""

    hall: Hall
    history: History
    service: Service
    clock: Clock
    patience: float
    outcome: Outcome = field(default_factory=Outcome)
    over: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    """The service was ended, since enough is known of it: nobody waits for an answer any more."""
    served: int = 0
    """So many pages came one after the other, none of them refused or cut."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        """Count it, from whichever thread."""
        with self.lock:
            self.outcome.counts[what] += 1

    def begin(self) -> None:
        """Count anew how many pages come one after the other."""
        with self.lock:
            self.served = 0

    def noticed(self) -> int:
        """How often anybody was told that memory is wanting, and how many workers went of it."""
        counts = self.outcome.counts + self.history.counts
        return sum(counts[what] for what in ("pages answered 503", "status 503", WENT))

    def workers(self) -> list[int]:
        """The workers there are; none of a service that ended."""
        try:
            return self.service.workers()
        except FileNotFoundError:
            self.outcome.wrong.append(f"the service has ended by itself: {self.service.log()[-500:]}")
            return []

    def failed(self) -> bool:
        """Whether anything was found to be wrong."""
        return bool(self.outcome.wrong or self.history.wrong)


def run(
    size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path, seed: int
) -> Outcome:  # fmt: skip
    """Take memory away so often; a broken build until something is found."""
    dice, url = random.Random(seed), fresh()
    hall = open_hall(url, 2 * PHONES)
    service = Service(url, data / (broken or "sound"), broken=broken, warm=warm)
    try:
        with ticking() as clock:
            load = Load(hall, History(), service, clock, PATIENCE if broken is None else OF_BROKEN)
            service.start()
            with _asking(load):
                _turns(load, size, broken, dice)
            if not load.failed():
                _take_reports(load)
    finally:
        service.kill()
    outcome = load.outcome
    outcome.counts["times that all of this was stopped by others for a while"] = clock.stops
    said = service.said.read_text(encoding="utf-8", errors="replace")
    outcome.counts.update({name: said.count(words) for words, name in SAID.items()})
    if broken is None and 2 * outcome.counts[RAN_OUT] < TURNS[size]:
        outcome.wrong.append("memory hardly ever ran out: nothing is proven")
    hold_against(load.history, url, hall.tables, outcome)
    count_reports(load.history, outcome)
    return outcome


def _turns(load: Load, size: Size, broken: str | None, dice: random.Random) -> None:
    for turn in range(max(TURNS[size], MOST_TURNS)):
        if turn:
            _kill_workers(load)
        if size == "full" and turn % 2:
            _want(load, LASTS_AT_START, size, lambda: dice.randrange(TO_START))
        elif _wait(load, lambda: _both_at_work(load)):
            _want(load, LASTS, size, lambda: dice.choice(MARGINS if size == "full" else MARGINS[:1]))
        _go_on(load)
        if load.failed():
            load.ended.set()
            load.service.kill()
            return
        if broken is None and load.outcome.counts[RAN_OUT] and turn + 1 >= TURNS[size]:
            return


def _kill_workers(load: Load) -> None:
    killed = load.workers()
    for worker in killed:
        with suppress(ProcessLookupError):
            os.kill(worker, SIGKILL)
    _wait(load, lambda: not set(killed) & set(load.workers()))


def _want(load: Load, seconds: float, size: Size, more: Callable[[], int]) -> None:
    """Memory is wanting for whoever is there or comes, until it was noticed, or enough for all; then there is more."""
    limited: dict[int, None] = {}
    before, began = load.noticed(), load.clock.now()
    least = began + (seconds if size == "full" else 0)
    load.begin()
    while not load.failed() and load.clock.now() < began + load.patience:
        workers = load.workers()
        for worker in workers:
            if worker not in limited:
                with suppress(ProcessLookupError, FileNotFoundError):
                    resource.prlimit(worker, resource.RLIMIT_DATA, (_written_to(worker) + more(), UNLIMITED[1]))
                    limited[worker] = None
        known = load.noticed() > before or limited.keys() - set(workers) or load.served >= ENOUGH
        if known and load.clock.now() >= least:
            break
        time.sleep(LOOKED_FOR)
    alive = load.workers()
    load.outcome.counts["times that memory was taken away"] += 1
    load.outcome.counts["workers that were limited"] += len(limited)
    load.outcome.counts[WENT] += len(limited.keys() - set(alive))
    load.outcome.counts[RAN_OUT] += load.noticed() > before
    for worker in alive:
        with suppress(ProcessLookupError):
            resource.prlimit(worker, resource.RLIMIT_DATA, UNLIMITED)


def _written_to(process: int) -> int:
    """Bytes that it alone may write to, as the limit counts them. Raises ProcessLookupError once it is gone."""
    told = Path(f"/proc/{process}/status").read_text()
    if "VmData:" not in told:
        raise ProcessLookupError
    return int(told.partition("VmData:")[2].split()[0]) * 1024


@contextmanager
def _asking(load: Load) -> Iterator[None]:
    """Phones report and people look, until the block ends."""
    threads = [threading.Thread(target=_keep_reporting, args=(load, table)) for table in load.hall.tables]
    threads += [threading.Thread(target=_keep_looking, args=(load,)) for _ in range(ASKING)]
    with at_once(threads, load.over):
        yield


def _keep_reporting(load: Load, table: Table) -> None:
    version = 0
    while not load.over.is_set() and _report(load, table, version) != UNKNOWN:
        version += 1


def _report(load: Load, table: Table, version: int) -> str:
    """Send a report until it is known what became of it."""
    one = next_report(table, version)
    load.history.add(one)
    until = load.clock.now() + load.patience
    while load.history.settle(one, load.service.port, load.hall.report_path) == UNKNOWN:
        if load.ended.is_set() or load.clock.now() > until:
            break
        time.sleep(0.02)
    return one.state


def _pages(hall: Hall) -> tuple[tuple[Browser, str], ...]:
    slug, player = hall.slug, hall.tables[0].a
    papers = [f"/e/{slug}/rounds/1/{paper}.pdf" for paper in ("scoresheets", "pairings")]
    return (hall.olga, papers[0]), (player, f"/e/{slug}/me"), (hall.olga, papers[1]), (hall.olga, f"/e/{slug}/desk")


def _keep_looking(load: Load) -> None:
    while not load.over.is_set():
        for who, path in _pages(load.hall):
            served = _look(load, who, path) == 200
            with load.lock:
                load.served = load.served + 1 if served else 0


def _look(load: Load, who: Browser, path: str) -> int:
    """Ask for a page; 0 where the line ended without an answer."""
    began = load.clock.now()
    try:
        answer = who.get(load.service.port, path, timeout=load.patience)
    except TimeoutError:
        if load.clock.now() - began > load.patience - STOPPED:
            load.outcome.wrong.append(f"{path} is not answered in {load.patience:.0f} s")
        return 0
    except (OSError, HTTPException):
        load.count(LINES_CUT)
        time.sleep(0.02)
        return 0
    load.count(f"pages answered {answer.status}")
    if answer.status not in (200, *WORDS) or "Traceback" in answer.body:
        load.outcome.wrong.append(f"{path} is answered {answer.status}: {answer.body[-300:]}")
    elif answer.status != 200 and "retry-after" not in answer.headers:
        load.outcome.wrong.append(f"{path} is answered {answer.status}, and not when to ask again")
    elif answer.status == 200 and not answer.body.rstrip().endswith("%%EOF" if path.endswith(".pdf") else "</html>"):
        load.outcome.wrong.append(f"{path} is not whole")
    return answer.status


def _go_on(load: Load) -> None:
    """Everybody is served again by itself: both workers are at work, and no page is refused."""
    began = load.clock.now()
    load.begin()
    _wait(load, lambda: load.served >= ENOUGH and _both_at_work(load))
    took = round((load.clock.now() - began) * 1000)
    load.outcome.counts[SLOWEST] = max(load.outcome.counts[SLOWEST], took)


def _wait(load: Load, until: Callable[[], bool]) -> bool:
    """Wait for it, and say whether it came before anything was wrong."""
    began = load.clock.now()
    while not load.failed():
        if until():
            return True
        if load.clock.now() > began + load.patience:
            load.outcome.wrong.append(
                f"not both workers serve all in {load.patience:.0f} s: {load.service.log()[-500:]}"
            )
        time.sleep(0.02)
    return False


def _both_at_work(load: Load) -> bool:
    return [_is_at_work(one) for one in load.workers()] == [True] * WORKERS


def _is_at_work(worker: int) -> bool:
    """Whether it waits for lines: once it has started it watches some (epoll), and nothing before does."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return any("tfd:" in one.read_text() for one in Path(f"/proc/{worker}/fdinfo").iterdir())
    return False


def _take_reports(load: Load) -> None:
    """Every table can report, as before."""
    for table in load.hall.tables:
        version = sum(sent.game_id == table.game_id for sent in load.history.sent)
        if _report(load, table, version) != SAVED:
            load.outcome.wrong.append(f"with memory again, report {version} of game {table.game_id} is not taken")
