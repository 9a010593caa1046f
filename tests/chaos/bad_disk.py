"""R3, F7: the n-th write to the database's files fails, for n = 1, 2, 3 ... until a press comes to its end.

``bad_disk.c`` is compiled and loaded before all other libraries into a process of its own, which forks one for each
press. The disk is full (ENOSPC) or broken (EIO), once or from then on. Afterwards the answer was one of words, the
database is as before or has all of the press, every promise is kept, and the same press, made again on a sound disk,
succeeds.
"""

import ctypes
import errno
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from flask import Flask
from sqlmodel import Session

from app import build_pages, put_over
from events.invariants import check_invariants, told
from events.settings import Settings
from models.db import open_engine
from tests.actions.stage import Stage
from tests.chaos.acts import ACTS, LONG_AGO, Act, Scene, prepared
from tests.chaos.broken import build
from tests.chaos.outcome import ROOT, Outcome, Size
from tests.chaos.serving import SECRET
from tests.conftest import Clock

EIGHT = ("pair", "publish", "report", "confirm", "correct", "drop", "reveal", "sign up")
FEW = {"report": 1}
"""In the short profile these presses alone, at the last write and at so many others."""
WORDS = (503, 507)
"""What may be answered where a write failed, beside the answer that all is done."""


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
    library = folder / "bad_disk.so"
    source = Path(__file__).with_suffix(".c")
    compiled = subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], capture_output=True, text=True
    )
    assert compiled.returncode == 0, f"gcc is needed, and says: {compiled.stderr}"
    work = folder / (broken or "sound")
    work.mkdir()
    job = Job(size, broken, urls, str(work), seed)
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.bad_disk"], input=json.dumps(asdict(job)), capture_output=True, text=True,
        cwd=ROOT, env=os.environ | {"LD_PRELOAD": str(library)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    said = json.loads(done.stdout.splitlines()[-1])
    outcome = Outcome(wrong=said["wrong"])
    outcome.counts.update(said["counts"])
    return outcome


def presses(size: Size) -> Sequence[str]:
    """Which presses are tried in a profile."""
    return EIGHT if size == "full" else tuple(FEW)


def work(job: Job) -> Outcome:
    """Everything, in a process that has the bad disk loaded."""
    outcome, dice, pages = Outcome(), random.Random(job.seed), build_pages()
    for name in presses(job.size):
        source = Path(job.urls[name].removeprefix("sqlite:///"))
        mine = Path(job.folder) / name.replace(" ", "-")
        shutil.copytree(source.parent, mine)
        prepared_at = mine / "overseer.sqlite3"
        scene = prepared(f"sqlite:///{prepared_at}", ACTS[name].state)
        status, writes = _pressed(pages, scene, ACTS[name], _copy(prepared_at), job.broken, 0, 0, sticky=False)
        if status not in (200, 302) or writes < 2:
            outcome.wrong.append(f"{name}: on a sound disk it answers {status} after {writes} writes")
            continue
        few = sorted({writes, *(dice.randrange(1, writes) for _ in range(FEW.get(name, 1)))})
        for n in range(1, writes + 1) if job.size == "full" and job.broken is None else few:
            for failure in (errno.ENOSPC, errno.EIO):
                for sticky in (False, True):
                    outcome.counts["failures"] += 1
                    where = f"{name}, write {n}, {errno.errorcode[failure]}{' for good' if sticky else ''}"
                    wrong = _failed(pages, scene, ACTS[name], prepared_at, job.broken, n, failure, sticky=sticky)
                    outcome.wrong += [f"{where}: {one}" for one in wrong]
                    if job.broken is not None and outcome.wrong:
                        return outcome
    return outcome


def _failed(
    pages: Flask, scene: Scene, act: Act, source: Path, broken: str | None, n: int, failure: int, *, sticky: bool
) -> list[str]:
    before = _digest(source)
    path = _copy(source)
    status, _ = _pressed(pages, scene, act, path, broken, n, failure, sticky=sticky)
    wrong = [] if status in (200, 302, *WORDS) else [f"it answered {status}"]
    engine = open_engine(f"sqlite:///{path}")
    try:
        with Session(engine) as s:
            wrong += told(check_invariants(s))
            done = act.done(s, scene)
        if not done and _digest(path) != before:
            wrong.append("some of it is stored, and not all")
        if status in (200, 302) and not done:
            wrong.append("it was answered as done, and is not")
        if not done:
            engine.dispose()
            again, _ = _pressed(pages, scene, act, path, broken, -1, 0, sticky=False)
            with Session(engine) as s:
                if not act.done(s, scene):
                    wrong.append(f"made again on a sound disk it answered {again} and was not done")
    finally:
        engine.dispose()
    return wrong


def _copy(source: Path) -> Path:
    folder = source.parent.with_name(f"{source.parent.name}-copy")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source.parent, folder)
    return folder / source.name


def _digest(path: Path) -> str:
    engine = open_engine(f"sqlite:///{path}")
    stage = Stage(engine, Clock(LONG_AGO))
    try:
        return stage.digest()
    finally:
        stage.s.close()
        engine.dispose()


def _pressed(
    pages: Flask, scene: Scene, act: Act, path: Path, broken: str | None, n: int, failure: int, *, sticky: bool
) -> tuple[int, int]:
    """Make the press in a process forked for it; the status that it was answered, and how many writes it made."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            with build(broken):
                data = path.parent
                engine = open_engine(f"sqlite:///{path}")
                put_over(pages, Settings(data, f"sqlite:///{path}", SECRET, "127.0.0.1", 8000), engine, Clock(LONG_AGO))
                engine.dispose()  # the connection is opened on the bad disk, as after a start
                browser, address, fields = act.sends(scene)
                client = pages.test_client()
                client.set_cookie("overseer", browser.cookie)
                shim = ctypes.CDLL(None)
                shim.disk_arm(ctypes.c_long(n), failure, int(sticky))
                answer = client.post(address, data=dict(fields) | {"csrf_token": browser.token})
                os.write(writer, json.dumps([answer.status_code, shim.disk_seen()]).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told_by_it:
        said = told_by_it.read()
    os.waitpid(process, 0)
    status, writes = json.loads(said or "[0, 0]")
    return int(status), int(writes)


if __name__ == "__main__":
    found = work(Job(**json.loads(sys.stdin.read())))
    sys.stdout.write("\n" + json.dumps({"wrong": found.wrong, "counts": found.counts}) + "\n")
