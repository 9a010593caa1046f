"""Organisers come in: by the one-time link, by name and password, and no faster than a person."""

import pytest
from flask import Flask

from models.people import Account, SetUpLink, SignInAttempt
from tests.actions.stage import PASSWORD, Stage
from tests.conftest import Clock
from tests.views.person import Page, Person


def sign_in(person: Person, name: str, password: str) -> Page:
    """Fill in the sign-in form."""
    person.open("/sign-in")
    return person.press("Sign in", name=name, password=password)


def test_the_set_up_link_works_once(app: Flask, stage: Stage) -> None:
    address = stage.set_up_link()
    first, second = Person(app), Person(app)
    first.open(address)
    second.open(address)
    page = first.press("Set up and sign in", name="Olga", password=PASSWORD)
    assert (page.path, "You are set up and signed in." in page.flashes) == ("/desk", True)
    page = second.press("Set up and sign in", name="Mallory", password=PASSWORD)
    assert (page.status, page.part("h1")) == (404, "This link does not work any more")
    assert second.open(address).status == 404
    assert [organiser.name for organiser in stage.all(Account)] == ["Olga"]
    token = address.rpartition("/")[2]
    assert all(token not in link.token_hash for link in stage.all(SetUpLink)), "only the token's hash is kept"


def test_a_newer_set_up_link_ends_the_older(visitor: Person, stage: Stage) -> None:
    older, newer = stage.set_up_link(), stage.set_up_link()
    assert visitor.open(older).status == 404
    assert visitor.open(newer).status == 200
    for made_up in ("x", "%00", "%ED%A0%80", "a" * 3000):
        assert visitor.open(f"/set-up/{made_up}").status == 404


@pytest.mark.parametrize(
    ("name", "password", "field", "words"),
    [
        ("", PASSWORD, "name", "Please fill in: your name."),
        ("Olga", "", "password", "Please choose a password."),
        ("Olga", "short", "password", "From 10 to 200 characters."),
        ("Olga", "x" * 201, "password", "From 10 to 200 characters."),
        ("O\x00", PASSWORD, "name", "cannot be printed"),
    ],
)
def test_a_set_up_that_cannot_be_taken_leaves_the_link_unused(
    visitor: Person, stage: Stage, name: str, password: str, field: str, words: str
) -> None:
    visitor.open(stage.set_up_link())
    before = stage.digest()
    page = visitor.press("Set up and sign in", name=name, password=password)
    assert page.status == 422
    assert words in page.error_at(field)
    assert password == "" or password not in page.response.text, "no password is sent back"
    assert stage.digest() == before
    assert visitor.press("Set up and sign in", name="Olga", password=PASSWORD).path == "/desk"


def test_a_lost_password_is_replaced_by_a_new_link_and_signs_out_everywhere(
    olga: Person, visitor: Person, stage: Stage
) -> None:
    visitor.open(stage.set_up_link())
    visitor.press("Set up and sign in", name="olga", password="another good one")
    assert [organiser.name for organiser in stage.all(Account)] == ["Olga"]
    assert olga.open("/desk").path == "/sign-in"
    assert "do not belong together" in sign_in(olga, "Olga", PASSWORD).errors
    assert sign_in(olga, "OLGA", "another good one").path == "/desk"


def test_a_wrong_name_and_a_wrong_password_read_the_same(olga: Person, app: Flask) -> None:
    pages = [sign_in(Person(app), name, PASSWORD + wrong) for name, wrong in (("Olga", "x"), ("Nobody", ""))]
    assert [page.status for page in pages] == [422, 422]
    assert pages[0].errors == pages[1].errors
    assert "Name and password do not belong together." in pages[0].errors
    assert pages[0].text.replace("Olga", "") == pages[1].text.replace("Nobody", "")
    assert pages[0].value("name") == "Olga"
    assert PASSWORD not in pages[0].response.text


