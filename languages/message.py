"""Texts as data: a message and its figures, worded for each reader where it is shown."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn, Union

from languages.elisions import elided
from languages.words import ENGLISH, capital, form, gettext, in_sentence, language, listed, minus, pointed

Text = Union["Message", "Parts", str]
"""A text as data, or one that is the same in every language. ``str`` words it."""
LISTS = {"and": "standard", "or": "or"}
FORMS: dict[str, Callable[[str], str]] = {"": str, "capital": capital, "in_sentence": in_sentence}
_FIGURE = re.compile(r"%%|%\((\w+)\)s")


class _Worded:
    """What ``str`` words in the reader's language."""

    __slots__ = ()

    def __str__(self) -> str:
        return word(self)

    def __format__(self, spec: str) -> NoReturn:
        raise TypeError("a message is worded where it is shown: str(message)")


@dataclass(frozen=True, slots=True)
class Message(_Worded):
    """A text and its figures: texts, numbers, fractions (worded with three decimals), ``Parts``, or other messages.

    ``one`` is the form for one of a text that is counted by its figure "num".
    """

    text: str
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)
    one: str = ""


@dataclass(frozen=True, slots=True)
class Parts(_Worded):
    """Figures in a row: joined by "and" or "or" as "A, B and C", by "()" as "A (B)". ``form`` is one of ``FORMS``."""

    parts: tuple[Any, ...]
    by: str = ", "
    form: str = ""


def message(text: str, /, **figures: object) -> Message:
    """A text with its figures: ``message("Table %(table)s", table=3)``."""
    return Message(text, figures)


def counted_message(one: str, many: str, number: int, /, **figures: object) -> Message:
    """As ``message``, in the form that a language uses for this number, which is ``%(num)s`` in the text."""
    return Message(many, {"num": number, **figures}, one)


def joined(parts: Iterable[object], by: str = ", ", form: str = "") -> Parts:
    """A row of figures."""
    return Parts(tuple(parts), by, form)


def word(value: Any, *, strict: bool = False) -> str:
    """A figure in the reader's language. With ``strict``, raises KeyError for a text that the language lacks."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return minus(value)
    if isinstance(value, Fraction):
        return _decimal(value)
    if isinstance(value, Parts):
        parts = [word(part, strict=strict) for part in value.parts]
        if value.by == "()":
            return f"{parts[0]} ({parts[1]})"
        return FORMS[value.form](listed(parts, style=LISTS[value.by]) if value.by in LISTS else value.by.join(parts))
    words = {name: word(figure, strict=strict) for name, figure in value.figures.items()}
    said = form(value.one, value.text, value.figures["num"]) if value.one else gettext(value.text)
    if strict and language() != ENGLISH and said in (value.text, value.one):
        raise KeyError(said)
    said = elided(language(), said, words)
    return _FIGURE.sub(lambda match: "%" if match[0] == "%%" else words[match[1]], said) if words else said


def _decimal(value: Fraction) -> str:
    """Three decimals, rounded half up in exact arithmetic."""
    thousandths = (abs(value.numerator) * 2000 + value.denominator) // (2 * value.denominator)
    sign = "−" if value < 0 and thousandths else ""
    return pointed(f"{sign}{thousandths // 1000}.{thousandths % 1000:03}")
