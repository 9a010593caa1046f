"""F25 on PostgreSQL: two faults at once, drawn by dice: the second comes while the first is being recovered from.

Two times something is done: a round is published, a report confirmed, a game decided, or the service goes back to a
copy. At a step of it (``going_back`` says what one is), or a moment later, its process is killed, PostgreSQL is stopped
at once and started again, or its line to PostgreSQL is cut: once, or from then on until it has ended. Nobody puts
anything in order between the two. Then all is sound and a server is started, and what holds is what holds for SQLite
(``two_faults``).
"""

import os
import random
import select
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from flask import Flask

from app import build_pages
from models.db import open_engine
from tests.chaos.broken import build
from tests.chaos.failing import in_a_process
from tests.chaos.going_back import Service, digest_of, not_done, service_over, tell_steps, wait_alone
from tests.chaos.line import Cut, Line, Way, line_to
from tests.chaos.outcome import Outcome, Size
from tests.chaos.restarting import wait_for_the_log
from tests.chaos.two_faults import BACK, CONTROL, DONE, FAIR, RUNS, judged, made, start
from tests.postgres import PostgresServer

SCENES = {"published": ("confirm", "decide", BACK), "drawn": ("publish", BACK)}
"""By the state that an event is in: what is done to it."""
Failure = Literal["killed", "database stopped", "line cut"]
FAILURES: tuple[Failure, ...] = ("killed", "database stopped", "line cut")
AMID = 0.4
"""Seconds after its step at which a fault of going back may come, at most: its programs take that long."""
LATER = 0.5
"""Of the faults of going back so many do not come at their step."""
BYTES = 400
"""So many bytes at most pass a line before it is cut."""
NEVER = 10**6
PATIENCE = 60.0


@dataclass(frozen=True)
class Fault:
    """What is done, and what comes over it at which of its steps."""

    what: str
    step: int
    failure: Failure = "killed"
    sticky: bool = False
    later: float = 0.0
    way: Way = "up"
    after: int = 0

    def __str__(self) -> str:
        """In words."""
        later = f" and {self.later:.3f} s" if self.later else ""
        return f"{self.what}, step {self.step}{later}: {self.failure}{' for good' if self.sticky else ''}"


def run(
    size: Size, broken: str | None, *, fresh: Callable[[], str], copied: Callable[[str], str], server: PostgresServer,
    data: Path, seed: int,
) -> Outcome:  # fmt: skip
    """Two faults, as often as the size says; a broken build until something is found."""
    outcome, dice, pages = Outcome(), random.Random(seed), build_pages()
    tried = dict[str, Tried]()
    for state in SCENES:
        folder = data / f"{broken or 'sound'}-{state}"
        folder.mkdir(parents=True)
        tried[state] = Tried(pages, service_over(fresh(), folder, state), server, copied, broken)
    for state, of_state in tried.items():
        of_state.steps = {what: of_state.counted(what) for what in SCENES[state]}
        if min(of_state.steps.values()) < 2:
            outcome.wrong.append(f"with nothing in the way not all of it is done: {of_state.steps}")
            return outcome
    for number in range(RUNS[size] if broken is None else CONTROL):
        state = dice.choice(list(SCENES))
        faults = [_drawn(dice, tried[state]) for _ in range(2)]
        outcome.counts["runs"] += 1
        outcome.counts[" then ".join(one.failure for one in faults)] += 1
        outcome.counts.update(f"{one.what}: faults" for one in faults)
        wrong = tried[state].together(faults)
        outcome.wrong += [f"run {number}, {faults[0]}; {faults[1]}: {one}" for one in wrong]
        if broken is not None and outcome.wrong:
            break
    return outcome


def _drawn(dice: random.Random, tried: "Tried") -> Fault:
    what = dice.choice(list(tried.steps))
    later = dice.uniform(0, AMID) if what == BACK and dice.random() < LATER else 0.0
    way: Way = dice.choice(("up", "down"))
    sticky = dice.random() < 0.5
    return Fault(
        what, dice.randint(1, tried.steps[what]), dice.choice(FAILURES), sticky, later, way, dice.randrange(BYTES)
    )


