"""Sheets to set up and hang up: table numbers, the poster, certificates. Lengths are in points."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext, noted
from pdf.fonts import Fitted, Weight, draw_fitted, draw_text, fit, plain, put_text
from pdf.page import (
    HAIR,
    INK,
    LINE,
    MARGIN,
    Frame,
    PageSize,
    Paper,
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
from pdf.tags import part, title_role
from pdf.text.faces import faces

NUMBERS = noted("Table numbers")
TABLE_CODE_SIDE, CODE_GAP = 68.0, 9.0
"""Side of the QR code, and space between it and its words."""
CODE_ROOM, GAP = 98.0, 8.0
"""Width kept for the code next to a narrow number, and minimum space around the number."""


@dataclass(frozen=True)
class TableStand:
    """The number of a table, and the address for its QR code ("" for none)."""

    number: int
    address: str = ""


def table_stands(event: str, tables: Sequence[TableStand], page_size: PageSize, printed_at: datetime) -> bytes:
    """A page for each table, in this order; without tables, one page that says so.

    A page is folded along its dotted line, so that the number is read from both sides of the table.
    """
    paper = oriented(new_paper(page_size, title=gettext(NUMBERS), event=event, printed_at=printed_at), landscape=False)
    canvas = paper.canvas
    bookmark(paper, gettext(NUMBERS))
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
        foot(paper, gettext("Table %(table)s", table=table.number), place, len(tables))
        next_page(paper)
    if not tables:
        empty_page(paper, gettext(NUMBERS), gettext("No table is needed yet."))
    return finish(paper)


def _face(paper: Paper, table: TableStand) -> None:
    """Draw one half of a table number, on the lower half of the page."""
    canvas, frame, scale = paper.canvas, paper.frame, paper.height / 842
    text_scale = max(0.8, scale)
    code, word, line, number = TABLE_CODE_SIDE * text_scale, 28 * scale, 11 * text_scale, str(table.number)
    top = paper.height / 2 - MARGIN - word
    draw_text(canvas, paper.width / 2, top + word * 0.2, gettext("Table"), word, bold=True, align="centre")
    top -= GAP * scale
    code_room = CODE_ROOM * text_scale if table.address else 0.0
    code_top = frame.bottom + (code if table.address else 0) + GAP
    # The number goes next to the code or above it, wherever it is larger.
    size_above = _number_size(number, frame.width, top - code_top)
    size_beside = _number_size(number, frame.width - 2 * code_room - 2 * GAP, top - frame.bottom)
    is_beside = bool(table.address) and size_beside > size_above
    if table.address:
        draw_qr(canvas, frame.right - code, frame.bottom + 2, code, table.address)
        x = frame.right if is_beside else frame.right - code - CODE_GAP
        y = frame.bottom + (code + CODE_GAP if is_beside else code / 2 - line)
        room = code_room if is_beside else x - frame.left
        draw_text(canvas, x, y + line * 1.25, gettext("Scan the QR code:"), line, max_width=room, align="right")
        draw_text(canvas, x, y, gettext("who plays here"), line, max_width=room, align="right")
    bottom = frame.bottom if is_beside else code_top
    size, (left, low, right, high) = size_beside if is_beside else size_above, bounds(number)
    x, y = (paper.width - size * (left + right)) / 2, (top + bottom - size * (low + high)) / 2
    put_text(canvas, x, y, number, size, True)


def _number_size(number: str, width: float, height: float) -> float:
    """The largest type size at which the number fits a box of this width and height."""
    left, bottom, right, top = bounds(number)
    return min(width / (right - left), height / (top - bottom))


def bounds(figures: str) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of the ink of a number, in bold at 1 pt."""
    cut = faces().text[0].bold
    x, boxes = 0, []
    for figure in figures:
        glyph = cut.font.get_nominal_glyph(ord(figure))
        box = cut.font.get_glyph_extents(glyph)
        left = x + box.x_bearing
        boxes.append((left, box.y_bearing + box.height, left + box.width, box.y_bearing))
        x += cut.font.get_glyph_h_advance(glyph)
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    scale = cut.scale / 1000
    return min(lefts) * scale, min(bottoms) * scale, max(rights) * scale, max(tops) * scale


