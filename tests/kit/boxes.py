"""Layout faults of PDF pages: text that overlaps, leaves its cell or the page, or is too small. Uses pdfium."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

LEAST = 7.0
"""The smallest type size, in points."""
TOUCH = 0.17
"""The overlap allowed between two lines, as a share of their size: accents may reach the descenders above them."""
EDGE = 0.9
"""The overlap allowed between text and a rule or a fill, in points."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass
class Line:
    """A line of text. ``wide`` is the width of its widest run, whose baseline is ``y``; a raised mark may be first."""

    box: Box
    size: float
    x: float
    y: float
    upright: bool
    order: int
    objects: list[pdfium.PdfTextObj]
    wide: float


@dataclass
class Ink:
    """Drawings that are not text: rules, each a box without area, and filled boxes."""

    rules: list[tuple[int, Box]]
    fills: list[tuple[int, Box]]


def faults(document: bytes, *, cut: bool = False) -> Iterator[str]:
    """All faults, page by page; with ``cut`` a text may be cut to nothing."""
    opened = pdfium.PdfDocument(document)
    try:
        for number in range(len(opened)):
            for fault in _faults_of(opened[number], cut):
                yield f"page {number + 1}: {fault}"
    finally:
        opened.close()


def _faults_of(page: pdfium.PdfPage, cut: bool) -> Iterator[str]:
    lines: list[Line] = []
    ink = Ink([], [])
    for order, thing in enumerate(page.get_objects(textpage=page.get_textpage())):
        _take(thing, order, lines, ink)

    def said(line: Line) -> str:
        return repr("".join(thing.extract() for thing in line.objects))

    width, height = page.get_size()
    for line in lines:
        left, bottom, right, top = line.box
        if not cut and said(line).strip("' ") == "…":
            yield f"a text at {line.x:.0f}, {line.y:.0f} is cut to nothing"
        if line.size < LEAST - 0.01:
            yield f"{said(line)} is {line.size:.1f} pt"
        if min(left, bottom, width - right, height - top) < -0.1:
            yield f"{said(line)} leaves the page"
        under = [at for at, box in ink.fills if at < line.order and _holds(box, line.box)]
        covered = max(under, default=-1)
        for at, rule in ink.rules:
            if covered < at and _crosses(rule, line.box):
                yield f"{said(line)} is crossed by a rule at {rule[0]:.0f}, {rule[1]:.0f}"
                break
        if any(at > line.order and _common(box, line.box) > EDGE for at, box in ink.fills):
            yield f"{said(line)} is covered"
    lines.sort(key=lambda a_line: a_line.box[1])
    for place, a_line in enumerate(lines):
        for other in lines[place + 1 :]:
            if other.box[1] >= a_line.box[3]:
                break
            if _common(a_line.box, other.box) > max(EDGE, TOUCH * min(a_line.size, other.size)):
                yield f"{said(a_line)} overlaps {said(other)}"


def _on_page(thing: pdfium.PdfObject) -> pdfium.PdfMatrix:
    """The matrix from the coordinates of the form that contains the object, if any, to those of the page."""
    matrix = pdfium.PdfMatrix()
    while thing.container:
        thing = thing.container
        matrix = matrix.multiply(thing.get_matrix())
    return matrix


def _take(thing: pdfium.PdfObject, order: int, lines: list[Line], ink: Ink) -> None:
    on_page = _on_page(thing)
    box = on_page.on_rect(*thing.get_bounds())
    if thing.type == raw.FPDF_PAGEOBJ_TEXT and box[2] - box[0] > 0.05 and box[3] - box[1] > 0.05:
        own = thing.get_matrix()
        x, y = on_page.on_point(own.e, own.f)
        drawn = Line(box, thing.get_font_size(), x, y, abs(own.b) > abs(own.a), order, [thing], box[2] - box[0])
        if not (lines and _goes_on(lines[-1], drawn)):
            lines.append(drawn)
    elif thing.type == raw.FPDF_PAGEOBJ_PATH:
        mode, stroke = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(thing, mode, stroke)
        segments = raw.FPDFPath_CountSegments(thing)
        left, bottom, right, top = box
        if stroke.value and segments == 2:
            across, up = (left + right) / 2, (bottom + top) / 2
            flat = (left, up, right, up) if right - left > top - bottom else (across, bottom, across, top)
            ink.rules.append((order, flat))
        elif stroke.value and segments <= 5:
            ink.rules += [
                (order, side)
                for side in (
                    (left, bottom, left, top), (right, bottom, right, top), (left, bottom, right, bottom),
                    (left, top, right, top),
                )
            ]  # fmt: skip
        if mode.value:
            ink.fills.append((order, box))


def _goes_on(line: Line, drawn: Line) -> bool:
    """Whether a run continues the line or is a mark above it; if so, adds it to the line."""
    left, bottom, right, top = line.box
    turned = line.upright
    along, across = (drawn.y - line.y, drawn.x - line.x) if turned else (drawn.x - line.x, drawn.y - line.y)
    length = top - bottom if turned else right - left
    if drawn.upright != turned or drawn.size != line.size or abs(across) > 0.6 * line.size:
        return False
    if abs(across) > 0.01 and min(line.wide, drawn.wide) > line.size:
        return False
    if abs(abs(along) - length) > 0.45 * line.size:
        return False
    line.box = (
        min(left, drawn.box[0]), min(bottom, drawn.box[1]), max(right, drawn.box[2]), max(top, drawn.box[3]),
    )  # fmt: skip
    if not turned:
        line.x = line.box[0]
        line.y, line.wide = max((line.wide, line.y), (drawn.wide, drawn.y))[::-1]
    line.order = drawn.order
    line.objects += drawn.objects
    return True


def _common(row: Box, other: Box) -> float:
    """The smaller of two boxes' horizontal and vertical overlap; negative if they are apart."""
    return min(min(row[2], other[2]) - max(row[0], other[0]), min(row[3], other[3]) - max(row[1], other[1]))


def _holds(fill: Box, box: Box) -> bool:
    return (
        fill[0] <= box[0] + EDGE and fill[1] <= box[1] + EDGE and fill[2] >= box[2] - EDGE and fill[3] >= box[3] - EDGE
    )


def _crosses(rule: Box, box: Box) -> bool:
    """Whether a rule crosses the text instead of touching its edge."""
    left, bottom, right, top = box
    if rule[0] == rule[2]:
        return left + EDGE < rule[0] < right - EDGE and min(rule[3], top) - max(rule[1], bottom) > EDGE
    return bottom + EDGE < rule[1] < top - EDGE and min(rule[2], right) - max(rule[0], left) > EDGE
