"""What players fill in on a scoresheet: VP by game round, objective markers, totals, signatures."""

from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, text_width
from pdf.page import INK, LINE, PAPER, hatch, tick_box

BOX = 4 * mm
"""Side of a box to tick."""
WRITE = 8 * mm
"""Least height of a box to write in."""


@dataclass(frozen=True)
class Boxes:
    """How large the boxes are, in points, and their type."""

    row: float = 29.0
    largest: float = 40.0
    """A row, where there is room."""
    head: float = 13.0
    first: float = 132.0
    """Width of the column of names."""
    last: float = 64.0
    """Width of the sums."""
    tab: float = 20.0
    kinds: bool = True
    """Whether the kinds of objective markers are listed; else each marker has a box to tick."""
    name: float = 15.0
    """Height of a side's name over its form; 0 leaves it out."""
    totals: float = 34.0
    big: float = 66.0
    """Width of the box of the total."""
    figure: float = 46.0
    """Width of the box of a figure."""
    times: float = 46.0
    """Width of what a figure is worth, before a box for its VP; 0 leaves both out."""
    parts: int = 5
    """Lines at least for what a number is added up from."""
    small: float = 7.5
    large: float = 9.5


WHOLE = Boxes()
HALF = Boxes(
    row=WRITE, largest=44.0, head=11.0, first=66.0, last=34.0, tab=13.0, kinds=False, name=13.0, totals=31.0,
    big=39.0, figure=30.0, times=0.0, parts=0, small=7.0, large=8.0,
)  # fmt: skip
KIND, ACROSS = 6.5 * mm, 2
"""Objective markers: the height of a kind, and how many stand next to each other."""


@dataclass(frozen=True)
class VpGrid:
    """The most VP that each side can have in each game round: 0 is impossible (hatched), None has no limit."""

    most_a: tuple[int | None, ...]
    most_b: tuple[int | None, ...]
    note: str = ""
    """What binds both together: "both players together: at most 2 a round"."""
    choice: tuple[str, ...] = ()
    """What each side chooses before the game, to tick: ("Hackers", "Smashers")."""

    def __post_init__(self) -> None:
        if len(self.most_a) != len(self.most_b):
            raise ValueError("Both sides play the same number of game rounds")


@dataclass(frozen=True)
class MarkerGrid:
    """Each player's objective markers: how many (0 draws none), of which kinds and of each, the rule in a few words."""

    kinds: tuple[str, ...]
    each: int = 5
    note: str = ""
    most: int = 2


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """The letter of a side: white on black for A, black on white for B, as their markers on the map."""
    canvas.setLineWidth(LINE)
    canvas.setStrokeGray(INK)
    canvas.setFillGray(INK if side == "A" else PAPER)
    canvas.rect(x, y, width, height, stroke=1, fill=1)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = max(7.0, min(16.0, width * 0.75, height * 0.78))
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def cross(canvas: Canvas, x: float, y: float, side: float) -> None:
    """The cross in a box that is ticked."""
    canvas.setLineWidth(1.4)
    canvas.line(x + 1.2, y + 1.2, x + side - 1.2, y + side - 1.2)
    canvas.line(x + 1.2, y + side - 1.2, x + side - 1.2, y + 1.2)


def vp_columns(width: float, grid: VpGrid, size: Boxes = WHOLE) -> tuple[float, float, float]:
    """Widths of the column of names, of a game round and of the sum, for a grid ``width`` points wide."""
    return size.first, (width - size.first - size.last) / max(1, len(grid.most_a)), size.last


def choices_height(grid: VpGrid, size: Boxes) -> float:
    """Height of the boxes of a choice below a side's name; next to each other where they have room."""
    return BOX + 3 if grid.choice and _across(grid, size) else (BOX + 2) * len(grid.choice)


def _across(grid: VpGrid, size: Boxes) -> bool:
    room = size.first - size.tab - 8
    return sum(text_width(one, 7) + BOX + 7 for one in grid.choice) <= room


def draw_vp_grid(canvas: Canvas, x: float, top: float, width: float, grid: VpGrid, size: Boxes, row: float) -> None:
    """Draw what of the grid is the same at every table, its rows ``row`` high; the sheet writes the names in it."""
    rounds = len(grid.most_a)
    first, cell, last = vp_columns(width, grid, size)
    base = top - size.head + 4
    draw_text(canvas, x, base, "Game round", size.small, bold=True)
    draw_text(canvas, x + width - last / 2, base, "Sum", size.large, bold=True, align="centre")
    for n in range(rounds):
        draw_text(canvas, x + first + cell * (n + 0.5), base, str(n + 1), size.large, bold=True, align="centre")
    for side, most, y in (("A", grid.most_a, top - size.head - row), ("B", grid.most_b, top - size.head - 2 * row)):
        for n, limit in enumerate(most):
            left = x + first + cell * n
            if limit == 0:
                hatch(canvas, left, y, cell, row)
            elif limit is not None:
                draw_text(canvas, left + cell - 2.5, y + 2.5, f"0–{limit}", 7, align="right")
            canvas.setStrokeGray(INK)
            canvas.setLineWidth(LINE)
            canvas.rect(left, y, cell, row, stroke=1, fill=0)
        canvas.rect(x, y, first, row, stroke=1, fill=0)
        side_tab(canvas, x, y, size.tab, row, side)
        for words, (at, base) in zip(grid.choice, choice_boxes(x, y, grid, size), strict=True):
            tick_box(canvas, at, base, BOX)
            draw_text(canvas, at + BOX + 3, base + 2.8, words, 7, max_width=first + x - at - BOX - 5, min_size=7)
        canvas.setLineWidth(1.8)
        canvas.rect(x + width - last, y, last, row, stroke=1, fill=0)


