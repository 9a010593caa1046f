"""Staff below organiser neither see nor print private links; check-in staff mail them to the players."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from models.event import Event
from models.message import Delivery, MailState
from models.play import Player
from models.staff import Role
from service.settings import Settings
from tests.desk.test_printed import badges
from tests.kit.mail_server import Mailbox
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.secrets_planted import everything
from tests.kit.stage import Stage
from tests.kit.writing import deliver, give_mail

MAIL_IT = "Mail the private link to the player"


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server(a_day=5))


@pytest.fixture
def ada(enter: Callable[..., list[Person]], stage: Stage, event: Event) -> Player:
    """Ada, who gave a mail address; Bo gave none."""
    enter(event, "Ada", "Bo")
    player = stage.one(Player, name="Ada")
    give_mail(stage, event, player)
    return player


@pytest.fixture
def anna(app: Flask, stage: Stage, event: Event, ada: Player) -> Person:
    return let_in(app, stage.hire(event, "Anna", Role.CHECK_IN))


def at_desk(player: Player) -> str:
    return f"/e/iron-open/desk/players/{player.id}"


@pytest.mark.proves("attack 57")
def test_no_role_below_organiser_is_given_a_private_link(
    app: Flask, stage: Stage, event: Event, ada: Player, link_of: Callable[[Player], str]
) -> None:
    link, before = link_of(ada), stage.now(ada).link_generation
    asked = ["", "/players", "/players.csv", "/lists", "/lists/missing", "/print", "/door", "/messages",
             "/check-in.pdf", "/messages/new?to=all", "/search?q=Ada", f"/players/{ada.id}", f"/players/{ada.id}/mail",
             "/badges.pdf", f"/badges.pdf?player={ada.id}", "/archive.json", "/rounds/1/pack.zip"]  # fmt: skip
    for role in (Role.JUDGE, Role.SCOREKEEPER, Role.LIST_CHECKER, Role.CHECK_IN):
        person = let_in(app, stage.hire(event, f"The {role.value}", role))
        for address in asked:
            answer = person.ask("GET", f"/e/iron-open/desk{address}")
            assert link not in everything(answer), (role, address)
            if answer.mimetype == "application/pdf" and "badges" in address:
                found = badges(person, address.removeprefix("/badges.pdf"))
                assert found and all(one.startswith("/e/iron-open/badge/") for one in found), (role, address)
                assert "public page" in everything(answer) and "each code is a key" not in everything(answer)
        token = str(person.open("/sign-in").value("csrf_token"))
        assert person.ask("POST", f"{at_desk(ada)}/renew-link", {"csrf_token": token}).status_code == 403
        assert stage.now(ada).link_generation == before
        sent = person.ask("POST", f"{at_desk(ada)}/mail-link", {"csrf_token": token})
        allowed = (302, 1) if role == Role.CHECK_IN else (403, 0)
        assert (sent.status_code, len(stage.all(Delivery))) == allowed, role


@pytest.mark.proves("attack 57")
@pytest.mark.both_at_length
def test_check_in_staff_mail_the_private_link_without_seeing_it(
    app: Flask, anna: Person, olga: Person, ada: Player, event: Event, stage: Stage, box: Mailbox,
    link_of: Callable[[Player], str],
) -> None:  # fmt: skip
    anna.open(at_desk(ada))
    page = anna.press(MAIL_IT)
    assert (page.path, page.flashes) == (at_desk(ada), "The private link is on its way to Ada.")
    assert stage.one(Delivery).mail == MailState.QUEUED
    deliver(stage, box, str(app.secret_key))
    (mail,) = box.arrived
    assert (mail["To"], link_of(ada) in mail.get_content()) == ("ada@mail.example", True)
    assert stage.journal(event, "mail-link") == ["Mailed the private link to Ada"]
    assert "check-in Anna" in olga.open("/e/iron-open/desk/journal").text
    assert "A player without the link" in olga.open("/e/iron-open/desk/messages").text
    for address in ("messages", "messages/1"):
        assert anna.open(f"/e/iron-open/desk/{address}").status == 403
    assert "mail.example" not in anna.open(at_desk(ada)).response.text, "they do not see the address"


@pytest.mark.proves("attack 57")
def test_private_link_is_mailed_three_times_an_hour_within_the_events_limit(
    anna: Person, ada: Player, stage: Stage
) -> None:
    anna.open(at_desk(ada))
    flashes = [anna.press(MAIL_IT).flashes for _ in range(4)]
    assert flashes[2:] == [
        "The private link is on its way to Ada.",
        "Ada was mailed the link 3 times within an hour. Try again later.",
    ]
    stage.clock.now += timedelta(hours=1, minutes=1)
    flashes = [anna.press(MAIL_IT).flashes for _ in range(3)]
    assert flashes[2].startswith("This event has reached its limit of mails in 24 hours.")
    assert len(stage.all(Delivery)) == 5


@pytest.mark.proves("attack 57")
def test_without_an_address_the_page_sends_check_in_staff_to_an_organiser(
    anna: Person, ada: Player, stage: Stage
) -> None:
    bo = at_desk(stage.one(Player, name="Bo"))
    page = anna.open(bo)
    assert "Ask an organiser for the private link." in page.part("#link") and MAIL_IT not in page.text
    token = {"csrf_token": str(anna.open(at_desk(ada)).value("csrf_token"))}
    assert anna.ask("POST", f"{bo}/mail-link", token).status_code == 302
    assert "No mail can be sent to Bo." in anna.open(bo).flashes
    assert stage.all(Delivery) == []
