"""Odd lives: people press what their pages offer, in any order, and nothing false is said (tests/kit/truths.py)."""

import sys
import traceback
from collections import Counter
from random import Random

import pytest

from events.journal.invariants import check_event
from models.journal import JournalEntry
from tests.kinds.moments import Moment
from tests.kit.profiles import full_run
from tests.kit.truths import completed, falsehoods
from tests.lives.conftest import PLAYS, Begin

REACHED: Counter[str] = Counter()
"""What the lives of this process reached: kinds, moments, completed rounds, changes by their verbs in the journal."""


def live(begin: Begin, seed: int, acts: int) -> str:
    """One life; returns its first fault with its story, "" without one."""
    dice = Random(seed)
    name, moment = dice.choice([*PLAYS]), dice.choice([*Moment])
    life = begin(name, moment, dice)
    lines, rounds, wrong = len(life.stage.all(JournalEntry)), completed(life), list[str]()
    try:
        while acts and not wrong:
            before = len(life.story)
            life.act()
            wrong = [*falsehoods(life)] if len(life.story) > before else []
            REACHED["rounds completed"] += max(0, completed(life) - rounds)
            rounds = completed(life)
            acts -= 1
        wrong = wrong or [f"{broken.promise}: {broken.what}" for broken in check_event(life.stage.s, life.event)]
    except Exception:  # the other lives of the run go on
        wrong = [*life.errors, traceback.format_exc()]
    verbs = [entry.verb for entry in life.stage.all(JournalEntry)[lines:]]
    REACHED.update(["lives", name, moment, *verbs])
    return "\n".join([f"Seed {seed}:", *life.story, *wrong]) if wrong else ""


@pytest.mark.proves("attack 91")
@pytest.mark.parametrize("seed", full_run([57, 68, 76], [57], [68, 76]))  # a waiting list; teams, a knockout
def test_people_press_what_pages_offer_and_nothing_false_is_said(begin: Begin, seed: int) -> None:
    assert live(begin, seed, acts=10) == ""


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_two_thousand_odd_lives(
    begin: Begin, database_url: str, first: int, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = [*filter(None, (live(begin, seed, acts=25) for seed in range(first, first + 100)))]
    with capsys.disabled():
        sys.stdout.write(f"{first}: {len(faults)} faults in 100 lives; so far {dict(REACHED)}\n")
    assert faults == []
