"""Imported editions, as every game system reads and shows them: part of the contract."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter


@dataclass(frozen=True)
class EditionTitle:
    """What catalogues do not contain: an id for addresses, a name, the lists' date (YYYY-MM-DD).

    "" takes it from the files.
    """

    id: str = ""
    name: str = ""
    date: str = ""


@dataclass(frozen=True)
class EditionNote:
    """One note of an import: its name in the file, a sentence, the file and the line (0: no single line).

    ``question`` is the id of the question that it belongs to, "" for none.
    """

    name: str
    says: str
    file: str = ""
    line: int = 0
    question: str = ""

    @property
    def place(self) -> str:
        """Its place in the file; "" if unknown."""
        return f"{self.file}, line {self.line}" if self.file and self.line else self.file


@dataclass(frozen=True)
class EditionQuestion:
    """One decision by the organiser for all notes of an import that belong to it.

    ``answers`` are ids with their words; the first applies until another is chosen.
    """

    id: str
    title: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class EditionReport:
    """The report on an import of another program's files.

    ``readings`` say how the files were read as a whole, ``left_out`` what is missing from the edition and why,
    ``doubts`` what is in it and may be wrong. ``more`` counts the notes beyond the limit. ``origin`` is the same for
    all revisions of the same files. ``answers`` are the organiser's, by question id.
    """

    readings: tuple[str, ...] = ()
    left_out: tuple[EditionNote, ...] = ()
    doubts: tuple[EditionNote, ...] = ()
    more: int = 0
    origin: str = ""
    questions: tuple[EditionQuestion, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)

    def notes_of(self, question: str) -> tuple[EditionNote, ...]:
        """The notes of a question; for "" those without one."""
        return tuple(note for note in (*self.doubts, *self.left_out) if note.question == question)

    def answer_to(self, question: EditionQuestion) -> str:
        """The id of the answer that applies."""
        return self.answers.get(question.id, question.answers[0][0])

    def answered(self, answers: Mapping[str, str]) -> "EditionReport":
        """The report with these answers, ignoring those of unknown questions."""
        known = {question.id: dict(question.answers) for question in self.questions}
        kept = {key: answer for key, answer in answers.items() if answer in known.get(key, ())}
        return replace(self, answers=kept)

    def as_json(self) -> dict[str, Any]:
        """The report as it is stored and printed."""
        return asdict(self)

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> "EditionReport":
        """The report that ``as_json`` wrote."""
        return _REPORT.validate_python(stored)


_REPORT = TypeAdapter(EditionReport)


@dataclass(frozen=True)
class PriceRow:
    """One entry of a price list: its cost in words, remarks, and its options by kind."""

    name: str
    cost: str
    notes: tuple[str, ...] = ()
    may_have: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class PriceList:
    """A price list: a faction's models, the items of a kind, or the perks."""

    title: str
    rows: tuple[PriceRow, ...]
    note: str = ""
    has: str = "May have"
    """What entries do with their options."""


@dataclass(frozen=True)
class DifferenceRow:
    """One difference: its list, its owner, the old value and the new one; "" for a missing value."""

    kind: str
    name: str
    what: str
    before: str
    after: str
    faction: str = ""


@dataclass(frozen=True)
class EditionDifference:
    """The differences of one edition from another, as a few sentences and in rows. No rows: no verdict differs."""

    summary: tuple[str, ...]
    rows: tuple[DifferenceRow, ...]


def differences(before: Iterable[PriceList], after: Iterable[PriceList]) -> EditionDifference:
    """The differences of the second lists, row by row."""
    was, now = _said(before), _said(after)
    rows = []
    for kind, name in dict.fromkeys([*was, *now]):
        old, new = was.get((kind, name)), now.get((kind, name))
        if old != new:
            what = "added" if old is None else "removed" if new is None else "figures"
            rows.append(DifferenceRow(kind, name, what, " / ".join(old or ()), " / ".join(new or ())))
    counts = {what: sum(row.what == what for row in rows) for what in ("added", "removed", "figures")}
    summary = f"{counts['added']} added, {counts['removed']} removed, {counts['figures']} changed."
    return EditionDifference((summary if rows else "Nothing differs.",), tuple(rows))


def _said(lists: Iterable[PriceList]) -> dict[tuple[str, str], list[str]]:
    """What the lists say of each name, once for each time that it stands under one title."""
    said: dict[tuple[str, str], list[str]] = {}
    for one in lists:
        for row in (*one.rows, PriceRow("The whole list", "", (one.note,))):
            said.setdefault((one.title, row.name), []).append("; ".join(filter(None, (row.cost, *row.notes))))
    return said
