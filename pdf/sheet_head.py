"""The head of a scoresheet, of a page or half a page: the table's number, the event, the code; and the players' boxes.

Also the boxes at the sheet's foot: the winner, how a game ended early, and the signatures.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext, ngettext, noted
from pdf.fonts import draw_fitted, draw_text, first_line, fit, plain, text_width
from pdf.page import INK, LINE, PAPER, Frame, Paper, block, box, draw_qr, rule
from pdf.score_size import BOX, WRITE, side_tab, write_line
from pdf.sheet_data import Scoresheet
from pdf.tags import part, title_role

TOTAL_LINE = 48.0
"""Width of a line to write a force's total on."""
CODE, CODE_HEIGHT, GROUP = 10, 14.0, 6.0
"""The characters of a game's code; the height of the boxes to write them in, and the gap in the middle."""
HEAD, QR, BLOCK, WORD, INSET, GAP = 34.0, 68.0, 86.0, 36.0, 4.0, 10.0
"""Heights of the head and of the QR code; widths of the black block with the table's number and of its word; the
padding of the block, and the space around it."""
LARGER = 1.12
"""The scale of the head on a whole page."""
EVENT, WHAT, INVITATION, SHOWN = 14.0, 10.0, 7.5, 13.0
"""Type sizes of the event's name, of the round, of how to report, and of the code or the winner."""


def draw_head(canvas: Canvas, frame: Frame, sheet: Scoresheet, scale: float) -> float:
    """Draw the head at the top of the frame, and return the right end of player B's box, left of the QR code."""
    canvas.saveState()
    canvas.translate(frame.left, frame.top)
    canvas.scale(scale, scale)
    end = _head(canvas, Frame(0.0, -frame.height / scale, frame.width / scale, 0.0), sheet)
    canvas.restoreState()
    return frame.left + end * scale


def _head(canvas: Canvas, frame: Frame, sheet: Scoresheet) -> float:
    top, right = frame.top, frame.right
    if sheet.url:
        # Its quiet zone is the margin at the right, and the white kept to the left and below.
        draw_qr(canvas, right - QR, top - QR, QR, sheet.url)
        right -= QR + QR / 6
    left, end = frame.left + BLOCK + GAP, right
    corner = gettext("BLANK") if sheet.is_blank else gettext("DRAFT") if sheet.is_draft else ""
    corner = gettext("RECORD") if sheet.result else corner
    if corner:
        wide = draw_text(canvas, right, top - 11.5, corner, EVENT, bold=True, align="right").last_width
        score = [of.total for *_, of in sheet.sides]
        if None not in score:
            shown = gettext("VP %(a)s : %(b)s", a=score[0], b=score[1])
            drawn = draw_text(canvas, right, top - 29, shown, EVENT, bold=True, align="right")
            wide = max(wide, drawn.last_width)
        right -= wide + GAP
    what = gettext("Round %(number)s", number=sheet.round_number)
    if sheet.minutes:
        what += " · " + ngettext("%(num)s minute", "%(num)s minutes", sheet.minutes)
    at = right - text_width(what, WHAT)
    with part(canvas, title_role(canvas)):
        draw_text(canvas, left, top - 11.5, sheet.event, EVENT, bold=True, max_width=at - GAP - left, min_size=8)
    draw_text(canvas, at, top - 11.5, what, WHAT)
    _report(canvas, frame, left, right, sheet)
    with part(canvas, "H1"):
        _number(canvas, frame, sheet)
    return end


def _number(canvas: Canvas, frame: Frame, sheet: Scoresheet) -> None:
    """Draw the black block with the table's number, or with a white box to write it in."""
    bottom, width = frame.top - HEAD, BLOCK - WORD
    block(canvas, frame.left, bottom, BLOCK, HEAD)
    canvas.setFillGray(PAPER)
    words, at = gettext("PLAY BY") if sheet.by else gettext("TABLE"), frame.left + WORD / 2 + 2
    draw_text(canvas, at, frame.top - 20, words, 8, bold=True, max_width=WORD - 4, min_size=7, align="centre")
    if sheet.is_blank:
        block(canvas, frame.left + WORD + INSET, bottom + INSET, width - 2 * INSET, HEAD - 2 * INSET, PAPER)
    else:
        at, number = frame.left + WORD + width / 2, sheet.by or str(sheet.table)
        room = width - INSET * 1.5
        draw_text(canvas, at, bottom + 7, number, 28, bold=True, max_width=room, min_size=8, align="centre")
    canvas.setFillGray(INK)


