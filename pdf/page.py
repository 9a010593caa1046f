"""The page that all sheets share: paper sizes, margins, greys, headline, footer, QR codes, and the open document.

Lengths are in points (1/72 inch); the origin is the lower left corner of the paper. Sheets draw on an open `Paper`, so
that several sheets can share one document and its fonts; each sheet counts its own pages. All functions of ``pdf`` that
take ``printed_at`` raise ValueError if it has no time zone.
"""

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from importlib import resources
from math import ceil
from typing import Any, Literal, TypeVar

import segno
from reportlab import rl_config
from reportlab.lib.pagesizes import A4, A5, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from languages.dates import dated, zone_name
from languages.words import gettext
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, plain, text_width
from pdf.tags import part, put_structure, silence, tag_canvas, turn_page

rl_config.useA85 = 0  # binary page streams are a fifth smaller than ASCII85
T = TypeVar("T")
PageSize = Literal["A4", "A5", "Letter"]
MARGIN = 11 * mm
"""Slightly more than the 10 mm that any desktop printer can leave blank."""
SIZES: dict[PageSize, tuple[float, float]] = {"A4": A4, "A5": A5, "Letter": LETTER}
INK = 0.0
PAPER = 1.0
GREY = 0.82
"""The standard grey: it survives photocopying, and pencil stays readable on it."""
FOOT, FOOT_TYPE = 16.0, 7.5
"""Height that the footer takes with the space above it, and its type size."""
PALE = 0.93
"""A lighter grey for every second row of a list."""
HAIR, LINE, RULE = 0.4, 0.8, 1.8
"""Line widths: divisions inside a box, boxes, the rule above a section."""


@dataclass(frozen=True)
class Frame:
    """The part of a page inside its margins and above its footer."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    def halves(self, gap: float) -> tuple["Frame", "Frame"]:
        width = (self.width - gap) / 2
        return replace(self, right=self.left + width), replace(self, left=self.right - width)


@dataclass(frozen=True)
class Paper:
    """An open document and its current page of ``width`` by ``height``; ``frame`` is the printable part.

    ``titles`` has the document's own title first, then those of its outline; ``made`` is what its pages share
    (`made_once`), and ``entries`` are the keys of the outline.
    """

    canvas: Canvas
    frame: Frame
    event: str
    printed: str
    size: PageSize
    width: float
    height: float
    titles: list[str] = field(default_factory=list)
    made: dict[Hashable, Any] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)


def clock_text(moment: datetime) -> str:
    """A moment with its zone: "20 Nov 2026, 14:05 CET". Raises ValueError if it has no zone."""
    if moment.tzinfo is None:
        raise ValueError("A printed time needs its time zone")
    return f"{dated(moment, '%-d %b %Y, %H:%M')} {zone_name(moment)}"


def frame_of(width: float, height: float) -> Frame:
    return Frame(MARGIN, MARGIN + FOOT, width - MARGIN, height - MARGIN)


def new_paper(page_size: PageSize, *, event: str, printed_at: datetime, title: str = "") -> Paper:
    """Start a document on portrait pages. Nothing of the clock or the machine goes in: equal calls make equal bytes.

    Without a ``title`` it has that of its first outline entry.
    """
    size = SIZES[page_size]
    font: Any = _initial_font()
    canvas = Canvas(
        "", pagesize=size, invariant=1, pageCompression=1, lang="en-GB", initialFontName=font, pdfVersion=(1, 7)
    )
    zone = f"{printed_at:%z}" or "+0000"
    canvas.setDateFormatter(lambda *_: f"D:{printed_at:%Y%m%d%H%M%S}{zone[:3]}'{zone[3:5]}'")
    canvas.setAuthor(plain(event))
    canvas.setCreator("Overseer")
    canvas.setProducer("Overseer, by ReportLab and HarfBuzz")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    tag_canvas(canvas)
    return Paper(canvas, frame_of(*size), event, clock_text(printed_at), page_size, *size, [title] * bool(title))


@lru_cache(maxsize=1)
def _initial_font() -> str:
    """Register a font that pages begin with and no text uses, so that ReportLab does not name Helvetica."""
    with resources.as_file(resources.files("font_roboto") / "files" / "Roboto-Regular.ttf") as path:
        pdfmetrics.registerFont(TTFont("Roboto", str(path)))
    return "Roboto"


def oriented(paper: Paper, *, landscape: bool) -> Paper:
    width, height = SIZES[paper.size][::-1] if landscape else SIZES[paper.size]
    return replace(paper, width=width, height=height, frame=frame_of(width, height))


def bookmark(paper: Paper, title: str, *, nested: bool = False) -> None:
    """Add an outline entry for the current page; with ``nested`` it goes below the last top-level entry."""
    outline(paper, title, page_key(paper), nested=nested)


def page_key(paper: Paper) -> str:
    """A key of the current page, for an outline entry that is added later."""
    key = f"entry{len(paper.entries)}"
    paper.entries.append(key)
    paper.canvas.bookmarkPage(key)
    return key


def outline(paper: Paper, title: str, key: str, *, nested: bool = False) -> None:
    paper.titles.append(title)
    paper.canvas.addOutlineEntry(plain(title), key, level=int(nested), closed=not nested)


def next_page(paper: Paper) -> None:
    paper.canvas.setPageSize((paper.width, paper.height))
    turn_page(paper.canvas)


def foot(paper: Paper, title: str, number: int, of: int) -> None:
    """Draw the footer of a page: the event and the sheet's name, the time of printing, page n of m."""
    canvas, frame = paper.canvas, paper.frame
    with part(canvas, "Artifact"):
        y = frame.bottom - FOOT
        rule(canvas, frame.left, y + 9.5, frame.right, y + 9.5)
        right = gettext("Printed %(time)s · Page %(n)s of %(all)s", time=paper.printed, n=number, all=of)
        # Without room for the event's name, which is in the head, the sheet's name stands alone.
        room, whole = frame.width - text_width(right, FOOT_TYPE) - 12, f"{paper.event} · {title}"
        whole = whole if text_width(whole, FOOT_TYPE) <= room else title
        draw_text(canvas, frame.left, y + 1, whole, FOOT_TYPE, max_width=room, min_size=FOOT_TYPE)
        draw_text(canvas, frame.right, y + 1, right, FOOT_TYPE, align="right")


