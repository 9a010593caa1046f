"""Sign-in, invitations and the second factor, through the pages."""

import pyotp
from flask import Flask

from events.accounts import second_factor
from models.staff import Role
from tests.conftest import PUBLIC, Clock
from tests.kit.person import SIGN_IN, Page, Person
from tests.kit.stage import PASSWORD

STAFF = "/e/iron-open/desk/staff"


def sign_in(person: Person, name: str, password: str = PASSWORD) -> Page:
    return person.press(SIGN_IN, at="/sign-in", name=name, password=password)


def sign_out(person: Person) -> Page:
    return person.press("Sign out", at="/")


def signed_in(app: Flask, name: str) -> Person:
    person = Person(app)
    assert sign_in(person, name).path == "/desk"
    return person


def with_cookie_of(person: Person, app: Flask) -> Person:
    """A new browser with a copy of the person's cookie; ``app`` may run at another host."""
    cookie = person.http.get_cookie("overseer")
    assert cookie is not None
    copy = Person(app)
    copy.http.set_cookie("overseer", cookie.value)
    return copy


def link_for(olga: Person, role: Role, page: str = STAFF) -> str:
    return olga.press("Create link", at=page, role=role.value).part(".copy-text").removeprefix(PUBLIC)


def named(name: str, prefix: str = "n", password: str = PASSWORD) -> dict[str, str]:
    """The fields of an invitation's form: prefix "n" for a new account, "k" for an existing one."""
    return {f"{prefix}-name": name, f"{prefix}-password": password}


def join(app: Flask, link: str, name: str) -> Person:
    person = Person(app)
    assert person.open(link).path == "/invitation"
    assert person.press("Create account and accept", **named(name)).path == "/e/iron-open/desk"
    return person


def code_of(secret: str, clock: Clock) -> str:
    return pyotp.TOTP(secret).at(clock())


def turned_on(olga: Person, clock: Clock) -> tuple[str, list[str]]:
    olga.open("/account/second-factor")
    secret = olga.page.part(".long-code")
    page = olga.press("Turn it on", code=code_of(secret, clock), old=PASSWORD)
    assert page.part("h1") == "Your second factor is on", page.text
    clock.advance(seconds=second_factor.STEP)
    return secret, [code.get_text() for code in page.soup.select(".spare-codes code")]
