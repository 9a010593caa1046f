"""What all sheets share: paper sizes, margins, the ink, the head and foot of a page, the document being drawn.

Lengths are in points (1/72 inch), the origin is the lower left corner of the paper. A module of a sheet draws into
an open `Paper`, so that several sheets can make one document with shared typefaces; each counts its own pages.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from importlib import resources
from io import BytesIO
from typing import Any, Literal, TypeVar

import segno
from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Fitted, draw_fitted, draw_text, fit, plain, text_width
from pdf.tags import Tags, end_page, is_open, part, put_structure, silence, tag_canvas

rl_config.useA85 = 0  # pages as bytes: a fifth smaller than in ReportLab's letters
T = TypeVar("T")
PageSize = Literal["A4", "A5", "Letter"]
MARGIN = 11 * mm
"""A little over the 10 mm that every desktop printer can keep free of ink."""
SIZES: dict[PageSize, tuple[float, float]] = {
    "A4": (210 * mm, 297 * mm),
    "A5": (148 * mm, 210 * mm),
    "Letter": (612.0, 792.0),
}
INK = 0.0
PAPER = 1.0
GREY = 0.82
"""The one grey: it stays visible when photocopied, and a pencil stays readable on it."""
FOOT, FOOT_TYPE = 16.0, 7.5
"""Height kept for the foot of the page, with the space above it, and its size of type."""
PALE = 0.93
"""A lighter tint of it, only behind every second row of a list."""
HAIR, LINE, RULE = 0.4, 0.8, 1.8
"""Widths of lines: divisions inside a box, boxes, the rule above a section."""


@dataclass(frozen=True)
class Frame:
    """The printable part of a page, without the foot."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From bottom to top."""
        return self.top - self.bottom


@dataclass(frozen=True)
class Paper:
    """A document being drawn, and the page at hand: ``width`` by ``height``, of which ``frame`` can be printed on.

    ``forms`` are the drawings that its pages share (`stamp`), ``entries`` the keys of its outline, ``tags`` its
    structure for screen readers.
    """

    canvas: Canvas
    frame: Frame
    buffer: BytesIO
    event: str
    printed: str
    size: PageSize
    width: float
    height: float
    forms: dict[Hashable, tuple[str, Any]] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)
    tags: Tags = field(default_factory=Tags)


def clock_text(moment: datetime) -> str:
    """A moment with its zone, the same in every language: "2026-11-20 14:05 CET". ValueError if naive."""
    if moment.tzinfo is None:
        raise ValueError("A printed time needs its time zone")
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname()}"


def frame_of(width: float, height: float) -> Frame:
    """The frame of a page, or of a piece that is cut out of one, of this size."""
    return Frame(MARGIN, MARGIN + FOOT, width - MARGIN, height - MARGIN)


def new_paper(page_size: PageSize, *, title: str, event: str, printed_at: datetime) -> Paper:
    """Start a document on upright pages. The same calls make the same bytes: nothing of clock or machine goes in.

    ``printed_at`` must know its time zone (ValueError).
    """
    width, height = SIZES[page_size]
    buffer = BytesIO()
    first: Any = _begin_with()
    canvas = Canvas(
        buffer, pagesize=(width, height), invariant=1, pageCompression=1, lang="en-GB", initialFontName=first
    )
    zone = f"{printed_at:%z}" or "+0000"
    canvas.setDateFormatter(lambda *_: f"D:{printed_at:%Y%m%d%H%M%S}{zone[:3]}'{zone[3:5]}'")
    canvas.setTitle(plain(f"{title} · {event}"))
    canvas.setSubject(plain(title))
    canvas.setAuthor(plain(event))
    canvas.setCreator("Overseer")
    canvas.setProducer("Overseer, by ReportLab and HarfBuzz")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    frame = frame_of(width, height)
    paper = Paper(canvas, frame, buffer, event, clock_text(printed_at), page_size, width, height)
    tag_canvas(canvas, paper.tags)
    return paper


@lru_cache(maxsize=1)
def _begin_with() -> str:
    """A font that pages begin with and no text uses, so that ReportLab does not name Helvetica on each."""
    with resources.as_file(resources.files("font_roboto") / "files" / "Roboto-Regular.ttf") as found:
        pdfmetrics.registerFont(TTFont("Roboto", str(found)))
    return "Roboto"


def turned(paper: Paper, *, wide: bool) -> Paper:
    """The same document, its next pages upright or ``wide``."""
    width, height = SIZES[paper.size][::-1] if wide else SIZES[paper.size]
    return replace(paper, width=width, height=height, frame=frame_of(width, height))


