"""Cells of CSV files: spreadsheets must read them as text, never as formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

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


def cells_of_line(line: str) -> list[str]:
    """The cells of a pasted line, separated by tabs, else by semicolons, else by commas.

    Only quotes around a whole cell are removed: the others belong to the text.
    """
    commas = ";" not in line or (line.startswith('"') and '","' in line)
    separator = "\t" if "\t" in line else "," if commas else ";"
    quoted = rf'"(?:[^"]|"")*"(?=\s*(?:{separator}|\Z))'
    cells = [match[1].strip() for match in re.finditer(rf"(?:\A|{separator}) *({quoted}|[^{separator}]*)", line)]
    return [cell[1:-1].replace('""', '"') if re.fullmatch(quoted, cell) else cell for cell in cells]


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as a CSV file in UTF-8 with a byte order mark, which Excel needs, with commas and CRLF (RFC 4180)."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return (BOM + written.getvalue()).encode()
