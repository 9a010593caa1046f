"""The changes of a draft by hand as steps that can be taken back, and what the draft costs after them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from events.actions.drawing import Locked, locked_in
from events.errors import Refused
from events.pairing.reckoning import Reckoned
from models.event import Round

MOST_STEPS = 30
"""So many changes by hand can be taken back, one after the other."""


def keep_step(the_round: Round, what: str, key: str, state: Sequence[Any], locked: Locked | None = None) -> None:
    """Keep how the draft stands (under ``key``) before it is changed; ``what`` says in words what is being done.

    ``locked`` is what is locked from now on; None: what was.
    """
    was = locked_in(the_round)
    before = {"what": what, key: [asdict(one) for one in state], "locked": [list(pair) for pair in was]}
    outcome = the_round.outcome or {}
    kept = [*outcome.get("steps", ()), before][-MOST_STEPS:]
    now_locked = was if locked is None else locked
    the_round.outcome = outcome | {"steps": kept, "locked": [list(pair) for pair in now_locked]}


def take_step_back(the_round: Round) -> dict[str, Any]:
    """The last step, taken off the draft with its locks; who called puts back how it stood. Raises Refused."""
    outcome = the_round.outcome or {}
    steps = list(outcome.get("steps", ()))
    if not steps:
        raise Refused("There is no change by hand to take back.")
    last: dict[str, Any] = steps.pop()
    the_round.outcome = outcome | {"steps": steps, "locked": last["locked"]}
    return last


def keep_costs(the_round: Round, reckoned: Reckoned, *, as_drawn: bool) -> None:
    """Store what the draft costs as it stands now, and whether it is just what the engine drew."""
    the_round.outcome = (the_round.outcome or {}) | {
        "hand_changed": not as_drawn,
        "hand_levels": asdict(reckoned.levels),
        "hand_placement": asdict(reckoned.placement),
    }
