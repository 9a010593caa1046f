"""The Battle Mode force file: its shape, and how parsed JSON becomes the canonical document.

The file can hold an illegal force, so that it can be judged; only what has no meaning at all is unreadable.
The canonical document has every optional field filled in, a model with ``count`` n as n models, and every
name that the edition knows in the edition's own spelling.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from validators.battle_mode.edition import Edition
from validators.contract import Document, EditionInfo, UnreadableForce

SYSTEM_ID = "battle_mode"
MOST_MODELS = 500
"""Models read in one force, copies included: far more than any table holds."""
LONGEST_NAME = 80
MOST_FAULTS = 12
"""Faults of one file that are told one by one."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def _printable(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("holds a control character")
    return text


Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_NAME), AfterValidator(_printable)]
Name = Annotated[Text, StringConstraints(min_length=1)]
Count = Annotated[int, Field(ge=1, le=99)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class CarriedItem(_Part):
    """An item that a model carries: ``count`` copies, each paid, each with these mods."""

    name: Name
    mods: list[Name] = Field(default=[], max_length=20)
    count: Count = 1


class ChosenModel(_Part):
    """A model with what is bought for it; ``count`` n stands for n such models."""

    name: Name
    heroic: bool = False
    leader: bool = False
    leader_card: Name | None = None
    perks: list[Name] = Field(default=[], max_length=60)
    items: list[CarriedItem] = Field(default=[], max_length=60)
    count: Count = 1


class Card(_Part):
    """A card that is no part of a model; Battle Mode uses none, so each is judged."""

    kind: Name
    name: Text = ""


class ForceFile(_Part):
    """A force as its file holds it."""

    model_config = ConfigDict(title="Battle Mode force")

    system: Literal["battle_mode"]
    edition: Name
    name: Text = ""
    faction: Name
    models: list[ChosenModel] = Field(max_length=MOST_MODELS)
    cards: list[Card] = Field(default=[], max_length=200)


def force_schema() -> dict[str, Any]:
    """The JSON Schema of the force file, as docs/force.schema.json holds it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ForceFile.model_json_schema()


def read_force(parsed: object, info: EditionInfo) -> Document:
    """Parsed JSON to the canonical document. Raises UnreadableForce with every fault and its place.

    What names another edition than this one is refused too: its names would be read in the wrong lists.
    """
    if not isinstance(parsed, dict):
        raise UnreadableForce('the file: a force is a JSON object, {"system": ...}')
    try:
        force = ForceFile.model_validate(parsed)
    except ValidationError as invalid:
        faults = [_sentence(error) for error in invalid.errors(include_url=False)]
        more = [f"and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
        raise UnreadableForce(*faults[:MOST_FAULTS], *more) from invalid
    if force.edition != info.id:
        raise UnreadableForce(f"edition: {force.edition!r} stands there, and this is read by {info.id!r}")
    models = sum(model.count for model in force.models)
    if models > MOST_MODELS:
        raise UnreadableForce(f"models: {models} models with their counts, at most {MOST_MODELS} are read")
    return _document(force, info.lists)


def blank_force(edition: EditionInfo, faction: str) -> Document:
    """A new document without models."""
    return read_force({"system": SYSTEM_ID, "edition": edition.id, "faction": faction, "models": []}, edition)


def part_of(document: Document, places: Sequence[int]) -> Document:
    """A canonical document with only the models at these places, in the document's order.

    Raises UnreadableForce where one of the places has no model.
    """
    models = document["models"]
    if any(not 0 <= place < len(models) for place in places):
        raise UnreadableForce("models: a chosen model is not in the roster")
    return document | {"models": [model for place, model in enumerate(models) if place in set(places)]}


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


_WRONG_TYPE = {
    "string_type": "is not text",
    "string_unicode": "is not valid text (half of a surrogate pair)",
    "int_type": "is not a whole number",
    "bool_type": "is neither true nor false",
    "list_type": "is not a list",
    "model_type": "is not an object",
    "model_attributes_type": "is not an object",
    "missing": "is missing",
}


def _sentence(error: Any) -> str:
    """One fault of the shape: the place in the file, then what is wrong there."""
    place = ""
    for step in error["loc"]:
        place += f"[{step}]" if isinstance(step, int) else f".{_CONTROL.sub('?', step)[:40]}"
    place = place.lstrip(".") or "the file"
    limits = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            wrong = "is not a field of the force file"
        case "string_too_short" | "too_short":
            wrong = "is empty"
        case "string_too_long" | "too_long" if isinstance(error["input"], str):
            wrong = f"is longer than {limits['max_length']} characters"
        case "too_long":
            wrong = f"holds more than {limits['max_length']} entries"
        case "greater_than_equal" | "less_than_equal":
            wrong = f"is {error['input']}, allowed are 1 to 99" if abs(error["input"]) < 10**9 else "is not 1 to 99"
        case "value_error":
            wrong = str(limits["error"])
        case "literal_error":
            wrong = f"is not {limits['expected']}"
        case kind:
            wrong = _WRONG_TYPE.get(kind, "cannot be read")
    return f"{place}: {wrong}"
