"""What is worn, set up and hung up: badges, table numbers, the poster, certificates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.cuts import cards, draw_pieces
from pdf.fonts import Fitted, Weight, draw_fitted, draw_text, fit, plain, put_text
from pdf.page import (
    HAIR,
    INK,
    LINE,
    MARGIN,
    PAPER,
    Frame,
    PageSize,
    Paper,
    block,
    bookmark,
    draw_qr,
    empty_page,
    finish,
    foot,
    new_paper,
    next_page,
    oriented,
    render,
    rule,
)
from pdf.tags import part
from pdf.text.faces import faces

WIDE, HIGH = 85 * mm, 54 * mm
"""A badge: the size of a bank card, which holders and laminating pouches are made for."""
STRIP = 27 * mm
PAD, BAND = 4 * mm, 7 * mm
CODE, STRIP_CODE = 25 * mm, 21 * mm
NAME, SMALLEST_NAME = 36.0, 10.0
ABOUT = 27.0
"""Height of a faction and a club of one line each."""
BADGES = "Badges"
KEYS = "Badges: each strip is a key"


@dataclass(frozen=True)
class Badge:
    """One player's badge; ``address`` is the private link, or else the player's public page.

    A private link is on a strip below the badge that its player tears off and keeps: it is never seen on a worn badge.
    The code of a public page stands on the badge itself.
    """

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
    paper = new_paper(page_size, title=BADGES, event=event, printed_at=printed_at)
    bookmark(paper, BADGES)
    paper = oriented(paper, landscape=page_size == "A5")
    if not players:
        empty_page(paper, BADGES, "No players yet.")
    strips = any(one.has_strip for one in players)
    draw_pieces(
        paper,
        players,
        cards(paper, WIDE, HIGH + STRIP * strips),
        lambda piece, _, badge: _badge(piece, badge, STRIP * strips),
        lambda page, pages: foot(paper, KEYS if strips else BADGES, page, pages),
    )
    return finish(paper)


def _badge(paper: Paper, badge: Badge, base: float) -> None:
    """The badge, its lower edge at ``base``, and its strip below."""
    canvas, room, top = paper.canvas, WIDE - 2 * PAD, base + HIGH
    block(canvas, 0, top - BAND, WIDE, BAND)
    canvas.setFillGray(PAPER)
    draw_text(canvas, PAD, top - BAND + 6.5, paper.event, 10.5, max_width=room, min_size=7)
    canvas.setFillGray(INK)
    shown = bool(badge.address) and not badge.has_strip
    below = room - (CODE + 3 * mm if shown else 0)
    club = fit(badge.club, 10, below, max_lines=2, leading=1.2)
    faction = fit(badge.faction, 12.5, below, bold=True, min_size=8, max_lines=2, leading=1.2)
    # The name and the faction stand at one height on all badges, whether there is a club or not.
    y = at = base + PAD + max(ABOUT, faction.height + club.height * bool(plain(badge.club)))
    for fitted in (faction, club):
        if plain(fitted.lines[0]):
            draw_fitted(canvas, PAD, at - fitted.size, fitted)
            at -= fitted.height
    if shown:
        draw_qr(canvas, WIDE - PAD - CODE, base + PAD, CODE, badge.address)
        draw_text(canvas, PAD, max(y + 4, base + PAD + CODE - 8), "Scan: my public page", 8, max_width=below)
        y = max(y, base + PAD + CODE)
    y += 2
    high = top - BAND - y - 5
    name = fit(badge.name, NAME, room, bold=True, min_size=SMALLEST_NAME, max_lines=3, max_height=high, leading=1.08)
    with part(canvas, "H1"):
        draw_fitted(canvas, PAD, y + (high + name.height) / 2 - name.step + name.size * 0.24, name)
    if base:
        _strip(canvas, badge)


def _strip(canvas: Canvas, badge: Badge) -> None:
    """Below the badge, from a line to tear along: the code that opens the player's page, and what to do with it."""
    canvas.setStrokeGray(INK)
    canvas.setDash(3, 2)
    rule(canvas, 0, STRIP, WIDE, STRIP)
    canvas.setDash()
    code = WIDE - PAD - STRIP_CODE
    draw_qr(canvas, code, (STRIP - STRIP_CODE) / 2, STRIP_CODE, badge.address)
    room = code - PAD - STRIP_CODE / 8
    draw_text(canvas, PAD, STRIP - 15, "Tear off. Keep it, show nobody.", 9, bold=True, max_width=room)
    draw_text(canvas, PAD, STRIP - 29, "Scan to open your page:", 9, max_width=room)
    draw_text(canvas, PAD, STRIP - 40.5, "your table, list and results.", 9, max_width=room)
    draw_text(canvas, PAD, PAD + 1, badge.name, 8, max_width=room)


