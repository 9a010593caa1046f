"""Editions of the SNAFU game: the schema of their file, lookup by name, and price lists."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

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
from validators.faults import Fault, above
from validators.kit.shapes import Part
from validators.names import ByName, by_name, name_table
from validators.sheet import read_reference

SCORES = ("strength", "perception", "endurance", "charisma", "intelligence", "agility", "luck")
"""The seven scores of a model, in the order of their letters."""
LIMITED = (N_("strength"), N_("agility"))
"""The scores with a limited table of rolls. The document limits no other (Stats)."""

Figure = Annotated[int, Field(ge=0, le=99)]


class Detection(Part):
    """Inches of detection: the base, and for each point of Perception."""

    base: Figure
    each: Figure


class SquadClass(Part, frozen=True):
    """A class of squads; ``marker_detects`` in inches."""

    name: Name
    markers: Annotated[int, Field(ge=1, le=20)]
    marker_detects: Figure


class Weapon(Part, frozen=True):
    """A weapon of the armoury, within the bounds of a player's own; ``range`` in inches, 0 in the hand."""

    name: Name
    kind: Literal["ranged", "melee"]
    attacks: Annotated[int, Field(ge=1, le=20)]
    armour_penetration: Annotated[int, Field(ge=0, le=20)]
    fire_power: Annotated[int, Field(ge=0, le=20)]
    range: Figure = 0
    strength: Figure = 0
    energy: bool = False
    assault: bool = False

    @property
    def ranged(self) -> bool:
        return self.kind == "ranged"

    @property
    def figures(self) -> str:
        """Its figures in the document's short forms: "A 2, AP 1, FP 1, EF 10\"; Strength 1, energy"."""
        figures = [f"A {self.attacks}", f"AP {self.armour_penetration}", f"FP {self.fire_power}"]
        figures += [f"EF {self.range}″"] if self.ranged else []
        return ", ".join(figures) + (f"; {self.needs}" if self.needs else "")

    @property
    def needs(self) -> str:
        """Its required Strength and its properties: "Strength 1, energy"."""
        strength = f"Strength {self.strength}" if self.strength else ""
        return ", ".join(filter(None, (strength, gettext("energy") * self.energy, "Assault" * self.assault)))


class Profile(Part):
    """A model to start from: the seven scores in the order of their letters, and weapons of the armoury."""

    name: Name
    special: list[Figure] = Field(min_length=7, max_length=7)
    weapons: list[Name] = Field(default=[], max_length=12)

    def line(self, count: int) -> dict[str, Any]:
        """A force document's line with this many of it."""
        special = dict(zip(SCORES, self.special, strict=True))
        return {"name": self.name, "count": count, "special": special, "weapons": list(self.weapons)}


class EditionFile(HeadOfEdition):
    system: Literal["new_vegas"]
    factions: list[Name] = Field(min_length=1, max_length=60)
    highest_score: Annotated[int, Field(ge=1, le=99)]
    """The highest Strength and Agility: the end of their tables."""
    detection: Detection
    classes: list[SquadClass] = Field(min_length=1, max_length=40)
    weapons: list[Weapon] = Field(max_length=300)
    profiles: list[Profile] = Field(max_length=200)
    aliases: Aliases = Field(default={})


def faults_of(file: EditionFile) -> Iterator[Fault]:
    named = ("factions", "classes", "weapons", "profiles")
    yield from duplicates(file, *named)
    yield from alias_faults(file.aliases, [name for field in named for name in names_in(getattr(file, field))])
    armoury = by_name(file.weapons)
    for place, profile in enumerate(file.profiles):
        for at, (score, value) in enumerate(zip(SCORES, profile.special, strict=True)):
            if score in LIMITED and value > file.highest_score:
                yield Fault(("profiles", place, "special", at), above(value, file.highest_score))
        for at, name in enumerate(profile.weapons):
            weapon = armoury.find(name)
            if weapon is None:
                yield Fault(("profiles", place, "weapons", at), unknown_name(name, names_in(file.weapons), "weapons"))
            elif weapon.strength > profile.special[0]:
                needs = gettext("%(weapon)s needs Strength %(n)s", weapon=name, n=weapon.strength)
                yield Fault(("profiles", place, "weapons", at), needs)
    for place, weapon in enumerate(file.weapons):
        if weapon.strength > file.highest_score:
            yield Fault(("weapons", place, "strength"), above(weapon.strength, file.highest_score))


@dataclass(frozen=True)
class Edition:
    """An edition file with lookup by name."""

    file: EditionFile
    classes: ByName[SquadClass]
    weapons: ByName[Weapon]
    factions: ByName[str]
    profiles: ByName[Profile]


def read_edition(data: bytes) -> EditionInfo:
    file = shaped_edition(data, EditionFile, faults_of)
    classes, weapons = by_name(file.classes, file.aliases), by_name(file.weapons, file.aliases)
    factions, profiles = name_table(file.factions, file.aliases), by_name(file.profiles, file.aliases)
    edition = Edition(file, classes, weapons, factions, profiles)
    names = ((N_("Classes of squads"), file.classes), ("Weapons", file.weapons))
    return info_of(file, edition, file.factions, names)


DATA = Path(__file__).parent / "data"
REFERENCE = read_reference(DATA)
"""The reference sheet, of which own sheets repeat sentences."""
EDITIONS: tuple[EditionInfo, ...] = (read_edition((DATA / "edition_snafu.json").read_bytes()),)
"""The shipped editions."""


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    edition: Edition = info.lists
    file = edition.file
    profiles = tuple(
        PriceRow(p.name, str(sum(p.special)), (f"SPECIAL {' '.join(map(str, p.special))}", *p.weapons))
        for p in edition.profiles.values()
    )
    classes = tuple(
        PriceRow(
            c.name,
            "–",
            (
                ngettext("%(num)s force marker", "%(num)s force markers", c.markers),
                gettext("a marker detects at %(inches)s″", inches=c.marker_detects),
            ),
        )
        for c in edition.classes.values()
    )
    each = N_("%(base)s″, and %(each)s″ for each point of Perception")
    inches = gettext(each, base=file.detection.base, each=file.detection.each)
    detection = PriceRow(gettext("Detection"), "–", (inches,))
    ranged = tuple(PriceRow(w.name, "–", (w.figures,)) for w in edition.weapons.values() if w.ranged)
    melee = tuple(PriceRow(w.name, "–", (w.figures,)) for w in edition.weapons.values() if not w.ranged)
    lists = (
        PriceList(gettext("Ranged weapons"), ranged, _FREE),
        PriceList(gettext("Weapons for close combat"), melee, _FREE),
        PriceList(gettext("Models to start from"), profiles, N_("Every score can be changed in the builder.")),
        PriceList(gettext("Classes of squads"), classes),
        PriceList(
            gettext("Scores"), (PriceRow(gettext("Highest Strength and Agility"), str(file.highest_score)), detection)
        ),
        PriceList(gettext("Factions"), tuple(PriceRow(name, "–") for name in edition.factions.values())),
        other_names(file.aliases),
    )
    return tuple(price_list for price_list in lists if price_list.rows)


_FREE = N_("A weapon costs nothing; a model counts its scores.")
