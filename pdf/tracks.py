"""Rows of boxes to tick or write in during a game: hit points, wounds, turns. Lengths are in points."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext
from pdf.flow import Drawing, wrapped_lines
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import Frame, Paper, box, section, section_height
from pdf.score_boxes import BOX, TITLE, side_tab, write_line
from pdf.sheet_data import Scoresheet
from pdf.table import BOX_STEP
from pdf.tags import part
from validators.sheet import Track

TYPE, MIN_TYPE, LABEL_GAP, HEAD_SIZE, PRINT, TO_WRITE = 9.5, 7.5, 5.0, 8.0, 7.0, 1.6
"""Type sizes of labels next to boxes and their minimum, space after them, type of labels above boxes and in boxes;
height of a label above boxes to write on, in sides of a box."""
GAP, MIN_BOX_WIDTH = 2.5, 10.5
"""Space between boxes, and the minimum width at which boxes without print stay on one row."""
SIDE = BOX_STEP - GAP
"""Side of a box, as in tables."""
GROUP, MAX_GROUPS, WIDER, ALONE = 5, 4, 1.4, 1.3
"""In several rows, each row has a multiple of `GROUP` boxes, easy to count; most width in sides; share if alone."""
LABEL, NARROW, COLUMN_GAP, MAX_ACROSS = 45.0, 280.0, 14.0, 4
"""Unit of the label width, above a narrow width; space between tracks side by side, and their maximum number."""


@lru_cache(maxsize=256)
def tracks(track: Track, width: float, share: float = 1.0) -> list[Drawing]:
    """The rows as drawings: below each other, or side by side if all are short.

    If numbered boxes do not fit on one row next to their label, all labels go above their boxes. Boxes and labels have
    this ``share`` of their size.
    """
    widest_print = max((text_width(text, PRINT) for _, boxes in track.rows for text in boxes if text), default=0.0)
    size, longest = max(MIN_TYPE, min(TYPE, TYPE * share)), max((boxes for _, boxes in track.rows), key=len, default=())
    widest = max((text_width(label, size) for label, _ in track.rows), default=0.0)
    step = GAP + (side := max(SIDE * share * (1.0 if widest else ALONE), widest_print + 3.4))
    # Multiples, so that tracks below each other line up; more than three if that leaves room for the boxes.
    most = max(3, int((width - len(longest) * step) / LABEL))
    units = ceil((widest + LABEL_GAP * (widest > 0)) / LABEL)
    labels = LABEL * min(most, units if units < 2 else max(3, units))
    labels = labels if width > NARROW else min(widest + 2 * LABEL_GAP, max(width / 2, width - len(longest) * step))
    room = width - labels
    if any(label and all(boxes) and _boxes_across(room, boxes, side)[0] < len(boxes) for label, boxes in track.rows):
        return [track_row(0.0, *row, *_boxes_across(width, longest, side), side, HEAD_SIZE) for row in track.rows]
    widths = [labels + max(1, len(boxes)) * step + COLUMN_GAP for _, boxes in track.rows]
    across = max(1, min(MAX_ACROSS, len(widths), int((width + COLUMN_GAP) / max(widths, default=1.0))))
    lefts, indents = [n * (width + COLUMN_GAP) / across for n in range(across)], [labels] * len(widths)
    if 1 < len(widths) <= MAX_ACROSS and sum(widths) <= width + COLUMN_GAP:  # each label is as wide as its words
        indents = [text_width(label, size) + 2 * LABEL_GAP for label, _ in track.rows]
        widths = [wide - labels + own for wide, own in zip(widths, indents, strict=True)]
        across, lefts = len(widths), [sum(widths[:n]) + n * COLUMN_GAP for n in range(len(widths))]
    room = width - labels if across == 1 else max(1, len(longest)) * step
    wide = max(side, min(WIDER * side, (room + GAP) / max(1, len(longest)) - GAP) * (across == 1))
    drawings = [
        track_row(indent, *line, *_boxes_across(room, line[1], wide), side, size)
        for indent, line in zip(indents, track.rows, strict=True)
    ]
    return [side_by_side(drawings[n : n + across], lefts, above=2 if n else 5) for n in range(0, len(drawings), across)]


def side_by_side(row: Sequence[Drawing], lefts: Sequence[float], above: float) -> Drawing:
    """The drawings next to each other, at these distances from the left end of their column."""

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        for drawing, distance in zip(row, lefts, strict=False):
            drawing.draw(canvas, left + distance, top, width)

    return Drawing(max(drawing.height for drawing in row), draw, above=above)


def _boxes_across(room: float, boxes: Sequence[str | None], side: float) -> tuple[int, float]:
    """How many of the boxes go on one row of ``room`` points, and the width of each."""
    room, count = room + GAP + 0.01, max(1, len(boxes))
    box_width = min(side, room / count - GAP)
    if box_width >= (side if all(boxes) else MIN_BOX_WIDTH):
        return count, box_width
    count = max(1, min(MAX_GROUPS, int(room / (side + GAP)) // GROUP) * GROUP)
    return count, min(WIDER * side, room / count - GAP)


def whole_models(boxes: Sequence[str | None], across: int) -> int:
    """How many boxes to put on a row, at most ``across``: whole models, each from a printed box on, or even rows."""
    if boxes and not any(boxes):
        return ceil(len(boxes) / ceil(len(boxes) / across))
    starts = [place for place, printed in enumerate(boxes) if printed]
    each = starts[1] - starts[0] if "" in boxes and starts[1:] else 1
    return max(across // each, 1) * each if across < len(boxes) else across


def track_row(
    indent: float, label: str, boxes: Sequence[str | None], across: int, box_width: float, side: float, size: float
) -> Drawing:
    """A label and its boxes, to the right of an ``indent`` or, without one, below the label.

    The small print is at the top of its box, to leave space for a pencil.
    """
    step, above = side + GAP, (TO_WRITE * side if "__" in label else size + 5) * bool(label and not indent)
    name = Fitted(wrapped_lines(label, size, indent - LABEL_GAP) if indent else (label,), size, leading=1.25)
    height = max(-(-len(boxes) // across) * step + above, name.height)

    def draw(canvas: Canvas, left: float, top: float, _: float) -> None:
        middle = min(side, height) / 2 + size * 0.36
        base = max(size * 0.9, middle - name.step * (len(name.lines) - 1) / 2) if indent else above - 3
        draw_fitted(canvas, left, top - base, replace(name, bold=not (indent and boxes)))
        for place, print_ in enumerate(boxes):
            if print_ is None:  # a gap
                continue
            row, column = divmod(place, across)
            x = left + indent + column * (box_width + GAP)
            y = top - above - row * step - side
            box(canvas, x, y, box_width, side)
            draw_text(canvas, x + 1.7, y + side - 7.5, print_, PRINT, max_width=box_width - 3)

    return Drawing(height + 1, draw, above=2 if indent else 5)


BELOW, TAB, PAD, AIR, MORE_AIR = 9.0, 14.0, 3.0, 6.0, 8.0
"""Space below each block, width of a side's letter; around its rows, twice on the left; between rows, at most."""
NAME, LEAST = 15.0, 8.5
"""Height of the line with a player's name and the sum of the losses; minimum type size of labels."""
MOST_BOXES, MOST_ACROSS, MOST_LABELS = 18, 8, 0.65
"""Of one row, next to its label; of these on one line; the maximum share of the width for labels."""
TENS, MORE, FIFTH, TALLER = 10, 15, 5, 1.2
"""The boxes on a line of a longer row, if rows need to be few, and which are numbered, with the last; their height."""
WIDEST, SHARES = 2.2, (1.0, 0.9, 0.8, 0.7)
"""The maximum width of boxes of turns, in their heights; shares of boxes' usual size to try, the largest first."""


