"""R6, F1, F3: many do the same thing in the same instant, and it is done once.

Phones report for one table with the same version before their eyes; organisers draw one round, and publish it;
strangers sign up for the last places.
"""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, func, select

from events.journal.invariants import check_invariants, in_lines
from models.db import open_engine
from models.event import Event, Round, RoundState
from models.journal import JournalEntry
from models.play import Game, Player, PlayerState
from tests.chaos.hall import Hall, Table, add_event, browser_of, open_hall
from tests.chaos.history import SAVED, UNKNOWN, History, Sent, broken_promises
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Warm, serving


@dataclass(frozen=True)
class Plan:
    """How often each collision happens, and how many take part."""

    reports: int
    draws: int
    last_places: int
    people: int
    tables: int
    """Those at which is reported, in turns: a table's page is the longer the more was reported there."""


PLANS = {"short": Plan(6, 2, 1, 10, 4), "full": Plan(1000, 200, 200, 50, 40)}
PHONES = 4
"""Two of each side of a table."""
ROWS = 2
"""Of tables, at each of which people collide at the same time."""
PLACES = (4, 1, 10)
"""How many are left at one event, at the next one, and so on."""
GUESTS = 9


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path) -> Outcome:
    """Let everybody collide over one database; a broken build as often as in the short profile."""
    outcome, plan, url = Outcome(), PLANS[size] if broken is None else PLANS["short"], fresh()
    hall, engine = open_hall(url, 2 * plan.tables), open_engine(url)
    second = add_event(url, "Second Hall", GUESTS)
    history = History()
    with serving(url, data / (broken or "sound"), broken=broken, warm=warm) as service:
        times = plan.reports // ROWS
        rows = [
            threading.Thread(target=_reports, args=(hall, hall.tables[n::ROWS], history, service.port, times))
            for n in range(ROWS)
        ]
        for row in rows:
            row.start()
        for row in rows:
            row.join()
        for number in range(plan.draws):
            _draw(outcome, engine, hall, second, service.port, plan.people, number)
        for number in range(plan.last_places):
            places = PLACES[number % len(PLACES)]
            slug = add_event(url, f"Full House {number}", 0, places=places)
            _last_places(outcome, engine, slug, service.port, places, plan.people)
    with Session(engine) as s:
        outcome.wrong += broken_promises(history, s, [table.game_id for table in hall.tables])
        outcome.wrong += in_lines(check_invariants(s))
    engine.dispose()
    outcome.counts += Counter({f"reports {name}": n for name, n in history.counts.items()})
    return outcome


def _together(presses: Sequence[Callable[[], int]], outcome: Outcome) -> list[int]:
    """Let all of them press in the same instant; what each was answered, 0 for no answer."""
    gate, answers = threading.Barrier(len(presses)), list[int]()

    def press(one: Callable[[], int]) -> None:
        gate.wait()
        try:
            answers.append(one())
        except (OSError, HTTPException):
            answers.append(0)

    people = [threading.Thread(target=press, args=(one,)) for one in presses]
    for person in people:
        person.start()
    for person in people:
        person.join()
    outcome.wrong += [f"somebody was answered {status}" for status in answers if status in (0, 500)]
    return answers


