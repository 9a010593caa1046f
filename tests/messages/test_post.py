"""The mail queue with a real SMTP server: each mail is sent once, retried, or given up."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlmodel import Session, select

from events.accounts.queries import is_link_of
from events.messages import actions as messages_actions
from events.messages import addresses
from events.messages import addresses as mail_addresses
from events.messages.delivery import ATTEMPTS, LONGEST, LOST_AFTER, SECONDS, Connection, Sent, send_due, take_next
from events.messages.queries import in_trouble
from events.registration import actions as registration_actions
from models.db import write
from models.message import Delivery, MailState
from tests.kit.mail_server import Mailbox, dripping, mailbox
from tests.kit.stage import Event, Player, Stage
from tests.kit.writing import deliver, delivery_to, give_mail, write_to

SECRET = "a secret for tests, of enough characters"


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event with two players who gave their addresses, and a third who did not."""
    event = stage.event()
    ada, bo, _ = stage.enter(event, "Ada", "Bo", "Cy")
    give_mail(stage, event, ada, bo)
    return event


def send(stage: Stage, box: Mailbox, **changed: object) -> Sent:
    return deliver(stage, box, SECRET, **changed)


def named(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def states(stage: Stage) -> list[str]:
    return [delivery.mail.value for delivery in stage.all(Delivery) if delivery.mail]


@pytest.mark.both_databases
def test_each_mail_arrives_once_with_its_players_words(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event, "Hello {name},\n.\n{event}: {page}\nYours: {link}", subject="{event} today")
    assert send(stage, box).count(MailState.SENT) == 2
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
    assert send(stage, box) == Sent()
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
    assert send(stage, box).count(MailState.FAILED) == 1
    failed = delivery_to(stage, named(stage, "Ada"), message)
    assert (failed.mail, delivery_to(stage, named(stage, "Bo"), message).mail) == (MailState.FAILED, MailState.SENT)
    assert failed.last_error == "the mail server refused it (550 <the address>: no such person)"
    assert in_trouble(stage.s, event) == 1
    assert stage.journal(event, "mail-failed") == [
        "The mail “News” to Ada could not be sent: the mail server refused it (550 <the address>: no such person)"
    ]
    box.rcpt = lambda address: "250 OK"
    stage.do(event, messages_actions.send_again, message, failed.id)
    send(stage, box)
    assert sorted(box.to) == ["ada@mail.example", "bo@mail.example"]
    assert in_trouble(stage.s, event) == 0


@pytest.mark.proves("F23")
def test_temporary_refusal_is_retried_with_growing_pauses(stage: Stage, event: Event, box: Mailbox) -> None:
    message = write_to(stage, event)
    box.rcpt = lambda address: "451 come back" if address.startswith("ada") else "250 OK"
    ada = named(stage, "Ada")
    version = stage.now(event).version
    waits = []
    for attempt in range(1, ATTEMPTS + 1):
        assert len(send(stage, box).outcomes) == (2 if attempt == 1 else 1)
        delivery = delivery_to(stage, ada, message)
        assert delivery.attempts == attempt
        if delivery.next_try is None:
            break
        assert stage.now(event).version == version, "a retry reloads no page"
        waits.append((delivery.next_try - stage.clock()) / timedelta(minutes=1))
        stage.clock.now = delivery.next_try - timedelta(seconds=1)
        assert send(stage, box) == Sent()
        stage.clock.advance(seconds=1)
    assert waits == [1, 4, 16, 64, 256]
    assert delivery.mail == MailState.FAILED
    assert delivery.last_error == "the mail server refused it (451 come back)"
    assert stage.now(event).version == version + 1, "giving up reloads the desk"
    assert len(box.arrived) == 1


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
    assert len(done.outcomes) == 1, "every other mail would fail too"
    assert done.server_down.startswith("the mail server cannot be reached: ")
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
    assert (outcome.state, connection.down) == (MailState.QUEUED, outcome.reason)
    assert outcome.reason == "the mail server cannot be reached: Connection unexpectedly closed: timed out"
    assert Connection(box.server()).seconds == SECONDS <= 30


@pytest.mark.proves("attack 106")
def test_dripping_server_is_given_up_and_the_other_mails_go(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event)
    stage.s.rollback()
    with dripping() as slow:
        began = time.monotonic()
        done = send_due(stage.engine, box.server(port=slow.port), SECRET, stage.clock, longest=0.5)
        assert time.monotonic() - began < 3
    assert (len(done.outcomes), done.server_down) == (1, "the mail server took too long")
    assert states(stage) == ["queued", "queued"]
    assert send(stage, box).count(MailState.SENT) == 1, "the other one"
    stage.clock.advance(minutes=1)
    assert send(stage, box).count(MailState.SENT) == 1
    assert LONGEST <= 120 < LOST_AFTER.total_seconds()


@pytest.mark.proves("attack 106")
def test_mail_that_was_handed_over_too_slowly_is_not_sent_again(stage: Stage, event: Event, box: Mailbox) -> None:
    answered = threading.Event()
    box.data = lambda mail: "250 taken" if answered.wait(SECONDS) else ""
    mail = EmailMessage()
    mail.set_content("Hello")
    outcome = Connection(box.server(), longest=0.5).send(mail, "ada@mail.example")
    answered.set()
    assert outcome.state == MailState.UNSURE


def test_wrong_password_is_reported_and_not_shown(stage: Stage, event: Event) -> None:
    write_to(stage, event)
    with mailbox("desk", "right horse") as box:
        wrong = send(stage, box, user="desk", password="wrong horse")
        assert wrong.server_down.startswith("the mail server rejected the user name and password (535")
        assert "horse" not in wrong.server_down + repr(box.server(password="wrong horse"))
        assert [delivery.last_error for delivery in stage.all(Delivery, mail=MailState.QUEUED)].count("") == 1
        stage.clock.advance(minutes=1)
        send(stage, box, user="desk", password="right horse")
        assert len(box.arrived) == 2


@pytest.mark.proves("F23")
def test_connection_lost_before_the_answer_is_not_retried(stage: Stage, event: Event, box: Mailbox) -> None:
    message = write_to(stage, event, to="chosen", chosen=frozenset({named(stage, "Ada").id}))
    box.data = lambda mail: ""
    assert send(stage, box).count(MailState.UNSURE) == 1
    stage.clock.advance(hours=48)
    box.data = lambda mail: "250 taken"
    assert send(stage, box) == Sent()
    assert "The mail “News” to Ada may have been sent: the connection" in stage.journal(event, "mail-unsure")[0]
    stage.do(event, messages_actions.send_again, message, stage.one(Delivery).id)
    send(stage, box)
    assert states(stage) == ["sent"]


@pytest.mark.proves("F23")
def test_connection_lost_before_the_mail_is_retried(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event)
    box.rcpt = lambda address: "421 closing"
    done = send(stage, box)
    assert (done.server_down, states(stage)) == ("the mail server is closing (421 closing)", ["queued", "queued"])
    assert "DATA" not in box.commands


def test_mail_goes_to_the_current_address_with_the_current_link(stage: Stage, event: Event, box: Mailbox) -> None:
    message = write_to(stage, event, "{link}")
    ada, bo = named(stage, "Ada"), named(stage, "Bo")
    stage.do(event, addresses.give_address, ada, "")
    stage.do(event, addresses.give_address, bo, "new@mail.example")
    stage.do(event, registration_actions.renew_link, bo)
    send(stage, box)
    assert box.to == ["new@mail.example"]
    failed = delivery_to(stage, ada, message)
    assert (failed.mail, failed.last_error) == (MailState.FAILED, "the player has no mail address any more")
    token = box.arrived[0].get_content().split()[0].rpartition("/")[2]
    assert is_link_of(SECRET, token, stage.now(bo))
    assert not is_link_of("another secret", token, bo)


@pytest.mark.proves("F23")
@pytest.mark.both_databases
def test_two_workers_send_each_mail_once(stage: Stage, event: Event, box: Mailbox) -> None:
    for number in range(6):
        write_to(stage, event, subject=f"News {number}")
    # The first two mails are answered together, so both workers are sending at the same time.
    both, first = threading.Barrier(2, timeout=20), threading.Semaphore(2)

    def answer(mail: EmailMessage) -> str:
        if first.acquire(blocking=False):
            both.wait()
        return "250 taken"

    box.data = answer
    stage.s.rollback()
    with ThreadPoolExecutor(2) as pool:
        workers = [pool.submit(send_due, stage.engine, box.server(), SECRET, stage.clock) for _ in range(2)]
    assert all(worker.result().outcomes for worker in workers)
    assert len(box.arrived) == len({mail["Message-ID"] for mail in box.arrived}) == 12
    assert states(stage) == ["sent"] * 12
    assert {delivery.attempts for delivery in stage.all(Delivery) if delivery.mail} == {1}


@pytest.mark.postgres
def test_worker_skips_what_another_has_locked(stage: Stage, event: Event) -> None:
    """SQLite has one writer at a time."""
    write_to(stage, event)
    stage.s.rollback()
    with Session(stage.engine) as mine, Session(stage.engine) as theirs, write(mine, stage.clock()):
        first = take_next(mine, Delivery, stage.clock())
        with write(theirs, stage.clock()):
            second = take_next(theirs, Delivery, stage.clock())
            assert first is not None and second is not None and first.id != second.id
            assert take_next(theirs, Delivery, stage.clock()) is None, "no wait for the first"


@pytest.mark.both_databases
def test_mail_of_a_dead_worker_is_reported_and_not_sent_again(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event)
    with stage.changing() as s:
        for delivery in s.exec(select(Delivery).where(Delivery.mail == MailState.QUEUED)):
            delivery.mail, delivery.next_try, delivery.attempts, delivery.tried_at = (
                MailState.SENDING,
                None,
                1,
                stage.clock(),
            )
    stage.clock.advance(seconds=LOST_AFTER.total_seconds())
    assert send(stage, box) == Sent(), "it may still be sending"
    stage.clock.advance(seconds=1)
    assert send(stage, box) == Sent((), 2)
    assert (states(stage), box.arrived) == (["unsure", "unsure"], [])
    assert len(stage.journal(event, "mail-unsure")) == 2
    assert send(stage, box) == Sent()


def test_late_answer_does_not_change_a_reported_state(stage: Stage, event: Event, box: Mailbox) -> None:
    write_to(stage, event, to="chosen", chosen=frozenset({named(stage, "Ada").id}))

    def slowly(mail: EmailMessage) -> str:
        stage.clock.advance(minutes=11)
        send_due(stage.engine, box.server(), SECRET, stage.clock)
        return "250 taken"

    box.data = slowly
    send(stage, box)
    assert states(stage) == ["unsure"]
