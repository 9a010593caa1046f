"""Editions in and out, as the rest of the service asks for them: from files, and back to the file of an edition."""

import json
from collections.abc import Iterable, Sequence

from validators.battle_mode.catalogues import read as catalogues
from validators.battle_mode.catalogues.report import Note
from validators.battle_mode.edition import Edition, info_of
from validators.battle_mode.edition_file import edition_document, read_edition
from validators.contract import Document, EditionInfo
from validators.editions import EditionNote, EditionReport, EditionTitle


def read_file(data: bytes) -> EditionInfo:
    """The bytes of an edition file to the edition. Raises UnreadableEdition."""
    return info_of(read_edition(data))


def write_file(info: EditionInfo) -> bytes:
    """An edition as its file, one name a line: equal editions have equal files."""
    edition: Edition = info.lists
    return (json.dumps(edition_document(edition), ensure_ascii=False, indent=1) + "\n").encode()


def read_catalogues(files: Sequence[tuple[str, bytes]], title: EditionTitle) -> tuple[Document, EditionReport]:
    """BattleScribe catalogues to the document of an edition file, and the report on it. Raises UnreadableEdition."""
    read = catalogues.import_catalogues(files, title.date, title.id, title.name)
    said = read.report
    return read.document, EditionReport(said.readings, _notes(said.left_out), _notes(said.doubts), said.more)


def _notes(notes: Iterable[Note]) -> tuple[EditionNote, ...]:
    return tuple(EditionNote(note.name, note.says, note.file, note.line) for note in notes)
