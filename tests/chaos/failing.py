"""R2, F4: kill the process at every statement of every action; each action is stored completely or not at all.

After each kill the database is unchanged or holds the complete action, all invariants hold, and the same request sent
again succeeds. Copying a PostgreSQL database is slow, so an unchanged copy is used for the next kill too.
"""

import os
import random
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from flask import Flask
from sqlalchemy import Connection, Engine, event
from sqlmodel import Session

from app import build_pages
from models.db import open_engine
from tests.chaos.acts import ACTS, ALONE, LONG_AGO, Act, Scene, prepared, served
from tests.chaos.broken import build
from tests.chaos.outcome import Lab, Outcome, broken_invariants
from tests.conftest import Clock
from tests.kit.stage import Stage

FEW = {"pair": 2, "report": 2, "publish": 1}
"""The short profile: for each of its actions, the number of random kill points between first change and commit.

It also kills before and after the commit, and at the end.
"""
CHANGING = ("INSERT", "UPDATE", "DELETE")
NEVER = 10**6
AGAIN_AFTER = 8


def run(lab: Lab) -> Outcome:
    """Kill every action at its points. With a broken build, stop at the first fault found."""
    outcome, dice, pages = Outcome(), random.Random(lab.seed), build_pages()
    for name in ALONE if lab.size == "full" else FEW:
        source = lab.fresh()
        scene = prepared(source, ACTS[name].state)
        points = _points(lab, pages, scene, ACTS[name], lab.copied(source))
        if isinstance(points, int):
            outcome.wrong.append(f"{name}: the action failed: {points}")
            continue
        end, first, commit = points
        within = (dice.randrange(first + 1, commit) for _ in range(FEW.get(name, 0)))
        few = {commit, commit + 1, end, *within}
        url, every = "", AGAIN_AFTER if source.startswith("postgresql") else 1
        for point in range(1, end + 1) if lab.size == "full" and lab.broken is None else sorted(few):
            url = url or lab.copied(source)
            outcome.counts[f"{name}: points"] += 1
            again = point % every == 0 or point == end
            wrong, as_before = _killed_at(lab, pages, scene, ACTS[name], url, point, again=again)
            outcome.counts["made again"] += again
            outcome.wrong += [f"{name}, point {point}: {text}" for text in wrong]
            url = url if as_before and not again else ""
            if lab.broken is not None and outcome.wrong:
                return outcome
    return outcome


def _points(lab: Lab, pages: Flask, scene: Scene, act: Act, url: str) -> tuple[int, int, int] | int:
    """Run the action; return its last point, first changing point and last commit, or its exit status if it failed."""
    reader, writer = os.pipe()
    ended = in_a_process(lambda: press(replace(lab, broken=None), pages, scene, act, url, NEVER, writer))
    os.close(writer)
    with os.fdopen(reader) as pipe:
        counts = pipe.read()
    if ended or not counts:
        return -ended
    end, first, commit = map(int, counts.split())
    return end, first, commit


def _killed_at(
    lab: Lab, pages: Flask, scene: Scene, act: Act, url: str, point: int, *, again: bool
) -> tuple[Sequence[str], bool]:
    """Kill the action at ``point``; return the faults found, and whether the database is unchanged."""
    engine = _engine(url)
    before = _digest(engine)
    engine.dispose()  # no process may share a connection with this one
    ended = in_a_process(lambda: press(lab, pages, scene, act, url, point))
    wrong = [] if ended == -signal.SIGKILL else [f"it ended with {ended} instead of being killed"]
    try:
        wrong += broken_invariants(engine)
        as_before = _digest(engine) == before
        with Session(engine) as s:
            if not as_before and not act.done(s, scene):
                wrong.append("some of it is stored, and not all")
        engine.dispose()
        if again or not as_before:
            ended = in_a_process(lambda: press(lab, pages, scene, act, url, NEVER))
            with Session(engine) as s:
                if not act.done(s, scene):
                    wrong.append(f"made again, it was not done ({ended})")
            wrong += [f"made again: {invariant}" for invariant in broken_invariants(engine)]
    finally:
        engine.dispose()
    return wrong, as_before


@cache
def _engine(url: str) -> Engine:
    """The engine for ``url``, shared by all checks so that its compiled statements are reused."""
    return open_engine(url)


def _digest(engine: Engine) -> str:
    return Stage(engine, Clock(LONG_AGO)).digest()


def in_a_process(work: Callable[[], None]) -> int:
    """Run ``work`` in a forked process; return its exit status, or the negative number of the signal that ended it."""
    process = os.fork()
    if process == 0:
        try:
            work()
        except BaseException:
            os._exit(70)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def press(lab: Lab, pages: Flask, scene: Scene, act: Act, url: str, point: int, tell: int | None = None) -> None:
    """Send the action's request and kill this process at ``point``; write the counts for ``_points`` to ``tell``."""
    with build(lab.broken):
        # A broken build may configure connections differently, so it needs a new engine.
        engine = _engine(url) if lab.broken is None else open_engine(url)
        served(pages, lab, url, engine)
        passed = first = commit = 0

        def at_point(*_: object) -> None:
            nonlocal passed
            passed += 1
            if passed == point:
                os.kill(os.getpid(), signal.SIGKILL)

        def before_statement(_: Connection, cursor: object, statement: str, *__: object) -> None:
            nonlocal first
            at_point()
            if statement.startswith(CHANGING):
                first = first or passed

        def before_commit(_: Connection) -> None:
            nonlocal commit
            at_point()
            commit = passed

        event.listen(engine, "before_cursor_execute", before_statement)
        event.listen(engine, "commit", before_commit)
        event.listen(Session, "after_commit", at_point)
        if act.press(pages, scene) not in (200, 302):
            os._exit(60)
        if tell is not None:
            os.write(tell, f"{passed} {first} {commit}".encode())
