"""Badges, with a strip to tear off or a code. Lengths are in points."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from languages.words import N_, gettext
from pdf.cuts import cards, draw_pieces
from pdf.fonts import draw_fitted, draw_text, fit, plain
from pdf.page import INK, PAPER, Paper, block, bookmark, draw_qr, empty_page, foot, oriented, rule
from pdf.tags import part, title_role

BADGE_WIDTH, BADGE_HEIGHT, STRIP_HEIGHT = 85 * mm, 54 * mm, 27 * mm
"""A badge has the size of a bank card, for which holders and laminating pouches are made; below it is a strip."""
PAD, BAND_HEIGHT, CODE_SIDE, STRIP_CODE_SIDE = 4 * mm, 7 * mm, 25 * mm, 21 * mm
"""Padding of a badge, height of its black band, sides of the QR codes on a badge and on a strip."""
NAME_SIZE, NAME_MIN, ABOUT_HEIGHT = 36.0, 10.0, 33.6
"""Largest and smallest type of a player's name; height of a faction and a club of one line each."""
BADGES = N_("Badges")
BADGES_WITH_STRIPS = N_("Badges: each strip is a key")


@dataclass(frozen=True)
class Badge:
    """A badge; without a name, one to write on. ``address`` is a player's private link, or else the public page.

    The code of a private link is on a strip to tear off, so that nobody can read it from a worn badge. The code of a
    public page is on the badge itself.
    """

    name: str
    faction: str
    club: str
    address: str
    private: bool = True

    @property
    def has_strip(self) -> bool:
        return self.private and bool(self.address)


def draw_badges(paper: Paper, players: Sequence[Badge]) -> None:
    """Draw the badges, in stack-cutting order: six on a page with strips, eight without; on A5 two or four."""
    title = gettext(BADGES)
    bookmark(paper, title)
    paper = oriented(paper, landscape=paper.size == "A5")
    if not players:
        empty_page(paper, title, gettext("No players yet."))
    strips = any(player.has_strip for player in players)
    below, base = gettext(BADGES_WITH_STRIPS) if strips else title, STRIP_HEIGHT * strips
    pieces = cards(paper, BADGE_WIDTH, BADGE_HEIGHT + base)
    draw_pieces(
        paper, players, pieces, lambda piece, _, badge: _badge(piece, badge, base), lambda *n: foot(paper, below, *n)
    )


def _badge(paper: Paper, badge: Badge, base: float) -> None:
    """Draw a badge, whose lower edge is at ``base``, and its strip below; without a name, lines to write on."""
    canvas, room, top = paper.canvas, BADGE_WIDTH - 2 * PAD, base + BADGE_HEIGHT
    block(canvas, 0, top - BAND_HEIGHT, BADGE_WIDTH, BAND_HEIGHT)
    canvas.setFillGray(PAPER)
    with part(canvas, title_role(canvas)):
        draw_text(canvas, PAD, top - BAND_HEIGHT + 6.5, paper.event, 10.5, max_width=room, min_size=7)
    canvas.setFillGray(INK)
    if not plain(badge.name):
        for height, label in ((BADGE_HEIGHT * 0.42, gettext("Name")), (PAD + 10, gettext("Faction, club or task"))):
            rule(canvas, PAD, base + height, BADGE_WIDTH - PAD, base + height)
            draw_text(canvas, PAD, base + height - 10, label, 9, max_width=room)
        return
    has_code = bool(badge.address) and not badge.has_strip
    text_width = room - (CODE_SIDE + 3 * mm if has_code else 0)
    faction = fit(badge.faction, 16, text_width, bold=True, min_size=8, max_lines=2, leading=1.2)
    club = fit(badge.club, 12, text_width, min_size=8, max_lines=2, leading=1.2)
    # Names and factions are at the same height on all badges, with or without a club.
    y = base + PAD + max(ABOUT_HEIGHT, faction.height + club.height * bool(plain(badge.club)))
    if plain(badge.faction):
        draw_fitted(canvas, PAD, y - faction.size, faction)
    draw_fitted(canvas, PAD, y - faction.height * bool(plain(badge.faction)) - club.size, club)
    if has_code:
        draw_qr(canvas, BADGE_WIDTH - PAD - CODE_SIDE, base + PAD, CODE_SIDE, badge.address)
        words = gettext("Scan: my public page")
        draw_text(canvas, PAD, max(y + 4, base + PAD + CODE_SIDE - 8), words, 9, max_width=text_width)
        y = max(y, base + PAD + CODE_SIDE)
    y += 2
    high = top - BAND_HEIGHT - y - 5
    name = fit(badge.name, NAME_SIZE, room, bold=True, min_size=NAME_MIN, max_lines=3, max_height=high, leading=1.08)
    with part(canvas, "H1"):
        draw_fitted(canvas, PAD, y + (high + name.height) / 2 - name.step + name.size * 0.24, name)
    if base:
        _strip(canvas, badge)


def _strip(canvas: Canvas, badge: Badge) -> None:
    canvas.setStrokeGray(INK)
    canvas.setDash(3, 2)
    rule(canvas, 0, STRIP_HEIGHT, BADGE_WIDTH, STRIP_HEIGHT)
    canvas.setDash()
    code = BADGE_WIDTH - PAD - STRIP_CODE_SIDE
    draw_qr(canvas, code, (STRIP_HEIGHT - STRIP_CODE_SIDE) / 2, STRIP_CODE_SIDE, badge.address)
    room = code - PAD - STRIP_CODE_SIDE / 8
    keep = gettext("Tear off. Keep it, show nobody.")
    draw_text(canvas, PAD, STRIP_HEIGHT - 15, keep, 10, bold=True, max_width=room)
    for down, words in ((29, gettext("Scan to open your page:")), (41, gettext("your table, list and results."))):
        draw_text(canvas, PAD, STRIP_HEIGHT - down, words, 10, max_width=room)
    name = fit(badge.name, 9, room, max_lines=2)
    draw_fitted(canvas, PAD, PAD + 1 + name.height - name.step, name)
