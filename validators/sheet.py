"""The printed sheets and cards of a force as data, in a few kinds of blocks; ``pdf`` draws them.

A block with an empty title has no heading and continues the block before it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from languages.words import N_, gettext


@dataclass(frozen=True)
class Derived:
    """A derived figure: its name, its value, and its arithmetic ("3 + 2 × 4 = 11")."""

    label: str
    value: str
    how: str = ""


@dataclass(frozen=True)
class LabelledFigures:
    """Figures with their labels, side by side, each with its arithmetic in small print."""

    title: str
    figures: tuple[Derived, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, and the kind of its cells.

    A "fixed" text stays on one line, a "figure" is right-aligned, "centre" centred, "write" is filled in by hand,
    "tick" is a box to tick, "boxes" as many as the cell's number, or several parts with as many each, as `boxes_of`
    writes them.
    """

    head: str
    kind: Literal["text", "fixed", "figure", "centre", "write", "tick", "boxes"] = "text"
    share: float = 0.0
    """The least part of the table's width."""


@dataclass(frozen=True)
class Table:
    """Rows of texts under column heads; ``total`` is an additional last row."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()


LINE = "_" * 20
"""The label of a row whose name is written by hand."""
TrackRow = tuple[str, tuple[str | None, ...]]
"""A label, and the small text in each box: "" for none, None for a gap. A row without boxes is a heading."""


def turn_row(most: int) -> TrackRow:
    return N_("Turns: tick each at its end"), tuple(map(str, range(1, most + 1)))


@dataclass(frozen=True)
class Track:
    title: str
    rows: tuple[TrackRow, ...]


BLANK_LOSSES = Track("", ((LINE, ("",) * 10),) * 7)
"""The losses of a force that is not known, with lines for the names."""


@dataclass(frozen=True)
class Lines:
    title: str
    lines: tuple[str, ...]


Block = LabelledFigures | Table | Track | Lines


@dataclass(frozen=True)
class Sheet:
    """A sheet of one page or more: its title, a line below it, its blocks, and what is short on it, for each page."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    key: str = ""


def no_sheets(_document: object, _terms: object) -> tuple[Sheet, ...]:
    """No sheets: for a game whose force list is enough to play with."""
    return ()


@dataclass(frozen=True)
class CardPart:
    """A line of a card (gear, a perk, models of a squad): text, cost (None if not paid separately), arithmetic."""

    text: str
    cost: int | None = None
    how: str = ""
    block: Table | Track | None = None
    """A table or boxes above the text. In a cell, text after a line break is printed smaller."""
    on: tuple[str, ...] = ("player", "opponent", "judge")
    """The copies of the card that have it."""


@dataclass(frozen=True)
class CardUnit:
    """A model, character or squad on the force card, with its whole cost; ``marks`` are labels such as "Leader".

    A unit without a cost (None) sums up all others.
    """

    name: str
    cost: int | None
    marks: tuple[str, ...] = ()
    parts: tuple[CardPart, ...] = ()
    alone: int | None = None
    """Its cost without its parts; None if the parts are the whole cost."""


READING = "†"
"""Marks a figure or sentence on paper that is a reading of what the document leaves open or says in two ways."""


def key_to_readings(shown: object) -> str:
    """What the mark means, if there is one in what is shown."""
    return gettext("† our reading of the document") if READING in str(shown) else ""


def copies(count: int, name: str) -> str:
    """ "2 × Stimpak", or only the name."""
    return f"{count} × {name}" if count > 1 else name


def boxes_of(count: int, each: int) -> str:
    """The cell of a column of boxes: this many for each of ``count`` parts."""
    return f"{count}×{each}"


def times(count: int, each: int | None) -> str:
    """The arithmetic of several copies: "3 × 5"; "" for one."""
    return f"{count} × {each}" if count > 1 else ""


def of_most(used: int, most: int) -> str:
    """How far a limit is used: "2 of 3"."""
    return gettext("%(n)s of %(most)s", n=used, most=most)


@dataclass(frozen=True)
class ReferencePart:
    """A part of a reference sheet: rows under heads, or sentences. ``source`` is the place in the game's document."""

    title: str
    source: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()
    of_names: bool = False
    """Whether its rows begin with names, which stay as printed."""

    @property
    def said(self) -> "ReferencePart":
        named = int(self.of_names)
        return ReferencePart(
            gettext(self.title),
            self.source,
            tuple(map(gettext, self.heads)),
            tuple((*row[:named], *map(gettext, row[named:])) for row in self.rows),
            tuple(map(gettext, self.lines)),
        )


def read_reference(data: Path) -> tuple[ReferencePart, ...]:
    """A game's reference sheet, from reference.json in its data folder."""
    return TypeAdapter(tuple[ReferencePart, ...]).validate_json((data / "reference.json").read_bytes())
