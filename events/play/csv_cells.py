"""CSV files that spreadsheets read as text, never as formulas.

UTF-8 with a byte order mark, commas and CRLF (RFC 4180): without the mark Excel takes names for another encoding.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?", re.ASCII)
_FORMULA = "=+\\-@＝＋－＠"
"""Characters with which a formula starts in some spreadsheet."""
_PART = r"""(?:\A|(?<=[;,\t\r\n"]))"""
"""Where a spreadsheet may start a new cell: not all split at commas alone, and quotes are read variously."""
_BLANKS = r"(?:'|[^\S\t\r\n])*"
"""What a spreadsheet may skip before a formula. Tabs and line ends start a part of their own, so each is read once."""
_UNSAFE = re.compile(rf"{_PART}(?={_BLANKS}[{_FORMULA}])|\A(?='*[\t\r\n])")
_GUARDED = re.compile(rf"{_PART}'(?={_BLANKS}[{_FORMULA}])|\A'(?='*[\t\r\n])")


def cell(value: object) -> str:
    """A value as a cell. Each part of a text that could start a formula gets an apostrophe; plain numbers stay."""
    text = "" if value is None else str(value)
    return text if NUMBER.fullmatch(text) else _UNSAFE.sub("'", text)


def as_typed(text: str) -> str:
    """The value of a cell that ``cell`` wrote: its apostrophes are removed again."""
    return _GUARDED.sub("", text)


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as a file, the heads first."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return (BOM + written.getvalue()).encode()
