"""Editions of skill combat: the schema of their file, lookup by name, price lists, and the parts of the body."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from languages.words import N_, gettext, ngettext
from validators.contract import EditionInfo
from validators.edition_file import (
    Aliases,
    HeadOfEdition,
    Name,
    alias_faults,
    duplicates,
    info_of,
    names_in,
    shaped_edition,
    unknown_name,
)
from validators.editions import PriceList, PriceRow, other_names
from validators.faults import Fault, above, below
from validators.kit.shapes import Part
from validators.names import ByName, by_name, name_table
from validators.sheet import copies

DATA = Path(__file__).parent / "data"
SPECIAL = ("STR", "PE", "EN", "CH", "IN", "AG", "LK")
"""The seven attributes, as the document spells them."""
Attribute = Literal["STR", "PE", "EN", "CH", "IN", "AG", "LK"]
Bonus = Annotated[int, Field(ge=0, le=100)]


class Named(Part, frozen=True):
    name: Name


class Skill(Named, frozen=True):
    """A skill; it starts at the sum of the attributes in ``of``, each times its factor. Empty if none is printed."""

    of: dict[Attribute, Annotated[int, Field(ge=1, le=20)]] = Field(default={})

    def __hash__(self) -> int:
        return hash(self.name)


class WeaponFigures(Part):
    """A weapon's range in hexes, ``volatility`` in per cent a hex, and as ``stat`` the attribute that a critical adds.

    A burst weapon does ``damage`` with each of its ``bullets`` and has no extra damage. ``ap`` 0 is not printed.
    """

    skill: Name
    mode: Literal["quick", "burst"]
    stat: Attribute
    range: int = Field(ge=0, le=200, title=N_("Range, hexes"))
    volatility: int = Field(default=0, ge=0, le=50, title=N_("Volatility, % a hex"))
    damage: int = Field(ge=0, le=500, title=N_("Damage"))
    extra: Bonus = Field(default=0, title=N_("Extra damage"))
    ap: int = Field(default=0, ge=0, le=50, title=N_("AP"))
    aim_ap: int = Field(default=0, ge=0, le=50, title=N_("AP more to aim"))
    bullets: int = Field(default=0, ge=0, le=200, title=N_("Bullets in a burst"))


class Weapon(WeaponFigures, Named, frozen=True):
    pass


class ArmourFigures(Part):
    """A suit's bonuses on the armour, detection and judgment classes, and the per cent of damage that it absorbs."""

    ac: Bonus = Field(title=N_("Armor class"))
    dc: Bonus = Field(default=0, title=N_("Detection class"))
    jc: Bonus = Field(default=0, title=N_("Judgment class"))
    resistance: Bonus = Field(default=0, title=N_("Resists, %"))


class Armour(ArmourFigures, Named, frozen=True):
    pass


class Bounds(Part):
    least: Annotated[int, Field(ge=0, le=99)]
    most: Annotated[int, Field(ge=1, le=99)]


class EditionFile(HeadOfEdition):
    system: Literal["skill_combat"]
    date: str = Field(pattern=r"^(\d{4}-[01]\d-[0-3]\d|undated)$")
    points_a_character: Annotated[int, Field(ge=7, le=693)]
    attribute: Bounds
    origins: list[Name] = Field(min_length=1, max_length=60)
    skills: list[Skill] = Field(min_length=1, max_length=60)
    weapons: list[Weapon] = Field(max_length=300)
    armour: list[Armour] = Field(max_length=100)
    items: list[Name] = Field(max_length=300)
    aliases: Aliases = Field(default={})


def faults_of(file: EditionFile) -> Iterator[Fault]:
    named = ("origins", "skills", "weapons", "armour", "items")
    yield from duplicates(file, *named)
    yield from alias_faults(file.aliases, [name for field in named for name in names_in(getattr(file, field))])
    skills = {skill.name for skill in file.skills}
    for place, weapon in enumerate(file.weapons):
        if weapon.skill not in skills:
            yield Fault(("weapons", place, "skill"), unknown_name(weapon.skill, skills, "skills"))
        if weapon.mode == "burst" and not weapon.bullets:
            yield Fault(("weapons", place, "bullets"), below(0, 1))
    if file.attribute.least > file.attribute.most:
        yield Fault(("attribute", "least"), above(file.attribute.least, file.attribute.most))
    elif not file.attribute.least * 7 <= file.points_a_character:
        yield Fault(("points_a_character",), below(file.points_a_character, 7 * file.attribute.least))


