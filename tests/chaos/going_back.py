"""R2, F20: going back to a copy is killed at every step; what is served then is what was there, or wholly the copy.

A step is a statement, a commit, a file that is opened, renamed or removed, or another program that is called; and while
``pg_dump`` and ``pg_restore`` work, any moment, with or without them. Afterwards a server is started, or
``overseer restore`` is called again at once, in turns. Nobody may be let in by a key that was ended since the copy was
made: where one would be, the service is closed.
"""

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, text
from sqlmodel import Session, select

from app import build_pages
from events.backups import back_up, folder_of
from events.commands.serve import look_at_start
from events.invariants import check_invariants, told
from events.restoring import restore
from events.settings import Settings
from events.trouble import RESTORING, trouble_in
from models.db import open_engine
from models.journal import JournalEntry
from models.people import Account
from models.play import Player, Report
from tests.actions.stage import Stage
from tests.chaos.acts import ACTS, LONG_AGO, Scene, prepared
from tests.chaos.broken import build
from tests.chaos.failing import NEVER, in_a_process, press
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import SECRET
from tests.conftest import Clock

FILES = {"open", "os.rename", "os.link", "os.remove", "subprocess.Popen"}
"""Audit events of Python that are steps, where they are about the service's own files."""
FEW = 2
"""In the short profile so many steps, and the last one."""
AMID: dict[Size, int] = {"short": 0, "full": 12}
"""So many moments amid each of PostgreSQL's programs, with it and without it."""
PATIENCE = 60.0
RENEWED = 4
"""How often the link of one player was renewed at last."""


@dataclass(frozen=True)
class Program:
    """One of PostgreSQL's programs, the step at which it is called, and how long it takes."""

    name: str
    step: int
    seconds: float


@dataclass(frozen=True)
class Service:
    """A database with a report, a copy of it from before the report, and the data folder that the copy stands in."""

    url: str
    source: Path
    kept: Path
    """The data folder as it is before each try."""
    data: Path
    """The data folder that is worked in."""
    scene: Scene
    keys: Mapping[str, str]
    """By organiser: the key of the copy's sessions."""

    def settings(self, url: str) -> Settings:
        """Of the service over a copy of the database."""
        return Settings(self.data, url, SECRET, "127.0.0.1", 8000)

    def put_in(self, url: str, at: Callable[[], None], broken: str | None, clock: Clock) -> None:
        """Go back to the copy; ``at`` is told of each step before it is done."""
        with build(broken):
            if at is not _nothing:
                tell_steps(str(self.data), url, at)
            restore(self.settings(url), folder_of(self.data) / self.source.name, clock)
            at()


def _nothing() -> None:
    pass


