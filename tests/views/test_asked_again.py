"""A request that meets another, or loses its database, is answered anew where that cannot make a change twice."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import OperationalError

from events.views.again import PAUSES
from models.db import BUSY_SECONDS, sqlite_module, write
from models.event import Event, Round, RoundState
from models.kept_answer import KeptAnswer
from models.play import ForceList, ListSeal, Player, Report
from tests.actions.stage import Stage
from tests.conftest import Clock
from tests.forces import read_force
from tests.validators.imports.rosters import SAMPLE
from tests.validators.test_catalogue_faults import files
from tests.views.person import Person
from tests.views.test_forces import DEADLINE, PIPER
from tests.views.test_presses_once import GAME, filled, sent

Enter = Callable[..., list[Person]]


@pytest.fixture
def seated(stage: Stage, enter: Enter) -> Person:
    """A player of the only game of round 1, with its form open."""
    held = stage.event(scenarios=("hold-the-line", "", ""))
    ada, _ = enter(held, "Ada", "Bo")
    stage.publish(held, 1)
    return ada


@pytest.fixture
def served(app: Flask) -> Engine:
    """The engine of the pages; the tests' own is another one."""
    engine: Engine = app.extensions["overseer_engine"]
    return engine


@contextmanager
def failing(engine: Engine, moment: str, times: int, fail: Callable[[Connection], None]) -> Iterator[list[int]]:
    """Let this happen at the first so many moments, "INSERT INTO report" or "COMMIT", say; counts them all."""
    seen: list[int] = []

    def before(connection: Connection, cursor: Any, statement: str, *rest: Any) -> None:
        if statement.startswith(moment):
            seen.append(1)
            if len(seen) <= times:
                fail(connection)

    def at_commit(connection: Connection) -> None:
        before(connection, None, "COMMIT")

    event.listen(engine, "before_cursor_execute", before)
    event.listen(engine, "commit", at_commit)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", before)
        event.remove(engine, "commit", at_commit)


def busy_snapshot(connection: Connection) -> None:
    """What SQLite says where somebody else wrote since we read."""
    error = sqlite_module().OperationalError("database is locked")
    error.sqlite_errorcode = 517
    raise OperationalError("", None, error)


def ended_by(admin: Engine) -> Callable[[Connection], None]:
    """PostgreSQL ends the connection that is about to be used."""

    def end(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        pid = driver.info.backend_pid
        with admin.connect() as other:
            other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})

    return end


def commit_then(end: Callable[[Connection], None]) -> Callable[[Connection], None]:
    """The database stores everything, and the word of it is lost."""

    def lost(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.commit()
        driver.execute("SELECT 1")  # else the driver has nothing to commit, and does not ask
        end(connection)

    return lost


def reported(person: Person) -> dict[str, str]:
    return filled(person, a__objectives="3", b__objectives="1")


@pytest.mark.proves("G1", "F9")
@pytest.mark.parametrize("moment", ["SELECT", "INSERT INTO report", "UPDATE", "INSERT INTO row_change", "COMMIT"])
@pytest.mark.postgres
def test_a_connection_that_ends_is_not_noticed_by_a_phone(
    seated: Person, stage: Stage, served: Engine, engine: Engine, moment: str
) -> None:
    body = reported(seated)
    with failing(served, moment, 1, ended_by(engine)) as seen:
        assert sent(seated, body)[1]["state"] == "saved"
    assert len(seen) > 1, "it was tried again"
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer))) == (1, 1)


@pytest.mark.proves("G1", "F9")
@pytest.mark.postgres
def test_the_lost_answer_to_a_commit_is_looked_up_by_the_key(
    seated: Person, stage: Stage, served: Engine, engine: Engine
) -> None:
    body = reported(seated)
    with failing(served, "COMMIT", 1, commit_then(ended_by(engine))):
        assert sent(seated, body)[1]["state"] == "saved"
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer))) == (1, 1)


@pytest.mark.proves("G1", "F9", "F25")
@pytest.mark.postgres
def test_a_connection_that_ends_when_all_is_stored_takes_no_answer_with_it(
    seated: Person, stage: Stage, served: Engine, engine: Engine
) -> None:
    body, end, stored, ended = reported(seated), ended_by(engine), list[int](), list[int]()

    def end_then(connection: Connection) -> None:
        if stored and not ended:
            ended.append(1)
            end(connection)

    with failing(served, "COMMIT", 1, lambda _: stored.append(1)), failing(served, "SELECT", 1000, end_then):
        assert seated.ask("POST", GAME, body).status_code == 302
    assert ended, "something was asked once all was stored"
    assert len(stage.all(Report)) == 1