NUMBERS = "Table numbers"
TABLE_CODE, QUIET = 68.0, 9.0
SIDE, GAP = 98.0, 8.0
"""Room next to a narrow number for the code; the least white around the number."""


@dataclass(frozen=True)
class TableStand:
    """A table's number, and the address in its code ("" for none)."""

    number: int
    address: str = ""


def table_stands(event: str, tables: Sequence[TableStand], page_size: PageSize, printed_at: datetime) -> bytes:
    """A page for each table, in this order; without a table one page that says so.

    Folded along the dots, the number is read from both sides and from afar. ``printed_at`` must know its time zone
    (ValueError).
    """
    paper = oriented(new_paper(page_size, title=NUMBERS, event=event, printed_at=printed_at), landscape=False)
    canvas = paper.canvas
    bookmark(paper, NUMBERS)
    for place, table in enumerate(tables, 1):
        canvas.saveState()
        canvas.translate(paper.width, paper.height)
        canvas.rotate(180)
        _face(paper, table)
        canvas.restoreState()
        canvas.setDash(1, 4)
        rule(canvas, paper.frame.left, paper.height / 2, paper.frame.right, paper.height / 2)
        canvas.setDash()
        with part(canvas, "H1"):
            _face(paper, table)
        foot(paper, f"Table {table.number}", place, len(tables))
        next_page(paper)
    if not tables:
        empty_page(paper, NUMBERS, "No table is needed yet.")
    return finish(paper)


def _face(paper: Paper, table: TableStand) -> None:
    """The lower half of the page, upright for a reader in front of it."""
    canvas, frame, scale = paper.canvas, paper.frame, paper.height / 842
    small = max(0.8, scale)
    code, word, line, number = TABLE_CODE * small, 28 * scale, 11 * small, str(table.number)
    top = paper.height / 2 - MARGIN - word
    draw_text(canvas, paper.width / 2, top + word * 0.2, "Table", word, bold=True, align="centre")
    top -= GAP * scale
    side = SIDE * small if table.address else 0.0
    floor = frame.bottom + (code if table.address else 0) + GAP
    # A narrow number stands next to the code, a wide one above it.
    above = _size(number, frame.width, top - floor)
    between = _size(number, frame.width - 2 * side - 2 * GAP, top - frame.bottom)
    narrow = bool(table.address) and between > above
    if table.address:
        draw_qr(canvas, frame.right - code, frame.bottom + 2, code, table.address)
        x = frame.right if narrow else frame.right - code - QUIET
        y = frame.bottom + (code + QUIET if narrow else code / 2 - line)
        draw_text(canvas, x, y + line * 1.25, "Scan the QR code:", line, align="right")
        draw_text(canvas, x, y, "who plays here", line, align="right")
    bottom = frame.bottom if narrow else floor
    size, (left, low, right, high) = between if narrow else above, bounds(number)
    x, y = (paper.width - size * (left + right)) / 2, (top + bottom - size * (low + high)) / 2
    put_text(canvas, x, y, number, size, True)


def _size(number: str, width: float, height: float) -> float:
    """The largest size in which the figures stay in this box."""
    left, bottom, right, top = bounds(number)
    return min(width / (right - left), height / (top - bottom))


