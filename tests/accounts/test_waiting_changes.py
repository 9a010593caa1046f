"""A request waits while another change is stored: what that change has ended gives no right any more."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from events.accounts.actions import change_password, remove_passkeys
from events.accounts.staff import remove_staff
from events.messages.addresses import ask_for
from events.messages.text import address_mark
from events.registration.actions import renew_link
from events.setup.event_life import delete
from events.store.act import Act
from models.message import Contact
from models.people import Account, AccountMail, Passkey
from models.play import Player
from models.staff import Invitation, Role, Staff
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.accounts import STAFF, code_of, signed_in
from tests.kit.authenticator import Authenticator, asked_on
from tests.kit.mail_server import Mailbox
from tests.kit.people import Links
from tests.kit.person import SIGN_UP, Enter, Person
from tests.kit.stage import BY, PASSWORD, Event, Stage
from tests.kit.two_at_once import another_waits

ORIGIN = "http://localhost"
pytestmark = pytest.mark.both_databases


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Those of a service at localhost, where passkeys work without https."""
    return replace(settings, public=ORIGIN)


def test_removed_owner_invites_nobody(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    account = stage.hire(event, "Petra", Role.OWNER)
    petra = signed_in(app, "Petra")
    petra.open(STAFF)
    with another_waits(stage, event, lambda _: petra.press("Create link", role="owner").status) as (s, results):
        row = s.exec(select(Staff).where(Staff.account_id == account.id)).one()
        remove_staff(Act(s, event, BY, stage.clock()), row)
    assert (results, stage.all(Invitation)) == ([403], [])


def test_device_of_a_renewed_link_adds_no_passkey(event: Event, enter: Enter, stage: Stage) -> None:
    (thief,), device = enter(event, "Ada"), Authenticator(ORIGIN)
    answer = device.made(asked_on(thief.open(f"/e/{event.slug}/me/passkeys")))

    def add(_: Stage) -> Any:
        return thief.forge("Add a passkey", credential=answer, called="x").status

    with another_waits(stage, event, add) as (s, results):
        renew_link(Act(s, event, BY, stage.clock()), s.exec(select(Player)).one())
    assert (results, stage.all(Passkey)) == ([403], [])


def test_link_to_a_former_address_does_not_confirm_the_next_one(
    app: Flask, event: Event, stage: Stage, link_of: Links, settings: Settings
) -> None:
    stage.set(event, mail_asked=True)
    (player,), reader, now = stage.enter(event, "Ada"), Person(app), stage.clock()
    stage.do(event, ask_for, player, "own@mail.example", has_server=True)
    mark = address_mark(settings.secret, stage.one(Contact))
    assert reader.open(f"{link_of(player)}/{mark}").path == "/confirm-mail"
    with another_waits(stage, event, lambda _: reader.press("Yes, send mails here").status) as (s, results):
        ask_for(Act(s, event, BY, now), s.exec(select(Player)).one(), "victim@mail.example", has_server=True)
    assert results == [200]
    assert (stage.one(Contact).mail, stage.one(Contact).confirmed_at) == ("victim@mail.example", None)


@pytest.mark.parametrize("page", ["/account/passkeys", "/account/second-factor", "/account/mail"])
def test_thief_of_an_account_adds_nothing_after_its_new_password(
    page: str, app: Flask, olga: Person, stage: Stage, clock: Clock, box: Mailbox
) -> None:
    app.extensions["overseer_mail"] = box.server()
    olga.open(page)
    if page == "/account/passkeys":
        olga.press("Continue", old=PASSWORD)
        button, fields = "Add a passkey", {"credential": Authenticator(ORIGIN).made(asked_on(olga.page)), "called": "x"}
    elif page == "/account/second-factor":
        button, fields = "Turn it on", {"code": code_of(olga.page.part(".long-code"), clock), "old": PASSWORD}
    else:
        button, fields = "Save", {"mail": "thief@mail.example", "old": PASSWORD}
    with another_waits(stage, None, lambda _: olga.forge(button, **fields).status) as (s, results):
        account = s.exec(select(Account)).one()
        change_password(s, account, PASSWORD)
        remove_passkeys(s, account)
    assert results == [403]
    assert (stage.all(Passkey), stage.all(AccountMail), stage.one(Account).totp_secret) == ([], [], "")


def test_sign_up_for_an_event_that_is_deleted_meanwhile_is_answered_in_words(
    app: Flask, event: Event, stage: Stage
) -> None:
    visitor = Person(app)
    visitor.open(f"/e/{event.slug}/register")
    with another_waits(stage, None, lambda _: visitor.press(SIGN_UP, name="Ada").status) as (s, results):
        delete(s, event.id)
    assert (results, stage.all(Event)) == ([409], [])
