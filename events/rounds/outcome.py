"""The stored outcome of a round's draw: its pairs and costs, the locks; and the changes by hand that can be undone."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import Session, col, select

from events.store.journal import said_of
from events.store.undo import UNDO, gone_writes
from events.tournament.pairing.notes import note_rows, notes_in
from events.tournament.pairing.request import Evaluation, Request
from events.tournament.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Placement
from languages.message import Text, joined
from models.event import Round, RoundDraw
from models.journal import JournalEntry, RowChange

BY_HAND = ("swap", "swap-teams", "set-table", "set-scenario", "lock", "unlock")
"""The kinds of entries about manual changes to a draft."""
DRAWN = ("draw-round", "adopt-draw", "discard-draw")
"""The kinds of entries with which the manual changes to a draft before end."""


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


def keep_draw(the_round: Round, inputs: dict[str, Any], outcome: dict[str, Any]) -> None:
    """Store the draw of a round, in place of an earlier one."""
    if the_round.draw is None:
        the_round.draw = RoundDraw(inputs=inputs, outcome=outcome)
    the_round.draw.inputs, the_round.draw.outcome = inputs, outcome


def _add(the_round: Round, **parts: Any) -> None:
    assert the_round.draw is not None  # noqa: S101 - it is drawn
    the_round.draw.outcome = the_round.draw.outcome | parts


def keep_costs(the_round: Round, evaluation: Evaluation, *, as_drawn: bool) -> None:
    """Store the draft's current costs, and whether it is still the engine's draw."""
    _add(
        the_round,
        hand_changed=not as_drawn,
        hand_levels=asdict(evaluation.levels),
        hand_placement=asdict(evaluation.placement),
    )


Locked = tuple[tuple[str, str | None], ...]
"""Locked pairs of seat ids; a locked bye has None."""


def locked_in(the_round: Round) -> Locked:
    return tuple((a, b) for a, b in (the_round.outcome or {}).get("locked", ()))


def is_locked(the_round: Round, a: str, b: str | None) -> bool:
    """Whether this pair of seat ids, or this bye, is locked; the order of the two does not matter."""
    return {a, b} in [set(pair) for pair in locked_in(the_round)]


def keep_lock(the_round: Round, a: str, b: str | None, *, locked: bool) -> None:
    """Lock or unlock this pair, or bye."""
    rest = [list(pair) for pair in locked_in(the_round) if set(pair) != {a, b}]
    _add(the_round, locked=[*rest, *([[a, b]] if locked else [])])


def kept_locks(the_round: Round, request: Request) -> Locked:
    """The locks that still apply: both players are still in the field; for a bye, the field is still odd."""
    here = {seat.id for seat in request.seats}
    odd = len(here) % 2 == 1
    return tuple((a, b) for a, b in locked_in(the_round) if a in here and (odd if b is None else b in here))


def steps_by_hand(s: Session, the_round: Round) -> dict[int, Text | str]:
    """What was changed by hand since the round was drawn, by the writes, oldest first; not what was undone."""
    write, verb = col(JournalEntry.change_set_id), col(JournalEntry.verb)
    of_round = select(RowChange.change_set_id).where(RowChange.round_id == the_round.id)
    query = select(JournalEntry).where(JournalEntry.event_id == the_round.event_id, write.is_not(None))
    query = query.where(or_(verb == "go-back", and_(verb.in_((*BY_HAND, *UNDO, *DRAWN)), write.in_(of_round))))
    entries = s.exec(query.order_by(col(JournalEntry.id).desc())).all()
    gone, steps = gone_writes(entries), dict[int, Text | str]()
    for entry in reversed([entry for entry in entries if entry.change_set_id not in gone]):
        id_ = entry.change_set_id or 0
        if entry.verb in BY_HAND:
            steps[id_] = joined([steps[id_], said_of(entry)], "; ") if id_ in steps else said_of(entry)
        elif entry.verb == "undo-step" and steps:
            steps.popitem()  # up to 0.5.0 it did not name the write
        elif entry.verb in DRAWN:
            steps.clear()
    return steps
