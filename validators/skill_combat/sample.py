"""Legal characters for demonstrations: drawn from a seed, varied, and using all of the size."""

from random import Random
from typing import Any

from validators.contract import Document, Terms
from validators.kit.tried import first_legal
from validators.skill_combat.check import CHECKS
from validators.skill_combat.edition import SPECIAL, Edition
from validators.skill_combat.force import blank_force, read_force

_NAMES = (
    "Ash", "Bolt", "Cinder", "Dusty", "Ember", "Flint", "Grit", "Hex", "Iron", "Jinx", "Knuckles", "Latch", "Mesa",
    "Nails", "Oats", "Pebble", "Quill", "Rook", "Scrap", "Tinker",
)  # fmt: skip
_TRIES = 60


def sample_force(terms: Terms, faction: str, seed: int) -> Document:
    """A legal side without queries, the same for the same arguments.

    Raises ValueError if the origin is unknown, or no side fits the size and the event's restrictions.
    """
    edition: Edition = terms.edition.lists
    origin = edition.others.spelling(faction)
    if origin not in edition.file.origins:
        raise ValueError(f"{faction} is not an origin of the edition {terms.edition.id}")
    seeds = f"{origin}/{terms.size}/{seed}/"
    return first_legal(
        terms, lambda _, dice: _drawn(terms, origin, dice), CHECKS.check, seeds, _TRIES, f"side of {faction}"
    )


def _drawn(terms: Terms, origin: str, dice: Random) -> Document:
    edition: Edition = terms.edition.lists
    size = terms.list_size
    count = max(1, size // edition.file.points_a_character)
    names = dice.sample(_NAMES, min(count, len(_NAMES)))
    shares = _shares(size, len(names))
    characters = [_character(edition, name, points, dice) for name, points in zip(names, shares, strict=True)]
    return read_force(blank_force(terms.edition, origin) | {"models": characters}, terms.edition)


def _shares(size: int, count: int) -> list[int]:
    """The size in ``count`` parts, as equal as possible."""
    return [size // count + (n < size % count) for n in range(count)]


def _character(edition: Edition, name: str, points: int, dice: Random) -> dict[str, Any]:
    special = dict.fromkeys(SPECIAL, edition.file.attribute.least)
    most = min(points, edition.file.attribute.most * len(SPECIAL))
    while sum(special.values()) < most:
        one = dice.choice([key for key in SPECIAL if special[key] < edition.file.attribute.most])
        special[one] += 1
    weapons = dice.sample(edition.file.weapons, min(dice.choice((1, 1, 2)), len(edition.file.weapons)))
    armour = dice.choice((None, *edition.file.armour))
    items = dice.sample(edition.file.items, min(dice.randint(0, 2), len(edition.file.items)))
    return {
        "name": name,
        "special": special,
        "level": 1,
        "skills": [],
        "weapons": [{"name": one.name} for one in weapons],
        "armour": {"name": armour.name} if armour else None,
        "items": [{"name": one, "count": dice.randint(1, 3)} for one in items],
    }
