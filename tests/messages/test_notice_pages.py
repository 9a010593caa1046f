"""Notifications on the pages: chosen, allowed on a device, removed; and private links that were lost."""

from dataclasses import replace

import pytest
from flask import Flask

from events.messages.devices import public_key
from events.messages.notices import answer_link_requests
from models.event import Event
from models.message import Delivery
from models.notice import Device, LinkRequest, NoticeOff
from models.play import Player
from service.settings import Settings
from tests.kit.lists import Enter
from tests.kit.mail_server import Mailbox
from tests.kit.person import Person
from tests.kit.push_service import PushService
from tests.kit.stage import Stage
from tests.kit.writing import deliver, give_mail

NOTICES, LOST = "/e/iron-open/me/notices", "/e/iron-open/lost-link"
BROWSER = PushService(address="https://push.example").browser("ada")


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    """Settings with a mail server and an https address."""
    return replace(settings, mail=box.server(), public="https://localhost", hosts=frozenset({"localhost"}))


def post(person: Person, address: str, **fields: str) -> int:
    """Send a form as the page's script does."""
    token = str(person.open(NOTICES).value("csrf_token"))
    return person.ask("POST", address, {"csrf_token": token, **fields}).status_code


def test_player_chooses_notifications(enter: Enter, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    page = ada.open("/e/iron-open/me")
    assert "Notifications on your phone or by mail" in page.text
    page = ada.open(NOTICES)
    assert page.value("wanted") == ["round", "place", "list_back", "confirm", "answer"]
    assert ada.press("Save", wanted=["round", "answer"]).flashes == "Saved."
    assert ada.open(NOTICES).value("wanted") == ["round", "answer"]
    assert [one.occasion.value for one in stage.all(NoticeOff)] == ["place", "list_back", "confirm"]
    assert bo.open(NOTICES).value("wanted") == ["round", "place", "list_back", "confirm", "answer"]


def test_device_is_added_and_removed(enter: Enter, stage: Stage, event: Event, settings: Settings) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    assert ada.open(NOTICES).soup.select_one("form[data-push]")["data-push"] == public_key(settings.secret)  # type: ignore[index]
    assert post(ada, "/e/iron-open/me/devices", **BROWSER) == 302
    assert post(ada, "/e/iron-open/me/devices", endpoint="https://10.0.0.1/x", p256dh="x", auth="x") == 422
    (device,) = stage.all(Device)
    assert BROWSER["endpoint"] not in ada.open(NOTICES).response.text, "a secret, also on the page"
    assert post(bo, f"/e/iron-open/me/devices/{device.id}/remove") == 302
    assert len(stage.all(Device)) == 1, "of another player"
    assert ada.press("Remove").flashes == "Removed: that device gets no more notifications."
    assert stage.all(Device) == []


def test_signing_out_ends_notifications_of_the_device(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    post(ada, "/e/iron-open/me/devices", **BROWSER)
    ada.open("/e/iron-open/me")
    ada.press("Sign out on this device")
    assert stage.all(Device) == []


@pytest.mark.proves("attack 57")
def test_lost_link_is_mailed_to_the_address_on_file(
    app: Flask, enter: Enter, stage: Stage, event: Event, box: Mailbox, settings: Settings
) -> None:
    enter(event, "Ada", "Bo")
    give_mail(stage, event, stage.one(Player, name="Ada"))
    visitor = Person(app)
    assert "Registered already? Send my link again" in visitor.open("/e/iron-open").text
    assert "Send it again by mail" in visitor.open("/e/iron-open/me").text
    answers = []
    for typed in ("ada@mail.example", "eve@mail.example"):
        visitor.open(LOST)
        answers.append(visitor.press("Send my link", mail=typed).text)
        assert stage.journal(event, "mail-link") == [], "nothing is looked up while the visitor waits"
    assert answers[0] == answers[1]
    assert "If this address is registered, its link is on the way." in answers[0]
    before = stage.now(event).version
    stage.s.rollback()
    answer_link_requests(stage.engine, 100, stage.clock)
    assert (stage.all(LinkRequest), stage.now(event).version) == ([], before + 2), "one change for each, known or not"
    deliver(stage, box, settings.secret)
    assert box.to == ["ada@mail.example"]
    assert "https://iron.example/p/" in box.arrived[0].get_content()


def test_lost_links_are_limited(visitor: Person, enter: Enter, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    give_mail(stage, event, stage.one(Player))
    form = visitor.open(LOST)
    for number in range(21):
        visitor.page = form
        assert visitor.press("Send my link", mail="ADA@mail.example").status == (200 if number < 20 else 429)
    stage.s.rollback()
    answer_link_requests(stage.engine, 100, stage.clock)
    assert len(stage.all(Delivery)) == 3, "the most for one player within an hour"


def test_lost_link_needs_an_address(visitor: Person, stage: Stage, event: Event) -> None:
    assert visitor.open(LOST).status == 404, "this event takes no addresses"
    give_mail(stage, event)
    visitor.open(LOST)
    for typed in ("", "ada"):
        assert visitor.press("Send my link", mail=typed).status == 422
    assert visitor.page.error_at("mail")
    assert stage.all(LinkRequest) == []
