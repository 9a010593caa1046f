"""500 phones at once. Run: ``python -m benchmarks.burst [--tables 250] [--phones 500] [--runs 3]``, from the checkout.

Creates an event with two players a table in a temporary folder, serves it with ``overseer serve`` (gunicorn on
loopback), and lets all phones request one page in the same instant, each on its own connection. Measured are the
round's page from the cache (warm) and right after its publication (cold), the address that pages poll for changes, and
each player's own page. Client and server share the machine; the server's processor time is printed too, because other
work on the machine does not change it. The slowest run of each burst is printed.
"""

import argparse
import json
import os
import platform
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from sqlmodel import Session, select

import migrations
from events.rounds import actions as rounds_actions
from events.store.act import Act
from events.visitors.queries import new_sign_in, player_key
from models.db import open_engine, write
from models.event import Event
from models.play import Player
from service.commands.demo import play_demonstration
from service.settings import Settings, read_settings

BOUND = 30.0
"""The most seconds for one burst."""
ACTOR = "benchmark"


@dataclass(frozen=True)
class Burst:
    """The outcome of one burst; times in milliseconds since the first connection."""

    phones: int
    median: float
    p99: float
    most: float
    per_second: float
    errors: int
    bytes: int
    server_cpu: float
    """Processor time of all server processes per request, in milliseconds."""


@dataclass(frozen=True)
class Server:
    """A running service."""

    port: int
    process: int

    def cpu(self) -> float:
        """Milliseconds of processor time that the server and its workers have used so far."""
        children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()
        used = 0
        for process in (str(self.process), *children):
            received = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            used += int(received[11]) + int(received[12])
        return used * 1000 / os.sysconf("SC_CLK_TCK")


def burst(server: Server, requests: Sequence[bytes]) -> Burst:
    """Open a connection for each request at once, send it, and read the whole answer."""
    selector = selectors.DefaultSelector()
    used = server.cpu()
    taken: list[float] = []
    errors, size = 0, 0
    start = time.perf_counter()
    for request in requests:
        phone = socket.socket()
        phone.setblocking(False)
        phone.connect_ex(("127.0.0.1", server.port))
        selector.register(phone, selectors.EVENT_WRITE, {"request": request, "received": bytearray()})
    open_now = len(requests)
    while open_now and time.perf_counter() - start < BOUND:
        for key, mask in selector.select(timeout=1):
            assert isinstance(key.fileobj, socket.socket)
            phone, state = key.fileobj, key.data
            try:
                if mask & selectors.EVENT_WRITE:
                    phone.sendall(state["request"])
                    selector.modify(phone, selectors.EVENT_READ, state)
                    continue
                received = phone.recv(262_144)
            except OSError:
                received, state["received"] = b"", bytearray()
            state["received"] += received
            if received:
                continue
            selector.unregister(phone)
            phone.close()
            open_now -= 1
            taken.append((time.perf_counter() - start) * 1000)
            errors += state["received"][9:12] not in (b"200", b"304")
            size = max(size, len(state["received"]))
    for key in list(selector.get_map().values()):
        selector.unregister(key.fileobj)
        key.fileobj.close()  # type: ignore[union-attr]
    selector.close()
    taken.sort()
    errors += open_now
    half, nearly, all_ = (
        taken[min(len(taken) - 1, int(part * len(taken)))] if taken else BOUND * 1000 for part in (0.5, 0.99, 1)
    )
    cpu = (server.cpu() - used) / len(requests)
    return Burst(len(requests), half, nearly, all_, len(taken) / (all_ / 1000), errors, size, cpu)


