"""R3, F7: the n-th write to the database's files fails, for n = 1, 2, 3 ... until a press comes to its end.

``bad_disk.c`` is compiled and loaded before all other libraries into a process of its own, which serves the presses.
The disk is full (ENOSPC) or broken (EIO), once or from then on; or a process that serves is killed at that write.
Afterwards the answer was one of words, the organiser's desk is answered too and warns of a full disk, the database is
as before or has all of the press, every promise is kept, and the same press, made again on a sound disk by the same
server, succeeds.
"""

import ctypes
import errno
import gc
import json
import random
import shutil
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from flask import Flask
from sqlalchemy import Engine
from sqlmodel import Session

from app import build_pages, put_over
from events.invariants import check_invariants, told
from events.settings import Settings
from models.db import open_engine
from tests.actions.stage import Stage
from tests.chaos.acts import ACTS, LONG_AGO, Act, Scene, prepared
from tests.chaos.broken import build
from tests.chaos.failing import in_a_process
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import SECRET
from tests.chaos.shim import compiled, wait_for_the_disk, worked
from tests.conftest import Clock

EIGHT = ("pair", "publish", "report", "confirm", "correct", "drop", "reveal", "sign up")
FEW = {"report": 1}
"""In the short profile these presses alone, at the last write and at so many others."""
FULL = 507
WORDS = (503, FULL)
"""What may be answered where a write failed, beside the answer that all is done."""
KILLED = 0
SAID = {errno.ENOSPC: "ENOSPC", errno.EIO: "EIO", KILLED: "killed"}
FAILURES = [(failure, sticky) for failure in (errno.ENOSPC, errno.EIO) for sticky in (False, True)]
KILLS = 4
"""At every so manieth write the process is killed too."""


@dataclass(frozen=True)
class Job:
    """What the process with the bad disk is to do."""

    size: Size
    broken: str | None
    urls: dict[str, str]
    """By press: a migrated database without rows."""
    folder: str
    seed: int


def run(size: Size, broken: str | None, *, urls: dict[str, str], folder: Path, seed: int) -> Outcome:
    """Compile, then do all of it in a process under the bad disk."""
    folder.mkdir(exist_ok=True)
    library = compiled(Path(__file__).with_suffix(".c"), folder)
    work = folder / (broken or "sound")
    work.mkdir()
    job = Job(size, broken, urls, str(work), seed)
    said = worked("tests.chaos.bad_disk", library, asdict(job))
    outcome = Outcome(wrong=said["wrong"])
    outcome.counts.update(said["counts"])
    return outcome


def presses(size: Size) -> Sequence[str]:
    """Which presses are tried in a profile."""
    return EIGHT if size == "full" else tuple(FEW)


def work(job: Job) -> Outcome:
    """Everything, in a process that has the bad disk loaded."""
    outcome, dice, pages = Outcome(), random.Random(job.seed), build_pages()
    path = Path(job.folder) / "copy" / "overseer.sqlite3"
    engine, look = (open_engine(f"sqlite:///{path}") for _ in range(2))  # for all copies: each statement written once
    for name in presses(job.size):
        source = Path(job.urls[name].removeprefix("sqlite:///"))
        scene = prepared(job.urls[name], ACTS[name].state)
        tried = Tried(pages, scene, ACTS[name], source.parent, path, engine, look, job.broken)
        status, writes = _on_sound_disk(tried)
        if status not in (200, 302) or writes < 2:
            outcome.wrong.append(f"{name}: on a sound disk it answers {status} after {writes} writes")
            continue
        outcome.counts[f"{name}: writes"] = writes
        few = sorted({writes, *(dice.randrange(1, writes) for _ in range(FEW.get(name, 1)))})
        for n in range(1, writes + 1) if job.size == "full" and job.broken is None else few:
            for failure, sticky in FAILURES if n % KILLS else [*FAILURES, (KILLED, False)]:
                where = f"{name}, write {n}, {SAID[failure]}{' for good' if sticky else ''}"
                wrong = _failed(tried, n, failure, outcome, sticky=sticky)
                outcome.wrong += [f"{where}: {one}" for one in wrong]
                if job.broken is not None and outcome.wrong:
                    return outcome
    return outcome