@dataclass(frozen=True)
class Poster:
    """A poster: the event, lines such as its day and place, and the address ``url`` for the QR code."""

    event: str
    lines: tuple[str, ...]
    call: str
    """The call to action above the address."""
    url: str


def poster(page: Poster, page_size: PageSize, printed_at: datetime) -> bytes:
    """The poster as a PDF of one page, its text and code as large as possible."""
    return render(_poster, page_size, "Poster", page.event, printed_at, page)


def _poster(paper: Paper, page: Poster) -> None:
    bookmark(paper, "Poster")
    canvas, frame = paper.canvas, paper.frame
    width, middle, scale = frame.width, paper.width / 2, frame.width / 540
    name = fit(page.event, 54 * scale, width, bold=True, min_size=22 * scale, max_lines=3, leading=1.1)
    with part(canvas, "H1"):
        y = draw_fitted(canvas, middle, frame.top - name.step, name, "centre") + name.step
    y -= 14 * scale
    for text in filter(plain, page.lines):
        line = fit(text, 24 * scale, width, min_size=12 * scale, max_lines=2, leading=1.35)
        y = draw_fitted(canvas, middle, y - line.step, line, "centre") + line.step
    address = page.url.partition("://")[2]
    lines = fit(address, 20 * scale, width, bold=True, min_size=9 * scale, max_lines=2, leading=1.25)
    address_top = frame.bottom + lines.size * 1.3 * len(lines.lines)
    call = 22 * scale
    call_top = address_top + call * 1.8
    side = min(width * 0.84, (y - call_top) / 1.25)  # with a quiet zone of an eighth on each side
    draw_qr(canvas, middle - side / 2, (y + call_top - side) / 2, side, page.url)
    base = address_top + call * 0.6
    draw_text(canvas, middle, base, page.call, call, max_width=width, min_size=10 * scale, align="centre")
    draw_fitted(canvas, middle, address_top - lines.step, lines, "centre")
    next_page(paper)


@dataclass(frozen=True)
class Certificate:
    """A certificate: ``title`` is the award ("" for participation), ``line`` is printed below the name."""

    name: str
    title: str
    line: str
    event: str
    when: str
    """The game, the place and the day."""
    signatures: tuple[str, ...] = ()
    """The labels below the lines to sign on."""


@dataclass(frozen=True)
class _Band:
    """A band of the page: its top and bottom as shares of the frame's height from the top, and its text's limits."""

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
REASON = _Band(0.61, 0.68, 15, 9, 2)
EVENT = _Band(0.69, 0.77, 22, 11, 2, bold="display")
WHEN = _Band(0.77, 0.83, 13, 9, 2)
PARTICIPATION = noted("Certificate of Participation")
SIGN_AT, SIGN_WIDTH, SIGN_GAP = 0.915, 190.0, 44.0
"""Position of the signatures as a share of the height; width of a signature, and space between two."""


def certificates(
    pages: Sequence[Certificate], page_size: PageSize, printed_at: datetime, *, landscape: bool = True
) -> bytes:
    """The certificates as a PDF, a page for each, in landscape or portrait. Raises ValueError if there is none."""
    if not pages:
        raise ValueError("no certificate to print")
    title = gettext("Certificates") if len(pages) > 1 else gettext("Certificate")
    return render(draw_certificates, page_size, title, pages[0].event, printed_at, pages, landscape)


def draw_certificates(paper: Paper, pages: Sequence[Certificate], landscape: bool = True) -> None:
    """Draw a page for each certificate, landscape or portrait."""
    paper = oriented(paper, landscape=landscape)
    bookmark(paper, gettext("Certificates"))
    for page in pages:
        bookmark(paper, f"{page.title or gettext(PARTICIPATION)}: {page.name}", nested=True)
        _certificate(paper, page)
        next_page(paper)


