"""Whole events that hypothesis plays (tests/kit/event_machine.py), with an empty database for each run."""

from collections import Counter
from datetime import UTC, datetime

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from models.db import open_engine
from tests.chaos.broken import build
from tests.chaos.outcome import Lab, Outcome, Size
from tests.conftest import Clock
from tests.kit.event_machine import EventMachine
from tests.kit.stage import Stage

RUNS: dict[Size, int] = {"short": 1, "full": 2000}
"""The number of events with at least PRESSES actions; shorter events do not count."""
MOVES: dict[Size, int] = {"short": 26, "full": 51}
"""The most moves of an event. A move is usually one action, a whole round a dozen; the first creates the event."""
PRESSES: dict[Size, int] = {"short": 20, "full": 50}
AT_ONCE: dict[Size, int] = {"short": 6, "full": 50}
"""The number of events with one seed: more would fill hypothesis's memory. The first of them are short."""
SATURDAY = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def play(lab: Lab) -> Outcome:
    """Play the size's number of events."""
    outcome, size, empty = Outcome(), lab.size, lab.fresh()
    engine = open_engine(lab.copied(empty))  # one engine for all copies, so that statements are compiled once
    clock = Clock(SATURDAY)

    def renew() -> Stage:
        engine.dispose()
        lab.copied(empty)
        return Stage(engine, clock)

    EventMachine.fresh = staticmethod(renew)
    EventMachine.done.clear()
    EventMachine.lengths.clear()
    whole, dice = 0, lab.seed
    with build(lab.broken):
        while whole < RUNS[size] and not outcome.wrong:
            try:
                run_state_machine_as_test(
                    seed(dice)(EventMachine),
                    settings=settings(
                        max_examples=AT_ONCE[size],
                        stateful_step_count=MOVES[size],
                        deadline=None,
                        database=None,
                        suppress_health_check=list(HealthCheck),
                        phases=(Phase.generate,) if lab.broken else (Phase.generate, Phase.shrink),
                    ),
                )
            except AssertionError as found:
                outcome.wrong.append("\n".join([f"dice {dice}: {found}", *getattr(found, "__notes__", ())]))
            whole, dice = sum(length >= PRESSES[size] for length in EventMachine.lengths), dice + 1
    engine.dispose()
    outcome.counts = Counter(
        {f"pressed with effect: {what}": times for what, times in EventMachine.done.items()}
        | {
            f"events of {PRESSES[size]} presses or more": whole,
            "shorter events": len(EventMachine.lengths) - whole,
            "presses in all": sum(EventMachine.lengths),
        }
    )
    return outcome
