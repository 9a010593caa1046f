"""The queue of what goes out: the same rules for every kind, with real servers."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from sqlmodel import Session, col, select

import migrations
from events.api.webhook_actions import add_webhook, try_webhook
from events.api.webhook_sending import call_ways
from events.messages import account_mails, devices
from events.messages.delivery import Connection
from events.messages.dispatching import ATTEMPTS, LOST_AFTER, Sent, send_due, take_next
from events.messages.letters import mail_ways
from events.messages.notices import push_ways
from events.messages.outgoing import Connections
from events.messages.push import Pusher
from events.registration.join_codes import make_typed
from models.db import write
from models.dispatch import Dispatch, DispatchKind, DispatchState, WebhookKind
from service.settings import Settings
from tests.kit.mail_server import Mailbox, dripping
from tests.kit.push_service import PushService, push_service
from tests.kit.receiver import Receiver, receiving
from tests.kit.stage import Event, Stage
from tests.kit.writing import add_links, deliver, give_mail, write_to

SECRET = "a secret for tests, of enough characters"
PUSH, CALL = DispatchKind.PUSH, DispatchKind.CALL
TYPED = {DispatchKind.LINKS, DispatchKind.ACCOUNT, DispatchKind.CODE}
"""Kinds whose rows nobody looks at when they have ended."""
every_kind = pytest.mark.parametrize("kind", list(DispatchKind))
SECONDS = 0.3


@dataclass
class World:
    """A mail server, a push service, a program that is called; and Ada, to whom something goes of each kind."""

    stage: Stage
    event: Event
    box: Mailbox
    pushes: PushService
    receiver: Receiver

    def queue(self, kind: DispatchKind, http: str = "") -> None:
        """Make something of this kind due; ``http``: pushes and calls go to this server."""
        stage, event = self.stage, self.event
        ada, _ = stage.enter(event, "Ada", "Bo")
        if kind == CALL:
            at = http or self.receiver.address
            hook = stage.do(event, add_webhook, "Site", WebhookKind.SIGNED, f"{at}/x", {at})
            stage.do(event, try_webhook, hook)
        elif kind == DispatchKind.ACCOUNT:
            account = stage.set_up("Olga")
            with stage.changing() as s:
                account_mails.give_account_address(s, s.merge(account), "olga@mail.example", stage.clock())
        elif kind == DispatchKind.CODE:
            stage.do(event, make_typed, "Cy cy@mail.example", 1, has_server=True)
        elif kind == PUSH:
            at = http or self.pushes.address
            sent = self.pushes.browser("Ada") | {"endpoint": f"{at}/push/Ada"}
            with stage.changing() as s:
                devices.add_device(s, ada, **sent, allowed=at, now=stage.clock())
            stage.publish(event, 1)
        else:
            give_mail(stage, event, ada)
            if kind == DispatchKind.MESSAGE:
                write_to(stage, event)
            elif kind == DispatchKind.LINKS:
                add_links(stage, event, "ada@mail.example")
            else:
                stage.publish(event, 1)
                deliver(stage, self.box, SECRET, {PUSH})

    def work(self, kind: DispatchKind, slow: int = 0) -> Sent:
        """One pass of the worker of this kind; ``slow``: the port of another server than its own."""
        stage, http = self.stage, f"http://127.0.0.1:{slow}" if slow else ""
        if kind == CALL:
            at = http or self.receiver.address
            settings = Settings(Path(), "", "", "", 0, webhooks=frozenset({at}))
            with closing(Connections({at}, SECONDS)) as connections:
                return send_due(stage.engine, call_ways(settings, connections), stage.clock)
        if kind == PUSH:
            with closing(Pusher(SECRET, "mailto:desk@localhost", http or self.pushes.address, SECONDS)) as pusher:
                return send_due(stage.engine, push_ways(pusher, None), stage.clock)
        server = replace(self.box.server(), port=slow or self.box.port)
        with closing(Connection(server, longest=2 * SECONDS)) as connection:
            ways = {kind: mail_ways(connection, SECRET)[kind]}
            return send_due(stage.engine, ways, stage.clock, lambda: connection.down)

    def refuse(self, is_refused: bool) -> None:
        """Have all three servers refuse for now, or take what comes."""
        self.box.rcpt = lambda _: "451 later" if is_refused else "250 OK"
        self.pushes.status["Ada"] = 503 if is_refused else 201
        self.receiver.status = 503 if is_refused else 200

    @property
    def arrived(self) -> int:
        return len(self.box.arrived) + len(self.pushes.arrived) + len(self.receiver.arrived)

    def row(self, kind: DispatchKind) -> Dispatch | None:
        return next(iter(self.stage.all(Dispatch, kind=kind)), None)

    def migrated(self) -> list[dict[str, object]]:
        """The rows, without their numbers, as they were before they went to the former tables and came back."""
        engine = self.stage.engine
        self.stage.s.rollback()
        with engine.connect() as connection:
            rows = connection.execute(select(Dispatch).order_by(col(Dispatch.kind), col(Dispatch.at))).mappings()
            found = [{name: value for name, value in row.items() if name != "id"} for row in rows]
            connection.rollback()
            command.downgrade(migrations.alembic_config(connection), "20270205_unread")
            connection.commit()
        engine.dispose()  # a statement that is prepared on PostgreSQL knows the columns of before
        migrations.upgrade(engine)
        self.stage.s.expire_all()
        return found

    def ended(self, kind: DispatchKind) -> DispatchState | None:
        """The state in which it ended; None if nobody looks at it afterwards."""
        row = self.row(kind)
        assert (row is None) == (kind in TYPED) and not (row and row.mail)
        return row.state if row else None


def ends(kind: DispatchKind, state: DispatchState) -> DispatchState | None:
    return None if kind in TYPED else state


@pytest.fixture
def world(stage: Stage, event: Event, box: Mailbox) -> Iterator[World]:
    with push_service() as pushes, receiving() as receiver:
        yield World(stage, event, box, pushes, receiver)


@every_kind
@pytest.mark.both_databases
@pytest.mark.proves("F23")
def test_two_workers_send_it_once(world: World, kind: DispatchKind) -> None:
    world.queue(kind)
    world.stage.s.rollback()
    with ThreadPoolExecutor(2) as pool:
        workers = [pool.submit(world.work, kind) for _ in range(2)]
    assert sum(worker.result()[kind, DispatchState.SENT] for worker in workers) == world.arrived == 1
    assert world.ended(kind) == ends(kind, DispatchState.SENT)
    assert world.work(kind).total() == 0


@every_kind
@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.proves("F18", "F23")
def test_what_waits_survives_the_migration_and_what_is_sent_is_not_sent_again(world: World, kind: DispatchKind) -> None:
    world.queue(kind)
    before = world.migrated()
    assert [row["state"] for row in before if row["kind"] == kind] == ["queued"]
    assert world.migrated() == before
    world.work(kind)
    assert world.arrived == 1
    world.migrated()
    assert (world.work(kind).total(), world.arrived) == (0, 1)


@pytest.mark.postgres
def test_worker_skips_what_another_has_locked(world: World) -> None:
    """SQLite has one writer at a time."""
    stage, event = world.stage, world.event
    add_links(stage, event, "ada@mail.example", "bo@mail.example")
    stage.s.rollback()
    with Session(stage.engine) as mine, Session(stage.engine) as theirs, write(mine, stage.clock()):
        first = take_next(mine, DispatchKind.LINKS, stage.clock())
        with write(theirs, stage.clock()):
            second = take_next(theirs, DispatchKind.LINKS, stage.clock())
            assert first is not None and second is not None and first.id != second.id
            assert take_next(theirs, DispatchKind.LINKS, stage.clock()) is None, "no wait for the first"


@every_kind
@pytest.mark.proves("F23")
def test_what_is_refused_for_now_is_tried_again_with_growing_pauses(world: World, kind: DispatchKind) -> None:
    stage = world.stage
    world.queue(kind)
    world.refuse(True)
    version, waits = stage.now(world.event).version, []
    for attempt in range(1, ATTEMPTS):
        assert world.work(kind) == {(kind, DispatchState.QUEUED): 1}
        row = world.row(kind)
        assert row and row.due and row.attempts == attempt
        waits.append((row.due - stage.clock()) / timedelta(minutes=1))
        assert stage.now(world.event).version == version, "a retry reloads no page"
        stage.clock.now = row.due - timedelta(seconds=1)
        stage.s.rollback()
        assert world.work(kind).total() == 0
        stage.clock.advance(seconds=1)
    assert waits == [1, 4, 16, 64, 256]
    assert world.work(kind) == {(kind, DispatchState.FAILED): 1}
    assert world.ended(kind) == ends(kind, DispatchState.FAILED)
    is_told = kind == DispatchKind.MESSAGE
    assert len(stage.journal(world.event, "mail-failed")) == is_told
    assert stage.now(world.event).version == version + is_told, "giving up a message reloads the desk"


@every_kind
@pytest.mark.proves("F23")
def test_what_a_dead_worker_was_sending_is_not_sent_again(world: World, kind: DispatchKind) -> None:
    """A call is: receivers ignore a repeated id."""
    stage = world.stage
    world.queue(kind)
    with stage.changing() as s:
        assert take_next(s, kind, stage.clock()) is not None
        assert take_next(s, kind, stage.clock()) is None, "one worker takes it"
    stage.clock.advance(seconds=LOST_AFTER.total_seconds())
    assert world.work(kind).total() == 0, "it may still be sending"
    stage.clock.advance(seconds=1)
    world.work(kind)
    assert world.arrived == (kind == CALL)
    assert world.ended(kind) == ends(kind, DispatchState.SENT if kind == CALL else DispatchState.UNSURE)
    assert len(stage.journal(world.event, "mail-unsure")) == (kind == DispatchKind.MESSAGE)
    assert world.work(kind).total() == 0


@every_kind
@pytest.mark.proves("attack 49", "attack 106")
def test_server_that_answers_byte_by_byte_is_given_up(world: World, kind: DispatchKind) -> None:
    with dripping() as slow:
        world.queue(kind, f"http://127.0.0.1:{slow.port}")
        world.stage.s.rollback()
        began = time.monotonic()
        assert world.work(kind, slow.port) == {(kind, DispatchState.QUEUED): 1}
        assert time.monotonic() - began < 3
    if kind not in (PUSH, CALL):
        world.stage.clock.advance(minutes=1)
        world.work(kind)
        assert (world.arrived, world.ended(kind)) == (1, ends(kind, DispatchState.SENT))
