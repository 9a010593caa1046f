"""The boxes of a scoresheet to tick during the game: the turns, and what each side loses. Lengths are in points."""

from collections.abc import Iterator, Sequence

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Drawing
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import LINE, RULE, Frame, Paper, box, section, section_height
from pdf.score_size import BOX, side_tab
from pdf.sheet_data import Scoresheet
from pdf.tags import part
from pdf.tracks import GAP as APART
from pdf.tracks import PRINT, SIDE, tracks, whole_models
from validators.sheet import Track, TrackRow

TITLE, GAP, TAB, PAD, COLUMNS = 9.5, 9.0, 14.0, 3.0, 12.0
"""Type size of titles, space below each block, width of a side's letter, around its rows, and between two on a line."""
MOST_BOXES = 18
"""Of one row, next to its label."""
SHARES = (1.2, 1.0, 0.9, 0.8)
"""Shares of the usual size of boxes to try, the largest first."""


def _blocks(sheet: Scoresheet, width: float, share: float) -> Iterator[tuple[str, list[list[Drawing]]]]:
    """The title of each block and the rows of its columns: the turns, then the losses of A and of B."""
    half = (width - 10) / 2 - TAB - 2 * PAD
    if sheet.turns:
        yield sheet.turns.title, [tracks(sheet.turns, width, share)]
    if any(one.rows for one in sheet.losses):
        yield sheet.losses[0].title, [_packed(one, half, share) for one in sheet.losses]


def _packed(track: Track, width: float, share: float) -> list[Drawing]:
    """The rows with their boxes at the right, two short ones of a unit on a line; `tracks` if a row is very long.

    A row whose label has a colon begins a unit. A first box with a letter is at the left of the label.
    """
    side, size, half = max(SIDE * share, BOX), max(8.0, min(9.5, 9.5 * share)), (width - COLUMNS) / 2
    if not track.rows or any(len(boxes) > MOST_BOXES for _, boxes in track.rows):
        return tracks(track, width, share) if track.rows else []
    lines, room = list[list[TrackRow]](), half
    for row in track.rows:
        needed = text_width(row[0], size) + 6 + len(row[1]) * (side + APART)
        if needed <= min(room, half) and lines and ":" not in row[0]:
            lines[-1].append(row)
            room = 0.0
        else:
            lines.append([row])
            room = half if needed <= half else 0.0
    most = max(len(boxes) - 2 * (None in boxes) for _, boxes in track.rows)
    return [_line(line, *((half, 1) if line[1:] else (width, most)), side, size) for line in lines]


def _line(rows: Sequence[TrackRow], width: float, most: int, side: float, size: float) -> Drawing:
    """One or two rows next to each other, each of this width, with space for ``most`` boxes if that leaves enough.

    A box with print among others without has a thick line.
    """
    step, cells = side + APART, list[tuple[Fitted, int, int, tuple[str | None, ...]]]()
    for label, boxes in rows:
        letters = 2 * (None in boxes)
        boxes = boxes[letters:]
        left = letters * step / 1.5
        fitting = min(most, int((width - left - text_width(label, size) - 6) / step))
        across = max(1, min(max(fitting, len(boxes)), int(width * 0.6 / step)))
        name = fit(label, size, width - left - across * step - 4, min_size=7, max_lines=2, leading=1.1)
        cells.append((name, letters, across, boxes))
    height = max(
        max(-(-len(boxes) // whole_models(boxes, across)) * step, name.height) for name, _, across, boxes in cells
    )

    def draw(canvas: Canvas, left: float, top: float, _: float) -> None:
        for place, (name, letters, across, boxes) in enumerate(cells):
            x = left + place * (width + COLUMNS)
            at, middle = x + width - across * step + APART, top - side / 2
            if letters:
                box(canvas, x, top - side, side, side)
                draw_text(canvas, x + 2, top - 7.5, rows[place][1][0] or "", PRINT)
            base = middle + (len(name.lines) - 1) * name.step / 2 - name.size * 0.36
            draw_fitted(canvas, x + letters * step / 1.5, base, name)
            for number, printed in enumerate(boxes):
                down, along = divmod(number, whole_models(boxes, across))
                low, line = top - side - down * step, RULE if printed and "" in boxes else LINE
                box(canvas, at + along * step, low, side, side, line)
                draw_text(canvas, at + along * step + 2, low + side - 7.5, printed or "", PRINT, max_width=side - 3)

    return Drawing(height + 1, draw)


def _height(rows: Sequence[Drawing]) -> float:
    return sum(row.height - 1 for row in rows)


def _block_height(columns: Sequence[Sequence[Drawing]]) -> float:
    return max(map(_height, columns)) + (2 * PAD if len(columns) > 1 else 0.0)


def play_height(sheet: Scoresheet, width: float, share: float) -> float:
    """Height of `draw_play`, with the space below."""
    blocks = _blocks(sheet, width, share)
    return sum(section_height(TITLE) * bool(title) + _block_height(columns) + GAP for title, columns in blocks)


def draw_play(paper: Paper, sheet: Scoresheet, frame: Frame, share: float) -> None:
    """Draw the blocks from the top of the frame down, those of the sides with their letters and down to its bottom."""
    canvas, y = paper.canvas, frame.top
    for title, columns in _blocks(sheet, frame.width, share):
        if title:
            section(canvas, frame.left, y, frame.width, title, size=TITLE)
            y -= section_height(TITLE)
        half = (frame.width - 10) / 2
        height = y - frame.bottom if columns[1:] else _block_height(columns)
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
