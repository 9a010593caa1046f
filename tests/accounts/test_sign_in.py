"""Organisers sign in by one-time links or by name and password; sign-ins can be ended on the server."""

import base64
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from types import FrameType
from typing import Any

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import SignatureExpired, TimestampSigner

from events.accounts import actions as accounts_actions
from events.visitors.queries import new_sign_in
from models.people import Account, EndedSignIn, SetUpLink
from models.staff import Role, Staff
from tests.kit.accounts import sign_in, sign_out, signed_in, with_cookie_of
from tests.kit.people import Links, let_in
from tests.kit.person import SET_UP, SIGN_IN, Person, post_forms
from tests.kit.stage import PASSWORD, Stage
from tests.kit.statements import sent

pytestmark = pytest.mark.fast

NEW = "a better one than before"
ME = "/e/iron-open/me"


@pytest.mark.proves("attack 17", "ASVS 6.3.2", "ASVS 6.4.1", "ASVS 9.2.1", "ASVS 14.2.1")
def test_set_up_link_works_once_within_an_hour_or_until_a_newer_one(app: Flask, stage: Stage) -> None:
    older, link = stage.set_up_link(), stage.set_up_link()
    first, second, late = Person(app), Person(app), Person(app)
    for dead in (older, "/set-up/x", "/set-up/%00", "/set-up/%ED%A0%80", f"/set-up/{'a' * 3000}"):
        assert first.open(dead).status == 404, dead[:20]
    page, token = first.open(link), link.rpartition("/")[2]
    assert (page.path, page.status, token in page.response.text) == ("/set-up", 200, False)
    assert all(token not in up_link.token_hash for up_link in stage.all(SetUpLink)), "only the token's hash is stored"
    second.open(link)
    stage.clock.advance(microseconds=-1)
    assert late.open(link).status == 404, "made in the future: the clock was set back"
    stage.clock.advance(minutes=59, seconds=59, microseconds=1)
    assert late.open(link).path == "/set-up"
    page = first.press(SET_UP, name="Olga", password=PASSWORD)
    assert (page.path, "You are set up and signed in." in page.flashes) == ("/desk", True)
    newer = stage.set_up_link()
    late.open(newer)
    stage.clock.advance(hours=1)
    with stage.unchanged():
        assert [second.open(text).status for text in (link, newer, "/set-up")] == [404] * 3
        page = late.press(SET_UP, name="Mallory", password=PASSWORD)
        assert (page.status, page.part("h1")) == (404, "This link is no longer valid")


@pytest.mark.both_at_length
@pytest.mark.proves("attack 64")
def test_refused_set_up_form_leaves_the_link_unused_and_the_account_of_that_name_unchanged(
    olga: Person, visitor: Person, app: Flask, stage: Stage
) -> None:
    visitor.open(stage.set_up_link())
    taken, help_ = "This name is taken.", "overseer password-link"
    with stage.unchanged():
        for name, password, field, words in (
            ("", PASSWORD, "name", "Please fill this in."),
            ("O\x00", PASSWORD, "name", "cannot be printed"),
            ("Petra", "", "password", "Please choose a password."),
            ("Petra", "short", "password", "From 10 to 200 characters."),
            ("Petra", "x" * 201, "password", "From 10 to 200 characters."),
            ("Petra", "qwertyuiop", "password", "easy to guess"),
            *((name, NEW, "name", taken) for name in ("Olga", "olga", "ＯＬＧＡ")),
        ):
            page = visitor.press(SET_UP, name=name, password=password)
            assert (page.status, words in page.error_at(field)) == (422, True), words
            assert password == "" or password not in page.response.text, "no password is sent back"
            assert words != taken or (page.value("name"), help_ in page.error_at("name")) == (name, True)
    assert olga.open("/desk").path == "/desk", "still signed in"
    assert sign_in(Person(app), "Olga").path == "/desk"
    assert visitor.press(SET_UP, name="Petra", password=NEW).path == "/desk", "the link was not used up"
    assert [account.name for account in stage.all(Account)] == ["Olga", "Petra"]