@dataclass
class Tried:
    """A press, and the database that it is made in: a copy of what stands in a folder, each time anew."""

    pages: Flask
    scene: Scene
    act: Act
    source: Path
    path: Path
    engine: Engine
    """The server's."""
    look: Engine
    """Of whoever looks what became of it."""
    broken: str | None
    before: str = ""
    """A mark of all that a fresh copy holds."""

    def copy(self) -> None:
        """Put a fresh copy in its place; nobody is connected to the old one."""
        self.engine.dispose()
        self.look.dispose()
        shutil.rmtree(self.path.parent, ignore_errors=True)
        shutil.copytree(self.source, self.path.parent)

    def digest(self) -> str:
        """A mark of all that the copy holds."""
        stage = Stage(self.look, Clock(LONG_AGO))
        try:
            return stage.digest()
        finally:
            stage.s.close()

    def looked_at(self) -> tuple[list[str], bool]:
        """Which promises the copy breaks, and whether it has all of the press."""
        with Session(self.look) as s:
            return told(check_invariants(s)), self.act.done(s, self.scene)


def _on_sound_disk(tried: Tried) -> tuple[int, int]:
    """The status that the press is answered, and how many writes it makes; the mark of a fresh copy is kept."""
    tried.copy()
    tried.before = tried.digest()
    with build(tried.broken):
        status, writes = _press(tried, 0, 0, sticky=False)
        _desk(tried)  # what is read once for a page is read now
    _mend()
    return status, writes


def _failed(tried: Tried, n: int, failure: int, outcome: Outcome, *, sticky: bool) -> list[str]:
    """What is wrong after the n-th write failed so, in words. The server goes on, and so this very process does."""
    tried.copy()
    status, wrong = 0, list[str]()
    with build(tried.broken):
        if failure == KILLED:
            wrong += _killed(tried, n)
            outcome.counts["kills"] += 1
        else:
            status, _ = _press(tried, n, failure, sticky=sticky)
            desk, warned = _desk(tried)
            outcome.counts.update(["failures", f"answered {status}", f"the desk meanwhile: {desk}"])
            wrong += [] if status in (200, 302, *WORDS) else [f"it answered {status}"]
            wrong += [] if desk in (200, *WORDS) else [f"the desk meanwhile answered {desk}"]
            if status == FULL and desk == 200 and not warned:
                wrong.append("the desk says nothing of a full disk")
        _mend()
        broken, done = tried.looked_at()
        wrong += broken
        if done:
            return wrong
        if tried.digest() != tried.before:
            wrong.append("some of it is stored, and not all")
        if status in (200, 302):
            wrong.append("it was answered as done, and is not")
        _sent(tried)  # as a phone does, of the server that goes on
        broken, done = tried.looked_at()
        return wrong + broken + ([] if done else ["made again on a sound disk it was not done"])


def _killed(tried: Tried, n: int) -> list[str]:
    """Make the press in a process that is killed at its n-th write; what is wrong with how it ended."""
    ended = in_a_process(lambda: _die(tried, n))
    _over(tried)
    return [] if ended == -signal.SIGKILL else [f"it ended with {ended} instead of being killed"]


def _die(tried: Tried, n: int) -> None:
    _press(tried, n, KILLED, sticky=False)


def _over(tried: Tried) -> None:
    """Set the pages over the copy, as a start does; the next connection is a new one."""
    tried.look.dispose()
    url = f"sqlite:///{tried.path}"
    put_over(tried.pages, Settings(tried.path.parent, url, SECRET, "127.0.0.1", 8000), tried.engine, Clock(LONG_AGO))
    tried.engine.dispose()


def _mend() -> None:
    """The disk is sound again."""
    ctypes.CDLL(None).disk_arm(ctypes.c_long(-1), 0, 0)


def _press(tried: Tried, n: int, failure: int, *, sticky: bool) -> tuple[int, int]:
    """Make the press in this process, its n-th write failing; the status, and how many writes there were."""
    _over(tried)  # the connection is opened on the bad disk, as after a start
    shim = ctypes.CDLL(None)
    shim.disk_arm(ctypes.c_long(n), failure, int(sticky))
    return _sent(tried), int(shim.disk_seen())


def _sent(tried: Tried) -> int:
    browser, address, fields = tried.act.sends(tried.scene)
    client = tried.pages.test_client()
    client.set_cookie("overseer", browser.cookie)
    return client.post(address, data=dict(fields) | {"csrf_token": browser.token}).status_code


def _desk(tried: Tried) -> tuple[int, bool]:
    """What the organiser sees then: the status, and whether it is told that the disk is full."""
    client = tried.pages.test_client()
    client.set_cookie("overseer", tried.scene.olga.cookie)
    page = client.get(f"/e/{tried.scene.slug}/desk")
    return page.status_code, "disk is full" in page.get_data(as_text=True)


if __name__ == "__main__":
    gc.freeze()
    wait_for_the_disk()
    found = work(Job(**json.loads(sys.stdin.read())))
    sys.stdout.write("\n" + json.dumps({"wrong": found.wrong, "counts": found.counts}) + "\n")