def _blocks(sheet: Scoresheet, width: float, share: float) -> Iterator[tuple[str, list[list[Drawing]]]]:
    """The title of each block and the rows of its columns: the turns, then the losses of A and of B."""
    if sheet.turns:
        yield sheet.turns.title, [_turns(sheet.turns, width, share)]
    if any(loss.rows for loss in sheet.losses):
        yield sheet.losses[0].title, _columns(sheet.losses, (width - 10) / 2 - TAB - 4 * PAD, share)


def _turns(turns: Track, width: float, share: float) -> list[Drawing]:
    side, size = SIDE * 1.2 * share, max(LEAST, TYPE * share)
    labels = min(width / 3, max(text_width(label, size) for label, _ in turns.rows) + 2 * LABEL_GAP)
    across = max(len(boxes) for _, boxes in turns.rows)
    wide = min(WIDEST * side, (width - labels + GAP) / across - GAP)
    return [track_row(labels, *row, across, wide, side, size) for row in turns.rows]


def _columns(losses: Sequence[Track], width: float, share: float) -> list[list[Drawing]]:
    """The rows of both sides, a unit on each, with boxes of one size below each other; long rows below their labels."""
    rows = [row for loss in losses for row in loss.rows]
    longest, size = max(len(boxes) for _, boxes in rows), max(LEAST, TYPE * share)
    labels, across, side = 0.0, *((MORE, SIDE * 0.85) if share == SHARES[-1] else (TENS, SIDE * TALLER * share))
    wide = (width + GAP) / across - GAP
    if longest <= MOST_BOXES:
        widest = min(width * MOST_LABELS, max(text_width(label, size) for label, _ in rows) + LABEL_GAP)
        count = longest if (width - widest) / longest >= BOX + GAP else min(longest, MOST_ACROSS)
        room, wider = (width - widest) / count - GAP, WIDER if count == longest else 1.0
        side, wide = (max(BOX, min(SIDE * share * number, room)) for number in (1.0, wider))
        labels = min(widest, width - count * (wide + GAP)) + 0.01
        across = int((width - labels + GAP) / (wide + GAP))

    def row(name: str, boxes: Sequence[str | None]) -> Drawing:
        if longest > MOST_BOXES:
            boxes = ["" if place % FIFTH and place < len(boxes) else text for place, text in enumerate(boxes, 1)]
        return track_row(labels, name, boxes, whole_models(boxes, across), wide, side, size)

    return [[row(*pair) for pair in track.rows] for track in losses]