def _reports(hall: Hall, tables: Sequence[Table], history: History, port: int, times: int) -> None:
    """Two reports of each side, all of the same version, at one table after the other: one is saved."""
    versions = dict.fromkeys((table.game_id for table in tables), 0)
    for number in range(times):
        table = tables[number % len(tables)]
        version, sent = versions[table.game_id], list[Sent]()
        for phone in range(PHONES):
            side = "ab"[phone % 2]
            # Nobody says what the same side said last: that would be no second report.
            turn = number // len(tables)
            figures = {"a.objectives": turn % 6, "b.objectives": turn // 6 % 6}
            figures |= {f"a.r{place}": phone >> (place - 3) & 1 for place in (3, 4)}
            figures |= {f"{one}.r6": int(one == side) for one in "ab"}
            more = {key.replace(".", "__"): str(n) for key, n in figures.items() if "objectives" not in key}
            key = f"{table.game_id}-{version}-{phone}-of-this-phone"
            fields = table.report(side, version, figures["a.objectives"], figures["b.objectives"], key, **more)
            sent.append(Sent(table.game_id, side, version, figures, key, fields, table.a if side == "a" else table.b))
        gate = threading.Barrier(PHONES)
        phones = [threading.Thread(target=_send, args=(one, history, hall, port, gate)) for one in sent]
        for one, thread in zip(sent, phones, strict=True):
            history.add(one)
            thread.start()
        for thread in phones:
            thread.join()
        with history.lock:
            history.counts["collisions of a table"] += 1
        saved = sum(one.state == SAVED for one in sent)
        if saved != 1:
            history.wrong.append(f"{saved} of {PHONES} reports of one version were saved")
        versions[table.game_id] = version + saved


def _send(one: Sent, history: History, hall: Hall, port: int, gate: threading.Barrier) -> None:
    gate.wait()
    while history.settle(one, port, hall.report_path) == UNKNOWN and one.tries < 20:
        pass


def _draw(outcome: Outcome, engine: Engine, hall: Hall, slug: str, port: int, people: int, number: int) -> None:
    """Everybody draws round 1 of the second event: it is drawn once. Every other one everybody publishes, once.

    Then it is taken back.
    """

    def press(verb: str) -> int:
        return hall.olga.post(port, f"/e/{slug}/desk/rounds/1/{verb}", {}).status

    verbs = (("draw", RoundState.DRAWN), ("publish", RoundState.PUBLISHED))[: 2 - number % 2]
    for verb, state in verbs:
        _together([partial(press, verb)] * people, outcome)
        outcome.counts[f"collisions of {verb}"] += 1
        so_far = outcome.counts[f"collisions of {verb}"]
        with Session(engine) as s:
            event = s.exec(select(Event).where(Event.slug == slug)).one()
            the_round = s.exec(select(Round).where(Round.event_id == event.id, Round.number == 1)).one()
            games = s.exec(select(func.count()).where(Game.round_id == the_round.id)).one()
            of_it = (JournalEntry.event_id == event.id, JournalEntry.verb == f"{verb}-round")
            done = s.exec(select(func.count()).where(*of_it)).one()
        if (the_round.state, games, done) != (state, (GUESTS + 1) // 2, so_far):
            outcome.wrong.append(f"{verb} {so_far}: {the_round.state}, {games} games, done {done} times in all")
    for verb in ("unpublish", "discard")[2 - len(verbs) :]:
        press(verb)


def _last_places(outcome: Outcome, engine: Engine, slug: str, port: int, places: int, people: int) -> None:
    """More strangers than there are places sign up: every place is taken, once; the rest waits."""

    def sign_up(number: int) -> int:
        fields = {"name": f"Stranger {number}", "club": "", "faction": ""}
        return browser_of({}).post(port, f"/e/{slug}/register", fields).status

    answers = _together([partial(sign_up, number) for number in range(people)], outcome)
    with Session(engine) as s:
        event = s.exec(select(Event).where(Event.slug == slug)).one()
        mine = s.exec(select(Player).where(Player.event_id == event.id).order_by(col(Player.id))).all()
    held = sum(player.state == PlayerState.REGISTERED for player in mine)
    waiting = sum(player.state == PlayerState.WAITING for player in mine)
    if (held, waiting, answers.count(302)) != (places, people - places, people):
        outcome.wrong.append(f"{held} places of {places} are taken and {waiting} wait; answered {Counter(answers)}")
    if [player.state for player in mine] != sorted((player.state for player in mine), key=_REGISTERED_FIRST.index):
        outcome.wrong.append("somebody waits who came before one who has a place")
    outcome.counts["collisions of the last places"] += 1


_REGISTERED_FIRST = (PlayerState.REGISTERED, PlayerState.WAITING)
