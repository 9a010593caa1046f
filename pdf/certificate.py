"""Certificates: one page each, black on white, for an award or for having been there. Our own drawing throughout.

The frame is two rules with a table's inch ring at each corner; every text is fitted into its band, in any script, and
visibly cut only where even the smallest size would not hold it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Weight, draw_text, fit, plain
from pdf.page import HAIR, INK, LINE, MARGIN, Frame, PageSize, Paper, bookmark, drawn, next_page, turned
from pdf.tags import part


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
    """Place and day."""
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


HEAD = _Band(0.085, 0.155, 17, 10, bold="display")
TITLE = _Band(0.16, 0.33, 46, 13, 3, bold="display")
GIVEN_TO = _Band(0.365, 0.41, 14, 11)
NAME = _Band(0.415, 0.585, 54, 14, 3, bold="display")
WHAT = _Band(0.61, 0.68, 15, 9, 2)
EVENT = _Band(0.69, 0.77, 22, 11, 2, bold="display")
WHEN = _Band(0.77, 0.82, 13, 9)
LEADING = 1.16
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
    return drawn(lambda paper: draw_certificates(paper, pages, wide=wide), page_size, title, pages[0].event, printed_at)


def draw_certificates(paper: Paper, pages: Sequence[Certificate], *, wide: bool = True) -> None:
    """A page for each certificate, upright or ``wide``."""
    paper = turned(paper, wide=wide)
    bookmark(paper, "Certificates")
    for page in pages:
        bookmark(paper, f"{page.title or PARTICIPATION}: {page.name}", under=True)
        _page(paper, page)
        next_page(paper)


def _page(paper: Paper, page: Certificate) -> None:
    canvas = paper.canvas
    frame = Frame(paper.frame.left, MARGIN, paper.frame.right, paper.frame.top)  # no foot: it is no list
    canvas.setFillGray(INK)
    canvas.setStrokeGray(INK)
    _border(canvas, frame)
    _set(canvas, frame, HEAD, "Certificate" if page.title else "")
    _set(canvas, frame, TITLE, page.title or PARTICIPATION)
    _divide(canvas, frame, (TITLE.bottom + GIVEN_TO.top) / 2)
    _set(canvas, frame, GIVEN_TO, "given to")
    with part(canvas, "H1"):
        _set(canvas, frame, NAME, page.name)
    middle, half = (frame.left + frame.right) / 2, frame.width * 0.36
    canvas.setLineWidth(LINE)
    canvas.line(middle - half, _at(frame, 0.60), middle + half, _at(frame, 0.60))
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
    fitted = fit(
        text, band.size, room, bold=band.bold, min_size=band.least, max_lines=band.lines, max_height=high,
        leading=LEADING,
    )  # fmt: skip
    deep = fitted.size * (LEADING * (len(fitted.lines) - 1) + 0.72)
    y = _at(frame, (band.top + band.bottom) / 2) + deep / 2 - fitted.size * 0.72
    for line in fitted.lines:
        draw_text(canvas, (frame.left + frame.right) / 2, y, line, fitted.size, bold=band.bold, align="centre")
        y -= fitted.size * LEADING


def _border(canvas: Canvas, frame: Frame) -> None:
    canvas.setLineWidth(2.4)
    canvas.rect(frame.left + 2, frame.bottom + 2, frame.width - 4, frame.height - 4)
    inset, arm = 13.0, 34.0
    left, right, low, high = frame.left + inset, frame.right - inset, frame.bottom + inset, frame.top - inset
    canvas.setLineWidth(LINE)
    for y in (low, high):
        canvas.line(left + arm, y, right - arm, y)
    for x in (left, right):
        canvas.line(x, low + arm, x, high - arm)
    for x, way in ((left, 1), (right, -1)):
        for y, up in ((low, 1), (high, -1)):
            _corner(canvas, x + way * arm / 2, y + up * arm / 2)


def _corner(canvas: Canvas, x: float, y: float, radius: float = 12.0) -> None:
    """A table's inch ring: its middle, a ring, and ticks all round."""
    canvas.setLineWidth(LINE)
    canvas.circle(x, y, radius, stroke=1, fill=0)
    canvas.setLineWidth(HAIR)
    canvas.circle(x, y, radius * 0.62, stroke=1, fill=0)
    canvas.circle(x, y, radius * 0.24, stroke=0, fill=1)
    canvas.setLineWidth(LINE)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        canvas.line(x + dx * radius * 0.62, y + dy * radius * 0.62, x + dx * radius * 1.3, y + dy * radius * 1.3)


def _divide(canvas: Canvas, frame: Frame, share: float) -> None:
    """Two short rules with a lozenge between them."""
    x, y, arm = (frame.left + frame.right) / 2, _at(frame, share), frame.width * 0.12
    canvas.setLineWidth(LINE)
    canvas.line(x - arm, y, x - 9, y)
    canvas.line(x + 9, y, x + arm, y)
    lozenge = canvas.beginPath()
    lozenge.moveTo(x - 5, y)
    lozenge.lineTo(x, y + 5)
    lozenge.lineTo(x + 5, y)
    lozenge.lineTo(x, y - 5)
    lozenge.close()
    canvas.drawPath(lozenge, stroke=0, fill=1)


def _signatures(canvas: Canvas, frame: Frame, under: Sequence[str]) -> None:
    if not under:
        return
    room = frame.width * 0.84
    width = min(SIGN_WIDTH, (room - SIGN_GAP * (len(under) - 1)) / len(under))
    whole = width * len(under) + SIGN_GAP * (len(under) - 1)
    x, y = (frame.left + frame.right - whole) / 2, _at(frame, SIGN_AT)
    for words in under:
        canvas.setLineWidth(LINE)
        canvas.line(x, y, x + width, y)
        draw_text(canvas, x + width / 2, y - 13, words, 10, max_width=width, min_size=7, align="centre")
        x += width + SIGN_GAP