def bounds(figures: str) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of what is drawn of these figures in bold at 1 pt."""
    cut = faces().text[0].bold
    at, boxes = 0, []
    for figure in figures:
        glyph = cut.font.get_nominal_glyph(ord(figure))
        box = cut.font.get_glyph_extents(glyph)
        left = at + box.x_bearing
        boxes.append((left, box.y_bearing + box.height, left + box.width, box.y_bearing))
        at += cut.font.get_glyph_h_advance(glyph)
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    scale = cut.scale / 1000
    return min(lefts) * scale, min(bottoms) * scale, max(rights) * scale, max(tops) * scale


@dataclass(frozen=True)
class Poster:
    """One page; ``url`` is the address in the code, ``when`` the day, ``where`` the place or ""."""

    event: str
    when: str
    where: str
    call: str
    """What to do with the code."""
    url: str
    game: str = ""


def poster(page: Poster, page_size: PageSize, printed_at: datetime) -> bytes:
    """The poster as a PDF of one page, all as large as it holds. ``printed_at`` must know its zone (ValueError)."""
    return render(_poster, page_size, "Poster", page.event, printed_at, page)


def _poster(paper: Paper, page: Poster) -> None:
    bookmark(paper, "Poster")
    canvas, frame = paper.canvas, paper.frame
    width, middle, scale = frame.width, paper.width / 2, frame.width / 540
    name = fit(page.event, 54 * scale, width, bold=True, min_size=22 * scale, max_lines=3, leading=1.1)
    with part(canvas, "H1"):
        y = draw_fitted(canvas, middle, frame.top - name.step, name, "centre") + name.step
    y -= 14 * scale
    for text in filter(None, (page.game, page.when, page.where)):
        line = fit(text, 24 * scale, width, min_size=12 * scale, max_lines=2, leading=1.35)
        y = draw_fitted(canvas, middle, y - line.step, line, "centre") + line.step
    address = page.url.partition("://")[2]
    words = fit(address, 20 * scale, width, bold=True, min_size=9 * scale, max_lines=2, leading=1.25)
    low = frame.bottom + words.size * 1.3 * len(words.lines)
    call = 22 * scale
    floor = low + call * 1.8
    side = min(width * 0.84, (y - floor) / 1.25)  # an eighth of it stays white on each side
    draw_qr(canvas, middle - side / 2, (y + floor - side) / 2, side, page.url)
    draw_text(canvas, middle, low + call * 0.6, page.call, call, max_width=width, min_size=10 * scale, align="centre")
    draw_fitted(canvas, middle, low - words.step, words, "centre")
    next_page(paper)


@dataclass(frozen=True)
class Certificate:
    """One page: ``title`` is the award ("": for having been there), ``line`` is printed under the name, ``signatures``
    under their lines.
    """

    name: str
    title: str
    line: str
    event: str
    when: str
    """Game, place and day."""
    signatures: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Band:
    """A part of the page's height, as shares of the frame from its top, and the largest and least type in it."""

    top: float
    bottom: float
    size: float
    least: float
    lines: int = 1
    bold: Weight = False


AWARD_HEAD = _Band(0.085, 0.155, 17, 10, bold="display")
AWARD = _Band(0.16, 0.33, 46, 13, 3, bold="display")
GIVEN_TO = _Band(0.365, 0.41, 14, 11)
WINNER = _Band(0.415, 0.585, 54, 14, 3, bold="display")
WHAT = _Band(0.61, 0.68, 15, 9, 2)
EVENT = _Band(0.69, 0.77, 22, 11, 2, bold="display")
WHEN = _Band(0.77, 0.83, 13, 9, 2)
PARTICIPATION = "Certificate of Participation"
SIGN_AT, SIGN_WIDTH, SIGN_GAP = 0.915, 190.0, 44.0


def certificates(
    pages: Sequence[Certificate], page_size: PageSize, printed_at: datetime, *, wide: bool = True
) -> bytes:
    """The certificates as a PDF, upright or ``wide``, a page for each. ``printed_at`` must know its zone (ValueError).

    Raises ValueError where there is none.
    """
    if not pages:
        raise ValueError("no certificate to print")
    title = "Certificates" if len(pages) > 1 else "Certificate"
    return render(draw_certificates, page_size, title, pages[0].event, printed_at, pages, wide)


def draw_certificates(paper: Paper, pages: Sequence[Certificate], wide: bool = True) -> None:
    """A page for each certificate, upright or ``wide``."""
    paper = oriented(paper, landscape=wide)
    bookmark(paper, "Certificates")
    for page in pages:
        bookmark(paper, f"{page.title or PARTICIPATION}: {page.name}", nested=True)
        _certificate(paper, page)
        next_page(paper)


