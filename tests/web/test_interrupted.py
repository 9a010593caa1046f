"""A request that loses its database connection, or a race with another, gets 503 and its form can be resubmitted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import OperationalError

from models.db import sqlite_module
from models.kept_answer import KeptAnswer
from models.play import Report
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.tables import MINE, WITHOUT_KEY, form_of, sent

Enter = Callable[..., list[Person]]


@pytest.fixture
def seated(stage: Stage, enter: Enter) -> Person:
    """A player of the only game in round 1, with the form open."""
    held = stage.event(scenarios=("hold-the-line", "", ""))
    ada, _ = enter(held, "Ada", "Bo")
    stage.publish(held, 1)
    return ada


@pytest.fixture
def served(app: Flask) -> Engine:
    """The pages' database engine; the tests have another one."""
    engine: Engine = app.extensions["overseer_engine"]
    return engine


@contextmanager
def failing(engine: Engine, moment: str, times: int, fail: Callable[[Connection], None]) -> Iterator[list[int]]:
    """Call ``fail`` at the first ``times`` statements that start with ``moment``; counts all of them."""
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
    """SQLite's error if another connection wrote after this one read."""
    error = sqlite_module().OperationalError("database is locked")
    error.sqlite_errorcode = 517
    raise OperationalError("", None, error)


def ended_by(admin: Engine) -> Callable[[Connection], None]:
    """PostgreSQL closes the connection just before it is used."""

    def end(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        pid = driver.info.backend_pid
        with admin.connect() as other:
            other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})

    return end


def commit_then(end: Callable[[Connection], None]) -> Callable[[Connection], None]:
    """The database commits, but its answer is lost."""

    def lost(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.commit()
        driver.execute("SELECT 1")  # else the driver has nothing to commit, and does not ask
        end(connection)

    return lost


def reported(person: Person) -> dict[str, str]:
    return form_of(person, a__objectives="3", b__objectives="1")


def assert_retry_stores_once(person: Person, body: dict[str, str], stage: Stage) -> None:
    """Check that resending the same key saves the report, exactly once."""
    assert sent(person, body)[1]["state"] == "saved"
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer))) == (1, 1)


def assert_unavailable(answer: Any) -> None:
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 0) == (503, True)
    assert not answer.is_json, "the outbox would take JSON for an answer to the form"


@pytest.mark.proves("G1", "F9")
@pytest.mark.postgres
def test_lost_connection_is_503_and_a_retry_stores_the_report_once(
    seated: Person, stage: Stage, served: Engine
) -> None:
    body = reported(seated)
    for moment in ("SELECT", "INSERT INTO report", "UPDATE", "INSERT INTO row_change", "COMMIT"):
        with failing(served, moment, 1, ended_by(stage.engine)) as seen:
            assert_unavailable(seated.http.post(MINE, data=body, headers=WITHOUT_KEY))
        assert len(seen) == 1, f"{moment}: the server does not retry by itself"
        assert not stage.all(Report), moment
    assert_retry_stores_once(seated, body, stage)


@pytest.mark.proves("G1", "F9")
@pytest.mark.postgres
def test_lost_answer_to_a_commit_is_found_by_the_key(seated: Person, stage: Stage, served: Engine) -> None:
    body = reported(seated)
    with failing(served, "COMMIT", 1, commit_then(ended_by(stage.engine))):
        assert_unavailable(seated.http.post(MINE, data=body, headers=WITHOUT_KEY))
    assert len(stage.all(Report)) == 1
    assert_retry_stores_once(seated, body, stage)


@pytest.mark.proves("F10")
def test_conflict_with_another_writer_is_503_and_stores_nothing(seated: Person, stage: Stage, served: Engine) -> None:
    body = reported(seated)
    before = stage.digest()
    with failing(served, "INSERT INTO report", 1, busy_snapshot) as seen:
        assert_unavailable(seated.http.post(MINE, data=body, headers=WITHOUT_KEY))
    assert (len(seen), stage.digest()) == (1, before)
    assert_retry_stores_once(seated, body, stage)


@pytest.mark.proves("G1", "F12")
def test_page_without_script_offers_to_send_the_form_again(seated: Person, stage: Stage, served: Engine) -> None:
    seated.open(MINE)
    with failing(served, "INSERT INTO report", 1, busy_snapshot):
        page = seated.press("Send the result", **{"a.objectives": "3", "b.objectives": "1"})
    assert page.status == 503
    assert "It is not known whether your form was stored" in page.text
    assert "Saved." in seated.press("Send it again").flashes
    report = stage.one(Report)
    assert (report.answers["a.objectives"], report.answers["b.objectives"]) == (3, 1)
    assert len(stage.all(KeptAnswer)) == 1


def test_page_of_a_failed_form_without_a_key_does_not_offer_to_send_it_again(
    olga: Person, stage: Stage, served: Engine
) -> None:
    held = stage.event()
    stage.enter(held, "Ada", "Bo")
    token = str(olga.open("/e/iron-open/desk").value("csrf_token"))
    version = stage.now(held).version
    with failing(served, "COMMIT", 1, busy_snapshot):
        answer = olga.ask("POST", "/e/iron-open/desk/rounds/1/draw", {"csrf_token": token})
    assert answer.status_code == 503
    assert "Send it again" not in answer.text and "check before you send" in answer.text
    assert stage.now(held).version == version


@pytest.mark.proves("F9", "F25")
@pytest.mark.postgres
def test_connection_lost_after_a_page_is_ready_does_not_lose_the_page(
    seated: Person, served: Engine, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    end, ended = ended_by(engine), list[int]()

    def end_once(connection: Connection) -> None:
        if not ended:
            ended.append(1)
            end(connection)

    event.listen(served, "rollback", end_once)
    try:
        assert [seated.open(MINE).status for _ in range(2)] == [200, 200]
    finally:
        event.remove(served, "rollback", end_once)
    assert caplog.text.count("a connection ended when its answer was ready") == 1