def bookmark(paper: Paper, title: str, *, under: bool = False) -> None:
    """An entry of the document's outline that leads to the page being drawn: a sheet, or what is ``under`` the last."""
    outline(paper, title, landmark(paper), under=under)


def landmark(paper: Paper) -> str:
    """A key of the page being drawn, for an entry of the outline that is made later."""
    key = f"entry{len(paper.entries)}"
    paper.entries.append(key)
    paper.canvas.bookmarkPage(key)
    return key


def outline(paper: Paper, title: str, key: str, *, under: bool = False) -> None:
    """An entry of the outline that leads to the page of this key."""
    paper.canvas.addOutlineEntry(plain(title), key, level=int(under), closed=not under)


def next_page(paper: Paper) -> None:
    """The page is drawn: go on with an empty one."""
    end_page(paper.canvas, paper.tags)
    paper.canvas.setPageSize((paper.width, paper.height))
    paper.canvas.showPage()


def foot(paper: Paper, what: str, number: int, of: int) -> None:
    """The line at the bottom of every page: event and sheet, time of printing, page n of m."""
    canvas, frame = paper.canvas, paper.frame
    with part(canvas, "Artifact"):
        y = frame.bottom - FOOT
        rule(canvas, frame.left, y + 9.5, frame.right, y + 9.5)
        right = f"Printed {paper.printed} · Page {number} of {of}"
        # The sheet's name is never cut for the event's.
        room = frame.width - text_width(right, FOOT_TYPE) - 12
        name = fit(what, FOOT_TYPE, room - 40, min_size=FOOT_TYPE).lines[0]
        event = fit(paper.event, FOOT_TYPE, room - text_width(f"·{name}", FOOT_TYPE) - 4, min_size=FOOT_TYPE).lines[0]
        draw_text(canvas, frame.left, y + 1, f"{event} · {name}", FOOT_TYPE)
        draw_text(canvas, frame.right, y + 1, right, FOOT_TYPE, align="right")


def finish(paper: Paper) -> bytes:
    """Close the document and give its bytes. ValueError if no page was drawn: readers refuse such a file."""
    if paper.canvas.getPageNumber() == 1:
        raise ValueError("No page was drawn")
    put_structure(paper.canvas, paper.tags)
    paper.canvas.save()
    return paper.buffer.getvalue()


def drawn(
    draw: Callable[..., object], size: PageSize, title: str, event: str, printed_at: datetime, *what: object
) -> bytes:
    """A document of ``what`` this draws on it. ValueError as of `new_paper` and `finish`."""
    paper = new_paper(size, title=title, event=event, printed_at=printed_at)
    draw(paper, *what)
    return finish(paper)


BAR, LARGE_BAR = 34.0, 46.0
"""Height of the black bar over a list, and over one that is read from afar."""


def _notes(frame: Frame, notes: Sequence[str], *, large: bool) -> list[Fitted]:
    size = 15 if large else 9.5
    return [fit(note, size, frame.width, min_size=8, max_lines=4, leading=1.28) for note in notes if plain(note)]


def headline_height(frame: Frame, notes: Sequence[str] = (), *, large: bool = False) -> float:
    """Height that `headline` takes with these notes."""
    return (LARGE_BAR if large else BAR) + 8 + sum(note.height + 1.5 for note in _notes(frame, notes, large=large))


def headline(paper: Paper, title: str, notes: Sequence[str] = (), *, large: bool = False) -> None:
    """The head of a list page: what it is, the event, notes below."""
    canvas, frame = paper.canvas, paper.frame
    high, size = (LARGE_BAR, 29.0) if large else (BAR, 21.0)
    block(canvas, frame.left, frame.top - high, frame.width, high)
    canvas.setFillGray(PAPER)
    x, y = frame.left + 10, frame.top - high / 2 - size * 0.36
    with part(canvas, "H1"):
        wide = max(frame.width * 0.62, frame.width - text_width(paper.event, 13) - 36)
        left = draw_text(canvas, x, y, title, size, bold=True, max_width=wide, min_size=10)
    room = frame.width - left.last_width - 36
    draw_text(canvas, frame.right - 10, y, paper.event, 13, max_width=room, min_size=8, align="right")
    canvas.setFillGray(INK)
    y = frame.top - high - 5
    for note in _notes(frame, notes, large=large):
        y = draw_fitted(canvas, frame.left, y - note.step, note) + note.step - 1.5


def page_of_nothing(paper: Paper, title: str, note: str) -> None:
    """The one page of a sheet that has nothing to say yet: why."""
    headline(paper, title, [note])
    foot(paper, title, 1, 1)
    next_page(paper)


