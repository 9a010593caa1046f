"""Changes of mail addresses and private links by mail: confirmed, limited, without names that advertise."""

import logging
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from app import attach_database
from events.messages import addresses
from events.messages.text import change_key, change_token
from events.visitors.queries import is_link_of, link_token
from events.web.parsing import has_web_address
from models.dispatch import Dispatch, DispatchState
from models.message import Contact, Delivery, MailChange, Message
from service.settings import Settings
from tests.desk.test_badges import badges
from tests.kit.mail_server import Mailbox
from tests.kit.people import Links, let_in
from tests.kit.person import ADD, ADD_ALL, SIGN_UP, Enter, Page, Person
from tests.kit.secrets_planted import everything
from tests.kit.stage import Event, Player, Role, Stage
from tests.kit.writing import deliver, give_mail, write_to

ME, MAIL = "/e/iron-open/me", "/e/iron-open/me/mail"
DESK_MAIL = "/e/iron-open/desk/players/1/mail"
"""Ada's address at the desk."""
OLD, NEW = "ada@mail.example", "new@mail.example"
SECRET = "a secret for tests, of enough characters"


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server(a_day=5))


@pytest.fixture
def ada(enter: Enter, stage: Stage, event: Event) -> Person:
    """Ada's phone; she and Bo gave addresses."""
    ada, _ = enter(event, "Ada", "Bo")
    give_mail(stage, event, *stage.all(Player))
    return ada


def ask(ada: Person, mail: str = NEW) -> Page:
    return ada.press("Use this address instead" if "Cancel the change" in ada.open(MAIL).text else "Save", mail=mail)


def link_in(box: Mailbox) -> str:
    found = re.search(r"https://iron\.example(/mail/\S+)", box.arrived[-1].get_content())
    assert found, box.arrived[-1].get_content()
    return found[1]


def address_of(stage: Stage, name: str = "Ada") -> str:
    return stage.one(Contact, player_id=stage.one(Player, name=name).id).mail


