"""Organisers come in: by the one-time link, by name and password, and no faster than a person."""

import base64
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import SignatureExpired, TimestampSigner

from events.accounts.queries import new_sign_in
from models.people import Account, EndedSignIn, SetUpLink, SignInAttempt
from models.play import Player
from tests.conftest import Clock
from tests.kit.person import Page, Person
from tests.kit.stage import PASSWORD, Stage

pytestmark = pytest.mark.fast


def sign_in(person: Person, name: str, password: str) -> Page:
    """Fill in the sign-in form."""
    person.open("/sign-in")
    return person.press("Sign in", name=name, password=password)


@pytest.mark.proves("attack 17", "ASVS 6.4.1", "ASVS 6.3.2")
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


@pytest.mark.proves("attack 17")
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


@pytest.mark.proves("attack 18")
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
    kept = sorted(one.kind for one in stage.all(SignInAttempt))
    assert kept == ["both", "client", "name"], "attempts that count no more are forgotten"


@pytest.mark.parametrize("name", ["x" * 81, "x" * 100_000, "O\x00lga", " "])
def test_an_impossible_name_is_not_even_looked_up(visitor: Person, stage: Stage, name: str) -> None:
    before = stage.digest()
    assert sign_in(visitor, name, "some password").status == 422
    assert stage.digest() == before


def test_a_staff_page_offers_the_sign_in_to_visitors(olga: Person, visitor: Person, stage: Stage) -> None:
    stage.event()
    button = 'class="button primary" href="/sign-in"'
    page = visitor.open("/e/iron-open/desk")
    assert (page.status, button in page.response.text) == (403, True)
    assert button not in olga.open("/e/iron-open/desk").response.text


def test_signing_out_ends_the_desk_and_keeps_the_player(olga: Person, stage: Stage, link_of: object) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    assert callable(link_of)
    olga.open(link_of(ada))
    olga.press("Continue as Ada")
    olga.open("/")
    page = olga.press("Sign out")
    assert page.path == "/"
    assert olga.open("/desk").path == "/sign-in"
    assert olga.open("/e/iron-open/me").status == 200
    sign_in(olga, "Olga", PASSWORD)
    assert olga.open("/e/iron-open/me").status == 200


NEW = "a better one than before"


@pytest.mark.proves("attack 21", "ASVS 7.4.3")
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
@pytest.mark.proves("ASVS 7.5.1")
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


@pytest.mark.proves("attack 21", "ASVS 9.1.1")
def test_a_cookie_of_another_secret_opens_nothing(olga: Person, app: Flask, visitor: Person) -> None:
    cookie = olga.http.get_cookie("overseer")
    assert cookie is not None
    head, _, tail = cookie.value.rpartition(".")
    for forged in (f"{head}.{tail[::-1]}", cookie.value[:-2], "x", "", "e30.x.y"):
        visitor.http.set_cookie("overseer", forged)
        assert visitor.open("/desk").path == "/sign-in"


def copy_of(person: Person, app: Flask) -> Person:
    """Another browser with the same cookie, as a thief has it."""
    cookie = person.http.get_cookie("overseer")
    assert cookie is not None
    thief = Person(app)
    thief.http.set_cookie("overseer", cookie.value)
    return thief


@pytest.mark.both_databases
@pytest.mark.proves("attack 21", "ASVS 7.4.1")
def test_signing_out_ends_the_sign_in_on_the_server(olga: Person, app: Flask, stage: Stage, clock: Clock) -> None:
    here, there = Person(app), Person(app)
    sign_in(here, "Olga", PASSWORD)
    sign_in(there, "Olga", PASSWORD)
    thief = copy_of(here, app)
    assert thief.open("/desk").path == "/desk", "the control: the copy is as good as the cookie"
    here.open("/")
    here.press("Sign out")
    assert thief.open("/desk").path == "/sign-in"
    assert there.open("/desk").path == "/desk", "another browser of the same account stays"
    clock.advance(days=181)
    sign_in(there, "Olga", PASSWORD)
    there.open("/")
    there.press("Sign out")
    assert len(stage.all(EndedSignIn)) == 1, "those that have ended by themselves are forgotten"


