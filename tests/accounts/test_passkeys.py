"""Passkeys of accounts and of players: what signs in, and what is refused."""

import json
from dataclasses import replace

import pytest
from flask import Flask

from events.accounts import passkeys
from events.accounts.passkeys import Party, party_at
from events.registration.actions import renew_link
from events.registration.removal import remove_players
from models.dispatch import Dispatch
from models.message import Contact
from models.people import Account, Passkey, StaffSignIn
from models.play import Player
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.accounts import sign_in, sign_out, signed_in, turned_on, with_cookie_of
from tests.kit.authenticator import (
    BACKED_UP,
    ELIGIBLE,
    PRESENT,
    VERIFIED,
    Authenticator,
    add_passkey,
    asked_on,
    sign_in_by,
)
from tests.kit.mail_server import Mailbox
from tests.kit.person import Enter, Person
from tests.kit.stage import PASSWORD, Event, Role, Stage
from tests.kit.writing import deliver, give_mail

ORIGIN = "http://localhost"
PAGE = "/sign-in/passkey"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Those of a service at localhost, where passkeys work without https."""
    return replace(settings, public=ORIGIN)


@pytest.fixture
def device(olga: Person) -> Authenticator:
    """A device with a passkey of Olga's account."""
    device = Authenticator(ORIGIN)
    page = add_passkey(olga, device, PASSWORD)
    assert (page.path, page.flashes) == ("/account/passkeys", "The passkey is added. Sign in with it from now on.")
    return device


def refused(person: Person, answer: str, words: str = passkeys.WRONG) -> bool:
    """Whether the open page's form with this answer is refused with these words, and signs nobody in."""
    page = person.forge("Sign in with a passkey", credential=answer)
    return (page.status, words in page.errors, person.open("/desk").path) == (422, True, "/sign-in")


@pytest.mark.proves("ASVS 6.3.3")
@pytest.mark.both_at_length
def test_passkey_signs_in_for_both_factors_and_is_listed(
    app: Flask, olga: Person, device: Authenticator, clock: Clock, stage: Stage
) -> None:
    turned_on(olga, clock)
    person = Person(app)
    assert sign_in_by(person, device).path == "/desk", "no name, no password and no code"
    assert olga.open("/account/passkeys").rows(".cards") == [
        ["My phone", "21 Nov 2026, 09:00 UTC", "21 Nov 2026, 09:00 UTC"]
    ]
    assert len(stage.all(StaffSignIn)) == 2, "listed like any sign-in"
    sign_out(person)
    assert person.open("/desk").path == "/sign-in"
    assert sign_in_by(person, device).path == "/desk", "again, with the next challenge"


@pytest.mark.proves("ASVS 6.3.3")
def test_passkey_is_the_required_second_factor(app: Flask, olga: Person, settings: Settings) -> None:
    app.extensions["overseer_settings"] = replace(settings, second_factor="demanded")
    device = Authenticator(ORIGIN)
    assert olga.open("/desk").path == "/account/second-factor"
    add_passkey(olga, device, PASSWORD)
    assert olga.open("/desk").path == "/desk", "this browser has shown both"
    assert sign_in_by(Person(app), device).path == "/desk"
    thief = Person(app)
    assert sign_in(thief, "Olga").path == PAGE, "the password alone opens only the page that asks for the passkey"
    for path in ("/desk", "/account", "/account/passkeys", "/account/second-factor"):
        assert thief.open(path).path == PAGE, path
    thief.post("/account/passkeys/1/remove")
    assert sign_in_by(thief, device).path == "/desk"


def test_device_that_does_not_count_its_uses_signs_in(app: Flask, olga: Person) -> None:
    device = Authenticator(ORIGIN, counts=False)
    add_passkey(olga, device, PASSWORD)
    assert [sign_in_by(Person(app), device).path for _ in range(2)] == ["/desk", "/desk"]


@pytest.mark.proves("attack 20")
def test_answer_to_a_challenge_is_accepted_once_and_for_ten_minutes(app: Flask, olga: Person, clock: Clock) -> None:
    device, person, other = Authenticator(ORIGIN, counts=False), Person(app), Person(app)
    add_passkey(olga, device, PASSWORD)
    asked = asked_on(person.open(PAGE))
    page, cookie = person.page, person.http.get_cookie("overseer")
    assert cookie is not None
    answer = device.signed(asked)
    other.open(PAGE)
    assert refused(other, answer), "the challenge of another browser"
    assert person.forge("Sign in with a passkey", credential=answer).path == "/desk"
    copy = Person(app)
    copy.http.set_cookie("overseer", cookie.value)
    copy.page = page
    assert refused(copy, answer, "already used"), "a copy of cookie and answer"
    late = device.signed(asked_on(other.open(PAGE)))
    clock.advance(minutes=11)
    assert refused(other, late, "open for too long")


