"""Editions in and out: those that ship, from a file, and back to a file."""

from pathlib import Path

from validators.contract import Document, EditionInfo, UnreadableEdition
from validators.edition_file import shaped_edition, written
from validators.editions import EditionReport, EditionTitle
from validators.fallout_warfare.edition import Edition, faults_of

DATA = Path(__file__).parent / "data"


def import_edition(data: bytes) -> EditionInfo:
    """The bytes of an edition file to the edition. Raises UnreadableEdition."""
    return info_of(shaped_edition(data, Edition, faults_of))


def info_of(edition: Edition) -> EditionInfo:
    """An edition as the rest of the service knows it."""
    return EditionInfo(
        id=edition.id,
        name=edition.name,
        date=edition.date,
        source=edition.source,
        factions=edition.fielded,
        names=edition.names,
        lists=edition,
        partial=edition.partial,
        notes=tuple(edition.notes),
    )


def edition_file(info: EditionInfo) -> bytes:
    """An edition as its file, one entry a line: equal editions have equal files."""
    edition: Edition = info.lists
    return written(edition.model_dump(mode="json"))


def import_catalogues(files: object, title: EditionTitle) -> tuple[Document, EditionReport]:
    """No other program has catalogues of this game: always raises UnreadableEdition, with what to do instead."""
    raise UnreadableEdition(
        "There are no catalogues of other programs for Fallout: Warfare. Take the edition file from the page of these "
        "lists, change its figures, and upload that."
    )


EDITIONS: tuple[EditionInfo, ...] = tuple(import_edition(path.read_bytes()) for path in DATA.glob("edition_*.json"))
"""Those that ship; data/SOURCES.md says where their figures are from."""
