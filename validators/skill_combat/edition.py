"""The lists of skill combat as data: skills, weapons, armour, items and the parts of the body; data/SOURCES.md."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from validators.contract import Document, EditionInfo, UnreadableEdition
from validators.edition_file import shaped_edition, written
from validators.editions import EditionReport, EditionTitle
from validators.names import fold
from validators.skill_combat.edition_shape import EditionFile, faults_of

DATA = Path(__file__).parent / "data"
SPECIAL = ("STR", "PE", "EN", "CH", "IN", "AG", "LK")
"""The seven attributes, as the document spells them."""
Mode = Literal["quick", "burst"]


@dataclass(frozen=True)
class Skill:
    """A skill; ``of`` says how often each attribute counts for its starting value. Without it none is printed."""

    name: str
    of: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Weapon:
    """A weapon: range in hexes, ``volatility`` in per cent a hex, ``stat`` the attribute that a critical adds.

    A burst weapon does ``damage`` with each of its ``bullets`` and has no extra damage. ``ap`` 0 is not printed.
    """

    name: str
    skill: str
    mode: Mode
    stat: str
    range: int
    volatility: int
    damage: int
    extra: int
    ap: int
    aim_ap: int
    bullets: int


@dataclass(frozen=True)
class Armour:
    """A suit: what it adds to the armour, detection and judgment classes, and the damage in per cent it takes off."""

    name: str
    ac: int
    dc: int
    jc: int
    resistance: int


@dataclass(frozen=True)
class Health:
    """The HP of a part of the body: a share of EN and a share of HP, each rounded up or down."""

    en: tuple[int, int]
    en_up: bool
    hp: int
    hp_up: bool


@dataclass(frozen=True)
class Part:
    """A region of the body (``region`` "") or one of its parts, with what aiming at it costs and brings by itself."""

    name: str
    region: str
    many: int
    aim: int
    damage: int
    health: Health
    crippled: str
    falls: str


@dataclass(frozen=True)
class Edition:
    """The lists by which a character is made."""

    info: Mapping[str, Any]
    skills: tuple[Skill, ...]
    weapons: tuple[Weapon, ...]
    armour: tuple[Armour, ...]
    items: tuple[str, ...]
    origins: tuple[str, ...]
    points_a_character: int
    least: int
    most: int

    @cached_property
    def skill_by_name(self) -> dict[str, Skill]:
        """Skills by their folded names."""
        return {fold(one.name): one for one in self.skills}

    @cached_property
    def weapon_by_name(self) -> dict[str, Weapon]:
        """Weapons by their folded names."""
        return {fold(one.name): one for one in self.weapons}

    @cached_property
    def armour_by_name(self) -> dict[str, Armour]:
        """Suits of armour by their folded names."""
        return {fold(one.name): one for one in self.armour}

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Every item and origin as the edition spells it, by its folded name."""
        return {fold(one): one for one in (*self.items, *self.origins)}


def _edition(data: Mapping[str, Any]) -> Edition:
    return Edition(
        info=data,
        skills=tuple(Skill(one["name"], tuple(one.get("of", {}).items())) for one in data["skills"]),
        weapons=tuple(Weapon(**one) for one in data["weapons"]),
        armour=tuple(Armour(**one) for one in data["armour"]),
        items=tuple(data["items"]),
        origins=tuple(data["origins"]),
        points_a_character=data["points_a_character"],
        least=data["attribute"]["least"],
        most=data["attribute"]["most"],
    )


def _parts(data: Mapping[str, Any]) -> tuple[Part, ...]:
    parts = []
    for region in data["regions"]:
        for one in (region, *region["parts"]):
            is_region = one is region
            health = one["health"] | {"en": tuple(one["health"]["en"])}
            parts.append(
                Part(
                    name=one["name"],
                    region="" if is_region else region["name"],
                    many=region["many"],
                    aim=one["aim"],
                    damage=one["damage"],
                    health=Health(**health),
                    crippled=one["crippled"],
                    falls=region["falls"] if is_region else "it has no HP left",
                )
            )
    return tuple(parts)


BODY = _parts(json.loads((DATA / "body.json").read_text(encoding="utf-8")))
"""Every region, each followed by its parts."""
PARTS = {part.name: part for part in BODY}


def info_of(edition: Edition) -> EditionInfo:
    """What the service shows of an edition."""
    return EditionInfo(
        id=edition.info["id"],
        name=edition.info["name"],
        date=edition.info["date"],
        source=edition.info["source"],
        factions=edition.origins,
        names=(
            ("Weapons", tuple(one.name for one in edition.weapons)),
            ("Armour", tuple(one.name for one in edition.armour)),
            ("Items", edition.items),
        ),
        lists=edition,
        partial=edition.info["partial"],
        notes=tuple(edition.info["notes"]),
    )


def import_edition(data: bytes) -> EditionInfo:
    """The bytes of an edition file to the edition. Raises UnreadableEdition."""
    return info_of(_edition(shaped_edition(data, EditionFile, faults_of).model_dump(mode="json")))


def edition_file(info: EditionInfo) -> bytes:
    """An edition as its file."""
    edition: Edition = info.lists
    return written(edition.info)


def import_catalogues(files: object, title: EditionTitle) -> tuple[Document, EditionReport]:
    """No other program has catalogues of this game: always raises UnreadableEdition, with what to do instead."""
    raise UnreadableEdition(
        "There are no catalogues of other programs for skill combat. Take the edition file from the page of its lists, "
        "change its figures, and upload that."
    )


EDITIONS: tuple[EditionInfo, ...] = (import_edition((DATA / "edition.json").read_bytes()),)
"""Those that ship."""
