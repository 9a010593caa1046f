"""F7: the service may write no more than a quota lets it, or nothing at all; it says so, and goes on where it can.

A quota is the kernel's own limit on the size of files (RLIMIT_FSIZE), so low that a report comes to it at its first
write, or in the middle. A folder that may only be read is one of root's, looked at by a process that gave root up. The
answer is one of words, nothing is stored, the desk is answered meanwhile, and once there is room the same server takes
the same report.
"""

import json
import os
import pwd
import random
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from flask import Flask
from sqlmodel import Session

from app import put_over
from events.invariants import check_invariants, told
from events.settings import Settings
from models.db import open_engine
from tests.actions.stage import Stage
from tests.chaos.acts import ACTS, LONG_AGO, Scene, prepared
from tests.chaos.broken import build
from tests.chaos.failing import in_a_process
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import SECRET
from tests.conftest import Clock

WORDS = (503, 507)
QUOTAS: dict[Size, int] = {"short": 3, "full": 30}
LARGEST = 60_000
"""Bytes that a report's pages take in the log, at the least."""
ACT = ACTS["report"]


def run(size: Size, broken: str | None, *, pages: Flask, fresh: Callable[[], str], seed: int) -> Outcome:
    """Report under quotas and in folders that may only be read; a broken build until something is found."""
    outcome, dice, url = Outcome(), random.Random(seed), fresh()
    scene = prepared(url, "published")
    source = Path(url.removeprefix("sqlite:///")).parent
    with _folder_for_all() as folder:
        for quota in [0, *(dice.randrange(LARGEST) for _ in range(QUOTAS[size] - 1))]:
            outcome.counts["quotas"] += 1
            wrong = _tried(pages, scene, source, folder, broken, partial(_limit, quota), partial(_limit, -1))
            outcome.wrong += [f"quota of {quota} bytes: {one}" for one in wrong]
            if broken is not None and outcome.wrong:
                return outcome
        for with_log in (False, True):
            outcome.counts["folders that may only be read"] += 1
            wrong = _tried(pages, scene, source, folder, broken, _give_root_up, None, read_only=True, with_log=with_log)
            outcome.wrong += [f"read-only, {'in use' if with_log else 'at rest'}: {one}" for one in wrong]
            if broken is not None and outcome.wrong:
                return outcome
    return outcome


@contextmanager
def _folder_for_all() -> Iterator[Path]:
    """A folder that another user may look into: pytest's own may not be."""
    folder = Path(tempfile.mkdtemp(prefix="overseer-room-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder)


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, -1))


def _give_root_up() -> None:
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)


def _tried(
    pages: Flask,
    scene: Scene,
    source: Path,
    folder: Path,
    broken: str | None,
    worsen: Callable[[], None],
    mend: Callable[[], None] | None,
    *,
    read_only: bool = False,
    with_log: bool = False,
) -> list[str]:
    """What is wrong with a report under this, in words."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(source, data)
    path = data / "overseer.sqlite3"
    before = _digest(path)
    holder = open_engine(f"sqlite:///{path}")
    held = holder.connect() if with_log else None  # its log and what it shares with others are there
    if held is not None:
        held.exec_driver_sql("SELECT count(*) FROM event")
    if read_only:
        for one in data.iterdir():
            one.chmod(0o444)
        data.chmod(0o555)
    told_to, tell = os.pipe()

    def work() -> None:
        with build(broken):
            engine = open_engine(f"sqlite:///{path}")
            settings = Settings(data, f"sqlite:///{path}", SECRET, "127.0.0.1", 8000)
            put_over(pages, settings, engine, Clock(LONG_AGO))
            if read_only:  # what Python reads once, for a page and for one of words, may not be for everybody to read
                _desk(pages, scene)
                _limit(0)
                _sent(pages, scene)
                _limit(-1)
            engine.dispose()
            worsen()
            statuses = [_sent(pages, scene), _desk(pages, scene)]
            if mend is not None:
                mend()
                statuses.append(_sent(pages, scene))
            os.write(tell, json.dumps(statuses).encode())

    ended = in_a_process(work)
    os.close(tell)
    with os.fdopen(told_to) as answers:
        statuses = json.loads(answers.read() or "[]")
    if held is not None:
        held.close()
    holder.dispose()
    data.chmod(0o755)
    for one in data.iterdir():
        one.chmod(0o644)
    return [f"the server ended with {ended}"] if ended else _judged(path, scene, before, statuses, with_log=with_log)


def _judged(path: Path, scene: Scene, before: str, statuses: list[int], *, with_log: bool) -> list[str]:
    report, desk, *again = statuses
    wrong = [] if report in (302, *WORDS) else [f"the report was answered {report}"]
    wrong += [] if desk in (200, *WORDS) else [f"the desk was answered {desk}"]
    if with_log and desk != 200:
        wrong.append(f"what could be read was answered {desk}")
    engine = open_engine(f"sqlite:///{path}")
    try:
        with Session(engine) as s:
            wrong += told(check_invariants(s))
            done = ACT.done(s, scene)
    finally:
        engine.dispose()
    if again and not done:
        wrong.append(f"when there was room it was answered {again[0]}, and is not stored")
    if not again and (report == 302 or _digest(path) != before):
        wrong.append("something was stored where nothing could be")
    return wrong


def _sent(pages: Flask, scene: Scene) -> int:
    browser, address, fields = ACT.sends(scene)
    client = pages.test_client()
    client.set_cookie("overseer", browser.cookie)
    return client.post(address, data=dict(fields) | {"csrf_token": browser.token}).status_code


def _desk(pages: Flask, scene: Scene) -> int:
    client = pages.test_client()
    client.set_cookie("overseer", scene.olga.cookie)
    return client.get(f"/e/{scene.slug}/desk").status_code


def _digest(path: Path) -> str:
    engine = open_engine(f"sqlite:///{path}")
    stage = Stage(engine, Clock(LONG_AGO))
    try:
        return stage.digest()
    finally:
        stage.s.close()
        engine.dispose()
