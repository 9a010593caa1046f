"""The shape of the project's own edition file, as in docs/edition.schema.json and docs/file_formats.md."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema

from validators.edition_file import EditionPart, HeadOfEdition, Name


def _figure(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, int) and 0 <= value <= 9999):
        return value
    raise ValueError("is neither true, false nor a whole number of Caps")


Caps = Annotated[int, Field(ge=0, le=9999)]
Names = Annotated[list[Name], Field(max_length=2000)]
Costs = Annotated[dict[Name, Caps], Field(max_length=2000)]
Figure = Annotated[
    Any,
    AfterValidator(_figure),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0, "maximum": 9999}]}),
]


class ModelRow(EditionPart):
    """A model on a faction's list. What it may carry is named item by item, by packs, or both."""

    name: Name
    caps: Caps
    unique: Name | None = Field(default=None, description="The person that the model shows; null: any number of it.")
    perhaps_unique: Name | None = Field(
        default=None, description="The person that the model may show, where the edition does not say who is unique."
    )
    heroic: bool = Field(default=False, description="May be made Heroic; a pack may allow it, too.")
    built_in: Annotated[list[Name], Field(max_length=40)] = Field(default=[])
    may_carry: dict[Name, Names] = Field(default={}, max_length=100, description="Names of items by their kind.")
    packs: Annotated[list[Name], Field(max_length=40)] = Field(default=[])


class FactionRow(EditionPart):
    """A faction; ``fielded`` is whether it may be chosen for a force."""

    name: Name
    fielded: bool = True
    models: Annotated[list[ModelRow], Field(max_length=500)]


class PackRow(EditionPart):
    """What every model may have that is allowed this pack."""

    name: Name
    heroic: bool = False
    items: Names = Field(default=[])
    mods: Names = Field(default=[])
    perks: Names = Field(default=[])
    leader_cards: Names = Field(default=[])
    perhaps: Names = Field(default=[], description="Items of which nobody knows whether the pack holds them.")


class ItemGroup(EditionPart):
    """Items of one kind by their cost, and what the rules ask of all of them."""

    category: Name
    kind: Name
    heavy: bool = False
    takes_mod: bool = False
    caps: Costs


class DisputedRow(EditionPart):
    """A fact on which the sources differ: ``here`` is what this file says."""

    fact: Literal["caps", "carry", "unique", "heroic"]
    item: Name | None = None
    faction: Name | None = None
    model: Name | None = None
    here: Figure
    there: Figure


class EditionFile(HeadOfEdition):
    """An edition of the force lists as its file holds it."""

    model_config = ConfigDict(title="Battle Mode edition")

    system: Literal["battle_mode"]
    heroic_caps: Caps
    factions: Annotated[list[FactionRow], Field(min_length=1, max_length=100)]
    packs: Annotated[list[PackRow], Field(max_length=200)] = Field(default=[])
    items: Annotated[list[ItemGroup], Field(max_length=200)] = Field(default=[])
    leader_cards: Costs = Field(default={})
    perks: Costs = Field(default={})
    shares: dict[Name, Annotated[int, Field(ge=-99, le=900)]] = Field(
        default={}, max_length=100, description="Perks that cost so many per cent of what the model itself costs."
    )
    mods: Costs = Field(default={})
    aliases: dict[Name, Name] = Field(default={}, max_length=2000)
    disputed: Annotated[list[DisputedRow], Field(max_length=500)] = Field(default=[])
