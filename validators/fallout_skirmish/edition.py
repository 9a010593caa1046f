"""Editions of the Fallout Skirmish force lists, looked up by name, and as files."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from validators.contract import Document, EditionInfo, UnreadableEdition
from validators.edition_file import shaped_edition
from validators.editions import EditionReport, EditionTitle
from validators.fallout_skirmish.edition_shape import EditionFile, ForceRow, ItemGroup, ItemRow, RankRow, faults_of
from validators.names import fold

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Item:
    """An item with the kind that it is of."""

    row: ItemRow
    group: ItemGroup


@dataclass(frozen=True)
class Edition:
    """An edition as its file holds it, with everything found by its name whatever the case and spacing."""

    file: EditionFile

    @cached_property
    def forces(self) -> Mapping[str, ForceRow]:
        """Every force by its folded name."""
        return {fold(force.name): force for force in self.file.forces}

    @cached_property
    def items(self) -> Mapping[str, Item]:
        """Every item by its folded name."""
        return {fold(row.name): Item(row, group) for group in self.file.items for row in group.rows}

    @cached_property
    def prices(self) -> Mapping[str, Mapping[str, int]]:
        """What stands on each force's lists, by the force's name and the folded name of the thing."""
        return {
            force.name: {fold(name): caps for name, caps in force.weapons.items()}
            | {fold(row.name): row.caps for row in force.armour}
            for force in self.file.forces
        }

    def force(self, name: str) -> ForceRow | None:
        """The force of this name."""
        return self.forces.get(fold(name))

    def rank(self, name: str, force: str) -> tuple[RankRow, ForceRow] | None:
        """The rank of this name in this force, else in the first other that has it by its first name."""
        own = self.force(force)
        if own and (rank := own.rank(name)):
            return rank, own
        others = ((rank, one) for one in self.file.forces for rank in one.ranks)
        return next((found for found in others if fold(found[0].name) == fold(name)), None)

    def item(self, name: str) -> Item | None:
        """The item of this name."""
        return self.items.get(fold(name))

    def open_to_all(self, name: str) -> int | None:
        """How many of what has this name every group may have; None for what stands on lists only."""
        return next((most for known, most in self.file.open_to_all.items() if fold(known) == fold(name)), None)

    def turf(self, name: str) -> str | None:
        """The name of a turf as the edition spells it."""
        return next((turf.name for turf in self.file.turfs if fold(turf.name) == fold(name)), None)

    def perk(self, name: str) -> str | None:
        """The name of a perk as the edition spells it."""
        return next((perk for perk in self.file.perks if fold(perk) == fold(name)), None)


def info_of(edition: Edition) -> EditionInfo:
    """An edition as the rest of the service knows it."""
    file = edition.file
    return EditionInfo(
        id=file.id,
        name=file.name,
        date=file.date,
        source=file.source,
        factions=tuple(force.name for force in file.forces),
        names=(
            ("Ranks", tuple(sorted({rank.name for force in file.forces for rank in force.ranks}))),
            ("Weapons", _names(group for group in file.items if group.columns and not group.armour)),
            ("Armor", _names(group for group in file.items if group.armour)),
            ("Items", _names(group for group in file.items if not group.columns)),
        ),
        lists=edition,
        partial=file.partial,
        notes=tuple(file.notes),
    )


def _names(groups: Iterable[ItemGroup]) -> tuple[str, ...]:
    return tuple(sorted(row.name for group in groups for row in group.rows))


def import_edition(data: bytes) -> EditionInfo:
    """The bytes of an edition file to the edition. Raises UnreadableEdition."""
    return info_of(Edition(shaped_edition(data, EditionFile, faults_of)))


def edition_file(info: EditionInfo) -> bytes:
    """An edition as its file; equal editions have equal files."""
    edition: Edition = info.lists
    document = edition.file.model_dump(by_alias=True, exclude_defaults=True)
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def import_catalogues(files: Sequence[tuple[str, bytes]], title: EditionTitle) -> tuple[Document, EditionReport]:
    """No other program's catalogues of this game are known: raises UnreadableEdition, which says so."""
    raise UnreadableEdition(
        "no program's catalogues of Fallout Skirmish are known; send an edition file of this service"
    )


EDITIONS: tuple[EditionInfo, ...] = tuple(import_edition(path.read_bytes()) for path in DATA.glob("edition_*.json"))
"""Those that ship; data/SOURCES.md says where their figures are from."""