@pytest.mark.proves("attack 21", "ASVS 7.2.4")
def test_signing_in_gives_another_cookie_and_ends_the_one_before(olga: Person, app: Flask, stage: Stage) -> None:
    here = Person(app)
    fixed = here.open("/sign-in").value("csrf_token")
    with here.http.session_transaction() as session:
        session["planted"] = "by whoever had the browser before"
    here.press("Sign in", name="Olga", password=PASSWORD)
    thief = copy_of(here, app)
    sign_in(here, "Olga", PASSWORD)
    with here.http.session_transaction() as session:
        assert "planted" not in session
    assert thief.open("/desk").path == "/sign-in"
    assert here.open("/desk").path == "/desk"
    assert here.ask("POST", "/sign-out", {"csrf_token": str(fixed)}).status_code == 400, "nor does an old form's token"


@pytest.mark.proves("attack 21")
def test_a_sign_in_without_a_number_opens_nothing(
    olga: Person, app: Flask, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    """As the first cookies were: what has no number nobody could end."""
    phone = Person(app)
    phone.open(link_of(stage.enter(stage.event(), "Ada")[0]))
    for person, address in ((olga, "/desk"), (phone, "/e/iron-open/me")):
        assert person.open(address).path == address
        with person.http.session_transaction() as session:
            if "organiser" in session:
                session["organiser"] = session["organiser"][:2]
            session["players"] = {event: held[:2] for event, held in session.get("players", {}).items()}
        assert person.open(address).path != address or person.page.status in (403, 404)


@pytest.mark.proves("attack 22")
def test_a_cookie_opens_only_what_it_was_made_for(
    olga: Person, app: Flask, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    """As after going back to a copy of before: a number may be another's by then, or nobody's."""
    first, second = stage.event(), stage.event("Rust Cup")
    (ada,), (bo,) = stage.enter(first, "Ada"), stage.enter(second, "Bo")
    phone = Person(app)
    assert phone.open(link_of(ada)).status == 200
    now = datetime.now(UTC)
    for whom, key in ((bo.id, 1), (ada.id, ada.link_generation + 1), (999, 1)):
        with phone.http.session_transaction() as session:
            session["players"] = {str(first.id): new_sign_in(whom, key, now)}
        assert phone.open("/e/iron-open/me").status == 403, (whom, key)
    gone, theirs = link_of(ada), link_of(bo)
    with stage.changing(first) as s:
        s.delete(s.merge(ada))
    assert (phone.open(gone).status, phone.open(theirs).status) == (404, 200)
    with olga.http.session_transaction() as session:
        session["organiser"] = new_sign_in(999, "a key", now)
    assert olga.open("/desk").path == "/sign-in"


@pytest.mark.proves("ASVS 7.3.2")
def test_a_sign_in_ends_by_itself_however_often_it_is_used(
    olga: Person, app: Flask, stage: Stage, clock: Clock, link_of: Callable[[Player], str]
) -> None:
    here, phone = Person(app), Person(app)
    link = link_of(stage.enter(stage.event(), "Ada")[0])
    sign_in(here, "Olga", PASSWORD)
    phone.open(link)
    clock.advance(days=29, hours=23)
    assert here.open("/desk").path == "/desk"
    clock.advance(hours=1)
    assert here.open("/desk").path == "/sign-in"
    for days in (0, 100, 49):
        clock.advance(days=days)
        assert phone.open("/e/iron-open/me").status == 200
    clock.advance(hours=23)
    assert phone.open("/e/iron-open/me").status == 200
    clock.advance(hours=1)
    assert phone.open("/e/iron-open/me").status == 403
    assert phone.open(link).path == "/e/iron-open/me", "the private link signs in again"
    clock.advance(days=-1)
    assert phone.open("/e/iron-open/me").status == 200, "a clock that is set back signs nobody out"


def test_cookie_signed_by_a_host_whose_clock_is_ahead_is_accepted(
    app: Flask, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    class Ahead(TimestampSigner):
        """The signer of a host whose clock is an hour ahead."""

        def get_timestamp(self) -> int:
            return super().get_timestamp() + 3600

    phone = Person(app)
    phone.open(link_of(stage.enter(stage.event(), "Ada")[0]))
    serializer = SecureCookieSessionInterface().get_signing_serializer(app)
    cookie = phone.http.get_cookie("overseer")
    assert serializer is not None and cookie is not None
    held = serializer.loads(cookie.value)
    serializer.signer = Ahead
    ahead = str(serializer.dumps(held))
    serializer.signer = TimestampSigner
    with pytest.raises(SignatureExpired):  # the control: Flask alone rejects it
        serializer.loads(ahead, max_age=10**9)
    phone.http.set_cookie("overseer", ahead)
    assert phone.open("/e/iron-open/me").status == 200


def test_cookie_is_not_sent_again_with_each_page(app: Flask, stage: Stage, link_of: Callable[[Player], str]) -> None:
    phone = Person(app)
    phone.open(link_of(stage.enter(stage.event(), "Ada")[0]))
    phone.open("/e/iron-open/me")  # its forms bring the token against forged requests into the session
    assert "Set-Cookie" not in phone.http.get("/e/iron-open/me").headers


@pytest.mark.both_databases
@pytest.mark.proves("attack 21", "attack 22", "ASVS 7.4.1")
def test_a_phone_that_signs_out_is_signed_out_on_the_server(
    olga: Person, app: Flask, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    (ada,) = stage.enter(stage.event(), "Ada")
    phone, other = Person(app), Person(app)
    phone.open(link_of(ada))
    first = copy_of(phone, app)
    phone.open(link_of(ada))  # once more: the same sign-in
    other.open(link_of(ada))
    phone.open("/e/iron-open/me")
    phone.press("Sign out on this device")
    assert phone.open("/e/iron-open/me").status == first.open("/e/iron-open/me").status == 403
    assert other.open("/e/iron-open/me").status == 200
    second = copy_of(other, app)
    other.press("Sign out on this device")
    assert second.open("/e/iron-open/me").status == 403, "though another has signed out before"


@pytest.mark.proves("ASVS 7.4.3", "ASVS 7.5.1")
def test_one_signs_out_everywhere_else(olga: Person, app: Flask) -> None:
    there = Person(app)
    sign_in(there, "Olga", PASSWORD)
    olga.open("/account")
    page = olga.press("Sign out everywhere else")
    assert (page.path, page.flashes) == ("/account", "Every other browser that was signed in as you is signed out.")
    assert there.open("/desk").path == "/sign-in"
    assert olga.open("/desk").path == "/desk"


@pytest.mark.proves("ASVS 7.2.3", "ASVS 11.5.1")
def test_the_number_of_a_sign_in_is_of_192_random_bits(olga: Person, app: Flask) -> None:
    numbers = set()
    for _ in range(3):
        sign_in(person := Person(app), "Olga", PASSWORD)
        with person.http.session_transaction() as session:
            numbers.add(session["organiser"][2])
    assert len(numbers) == 3
    assert all(len(base64.urlsafe_b64decode(number)) == 24 for number in numbers)


@pytest.mark.proves("attack 17", "ASVS 6.4.1", "ASVS 9.2.1", "ASVS 14.2.1")
def test_a_set_up_link_lasts_an_hour_and_leaves_the_address_bar_at_once(
    visitor: Person, app: Flask, stage: Stage, clock: Clock
) -> None:
    link, late = stage.set_up_link(), Person(app)
    page = visitor.open(link)
    assert (page.path, page.status) == ("/set-up", 200)
    assert link.rpartition("/")[2] not in page.response.text
    clock.advance(minutes=59, seconds=59)
    assert late.open(link).path == "/set-up"
    clock.advance(seconds=1)
    before = stage.digest()
    assert late.open(link).status == late.open("/set-up").status == 404
    page = visitor.press("Set up and sign in", name="Olga", password=PASSWORD)
    assert (page.status, page.part("h1"), stage.digest()) == (404, "This link does not work any more", before)
