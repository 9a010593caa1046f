"""Records which test runs which line of the safety code, in one run of the tests, for ``mutations.py``."""

import ast
import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

from benchmarks.mutants import Mutant
from benchmarks.safety_code import BUILT, all_files

ROOT = Path(__file__).parents[1]
# A forked process would report its parent's open files and threads as its own.
ARGUMENTS = ["-s", "-q", "-m", "not long and not browser"]
ARGUMENTS += [f"-pno:{one}" for one in ("cacheprovider", "xdist", "unraisableexception", "threadexception")]
ON_POSTGRES = ("tests/models/test_db.py", "tests/accounts/test_staff_pages.py", "tests/web/test_idempotency.py")
"""The files whose tests run on PostgreSQL too, because SQLite does not run all lines that they test."""

OF_LIMITS = "tests/web/test_limits.py"
"""Compares each limit with its documented value, so it runs no line that coverage could record."""
MOST_COMMON = 2
"""Words of a line with at most this many letters do not describe it."""


class Chosen:
    """A plug-in that deselects the tests on PostgreSQL, except those of ON_POSTGRES."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect them."""
        items[:] = [
            one for one in items if one.nodeid.startswith(ON_POSTGRES) or one.get_closest_marker("postgres") is None
        ]


@dataclass
class Learnt:
    """The tests that run each line, the seconds of each test, and the tests that found mutants before."""

    over: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    found: dict[str, list[str]] = field(default_factory=dict)
    """By a mutant's key and by its function: the tests that found it, or another mutant of it, the latest first."""

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests that run a mutant's lines; for a table or a limit, those of the functions that name it.

        Sorted: tests that found this mutant before, tests that found other mutants of its function, tests in a file of
        the same name, all others; the quickest first in each group.
        """
        lines = self.over.get(mutant.path, {})
        mutated = range(mutant.line, mutant.last + 1) if mutant.scope else _lines_naming(mutant)
        over = set[str]().union(*(lines.get(line, set()) for line in mutated)) & self.seconds.keys()
        if not mutant.scope:
            over |= {one for one in self.seconds if one.startswith(OF_LIMITS)}
        built = (mutant.path, mutant.scope) in BUILT
        if built:
            pages = {test for tests in self.over.get("app.py", {}).values() for test in tests}
            over |= pages & self.seconds.keys()
        named = [one for one in re.split(r"[^a-z]+", mutant.before.lower()) if len(one) > MOST_COMMON] if built else []
        own = (f"_{Path(mutant.path).stem.partition('_')[0]}",) if mutant.scope else (OF_LIMITS, "matrix")
        before, near = self.found.get(mutant.key, []), self.found.get(mutant.place, [])

        def rank(one: str) -> tuple[float, ...]:
            if one in before:
                return (0.0, before.index(one))
            if one in near:
                return (1.0, near.index(one))
            named_words = sum(word in one for word in named)
            return (
                2.0,
                -named_words,
                not any(name in one.partition("::")[0] for name in own),
                self.seconds[one],
            )

        return sorted(over, key=lambda one: (rank(one), one))

    def was_found(self, mutant: Mutant, test: str) -> None:
        """Record that this test found the mutant, so that it runs first the next time."""
        for key, most in ((mutant.key, 1), (mutant.place, 6)):
            self.found[key] = [test, *(one for one in self.found.get(key, []) if one != test)][:most]

    def affordable(self, tests: list[str], enough: float) -> list[str]:
        """The first tests that take at most ``enough`` seconds, grouped by file: a file's tests share fixtures."""
        taken, spent = list[str](), 0.0
        for test in tests:
            if taken and spent + self.seconds[test] > enough:
                break
            taken.append(test)
            spent += self.seconds[test]
        order = {path: n for n, path in reversed([*enumerate(one.partition("::")[0] for one in taken)])}
        return sorted(taken, key=lambda one: order[one.partition("::")[0]])

    def keep(self, kept: Path) -> None:
        """Store the record."""
        over = {path: {n: sorted(tests) for n, tests in lines.items()} for path, lines in self.over.items()}
        kept.write_text(json.dumps({"over": over, "seconds": self.seconds, "found": self.found}), encoding="utf-8")


def _lines_naming(mutant: Mutant) -> set[int]:
    tree = ast.parse((ROOT / mutant.path).read_bytes())
    statement = next(one for one in tree.body if one.lineno == mutant.line)
    named = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    parts = (part for node in functions for part in ast.walk(node) if isinstance(part, ast.Name))
    return {part.lineno for part in parts if part.id in named}


class Learner:
    """A plug-in that names the running test to coverage, and records each test's seconds and outcome."""

    def __init__(self, cover: Any) -> None:
        """Report to this Coverage object."""
        self.cover, self.seconds, self.began, self.passed = cover, dict[str, float](), 0.0, dict[str, bool]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Run one test, with its id as coverage's context."""
        self.cover.switch_context(item.nodeid)
        self.began = time.process_time()
        done = yield
        self.seconds[item.nodeid] = time.process_time() - self.began
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record whether set-up, call and tear-down passed."""
        self.passed[report.nodeid] = self.passed.get(report.nodeid, True) and report.passed


def learn(kept: Path, tests: list[str], *, more: bool) -> None:
    """Run these tests once and store which lines each runs. ``more`` keeps the records of other tests."""
    cover = coverage.Coverage(data_file=None, include=[str(ROOT / one) for one in all_files()], config_file=False)
    cover.start()
    learner = Learner(cover)
    pytest.main([*ARGUMENTS, *tests], plugins=[learner, Chosen()])
    cover.stop()
    known = read(kept) if more and kept.exists() else Learnt()
    for path in all_files():
        lines = known.over.setdefault(path, {})
        for line, found in cover.get_data().contexts_by_lineno(str(ROOT / path)).items():
            lines[line] = lines.get(line, set()) | {one for one in found if one}
    seconds = {test: took for test, took in learner.seconds.items() if learner.passed[test]}
    known.seconds |= seconds
    known.keep(kept)
    print(f"{len(seconds)} of {len(learner.seconds)} tests pass and are recorded, {sum(seconds.values()):.0f} s")


def read(kept: Path) -> Learnt:
    """The stored record."""
    found = json.loads(kept.read_text(encoding="utf-8"))
    over = {path: {int(n): set(tests) for n, tests in lines.items()} for path, lines in found["over"].items()}
    return Learnt(over, found["seconds"], found.get("found", {}))
