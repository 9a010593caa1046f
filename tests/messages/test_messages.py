"""Sending messages: recipients, placeholders, limits, and the journal."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import Session, select

from events.lists import actions as lists_actions
from events.messages import actions as messages_actions
from events.messages.actions import MOST_MESSAGES, Draft
from events.messages.queries import GROUPS, messages_to, recipients
from events.messages.text import COMMON, PERSONAL, TEMPLATES, asked_for, filled, filled_line, pieces, unknown
from events.play.errors import Refused
from events.play.parsing import LONGEST, read_address
from events.registration import actions as registration_actions
from models.db import write
from models.event import Event
from models.journal import JournalEntry
from models.message import Contact, Delivery, MailState, Message
from models.play import ForceList
from tests.kit.forces import blank_force, read_force
from tests.kit.lists import PIPER
from tests.kit.stage import BY, Stage
from tests.kit.writing import delivery_to, give_mail, write_to


def names(stage: Stage, event: Event, group: str, *chosen: int) -> list[str]:
    """The recipients of a message to this group now."""
    stage.s.rollback()
    return [player.name for player in recipients(stage.s, event, group, stage.clock(), chosen)]


def test_groups_have_their_current_players(stage: Stage) -> None:
    event = stage.event(places=5)
    ada, bo, cy, _, eve = stage.enter(event, "Ada", "Bo", "Cy", "Dee", "Eve")
    stage.enter(event, "Fay")  # no place is left
    stage.do(event, registration_actions.undo_check_in, eve)
    stage.force(event, ada, read_force(PIPER))
    stage.force(event, bo, read_force(PIPER), submit=False)
    everybody = ["Ada", "Bo", "Cy", "Dee", "Eve", "Fay"]
    assert names(stage, event, "all") == everybody
    assert names(stage, event, "no_list") == ["Bo", "Cy", "Dee", "Eve"]
    assert names(stage, event, "not_here") == ["Eve"]
    assert names(stage, event, "waiting") == ["Fay"]
    assert names(stage, event, "paired") == names(stage, event, "playing") == []
    assert names(stage, event, "chosen", cy.id, ada.id) == ["Ada", "Cy"]
    first, second = stage.publish(event, 1)
    assert names(stage, event, "playing") == ["Ada", "Bo", "Cy", "Dee"]
    stage.decide(event, first, 3, 1)
    assert names(stage, event, "playing") == sorted(stage.name(one) for one in (second.a_id, second.b_id))
    assert names(stage, event, "paired") == ["Ada", "Bo", "Cy", "Dee"]
    stage.do(event, registration_actions.drop, cy)
    assert "Cy" not in names(stage, event, "all")
    assert names(stage, event, "chosen", cy.id, ada.id) == ["Ada"]


def test_groups_by_illegal_and_returned_lists(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, blank_force("Survivors"), submit=False)
    stage.force(event, bo, read_force(PIPER))
    assert names(stage, event, "illegal") == [], "a draft is not finished"
    with stage.changing(event):
        event.size = 1
    assert names(stage, event, "illegal") == ["Bo"]
    assert names(stage, event, "sent_back") == []
    with stage.changing(event) as s:
        row = s.exec(select(ForceList).where(ForceList.player_id == bo.id)).one()
        lists_actions.send_back(s, event, bo, "One model too many.", lists_actions.mark_of(row), BY, stage.clock())
    assert names(stage, event, "sent_back") == ["Bo"]


def test_placeholders_have_each_players_values_once_known(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy")
    stage.draw(event, 1)
    for placeholder in ("round", "game", "table", "opponent"):
        with pytest.raises(Refused, match=rf"Nothing is known yet for “\{{{placeholder}\}}”\.") as refused:
            write_to(stage, event, f"Look: {{{placeholder}}}")
        assert refused.value.field == "text"
    assert names(stage, event, "paired") == []
    table, bye = stage.publish(event, 1)
    a, b, alone = map(stage.name, (table.a_id, table.b_id, bye.a_id))
    with pytest.raises(Refused, match=rf"yet for “\{{table\}}” with {alone}\. Use \{{game\}} instead"):
        write_to(stage, event, "Go to table {table}")
    with pytest.raises(Refused, match=r"No placeholder is called “\{tabel\}”") as refused:
        write_to(stage, event, "x", subject="{tabel}")
    assert (refused.value.field, stage.all(Message)) == ("subject", [])
    message = write_to(stage, event, "Hello {name}: round {round}, {game}. {link}", subject="{event}")
    words = {stage.name(one.player_id): one.words for one in stage.all(Delivery, message_id=message.id)}
    assert words[a] == {"event": "Iron Open", "name": a, "round": "1", "game": f"table 1, against {b}"}
    assert words[alone]["game"] == "a bye"


def test_only_impersonal_messages_to_everybody_are_public(stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    assert write_to(stage, event, "{event} is at {place}").public
    assert not write_to(stage, event, "Hello {name}").public
    assert not write_to(stage, event, "Hello", to="no_list").public
    assert not write_to(stage, event, "Hello", to="chosen", chosen=frozenset({ada.id})).public


@pytest.mark.both_at_length
def test_same_key_sends_one_message_of_an_event(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    first, again = write_to(stage, event, key="same"), write_to(stage, event, "changed meanwhile", key="same")
    assert (again.id, again.text) == (first.id, "Please go to your tables.")
    assert (len(stage.all(Delivery)), len(stage.journal(event, "message"))) == (2, 1)
    rust = stage.event("Rust Cup")
    stage.enter(rust, "Cy")
    assert write_to(stage, rust, key="same").id != first.id


@pytest.mark.both_databases
def test_concurrent_submissions_send_one_message(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    start, event_id, now = threading.Barrier(2, timeout=20), event.id, stage.clock()
    sent: list[int] = []

    def submit() -> None:
        with Session(stage.engine) as session:
            own = session.get_one(Event, event_id)
            start.wait()
            with write(session, now, own) as s:
                sent.append(messages_actions.send(s, own, Draft("all", "News", "Hello"), "same", 0, BY, now).id)

    submissions = [threading.Thread(target=submit) for _ in range(2)]
    for one in submissions:
        one.start()
    for one in submissions:
        one.join()
    assert len(sent) == 2
    assert len(set(sent)) == len(stage.all(Message)) == 1


def test_mail_goes_to_players_with_an_address(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)
    message = write_to(stage, event)
    assert delivery_to(stage, ada, message).mail == MailState.QUEUED
    assert delivery_to(stage, bo, message).mail is None
    for without in (write_to(stage, event, mail=False), write_to(stage, event, a_day=0)):
        assert delivery_to(stage, ada, without).mail is None
    assert stage.journal(event, "message")[0] == "Sent “News” to 2 players, 1 of them by mail"


@pytest.mark.proves("attack 31", "ASVS 2.4.1")
def test_mails_of_an_event_are_limited_within_a_day(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada, bo)
    write_to(stage, event, a_day=3)
    with pytest.raises(Refused, match=r"2 mails, and of the 3 .* 1 are left") as refused:
        write_to(stage, event, a_day=3)
    assert refused.value.field == "mail"
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
    with pytest.raises(Refused, match="has sent 100 messages in 24 hours"):
        write_to(stage, event)
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
    with pytest.raises(Refused, match="takes no mail addresses"):
        stage.do(event, messages_actions.give_address, ada, "ada@mail.example")
    give_mail(stage, event, ada, bo)
    stage.do(event, messages_actions.give_address, ada, "other@mail.example")
    stage.do(event, messages_actions.give_address, bo, "")
    assert [contact.mail for contact in stage.all(Contact)] == ["other@mail.example"]
    stage.do(event, messages_actions.allow_mail, False)
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
    for state in (MailState.FAILED, MailState.UNSURE, MailState.SENT, MailState.SENDING):
        with stage.changing() as s:
            row = s.get_one(Delivery, mine.id)
            row.mail, row.next_try, row.attempts = state, None, 6
        if state in (MailState.SENT, MailState.SENDING):
            with pytest.raises(Refused, match="on its way"):
                stage.do(event, messages_actions.send_again, message, mine.id)
            continue
        for _ in range(2):
            stage.do(event, messages_actions.send_again, message, mine.id)
        assert (stage.now(mine).mail, mine.attempts, mine.next_try) == (MailState.QUEUED, 0, stage.clock())
    assert stage.journal(event, "mail-again") == ["Queued the mail “News” to Ada again"] * 2
    for of, words in ((message, "on its way"), (other, "did not get this message")):
        with pytest.raises(Refused, match=words):
            stage.do(event, messages_actions.send_again, of, page_only.id)


@pytest.mark.proves("attack 29", "attack 31", "ASVS 1.3.7", "ASVS 1.3.11")
def test_name_that_looks_like_a_placeholder_stays_a_name() -> None:
    for name in ("{link}", "{{7*7}}", "{0.__class__}", "%s%(x)s", "{% x %}", "$name", "\\1\\g<1>", "{name}"):
        text = filled("Hello {name}, look at {link}.", {"name": name, "link": "https://iron.example/p/secret"})
        assert text == f"Hello {name}, look at https://iron.example/p/secret."
    assert filled("Hello {name} at {event}", {"event": "Iron Open"}) == "Hello {name} at Iron Open"
    assert filled_line("Hi {name}\r\nBcc: all", {"name": "A\r\nBcc: x"}) == "Hi A Bcc: x Bcc: all", "one line"


@settings(max_examples=25)
@given(words=st.dictionaries(st.sampled_from([*PERSONAL, *COMMON]), st.text(max_size=20)), between=st.text(max_size=20))
def test_every_placeholder_is_replaced_in_place(words: dict[str, str], between: str) -> None:
    between = between.replace("{", "(").replace("}", ")")
    text = between.join(f"{{{name}}}" for name in words)
    assert filled(text, words) == between.join(words.values())
    assert [name for name, _ in pieces(text, words) if name] == list(words)


def test_unknown_placeholder_is_reported_with_its_line() -> None:
    for text, error in (
        ("{tabel}", "No placeholder is called “{tabel}”."),
        ("Hello\n{name}\n{{7*7}}", "No placeholder is called “{7*7}” in line 3."),
        ("{0.__class__}", "No placeholder is called “{0.__class__}”."),
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