def run(
    size: Size, broken: str | None, *, fresh: Callable[[], str], copied: Callable[[str], str], data: Path, seed: int
) -> Outcome:
    """Break going back off at its steps; a broken build until something is found."""
    outcome, dice = Outcome(), random.Random(seed)
    work = data / (broken or "sound")
    work.mkdir(parents=True)
    service = service_over(fresh(), work)
    steps, programs = _steps(service, copied(service.url))
    if steps < 10:
        outcome.wrong.append(f"going back does not come to its end: {steps}")
        return outcome
    chosen, moments = list(range(1, steps + 1)), AMID[size if broken is None else "full"]
    if broken is not None:
        chosen = chosen[programs[-1].step :] if programs else chosen[::-1]
    elif size == "short":
        chosen = [*dice.sample(chosen[steps // 2 :], FEW), steps]
    tries = [(f"step {step}", step, 0.0) for step in chosen]
    for one in programs if broken is None else programs[-1:]:
        later = [dice.uniform(0, one.seconds) for _ in range(moments)]
        tries[:0] = [(f"{seconds:.3f} s into {one.name}", one.step, seconds) for seconds in later]
    for number, (where, step, seconds) in enumerate(tries):
        outcome.counts["moments amid a program" if seconds else "steps"] += 1
        wrong = _broken_off(service, copied(service.url), broken, number, at_step=step, later=seconds)
        outcome.wrong += [f"{where}: {one}" for one in wrong]
        if broken is not None and outcome.wrong:
            return outcome
    return outcome


def service_over(url: str, data: Path, state: str = "published") -> Service:
    """An event with a round, a copy of it, and then keys that end, and a report where the round is published."""
    scene = prepared(url, state)
    kept = data / "kept"
    kept.mkdir()
    engine = open_engine(url)
    stage = Stage(engine, Clock(LONG_AGO))
    try:
        keys = {one.name: one.session_key for one in stage.all(Account)}
        stage.s.close()
        source = back_up(engine, folder_of(kept), "asked", LONG_AGO).path
        stage.s = Session(engine, expire_on_commit=False)
        player = stage.one(Player, id=scene.ids["other"])
        with stage.changing():
            player.link_generation = RENEWED
        stage.set_up("Otto")
    finally:
        stage.s.close()
        engine.dispose()
    if state == "published":
        ended = in_a_process(lambda: press(build_pages(), scene, ACTS["report"], url, data, NEVER, None))
        assert ended == 0, ended
    return Service(url, source, kept, data / "work", scene, keys)


def tell_steps(data: str, url: str, at: Callable[[], None]) -> None:
    """Tell of each step from now on. Nothing of it is ever taken back: for a process of its own."""
    file = url.removeprefix("sqlite:///")

    def heard(name: str, words: tuple[Any, ...]) -> None:
        if name not in FILES:
            return
        if name == "subprocess.Popen" or str(words[0]).startswith((data, file)):
            at()

    def before(*_: object) -> None:
        at()

    event.listen(Engine, "before_cursor_execute", before)
    event.listen(Engine, "commit", before)
    sys.addaudithook(heard)


def _steps(service: Service, url: str) -> tuple[int, Sequence[Program]]:
    """How many steps going back has, and PostgreSQL's programs that work on the database, in their order."""
    shutil.copytree(service.kept, service.data)
    told_to, tell = os.pipe()
    passed = 0

    def at() -> None:
        nonlocal passed
        passed += 1
        os.write(tell, f"{passed} {time.monotonic()}\n".encode())

    def heard(name: str, words: tuple[Any, ...]) -> None:
        if name == "subprocess.Popen" and "--list" not in words[1]:
            os.write(tell, f"{Path(str(words[0])).name}\n".encode())

    def work() -> None:
        sys.addaudithook(heard)
        service.put_in(url, at, None, Clock(LONG_AGO))

    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(told_to) as lines:  # read while it works: a pipe takes only so much
        said = [line.split() for line in lines]
    os.waitpid(process, 0)
    times, programs = {int(one[0]): float(one[1]) for one in said if len(one) == 2}, list[Program]()
    for place, (name, *more) in enumerate(said):
        if not more:
            step = int(said[place + 1][0])
            programs.append(Program(name, step, times[step + 1] - times[step]))
    return max(times, default=0), programs


def _broken_off(
    service: Service, url: str, broken: str | None, number: int, *, at_step: int, later: float = 0
) -> Sequence[str]:
    """What is wrong after it was killed at this step, or so many seconds after it, in words."""
    shutil.rmtree(service.data, ignore_errors=True)
    shutil.copytree(service.kept, service.data)
    engine = open_engine(url)
    before = digest_of(engine)
    engine.dispose()
    alone, starts = number % 2 == 0, number % 4 < 2
    ended = _killed(service, url, broken, at_step, later, alone=alone)
    wrong = [] if ended == -signal.SIGKILL or later else [f"it ended with {ended} instead of being killed"]
    try:
        if not starts or number % 3:
            wait_alone(engine)
            wrong += _let_in(service, engine, before, "then")
        if starts:
            ended = in_a_process(lambda: _start(service, url, broken))
            wrong += [f"a server's start ended with {ended}"] if ended else []
            known = trouble_in(service.data)
            wrong += [f"after a server's start it is closed: {known}"] if known is not None else []
            wait_alone(engine)
            wrong += _let_in(service, engine, before, "after a server's start")
        engine.dispose()
        again = Clock(LONG_AGO)
        again.advance(minutes=2)
        ended = in_a_process(lambda: service.put_in(url, _nothing, broken, again))
        wrong += [f"called again it ended with {ended}"] if ended else []
        wrong += [f"called again: {one}" for one in not_done(service, engine)]
        with Session(engine) as s:
            wrong += [f"called again: {one}" for one in told(check_invariants(s))]
    finally:
        engine.dispose()
    return wrong


def _killed(service: Service, url: str, broken: str | None, at_step: int, later: float, *, alone: bool) -> int:
    """Go back in a process that is killed at a step, ``alone`` or with the programs that it called; how it ended."""
    reached, tell = os.pipe()
    passed = 0

    def at() -> None:
        nonlocal passed
        passed += 1
        if passed == at_step and not later:
            os.kill(os.getpid(), signal.SIGKILL)
        if passed == at_step:
            os.write(tell, b".")

    process = os.fork()
    if process == 0:
        os.setsid()
        try:
            service.put_in(url, at, broken, Clock(LONG_AGO))
        finally:
            os._exit(0)
    os.close(tell)
    if later and os.read(reached, 1):
        time.sleep(later)
        (os.kill if alone else os.killpg)(process, signal.SIGKILL)
    os.close(reached)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _start(service: Service, url: str, broken: str | None) -> None:
    """What ``overseer serve`` does first."""
    with build(broken):
        look_at_start(service.settings(url))


def wait_alone(engine: Engine) -> None:
    """Wait until no program of PostgreSQL's works on after its parent."""
    if engine.dialect.name == "sqlite":
        return
    others = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    until = time.monotonic() + PATIENCE
    with engine.connect() as connection:
        while connection.scalar(others) and time.monotonic() < until:
            time.sleep(0.02)
            connection.rollback()
    engine.dispose()


def _let_in(service: Service, engine: Engine, before: str, when: str) -> list[str]:
    """What is wrong with what is served now."""
    known = trouble_in(service.data)
    if known is not None and known.closed == RESTORING:
        return []
    try:
        now = digest_of(engine)
    except Exception as failed:  # whatever it is: the service would meet it too
        return [f"{when} it is open, and cannot be read: {failed}"]
    if now == before:
        return []
    return [f"{when} it is open, and {one}" for one in not_done(service, engine)]


def not_done(service: Service, engine: Engine) -> list[str]:
    """What of going back is not done, in words."""
    try:
        with Session(engine) as s:
            wrong = ["a report of after the copy is there"] if s.exec(select(Report)).all() else []
            accounts = s.exec(select(Account)).all()
            wrong += [
                f"{one.name} is still signed in" for one in accounts if service.keys.get(one.name) == one.session_key
            ]
            wrong += ["an account of after the copy is there"] if len(accounts) != len(service.keys) else []
            player = s.get_one(Player, service.scene.ids["other"])
            wrong += ["a private link that was ended opens again"] if player.link_generation != RENEWED else []
            gone_back = s.exec(select(JournalEntry).where(JournalEntry.verb == "go-back")).all()
            return wrong + ([] if gone_back else ["no journal says that the service went back"])
    except Exception as failed:
        return [f"the database cannot be read: {failed}"]


def digest_of(engine: Engine) -> str:
    """A mark of everything that is stored."""
    stage = Stage(engine, Clock(LONG_AGO))
    try:
        return stage.digest()
    finally:
        stage.s.close()