def finish(paper: Paper) -> bytes:
    """Close the document and return its bytes. Raises ValueError if no page was drawn: readers reject such a file."""
    if paper.canvas.getPageNumber() == 1:
        raise ValueError("No page was drawn")
    title = paper.titles[0] if paper.titles else ""
    paper.canvas.setTitle(plain(f"{title} · {paper.event}"))
    paper.canvas.setSubject(plain(title))
    put_structure(paper.canvas)
    untyped: Any = paper.canvas
    written: bytes = untyped.getpdfdata()
    return written


def render(
    draw: Callable[..., object], size: PageSize, title: str, event: str, printed_at: datetime, *content: object
) -> bytes:
    """The bytes of a document that ``draw`` draws on a new paper from ``content``; ``title`` as `new_paper` has it.

    Raises ValueError as `finish` does.
    """
    paper = new_paper(size, title=title, event=event, printed_at=printed_at)
    draw(paper, *content)
    return finish(paper)


BAR, LARGE_BAR = 34.0, 46.0
"""Height of the black bar of a headline, and of a headline for lists read from a distance."""


def _notes(frame: Frame, notes: Sequence[str], *, large: bool) -> list[Fitted]:
    size = 15 if large else 9.5
    return [fit(note, size, frame.width, min_size=8, max_lines=4, leading=1.28) for note in notes if plain(note)]


def headline_height(frame: Frame, notes: Sequence[str] = (), *, large: bool = False) -> float:
    return (LARGE_BAR if large else BAR) + 8 + sum(note.height + 1.5 for note in _notes(frame, notes, large=large))


def headline(paper: Paper, title: str, notes: Sequence[str] = (), *, large: bool = False) -> None:
    """Draw the head of a page: a black bar with the sheet's title and the event, and notes below it."""
    canvas, frame = paper.canvas, paper.frame
    bar_height, size = (LARGE_BAR, 29.0) if large else (BAR, 21.0)
    block(canvas, frame.left, frame.top - bar_height, frame.width, bar_height)
    canvas.setFillGray(PAPER)
    middle, high = frame.top - bar_height / 2, bar_height - 5
    title_width = max(frame.width * 0.62, frame.width - text_width(paper.event, 13) - 36)
    left = fit(title, size, title_width, bold=True, min_size=10, max_lines=2, max_height=high)
    right = fit(paper.event, 13, frame.width - left.width - 36, min_size=8, max_lines=3, max_height=high)
    first = {fitted: middle + (fitted.height - fitted.step) / 2 - fitted.size * 0.36 for fitted in (left, right)}
    base = min(first.values()) if len(left.lines) == len(right.lines) == 1 else 0.0
    with part(canvas, "H1"):
        draw_fitted(canvas, frame.left + 10, base or first[left], left)
    draw_fitted(canvas, frame.right - 10, base or first[right], right, "right")
    canvas.setFillGray(INK)
    y = frame.top - bar_height - 5
    for note in _notes(frame, notes, large=large):
        y = draw_fitted(canvas, frame.left, y - note.step, note) + note.step - 1.5


