"""Odd lives: people press what their pages offer, in any order, and nothing false is said (tests/kit/truths.py)."""

from random import Random
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.kit.odd_life import SCENES, Life
from tests.kit.truths import falsehoods
from tests.lives.conftest import Begin

AT_ONCE = 50
"""The most lives with one seed: more would fill hypothesis's memory."""


class OddLives(RuleBasedStateMachine):
    begin: ClassVar[Begin]
    """Set before a run."""
    seed: ClassVar[int]
    life: Life

    @initialize(scene=st.sampled_from([*SCENES]))
    def is_born(self, scene: str) -> None:
        self.life = type(self).begin(scene)

    @rule(
        act=st.sampled_from(["anything", "anything", "anything", "next_step", "time_passes"]),
        dice=st.randoms(use_true_random=True),
    )
    def somebody_acts(self, act: str, dice: Random) -> None:
        story = len(self.life.story)
        getattr(self.life, act)(dice)
        wrong = [*falsehoods(self.life)] if len(self.life.story) > story else []
        assert not wrong, "\n".join([*wrong, f"Seed {self.seed}:", *self.life.story])


def live(begin: Begin, *, lives: int, acts: int, first: int) -> None:
    """Live this many lives of this many acts, with seeds from ``first`` on."""
    OddLives.begin = staticmethod(begin)
    for OddLives.seed in range(first, first + lives, AT_ONCE):
        run_state_machine_as_test(
            seed(OddLives.seed)(OddLives),
            settings=settings(
                max_examples=min(AT_ONCE, first + lives - OddLives.seed),
                stateful_step_count=acts,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
                phases=(Phase.generate,),  # a shrunk life takes hundreds of lives, and its story is short anyway
            ),
        )


def test_people_press_what_pages_offer_and_nothing_false_is_said(begin: Begin) -> None:
    live(begin, lives=4, acts=10, first=52)


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.parametrize("first", range(1000, 21_000, 1000))
def test_twenty_thousand_odd_lives(begin: Begin, database_url: str, first: int) -> None:
    live(begin, lives=1000, acts=25, first=first)
