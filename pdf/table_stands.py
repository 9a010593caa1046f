"""Table numbers to stand on the tables: folded in the middle, the number is read from both sides and from afar."""

from collections.abc import Sequence
from datetime import datetime

from pdf.fonts import draw_text, text_width
from pdf.page import (
    HAIR,
    INK,
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
from pdf.tags import heading

TITLE = "Table numbers"
DIGITS = 0.72
"""Height of a figure, as a share of the size of type."""
LEAST = 40.0


def table_stands(event: str, tables: Sequence[int], page_size: PageSize, printed_at: datetime) -> bytes:
    """A page for each table number, in this order, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title=TITLE, event=event, printed_at=printed_at)
    draw_table_stands(paper, tables)
    return finish(paper)


def draw_table_stands(paper: Paper, tables: Sequence[int]) -> None:
    """Stands, to be folded along the dots; without a table one page that says so."""
    paper = turned(paper, wide=False)
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
        foot(paper, f"Table {table}", place, len(tables))
        next_page(paper)
    if not tables:
        page_of_nothing(paper, TITLE, "No table is needed yet.")


def _face(paper: Paper, table: int) -> None:
    """The lower half of the page, upright for a reader in front of it."""
    canvas, frame = paper.canvas, paper.frame
    middle, top = paper.width / 2, paper.height / 2 - 14
    number = str(table)
    canvas.setFillGray(INK)
    draw_text(canvas, middle, top - 24, "TABLE", 26, bold=True, align="centre")
    bottom = frame.bottom + 26
    size = min((top - 40 - bottom) / DIGITS, frame.width * 0.92 / max(0.1, text_width(number, 1, bold=True)))
    size = max(LEAST, size)
    base = bottom + (top - 40 - bottom - size * DIGITS) / 2
    draw_text(canvas, middle, base, number, size, bold=True, align="centre")
    draw_text(canvas, middle, frame.bottom + 6, paper.event, 11, max_width=frame.width, min_size=7, align="centre")
