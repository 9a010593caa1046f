"""What one reported result costs: at most 12 statements, and at most 30 of our modules between request and answer."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, event

from models.play import Report
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.web.test_presses_once import GAME, OUTBOX, filled

ROOT = Path(__file__).parents[2]
OURS = ("app.py", "events/", "models/", "validators/", "pdf/", "migrations/")
MOST_STATEMENTS, MOST_MODULES = 12, 30


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """The SQL statements that are run meanwhile; BEGIN, COMMIT, ROLLBACK and PRAGMA are not counted."""
    seen: list[str] = []

    def count(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA")):
            seen.append(statement)

    event.listen(engine, "before_cursor_execute", count)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", count)


@contextmanager
def modules_entered() -> Iterator[set[str]]:
    """The paths of our own modules of which a function is called meanwhile in this thread."""
    seen: set[str] = set()

    def note(frame: FrameType, what: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if what == "call" and path.startswith(str(ROOT)):
            name = path[len(str(ROOT)) + 1 :]
            if name.startswith(OURS):
                seen.add(name)

    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)


@pytest.fixture
def players(stage: Stage, enter: Callable[..., list[Person]]) -> list[Person]:
    """Four players at the two tables of round 1."""
    held = stage.event(scenarios=("hold-the-line", "", ""))
    people = enter(held, "Ada", "Bo", "Cy", "Di")
    stage.publish(held, 1)
    return people


@pytest.mark.parametrize("outbox", [True, False])
def test_one_report_costs_few_statements_and_few_modules(
    app: Flask, stage: Stage, players: list[Person], outbox: bool
) -> None:
    headers = OUTBOX if outbox else {}
    bodies = [(one, filled(one, a__objectives="3", b__objectives="1")) for one in players]
    reporter, body = bodies[0]
    assert reporter.http.post(GAME, data=body, headers=headers).status_code in (200, 302)  # what is read once is read
    engine: Engine = app.extensions["overseer_engine"]
    other, body = next((one, body) for one, body in bodies if body["game"] != bodies[0][1]["game"])
    with statements(engine) as asked, modules_entered() as entered:
        answer = other.http.post(GAME, data=body, headers=headers)
    assert answer.status_code in (200, 302)
    assert len(stage.all(Report)) == 2
    assert len(asked) <= MOST_STATEMENTS, "\n".join(asked)
    assert len(entered) <= MOST_MODULES, "\n".join(sorted(entered))
