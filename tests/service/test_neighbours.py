"""Mails, notices and webhooks do not wait for each other: one that does not answer delays no other kind."""

import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from events.api.webhook_actions import add_webhook, try_webhook
from events.messages import devices
from events.messages.outgoing import in_one_pass
from events.messages.permits import count_by
from models.dispatch import WebhookKind
from tests.browser.server import OVERSEER, environment
from tests.kit.mail_server import Mailbox
from tests.kit.push_service import PushService, push_service
from tests.kit.receiver import Receiver, receiving
from tests.kit.stage import Clock, Stage
from tests.kit.writing import give_mail, write_to
from tests.service.conftest import opened

SECONDS = 20.0
"""The longest wait; a connection to a mail server alone takes longer until it is given up."""


@dataclass
class Silent:
    """A server that takes connections and never answers."""

    sock: socket.socket
    taken: list[socket.socket] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.sock.getsockname()[1])

    def take(self) -> None:
        while True:
            try:
                self.taken.append(self.sock.accept()[0])
            except OSError:
                return


@pytest.fixture
def silent() -> Iterator[Silent]:
    server = Silent(socket.create_server(("127.0.0.1", 0)))
    thread = threading.Thread(target=server.take)
    thread.start()
    yield server
    server.sock.shutdown(socket.SHUT_RDWR)
    thread.join()
    for connection in (server.sock, *server.taken):
        connection.close()


@pytest.fixture
def push() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mail", "push", "webhook"])
def test_one_silent_server_delays_no_other_kind(
    kind: str, silent: Silent, box: Mailbox, push: PushService, receiver: Receiver, data: Path
) -> None:
    nowhere = f"http://127.0.0.1:{silent.port}"
    hooks = nowhere if kind == "webhook" else receiver.address
    pushes = nowhere if kind == "push" else push.address
    with opened(data) as engine:
        count_by(engine, "another secret than the service's own")
        stage = Stage(engine, Clock(datetime.now(UTC)))
        event = stage.event()
        players = stage.enter(event, "Ada", "Bo")
        give_mail(stage, event, *players)
        hook = stage.do(event, add_webhook, "Site", WebhookKind.SIGNED, f"{hooks}/x", {hooks})
        for player in players:
            subscription = push.browser(player.name) | {"endpoint": f"{pushes}/{player.name}"}
            with stage.changing() as s:
                devices.add_device(s, player, **subscription, allowed=pushes, now=stage.clock())
        write_to(stage, event)
        stage.publish(event, 1)
        stage.do(event, try_webhook, hook)
        stage.s.close()
    more = box.environment() | {"OVERSEER_PUSH_SERVICE": pushes, "OVERSEER_WEBHOOKS": hooks}
    if kind == "mail":
        more["OVERSEER_SMTP"] = f"smtp://127.0.0.1:{silent.port}"
    worker = subprocess.Popen([*OVERSEER, "maintain", "run"], env=environment(data, 8000) | more)
    try:
        until = time.monotonic() + SECONDS
        while ((waits := missing(kind, box, push, receiver)) or not silent.taken) and time.monotonic() < until:
            time.sleep(0.1)
        assert not waits and silent.taken, f"{waits} waited for {kind}"
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()


def test_pass_ends_when_its_time_is_over() -> None:
    assert list(in_one_pass(iter((1, 2, None, 3)).__next__)) == [1, 2], "or nothing is left"
    endless = in_one_pass(lambda: 1, 0.05)
    assert {*endless} == {1}


def missing(kind: str, box: Mailbox, push: PushService, receiver: Receiver) -> list[str]:
    """The kinds of which not everything has arrived, without the silent one."""
    arrived = {"mail": len(box.to) >= 2, "push": len(push.arrived) >= 4, "webhook": bool(receiver.arrived)}
    return [name for name, all_arrived in arrived.items() if name != kind and not all_arrived]
