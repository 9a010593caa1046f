"""What players fill in on a scoresheet: VP by game round, objective markers by kind, totals, signatures."""

from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, text_width
from pdf.page import HAIR, INK, LINE, PAPER, hatch, tick_box

VP_ROW, VP_HEAD = 31.0, 13.0
KIND_ROW, MARKER_HEAD, DONE_ROW = 11.5, 12.0, 17.0
TOTALS = 34.0
SMALLEST = 5.0
"""Size of type in which the names of choices still have to fit beside their boxes."""


@dataclass(frozen=True)
class VpGrid:
    """The most that each side can have in each column: 0 is impossible (hatched), None has no limit.

    The columns are the game rounds, VP in each, where ``heads`` does not name them otherwise. Columns with heads are
    figures that the game's scoring turns into VP, often the opponent's: nothing sums them.
    """

    most_a: tuple[int | None, ...]
    most_b: tuple[int | None, ...]
    note: str = ""
    """What binds both together: "both players together: at most 2 a round"."""
    choice: tuple[str, ...] = ()
    """What each side chooses before the game, to tick: ("Hackers", "Smashers")."""
    heads: tuple[str, ...] = ()
    choice_of: str = ""
    """What is chosen, in words; it stands at a line to write on where the choices have no room as boxes."""

    def __post_init__(self) -> None:
        if len(self.most_a) != len(self.most_b):
            raise ValueError("Both sides play the same number of game rounds")
        if self.heads and len(self.heads) != len(self.most_a):
            raise ValueError("Every column has its head, or none has")


@dataclass(frozen=True)
class MarkerGrid:
    """Each player's objective markers: how many (0 draws none), of which kinds, and the rule in a few words."""

    kinds: tuple[str, ...]
    each: int = 5
    note: str = ""


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """The letter of a side: white on black for A, black on white for B, as their markers on the map."""
    canvas.setLineWidth(LINE)
    canvas.setStrokeGray(INK)
    canvas.setFillGray(INK if side == "A" else PAPER)
    canvas.rect(x, y, width, height, stroke=1, fill=1)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = min(16.0, width * 0.75, height * 0.78)
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def vp_grid_height() -> float:
    """Height of the grid below its section title."""
    return VP_HEAD + 2 * VP_ROW


def vp_columns(width: float, grid: VpGrid) -> tuple[float, float, float]:
    """Widths of the first column, of a game round and of the sum (0: no sum), for a grid ``width`` points wide."""
    first, last = 126.0, 0.0 if grid.heads else 64.0
    rounds = len(grid.most_a)
    return first, (width - first - last) / max(1, rounds), last


def draw_vp_grid(canvas: Canvas, x: float, top: float, width: float, grid: VpGrid) -> None:
    """Draw what of the grid is the same at every table; the sheet writes the names in the first column."""
    rounds = len(grid.most_a)
    first, cell, last = vp_columns(width, grid)
    if not grid.heads:
        draw_text(canvas, x, top - 9, "Game round", 7.5, bold=True)
        draw_text(canvas, x + width - last / 2, top - 9, "Sum", 8, bold=True, align="centre")
    for i, head in enumerate(grid.heads or map(str, range(1, rounds + 1))):
        draw_text(
            canvas, x + first + cell * (i + 0.5), top - 9.5, head, 7.5 if grid.heads else 9.5, bold=True,
            align="centre", max_width=cell - 4, min_size=5,
        )  # fmt: skip
    for side, most, y in (
        ("A", grid.most_a, top - VP_HEAD - VP_ROW),
        ("B", grid.most_b, top - VP_HEAD - 2 * VP_ROW),
    ):
        for i, limit in enumerate(most):
            left = x + first + cell * i
            if limit == 0:
                hatch(canvas, left, y, cell, VP_ROW)
            elif limit is not None:
                draw_text(canvas, left + cell - 3, y + 3, f"0–{limit}", 6.5, align="right")
            canvas.setStrokeGray(INK)
            canvas.setLineWidth(LINE)
            canvas.rect(left, y, cell, VP_ROW, stroke=1, fill=0)
        canvas.rect(x, y, first, VP_ROW, stroke=1, fill=0)
        side_tab(canvas, x, y, 20, VP_ROW, side)
        at = x + 25.0
        room = (first - 29) / max(1, len(grid.choice)) - 12
        ticked = not grid.choice_of or all(text_width(one, SMALLEST) <= room for one in grid.choice)
        if not ticked:
            written = draw_text(canvas, at, y + 5, grid.choice_of, 7.5, max_width=first - 60, min_size=4)
            label_end = at + text_width(grid.choice_of, written.size) + 4
            canvas.setLineWidth(HAIR)
            canvas.line(min(label_end, x + first - 30), y + 4, x + first - 5, y + 4)
            canvas.setLineWidth(LINE)
        for choice in grid.choice if ticked else ():
            tick_box(canvas, at, y + 4.5, 7)
            room = (first - 29) / len(grid.choice) - 12
            draw_text(canvas, at + 10, y + 5, choice, 7.5, max_width=room, min_size=4)
            at += (first - 29) / len(grid.choice)
        if last:
            canvas.setLineWidth(1.8)
            canvas.rect(x + width - last, y, last, VP_ROW, stroke=1, fill=0)


