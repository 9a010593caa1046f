"""R1, R5, F5, F11: phones send reports, and resend them, while the server is killed or connections are dropped.

No two phones share a table and each knows its tables' versions, so no report may be refused: the report sent with
version v is stored as report v of its table, with its figures, and no other reports are stored.
"""

import random
import socket
import struct
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import product
from pathlib import Path
from threading import Lock

from sqlmodel import Session, col, select

from events.journal.invariants import check_invariants, in_lines
from models.db import open_engine
from models.kept_answer import KeptAnswer
from models.play import Report
from tests.chaos.hall import Answer, Browser, Hall, Table, open_hall, report_form
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Service, serving

SAVED, REFUSED, UNKNOWN = "saved", "refused", "unknown"


@dataclass
class Sent:
    """One report, its idempotency key, and the latest state that the phone knows."""

    game_id: int
    side: str
    version: int
    figures: Mapping[str, int]
    key: str
    fields: Mapping[str, str]
    browser: Browser
    state: str = UNKNOWN
    tries: int = 0


@dataclass
class History:
    """The reports sent to one database, and the unexpected answers."""

    sent: list[Sent] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def next_report(self, table: Table, version: int) -> Sent:
        """Record and return report ``version`` of a table. Sides alternate; figures differ from the last five."""
        side = "ab"[version % 2]
        of_a, of_b = version % 6, version // 6 % 6
        key = f"{table.game_id}-{version}-of-this-phone"
        browser, reporter = (table.a, table.a_id) if side == "a" else (table.b, table.b_id)
        fields = report_form(table.game_id, reporter, key, version, of_a, of_b)
        one = Sent(table.game_id, side, version, {"a.objectives": of_a, "b.objectives": of_b}, key, fields, browser)
        with self.lock:
            self.sent.append(one)
        return one

    def settle(self, one: Sent, port: int, path: str) -> str:
        """Send or resend a report; record and return its state: saved, refused or unknown."""
        one.tries += 1
        try:
            answer = one.browser.post(port, path, one.fields)
        except (OSError, HTTPException):
            answer = None
        one.state = self._state(one, answer)
        with self.lock:
            self.counts[f"reports {one.state}"] += one.state != UNKNOWN
            self.counts["answered when it was sent again"] += one.tries > 1 and one.state == SAVED
        return one.state

    def _state(self, one: Sent, answer: Answer | None) -> str:
        if answer is None:
            return UNKNOWN
        body = answer.json
        if body.get("key") == one.key and body.get("state") == SAVED and answer.status == 200:
            return SAVED
        if body.get("key") == one.key and body.get("state") == REFUSED and answer.status in (409, 422):
            return REFUSED
        with self.lock:
            self.counts[f"status {answer.status}"] += 1
            if answer.status not in (503, 507):
                self.wrong.append(f"a phone was answered {answer.status}: {answer.body[:200]}")
            elif "retry-after" not in answer.headers:
                self.wrong.append(f"a phone was answered {answer.status}, without the time to send again")
        return UNKNOWN


def broken_promises(history: History, s: Session, games: Sequence[int]) -> Iterator[str]:
    """G1, G3, I1, I2, I3: describe each difference between the reports sent and those stored."""
    yield from history.wrong
    keys = Counter(s.exec(select(KeptAnswer.key)))
    expected: dict[int, dict[int, Sent]] = defaultdict(dict)
    for one in history.sent:
        expected[one.game_id][one.version] = one
        if one.state != SAVED or keys[one.key] != 1:
            yield f"{one.key}: {one.state}, and stored {keys[one.key]} times"
    stored: dict[int, list[Report]] = defaultdict(list)
    for report in s.exec(select(Report).where(col(Report.game_id).in_(games)).order_by(col(Report.id))):
        stored[report.game_id].append(report)
    for game_id in games:
        if len(stored[game_id]) != len(expected[game_id]):
            yield f"game {game_id}: {len(expected[game_id])} reports were sent, {len(stored[game_id])} are stored"
        for place, report in enumerate(stored[game_id]):
            known = expected[game_id].get(place)
            if known is None or (known.side, _figures(known.figures)) != (report.side.value, _figures(report.answers)):
                yield f"game {game_id}: at place {place} stands {report.side.value}, {_figures(report.answers)}"


def _figures(answers: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in answers.items() if value}


def compare(history: History, hall: Hall, outcome: Outcome) -> None:
    """Compare the database with the history, check its invariants, and add faults and counts to ``outcome``."""
    engine = open_engine(hall.url)
    with Session(engine) as s:
        outcome.wrong += broken_promises(history, s, [table.game_id for table in hall.tables])
        outcome.wrong += in_lines(check_invariants(s))
    engine.dispose()
    outcome.counts["acknowledged reports"] = sum(one.state == SAVED for one in history.sent)
    outcome.counts += history.counts


# ---- the server is killed

PATIENCE = 300.0
"""Seconds to wait for saved reports; a timeout is a fault of the harness."""


@dataclass(frozen=True)
class Plan:
    """Databases, kills of each, saved reports before a kill (from, to), and the longest delay after them in seconds."""

    databases: int
    kills: int
    answered: tuple[int, int]
    most_delay: float
    phones: int = 8


PLANS = {"short": Plan(1, 1, (12, 12), 0.2), "full": Plan(20, 25, (0, 80), 0.3)}
CONTROL = Plan(1, 10, (4, 4), 0.1)
"""The plan for a broken build."""


