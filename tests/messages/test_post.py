"""The mail queue with a real SMTP server: each mail is sent once, retried, or given up."""

import socket
import threading
from email.message import EmailMessage

import pytest
from sqlmodel import select

from events.messages import actions as messages_actions
from events.messages import addresses
from events.messages import addresses as mail_addresses
from events.messages.delivery import SECONDS, Connection
from events.messages.queries import in_trouble
from events.registration import actions as registration_actions
from events.visitors.queries import is_link_of
from models.dispatch import DispatchState
from models.message import Delivery
from tests.kit.mail_server import Mailbox, mailbox
from tests.kit.stage import Event, Player, Stage
from tests.kit.writing import MESSAGES, Worked, deliver, delivery_to, give_mail, mail_of, mails, write_to

SECRET = "a secret for tests, of enough characters"


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event with two players who gave their addresses, and a third who did not."""
    event = stage.event()
    ada, bo, _ = stage.enter(event, "Ada", "Bo", "Cy")
    give_mail(stage, event, ada, bo)
    return event


def send(stage: Stage, box: Mailbox, **changed: object) -> Worked:
    return deliver(stage, box, SECRET, MESSAGES, **changed)


def named(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def states(stage: Stage) -> list[str]:
    return [mail.state.value for mail in mails(stage)]


@pytest.mark.both_databases
def test_each_mail_arrives_once_with_its_players_words(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event, "Hello {name},\n.\n{event}: {page}\nYours: {link}", subject="{event} today")
    assert send(stage, box).count(DispatchState.SENT) == 2
    assert sorted(box.to) == ["ada@mail.example", "bo@mail.example"]
    mail = box.arrived[box.to.index("ada@mail.example")]
    assert (mail["Subject"], mail["To"]) == ("Iron Open today", "ada@mail.example")
    assert (mail["From"], mail["Auto-Submitted"]) == ("Iron Desk <desk@club.example>", "auto-generated")
    assert mail.get_content_type() == "text/plain"
    lines = mail.get_content().replace("\r\n", "\n").split("\n")
    assert lines[:3] == ["Hello Ada,", ".", "Iron Open: https://iron.example/e/iron-open"]
    assert lines[3].startswith("Yours: https://iron.example/p/")
    assert "To stop it, delete the mail address on your page" in mail.get_content()
    assert states(stage) == ["sent", "sent"]
    assert send(stage, box).tried == 0
    assert len(box.arrived) == 2


@pytest.mark.proves("attack 27")
def test_names_are_text_in_a_mail(stage: Stage, box: Mailbox) -> None:
    name = 'Bcc: "x" <x@y.example> {link} {{7*7}} =?utf-8?q?=0D=0AX-Evil=3A_1?= Zoë 李'
    event = stage.event("Cup\u00a0of {name} =?utf-8?q?Bcc?=")
    (player,) = stage.enter(event, name)
    stage.do(event, mail_addresses.allow_mail, True)
    stage.do(event, addresses.give_address, player, "zoe@mail.example")
    write_to(stage, event, "Hello {name}", subject="{event} {name}")
    send(stage, box)
    (mail,) = box.arrived
    assert box.to == ["zoe@mail.example"]
    assert mail["Bcc"] is None
    assert mail["Subject"] == f"Cup of {{name}} = ?utf-8?q?Bcc?= {name.replace('=?', '= ?')}"
    assert mail.get_content().startswith(f"Hello {name}\r\n")
    assert sorted(set(mail.keys())) == sorted(
        ["Subject", "From", "To", "Date", "Message-ID", "Auto-Submitted", "Content-Type", "MIME-Version",
         "Content-Transfer-Encoding", *(["X-Peer"] if "X-Peer" in mail else [])]
    )  # fmt: skip


@pytest.mark.slow
def test_text_arrives_unchanged(stage: Stage, event: Event, box: Mailbox) -> None:
    ada = frozenset({named(stage, "Ada").id})
    for text in ("x" * 3000, "李" * 1500, "Zoë\n" * 900 + "end", "\u00a0\n.\n..\n" + "'" * 998, "a\n\n\nb"):
        write_to(stage, event, text, to="chosen", chosen=ada)
        send(stage, box)
        mail = box.arrived[-1]
        assert mail.get_content().replace("\r\n", "\n").partition("\n\n-- \n")[0] == text
        assert max(map(len, mail.as_bytes().split(b"\r\n"))) <= 998, "RFC 5321, 4.5.3.1.6"
    assert len(box.arrived) == 5


@pytest.mark.proves("attack 31", "ASVS 1.3.11")
def test_stored_line_break_ends_no_header(stage: Stage, event: Event, box: Mailbox) -> None:
    """No form accepts one, but a database that was edited by hand may contain one."""
    message = write_to(stage, event, "x", subject="Hello {name}")
    with stage.changing() as s:
        s.merge(message).subject = "Hello\r\nBcc: all@mail.example\r\n\r\n{name}"
        for delivery in s.exec(select(Delivery)):
            delivery.words = {"name": "A\r\nX-Evil: 1", "event": "x\r\ny"}
    send(stage, box)
    found = [(mail["Subject"], mail["Bcc"], mail["X-Evil"]) for mail in box.arrived]
    assert found == [("Hello Bcc: all@mail.example A X-Evil: 1", None, None)] * 2


@pytest.mark.proves("F23")
def test_refused_address_fails_with_the_reason(stage: Stage, event: Event, box: Mailbox) -> None:
    message = write_to(stage, event)
    box.rcpt = lambda address: f"550 <{address}>: no such \x07person" if address.startswith("ada") else "250 OK"
    assert send(stage, box).count(DispatchState.FAILED) == 1
    of_ada = delivery_to(stage, named(stage, "Ada"), message)
    failed, sent = mail_of(stage, of_ada), mail_of(stage, delivery_to(stage, named(stage, "Bo"), message))
    assert failed and sent and (failed.state, sent.state) == (DispatchState.FAILED, DispatchState.SENT)
    assert failed.reason == "the mail server refused it (550 <the address>: no such person)"
    assert in_trouble(stage.s, event) == 1
    assert stage.journal(event, "mail-failed") == [
        "The mail “News” to Ada could not be sent: the mail server refused it (550 <the address>: no such person)"
    ]
    box.rcpt = lambda address: "250 OK"
    stage.do(event, messages_actions.send_again, message, of_ada.id)
    send(stage, box)
    assert sorted(box.to) == ["ada@mail.example", "bo@mail.example"]
    assert in_trouble(stage.s, event) == 0


def test_mail_is_sent_once_after_a_retry(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event)
    answers = iter(["451 later", "250 OK", "250 OK"])
    box.data = lambda mail: next(answers)
    send(stage, box)
    stage.clock.advance(minutes=1)
    send(stage, box)
    assert states(stage) == ["sent", "sent"]
    assert len(box.arrived) == len({mail["Message-ID"] for mail in box.arrived}) == 2


@pytest.mark.proves("F23")
def test_unreachable_server_ends_the_pass_and_loses_nothing(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event)
    with mailbox() as closed:
        pass
    done = send(stage, closed)
    assert done.tried == 1, "every other mail would fail too"
    assert done.down.startswith("the mail server cannot be reached: ")
    assert states(stage) == ["queued", "queued"]
    stage.clock.advance(minutes=1)
    send(stage, box)
    assert states(stage) == ["sent", "sent"]


@pytest.mark.proves("F23")
def test_silent_server_times_out(event: Event, box: Mailbox) -> None:
    mail = EmailMessage()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        connection = Connection(box.server(port=silent.getsockname()[1]), seconds=0.05)
        outcome = connection.send(mail, "ada@mail.example")
    assert (outcome.state, connection.down) == (DispatchState.QUEUED, outcome.reason)
    assert outcome.reason == "the mail server cannot be reached: Connection unexpectedly closed: timed out"
    assert Connection(box.server()).seconds == SECONDS <= 30


@pytest.mark.proves("attack 106")
def test_mail_that_was_handed_over_too_slowly_is_not_sent_again(stage: Stage, event: Event, box: Mailbox) -> None:
    answered = threading.Event()
    box.data = lambda mail: "250 taken" if answered.wait(SECONDS) else ""
    mail = EmailMessage()
    mail.set_content("Hello")
    outcome = Connection(box.server(), longest=0.5).send(mail, "ada@mail.example")
    answered.set()
    assert outcome.state == DispatchState.UNSURE


def test_wrong_password_is_reported_and_not_shown(stage: Stage, event: Event) -> None:
    write_to(stage, event)
    with mailbox("desk", "right horse") as box:
        wrong = send(stage, box, user="desk", password="wrong horse")
        assert wrong.down.startswith("the mail server rejected the user name and password (535")
        assert "horse" not in wrong.down + repr(box.server(password="wrong horse"))
        assert [mail.reason for mail in mails(stage, state=DispatchState.QUEUED)].count("") == 1
        stage.clock.advance(minutes=1)
        send(stage, box, user="desk", password="right horse")
        assert len(box.arrived) == 2


@pytest.mark.proves("F23")
def test_connection_lost_before_the_answer_is_not_retried(stage: Stage, event: Event, box: Mailbox) -> None:
    message = write_to(stage, event, to="chosen", chosen=frozenset({named(stage, "Ada").id}))
    box.data = lambda mail: ""
    assert send(stage, box).count(DispatchState.UNSURE) == 1
    stage.clock.advance(hours=48)
    box.data = lambda mail: "250 taken"
    assert send(stage, box).tried == 0
    assert "The mail “News” to Ada may have been sent: the connection" in stage.journal(event, "mail-unsure")[0]
    stage.do(event, messages_actions.send_again, message, stage.one(Delivery).id)
    send(stage, box)
    assert states(stage) == ["sent"]


@pytest.mark.proves("F23")
def test_connection_lost_before_the_mail_is_retried(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event)
    box.rcpt = lambda address: "421 closing"
    done = send(stage, box)
    assert (done.down, states(stage)) == ("the mail server is closing (421 closing)", ["queued", "queued"])
    assert "DATA" not in box.commands


def test_mail_goes_to_the_current_address_with_the_current_link(stage: Stage, event: Event, box: Mailbox) -> None:
    message = write_to(stage, event, "{link}")
    ada, bo = named(stage, "Ada"), named(stage, "Bo")
    stage.do(event, addresses.give_address, ada, "")
    stage.do(event, addresses.give_address, bo, "new@mail.example")
    stage.do(event, registration_actions.renew_link, bo)
    send(stage, box)
    assert box.to == ["new@mail.example"]
    failed = mail_of(stage, delivery_to(stage, ada, message))
    assert failed and failed.state == DispatchState.FAILED
    assert failed.reason == "the player has no mail address any more"
    token = box.arrived[0].get_content().split()[0].rpartition("/")[2]
    assert is_link_of(SECRET, token, stage.now(bo))
    assert not is_link_of("another secret", token, bo)


def test_late_answer_does_not_change_a_reported_state(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event, to="chosen", chosen=frozenset({named(stage, "Ada").id}))

    def slowly(mail: EmailMessage) -> str:
        stage.clock.advance(minutes=11)
        send(stage, box)
        return "250 taken"

    box.data = slowly
    send(stage, box)
    assert states(stage) == ["unsure"]