@pytest.mark.proves("attack 20")
def test_answer_that_made_a_passkey_makes_no_other_after_its_removal(app: Flask, olga: Person, stage: Stage) -> None:
    olga.press("Continue", at="/account/passkeys", old=PASSWORD)
    answer, copy = Authenticator(ORIGIN).made(asked_on(olga.page)), with_cookie_of(olga, app)
    copy.page = olga.page
    olga.forge("Add a passkey", credential=answer, called="x")
    assert "no longer signs in" in olga.press("Remove").flashes
    page = copy.forge("Add a passkey", credential=answer, called="x")
    assert (page.status, "already used" in page.errors, stage.all(Passkey)) == (422, True, [])


def test_answers_for_another_address_or_without_the_person_are_refused(app: Flask, device: Authenticator) -> None:
    person = Person(app)
    for wrong in (
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:8001"},
        {"flags": PRESENT},
        {"flags": 0},
        {"handle": "b3RoZXI"},
        {"key": Authenticator(ORIGIN).key},
        {"credential": b"unknown"},
    ):
        asked = asked_on(person.open(PAGE))
        words = passkeys.UNKNOWN if "credential" in wrong else passkeys.WRONG
        assert refused(person, replace(device, **wrong).signed(asked), words), wrong
        device.uses += 1
    asked = asked_on(person.open(PAGE))
    assert refused(person, device.signed(asked, rpId="evil.example"))
    assert sign_in_by(person, device).path == "/desk"


def test_malformed_answers_are_refused(app: Flask, olga: Person, device: Authenticator) -> None:
    person = Person(app)
    right = json.loads(device.signed(asked_on(person.open(PAGE))))
    ids = (json.dumps({"id": part}) for part in (5, right["id"]))
    for odd in ("{", "[]", "5", '"x"', "null", "{}", "[" * 9000, *ids):
        person.open(PAGE)
        page = person.forge("Sign in with a passkey", credential=odd)
        assert page.status == 422, odd
    for name in right["response"]:
        for value in (None, "", "x", 5, "!!", "AAAA" * 20):
            person.open(PAGE)
            answer = json.dumps(right | {"response": right["response"] | {name: value}})
            assert person.forge("Sign in with a passkey", credential=answer).status in (422, 429), (name, value)
    made = json.loads(Authenticator(ORIGIN).made(asked_on(olga.open("/account/passkeys"))))
    for name in made["response"]:
        for value in (None, "", "x", 5, "!!", "AAAA" * 20, made["response"][name][:-9]):
            olga.open("/account/passkeys")
            answer = json.dumps(made | {"response": made["response"] | {name: value}})
            assert olga.forge("Add a passkey", credential=answer, called="x").status == 422, (name, value)


def test_key_signs_in_only_its_own_account(app: Flask, device: Authenticator, stage: Stage, event: Event) -> None:
    stage.hire(event, "Sam", Role.JUDGE)
    judge, other = signed_in(app, "Sam"), Authenticator(ORIGIN, credential=b"another")
    add_passkey(judge, other, PASSWORD)
    person = Person(app)
    asked = asked_on(person.open(PAGE))
    assert refused(person, replace(other, credential=device.credential).signed(asked)), "with the id of Olga's"
    assert 'title="Signed in as Sam"' in sign_in_by(person, other).response.text
    taken = replace(Authenticator(ORIGIN), credential=device.credential)
    judge.open("/account/passkeys")
    page = judge.forge("Add a passkey", credential=taken.made(asked_on(judge.page)), called="x")
    assert (page.status, len(stage.all(Passkey))) == (422, 2), "the id of another account's passkey"
    own = stage.one(Passkey, account_id=stage.one(Account, name="Olga").id)
    judge.post(f"/account/passkeys/{own.id}/remove")
    assert len(stage.all(Passkey)) == 2


def test_count_of_uses_that_goes_backwards_is_refused(app: Flask, device: Authenticator, stage: Stage) -> None:
    device.uses = 40
    assert sign_in_by(Person(app), device).path == "/desk"
    assert stage.one(Passkey).sign_count == 41
    person = Person(app)
    for uses in (39, 40, -1):
        device.uses, device.counts = uses, uses != -1
        device.uses = max(uses, 0)
        assert refused(person, device.signed(asked_on(person.open(PAGE)))), uses
    device.uses, device.counts = 41, True
    assert sign_in_by(person, device).path == "/desk"
    device.uses, device.flags = 3, PRESENT | VERIFIED | ELIGIBLE | BACKED_UP
    assert sign_in_by(Person(app), device).path == "/desk", "the same passkey on another device"


