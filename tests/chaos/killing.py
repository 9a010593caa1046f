"""R1, F5: the whole server is killed again and again while phones report; nothing that they were told is lost.

Eight phones, each of one side at two tables, so that every table is fought over. In the middle the organiser draws a
second event anew and throws the draw away. After each kill the server is started again and every phone that got no
answer sends again, by the same key, until it has one.
"""

import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from sqlalchemy import Engine, text
from sqlmodel import Session

from events.invariants import check_invariants, told
from models.db import open_engine
from tests.chaos.hall import Hall, Table, add_event, open_hall
from tests.chaos.history import REFUSED, SAVED, UNKNOWN, History, Sent, broken_promises
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Service, Warm

PHONES = 8
VERSION = re.compile(r'name="version"[^>]*value="(\d+)"|value="(\d+)"[^>]*name="version"')


@dataclass(frozen=True)
class Plan:
    """How often the server is killed: so many databases, so many kills of each.

    A kill comes when so many reports were saved since the start (any number from, to), and up to so many seconds later.
    """

    databases: int
    kills: int
    answered: tuple[int, int]
    most: float


PLANS = {"short": Plan(1, 1, (12, 12), 0.2), "full": Plan(20, 25, (0, 200), 1.2)}
CONTROL = Plan(1, 10, (4, 4), 0.1)
"""A broken build is killed until something is found, and that should be soon."""


@dataclass
class Load:
    """What the phones of one database share."""

    hall: Hall
    history: History
    port: int
    dice: random.Random
    versions: dict[int, int] = field(default_factory=dict)
    """By game: the version that a form of it would show, for all that is known."""
    numbers: dict[tuple[int, str], int] = field(default_factory=dict)
    """By game and side: how often it has reported."""
    over: threading.Event = field(default_factory=threading.Event)


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path, seed: int) -> Outcome:
    """Kill a server over fresh databases, as often as the size says; everything that was found broken is told."""
    outcome, plan, dice = Outcome(), PLANS[size] if broken is None else CONTROL, random.Random(seed)
    for number in range(plan.databases):
        _one_database(outcome, plan, fresh(), warm, data / f"{broken or 'sound'}{number}", dice, broken)
    return outcome


def _one_database(
    outcome: Outcome, plan: Plan, url: str, warm: Warm, data: Path, dice: random.Random, broken: str | None
) -> None:
    hall = open_hall(url, 2 * PHONES)
    second = add_event(url, "Second Hall", 9)
    service = Service(url, data, broken=broken, warm=warm)
    load = Load(hall, History(), service.port, dice)
    engine = open_engine(url)
    try:
        service.start()
        for _ in range(plan.kills):
            _until_killed(load, service, second, dice.randint(*plan.answered), dice.uniform(0, plan.most))
            outcome.counts["kills"] += 1
            if engine.dialect.name == "sqlite":
                with engine.connect() as connection:
                    if (said := connection.execute(text("PRAGMA integrity_check")).scalar_one()) != "ok":
                        outcome.wrong.append(f"after a kill: {said}")
            began = time.monotonic()
            service.start()
            outcome.counts["milliseconds to the first answer, at most"] = max(
                outcome.counts["milliseconds to the first answer, at most"], round((time.monotonic() - began) * 1000)
            )
            for one in [one for one in load.history.sent if one.state == UNKNOWN]:
                outcome.counts["answers lost by a kill"] += 1
                _ask_until_told(load, one)
            if broken is not None and _check(outcome, load, engine):
                break
        if broken is None:
            _check(outcome, load, engine)
    finally:
        service.kill()
        engine.dispose()
    outcome.counts.update({f"reports {name}": n for name, n in load.history.counts.items() if name != UNKNOWN})
    outcome.counts["acknowledged reports"] += sum(one.state == SAVED for one in load.history.sent)
    outcome.counts["forms read"] += len(load.history.seen)


def _check(outcome: Outcome, load: Load, engine: Engine) -> bool:
    """Hold the history and the promises of every database against what is stored; whether anything is wrong."""
    with Session(engine) as s:
        outcome.wrong += broken_promises(load.history, s, [table.game_id for table in load.hall.tables])
        outcome.wrong += told(check_invariants(s))
    return bool(outcome.wrong)


def _until_killed(load: Load, service: Service, second: str, answered: int, seconds: float) -> None:
    """Let everybody work until so many were answered, and a while longer; then kill the server under their hands."""
    enough = load.history.counts[SAVED] + answered
    load.over.clear()
    seeds = [load.dice.randrange(2**32) for _ in range(PHONES)]
    people = [
        threading.Thread(target=_phone, args=(load, number, random.Random(seeds[number]))) for number in range(PHONES)
    ]
    people.append(threading.Thread(target=_organiser, args=(load, second)))
    for person in people:
        person.start()
    while load.history.counts[SAVED] < enough and any(person.is_alive() for person in people[:PHONES]):
        time.sleep(0.005)
    time.sleep(seconds)
    service.kill()
    load.over.set()
    for person in people:
        person.join()


def _phone(load: Load, number: int, dice: random.Random) -> None:
    """One side of one table, the other side of the next one: report until the server is gone."""
    tables = load.hall.tables
    places = ((tables[number], "a"), (tables[(number + 1) % len(tables)], "b"))
    while not load.over.is_set():
        table, side = dice.choice(places)
        one = _report(load, table, side)
        load.history.add(one)
        state = load.history.settle(one, load.port, load.hall.report_path)
        if state == UNKNOWN:
            return  # sent again when the server is back
        if state == SAVED:
            load.versions[table.game_id] = one.version + 1
        elif state == REFUSED:
            _look(load, table, side)


def _report(load: Load, table: Table, side: str) -> Sent:
    """The next report of this side, never the same as its last one and never what the other side says."""
    number = load.numbers[table.game_id, side] = load.numbers.get((table.game_id, side), 0) + 1
    figures = {"a.objectives": number % 6, "b.objectives": number // 6 % 6, f"{side}.r6": 1}
    key = f"{table.game_id}-{side}-{number}-of-this-phone"
    version = load.versions.get(table.game_id, 0)
    rounds = {f"{one}__r6": str(int(one == side)) for one in "ab"}
    fields = table.report(side, version, figures["a.objectives"], figures["b.objectives"], key, **rounds)
    return Sent(table.game_id, side, version, figures, key, fields, table.a if side == "a" else table.b)


def _look(load: Load, table: Table, side: str) -> None:
    """Open the form anew, as a phone does after a refusal: it shows the newest version."""
    browser = table.a if side == "a" else table.b
    asked = time.monotonic()
    try:
        page = browser.get(load.port, f"{load.hall.report_path}?game={table.game_id}", timeout=30)
    except (OSError, HTTPException):
        return
    if page.status == 200 and (found := VERSION.search(page.body)):
        version = int(found.group(1) or found.group(2))
        load.versions[table.game_id] = version
        load.history.seen.append((table.game_id, version, asked, time.monotonic()))


def _organiser(load: Load, second: str) -> None:
    """Draw round 1 of the second event and throw it away, in turns: it is whole or not there."""
    while not load.over.is_set():
        for verb in ("draw", "discard"):
            try:
                load.hall.olga.post(load.port, f"/e/{second}/desk/rounds/1/{verb}", {}, timeout=30)
            except (OSError, HTTPException):
                return


def _ask_until_told(load: Load, one: Sent) -> None:
    """Send it again as the phone does, by the same key."""
    for _ in range(20):
        if load.history.settle(one, load.port, load.hall.report_path) != UNKNOWN:
            return
