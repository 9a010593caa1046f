"""What every answer says to the browser, whatever the address and however it ends."""

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from events.accounts import actions as accounts_actions
from models.event import Event
from models.people import Account
from tests.accounts.test_route_matrix import GET, addresses, people
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage

__all__ = ["people"]  # a fixture

POLICY = {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}
WITHOUT_WORDS = (
    "application/pdf",
    "application/zip",
    "image/svg+xml",
    "image/png",
    "application/json",
    "application/manifest+json",
)
ELSEWHERE = "?next=//evil.example&url=https://evil.example&return_to=%5C%5Cevil.example&go=%09//evil.example"


def told(answer: TestResponse) -> list[str]:
    """What is wrong with the head of an answer."""
    head, wrong = answer.headers, []
    policy = {part.strip() for part in head.get("Content-Security-Policy", "").split(";")}
    if not policy >= POLICY or any("unsafe" in part or "*" in part for part in policy):
        wrong.append(f"policy {policy}")
    if head.get("X-Content-Type-Options") != "nosniff":
        wrong.append("nosniff")
    if head.get("Referrer-Policy") != "same-origin":
        wrong.append("referrer")
    if head.get("Cross-Origin-Opener-Policy") != "same-origin":
        wrong.append("opener")
    if "camera=()" not in head.get("Permissions-Policy", ""):
        wrong.append("features")
    kind = head.get("Content-Type", "")
    if answer.data and "charset=utf-8" not in kind and not kind.startswith(WITHOUT_WORDS):
        wrong.append(f"type {kind!r}")
    if answer.data.lstrip()[:1] == b"<" and not kind.startswith(("text/html", "image/svg+xml", "application/xml")):
        wrong.append(f"mark-up as {kind!r}")
    if answer.data and kind.startswith("text/html") and not answer.data.lstrip().startswith(b"<"):
        wrong.append("no page, and shown as one")
    if "evil" in head.get("Location", "") or not head.get("Location", "/").startswith("/"):
        wrong.append(f"leads to {head['Location']}")
    if head.get("Location", "/").startswith(("//", "/\\")):
        wrong.append(f"leads off to {head['Location']}")
    return wrong


@pytest.mark.proves("ASVS 3.2.1", "ASVS 3.4.3", "ASVS 3.4.4", "ASVS 3.4.5", "ASVS 3.4.6", "ASVS 3.7.2", "ASVS 4.1.1")
def test_every_answer_has_its_head_in_order(people: list[Person], stage: Stage) -> None:
    visitor, ada, _, olga = people
    three = {"visitor": visitor, "player": ada, "organiser": olga}
    asked = [(who, rule, address) for who in three for rule, address in addresses(GET, stage).items()]
    answers = {(who, rule): three[who].ask("GET", address + ELSEWHERE) for who, rule, address in asked}
    assert {answer.status_code for answer in answers.values()} >= {200, 302, 403, 404}
    odd = [("GET", "/nothing"), ("PUT", "/"), ("POST", "/sign-in"), ("GET", "/static/nothing"), ("GET", "/e/%00"),
           ("OPTIONS", "/"), ("HEAD", "/sign-in"), ("TRACE", "/sign-in")]  # fmt: skip
    answers |= {(method, address): visitor.ask(method, address) for method, address in odd}
    assert {where: wrong for where, answer in answers.items() if (wrong := told(answer))} == {}


UNUSED = ("camera", "microphone", "geolocation", "payment", "usb", "serial", "hid", "midi", "display-capture")
"""Browser features that no page asks for."""


@pytest.mark.proves("attack 73")
@pytest.mark.parametrize(
    ("address", "host", "status"),
    [
        ("/", "localhost", 200), ("/sign-in", "localhost", 200), ("/desk", "localhost", 302),
        ("/nothing", "localhost", 404), ("/static/overseer.css", "localhost", 200),
        ("/static/nothing", "localhost", 404), ("/healthz", "localhost", 200), ("/", "evil.example", 400),
    ],
)  # fmt: skip
def test_every_response_denies_browser_features_that_no_page_uses(
    visitor: Person, address: str, host: str, status: int
) -> None:
    answer = visitor.http.get(address, headers={"Host": host}, buffered=True)
    policy = [part.strip() for part in answer.headers.get("Permissions-Policy", "").split(",")]
    assert answer.status_code == status
    assert {f"{feature}=()" for feature in UNUSED} <= set(policy)
    assert not [part for part in policy if part.startswith("clipboard-write")], "the pages copy links"