def test_too_many_attempts_wait_for_this_name_alone(olga: Person, app: Flask, stage: Stage, clock: Clock) -> None:
    visitor = Person(app)
    for _ in range(10):
        assert sign_in(visitor, "Olga", "a wrong password").status == 422
    page = sign_in(Person(app), "ＯＬＧＡ", PASSWORD)
    assert page.status == 429
    assert "Please wait a quarter of an hour." in page.errors
    assert sign_in(visitor, "Nobody", "wrong").status == 422, "another name may still try"
    assert olga.open("/desk").path == "/desk", "who is signed in stays so"
    clock.advance(minutes=14)
    assert sign_in(visitor, "Olga", PASSWORD).status == 429
    clock.advance(minutes=2)
    assert sign_in(visitor, "Olga", PASSWORD).path == "/desk"
    sign_in(visitor, "Nobody", "wrong")
    assert len(stage.all(SignInAttempt)) == 1, "attempts that count no more are forgotten"


@pytest.mark.parametrize("name", ["x" * 81, "x" * 100_000, "O\x00lga", " "])
def test_an_impossible_name_is_not_even_looked_up(visitor: Person, stage: Stage, name: str) -> None:
    before = stage.digest()
    assert sign_in(visitor, name, "some password").status == 422
    assert stage.digest() == before


def test_signing_out_ends_the_desk_and_keeps_the_player(olga: Person, stage: Stage, link_of: object) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    assert callable(link_of)
    olga.open(link_of(ada))
    olga.open("/")
    page = olga.press("Sign out")
    assert page.path == "/"
    assert olga.open("/desk").path == "/sign-in"
    assert olga.open("/e/iron-open/me").status == 200
    sign_in(olga, "Olga", PASSWORD)
    assert olga.open("/e/iron-open/me").status == 200


NEW = "a better one than before"


def test_a_new_password_of_ones_own_ends_every_other_session(olga: Person, app: Flask) -> None:
    elsewhere = Person(app)
    sign_in(elsewhere, "Olga", PASSWORD)
    olga.open("/account")
    page = olga.press("Change password", old=PASSWORD, password=NEW, again=NEW)
    assert (page.status, page.path, "Your password is changed." in page.flashes) == (200, "/desk", True)
    assert elsewhere.open("/desk").path == "/sign-in"
    assert elsewhere.open("/account").path == "/sign-in"
    assert sign_in(elsewhere, "Olga", PASSWORD).status == 422
    assert sign_in(elsewhere, "Olga", NEW).path == "/desk"
    assert olga.open("/desk").path == "/desk"


@pytest.mark.parametrize(
    ("old", "password", "again", "field", "words"),
    [
        ("", NEW, NEW, "old", "Please type your password until now."),
        ("not this one", NEW, NEW, "old", "This is not your password until now."),
        (PASSWORD, "short", "short", "password", "From 10 to 200 characters."),
        (PASSWORD, NEW, NEW + "x", "again", "The two new passwords are not the same."),
        (PASSWORD, NEW, "", "again", "The two new passwords are not the same."),
    ],
)
def test_a_new_password_that_cannot_be_taken_changes_none(
    olga: Person, stage: Stage, old: str, password: str, again: str, field: str, words: str
) -> None:
    before = [(one.password_hash, one.session_key) for one in stage.all(Account)]
    olga.open("/account")
    page = olga.press("Change password", old=old, password=password, again=again)
    assert page.status == 422
    assert words in page.error_at(field)
    assert NEW not in page.response.text, "no password is sent back"
    assert [(one.password_hash, one.session_key) for one in stage.all(Account)] == before
    assert olga.open("/desk").path == "/desk"


def test_the_password_until_now_cannot_be_guessed_at_a_browser_left_signed_in(olga: Person, clock: Clock) -> None:
    for _ in range(10):
        olga.open("/account")
        assert olga.press("Change password", old="a wrong one", password=NEW, again=NEW).status == 422
    page = olga.press("Change password", old=PASSWORD, password=NEW, again=NEW)
    assert page.status == 429
    assert "Please wait a quarter of an hour." in page.errors
    clock.advance(minutes=16)
    olga.open("/account")
    assert olga.press("Change password", old=PASSWORD, password=NEW, again=NEW).path == "/desk"


def test_a_cookie_of_another_secret_opens_nothing(olga: Person, app: Flask, visitor: Person) -> None:
    cookie = olga.http.get_cookie("overseer")
    assert cookie is not None
    head, _, tail = cookie.value.rpartition(".")
    for forged in (f"{head}.{tail[::-1]}", cookie.value[:-2], "x", "", "e30.x.y"):
        visitor.http.set_cookie("overseer", forged)
        assert visitor.open("/desk").path == "/sign-in"
