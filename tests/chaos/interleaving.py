"""R7, F2, F13: two people act at once, in every order of their steps; it comes out as one after the other.

Each press reads, takes the lock, makes its first change, and commits; a schedule says whose step is next. What is
stored must be what comes of one press wholly before the other; and both were answered in words.
"""

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Connection, Engine
from sqlmodel import Session, col, select

from app import build_pages, put_over
from events.journal.invariants import check_invariants, in_lines
from models.event import Event, Round
from models.play import Game, Player, Report
from service.settings import Settings
from tests.chaos.acts import ACTS, LONG_AGO, Act, Scene, prepared
from tests.chaos.broken import build
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import SECRET
from tests.conftest import Clock, kept_engine
from tests.kit.statements import listening

STEPS = 4
PATIENCE = 60.0
"""Seconds after which a step that does not come is a fault of the harness."""
PAIRS = (
    ("report", "report of b"), ("report", "decide at once"), ("confirm", "decide"), ("dispute", "confirm"),
    ("pair", "drop"), ("pair", "check in"), ("publish", "drop"), ("pair", "pair"), ("publish", "publish"),
    ("publish", "discard"), ("report", "take back"), ("sign up", "sign up of another"), ("lock", "reveal at once"),
)  # fmt: skip
SHORT = {("report", "report of b"): 3, ("confirm", "decide"): 2, ("pair", "drop"): 2, ("pair", "pair"): 2,
         ("sign up", "sign up of another"): 2}  # fmt: skip
"""In the short profile: so many orders of these pairs."""
IN_WORDS = (200, 302, 403, 409, 422)
"""A press that is too late may be turned away before the lock or under it: by another page, with the same outcome."""
Turns = tuple[str, ...]


def run(
    size: Size, broken: str | None, *, fresh: Callable[[], str], copied: Callable[[str], str], data: Path, seed: int
) -> Outcome:
    """Try every order of every pair; a broken build until something is found."""
    outcome, dice, pages = Outcome(), random.Random(seed), build_pages()
    data.mkdir(exist_ok=True)
    for pair in PAIRS if size == "full" else SHORT:
        source = fresh()
        scene = prepared(source, ACTS[pair[0]].state)
        alone = [_outcome_of(pages, scene, pair, turns, copied(source), data, None) for turns in (AB, BA)]
        for one in alone:
            outcome.wrong += one.wrong
        orders = list(all_orders())
        for turns in orders if size == "full" else [ALTERNATING, *dice.sample(orders, SHORT[pair] - 1)]:
            came = _outcome_of(pages, scene, pair, turns, copied(source), data, broken)
            outcome.counts[" and ".join(pair) + ": orders"] += 1
            where = f"{' and '.join(pair)}, {''.join(turns)}"
            outcome.wrong += [f"{where}: {one}" for one in came.wrong]
            outcome.wrong += [f"{where}: answered {n}" for n in came.answers.values() if n not in IN_WORDS]
            if len(came.answers) != 2 or came.stored not in [one.stored for one in alone]:
                outcome.wrong.append(f"{where}: {came.answers}, {came.stored}, which no order of the two gives")
            if broken is not None and outcome.wrong:
                return outcome
    return outcome


def all_orders() -> Iterator[Turns]:
    """Every way in which the steps of two can fall: 70."""
    for places in combinations(range(2 * STEPS), STEPS):
        yield tuple("A" if place in places else "B" for place in range(2 * STEPS))


AB: Turns = ("A",) * STEPS + ("B",) * STEPS
BA: Turns = ("B",) * STEPS + ("A",) * STEPS
ALTERNATING: Turns = ("A", "B") * STEPS


@dataclass(frozen=True)
class Came:
    """What came of two presses: what is stored, in short; what they were answered; and which promises were broken."""

    stored: object
    answers: Mapping[str, int]
    wrong: Sequence[str]


@dataclass
class Steps:
    """Who may take how many steps, and who has come how far."""

    granted: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    reached: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    """The gate at which each stands or stood last: 1 before the lock, 2 the first change, 3 the commit."""
    ended: set[str] = field(default_factory=set)
    turn: threading.Condition = field(default_factory=threading.Condition)

    def gate(self, who: str, number: int) -> None:
        """Stand at this gate until the next step is granted. A gate passed once stays open."""
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
        """Let ``who`` take a step, and wait until it is taken; not for one who has to wait for the other's lock."""
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


def _outcome_of(
    pages: Flask, scene: Scene, pair: tuple[str, str], turns: Turns, url: str, data: Path, broken: str | None
) -> Came:
    """Let the pair act in this order over a database of its own."""
    with build(broken):
        engine = kept_engine(url, f"interleaving of {broken}")  # all copies stand at one address
        put_over(pages, Settings(data, url, SECRET, "127.0.0.1", 8000), engine, Clock(LONG_AGO))
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
            came = Came(_in_short(s), answers, in_lines(check_invariants(s)))
        engine.dispose()
    return came


NAMES = threading.local()


def _act(pages: Flask, scene: Scene, act: Act, who: str, steps: Steps, answers: dict[str, int]) -> None:
    NAMES.who = who
    browser, path, fields = act.sends(scene)
    client = pages.test_client()
    client.set_cookie("overseer", browser.cookie)
    try:
        with steps.turn:
            assert steps.turn.wait_for(lambda: steps.granted[who] > 0, PATIENCE)
        answers[who] = client.post(path, data=dict(fields) | {"csrf_token": browser.token}).status_code
    finally:
        steps.end(who)


@contextmanager
def _gates(engine: Engine, steps: Steps) -> Iterator[None]:
    """Stand at the gates: where the lock is asked for, at the first change of a row, at the commit of one."""
    changed: set[str] = set()

    def before(connection: Connection, cursor: Any, statement: str, *rest: Any) -> None:
        who = getattr(NAMES, "who", "")
        if not who or who in steps.ended:
            return
        if statement.startswith("BEGIN IMMEDIATE") or "FOR UPDATE" in statement:
            steps.gate(who, 1)
        elif statement.startswith(("INSERT", "DELETE", "UPDATE")) and not statement.startswith("UPDATE event "):
            changed.add(who)
            steps.gate(who, 2)

    def at_commit(connection: Connection) -> None:
        who = getattr(NAMES, "who", "")
        if who in changed and who not in steps.ended:
            steps.gate(who, 3)

    with listening(engine, "before_cursor_execute", before), listening(engine, "commit", at_commit):
        yield


def _in_short(s: Session) -> object:
    """What is stored of the event, without what chance decides: who meets whom, and where."""
    of_event = s.exec(select(Event)).one()
    rounds = [(one.number, one.state.value) for one in s.exec(select(Round).order_by(col(Round.number)))]
    games = s.exec(select(Game).order_by(col(Game.id))).all()
    told_of = {game.id: (game.state.value, game.version, game.answers) for game in games if game.version}
    paired = sorted(id_ for game in games for id_ in (game.a_id, game.b_id) if id_ is not None)
    people = [(p.name, p.state.value, p.entered_round) for p in s.exec(select(Player).order_by(col(Player.name)))]
    reports = [(r.game_id, r.side.value, r.answers) for r in s.exec(select(Report).order_by(col(Report.id)))]
    shown = of_event.lists_revealed_at is not None, of_event.lists_locked_at is not None
    return repr((of_event.state.value, of_event.version, shown, rounds, told_of, paired, people, reports))
