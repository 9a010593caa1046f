"""Nothing ends in a stack trace, no link is dead, and no page sends a phone to 127.0.0.1."""

import logging
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urldefrag, urlsplit

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from events.accounts.access import is_of_staff
from events.desk.round_pack_views import blueprint as packs
from events.setup.actions import finish
from service.settings import Settings
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Enter, Person
from tests.kit.profiles import at_length
from tests.kit.routes import addresses, begin, rules
from tests.kit.secrets_planted import everything
from tests.kit.stage import Event, GameState, Player, Round, RoundState, Stage

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
    olga.press("Continue as Ada", at=link_of(stage.now(ada)))
    return olga


@pytest.mark.proves("attack 40", "attack 41", "ASVS 2.2.1", "ASVS 1.4.2")
@pytest.mark.both_at_length
def test_odd_values_in_addresses_find_nothing(app: Flask, busy: Person, stage: Stage, database_url: str) -> None:
    token = str(busy.open("/sign-in").value("csrf_token"))
    with stage.unchanged():
        for method in ("GET", "POST"):
            asked_of = set[str]()
            for rule, address in addresses(rules(app, method), stage).items():
                for place, part in enumerate(rule.split("/")):
                    if not part.startswith("<"):
                        continue
                    values: tuple[str, ...] = FEW if "postgres" in database_url else ODD
                    if part in asked_of and part.startswith(("<int:", "<slug>")):
                        values = SLUGS if part == "<slug>" else NUMBERS if "postgres" in database_url else NUMBERS[::3]
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


def test_unknown_addresses_show_the_same_page(visitor: Person, stage: Stage, event: Event) -> None:
    for address in ("/e/nothing", "/nothing", "/e/iron-open/rounds/9", "/e/iron-open/players/99", "/rules/golf",
                    "/e/iron-open/scenarios/golf", "/static/nothing.css", "/e/", "/e/iron-open/"):  # fmt: skip
        page = visitor.open(address)
        assert (page.status, page.part("h1")) == (404, "Page not found"), address
        sound(page.response)


@pytest.mark.proves("attack 38", "ASVS 5.2.1")
def test_odd_methods_and_broken_or_huge_bodies_are_refused(visitor: Person, stage: Stage, event: Event) -> None:
    """400 is for the missing CSRF token: the body was read."""

    def post(body: bytes, kind: str) -> TestResponse:
        answer = visitor.http.post(REGISTER, data=body, content_type=kind, buffered=True)
        sound(answer)
        return answer

    with stage.unchanged():
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