def _block_height(columns: Sequence[Sequence[Drawing]], share: float, *, named: bool) -> float:
    highest = max(sum(row.height - 1 + AIR * share**5 for row in rows) for rows in columns)
    return highest + (NAME * named + 2 * PAD if len(columns) > 1 else 0.0)


def play_height(sheet: Scoresheet, width: float, share: float, *, named: bool) -> float:
    blocks = _blocks(sheet, width, share)
    heights = [section_height(TITLE) * bool(title) + _block_height(rows, share, named=named) for title, rows in blocks]
    return sum(height + BELOW for height in heights)


def draw_play(paper: Paper, sheet: Scoresheet, frame: Frame, share: float, *, named: bool) -> float:
    """Draw the blocks from the top of the frame down, those of the sides with their letters and down to its bottom.

    ``named`` blocks, away from the score, have the player's name and a line for the sum. Returns the y below.
    """
    canvas, y, half, air = paper.canvas, frame.top, (frame.width - 10) / 2, AIR * share**5
    for title, columns in _blocks(sheet, frame.width, share) if frame.height else ():
        if title:
            section(canvas, frame.left, y, frame.width, title, size=TITLE)
            y -= section_height(TITLE)
        height = y - frame.bottom - BELOW if columns[1:] else _block_height(columns, share, named=named)
        for place, rows in enumerate(columns):
            x, at = frame.left + place * (half + 10), y
            spare = height - _block_height([rows, []], share, named=named)
            more = min(MORE_AIR, spare / max(1, len(rows) - 1)) * bool(columns[1:])
            if columns[1:]:
                side_tab(canvas, x, y - height, TAB, height, "AB"[place])
                box(canvas, x, y - height, half, height)
                right, x, at = x + half - PAD, x + TAB + 2 * PAD, y - PAD - NAME * named
            if columns[1:] and named:
                name = fit((sheet.a, sheet.b)[place].name, 9, half * 0.64, bold=True, min_size=7, max_lines=2)
                draw_fitted(canvas, x, at + 4 + 6 * (len(name.lines) - 1), name)
                write_line(canvas, right - half * 0.22, at + 4, right, gettext("Lost"), 9)
            with part(canvas, "P"):
                for row in rows:
                    row.draw(canvas, x, at - air / 2, half)
                    at -= row.height - 1 + air + more
        y -= height + BELOW
    return y
