"""Deliberately broken builds, by name: what each harness has to find out, or it proves nothing.

The product knows nothing of them. A build puts other functions in the place of ours, in every module that took them by
name: in a process of its own (``create_app``, which ``serving`` lets gunicorn call), or in this one for as long as a
block lasts (``build``).
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
from events.accounts import access
from events.play import outcomes
from events.play import queries as play_queries
from events.results import actions as results_actions
from events.web import http, idempotency
from models import db
from models.capture import KEY, Capture
from models.event import Event
from models.journal import NOBODY, Actor
from models.play import Player

OURS = ("app", "events.", "models.", "migrations", "pdf.")
ANSWERED_BEFORE = 0.1
"""Seconds between an answer and its commit, in a build that answers first."""


def swap(stack: ExitStack, ours: object, other: object) -> None:
    """Put ``other`` wherever a module of ours has ``ours`` under any name, until the stack ends."""
    found = 0
    for module_name, module in list(sys.modules.items()):
        if not module_name.startswith(OURS):
            continue
        for name, value in list(vars(module).items()):
            if value is ours:
                setattr(module, name, other)
                stack.callback(setattr, module, name, ours)
                found += 1
    assert found, f"{ours} is nowhere"


@contextmanager
def build(name: str | None) -> Iterator[None]:
    """This process runs the broken build of this name (None: the sound one) until the block ends."""
    with ExitStack() as stack:
        if name is not None:
            BUILDS[name](stack)
        yield


def create_app(name: str) -> Flask:
    """The application of a broken build, for a process that runs nothing else."""
    BUILDS[name](ExitStack())
    return app.create_app()


def no_keys(stack: ExitStack) -> None:
    """Submissions have no keys, and nobody looks whether the same was said before: each is stored."""
    swap(stack, idempotency.stored_result, lambda s, event, submission: None)
    swap(stack, results_actions._repeats, lambda own, claim: False)
    swap(stack, idempotency.store_result, lambda s, event, submission, result, now: None)


def open_lists(stack: ExitStack) -> None:
    """Whether somebody may read a force list is not asked."""
    swap(stack, access.may_see_force, lambda visitor, player, event, now, submitted, opponent=False: True)


def in_pieces(stack: ExitStack) -> None:
    """A change is no transaction and holds no lock: each statement is stored by itself, and seen by all at once."""

    @contextmanager
    def write(
        session: Session, now: datetime, event_row: Event | None = None, by: Actor = NOBODY, *, public: bool = True
    ) -> Iterator[Session]:
        with _changed(session, now, event_row, by, public, locked=False) as s:
            yield s
        session.commit()

    _never_begun(stack)
    swap(stack, db.write, write)


def _never_begun(stack: ExitStack) -> None:
    """SQLite stores each statement by itself."""
    swap(stack, db.begin_statement, lambda connection: "SELECT 1")


def any_event(stack: ExitStack) -> None:
    """Players are looked up by their id alone, whatever event the address names."""
    swap(stack, play_queries.player_of, lambda s, event, player_id: s.get(Player, player_id))


def answer_first(stack: ExitStack) -> None:
    """A change is answered, and committed a moment later."""

    @contextmanager
    def write(
        session: Session, now: datetime, event_row: Event | None = None, by: Actor = NOBODY, *, public: bool = True
    ) -> Iterator[Session]:
        with _changed(session, now, event_row, by, public) as s:
            yield s
        s.info["later"] = True

    def close_session(_: BaseException | None) -> None:
        session = g.pop("session", None)
        if session is not None and session.info.pop("later", False):
            threading.Thread(target=_commit_later, args=(session,)).start()
        elif session is not None:
            session.close()

    swap(stack, db.write, write)
    swap(stack, http.close_session, close_session)


def _commit_later(session: Session) -> None:
    time.sleep(ANSWERED_BEFORE)
    with session:
        session.commit()


@contextmanager
def _changed(
    session: Session, now: datetime, event_row: Event | None, by: Actor, public: bool, *, locked: bool = True
) -> Iterator[Session]:
    """What ``write`` does, without the commit."""
    session.rollback()
    alone = {"isolation_level": "AUTOCOMMIT"} if session.get_bind().dialect.name == "postgresql" else {}
    session.connection(execution_options=db.FOR_WRITING if locked else alone)
    try:
        if event_row is not None:
            session.refresh(event_row, with_for_update=locked or None)
        capture = session.info[KEY] = Capture(session, now, event_row, by, public)
        capture.begin()
        if event_row is not None:
            capture.raise_version(event_row)
        yield session
        capture.finish()
    except BaseException:
        session.rollback()
        raise
    finally:
        session.info.pop(KEY, None)


def no_checks(stack: ExitStack) -> None:
    """Forms take whatever is sent: nothing stands between what was typed and the actions."""
    stack.enter_context(pytest.MonkeyPatch.context()).setattr(Form, "validate", lambda form, *_, **__: True)


def absent_who_play(stack: ExitStack) -> None:
    """A game whose player did not come counts for nobody."""
    whole = outcomes.result_of
    swap(
        stack,
        whole,
        lambda event, number, scenario, game: None if game.absent else whole(event, number, scenario, game),
    )


BUILDS: dict[str, Callable[[ExitStack], Any]] = {
    "absent_who_play": absent_who_play,
    "answer_first": answer_first,
    "any_event": any_event,
    "in_pieces": in_pieces,
    "no_checks": no_checks,
    "no_keys": no_keys,
    "open_lists": open_lists,
}
