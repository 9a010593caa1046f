"""Mail goes only to those who asked for it: one mail to an address until it is confirmed, counted by mailbox."""

import hashlib
import hmac
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from events.messages import addresses, permits
from events.messages.addresses import give_own_address
from events.messages.permits import CONFIRMING, FROM_DESK_UNCONFIRMED, LEAST_OF_EVENT, Cause, mailbox
from events.registration.check_in import check_in_many
from events.registration.sign_ups import admit
from events.store.act import Act
from models.dispatch import Dispatch, DispatchKind, DispatchState
from models.message import Contact, Delivery
from models.people import SignInAttempt
from models.play import Player, PlayerState
from service.settings import Settings
from tests.kit.mail_server import Mailbox
from tests.kit.people import Links, browser
from tests.kit.person import SIGN_UP, Enter, Person
from tests.kit.stage import BY, Event, Stage
from tests.kit.writing import ALL_MAILS, add_links, deliver, give_mail, mails, write_to

SECRET = "a secret for tests, of enough characters"
YES = "Yes, send mails here"


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server())


@pytest.fixture
def event(stage: Stage) -> Event:
    event = stage.event()
    give_mail(stage, event)
    return event


def worked(stage: Stage, box: Mailbox) -> None:
    """One pass of the mail worker over everything that waits."""
    deliver(stage, box, SECRET, ALL_MAILS)


def signed_up(stage: Stage, event: Event, name: str, mail: str) -> Player:
    """A player who signed up with this address."""
    (player,) = stage.enter(event, name)
    with stage.changing(event) as s:
        give_own_address(Act(s, event, BY, stage.clock()), s.merge(player), mail, has_server=True)
    return player


def link_in(box: Mailbox, at: int = -1) -> str:
    """The first private link in an arrived mail."""
    found = re.search(r"https://iron\.example(/p/\S+)", box.arrived[at].get_content())
    assert found, box.arrived[at].get_content()
    return found[1]


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("Ada@Mail.example", "ada@mail.example"),
        ("ada+1@mail.example", "ada@mail.example"),
        ("a.d.a+x+y@gmail.com", "ada@gmail.com"),
        ("a.da@googlemail.com", "ada@gmail.com"),
        ("a.da@mail.example", "a.da@mail.example"),
        ("+x@mail.example", "+x@mail.example"),
    ],
)
def test_mailbox_is_the_address_without_case_plus_part_and_ignored_dots(address: str, same: str) -> None:
    assert mailbox(address) == same


@pytest.mark.proves("attack 78")
@pytest.mark.both_at_length
def test_flood_sends_a_stranger_one_mail_and_leaves_the_organiser_all(stage: Stage, box: Mailbox, event: Event) -> None:
    rust = stage.event("Rust Cup")
    give_mail(stage, rust)
    for number in range(30):
        signed_up(stage, rust if number % 2 else event, f"Person {number}", f"Victim+{number // 5}@example.com")
    for _ in range(3):
        add_links(stage, event, *(f"victim+{number}@example.com" for number in range(6)))
        worked(stage, box)
    assert len(box.arrived) == 1
    stage.publish(event, 1)
    worked(stage, box)
    assert len(box.arrived) == 1, "no notice goes to an address that nobody has confirmed"
    (cy,) = stage.enter(event, "Cy")
    stage.do(event, addresses.give_address, cy, "cy@mail.example")
    message = write_to(stage, event, a_day=16)
    worked(stage, box)
    assert box.to.count("cy@mail.example") == 1, "the flood has used up none of the organiser’s mails"
    assert len(box.arrived) == 1 + 1 + FROM_DESK_UNCONFIRMED.most - 1, "the mailbox gets few even from the desk"
    assert len(stage.all(Delivery, message_id=message.id)) == 16, "it is on every page"


def test_address_that_a_stranger_typed_and_changed_at_once_still_gets_its_mail(
    visitor: Person, app: Flask, stage: Stage, event: Event, box: Mailbox
) -> None:
    for n in range(4):
        stranger = Person(app)
        stranger.press(SIGN_UP, at="/e/iron-open/register", name=f"Stranger {n}", mail="ada@mail.example")
        stranger.post("/e/iron-open/me/mail", mail="other@mail.example")
    visitor.press(SIGN_UP, at="/e/iron-open/register", name="Ada", mail="ada@mail.example")
    worked(stage, box)
    assert box.to.count("ada@mail.example") == 1


