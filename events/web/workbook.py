"""Rows as a workbook of Office Open XML (XLSX), one sheet for each kind."""

import io
from collections.abc import Mapping, Sequence
from datetime import datetime

import xlsxwriter

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format has no time zone; the same rows make the same file
WIDEST = 60
"""Characters."""


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """The sheets by name, each with its heads in the first row. No text becomes a formula or a link."""
    written = io.BytesIO()
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(written, plain) as book:
        book.set_properties({"created": MADE})
        head = book.add_format({"bold": True, "bottom": 1})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for place, value in enumerate(row):
                    shown = value if isinstance(value, int) else "" if value is None else str(value)
                    sheet.write(number, place, shown, None if number else head)
            sheet.freeze_panes(1, 1)
            sheet.autofilter(0, 0, max(len(rows) - 1, 1), len(rows[0]) - 1)
            for place, column in enumerate(zip(*rows, strict=True)):
                sheet.set_column(place, place, min(WIDEST, max(len(str(cell or "")) for cell in column) + 2))
    return written.getvalue()
