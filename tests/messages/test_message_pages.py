"""Messages as organisers write them and players read them: looked at, sent once, read, and nobody's address shown."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask

from models.event import Event
from models.journal import JournalEntry
from models.message import Contact, Delivery, MailState, Message
from models.play import Player
from service.settings import Settings
from tests.accounts.test_route_matrix import GET, addresses
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.mail_server import Mailbox
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.writing import delivery_to, give_mail, write_to
from tests.web.test_hostile_text import MARKUP

DESK = "/e/iron-open/desk/messages"
NEW = f"{DESK}/new"
ME = "/e/iron-open/me"


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    """Settings with a mail server."""
    return replace(settings, mail=box.server(a_day=3))


def test_a_message_is_looked_at_then_sent_then_read(
    olga: Person, visitor: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    olga.open(f"{NEW}?template=round")
    before = stage.digest()
    page = olga.press("Look at it")
    assert (page.status, stage.digest()) == (200, before), "a look sends nothing"
    assert page.part(".letter h3") == "Iron Open: round 1"
    assert (
        page.part(".letter").count("Hello Ada, round 1 of Iron Open is published. Your game: table 1, against Bo.") == 1
    )
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


def test_the_same_look_sent_twice_is_one_message(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    enter(event, "Ada")
    olga.open(NEW)
    look = olga.press("Look at it", subject="News", text="Hello")
    first = olga.press("Send to 1 player").path
    olga.page = look
    assert olga.press("Send to 1 player").path == first
    assert len(stage.all(Message)) == len(stage.all(Delivery)) == 1
    assert stage.journal(event, "message") == ["Sent “News” to 1 player"]


def test_what_is_for_all_is_on_the_event_s_page(
    olga: Person, visitor: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    enter(event, "Ada")
    assert visitor.open("/e/iron-open").part("[data-poll-part=said]") == ""
    mark = visitor.page.response.headers["ETag"]
    olga.open(f"{NEW}?template=moved")
    assert "everybody reads it" in olga.press("Look at it").part(".goes")
    olga.press("Send to 1 player")
    page = visitor.open("/e/iron-open")
    assert page.response.headers["ETag"] != mark, "open pages hear of it"
    assert "Where: Town Hall When: Saturday 5 December 2026" in page.part("[data-poll-part=said]")
    link = page.soup.select_one(".letter a")
    assert link is not None and link["href"] == "/e/iron-open"


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("text", "Hello {tabel}", "No placeholder is called “{tabel}”."),
        ("text", "Line\nanother {{7*7}}", "No placeholder is called “{7*7}” in line 2."),
        ("subject", "{0.__class__}", "No placeholder is called “{0.__class__}”."),
        ("text", "Go to {table}", "Nothing is known yet for “{table}”."),
        ("subject", "", "Please fill in"),
        ("text", "x" * 4001, "At most 4000 characters"),
        ("text", "a\x00b", "cannot be printed"),
        ("subject", "x" * 121, "At most 120 characters"),
        ("recipients", "waiting", "Nobody is in this group now"),
    ],
)
def test_what_cannot_be_sent_is_told_at_its_place_and_kept(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event, field: str, typed: str, said: str
) -> None:
    enter(event, "Ada")
    olga.open(NEW)
    before = stage.digest()
    values: dict[str, str] = {"subject": "News", "text": "Hello"} | {field: typed}
    page = olga.press("Look at it", **values)
    assert (page.status, stage.digest()) == (422, before)
    assert said in page.error_at(field)
    assert page.value(field) == typed.replace("\n", "\r\n") or "\x00" in typed or not typed


def test_only_those_missing_are_reminded(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo")
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    page = olga.open("/e/iron-open/desk/lists/missing")
    assert "Bo: http://localhost/p/" in page.part(".copy-text"), "the text to copy is kept"
    link = page.soup.find("a", string=lambda words: words is not None and "Write to them" in words) or next(
        a for a in page.soup.select("a.button") if "Write to them" in a.get_text()
    )
    page = olga.open(str(link["href"]))
    assert page.value("recipients") == "no_list"
    assert "It goes to Bo ." in olga.press("Look at it").part(".goes")
    olga.press("Send to 1 player")
    assert [stage.name(one.player_id) for one in stage.all(Delivery)] == ["Bo"]


def test_the_desk_offers_it_until_the_lists_are_locked(olga: Person, stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, read_force(PIPER))
    page = olga.open("/e/iron-open/desk")
    assert page.part("#group-no_list summary") == "1 without a submitted list"
    link = next(a for a in page.soup.select("#group-no_list a") if "Remind this one" in a.get_text())
    assert link["href"] == f"{NEW}?template=list_missing&look=1"
    stage.force(event, bo, read_force(PIPER), submit=False)
    assert "Remind this one" in olga.open("/e/iron-open/desk").part("#group-no_list"), "a draft is not handed in"
    stage.publish(event, 1)
    page = olga.open("/e/iron-open/desk")
    assert "Bo" in page.part("#group-no_list")
    assert "Remind" not in page.part("#group-no_list"), "nobody can hand in any more"


def test_a_request_never_speaks_to_the_mail_server(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event, box: Mailbox
) -> None:
    (ada,) = enter(event, "Ada")
    give_mail(stage, event, stage.one(Player))
    olga.open(NEW)
    assert "1 of them get it by mail" in olga.press("Look at it", subject="News", text="Hello").part(".goes")
    olga.press("Send to 1 player")
    for address in (DESK, f"{DESK}/{stage.one(Message).id}", ME):
        assert (olga if "desk" in address else ada).open(address).status == 200
    assert box.commands == []
    assert stage.one(Delivery).mail == MailState.QUEUED


@pytest.mark.proves("attack 31", "ASVS 2.4.1")
def test_the_quota_is_told_at_the_tick(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo")
    give_mail(stage, event, *stage.all(Player))
    write_to(stage, event, a_day=3)
    olga.open(NEW)
    olga.press("Look at it", subject="News", text="Hello")
    page = olga.press("Send to 2 players")
    assert (page.status, len(stage.all(Message))) == (422, 1)
    assert "of the 3 that this event may send in 24 hours 1 are left" in page.error_at("mail")
    olga.press("Look at it", mail=False)
    olga.press("Send to 2 players")
    assert len(stage.all(Message)) == 2


def test_trouble_is_seen_on_the_desk_with_its_reason_and_cured_by_a_press(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event, clock: Clock
) -> None:
    enter(event, "Ada")
    ada = stage.one(Player)
    give_mail(stage, event, ada)
    message = write_to(stage, event)
    delivery = delivery_to(stage, ada, message)
    assert "mail" not in olga.open("/e/iron-open/desk").part(".steps")
    clock.advance(minutes=20)
    assert "Mails wait since 10:00: nothing sends them." in olga.open("/e/iron-open/desk").part(".steps")
    assert "Nothing sends them: start Overseer again" in olga.open(DESK).text
    with stage.changing(event) as s:
        row = s.get_one(Delivery, delivery.id)
        row.mail, row.next_try, row.last_error, row.attempts = MailState.FAILED, None, "the mail server refused it", 1
    assert "1 mail was not sent, or perhaps not." in olga.open("/e/iron-open/desk").part(".steps")
    page = olga.open(f"{DESK}/{message.id}")
    assert page.rows("table") == [
        ["Ada", "Not read", "Not sent The mail server refused it", "Send the mail again to Ada"]
    ]
    assert olga.press("Send the mail again to Ada").flashes == "In the queue once more."
    assert stage.one(Delivery).mail == MailState.QUEUED
    assert "not sent" not in olga.open("/e/iron-open/desk").part(".steps")


@pytest.mark.proves("attack 27", "attack 28")
@pytest.mark.parametrize("name", MARKUP)
def test_markup_in_a_message_is_text(
    olga: Person, visitor: Person, link_of: Callable[[Player], str], app: Flask, stage: Stage, event: Event, name: str
) -> None:
    stage.enter(event, name)
    plain = name.replace("{", "(").replace("}", ")")
    olga.open(NEW)
    olga.press("Look at it", subject="Hello {name}", text=f"{plain}\n{{name}} {{link}}")
    olga.press("Send to 1 player")
    olga.open(NEW)
    olga.press("Look at it", subject=plain, text=plain)
    olga.press("Send to 1 player")
    player = Person(app)
    player.open(link_of(stage.one(Player)))
    shown = " ".join(stage.one(Player).name.split())
    for person, address in ((player, ME), (visitor, "/e/iron-open"), (olga, DESK), (olga, f"{DESK}/1")):
        page = person.open(address)
        assert " ".join(plain.split()) in page.text, address
        assert not page.soup.find("img"), address
        assert all(script.get("src") for script in page.soup.find_all("script")), address
        assert {a["href"] for a in page.soup.select(".letter a")} <= {ME}
    assert f"Hello {shown}" in player.page.text or f"Hello {shown}" in player.open(ME).text


def test_an_address_is_asked_only_where_the_event_says_so(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    assert visitor.open("/e/iron-open/register").soup.find("input", {"name": "mail"}) is None
    assert olga.open(DESK).part("h2 ~ form .choice") == "Players may give a mail address"
    assert olga.press("Save", allowed=True).flashes == "Saved."
    visitor.open("/e/iron-open/register")
    page = visitor.press("Register", name="Ada", mail="no address")
    assert (page.status, page.error_at("mail")) == (422, "This is no mail address like name@example.org.")
    assert (page.value("mail"), stage.all(Player)) == ("no address", [])
    visitor.press("Register", name="Ada", mail="ada@mail.example")
    assert stage.one(Contact).mail == "ada@mail.example"
    visitor.open(f"{ME}/mail")
    assert visitor.page.value("mail") == "ada@mail.example"
    assert visitor.press("Save", mail="ada@").status == 422
    assert visitor.press("Save", mail="other@mail.example").path == f"{ME}/mail", "it waits: test_mail_changes"
    ada = stage.one(Player)
    olga.open(f"/e/iron-open/desk/players/{ada.id}/mail")
    assert olga.page.value("mail") == "ada@mail.example"
    assert olga.press("Save", mail="").flashes == "Saved."
    assert stage.all(Contact) == []


def test_without_a_place_of_its_own_an_address_is_given_by_nobody(
    enter: Callable[..., list[Person]], stage: Stage, event: Event, visitor: Person
) -> None:
    (ada,) = enter(event, "Ada")
    assert ada.open(f"{ME}/mail").status == 404
    visitor.open("/e/iron-open/register")
    visitor.forge("Register", name="Bo", mail="bo@mail.example")
    assert stage.one(Player, name="Bo").id
    assert stage.all(Contact) == []


@pytest.mark.proves("attack 15")
def test_nobody_reads_an_address_but_its_player_and_staff(
    app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Canary", "Bo")
    give_mail(stage, event, *stage.all(Player))
    write_to(stage, event, "{name} {link}")
    stage.force(event, stage.one(Player, name="Bo"), read_force(PIPER))
    stage.publish(event, 1)
    secret = b"canary@mail.example"
    rules = addresses([rule for rule in GET if rule.startswith("/e/") and "pack.pdf" not in rule], stage, "Canary")
    people = {"visitor": Person(app), "bo": bo, "ada": ada, "olga": olga}
    seen = {
        who: {rule for rule, address in rules.items() if secret in person.ask("GET", address).data}
        for who, person in people.items()
    }
    assert seen["visitor"] == seen["bo"] == set()
    assert seen["ada"] == {"/e/<slug>/me/mail"}, "the control: where it is, it is found"
    assert seen["olga"] == {"/e/<slug>/desk/players/<int:player_id>/mail"}
    assert not [line for line in stage.all(JournalEntry) if "mail.example" in f"{line.text}{line.details}"]


@pytest.mark.proves("attack 6")
def test_another_event_s_message_is_nobody_s_here(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    enter(event, "Ada")
    stage.event("Rust Cup")
    message = write_to(stage, event)
    token = str(olga.open(NEW).value("csrf_token"))
    assert olga.open(f"/e/rust-cup/desk/messages/{message.id}").status == 404
    before = stage.digest()
    answer = olga.ask("POST", f"/e/rust-cup/desk/messages/{message.id}/again", {"csrf_token": token, "delivery": "1"})
    assert (answer.status_code, stage.digest()) == (404, before)


def test_a_player_marks_the_own_messages_alone(enter: Callable[..., list[Person]], stage: Stage, event: Event) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    message = write_to(stage, event)
    theirs = delivery_to(stage, stage.one(Player, name="Bo"), message)
    ada.open(ME)
    ada.forge("I have read it", seen=[str(theirs.id), "x", "-1", "9" * 30])
    assert [one.read_at for one in stage.all(Delivery)] == [None, None]