def test_mail_to_sign_ups_confirms_the_address_by_a_button(
    app: Flask, visitor: Person, stage: Stage, event: Event, box: Mailbox
) -> None:
    page = visitor.press(SIGN_UP, at="/e/iron-open/register", name="Ada", mail="ada@mail.example")
    assert page.flashes == "We mail you your link. Open it there once, so that other mails reach you."
    worked(stage, box)
    assert (box.to, box.arrived[0]["Subject"]) == (["ada@mail.example"], "Iron Open: is this your address?")
    assert "Not confirmed yet" in visitor.open("/e/iron-open/me/mail").text
    assert "is this your address" not in visitor.open("/e/iron-open/me").text, "its link leads to the page one is on"
    reader, link = Person(app), link_in(box)
    assert reader.open(link).path == "/confirm-mail"
    assert reader.press("Only open my page").path == "/e/iron-open/me"
    assert stage.one(Contact).confirmed_at is None
    reader = Person(app)
    before = stage.digest()
    assert reader.ask("GET", link).location == "/confirm-mail", "the link is not in the page's address"
    assert "to Ada would go to ada@mail.example ." in reader.open(link).part(".lede")
    assert stage.digest() == before, "mail programs open links too"
    page = reader.press(YES)
    assert (page.path, page.flashes) == ("/e/iron-open/me", "Mails reach you at this address from now on.")
    assert "Not confirmed yet" not in visitor.open("/e/iron-open/me/mail").text
    assert Person(app).open(link).path == "/e/iron-open/me", "the mailed link stays a private link"
    stage.enter(event, "Bo")
    stage.do(event, check_in_many, [stage.one(Player, name="Ada")])
    stage.publish(event, 1)
    worked(stage, box)
    assert box.arrived[-1]["Subject"] == "Iron Open: round 1"


def test_private_link_that_a_page_shows_confirms_nothing(
    app: Flask, stage: Stage, event: Event, link_of: Links
) -> None:
    ada = signed_up(stage, event, "Ada", "victim@example.com")
    person = browser(app, link_of, ada)
    for mark in ("x", "0" * 32):
        assert person.open(f"{link_of(ada)}/{mark}").path == "/e/iron-open/me"
    assert person.post("/confirm-mail", do="confirm").status_code == 404
    assert person.open(f"/p/1.wrong/{'0' * 32}").status == 404
    assert stage.one(Contact).confirmed_at is None


def test_one_mail_has_all_links_of_an_address_over_all_events(stage: Stage, event: Event, box: Mailbox) -> None:
    rust, closed = stage.event("Rust Cup"), stage.event("No Mail")
    give_mail(stage, rust)
    for where, name in ((event, "Ada"), (event, "Bo"), (rust, "Ada")):
        (player,) = stage.enter(where, name)
        stage.do(where, addresses.give_address, player, "ada@mail.example")
    signed_up(stage, event, "Eve", "ada@mail.example")
    versions = [stage.now(an_event).version for an_event in (event, rust, closed)]
    add_links(stage, event, "ADA@mail.example", "nobody@mail.example")
    worked(stage, box)
    mails = [mail.get_content() for mail in box.arrived if mail["Subject"] == "Your private links"]
    assert [mail.count("https://iron.example/p/") for mail in mails] == [3], "not that of a stranger’s sign-up"
    assert all(words in mails[0] for words in ("Ada, Iron Open:", "Bo, Iron Open:", "Ada, Rust Cup:"))
    assert [stage.now(an_event).version for an_event in (event, rust, closed)] == versions, "nothing is in a journal"


@pytest.mark.proves("attack 78")
def test_address_of_a_queued_mail_cannot_be_exchanged(stage: Stage, event: Event, box: Mailbox) -> None:
    ada = signed_up(stage, event, "Ada", "own@mail.example")
    signed_up(stage, event, "Bo", "victim@example.com")
    worked(stage, box)
    stage.clock.advance(days=2)
    cy = signed_up(stage, event, "Cy", "cy@mail.example")
    stage.clock.advance(seconds=1)
    with stage.changing(event) as s:
        give_own_address(Act(s, event, BY, stage.clock()), s.merge(cy), "victim@example.com", has_server=True)
    worked(stage, box)
    assert box.to == ["own@mail.example", "victim@example.com"]
    assert [row.state for row in mails(stage, player_id=cy.id)] == [DispatchState.FAILED]
    assert ada.id != cy.id


