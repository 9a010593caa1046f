"""Parsers of single values from outside (numbers, table numbers, sheet codes, text), and cells of CSV files.

The two databases reject different values, so everything is checked here first.
"""

import csv
import io
import re
import secrets
import unicodedata
from collections.abc import Iterable, Sequence

from events.play.errors import Refused
from events.play.names import forbidden_character

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0, 1, I, L, O and U, which are misread on paper."""
LENGTH = 10
"""49 bits: too many to guess, so attempts need no limit. Older sheets have eight characters."""


def sheet_code() -> str:
    """A new code for a game's sheet."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(LENGTH))


MOST_TABLES = 1000
ONE_TABLE = re.compile(r"(?:t|table)?\s*(?:#\s*)?([0-9]{1,4})", re.IGNORECASE)
"""At most four digits, because a sheet's code is longer."""


def table_typed(text: str) -> int | None:
    """The table of "12", "t12", "table 12" or "#12"; None for anything else."""
    found = ONE_TABLE.fullmatch(text.strip())
    return int(found[1]) if found else None


def code_typed(text: str) -> str:
    """A sheet code in its stored form: capitals, without spaces and hyphens."""
    return text.strip().upper().replace(" ", "").replace("-", "")[:20]


def grouped(code: str) -> str:
    """A code as printed, in two halves: "ABCDE-FGHJK"."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}" if half else code


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers of a text such as "3, 7-9", each once, in order. Raises ValueError with a message for the page."""
    found: set[int] = set()
    for part in re.split(r"[,;\s]+", re.sub(r"\s*[-–—]\s*", "-", text.strip())):
        if not part:
            continue
        ends = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
        if ends is None:
            raise ValueError(f"“{part[:20]}” is not a table. Enter numbers and ranges, such as 3, 7-9.")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if not 1 <= first <= last <= MOST_TABLES:
            raise ValueError(f"“{part}”: tables are numbered from 1 to {MOST_TABLES}, a range from its lower end.")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def as_text(numbers: Iterable[int]) -> str:
    """The numbers in the form that ``numbers_in`` reads, with runs of three or more as ranges."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in parts)


LARGEST = 2**31 - 1
"""The largest integer of a PostgreSQL column; SQLite accepts larger ones."""
MOST_MARKS = 8
"""The most accents on one letter. Languages need four; hundreds would cover the lines above."""


def whole_number(value: object) -> int:
    """A whole number in plain digits, clamped to ±LARGEST. Raises ValueError for anything else."""
    if isinstance(value, int):
        return max(-LARGEST, min(value, LARGEST))
    figures = value.strip() if isinstance(value, str) else ""
    sign, figures = (-1, figures[1:]) if figures.startswith("-") else (1, figures)
    if not (figures.isascii() and figures.isdecimal()):
        raise ValueError("Choose a number that is offered here.")
    return sign * (min(int(figures), LARGEST) if len(figures) < 12 else LARGEST)


def number_or_none(value: object) -> int | None:
    """A row's id or version, of one to ten digits; None for any other text."""
    figures = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 11
    return int(str(value)) if figures and int(str(value)) <= LARGEST else None


def unfit(text: str, *, lines: bool = False) -> str:
    """Why a text is rejected, in a sentence; "" if it is accepted. ``lines`` allows line breaks and tabs."""
    if forbidden_character(text, lines=lines) is not None:
        return "It contains a character that cannot be printed. Delete that character."
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") and not _selects(character) else 0
        if marks > MOST_MARKS:
            return f"It holds more than {MOST_MARKS} accents on one letter. Type it again."
    return ""


def one_line(text: str, longest: int, what: str) -> str:
    """One line of text, tidied. Raises Refused with a message that begins with ``what``."""
    line = " ".join(text[: longest * 4 + 100].split())
    if len(line) > longest:
        raise Refused(f"{what}: at most {longest} characters.")
    if why := unfit(line):
        raise Refused(f"{what}: {why[0].lower()}{why[1:]}")
    return line


def _selects(character: str) -> bool:
    """Whether the character is a variation selector."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


# ---- cells of CSV files: spreadsheets must read them as text, never as formulas

BOM = "\ufeff"
PLAIN_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?", re.ASCII)
_FORMULA = "=+\\-@＝＋－＠"
"""Characters that start a formula in at least one spreadsheet."""
_PART = r"""(?:\A|(?<=[;,\t\r\n"]))"""
"""Where a spreadsheet may start a cell: some also split at characters other than commas, or read quotes differently."""
_BLANKS = r"(?:'|[^\S\t\r\n])*"
"""Characters that a spreadsheet may skip before a formula. Not tabs and line breaks: they start a new part."""
_UNSAFE = re.compile(rf"{_PART}(?={_BLANKS}[{_FORMULA}])|\A(?='*[\t\r\n])")
_GUARDED = re.compile(rf"{_PART}'(?={_BLANKS}[{_FORMULA}])|\A'(?='*[\t\r\n])")


def cell(value: object) -> str:
    """A value as a cell of a CSV file. Parts of a text that could start a formula get an apostrophe."""
    text = "" if value is None else str(value)
    return text if PLAIN_NUMBER.fullmatch(text) else _UNSAFE.sub("'", text)


def as_typed(text: str) -> str:
    """The text of a cell without the apostrophes that ``cell`` added."""
    return _GUARDED.sub("", text)


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as a CSV file in UTF-8 with a byte order mark, which Excel needs, with commas and CRLF (RFC 4180)."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return (BOM + written.getvalue()).encode()
