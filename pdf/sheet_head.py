"""The head of a scoresheet, of a page or half a page: the table's number, the event, the code; and the players' boxes.

Also the boxes at the sheet's foot: the winner, how a game ended early, and the signatures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from reportlab.pdfgen.canvas import Canvas

from languages.words import N_, gettext, ngettext
from pdf.fonts import draw_fitted, draw_text, first_line, fit, plain, text_width
from pdf.page import INK, LINE, PAPER, Frame, Paper, block, box, draw_qr, rule
from pdf.score_boxes import BOX, WRITE, side_tab, write_line
from pdf.sheet_data import Scoresheet, unit_word
from pdf.tags import part, title_role

TOTAL_LINE, CODE, CODE_WIDTH, CODE_HEIGHT, GROUP = 48.0, 10, 14.0, 16.0, 6.0
"""Width of a line for a force's total; characters of a game's code, sides of their boxes, the gap in the middle."""
QR, BLOCK, WORD, GAP = 68.0, 86.0, 36.0, 10.0
"""Sides of the QR code, of the black block with the table's number and of its word, and the space around the block."""


@dataclass(frozen=True)
class HeadSize:
    """The height of a head, and the type sizes of its texts, in points."""

    height: float
    is_tall: bool
    """Whether the round is below the event, the code below its invitation, and the number below its word."""
    event: float
    what: float
    """Of the round."""
    invitation: float
    """Of how to report."""
    code: float
    """Of the code, or of the winner on a record."""
    corner: float
    """Of the word at the right, such as RECORD."""
    number: float
    """Of the table's number."""


HEAD = HeadSize(68.0, is_tall=True, event=18, what=12, invitation=8.5, code=17, corner=30, number=46)
LOW_HEAD = HeadSize(34.0, is_tall=False, event=14, what=10, invitation=7.5, code=13, corner=14, number=28)
"""For half a page."""


def draw_head(canvas: Canvas, frame: Frame, sheet: Scoresheet, size: HeadSize) -> float:
    """Draw the head at the top of the frame, and return the right end of player B's box, which may be next to the QR
    code.
    """
    top, right = frame.top, frame.right
    if sheet.url:
        # Its quiet zone is the margin at the right, and the white kept to the left and below.
        draw_qr(canvas, right - QR, top - QR, QR, sheet.url)
        right -= QR + QR / 6
    left, end = frame.left + BLOCK + GAP, frame.right if size.is_tall else right
    corner = gettext("BLANK") if sheet.is_blank else gettext("DRAFT") if sheet.is_draft else ""
    corner = gettext("RECORD") if sheet.result else corner
    if corner:
        drawn = draw_text(canvas, right, top - size.corner * 0.8, corner, size.corner, bold=True, align="right")
        right -= drawn.last_width + GAP
    minutes = ngettext("%(num)s minute", "%(num)s minutes", sheet.minutes) if sheet.minutes else ""
    what = " · ".join(filter(None, (gettext("Round %(number)s", number=sheet.round_number), sheet.stage, minutes)))
    at, base, room = left, top - size.event * 0.82, right - left
    if not size.is_tall:
        at = right - text_width(what, size.what)
        room = at - GAP - left
    with part(canvas, title_role(canvas)):
        draw_text(canvas, left, base, sheet.event, size.event, bold=True, max_width=room, min_size=8)
    draw_text(canvas, at, base - size.what * 1.35 * size.is_tall, what, size.what, max_width=right - at)
    _report(canvas, frame, left, right, sheet, size)
    with part(canvas, "H1"):
        _number(canvas, frame, sheet, size)
    return end


def _number(canvas: Canvas, frame: Frame, sheet: Scoresheet, size: HeadSize) -> None:
    bottom, words = frame.top - size.height, gettext("TABLE") if sheet.minutes else gettext("PLAY BY")
    block(canvas, frame.left, bottom, BLOCK, size.height)
    canvas.setFillGray(PAPER)
    # The word's field is above the number, or at its left.
    field = Frame(frame.left, frame.top - 20, frame.left + BLOCK, frame.top)
    number = Frame(frame.left, bottom, field.right, field.bottom)
    if not size.is_tall:
        field = Frame(frame.left + 2, frame.top - 26, frame.left + WORD, frame.top)
        number = Frame(field.right, bottom, frame.left + BLOCK, frame.top)
    at, room = field.left + field.width / 2, field.width - 2
    word = fit(words, 8.5, room, bold=True, min_size=6, max_lines=2)
    draw_fitted(canvas, at, field.bottom + 6 + word.height - word.step, word, "centre")
    if sheet.is_blank:
        block(canvas, number.left + 4, number.bottom + 4, number.width - 8, number.height - 8, PAPER)
    else:
        shown, at, room = sheet.by or str(sheet.table), number.left + number.width / 2, number.width - 8
        draw_text(canvas, at, bottom + 8, shown, size.number, bold=True, max_width=room, min_size=8, align="centre")
    canvas.setFillGray(INK)


