"""Rows as a workbook of Office Open XML (XLSX), one sheet for each kind."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

import xlsxwriter

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format has no time zone; the same rows make the same file
WIDEST = 60
"""Characters."""


@dataclass(frozen=True)
class Number:
    """An exact number, and how it is shown, with as many decimals as the cell of a workbook shows."""

    value: Fraction
    shown: str

    def __str__(self) -> str:
        return self.shown


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """The sheets by name, each with its heads in the first row. No text becomes a formula or a link."""
    written = io.BytesIO()
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(written, plain) as book:
        book.set_properties({"created": MADE})
        head = book.add_format({"bold": True, "bottom": 1})
        forms = [None, *(book.add_format({"num_format": f"0.{'0' * decimals}"}) for decimals in (1, 2, 3))]
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for place, value in enumerate(row):
                    if isinstance(value, Number):
                        decimals = len(value.shown.partition(".")[2])
                        sheet.write_number(number, place, float(value.value), forms[decimals])
                        continue
                    shown = value if isinstance(value, int) else "" if value is None else str(value)
                    sheet.write(number, place, shown, None if number else head)
            sheet.freeze_panes(1, 1)
            sheet.autofilter(0, 0, max(len(rows) - 1, 1), len(rows[0]) - 1)
            for place, column in enumerate(zip(*rows, strict=True)):
                sheet.set_column(place, place, min(WIDEST, max(len(str(cell or "")) for cell in column) + 2))
    return written.getvalue()
