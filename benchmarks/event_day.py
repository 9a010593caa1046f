"""The load of an event day. Run: ``python -m benchmarks.event_day [--minutes 2] [--tables 250]``, from the checkout.

Creates an event with two players a table in a temporary folder, serves it with ``overseer serve``, and measures:

T6: every table sends a report in the same instant.
F14: the same, while 500 phones reload the round's page.
T7: for ``--minutes``, 500 phones read a page every 20 seconds, and in each five minutes players send 250 reports and
    the organiser submits 20 forms. ``--minutes 10`` is the long run.
T9: a round's sheets are printed as one PDF.
T8: the round is drawn again.

During T9 and T8 other phones keep reading; their response times are printed next to those on a quiet server. Client and
server share the machine, whose load is printed. DATABASE_URL may name an empty database; the default is a new SQLite
file.
"""

import argparse
import io
import json
import os
import platform
import resource
import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from bs4 import BeautifulSoup
from itsdangerous import URLSafeTimedSerializer
from pypdf import PdfReader
from sqlmodel import Session, select

from benchmarks.burst import ACTOR, Server, burst, cookies, get, one_answer, played_and_served, signed
from events.accounts import actions as accounts_actions
from events.rounds import actions as rounds_actions
from events.store.act import Act
from events.visitors.queries import new_sign_in
from models.db import write
from models.event import Event, Round
from models.people import Account
from models.play import Game, Player
from service.settings import Settings
from tests.kit.person import controls

ROUNDS = 6
READERS, EVERY = 500, 20.0
"""The number of phones, and the seconds between two reads of one phone."""
REPORTS, SUBMISSIONS, SPAN = 250, 20, 300.0
"""The number of reports and of the organiser's forms, and the seconds for them."""
WARM, EARLY = 90.0, 60
"""Seconds of warm-up, and the reports sent in them."""
SHEETS, DRAWS = 8, 20
"""How often the sheets are printed and the round is drawn: enough for a 99th percentile of the other phones' times."""
AFTER = 0.5
"""Seconds after a task in which requests still count."""
THREADS = 48
TOKEN = "a" * 40


@dataclass
class Times:
    """The times of requests, in milliseconds from when they were due, and how many failed."""

    name: str
    taken: list[float] = field(default_factory=list)
    failed: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    counting: bool = True
    """Whether a request that is sent now counts."""

    def summary(self) -> dict[str, float | int | str]:
        """The number of requests, their median, 99th percentile and maximum, and the failures."""
        taken = sorted(self.taken) or [0.0]
        at = [taken[min(len(taken) - 1, int(part * len(taken)))] for part in (0.5, 0.99)]
        return {
            "count": len(self.taken), "median": round(at[0]), "p99": round(at[1]), "most": round(taken[-1]),
            "failed": self.failed, "statuses": ", ".join(f"{k}: {v}" for k, v in sorted(self.statuses.items())),
        }  # fmt: skip


@dataclass(frozen=True)
class Day:
    """The served event and its people."""

    server: Server
    settings: Settings
    slug: str
    games: Sequence[Game]
    olga: str
    wallets: dict[int, str]
    fields: dict[str, str]

    def report(self, game: Game, version: int, key: str) -> bytes:
        """The report of a table's first side, as a phone's outbox sends it."""
        values = self.fields | {
            "game": str(game.id), "reporter": str(game.a_id), "version": str(version), "key": key, "sure": "y",
        }  # fmt: skip
        return self.post("me/game", values, self.wallets[game.a_id], "X-Outbox: 1")

    def post(self, path: str, values: dict[str, str], cookie: str, *more: str) -> bytes:
        """A form as a browser sends it; ``more`` are further header lines."""
        token = URLSafeTimedSerializer(self.settings.secret, salt="wtf-csrf-token").dumps(TOKEN)
        body = urlencode(values | {"csrf_token": str(token)}).encode()
        lines = [
            f"POST /e/{self.slug}/{path} HTTP/1.1", f"Host: 127.0.0.1:{self.server.port}", "Connection: close",
            f"Cookie: overseer={cookie}", "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}", *more,
        ]  # fmt: skip
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def read(self, path: str, cookie: str = "") -> bytes:
        """A phone's request for a page."""
        return get(f"/e/{self.slug}/{path}", self.server.port, cookie)

    def memory(self) -> float:
        """The memory of the server's processes, in megabytes."""
        children = Path(f"/proc/{self.server.process}/task/{self.server.process}/children").read_text().split()
        pages = sum(int(Path(f"/proc/{child}/statm").read_text().split()[1]) for child in children)
        return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