@pytest.mark.proves("ASVS 7.5.1")
def test_passkeys_are_changed_after_the_password(app: Flask, olga: Person, device: Authenticator, clock: Clock) -> None:
    clock.advance(minutes=11)
    page = olga.open("/account/passkeys")
    assert page.soup.select("form[data-passkey]") == [] and "Remove" not in page.text
    olga.post("/account/passkeys/1/remove")
    assert sign_in_by(Person(app), device).path == "/desk", "not removed without the password"
    olga.open("/account/passkeys")
    assert olga.press("Continue", old="wrong wrong wrong").error_at("old") == "The password is wrong."
    assert olga.press("Continue", old=PASSWORD).path == "/account/passkeys"
    assert "no longer signs in" in olga.press("Remove").flashes
    person = Person(app)
    assert refused(person, device.signed(asked_on(person.open(PAGE))), passkeys.UNKNOWN)


@pytest.mark.proves("ASVS 6.3.1")
def test_tries_are_limited_like_passwords(app: Flask, device: Authenticator, clock: Clock) -> None:
    person = Person(app)
    wrong = replace(device, key=Authenticator(ORIGIN).key)
    found = []
    for _ in range(12):
        answer = wrong.signed(asked_on(person.open(PAGE)))
        found.append(person.forge("Sign in with a passkey", credential=answer).status)
    assert found == [422] * 10 + [429] * 2
    assert sign_in(person, "Olga").path == "/desk", "the password is not shut out"
    clock.advance(minutes=16)
    device.uses += 20
    assert sign_in_by(person, device).path == "/desk"


def test_owner_has_at_most_ten(olga: Person, stage: Stage) -> None:
    for n in range(passkeys.MOST):
        add_passkey(olga, Authenticator(ORIGIN, credential=b"%d" % n), PASSWORD)
    assert olga.page.soup.select("form[data-passkey]") == []
    assert len({passkey.handle for passkey in stage.all(Passkey)}) == 1, "devices know them as one owner's"


def test_passkeys_belong_to_the_configured_address() -> None:
    desk = "https://desk.example.org"
    assert party_at(desk, "desk.example.org") == Party("desk.example.org", desk)
    assert party_at(f"{desk}:8443", "Desk.example.org:8443") == Party("desk.example.org", f"{desk}:8443")
    assert party_at("", "localhost:8000") == Party("localhost", "http://localhost:8000")
    for public, host in (
        (desk, "evil.example"), (desk, "localhost"), (desk, "desk.example.org:1"), ("http://hall.lan", "hall.lan"),
        ("", "hall.lan"), ("", "127.0.0.1:8000"), ("https://192.0.2.1", "192.0.2.1"), ("https://[::1]", "[::1]"),
    ):  # fmt: skip
        assert party_at(public, host) is None, (public, host)


def of_player(enter: Enter, event: Event) -> tuple[Person, Authenticator]:
    """Ada with the browser of her sign-up, and a device with a passkey of hers."""
    (ada,), device = enter(event, "Ada"), Authenticator(ORIGIN, credential=b"of a player")
    asked = asked_on(ada.open(f"/e/{event.slug}/me/passkeys"))
    assert asked["user"]["name"] == "Ada · Iron Open"
    page = ada.forge("Add a passkey", credential=device.made(asked), called="My phone")
    assert "The passkey is added" in page.flashes
    return ada, device


def test_player_signs_in_by_a_passkey_on_another_device(app: Flask, enter: Enter, event: Event, stage: Stage) -> None:
    ada, device = of_player(enter, event)
    phone = Person(app)
    assert phone.open(f"/e/{event.slug}/me").status == 403
    assert sign_in_by(phone, device).path == f"/e/{event.slug}/me"
    assert phone.open("/desk").path == "/sign-in", "no account of staff"
    phone.press("Remove", at=f"/e/{event.slug}/me/passkeys")
    assert stage.all(Passkey) == []
    other = Person(app)
    assert refused(other, device.signed(asked_on(other.open(PAGE))), passkeys.UNKNOWN)
    assert ada.open(f"/e/{event.slug}/me").status == 200, "the private link and its sign-ins stay"