@pytest.mark.proves("attack 73", "ASVS 16.5.3")
def test_a_fault_page_denies_browser_features_too(visitor: Person, stage: Stage) -> None:
    stage.s.connection().execute(text("ALTER TABLE event RENAME TO gone"))
    stage.s.commit()
    answer = visitor.ask("GET", "/")
    assert (answer.status_code, "camera=()" in answer.headers.get("Permissions-Policy", "")) == (500, True)


@pytest.mark.proves("ASVS 3.7.2", "attack 25")
@pytest.mark.parametrize("place", ["//evil.example", "/\\evil.example", "https:evil.example", "\t//evil.example",
                                   "//%09/evil.example", "https://localhost@evil.example"])  # fmt: skip
def test_signing_in_leads_to_a_page_of_ours(app: Flask, olga: Person, stage: Stage, place: str) -> None:
    """Nothing in a request says where it goes on: there is no next=, and one that is sent is not read."""
    for address, button in (("/sign-in", "Sign in"), ("/", "Sign out")):
        person = Person(app)
        person.open("/sign-in")
        if address == "/":
            person.press("Sign in", name="Olga", password=PASSWORD)
            person.open("/")
        token = str(person.page.soup.find(None, {"name": "csrf_token"})["value"])  # type: ignore[index]
        data = {"csrf_token": token, "name": "Olga", "password": PASSWORD, "next": place, "url": place}
        answer = person.http.post(
            address if button == "Sign in" else "/sign-out", data=data, query_string={"next": place},
            headers={"Referer": place.strip()},
        )  # fmt: skip
        assert answer.status_code == 302
        assert answer.location in ("/desk", "/")


@pytest.mark.proves("ASVS 16.5.3")
@pytest.mark.parametrize("table", ["staff", "organiser", "ended_sign_in"])
def test_what_cannot_be_asked_is_not_allowed(people: list[Person], stage: Stage, event: Event, table: str) -> None:
    """Who somebody is, and as what, is read anew each time; where that fails, nobody is let in."""
    olga = Person(people[0].http.application)
    olga.open("/sign-in")
    olga.press("Sign in", name="Olga", password=PASSWORD)
    of_the_desk = list(addresses([rule for rule in GET if "/desk" in rule], stage).values())
    sent = {"csrf_token": str(olga.open("/sign-in").value("csrf_token")), "name": "Mine"}
    assert olga.ask("GET", "/e/iron-open/desk").status_code == 200, "the control"
    stage.s.connection().execute(text(f"ALTER TABLE {table} RENAME TO gone"))
    stage.s.commit()
    assert {olga.ask("GET", address).status_code for address in of_the_desk} <= {302, 403, 404, 500, 503}
    for address in ("/e/iron-open/desk/settings", "/desk/new", "/e/iron-open/desk/finish"):
        assert olga.ask("POST", address, sent).status_code in (302, 403, 404, 500, 503)
    stage.s.rollback()
    assert stage.s.get_one(Event, event.id).name == "Iron Open"


@pytest.mark.proves("ASVS 11.4.2")
def test_passwords_are_kept_by_argon2id(olga: Person, stage: Stage) -> None:
    """19 MiB and two passes: the second of the choices that OWASP's sheet on storing passwords gives."""
    olga.open("/account")
    olga.press("Change password", old=PASSWORD, password="three old lamps", again="three old lamps")
    stored = stage.one(Account).password_hash
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    with stage.changing() as s:
        other = accounts_actions.make_account(s, "Petra", "three old lamps", stage.clock())
    assert other.password_hash != stored, "a salt of its own for each"
