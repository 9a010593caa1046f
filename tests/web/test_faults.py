"""Nothing ends in a stack trace: invalid addresses, invalid queries, huge bodies, a broken database."""

import logging
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from models.event import Event
from models.play import Player
from tests.kit.person import Person
from tests.kit.routes import addresses, begin, rules
from tests.kit.stage import Stage

ODD = (
    "-1", "2147483648", "9223372036854775808", "9" * 5000, "x", "%00", "%ED%A0%80", "%0A", "..%2F..",
    "'%20OR%201=1", "a" * 3000, "١",
)  # fmt: skip
FEW = ("%00", "9223372036854775808", "%ED%A0%80")
NUMBERS = ("0", "2147483647", "2147483648", "9223372036854775808")
"""Values for further numbers of the same name: the same converter ends all else before any page."""
SLUGS = ("%00", "x")
"""Values for the event in further addresses: one function looks all of them up."""
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
REGISTER = "/e/iron-open/register"


def sound(answer: TestResponse) -> None:
    """Check that every response is below 500 and has its headers."""
    assert answer.status_code < 500, answer.request.url
    assert "Traceback" not in answer.text if answer.mimetype == "text/html" else True
    if not answer.request.path.startswith("/static/"):
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "Cookie" in answer.headers["Vary"]


@pytest.fixture
def busy(olga: Person, stage: Stage, event: Event, link_of: Callable[[Player], str]) -> Person:
    """An organiser who also plays in a running event, and so may open every page."""
    ada, _ = stage.enter(event, "Ada", "Bo")
    begin(stage, event)
    olga.open(link_of(stage.now(ada)))
    olga.press("Continue as Ada")
    return olga


# ---- odd requests


@pytest.mark.proves("attack 40", "attack 41", "ASVS 2.2.1", "ASVS 1.4.2")
@pytest.mark.both_at_length
def test_odd_values_in_addresses_and_queries_find_nothing(
    app: Flask, busy: Person, stage: Stage, database_url: str
) -> None:
    token = str(busy.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    for method in ("GET", "POST"):
        asked_of = set[str]()
        for rule, address in addresses(rules(app, method), stage).items():
            for place, part in enumerate(rule.split("/")):
                if not part.startswith("<"):
                    continue
                values: tuple[str, ...] = FEW if "postgres" in database_url else ODD
                if part in asked_of and part.startswith(("<int:", "<slug>")):
                    values = SLUGS if part == "<slug>" else NUMBERS
                asked_of.add(part)
                for odd in values:
                    parts = address.split("/")
                    parts[place] = odd
                    asked = "/".join(parts)
                    answer = busy.ask(method, asked, {"csrf_token": token} if method == "POST" else None)
                    sound(answer)
                    assert answer.status_code in (302, 404, 405, 308), f"{method} {asked[:90]}: {answer.status}"
    for query in ("standings?after=", "standings.pdf?after=", "standings.pdf?paper=", "rounds/1?order=",
                  "rounds/1/pairings.pdf?order=", "rounds/1/scoresheets.pdf?table=",
                  "rounds/1/scoresheets.pdf?paper="):  # fmt: skip
        for odd in (*FEW, "9" * 30, "") if ".pdf" in query else (*ODD, ""):
            answer = busy.ask("GET", f"/e/iron-open/{query}{odd}")
            sound(answer)
            assert answer.status_code in (200, 404), (query, odd[:20])
    assert stage.digest() == before


def test_unknown_address_and_hidden_event_show_the_same_page(visitor: Person, stage: Stage, event: Event) -> None:
    stage.event("Draft", draft=True)
    for address in ("/e/nothing", "/nothing", "/e/iron-open/rounds/9", "/e/iron-open/players/99", "/rules/golf",
                    "/e/iron-open/scenarios/golf", "/static/nothing.css", "/e/", "/e/iron-open/"):  # fmt: skip
        page = visitor.open(address)
        assert (page.status, page.part("h1")) == (404, "Page not found"), address
        sound(page.response)
    hidden, nothing = (visitor.open(address) for address in ("/e/draft", "/e/nothing"))
    assert (hidden.status, hidden.part("main")) == (nothing.status, nothing.part("main"))


@pytest.mark.proves("attack 38", "ASVS 5.2.1")
def test_odd_methods_and_broken_or_huge_bodies_are_refused(visitor: Person, stage: Stage, event: Event) -> None:
    """400 is for the missing CSRF token: the body was read."""

    def post(body: bytes, kind: str) -> TestResponse:
        answer = visitor.http.post(REGISTER, data=body, content_type=kind, buffered=True)
        sound(answer)
        return answer

    before = stage.digest()
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        answer = visitor.ask(method, "/e/iron-open")
        sound(answer)
        assert answer.status_code == 400 or (answer.status_code == 405 and "GET" in answer.headers["Allow"]), method
    huge = b"name=" + b"x" * 3_000_000
    for kind in (FORM, MULTIPART):
        answer = post(huge, kind)
        assert (answer.status_code, "Too large" in answer.text) == (413, True), kind
    assert post(huge, "text/plain").status_code in (400, 413)
    assert [post(b"a&" * fields, FORM).status_code for fields in (19_000, 20_001)] == [400, 413]
    for body in (b"", b"--x", b"--x\r\nContent-Disposition: form-data\r\n\r\n", b"--x\r\n" * 5000, b"\x00" * 1000,
                 b"a=%"):  # fmt: skip
        assert [post(body, kind).status_code for kind in (MULTIPART, "multipart/form-data", FORM)] == [400] * 3
    assert stage.digest() == before


# ---- faults of ours


@pytest.mark.proves("ASVS 16.5.1")
def test_fault_shows_a_number_and_is_logged_in_full(
    busy: Person, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.s.connection().execute(text("DROP TABLE force_list"))
    stage.s.commit()
    with caplog.at_level(logging.ERROR):
        page = busy.open("/e/iron-open/lists")
    assert (page.status, page.part("h1")) == (500, "Server error")
    number = page.part(".lede").split("logged as ")[1].split(".")[0]
    assert f"fault {number} at GET /e/iron-open/lists" in caplog.text
    assert "no such table" in caplog.text
    for secret in ("no such table", "force_list", "Traceback", "SELECT", ".py"):
        assert secret not in page.response.text
    assert page.response.headers["Cache-Control"] == "private, no-store"
    assert page.response.headers["X-Content-Type-Options"] == "nosniff"