@dataclass(frozen=True)
class Edition:
    """An edition file with lookup by name."""

    file: EditionFile
    skills: ByName[Skill]
    weapons: ByName[Weapon]
    armour: ByName[Armour]
    items: ByName[str]
    origins: ByName[str]


@dataclass(frozen=True)
class Health:
    """How the HP of a part of the body are calculated: a share of EN and a share of HP, each rounded up or down."""

    en: tuple[int, int]
    en_up: bool
    hp: int
    hp_up: bool


@dataclass(frozen=True)
class BodyPart:
    """A region of the body (``region`` "") or a part of one, with the penalty (``aim``) and bonus of aiming at it.

    It is crippled when it has lost its HP, with ``over`` when it has lost more; a region also when ``falls`` of its
    parts have no HP left (0: never).
    """

    name: str
    region: str
    many: int
    aim: int
    damage: int
    health: Health
    crippled: str
    over: bool = False
    falls: int = 0


BODY = TypeAdapter(tuple[BodyPart, ...]).validate_json((DATA / "body.json").read_bytes())
"""Every region, each followed by its parts."""
PARTS = {part.name: part for part in BODY}


def read_edition(data: bytes) -> EditionInfo:
    file = shaped_edition(data, EditionFile, faults_of)
    skills, armour = by_name(file.skills, file.aliases), by_name(file.armour, file.aliases)
    items, origins = name_table(file.items, file.aliases), name_table(file.origins, file.aliases)
    edition = Edition(file, skills, by_name(file.weapons, file.aliases), armour, items, origins)
    names = (("Weapons", file.weapons), ("Armour", file.armour), ("Items", file.items))
    return info_of(file, edition, file.origins, names)


EDITIONS: tuple[EditionInfo, ...] = (read_edition((DATA / "edition.json").read_bytes()),)
"""The shipped editions."""


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    edition: Edition = info.lists
    suits = (
        PriceRow(
            suit.name,
            "–",
            (f"AC {suit.ac}, DC {suit.dc}, JC {suit.jc}", gettext("resistance %(n)s %%", n=suit.resistance)),
        )
        for suit in edition.file.armour
    )
    attributes = (
        PriceRow(
            gettext("An attribute"),
            gettext("%(first)s to %(last)s", first=edition.file.attribute.least, last=edition.file.attribute.most),
        ),
        PriceRow(gettext("A character, advised"), str(edition.file.points_a_character)),
    )
    lists = (
        PriceList(gettext("Weapons"), tuple(PriceRow(w.name, "–", _weapon(w)) for w in edition.file.weapons), _FREE),
        PriceList(gettext("Armour"), tuple(suits)),
        PriceList(gettext("Items"), tuple(PriceRow(item, "–") for item in edition.file.items)),
        PriceList(
            gettext("Skills"), tuple(PriceRow(skill.name, "–", (_start(skill),)) for skill in edition.file.skills)
        ),
        PriceList(gettext("Attributes"), attributes),
        PriceList(gettext("Origins"), tuple(PriceRow(origin, "–") for origin in edition.file.origins)),
        other_names(edition.file.aliases),
    )
    return tuple(price_list for price_list in lists if price_list.rows)


_FREE = N_("A weapon costs nothing; a character counts its attributes.")


MODES = {"quick": N_("quick"), "burst": N_("burst")}
"""How a weapon attacks, besides aimed shots."""


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    damage = f"{weapon.damage} + {weapon.extra}" if weapon.extra else weapon.damage
    burst = N_("%(bullets)s bullets of %(damage)s, a critical adds %(stat)s")
    text = burst if weapon.mode == "burst" else N_("damage %(damage)s, a critical adds %(stat)s")
    aimed = N_("%(ap)s AP, %(aim)s more to aim")
    return (
        f"{weapon.skill}, {gettext(MODES[weapon.mode])}",
        ngettext(
            "range %(num)s hex, volatility %(n)s %%",
            "range %(num)s hexes, volatility %(n)s %%",
            weapon.range,
            n=weapon.volatility,
        ),
        gettext(text, bullets=weapon.bullets, damage=damage, stat=weapon.stat),
        gettext(aimed, ap=weapon.ap, aim=weapon.aim_ap) if weapon.ap else gettext("AP not printed"),
    )


def _start(skill: Skill) -> str:
    parts = [copies(times, name) for name, times in skill.of.items()]
    if not parts:
        return gettext("no start is printed: it brings its value")
    return gettext("starts at %(sum)s", sum=" + ".join(parts))
