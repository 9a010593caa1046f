"""Legal forces for demonstrations: drawn from a seed, varied, and using most of the size."""

from random import Random
from typing import Any

from validators.contract import Document, Terms
from validators.kit.tried import first_legal
from validators.names import fold
from validators.new_vegas.check import CHECKS
from validators.new_vegas.edition import Edition, Profile
from validators.new_vegas.force import blank_force, read_force

_GRUNTS = {"Recon": ("Scout",), "Regular": ("Trooper", "Brawler"), "Heavy": ("Gunner",)}
_FEWEST, _MOST_IN_SQUAD = 2, 8
_TRIES = 80
_SQUAD_NAMES = ("Able", "Baker", "Charlie", "Dog", "Easy", "Fox", "George", "How", "Item", "Jig", "King", "Love")


def sample_force(terms: Terms, faction: str, seed: int) -> Document:
    """A legal force without queries, the same for the same arguments.

    Raises ValueError if the faction is unknown, the size is too small for a leader, or no force fits the event's
    restrictions.
    """
    edition: Edition = terms.edition.lists
    named = edition.factions.find(faction)
    if named is None:
        raise ValueError(f"{faction} is not a faction of the edition {terms.edition.id}")
    size = terms.list_size

    def draw(attempt: int, dice: Random) -> Document:
        # Each further try is smaller and simpler, because restrictions may leave little room.
        return _drawn(terms, named, max(size * (_TRIES - attempt) // _TRIES, min(size, 2)), dice)

    seeds = f"{terms.edition.id}/{named}/{size}/{seed}/"
    return first_legal(terms, draw, CHECKS.check, seeds, _TRIES, f"force of {faction}")


def _drawn(terms: Terms, faction: str, size: int, dice: Random) -> Document:
    edition: Edition = terms.edition.lists
    banned = set(map(fold, terms.restrictions.banned))
    classes = [one.name for key, one in edition.classes.items() if key not in banned]
    squads: list[dict[str, Any]] = []
    left = size
    for name in _SQUAD_NAMES:
        squad_class = dice.choice(classes or ["Regular"])
        lines = _lines(edition, squad_class, left, not squads, banned, dice)
        if not lines:
            break
        left -= sum(line["count"] * sum(line["special"].values()) for line in lines)
        squads.append({"name": f"{name} squad", "class": squad_class, "models": lines})
    return read_force(blank_force(terms.edition, faction) | {"squads": squads}, terms.edition)


def _lines(
    edition: Edition, squad_class: str, left: int, first: bool, banned: set[str], dice: Random
) -> list[dict[str, Any]]:
    """A leader, if there is room, and grunts; the first squad always has a leader."""
    lines: list[dict[str, Any]] = []
    for name in ("Officer", "Sergeant") if first else ("Sergeant",):
        profile = edition.profiles.find(name)
        if profile and not lines and sum(profile.special) <= left // 2 and (first or dice.random() < 0.7):
            lines.append(_armed(profile, 1, edition, banned))
    if first and not lines:
        if left < 2:
            return []
        runner = Profile(name="Runner", special=[0, 0, 1, 1, 0, 0, 0])
        lines.append(_armed(runner, 1, edition, banned))
    left -= sum(sum(line["special"].values()) for line in lines)
    # A club's own edition may have other classes and models.
    named = [name for name in _GRUNTS.get(squad_class, ()) if fold(name) in edition.profiles]
    if led := named or [one.name for one in edition.profiles.values() if any(one.special) and not one.special[3]]:
        grunt = edition.profiles[fold(dice.choice(led))]
        count = min(left // sum(grunt.special), dice.randint(3, _MOST_IN_SQUAD))
        if count >= _FEWEST:
            return [*lines, _armed(grunt, count, edition, banned)]
    return lines if first else []


def _armed(profile: Profile, count: int, edition: Edition, banned: set[str]) -> dict[str, Any]:
    line = profile.line(count)
    line["weapons"] = [name for name in profile.weapons if fold(name) not in banned and edition.weapons.find(name)]
    return line
