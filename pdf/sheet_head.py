"""The head of a scoresheet, of a page or half a page: the table's number, the event, the code; and the players' boxes.

Also the boxes at the sheet's foot: the winner, how a game ended early, and the signatures.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_fitted, draw_text, fit, plain, text_width
from pdf.page import INK, LINE, PAPER, Frame, Paper, block, box, draw_qr, rule
from pdf.score_size import BOX, WRITE, side_tab, write_line
from pdf.sheet_data import Scoresheet, SheetPlayer
from pdf.tags import part

At = tuple[float, float]
"""Distance of a baseline from the head's top or bottom edge, and its type size, in points."""


@dataclass(frozen=True)
class HeadSize:
    """The measures of a head, in points."""

    height: float
    block: float
    """Width of the black block with the table's number."""
    inset: float
    """Padding of the block."""
    word: At
    number: At
    least_number: float
    gap: float
    """Space between the block and the text next to it."""
    event: At
    least_event: float
    what: At
    invitation: At
    code: At
    address: At
    """Its distance is horizontal, from the code."""
    record: At
    """The word at the right of a blank sheet or a record."""
    score: At
    """The score at the right of a record."""


FULL = HeadSize(
    height=82.0, block=92.0, inset=8.0, word=(16, 11), number=(14, 58), least_number=12, gap=14, event=(17, 18),
    least_event=11, what=(36, 12), invitation=(26, 8.5), code=(7, 17), address=(8, 10), record=(26, 34), score=(70, 40),
)  # fmt: skip
HALF = HeadSize(
    height=51.0, block=66.0, inset=6.0, word=(11, 8), number=(8, 38), least_number=8, gap=10, event=(11.5, 13),
    least_event=8, what=(22.5, 9), invitation=(17.5, 7), code=(5, 13), address=(6, 8), record=(17, 22), score=(44, 26),
)  # fmt: skip


def draw_head(canvas: Canvas, frame: Frame, sheet: Scoresheet, size: HeadSize) -> None:
    """Draw the head at the top of the frame."""
    with part(canvas, "H1"):
        _number(canvas, frame, sheet, size)
        _title(canvas, frame, sheet, size)


def _number(canvas: Canvas, frame: Frame, sheet: Scoresheet, size: HeadSize) -> None:
    """Draw the black block with the table's number, or with a white box to write it in."""
    bottom = frame.top - size.height
    block(canvas, frame.left, bottom, size.block, size.height)
    canvas.setFillGray(PAPER)
    at, (down, type_size) = frame.left + size.block / 2, size.word
    words = "PLAY BY" if sheet.by else "TABLE"
    draw_text(canvas, at, frame.top - down, words, type_size, bold=True, align="centre")
    if sheet.is_blank:
        width, height = size.block - 2 * size.inset, size.height - size.inset - size.word[0] - 6
        block(canvas, frame.left + size.inset, bottom + size.inset, width, height, PAPER)
    else:
        up, type_size = size.number
        room = size.block - size.inset * 1.5
        number = fit(sheet.by or str(sheet.table), type_size, room, bold=True, min_size=size.least_number)
        draw_fitted(canvas, at, bottom + up, number, "centre")
    canvas.setFillGray(INK)


def _title(canvas: Canvas, frame: Frame, sheet: Scoresheet, size: HeadSize) -> None:
    """Draw the event, the round and how to report; at the right the QR code, or on a record the score."""
    top, bottom, right = frame.top, frame.top - size.height, frame.right
    if sheet.url:
        # Its quiet zone is the margin at the right, and the white kept to the left and below.
        side = size.height - 2
        draw_qr(canvas, right - side, top - side, side, sheet.url)
        right -= side + side / 6
    corner = "RECORD" if sheet.result else "BLANK" if sheet.is_blank else ""
    if corner:
        down, type_size = size.record
        drawn = draw_text(canvas, right, top - down, corner, type_size, bold=True, align="right")
        score = [of.total for *_, of in sheet.sides]
        if None not in score:
            shown = f"{score[0]} : {score[1]}"
            draw_text(canvas, right, top - size.score[0], shown, size.score[1], bold=True, align="right")
        right -= drawn.last_width + size.gap
    left = frame.left + size.block + size.gap
    event = fit(sheet.event, size.event[1], right - left, bold=True, min_size=size.least_event)
    draw_fitted(canvas, left, top - size.event[0], event)
    what = f"Round {sheet.round_number}" + (f" · {sheet.minutes} minutes" if sheet.minutes else "")
    draw_text(canvas, left, top - size.what[0], what, size.what[1], max_width=right - left)
    if sheet.code:
        words = "Report the result: scan the QR code or enter this code" if sheet.url else "The code of this game"
        draw_text(canvas, left, bottom + size.invitation[0], words, size.invitation[1])
        up, type_size = size.code
        code = draw_text(canvas, left, bottom + up, sheet.code, type_size, bold=True, max_width=right - left)
        if sheet.address:
            away, type_size = size.address
            at = left + text_width(sheet.code, code.size, bold=True) + away
            draw_text(canvas, at, bottom + up, f"at {sheet.address}", type_size, max_width=right - at)
    elif sheet.is_blank:
        at, type_size = left + 3 * size.block, size.invitation[1]
        write_line(canvas, left, bottom + 5, at, "Code of this game, from the desk", type_size)
        if sheet.address:
            words = f"to report at {sheet.address}"
            draw_text(canvas, at + 6, bottom + 5, words, type_size, max_width=frame.right - at - 6)


