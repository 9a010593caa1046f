"""Deliberately broken builds, by name: what each harness has to find out, or it proves nothing.

The product knows nothing of them. A build puts other functions in the place of ours, in every module that took them by
name: in a process of its own (``create_app``, which ``serving`` lets gunicorn call), or in this one for as long as a
block lasts (``build``).
"""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from flask import Flask, g
from sqlalchemy import URL, Connection, Engine, text
from sqlalchemy.event import listen, remove
from sqlmodel import Session
from wtforms import Form

import app
import migrations
from events import access_lists, backups, half_restored, keeping, outcomes, reading, restoring, shape
from events.actions import results
from events.views import trouble
from events.web import idempotency
from models import copies, db, seals
from models.capture import KEY, Capture
from models.event import Event
from models.journal import NOBODY, Actor
from models.play import Player

FIRST: list[bytes] = []
"""What the first copy of a build holds that makes no other."""
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
    swap(stack, results._repeats, lambda s, game, side, answers, how, reason: False)
    swap(stack, idempotency.store_result, lambda s, event, submission, result, now: None)


def open_lists(stack: ExitStack) -> None:
    """Whether somebody may read a force list is not asked."""
    swap(stack, access_lists.may_see_force, lambda visitor, player, event, now, submitted: True)


def in_pieces(stack: ExitStack) -> None:
    """A change is no transaction and holds no lock: each statement is stored by itself, and seen by all at once."""

    @contextmanager
    def write(session: Session, now: datetime, event_row: Event | None = None, by: Actor = NOBODY) -> Iterator[Session]:
        with _changed(session, now, event_row, by, locked=False) as s:
            yield s
        session.commit()

    _never_begun(stack)
    swap(stack, db.write, write)


def _never_begun(stack: ExitStack) -> None:
    """SQLite stores each statement by itself."""
    stack.callback(setattr, db.ToldToBegin, "do_begin", db.ToldToBegin.do_begin)
    setattr(db.ToldToBegin, "do_begin", lambda dialect, connection: None)  # noqa: B010 - mypy refuses it by name
    swap(stack, db.lock_file, lambda connection: None)


def any_event(stack: ExitStack) -> None:
    """Players are looked up by their id alone, whatever event the address names."""
    swap(stack, reading.player_of, lambda s, event, player_id: s.get(Player, player_id))


def answer_first(stack: ExitStack) -> None:
    """A change is answered, and committed a moment later."""

    @contextmanager
    def write(session: Session, now: datetime, event_row: Event | None = None, by: Actor = NOBODY) -> Iterator[Session]:
        with _changed(session, now, event_row, by) as s:
            yield s
        s.info["later"] = True

    def close_session(_: BaseException | None) -> None:
        session = g.pop("session", None)
        if session is not None and session.info.pop("later", False):
            threading.Thread(target=_commit_later, args=(session,)).start()
        elif session is not None:
            session.close()

    swap(stack, db.write, write)
    swap(stack, app.close_session, close_session)


def _commit_later(session: Session) -> None:
    time.sleep(ANSWERED_BEFORE)
    with session:
        session.commit()


@contextmanager
def _changed(
    session: Session, now: datetime, event_row: Event | None, by: Actor, *, locked: bool = True
) -> Iterator[Session]:
    """What ``write`` does, without the commit."""
    session.rollback()
    alone = {"isolation_level": "AUTOCOMMIT"} if not locked and session.get_bind().dialect.name == "postgresql" else {}
    connection = session.connection(execution_options=alone)
    try:
        if locked:
            db.lock_file(connection)
        if event_row is not None:
            session.refresh(event_row, with_for_update=locked or None)
        capture = session.info[KEY] = Capture(session, now, event_row, by)
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


def no_words(stack: ExitStack) -> None:
    """What a disk or a database fails with is told as a fault of ours."""
    swap(stack, trouble.show_trouble, lambda error: None)


def file_alone(stack: ExitStack) -> None:
    """A copy is the database's file as it lies there, without its log."""

    def as_it_lies(engine: Engine, path: Path) -> list[str]:
        shutil.copyfile(engine.url.database or "", path)
        return []

    swap(stack, copies.vacuum_into, as_it_lies)


def first_again(stack: ExitStack) -> None:
    """A copy of PostgreSQL is the one that was made first, whatever was stored since."""
    whole = backups._dump_postgres

    def dump(url: URL, path: Path) -> None:
        if not FIRST:
            whole(url, path)
            FIRST.append(path.read_bytes())
        path.write_bytes(FIRST[0])

    swap(stack, backups._dump_postgres, dump)


