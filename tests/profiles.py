"""Which tests ``./run test --fast`` runs, and that these stay fast: decision 161, held by the run itself.

The fast core is every test without a mark ``slow``, ``browser``, ``postgres`` or ``long``. What it takes is measured in
CPU seconds, so that whatever else runs on the machine changes nothing, and weighed by the machine's pace.
"""

import os
import statistics
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from typing import Any

import pytest

FOLDERS = {"tests/browser/": "browser", "tests/chaos/": "slow", "tests/views/": "slow"}
"""What a folder marks all its tests as; one that is marked ``fast`` is not slow there."""
OUTSIDE = ("slow", "browser", "postgres", "long")
OF_ONE, OF_ALL = 1.5, 100.0
"""CPU seconds: of a test function with all its cases, and of the whole core, of which each of two cores does a half.
The longest take 0.8, and the same test up to twice as much beside others.
Of what is marked ``fast`` in a slow folder only the sum is judged: it was chosen though it takes long."""
USUAL, EVERY = 0.00115, 20
"""The CPU seconds of ``piece`` where those figures were found, and after how many tests it is asked again."""
TOOK, PIECE = "CPU seconds", "CPU seconds of a piece"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Said by tests/everything.py; of a few tests there is nothing to judge."""
    parser.addoption("--whole-core", action="store_true", help="fail where the fast core takes too long")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test the mark of its folder."""
    for folder, mark in FOLDERS.items():
        if item.nodeid.startswith(folder) and not (mark == "slow" and item.get_closest_marker("fast")):
            item.add_marker(mark)


def pytest_configure(config: pytest.Config) -> None:
    """Measure in each process; the one that reads all reports judges, where the core was run as a whole."""
    here = not hasattr(config, "workerinput")
    config.pluginmanager.register(Watch(judges=here and config.getoption("--whole-core")), "watch of the fast core")


def at_length(cases: Iterable[Any], usual: Iterable[Any]) -> list[Any]:
    """Cases of a test that proves the same by each: those not ``usual`` run in ``./run test --long`` alone."""
    kept = list(usual)
    return [case if case in kept else pytest.param(case, marks=pytest.mark.long) for case in cases]


def spent() -> float:
    """CPU seconds of this process and of those that it started and saw end."""
    return sum(os.times()[:4])


def piece() -> float:
    """CPU seconds that one piece of work takes just now, always the same."""
    table = dict[int, int]()
    began = time.thread_time()
    total = 0
    for number in range(20_000):
        total += number * number % 7
        table[number % 97] = total
    return time.thread_time() - began


class Watch:
    """What the tests of the core took."""

    def __init__(self, *, judges: bool) -> None:
        """``judges``: fail the run where the core takes too long."""
        self.judges = judges
        self.began = self.shared = self.until = 0.0
        self.sharing = False
        self.tests = 0
        self.took = defaultdict[str, float](float)
        self.pieces: list[float] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """Begin to measure a test."""
        self.began = self.until = spent()
        self.shared = 0.0
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """What several tests share is not of the one that asked first."""
        if fixturedef.scope == "function" or self.sharing:
            return (yield)
        self.sharing, began = True, spent()
        try:
            return (yield)
        finally:
            self.sharing = False
            self.shared += spent() - began

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Put what a test took into its last report, which comes to the process that judges.

        Only until its call ended: the last test of a process tears down what all have shared, a browser and a server
        among it, whose 130 CPU seconds are then those of children that have ended.
        """
        if call.when == "call":
            self.until = spent()
        if call.when == "teardown" and not any(map(item.get_closest_marker, OUTSIDE)):
            item.user_properties.append((TOOK, max(0.0, self.until - self.began - self.shared)))
            if self.tests % EVERY == 0:
                item.user_properties.append((PIECE, piece()))
            self.tests += 1

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what the reports say."""
        if report.when == "teardown":
            for name, figure in report.user_properties:
                if name == TOOK:
                    self.took[report.nodeid.partition("[")[0]] += float(str(figure))
                elif name == PIECE:
                    self.pieces.append(float(str(figure)))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A core that is too slow fails a run in which all else is well."""
        if self.judges and session.exitstatus == pytest.ExitCode.OK and self.judged()[1:]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what the core took, and what is wrong with that."""
        if self.judges:
            for line in self.judged():
                terminalreporter.write_line(line)

    def judged(self) -> list[str]:
        """What the core took in a line, and a line for each fault."""
        slowness = statistics.fmean(self.pieces) / USUAL if self.pieces else 1.0
        took = {name: seconds / slowness for name, seconds in sorted(self.took.items(), key=lambda one: -one[1])}
        every = sum(took.values())
        said = [f"The fast core took {every:.0f} CPU seconds, on a machine {slowness:.1f} times as slow as usual."]
        if every > OF_ALL:
            longest = ", ".join(f"{name} ({seconds:.1f})" for name, seconds in list(took.items())[:10])
            said.append(
                f"TOO SLOW: it may take {OF_ALL:.0f}. Mark tests slow, or make them faster; the longest: {longest}"
            )
        alike = {name: seconds for name, seconds in took.items() if not name.startswith(tuple(FOLDERS))}
        long = [f"{name} took {seconds:.1f} with all its cases" for name, seconds in alike.items() if seconds > OF_ONE]
        return [*said, *(f"TOO SLOW: {one}. Make it faster, or mark it slow" for one in long)]
