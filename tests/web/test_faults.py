"""Nothing ends in a stack trace, no link is dead, and no page sends a phone to 127.0.0.1."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urldefrag, urlsplit

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from events.papers.round_pack_views import blueprint as packs
from events.setup.actions import finish
from events.store.visitor import Visitor
from events.visitors.access import is_of_staff
from events.visitors.staff_routes import question_of
from service.settings import Settings
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Enter, Page, Person
from tests.kit.profiles import every_nth, full_run
from tests.kit.routes import addresses, begin, rules
from tests.kit.secrets_planted import everything
from tests.kit.stage import Event, Player, Role, Stage
from tests.kit.writing import write_to

ODD = (
    "-1", "2147483648", "9223372036854775808", "9" * 5000, "x", "%00", "%ED%A0%80", "%0A", "..%2F..",
    "'%20OR%201=1", "a" * 3000, "١",
)  # fmt: skip
FEW = ("%00", "2147483648", "9223372036854775808", "%ED%A0%80")
AGAIN = {"<int:": ("0", "9223372036854775808"), "<slug>": ("%00", "x"), "<game:": ("%00", "x")}
"""Values for further variables of the same name: the same converter or function ends all else before any page."""
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
@every_nth(12, 4)
def test_odd_values_in_addresses_find_nothing(
    app: Flask, busy: Person, stage: Stage, database_url: str, step: int
) -> None:
    token = str(busy.open("/sign-in").value("csrf_token"))
    with stage.unchanged():
        for method in ("GET", "POST"):
            asked_of = set[str]()
            for rule, address in addresses(rules(app, method)[::step], stage).items():
                for place, part in enumerate(rule.split("/")):
                    if not part.startswith("<"):
                        continue
                    values: tuple[str, ...] = FEW if "postgres" in database_url else ODD
                    if part in asked_of:
                        values = next((few for kind, few in AGAIN.items() if part.startswith(kind)), values)
                    asked_of.add(part)
                    for odd in values:
                        parts = address.split("/")
                        parts[place] = odd
                        asked = "/".join(parts)
                        answer = busy.ask(method, asked, {"csrf_token": token} if method == "POST" else None)
                        sound(answer)
                        no_page = {403} if asked.startswith("/me/") else set()  # nobody's own page is open here
                        assert answer.status_code in {302, 401, 404, 405, 308} | no_page, (
                            f"{method} {asked[:90]}: {answer.status}"
                        )
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
def only_here(app: Flask, settings: Settings, four_people: list[Person]) -> list[Person]:
    """Four people whose browsers have opened the pages at an address of this computer alone."""
    app.extensions["overseer_settings"] = replace(settings, public="", port=8123, data=Path("/srv/the club"))
    for person in four_people:
        if (cookie := person.http.get_cookie("overseer")) is not None:
            person.http.set_cookie("overseer", cookie.value, domain="127.0.0.1")
    return four_people


@every_nth(9, 3)
def test_no_page_names_this_computer(app: Flask, stage: Stage, only_here: list[Person], step: int) -> None:
    visitor, ada, _, olga = only_here
    found, read = [], 0
    for rule, address in addresses(rules(app, "GET")[::step], stage).items():
        person = olga if is_of_staff(rule) else ada if "/me" in rule else visitor
        answer = person.http.get(address, base_url=HERE, buffered=True)
        answer.headers.remove("Location")
        read += answer.status_code == 200
        found += [rule] if ONLY_HERE.search(everything(answer)) else []
    assert (found, read > 80 // step) == ([], True)
    assert packs.name == "round_pack", "the pack is among them"


def test_staff_read_how_to_connect(only_here: list[Person]) -> None:
    visitor, *_, olga = only_here
    addresses = ("/e/iron-open/desk", "/e/iron-open/desk/print", "/e/iron-open/desk/players/1")
    for page in (olga.http.get(address, base_url=HERE).text for address in addresses):
        assert "Only this computer can open Overseer" in page
        assert "./run serve" not in page, "the command is on the page of what phones see"
        assert ('href="/desk/phones"' in page, 'class="qr"' in page) == (True, False)
    assert (
        "HOST=0.0.0.0 PORT=8123 OVERSEER_DATA=&#39;/srv/the club&#39; ./run serve"
        in olga.http.get("/desk/phones", base_url=HERE).text
    )
    assert "/desk/phones" not in visitor.http.get("/e/iron-open", base_url=HERE).text
    page = olga.http.get("/e/iron-open/desk/print", base_url=HERE).text
    assert "Badges for all players" in page
    assert '<details class="fold" id="no-codes">' in page, "said once, and out of the way of an event on paper"
    assert "private link: give it only" not in page and "Badges to scan at the door" not in page, "they have no codes"
    answer = olga.http.get("/e/iron-open/desk/poster.pdf", base_url=HERE, follow_redirects=True)
    assert "only this computer can open Overseer" in Page(answer).flashes


Question = Callable[[str, Mapping[str, Any], str], bool]
"""Whether somebody may use an endpoint with these variables and this method."""


def crawl(
    person: Person, start: str, app: Flask, within: tuple[str, ...], opened: set[object], may: Question | None = None
) -> dict[str, str]:
    """Follow every link from here; the faults by address. Anchors must be on the page that they name.

    Links are followed only from pages whose addresses begin with one of ``within``. Of what others have ``opened``,
    only those are opened again, without a query. Of one kind of paper the first is drawn: they cost most of the time.
    """
    wrong: dict[str, str] = {}
    pages: dict[str, str] = {}
    anchors, waiting, routes = set[tuple[str, str]](), [start], app.url_map.bind("localhost")
    while waiting:
        address = waiting.pop()
        if address in opened and address != start:
            if not address.startswith(within):
                continue
            address = address.partition("?")[0]
        if address in pages:
            continue
        if urlsplit(address).path.endswith((".pdf", ".zip")):
            paper = (routes.match(urlsplit(address).path)[0], *sorted(parse_qs(urlsplit(address).query)))
            if paper in opened:
                continue
            opened.add(paper)
        answer = person.ask("GET", address)
        if answer.status_code in (301, 302):
            pages[address] = ""
            waiting.append(answer.location)
            continue
        if answer.status_code != 200:
            wrong[address] = answer.status
        pages[address] = page = answer.text if answer.mimetype == "text/html" else ""
        if page and (address == start or address.startswith(within)):
            for method, target, anchor in offers(page, address):
                assert routes.test(urlsplit(target).path, method=method), target
                rule, values = routes.match(urlsplit(target).path, method, return_rule=True)
                if may and is_of_staff(rule.rule) and not may(rule.endpoint, values, method):
                    wrong[target] = f"{method} is not allowed"
                if anchor:
                    anchors.add((target, anchor))
                if method == "GET":
                    waiting.append(target)
    for address, anchor in anchors:
        found = pages.get(address)
        if found and f' id="{anchor}"' not in found:
            wrong[f"{address}#{anchor}"] = "no such place on the page"
    opened.update(pages)
    return wrong if len(pages) > 3 else {start: "leads nowhere"}


LETTER = re.compile(r'<(\w+) class="letter.*?</\1>', re.DOTALL)  # it shows the player's own link
LINK = re.compile(r'<(?:a|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"')
A_FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
BUTTON = re.compile(r"<button\b([^>]*)>")
SET = re.compile(r'\s([\w-]+)="([^"]*)"')


def offers(page: str, here: str) -> Iterator[tuple[str, str, str]]:
    """The method, address and anchor of each link and each form with a button."""
    for link in LINK.findall(LETTER.sub("", page)):
        target, anchor = urldefrag(unescape(link))
        if not urlsplit(target).scheme and (target or anchor):
            yield "GET", target or here, anchor
    for form, inside in A_FORM.findall(page):
        wanted = dict(SET.findall(form))
        for button in BUTTON.findall(inside):
            target = urldefrag(unescape(dict(SET.findall(button)).get("formaction") or wanted.get("action", ""))).url
            yield wanted.get("method", "get").upper(), target or here, ""


@pytest.fixture
def far(stage: Stage, event: Event, enter: Enter) -> list[Person]:
    """An event in its second round: legal and illegal forces, a bye, an absent player, a message."""
    people = enter(event, "Ada", "Bo", "Cy")
    write_to(stage, event, mail=False)
    ada, bo, *_ = stage.all(Player)
    stage.force(event, ada, read_force(PIPER))
    stage.force(event, bo, read_force(PIPER | {"cards": [{"kind": "Quest", "name": "X"}]}), submit=False)
    stage.play(event, 1)
    stage.enter(event, "Absent", here=False)
    stage.publish(event, 2)
    return people


@pytest.mark.sweep
def test_no_link_is_dead_and_none_leads_where_its_reader_may_not_go(
    app: Flask, far: list[Person], olga: Person, stage: Stage, event: Event
) -> None:
    """Of staff also for the forms, by the permission of each route."""
    opened = set[object]()
    assert crawl(Person(app), "/e/iron-open", app, ("/",), opened) == {}
    assert crawl(far[0], "/e/iron-open", app, ("/e/iron-open/me",), opened) == {}
    assert crawl(olga, "/desk", app, ("/desk", "/e/iron-open/desk"), opened) == {}
    for role in (a_role for a_role in Role if a_role != Role.OWNER):  # Olga is owner
        visitor = Visitor(stage.hire(event, f"The {role}", role), roles={event.id: role})

        def may(endpoint: str, values: Mapping[str, Any], method: str, who: Visitor = visitor) -> bool:
            return question_of(endpoint, values, method)(who, event)

        person = let_in(app, stage.hire_of(role))
        assert crawl(person, "/e/iron-open/desk", app, ("/e/iron-open/desk",), opened, may) == {}, role


@pytest.mark.parametrize("state", full_run(["draft", "registration", "drawn", "finished"], ["drawn"], ["draft"]))
def test_no_link_is_dead_in_any_state_of_the_event(app: Flask, olga: Person, stage: Stage, state: str) -> None:
    event = stage.event(rounds=2 if state == "drawn" else 1, draft=state == "draft")
    if state in ("drawn", "finished"):
        stage.enter(event, "Ada", "Bo", "Cy")
        stage.play(event, 1)
    if state == "drawn":
        stage.draw(event, 2)
    within = ("/e/iron-open/desk/rounds",)
    if state == "finished":
        stage.do(event, finish)
        within = ("/e/iron-open/desk",)
    if state != "draft":
        assert crawl(Person(app), "/e/iron-open", app, ("/e/iron-open",), set()) == {}
    assert crawl(olga, "/e/iron-open/desk", app, within, set()) == {}
