"""Texts as data: a message and its figures, worded for each reader where it is shown.

Stored, it is ``["Registered %(name)s", {"name": "Ada"}]``; of a counted text both forms come first. What is stored may
come from another server: it is never trusted.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn, Union

from languages.dates import dated
from languages.words import (
    ENGLISH,
    capital,
    elided,
    form,
    gettext,
    in_sentence,
    language,
    listed,
    minus,
    pointed,
    speaking,
)

Text = Union["Message", "Parts", str]
"""A text as data, or one that is the same in every language. ``str`` words it."""
LONGEST = 500
"""Characters of a stored text in words."""
LARGEST, DEEPEST = 8000, 10
"""What a stored text may take, and how deep others stand in it."""
LISTS = {"and": "standard", "or": "or"}
FORMS: dict[str, Callable[[str], str]] = {"": str, "capital": capital, "in_sentence": in_sentence}
_FIGURE = re.compile(r"%%|%\((\w+)\)s")


class _Worded:
    """What ``str`` words in the reader's language."""

    __slots__ = ()

    def __str__(self) -> str:
        return _word(self)

    def __format__(self, spec: str) -> NoReturn:
        raise TypeError("a message is worded where it is shown: str(message)")


@dataclass(frozen=True, slots=True)
class Message(_Worded):
    """A text and its figures: texts, numbers, fractions (worded with three decimals), days, moments, other messages.

    ``one`` is the form for one of a text that is counted by its figure "num".
    """

    text: str
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)
    one: str = ""


@dataclass(frozen=True, slots=True)
class Parts(_Worded):
    """Figures in a row; by "and" or "or" worded as "A, B and C", by "()" as "A (B)". ``form`` is one of ``FORMS``."""

    parts: tuple[Any, ...]
    by: str = ", "
    form: str = ""


def message(text: str, /, **figures: object) -> Message:
    """A text with its figures: ``message("Table %(table)s", table=3)``."""
    return Message(text, figures) if figures else _plain(text)


_plain = lru_cache(Message)  # rankings have the same few texts many times


def counted_message(text: str, many: str, number: int, /, **figures: object) -> Message:
    """As ``message``, in the form that a language uses for this number, which is ``%(num)s`` in the text."""
    return Message(many, {"num": number, **figures}, text)


def joined(parts: Iterable[object], by: str = ", ", form: str = "") -> Parts:
    return Parts(tuple(parts), by, form)


def as_data(value: Any) -> Any:
    """A value as it is stored, with the messages in it."""
    if isinstance(value, Message):
        return [*filter(None, [value.one]), value.text, as_data(value.figures)]
    if isinstance(value, Parts):
        return {"parts": as_data(value.parts), "by": value.by, "form": value.form}
    if isinstance(value, Mapping):
        return {name: as_data(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_data(part) for part in value]
    if isinstance(value, datetime):
        return {"at": value.isoformat()}
    return {"day": value.isoformat()} if isinstance(value, date) else value


def worded(said: Any, english: str | None = None) -> str:
    """A text, stored or not, in the reader's language; ``english`` where that lacks it, and "" for what is none."""
    try:
        read = _read(said) if isinstance(said, list | dict) else said
        return _word(read, strict=True)[:LONGEST]
    except KeyError:
        return english if english is not None else in_english(said)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return english or ""


def in_english(said: Any) -> str:
    """A text, stored or not, in English; "" for what is none."""
    with speaking(ENGLISH):
        return worded(said, "")


def _read(said: Any, depth: int = 0) -> Any:
    """A stored text. Raises KeyError and other errors for what is none."""
    if depth > DEEPEST or (not depth and len(str(said)) > LARGEST):
        raise ValueError("too large")
    if isinstance(said, list):
        *row, text, figures = said
        return Message(text, {str(name): _read(value, depth + 1) for name, value in figures.items()}, *row)
    if not isinstance(said, dict):
        return said
    if "parts" in said:
        return joined([_read(part, depth + 1) for part in said["parts"]], said["by"], said["form"])
    return date.fromisoformat(said["day"]) if "day" in said else datetime.fromisoformat(said["at"])


def _word(value: Any, *, strict: bool = False) -> str:
    """A figure in the reader's language. With ``strict``, raises KeyError for a text that the language lacks."""
    match value:
        case str():
            return value
        case int() | float():
            return minus(pointed(f"{value:g}" if isinstance(value, float) else str(value)))
        case Fraction():
            return pointed(_decimal(value))
        case datetime():
            return dated(value, "%-d %b %Y, %H:%M")
        case date():
            return dated(value, "%-d %B")
        case list() | dict():
            return _word(_read(value), strict=strict)
        case Parts():
            parts = [_word(part, strict=strict) for part in value.parts]
            if value.by == "()":
                return f"{parts[0]} ({parts[1]})"
            text = listed(parts, style=LISTS[value.by]) if value.by in LISTS else value.by.join(parts)
            return FORMS[value.form](text)[:LARGEST]
    words = {name: _word(figure, strict=strict) for name, figure in value.figures.items()}
    phrase = form(value.one, value.text, value.figures["num"]) if value.one else gettext(value.text)
    if strict and language() != ENGLISH and (phrase is value.text or phrase is value.one):  # gettext returns unknowns
        raise KeyError(phrase)
    phrase = elided(language(), phrase, words)
    filled = _FIGURE.sub(lambda match: "%" if match[0] == "%%" else words[match[1]], phrase) if words else phrase
    return filled[:LARGEST]


def _decimal(value: Fraction) -> str:
    thousandths = (abs(value.numerator) * 2000 + value.denominator) // (2 * value.denominator)
    sign = "−" if value < 0 and thousandths else ""
    return f"{sign}{thousandths // 1000}.{thousandths % 1000:03}"
