"""A worker that stops in the middle of a change, with the lock in its hands: two builds beside those of ``broken``.

Where the file that ``CHAOS_HOLD`` names is there, the first change that finds it writes its process id beside it and
waits, its rows changed and not committed, until the file is gone.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from flask import Flask
from sqlmodel import Session

import app
from models import db
from models.event import Event
from models.journal import NOBODY, Actor
from tests.chaos.broken import swap

HOLD = "CHAOS_HOLD"
PATIENT = 600
"""Seconds that a change of the broken build waits for a lock."""


def create_app(name: str) -> Flask:
    """The application, held where it is told to be; ``patient``: and waiting for a lock as long as may be."""
    stack = ExitStack()
    _hold_changes(stack)
    if name == "patient":
        _wait_for_ever(stack)
    return app.create_app()


def _hold_changes(stack: ExitStack) -> None:
    ours = db.write

    @contextmanager
    def write(session: Session, now: datetime, event_row: Event | None = None, by: Actor = NOBODY) -> Iterator[Session]:
        with ours(session, now, event_row, by) as s:
            yield s
            s.flush()  # holds the rows as well, not the lock alone
            _hold()

    swap(stack, ours, write)


def _hold() -> None:
    hold = Path(os.environ[HOLD])
    if not hold.exists():
        return
    try:
        taken = os.open(hold.with_suffix(".held"), os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return
    os.write(taken, f"{os.getpid()}\n".encode())
    os.close(taken)
    while hold.exists():
        time.sleep(0.01)


def _wait_for_ever(stack: ExitStack) -> None:
    stack.callback(setattr, db, "BUSY_SECONDS", db.BUSY_SECONDS)
    db.BUSY_SECONDS = PATIENT
    swap(stack, db.WAIT_NO_LONGER, f"SELECT set_config('lock_timeout', '{PATIENT * 1000}', true)")
