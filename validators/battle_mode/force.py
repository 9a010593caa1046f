"""The Battle Mode force file: its shape, and how parsed JSON becomes the canonical document.

The file can hold an illegal force, so that it can be judged; only what has no meaning at all is unreadable.
The canonical document has every optional field filled in, a model with ``count`` n as n models, and every
name that the edition knows in the edition's own spelling.
"""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field

from validators.battle_mode.edition import Edition
from validators.contract import Document, EditionInfo
from validators.force_file import MOST_MODELS, Count, HeadOfForce, Name, Part, Text, chosen_parts, shaped, stored

SYSTEM_ID = "battle_mode"


class CarriedItem(Part):
    """An item that a model carries: ``count`` copies, each paid, each with these mods."""

    name: Name
    mods: list[Name] = Field(default=[], max_length=20)
    count: Count = 1


class ChosenModel(Part):
    """A model with what is bought for it; ``count`` n stands for n such models."""

    name: Name
    heroic: bool = False
    leader: bool = False
    leader_card: Name | None = None
    perks: list[Name] = Field(default=[], max_length=60)
    items: list[CarriedItem] = Field(default=[], max_length=60)
    count: Count = 1


class Card(Part):
    """A card that is no part of a model; Battle Mode uses none, so each is judged."""

    kind: Name
    name: Text = ""


class ForceFile(HeadOfForce):
    """A force as its file holds it."""

    model_config = ConfigDict(title="Battle Mode force")

    system: Literal["battle_mode"]
    models: list[ChosenModel] = Field(max_length=MOST_MODELS)
    cards: list[Card] = Field(default=[], max_length=200)


def force_schema() -> dict[str, Any]:
    """The JSON Schema of the force file, as docs/force.schema.json holds it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ForceFile.model_json_schema()


def read_force(parsed: object, info: EditionInfo) -> Document:
    """Parsed JSON to the canonical document. Raises UnreadableForce with every fault and its place.

    What names another edition than this one is refused too: its names would be read in the wrong lists.
    """
    force = shaped(parsed, ForceFile, info)
    return stored(_document(force, info.lists))


def blank_force(edition: EditionInfo, faction: str) -> Document:
    """A new document without models."""
    return read_force({"system": SYSTEM_ID, "edition": edition.id, "faction": faction, "models": []}, edition)


def part_of(document: Document, places: Sequence[int]) -> Document:
    """A canonical document with only the models at these places, in the document's order.

    Raises UnreadableForce where one of the places has no model.
    """
    return chosen_parts(document, "models", places, "model")


def _document(force: ForceFile, edition: Edition) -> Document:
    faction = edition.faction(force.faction)
    return {
        "system": force.system,
        "edition": force.edition,
        "name": force.name,
        "faction": faction.name if faction else force.faction,
        "models": [_model(model, edition, force.faction) for model in force.models for _ in range(model.count)],
        "cards": [card.model_dump() for card in force.cards],
    }


def _model(model: ChosenModel, edition: Edition, faction: str) -> dict[str, Any]:
    entry = edition.model(model.name, faction)
    card = edition.leader_card(model.leader_card) if model.leader_card else None
    return {
        "name": entry.name if entry else model.name,
        "heroic": model.heroic,
        "leader": model.leader,
        "leader_card": card.name if card else model.leader_card,
        "perks": [known.name if (known := edition.perk(perk)) else perk for perk in model.perks],
        "items": [_item(item, edition) for item in model.items],
    }


def _item(item: CarriedItem, edition: Edition) -> dict[str, Any]:
    entry = edition.item(item.name)
    return {
        "name": entry.name if entry else item.name,
        "mods": [known.name if (known := edition.mod(mod)) else mod for mod in item.mods],
        "count": item.count,
    }