def steps_apart(stack: ExitStack) -> None:
    """An upgrade is no transaction: each of its statements is stored by itself."""

    def upgrade(engine: Engine) -> None:
        apart = {"isolation_level": "AUTOCOMMIT"} if engine.dialect.name == "postgresql" else {}
        with engine.connect().execution_options(**apart) as connection:
            command.upgrade(migrations.alembic_config(connection), "head")
            connection.commit()

    _never_begun(stack)
    swap(stack, migrations.upgrade, upgrade)


def unlocked(stack: ExitStack) -> None:
    """Nothing keeps two upgrades apart."""

    def let_in(connection: Connection, cursor: Any, statement: str, parameters: Any, *rest: Any) -> tuple[str, Any]:
        return ("SELECT 1" if "pg_advisory_xact_lock(" in statement else statement), parameters

    swap(stack, db.lock_file, lambda connection: None)
    listen(Engine, "before_cursor_execute", let_in, retval=True)
    stack.callback(remove, Engine, "before_cursor_execute", let_in)


def forgetful(stack: ExitStack) -> None:
    """An upgrade loses the answers that are kept of presses, as one that makes their table anew may."""
    whole = migrations.upgrade

    def upgrade(engine: Engine, revision: str = "head") -> None:
        whole(engine, revision)
        with engine.connect() as connection:
            db.lock_file(connection)
            connection.execute(text("DELETE FROM kept_answer"))
            connection.commit()

    swap(stack, migrations.upgrade, upgrade)


def no_wait(stack: ExitStack) -> None:
    """No commit waits for the disk."""
    set_up = db._set_up_connection

    def set_up_fast(connection: Any, record: Any) -> None:
        set_up(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    swap(stack, set_up, set_up_fast)


def by_hand(stack: ExitStack) -> None:
    """A copy is put in as somebody would by hand: the old file away, the new one there, or one table after another."""
    postgres = backups.postgres

    def put_in(live: Path, fresh: Path, data: Path, now: datetime, *, sound: bool) -> None:
        for tail in ("", "-wal", "-shm"):
            live.with_name(live.name + tail).unlink(missing_ok=True)
        shutil.copyfile(fresh, live)

    def in_pieces(url: URL, program: str, *arguments: str, apart: bool = False) -> None:
        postgres(url, program, *(one for one in arguments if one != "--single-transaction"), apart=apart)

    swap(stack, restoring._put_in, put_in)
    swap(stack, postgres, in_pieces)


def left_undone(stack: ExitStack) -> None:
    """Nobody brings to its end what going back had left to do."""
    swap(stack, half_restored.bring_to_its_end, lambda engine, data, now: None)


def absent_who_play(stack: ExitStack) -> None:
    """A game whose player did not come counts for nobody."""
    whole = outcomes.result_of
    swap(
        stack,
        whole,
        lambda event, number, scenario, game: None if game.absent else whole(event, number, scenario, game),
    )


def no_look(stack: ExitStack) -> None:
    """Nobody looks whether the database is whole."""
    swap(stack, keeping.look, lambda engine, data, now, within=None: None)


def no_seals(stack: ExitStack) -> None:
    """Whoever looks asks no seal: nothing accounts for the journal itself, nor for rows that it does not follow."""
    swap(stack, seals.not_as_written, lambda connection, event_id, begun: iter(()))
    swap(stack, seals.rows_not_as_written, lambda connection, table: iter(()))


def any_shape(stack: ExitStack) -> None:
    """Nobody looks whether the database is still in the shape that the server was started for."""
    swap(stack, db.hold_to, lambda engine, revision: None)
    swap(stack, shape.Shape, FitsAlways)


class FitsAlways:
    """Takes every database for one of this version."""

    def __init__(self, *_: object) -> None:
        """Look at nothing."""

    def fits(self, now: datetime) -> bool:
        """Yes."""
        return True

    def look(self) -> bool:
        """Yes."""
        return True


BUILDS: dict[str, Callable[[ExitStack], Any]] = {
    "absent_who_play": absent_who_play,
    "answer_first": answer_first,
    "any_event": any_event,
    "any_shape": any_shape,
    "by_hand": by_hand,
    "in_pieces": in_pieces,
    "left_undone": left_undone,
    "no_checks": no_checks,
    "file_alone": file_alone,
    "first_again": first_again,
    "forgetful": forgetful,
    "no_keys": no_keys,
    "no_look": no_look,
    "no_wait": no_wait,
    "no_seals": no_seals,
    "no_words": no_words,
    "open_lists": open_lists,
    "steps_apart": steps_apart,
    "unlocked": unlocked,
}
