"""The figures of the game as data: classes of squads, what Perception adds, the armoury."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validators.contract import Document, EditionInfo, UnreadableEdition
from validators.edition_file import shaped_edition, written
from validators.editions import EditionReport, EditionTitle
from validators.names import fold
from validators.new_vegas.edition_shape import EditionFile, faults_of

DATA = Path(__file__).parent / "data"
SCORES = ("strength", "perception", "endurance", "charisma", "intelligence", "agility", "luck")
"""The seven scores of a model, in the order of their letters."""


@dataclass(frozen=True)
class SquadClass:
    """A class of squads: its force markers, and from how many inches such a marker detects other markers."""

    name: str
    markers: int
    marker_detects: int


@dataclass(frozen=True)
class Weapon:
    """A weapon's printed figures; ``range`` is its effective range in inches, 0 in the hand."""

    name: str
    kind: str
    """ "melee" or "ranged"."""
    attacks: int
    armour_penetration: int
    fire_power: int
    range: int = 0
    strength: int = 0
    """The least Strength that wields it."""
    energy: bool = False
    assault: bool = False
    own: bool = False
    """Brought by the player, with figures that no edition has."""

    @property
    def ranged(self) -> bool:
        """It is fired."""
        return self.kind == "ranged"

    @property
    def figures(self) -> str:
        """Its figures in the document's short forms: "A 2, AP 1, FP 1, EF 10\"; Strength 1, energy"."""
        told = [f"A {self.attacks}", f"AP {self.armour_penetration}", f"FP {self.fire_power}"]
        told += [f"EF {self.range}″"] if self.ranged else []
        needs = [f"Strength {self.strength}"] if self.strength else []
        needs += ["energy"] if self.energy else []
        needs += ["Assault"] if self.assault else []
        return ", ".join(told) + (f"; {', '.join(needs)}" if needs else "")


@dataclass(frozen=True)
class Profile:
    """A model to start from in the builder: scores in the order of ``SCORES``, and weapons."""

    name: str
    special: tuple[int, ...]
    weapons: tuple[str, ...]

    def line(self, count: int) -> dict[str, Any]:
        """So many of it, as a force document holds them."""
        special = dict(zip(SCORES, self.special, strict=True))
        return {"name": self.name, "count": count, "special": special, "weapons": list(self.weapons)}


@dataclass(frozen=True)
class Edition:
    """An edition of the game's figures; classes, weapons and factions by their folded names."""

    id: str
    name: str
    highest_score: int
    detection_base: int
    detection_each: int
    classes: Mapping[str, SquadClass]
    weapons: Mapping[str, Weapon]
    factions: Mapping[str, str]
    profiles: Mapping[str, Profile]
    document: Mapping[str, Any] = field(repr=False)
    """Its file's."""

    def squad_class(self, name: str) -> SquadClass | None:
        """The class of this name, however it is spelt."""
        return self.classes.get(fold(name))

    def weapon(self, name: str) -> Weapon | None:
        """The armoury's weapon of this name."""
        return self.weapons.get(fold(name))


def import_edition(data: bytes) -> EditionInfo:
    """The bytes of an edition file to the edition, ``lists`` its ``Edition``. Raises UnreadableEdition."""
    raw = shaped_edition(data, EditionFile, faults_of).model_dump(mode="json")
    edition = Edition(
        id=raw["id"],
        name=raw["name"],
        highest_score=raw["highest_score"],
        detection_base=raw["detection"]["base"],
        detection_each=raw["detection"]["each"],
        classes={fold(part["name"]): SquadClass(**part) for part in raw["classes"]},
        weapons={fold(part["name"]): Weapon(**part) for part in raw["weapons"]},
        factions={fold(name): name for name in raw["factions"]},
        document=raw,
        profiles={
            fold(part["name"]): Profile(part["name"], tuple(part["special"]), tuple(part["weapons"]))
            for part in raw["profiles"]
        },
    )
    return EditionInfo(
        id=edition.id,
        name=edition.name,
        date=raw["date"],
        source=raw["source"],
        factions=tuple(raw["factions"]),
        names=(
            ("Classes of squads", tuple(part["name"] for part in raw["classes"])),
            ("Weapons", tuple(part["name"] for part in raw["weapons"])),
        ),
        lists=edition,
        partial=raw["partial"],
        notes=tuple(raw["notes"]),
    )


def edition_file(info: EditionInfo) -> bytes:
    """An edition as its file."""
    edition: Edition = info.lists
    return written(edition.document)


def import_catalogues(files: object, title: EditionTitle) -> tuple[Document, EditionReport]:
    """No other program has catalogues of this game: always raises UnreadableEdition, with what to do instead."""
    raise UnreadableEdition(
        "There are no catalogues of other programs for the New Vegas game. Take the edition file from the page of its "
        "armoury, change its figures, and upload that."
    )


EDITIONS: tuple[EditionInfo, ...] = (import_edition((DATA / "edition_snafu.json").read_bytes()),)
"""Those that ship."""
