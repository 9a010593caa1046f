"""Badges for the players: name, faction, club, event, and the code of the private link, with marks to cut along."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, put_text
from pdf.page import HAIR, LINE, PageSize, Paper, finish, foot, new_paper
from pdf.qr import draw_qr

WIDE, HIGH = 85 * mm, 54 * mm
"""A badge: the size of a bank card, which holders and laminating pouches are made for."""
ACROSS, DOWN = 2, 4
PAD = 4 * mm
CODE = 28 * mm
"""The code with a quiet zone of four modules around it still fits between name and foot."""
MARK = 3 * mm


@dataclass(frozen=True)
class Badge:
    """One player's badge; ``address`` is the private link."""

    name: str
    faction: str
    club: str
    address: str


def badges(event: str, players: Sequence[Badge], page_size: PageSize, printed_at: datetime) -> bytes:
    """Badges, eight a page, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title="Badges", event=event, printed_at=printed_at)
    a_page = ACROSS * DOWN
    pages = [players[first : first + a_page] for first in range(0, len(players), a_page)] or [()]
    for number, page in enumerate(pages, 1):
        if not page:
            draw_text(paper.canvas, paper.frame.left, paper.frame.top - 20, "Nobody is entered yet.", 12)
        for place, badge in enumerate(page):
            x, y = _corner(paper, place)
            _badge(paper.canvas, x, y, event, badge)
            _marks(paper.canvas, x, y)
        foot(paper, "Badges: each code is a key", number, len(pages))
        paper.canvas.showPage()
    return finish(paper)


def _corner(paper: Paper, place: int) -> tuple[float, float]:
    """The lower left corner of a badge; they stand apart, so that a cut beside the line spoils no neighbour."""
    frame, (row, column) = paper.frame, divmod(place, ACROSS)
    gap_x = (frame.width - ACROSS * WIDE) / (ACROSS + 1)
    gap_y = (frame.height - DOWN * HIGH) / (DOWN + 1)
    return frame.left + gap_x + column * (WIDE + gap_x), frame.top - (row + 1) * (HIGH + gap_y)


def _badge(canvas: Canvas, x: float, y: float, event: str, badge: Badge) -> None:
    room = WIDE - 2 * PAD
    left, top = x + PAD, y + HIGH - PAD
    draw_text(canvas, left, top - 8, event, 8.5, max_width=room, min_size=6)
    canvas.setLineWidth(LINE)
    canvas.line(left, top - 12, x + WIDE - PAD, top - 12)
    code_x, code_y = x + WIDE - PAD - CODE, y + PAD
    draw_qr(canvas, code_x, code_y, CODE, badge.address)
    # The name has the badge's width above the code, in up to two lines, and is as large as it fits.
    name = fit(badge.name, 19, room, bold=True, min_size=9, max_lines=1)
    if name.size < 13:
        name = fit(badge.name, 13, room, bold=True, min_size=8, max_lines=2)
    base = top - 14
    for line in name.lines:
        base -= name.size * 1.1
        put_text(canvas, left, base, line, name.size, True)
    beside = code_x - left - 5 * mm
    told = code_y + CODE - 12
    for text, size in ((badge.faction, 9.5), (badge.club, 8.5)):
        fitted = fit(text, size, beside, min_size=7, max_lines=3)
        for line in fitted.lines if text else ():
            put_text(canvas, left, told, line, fitted.size, False)
            told -= fitted.size * 1.2
        told -= 3
    draw_text(canvas, left, y + PAD + 8, "My table, my list,", 6.5, max_width=beside, min_size=5)
    draw_text(canvas, left, y + PAD, "my results: scan", 6.5, max_width=beside, min_size=5)


def _marks(canvas: Canvas, x: float, y: float) -> None:
    """Marks at the corners, outside of the badge."""
    canvas.setLineWidth(HAIR)
    for corner_x, out_x in ((x, -1), (x + WIDE, 1)):
        for corner_y, out_y in ((y, -1), (y + HIGH, 1)):
            canvas.line(corner_x + out_x * mm, corner_y, corner_x + out_x * (mm + MARK), corner_y)
            canvas.line(corner_x, corner_y + out_y * mm, corner_x, corner_y + out_y * (mm + MARK))
