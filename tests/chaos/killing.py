"""R1, F5: the whole server is killed again and again while phones report; no acknowledged report is lost.

Each phone has tables to itself, whose sides it reports in turns, and now and then reports at a table that all fight
over. In the middle the organiser draws a second event anew and throws the draw away. After each kill the server is
started again, and every phone that got no answer sends again, by the same key, until it has one; the round that was
drawn is whole or not there.
"""

import random
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import cycle
from pathlib import Path

from sqlalchemy import Engine, text
from sqlmodel import Session, col, func, select

from events.journal.invariants import check_invariants, in_lines
from models.db import open_engine
from models.event import Event, Round, RoundState
from models.play import Game
from tests.chaos.hall import Hall, Table, add_event, open_hall
from tests.chaos.history import REFUSED, SAVED, UNKNOWN, History, Sent, broken_promises
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Service, Warm

SHARED = 2
"""Tables that are everybody's."""
AT_SHARED = 0.08
"""Of its reports so many are at a table that others report too: most of those are refused, and a form is read."""
GUESTS = 9
BETWEEN_DRAWS = 6
"""Reports; a draw costs as much as several of them."""
PATIENCE = 300.0
"""Seconds after which answers that do not come are a fault of the harness."""
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
    phones: int = 8
    own: int = 1
    """Tables that each phone has to itself."""


PLANS = {"short": Plan(1, 1, (12, 12), 0.2), "full": Plan(20, 25, (0, 80), 0.3, own=4)}
CONTROL = Plan(1, 10, (4, 4), 0.1)
"""A broken build is killed until something is found, and that should be soon."""


@dataclass
class Load:
    """What the phones of one database share."""

    plan: Plan
    hall: Hall
    second: str
    """The event that the organiser draws."""
    history: History
    port: int
    dice: random.Random
    versions: dict[int, int] = field(default_factory=dict)
    """By game: the version that a form of it would show, for all that is known."""
    numbers: dict[tuple[int, str], int] = field(default_factory=dict)
    """By game and side: how often it has reported."""
    untold: list[Sent] = field(default_factory=list)
    """What phones had sent when the server was gone, and know nothing of."""
    over: threading.Event = field(default_factory=threading.Event)


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path, seed: int) -> Outcome:
    """Kill a server over fresh databases, as often as the size says; everything found broken is reported."""
    outcome, plan, dice = Outcome(), PLANS[size] if broken is None else CONTROL, random.Random(seed)
    for number in range(plan.databases):
        _one_database(outcome, plan, fresh(), warm, data / f"{broken or 'sound'}{number}", dice, broken)
    return outcome


def _one_database(
    outcome: Outcome, plan: Plan, url: str, warm: Warm, data: Path, dice: random.Random, broken: str | None
) -> None:
    hall = open_hall(url, 2 * (plan.phones * plan.own + SHARED))
    second = add_event(url, "Second Hall", GUESTS)
    service = Service(url, data, broken=broken, warm=warm)
    load = Load(plan, hall, second, History(), service.port, dice)
    try:
        service.start()
        for _ in range(plan.kills):
            _until_killed(load, service, dice.randint(*plan.answered), dice.uniform(0, plan.most))
            outcome.counts["kills"] += 1
            began = time.monotonic()
            service.start()
            outcome.counts["milliseconds to the first answer, at most"] = max(
                outcome.counts["milliseconds to the first answer, at most"], round((time.monotonic() - began) * 1000)
            )
            outcome.counts["answers lost by a kill"] += len(load.untold)
            _together(threading.Thread(target=_ask_until_told, args=(load, one)) for one in load.untold)
            load.untold.clear()
            with _looked_at(url) as engine:
                _look_after_kill(outcome, load, engine)
                if broken is not None and _check(outcome, load, engine):
                    break
        if broken is None:
            with _looked_at(url) as engine:
                _check(outcome, load, engine)
    finally:
        service.kill()
    outcome.counts.update({f"reports {name}": n for name, n in load.history.counts.items() if name != UNKNOWN})
    outcome.counts["acknowledged reports"] += sum(one.state == SAVED for one in load.history.sent)
    outcome.counts["forms read"] += len(load.history.seen)


