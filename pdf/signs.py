"""Sheets to set up and hang up: table numbers, the poster, certificates. Lengths are in points."""

from collections.abc import Sequence
from dataclasses import dataclass

from languages.words import N_, gettext
from pdf.fonts import Weight, draw_fitted, draw_text, fit, plain, text_width
from pdf.page import LINE, MARGIN, Frame, Paper, bookmark, box, draw_qr, empty_page, foot, next_page, oriented, rule
from pdf.tags import Role, part, title_role

NUMBERS = N_("Table numbers")
TABLE_CODE_SIDE, CODE_GAP, GAP, FIGURE = 68.0, 9.0, 10.0, 0.722
"""Side of the QR code, space between it and its words, space above the number, and height of its figures at 1 pt."""


@dataclass(frozen=True)
class TableStand:
    """The number of a table, and the address for its QR code ("" for none)."""

    number: int
    address: str = ""


def draw_table_stands(paper: Paper, tables: Sequence[TableStand]) -> None:
    """Draw a page for each table, in this order; without tables, one page that says so.

    A page is folded along its dotted line, so that the number is read from both sides of the table.
    """
    paper = oriented(paper, landscape=False)
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


def _face(paper: Paper, table: TableStand) -> None:
    """Draw one half of a table number, on the lower half of the page."""
    canvas, frame, scale = paper.canvas, paper.frame, paper.height / 842
    text_scale = max(0.8, scale)
    code, word, line, number = TABLE_CODE_SIDE * text_scale, 28 * scale, 11 * text_scale, str(table.number)
    top = paper.height / 2 - MARGIN
    head = fit(gettext("Table"), word, frame.width - 2 * (code + CODE_GAP), bold=True)
    draw_fitted(canvas, paper.width / 2, top - word * 0.8, head, "centre")
    if table.address:
        draw_qr(canvas, frame.right - code, top - code, code, table.address)
        x = frame.right - code - CODE_GAP
        for down, text in ((1.5, gettext("Scan the QR code:")), (2.75, gettext("who plays here"))):
            words = fit(text, line, x - (paper.width + head.width) / 2 - CODE_GAP)
            draw_fitted(canvas, x, top - line * down, words, "right")
    height, wide = top - (code if table.address else word) - GAP - frame.bottom, text_width(number, 1.0, bold=True)
    size = min(frame.width / wide, height / FIGURE)
    base = frame.bottom + (height - size * FIGURE) / 2
    draw_text(canvas, paper.width / 2, base, number, size, bold=True, align="centre")


@dataclass(frozen=True)
class Poster:
    lines: tuple[str, ...]
    call: str
    """The call to action above the address."""
    url: str


def draw_poster(paper: Paper, page: Poster) -> None:
    bookmark(paper, gettext("Poster"))
    canvas, frame = paper.canvas, paper.frame
    middle, scale = paper.width / 2, frame.width / 540

    def put(text: str, y: float, size: float, most: int, bold: Weight = False, role: Role = "P") -> float:
        """Draw a text whose first line is below ``y``; returns its lower end."""
        line = fit(text, size * scale, frame.width, bold=bold, min_size=9 * scale, max_lines=most, leading=1.3)
        with part(canvas, role):
            return draw_fitted(canvas, middle, y - line.size, line, "centre") + line.size

    y = put(paper.event, frame.top, 54, 3, bold=True, role="H1")
    for text in filter(plain, page.lines):
        y = put(text, y, 24, 2)
    low = frame.bottom + 80 * scale
    side = min(frame.width * 0.84, (y - low) / 1.25)  # with a quiet zone of an eighth on each side
    draw_qr(canvas, middle - side / 2, (y + low - side) / 2, side, page.url)
    put(page.url.partition("://")[2], put(page.call, low, 22, 1), 20, 2, bold=True)
    next_page(paper)


@dataclass(frozen=True)
class Certificate:
    """A certificate: ``title`` is the award ("" for participation), ``line`` is printed below the name."""

    name: str
    title: str
    line: str
    when: str
    """The game, the place and the day."""
    signatures: tuple[str, ...] = ()
    """The labels below the lines to sign on."""


PARTICIPATION = N_("Certificate of Participation")
SIGN_AT, SIGN_WIDTH, SIGN_GAP = 0.915, 190.0, 44.0
"""Position of the signatures as a share of the height; width of a signature, and space between two."""


def draw_certificates(paper: Paper, pages: Sequence[Certificate], landscape: bool = True) -> None:
    paper = oriented(paper, landscape=landscape)
    bookmark(paper, gettext("Certificates"))
    for page in pages:
        bookmark(paper, f"{page.title or gettext(PARTICIPATION)}: {page.name}", nested=True)
        _certificate(paper, page)
        next_page(paper)


def _certificate(paper: Paper, page: Certificate) -> None:
    """Draw a certificate: a border, each text as large as its band allows, and labelled lines to sign on."""
    canvas, middle = paper.canvas, paper.width / 2
    frame = Frame(paper.frame.left, MARGIN, paper.frame.right, paper.frame.top)  # a certificate has no footer
    box(canvas, frame.left + 2, frame.bottom + 2, frame.width - 4, frame.height - 4, 2.4)
    box(canvas, frame.left + 8, frame.bottom + 8, frame.width - 16, frame.height - 16)
    bands: tuple[tuple[str, Role, float, float, float, int, Weight], ...] = (
        (paper.event, title_role(canvas), 0.69, 0.77, 22, 2, "display"),  # is read first
        (gettext("Certificate") if page.title else "", "P", 0.085, 0.155, 17, 1, "display"),
        (page.title or gettext(PARTICIPATION), "P", 0.16, 0.33, 46, 3, "display"),
        (gettext("given to"), "P", 0.365, 0.41, 14, 1, False),
        (page.name, "H1", 0.41, 0.565, 54, 3, "display"),
        (page.line, "P", 0.61, 0.68, 17, 2, False),
        (page.when, "P", 0.77, 0.83, 15, 2, False),
    )  # each text between two shares of the height, with its largest size and most lines
    for text, role, top, bottom, size, lines, bold in bands:
        fitted = fit(
            text, size, frame.width * 0.82, bold=bold, min_size=max(9.0, size * 0.26), max_lines=lines,
            max_height=(bottom - top) * frame.height, leading=1.16,
        )  # fmt: skip
        y = frame.top - (top + bottom) / 2 * frame.height + (fitted.height - fitted.step - fitted.size * 0.72) / 2
        with part(canvas, role):
            draw_fitted(canvas, middle, y, fitted, "centre")
    for down, arm in ((0.3475, 0.12), (0.6, 0.36)):
        y = frame.top - down * frame.height
        rule(canvas, middle - arm * frame.width, y, middle + arm * frame.width, y, LINE)
    many = len(page.signatures)
    step = min(SIGN_WIDTH + SIGN_GAP, (frame.width * 0.84 + SIGN_GAP) / max(1, many))
    width, y = step - SIGN_GAP, frame.top - SIGN_AT * frame.height
    for place, words in enumerate(page.signatures):
        x = middle + step * (2 * place + 1 - many) / 2
        rule(canvas, x - width / 2, y, x + width / 2, y, LINE)
        draw_text(canvas, x, y - 14, words, 11, max_width=width, align="centre")
