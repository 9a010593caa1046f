"""R7, F2, F13: run two requests at once in every order of their steps; the result is that of running them in turn.

The steps of a request are: read, take the lock, make the first change, commit. A schedule decides whose step is next.
Both requests get an expected status.
"""

import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from flask import Flask
from sqlalchemy import Connection, Engine
from sqlmodel import Session, col, select

from app import build_pages
from models.event import Event, Round
from models.play import Game, Player, Report
from tests.chaos.acts import ACTS, Act, Scene, prepared, served
from tests.chaos.broken import build
from tests.chaos.outcome import Lab, Outcome, broken_invariants
from tests.conftest import kept_engine
from tests.kit.statements import listening

STEPS = 4
PATIENCE = 60.0
"""Seconds to wait for a step; a timeout is a fault of the harness."""
PAIRS = (
    ("report", "report of b"), ("report", "decide at once"), ("confirm", "decide"), ("dispute", "confirm"),
    ("pair", "drop"), ("pair", "check in"), ("publish", "drop"), ("pair", "pair"), ("publish", "publish"),
    ("publish", "discard"), ("report", "take back"), ("sign up", "sign up of another"), ("lock", "reveal at once"),
)  # fmt: skip
SHORT = {("report", "report of b"): 3, ("confirm", "decide"): 2, ("pair", "drop"): 2, ("pair", "pair"): 2,
         ("sign up", "sign up of another"): 2}  # fmt: skip
"""The short profile: the number of orders tried for each pair."""
ACCEPTED = (200, 302, 403, 409, 422)
"""Accepted statuses. A late request may be refused before or after taking the lock, with different statuses."""
Turns = tuple[str, ...]


def run(lab: Lab) -> Outcome:
    """Try every order of every pair. With a broken build, stop at the first fault found."""
    outcome, dice, pages = Outcome(), random.Random(lab.seed), build_pages()
    for pair in PAIRS if lab.size == "full" else SHORT:
        source = lab.fresh()
        scene = prepared(source, ACTS[pair[0]].state)
        sound = replace(lab, broken=None)
        alone = [_outcome_of(sound, pages, scene, pair, turns, source) for turns in (AB, BA)]
        for a_result in alone:
            outcome.wrong += a_result.wrong
        orders = list(all_orders())
        for turns in orders if lab.size == "full" else [ALTERNATING, *dice.sample(orders, SHORT[pair] - 1)]:
            result = _outcome_of(lab, pages, scene, pair, turns, source)
            outcome.counts[" and ".join(pair) + ": orders"] += 1
            where = f"{' and '.join(pair)}, {''.join(turns)}"
            outcome.wrong += [f"{where}: {text}" for text in result.wrong]
            outcome.wrong += [f"{where}: answered {n}" for n in result.answers.values() if n not in ACCEPTED]
            if len(result.answers) != 2 or result.stored not in [a_result.stored for a_result in alone]:
                outcome.wrong.append(f"{where}: {result.answers}, {result.stored}, which no order of the two gives")
            if lab.broken is not None and outcome.wrong:
                return outcome
    return outcome


def all_orders() -> Iterator[Turns]:
    """All 70 orders of the steps of two requests."""
    for places in combinations(range(2 * STEPS), STEPS):
        yield tuple("A" if place in places else "B" for place in range(2 * STEPS))


AB: Turns = ("A",) * STEPS + ("B",) * STEPS
BA: Turns = ("B",) * STEPS + ("A",) * STEPS
ALTERNATING: Turns = ("A", "B") * STEPS


@dataclass(frozen=True)
class Result:
    """The result of two requests: a summary of the stored rows, the HTTP statuses, and the broken invariants."""

    stored: object
    answers: Mapping[str, int]
    wrong: Sequence[str]


