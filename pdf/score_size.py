"""The sizes of a scoresheet's boxes, and small parts that all of them use."""

from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Fitted, draw_text, fit
from pdf.page import INK, PAPER, block, box, rule

BOX, WRITE, PITCH = 4 * mm, 8 * mm, 9 * mm
"""Side of a box to tick, minimum height of a box to write in, and distance between lines for names, in points."""
PAD, LEADING = 5.0, 1.15
TITLE, HEAVY = 11.0, 2.2
"""Type size of titles on a whole page and on the back of half a page; width of the line around a total."""


@dataclass(frozen=True)
class Boxes:
    """The sizes of boxes, and of the type in them, in points. ``tab`` is the field with a side's letter."""

    min_row: float = 29.0
    max_row: float = 46.0
    write: float = 20.0
    max_growth: float = 14.0
    """Minimum height of a row of a form, and how much higher it may be."""
    head_height: float = 17.0
    tab_width: float = 20.0
    gap: float = 6.0
    tick_gap: float = 4.5
    """Space above a title, and below a box to tick."""
    small: float = 9.0
    title: float = TITLE
    large: float = 9.5
    """Type size of heads, labels and choices."""


BOXES = Boxes()
SMALL_BOXES = Boxes(
    min_row=16.0, max_row=70.0, max_growth=46.0, head_height=17.0, tab_width=13.0,
    gap=4.0, tick_gap=3.4, small=7.5, title=9.0, large=8.5,
)  # fmt: skip


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """Draw the letter of a side: white on black for A, black on white for B, like their markers on the map."""
    block(canvas, x, y, width, height, INK if side == "A" else PAPER)
    box(canvas, x, y, width, height)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = max(7.0, min(16.0, width * 0.9, height * 0.78))
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def readable(words: str, size: float, room: float, lines: int, *, bold: bool = False) -> Fitted:
    """Words on at most ``lines``, in smaller type only if they need more."""
    large = fit(words, size, room, bold=bold, min_size=size - 0.5, max_lines=lines, leading=LEADING)
    return fit(words, size, room, bold=bold, min_size=7, max_lines=lines, leading=LEADING) if large.cut else large


def write_line(canvas: Canvas, x: float, y: float, right: float, label: str, size: float) -> None:
    """Draw a label, and after it a line to write on that ends at ``right``."""
    drawn = draw_text(canvas, x, y, label, size, max_width=(right - x) * 0.6)
    rule(canvas, x + drawn.last_width + 4, y - 1, right, y - 1)
