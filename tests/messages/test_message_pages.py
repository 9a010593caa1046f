"""Messages on the pages: written, previewed, sent once, read; mail addresses stay private."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask

from models.event import Event
from models.message import Contact, Delivery, MailState, Message
from models.play import Player
from service.settings import Settings
from tests.kit.forces import read_force
from tests.kit.hostile_text import MARKUP
from tests.kit.lists import PIPER, Enter
from tests.kit.mail_server import Mailbox
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.writing import delivery_to, give_mail, write_to

DESK = "/e/iron-open/desk/messages"
NEW = f"{DESK}/new"
ME = "/e/iron-open/me"


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server(a_day=3))


def test_message_is_previewed_sent_and_read(
    olga: Person, visitor: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    olga.open(f"{NEW}?template=round")
    before = stage.digest()
    page = olga.press("Preview")
    assert (page.status, stage.digest()) == (200, before), "a preview sends nothing"
    assert page.part(".letter h3") == "Iron Open: round 1"
    assert "Hello Ada, round 1 of Iron Open is published. Your game: table 1, against Bo." in page.part(".letter")
    assert "It goes to 2 players: Ada , Bo ." in page.part(".goes")
    assert "Only they read it." in page.part(".goes")
    page = olga.press("Show", shown="Bo")
    assert "Hello Bo, round 1 of Iron Open is published. Your game: table 1, against Ada." in page.part(".letter")
    page = olga.press("Send to 2 players")
    assert page.flashes.startswith("Sent.")
    assert page.rows("table") == [["Ada", "Not read", "no", ""], ["Bo", "Not read", "no", ""]]
    page = ada.open(ME)
    assert page.part("#messages h2") == "Messages 1 new"
    assert "Hello Ada, round 1" in page.part("#messages .letter.new")
    assert page.soup.select_one("#messages .letter a")["href"] == ME  # type: ignore[index]
    assert "round 1 of Iron Open is published" not in visitor.open("/e/iron-open").text
    assert ada.press("I have read it").part("#messages h2") == "Messages"
    assert "Hello Ada, round 1" in ada.page.part("#earlier")
    assert olga.open(DESK).rows("table")[0][:4] == [
        "Iron Open: round 1",
        "In the current round",
        "Sat 21 Nov, 10:00 ( Europe/Berlin time, 09:00 UTC )",
        "1 of 2",
    ]
    assert "1 new" in bo.open(ME).part("#messages h2")


def test_message_to_everybody_is_on_the_events_page(olga: Person, visitor: Person, enter: Enter, event: Event) -> None:
    enter(event, "Ada")
    assert visitor.open("/e/iron-open").part("[data-poll-part=said]") == ""
    mark = visitor.page.response.headers["ETag"]
    olga.open(f"{NEW}?template=moved")
    assert "everybody reads it" in olga.press("Preview").part(".goes")
    olga.press("Send to 1 player")
    page = visitor.open("/e/iron-open")
    assert page.response.headers["ETag"] != mark, "open pages are updated"
    assert "Where: Town Hall When: Saturday 5 December 2026" in page.part("[data-poll-part=said]")
    link = page.soup.select_one(".letter a")
    assert link is not None and link["href"] == "/e/iron-open"


def test_invalid_message_is_refused_at_its_field_and_kept(
    olga: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    enter(event, "Ada")
    before = stage.digest()
    for field, typed, error in (
        ("text", "Line\nanother {{7*7}}", "No placeholder is called “{7*7}” in line 2."),
        ("text", "Go to {table}", "Nothing is known yet for “{table}”."),
        ("text", "x" * 4001, "At most 4000 characters"),
        ("text", "a\x00b", "cannot be printed"),
        ("recipients", "waiting", "Nobody is in this group now"),
    ):
        olga.open(NEW)
        values: dict[str, str] = {"subject": "News", "text": "Hello"} | {field: typed}
        page = olga.press("Preview", **values)
        assert (page.status, stage.digest(), error in page.error_at(field)) == (422, before, True), (field, typed)
        assert page.value(field) == typed.replace("\n", "\r\n") or "\x00" in typed or not typed


def test_only_players_without_a_list_are_reminded(olga: Person, stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, read_force(PIPER))
    page = olga.open("/e/iron-open/desk")
    assert page.part("#group-no_list summary") == "1 without a submitted list"
    link = next(a for a in page.soup.select("#group-no_list a") if "Write to this one" in a.get_text())
    assert link["href"] == f"{NEW}?template=list_missing&look=1"
    page = olga.open("/e/iron-open/desk/lists/missing")
    assert "Share link" in page.part("main"), "each player's own link can be sent by hand"
    link = next(a for a in page.soup.select("a.button") if "Write to them" in a.get_text())
    assert olga.open(str(link["href"])).value("recipients") == "no_list"
    assert "It goes to Bo ." in olga.press("Preview").part(".goes")
    olga.press("Send to 1 player")
    assert [stage.name(one.player_id) for one in stage.all(Delivery)] == ["Bo"]
    stage.force(event, bo, read_force(PIPER), submit=False)
    assert "Write to this one" in olga.open("/e/iron-open/desk").part("#group-no_list"), "a draft is not submitted"
    stage.publish(event, 1)
    page = olga.open("/e/iron-open/desk")
    assert "Bo" in page.part("#group-no_list")
    assert "Write to" not in page.part("#group-no_list"), "lists are locked"


def test_requests_never_connect_to_the_mail_server(
    olga: Person, enter: Enter, stage: Stage, event: Event, box: Mailbox
) -> None:
    (ada,) = enter(event, "Ada")
    give_mail(stage, event, stage.one(Player))
    olga.open(NEW)
    assert "1 of them get it by mail" in olga.press("Preview", subject="News", text="Hello").part(".goes")
    olga.press("Send to 1 player")
    for address in (DESK, f"{DESK}/{stage.one(Message).id}", ME):
        assert (olga if "desk" in address else ada).open(address).status == 200
    assert box.commands == []
    assert stage.one(Delivery).mail == MailState.QUEUED


def test_failed_mail_is_on_the_desk_with_its_reason_and_sent_again(
    olga: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    enter(event, "Ada")
    ada = stage.one(Player)
    give_mail(stage, event, ada)
    message = write_to(stage, event)
    delivery = delivery_to(stage, ada, message)
    stage.clock.advance(minutes=15)
    assert "Mails" not in olga.open("/e/iron-open/desk").part(".steps")
    stage.clock.advance(seconds=1)
    assert "Mails wait since 10:00: they are not being sent." in olga.open("/e/iron-open/desk").part(".steps")
    assert "They are not being sent: start Overseer again" in olga.open(DESK).text
    with stage.changing(event) as s:
        row = s.get_one(Delivery, delivery.id)
        row.mail, row.next_try, row.last_error, row.attempts = MailState.FAILED, None, "the mail server refused it", 1
    assert "1 mail was not sent, or may not have arrived." in olga.open("/e/iron-open/desk").part(".steps")
    page = olga.open(f"{DESK}/{message.id}")
    assert page.rows("table") == [
        ["Ada", "Not read", "Not sent The mail server refused it", "Send the mail again to Ada"]
    ]
    assert olga.press("Send the mail again to Ada").flashes == "Queued again."
    assert stage.one(Delivery).mail == MailState.QUEUED
    assert "not sent" not in olga.open("/e/iron-open/desk").part(".steps")


@pytest.mark.proves("attack 27", "attack 28")
def test_markup_in_a_message_is_shown_as_text(
    olga: Person, visitor: Person, link_of: Callable[[Player], str], app: Flask, stage: Stage, event: Event
) -> None:
    players = stage.enter(event, *MARKUP)
    plain = [name.replace("{", "(").replace("}", ")") for name in MARKUP]
    lines = "\n".join(plain)
    for subject, text in (("Hello {name}", f"{lines}\n{{name}} {{link}}"), *((one, lines) for one in plain[:3])):
        olga.open(NEW)
        olga.press("Preview", subject=subject, text=text)
        olga.press(f"Send to {len(MARKUP)} players")
    player = Person(app)
    player.open(link_of(players[0]))
    for person, address in ((player, ME), (visitor, "/e/iron-open"), (olga, DESK), (olga, f"{DESK}/1")):
        page = person.open(address)
        for one in plain if person is not olga else plain[:3]:
            assert " ".join(one.split()) in page.text, address
        assert not page.soup.find("img"), address
        assert all(script.get("src") for script in page.soup.find_all("script")), address
        assert {a["href"] for a in page.soup.select(".letter a")} <= {ME}
    assert f"Hello {' '.join(players[0].name.split())}" in player.page.text


def test_mail_address_is_asked_only_if_the_event_allows_it(
    app: Flask, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    visitor.open("/e/iron-open/register")
    visitor.forge("Register", name="Bo", mail="bo@mail.example")
    assert visitor.open(f"{ME}/mail").status == 404
    assert stage.all(Contact) == []
    assert olga.open(DESK).part("h2 ~ form .choice") == "Players may give a mail address"
    assert olga.press("Save", allowed=True).flashes == "Saved."
    visitor = Person(app)
    visitor.open("/e/iron-open/register")
    page = visitor.press("Register", name="Ada", mail="no address")
    assert (page.status, page.error_at("mail")) == (422, "Enter a mail address such as name@example.org.")
    assert (page.value("mail"), len(stage.all(Player))) == ("no address", 1)
    visitor.press("Register", name="Ada", mail="ada@mail.example")
    assert visitor.open(f"{ME}/mail").value("mail") == stage.one(Contact).mail == "ada@mail.example"
    assert visitor.press("Save", mail="ada@").status == 422
    olga.open(f"/e/iron-open/desk/players/{stage.one(Player, name='Ada').id}/mail")
    assert olga.page.value("mail") == "ada@mail.example"
    assert olga.press("Save", mail="").flashes == "Saved."
    assert stage.all(Contact) == []
