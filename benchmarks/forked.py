"""Collects the tests once and runs each mutant in a forked process."""

import ast
import gc
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.config import _prepareconfig

from benchmarks.learnt import ARGUMENTS, ROOT, Chosen
from benchmarks.mutants import Mutant
from benchmarks.safety_code import BUILT

SLOWEST = 6
"""A mutant counts as an endless loop after this many times its tests' recorded seconds, plus EXTRA seconds."""
EXTRA = 20
HIDDEN = os.open(os.devnull, os.O_WRONLY)
"""Discards the output of tests."""


class Bench:
    """The collected tests, and the processes that run mutants."""

    def __init__(self, tests: list[str], warming: list[str]) -> None:
        """Collect the tests. Run ``warming``, so that all forks share pages, databases, statements and templates."""
        self.config = _prepareconfig([*ARGUMENTS, *tests], [self, Chosen()])
        self.config._do_configure()
        session = pytest.Session.from_config(self.config)
        self.config.hook.pytest_sessionstart(session=session)
        self.config.hook.pytest_collection(session=session)
        self.items = {item.nodeid: item for item in session.items}
        self.failed, self.migrated, self.pages = "", Path(), list[Any]()
        for first in warming:
            self.run([next(one for one in self.items if one.startswith(first))])
            assert not self.failed, self.failed
        gc.collect()
        gc.unfreeze()
        self.functions = defaultdict[str, list[FunctionType]](list)
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(ROOT)):
                self.functions[str(Path(one.__code__.co_filename).relative_to(ROOT))].append(one)
        gc.freeze()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Any:
        """Remember the path of the migrated database that tests copy, and the fixture that builds the pages."""
        made = yield
        if fixturedef.argname == "pages":
            self.pages = [fixturedef]
        if fixturedef.argname == "migrated_sqlite":
            self.migrated = made
        return made

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the first failure."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def run(self, tests: list[str]) -> str:
        """Run these tests in order until one fails; returns its id, or "" if all pass."""
        chosen = [self.items[test] for test in tests]
        last = next(reversed(self.items.values()))
        if chosen:  # tear down folders of the previous test that the next one does not use
            chosen[0].session._setupstate.teardown_exact(chosen[0])
        for n, item in enumerate(chosen):
            after = chosen[n + 1] if n + 1 < len(chosen) else last
            self.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.failed:
                return self.failed
        return ""

    def fate(self, mutant: Mutant | None, tests: list[str], seconds: float) -> str:
        """The id of the test that fails with the mutant, or "". ``seconds``: the tests' recorded time.

        "time" if the processor ran for far longer. "waited" if the process did not end without using the processor:
        that can be the machine's fault, so the mutant counts as not found.
        """
        longest = int(SLOWEST * seconds) + EXTRA
        reader, telling = os.pipe()
        child = os.fork()
        if child == 0:
            said = "broke the harness"
            with suppress(BaseException):
                os.setpgid(0, 0)
                os.dup2(HIDDEN, 1), os.dup2(HIDDEN, 2)
                # So that no database has the name of one that an earlier mutant left behind.
                setattr(sys.modules["tests.conftest"], "NUMBERS", count(os.getpid() * 1000))  # noqa: B010
                resource.setrlimit(resource.RLIMIT_CPU, (longest, longest + 5))
                whole = mutant is None or self.broken(mutant)
                said = self.run(tests) if whole else "not reached"
            os.write(telling, f"={said}".encode()[:4000])
            os._exit(0)
        os.close(telling)
        until, alive = time.monotonic() + 4 * longest, True
        status = 0
        while alive and time.monotonic() < until:
            ended, status = os.waitpid(child, os.WNOHANG)
            alive = ended == 0
            time.sleep(0.02 if alive else 0)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        if alive:
            os.waitpid(child, 0)
        with os.fdopen(reader, "rb") as heard:
            found = heard.read().decode()
        if found:
            return found[1:]
        return "time" if os.WIFSIGNALED(status) and not alive else "waited"

    def broken(self, mutant: Mutant) -> bool:
        """Replace the function or the table by the mutant's; returns whether it was found."""
        path = ROOT / mutant.path
        source = mutant.source(path.read_bytes())
        for made in self.pages if mutant.path == "app.py" or (mutant.path, mutant.scope) in BUILT else ():
            made.cached_result = None  # the mutated line must build them
        if mutant.path in ("models/db.py", "models/storable.py"):
            sys.modules["tests.conftest"].kept_engine.cache_clear()  # the same for the engine
        if mutant.path == "events/accounts/attempts.py":
            sys.modules["events.accounts.attempts"].leaked.cache_clear()
        if not mutant.scope:
            return _table_moved(mutant, source)
        codes = {code.co_qualname: code for code in _codes(compile(source, str(path), "exec", dont_inherit=True))}
        reached = False
        for one in self.functions[mutant.path]:
            name = one.__code__.co_qualname
            if name != mutant.scope and not name.startswith(f"{mutant.scope}.<locals>"):
                continue
            new = codes.get(name)
            if new is not None and new.co_freevars == one.__code__.co_freevars:
                one.__code__ = new
                reached = True
        return reached


def _codes(code: CodeType) -> Any:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


def _table_moved(mutant: Mutant, source: bytes) -> bool:
    """Evaluate one table or limit of the module again, and set it in every module that imported it."""
    module = sys.modules[mutant.path.removesuffix(".py").replace("/", ".")]
    statement = next(one for one in ast.parse(source).body if one.lineno == mutant.line)
    assert isinstance(statement, ast.Assign | ast.AnnAssign)
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    kept, space = {name: getattr(module, name) for name in names}, dict(vars(module))
    exec(compile(ast.Module([statement], []), mutant.path, "exec"), space)  # noqa: S102 - our own file, one number changed
    found = False
    for where, one in list(sys.modules.items()):
        if where.startswith(("app", "events", "models")):
            for name, old in kept.items():
                if vars(one).get(name) is old:
                    setattr(one, name, space[name])
                    found = True
    return found