def empty_page(paper: Paper, title: str, note: str) -> None:
    """Draw the only page of a sheet without content; ``note`` says why it is empty."""
    headline(paper, title, [note])
    foot(paper, title, 1, 1)
    next_page(paper)


def section(canvas: Canvas, x: float, y: float, width: float, title: str, note: str = "", *, size: float = 9.0) -> None:
    """Draw a heavy rule from y downwards, and below it a title with a small note at its right; see `section_height`."""
    block(canvas, x, y - RULE, width, RULE)
    base = y - RULE - size - 0.7
    with part(canvas, "H2"):
        fitted = draw_text(canvas, x, base, title, size, bold=True, max_width=width)
    if note:
        room = width - text_width(title, fitted.size, bold=True) - 10
        draw_text(canvas, x + width, base, note, max(7.5, size * 0.7), max_width=room, align="right")


def section_height(size: float = 9.0) -> float:
    return RULE + size + 4.7


def rule(canvas: Canvas, x: float, y: float, to_x: float, to_y: float, width: float = HAIR) -> None:
    canvas.setLineWidth(width)
    canvas.line(x, y, to_x, to_y)


def box(canvas: Canvas, x: float, y: float, width: float, height: float, line: float = LINE) -> None:
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(line)
    canvas.rect(x, y, width, height, stroke=1, fill=0)


def block(canvas: Canvas, x: float, y: float, width: float, height: float, grey: float = INK) -> None:
    """Fill a box with a grey, then set the fill colour back to black; x, y is its lower left corner."""
    canvas.setFillGray(grey)
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    canvas.setFillGray(INK)


def hatch(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Fill a box with grey and diagonal lines, so that it differs from paper on any printer."""
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(x, y, width, height)
    canvas.setFillGray(GREY)
    canvas.clipPath(path, stroke=0, fill=1)
    canvas.setStrokeGray(0.45)
    canvas.setLineWidth(HAIR)
    starts = [x - height + 4 * number for number in range(ceil((width + height) / 4))]
    canvas.lines([(start, y, start + height, y + height) for start in starts])
    canvas.restoreState()


def made_once(paper: Paper, key: Hashable, make: Callable[[], T]) -> T:
    """What ``make`` returns, which is called once for each ``key`` and page size of the document."""
    whole = (paper.width, paper.height, key)
    if whole not in paper.made:
        paper.made[whole] = make()
    made: T = paper.made[whole]
    return made


def draw_shared(paper: Paper, key: Hashable, draw: Callable[[], T], alt: str) -> T:
    """Place a figure that pages share, and return what ``draw`` returned; ``draw`` is called once for each ``key``.

    The figure keeps its coordinates on each page. ``key`` must include everything that it depends on, except the page
    size. ``alt`` describes it to screen readers, which cannot read the text in it.
    """

    def make() -> tuple[str, T]:
        name = f"stamp{len(paper.made)}"
        paper.canvas.beginForm(name, 0, 0, paper.width, paper.height)
        with silence(paper.canvas):
            result = draw()
        paper.canvas.endForm()
        return name, result

    name, result = made_once(paper, key, make)
    with part(paper.canvas, "Figure", alt=alt):
        paper.canvas.doForm(name)
    return result


@lru_cache(maxsize=1024)
def _qr_rectangles(content: str) -> tuple[int, str]:
    """The modules on a side of a QR code, and its dark runs as PDF rectangles, in modules from the lower left.

    The mask is fixed: readers accept all eight, and choosing the best for each code takes a third of a scoresheet's
    time.
    """
    matrix = segno.make(content, error="m", micro=False, boost_error=False, mask=2).matrix
    side = len(matrix)
    runs = ((row, run) for row, modules in enumerate(matrix, 1) for run in re.finditer(b"\1+", modules))
    return side, " ".join(f"{run.start()} {side - row} {len(run[0])} 1 re" for row, run in runs)


def draw_qr(canvas: Canvas, x: float, y: float, size: float, content: str) -> None:
    """Draw the QR code of ``content`` as a square of ``size`` points; x, y is its lower left corner.

    Callers leave four modules' width blank on all sides (ISO/IEC 18004); from version 3 on an eighth of the size is
    enough. Draws nothing if ``content`` is empty. Raises segno.DataOverflowError over some 2,300 bytes.
    """
    if not content:
        return
    side, rectangles = _qr_rectangles(content)
    module = size / side
    with part(canvas, "Figure", alt=f"QR code: {content}"):
        canvas.saveState()
        canvas.transform(module, 0, 0, module, x, y)
        # ReportLab's calls for hundreds of rectangles would take half of a sheet's time.
        canvas.addLiteral(f"{rectangles} f")
        canvas.restoreState()