@pytest.mark.proves("F9", "F25")
@pytest.mark.postgres
def test_a_connection_that_ends_when_a_page_is_ready_takes_no_page_with_it(
    seated: Person, served: Engine, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    end, ended = ended_by(engine), list[int]()

    def end_once(connection: Connection) -> None:
        if not ended:
            ended.append(1)
            end(connection)

    event.listen(served, "rollback", end_once)
    try:
        assert [seated.open(GAME).status for _ in range(2)] == [200, 200]
    finally:
        event.remove(served, "rollback", end_once)
    assert caplog.text.count("a connection ended when its answer was ready") == 1


@pytest.mark.postgres
def test_a_press_without_a_key_is_not_made_twice(olga: Person, stage: Stage, served: Engine, engine: Engine) -> None:
    """The control is the test above: what is sent again there must not be sent again here."""
    held = stage.event()
    stage.enter(held, "Ada", "Bo")
    token = str(olga.open("/e/iron-open/desk").value("csrf_token"))
    with failing(served, "COMMIT", 1, commit_then(ended_by(engine))) as seen:
        answer = olga.ask("POST", "/e/iron-open/desk/rounds/1/draw", {"csrf_token": token})
    assert (answer.status_code >= 500, len(seen)) == (True, 1)
    assert stage.one(Round, number=1).state == RoundState.DRAWN
    version = stage.one(Event).version
    with failing(served, "DELETE", 1, ended_by(engine)):
        assert olga.ask("POST", "/e/iron-open/desk/rounds/1/discard", {"csrf_token": token}).status_code == 302
    assert stage.one(Event).version == version + 1, "nothing was stored before: this one is made again"


def test_what_is_stored_is_not_made_again_where_the_answer_to_it_fails(
    olga: Person, stage: Stage, served: Engine
) -> None:
    held = stage.event()
    stage.enter(held, "Ada", "Bo")
    token = str(olga.open("/e/iron-open/desk").value("csrf_token"))
    version, stored, failed = stage.now(held).version, list[int](), list[int]()

    def fail_then(connection: Connection) -> None:
        if stored and not failed:
            failed.append(1)
            busy_snapshot(connection)

    with failing(served, "COMMIT", 1, lambda _: stored.append(1)), failing(served, "SELECT", 1000, fail_then):
        assert olga.ask("POST", "/e/iron-open/desk/rounds/1/draw", {"csrf_token": token}).status_code >= 500
    assert failed, "something was asked once all was stored"
    assert stage.now(held).version == version + 1


def test_the_lock_that_a_deadline_brings_is_no_change_of_whoever_comes_first(
    visitor: Person, enter: Enter, stage: Stage, served: Engine, clock: Clock
) -> None:
    """So that the page which met somebody is asked again, though something was stored."""
    held = stage.event()
    enter(held, "Ada")
    stage.force(held, stage.one(Player), read_force(PIPER))
    clock.now = DEADLINE
    stored, failed = list[int](), list[int]()

    def fail_then(connection: Connection) -> None:
        if stored and not failed:
            failed.append(1)
            busy_snapshot(connection)

    with failing(served, "COMMIT", 1, lambda _: stored.append(1)), failing(served, "SELECT", 1000, fail_then):
        assert visitor.open("/e/iron-open").status == 200
    assert failed, "something was asked once the lock was stored"
    assert len(stage.all(ListSeal)) == 1


@pytest.mark.proves("F10")
@pytest.mark.parametrize("times", [1, len(PAUSES)])
def test_who_meets_another_writer_is_answered_all_the_same(
    seated: Person, stage: Stage, served: Engine, times: int
) -> None:
    body = reported(seated)
    began = time.monotonic()
    with failing(served, "INSERT INTO report", times, busy_snapshot) as seen:
        assert sent(seated, body)[1]["state"] == "saved"
    assert (len(seen), len(stage.all(Report))) == (times + 1, 1)
    assert time.monotonic() - began >= sum(PAUSES[:times]), "with a pause before each try"


def test_each_try_gives_its_connection_back_before_the_next(seated: Person, served: Engine) -> None:
    held, in_use = list[Connection](), list[int]()

    def meet(connection: Connection) -> None:
        held.append(connection)  # so that it is not given back merely because nobody knows it any more
        in_use.append(served.pool.checkedout())  # type: ignore[attr-defined]
        busy_snapshot(connection)

    with failing(served, "SELECT", len(PAUSES), meet):
        assert seated.open("/e/iron-open/me").status == 200
    assert in_use == [1] * len(PAUSES)


@pytest.mark.proves("F10")
def test_a_file_that_was_read_already_is_read_again_from_its_beginning(
    enter: Enter, stage: Stage, served: Engine
) -> None:
    (ada,) = enter(stage.event(), "Ada")
    ada.open("/e/iron-open/me/force")
    with failing(served, "INSERT INTO force_list", 1, busy_snapshot) as seen:
        page = ada.press("Read the file", file=("list.ros", SAMPLE))
    assert (len(seen), len(stage.one(ForceList).document["models"])) == (2, 4), page.text


def test_of_several_files_each_is_read_again_from_its_beginning(olga: Person, served: Engine) -> None:
    def look(fail_at: int) -> int:
        """Send the files, and meet another writer at this question to the database; how many were asked."""
        asked = list[int]()

        def meet(connection: Connection) -> None:
            asked.append(1)
            if len(asked) == fail_at:
                busy_snapshot(connection)

        olga.open("/desk/editions/battle-mode/new")
        with failing(served, "SELECT", 1000, meet):
            page = olga.press("Read the files", files=files(), date="2027-01-15", name="Marshals' lists")
        assert page.status == 200, page.errors
        return len(asked)

    last = look(0)
    assert look(last) == 2 * last, "the last question comes when the files were read"


@pytest.mark.proves("F10")
@pytest.mark.postgres
def test_of_two_that_wait_for_each_other_the_phone_is_answered_all_the_same(
    seated: Person, stage: Stage, served: Engine, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    body = reported(seated)
    stage.s.rollback()
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as admin, engine.connect() as other:
        name = admin.execute(text("SELECT current_database()")).scalar_one()
        admin.execute(text(f'ALTER DATABASE "{name}" SET deadlock_timeout = 2000'))  # time to get into its way
        served.dispose()  # what is opened from now on knows it
        other.execute(text("SET LOCAL deadlock_timeout = 60000"))  # so the phone's is the one to be broken off
        other.execute(text("UPDATE game SET table_number = table_number"))
        told: list[str] = []
        phone = threading.Thread(target=lambda: told.append(sent(seated, body)[1]["state"]))
        phone.start()
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        until = time.monotonic() + 30
        while not admin.execute(waiting).scalar_one():
            assert time.monotonic() < until, "the phone's change waits for the game, with the event locked"
        other.execute(text("SELECT id FROM event FOR UPDATE"))  # each waits for the other
        other.rollback()
        phone.join(30)
    assert "deadlock detected" in caplog.text
    assert (told, len(stage.all(Report))) == (["saved"], 1)


@pytest.mark.proves("F10")
def test_nobody_is_tried_for_ever(seated: Person, stage: Stage, served: Engine) -> None:
    body = reported(seated)
    before = stage.digest()
    with failing(served, "INSERT INTO report", 99, busy_snapshot) as seen:
        answer = seated.http.post("/e/iron-open/me/game", data=body, headers={"X-Outbox": "1"})
    assert (answer.status_code >= 500, len(seen)) == (True, 1 + len(PAUSES))
    assert stage.digest() == before


@pytest.mark.postgres
def test_a_change_does_not_wait_for_ever_for_another_s_lock(engine: Engine, stage: Stage) -> None:
    held = stage.event()
    with stage.changing(held) as s:
        waits = s.connection().execute(text("SHOW lock_timeout")).scalar_one()
    assert waits == f"{BUSY_SECONDS}s"
    with write(stage.s, stage.clock()) as s:
        assert s.connection().execute(text("SHOW lock_timeout")).scalar_one() == f"{BUSY_SECONDS}s"
    stage.s.rollback()
    assert stage.s.connection().execute(text("SHOW lock_timeout")).scalar_one() == "0", "of this change alone"
