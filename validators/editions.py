"""Editions that come from outside, as every game system understands and shows them: part of the contract."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class EditionTitle:
    """What catalogues do not say of themselves: an id for addresses, a name, the day of the lists (YYYY-MM-DD).

    "" leaves it to the files.
    """

    id: str = ""
    name: str = ""
    date: str = ""


@dataclass(frozen=True)
class EditionNote:
    """One note of an import: its name in the file, a sentence, the file and the line (0: no one line).

    ``question`` is the id of the question that it belongs to, "" for none.
    """

    name: str
    says: str
    file: str = ""
    line: int = 0
    question: str = ""

    @property
    def place(self) -> str:
        """Where it stands, "" where that is not known."""
        return f"{self.file}, line {self.line}" if self.file and self.line else self.file


@dataclass(frozen=True)
class EditionQuestion:
    """What the organiser decides once for all notes of an import that belong to it.

    ``answers`` are ids with their words; the first holds until another is chosen.
    """

    id: str
    title: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class EditionReport:
    """What an import of another program's files says of itself.

    ``readings`` say how the files were read as a whole, ``left_out`` what is not in the edition and why, ``doubts``
    what is in it and may be wrong. ``more`` counts the notes that there was no room for. ``origin`` is the same for all
    revisions of the same files. ``answers`` are those of the organiser, by the question's id.
    """

    readings: tuple[str, ...] = ()
    left_out: tuple[EditionNote, ...] = ()
    doubts: tuple[EditionNote, ...] = ()
    more: int = 0
    origin: str = ""
    questions: tuple[EditionQuestion, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)

    def notes_of(self, question: str) -> tuple[EditionNote, ...]:
        """The notes of a question; of "" those of none."""
        return tuple(note for note in (*self.doubts, *self.left_out) if note.question == question)

    def answer_to(self, question: EditionQuestion) -> str:
        """The id of the answer that holds."""
        return self.answers.get(question.id, question.answers[0][0])

    def answered(self, answers: Mapping[str, str]) -> "EditionReport":
        """The report with these answers, without those that no question of it has."""
        known = {question.id: dict(question.answers) for question in self.questions}
        kept = {key: answer for key, answer in answers.items() if answer in known.get(key, ())}
        return replace(self, answers=kept)

    def as_json(self) -> dict[str, Any]:
        """The report as it is stored and printed."""
        return asdict(self)

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> "EditionReport":
        """The report that ``as_json`` wrote."""
        return EditionReport(
            readings=tuple(stored["readings"]),
            left_out=tuple(EditionNote(**note) for note in stored["left_out"]),
            doubts=tuple(EditionNote(**note) for note in stored["doubts"]),
            more=stored["more"],
            origin=stored.get("origin", ""),
            questions=tuple(
                EditionQuestion(one["id"], one["title"], tuple((key, words) for key, words in one["answers"]))
                for one in stored.get("questions", ())
            ),
            answers=stored.get("answers", {}),
        )


@dataclass(frozen=True)
class PriceRow:
    """One entry of a list: its cost in words, what is said of it, and what it may have, by kind."""

    name: str
    cost: str
    notes: tuple[str, ...] = ()
    may_have: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class PriceList:
    """A list to look costs up in: a faction's models, the items of a kind, the perks."""

    title: str
    rows: tuple[PriceRow, ...]
    note: str = ""
    has: str = "May have"
    """What its entries do with what they may have."""


@dataclass(frozen=True)
class DifferenceRow:
    """One thing that is otherwise: of which list, whose, and what it was and is. "" where there is nothing."""

    kind: str
    name: str
    what: str
    before: str
    after: str
    faction: str = ""


@dataclass(frozen=True)
class EditionDifference:
    """What one edition has otherwise than another: in a few sentences, and one by one. No row: no verdict differs."""

    summary: tuple[str, ...]
    rows: tuple[DifferenceRow, ...]


def differences(before: Iterable[PriceList], after: Iterable[PriceList]) -> EditionDifference:
    """What differs in the second lists, row by row."""
    was, now = _said(before), _said(after)
    rows = []
    for kind, name in dict.fromkeys([*was, *now]):
        old, new = was.get((kind, name), ""), now.get((kind, name), "")
        if old != new:
            rows.append(
                DifferenceRow(kind, name, "figures" if old and new else "removed" if old else "added", old, new)
            )
    counts = {what: sum(row.what == what for row in rows) for what in ("added", "removed", "figures")}
    summary = f"{counts['added']} added, {counts['removed']} removed, {counts['figures']} changed."
    return EditionDifference((summary,) if rows else (), tuple(rows))


def _said(lists: Iterable[PriceList]) -> dict[tuple[str, str], str]:
    return {(one.title, row.name): "; ".join((row.cost, *row.notes)) for one in lists for row in one.rows}
