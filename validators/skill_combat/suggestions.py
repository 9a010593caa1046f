"""Suggested sides: fixes that make an illegal side legal, and legal random samples."""

from collections.abc import Iterator
from random import Random
from typing import Any

from languages.words import gettext
from validators.contract import Document, Fix, Terms
from validators.kit.suggestions import Change, fewest_changes, first_legal, replaced, without
from validators.names import fold
from validators.skill_combat.check import CHECKS
from validators.skill_combat.edition import SPECIAL, Edition
from validators.skill_combat.force import blank_force, read_force, side_of

MOST_CHANGES = 6
MOST_CHECKED = 12_000
"""The most characters and lines of gear checked in one search, over all sides tried.

Fixes found until then are offered.
"""


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    if not document["models"]:
        return ()
    kinds = ("skills", "weapons", "items")
    lines = sum(1 + sum(len(character[kind]) for kind in kinds) for character in document["models"])
    return fewest_changes(document, terms, CHECKS.check, _changes, MOST_CHANGES, MOST_CHECKED // lines)


def _changes(document: Document, terms: Terms) -> Iterator[Change]:
    """Every possible change of one step."""
    side = side_of(document, terms)
    file, bounds = side.edition.file, side.edition.file.attribute
    if not terms.open_to(side.faction_name):
        for origin in file.origins:
            if terms.open_to(origin):
                yield gettext("Make it %(origin)s", origin=origin), document | {"faction": origin}
    over = side.total - side.size
    for place, character in enumerate(side.characters):
        for name in SPECIAL:
            value = character.special[name]
            bound = min(max(value, bounds.least), bounds.most)
            values = [bound] if bound != value else []
            values += [max(bounds.least, value - over)] if over > 0 and value > bounds.least else []
            for new in values:
                changed = replaced(document, new, "models", place, "special", name)
                words = gettext("%(who)s: set %(name)s to %(new)s", who=character.label, name=name, new=new)
                yield words, changed
        for at, line in enumerate(document["models"][place]["items"]):
            if line["count"] > 1:
                most = {fold(name): most for name, most in terms.restrictions.most_copies}
                fewer = min(most.get(fold(line["name"]), line["count"] - 1), line["count"] - 1)
                if fewer > 0:
                    words = gettext(
                        "%(who)s: %(fewer)s × %(item)s instead of %(count)s",
                        who=character.label,
                        fewer=fewer,
                        item=line["name"],
                        count=line["count"],
                    )
                    yield words, replaced(document, fewer, "models", place, "items", at, "count")
        for kind in ("weapons", "items", "skills"):
            for at, line in enumerate(document["models"][place][kind]):
                words = gettext("%(who)s: take out %(name)s", who=character.label, name=line["name"])
                yield words, without(document, "models", place, kind, at)
        if character.worn:
            changed = replaced(document, None, "models", place, "armour")
            yield gettext("%(who)s: take off %(name)s", who=character.label, name=character.worn.name), changed
        if len(side.characters) > 1:
            yield gettext("Take out %(name)s", name=character.label), without(document, "models", place)


_NAMES = (
    "Ash", "Bolt", "Cinder", "Dusty", "Ember", "Flint", "Grit", "Hex", "Iron", "Jinx", "Knuckles", "Latch", "Mesa",
    "Nails", "Oats", "Pebble", "Quill", "Rook", "Scrap", "Tinker",
)  # fmt: skip
_TRIES = 60


def sample_force(terms: Terms, faction: str, seed: int) -> Document:
    edition: Edition = terms.edition.lists
    origin = edition.origins.spelling(faction)
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
        text = dice.choice([key for key in SPECIAL if special[key] < edition.file.attribute.most])
        special[text] += 1
    weapons = dice.sample(edition.file.weapons, min(dice.choice((1, 1, 2)), len(edition.file.weapons)))
    armour = dice.choice((None, *edition.file.armour))
    items = dice.sample(edition.file.items, min(dice.randint(0, 2), len(edition.file.items)))
    return {
        "name": name,
        "special": special,
        "level": 1,
        "skills": [],
        "weapons": [{"name": weapon.name} for weapon in weapons],
        "armour": {"name": armour.name} if armour else None,
        "items": [{"name": item, "count": dice.randint(1, 3)} for item in items],
    }
