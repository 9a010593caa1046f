"""The stored outcome of a round's draw: its pairs and costs, the locks, and the changes by hand that can be undone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from events.store.errors import Refused
from events.tournament.pairing.notes import note_rows, notes_in
from events.tournament.pairing.request import Evaluation, Request
from events.tournament.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Placement
from languages.message import Text, as_data, worded
from languages.words import gettext
from models.event import Round
from models.play import Game
from models.team import TeamMatch

MOST_STEPS = 30
"""The most manual changes that can be undone."""


def outcome_of(drawn: Draw) -> dict[str, object]:
    """The part of a draw to store with the round."""
    return {
        "pairs": [[p.a, p.b] for p in drawn.pairs],
        "tables": [p.table for p in drawn.pairs],
        "scenarios": [p.scenario for p in drawn.pairs],
        "bye": drawn.bye,
        "levels": asdict(drawn.levels),
        "placement": asdict(drawn.placement) if drawn.placement else None,
        "certificate": asdict(drawn.certificate),
        "algorithm": drawn.algorithm,
        "notes": note_rows(drawn.notes),
        "idle": [[idle.id, note_rows(idle.notes)] for idle in drawn.idle],
        "stand_in": drawn.stand_in and [getattr(drawn.stand_in, name) for name in ("a", "b", "table", "scenario")],
    }


def drawn_then(outcome: Mapping[str, Any]) -> Draw:
    """The draw as stored with the round, without notes on its pairs."""
    tables, scenarios = (outcome.get(name) or [None] * len(outcome["pairs"]) for name in ("tables", "scenarios"))
    placed = zip(outcome["pairs"], tables, scenarios, strict=True)
    placement, (a, b, table, *scenario) = outcome.get("placement"), outcome.get("stand_in") or ("", "", None)
    return Draw(
        pairs=tuple(Pair(a, b, table=table, scenario=scenario) for (a, b), table, scenario in placed),
        bye=outcome["bye"],
        levels=Levels(**outcome["levels"]),
        certificate=Certificate(**outcome["certificate"]),
        seed=0,
        algorithm=outcome["algorithm"],
        notes=notes_in(outcome["notes"]),
        idle=tuple(Idle(id_, notes_in(notes)) for id_, notes in outcome.get("idle", ())),
        placement=Placement(**placement) if placement else None,
        stand_in=Pair(a, b, table=table, scenario=next(iter(scenario), None)) if a else None,
    )


def pairs_drawn(outcome: Mapping[str, Any]) -> dict[frozenset[int | None], tuple[int | None, str | None]]:
    """Each pair of the draw with its table and its scenario, by the ids of its players or teams."""
    scenarios = outcome.get("scenarios") or [None] * len(outcome["pairs"])
    drawn: dict[frozenset[int | None], tuple[int | None, str | None]] = {
        frozenset(int(id_.removeprefix("t")) for id_ in pair): (table, scenario)
        for pair, table, scenario in zip(outcome["pairs"], outcome["tables"], scenarios, strict=True)
    }
    if outcome.get("stand_in"):
        player, other, table, *scenario = outcome["stand_in"]
        drawn[frozenset((int(player), int(other)))] = table, scenario[0] if scenario else None
    return drawn


def costs_of(drawn: Draw) -> dict[str, int]:
    """The cost of a draw on each level, tables after pairs."""
    return asdict(drawn.levels) | (asdict(drawn.placement) if drawn.placement else {})


def best_costs(the_round: Round) -> dict[str, int]:
    """The cost of the engine's best draw on each level; if pairs were locked, without the locks."""
    outcome = the_round.outcome or {}
    free: dict[str, int] = outcome.get("free") or outcome["levels"] | (outcome.get("placement") or {})
    return free


