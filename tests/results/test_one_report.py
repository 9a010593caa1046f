"""Reporting a result takes at most 12 database statements and enters at most 30 of our modules."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from flask import Flask

from models.play import Report
from tests.kit.stage import Stage
from tests.kit.statements import sent
from tests.kit.tables import MINE, OUTBOX, Enter, form_of, seat

ROOT = Path(__file__).parents[2]
OURS = ("app.py", "events/", "models/", "validators/", "pdf/", "migrations/")
MOST_STATEMENTS, MOST_MODULES = 12, 30


@contextmanager
def modules_entered() -> Iterator[set[str]]:
    """The paths of our modules whose functions run in this thread during the block."""
    seen: set[str] = set()

    def note(frame: FrameType, what: str, _: object) -> None:
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


def test_one_report_costs_few_statements_and_few_modules(app: Flask, stage: Stage, enter: Enter) -> None:
    first, *others = seat(stage, enter, "Ada", "Bo", "Cy", "Di", "Ed", "Flo")
    forms = [form_of(table.a, a__objectives="3", b__objectives="1") for table in (first, *others)]
    assert first.a.http.post(MINE, data=forms[0]).status_code == 302  # what is read once is read
    for table, body, headers in zip(others, forms[1:], ({}, OUTBOX), strict=True):
        with sent(app.extensions["overseer_engine"]) as asked, modules_entered() as entered:
            answer = table.a.http.post(MINE, data=body, headers=headers)
        assert answer.status_code in (200, 302)
        rows = [one for one in asked if not one.startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"))]
        assert len(rows) <= MOST_STATEMENTS, "\n".join(rows)
        assert len(entered) <= MOST_MODULES, "\n".join(sorted(entered))
    assert len(stage.all(Report)) == 3