def draw_player(
    canvas: Canvas, x: float, top: float, width: float, height: float, side: str, sheet: Scoresheet, *, large: bool
) -> None:
    """Draw a player's box; x is its left edge, in points.

    The name takes one line, or two if it is long; faction, role, club and leader follow on as many lines as there is
    space for, and the force's total is at the lower right. If faction and club together are too long for a line, the
    club moves to the leader's line.
    """
    player = sheet.a if side == "A" else sheet.b
    tab, bottom = (24 if large else 17), top - height
    box(canvas, x, bottom, width, height)
    side_tab(canvas, x, bottom, tab, height, side)
    left, right = x + tab + 6, x + width - 6
    if not plain(player.name):
        _to_write(canvas, left, right, bottom, height, player)
        return
    total = "" if player.force_total is None else f"{player.force_total} {sheet.unit}"
    if total and player.fielded is not None:
        total = f"{'up to' if sheet.result else 'may field'} {player.fielded} of {total}"
    room = right - left
    name = fit(player.name, 14 if large else 11, room, bold=True, min_size=9 if large else 8, leading=1.12)
    if name.cut:
        name = fit(player.name, 10 if large else 7, room, bold=True, max_lines=2, leading=1.12)
    y = draw_fitted(canvas, left, top - (3 if large else 2) - name.size, name)
    size, total_width = 9.0 if large else 7.5 if len(name.lines) == 1 else 7.0, 0.0
    leading = size * (1.25 if large else 1.15)
    if total:
        worth = fit(total, size + 3.5, room * 0.6, bold=True, min_size=8)
        draw_fitted(canvas, right, bottom + 4, worth, "right")
        total_width = worth.last_width + 8
    y += name.size * 0.87 - size * 1.05
    lines = (player.about, player.leader)
    free = not plain(player.leader) and y - leading >= bottom + 2
    total_top = bottom + size + 9  # a baseline below this is next to the total
    is_next_to_total = free or y < total_top
    if text_width(player.about, 7) > room - total_width * is_next_to_total:  # the club moves to the leader's line
        lines = (player.played, " · ".join(filter(plain, (player.leader, player.club))))
    for words in filter(plain, lines):
        if y >= bottom + 2:
            draw_text(canvas, left, y, words, size, max_width=room - (total_width if y < total_top else 0.0))
        y -= leading


def _to_write(canvas: Canvas, left: float, right: float, bottom: float, height: float, player: SheetPlayer) -> None:
    """Draw lines, 9 mm apart, to write a player's details on; half a page has two lines for fewer details.

    The player's faction, leader and club hold the game's words for them, which become the labels.
    """
    rows = [[("Name", 1)], [(player.faction, 3), ("Total", 2)], [(player.leader, 1), (player.club, 1)]]
    rows = rows if height > 3 * WRITE else rows[:2]
    for place, labels in enumerate(rows, 1):
        y, at = bottom + 6 + (len(rows) - place) * (height - 4) / len(rows), left
        row = [(label, share) for label, share in labels if label]
        unit = (right - left + 6) / sum(share for _, share in row)
        for label, share in row:
            write_line(canvas, at, y, at + share * unit - 6, label, 7)
            at += share * unit


def draw_ticks(
    canvas: Canvas, x: float, y: float, room: float, label: str, boxes: Sequence[str], size: float, indent: float = 0.0
) -> None:
    """Draw a label and, after ``indent`` points or the label's own width, boxes to tick with their words.

    Each box takes the width that its words need. If they need too much, the first two share what the last one leaves.
    """
    draw_text(canvas, x, y + 3, label, size, bold=True)
    indent = indent or text_width(label, size, bold=True) + size
    widths = [text_width(words, size) + BOX + 4 + size for words in boxes]
    left = room - indent - widths[-1]
    max_step = max(left / 2, left - min(widths[:2]))
    x += indent
    for words, natural in zip(boxes, widths, strict=True):
        box(canvas, x, y, BOX, BOX)
        step = min(natural, max_step)
        draw_text(canvas, x + BOX + 4, y + 3, words, size, max_width=step - BOX - 4 - size * 0.7)
        x += step


SIGNED = (("A agrees", 3.0), ("B agrees", 3.0), ("Judge, if called", 2.2), ("Time started", 1.5), ("Time ended", 1.5))


def draw_signatures(paper: Paper, y: float, size: float) -> None:
    """Draw lines to sign on, at ``y``, each with a label of ``size`` points below."""
    canvas, at, gap = paper.canvas, paper.frame.left, 12.0
    unit = (paper.frame.width - gap * (len(SIGNED) - 1)) / sum(share for _, share in SIGNED)
    for label, share in SIGNED:
        rule(canvas, at, y + size + 2.5, at + share * unit, y + size + 2.5, LINE)
        draw_text(canvas, at, y + 1.5, label, size, max_width=share * unit)
        at += share * unit + gap
