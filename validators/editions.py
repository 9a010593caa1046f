"""Data about editions that every game uses: corrections, price lists, and the differences of two editions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from languages.words import N_, apart, gettext


@dataclass(frozen=True)
class EditionTitle:
    """An imported edition's id (for addresses), name and date (YYYY-MM-DD); "" takes it from the file."""

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
    has: str = N_("May have")
    """The heading of the entries' options."""


def other_names(aliases: Mapping[str, str]) -> PriceList:
    """The list of the other names in an edition, each with the name that it stands for."""
    rows = tuple(PriceRow(other, "", (gettext("read as %(name)s", name=name),)) for other, name in aliases.items())
    return PriceList(gettext("Other names"), rows)


ADDED, REMOVED, FIGURES = N_("added"), N_("removed"), N_("figures")
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
    text = N_("%(added)s added, %(removed)s removed, %(figures)s changed.")
    return EditionDifference((gettext(text, **counts) if rows else gettext("Nothing differs."),), tuple(rows))


def _row_texts(lists: Iterable[PriceList]) -> dict[tuple[str, str], list[str]]:
    """The costs and notes under each title and name; several if the title lists the name more than once."""
    texts: dict[tuple[str, str], list[str]] = {}
    for price_list in lists:
        for row in (*price_list.rows, PriceRow(gettext("The whole list"), "", (price_list.note,))):
            texts.setdefault((price_list.title, row.name), []).append(apart(filter(None, (row.cost, *row.notes))))
    return texts