@pytest.mark.proves("ASVS 16.5.1")
def test_fault_shows_a_number_and_is_logged(busy: Person, stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
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


HERE = "http://127.0.0.1:8000"
ONLY_HERE = re.compile(r"127\.0\.0\.1|localhost")


@pytest.fixture
def only_here(app: Flask, settings: Settings) -> Settings:
    made = replace(settings, public="", port=8123, data=Path("/srv/the club"))
    app.extensions["overseer_settings"] = made
    return made


def sign_in_here(people: list[Person]) -> None:
    for cookie, person in ((person.http.get_cookie("overseer"), person) for person in people):
        if cookie is not None:
            person.http.set_cookie("overseer", cookie.value, domain="127.0.0.1")


def test_no_page_names_this_computer(app: Flask, stage: Stage, four_people: list[Person], only_here: Settings) -> None:
    sign_in_here(four_people)
    visitor, ada, _, olga = four_people
    found, read = [], 0
    for rule, address in addresses(rules(app, "GET"), stage).items():
        person = olga if is_of_staff(rule) else ada if "/me" in rule else visitor
        answer = person.http.get(address, base_url=HERE, buffered=True)
        answer.headers.remove("Location")
        read += answer.status_code == 200
        found += [rule] if ONLY_HERE.search(everything(answer)) else []
    assert (found, read > 80) == ([], True)
    assert packs.name == "round_pack", "the pack is among them"


def test_staff_read_how_to_connect(olga: Person, stage: Stage, four_people: list[Person], only_here: Settings) -> None:
    sign_in_here(four_people)
    addresses = ("/e/iron-open/desk", "/e/iron-open/desk/print", "/e/iron-open/desk/players/1", "/e/iron-open")
    for page in (olga.http.get(address, base_url=HERE).text for address in addresses):
        assert "Only this computer can open Overseer" in page
        assert "./run serve" not in page, "not while a round is played"
    event = stage.one(Event, slug="iron-open")
    for one in stage.all(Round, event_id=event.id):
        for game in stage.games(event, one.number):
            if game.state != GameState.CONFIRMED and game.b_id is not None and one.state == RoundState.PUBLISHED:
                stage.decide(event, game, 1, 0)
    command = "HOST=0.0.0.0 PORT=8123 OVERSEER_DATA=&#39;/srv/the club&#39; ./run serve"
    for page in (olga.http.get(address, base_url=HERE).text for address in addresses):
        assert command in page
        assert 'class="qr"' not in page
    visitor = four_people[0].http.get("/e/iron-open", base_url=HERE).text
    assert "./run serve" not in visitor, "only staff read where the data is"


def test_poster_needs_an_address(olga: Person, four_people: list[Person], app: Flask, settings: Settings) -> None:
    assert olga.open("/e/iron-open/desk/poster.pdf").response.mimetype == "application/pdf"
    app.extensions["overseer_settings"] = replace(settings, public="")
    page = olga.open("/e/iron-open/desk/poster.pdf")
    assert page.path == "/e/iron-open/desk/print"
    assert "only this computer can open Overseer" in page.flashes


def crawl(
    person: Person, start: str, app: Flask, within: tuple[str, ...], drawn: set[tuple[str, ...]] | None = None
) -> dict[str, str]:
    """Follow every link from here; the faults by address. Anchors must be on the page that they name.

    No links are followed from pages whose addresses do not begin with one of ``within``; they are opened all the same.
    Of one kind of paper the first is drawn, if it is not among those ``drawn`` for others: they cost most of the time.
    """
    wrong: dict[str, str] = {}
    drawn = set() if drawn is None else drawn
    pages: dict[str, BeautifulSoup | None] = {}
    anchors: set[tuple[str, str]] = set()
    waiting = [start]
    routes = app.url_map.bind("localhost")
    while waiting:
        address = waiting.pop()
        if address in pages:
            continue
        if urlsplit(address).path.endswith((".pdf", ".zip")):
            paper = (routes.match(urlsplit(address).path)[0], *sorted(parse_qs(urlsplit(address).query)))
            if paper in drawn:
                continue
            drawn.add(paper)
        answer = person.ask("GET", address)
        if answer.status_code in (301, 302):
            pages[address] = None
            waiting.append(answer.location)
            continue
        if answer.status_code != 200:
            wrong[address] = answer.status
        soup = BeautifulSoup(answer.text, "html.parser") if answer.mimetype == "text/html" else None
        pages[address] = soup
        if soup and address != start and not address.startswith(within):
            continue
        for link in soup.find_all(["a", "link", "script"]) if soup else []:
            target, anchor = urldefrag(str(link.get("href") or link.get("src") or ""))
            if link.find_parent(class_="letter"):
                continue  # a letter shows the player's own link
            if anchor:
                anchors.add((target or address, anchor))
            if target and not urlsplit(target).scheme:
                waiting.append(target)
        for form in soup.find_all("form") if soup else []:
            for press in form.find_all("button"):  # a form without a button is never sent
                action = urldefrag(str(press.get("formaction") or form.get("action") or "")).url or address
                assert routes.test(urlsplit(action).path, method=str(form.get("method", "get")).upper()), action
    for address, anchor in anchors:
        page = pages.get(address)
        if page is not None and not page.find(id=anchor):
            wrong[f"{address}#{anchor}"] = "no such place on the page"
    assert len(pages) > 5, pages.keys()
    return wrong


@pytest.fixture
def far(stage: Stage, event: Event, enter: Enter) -> list[Person]:
    """An event in its second round: legal and illegal forces, a dispute, a bye, a dropped and a waiting player."""
    people = enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    ada, bo, *_ = stage.all(Player)
    stage.force(event, ada, read_force(PIPER))
    stage.force(event, bo, read_force(PIPER | {"cards": [{"kind": "Quest", "name": "X"}]}), submit=False)
    stage.play(event, 1)
    stage.enter(event, "Absent", here=False)
    stage.publish(event, 2)
    return people


def test_no_link_is_dead_for_visitors_players_and_organisers(app: Flask, far: list[Person], olga: Person) -> None:
    drawn: set[tuple[str, ...]] = set()
    assert crawl(Person(app), "/e/iron-open", app, ("/",), drawn) == {}
    assert crawl(far[0], "/e/iron-open", app, ("/e/iron-open/me",), drawn) == {}
    assert crawl(olga, "/desk", app, ("/desk", "/e/iron-open/desk"), drawn) == {}


@pytest.mark.parametrize("state", at_length(["draft", "registration", "drawn", "finished"], ["draft", "drawn"]))
def test_no_link_is_dead_in_any_state_of_the_event(app: Flask, olga: Person, stage: Stage, state: str) -> None:
    """The first pages, and others that depend on the state."""
    event = stage.event(rounds=1, draft=state == "draft")
    if state in ("drawn", "finished"):
        stage.enter(event, "Ada", "Bo", "Cy")
        stage.draw(event, 1)
    within = ("/e/iron-open/desk/rounds",)
    if state == "finished":
        stage.play(event, 1)
        stage.do(event, finish)
        within = ("/e/iron-open/desk",)
        assert crawl(Person(app), "/e/iron-open", app, ("no others",)) == {}
    assert crawl(olga, "/e/iron-open/desk", app, within) == {}
