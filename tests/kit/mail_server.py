"""An SMTP server on loopback, whose answers a test sets and whose mails it reads."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP as POLICY
from typing import cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from service.settings import MailServer

SECONDS = 20.0
"""The longest wait for mails in a test; only a fault takes so long."""


@dataclass
class Mailbox:
    """The received mails, and the server's answers: a test sets ``rcpt`` and ``data``."""

    arrived: list[EmailMessage] = field(default_factory=list)
    to: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    rcpt: Callable[[str], str] = lambda address: "250 OK"
    data: Callable[[EmailMessage], str] = lambda mail: "250 taken"
    """Returns the answer to a complete mail; "" drops the connection without an answer."""
    came: threading.Condition = field(default_factory=threading.Condition)
    port: int = 0

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.commands.append("MAIL")
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.commands.append("RCPT")
        answer = self.rcpt(address)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.commands.append("DATA")
        mail = BytesParser(policy=POLICY).parsebytes(cast(bytes, envelope.content))
        answer = await server.loop.run_in_executor(None, self._answer, mail, tuple(envelope.rcpt_tos))
        if not answer:
            cast(asyncio.Transport, server.transport).abort()
            return "421 gone"
        return answer

    def _answer(self, mail: EmailMessage, to: tuple[str, ...]) -> str:
        # In its own thread, which continues even if the sender has disconnected.
        answer = self.data(mail)
        if answer.startswith("250"):
            with self.came:
                self.arrived.append(mail)
                self.to.extend(to)
                self.came.notify_all()
        return answer

    def wait_for(self, count: int) -> None:
        with self.came:
            assert self.came.wait_for(lambda: len(self.arrived) >= count, SECONDS), f"{len(self.arrived)} mails came"

    def server(self, **changed: object) -> MailServer:
        sender = Address("Iron Desk", addr_spec="desk@club.example")
        values: dict[str, object] = {
            "scheme": "smtp", "host": "127.0.0.1", "port": self.port, "user": "", "password": "", "sender": sender,
            "links": "https://iron.example",
        }  # fmt: skip
        return MailServer(**(values | changed))  # type: ignore[arg-type]

    def environment(self, **changed: str) -> dict[str, str]:
        return {
            "OVERSEER_SMTP": f"smtp://127.0.0.1:{self.port}",
            "OVERSEER_MAIL_FROM": "Iron Desk <desk@club.example>",
            "OVERSEER_ADDRESS": "https://iron.example",
        } | changed


@contextmanager
def mailbox(user: str = "", password: str = "") -> Iterator[Mailbox]:
    """Run a server on a free port until the block ends. With ``user`` it requires this user's password."""
    box = Mailbox()

    def known(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        assert isinstance(data, LoginPassword)
        right = (data.login.decode(), data.password.decode()) == (user, password)
        return AuthResult(success=right, handled=False)

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        box.port = probe.getsockname()[1]
    asked = known if user else None
    controller = Controller(box, "127.0.0.1", box.port, auth_require_tls=False, authenticator=asked)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


@dataclass
class Dripping:
    """A server that sends its greeting by a byte each tenth of a second, for ever."""

    port: int
    met: threading.Event = field(default_factory=threading.Event)
    """Set when a connection has come."""


@contextmanager
def dripping() -> Iterator[Dripping]:
    """Run it on a free port until the block ends."""
    done, threads = threading.Event(), []

    def drip(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.sendall(b"220-")
            while not done.wait(0.1):
                connection.sendall(b"x")

    def serve() -> None:
        while not done.is_set():
            with suppress(TimeoutError):
                threads.append(threading.Thread(target=drip, args=(server.accept()[0],)))
                threads[-1].start()
                slow.met.set()

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        slow = Dripping(server.getsockname()[1])
        threads.append(threading.Thread(target=serve))
        threads[0].start()
        try:
            yield slow
        finally:
            done.set()
            for thread in threads:
                thread.join()
