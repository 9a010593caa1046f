"""Reading single values from outside: numbers, table numbers, codes of sheets, identifiers.

The two databases do not agree on what they refuse, so this one reader stands in front of both.
"""

import re
import secrets
import unicodedata
from collections.abc import Iterable

from events.play.errors import Refused
from events.play.names import forbidden_character

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0, 1, I, L, O and U: read from paper and typed on a phone."""
LENGTH = 10
"""49 bits, so that guessing is hopeless and a right code need never be refused. Sheets printed before have eight."""


def sheet_code() -> str:
    """A new code for a game's sheet."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(LENGTH))


MOST_TABLES = 1000
ONE_TABLE = re.compile(r"(?:t|table)?\s*(?:#\s*)?([0-9]{1,4})", re.IGNORECASE)
"""Up to four digits: a sheet's code is longer."""


def table_typed(typed: str) -> int | None:
    """The one table that is meant by "12", "t12", "table 12" or "#12"; None for anything else."""
    found = ONE_TABLE.fullmatch(typed.strip())
    return int(found[1]) if found else None


def code_typed(typed: str) -> str:
    """The code of a sheet as it is stored, however somebody typed it."""
    return typed.strip().upper().replace(" ", "").replace("-", "")[:20]


def grouped(code: str) -> str:
    """A code as it is read from paper, in two halves: "ABCDE-FGHJK"."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}" if half else code


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers in a text of numbers and ranges, each once, in order. Raises ValueError, in words."""
    found: set[int] = set()
    for part in re.split(r"[,;\s]+", re.sub(r"\s*[-–—]\s*", "-", text.strip())):
        if not part:
            continue
        ends = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
        if ends is None:
            raise ValueError(f"“{part[:20]}” is no table. Write numbers and ranges, as in 3, 7-9.")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if not 1 <= first <= last <= MOST_TABLES:
            raise ValueError(f"“{part}”: tables are numbered from 1 to {MOST_TABLES}, a range from its lower end.")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def as_text(numbers: Iterable[int]) -> str:
    """The numbers as ``numbers_in`` reads them, runs of three or more as ranges."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in parts)


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