def _certificate(paper: Paper, page: Certificate) -> None:
    """Draw a certificate: a border, and each text fitted into its band."""
    canvas, middle = paper.canvas, paper.width / 2
    frame = Frame(paper.frame.left, MARGIN, paper.frame.right, paper.frame.top)  # a certificate has no footer
    canvas.setFillGray(INK)
    canvas.setStrokeGray(INK)
    _border(canvas, frame)
    with part(canvas, title_role(canvas)):  # is read first
        _draw_in_band(canvas, frame, EVENT, page.event)
    _draw_in_band(canvas, frame, AWARD_HEAD, gettext("Certificate") if page.title else "")
    _draw_in_band(canvas, frame, AWARD, page.title or gettext(PARTICIPATION))
    above, arm = _height_at(frame, (AWARD.bottom + GIVEN_TO.top) / 2), frame.width * 0.12
    rule(canvas, middle - arm, above, middle + arm, above, LINE)
    _draw_in_band(canvas, frame, GIVEN_TO, gettext("given to"))
    with part(canvas, "H1"):
        _draw_in_band(canvas, frame, WINNER, page.name)
    under = _height_at(frame, 0.60)
    rule(canvas, middle - frame.width * 0.36, under, middle + frame.width * 0.36, under, LINE)
    _draw_in_band(canvas, frame, REASON, page.line)
    _draw_in_band(canvas, frame, WHEN, page.when)
    _signatures(canvas, frame, page.signatures)


def _height_at(frame: Frame, share: float) -> float:
    """The height on the page, in points, of a share of the frame from its top."""
    return frame.top - share * frame.height


def _draw_in_band(canvas: Canvas, frame: Frame, band: _Band, text: str) -> None:
    """Draw a text in the middle of its band, as large as the band's width and height allow."""
    if not plain(text):
        return
    width, room = frame.width * 0.82, (band.bottom - band.top) * frame.height
    fitted: Fitted = fit(
        text, band.size, width, bold=band.bold, min_size=band.least, max_lines=band.lines, max_height=room, leading=1.16
    )
    text_height = fitted.height - fitted.step + fitted.size * 0.72
    y = _height_at(frame, (band.top + band.bottom) / 2) + text_height / 2 - fitted.size * 0.72
    draw_fitted(canvas, (frame.left + frame.right) / 2, y, fitted, "centre")


def _border(canvas: Canvas, frame: Frame) -> None:
    """Draw the border, with an inch ring at each corner."""
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
    """Draw an inch ring, the sign for a table's size: two circles around a dot, with four ticks."""
    canvas.circle(x, y, radius, stroke=1, fill=0)
    canvas.setLineWidth(HAIR)
    canvas.circle(x, y, radius * 0.62, stroke=1, fill=0)
    canvas.circle(x, y, radius * 0.24, stroke=0, fill=1)
    inner, outer = radius * 0.62, radius * 1.3
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        rule(canvas, x + dx * inner, y + dy * inner, x + dx * outer, y + dy * outer, LINE)


def _signatures(canvas: Canvas, frame: Frame, labels: Sequence[str]) -> None:
    """Draw the lines to sign on, with a label below each."""
    width = min(SIGN_WIDTH, (frame.width * 0.84 - SIGN_GAP * (len(labels) - 1)) / max(1, len(labels)))
    whole = width * len(labels) + SIGN_GAP * (len(labels) - 1)
    x, y = (frame.left + frame.right - whole) / 2, _height_at(frame, SIGN_AT)
    for words in labels:
        rule(canvas, x, y, x + width, y, LINE)
        draw_text(canvas, x + width / 2, y - 13, words, 10, max_width=width, align="centre")
        x += width + SIGN_GAP