@pytest.mark.proves("attack 18")
def test_unknown_name_and_wrong_password_read_and_cost_the_same(olga: Person, app: Flask, stage: Stage) -> None:
    pages, work = [], []
    for name, password in (("Olga", PASSWORD + "x"), ("Nobody", PASSWORD)):
        person, called = Person(app), list[str]()
        person.open("/sign-in")
        sys.setprofile(partial(note_call, called))
        try:
            with sent(app.extensions["overseer_engine"]) as statements:
                pages.append(person.press(SIGN_IN, name=name, password=password))
        finally:
            sys.setprofile(None)
        work.append((pages[-1].status, len(statements), called.count("verify_secret")))
    assert work[0] == work[1] == (422, work[0][1], work[0][2])
    assert work[0][2] > 0, "the control: the password was compared"
    assert pages[0].errors == pages[1].errors == "You are not signed in: Name and password do not match."
    assert pages[0].text.replace("Olga", "") == pages[1].text.replace("Nobody", "")
    assert (pages[0].value("name"), PASSWORD in pages[0].response.text) == ("Olga", False)
    with stage.unchanged():  # impossible names are not even counted
        for name in ("x" * 81, "x" * 100_000, "O\x00lga", " "):
            assert sign_in(Person(app), name, "some password").status == 422


def note_call(names: list[str], frame: FrameType, kind: str, _: Any) -> None:
    if kind == "call":
        names.append(frame.f_code.co_name)


@pytest.mark.proves("attack 21", "ASVS 6.2.1", "ASVS 6.2.4", "ASVS 7.4.3", "ASVS 7.5.1")
def test_new_password_ends_every_other_session(olga: Person, app: Flask, stage: Stage) -> None:
    there = signed_in(app, "Olga")
    before = [(account.password_hash, account.session_key) for account in stage.all(Account)]
    olga.open("/account")
    for old, password, again, field, words in (
        ("", NEW, NEW, "old", "Please type your current password."),
        ("not this one", NEW, NEW, "old", "The password is wrong."),
        (PASSWORD, "short", "short", "password", "From 10 to 200 characters."),
        (PASSWORD, "olgaolga2026", "olgaolga2026", "password", "easy to guess"),
        (PASSWORD, NEW, NEW + "x", "again", "The two new passwords differ. Type it again."),
        (PASSWORD, NEW, "", "again", "The two new passwords differ. Type it again."),
    ):
        page = olga.press("Change password", old=old, password=password, again=again)
        assert (page.status, words in page.error_at(field)) == (422, True), words
        assert NEW not in page.response.text, "no password is sent back"
    assert [(account.password_hash, account.session_key) for account in stage.all(Account)] == before
    page = olga.press("Change password", old=PASSWORD, password=NEW, again=NEW)
    assert (page.status, page.path, "Your password is changed." in page.flashes) == (200, "/desk", True)
    assert there.open("/desk").path == there.open("/account").path == "/sign-in"
    assert sign_in(Person(app), "Olga").status == 422
    assert sign_in(Person(app), "Olga", NEW).path == "/desk"
    assert olga.open("/desk").path == "/desk"


@pytest.mark.both_at_length
@pytest.mark.proves("attack 21", "attack 22", "ASVS 7.4.1")
def test_signing_out_ends_the_sign_in_on_the_server_and_no_other(app: Flask, stage: Stage, link_of: Links) -> None:
    stage.set_up("Olga")
    here, there, phone, lent = signed_in(app, "Olga"), signed_in(app, "Olga"), Person(app), Person(app)
    link = link_of(stage.enter(stage.event(), "Ada")[0])
    here.press("Continue as Ada", at=link)
    thief = with_cookie_of(here, app)
    assert thief.open("/desk").path == "/desk", "the control: the copy is as good as the cookie"
    assert sign_out(here).path == "/"
    assert here.open("/desk").path == thief.open("/desk").path == "/sign-in"
    assert here.open(ME).status == 200
    assert there.open("/desk").path == "/desk", "another browser of the same account stays signed in"
    sign_in(here, "Olga")
    assert here.open(ME).status == 200
    stage.clock.advance(days=181)
    sign_in(there, "Olga")
    sign_out(there)
    assert len(stage.all(EndedSignIn)) == 1, "sign-ins that have expired are deleted"
    phone.open(link)
    copy = with_cookie_of(phone, app)
    phone.open(link)  # the same sign-in again
    lent.open(link)
    phone.press("Sign out on this device", at=ME)
    assert phone.open(ME).status == copy.open(ME).status == 403
    assert lent.open(ME).status == 200
    copy = with_cookie_of(lent, app)
    lent.press("Sign out on this device")
    assert copy.open(ME).status == 403, "though another has signed out before"


