"""Garbage is looked for between two requests: why, and that it is."""

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path

from events.commands import workers

ROOT = Path(__file__).resolve().parents[2]

# What happens to a row of SQLAlchemy whose instance is garbage when its session is closed: storing an attribute beyond
# the places that all instances share moves its attributes into a dict, and a weak reference's callback does so too.
STORED_WHILE_LOOKING = """
import gc, sys, weakref
from events.commands import workers

class State: pass
class Thing: pass

states = []
for n in range(40):
    state = State(); state.a = n; state.b = n; state.seen = None; states.append(state)
states[-1].last_place = 1
gc.set_threshold(1)
gc.disable() if sys.argv[1] == "by itself" else workers.post_worker_init(None)
told, kept = [], [{} for _ in range(2000)]
for n in range(500):
    state, thing = State(), Thing()
    state.a = state.b = n
    thing.itself = thing
    def gone(_, state=state): state.late = 1; told.append(1)
    state.seen = weakref.ref(thing, gone)
    del thing, gone
    kept.extend({} for _ in range(100))
    if sys.argv[1] == "by itself": gc.enable()
    state.late = 2
    if sys.argv[1] == "by itself": gc.disable()
    workers.post_request(None, None, None, None)
    kept.append([object() for _ in range(50)])
    assert state.__dict__["a"] == state.__dict__["b"] == n
assert told
"""


def run(how: str) -> int:
    """Run it in a process of its own; returns how it ended."""
    done = subprocess.run(
        [sys.executable, "-c", STORED_WHILE_LOOKING, how], cwd=ROOT, capture_output=True, timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.returncode


def test_a_worker_is_not_killed_by_its_own_search_for_garbage() -> None:
    assert run("between requests") == 0
    # The control: as the interpreter does it by itself. Should a 3.11 come in which this is mended, the hooks may go.
    assert (run("by itself") == 0) == (sys.version_info >= (3, 12))


def test_garbage_is_found_once_enough_has_come_together() -> None:
    class Thing:
        itself: "Thing"

    before = gc.get_threshold()
    try:
        workers.post_worker_init(None)
        assert not gc.isenabled()
        thing = Thing()
        thing.itself = thing
        gone = weakref.ref(thing)
        del thing
        workers.post_request(None, None, None, None)
        assert gone() is not None, "too little to look through"
        kept: list[list[int]] = [[] for _ in range(workers.MOST_YOUNG)]
        workers.post_request(None, None, None, None)
        assert gone() is None and kept
    finally:
        gc.enable()
        gc.set_threshold(*before)
