"""The sizes of a scoresheet's boxes, and small parts that all of them use."""

from dataclasses import dataclass, replace

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text
from pdf.page import INK, LINE, PAPER, rule

BOX = 4 * mm
"""Side of a box to tick, in points."""
WRITE, PITCH = 8 * mm, 9 * mm
"""Minimum height of a box to write in, and distance between lines for names."""
PAD = 5.0
HEAVY = 2.2
"""Width of the line around a total."""
LABEL = 9.0
"""Height of a label above boxes or lines."""


@dataclass(frozen=True)
class Boxes:
    """The sizes of boxes, and of the type in them, in points. ``tab`` is the field with a side's letter."""

    is_page: bool = True
    """Whether the sheet has a whole page: space for the boxes of a sum, and for labels next to boxes."""
    brief: bool = False
    """Whether the kinds of objective markers and a form's note are left out, and no long label is above its box."""
    min_row: float = 29.0
    max_row: float = 46.0
    max_growth: float = 17.0
    """Maximum extra height of a form's row."""
    head_height: float = 13.0
    tab_width: float = 20.0
    total_height: float = 28.0
    total_width: float = 58.0
    gap: float = 8.0
    """Space above a title and above totals."""
    sign_width: float = 12.0
    figure_width: float = 46.0
    worth_width: float = 46.0
    """Width of "× 2 VP =" before the box for the VP of a figure."""
    tick_gap: float = 4.0
    """Space below a box to tick, and at the top and bottom of a form."""
    row_gap: float = 4.0
    """Space around the box of a form's number."""
    small: float = 7.5
    large: float = 9.5
    label: float = 9.5
    """Type size of choices and of what they and numbers are worth."""


BOXES = Boxes()
SMALL_BOXES = Boxes(
    is_page=False, min_row=WRITE, max_row=70.0, max_growth=12.0, head_height=10.5, tab_width=13.0,
    total_height=WRITE, total_width=39.0, gap=3.0, sign_width=11.0, figure_width=34.0,
    worth_width=36.0, tick_gap=2.5, row_gap=2.0, small=7.0, large=8.0, label=8.0,
)  # fmt: skip
LARGE_BOXES = replace(
    SMALL_BOXES, max_growth=40.0, total_height=27.0, total_width=34.0, sign_width=9.0, worth_width=39.0, tick_gap=4.0,
    small=8.0, large=9.25, label=9.25,
)  # fmt: skip
"""For half a page with enough space."""


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """Draw the letter of a side: white on black for A, black on white for B, like their markers on the map."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(LINE)
    canvas.setFillGray(INK if side == "A" else PAPER)
    canvas.rect(x, y, width, height, stroke=1, fill=1)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = max(7.0, min(16.0, width * 0.9, height * 0.78))
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def write_line(
    canvas: Canvas, x: float, y: float, right: float, label: str, size: float, *, bold: bool = False
) -> None:
    """Draw a label, and after it a line to write on that ends at ``right``."""
    drawn = draw_text(canvas, x, y, label, size, bold=bold, max_width=(right - x) * 0.6)
    rule(canvas, x + drawn.last_width + 4, y - 1, right, y - 1)