def get(path: str, port: int, cookie: str = "", etag: str = "") -> bytes:
    """A GET request as a phone sends it."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Accept-Encoding: gzip", "Connection: close"]
    lines += [f"Cookie: overseer={cookie}"] if cookie else []
    lines += [f"If-None-Match: {etag}"] if etag else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@contextmanager
def serving(data: Path) -> Iterator[Server]:
    """``overseer serve`` over this folder, on a free port, until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = os.environ | {"OVERSEER_DATA": str(data), "HOST": "127.0.0.1", "PORT": str(port)}
    command = [sys.executable, "-m", "service.commands.main", "serve"]
    server = subprocess.Popen(command, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(400):
            time.sleep(0.1)
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
                    break
            except OSError:
                continue
        yield Server(port, server.pid)
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()


@contextmanager
def played_and_served(tables: int, rounds: int) -> Iterator[tuple[Settings, Server, Session, Event]]:
    """Serve an event with two players a table whose last round is open, from a temporary folder.

    DATABASE_URL, if set, must name an empty database.
    """
    with tempfile.TemporaryDirectory(prefix="overseer-benchmark-") as folder:
        database = {name: value for name, value in os.environ.items() if name == "DATABASE_URL"}
        settings = read_settings(database | {"OVERSEER_DATA": folder})
        engine = open_engine(settings.database_url)
        migrations.upgrade(engine)
        slug = play_demonstration(engine, players=2 * tables, rounds=rounds, seed=7, leave_open=True)
        with Session(engine, expire_on_commit=False) as s, serving(Path(folder)) as server:
            yield settings, server, s, s.exec(select(Event).where(Event.slug == slug)).one()
        engine.dispose()


def cookies(
    settings: Settings, event: Event, players: Sequence[Player], more: Mapping[str, Any] | None = None
) -> list[str]:
    """Each player's sign-in cookie; ``more`` is added to its content."""
    at = datetime.now(UTC)
    return [
        signed(settings, {"players": {str(event.id): new_sign_in(p.id, player_key(p), at)}, **(more or {})})
        for p in players
    ]


def signed(settings: Settings, content: dict[str, Any]) -> str:
    """A session cookie with this content."""
    app = Flask("benchmark")
    app.secret_key = settings.secret
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert signer is not None
    return str(signer.dumps(content))


def one_answer(port: int, request: bytes) -> tuple[int, str]:
    """The status and the ETag of the answer to one request."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as phone:
        phone.sendall(request)
        received = b""
        while part := phone.recv(262_144):
            received += part
    found = re.search(rb"(?i)\r\netag: ([^\r]+)", received)
    return int(received[9:12]), found.group(1).decode() if found else ""


def measure(tables: int, phones: int, runs: int) -> dict[str, Burst]:
    """Run every burst ``runs`` times; returns the run of each with the worst 99th percentile."""
    found: dict[str, list[Burst]] = {}
    with played_and_served(tables, 3) as (settings, server, s, event):
        port = server.port
        people = s.exec(select(Player).where(Player.event_id == event.id)).all()
        wallets = (cookies(settings, event, people) * phones)[:phones]
        page, version, me = (f"/e/{event.slug}/{part}" for part in ("rounds/3", "version", "me"))
        for wallet in (*wallets, *wallets):
            one_answer(port, get(me, port, wallet))  # both workers have served each phone's page before
        for _ in range(runs):
            now = datetime.now(UTC)
            with write(s, now, event):
                rounds_actions.unpublish(Act(s, event, ACTOR, now), 3)
            assert one_answer(port, get(page, port))[0] == 404, "the round is hidden"
            with write(s, now, event):
                rounds_actions.publish_round(Act(s, event, ACTOR, now), 3, sure=True)
            cold = burst(server, [get(page, port)] * phones)
            found.setdefault("round page, right after its publication", []).append(cold)
            for _ in range(8):
                one_answer(port, get(page, port))  # both workers have cached it
            found.setdefault("round page, warm", []).append(burst(server, [get(page, port)] * phones))
            etag = one_answer(port, get(version, port))[1]
            requests = [get(version, port, etag=etag)] * phones
            found.setdefault("visitors poll, nothing new (304)", []).append(burst(server, requests))
            etags = [one_answer(port, get(version, port, wallet))[1] for wallet in wallets]
            requests = [get(version, port, wallet, etag) for wallet, etag in zip(wallets, etags, strict=True)]
            found.setdefault("players poll, nothing new (304)", []).append(burst(server, requests))
            requests = [get(me, port, wallet) for wallet in wallets]
            found.setdefault("each player's own page", []).append(burst(server, requests))
    return {name: max(bursts, key=lambda a_burst: a_burst.p99) for name, bursts in found.items()}


def main() -> None:
    """Measure, and print the figures as a table and as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("tables", 250), ("phones", 500), ("runs", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    wanted = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, 8192))
    found = measure(wanted.tables, wanted.phones, wanted.runs)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    print(f"{wanted.tables} tables, {wanted.phones} phones at once, worst of {wanted.runs} runs; milliseconds")
    print(f"{'':50} median    p99   most  per s  errors   bytes  server cpu")
    for name, a_burst in found.items():
        times = f"{a_burst.median:6.0f} {a_burst.p99:6.0f} {a_burst.most:6.0f} {a_burst.per_second:6.0f}"
        print(f"{name:50} {times}  {a_burst.errors:6}  {a_burst.bytes:6}  {a_burst.server_cpu:10.2f}")
    print(json.dumps({name: asdict(a_burst) for name, a_burst in found.items()}))


if __name__ == "__main__":
    main()
