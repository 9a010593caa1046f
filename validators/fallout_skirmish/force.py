"""The Fallout Skirmish group as a file: its shape, and how parsed JSON becomes the canonical document."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field

from validators.contract import Document, EditionInfo
from validators.fallout_skirmish.edition import Edition
from validators.force_file import MOST_MODELS, Count, HeadOfForce, Name, Part, Text, chosen_parts, shaped, stored

SYSTEM_ID = "fallout_skirmish"


class CarriedItem(Part):
    """A weapon, a piece of armour or an item that a character carries: ``count`` copies, each paid."""

    name: Name
    count: Count = 1


class Character(Part):
    """A character of the group; ``called`` is its own name, ``count`` n stands for n such characters."""

    rank: Name
    called: Text = ""
    leader: bool = False
    perks: list[Name] = Field(default=[], max_length=60)
    items: list[CarriedItem] = Field(default=[], max_length=60)
    count: Count = 1


class GroupFile(HeadOfForce):
    """A group as its file holds it."""

    model_config = ConfigDict(title="Fallout Skirmish group")

    system: Literal["fallout_skirmish"]
    turfs: list[Name] = Field(default=[], max_length=60)
    models: list[Character] = Field(max_length=MOST_MODELS)


def read_force(parsed: object, info: EditionInfo) -> Document:
    """Parsed JSON to the canonical document: every optional field filled in, names in the edition's spelling.

    Raises UnreadableForce with every fault and its place.
    """
    group = shaped(parsed, GroupFile, info)
    edition: Edition = info.lists
    force = edition.force(group.faction)
    document = {
        "system": group.system,
        "edition": group.edition,
        "name": group.name,
        "faction": force.name if force else group.faction,
        "turfs": [edition.turf(turf) or turf for turf in group.turfs],
        "models": [
            _character(character, edition, group.faction) for character in group.models for _ in range(character.count)
        ],
    }
    return stored(document)


def blank_force(edition: EditionInfo, faction: str) -> Document:
    """A new document without characters and turfs."""
    return read_force({"system": SYSTEM_ID, "edition": edition.id, "faction": faction, "models": []}, edition)


def part_of(document: Document, places: Sequence[int]) -> Document:
    """A canonical document with only the characters at these places, in the document's order; it keeps its turfs.

    Raises UnreadableForce where one of the places has no character.
    """
    return chosen_parts(document, "models", places, "character")


def _character(character: Character, edition: Edition, force: str) -> dict[str, Any]:
    found = edition.rank(character.rank, force)
    return {
        "rank": found[0].name if found else character.rank,
        "called": character.called,
        "leader": character.leader,
        "perks": [edition.perk(perk) or perk for perk in character.perks],
        "items": [
            {"name": known.row.name if (known := edition.item(item.name)) else item.name, "count": item.count}
            for item in character.items
        ],
    }
