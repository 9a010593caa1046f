"""How large the boxes of a scoresheet are (its names: ``sheet_head``), a side's letter, a cross, places to fill in."""

from dataclasses import dataclass, replace

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Align, draw_text
from pdf.page import INK, LINE, PAPER, rule

BOX = 4 * mm
"""Side of a box to tick."""
WRITE, PITCH = 8 * mm, 9 * mm
"""Least height of a box to write in, and from line to line of names."""
PAD = 5.0
LABEL = 9.0
"""Height of a label above boxes or lines."""
MOST_LINES = 5
"""Lines for what a number is added up from, where no names are known."""
Key = tuple[str, str, object]
"""What is filled in: the side, what it is, and its number or words."""
Value = int | str | None


@dataclass(frozen=True)
class Blank:
    """A place to fill in: the baseline, the size of type, the room; of size 0 the corner of a box to tick."""

    x: float
    y: float
    size: float = 0.0
    room: float = 0.0
    worth: int = 1
    """What is written is as many times the figure."""
    align: Align = "centre"
    lines: int = 1


Blanks = list[tuple[Key, Blank]]


@dataclass(frozen=True)
class Boxes:
    """How large the boxes are, in points, and their type."""

    whole: bool = True
    """Whether there is room for the boxes of a sum, and for labels next to all that they label."""
    brief: bool = False
    """Whether the kinds of objective markers and the beginning of a note are left out."""
    row: float = 29.0
    largest: float = 46.0
    """A row, where there is room."""
    spread: float = 17.0
    """By how much a row of a form is higher then."""
    head: float = 13.0
    first: float = 132.0
    """Width of the column of names."""
    tab: float = 20.0
    name: float = 15.0
    """Height of a side's name over its form; 0 leaves it out."""
    totals: float = 28.0
    big: float = 58.0
    """Height and width of the box of a total."""
    gap: float = 8.0
    """White above a title and above totals."""
    sign: float = 12.0
    """Width of a sign between boxes."""
    figure: float = 46.0
    """Width of the box of a figure."""
    times: float = 46.0
    """Width of what a figure is worth, before a box for its VP."""
    lines: int = MOST_LINES
    """Lines at least for what a number is added up from."""
    pitch: float = PITCH
    """From one of these lines to the next."""
    tick: float = 4.0
    """White below a box to tick, and at the ends of a form."""
    small: float = 7.5
    large: float = 9.5


BOXES = Boxes()
SMALL_BOXES = Boxes(
    whole=False, row=WRITE, largest=70.0, spread=12.0, head=11.0, first=66.0, tab=13.0, name=13.5, totals=WRITE,
    big=39.0, gap=5.0, sign=11.0, figure=34.0, times=36.0, lines=0, pitch=WRITE, tick=1.5, small=7.0, large=8.0,
)  # fmt: skip
LARGE_BOXES = replace(
    SMALL_BOXES, spread=40.0, name=18.0, totals=32.0, big=52.0, figure=38.0, times=34.0, lines=3, tick=5.5,
    small=8.0, large=9.5,
)  # fmt: skip
"""On half a page where all has room."""


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """The letter of a side: white on black for A, black on white for B, as their markers on the map."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(LINE)
    canvas.setFillGray(INK if side == "A" else PAPER)
    canvas.rect(x, y, width, height, stroke=1, fill=1)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = max(7.0, min(16.0, width * 0.9, height * 0.78))
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def cross(canvas: Canvas, x: float, y: float) -> None:
    """The cross in a box that is ticked."""
    rule(canvas, x + 1.2, y + 1.2, x + BOX - 1.2, y + BOX - 1.2, 1.4)
    rule(canvas, x + 1.2, y + BOX - 1.2, x + BOX - 1.2, y + 1.2, 1.4)


def write_line(canvas: Canvas, x: float, y: float, right: float, label: str, size: float) -> None:
    """A label and, up to ``right``, a line to write on."""
    drawn = draw_text(canvas, x, y, label, size, max_width=(right - x) * 0.6)
    rule(canvas, x + drawn.last_width + 4, y - 1, right, y - 1)
