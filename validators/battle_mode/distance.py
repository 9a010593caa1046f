"""How far a force is from being legal: what the search for a mending goes by."""

from collections.abc import Iterable, Sequence

from validators.battle_mode.priced import PricedForce
from validators.contract import Finding

BY_FACTION = ("bm.faction", "bm.carry", "bm.mod", "bm.perk", "bm.heroic")
"""Rules that are judged on a model by its entry, which another faction may have otherwise."""


def turn(problem: Finding) -> int:
    """The place of a problem in the search: what many changes touch comes last, for the others may have mended it."""
    match problem.rule:
        case "bm.heavy":
            return 1
        case "bm.size":
            return 2
        case "bm.leader" if not problem.places:
            return 3
    return 0


def over(force: PricedForce) -> int:
    """Caps above the size."""
    return max(0, force.total - force.size)


def passed_by(problem: Finding) -> int:
    """By how much a limit on a number is passed; 0 where it is another kind of problem."""
    used, allowed = problem.figures.get("used"), problem.figures.get("allowed")
    return used - allowed if isinstance(used, int) and isinstance(allowed, int) else 0


def to_do(problems: Iterable[Finding], force: PricedForce) -> tuple[int, int]:
    """What is left to mend: problems with the number by which they pass a limit, then Caps."""
    return sum(max(1, passed_by(problem)) for problem in problems), over(force)


def can_shrink(force: PricedForce, left: int) -> bool:
    """Whether so many changes may bring the force down to its size: none frees more than a whole model's Caps."""
    caps = [model.caps for model in force.models] + [card.entry.caps for card in force.cards if card.entry]
    return sum(sorted(caps, reverse=True)[:left]) >= over(force)


def least(problems: Sequence[Finding]) -> int:
    """A bound from below for the changes that mend a force.

    A change touches one model, or a card, or marks a Leader, or moves the whole force to another faction.
    """
    alone = {f.places[0] for f in problems if f.rule == "bm.cost" and f.places}
    by_faction = {f.places[0] for f in problems if f.rule in BY_FACTION and f.places}
    cards = sum(f.rule in ("bm.cost", "bm.banned") and not f.places for f in problems)
    unmarked = any(f.rule == "bm.leader" and not f.places for f in problems)
    persons = sum(passed_by(f) for f in problems if f.rule == "bm.unique")
    models = min(len(alone | by_faction), len(alone) + 1)
    return max(max(models, persons) + cards + unmarked, min(1, len(problems)))
