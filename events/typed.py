"""The one reader of single values from outside, in front of both databases: they do not agree on what they refuse.

A form's fields read by it (``events/views/fields.py``); so does whatever is read from a request without a form. Files
have their own strict readers. What slips past all of them meets ``models/storable.py``.
"""

import unicodedata

from events.errors import Refused
from events.names import forbidden_character

LARGEST = 2**31 - 1
"""The largest number that a column of whole numbers holds in PostgreSQL; SQLite would take larger ones."""
MOST_MARKS = 8
"""Accents and signs upon one letter. Written languages stack four; towers of hundreds cover the lines above."""


def whole_number(typed: object) -> int:
    """A whole number, written in plain figures. Raises ValueError for anything else.

    One beyond LARGEST, either way, is read as LARGEST or its negative: nothing has that number, at however many digits.
    """
    if isinstance(typed, int):
        return max(-LARGEST, min(typed, LARGEST))
    figures = typed.strip() if isinstance(typed, str) else ""
    sign, figures = (-1, figures[1:]) if figures.startswith("-") else (1, figures)
    if not (figures.isascii() and figures.isdecimal()):
        raise ValueError("This is no number that is offered here.")
    return sign * (min(int(figures), LARGEST) if len(figures) < 12 else LARGEST)


def number_or_none(typed: object) -> int | None:
    """An id or a version that a row can have, written in at most ten figures and nothing else; None for all else."""
    figures = isinstance(typed, str) and typed.isascii() and typed.isdecimal() and len(typed) < 11
    return int(str(typed)) if figures and int(str(typed)) <= LARGEST else None


def unfit(text: str, *, lines: bool = False) -> str:
    """Why a text is taken from nobody, in a sentence; "" where it is taken. ``lines`` allows line ends and tabs."""
    if forbidden_character(text, lines=lines) is not None:
        return "It holds a character that cannot be printed; please type it anew."
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") and not _selects(character) else 0
        if marks > MOST_MARKS:
            return f"It holds more than {MOST_MARKS} accents upon one letter; please type it anew."
    return ""


def one_line(typed: str, longest: int, what: str) -> str:
    """A line of text without space at its ends, "" for none. Raises Refused; ``what`` begins its sentence."""
    line = " ".join(typed[: longest * 4 + 100].split())
    if len(line) > longest:
        raise Refused(f"{what}: at most {longest} characters.")
    if why := unfit(line):
        raise Refused(f"{what}: {why[0].lower()}{why[1:]}")
    return line


def _selects(character: str) -> bool:
    """Whether it only chooses how the character before it is drawn, as in pictures; it is not drawn itself."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
