"""F25: two faults at once, drawn by dice: the second comes while the first is being recovered from.

Each of two presses, or goings back to a copy, is killed at a write, or meets a disk that is full or broken, once or
from then on; nobody puts anything in order between them. Then the disk is sound and a server is started: whatever was
answered as done is there, what is there is whole, every promise is kept, and going back to the copy succeeds. This is
SQLite's; what PostgreSQL meets is in ``two_faults_postgres``.
"""

import ctypes
import errno
import gc
import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from flask import Flask
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from app import build_pages, put_over
from events.backups import NoBackup, folder_of
from events.commands.serve import look_at_start
from events.invariants import check_invariants, told
from events.keeping import look
from events.restoring import restore
from events.trouble import RESTORING
from models.db import open_engine
from tests.chaos.acts import ACTS, LONG_AGO
from tests.chaos.bad_disk import KILLED, SAID, WORDS
from tests.chaos.broken import build
from tests.chaos.failing import in_a_process
from tests.chaos.going_back import Service, digest_of, not_done, service_over
from tests.chaos.outcome import Outcome, Size
from tests.chaos.shim import compiled, wait_for_the_disk, worked
from tests.conftest import Clock

RUNS: dict[Size, int] = {"short": 6, "full": 200}
CONTROL = 40
"""Runs at most until a broken build is found out."""
BACK = "go back"
OURS = ("confirm", "decide", BACK)
DONE = 302
WORD = 503
"""Stands for a command that ended in words."""
NO_START = 599
"""Stands for the answer of a server that cannot start on such a disk."""
FAIR = (0, DONE, 403, 409, 422, NO_START, *WORDS)
"""What may be answered; 0: nothing, by who was ended."""
DAMAGED = 71
"""How a start ends that finds the database damaged."""


@dataclass(frozen=True)
class Job:
    """What the process with the bad disk is to do."""

    size: Size
    broken: str | None
    url: str
    folder: str
    seed: int


@dataclass(frozen=True)
class Fault:
    """What is done, and what comes over it at which of its writes."""

    what: str
    write: int
    failure: int
    sticky: bool

    def __str__(self) -> str:
        """In words."""
        return f"{self.what}, write {self.write} {SAID[self.failure]}{' for good' if self.sticky else ''}"


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], folder: Path, seed: int) -> Outcome:
    """Compile, then do all of it in a process under the bad disk."""
    folder.mkdir(exist_ok=True)
    library = compiled(Path(__file__).with_name("bad_disk.c"), folder)
    mine = folder / (broken or "sound")
    mine.mkdir()
    said = worked("tests.chaos.two_faults", library, asdict(Job(size, broken, fresh(), str(mine), seed)))
    outcome = Outcome(wrong=said["wrong"])
    outcome.counts.update(said["counts"])
    return outcome


def work(job: Job) -> Outcome:
    """Everything, in a process that has the bad disk loaded."""
    outcome, dice = Outcome(), random.Random(job.seed)
    service = service_over(job.url, Path(job.folder))
    tried = Tried(build_pages(), service, Path(job.folder) / "copy" / "overseer.sqlite3", job.broken)
    writes = {what: tried.writes(what) for what in OURS}
    if min(writes.values()) < 2:
        outcome.wrong.append(f"on a sound disk not all of it is done: {writes}")
        return outcome
    for number in range(RUNS[job.size] if job.broken is None else CONTROL):
        faults = [_drawn(dice, writes) for _ in range(2)]
        outcome.counts["runs"] += 1
        outcome.counts[" then ".join("killed" if one.failure == KILLED else "bad disk" for one in faults)] += 1
        wrong = tried.together(faults)
        outcome.wrong += [f"run {number}, {faults[0]}; {faults[1]}: {one}" for one in wrong]
        if job.broken is not None and outcome.wrong:
            break
    return outcome


def _drawn(dice: random.Random, writes: Mapping[str, int]) -> Fault:
    what = dice.choice(OURS)
    failure = dice.choice((errno.ENOSPC, errno.EIO, KILLED))
    return Fault(what, dice.randint(1, writes[what]), failure, dice.random() < 0.5)


