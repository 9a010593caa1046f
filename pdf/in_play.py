"""The boxes of a scoresheet to tick during the game: the turns, and what each side loses. Lengths are in points."""

from collections.abc import Iterator, Sequence

from pdf.flow import Drawing
from pdf.page import Frame, Paper, box, section, section_height
from pdf.score_size import side_tab
from pdf.sheet_data import Scoresheet
from pdf.tags import part
from pdf.tracks import tracks
from validators.sheet import Track

TITLE, GAP, TAB, PAD = 9.5, 9.0, 14.0, 3.0
"""Type size of titles, space below each block, width of a side's letter, and space around its rows."""
SHARES = (1.0, 0.9, 0.8)
"""Shares of the usual size of boxes to try, the largest first."""


def _blocks(sheet: Scoresheet, width: float, share: float) -> Iterator[tuple[str, list[list[Drawing]]]]:
    """The title of each block and the rows of its columns: the turns, then the losses of A and of B."""
    half = (width - 10) / 2 - TAB - 2 * PAD
    for found, room in (((sheet.turns,), width), (sheet.losses, half)):
        shown = [one for one in found if one and one.rows]
        if shown:
            yield shown[0].title, [tracks(one, room, share) if one else [] for one in found]


def _height(rows: Sequence[Drawing]) -> float:
    return sum(row.height - 1 for row in rows)


def _block_height(columns: Sequence[Sequence[Drawing]]) -> float:
    return max(map(_height, columns)) + (2 * PAD if len(columns) > 1 else 0.0)


def play_height(sheet: Scoresheet, width: float, share: float) -> float:
    """Height of `draw_play`, with the space below."""
    blocks = _blocks(sheet, width, share)
    return sum(section_height(TITLE) * bool(title) + _block_height(columns) + GAP for title, columns in blocks)


def draw_play(paper: Paper, sheet: Scoresheet, frame: Frame, share: float) -> None:
    """Draw the blocks from the top of the frame down, those of a side with its letter."""
    canvas, y = paper.canvas, frame.top
    for title, columns in _blocks(sheet, frame.width, share):
        if title:
            section(canvas, frame.left, y, frame.width, title, size=TITLE)
            y -= section_height(TITLE)
        height, half = _block_height(columns), (frame.width - 10) / 2
        for place, rows in enumerate(columns):
            x, at = frame.left + place * (half + 10), y
            if columns[1:]:
                side_tab(canvas, x, y - height, TAB, height, "AB"[place])
                box(canvas, x, y - height, half, height)
                x, at = x + TAB + PAD, y - PAD
            with part(canvas, "P"):
                for row in rows:
                    row.draw(canvas, x, at, half)
                    at -= row.height - 1
        y -= height + GAP


BLANK = Track("", (("_" * 26, ("",) * 8),) * 5)
"""Losses of a force that the sheet may not show: lines for the names, and boxes."""