def marker_grid_height(grid: MarkerGrid) -> float:
    """Height of the grid below its section title."""
    return MARKER_HEAD + KIND_ROW * len(grid.kinds) + DONE_ROW


def draw_marker_grid(canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, side: str) -> None:
    """Draw one player's grid: a column for each marker, a box for each kind, one that counts if completed."""
    height = marker_grid_height(grid)
    label = min(width * 0.44, 112.0)
    column = (width - label) / max(1, grid.each)
    side_tab(canvas, x, top - MARKER_HEAD, 20, MARKER_HEAD, side)
    draw_text(canvas, x + 25, top - 9, "Marker", 7.5, bold=True)
    for i in range(grid.each):
        draw_text(canvas, x + label + column * (i + 0.5), top - 9, f"{i + 1}", 8.5, bold=True, align="centre")
    canvas.setStrokeGray(INK)
    y = top - MARKER_HEAD
    for kind in grid.kinds:
        canvas.setLineWidth(HAIR)
        canvas.line(x, y, x + width, y)
        y -= KIND_ROW
        draw_text(canvas, x + 3, y + 3.2, kind, 7.5, max_width=label - 6, min_size=5)
        for i in range(grid.each):
            tick_box(canvas, x + label + column * (i + 0.5) - 3.5, y + 2.2, 7)
    canvas.setLineWidth(LINE)
    canvas.line(x, y, x + width, y)
    draw_text(canvas, x + 3, y - 11, "Completed: 1 VP", 8, bold=True, max_width=label - 6, min_size=5)
    for i in range(grid.each):
        canvas.setLineWidth(1.6)
        canvas.rect(x + label + column * (i + 0.5) - 6.5, y - 15, 13, 13, stroke=1, fill=0)
    canvas.setLineWidth(LINE)
    canvas.rect(x, top - height, width, height, stroke=1, fill=0)
    canvas.line(x + label, top, x + label, top - height)


def draw_totals(canvas: Canvas, x: float, top: float, width: float, side: str, summed: tuple[str, ...]) -> None:
    """One side's sum: a box for each of the ``summed``, the total in the heaviest one; that alone where none is."""
    y = top - TOTALS
    side_tab(canvas, x, y, 20, TOTALS, side)
    big = 66.0 if summed else width - 26
    box = (width - 20 - big - 12 - 14 * len(summed)) / max(1, len(summed))
    at = x + 20 + 6
    for label, sign in zip(summed, ["+"] * (len(summed) - 1) + ["="] * bool(summed), strict=True):
        canvas.setLineWidth(LINE)
        canvas.rect(at, y, box, TOTALS, stroke=1, fill=0)
        draw_text(canvas, at + 3, y + TOTALS - 8, label, 6.5, max_width=box - 6, min_size=4)
        draw_text(canvas, at + box + 7, y + TOTALS / 2 - 5, sign, 14, bold=True, align="centre")
        at += box + 14
    canvas.setLineWidth(2.4)
    canvas.rect(x + width - big, y + 1.2, big - 1.2, TOTALS - 2.4, stroke=1, fill=0)
    label = "TOTAL VP" if summed else "VP by the scoring above"
    draw_text(canvas, x + width - big + 4, y + TOTALS - 9.5, label, 6.5, bold=True)


def draw_signatures(canvas: Canvas, x: float, y: float, width: float) -> None:
    """Lines to sign on, from ``x`` over ``width`` at the height ``y``, in points, each with its label below."""
    labels = (("A agrees", 3.0), ("B agrees", 3.0), ("Judge, if called", 2.4), ("Time finished", 1.6))
    gap = 12.0
    unit = (width - gap * (len(labels) - 1)) / sum(share for _, share in labels)
    at = x
    for label, share in labels:
        canvas.setLineWidth(LINE)
        canvas.line(at, y + 10, at + share * unit, y + 10)
        draw_text(canvas, at, y + 1.5, label, 7.5, max_width=share * unit, min_size=5)
        at += share * unit + gap
