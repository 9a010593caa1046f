"""Idempotency keys: a resubmitted form is stored once, also after a lost connection or answer."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from events.journal.replay import replay
from events.results.report_page import SAID
from events.web.idempotency import submission_from
from models.db import sqlite_module
from models.journal import ChangeSet, RowChange, RowChangeKind
from models.kept_answer import KeptAnswer
from models.play import Game, GameState, Player, Report
from tests.kit.accounts import with_cookie_of
from tests.kit.person import SEND_RESULT, Person
from tests.kit.stage import Event, Stage
from tests.kit.statements import listening
from tests.kit.tables import MINE, WITHOUT_KEY, Table, form_of, sent

pytestmark = pytest.mark.fast

Body = dict[str, str]


@pytest.fixture
def body(table: Table) -> Body:
    return form_of(table.a, a__objectives="3", b__objectives="1")


@pytest.mark.proves("G3", "I1", "I2", "F1", "ASVS 15.3.1")
@pytest.mark.both_databases
def test_copies_of_a_form_sent_at_once_and_later_get_one_answer_and_are_stored_once(
    app: Flask, stage: Stage, table: Table, body: Body
) -> None:
    barrier = threading.Barrier(6)

    def post(phone: Person) -> tuple[int, Any]:
        barrier.wait()
        return sent(phone, body)

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(post, [with_cookie_of(table.a, app) for _ in range(6)]))
    saved = {"state": "saved", "key": body["key"], "said": SAID[GameState.REPORTED], "go": "/e/iron-open/me"}
    assert [*answers, sent(table.a, body)] == [(200, saved)] * 7
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer)), stage.one(Game).version) == (1, 1, 1)
    newest = stage.all(ChangeSet)[-1]
    assert newest.version == stage.one(Event).version
    assert [change_set.actor for change_set in stage.all(ChangeSet)].count(newest.actor) == 1, "written once"


def test_stored_answers_are_not_in_the_journal(olga: Person, stage: Stage, table: Table, body: Body) -> None:
    event = table.event
    assert sent(table.a, body)[1]["state"] == "saved"
    assert len(stage.all(KeptAnswer)) == 1
    assert "Report, round 1" in olga.open("/e/iron-open/desk/journal").text
    assert "kept_answer" not in olga.open(f"/e/iron-open/desk/journal/{stage.all(RowChange)[-1].change_set_id}").text
    # An old journal has rows of them: they are not shown, and replay skips them.
    change = stage.all(RowChange)[-1]
    row = {"who": "player 1", "key": "k" * 20, "sha256": "0" * 64, "said": "Saved.", "at": event.created_at.isoformat()}
    stage.s.add(RowChange(change_set_id=change.change_set_id, table_name="kept_answer", row_id=1,
                          kind=RowChangeKind.ADDED, before={}, after=row | {"event_id": event.id}))  # fmt: skip
    stage.s.commit()
    assert "Kept answer" not in olga.open("/e/iron-open/desk/journal").text
    assert replay(stage.s, event).difference is None


def test_lost_answer_is_given_again_even_after_the_game_was_confirmed(stage: Stage, table: Table, body: Body) -> None:
    a, b = table.a, table.b
    first = sent(a, body)
    status, answer = sent(a, body | {"a.objectives": "4"})
    assert (status, answer["state"]) == (422, "refused")
    assert "sent before with other figures" in answer["said"]
    b.open(MINE)
    assert "confirmed" in b.agree().flashes
    assert sent(a, body) == first
    page = a.http.post(MINE, data=body, follow_redirects=True)
    assert first[1]["said"] in page.text and "Not stored" not in page.text, "without an outbox too"
    status, answer = sent(a, body | {"key": "another-key-of-this-phone"})
    assert (status, answer["state"]) == (409, "refused")
    assert [report.answers["a.objectives"] for report in stage.all(Report)] == [3, 3]


def test_digest_of_a_form_counts_the_order_of_fields_and_rejects_repeated_ones(app: Flask) -> None:
    def content(*fields: tuple[str, str]) -> str:
        data = MultiDict([("key", "k" * 20), ("csrf_token", fields[0][1]), *fields])
        with app.test_request_context("/", method="POST", data=data):
            submission = submission_from("player 1")
            assert (submission.sender, submission.key) == ("player 1", "k" * 20)
            return submission.sha256

    row, two = ("one", "1"), ("two", "2")
    assert content(row, two) == content(row, two)
    assert content(row, two) != content(two, row)
    assert content(row, two) != content(row, ("two", "3"))
    for repeated in ([row, row], [row, ("one", "2")], [row, ("key", "k" * 20)]):
        with pytest.raises(BadRequest):
            content(*repeated)


def test_key_and_form_of_one_player_are_not_used_for_another(stage: Stage, table: Table, body: Body) -> None:
    a, b = table.a, table.b
    own = form_of(b, a__objectives="2", b__objectives="1")
    foreign = body | {"csrf_token": own["csrf_token"]}
    status, answer = sent(b, foreign)
    assert (status, answer["state"]) == (409, "other")
    page = b.http.post(MINE, data=foreign, follow_redirects=True)
    assert "Not stored: This form belongs to another player" in page.text
    assert not stage.all(Report)
    sent(a, body)
    own = form_of(b, a__objectives="2", b__objectives="1")
    status, answer = sent(b, own | {"key": body["key"]})
    assert (status, answer["state"], len(stage.all(Report))) == (200, "saved", 2)


@pytest.mark.proves("F12")
def test_form_from_before_the_sign_in_gets_a_token_and_is_sent_again(
    app: Flask, stage: Stage, table: Table, body: Body, link_of: Callable[[Player], str]
) -> None:
    stranger = Person(app)
    status, answer = sent(stranger, body)
    assert (status, answer["state"], answer["key"]) == (400, "token", body["key"])
    fresh = body | {"csrf_token": answer["csrf"]}
    status, answer = sent(stranger, fresh)
    assert (status, answer["state"]) == (403, "signed-out")
    player = next(p for p in stage.all(Player) if p.id == stage.one(Game).a_id)
    stranger.open(link_of(player))
    assert sent(stranger, fresh)[1]["state"] == "saved"
    assert sent(table.a, body)[1]["state"] == "saved"
    assert len(stage.all(Report)) == 1


@pytest.mark.proves("G5", "F12")
def test_refusal_brings_the_form_and_stores_nothing(stage: Stage, table: Table) -> None:
    a, b = table.a, table.b
    for game in ("", "0", "9" * 5000, "٣", "-1", "x"):
        status, answer = sent(a, form_of(a, a__r2="2", b__r2="1") | {"game": game})
        assert (status, answer["state"], answer["gone"]) == (409, "refused", "1"), game[:9]
    status, answer = sent(a, form_of(a, a__r2="2", b__r2="1"))
    assert (status, answer["state"], answer["gone"]) == (422, "refused", "")
    assert "This cannot have happened" in answer["page"]
    assert 'value="2"' in answer["page"], "with the values that were entered"
    assert not stage.all(KeptAnswer)
    key = a.http.post(MINE, data=form_of(a, a__r2="2", b__r2="1"), headers=WITHOUT_KEY | {"X-Outbox-Key": "k" * 100})
    assert key.get_json()["key"] == "k" * 64
    old = form_of(a, a__objectives="4", b__objectives="1")
    sent(b, form_of(b, a__objectives="3", b__objectives="1"))
    status, answer = sent(a, old)
    assert (status, answer["state"]) == (409, "refused")
    assert "Submitted reports" in answer["page"], "a stale form shows the stored report too"
    assert len(stage.all(Report)) == 1


def test_form_of_the_sheet_is_stored_once_too(app: Flask, stage: Stage, table: Table) -> None:
    game = stage.one(Game)
    holder, address = Person(app), f"/e/iron-open/games/{game.id}/report?side=b"
    body = form_of(holder, f"/g/{game.code}?side=b", a__objectives="3", b__objectives="1")
    first = sent(holder, body, address)
    assert first[1]["state"] == "saved"
    assert sent(holder, body, address) == first
    assert sent(holder, body, f"/g/{game.code}?side=b") == first, "an old address that a phone may still keep"
    assert sent(holder, body | {"key": "another-key-of-this-phone"}, address)[0] == 409
    assert len(stage.all(Report)) == 1


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

    with listening(engine, "before_cursor_execute", before), listening(engine, "commit", at_commit):
        yield seen


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


def assert_retry_stores_once(person: Person, body: dict[str, str], stage: Stage) -> None:
    assert sent(person, body)[1]["state"] == "saved"
    assert (len(stage.all(Report)), len(stage.all(KeptAnswer))) == (1, 1)


def assert_unavailable(answer: Any) -> None:
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 0) == (503, True)
    assert not answer.is_json, "the outbox would take JSON for an answer to the form"


@pytest.mark.proves("G1", "F9")
@pytest.mark.postgres
@pytest.mark.parametrize("committed", [False, True])
def test_lost_connection_is_503_and_a_retry_stores_it_once(
    table: Table, body: Body, served: Engine, committed: bool
) -> None:
    """Also if it is lost after the commit: then the key finds what was stored."""
    end = ended_by(table.stage.engine)
    moments = ("SELECT", "INSERT INTO report", "UPDATE", "INSERT INTO row_change", "COMMIT")
    for moment in moments[-1:] if committed else moments:
        with failing(served, moment, 1, commit_then(end) if committed else end) as seen:
            assert_unavailable(table.a.http.post(MINE, data=body, headers=WITHOUT_KEY))
        assert len(seen) == 1, f"{moment}: the server does not retry by itself"
        assert len(table.stage.all(Report)) == committed, moment
    assert_retry_stores_once(table.a, body, table.stage)


@pytest.mark.proves("G1", "F10", "F12")
def test_conflict_with_another_writer_is_503_and_stores_nothing_until_the_form_is_sent_again(
    table: Table, stage: Stage, body: Body, served: Engine
) -> None:
    before = stage.digest()
    with failing(served, "INSERT INTO report", 2, busy_snapshot) as seen:
        assert_unavailable(table.a.http.post(MINE, data=body, headers=WITHOUT_KEY))
        page = table.a.press(SEND_RESULT, at=MINE, **{"a.objectives": "3", "b.objectives": "1"})
    assert (len(seen), page.status, stage.digest()) == (2, 503, before)
    assert "Your form may or may not have been stored" in page.text
    assert "Saved." in table.a.press("Send it again").flashes
    report = stage.one(Report)
    assert (report.answers["a.objectives"], report.answers["b.objectives"]) == (3, 1)
    assert len(stage.all(KeptAnswer)) == 1


def test_failed_form_without_a_key_is_not_offered_for_resending(olga: Person, stage: Stage, served: Engine) -> None:
    held = stage.event(players=("Ada", "Bo"))
    version = stage.now(held).version
    with failing(served, "COMMIT", 1, busy_snapshot):
        answer = olga.post("/e/iron-open/desk/rounds/1/draw")
    assert answer.status_code == 503
    assert "Send it again" not in answer.text and "check before you send" in answer.text
    assert stage.now(held).version == version


@pytest.mark.proves("F9", "F25")
@pytest.mark.postgres
def test_connection_lost_after_a_page_is_ready_does_not_lose_the_page(
    table: Table, served: Engine, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    end, ended = ended_by(engine), list[int]()

    def end_once(connection: Connection) -> None:
        if not ended:
            ended.append(1)
            end(connection)

    with listening(served, "rollback", end_once):
        assert [table.a.open(MINE).status for _ in range(2)] == [200, 200]
    assert caplog.text.count("a connection ended when its answer was ready") == 1