@dataclass
class Steps:
    """The steps granted to each of two threads, and the gate each has reached."""

    granted: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    reached: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    """The last gate reached: 1 before the lock, 2 before the first change, 3 before the commit."""
    ended: set[str] = field(default_factory=set)
    turn: threading.Condition = field(default_factory=threading.Condition)

    def gate(self, who: str, number: int) -> None:
        """Wait at this gate until the next step is granted. Returns at once if the thread has passed it before."""
        with self.turn:
            if self.reached[who] >= number:
                return
            self.reached[who] = number
            self.turn.notify_all()
            assert self.turn.wait_for(lambda: self.granted[who] > number, PATIENCE), f"{who} waits at gate {number}"

    def end(self, who: str) -> None:
        with self.turn:
            self.ended.add(who)
            self.turn.notify_all()

    def grant(self, who: str) -> None:
        """Let ``who`` take a step, and wait until it is taken or blocked by the other thread's lock."""
        other = "B" if who == "A" else "A"
        with self.turn:
            self.granted[who] += 1
            step = self.granted[who]
            self.turn.notify_all()

            def taken() -> bool:
                holds = self.reached[other] >= 2 and other not in self.ended
                waits = self.reached[who] == 1 and step >= 2 and holds
                return who in self.ended or self.reached[who] >= step or waits

            assert self.turn.wait_for(taken, PATIENCE), f"{who} does not come to step {step}"


def _outcome_of(lab: Lab, pages: Flask, scene: Scene, pair: tuple[str, str], turns: Turns, source: str) -> Result:
    """Run the pair in this order on a copy of the database at ``source``."""
    url = lab.copied(source)
    with build(lab.broken):
        engine = kept_engine(url, f"interleaving of {lab.broken}")  # all copies of a database have the same URL
        served(pages, lab, url, engine)
        steps, answers = Steps(), dict[str, int]()
        with _gates(engine, steps):
            people = [
                threading.Thread(target=_act, args=(pages, scene, ACTS[name], who, steps, answers))
                for who, name in zip("AB", pair, strict=True)
            ]
            for person in people:
                person.start()
            for who in turns:
                steps.grant(who)
            for who in "AB":
                steps.grant(who)  # the waiting thread runs to the end
                steps.granted[who] = 99
            with steps.turn:
                steps.turn.notify_all()
            for person in people:
                person.join(PATIENCE)
        with Session(engine) as s:
            summary = _summary(s)
        result = Result(summary, answers, broken_invariants(engine))
        engine.dispose()
    return result


THREAD = threading.local()


def _act(pages: Flask, scene: Scene, act: Act, who: str, steps: Steps, answers: dict[str, int]) -> None:
    THREAD.who = who
    try:
        with steps.turn:
            assert steps.turn.wait_for(lambda: steps.granted[who] > 0, PATIENCE)
        answers[who] = act.press(pages, scene)
    finally:
        steps.end(who)


@contextmanager
def _gates(engine: Engine, steps: Steps) -> Iterator[None]:
    """Make each thread wait before it takes the lock, first changes a row, and commits a change."""
    changed: set[str] = set()

    def before(connection: Connection, cursor: Any, statement: str, *rest: Any) -> None:
        who = getattr(THREAD, "who", "")
        if not who or who in steps.ended:
            return
        if statement.startswith("BEGIN IMMEDIATE") or "FOR UPDATE" in statement:
            steps.gate(who, 1)
        elif statement.startswith(("INSERT", "DELETE", "UPDATE")) and not statement.startswith("UPDATE event "):
            changed.add(who)
            steps.gate(who, 2)

    def at_commit(connection: Connection) -> None:
        who = getattr(THREAD, "who", "")
        if who in changed and who not in steps.ended:
            steps.gate(who, 3)

    with listening(engine, "before_cursor_execute", before), listening(engine, "commit", at_commit):
        yield


def _summary(s: Session) -> object:
    """The stored event as text, without pairings and tables, which are random."""
    of_event = s.exec(select(Event)).one()
    rounds = [(round_.number, round_.state.value) for round_ in s.exec(select(Round).order_by(col(Round.number)))]
    games = s.exec(select(Game).order_by(col(Game.id))).all()
    reported = {game.id: (game.state.value, game.version, game.answers) for game in games if game.version}
    paired = sorted(id_ for game in games for id_ in (game.a_id, game.b_id) if id_ is not None)
    people = [(p.name, p.state.value, p.entered_round) for p in s.exec(select(Player).order_by(col(Player.name)))]
    reports = [(r.game_id, r.side.value, r.answers) for r in s.exec(select(Report).order_by(col(Report.id)))]
    shown = of_event.lists_revealed_at is not None, of_event.lists_locked_at is not None
    return repr((of_event.state.value, of_event.version, shown, rounds, reported, paired, people, reports))
