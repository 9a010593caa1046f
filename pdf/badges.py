"""Badges for the players: name, faction, club, event, and the code of an address, with marks to cut along."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.lib.units import mm

from pdf.cuts import cards, put_pieces
from pdf.fonts import draw_text, fit, put_text
from pdf.page import LINE, PageSize, Paper, bookmark, finish, foot, new_paper, next_page, turned
from pdf.qr import draw_qr
from pdf.tags import heading

WIDE, HIGH = 85 * mm, 54 * mm
"""A badge: the size of a bank card, which holders and laminating pouches are made for."""
PAD = 4 * mm
CODE = 28 * mm
"""The code with a quiet zone of four modules around it still fits between name and foot."""
TITLE = "Badges"
KEYS = "Badges: each code is a key"
PUBLIC = "Badges: each code leads to a public page"


@dataclass(frozen=True)
class Badge:
    """One player's badge; ``address`` is the private link, or else the player's public page."""

    name: str
    faction: str
    club: str
    address: str
    private: bool = True


def draw_badges(paper: Paper, players: Sequence[Badge]) -> None:
    """Badges, as many to a page as it holds, in an order for stack cutting."""
    paper = turned(paper, wide=paper.size == "A5")
    bookmark(paper, TITLE)
    if not players:
        draw_text(paper.canvas, paper.frame.left, paper.frame.top - 20, "No players yet.", 12)
        foot(paper, TITLE, 1, 1)
        next_page(paper)
    put_pieces(
        paper,
        players,
        cards(paper, WIDE, HIGH),
        lambda piece, _, badge: _badge(piece, badge),
        lambda page, pages: foot(paper, KEYS if any(one.private for one in players) else PUBLIC, page, pages),
    )


def badges(event: str, players: Sequence[Badge], page_size: PageSize, printed_at: datetime) -> bytes:
    """Badges as a PDF, eight to a page, on A5 four. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title=TITLE, event=event, printed_at=printed_at)
    draw_badges(paper, players)
    return finish(paper)


def _badge(paper: Paper, badge: Badge) -> None:
    canvas = paper.canvas
    room = WIDE - 2 * PAD
    left, top = PAD, HIGH - PAD
    draw_text(canvas, left, top - 8, paper.event, 8.5, max_width=room, min_size=6)
    canvas.setLineWidth(LINE)
    canvas.line(left, top - 12, WIDE - PAD, top - 12)
    code_x, code_y = WIDE - PAD - CODE, PAD
    draw_qr(canvas, code_x, code_y, CODE, badge.address)
    # The name has the badge's width above the code, in up to two lines, and is as large as it fits.
    name = fit(badge.name, 19, room, bold=True, min_size=9, max_lines=1)
    if name.size < 13:
        name = fit(badge.name, 13, room, bold=True, min_size=8, max_lines=2)
    base = top - 14
    with heading(canvas, paper.tags):
        for line in name.lines:
            base -= name.size * 1.1
            put_text(canvas, left, base, line, name.size, True)
    text_width = code_x - left - 5 * mm
    line_base = code_y + CODE - 12
    for text, size in ((badge.faction, 9.5), (badge.club, 8.5)):
        fitted = fit(text, size, text_width, min_size=7, max_lines=3)
        for line in fitted.lines if text else ():
            put_text(canvas, left, line_base, line, fitted.size, False)
            line_base -= fitted.size * 1.2
        line_base -= 3
    if not badge.address:
        return
    lines = ("My table, my list,", "my results: scan") if badge.private else ("My games:", "scan (public page)")
    draw_text(canvas, left, PAD + 8, lines[0], 6.5, max_width=text_width, min_size=5)
    draw_text(canvas, left, PAD, lines[1], 6.5, max_width=text_width, min_size=5)
