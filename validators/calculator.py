"""A calculator that a game offers as a page and as JSON: its questions, its results, their arithmetic."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from languages.words import gettext
from validators.sheet import Table

Given = Mapping[str, int | str]
"""Answers by key: numbers and choices; yes is 1, no is 0; questions left blank are missing."""


def numbers(given: Given) -> dict[str, int]:
    """The answers that are numbers."""
    return {key: value for key, value in given.items() if isinstance(value, int)}


@dataclass(frozen=True)
class Asked:
    """One question. A number is from ``least`` to ``most``; without a ``default`` it may be left blank.

    ``choices`` are values with labels; for a choice, the default is one of the values. Calculators have no text
    questions.
    """

    key: str
    label: str
    kind: Literal["number", "choice", "yes", "text"] = "number"
    least: int = 0
    most: int = 0
    default: int | str | None = None
    choices: tuple[tuple[str, str], ...] = ()
    help: str = ""


def one_of(
    key: str, label: str, choices: Iterable[str | tuple[str, str]], default: str | None = None, about: str = ""
) -> Asked:
    """A question with these choices: values with their labels, or values that are their own labels."""
    pairs = ((choice, choice) if isinstance(choice, str) else choice for choice in choices)
    return Asked(key, label, "choice", default=default, choices=tuple(pairs), help=about)


@dataclass(frozen=True)
class Group:
    title: str
    asks: tuple[Asked, ...]


@dataclass(frozen=True)
class Figure:
    """One result: a short key for scripts, its name, its value and unit, and its arithmetic."""

    key: str
    label: str
    value: int | str
    unit: str = ""
    how: str = ""


@dataclass(frozen=True)
class Calculated:
    """All results: the main answer (``main``), further figures, tables."""

    main: tuple[Figure, ...]
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Calculator:
    """A calculator of one game. Its defaults form an example. Its texts are noted; its results are worded already."""

    id: str
    name: str
    summary: str
    groups: tuple[Group, ...]
    calculate: Callable[[Given], Calculated]
    """From answers within their bounds to the results. Every question with a default has an answer."""
    source: str

    @property
    def asks(self) -> tuple[Asked, ...]:
        return tuple(question for group in self.groups for question in group.asks)

    @property
    def defaults(self) -> dict[str, int | str]:
        return {question.key: question.default for question in self.asks if question.default is not None}

    def said(self) -> "Calculator":
        """It in the reader's language; its source keeps the names of the document's chapters."""
        groups = tuple(Group(gettext(group.title), tuple(map(_said, group.asks))) for group in self.groups)
        return replace(self, name=gettext(self.name), summary=gettext(self.summary), groups=groups)


def _said(asked: Asked) -> Asked:
    choices = tuple((value, gettext(label)) for value, label in asked.choices)
    return replace(asked, label=gettext(asked.label), choices=choices, help=gettext(asked.help))
