"""Mails about changed addresses: few to one recipient, with a limit of their own, and no advertising in names."""

from dataclasses import replace

import pytest
from flask import Flask

from models.event import Event
from models.message import Delivery, MailState, Message
from models.play import Player
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.lists import Enter
from tests.kit.mail_server import Mailbox
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to

STRANGER = "victim@stranger.example"
SPAM = "WIN $$$ https://spam.example/prize"
NO_ADDRESS = "A name cannot contain a web address."


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    """Settings with a mail server and five mails a day for an event."""
    return replace(settings, mail=box.server(a_day=5))


@pytest.fixture
def event(event: Event, stage: Stage) -> Event:
    """An event that takes mail addresses."""
    give_mail(stage, event)
    return event


def ask(person: Person, first: str, slug: str = "iron-open") -> Page:
    """Give a first mail address, then ask for another one."""
    for address in (first, "other@mail.example"):
        person.open(f"/e/{slug}/me/mail")
        page = person.press("Save", mail=address)
    return page


def queued(stage: Stage) -> int:
    return len(stage.all(Delivery, mail=MailState.QUEUED))


@pytest.mark.proves("attack 31")
@pytest.mark.both_databases
def test_one_recipient_gets_three_mails_a_day_over_all_players_and_events(
    enter: Enter, stage: Stage, event: Event, clock: Clock
) -> None:
    give_mail(stage, rust := stage.event("Rust Cup"))
    here, there = enter(event, "Ada", "Bo"), enter(rust, "Cy", "Dee")
    assert ask(here[0], STRANGER).status == 200
    assert ask(here[1], STRANGER.upper()).status == 200
    assert ask(there[0], STRANGER, "rust-cup").status == 200
    page = ask(there[1], STRANGER, "rust-cup")
    assert (page.status, queued(stage)) == (422, 3)
    assert "Your address has had 3 mails about changed addresses in 24 hours" in page.error_at("mail")
    assert page.value("mail") == "other@mail.example"
    clock.advance(hours=24, seconds=1)
    assert there[1].press("Save").status == 200


@pytest.mark.proves("attack 31")
def test_mails_about_addresses_have_a_limit_of_their_own(enter: Enter, stage: Stage, event: Event) -> None:
    ada, bo, cy = enter(event, "Ada", "Bo", "Cy")
    assert ask(ada, "ada@mail.example").status == 200
    (message,), (delivery,), (*_, other) = stage.all(Message), stage.all(Delivery), stage.enter(event, "Dee")
    asked, mailed = (stage.now(row).model_dump(exclude={"id"}) for row in (message, delivery))
    with stage.changing(event) as s:
        for number in range(28):
            s.add(copy := Message(**asked | {"key": f"copy {number}"}))
            s.flush()  # makes the message's id for its delivery
            s.add(Delivery(**mailed | {"message_id": copy.id, "player_id": other.id}))
    assert ask(bo, "bo@mail.example").status == 200
    page = ask(cy, "cy@mail.example")
    assert (page.status, queued(stage)) == (422, 30)
    assert "This event has sent 30 mails about changed addresses in 24 hours" in page.error_at("mail")
    write_to(stage, event, a_day=3)
    assert queued(stage) == 33, "the organiser's three mails are still allowed"


@pytest.mark.proves("attack 31")
def test_name_with_a_web_address_is_refused(visitor: Person, olga: Person, stage: Stage, event: Event) -> None:
    for name in (SPAM, "www.spam.example", "Buy spam.example/x", "ｗｗｗ．spam.example", "ht\u200btp:/\u200b/x"):
        for field in ("name", "club"):
            visitor.open("/e/iron-open/register")
            page = visitor.press("Register", **({"name": "Ada"} | {field: name}))
            assert (page.status, page.error_at(field)) == (422, NO_ADDRESS), name
    (ada,) = stage.enter(event, "Ada")
    olga.open("/e/iron-open/desk/players")
    assert NO_ADDRESS in olga.press("Add", inside="#walk-in", **{"w-name": SPAM}).text
    olga.open("/e/iron-open/desk/players")
    assert NO_ADDRESS in olga.press("Add all", **{"p-names": f"{SPAM}\nBo; www.club.example"}).text
    olga.open(f"/e/iron-open/desk/players/{ada.id}")
    assert olga.press("Save", name=SPAM).error_at("name") == NO_ADDRESS
    assert [player.name for player in stage.all(Player)] == ["Ada"]


def test_name_with_points_and_slashes_is_accepted(app: Flask, event: Event) -> None:
    for name in ("St. Mary", "A.B", "J.R.R. Tolkien", "Dr.Who", "Anna/Bo", "wwwilma", "A/B.C", "Jr.: Bo"):
        visitor = Person(app)
        visitor.open("/e/iron-open/register")
        assert visitor.press("Register", name=name, club=name).path == "/e/iron-open/me/link", name
