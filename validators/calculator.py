"""A calculator that a game offers on a page and as JSON, as data: its questions, its results, their arithmetic."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from validators.sheet import Table

Given = Mapping[str, int | str]
"""Answers by key: numbers and choices; a yes is 1, a no 0; what may be left open is missing."""


@dataclass(frozen=True)
class Asked:
    """One thing asked. A number is from ``least`` to ``most``; without a ``default`` it may be left open.

    ``choices`` are values with their labels, for a choice; its default is one of the values. Calculators ask no text.
    """

    key: str
    label: str
    kind: Literal["number", "choice", "yes", "text"] = "number"
    least: int = 0
    most: int = 0
    default: int | str | None = None
    choices: tuple[tuple[str, str], ...] = ()
    help: str = ""


@dataclass(frozen=True)
class Group:
    """Things asked under one heading."""

    title: str
    asks: tuple[Asked, ...]


@dataclass(frozen=True)
class Figure:
    """One result: a short key for scripts, what it is, its value and unit, and its arithmetic."""

    key: str
    label: str
    value: int | str
    unit: str = ""
    how: str = ""


@dataclass(frozen=True)
class Calculated:
    """Everything that follows: the answer first (``main``), further figures, tables."""

    main: tuple[Figure, ...]
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Calculator:
    """A calculator of one game. Its defaults are an example."""

    id: str
    name: str
    summary: str
    groups: tuple[Group, ...]
    calculate: Callable[[Given], Calculated]
    """Answers within their bounds to the results; everything with a default is given."""
    source: str

    @property
    def asks(self) -> tuple[Asked, ...]:
        """Everything asked, in order."""
        return tuple(one for group in self.groups for one in group.asks)

    @property
    def defaults(self) -> dict[str, int | str]:
        """The example: every default by its key."""
        return {one.key: one.default for one in self.asks if one.default is not None}