def _report(canvas: Canvas, frame: Frame, left: float, right: float, sheet: Scoresheet, size: HeadSize) -> None:
    """Draw the game's code and how to report with it; on a record the winner, on a blank sheet boxes for the code."""
    y, small = frame.top - size.height + 5, size.invitation
    if sheet.result:
        draw_text(canvas, left, y, sheet.result.winner, size.code, bold=True, max_width=right - left, min_size=8)
    elif sheet.code:
        where, words = gettext("at %(address)s", address=sheet.address), gettext("The code of this game")
        if sheet.url:  # in fewer words if the address is long
            words = gettext("Report the result: scan the QR code or enter")
            rest = text_width(sheet.code, size.code, bold=True) + text_width(f"{words} {where}", small)
            words = words if size.is_tall or rest + 12 <= right - left else gettext("Scan or enter")
        drawn = draw_text(canvas, left, y + size.code * 1.1 * size.is_tall, words, small)
        left += 0 if size.is_tall else drawn.last_width + 6
        code = draw_text(canvas, left, y, sheet.code, size.code, bold=True, max_width=right - left)
        at = left + code.last_width + 6
        draw_text(canvas, at, y, where if sheet.address else "", small, max_width=right - at)
    elif sheet.is_blank:
        at = left + draw_text(canvas, left, y, gettext("Code of this game, from the desk"), small).last_width + 6
        for place in range(CODE):  # in two groups, as codes are printed
            box(canvas, at + place * CODE_WIDTH + GROUP * (place >= CODE / 2), y - 4, CODE_WIDTH, CODE_HEIGHT)
        at += CODE * CODE_WIDTH + GROUP + 6
        where = gettext("to report at %(address)s", address=sheet.address) if sheet.address else ""
        draw_text(canvas, at, y, where, small, max_width=frame.right - at)


def draw_player(
    canvas: Canvas, x: float, top: float, width: float, height: float, side: str, sheet: Scoresheet, *, large: bool
) -> None:
    """Draw a player's box; x is its left edge, in points.

    The name takes one line, or two if it is long; faction, role, club and leader follow in the largest type in which
    they fit next to the force's total, which is at the lower right.
    """
    player = sheet.a if side == "A" else sheet.b
    tab, bottom = (24 if large else 17), top - height
    box(canvas, x, bottom, width, height)
    side_tab(canvas, x, bottom, tab, height, side)
    left, right = x + tab + 6, x + width - 6
    if not plain(player.name):
        _to_write(canvas, left, right, bottom, height, sheet)
        return
    total, room = "" if player.force_total is None else f"{player.force_total} {sheet.unit}", right - left
    totals = [total]
    if total and player.fielded is not None:
        part = gettext("%(n)s of %(all)s", n=player.fielded, all=total)
        totals = [gettext("up to %(n)s", n=part) if sheet.result else gettext("may field %(n)s", n=part), part]
    size, largest, sizes = (9.0, 14, ((9, 26), (7, 24))) if large else (8.0, 11, ((8, 20), (7, 17)))
    size, largest = size + 2 * bool(sheet.result), largest + 2 * bool(sheet.result)
    writes = player.writes_total and not total and not sheet.result
    worths = [fit(text, size + 3.5, room * 0.6, bold=True, min_size=8) for text in totals]
    worths = [*(fitted for fitted in worths if not fitted.cut), fit(totals[-1], 8, room, bold=True, min_size=7)]
    if writes:
        worths = [fit(sheet.unit, size, room)]
    taken = TOTAL_LINE + 12 if writes else 8.0 if total else 0.0
    texts = [words for words in map(plain, (player.about, player.leader)) if words]
    ways = product(sizes, worths, (texts, [" · ".join(texts)]), (size - n / 2 for n in range(int(2 * size) - 13)))
    for (least, high), worth, said, number in ways:
        name = fit(player.name, largest, room, bold=True, min_size=least, max_lines=2, max_height=high, leading=1.12)
        y = top - (3 if large else 2) - name.height - name.size * 0.13
        total_top = bottom + 8 + worth.size * 0.75
        lines = list(_lines(said, (y, total_top, bottom + 3), room, worth.last_width + taken, number))
        if not lines or lines[-1][0] >= bottom + 3:
            break
    draw_fitted(canvas, left, top - (3 if large else 2) - name.size, name)
    draw_fitted(canvas, right, bottom + 5, worth, "right")
    if writes:
        end = right - worth.last_width - 4
        rule(canvas, end - TOTAL_LINE, bottom + 4, end, bottom + 4, LINE)
    for place, (base, words, rest, wide) in enumerate(lines):
        is_last = place + 1 < len(lines) and lines[place + 1][0] < bottom + 3
        if base >= bottom + 3:
            draw_text(canvas, left, base, rest if is_last else words, number, max_width=wide, min_size=number)