@pytest.mark.proves("attack 83")
def test_new_passkey_is_shown_on_the_players_page_and_mailed(
    enter: Enter, event: Event, settings: Settings, app: Flask, stage: Stage, box: Mailbox
) -> None:
    app.extensions["overseer_mail"] = box.server()
    give_mail(stage, event)
    ada, _ = of_player(enter, event)
    subject = "Iron Open: a passkey was added"
    assert subject in ada.open(f"/e/{event.slug}/me").text
    deliver(stage, box, settings.secret)
    assert box.arrived == []
    give_mail(stage, event, stage.one(Player))
    asked = asked_on(ada.open(f"/e/{event.slug}/me/passkeys"))
    other = Authenticator(ORIGIN, credential=b"of a thief", counts=False)
    ada.forge("Add a passkey", credential=other.made(asked), called="A thief")
    deliver(stage, box, settings.secret)
    assert [str(mail["Subject"]) for mail in box.arrived] == [subject]
    assert "ask the organiser for a new private link" in box.arrived[0].get_content().replace("\n", " ")


@pytest.mark.proves("attack 83")
@pytest.mark.both_at_length
def test_thief_of_the_phone_changes_no_passkey_and_deletes_no_address_unnoticed(
    enter: Enter, event: Event, settings: Settings, app: Flask, stage: Stage, box: Mailbox
) -> None:
    app.extensions["overseer_mail"] = box.server()
    ada, _ = of_player(enter, event)
    give_mail(stage, event, stage.one(Player))
    ada.press("Remove", at=f"/e/{event.slug}/me/passkeys")
    ada.press("Save", at=f"/e/{event.slug}/me/mail", mail="")
    assert stage.one(Contact).mail == "", "deleted at once, before the mails are sent"
    asked = asked_on(ada.open(f"/e/{event.slug}/me/passkeys"))
    other = Authenticator(ORIGIN, credential=b"of a thief", counts=False)
    ada.forge("Add a passkey", credential=other.made(asked), called="A thief")
    deliver(stage, box, settings.secret)
    assert [str(mail["Subject"]) for mail in box.arrived] == [
        "Iron Open: a passkey was removed", "Iron Open: your mail address was deleted",
    ]  # fmt: skip
    assert box.to == ["ada@mail.example"] * 2
    assert all("/p/" not in mail.get_content() for mail in box.arrived), "no private link to a former address"
    assert [row.mail for row in stage.all(Dispatch) if row.mail] == [], "no row keeps the address"


def test_passkeys_end_with_the_private_link_and_with_the_player(
    app: Flask, enter: Enter, event: Event, stage: Stage
) -> None:
    _, device = of_player(enter, event)
    person = Person(app)
    stage.do(event, renew_link, stage.one(Player))
    assert refused(person, device.signed(asked_on(person.open(PAGE))), passkeys.UNKNOWN)
    with stage.changing(event) as s:
        s.add(Passkey(player_id=stage.one(Player).id, credential="x", public_key="x", handle="x", sign_count=0,
                      name="x", added_at=stage.clock()))  # fmt: skip
    stage.do(event, remove_players, [stage.one(Player)])
    assert (stage.all(Player), stage.all(Passkey)) == ([], [])


@pytest.mark.proves("attack 80")
def test_wrong_passwords_for_a_name_like_a_players_number_do_not_stop_the_players_passkey(
    app: Flask, enter: Enter, event: Event, stage: Stage
) -> None:
    _, device = of_player(enter, event)
    thief, named = Person(app), f"player {stage.one(Player).id}"
    found = [sign_in(thief, named, "wrong wrong wrong").status for _ in range(12)]
    assert found == [422] * 10 + [429] * 2
    assert sign_in_by(Person(app), device).path == f"/e/{event.slug}/me"


def test_players_remove_only_their_own_passkeys(enter: Enter, event: Event, stage: Stage) -> None:
    of_player(enter, event)
    (bo,) = enter(event, "Bo")
    bo.post(f"/e/{event.slug}/me/passkeys/{stage.one(Passkey).id}/remove")
    assert len(stage.all(Passkey)) == 1


@pytest.mark.proves("attack 64")
def test_password_link_ends_the_accounts_passkeys(
    app: Flask, olga: Person, device: Authenticator, stage: Stage
) -> None:
    visitor = Person(app)
    visitor.open(stage.password_link("Olga"))
    new = "another password, of the owner"
    assert visitor.press("Set password and sign in", password=new, again=new).path == "/desk"
    assert stage.all(Passkey) == []
    assert sign_in_by(Person(app), device).path != "/desk"