def timed(times: Times, port: int, made: Callable[[], bytes], due: float) -> None:
    """Build a request, send it, and record the time since it was due."""
    counting = times.counting
    try:
        status = one_answer(port, made())[0]
    except OSError:
        status = 0
    if not counting:
        return
    times.taken.append((time.monotonic() - due) * 1000)
    times.statuses[status] = times.statuses.get(status, 0) + 1
    times.failed += status not in (200, 302, 303, 304)


def send_when_due(due: Sequence[tuple[float, Times, Callable[[], bytes]]], port: int) -> None:
    """Send each request when it is due, even if earlier ones are not answered yet."""
    start = time.monotonic()
    with ThreadPoolExecutor(THREADS) as pool:
        for at, times, made in sorted(due, key=lambda row: row[0]):
            time.sleep(max(0.0, start + at - time.monotonic()))
            pool.submit(timed, times, port, made, start + at)


def reading(day: Day, seconds: float, times: Times, dice: Random) -> list[tuple[float, Times, Callable[[], bytes]]]:
    """Every phone's requests: half of the phones read a round's page as visitors, half read a player's own page."""
    requests: list[tuple[float, Times, Callable[[], bytes]]] = []
    wallets = [*day.wallets.values()]
    for reader in range(READERS):
        page, cookie = (f"rounds/{ROUNDS - 1}", "") if reader % 2 else ("me", wallets[reader % len(wallets)])
        at = dice.uniform(0, EVERY)
        while at < seconds:
            requests.append((at, times, partial(day.read, page, cookie)))
            at += EVERY
    return requests


def mixed(day: Day, minutes: float, versions: dict[int, int]) -> dict[str, Any]:
    """T7: phones read pages, tables report, the organiser submits forms."""
    dice, seconds = Random(7), minutes * 60
    reads, reports, forms = Times("pages"), Times("reports"), Times("organiser's forms")

    def reported(number: int, to: Times, at: float) -> tuple[float, Times, Callable[[], bytes]]:
        game = day.games[number % len(day.games)]
        versions[game.id] = versions.get(game.id, 0) + 1
        made = day.report(game, versions[game.id] - 1, f"key-of-{game.id}-{versions[game.id]}-mixed")
        return at, to, partial(bytes, made)

    # Warm caches, as in the middle of a round.
    uncounted = Times("not counted")
    warm = reading(day, WARM, uncounted, dice)
    warm += [reported(number, uncounted, number * WARM / EARLY) for number in range(EARLY)]
    send_when_due(warm, day.server.port)
    before = day.memory()
    due = reading(day, seconds, reads, dice)
    for number in range(round(REPORTS * seconds / SPAN)):
        due.append(reported(number + EARLY, reports, (number + dice.random()) * SPAN / REPORTS))
    for number in range(round(SUBMISSIONS * seconds / SPAN)):
        made = day.post(f"desk/clock/{ROUNDS}/time", {"minutes": "1" if number % 2 == 0 else "-1"}, day.olga)
        due.append(((number + 0.5) * SPAN / SUBMISSIONS, forms, partial(bytes, made)))
    send_when_due(due, day.server.port)
    grown = (day.memory() / before - 1) * 100
    return {times.name: times.summary() for times in (reads, reports, forms)} | {"memory grew by %": round(grown, 1)}


