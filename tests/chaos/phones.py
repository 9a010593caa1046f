"""R1, R5, F5, F11: phones report while the server is killed or the network is lost at any byte, and send again.

Each phone has tables to itself and knows their versions, so nothing may be refused: the report made with version v
stands at place v of its table, with its figures, and nothing else stands anywhere.
"""

import random
import socket
import struct
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    """One report as a phone sent it, under one key, until it knew what became of it."""

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
    """All that was sent to one database, and every answer that no phone should get."""

    sent: list[Sent] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def next_report(self, table: Table, version: int) -> Sent:
        """The report after ``version`` others, by the two sides in turn; it differs from the five before it."""
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
        """Send it, or send it again, and keep what is answered: saved, refused, or unknown."""
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
    """G1, G3, I1, I2, I3: what of the history cannot be what the database holds, in words."""
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


def hold_against(history: History, hall: Hall, outcome: Outcome) -> None:
    """Open the database that is left; the outcome gets what neither the history nor the promises allow."""
    engine = open_engine(hall.url)
    with Session(engine) as s:
        outcome.wrong += broken_promises(history, s, [table.game_id for table in hall.tables])
        outcome.wrong += in_lines(check_invariants(s))
    engine.dispose()
    outcome.counts["acknowledged reports"] = sum(one.state == SAVED for one in history.sent)
    outcome.counts += history.counts


# ---- the server is killed

PATIENCE = 300.0
"""Seconds after which answers that do not come are a fault of the harness."""


@dataclass(frozen=True)
class Plan:
    """The number of databases and of kills of each: after so many saved reports, up to so many seconds later."""

    databases: int
    kills: int
    answered: tuple[int, int]
    most: float
    phones: int = 8


PLANS = {"short": Plan(1, 1, (12, 12), 0.2), "full": Plan(20, 25, (0, 80), 0.3)}
CONTROL = Plan(1, 10, (4, 4), 0.1)
"""A broken build is killed until something is found, and that should be soon."""


@dataclass
class Load:
    hall: Hall
    history: History
    port: int
    versions: list[int]
    """By table: how many reports were saved there."""
    untold: list[Sent] = field(default_factory=list)
    """What phones had sent when the server was gone, and know nothing of."""
    over: threading.Event = field(default_factory=threading.Event)


def kill(size: Size, broken: str | None, *, fresh: Callable[[], str], data: Path, seed: int) -> Outcome:
    """Kill a server over fresh databases, as often as the size says; everything found broken is reported."""
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
            _until_killed(load, service, dice.randint(*plan.answered), dice.uniform(0, plan.most))
            service.start()
            found.counts["kills"] += 1
            found.counts["answers lost by a kill"] += len(load.untold)
            _together(threading.Thread(target=_ask_until_told, args=(load, one)) for one in load.untold)
            load.untold.clear()
            if any(one.state == REFUSED for one in load.history.sent):
                break  # its table's versions are anybody's guess from here on
    finally:
        service.kill()
    hold_against(load.history, hall, found)
    outcome.counts += found.counts
    outcome.wrong += found.wrong


def _until_killed(load: Load, service: Service, answered: int, seconds: float) -> None:
    """Let everybody report until ``answered`` more are saved and ``seconds`` have passed; then kill the server."""
    counts = load.history.counts
    enough = counts["reports saved"] + answered
    load.over.clear()
    stuck: list[str] = []

    def killer() -> None:
        latest = time.monotonic() + PATIENCE
        while counts["reports saved"] < enough and not counts["reports refused"] and not stuck:
            if time.monotonic() > latest:
                stuck.append(service.said.read_text(errors="replace")[-4000:])
            time.sleep(0.005)
        time.sleep(seconds)
        service.kill()
        load.over.set()

    phones = [threading.Thread(target=_kept_reporting, args=(load, number)) for number in range(len(load.versions))]
    _together([*phones, threading.Thread(target=killer)])
    assert not stuck, f"no report is stored:\n{stuck[0]}"


def _together(people: Iterable[threading.Thread]) -> None:
    started = []
    for person in people:
        person.start()
        started.append(person)
    for person in started:
        person.join()


def _kept_reporting(load: Load, number: int) -> None:
    """Report at a table of its own until the server is gone."""
    while not load.over.is_set():
        one = load.history.next_report(load.hall.tables[number], load.versions[number])
        load.versions[number] += 1
        while (state := _settle(load, one)) == UNKNOWN and not load.over.is_set():
            time.sleep(0.02)
        if state == UNKNOWN:
            load.untold.append(one)  # sent again when the server is back
        if state != SAVED:
            return


def _settle(load: Load, one: Sent) -> str:
    return load.history.settle(one, load.port, load.hall.report_path)


def _ask_until_told(load: Load, one: Sent) -> None:
    """Send it again as the phone does, by the same key."""
    for _ in range(20):
        if _settle(load, one) != UNKNOWN:
            return


# ---- posts and answers are cut

PHONES = 8
TABLES = {"short": 1, "full": 10}
"""For each phone."""
POSTS = {"short": 5, "full": 25}
"""For each table."""
ANSWER = 700
"""Bytes of an answer in which it is cut; longer than any."""


def cut(size: Size, broken: str | None, *, fresh: Callable[[], str], data: Path, seed: int) -> Outcome:
    """Let each phone send its posts, each cut at least once before it gets through."""
    outcome, url = Outcome(), fresh()
    size = size if broken is None else "short"
    hall, history = open_hall(url, 2 * PHONES * TABLES[size]), History()
    with serving(url, data / (broken or "sound"), broken) as service:
        _together(
            threading.Thread(
                target=_phone,
                args=(hall, hall.tables[n::PHONES], history, service.port, POSTS[size], random.Random(seed + n)),
            )
            for n in range(PHONES)
        )
    hold_against(history, hall, outcome)
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
            return  # its next version is anybody's guess


def _cut(port: int, whole: bytes, dice: random.Random, history: History) -> None:
    """Send it up to some byte, or take its answer up to some byte; then the line is gone."""
    with socket.socket() as line, suppress(OSError):
        # No farewell: what was on its way is thrown away, as where a phone leaves the room.
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.settimeout(30)
        line.connect(("127.0.0.1", port))
        if dice.randrange(2):
            line.sendall(whole[: dice.randrange(len(whole))])
            cut = "cut in the post"
        else:
            line.sendall(whole)
            left = dice.randrange(ANSWER)
            while left and (part := line.recv(left)):
                left -= len(part)
            cut = "cut in the answer"
        with history.lock:
            history.counts[cut] += 1