def test_player_corrects_an_unconfirmed_address_and_a_deleted_one_is_not_asked_twice(
    enter: Enter, stage: Stage, event: Event, box: Mailbox
) -> None:
    (ada,) = enter(event, "Ada")
    for typed in ("adda@mail.example", "ada@mail.example", "adda@mail.example"):
        assert ada.press("Save", at="/e/iron-open/me/mail", mail=typed).status == 200
        worked(stage, box)
    assert box.to == ["adda@mail.example", "ada@mail.example"]
    ada.press("Save", at="/e/iron-open/me/mail", mail="")
    signed_up(stage, event, "Bo", "adda@mail.example")
    worked(stage, box)
    assert len(box.arrived) == 2, "deleting an address forgets no mail to it"
    assert "adda" not in str([attempt.name_key for attempt in stage.all(SignInAttempt)]), "only a digest is kept"
    stage.clock.advance(days=CONFIRMING.window / timedelta(days=1))
    signed_up(stage, event, "Cy", "adda@mail.example")
    worked(stage, box)
    assert len(box.arrived) == 3


def test_hall_of_sixty_is_asked_once_each_and_confirms(stage: Stage, event: Event) -> None:
    """What it costs an honest hall: one mail and one press for each player, and nothing waits."""
    for number in range(60):
        signed_up(stage, event, f"Player {number}", f"player{number}@mail.example")
    assert len(mails(stage, state=DispatchState.QUEUED)) == 60
    for number in range(60, LEAST_OF_EVENT + 1):
        signed_up(stage, event, f"Player {number}", f"player{number}@mail.example")
    assert len(mails(stage, state=DispatchState.QUEUED)) == LEAST_OF_EVENT
    stage.set(event, places=200)
    signed_up(stage, event, "Late", "late@mail.example")
    assert len(mails(stage, state=DispatchState.QUEUED)) == LEAST_OF_EVENT + 1


def test_family_confirms_one_mailbox_for_all(app: Flask, stage: Stage, event: Event, box: Mailbox) -> None:
    for name in ("Ada", "Bo", "Cy"):
        signed_up(stage, event, name, "family@mail.example")
    worked(stage, box)
    assert len(box.arrived) == 1
    page = Person(app).open(link_in(box))
    assert "to Ada , Bo , Cy would go to family@mail.example" in page.part(".lede")
    parent = Person(app)
    parent.open(link_in(box))
    parent.press(YES)
    assert all(contact.confirmed_at for contact in stage.all(Contact))
    signed_up(stage, event, "Di", "family@mail.example")
    worked(stage, box)
    assert len(box.arrived) == 2, "a later sign-up is asked about again"


def test_desk_confirms_an_address_that_it_saves(olga: Person, stage: Stage, event: Event) -> None:
    ada = signed_up(stage, event, "Ada", "ada@mail.example")
    desk = f"/e/iron-open/desk/players/{ada.id}/mail"
    assert "Not confirmed by the player" in olga.open(desk).text
    olga.press("Save")
    assert stage.one(Contact).confirmed_at == stage.clock()
    assert "Not confirmed by the player" not in olga.open(desk).text
    assert stage.journal(event, "mail-address")[-1] == "Confirmed the mail address of Ada"


def test_counts_do_not_show_whether_a_guessed_address_was_mailed(stage: Stage, event: Event) -> None:
    signed_up(stage, event, "Ada", "ada@mail.example")
    keys = {row.name_key for row in stage.all(SignInAttempt) if row.kind in ("mail-ask", "mail-box")}
    guess = b"mailbox ada@mail.example"
    assert keys == {hmac.new(SECRET.encode(), guess, "sha256").hexdigest()} != {hashlib.sha256(guess).hexdigest()}


def test_no_notice_is_stored_for_an_unconfirmed_address(stage: Stage, event: Event) -> None:
    for name in ("Ada", "Bo"):
        signed_up(stage, event, name, f"{name}@mail.example")
    stage.publish(event, 1)
    assert stage.all(Dispatch, kind=DispatchKind.PUSH) == []
    contact = stage.all(Contact)[0]
    assert permits.why_not(stage.s, event, contact, Cause.EVENT, stage.clock()) == "The address is not confirmed."


def test_held_sign_up_is_mailed_once_it_is_let_in(stage: Stage, event: Event, box: Mailbox) -> None:
    player = signed_up(stage, event, "Ada", "ada@club.example")
    stage.set(event, player, held=True, state=PlayerState.WAITING)
    worked(stage, box)
    assert box.arrived == [], "a flood of sign-ups is no flood of mails"
    stage.clock.advance(minutes=5)
    stage.do(event, admit, [player])
    worked(stage, box)
    assert [mail["To"] for mail in box.arrived] == ["ada@club.example"]
