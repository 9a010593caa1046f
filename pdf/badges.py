"""Badges for the players: name, faction, club, event, with marks to cut along.

A private link is on a strip below the badge that its player tears off and keeps: it is never seen on a worn badge. The
code of a public page stands on the badge itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.lib.units import mm

from pdf.cuts import cards, put_pieces
from pdf.fonts import draw_text, fit, put_text
from pdf.page import HAIR, INK, PAPER, PageSize, Paper, bookmark, finish, foot, new_paper, page_of_nothing, turned
from pdf.qr import draw_qr
from pdf.tags import part

WIDE, HIGH = 85 * mm, 54 * mm
"""A badge: the size of a bank card, which holders and laminating pouches are made for."""
STRIP = 27 * mm
PAD, BAND = 4 * mm, 7 * mm
CODE, STRIP_CODE = 25 * mm, 21 * mm
NAME, LEAST, LEADING = 28.0, 10.0, 1.08
ABOUT = 27.0
"""Height of a faction and a club of one line each."""
TITLE = "Badges"
KEYS = "Badges: each strip is a key"


@dataclass(frozen=True)
class Badge:
    """One player's badge; ``address`` is the private link, or else the player's public page."""

    name: str
    faction: str
    club: str
    address: str
    private: bool = True

    @property
    def has_strip(self) -> bool:
        """Whether a strip to tear off has the code."""
        return self.private and bool(self.address)


def badges(event: str, players: Sequence[Badge], page_size: PageSize, printed_at: datetime) -> bytes:
    """Badges as a PDF, six to a page with strips, eight without; on A5 two or four, in an order for stack cutting.

    ``printed_at`` must know its time zone (ValueError).
    """
    paper = new_paper(page_size, title=TITLE, event=event, printed_at=printed_at)
    bookmark(paper, TITLE)
    paper = turned(paper, wide=page_size == "A5")
    if not players:
        page_of_nothing(paper, TITLE, "No players yet.")
    strips = any(one.has_strip for one in players)
    put_pieces(
        paper,
        players,
        cards(paper, WIDE, HIGH + STRIP * strips),
        lambda piece, _, badge: _badge(piece, badge, STRIP * strips),
        lambda page, pages: foot(paper, KEYS if strips else TITLE, page, pages),
    )
    return finish(paper)


def _badge(paper: Paper, badge: Badge, base: float) -> None:
    """The badge, its lower edge at ``base``, and its strip below."""
    canvas, room, top = paper.canvas, WIDE - 2 * PAD, base + HIGH
    canvas.setFillGray(INK)
    canvas.rect(0, top - BAND, WIDE, BAND, stroke=0, fill=1)
    canvas.setFillGray(PAPER)
    draw_text(canvas, WIDE / 2, top - BAND + 6.5, paper.event, 10.5, max_width=room, min_size=7, align="centre")
    canvas.setFillGray(INK)
    shown = bool(badge.address) and not badge.has_strip
    below = room - (CODE + 3 * mm if shown else 0)
    club = fit(badge.club, 10, below, min_size=7, max_lines=2)
    faction = fit(badge.faction, 12.5, below, bold=True, min_size=8, max_lines=2)
    y = base + PAD
    for fitted, text in ((club, badge.club), (faction, badge.faction)):
        for line in reversed(fitted.lines) if text else ():
            put_text(canvas, PAD, y + fitted.size * 0.2, line, fitted.size, fitted is faction)
            y += fitted.size * 1.2
    # The name stands at one height on all badges, whether there is a club or not.
    y = max(y, base + PAD + ABOUT)
    if shown:
        draw_qr(canvas, WIDE - PAD - CODE, base + PAD, CODE, badge.address)
        draw_text(canvas, PAD, max(y + 4, base + PAD + CODE - 8), "Scan: my public page", 8, max_width=below)
        y = max(y, base + PAD + CODE)
    y += 2
    high = top - BAND - y - 5
    name = fit(
        badge.name, NAME, room, bold=True, min_size=LEAST, max_lines=3, max_height=high, leading=LEADING,
    )  # fmt: skip
    line_base = y + (high + name.height) / 2
    with part(canvas, "H1"):
        for line in name.lines:
            line_base -= name.size * LEADING
            put_text(canvas, PAD, line_base + name.size * 0.24, line, name.size, True)
    if base:
        _strip(paper, badge)


def _strip(paper: Paper, badge: Badge) -> None:
    """Below the badge, from a line to tear along: the code that opens the player's page, and what to do with it."""
    canvas = paper.canvas
    canvas.setLineWidth(HAIR)
    canvas.setStrokeGray(INK)
    canvas.setDash(3, 2)
    canvas.line(0, STRIP, WIDE, STRIP)
    canvas.setDash()
    code = WIDE - PAD - STRIP_CODE
    draw_qr(canvas, code, (STRIP - STRIP_CODE) / 2, STRIP_CODE, badge.address)
    room = code - PAD - STRIP_CODE / 8
    draw_text(canvas, PAD, STRIP - 15, "Tear off. Keep it, show nobody.", 9, bold=True, max_width=room, min_size=7)
    y = STRIP - 29
    for line in ("Scan to open your page:", "your table, list and results."):
        draw_text(canvas, PAD, y, line, 9, max_width=room, min_size=7)
        y -= 11.5
    draw_text(canvas, PAD, PAD + 1, badge.name, 8, max_width=room, min_size=7)
