"""A line with names while it is read, and how it asks about what is not plain."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from languages.words import gettext
from validators.battle_mode.imports.names import PARTS, Name, Names
from validators.battle_mode.imports.reading import Cost, Doubt, LineEntry, Option, Row, Unit
from validators.battle_mode.imports.scan import Piece
from validators.battle_mode.imports.unknown import Unknown

MOST_COPIES = 20
"""The most copies of one thing that are read without a question."""
OUT, MANY = "out", "many"
"""Answers that no cost gives: to leave something out, and more copies than are read without a question."""
ENDS, OPENS, CLOSES = ",;|/+", "([{", ")]}"


class ListSoFar(Protocol):
    """What a line needs to know of the list."""

    names: Names
    faction: str
    unknown: Unknown
    cards: list[tuple[Row, LineEntry, Unit | None]]

    @property
    def owner(self) -> Unit | None: ...

    def begin(self, row: Row, model: LineEntry) -> Unit: ...


@dataclass(eq=False)
class PastedLine:
    """One line with names, and how far it is read. Filled while reading."""

    so_far: ListSoFar
    row: Row
    pieces: list[Piece]
    head: Unit | None = None
    """The model on this line."""
    last: LineEntry | None = None
    host: LineEntry | None = None
    """The item whose mods follow."""
    copies: int | None = None
    """The number before a name that is still to come; ``is_sure``: it says that it counts, ``is_cost``: it may not."""
    is_sure: bool = False
    is_cost: bool = False
    groups: int = 0
    sep: str = "start"
    """The separator since the last name; "" for none."""
    brackets: int = 0
    is_without: bool = False
    after_role: bool = False
    after_with: bool = False
    is_lone_guess: bool = False
    """Whether the model is guessed from a single word."""
    roles: set[str] = field(default_factory=set)
    slashed: list[LineEntry] = field(default_factory=list)
    plural: Unit | None = None
    """The model that is named in the plural, without a number so far."""
    either: list[tuple[str, int]] = field(default_factory=list)
    """Signs between what is meant and what is not, and how many parts stand before them."""
    odd: list[str] = field(default_factory=list)

    @property
    def unit(self) -> Unit | None:
        return self.head or self.so_far.owner

    @property
    def is_empty(self) -> bool:
        return self.head is None and not self.row.parts

    def piece(self, at: int) -> Piece | None:
        return self.pieces[at] if 0 <= at < len(self.pieces) else None

    def is_own(self, model: str) -> bool:
        return model in self.so_far.names.models_of(self.so_far.faction)

    def take_copies(self) -> int | None:
        copies, self.copies = self.copies, None
        return copies

    def doubt(self, sentence: str, *options: Option, must_ask: bool = False, unit: Unit | None = None) -> Doubt:
        doubt = Doubt(self.row.number, sentence, options, must_ask=must_ask)
        self.row.doubts.append(doubt)
        if owner := unit or self.unit:
            owner.doubts.append(doubt)
        return doubt

    def ask(self, written: str, names: Sequence[Name] = (), sentence: str = "") -> None:
        """What is "written"? The names are offered, and to leave it out."""
        copies, unit = self.take_copies(), self.unit
        options = [Option(OUT, gettext("Ignore “%(words)s”", words=written[:40]))]
        models = [name for name in names if name.sort == "model"]
        if offered := models or (names if unit else ()):
            entry = LineEntry(offered[0].sort, offered[0].name, self.row.number, copies, is_out=True)
            if models:
                begun = self.so_far.begin(self.row, entry)
                self.head = self.head or begun
            elif unit:
                unit.parts.append(entry)
            for name in offered:
                buys = ((entry, "is_out", False), (entry, "name", name.name), (entry, "sort", name.sort))
                options.append(Option(name.name, name.name, buys))
            self.last = entry
        self.doubt(sentence or what_is(written), *options, must_ask=True)
        self.sep = self.sep or " "

    def ask_whether(self, entry: LineEntry, written: str) -> None:
        """Is this entry meant? Until that is answered, it is not bought."""
        entry.is_out = True
        buy = Option(entry.name, entry.name, ((entry, "is_out", False),))
        self.doubt(what_is(written), Option(OUT, gettext("Leave it out")), buy, must_ask=True)

    def has_once(self, entry: LineEntry) -> bool:
        """Whether a model has this once: a perk, a weapon to hold, armour, not a grenade or a chem."""
        item = self.so_far.names.edition.items.find(entry.name) if entry.sort == "item" else None
        return item is None or (item.category != "Items" and item.kind not in ("Thrown", "Mines"))

    def give(self, unit: Unit, role: str) -> None:
        self.after_role = role == "leader"
        if role == "leader":
            unit.leader = True
        else:
            self.last = LineEntry("heroic", "Heroic", self.row.number)
            unit.parts.append(self.last)
            self.row.parts.append(self.last)

    def add_cost(
        self, unit: Unit, entry: LineEntry, value: int, *, is_on: bool = True, may_be_whole: bool = True
    ) -> Cost:
        cost = Cost(entry, value, self.row.number, is_on, may_be_whole)
        unit.costs.append(cost)
        return cost


def what_is(written: str) -> str:
    return gettext("What is “%(words)s”?", words=written[:60])


def copies_of(number: int, entry: LineEntry, *more: tuple[object, str, object], key: str = "copies") -> Option:
    """The answer that there are so many of this entry."""
    return Option(key, f"{number} × {entry.name}", ((entry, "copies", min(number, 99)), *more))


def has_part(piece: Piece | None) -> bool:
    return piece is not None and piece.kind == "name" and any(name.sort in PARTS for name in piece.names)


def is_only_heading(piece: Piece) -> bool:
    return piece.kind == "name" and all(name.sort in ("faction", "kind") for name in piece.names)