@dataclass
class Tried:
    """A service, and the copy of its database that is worked in, through a line that can be cut."""

    pages: Flask
    service: Service
    server: PostgresServer
    copied: Callable[[str], str]
    broken: str | None
    steps: dict[str, int] = field(default_factory=dict)
    """By what is done: how many steps it has."""

    def copy(self) -> str:
        """Begin anew; the address of the copy."""
        url = self.copied(self.service.url)
        wait_for_the_log(url)
        shutil.rmtree(self.service.data, ignore_errors=True)
        shutil.copytree(self.service.kept, self.service.data)
        return url

    def counted(self, what: str) -> int:
        """How many steps it has with nothing in the way; 0 where it is not done."""
        with line_to(self.copy()) as line:
            status, steps, _ = self._made(Fault(what, NEVER), line)
        return steps if status == DONE else 0

    def together(self, faults: Sequence[Fault]) -> list[str]:
        """What is wrong after these, one upon the other, in words."""
        url = self.copy()
        engine = open_engine(url)
        before = digest_of(engine)
        engine.dispose()
        wrong, answered = list[str](), list[tuple[str, int]]()
        with line_to(url) as line:
            for fault in faults:
                status, _, ended = self._made(fault, line)
                answered.append((fault.what, status))
                if ended not in (0, -signal.SIGKILL) or status not in FAIR:
                    wrong.append(f"{fault.what} was answered {status} and ended with {ended}")
        ended = in_a_process(partial(self._start, url))
        wrong += [f"a server's start ended with {ended}"] if ended else []
        try:
            wait_alone(engine)
            wrong += judged(self.service, engine, before, list(self.steps), answered)
            engine.dispose()
            with line_to(url) as line:
                if self._made(Fault(BACK, NEVER), line)[0] != DONE:
                    wrong.append("going back with nothing in the way is not done")
            wrong += [f"when gone back: {one}" for one in not_done(self.service, engine)]
        finally:
            engine.dispose()
        return wrong

    def _start(self, url: str) -> None:
        with build(self.broken):
            start(self.service, url)

    def _made(self, fault: Fault, line: Line) -> tuple[int, int, int]:
        """Do it in a process of its own: how it was answered (0: not at all), its steps, and how the process ended."""
        reached, reach = os.pipe()
        go_on, let_go = os.pipe()
        answers, answer = os.pipe()
        process = line.fork()
        if process == 0:
            os.setsid()
            try:
                self._do(fault, line.url, reach, go_on, answer)
            except BaseException:
                os._exit(70)
            os._exit(0)
        for end in (reach, go_on, answer):
            os.close(end)
        if not select.select([reached], [], [], PATIENCE)[0]:
            os.killpg(process, signal.SIGKILL)
            raise AssertionError(f"{fault}: it comes neither to its step nor to its end")
        if os.read(reached, 1):
            time.sleep(fault.later)
            self._break(fault, line, process)
            with suppress(BrokenPipeError):  # it has ended
                os.write(let_go, b".")
        ended = _awaited(process, line, fault)
        line.cut = None
        if self.server.running[0].poll() is not None:
            self.server.start()
        for end in (reached, let_go):
            os.close(end)
        with os.fdopen(answers) as told:
            status, steps = map(int, (told.read() or "0 0").split())
        return status, steps, ended

    def _break(self, fault: Fault, line: Line, process: int) -> None:
        if fault.failure == "killed":  # with the programs that it called, or without them
            (os.killpg if fault.sticky else os.kill)(process, signal.SIGKILL)
        elif fault.failure == "line cut":
            line.cut = Cut(fault.way, fault.after)
        else:
            self.server.crash()
            if not fault.sticky:
                self.server.start()

    def _do(self, fault: Fault, url: str, reach: int, go_on: int, answer: int) -> None:
        passed = 0

        def at() -> None:
            nonlocal passed
            passed += 1
            if passed == fault.step:
                os.write(reach, b".")
                if not fault.later:
                    os.read(go_on, 1)

        with build(self.broken):
            engine = open_engine(url)
            tell_steps(str(self.service.data), url, at)
            status = made(self.pages, self.service, engine, url, fault.what)
            os.write(answer, f"{status} {passed}".encode())


def _awaited(process: int, line: Line, fault: Fault) -> int:
    """Wait for its end, the line cut anew for as long as it is to be; how it ended."""
    until = time.monotonic() + PATIENCE
    while True:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        assert time.monotonic() < until, f"{fault}: it does not come to its end"
        if fault.sticky and line.cut is not None and line.cut.done:
            line.cut = Cut(fault.way, fault.after)
        time.sleep(0.002)
