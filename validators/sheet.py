"""What a game prints of a force: sheets of a few kinds of blocks, as data. The paper's own code draws them.

A block with the title "" has no heading: it goes on with the block before it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Derived:
    """A figure that follows from others: what it is, its value, and its arithmetic ("3 + 2 × 4 = 11")."""

    label: str
    value: str
    how: str = ""


@dataclass(frozen=True)
class Facts:
    """Figures with their labels, side by side, each with its arithmetic in small print."""

    title: str
    figures: tuple[Derived, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, and whether it holds figures (set to the right) or text."""

    head: str
    kind: Literal["text", "figure", "write"] = "text"
    """"write": left empty, to be filled in by hand."""


@dataclass(frozen=True)
class Table:
    """Rows of texts under heads; ``total`` stands below, the same number of texts."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()


@dataclass(frozen=True)
class Track:
    """Rows of boxes to tick or to write in: a label, and what stands small in each box ("" for nothing)."""

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Lines:
    """Sentences, one a line."""

    title: str
    lines: tuple[str, ...]


Block = Facts | Table | Track | Lines


@dataclass(frozen=True)
class Sheet:
    """One sheet, one page or more: its title, a line below it, and its blocks from top to bottom."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]


def no_sheets(_document: object, _terms: object) -> tuple[Sheet, ...]:
    """For a game whose force list is enough to play with."""
    return ()


@dataclass(frozen=True)
class CardPart:
    """Gear, a perk, models of a squad: in words, its cost (None: not paid on its own), and how that is added up."""

    text: str
    cost: int | None = None
    how: str = ""


@dataclass(frozen=True)
class CardUnit:
    """A model, a character or a squad on the force card, with its whole cost; ``marks`` are such as "Leader"."""

    name: str
    cost: int
    marks: tuple[str, ...] = ()
    parts: tuple[CardPart, ...] = ()
    alone: int | None = None
    """Its cost without the parts; None where the parts are all of it."""


def copies(count: int, name: str) -> str:
    """ "2 × Stimpak", or the name alone."""
    return f"{count} × {name}" if count > 1 else name


@dataclass(frozen=True)
class ReferencePart:
    """A part of a reference sheet: rows under heads, or sentences. ``source`` is its place in the game's document."""

    title: str
    source: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...]


def read_reference(data: Path) -> tuple[ReferencePart, ...]:
    """A game's reference sheet, from reference.json in its folder of data."""
    return tuple(
        ReferencePart(
            part["title"],
            part["source"],
            tuple(part.get("columns", ())),
            tuple(map(tuple, part.get("rows", ()))),
            tuple(part.get("lines", ())),
        )
        for part in json.loads((data / "reference.json").read_text(encoding="utf-8"))
    )
