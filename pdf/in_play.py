"""The boxes of a scoresheet to tick during the game: the turns, and what each side loses. Lengths are in points."""

from collections.abc import Iterator, Sequence

from languages.words import gettext
from pdf.flow import Drawing
from pdf.fonts import draw_fitted, fit, text_width
from pdf.page import Frame, Paper, box, section, section_height
from pdf.score_size import BOX, TITLE, side_tab, write_line
from pdf.sheet_data import Scoresheet
from pdf.tags import part
from pdf.tracks import GAP as APART
from pdf.tracks import LABEL_GAP, SIDE, TYPE, WIDER, track_row, whole_models
from validators.sheet import Track

GAP, TAB, PAD, AIR, MORE_AIR = 9.0, 14.0, 3.0, 6.0, 8.0
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
    """The rows of turns, with the boxes of all next to their labels."""
    side, size = SIDE * 1.2 * share, max(LEAST, TYPE * share)
    labels = min(width / 3, max(text_width(label, size) for label, _ in turns.rows) + 2 * LABEL_GAP)
    across = max(len(boxes) for _, boxes in turns.rows)
    wide = min(WIDEST * side, (width - labels + APART) / across - APART)
    return [track_row(labels, *row, across, wide, side, size) for row in turns.rows]


def _columns(losses: Sequence[Track], width: float, share: float) -> list[list[Drawing]]:
    """The rows of both sides, a unit on each, with boxes of one size below each other; long rows below their labels."""
    rows = [row for loss in losses for row in loss.rows]
    longest, size = max(len(boxes) for _, boxes in rows), max(LEAST, TYPE * share)
    labels, across, side = 0.0, *((MORE, SIDE * 0.85) if share == SHARES[-1] else (TENS, SIDE * TALLER * share))
    wide = (width + APART) / across - APART
    if longest <= MOST_BOXES:
        widest = min(width * MOST_LABELS, max(text_width(label, size) for label, _ in rows) + LABEL_GAP)
        count = longest if (width - widest) / longest >= BOX + APART else min(longest, MOST_ACROSS)
        room, wider = (width - widest) / count - APART, WIDER if count == longest else 1.0
        side, wide = (max(BOX, min(SIDE * share * number, room)) for number in (1.0, wider))
        labels = min(widest, width - count * (wide + APART)) + 0.01
        across = int((width - labels + APART) / (wide + APART))

    def row(name: str, boxes: Sequence[str | None]) -> Drawing:
        if longest > MOST_BOXES:
            boxes = ["" if place % FIFTH and place < len(boxes) else text for place, text in enumerate(boxes, 1)]
        return track_row(labels, name, boxes, whole_models(boxes, across), wide, side, size)

    return [[row(*pair) for pair in track.rows] for track in losses]


def _block_height(columns: Sequence[Sequence[Drawing]], share: float, *, named: bool) -> float:
    highest = max(sum(row.height - 1 + AIR * share**5 for row in rows) for rows in columns)
    return highest + (NAME * named + 2 * PAD if len(columns) > 1 else 0.0)


def play_height(sheet: Scoresheet, width: float, share: float, *, named: bool) -> float:
    """Height of `draw_play`, with the space below."""
    blocks = _blocks(sheet, width, share)
    heights = [section_height(TITLE) * bool(title) + _block_height(rows, share, named=named) for title, rows in blocks]
    return sum(height + GAP for height in heights)


def draw_play(paper: Paper, sheet: Scoresheet, frame: Frame, share: float, *, named: bool) -> float:
    """Draw the blocks from the top of the frame down, those of the sides with their letters and down to its bottom.

    ``named`` blocks, away from the score, have the player's name and a line for the sum. Returns the y below.
    """
    canvas, y, half, air = paper.canvas, frame.top, (frame.width - 10) / 2, AIR * share**5
    for title, columns in _blocks(sheet, frame.width, share) if frame.height else ():
        if title:
            section(canvas, frame.left, y, frame.width, title, size=TITLE)
            y -= section_height(TITLE)
        height = y - frame.bottom - GAP if columns[1:] else _block_height(columns, share, named=named)
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
        y -= height + GAP
    return y
