"""Deliberately broken builds, by name. A harness proves something only if it finds its broken build.

A build replaces functions: in its own process (``create_app``), or in this one until a block ends (``build``).
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import Any

import pytest
from flask import Flask, g
from sqlmodel import Session
from wtforms import Form

import app
from events.results import actions as results_actions
from events.store import players as play_players
from events.tournament.boards import Board
from events.visitors import access
from events.web import http, idempotency
from models import db
from models.capture import KEY, Capture
from models.event import Event
from models.journal import NOBODY, Actor
from models.play import Player

OURS = ("app", "events.", "models.", "migrations", "pdf.")
ANSWERED_BEFORE = 0.1
"""Seconds between the answer and its commit in the build ``answer_first``."""


def swap(stack: ExitStack, ours: object, other: object) -> None:
    """Replace ``ours`` with ``other`` in every module of the project, until the stack closes."""
    found = 0
    for module_name, module in list(sys.modules.items()):
        if not module_name.startswith(OURS):
            continue
        for name, value in list(vars(module).items()):
            if value is ours:
                setattr(module, name, other)
                stack.callback(setattr, module, name, ours)
                found += 1
    assert found, f"no module has {ours}"


@contextmanager
def build(name: str | None) -> Iterator[None]:
    """Run the broken build of this name (None: the sound build) in this process until the block ends."""
    with ExitStack() as stack:
        if name is not None:
            BUILDS[name](stack)
        yield


def create_app(name: str) -> Flask:
    """The application of a broken build, for a process that serves nothing else."""
    BUILDS[name](ExitStack())
    return app.create_app()


def no_keys(stack: ExitStack) -> None:
    """Idempotency keys and repeated reports are ignored: every submission is stored."""
    swap(stack, idempotency.stored_result, lambda s, event, submission: None)
    swap(stack, results_actions.repeats_report, lambda own, claim: False)
    swap(stack, idempotency.store_result, lambda s, event, submission, result, now: None)


def open_lists(stack: ExitStack) -> None:
    """Everybody may read every force list."""
    swap(stack, access.may_see_force, lambda visitor, player, event, now, submitted, opponent: True)


def in_pieces(stack: ExitStack) -> None:
    """Changes have no transaction and no lock: each statement is committed by itself."""
    swap(stack, db.begin_statement, lambda connection: "SELECT 1")  # SQLite commits each statement by itself
    swap(stack, db.write, write_that(lambda session: session.commit(), locked=False))


def answer_first(stack: ExitStack) -> None:
    """A change is committed only after its answer is sent."""

    def close_session(_: BaseException | None) -> None:
        session = g.pop("session", None)
        if session is not None and session.info.pop("later", False):
            threading.Thread(target=_commit_later, args=(session,)).start()
        elif session is not None:
            session.close()

    swap(stack, db.write, write_that(lambda session: session.info.update(later=True)))
    swap(stack, http.close_session, close_session)


def _commit_later(session: Session) -> None:
    time.sleep(ANSWERED_BEFORE)
    with session:
        session.commit()


def write_that(ends: Callable[[Session], object], *, locked: bool = True) -> Callable[..., Any]:
    """A ``write`` that calls ``ends`` instead of committing; unless ``locked``, it takes no lock."""

    @contextmanager
    def write(
        session: Session,
        now: datetime,
        event_row: Event | None = None,
        by: Actor = NOBODY,
        *,
        public: bool = True,
        other: Event | None = None,
    ) -> Iterator[Session]:
        session.rollback()
        alone = {"isolation_level": "AUTOCOMMIT"} if session.get_bind().dialect.name == "postgresql" else {}
        session.connection(execution_options=db.FOR_WRITING if locked else alone)
        try:
            capture = session.info[KEY] = Capture(session, now, event_row, by, public, other)
            for row in (event_row, other):
                if row is not None:
                    session.refresh(row, with_for_update=locked or None)
                    capture.begin(row)
                    capture.raise_version(row)
            yield session
            capture.finish()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.info.pop(KEY, None)
        ends(session)

    return write


def no_checks(stack: ExitStack) -> None:
    """Forms accept all input, so the actions get it unchecked."""
    stack.enter_context(pytest.MonkeyPatch.context()).setattr(Form, "validate", lambda form, *_, **__: True)


def absent_who_play(stack: ExitStack) -> None:
    """A game with an absent player has no result."""
    of = Board.__dict__["result"].func
    stack.enter_context(pytest.MonkeyPatch.context()).setattr(
        Board, "result", property(lambda board: None if board.absent else of(board))
    )


def any_event(stack: ExitStack) -> None:
    """Players are found by id in any event, not only in the address's event."""
    swap(stack, play_players.player_of, lambda s, event, player_id: s.get(Player, player_id))


BUILDS: dict[str, Callable[[ExitStack], None]] = {
    function.__name__: function
    for function in (absent_who_play, answer_first, any_event, in_pieces, no_checks, no_keys, open_lists)
}