def _report(canvas: Canvas, frame: Frame, left: float, right: float, sheet: Scoresheet) -> None:
    """Draw the game's code and how to report with it; on a record the winner, on a blank sheet boxes for the code."""
    y = frame.top - HEAD + 4.5
    if sheet.result:
        draw_text(canvas, left, y, sheet.result.winner, SHOWN, bold=True, max_width=right - left, min_size=8)
    elif sheet.code:
        where, words = gettext("at %(address)s", address=sheet.address), gettext("The code of this game")
        if sheet.url:  # in fewer words if the address is long
            words = gettext("Report the result: scan the QR code or enter")
            rest = text_width(sheet.code, SHOWN, bold=True) + text_width(f"{words} {where}", INVITATION)
            words = words if rest + 12 <= right - left else gettext("Scan or enter")
        left += draw_text(canvas, left, y, words, INVITATION).last_width + 6
        at = left + draw_text(canvas, left, y, sheet.code, SHOWN, bold=True, max_width=right - left).last_width + 6
        draw_text(canvas, at, y, where if sheet.address else "", INVITATION, max_width=right - at)
    elif sheet.is_blank:
        drawn = draw_text(canvas, left, y + 0.5, gettext("Code of this game, from the desk"), INVITATION)
        at = left + drawn.last_width + 6
        for place in range(CODE):  # in two groups, as codes are printed
            box(canvas, at + place * BOX + GROUP * (place >= CODE / 2), y - 2.5, BOX, CODE_HEIGHT)
        at += CODE * BOX + GROUP + 6
        where = gettext("to report at %(address)s", address=sheet.address) if sheet.address else ""
        draw_text(canvas, at, y + 0.5, where, INVITATION, max_width=frame.right - at)


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
    size, writes = 9.0 if large else 8.0, player.writes_total and not total and not sheet.result
    worths = [fit(one, size + 3.5, room * 0.6, bold=True, min_size=8) for one in totals]
    worths = [*(one for one in worths if not one.cut), fit(totals[-1], 8, room, bold=True, min_size=7)]
    if writes:
        worths = [fit(sheet.unit, size, room)]
    taken = TOTAL_LINE + 12 if writes else 8.0 if total else 0.0
    texts = [words for words in map(plain, (player.about, player.leader)) if words]
    largest, sizes = (14, ((9, 26), (7, 24))) if large else (11, ((8, 20), (7, 17)))
    ways = product(sizes, worths, (texts, [" · ".join(texts)]), (size, size - 0.5, 7.5, 7.0))
    for (least, high), worth, said, one in ways:
        name = fit(player.name, largest, room, bold=True, min_size=least, max_lines=2, max_height=high, leading=1.12)
        y = top - (3 if large else 2) - name.height - name.size * 0.13
        total_top = bottom + 8 + worth.size * 0.75
        lines = list(_lines(said, (y, total_top, bottom + 3), room, worth.last_width + taken, one))
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
            draw_text(canvas, left, base, rest if is_last else words, one, max_width=wide, min_size=one)


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
    player, small, total = sheet.a, height <= 3 * WRITE, sheet.unit.split()[-1].capitalize()
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


def draw_ticks(
    canvas: Canvas, x: float, y: float, room: float, label: str, boxes: Sequence[str], size: float, indent: float = 0.0
) -> None:
    """Draw a label and, after ``indent`` points or the label's own width, boxes to tick with their words."""
    said = draw_text(canvas, x, y + 3, label, size, bold=True, max_width=room / 3)
    at, least = x + (indent or said.width + size), [BOX + 3 + size * 0.7 + text_width(one, size * 0.7) for one in boxes]
    for place, words in enumerate(boxes, 1):
        box(canvas, at, y, BOX, BOX)
        at += BOX + 3
        free = x + room - at - sum(least[place:])
        at += draw_text(canvas, at, y + BOX / 2 - size * 0.36, words, size, max_width=free).last_width + size * 0.7


def winners(sheet: Scoresheet, room: float, size: float) -> tuple[str, ...]:
    """The choices for the winner, with the players' names if these fit into the room of their boxes."""
    named = [f"{side} · {player.name}" for side, player, _ in sheet.sides if plain(player.name)]
    fits = named[1:] and sum(text_width(words, size) + BOX + 4 + size for words in (*named, gettext("Draw"))) <= room
    sides = named if fits else [gettext("Player %(side)s", side=side) for side in "AB"]
    return *sides, gettext("Draw")


SIGNED = (
    (noted("A agrees"), 3.0),
    (noted("B agrees"), 3.0),
    (noted("Judge, if called"), 2.2),
    (noted("Time started"), 1.5),
    (noted("Time ended"), 1.5),
)


def draw_signatures(paper: Paper, y: float, size: float) -> None:
    """Draw lines to sign on, at ``y``, each with a label of ``size`` points below."""
    canvas, at, gap = paper.canvas, paper.frame.left, 12.0
    unit = (paper.frame.width - gap * (len(SIGNED) - 1)) / sum(share for _, share in SIGNED)
    for label, share in SIGNED:
        rule(canvas, at, y + size + 2.5, at + share * unit, y + size + 2.5, LINE)
        draw_text(canvas, at, y + 1.5, gettext(label), size, max_width=share * unit)
        at += share * unit + gap