def _certificate(paper: Paper, page: Certificate) -> None:
    """Two rules with a table's inch ring at each corner; every text is fitted into its band."""
    canvas, middle = paper.canvas, paper.width / 2
    frame = Frame(paper.frame.left, MARGIN, paper.frame.right, paper.frame.top)  # no foot: it is no list
    canvas.setFillGray(INK)
    canvas.setStrokeGray(INK)
    _border(canvas, frame)
    _set(canvas, frame, AWARD_HEAD, "Certificate" if page.title else "")
    _set(canvas, frame, AWARD, page.title or PARTICIPATION)
    above, arm = _at(frame, (AWARD.bottom + GIVEN_TO.top) / 2), frame.width * 0.12
    rule(canvas, middle - arm, above, middle + arm, above, LINE)
    _set(canvas, frame, GIVEN_TO, "given to")
    with part(canvas, "H1"):
        _set(canvas, frame, WINNER, page.name)
    under = _at(frame, 0.60)
    rule(canvas, middle - frame.width * 0.36, under, middle + frame.width * 0.36, under, LINE)
    _set(canvas, frame, WHAT, page.line)
    _set(canvas, frame, EVENT, page.event)
    _set(canvas, frame, WHEN, page.when)
    _signatures(canvas, frame, page.signatures)


def _at(frame: Frame, share: float) -> float:
    return frame.top - share * frame.height


def _set(canvas: Canvas, frame: Frame, band: _Band, text: str) -> None:
    """A text in the middle of its band, as large as its width and its height allow."""
    if not plain(text):
        return
    room, high = frame.width * 0.82, (band.bottom - band.top) * frame.height
    fitted: Fitted = fit(
        text, band.size, room, bold=band.bold, min_size=band.least, max_lines=band.lines, max_height=high, leading=1.16
    )
    deep = fitted.height - fitted.step + fitted.size * 0.72
    y = _at(frame, (band.top + band.bottom) / 2) + deep / 2 - fitted.size * 0.72
    draw_fitted(canvas, (frame.left + frame.right) / 2, y, fitted, "centre")


def _border(canvas: Canvas, frame: Frame) -> None:
    canvas.setLineWidth(2.4)
    canvas.rect(frame.left + 2, frame.bottom + 2, frame.width - 4, frame.height - 4)
    inset, arm = 13.0, 34.0
    left, right, low, high = frame.left + inset, frame.right - inset, frame.bottom + inset, frame.top - inset
    for x in (left, right):
        rule(canvas, x, low + arm, x, high - arm, LINE)
    for y, up in ((low, 1), (high, -1)):
        rule(canvas, left + arm, y, right - arm, y, LINE)
        for x, way in ((left, 1), (right, -1)):
            _corner(canvas, x + way * arm / 2, y + up * arm / 2)


def _corner(canvas: Canvas, x: float, y: float, radius: float = 12.0) -> None:
    """A table's inch ring: its middle, a ring, and ticks all round."""
    canvas.circle(x, y, radius, stroke=1, fill=0)
    canvas.setLineWidth(HAIR)
    canvas.circle(x, y, radius * 0.62, stroke=1, fill=0)
    canvas.circle(x, y, radius * 0.24, stroke=0, fill=1)
    inner, outer = radius * 0.62, radius * 1.3
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        rule(canvas, x + dx * inner, y + dy * inner, x + dx * outer, y + dy * outer, LINE)


def _signatures(canvas: Canvas, frame: Frame, under: Sequence[str]) -> None:
    width = min(SIGN_WIDTH, (frame.width * 0.84 - SIGN_GAP * (len(under) - 1)) / max(1, len(under)))
    whole = width * len(under) + SIGN_GAP * (len(under) - 1)
    x, y = (frame.left + frame.right - whole) / 2, _at(frame, SIGN_AT)
    for words in under:
        rule(canvas, x, y, x + width, y, LINE)
        draw_text(canvas, x + width / 2, y - 13, words, 10, max_width=width, align="centre")
        x += width + SIGN_GAP
