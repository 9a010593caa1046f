"""R1, R5, F5, F11: phones send reports, and resend them, while the server is killed or connections are dropped.

No two phones share a table and each knows its tables' versions, so no report may be refused: the report sent with
version v is stored as report v of its table, with its figures, and no other reports are stored.
"""

import json
import random
import socket
import struct
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from itertools import product
from threading import Lock

from sqlmodel import Session, col, select

from models.db import open_engine
from models.kept_answer import KeptAnswer
from models.play import Report
from tests.chaos.hall import Answer, Browser, Hall, Table, open_hall, report_form
from tests.chaos.outcome import Lab, Outcome, broken_invariants
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
    """The reports sent to one server, and the unexpected answers."""

    hall: Hall
    port: int
    host: str = "127.0.0.1"
    balanced: bool = False
    """A balancer stands in front of several servers: it answers 502, 503 and 504 by itself."""
    sent: list[Sent] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def next_report(self, table: Table, version: int) -> Sent:
        """Record and return report ``version`` of a table. Sides alternate; figures differ from the last five."""
        side = "ab"[version % 2]
        of_a, of_b = version % 6, version // 6 % 6
        key = f"{table.game_id}-{version}-of-this-phone"
        browser, reporter = table.players[version % 2]
        fields = report_form(table.game_id, reporter, key, version, of_a, of_b)
        sent = Sent(table.game_id, side, version, {"a.objectives": of_a, "b.objectives": of_b}, key, fields, browser)
        with self.lock:
            self.sent.append(sent)
        return sent

    def insist(self, sent: Sent) -> None:
        """Send a report until it is answered, at most 20 times."""
        for _ in range(20):
            if self.settle(sent) != UNKNOWN:
                return

    def settle(self, sent: Sent) -> str:
        """Send or resend a report; record and return its state: saved, refused or unknown."""
        sent.tries += 1
        try:
            answer = sent.browser.post(self.port, self.hall.report_path, sent.fields, self.host)
        except (OSError, HTTPException):
            answer = None
        sent.state = self._state(sent, answer)
        with self.lock:
            self.counts[f"reports {sent.state}"] += sent.state != UNKNOWN
            self.counts["answered when it was sent again"] += sent.tries > 1 and sent.state == SAVED
        return sent.state

    def _state(self, sent: Sent, answer: Answer | None) -> str:
        if answer is None:
            return UNKNOWN
        with suppress(ValueError):
            body = json.loads(answer.body)
            known = (body["key"], body["state"]) if isinstance(body, dict) and {"key", "state"} <= body.keys() else ()
            for state, statuses in ((SAVED, (200,)), (REFUSED, (409, 422))):
                if known == (sent.key, state) and answer.status in statuses:
                    return state
        with self.lock:
            self.counts[f"status {answer.status}"] += 1
            if self.balanced and answer.status in (502, 503, 504):
                return UNKNOWN
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
    for sent in history.sent:
        expected[sent.game_id][sent.version] = sent
        if sent.state != SAVED or keys[sent.key] != 1:
            yield f"{sent.key}: {sent.state}, and stored {keys[sent.key]} times"
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


def compare(history: History, outcome: Outcome) -> None:
    """Compare the database with the history, check its invariants, and add faults and counts to ``outcome``."""
    engine = open_engine(history.hall.url)
    with Session(engine) as s:
        outcome.wrong += broken_promises(history, s, [table.game_id for table in history.hall.tables])
    outcome.wrong += broken_invariants(engine)
    engine.dispose()
    outcome.counts["acknowledged reports"] += sum(sent.state == SAVED for sent in history.sent)
    outcome.counts += history.counts


def _in_threads(works: Iterable[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


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
    history: History
    versions: list[int]
    """The next report's version, by table."""
    unanswered: list[Sent] = field(default_factory=list)
    """Reports without an answer when the server was killed."""
    over: threading.Event = field(default_factory=threading.Event)


def kill(lab: Lab) -> Outcome:
    """Kill a server on new databases, as often as the plan says; return all faults found."""
    outcome, dice = Outcome(), random.Random(lab.seed)
    plan = PLANS[lab.size] if lab.broken is None else CONTROL
    for number in range(plan.databases):
        hall = open_hall(lab.fresh(), 2 * plan.phones)
        with serving(hall.url, lab.data / f"{lab.broken or 'sound'}{number}", lab.broken) as service:
            load = Load(History(hall, service.port), [0] * plan.phones)
            for _ in range(plan.kills):
                _until_killed(load, service, dice.randint(*plan.answered), dice.uniform(0, plan.most_delay))
                service.start()
                outcome.counts["kills"] += 1
                outcome.counts["answers lost by a kill"] += len(load.unanswered)
                _in_threads(partial(load.history.insist, sent) for sent in load.unanswered)
                load.unanswered.clear()
                if any(sent.state == REFUSED for sent in load.history.sent):
                    break  # the table's next version is unknown
        compare(load.history, outcome)
    return outcome


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

    _in_threads([*(partial(_report_until_killed, load, number) for number in range(len(load.versions))), killer])
    assert not stuck, f"no report is stored:\n{stuck[0]}"


def _report_until_killed(load: Load, number: int) -> None:
    """Send reports for table ``number`` until the server is killed or a report is refused."""
    while not load.over.is_set():
        sent = load.history.next_report(load.history.hall.tables[number], load.versions[number])
        load.versions[number] += 1
        while (state := load.history.settle(sent)) == UNKNOWN and not load.over.is_set():
            time.sleep(0.02)
        if state == UNKNOWN:
            load.unanswered.append(sent)  # sent again when the server is back
        if state != SAVED:
            return


PHONES = 8
TABLES = {"short": 1, "full": 10}
"""Tables for each phone."""
POSTS = {"short": 5, "full": 25}
"""Reports for each table."""
ANSWER = 700
"""Most bytes of an answer read before the connection is dropped; no answer is longer."""


def cut(lab: Lab) -> Outcome:
    """Let each phone send reports; drop the connection one to three times before each is sent completely."""
    outcome, size = Outcome(), lab.size if lab.broken is None else "short"
    hall = open_hall(lab.fresh(), 2 * PHONES * TABLES[size])
    with serving(hall.url, lab.data / (lab.broken or "sound"), lab.broken) as service:
        history = History(hall, service.port)
        _in_threads(
            partial(_phone, history, hall.tables[n::PHONES], POSTS[size], random.Random(lab.seed + n))
            for n in range(PHONES)
        )
    compare(history, outcome)
    return outcome


def _phone(history: History, own: Sequence[Table], posts: int, dice: random.Random) -> None:
    for version, table in product(range(posts), own):
        sent = history.next_report(table, version)
        for _ in range(dice.randint(1, 3)):
            _cut(history, sent.browser.bytes_of(history.hall.report_path, sent.fields), dice)
        history.insist(sent)
        if sent.state != SAVED:
            return  # the table's next version is unknown


def _cut(history: History, whole: bytes, dice: random.Random) -> None:
    """Drop the connection after a random byte of the request or of its answer."""
    with socket.socket() as connection, suppress(OSError):
        # Close with a reset, which discards unsent data, as when a phone loses the network.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.settimeout(30)
        connection.connect(("127.0.0.1", history.port))
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