def section(canvas: Canvas, x: float, y: float, width: float, title: str, note: str = "", *, size: float = 9.0) -> None:
    """A heavy rule from y downwards, below it a title and at its right a small note; takes `section_height`."""
    block(canvas, x, y - RULE, width, RULE)
    base = y - RULE - size - 0.7
    with nullcontext() if is_open(canvas) else part(canvas, "H2"):
        fitted = draw_text(canvas, x, base, title, size, bold=True, max_width=width)
    if note:
        room = width - text_width(title, fitted.size, bold=True) - 10
        draw_text(canvas, x + width, base, note, max(7.5, size * 0.7), max_width=room, align="right")


def section_height(size: float = 9.0) -> float:
    """Height that `section` takes above its content."""
    return RULE + size + 4.7


def rule(canvas: Canvas, x: float, y: float, to_x: float, to_y: float, width: float = HAIR) -> None:
    """A line of this width."""
    canvas.setLineWidth(width)
    canvas.line(x, y, to_x, to_y)


def box(canvas: Canvas, x: float, y: float, width: float, height: float, line: float = LINE) -> None:
    """An empty box, its lower left corner at x, y."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(line)
    canvas.rect(x, y, width, height, stroke=1, fill=0)


def block(canvas: Canvas, x: float, y: float, width: float, height: float, grey: float = INK) -> None:
    """A filled box, its lower left corner at x, y; what follows is filled with ink."""
    canvas.setFillGray(grey)
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    canvas.setFillGray(INK)


def hatch(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Fill a box with the grey and with slanted lines, so that it differs from paper on any printer."""
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(x, y, width, height)
    canvas.setFillGray(GREY)
    canvas.drawPath(path, stroke=0, fill=1)
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.setStrokeGray(0.45)
    canvas.setLineWidth(HAIR)
    lines = canvas.beginPath()
    start = x - height
    while start < x + width:
        lines.moveTo(start, y)
        lines.lineTo(start + height, y + height)
        start += 4
    canvas.drawPath(lines, stroke=1, fill=0)
    canvas.restoreState()


def stamp(paper: Paper, key: Hashable, draw: Callable[[], T], alt: str = "") -> T:
    """Put the drawing of this key on the page, drawing it the first time, and give what ``draw`` gave then.

    Its places are those of the page. ``alt`` says in words what it shows, where it is a figure. The key says all that
    the drawing depends on, but for the size of the page.
    """
    whole = (paper.width, paper.height, key)
    if whole not in paper.forms:
        name = f"stamp{len(paper.forms)}"
        paper.canvas.beginForm(name, 0, 0, paper.width, paper.height)
        with silence(paper.tags):
            paper.forms[whole] = name, draw()
        paper.canvas.endForm()
    name, given = paper.forms[whole]
    with part(paper.canvas, "Figure", alt=alt) if alt else nullcontext():
        paper.canvas.doForm(name)
    shared: T = given
    return shared


@lru_cache(maxsize=1024)
def _modules(content: str) -> tuple[int, str]:
    """The modules a side, and every dark run of them as a rectangle in PDF's own words, in modules from lower left.

    The mask is fixed: every reader takes all eight, and choosing one for each code is a third of a scoresheet's time.
    """
    matrix = segno.make(content, error="m", micro=False, boost_error=False, mask=2).matrix
    side = len(matrix)
    runs: list[str] = []
    for row, modules in enumerate(matrix):
        start = -1
        for column in range(side + 1):
            dark = column < side and bool(modules[column])
            if dark and start < 0:
                start = column
            elif not dark and start >= 0:
                runs.append(f"{start} {side - row - 1} {column - start} 1 re")
                start = -1
    return side, " ".join(runs)


def draw_qr(canvas: Canvas, x: float, y: float, size: float, content: str) -> None:
    """Draw the QR code of ``content`` (an address) as a square of ``size`` points, lower left corner at x, y.

    The caller keeps four modules' width free all round (ISO/IEC 18004; an eighth of the size is enough from
    version 3 on). Draws nothing without ``content``. Raises segno.DataOverflowError over some 2,300 bytes.
    """
    if not content:
        return
    side, dark = _modules(content)
    module = size / side
    with part(canvas, "Figure", alt=f"QR code: {content}"):
        canvas.saveState()
        canvas.transform(module, 0, 0, module, x, y)
        # Hundreds of rectangles, each spelt out by ReportLab, would take half of a sheet's time.
        canvas.addLiteral(f"{dark} f")
        canvas.restoreState()