@dataclass
class Load:
    hall: Hall
    history: History
    port: int
    versions: list[int]
    """The next report's version, by table."""
    unanswered: list[Sent] = field(default_factory=list)
    """Reports without an answer when the server was killed."""
    over: threading.Event = field(default_factory=threading.Event)


def kill(size: Size, broken: str | None, *, fresh: Callable[[], str], data: Path, seed: int) -> Outcome:
    """Kill a server on new databases, as often as the plan says; return all faults found."""
    outcome, plan, dice = Outcome(), PLANS[size] if broken is None else CONTROL, random.Random(seed)
    for number in range(plan.databases):
        _one_database(outcome, plan, fresh(), data / f"{broken or 'sound'}{number}", dice, broken)
    return outcome


def _one_database(outcome: Outcome, plan: Plan, url: str, data: Path, dice: random.Random, broken: str | None) -> None:
    hall = open_hall(url, 2 * plan.phones)
    service = Service(url, data, broken)
    load = Load(hall, History(), service.port, [0] * plan.phones)
    found = Outcome()
    try:
        service.start()
        for _ in range(plan.kills):
            _until_killed(load, service, dice.randint(*plan.answered), dice.uniform(0, plan.most_delay))
            service.start()
            found.counts["kills"] += 1
            found.counts["answers lost by a kill"] += len(load.unanswered)
            _run_threads([threading.Thread(target=_resend, args=(load, one)) for one in load.unanswered])
            load.unanswered.clear()
            if any(one.state == REFUSED for one in load.history.sent):
                break  # the table's next version is unknown
    finally:
        service.kill()
    compare(load.history, hall, found)
    outcome.counts += found.counts
    outcome.wrong += found.wrong


def _until_killed(load: Load, service: Service, answered: int, seconds: float) -> None:
    """Let all phones report until ``answered`` more reports are saved, wait ``seconds``, then kill the server."""
    counts = load.history.counts
    enough = counts["reports saved"] + answered
    load.over.clear()
    stuck: list[str] = []

    def killer() -> None:
        latest = time.monotonic() + PATIENCE
        while counts["reports saved"] < enough and not counts["reports refused"] and not stuck:
            if time.monotonic() > latest:
                stuck.append(service.log.read_text(errors="replace")[-4000:])
            time.sleep(0.005)
        time.sleep(seconds)
        service.kill()
        load.over.set()

    phones = [
        threading.Thread(target=_report_until_killed, args=(load, number)) for number in range(len(load.versions))
    ]
    _run_threads([*phones, threading.Thread(target=killer)])
    assert not stuck, f"no report is stored:\n{stuck[0]}"


def _run_threads(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _report_until_killed(load: Load, number: int) -> None:
    """Send reports for table ``number`` until the server is killed or a report is refused."""
    while not load.over.is_set():
        one = load.history.next_report(load.hall.tables[number], load.versions[number])
        load.versions[number] += 1
        while (state := _settle(load, one)) == UNKNOWN and not load.over.is_set():
            time.sleep(0.02)
        if state == UNKNOWN:
            load.unanswered.append(one)  # sent again when the server is back
        if state != SAVED:
            return


def _settle(load: Load, one: Sent) -> str:
    return load.history.settle(one, load.port, load.hall.report_path)


def _resend(load: Load, one: Sent) -> None:
    """Resend a report with its key, up to 20 times."""
    for _ in range(20):
        if _settle(load, one) != UNKNOWN:
            return


# ---- connections are dropped

PHONES = 8
TABLES = {"short": 1, "full": 10}
"""Tables for each phone."""
POSTS = {"short": 5, "full": 25}
"""Reports for each table."""
ANSWER = 700
"""Most bytes of an answer read before the connection is dropped; no answer is longer."""


def cut(size: Size, broken: str | None, *, fresh: Callable[[], str], data: Path, seed: int) -> Outcome:
    """Let each phone send reports; drop the connection one to three times before each is sent completely."""
    outcome, url = Outcome(), fresh()
    size = size if broken is None else "short"
    hall, history = open_hall(url, 2 * PHONES * TABLES[size]), History()
    with serving(url, data / (broken or "sound"), broken) as service:
        phones = [
            (hall, hall.tables[n::PHONES], history, service.port, POSTS[size], random.Random(seed + n))
            for n in range(PHONES)
        ]
        _run_threads([threading.Thread(target=_phone, args=args) for args in phones])
    compare(history, hall, outcome)
    return outcome


def _phone(hall: Hall, own: Sequence[Table], history: History, port: int, posts: int, dice: random.Random) -> None:
    for version, table in product(range(posts), own):
        one = history.next_report(table, version)
        whole = one.browser.bytes_of(hall.report_path, one.fields)
        for _ in range(dice.randint(1, 3)):
            _cut(port, whole, dice, history)
        while history.settle(one, port, hall.report_path) == UNKNOWN and one.tries < 20:
            pass
        if one.state != SAVED:
            return  # the table's next version is unknown


def _cut(port: int, whole: bytes, dice: random.Random, history: History) -> None:
    """Drop the connection after a random byte of the request or of its answer."""
    with socket.socket() as connection, suppress(OSError):
        # Close with a reset, which discards unsent data, as when a phone loses the network.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.settimeout(30)
        connection.connect(("127.0.0.1", port))
        if dice.randrange(2):
            connection.sendall(whole[: dice.randrange(len(whole))])
            cut = "cut in the post"
        else:
            connection.sendall(whole)
            left = dice.randrange(ANSWER)
            while left and (part := connection.recv(left)):
                left -= len(part)
            cut = "cut in the answer"
        with history.lock:
            history.counts[cut] += 1
