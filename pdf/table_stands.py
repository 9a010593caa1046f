"""Table numbers to stand on the tables: folded in the middle, the number is read from both sides and from afar.

The figures are grey in a dark outline, as large as the half of the page holds: they cost little ink.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, put_text
from pdf.page import (
    HAIR,
    INK,
    MARGIN,
    PageSize,
    Paper,
    bookmark,
    finish,
    foot,
    new_paper,
    next_page,
    page_of_nothing,
    turned,
)
from pdf.qr import draw_qr
from pdf.tags import part
from pdf.text.faces import faces

TITLE = "Table numbers"
STROKE, FILL = 2 * mm, 0.6
CODE, QUIET = 68.0, 9.0
SIDE, GAP = 98.0, 8.0
"""Room next to a narrow number for the code and the event; the least white around the number."""


@dataclass(frozen=True)
class TableStand:
    """A table's number, and the address in its code ("" for none)."""

    number: int
    address: str = ""


def table_stands(event: str, tables: Sequence[TableStand], page_size: PageSize, printed_at: datetime) -> bytes:
    """A page for each table, in this order, to be folded along the dots; without a table one page that says so.

    ``printed_at`` must know its time zone (ValueError).
    """
    paper = turned(new_paper(page_size, title=TITLE, event=event, printed_at=printed_at), wide=False)
    canvas = paper.canvas
    bookmark(paper, TITLE)
    for place, table in enumerate(tables, 1):
        canvas.saveState()
        canvas.translate(paper.width, paper.height)
        canvas.rotate(180)
        _face(paper, table)
        canvas.restoreState()
        canvas.setLineWidth(HAIR)
        canvas.setDash(1, 4)
        canvas.line(paper.frame.left, paper.height / 2, paper.frame.right, paper.height / 2)
        canvas.setDash()
        with part(canvas, "H1"):
            _face(paper, table)
        foot(paper, f"Table {table.number}", place, len(tables))
        next_page(paper)
    if not tables:
        page_of_nothing(paper, TITLE, "No table is needed yet.")
    return finish(paper)


def _face(paper: Paper, table: TableStand) -> None:
    """The lower half of the page, upright for a reader in front of it."""
    canvas, frame = paper.canvas, paper.frame
    top, scale = paper.height / 2 - MARGIN / 2, paper.height / 842
    canvas.setFillGray(INK)
    code, word = CODE * max(0.8, scale), 28 * scale
    top -= word
    draw_text(canvas, paper.width / 2, top + word * 0.2, "Table", word, bold=True, align="centre")
    top -= GAP * scale
    number, small = str(table.number), 11 * max(0.8, scale)
    side = (SIDE * max(0.8, scale)) if table.address else 0.0
    floor = frame.bottom + (code if table.address else 30) + GAP
    # A narrow number stands between the event and the code, a wide one above them.
    above = _size(number, frame.width, top - floor)
    between = _size(number, frame.width - 2 * side - 2 * GAP, top - frame.bottom)
    narrow = bool(table.address) and between > above
    name = fit(paper.event, 12, side if narrow else frame.width * 0.5, min_size=8, max_lines=4 if narrow else 2)
    for place, line in enumerate(reversed(name.lines)):
        put_text(canvas, frame.left, frame.bottom + 4 + place * name.size * name.leading, line, name.size, False)
    if table.address:
        draw_qr(canvas, frame.right - code, frame.bottom + 2, code, table.address)
        x = frame.right if narrow else frame.right - code - QUIET
        y = frame.bottom + (code + QUIET if narrow else code / 2 - small)
        draw_text(canvas, x, y + small * 1.25, "Scan the QR code:", small, align="right")
        draw_text(canvas, x, y, "who plays here", small, align="right")
    bottom = frame.bottom if narrow else floor
    _number(canvas, number, between if narrow else above, paper.width / 2, (top + bottom) / 2)


def _size(number: str, width: float, height: float) -> float:
    """The largest size in which the outlined figures stay in this box."""
    left, bottom, right, top = bounds(number)
    return min((width - STROKE) / (right - left), (height - STROKE) / (top - bottom))


def _number(canvas: Canvas, number: str, size: float, middle: float, centre: float) -> None:
    """The outlined figures around this point, measured by what is drawn of them."""
    left, bottom, right, top = bounds(number)
    canvas.saveState()
    canvas.setLineWidth(STROKE)
    canvas.setLineJoin(1)
    canvas.setStrokeGray(INK)
    canvas.setFillGray(FILL)
    canvas.addLiteral("2 Tr")
    put_text(canvas, middle - size * (left + right) / 2, centre - size * (bottom + top) / 2, number, size, True)
    canvas.restoreState()


def bounds(figures: str) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of what is drawn of these figures in bold at 1 pt."""
    cut = faces().text[0].strong
    at, boxes = 0, []
    for figure in figures:
        glyph = cut.font.get_nominal_glyph(ord(figure))
        box = cut.font.get_glyph_extents(glyph)
        left = at + box.x_bearing
        boxes.append((left, box.y_bearing + box.height, left + box.width, box.y_bearing))
        at += cut.font.get_glyph_h_advance(glyph)
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    scale = cut.scale / 1000
    return min(lefts) * scale, min(bottoms) * scale, max(rights) * scale, max(tops) * scale