def costs_now(the_round: Round) -> dict[str, int]:
    """The current cost of a drawn round, with manual changes."""
    outcome = the_round.outcome or {}
    levels: dict[str, int] = outcome.get("hand_levels") or outcome["levels"]
    return levels | (outcome.get("hand_placement") or outcome.get("placement") or {})


def keep_costs(the_round: Round, evaluation: Evaluation, *, as_drawn: bool) -> None:
    """Store the draft's current costs, and whether it is still the engine's draw."""
    the_round.outcome = (the_round.outcome or {}) | {
        "hand_changed": not as_drawn,
        "hand_levels": asdict(evaluation.levels),
        "hand_placement": asdict(evaluation.placement),
    }


Locked = tuple[tuple[str, str | None], ...]
"""Locked pairs of seat ids; a locked bye has None."""


def locked_in(the_round: Round) -> Locked:
    return tuple((a, b) for a, b in (the_round.outcome or {}).get("locked", ()))


def is_locked(the_round: Round, a: str, b: str | None) -> bool:
    """Whether this pair of seat ids, or this bye, is locked; the order of the two does not matter."""
    return {a, b} in [set(pair) for pair in locked_in(the_round)]


def with_lock(the_round: Round, a: str, b: str | None, *, locked: bool) -> Locked:
    """The locks of a draft with this pair, or bye, locked or unlocked."""
    rest = tuple(pair for pair in locked_in(the_round) if set(pair) != {a, b})
    return (*rest, (a, b)) if locked else rest


def kept_locks(the_round: Round, request: Request) -> Locked:
    """The locks that still apply: both players are still in the field; for a bye, the field is still odd."""
    here = {seat.id for seat in request.seats}
    odd = len(here) % 2 == 1
    return tuple((a, b) for a, b in locked_in(the_round) if a in here and (odd if b is None else b in here))


def keep_step(the_round: Round, what: Text, state: Sequence[Any], locked: Locked | None = None) -> None:
    """Store the draft's seatings before a change, for undo; ``what`` describes the change.

    ``locked`` are the new locks; None keeps the current ones.
    """
    was = locked_in(the_round)
    before = {"what": as_data(what), "games": [asdict(row) for row in state], "locked": [list(pair) for pair in was]}
    outcome = the_round.outcome or {}
    kept = [*outcome.get("steps", ()), before][-MOST_STEPS:]
    now_locked = was if locked is None else locked
    the_round.outcome = outcome | {"steps": kept, "locked": [list(pair) for pair in now_locked]}


def pop_step(the_round: Round) -> dict[str, Any]:
    """Remove the last step and restore its locks; the caller restores the seats. Raises Refused."""
    outcome = the_round.outcome or {}
    steps = list(outcome.get("steps", ()))
    if not steps:
        raise Refused(gettext("There are no changes by hand to undo."))
    last: dict[str, Any] = steps.pop()
    the_round.outcome = outcome | {"steps": steps, "locked": last["locked"]}
    return last


def seats_of_step(step: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The seatings that a step stored; up to 0.3.1 those of teams were matches with blocks."""
    matches = step.get("matches", ())
    of_teams = [{"a": match["a"], "b": match["b"], "table": match["block"]} for match in matches]
    return of_teams or step["games"]


def last_step(the_round: Round) -> str:
    """The last manual change, in words; "" if nothing can be undone."""
    steps = (the_round.outcome or {}).get("steps", ())
    return worded(steps[-1]["what"]) if steps else ""


def last_touched(the_round: Round, games: Iterable[Game | TeamMatch]) -> set[int]:
    """The ids of the games, or of the matches, affected by the last manual change."""
    steps = (the_round.outcome or {}).get("steps", ())
    if not steps:
        return set()
    before = {(seat["a"], seat["b"], seat["table"]) for seat in seats_of_step(steps[-1])}
    placed = [(game, game.block if isinstance(game, TeamMatch) else game.table_number) for game in games]
    return {game.id for game, place in placed if (game.a_id, game.b_id, place) not in before}