@pytest.mark.proves("attack 21", "ASVS 7.2.4")
def test_signing_in_gives_a_new_cookie_and_ends_the_old_one(olga: Person, app: Flask) -> None:
    here = Person(app)
    fixed = here.open("/sign-in").value("csrf_token")
    with here.http.session_transaction() as session:
        session["planted"] = "by the previous user of the browser"
    here.press(SIGN_IN, name="Olga", password=PASSWORD)
    thief = with_cookie_of(here, app)
    sign_in(here, "Olga")
    with here.http.session_transaction() as session:
        assert "planted" not in session
    assert thief.open("/desk").path == "/sign-in"
    assert here.open("/desk").path == "/desk"
    assert here.ask("POST", "/sign-out", {"csrf_token": str(fixed)}).status_code == 400, "an old form's token ends too"


@pytest.mark.proves("attack 21", "attack 22")
def test_cookie_is_valid_only_for_its_own_row(olga: Person, app: Flask, stage: Stage, link_of: Links) -> None:
    """After a restore an id may belong to another row or none. Sign-ins without a number cannot be ended."""
    first, second = stage.event(), stage.event("Rust Cup")
    (ada,), (bo,) = stage.enter(first, "Ada"), stage.enter(second, "Bo")
    phone, now = Person(app), datetime.now(UTC)
    assert phone.open(link_of(ada)).status == 200
    with phone.http.session_transaction() as session:
        good = dict(session["players"])
    for held in (new_sign_in(bo.id, 1, now), new_sign_in(ada.id, ada.link_generation + 1, now),
                 new_sign_in(999, 1, now), good[str(first.id)][:2]):  # fmt: skip
        with phone.http.session_transaction() as session:
            session["players"] = {str(first.id): held}
        assert phone.open(ME).status in (403, 404), held
    gone, theirs = link_of(ada), link_of(bo)
    with stage.changing(first) as s:
        s.delete(s.merge(ada))
    assert (phone.open(gone).status, phone.open(theirs).status) == (404, 200)
    with olga.http.session_transaction() as session:
        good = session["organiser"]
    for held in (new_sign_in(999, "a key", now), good[:2]):
        with olga.http.session_transaction() as session:
            session["organiser"] = held
        assert olga.open("/desk").path == "/sign-in", held


@pytest.mark.proves("ASVS 7.3.2")
def test_sign_in_expires_however_often_it_is_used(olga: Person, app: Flask, stage: Stage, link_of: Links) -> None:
    here, phone = signed_in(app, "Olga"), Person(app)
    link = link_of(stage.enter(stage.event(), "Ada")[0])
    phone.open(link)
    for person in (here, phone):
        cookie = person.http.get_cookie("overseer")
        assert cookie and cookie.expires, "kept when the browser is closed"
    stage.clock.advance(days=29, hours=23)
    assert here.open("/desk").path == "/desk"
    stage.clock.advance(hours=1)
    assert here.open("/desk").path == "/sign-in"
    for days in (0, 100, 49):
        stage.clock.advance(days=days)
        assert phone.open(ME).status == 200
    stage.clock.advance(hours=23)
    assert phone.open(ME).status == 200
    stage.clock.advance(hours=1)
    assert phone.open(ME).status == 403
    assert phone.open(link).path == ME, "the private link signs in again"
    stage.clock.advance(days=-1)
    assert phone.open(ME).status == 200, "a clock that is set back signs nobody out"


def test_cookie_of_a_host_whose_clock_is_ahead_is_accepted_unchanged(app: Flask, stage: Stage, link_of: Links) -> None:
    class Ahead(TimestampSigner):
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
    assert phone.open(ME).status == 200  # its forms add the CSRF token to the session
    assert "Set-Cookie" not in phone.http.get(ME).headers


@pytest.mark.proves("ASVS 7.4.3", "ASVS 7.5.1", "ASVS 7.2.3", "ASVS 11.5.1")
def test_signing_out_everywhere_else_ends_all_other_sign_ins(olga: Person, app: Flask) -> None:
    others = [signed_in(app, "Olga") for _ in range(3)]
    numbers = set()
    for person in others:
        with person.http.session_transaction() as session:
            numbers.add(session["organiser"][2])
    assert [len(base64.urlsafe_b64decode(number)) for number in numbers] == [24] * 3, "192 random bits"
    page = olga.press("Sign out everywhere else", at="/account")
    assert (page.path, page.flashes) == ("/account", "All your other browsers are signed out.")
    assert {a_person.open("/desk").path for a_person in others} == {"/sign-in"}
    assert olga.open("/desk").path == "/desk"


