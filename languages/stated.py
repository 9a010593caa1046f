"""Texts as data: a message and its figures, which are stored, and worded for each reader.

``["Registered %(name)s", {"name": "Ada"}]`` is one; of a counted text both forms come first. A figure is a text, a
number, another such text, a day, a moment, or several of them. What is stored may come from another server: it is never
trusted.
"""

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

from languages.dates import dated
from languages.elisions import elided
from languages.message import Message
from languages.words import ENGLISH, capital, form, gettext, in_sentence, language, listed, minus, pointed, speaking

Stated = list[Any] | dict[str, Any]
Said = Stated | str
"""A text as data, or one that is the same in every language."""
LONGEST = 500
"""Characters of a text in words."""
LARGEST, DEEPEST = 8000, 10
"""What a stored text may take, and how deep others stand in it."""
LISTS = {"and": "standard", "or": "or"}
FORMS: dict[str, Callable[[str], str]] = {"": str, "capital": capital, "in_sentence": in_sentence}
_FIGURE = re.compile(r"%%|%\((\w+)\)s")


def stated(message: str, /, **figures: object) -> Stated:
    """A text with its figures, to be stored: ``stated("Table %(table)s", table=3)``."""
    return [message, {name: _as_data(value) for name, value in figures.items()}]


def stated_many(one: str, many: str, number: int, /, **figures: object) -> Stated:
    """As ``stated``, in the form that a language uses for this number, which is ``%(num)s`` in the text."""
    return [one, *stated(many, num=number, **figures)]


def strung(parts: Iterable[object], by: str = ", ", form: str = "") -> Stated:
    """A figure of several parts; by "and" or "or" it is worded as "A, B and C". ``form``: in one of ``FORMS``."""
    return {"parts": [_as_data(part) for part in parts], "by": by, "form": form}


def _as_data(value: object) -> object:
    if isinstance(value, Message):
        figures = {name: _as_data(figure) for name, figure in value.figures.items()}
        return [*filter(None, [value.one]), value.text, figures]
    if isinstance(value, datetime):
        return {"at": value.isoformat()}
    return {"day": value.isoformat()} if isinstance(value, date) else value


def worded(said: Any, english: str | None = None) -> str:
    """A stored text in the reader's language; ``english`` where that lacks it, and "" for what is none."""
    try:
        return _word(said, 0) if len(str(said)) <= LARGEST else english or ""
    except KeyError:
        return english if english is not None else in_english(said)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return english or ""


def in_english(said: Any) -> str:
    """A stored text in English; "" for what is none."""
    with speaking(ENGLISH):
        return worded(said, "")


def _word(said: Any, depth: int) -> str:
    """As ``worded``. Raises KeyError for a message that the language lacks, and other errors."""
    if isinstance(said, str):
        return said[:LONGEST]
    if isinstance(said, int | float):
        return minus(pointed(f"{said:g}" if isinstance(said, float) else str(said))[:LONGEST])
    if depth > DEEPEST:
        raise ValueError("too deep")
    if isinstance(said, dict):
        return _several(said, depth)
    *messages, figures = said
    words = {str(name): _word(value, depth + 1) for name, value in figures.items()}
    one, many = messages[0], messages[-1]
    found = gettext(one) if len(messages) == 1 else form(one, many, figures["num"])
    if language() != ENGLISH and (found is one or found is many):  # gettext returns what it does not have
        raise KeyError(found)
    found = elided(language(), found, words)
    filled = _FIGURE.sub(lambda one: "%" if one[0] == "%%" else words[one[1]], found) if words else found
    return filled[:LONGEST]


def _several(said: dict[str, Any], depth: int) -> str:
    if "day" in said:
        return dated(date.fromisoformat(said["day"]), "%-d %B")
    if "at" in said:
        return dated(datetime.fromisoformat(said["at"]), "%-d %b %Y, %H:%M")
    parts = [_word(one, depth + 1) for one in said["parts"]]
    by = said["by"]
    text: str = listed(parts, style=LISTS[by]) if by in LISTS else by.join(parts)
    return FORMS[said["form"]](text)[:LONGEST]
