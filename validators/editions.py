"""Data about editions that every game uses: reports on imports, price lists, and the differences of two editions."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from languages.stated import Said, worded
from languages.words import apart, gettext, noted


@dataclass(frozen=True)
class EditionTitle:
    """An imported edition's id (for addresses), name and date (YYYY-MM-DD); "" takes it from the files."""

    id: str = ""
    name: str = ""
    date: str = ""


@dataclass(frozen=True)
class CostEntry:
    """A cost in an edition: the price list (``kind``), the entry's name, and for a model its faction."""

    kind: str
    name: str
    cost: int
    faction: str = ""

    @property
    def key(self) -> "CostEntry":
        """The entry without its cost, for comparison."""
        return replace(self, cost=0)


@dataclass(frozen=True)
class NewModel:
    """A model to be added to a faction.

    ``carries_as`` is the faction and the name of the model that may carry the same; None: it carries nothing.
    """

    name: str
    faction: str
    cost: int
    unique: bool = False
    heroic: bool = False
    carries_as: tuple[str, str] | None = None


@dataclass(frozen=True)
class Corrections:
    """The corrections that make a new edition from another one: its title, other costs, and a further model."""

    title: EditionTitle
    costs: tuple[CostEntry, ...] = ()
    model: NewModel | None = None


class CorrectionError(Exception):
    """A correction that does not fit the edition.

    ``field`` is the wrong field of the new model: "name", "faction", "cost", "like"; for a cost, ``place`` is its place
    among the costs.
    """

    def __init__(self, message: str, field: str = "", place: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.place = place


@dataclass(frozen=True)
class EditionNote:
    """A note of an import about one entry: its name, a sentence as data, the file and the line (0: no single line).

    ``question`` is the id of the organiser's question to which the note belongs, "" for none; ``models`` are the names
    of the models that an answer concerns.
    """

    name: str
    says: Said
    file: str = ""
    line: int = 0
    question: str = ""
    models: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What it says, in the reader's language; one stored before the languages is English."""
        return worded(self.says)

    @property
    def place(self) -> str:
        """The file and the line; "" if unknown."""
        if not (self.file and self.line):
            return self.file
        return gettext("%(file)s, line %(line)s", file=self.file, line=self.line)


@dataclass(frozen=True)
class EditionQuestion:
    """A question to the organiser about all notes of an import with its id.

    ``answers`` are ids with their labels; the first applies until another is chosen.
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

    readings: tuple[Said, ...] = ()
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
        """The report as stored JSON."""
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
    """A price list: a faction's models, the items of a kind, or the perks. Its title is as printed, or worded."""

    title: str
    rows: tuple[PriceRow, ...]
    note: str = ""
    has: str = noted("May have")
    """The heading of the entries' options."""


def other_names(aliases: Mapping[str, str]) -> PriceList:
    """The list of the other names in an edition, each with the name that it stands for."""
    rows = tuple(PriceRow(other, "", (gettext("read as %(name)s", name=name),)) for other, name in aliases.items())
    return PriceList(gettext("Other names"), rows)


ADDED, REMOVED, FIGURES = noted("added"), noted("removed"), noted("figures")
"""What differs, if it is not one of an entry's facts."""


@dataclass(frozen=True)
class DifferenceRow:
    """One difference: the price list (``kind``), the entry, what differs, and both values; "" for a missing value."""

    kind: str
    name: str
    what: str
    before: str
    after: str
    faction: str = ""


@dataclass(frozen=True)
class EditionDifference:
    """The differences between two editions, in a few sentences and in rows. Without rows, all verdicts are equal."""

    summary: tuple[str, ...]
    rows: tuple[DifferenceRow, ...]


def differences(before: Iterable[PriceList], after: Iterable[PriceList]) -> EditionDifference:
    """The differences between two editions' price lists, row by row."""
    was, now = _row_texts(before), _row_texts(after)
    rows = []
    for kind, name in dict.fromkeys([*was, *now]):
        old, new = was.get((kind, name)), now.get((kind, name))
        if old != new:
            what = ADDED if old is None else REMOVED if new is None else FIGURES
            rows.append(DifferenceRow(kind, name, what, " / ".join(old or ()), " / ".join(new or ())))
    counts = {what: sum(row.what == what for row in rows) for what in (ADDED, REMOVED, FIGURES)}
    text = noted("%(added)s added, %(removed)s removed, %(figures)s changed.")
    return EditionDifference((gettext(text, **counts) if rows else gettext("Nothing differs."),), tuple(rows))


def _row_texts(lists: Iterable[PriceList]) -> dict[tuple[str, str], list[str]]:
    """The costs and notes under each title and name; several if the title lists the name more than once."""
    texts: dict[tuple[str, str], list[str]] = {}
    for price_list in lists:
        for row in (*price_list.rows, PriceRow(gettext("The whole list"), "", (price_list.note,))):
            texts.setdefault((price_list.title, row.name), []).append(apart(filter(None, (row.cost, *row.notes))))
    return texts
