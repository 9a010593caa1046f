"""F9, R4: the connection to PostgreSQL is cut after every sixteenth byte of a report, and every byte of its commit.

The cut before the commit's answer is the one that matters: nobody can know whether it is stored, and only the
submission's idempotency key can tell. A phone that gets no answer, or 503, sends again with the same key.
"""

import random
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from tests.chaos.broken import ANSWERED_BEFORE
from tests.chaos.hall import Hall, open_hall
from tests.chaos.history import UNKNOWN, History, Sent, hold_against
from tests.chaos.line import COMMIT, Cut, Line, Way, line_to
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Service, Warm, serving

PLAYERS = {"short": 16, "full": 160}
"""A table's exchange is the longer the more was reported there: in full each table has some thirty reports."""
EVERYTHING = 10**9
STEP = 16
PATIENCE = 5.0
"""Seconds for what is to be measured to pass."""
IN_SHORT = 6
"""Points of the whole exchange that the short size takes, by chance."""


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path, seed: int) -> Outcome:
    """Cut the line at each point, one report each; everything found broken is reported."""
    outcome, dice, url = Outcome(), random.Random(seed), fresh()
    size = size if broken is None else "short"
    hall, history = open_hall(url, PLAYERS[size]), History()
    with line_to(url) as line, serving(line.url, data / (broken or "sound"), warm, broken) as service:
        _report(hall, history, service, 0)  # what is only read once is read
        time.sleep(2 * ANSWERED_BEFORE if broken else 0)  # its commit may come after its answer, and is not counted
        whole, commit = (_measured(hall, history, service, line, begins) for begins in (b"", COMMIT))
        outcome.counts["bytes of a report's exchange"] = sum(whole.values())
        outcome.counts["bytes of its commit's exchange"] = sum(commit.values())
        for cut in _points(size, dice, whole, commit):
            _cut(hall, history, service, line, cut, outcome)
    hold_against(history, hall, outcome)
    return outcome


def _points(size: Size, dice: random.Random, whole: dict[Way, int], commit: dict[Way, int]) -> Iterator[Cut]:
    """Each cut, made before the next one is asked for: in full they go on until an exchange ends before its cut."""
    of_commit = [(way, after) for way, most in commit.items() for after in range(most)]
    for way, after in of_commit if size == "full" else of_commit[:: max(1, len(of_commit) // IN_SHORT)]:
        yield Cut(way, after, COMMIT)
    if size == "short":
        every = [(way, after) for way, most in whole.items() for after in range(0, most, STEP)]
        yield from (Cut(way, after) for way, after in dice.sample(every, min(IN_SHORT, len(every))))
        return
    for way in whole:
        for after in count(0, STEP):
            cut = Cut(way, after)
            yield cut
            if not cut.done:
                break


def _measured(hall: Hall, history: History, service: Service, line: Line, begins_with: bytes) -> dict[Way, int]:
    """How many bytes pass each way for one report, counted from there."""
    line.cut = counted = Cut("down", EVERYTHING, begins_with)
    _report(hall, history, service, 1)
    latest = time.monotonic() + PATIENCE
    while not counted.passed["down"] and time.monotonic() < latest:
        time.sleep(0.01)  # the commit of a build that answers first comes after its answer, or never
    line.cut = None
    return counted.passed


def _cut(hall: Hall, history: History, service: Service, line: Line, cut: Cut, outcome: Outcome) -> None:
    line.cut = cut
    one = _report(hall, history, service, len(history.sent))
    line.cut = None
    outcome.counts["cuts"] += cut.done
    outcome.counts["cuts within the commit"] += cut.done and cut.begins_with == COMMIT
    outcome.counts["cuts answered as saved at once"] += cut.done and one.tries == 1


def _report(hall: Hall, history: History, service: Service, number: int) -> Sent:
    """One side's next report at one of the tables, sent until it is answered."""
    table = hall.tables[number % len(hall.tables)]
    version = sum(one.game_id == table.game_id for one in history.sent)
    one = history.next_report(table, version)
    for _ in range(5):
        if history.settle(one, service.port, hall.report_path) != UNKNOWN:
            break
    return one
