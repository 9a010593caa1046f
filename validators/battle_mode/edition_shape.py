"""The shape of the project's own edition file, as docs/edition.schema.json has it and docs/editions.md tells it."""

import re
import unicodedata
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

_UNPRINTABLE = r"[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
_UNTIDY = _UNPRINTABLE + r"|^\s|\s$"
_NO_ID = r"[^a-z0-9._-]|^[._-]"


def _tidy(text: str) -> str:
    if re.search(_UNPRINTABLE, text):
        raise ValueError("holds a character that does not print")
    if text != text.strip():
        raise ValueError("begins or ends with a space")
    if not unicodedata.is_normalized("NFC", text):
        raise ValueError("is not in composed form (Unicode NFC)")
    return text


def _id(text: str) -> str:
    if re.search(_NO_ID, text):
        raise ValueError(
            "may hold only a to z, 0 to 9, dots, dashes and underscores, of these a letter or a digit first"
        )
    return text


def _date(text: str) -> str:
    try:
        if len(text) == len("2018-08-20"):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise ValueError('is no date like "2018-08-20"')


def _figure(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, int) and 0 <= value <= 9999):
        return value
    raise ValueError("is neither true, false nor a whole number of Caps")


def _bounded(longest: int) -> Any:
    return Field(min_length=1, max_length=longest, json_schema_extra={"not": {"pattern": _UNTIDY}})


Name = Annotated[str, _bounded(80), AfterValidator(_tidy)]
Sentence = Annotated[str, _bounded(400), AfterValidator(_tidy)]
Caps = Annotated[int, Field(ge=0, le=9999)]
Names = Annotated[list[Name], Field(max_length=2000)]
Costs = Annotated[dict[Name, Caps], Field(max_length=2000)]
Figure = Annotated[
    Any,
    AfterValidator(_figure),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0, "maximum": 9999}]}),
]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class ModelRow(_Part):
    """A model on a faction's list. What it may carry is named item by item, by packs, or both."""

    name: Name
    caps: Caps
    unique: Name | None = Field(default=None, description="The person that the model shows; null: any number of it.")
    perhaps_unique: Name | None = Field(
        default=None, description="The person that the model may show, where the edition does not say who is unique."
    )
    heroic: bool = Field(default=False, description="May be made Heroic; a pack may allow it, too.")
    built_in: Annotated[list[Name], Field(max_length=40)] = []
    may_carry: dict[Name, Names] = Field(default={}, max_length=100, description="Names of items by their kind.")
    packs: Annotated[list[Name], Field(max_length=40)] = []


class FactionRow(_Part):
    """A faction; ``fielded`` is whether it may be chosen for a force."""

    name: Name
    fielded: bool = True
    models: Annotated[list[ModelRow], Field(max_length=500)]


class PackRow(_Part):
    """What every model may have that is allowed this pack."""

    name: Name
    heroic: bool = False
    items: Names = []
    mods: Names = []
    perks: Names = []
    leader_cards: Names = []
    perhaps: Names = Field(default=[], description="Items of which nobody knows whether the pack holds them.")


class ItemGroup(_Part):
    """Items of one kind by their cost, and what the rules ask of all of them."""

    category: Name
    kind: Name
    heavy: bool = False
    takes_mod: bool = False
    caps: Costs


class DisputedRow(_Part):
    """A fact on which the sources differ: ``here`` is what this file says."""

    fact: Literal["caps", "carry", "unique", "heroic"]
    item: Name | None = None
    faction: Name | None = None
    model: Name | None = None
    here: Figure
    there: Figure


class EditionFile(_Part):
    """An edition of the force lists as its file holds it."""

    model_config = ConfigDict(title="Battle Mode edition")

    system: Literal["battle_mode"]
    id: Annotated[
        str,
        Field(min_length=1, max_length=40, json_schema_extra={"not": {"pattern": _NO_ID}}),
        AfterValidator(_id),
    ]
    name: Name
    date: Annotated[str, Field(json_schema_extra={"format": "date"}), AfterValidator(_date)]
    source: Sentence
    notes: Annotated[list[Sentence], Field(max_length=40)] = []
    partial: bool = False
    heroic_caps: Caps
    factions: Annotated[list[FactionRow], Field(min_length=1, max_length=100)]
    packs: Annotated[list[PackRow], Field(max_length=200)] = []
    items: Annotated[list[ItemGroup], Field(max_length=200)] = []
    leader_cards: Costs = {}
    perks: Costs = {}
    shares: dict[Name, Annotated[int, Field(ge=-99, le=900)]] = Field(
        default={}, max_length=100, description="Perks that cost so many per cent of what the model itself costs."
    )
    mods: Costs = {}
    aliases: dict[Name, Name] = Field(default={}, max_length=2000)
    disputed: Annotated[list[DisputedRow], Field(max_length=500)] = []