@dataclass
class Tried:
    """A service, and the copy of its database that is worked in."""

    pages: Flask
    service: Service
    path: Path
    broken: str | None

    @property
    def url(self) -> str:
        """The address of the copy."""
        return f"sqlite:///{self.path}"

    def copy(self) -> None:
        """Begin anew."""
        for source, target in (
            (Path(self.service.url.removeprefix("sqlite:///")).parent, self.path.parent),
            (self.service.kept, self.service.data),
        ):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target)

    def writes(self, what: str) -> int:
        """How many writes it makes on a sound disk; 0 where it is not done."""
        self.copy()
        status, seen, _ = self._made(Fault(what, 0, 0, sticky=False))
        return seen if status == DONE else 0

    def _made(self, fault: Fault) -> tuple[int, int, int]:
        """Do it in a process of its own: how it was answered (0: not at all), its writes, and how the process ended."""
        told_to, tell = os.pipe()
        ended = in_a_process(partial(self._do, fault, tell))
        os.close(tell)
        with os.fdopen(told_to) as answers:
            status, seen = json.loads(answers.read() or "[0, 0]")
        return status, seen, ended

    def _do(self, fault: Fault, tell: int) -> None:
        with build(self.broken):
            engine = open_engine(self.url)
            shim = ctypes.CDLL(None)
            shim.disk_arm(ctypes.c_long(fault.write), fault.failure, int(fault.sticky))
            status = made(self.pages, self.service, engine, self.url, fault.what)
            os.write(tell, json.dumps([status, shim.disk_seen()]).encode())

    def together(self, faults: Sequence[Fault]) -> list[str]:
        """What is wrong after these, one upon the other, in words."""
        self.copy()
        engine = open_engine(self.url)
        before = digest_of(engine)
        engine.dispose()
        wrong, answers = list[str](), list[int]()
        for fault in faults:
            status, _, ended = self._made(fault)
            answers.append(status)
            if ended not in (0, -signal.SIGKILL) or status not in FAIR:
                wrong.append(f"{fault.what} was answered {status} and ended with {ended}")
        ended = in_a_process(partial(start, self.service, self.url))
        wrong += [f"a server's start ended with {ended}"] if ended else []
        try:
            wrong += judged(self.service, engine, before, OURS, zip((one.what for one in faults), answers, strict=True))
        finally:
            engine.dispose()
        if self._made(Fault(BACK, -1, 0, sticky=False))[0] != DONE:
            wrong.append("going back on a sound disk is not done")
        wrong += [f"when gone back: {one}" for one in not_done(self.service, engine)]
        engine.dispose()
        return wrong


def made(pages: Flask, service: Service, engine: Engine, url: str, what: str) -> int:
    """How a press, or a going back, is answered by a server that starts for it."""
    clock = Clock(LONG_AGO)
    clock.advance(minutes=os.getpid() % 50_000)  # no two copies have one name
    if what == BACK:
        try:
            restore(service.settings(url), folder_of(service.data) / service.source.name, clock)
        except NoBackup:
            return WORD
        return DONE
    try:
        put_over(pages, service.settings(url), engine, clock)
    except DBAPIError:
        return NO_START
    browser, address, fields = ACTS[what].sends(service.scene)
    client = pages.test_client()
    client.set_cookie("overseer", browser.cookie)
    return client.post(address, data=dict(fields) | {"csrf_token": browser.token}).status_code


def start(service: Service, url: str) -> None:
    """What ``overseer serve`` does first, in a process of its own."""
    engine = open_engine(url)
    known = look(engine, service.data, LONG_AGO)
    engine.dispose()
    if known is not None and known.closed != RESTORING:
        os._exit(DAMAGED)
    look_at_start(service.settings(url))


def judged(
    service: Service, engine: Engine, before: str, acts: Sequence[str], answered: Iterable[tuple[str, int]]
) -> list[str]:
    """What the database cannot be after these answers, in words."""
    with Session(engine) as s:
        wrong = told(check_invariants(s))
        done = {name: ACTS[name].done(s, service.scene) for name in acts if name != BACK}
    done[BACK] = not not_done(service, engine)
    if not any(done.values()) and digest_of(engine) != before:
        wrong.append("some of it is stored, and not all")
    for what, answer in answered:
        if answer == DONE and not done[what] and not (done[BACK] or done.get("decide")):
            wrong.append(f"{what} was answered as done, and is not")
    return wrong


if __name__ == "__main__":
    gc.freeze()
    wait_for_the_disk()
    found = work(Job(**json.loads(sys.stdin.read())))
    sys.stdout.write("\n" + json.dumps({"wrong": found.wrong, "counts": found.counts}) + "\n")