@pytest.mark.proves("ASVS 7.5.1", "ASVS 14.2.1", "attack 22")
def test_new_address_counts_once_confirmed_from_the_current_one(
    ada: Person, visitor: Person, olga: Person, stage: Stage, event: Event, box: Mailbox,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    page = ask(ada)
    assert (page.path, page.flashes) == (MAIL, "Please confirm the change from your current address.")
    said = page.part(".verdict")
    assert said.startswith("Waiting, not changed yet") and f"You asked for mails to {NEW} ." in said
    assert "The link is valid until 11:00 ( Europe/Berlin time, 10:00 UTC )" in said
    assert deliver(stage, box, SECRET).count(DispatchState.SENT) == 1
    assert (box.to, address_of(stage)) == ([OLD], OLD), "only the current address is asked"
    assert NEW not in box.arrived[0].as_string()
    letter = ada.open(ME).part("#messages .letter.new")
    assert "(the link is only in the mail)" in letter and "/mail/" not in letter
    link = link_in(box)
    token = link.removeprefix("/mail/")
    for address in ("messages", "messages/1"):
        assert token not in olga.open(f"/e/iron-open/desk/{address}").response.text

    before = stage.digest()
    answer = visitor.ask("GET", link)
    assert (answer.status_code, answer.location) == (302, "/mail"), "the token is not in the page's address"
    page = visitor.open("/mail")
    assert f"to Ada go to {NEW} ." in page.part(".lede")
    assert page.soup.find("a", href=re.compile("/mail/")) is None
    assert (stage.digest(), address_of(stage)) == (before, OLD), "mail programs open links too"
    page = visitor.press("Yes, use the new address")
    assert (page.path, page.flashes) == ("/e/iron-open", "Changed: mails go to the new address from now on.")
    assert (address_of(stage), stage.all(MailChange)) == (NEW, [])

    write_to(stage, event, "{link}")
    deliver(stage, box, SECRET)
    assert sorted(box.to[1:]) == ["bo@mail.example", NEW, NEW]
    assert "Iron Open: is this your address?" in [mail["Subject"] for mail in box.arrived]
    assert stage.journal(event, "mail-address")[-2:] == [
        "Ada asked to change the mail address, which the current address must confirm",
        "Changed the mail address of Ada",
    ]
    assert token not in caplog.text


@pytest.mark.proves("ASVS 7.5.1", "attack 17")
def test_link_works_once_for_an_hour(app: Flask, ada: Person, visitor: Person, stage: Stage, box: Mailbox) -> None:
    def asked(mail: str = NEW) -> str:
        ask(ada, mail)
        deliver(stage, box, SECRET)
        return link_in(box)

    first = asked("first@mail.example")
    form = visitor.open(first)
    second = asked()
    visitor.page = form
    assert visitor.press("Yes, use the new address").status == 404, "a newer change was requested meanwhile"
    assert Person(app).open(first).status == 404
    stage.clock.advance(minutes=59, seconds=59)
    assert visitor.open(second).status == 200
    stage.clock.advance(seconds=1)
    assert visitor.press("Yes, use the new address").status == 404
    assert visitor.open(second).part("h1") == "This link is no longer valid"
    assert "Waiting" not in ada.open(MAIL).text
    assert address_of(stage) == OLD

    third, other = asked(), Person(app)
    for person in (visitor, other):
        assert person.open(third).status == 200
    assert visitor.press("Yes, use the new address").status == 200
    before = stage.digest()
    assert other.press("Yes, use the new address").status == 404, "it works once"
    assert (Person(app).open(third).status, stage.digest()) == (404, before)


@pytest.mark.proves("ASVS 7.5.1")
def test_withdrawn_change_sends_no_mail(app: Flask, ada: Person, stage: Stage, box: Mailbox) -> None:
    for mailed in (False, True):
        ask(ada)
        if mailed:
            deliver(stage, box, SECRET)
        page = ada.press("Cancel the change")
        assert page.flashes == "Cancelled: mails still go to your current address."
        assert not page.soup.select(".verdict") and not stage.all(MailChange)
        assert deliver(stage, box, SECRET).tried == 0
    assert Person(app).open(link_in(box)).status == 404
    assert address_of(stage) == OLD


@pytest.mark.proves("ASVS 7.5.1")
def test_deleted_address_is_replaced_only_at_the_desk(ada: Person, olga: Person, stage: Stage) -> None:
    assert ada.press("Save", at=MAIL, mail="").flashes == "No mail is sent to you."
    assert OLD not in ada.open(MAIL).response.text
    assert "You deleted your mail address" in ada.page.part("main")
    assert ada.post(MAIL, mail="").status_code == 302, "deleted once more"
    with stage.unchanged():
        assert ada.post(MAIL, mail=NEW).status_code == 422
    assert olga.press("Save", at=DESK_MAIL, mail=NEW).flashes == "Saved."
    assert ada.open(MAIL).value("mail") == NEW


def test_first_and_desk_address_count_now(ada: Person, olga: Person, enter: Enter, stage: Stage, event: Event) -> None:
    (cy,) = enter(event, "Cy")
    assert cy.press("Save", at=MAIL, mail="cy@mail.example").flashes == "Saved. Open the link that we mail to you."
    ask(ada)
    assert olga.press("Save", at=DESK_MAIL, mail="desk@mail.example").flashes == "Saved."
    assert (address_of(stage, "Cy"), address_of(stage)) == ("cy@mail.example", "desk@mail.example")
    mails = [row.state for row in stage.all(Dispatch)]
    assert mails == [DispatchState.QUEUED], "Cy’s address is asked, the waiting change is deleted"
    assert ada.press("Save", at=MAIL).path == ME, "the same address again is no change"
    assert not stage.all(MailChange)


def test_without_mail_the_organiser_sets_addresses(app: Flask, ada: Person, stage: Stage, settings: Settings) -> None:
    attach_database(app, replace(settings, mail=None), stage.engine, stage.clock)
    page = ada.open(MAIL)
    assert f"Your address: {OLD}" in page.text
    assert "The organiser can enter it at the desk." in page.text
    assert ada.post(MAIL, mail=NEW).status_code == 422
    assert address_of(stage) == OLD
    ada.press("Delete the address")
    assert address_of(stage) == ""


@pytest.mark.proves("attack 31")
def test_changes_of_an_address_are_limited_within_a_day(ada: Person, stage: Stage, event: Event) -> None:
    for n in range(3):
        assert ask(ada, f"{n}@mail.example").status == 200
    page = ask(ada)
    assert (page.status, page.error_at("mail")) == (
        422,
        "You have reached the limit of 3 addresses in 24 hours. Ask the organiser to enter the address at the desk.",
    )  # fmt: skip
    assert [row.state for row in stage.all(Dispatch)] == [DispatchState.QUEUED]
    assert len(stage.all(Message)) == 3
    write_to(stage, event)  # the limits of organisers are separate
    stage.clock.advance(hours=24, seconds=1)
    assert ask(ada).status == 200


def test_mail_whose_link_has_expired_fails(app: Flask, ada: Person, olga: Person, stage: Stage, box: Mailbox) -> None:
    ask(ada)
    stage.clock.advance(hours=1)
    assert deliver(stage, box, SECRET).count(DispatchState.FAILED) == 1
    assert box.arrived == []
    assert "1 mail was not sent" in olga.open("/e/iron-open/desk").part(".steps")
    page = olga.open("/e/iron-open/desk/messages/1")
    assert "Its link is not valid any more; the player can ask for the change again" in page.text
    assert olga.open("/e/iron-open/desk/messages").rows("table")[0][1] == "A player who asked for another mail address"


@pytest.mark.proves("attack 24", "ASVS 9.2.2", "ASVS 9.1.1")
def test_token_of_a_change_opens_nothing_else(app: Flask, ada: Person, stage: Stage) -> None:
    ask(ada)
    key, player = stage.one(MailChange).key, stage.one(Player, name="Ada")
    token = change_token(SECRET, key)
    assert change_key(SECRET, token) == key and len(key) >= 32
    assert not is_link_of(SECRET, token, player)
    assert change_key("another secret", token) == change_key(SECRET, link_token(SECRET, player)) == ""
    person = Person(app)
    for prefix in ("/p/", "/i/", "/set-up/", "/g/"):
        assert person.open(prefix + token).status == 404
    for wrong in (key, link_token(SECRET, player), token[:-1], "x" * 3000):
        assert person.open(f"/mail/{wrong}").status == 404
    assert person.open("/mail").status == 404


def test_waiting_changes_are_deleted_with_the_setting(olga: Person, ada: Person, stage: Stage) -> None:
    ask(ada)
    assert olga.press("Save", at="/e/iron-open/desk/messages", allowed=False).flashes == "Saved."
    assert not stage.all(MailChange) and not stage.all(Contact)
    assert stage.journal(stage.one(Event), "allow-mail")[-1].endswith("; 2 deleted")


STRANGER = "victim@stranger.example"
SPAM = "WIN $$$ https://spam.example/prize"
NO_ADDRESS = "A name cannot contain a web address."


@pytest.fixture
def event(event: Event, stage: Stage) -> Event:
    give_mail(stage, event)
    return event


@pytest.mark.proves("attack 31")
@pytest.mark.both_databases
def test_confirmed_recipient_is_asked_three_times_a_day_in_all(enter: Enter, stage: Stage, event: Event) -> None:
    rust = stage.event("Rust Cup")
    give_mail(stage, rust)
    people = [(person, event) for person in enter(event, "Ada", "Bo")]
    people += [(person, rust) for person in enter(rust, "Cy", "Dee")]
    for (_, where), player, address in zip(
        people, stage.all(Player), (STRANGER, STRANGER.upper(), "victim+a@stranger.example", STRANGER), strict=True
    ):
        stage.do(where, addresses.give_address, player, address)
    answers = [person.press("Save", at=f"/e/{at.slug}/me/mail", mail="other@mail.example") for person, at in people]
    assert [page.status for page in answers] == [200, 200, 200, 422]
    assert len(stage.all(Dispatch, state=DispatchState.QUEUED)) == 3
    assert "This address has reached its limit of links in 24 hours" in answers[-1].error_at("mail")
    assert answers[-1].value("mail") == "other@mail.example"
    stage.clock.advance(hours=24, seconds=1)
    assert people[-1][0].press("Save").status == 200


@pytest.mark.proves("attack 31")
def test_name_with_a_web_address_is_refused(visitor: Person, olga: Person, stage: Stage, event: Event) -> None:
    for name in (SPAM, "www.spam.example", "Buy spam.example/x", "ｗｗｗ．spam.example", "ht\u200btp:/\u200b/x"):
        assert has_web_address(name), name
    for name in ("St. Mary", "A.B", "J.R.R. Tolkien", "Dr.Who", "Anna/Bo", "wwwilma", "A/B.C", "Jr.: Bo"):
        assert not has_web_address(name), name
    for field in ("name", "club"):
        page = visitor.press(SIGN_UP, at="/e/iron-open/register", **({"name": "Ada"} | {field: SPAM}))
        assert (page.status, page.error_at(field)) == (422, NO_ADDRESS)
    (ada,) = stage.enter(event, "Ada")
    assert NO_ADDRESS in olga.press(ADD, at="/e/iron-open/desk/players", inside="#walk-in", **{"w-name": SPAM}).text
    olga.open("/e/iron-open/desk/players")
    assert NO_ADDRESS in olga.press(ADD_ALL, **{"p-names": f"{SPAM}\nBo; www.club.example"}).text
    assert olga.press("Save", at=f"/e/iron-open/desk/players/{ada.id}", name=SPAM).error_at("name") == NO_ADDRESS
    assert [player.name for player in stage.all(Player)] == ["Ada"]


MAIL_IT = "Mail the private link to the player"


@pytest.fixture
def recipient(enter: Enter, stage: Stage, event: Event) -> Player:
    enter(event, "Ada", "Bo")
    player = stage.one(Player, name="Ada")
    give_mail(stage, event, player)
    return player


@pytest.fixture
def anna(app: Flask, stage: Stage, event: Event, recipient: Player) -> Person:
    return let_in(app, stage.hire(event, "Anna", Role.CHECK_IN))


def at_desk(player: Player) -> str:
    return f"/e/iron-open/desk/players/{player.id}"


@pytest.mark.proves("attack 57")
def test_no_role_below_organiser_is_given_a_private_link(
    app: Flask, stage: Stage, event: Event, recipient: Player, link_of: Links
) -> None:
    link, before = link_of(recipient), stage.now(recipient).link_generation
    asked = ["", "/players", "/players.csv", "/lists", "/lists/missing", "/print", "/door", "/messages",
             "/check-in.pdf", "/messages/new?to=all", "/search?q=Ada", f"/players/{recipient.id}",
             f"/players/{recipient.id}/mail", "/badges.pdf", f"/badges.pdf?player={recipient.id}", "/archive.json",
             "/rounds/1/pack.zip"]  # fmt: skip
    for role in (Role.JUDGE, Role.SCOREKEEPER, Role.LIST_CHECKER, Role.CHECK_IN):
        person = let_in(app, stage.hire(event, f"The {role.value}", role))
        for address in asked:
            answer = person.ask("GET", f"/e/iron-open/desk{address}")
            assert link not in everything(answer), (role, address)
            if answer.mimetype == "application/pdf" and "badges" in address:
                found = badges(person, address.removeprefix("/badges.pdf"))
                assert found and all(text.startswith("/e/iron-open/badge/") for text in found), (role, address)
                assert "public page" in everything(answer) and "each code is a key" not in everything(answer)
        assert person.post(f"{at_desk(recipient)}/renew-link").status_code == 403
        assert stage.now(recipient).link_generation == before
        sent = person.post(f"{at_desk(recipient)}/mail-link")
        allowed = (302, 1) if role == Role.CHECK_IN else (403, 0)
        assert (sent.status_code, len(stage.all(Delivery))) == allowed, role


@pytest.mark.proves("attack 57")
@pytest.mark.both_at_length
def test_check_in_staff_mail_the_private_link_without_seeing_it(
    app: Flask, anna: Person, olga: Person, recipient: Player, event: Event, stage: Stage, box: Mailbox,
    link_of: Links,
) -> None:  # fmt: skip
    page = anna.press(MAIL_IT, at=at_desk(recipient))
    assert (page.path, page.flashes) == (at_desk(recipient), "The private link is on its way to Ada.")
    assert stage.one(Dispatch).state == DispatchState.QUEUED
    deliver(stage, box, str(app.secret_key))
    (mail,) = box.arrived
    assert (mail["To"], link_of(recipient) in mail.get_content()) == ("ada@mail.example", True)
    assert stage.journal(event, "mail-link") == ["Mailed the private link to Ada"]
    assert "check-in Anna" in olga.open("/e/iron-open/desk/journal").text
    assert "A player without the link" in olga.open("/e/iron-open/desk/messages").text
    for address in ("messages", "messages/1"):
        assert anna.open(f"/e/iron-open/desk/{address}").status == 403
    assert "mail.example" not in anna.open(at_desk(recipient)).response.text, "they do not see the address"


@pytest.mark.proves("attack 57")
def test_private_link_is_mailed_three_times_an_hour_at_most(anna: Person, recipient: Player, stage: Stage) -> None:
    flashes = [anna.press(MAIL_IT, at=at_desk(recipient)).flashes for _ in range(4)]
    assert flashes[2:] == [
        "The private link is on its way to Ada.",
        "Ada was mailed the link 3 times within an hour. Try again later.",
    ]
    stage.clock.now += timedelta(hours=1, minutes=1)
    flashes = [anna.press(MAIL_IT).flashes for _ in range(3)]
    assert flashes[2].startswith("This event has reached its limit of mails in 24 hours.")
    assert len(stage.all(Delivery)) == 5


@pytest.mark.proves("attack 57")
def test_without_an_address_staff_are_sent_to_an_organiser(anna: Person, recipient: Player, stage: Stage) -> None:
    bo = at_desk(stage.one(Player, name="Bo"))
    page = anna.open(bo)
    assert "Ask an organiser for the private link." in page.part("#link") and MAIL_IT not in page.text
    assert anna.post(f"{bo}/mail-link").status_code == 302
    assert "No mail can be sent to Bo." in anna.open(bo).flashes
    assert stage.all(Delivery) == []