def _lines(
    texts: Sequence[str], heights: tuple[float, float, float], room: float, total_width: float, size: float
) -> Iterator[tuple[float, str, str, float]]:
    """The lines of some texts: baseline, words, these with the rest of their text, and width.

    ``heights``: they are below the first, below the second next to the total, and end with the first line that is
    below the third.
    """
    top, total_top, bottom = heights
    y = top - size * 1.05
    for rest in texts:
        while rest:
            wide = room - total_width * (y < total_top)
            words = first_line(rest, size, wide)
            yield y, words, rest, wide
            if y < bottom:
                return
            rest, y = rest[len(words) :].lstrip(), y - size * 1.2


def _to_write(canvas: Canvas, left: float, right: float, bottom: float, height: float, sheet: Scoresheet) -> None:
    """Draw lines, 9 mm apart, to write a player's details on; half a page has two lines, without the leader.

    The player's faction, leader and club hold the game's words for them, which become the labels.
    """
    player, small, total = sheet.a, height <= 3 * WRITE, unit_word(sheet.unit)
    rows = [[(gettext("Name"), 6), *[(player.club, 5)] * small], [(player.faction, 4), (total, 3)]]
    rows += [] if small else [[(player.leader, 1), (player.club, 1)]]
    for place, labels in enumerate(rows, 1):
        y, at = bottom + 6 + (len(rows) - place) * (height - 4) / len(rows), left
        row = [(label, share) for label, share in labels if label]
        unit = (right - left + 6) / sum(share for _, share in row)
        for label, share in row:
            end, type_size = at + share * unit - 6, 7 + len(rows) / 2
            if label == total and player.fielded is not None:
                words = gettext("of %(n)s", n=player.fielded)
                end -= draw_text(canvas, end, y, words, type_size, align="right").last_width + 4
            write_line(canvas, at, y, end, label, type_size)
            at += share * unit


ENDINGS = N_("A conceded"), N_("B conceded"), N_("Unfinished")


def draw_outcome(canvas: Canvas, frame: Frame, y: float, sheet: Scoresheet, size: float, right: float) -> None:
    """Draw boxes to tick for the winner, and for an early end in the ``right`` points of the frame, or in more or less.

    The winners have as much of the players' names as fits; a knockout has no draw.
    """
    ended, ways = (gettext("Ended early"), [gettext(ending) for ending in ENDINGS]), [*sheet.ways_to_name]
    for names, number in (*product(ways, (size, size - 0.5, size - 1)), (ways[-1], 7.0)):
        won = gettext("Winner"), [*names, *[gettext("Draw")] * (not sheet.stage)]
        left, taken = _ticks_width(*won, number), _ticks_width(*ended, number)
        if left + taken <= frame.width:
            break
    _draw_ticks(canvas, frame.left, y, frame.width - taken, *won, number)
    _draw_ticks(canvas, frame.right - max(taken, min(right, frame.width - left)), y, taken, *ended, number)


def _ticks_width(label: str, boxes: Sequence[str], size: float) -> float:
    return text_width(label, size, bold=True) + sum(text_width(text, size) + BOX + 4 + size for text in boxes) + size


def _draw_ticks(canvas: Canvas, x: float, y: float, room: float, label: str, boxes: Sequence[str], size: float) -> None:
    at = x + draw_text(canvas, x, y + 3, label, size, bold=True, max_width=room / 3).last_width + size
    for words in boxes:
        box(canvas, at, y, BOX, BOX)
        at += BOX + 4
        at += draw_text(canvas, at, y + BOX / 2 - size * 0.36, words, size, max_width=x + room - at).last_width + size


SIGNED = (
    (N_("A agrees"), 3.0),
    (N_("B agrees"), 3.0),
    (N_("Judge, if called"), 2.2),
    (N_("Time started"), 1.5),
    (N_("Time ended"), 1.5),
)


def draw_signatures(paper: Paper, y: float, size: float) -> None:
    canvas, at, gap = paper.canvas, paper.frame.left, 12.0
    unit = (paper.frame.width - gap * (len(SIGNED) - 1)) / sum(share for _, share in SIGNED)
    for label, share in SIGNED:
        rule(canvas, at, y + size + 2.5, at + share * unit, y + size + 2.5, LINE)
        draw_text(canvas, at, y + 1.5, gettext(label), size, max_width=share * unit)
        at += share * unit + gap
