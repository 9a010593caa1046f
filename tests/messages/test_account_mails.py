"""Mails to an account about sign-ins on new browsers, at an address that was confirmed."""

import re
from dataclasses import replace

import pytest
from flask import Flask

from events.messages.account_mails import ADDRESSES
from models.dispatch import Dispatch
from models.people import AccountMail
from service.settings import Settings
from tests.kit.accounts import sign_in, signed_in
from tests.kit.mail_server import Mailbox
from tests.kit.person import Page, Person
from tests.kit.stage import PASSWORD, Event, Role, Stage
from tests.kit.writing import ALL_MAILS, deliver

SECRET = "a secret for tests, of enough characters"
YES = "Yes, send mails here"


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server())


def worked(stage: Stage, box: Mailbox) -> list[str]:
    """One pass of the mail worker; the subjects of all mails that have arrived."""
    deliver(stage, box, SECRET, ALL_MAILS)
    return [str(mail["Subject"]) for mail in box.arrived]


def give(person: Person, mail: str) -> Page:
    return person.press("Save", at="/account/mail", mail=mail, old=PASSWORD)


def link_in(box: Mailbox) -> str:
    found = re.search(r"https://iron\.example(/account-mail/\S+)", box.arrived[-1].get_content())
    assert found, box.arrived[-1].get_content()
    return found[1]


def confirmed(person: Person, stage: Stage, box: Mailbox, mail: str) -> str:
    """Confirms this address; returns the path of the link."""
    assert give(person, mail).flashes == "Saved."
    worked(stage, box)
    link = link_in(box)
    assert "Confirmed" in person.press(YES, at=link).flashes
    return link


@pytest.mark.proves("attack 83")
@pytest.mark.both_at_length
def test_new_browser_is_mailed_to_a_confirmed_address(app: Flask, olga: Person, stage: Stage, box: Mailbox) -> None:
    link = confirmed(olga, stage, box, "olga@mail.example")
    assert worked(stage, box) == ["Confirm your mail address"]
    assert Person(app).open(link).status == 404, "confirmed once"
    other = Person(app)
    other.http.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"
    sign_in(other, "Olga")
    assert worked(stage, box)[1:] == ["New sign-in: Firefox on Linux"]
    text = box.arrived[-1].get_content()
    assert "signed in on 21 Nov 2026, 09:00 UTC" in text and "https://iron.example/account," in text
    assert box.to[-1] == "olga@mail.example"
    other.press("Sign out", at="/desk")
    sign_in(other, "Olga")
    assert len(worked(stage, box)) == 2, "a known browser is not mailed"
    assert stage.all(Dispatch) == []


@pytest.mark.proves("attack 78")
def test_unconfirmed_address_gets_one_mail(app: Flask, olga: Person, event: Event, stage: Stage, box: Mailbox) -> None:
    give(olga, "victim@mail.example")
    assert worked(stage, box) == ["Confirm your mail address"]
    signed_in(app, "Olga")
    give(olga, "")
    assert "waits to be answered" in give(olga, "Victim+2@mail.example").errors
    stage.hire(event, "Sam", Role.JUDGE)
    assert "waits to be answered" in give(signed_in(app, "Sam"), "victim@mail.example").errors
    assert len(worked(stage, box)) == 1
    for n in range(ADDRESSES.most - 1):
        give(olga, f"other{n}@mail.example")
    assert "limit of 3 addresses" in give(olga, "last@mail.example").errors


@pytest.mark.proves("attack 83")
def test_new_browser_cannot_stop_the_mail_about_itself(app: Flask, olga: Person, stage: Stage, box: Mailbox) -> None:
    confirmed(olga, stage, box, "olga@mail.example")
    thief = signed_in(app, "Olga")
    for mail in ("", "thief@mail.example"):
        assert "is on its way" in give(thief, mail).errors
    assert worked(stage, box)[1:] == ["New sign-in: Another browser"]
    assert box.to[-1] == "olga@mail.example"
    assert "Deleted" in give(olga, "").flashes


def test_two_accounts_that_wait_with_one_address_get_one_mail(
    app: Flask, olga: Person, event: Event, stage: Stage, box: Mailbox
) -> None:
    stage.hire(event, "Sam", Role.JUDGE)
    for person in (olga, signed_in(app, "Sam")):
        give(person, "victim@mail.example")
    assert len(worked(stage, box)) == 1


def test_address_is_changed_with_the_password_and_links_of_others_end(
    app: Flask, olga: Person, stage: Stage, box: Mailbox
) -> None:
    give(olga, "first@mail.example")
    worked(stage, box)
    link = link_in(box)
    page = olga.press("Save", at="/account/mail", mail="", old="wrong wrong wrong")
    assert page.error_at("old") == "The password is wrong."
    assert Person(app).open(f"{link}x").status == 404
    assert Person(app).open(link).status == 200
    assert stage.one(AccountMail).confirmed_at is None, "opening the link confirms nothing"
    give(olga, "second@mail.example")
    assert Person(app).open(link).status == 404
    assert "Deleted" in give(olga, "").flashes
    signed_in(app, "Olga")
    assert (stage.all(AccountMail), stage.all(Dispatch)) == ([], [])


def test_server_without_mail_takes_no_address(app: Flask, olga: Person, settings: Settings) -> None:
    app.extensions["overseer_mail"] = None
    assert "sends no mail" in olga.open("/account/mail").text


@pytest.mark.proves("attack 17")
def test_link_is_made_anew_each_time_and_ends_when_another_may_be_asked_for(
    app: Flask, olga: Person, stage: Stage, box: Mailbox
) -> None:
    links = []
    for _ in range(2):
        sign_in(olga, "Olga")
        assert give(olga, "olga@mail.example").flashes == "Saved."
        worked(stage, box)
        links.append(link_in(box))
        assert Person(app).open(links[-1]).status == 200
        give(olga, "")
        assert [Person(app).open(link).status for link in links] == [404] * len(links)
        stage.clock.advance(days=31)
    assert links[0] != links[1]
    sign_in(olga, "Olga")
    give(olga, "olga@mail.example")
    worked(stage, box)
    stage.clock.advance(days=30)
    assert Person(app).open(link_in(box)).status == 404
