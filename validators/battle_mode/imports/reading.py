"""What was made of the lines of a list so far: units of equal models with their parts, and what is in doubt.

A doubt has options; an option sets fields. A *view* is a choice of options: the fields that they set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validators.battle_mode.imports.names import Sort
from validators.battle_mode.imports.written import Written
from validators.contract import LineState


@dataclass(eq=False)
class LineEntry:
    """A model or a part as a line names it. ``copies`` None: the line says no number."""

    sort: Sort
    name: str
    line: int
    copies: int | None = None
    groups: int = 0
    """How many of several models have it, one after the other; 0: each."""
    each: bool = False
    """Whether the line says that each has it."""
    mods: "list[LineEntry]" = field(default_factory=list)
    fixed: "LineEntry | None" = None
    """Of a mod: the item that the text puts it on."""
    after: "LineEntry | None" = None
    """Of a mod: the item named before it."""
    own_caps: int | None = None
    """The cost of all its copies without what is below, as a structured file states it."""
    is_out: bool = False
    is_numbered: bool = False
    """Whether its line begins with a plain number."""


@dataclass(eq=False)
class Cost:
    """A number that is the cost of an entry, or of its whole unit."""

    entry: LineEntry
    value: int
    line: int
    is_on: bool = True
    may_be_whole: bool = False
    """Whether it may be the cost of the unit, too: it ends its line."""


@dataclass(eq=False)
class Unit:
    """Equal models, and what follows them until the next ones."""

    model: LineEntry
    depth: int = 0
    parts: list[LineEntry] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    doubts: "list[Doubt]" = field(default_factory=list)
    leader: bool = False
    is_usual: bool = False
    is_armed: bool = False
    """Whether the text says what the models carry, be it nothing."""
    is_listed: bool = False
    """Whether a program's file lists everything that the models have."""
    flush_parts: bool = False
    """Whether parts stand on lines of their own that are no deeper than the model's."""

    @property
    def lines(self) -> list[int]:
        return sorted({self.model.line, *(part.line for part in self.parts)})

    @property
    def items(self) -> list[LineEntry]:
        return [part for part in self.parts if part.sort == "item"]


Setting = tuple[object, str, Any]
View = Mapping[tuple[int, str], Any]


@dataclass(frozen=True)
class Option:
    key: str
    label: str
    settings: tuple[Setting, ...] = ()


@dataclass(eq=False)
class Doubt:
    """What a line leaves open. ``is_soft``: its first option holds unless costs say otherwise."""

    line: int
    sentence: str
    options: Sequence[Option]
    is_soft: bool = False
    must_ask: bool = False
    """Whether no cost can decide it."""
    needs_costs: bool = False
    """Whether costs decide it only in a list that has costs at all: "Grenade 6" may be six."""
    question: str = ""
    """The question of the whole list that it belongs to."""
    chosen: Option | None = None


@dataclass(eq=False)
class Row:
    """A line, and what became of it."""

    written: Written
    state: LineState = "read"
    notes: list[str] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    parts: list[LineEntry] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    numbers: tuple[int, ...] = ()
    answered: list[str] = field(default_factory=list)
    ours: str = ""
    """What the line marks, if it buys nothing."""

    @property
    def number(self) -> int:
        return self.written.number

    @property
    def asked(self) -> list[Doubt]:
        return [doubt for doubt in self.doubts if doubt.chosen is None and not doubt.is_soft]

    @property
    def shown(self) -> str:
        return self.written.shown or self.written.text


def view_of(options: Sequence[Option]) -> View:
    return {(id(thing), name): value for option in options for thing, name, value in option.settings}


def set_for_good(option: Option) -> None:
    for thing, name, value in option.settings:
        setattr(thing, name, value)