def choice_boxes(x: float, y: float, grid: VpGrid, size: Boxes) -> list[tuple[float, float]]:
    """Lower left corners of the boxes of a choice in the row that begins at x, y."""
    at, places = x + size.tab + 4, []
    for n, words in enumerate(grid.choice):
        if _across(grid, size):
            places.append((at, y + 3))
            at += text_width(words, 7) + BOX + 7
        else:
            places.append((at, y + 2.5 + (len(grid.choice) - 1 - n) * (BOX + 2)))
    return places


def marker_grid_height(grid: MarkerGrid, size: Boxes = WHOLE) -> float:
    """Height of the grid below its section title."""
    return KIND * -(-len(grid.kinds) // ACROSS) if size.kinds and grid.kinds else WRITE


def draw_marker_grid(
    canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, side: str, size: Boxes = WHOLE
) -> None:
    """Draw one player's boxes to tick when a marker is completed: of each kind, or where none is listed of all."""
    height = marker_grid_height(grid, size)
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(LINE)
    canvas.rect(x, top - height, width, height, stroke=1, fill=0)
    side_tab(canvas, x, top - height, size.tab, height, side)
    listed = grid.kinds if size.kinds else ()
    kinds, boxes, box = listed or ("",), grid.most if listed else grid.each, BOX if listed else BOX + 3
    down = -(-len(kinds) // ACROSS)
    wide, deep = (width - size.tab) / (ACROSS if listed else 1), height / down
    room = wide - boxes * (BOX + 5) if listed else 0.0
    column = (wide - room) / max(1, boxes)
    for place, kind in enumerate(kinds):
        left, middle = x + size.tab + place // down * wide, top - (place % down + 0.5) * deep
        if kind:
            draw_text(canvas, left + 5, middle - 2.8, kind, 8, max_width=room - 8, min_size=7)
        for n in range(boxes):
            canvas.rect(left + room + column * (n + 0.5) - box / 2, middle - box / 2, box, box, stroke=1, fill=0)


def total_boxes(x: float, width: float, summed: tuple[str, ...], size: Boxes = WHOLE) -> list[tuple[float, float]]:
    """Left end and width of the boxes of one side's sum; the total is the last one."""
    sign = 12.0 if size.kinds else 9.0
    box = (width - size.tab - size.big - 5 - sign * len(summed)) / max(1, len(summed))
    first = x + size.tab + 5
    return [(first + place * (box + sign), box) for place in range(len(summed))] + [(x + width - size.big, size.big)]


def draw_totals(
    canvas: Canvas, x: float, top: float, width: float, side: str, summed: tuple[str, ...], size: Boxes = WHOLE
) -> None:
    """One side's sum: a box for each of the ``summed``, the total in the heaviest one."""
    y = top - size.totals
    side_tab(canvas, x, y, size.tab, size.totals, side)
    *boxes, (big_at, big) = total_boxes(x, width, summed, size)
    for (at, box), label, sign in zip(boxes, summed, ["+"] * (len(summed) - 1) + ["="], strict=False):
        canvas.setLineWidth(LINE)
        canvas.rect(at, y, box, size.totals, stroke=1, fill=0)
        draw_text(canvas, at + 1.5, y + size.totals - 8, label, 7, max_width=box - 2, min_size=7)
        draw_text(
            canvas, at + box + (6 if size.kinds else 4.5), y + size.totals / 2 - 5, sign, 12, bold=True, align="centre"
        )
    canvas.setLineWidth(2.2)
    canvas.rect(big_at, y + 1.1, big - 1.1, size.totals - 2.2, stroke=1, fill=0)
    draw_text(canvas, big_at + 4, y + size.totals - 9.5, "Total VP", 7, bold=True, max_width=big - 8)


SIGNED = (("A agrees", 3.0), ("B agrees", 3.0), ("Judge, if called", 2.2), ("Time started", 1.5), ("Time ended", 1.5))


def draw_signatures(canvas: Canvas, x: float, y: float, width: float, size: float = 7.5) -> None:
    """Lines to sign on, from ``x`` over ``width`` at the height ``y``, in points, each with its label below."""
    gap = 12.0
    unit = (width - gap * (len(SIGNED) - 1)) / sum(share for _, share in SIGNED)
    at = x
    for label, share in SIGNED:
        canvas.setLineWidth(LINE)
        canvas.line(at, y + size + 2.5, at + share * unit, y + size + 2.5)
        draw_text(canvas, at, y + 1.5, label, size, max_width=share * unit, min_size=7)
        at += share * unit + gap
