"""Messages: recipients, placeholders, limits, the journal; written, previewed, sent once and read on the pages."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask

from events.lists import actions as lists_actions
from events.messages import actions as messages_actions
from events.messages import addresses
from events.messages import addresses as mail_addresses
from events.messages.actions import MOST_MESSAGES, OWN_LINK, Draft
from events.messages.queries import messages_to, recipients
from events.messages.text import BY_STRANGERS, COMMON, TEMPLATES, asked_for, filled, filled_line, pieces, unknown
from events.registration import check_in, leaving
from events.store.act import Act
from events.store.errors import Refused
from events.web.parsing import LONGEST, read_address
from models.dispatch import Dispatch, DispatchKind, DispatchState
from models.journal import JournalEntry
from models.message import GROUPS, SHOWN_GROUPS, Contact, Delivery, Message
from models.play import ForceList, Player
from service.settings import Settings
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.mail_server import Mailbox
from tests.kit.person import SIGN_UP, Enter, Person
from tests.kit.stage import BY, Event, Stage
from tests.kit.two_at_once import another_waits
from tests.kit.writing import delivery_to, give_mail, mail_of, write_to


def names(stage: Stage, event: Event, group: str, *chosen: int) -> list[str]:
    stage.s.rollback()
    return [player.name for player in recipients(event, group, stage.clock(), chosen)]


def test_groups_have_their_current_players(stage: Stage) -> None:
    event = stage.event(places=5)
    ada, bo, cy, _, eve = stage.enter(event, "Ada", "Bo", "Cy", "Dee", "Eve")
    stage.enter(event, "Fay")  # no place is left
    stage.do(event, check_in.undo_check_in, eve)
    stage.force(event, ada, read_force(PIPER))
    stage.force(event, bo, read_force(PIPER), submit=False)
    everybody = ["Ada", "Bo", "Cy", "Dee", "Eve", "Fay"]
    assert names(stage, event, "all") == everybody
    assert names(stage, event, "no_list") == ["Bo", "Cy", "Dee", "Eve"]
    assert names(stage, event, "not_here") == ["Eve"]
    assert names(stage, event, "waiting") == ["Fay"]
    assert names(stage, event, "paired") == names(stage, event, "playing") == []
    assert names(stage, event, "chosen", cy.id, ada.id) == ["Ada", "Cy"]
    assert names(stage, event, "illegal") == names(stage, event, "sent_back") == []
    stage.set(event, size=1)
    assert names(stage, event, "illegal") == ["Ada"], "a draft is not finished"
    mark = lists_actions.document_mark(stage.one(ForceList, player_id=ada.id))
    stage.do(event, lists_actions.send_back, ada, "One model too many.", mark)
    assert names(stage, event, "sent_back") == ["Ada"]
    first, second = stage.publish(event, 1)
    assert names(stage, event, "playing") == ["Ada", "Bo", "Cy", "Dee"]
    stage.decide(event, first, 3, 1)
    assert names(stage, event, "playing") == sorted(stage.name(number) for number in (second.a_id, second.b_id))
    assert names(stage, event, "paired") == ["Ada", "Bo", "Cy", "Dee"]
    stage.do(event, leaving.drop, cy)
    assert "Cy" not in names(stage, event, "all")
    assert names(stage, event, "chosen", cy.id, ada.id) == ["Ada"]


def test_placeholders_have_each_players_values_once_known(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy")
    stage.draw(event, 1)
    for placeholder in ("round", "game", "table", "opponent"):
        said = rf"“\{{{placeholder}\}}” has no value yet\."
        assert stage.refuse_to(said, write_to, stage, event, f"Look: {{{placeholder}}}").field == "text"
    assert names(stage, event, "paired") == []
    table, bye = stage.publish(event, 1)
    a, b, alone = map(stage.name, (table.a_id, table.b_id, bye.a_id))
    said = rf"“\{{table\}}” has no value yet for {alone}\. Use \{{game\}} instead"
    stage.refuse_to(said, write_to, stage, event, "Go to table {table}")
    said = r"No placeholder is called “\{tabel\}”"
    assert stage.refuse_to(said, write_to, stage, event, "x", subject="{tabel}").field == "subject"
    assert stage.all(Message) == []
    message = write_to(stage, event, "Hello {name}: round {round}, {game}. {link}", subject="{event}")
    words = {stage.name(delivery.player_id): delivery.words for delivery in stage.all(Delivery, message_id=message.id)}
    assert words[a] == {"event": "Iron Open", "name": a, "round": "1", "game": f"table 1, against {b}"}
    assert words[alone]["game"] == "a bye"


def test_only_impersonal_messages_to_everybody_are_public(stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    assert write_to(stage, event, "{event} is at {place}").public
    assert not write_to(stage, event, "Hello {name}").public
    assert not write_to(stage, event, "Hello", to="no_list").public
    assert not write_to(stage, event, "Hello", to="chosen", chosen=frozenset({ada.id})).public


@pytest.mark.both_databases
def test_concurrent_submissions_send_one_message(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    with another_waits(stage, event, lambda other: write_to(other, other.one(Event), key="same").id) as (s, results):
        first = messages_actions.send(Act(s, event, BY, stage.clock()), Draft("all", "News", "Hello"), "same", 0).id
    assert results == [stage.one(Message).id] == [first]
    again = write_to(stage, event, "changed meanwhile", key="same")
    assert (again.id, again.text, len(stage.all(Delivery))) == (first, "Hello", 2)
    rust = stage.event("Rust Cup", players=("Cy",))
    assert write_to(stage, rust, key="same").id != first, "another event's key"


def test_mail_goes_to_players_with_an_address(stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)
    message = write_to(stage, event)
    (mail,) = stage.all(Dispatch, kind=DispatchKind.MESSAGE)
    assert (mail.delivery_id, mail.state) == (delivery_to(stage, ada, message).id, DispatchState.QUEUED)
    for without in (write_to(stage, event, mail=False), write_to(stage, event, a_day=0)):
        assert mail_of(stage, delivery_to(stage, ada, without)) is None
    assert stage.journal(event, "message")[0] == "Sent “News” to 2 players, 1 of them by mail"


@pytest.mark.proves("attack 31", "ASVS 2.4.1")
def test_mails_of_an_event_are_limited_within_a_day(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada, bo)
    write_to(stage, event, a_day=3)
    words = r"needs 2 mails\. The event can send 1 more \(at most 3 in 24 hours\)"
    assert stage.refuse_to(words, write_to, stage, event, a_day=3).field == "mail"
    assert len(stage.all(Message)) == 1
    write_to(stage, event, a_day=3, mail=False)
    write_to(stage, event, a_day=3, to="chosen", chosen=frozenset({bo.id}))
    stage.clock.advance(hours=24)
    write_to(stage, event, a_day=3)
    rust = stage.event("Rust Cup")
    give_mail(stage, rust, *stage.enter(rust, "Cy"))
    write_to(stage, rust, a_day=1)


def test_messages_are_limited_within_a_day(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada")
    like = stage.now(write_to(stage, event)).model_dump(exclude={"id"})
    with stage.changing(event) as s:
        s.add_all([Message(**like | {"key": f"k{number}"}) for number in range(MOST_MESSAGES - 1)])
    stage.refuse_to("has sent 100 messages in 24 hours", write_to, stage, event)
    stage.clock.advance(hours=24)
    write_to(stage, event)


def test_message_is_marked_as_read_once(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    _, newer = write_to(stage, event, subject="older"), write_to(stage, event, subject="newer")
    mine, theirs = delivery_to(stage, ada, newer), delivery_to(stage, bo, newer)
    version, read_at = stage.now(event).version, stage.clock()
    for _ in range(2):
        with stage.changing() as s:
            messages_actions.mark_read(s, ada, [mine.id, theirs.id], stage.clock())
        stage.clock.advance(hours=1)
    assert (stage.now(mine).read_at, stage.now(theirs).read_at) == (read_at, None)
    assert [message.subject for _, message in messages_to(stage.s, ada)] == ["older", "newer"], "unread first"
    assert stage.now(event).version == version, "no other page is reloaded"


def test_addresses_are_not_in_the_journal_and_are_deleted_with_the_setting(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.refuse("takes no mail addresses", event, addresses.give_address, ada, "ada@mail.example")
    give_mail(stage, event, ada, bo)
    stage.do(event, addresses.give_address, ada, "other@mail.example")
    stage.do(event, addresses.give_address, bo, "")
    assert [contact.mail for contact in stage.all(Contact)] == ["other@mail.example"]
    stage.do(event, mail_addresses.allow_mail, False)
    assert stage.all(Contact) == []
    assert stage.journal(event)[-3:] == [
        "Changed the mail address of Ada", "Deleted the mail address of Bo",
        "Players can no longer give a mail address; 1 deleted",
    ]  # fmt: skip
    assert not [line for line in stage.all(JournalEntry) if "mail.example" in f"{line.text} {line.details}"]


def test_only_failed_or_unsure_mails_are_sent_again(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)
    message, other = write_to(stage, event), write_to(stage, event)
    mine, page_only = delivery_to(stage, ada, message), delivery_to(stage, bo, message)
    for state in (DispatchState.FAILED, DispatchState.UNSURE, DispatchState.SENT, DispatchState.SENDING):
        mail = mail_of(stage, mine)
        assert mail
        stage.set(event, mail, state=state, due=None, attempts=6)
        if state in (DispatchState.SENT, DispatchState.SENDING):
            stage.refuse("on its way", event, messages_actions.send_again, message, mine.id)
            continue
        for _ in range(2):
            stage.do(event, messages_actions.send_again, message, mine.id)
        assert (stage.now(mail).state, mail.attempts, mail.due) == (DispatchState.QUEUED, 0, stage.clock())
    assert stage.journal(event, "mail-again") == ["Queued the mail “News” to Ada again"] * 2
    for of, words in ((message, "on its way"), (other, "did not get this message")):
        stage.refuse(words, event, messages_actions.send_again, of, page_only.id)


@pytest.mark.proves("attack 29", "attack 31", "ASVS 1.3.7", "ASVS 1.3.11")
def test_name_that_looks_like_a_placeholder_stays_a_name() -> None:
    text = "Hello {name}, look at {link}."
    for name in ("{link}", "{{7*7}}", "%s%(x)s", "\\1\\g<1>", "{name}"):
        words = {"name": name, "link": "https://iron.example/p/secret"}
        assert filled(text, words) == f"Hello {name}, look at https://iron.example/p/secret."
        assert [one for one, _ in pieces(text, words) if one] == ["name", "link"]
    assert filled("Hello {name} at {event}", {"event": "Iron Open"}) == "Hello {name} at Iron Open"
    assert filled_line("Hi {name}\r\nBcc: all", {"name": "A\r\nBcc: x"}) == "Hi A Bcc: x Bcc: all", "one line"


def test_unknown_placeholder_is_reported_with_its_line() -> None:
    for text, error in (
        ("{tabel}", "No placeholder is called “{tabel}”."),
        ("Hello\n{name}\n{{7*7}}", "No placeholder is called “{7*7}” in line 3."),
        ("{}", "No placeholder is called “{}”."),
        ("{ name }", "No placeholder is called “{ name }”."),
        ("{name!r:>9999999}", "No placeholder is called “{name!r:>9999999}”."),
    ):
        assert unknown(text).startswith(error)
        assert "{name}, {game}" in unknown(text)
    for plain in ("", "100 % {name}", "a { b", "} {", "{\n}", "%s"):
        assert unknown(plain) == ""


def test_templates_use_known_placeholders_and_groups() -> None:
    for template in TEMPLATES.values():
        assert unknown(template.subject) == unknown(template.text) == ""
        assert template.recipients in GROUPS
        assert asked_for(template.subject) <= {*COMMON}, "the desk shows one subject for all players"
    assert SHOWN_GROUPS.keys() - GROUPS.keys() == {OWN_LINK, *BY_STRANGERS}, "each has words"


@pytest.mark.proves("attack 31", "ASVS 1.3.11")
def test_mail_address_is_checked() -> None:
    longest = "@".join(("a" * 64, ".".join(("b" * 60, "b" * 60, "b" * 60, "exampl"))))
    assert len(longest) == LONGEST
    for typed in ("ada@mail.example", " ada@mail.example ", "a.b+c@x-y.mail.example", "o'hara@ab.example", longest):
        assert read_address(typed) == typed.strip()
    for typed in (
        "ada", "ada@", "@mail.example", "ada@localhost", "a b@mail.example", "ada@mail..example", "ada@-mail.example",
        "ada@mail.example\r\nBcc: x@y.example", "ada@mail.example,bo@mail.example", "<ada@mail.example>",
        "ada@[127.0.0.1]", "=?utf-8?q?a?=@mail.example", "ädä@mail.example", "ada@mäil.example", "ada.@mail.example",
        "a\x00b@mail.example", f"{'a' * 65}@mail.example", f"{longest}e",
    ):  # fmt: skip
        with pytest.raises(Refused) as refused:
            read_address(typed)
        assert refused.value.field == "mail", typed


MARKUP = (
    "<script>alert(1)</script>", "{{1234*5678}}{% x %}${1234*5678}", '"><img src=x onerror=alert(1)>',
    "' OR 1=1; DROP TABLE player; --", "%s%n%(name)s{0}", "=HYPERLINK(1)", "\ufffdA\ufffd", "Zoë 李 🤖 שלום", "Z̸̢̛͖̼a̷͉l̶̡g̵o",
)  # fmt: skip
DESK = "/e/iron-open/desk/messages"
NEW = f"{DESK}/new"
ME = "/e/iron-open/me"


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, mail=box.server(a_day=3))


def test_message_is_sent_and_read(olga: Person, visitor: Person, enter: Enter, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    olga.open(f"{NEW}?template=round")
    before = stage.digest()
    page = olga.press("Preview")
    assert (page.status, stage.digest()) == (200, before), "a preview sends nothing"
    assert page.part(".letter h3") == "Iron Open: round 1"
    assert "Hello Ada, round 1 of Iron Open is published. Your game: table 1, against Bo." in page.part(".letter")
    assert "The message goes to 2 players: Ada , Bo ." in page.part(".goes")
    assert "Only they can read it." in page.part(".goes")
    refused = olga.press("Update the preview", chosen=[str(stage.one(Player, name="Bo").id)])
    assert "1 player is chosen by hand, but the message goes to another group" in refused.error_at("recipients")
    olga.page = page
    page = olga.press("Show", shown="Bo")
    assert "Hello Bo, round 1 of Iron Open is published. Your game: table 1, against Ada." in page.part(".letter")
    page = olga.press("Send to 2 players", subject="Round 1 of {event}")
    assert "Not sent yet" in page.part("#look") and stage.digest() == before, "a change is previewed before it is sent"
    assert page.part(".letter h3") == "Round 1 of Iron Open"
    olga.press("Update the preview", subject="{event}: round 1")
    page = olga.press("Send to 2 players")
    assert page.flashes.startswith("Sent.")
    assert page.rows("table") == [["Ada", "Not read", "no", ""], ["Bo", "Not read", "no", ""]]
    page = ada.open(ME)
    assert page.part("#messages h2") == "Messages 1 new"
    assert "Hello Ada, round 1" in page.part("#messages .letter.new")
    assert page.soup.select_one("#messages .letter a")["href"] == ME  # type: ignore[index]
    assert "round 1 of Iron Open is published" not in visitor.open("/e/iron-open").text
    assert ada.press("Mark as read").part("#messages h2") == "Messages"
    assert "Hello Ada, round 1" in ada.page.part("#earlier")
    when = "Sat 21 Nov, 10:00 ( Europe/Berlin time, 09:00 UTC )"
    assert olga.open(DESK).rows("table")[0][:4] == ["Iron Open: round 1", "In the current round", when, "1 of 2"]
    assert "1 new" in bo.open(ME).part("#messages h2")


def test_message_to_everybody_is_on_the_events_page_and_its_mail_waits(
    olga: Person, visitor: Person, enter: Enter, stage: Stage, event: Event, box: Mailbox
) -> None:
    enter(event, "Ada")
    give_mail(stage, event, stage.one(Player))
    assert visitor.open("/e/iron-open").part("[data-poll-part=said]") == ""
    mark = visitor.page.response.headers["ETag"]
    goes = olga.press("Preview", at=f"{NEW}?template=moved").part(".goes")
    assert "everybody reads it" in goes and "1 of them get it by mail" in goes
    olga.press("Send to 1 player")
    page = visitor.open("/e/iron-open")
    assert page.response.headers["ETag"] != mark, "open pages are updated"
    assert "Where: Town Hall When: Saturday 5 December 2026" in page.part("[data-poll-part=said]")
    link = page.soup.select_one(".letter a")
    assert link is not None and link["href"] == "/e/iron-open"
    assert (box.commands, stage.one(Dispatch, kind=DispatchKind.MESSAGE).due) == ([], stage.clock()), (
        "requests send no mail themselves"
    )


def test_templates_keep_the_recipients_of_the_link(olga: Person, stage: Stage, event: Event) -> None:
    _, bo = stage.enter(event, "Ada", "Bo")
    page = olga.open(f"{NEW}?to=chosen&player={bo.id}")
    (template,) = [a for a in page.soup.select(".filters a") if "not legal" in a.get_text()]
    page = olga.open(str(template["href"]))
    assert (page.value("recipients"), page.value("chosen"), page.value("subject") != "") == ("chosen", str(bo.id), True)


def test_invalid_message_is_refused_at_its_field(olga: Person, enter: Enter, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    before = stage.digest()
    for field, typed, error in (
        ("text", "Line\nanother {{7*7}}", "No placeholder is called “{7*7}” in line 2."),
        ("text", "x" * 4001, "At most 4000 characters"),
        ("recipients", "waiting", "Nobody is in this group now"),
    ):
        olga.open(NEW)
        values: dict[str, str] = {"subject": "News", "text": "Hello"} | {field: typed}
        page = olga.press("Preview", **values)
        assert (page.status, stage.digest(), error in page.error_at(field)) == (422, before, True), (field, typed)
        assert page.value(field) == typed.replace("\n", "\r\n")


def test_players_are_reminded_of_their_list_until_it_is_locked(olga: Person, stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, read_force(PIPER))
    stage.force(event, bo, read_force(PIPER), submit=False)
    page = olga.open("/e/iron-open/desk/lists/missing")
    assert "Share link" in page.part("main"), "each player's own link can be sent by hand"
    link = next(a for a in page.soup.select("a.button") if "Write to them" in a.get_text())
    assert olga.open(str(link["href"])).value("recipients") == "no_list"
    assert "The message goes to Bo ." in olga.press("Preview").part(".goes")
    assert "Write to this player" in olga.open("/e/iron-open/desk").part("#group-no_list")
    stage.publish(event, 1)
    group = olga.open("/e/iron-open/desk").part("#group-no_list")
    assert "Bo" in group and "Write to" not in group


def test_failed_mail_is_on_the_desk_and_sent_again(olga: Person, enter: Enter, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    ada = stage.one(Player)
    give_mail(stage, event, ada)
    message = write_to(stage, event)
    delivery = delivery_to(stage, ada, message)
    stage.clock.advance(minutes=15)
    assert "Mails" not in olga.open("/e/iron-open/desk").part(".steps")
    stage.clock.advance(seconds=1)
    assert "Mails have waited since 10:00: they are not being sent." in olga.open("/e/iron-open/desk").part(".steps")
    assert "They are not being sent: start Overseer again" in olga.open(DESK).text
    stage.set(
        event, mail_of(stage, delivery), state=DispatchState.FAILED, due=None, reason="the mail server refused it"
    )
    assert "1 mail was not sent, or may not have arrived." in olga.open("/e/iron-open/desk").part(".steps")
    (row,) = olga.open(f"{DESK}/{message.id}").rows("table")
    assert row == ["Ada", "Not read", "Not sent The mail server refused it", "Send the mail again to Ada"]
    assert olga.press("Send the mail again to Ada").flashes == "Queued again."
    assert stage.one(Dispatch, kind=DispatchKind.MESSAGE).state == DispatchState.QUEUED
    assert "not sent" not in olga.open("/e/iron-open/desk").part(".steps")


@pytest.mark.proves("attack 27", "attack 28")
def test_markup_in_a_message_is_shown_as_text(
    olga: Person, visitor: Person, link_of: Callable[[Player], str], app: Flask, stage: Stage, event: Event
) -> None:
    players = stage.enter(event, *MARKUP)
    plain = [name.replace("{", "(").replace("}", ")") for name in MARKUP]
    lines = "\n".join(plain)
    for subject, text in (("Hello {name}", f"{lines}\n{{name}} {{link}}"), *((name, lines) for name in plain[:3])):
        olga.press("Preview", at=NEW, subject=subject, text=text)
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


def test_mail_address_is_asked_if_allowed(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    visitor.forge(SIGN_UP, at="/e/iron-open/register", name="Bo", mail="bo@mail.example")
    assert visitor.open(f"{ME}/mail").status == 404
    assert stage.all(Contact) == []
    assert olga.open(DESK).part("h2 ~ form .choice") == "Players may give a mail address"
    assert olga.press("Save", allowed=True).flashes == "Saved."
    visitor = Person(olga.http.application)
    page = visitor.press(SIGN_UP, at="/e/iron-open/register", name="Ada", mail="no address")
    assert (page.status, page.error_at("mail")) == (422, "Enter a mail address such as name@example.org.")
    assert (page.value("mail"), len(stage.all(Player))) == ("no address", 1)
    visitor.press(SIGN_UP, name="Ada", mail="ada@mail.example")
    assert visitor.open(f"{ME}/mail").value("mail") == stage.one(Contact).mail == "ada@mail.example"
    assert visitor.press("Save", mail="ada@").status == 422
    olga.open(f"/e/iron-open/desk/players/{stage.one(Player, name='Ada').id}/mail")
    assert olga.page.value("mail") == "ada@mail.example"
    assert olga.press("Save", mail="").flashes == "Saved."
    assert stage.all(Contact) == []