def measured_meanwhile(
    day: Day, work: Callable[[], Any], times: int, between: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Run ``work`` several times while phones read pages; call ``between`` to undo it before the next time.

    Returns the seconds of the slowest run, the memory it took, and the phones' response times on a quiet server and
    during the work. Requests count until AFTER seconds after the work, because changed pages are rendered again then.
    """
    dice, alone, along, most = Random(9), Times("alone"), Times("along", counting=False), [0.0]
    send_when_due(reading(day, 3, Times("not counted"), dice), day.server.port)
    send_when_due(reading(day, 20, alone, dice), day.server.port)
    over, memory_before = threading.Event(), day.memory()

    def read_on() -> None:
        while not over.is_set():
            send_when_due(reading(day, 1, along, dice), day.server.port)
            most[0] = max(most[0], day.memory())

    readers = threading.Thread(target=read_on)
    readers.start()
    time.sleep(0.5)
    took, done = 0.0, None
    for turn in range(times):
        if turn:
            between()
            time.sleep(AFTER)
        along.counting = True
        began = time.monotonic()
        done = work()
        took = max(took, time.monotonic() - began)
        most[0] = max(most[0], day.memory())
        time.sleep(AFTER)
        along.counting = False
    over.set()
    readers.join()
    if isinstance(done, bytes):  # read only now, because reading a PDF takes the processor
        done = f"{len(PdfReader(io.BytesIO(done)).pages)} pages, {len(done) // 1000} kB"
    return {
        "seconds": round(took, 2), "others' pages alone": alone.summary(), "others' pages meanwhile": along.summary(),
        "MB more": round(most[0] - memory_before), "result": done,
    }  # fmt: skip


def body_of(port: int, request: bytes) -> bytes:
    """The body of a page. It is not chunked, because the request closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
        connection.sendall(request.replace(b"Accept-Encoding: gzip\r\n", b""))
        received = b""
        while part := connection.recv(262_144):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    assert head[9:12] == b"200", head
    return body


def draw(day: Day) -> str:
    """Draw the last round as the organiser; returns the status of the answer, as text."""
    status = one_answer(day.server.port, day.post(f"desk/rounds/{ROUNDS}/draw", {}, day.olga))[0]
    return f"answered {status}"


def measure(tables: int, minutes: float) -> dict[str, Any]:
    """Run all measurements in turn on one event."""
    found: dict[str, Any] = {}
    with played_and_served(tables, ROUNDS) as (settings, server, s, event):
        olga = organiser(s)
        slug, people = event.slug, s.exec(select(Player).where(Player.event_id == event.id)).all()
        the_round = s.exec(select(Round).where(Round.event_id == event.id, Round.number == ROUNDS)).one()
        games = [g for g in s.exec(select(Game).where(Game.round_id == the_round.id)) if g.b_id is not None]
        with_form = {"csrf_token": TOKEN, "_permanent": True}
        wallets = dict(zip([p.id for p in people], cookies(settings, event, people, with_form), strict=True))
        at_desk = {"organiser": new_sign_in(olga.id, olga.session_key, datetime.now(UTC))}
        cookie = signed(settings, at_desk | with_form)
        s.rollback()
        day = Day(server, settings, slug, games, cookie, wallets, form_of(server, slug, wallets[games[0].a_id]))
        for player in people[:40]:
            one_answer(server.port, day.read("me", wallets[player.id]))
        for report in all_report(day, 0):  # warm caches, as in an event's last round
            one_answer(server.port, report)
        found["T6: every table reports in one instant"] = vars(burst(server, all_report(day, 1)))
        with ThreadPoolExecutor(1) as thread:
            reports = thread.submit(burst, server, all_report(day, 2))
            pages = burst(server, [day.read(f"rounds/{ROUNDS}")] * READERS)
        found["F14: all phones reload the round while all tables report: the pages"] = vars(pages)
        found["F14: the reports"] = vars(reports.result())
        versions = {game.id: 3 for game in games}
        found[f"T7: {minutes:g} minutes of an event"] = mixed(day, minutes, versions)
        for path in (f"rounds/{ROUNDS}/scoresheets.pdf", f"desk/rounds/{ROUNDS}/pack.pdf"):
            fetch = partial(body_of, server.port, day.read(path, day.olga))
            found[f"T9: {path}"] = measured_meanwhile(day, fetch, SHEETS)
        now = datetime.now(UTC)
        with write(s, now, event):
            rounds_actions.unpublish(Act(s, event, ACTOR, now), ROUNDS, with_results=True)
        discard(s, event)
        found[f"T8: round {ROUNDS} is drawn"] = measured_meanwhile(
            day, partial(draw, day), DRAWS, partial(discard, s, event)
        )
    return found


def all_report(day: Day, version: int) -> list[bytes]:
    """A report from every table, for games of this version."""
    return [day.report(game, version, f"key-of-{game.id}-for-version-{version}") for game in day.games]


def form_of(server: Server, slug: str, cookie: str) -> dict[str, str]:
    """The fields of the empty report form, without its CSRF token."""
    page = BeautifulSoup(body_of(server.port, get(f"/e/{slug}/me/game", server.port, cookie)), "html.parser")
    form = page.select_one("form[data-outbox]")
    assert form is not None
    fields = {name: value for name, value in controls(form) if name != "csrf_token"}
    empty = (str(box["name"]) for box in form.select("input[type=number]") if not box.get("value"))
    return fields | dict.fromkeys(empty, "0") | {"do": "report"}


def organiser(s: Session) -> Account:
    """Create the event's owner: the first account owns events without one."""
    now = datetime.now(UTC)
    with write(s, now):
        return accounts_actions.set_up_organiser(
            s, accounts_actions.make_set_up_link(s, now), "Olga", "a password for Olga", now
        )


def discard(s: Session, event: Event) -> None:
    """Discard the draft of the last round."""
    now = datetime.now(UTC)
    s.expire_all()  # the service has drawn it meanwhile
    with write(s, now, event):
        rounds_actions.discard_draw(Act(s, event, ACTOR, now), ROUNDS)


def main() -> None:
    """Measure, and print the figures as lines and as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--minutes", type=float, default=2.0)
    wanted = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, 8192))
    found = measure(wanted.tables, wanted.minutes)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    for name, one in found.items():
        print(name)
        for what, summary in one.items():
            print(f"    {what}: {summary}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
