"""Table numbers to stand on the tables: folded in the middle, the number is read from both sides and from afar.

The figures are outlines, as large as the half of the page holds: they cost little ink.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

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
from pdf.tags import heading
from pdf.text.faces import faces

TITLE = "Table numbers"
STROKE = 3.2
CODE, QUIET = 68.0, 9.0


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
        with heading(canvas, paper.tags):
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
    code = CODE * max(0.8, scale)
    floor = frame.bottom + (code + 12 if table.address else 16)
    name = fit(paper.event, 12, frame.width * 0.5, min_size=8, max_lines=2)
    for place, line in enumerate(reversed(name.lines)):
        put_text(canvas, frame.left, frame.bottom + 4 + place * name.size * name.leading, line, name.size, False)
    draw_text(canvas, frame.left, frame.bottom + code - 22 * scale, "Table", 26 * scale, bold=True)
    if table.address:
        draw_qr(canvas, frame.right - code, frame.bottom + 2, code, table.address)
        x = frame.right - code - QUIET
        draw_text(canvas, x, frame.bottom + code / 2 + 4, "Scan the QR code:", 9, align="right")
        draw_text(canvas, x, frame.bottom + code / 2 - 8, "who plays here", 9, align="right")
    _number(canvas, str(table.number), frame.left, floor, frame.width, top - floor)


def _number(canvas: Canvas, number: str, x: float, y: float, width: float, height: float) -> None:
    """The outlined figures in the middle of this box, measured by what is drawn of them."""
    left, bottom, right, top = bounds(number)
    size = min((width - STROKE) / (right - left), (height - STROKE) / (top - bottom))
    canvas.saveState()
    canvas.setLineWidth(STROKE)
    canvas.setLineJoin(1)
    canvas.setStrokeGray(INK)
    canvas.addLiteral("1 Tr")
    middle, centre = x + width / 2, y + height / 2
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
