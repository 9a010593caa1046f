"""The machine of a whole event, bounded; OVERSEER_MACHINE=long runs many more (docs/evidence/event_machine.txt)."""

import itertools
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from models.db import open_engine
from tests.actions.event_machine import EventMachine
from tests.actions.stage import Stage
from tests.conftest import Clock

LONG = os.environ.get("OVERSEER_MACHINE") == "long"


@pytest.mark.proves("ASVS 2.3.1", "I4", "I6", "I7", "I8")
def test_whatever_is_pressed_in_whatever_order_the_event_stays_whole(
    migrated_sqlite: Path, tmp_path: Path, clock: Clock
) -> None:
    numbers = itertools.count(1)

    def fresh() -> Stage:
        path = tmp_path / f"{next(numbers)}.sqlite3"
        shutil.copy(migrated_sqlite, path)
        return Stage(open_engine(f"sqlite:///{path}"), clock)

    EventMachine.fresh = staticmethod(fresh)
    EventMachine.done.clear()
    run_state_machine_as_test(
        EventMachine,
        settings=settings(
            max_examples=40 if LONG else 8,
            stateful_step_count=40 if LONG else 30,
            derandomize=not LONG,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        ),
    )
    if LONG:
        sys.stdout.write(f"\n{dict(sorted(EventMachine.done.items()))}\n")
    assert {"draw", "publish", "decide"} <= EventMachine.done.keys()
