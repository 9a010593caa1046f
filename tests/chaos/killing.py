"""R1, F5: the whole server is killed again and again while phones report; no acknowledged report is lost.

After each kill the server is started again, and every phone that got no answer sends again, by the same key.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.hall import Hall, open_hall
from tests.chaos.history import REFUSED, SAVED, UNKNOWN, History, Sent, hold_against
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Service, Warm

PATIENCE = 300.0
"""Seconds after which answers that do not come are a fault of the harness."""


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


PLANS = {"short": Plan(1, 1, (12, 12), 0.2), "full": Plan(20, 25, (0, 80), 0.3)}
CONTROL = Plan(1, 10, (4, 4), 0.1)
"""A broken build is killed until something is found, and that should be soon."""


@dataclass
class Load:
    """What the phones of one database share."""

    hall: Hall
    history: History
    port: int
    versions: list[int]
    """By table: how many reports were saved there."""
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
    hall = open_hall(url, 2 * plan.phones)
    service = Service(url, data, warm, broken)
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
    """Let everybody report until so many were answered, and a while longer; then kill the server under their hands."""
    counts = load.history.counts
    enough = counts["reports saved"] + answered
    load.over.clear()
    stuck: list[str] = []

    def killer() -> None:
        latest = time.monotonic() + PATIENCE
        while counts["reports saved"] < enough and not counts["reports refused"] and not stuck:
            if time.monotonic() > latest:
                stuck.append(service.log())
            time.sleep(0.005)
        time.sleep(seconds)
        service.kill()
        load.over.set()

    phones = [threading.Thread(target=_phone, args=(load, number)) for number in range(len(load.versions))]
    _together([*phones, threading.Thread(target=killer)])
    assert not stuck, f"no report is stored:\n{stuck[0]}"


def _together(people: Iterable[threading.Thread]) -> None:
    """Let all of them work, until all have ended."""
    started = []
    for person in people:
        person.start()
        started.append(person)
    for person in started:
        person.join()


def _phone(load: Load, number: int) -> None:
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
