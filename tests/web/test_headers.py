"""The headers of every response, and failures that must deny access."""

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from events.accounts import actions as accounts_actions
from models.people import Account
from tests.kit.accounts import signed_in
from tests.kit.person import Person
from tests.kit.routes import addresses, rules
from tests.kit.stage import PASSWORD, Stage

POLICY = {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}
NOT_TEXT = ("application/pdf", "application/zip", "image/svg+xml", "image/png", "application/json",
            "application/manifest+json")  # fmt: skip
ELSEWHERE = "?next=//evil.example&url=https://evil.example&return_to=%5C%5Cevil.example&go=%09//evil.example"
UNUSED = ("camera", "microphone", "geolocation", "payment", "usb", "serial", "hid", "midi", "display-capture")
"""Browser features that no page uses."""


def wrong_headers(answer: TestResponse) -> list[str]:
    """The faults in the headers of a response."""
    head, data = answer.headers, answer.data
    policy = {part.strip() for part in head.get("Content-Security-Policy", "").split(";")}
    features = {part.strip() for part in head.get("Permissions-Policy", "").split(",")}
    kind, location = head.get("Content-Type", ""), head.get("Location", "/")
    faults = {
        f"policy {policy}": not policy >= POLICY or any("unsafe" in part or "*" in part for part in policy),
        "nosniff": head.get("X-Content-Type-Options") != "nosniff",
        "referrer": head.get("Referrer-Policy") != "same-origin",
        "opener": head.get("Cross-Origin-Opener-Policy") != "same-origin",
        f"features {features}": not {f"{feature}=()" for feature in UNUSED} <= features,
        "clipboard": any(part.startswith("clipboard-write") for part in features),  # the pages copy links
        f"type {kind!r}": data and "charset=utf-8" not in kind and not kind.startswith(NOT_TEXT),
        f"mark-up as {kind!r}": data.lstrip()[:1] == b"<"
        and not kind.startswith(("text/html", "image/svg+xml", "application/xml")),
        "no page, but HTML": data and kind.startswith("text/html") and not data.lstrip().startswith(b"<"),
        f"leads to {location}": "evil" in location
        or not location.startswith("/")
        or location.startswith(("//", "/\\")),
    }
    return [fault for fault, found in faults.items() if found]


@pytest.mark.proves(
    "ASVS 3.2.1", "ASVS 3.4.3", "ASVS 3.4.4", "ASVS 3.4.5", "ASVS 3.4.6", "ASVS 3.7.2", "ASVS 4.1.1", "attack 25",
    "attack 73", "ASVS 16.5.3",
)  # fmt: skip
def test_every_response_has_the_security_headers(app: Flask, four_people: list[Person], stage: Stage) -> None:
    visitor, ada, _, olga = four_people
    answers = {
        (who, rule): person.ask("GET", address + ELSEWHERE)
        for who, person in (("visitor", visitor), ("player", ada), ("organiser", olga))
        for rule, address in addresses(rules(app, "GET"), stage).items()
        if who == "organiser" or not rule.endswith((".pdf", ".zip"))
    }
    assert {answer.status_code for answer in answers.values()} >= {200, 302, 403, 404}
    odd = [("GET", "/nothing"), ("PUT", "/"), ("POST", "/sign-in"), ("GET", "/static/nothing"), ("GET", "/e/%00"),
           ("OPTIONS", "/"), ("HEAD", "/sign-in"), ("TRACE", "/sign-in")]  # fmt: skip
    answers |= {(method, address): visitor.ask(method, address) for method, address in odd}
    answers["host", "/"] = visitor.http.get("/", headers={"Host": "evil.example"}, buffered=True)
    stage.s.connection().execute(text("ALTER TABLE event RENAME TO gone"))
    stage.s.commit()
    answers["fault", "/"] = visitor.ask("GET", "/")
    assert (answers["host", "/"].status_code, answers["fault", "/"].status_code) == (400, 500)
    assert {where: wrong for where, answer in answers.items() if (wrong := wrong_headers(answer))} == {}


@pytest.mark.proves("ASVS 16.5.3")
def test_lost_accounts_table_denies_all_access(app: Flask, four_people: list[Person], stage: Stage) -> None:
    """Accounts and roles are read in each request; if that fails, access is denied."""
    olga = signed_in(app, "Olga")
    sent = {"csrf_token": str(olga.open("/sign-in").value("csrf_token")), "name": "Mine"}
    pages, posts = (
        ("/desk", "/e/iron-open/desk", "/e/iron-open/desk/players"),
        ("settings", "finish", "rounds/1/unpublish"),
    )
    assert olga.ask("GET", pages[1]).status_code == 200, "the control"
    before = stage.digest()
    for table in ("staff", "organiser", "ended_sign_in"):
        stage.s.connection().execute(text(f"ALTER TABLE {table} RENAME TO gone"))
        stage.s.commit()
        answers = [olga.ask("GET", address) for address in pages]
        answers += [olga.ask("POST", f"/e/iron-open/desk/{address}", sent) for address in posts]
        assert {answer.status_code for answer in answers} <= {302, 403, 404, 500, 503}, table
        stage.s.connection().execute(text(f"ALTER TABLE gone RENAME TO {table}"))
        stage.s.commit()
    assert stage.digest() == before


@pytest.mark.proves("ASVS 11.4.2")
def test_passwords_are_stored_by_argon2id(olga: Person, stage: Stage) -> None:
    """19 MiB and two passes: the second choice of OWASP's sheet on storing passwords."""
    olga.open("/account")
    olga.press("Change password", old=PASSWORD, password="three old lamps", again="three old lamps")
    stored = stage.one(Account).password_hash
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    with stage.changing() as s:
        other = accounts_actions.make_account(s, "Petra", "three old lamps", stage.clock())
    assert other.password_hash != stored, "each has its own salt"
