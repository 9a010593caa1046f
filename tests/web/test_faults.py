"""Nothing breaks into a stack trace: odd addresses, odd queries, huge bodies, a broken database."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from models.event import Event
from models.play import Player
from tests.accounts.test_route_matrix import GET, POST, addresses
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to

ODD = (
    "0", "-1", "2147483647", "2147483648", "9223372036854775808", "9" * 30, "9" * 5000, "x", "%00", "%ED%A0%80", "%FF",
    "%0A", "..%2F..", "%F0%9F%A4%96", "iron-open%00", "'%20OR%201=1", "a" * 3000, "١", "1.5", "%25s",
)  # fmt: skip

FEW = ("%00", "2147483647", "9223372036854775808", "%ED%A0%80", "x")
NUMBERS = (*FEW, "0", "-1", "2147483648")
"""What is asked of a number after the first of its name: all else ends before any page, by one rule for all numbers."""


def sound(answer: TestResponse) -> None:
    """What every answer must be, whatever was asked."""
    assert answer.status_code < 500, answer.request.url
    assert "Traceback" not in answer.text if answer.mimetype == "text/html" else True
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    if not answer.request.path.startswith("/static/"):
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "Cookie" in answer.headers["Vary"]


@pytest.fixture
def busy(olga: Person, stage: Stage, event: Event, link_of: Callable[[Player], str]) -> Person:
    """One who is organiser and player at once, in an event in progress: every door stands open."""
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, read_force(PIPER))
    give_mail(stage, event)
    write_to(stage, event)
    stage.publish(event, 1)
    olga.open(link_of(stage.now(ada)))
    olga.press("Continue as Ada")
    return olga


@pytest.mark.proves("attack 40", "attack 41", "ASVS 2.2.1", "ASVS 1.4.2")
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.both_databases
def test_odd_ids_and_names_in_every_address_are_answered_in_words(
    busy: Person, stage: Stage, database_url: str, method: str
) -> None:
    token = str(busy.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    rules = addresses(GET if method == "GET" else POST, stage)
    asked_of = set[str]()
    for rule, address in rules.items():
        for place, part in enumerate(rule.split("/")):
            if not part.startswith("<"):
                continue
            few: tuple[str, ...] = FEW if part == "<slug>" or "postgres" in database_url else ODD
            if few is ODD and part.startswith("<int:") and part in asked_of:
                few = NUMBERS
            asked_of.add(part)
            for odd in few:
                parts = address.split("/")
                parts[place] = odd
                asked = "/".join(parts)
                answer = busy.ask(method, asked, {"csrf_token": token} if method == "POST" else None)
                sound(answer)
                assert answer.status_code in (302, 404, 405, 308), f"{method} {asked[:90]}: {answer.status}"
    assert stage.digest() == before


@pytest.mark.parametrize("address", [
    "/e/iron-open/standings?after={}", "/e/iron-open/standings.pdf?after={}", "/e/iron-open/standings.pdf?paper={}",
    "/e/iron-open/rounds/1?order={}", "/e/iron-open/rounds/1/pairings.pdf?order={}",
    "/e/iron-open/rounds/1/scoresheets.pdf?table={}", "/e/iron-open/rounds/1/scoresheets.pdf?paper={}",
])  # fmt: skip
@pytest.mark.both_databases
def test_odd_queries_are_answered_in_words(busy: Person, address: str, database_url: str) -> None:
    for odd in (*ODD, ""):
        answer = busy.ask("GET", address.format(odd))
        sound(answer)
        assert answer.status_code in (200, 404)


@pytest.mark.proves("attack 41", "ASVS 2.2.1", "ASVS 2.2.2")
def test_odd_values_in_every_form_field_are_answered_in_words(busy: Person, stage: Stage) -> None:
    """Each form of each page is posted as it stands, once for each field and each odd value in it."""
    pages = addresses([rule for rule in GET if rule not in ("/sign-in", "/healthz")], stage).values()
    seen: set[tuple[str, ...]] = set()
    for address in pages:
        if busy.ask("GET", address).mimetype != "text/html":
            continue
        page = busy.open(address)
        for form in page.soup.find_all("form"):
            names = tuple(str(field["name"]) for field in form.find_all(None, {"name": True}))
            action = str(form.get("action") or address).split("#")[0] or address
            if (action, *names) in seen or action == "/sign-out" or form.get("method") != "post":
                continue
            seen.add((action, *names))
            token = str(busy.open("/sign-in").value("csrf_token"))
            fields = [name for name in dict.fromkeys(names) if name != "csrf_token"]
            for name in fields[:10]:
                for odd in ("\x00", "9" * 5000, "-1"):
                    data = dict.fromkeys(fields, "1") | {name: odd, "csrf_token": token}
                    sound(busy.ask("POST", action, data=data))
    assert len(seen) > 15, seen


def test_an_unknown_address_is_told_in_the_house_s_words(visitor: Person, event: Event) -> None:
    for address in ("/e/nothing", "/nothing", "/e/iron-open/rounds/9", "/e/iron-open/players/99", "/rules/golf",
                    "/e/iron-open/scenarios/golf", "/static/nothing.css", "/e/", "/e/iron-open/"):  # fmt: skip
        page = visitor.open(address)
        assert (page.status, page.part("h1")) == (404, "Nothing here"), address
        sound(page.response)


def test_what_one_may_not_see_reads_like_what_is_not_there(visitor: Person, stage: Stage) -> None:
    stage.event("Draft", draft=True)
    hidden, nothing = (visitor.open(address) for address in ("/e/draft", "/e/nothing"))
    assert hidden.status == nothing.status == 404
    assert hidden.part("main") == nothing.part("main")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_a_method_that_is_not_taken(visitor: Person, event: Event, method: str) -> None:
    answer = visitor.ask(method, "/e/iron-open")
    sound(answer)
    # Forgery protection comes first: without a token nothing that changes is even looked up.
    assert answer.status_code in (400, 405)
    if answer.status_code == 405:
        assert "GET" in answer.headers["Allow"]


@pytest.mark.proves("attack 38", "ASVS 5.2.1")
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])
def test_a_body_larger_than_anything_is_refused(visitor: Person, stage: Stage, event: Event, kind: str) -> None:
    before = stage.digest()
    answer = visitor.http.post(
        "/e/iron-open/register", data=b"name=" + b"x" * 3_000_000, content_type=kind, buffered=True
    )
    sound(answer)
    assert answer.status_code in (400, 413)
    if kind != "text/plain":
        assert (answer.status_code, "Too large" in answer.text) == (413, True)
    assert stage.digest() == before


@pytest.mark.proves("attack 38")
@pytest.mark.parametrize(("fields", "status"), [(19_000, 400), (20_001, 413)])
def test_a_form_of_very_many_fields_is_refused_unread(visitor: Person, event: Event, fields: int, status: int) -> None:
    """400: it lacks the token against forgery, so the form was read."""
    kind = "application/x-www-form-urlencoded"
    answer = visitor.http.post("/e/iron-open/register", data=b"a&" * fields, content_type=kind)
    sound(answer)
    assert answer.status_code == status


@pytest.mark.proves("attack 38")
@pytest.mark.parametrize(
    "body",
    [b"", b"--x", b"--x\r\nContent-Disposition: form-data\r\n\r\n", b"--x\r\n" * 5000, b"\x00" * 1000, b"a=%"],
)
def test_a_broken_body_is_refused(visitor: Person, event: Event, body: bytes) -> None:
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded"):
        answer = visitor.http.post("/e/iron-open/register", data=body, content_type=kind, buffered=True)
        sound(answer)
        assert answer.status_code == 400


# ---- faults of ours


@pytest.mark.proves("ASVS 16.5.1")
def test_a_fault_of_ours_is_told_by_number_and_logged_in_full(
    busy: Person, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.s.connection().execute(text("DROP TABLE force_list"))
    stage.s.commit()
    with caplog.at_level(logging.ERROR):
        page = busy.open("/e/iron-open/lists")
    assert (page.status, page.part("h1")) == (500, "Our fault")
    number = page.part(".lede").split("written down as ")[1].split(".")[0]
    assert f"fault {number} at GET /e/iron-open/lists" in caplog.text
    assert "no such table" in caplog.text
    for secret in ("no such table", "force_list", "Traceback", "SELECT", ".py"):
        assert secret not in page.response.text
    assert page.response.headers["Cache-Control"] == "private, no-store"
    assert page.response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("address", ["/", "/e/iron-open", "/e/iron-open/me", "/desk", "/readyz", "/nothing"])
def test_a_damaged_database_gives_a_page_that_can_be_read(
    app: Flask, busy: Person, stage: Stage, sqlite_file: Path, address: str
) -> None:
    stage.s.close()
    app.extensions["overseer_engine"].dispose()
    for suffix in ("-wal", "-shm"):
        sqlite_file.with_name(f"{sqlite_file.name}{suffix}").unlink(missing_ok=True)
    sqlite_file.write_bytes(b"no database at all " * 1000)
    page = busy.open(address)
    assert (page.status, page.part("h1")) in ((503, "The database is damaged"), (404, "Nothing here"), (503, ""))
    assert page.part("h1") or address == "/readyz"
    assert "not a database" not in page.response.text


@pytest.mark.both_databases
def test_a_lost_table_gives_a_page_that_can_be_read(busy: Person, stage: Stage, database_url: str) -> None:
    stage.s.connection().execute(text("ALTER TABLE organiser RENAME TO gone"))
    stage.s.commit()
    for address in ("/", "/e/iron-open", "/desk", "/healthz"):
        page = busy.open(address)
        assert page.status in (200, 500)
        assert page.part("h1") == "Our fault" or address == "/healthz"