@pytest.mark.proves("attack 83", "ASVS 7.5.2")
def test_account_lists_its_sign_ins_and_ends_one_of_them(app: Flask, stage: Stage) -> None:
    stage.set_up("Olga")
    stage.set_up("Petra")
    laptop, phone, other = (signed_in(app, name) for name in ("Olga", "Olga", "Petra"))
    rows = laptop.open("/account").rows("table")
    assert [row[-1] for row in rows] == ["Sign out", "this browser"] and rows[0][0].startswith("Another browser")
    (at,) = (address for _, address in post_forms(laptop, "/account") if "/sign-ins/" in address)
    other.post(at)
    assert phone.open("/desk").path == "/desk", "nobody ends another account's sign-in"
    assert laptop.press("Sign out", inside="table").flashes == "Another browser is signed out."
    assert (phone.open("/desk").path, laptop.open("/desk").path) == ("/sign-in", "/desk")
    assert len(laptop.open("/account").rows("table")) == 1


@pytest.mark.proves("attack 83", "ASVS 7.3.1")
def test_account_that_nobody_uses_is_signed_out_though_its_page_asks_for_news(app: Flask, stage: Stage) -> None:
    app.extensions["overseer_settings"] = replace(app.extensions["overseer_settings"], idle=timedelta(hours=12))
    stage.set_up("Olga")
    used, left = signed_in(app, "Olga"), signed_in(app, "Olga")
    for _ in range(3):
        stage.clock.advance(hours=11, minutes=59)
        assert used.open("/desk").path == "/desk"
        left.http.get("/desk", headers={"Sec-Fetch-Mode": "cors"})
    assert left.open("/desk").path == "/sign-in"


@pytest.mark.both_at_length
@pytest.mark.proves("attack 64", "ASVS 6.4.3")
def test_password_link_sets_the_password_of_one_account_and_nothing_else(
    visitor: Person, app: Flask, stage: Stage
) -> None:
    event, press = stage.event(), "Set password and sign in"
    olga, petra = (stage.hire(event, name, Role.JUDGE) for name in ("Olga", "Petra"))
    elsewhere, link = let_in(app, olga), stage.password_link("Olga")
    page = visitor.open(link)
    assert (page.path, page.part("h1"), "Olga" in page.part(".lede")) == ("/set-up", "Set a new password", True)
    assert not page.soup.find("input", {"name": "name"}), "the link says whose password it is"
    assert visitor.press(press, password=NEW, again="something else").error_at("again")
    assert "easy to guess" in visitor.press(press, password="olgaolga2026", again="olgaolga2026").error_at("password")
    page = visitor.forge(press, password=NEW, again=NEW, name="Mallory")
    assert (page.path, "Your password is changed." in page.flashes) == ("/desk", True)
    assert elsewhere.open("/desk").path == "/sign-in"
    assert "do not match" in sign_in(Person(app), "Olga").errors
    assert sign_in(Person(app), "Olga", NEW).path == "/desk"
    assert [(account.name, account.runs_club) for account in stage.all(Account)] == [("Olga", False), ("Petra", False)]
    assert stage.one(Account, name="Petra").password_hash == petra.password_hash
    assert {row.role for row in stage.all(Staff)} == {Role.JUDGE}, "an event without an owner stays without one"
    assert Person(app).open(link).status == 404, "it works once"


@pytest.mark.proves("attack 64")
def test_new_password_ends_the_open_password_links_of_its_account_alone(olga: Person, app: Flask, stage: Stage) -> None:
    stage.set_up("Petra")
    opened, (link, of_petra) = Person(app), (stage.password_link(name) for name in ("Olga", "Petra"))
    opened.open(link)
    olga.press("Change password", at="/account", old=PASSWORD, password=NEW, again=NEW)
    assert Person(app).open(link).status == 404
    assert (
        opened.press("Set password and sign in", password="a thief has set this", again="a thief has set this").status
        == 404
    )
    assert accounts_actions.sign_in(stage.s, "Olga", NEW) is not None
    assert Person(app).open(of_petra).status == 200


@pytest.mark.both_at_length
@pytest.mark.proves("attack 64", "attack 17")
def test_password_link_lasts_an_hour_or_until_a_newer_one(visitor: Person, stage: Stage) -> None:
    stage.set_up("Olga"), stage.set_up("Petra")
    older, of_petra, set_up = stage.password_link("Olga"), stage.password_link("Petra"), stage.set_up_link()
    newer = stage.password_link("Olga")
    assert visitor.open(older).status == 404
    for link in (newer, of_petra, set_up):
        assert visitor.open(link).status == 200
    assert len(stage.all(SetUpLink)) == 3
    visitor.open(newer)
    stage.clock.advance(minutes=61)
    page = visitor.press("Set password and sign in", password=NEW, again=NEW)
    assert (page.status, page.part("h1")) == (404, "This link is no longer valid")
    assert accounts_actions.sign_in(stage.s, "Olga", PASSWORD) is not None
