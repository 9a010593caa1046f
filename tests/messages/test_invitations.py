"""Invitations to sign up: made for a list of names, mailed as links where there is an address and a mail server."""

from dataclasses import replace

import pytest
from flask import Flask

from events.messages.permits import FROM_DESK_UNCONFIRMED
from models.dispatch import Dispatch
from models.event import EventState
from models.join_code import JoinCode
from models.settings import SignUpBy
from service.commands.maintain import send_mails
from service.settings import Settings
from tests.kit.mail_server import Mailbox
from tests.kit.person import SIGN_UP, Person
from tests.kit.stage import Event, Stage

CODES, ME = "/e/iron-open/desk/codes", "/e/iron-open/me"
PEOPLE = "Ada Archer, ada@example.org\nBo <bo@example.org>\nCy cy@example.org\nDi\n\n"

TWICE = "Line 2: This name or address is in the list twice, or has an open code already."


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server())


def test_invitations_for_a_list_are_mailed(
    olga: Person, app: Flask, stage: Stage, box: Mailbox, settings: Settings
) -> None:
    event = stage.event(sign_up_by=SignUpBy.INVITATION)
    page = olga.press("Make the codes", at=CODES, people=PEOPLE + "Ed ed@nowhere")
    assert page.error_at("people") == "Line 6: Enter a mail address such as name@example.org."
    assert str(page.value("people")).startswith("Ada Archer, ada@example.org")
    page = olga.press("Make the codes", people=PEOPLE)
    assert "4 codes made." in page.flashes
    assert [code.label for code in stage.all(JoinCode)] == ["Ada Archer", "Bo", "Cy", "Di"]
    send_mails(settings, stage.engine)
    assert stage.all(Dispatch) == []
    assert box.to == ["ada@example.org", "bo@example.org", "cy@example.org"]
    text = box.arrived[0].get_content()
    assert "Hello Ada Archer" in text and "you are invited to Iron Open" in text
    link = next(word for word in text.split() if "/register?code=" in word)
    person = Person(app)
    person.open("/" + link.split("/", 3)[3])
    assert person.press(SIGN_UP, name="Ada A.").path == f"{ME}/link"
    assert stage.journal(event, "make-join-codes") == ["Made 4 join codes"], "no names"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Dora, not-an-address", "Line 2: Enter a mail address such as name@example.org."),
        ("cy@example.org", "Line 2: Enter a name before the address."),
        ("Dora, eve@example.org", TWICE),
        ("Eve", TWICE),
        ("Ada Archer", TWICE),
        ("Dora, Ada@Example.org", TWICE),
    ],
)
def test_line_that_is_not_clear_is_refused_with_its_number(
    olga: Person, stage: Stage, event: Event, line: str, why: str
) -> None:
    olga.press("Make the codes", at=CODES, people="Ada Archer, ada@example.org")
    page = olga.press("Make the codes", people=f"Eve, eve@example.org\n{line}")
    assert (page.error_at("people"), page.value("people")) == (why, f"Eve, eve@example.org\r\n{line}")
    assert len(stage.all(JoinCode)) == 1


def test_invitation_to_a_draft_is_mailed_once_registration_opens(
    olga: Person, stage: Stage, box: Mailbox, settings: Settings
) -> None:
    event = stage.event()
    stage.set(event, state=EventState.DRAFT)
    assert "gets the link by mail when registration opens" in olga.open(CODES).text
    olga.press("Make the codes", people="Ada ada@example.org")
    send_mails(settings, stage.engine)
    assert (box.to, len(stage.all(Dispatch))) == ([], 1)
    stage.set(event, state=EventState.REGISTRATION)
    send_mails(settings, stage.engine)
    assert (box.to, stage.all(Dispatch)) == (["ada@example.org"], [])


def test_one_address_is_not_flooded(olga: Person, stage: Stage, event: Event, box: Mailbox, settings: Settings) -> None:
    for n in range(FROM_DESK_UNCONFIRMED.most + 1):
        page = olga.press("Make the codes", at=CODES, people=f"Player {n} ada@example.org")
        send_mails(settings, stage.engine)
    assert len(box.arrived) == 3
    assert "Player 3: This address has reached its limit of mails in 24 hours." in page.flashes
    assert len(stage.all(JoinCode)) == 4, "the link is there to copy"


def test_ended_invitation_is_not_mailed(
    olga: Person, stage: Stage, event: Event, box: Mailbox, settings: Settings
) -> None:
    olga.press("Make the codes", at=CODES, people="Ada ada@example.org")
    olga.press("End", at=CODES)
    send_mails(settings, stage.engine)
    assert (box.arrived, stage.all(Dispatch)) == ([], [])