@contextmanager
def _looked_at(url: str) -> Iterator[Engine]:
    """The database, opened for one read: a connection held over a kill would spare the server its recovery."""
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _look_after_kill(outcome: Outcome, load: Load, engine: Engine) -> None:
    """The file is sound, and the round that was being drawn or thrown away is whole or not there."""
    with Session(engine) as s:
        if engine.dialect.name == "sqlite":
            said = s.connection().execute(text("PRAGMA integrity_check")).scalar_one()
            outcome.wrong += [f"after a kill: {said}"] if said != "ok" else []
        event = s.exec(select(Event).where(Event.slug == load.second)).one()
        drawn = s.exec(select(Round).where(Round.event_id == event.id, Round.number == 1)).one()
        games = s.exec(select(func.count()).where(col(Game.round_id) == drawn.id)).one()
    if games != ((GUESTS + 1) // 2 if drawn.state == RoundState.DRAWN else 0):
        outcome.wrong.append(f"half a round after a kill: it is {drawn.state.value}, with {games} games")
    outcome.counts[f"rounds found {drawn.state.value} after a kill"] += 1


def _check(outcome: Outcome, load: Load, engine: Engine) -> bool:
    """Hold the history and the promises of every database against what is stored; whether anything is wrong."""
    with Session(engine) as s:
        outcome.wrong += broken_promises(load.history, s, [table.game_id for table in load.hall.tables])
        outcome.wrong += in_lines(check_invariants(s))
    return bool(outcome.wrong)


def _until_killed(load: Load, service: Service, answered: int, seconds: float) -> None:
    """Let everybody work until so many were answered, and a while longer; then kill the server under their hands."""
    enough = load.history.counts[SAVED] + answered
    load.over.clear()
    stuck: list[str] = []

    def killer() -> None:
        latest = time.monotonic() + PATIENCE
        try:
            while load.history.counts[SAVED] < enough:
                if time.monotonic() > latest:
                    stuck.append(service.log())
                    return
                time.sleep(0.005)
            time.sleep(seconds)
        finally:
            service.kill()
            load.over.set()

    dice = [random.Random(load.dice.randrange(2**32)) for _ in range(load.plan.phones)]
    people = [threading.Thread(target=_phone, args=(load, number, dice[number])) for number in range(load.plan.phones)]
    _together([*people, threading.Thread(target=_organiser, args=(load,)), threading.Thread(target=killer)])
    assert not stuck, f"no report is stored:\n{stuck[0]}"


def _together(people: Iterable[threading.Thread]) -> None:
    """Let all of them work, until all have ended."""
    started = []
    for person in people:
        person.start()
        started.append(person)
    for person in started:
        person.join()


def _phone(load: Load, number: int, dice: random.Random) -> None:
    """Report at tables of its own, and at those of all, until the server is gone."""
    own = load.hall.tables[SHARED + number * load.plan.own :][: load.plan.own]
    while not load.over.is_set():
        if dice.random() < AT_SHARED:
            table, side = dice.choice(load.hall.tables[:SHARED]), dice.choice("ab")
        else:
            table = dice.choice(own)
            side = "ab"[load.versions.get(table.game_id, 0) % 2]
        one = _report(load, table, side)
        load.history.add(one)
        while (state := _settle(load, one)) == UNKNOWN and not load.over.is_set():
            time.sleep(0.02)
        if state == UNKNOWN:
            load.untold.append(one)  # sent again when the server is back
        elif state == REFUSED:
            _look(load, table, side)


def _settle(load: Load, one: Sent) -> str:
    """Send it, or send it again; a phone that gets "saved" knows the next version."""
    state = load.history.settle(one, load.port, load.hall.report_path)
    if state == SAVED:
        load.versions[one.game_id] = max(one.version + 1, load.versions.get(one.game_id, 0))
    return state


def _report(load: Load, table: Table, side: str) -> Sent:
    """The next report of this side, never the same as its last one and never what the other side says."""
    with load.history.lock:
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


def _organiser(load: Load) -> None:
    """Draw round 1 of the second event and throw it away, in turns, until the server is gone."""
    saved = load.history.counts[SAVED]
    for verb in cycle(("draw", "discard")):
        while load.history.counts[SAVED] < saved and not load.over.is_set():
            time.sleep(0.01)
        if load.over.is_set():
            return
        saved = load.history.counts[SAVED] + BETWEEN_DRAWS
        try:
            load.hall.olga.post(load.port, f"/e/{load.second}/desk/rounds/1/{verb}", {}, timeout=30)
        except (OSError, HTTPException):
            return


def _ask_until_told(load: Load, one: Sent) -> None:
    """Send it again as the phone does, by the same key."""
    for _ in range(20):
        if _settle(load, one) != UNKNOWN:
            return
