"""The boxes of a scoresheet to tick during the game: the turns, and what each side loses. Lengths are in points."""

from collections.abc import Iterator, Sequence

from languages.words import gettext
from pdf.flow import Drawing
from pdf.fonts import draw_text, text_width
from pdf.page import Frame, Paper, box, section, section_height
from pdf.score_size import BOX, side_tab, write_line
from pdf.sheet_data import Scoresheet
from pdf.tags import part
from pdf.tracks import GAP as APART
from pdf.tracks import LABEL_GAP, MIN_TYPE, SIDE, TYPE, track_row, tracks, whole_models
from validators.sheet import Track

TITLE, GAP, TAB, PAD = 9.5, 9.0, 14.0, 3.0
"""Type size of titles, space below each block, width of a side's letter; around its rows, twice on the left."""
NAME = 15.0
"""Height of the line with a player's name and the sum of the losses."""
MOST_BOXES, MOST_ACROSS, LEAST_LABELS = 18, 8, 0.35
"""Of one row, next to its label; of these on one line; the minimum share of the width for labels."""
SHARES = (1.0, 0.9, 0.8)
"""Shares of the usual size of boxes to try, the largest first."""


def _blocks(sheet: Scoresheet, width: float, share: float) -> Iterator[tuple[str, list[list[Drawing]]]]:
    """The title of each block and the rows of its columns: the turns, then the losses of A and of B."""
    if sheet.turns:
        yield sheet.turns.title, [tracks(sheet.turns, width, share)]
    if any(one.rows for one in sheet.losses):
        yield sheet.losses[0].title, _columns(sheet.losses, (width - 10) / 2 - TAB - 3 * PAD, share)


def _columns(losses: Sequence[Track], width: float, share: float) -> list[list[Drawing]]:
    """The rows of both sides, a unit on each, with boxes and type of one size; `tracks` if a row is very long.

    The boxes of a side are below each other. They and the labels get smaller before a row needs a second line.
    """
    rows = [row for one in losses for row in one.rows]
    longest, size = max(len(boxes) for _, boxes in rows), max(8.0, min(TYPE, TYPE * share))
    if longest > MOST_BOXES:
        return [tracks(one, width, share) for one in losses]
    widest = max(text_width(label, size) for label, _ in rows) + LABEL_GAP
    count = longest if (width - widest) / longest >= BOX + APART else min(longest, MOST_ACROSS)
    side = max(BOX, min(SIDE * share, (width - widest) / count - APART))
    labels = max(width * LEAST_LABELS, min(widest, width - count * (side + APART)))
    size = max(MIN_TYPE, size * min(1.0, (labels - LABEL_GAP - 0.1) / (widest - LABEL_GAP)))
    across = int((width - labels + APART) / (side + APART))
    return [
        [track_row(labels, name, boxes, whole_models(boxes, across), side, side, size) for name, boxes in one.rows]
        for one in losses
    ]


def _block_height(columns: Sequence[Sequence[Drawing]], *, named: bool) -> float:
    highest = max(sum(row.height - 1 for row in rows) for rows in columns)
    return highest + (NAME * named + 2 * PAD if len(columns) > 1 else 0.0)


def play_height(sheet: Scoresheet, width: float, share: float, *, named: bool) -> float:
    """Height of `draw_play`, with the space below."""
    blocks = _blocks(sheet, width, share)
    return sum(section_height(TITLE) * bool(title) + _block_height(rows, named=named) + GAP for title, rows in blocks)


def draw_play(paper: Paper, sheet: Scoresheet, frame: Frame, share: float, *, named: bool) -> None:
    """Draw the blocks from the top of the frame down, those of the sides with their letters and down to its bottom.

    ``named`` blocks, away from the score, have the player's name and a line for the sum.
    """
    canvas, y, half = paper.canvas, frame.top, (frame.width - 10) / 2
    for title, columns in _blocks(sheet, frame.width, share):
        if title:
            section(canvas, frame.left, y, frame.width, title, size=TITLE)
            y -= section_height(TITLE)
        height = y - frame.bottom if columns[1:] else _block_height(columns, named=named)
        for place, rows in enumerate(columns):
            x, at = frame.left + place * (half + 10), y
            if columns[1:]:
                side_tab(canvas, x, y - height, TAB, height, "AB"[place])
                box(canvas, x, y - height, half, height)
                right, x, at = x + half - PAD, x + TAB + 2 * PAD, y - PAD - NAME * named
            if columns[1:] and named:
                draw_text(canvas, x, at + 4, (sheet.a, sheet.b)[place].name, 9, bold=True, max_width=half * 0.66)
                write_line(canvas, right - half * 0.22, at + 4, right, gettext("Lost"), 9)
            with part(canvas, "P"):
                for row in rows:
                    row.draw(canvas, x, at, half)
                    at -= row.height - 1
        y -= height + GAP
