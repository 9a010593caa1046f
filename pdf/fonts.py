"""Text of any script set on a ReportLab canvas, measured, shrunk, wrapped or visibly cut to its box.

User text is never markup here: it goes to the canvas character by character, never through a ``Paragraph``.
Sizes and widths are in points (1/72 inch).
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from pdf.bidi import visual
from pdf.faces import Face, faces
from pdf.stand_ins import readable

Align = Literal["left", "centre", "right"]
ELLIPSIS = "…"
_CACHED = 8192
_LONGEST = 2000
"""Characters looked at in one text: many times what any box holds, so that a megabyte costs no minute."""


@dataclass(frozen=True)
class SetText:
    """A line ready to draw: runs of (font name, characters) in drawing order, and its width at 1 pt."""

    runs: tuple[tuple[str, str], ...]
    width: float


@dataclass(frozen=True)
class Fitted:
    """Text as it fits its box: the lines, their size, and whether it had to be cut (it then ends in "…")."""

    lines: tuple[str, ...]
    size: float
    cut: bool


def _any_face(character: str) -> bool:
    have = faces()
    return any(f.covers(character) for f in have.embedded) or any(f.covers(character) for f in have.asian)


@lru_cache(maxsize=_CACHED)
def plain(text: str) -> str:
    """The text as it will be read on paper: one line, composed, with stand-ins for what has no font."""
    head = text[:_LONGEST]
    shown = " ".join(head.split()) if head.isascii() and head.isprintable() else readable(head, _any_face)
    return shown + ELLIPSIS if len(text) > _LONGEST else shown


def _asian_order(text: str) -> tuple[Face, ...]:
    """The CID fonts, best first: by kana or hangul, else the first language that has every ideograph."""
    asian = faces().asian
    japanese, korean = asian[0], asian[-1]
    names = [unicodedata.name(c, "") for c in text if ord(c) > 0x2E7F]
    if any(n.startswith(("HIRAGANA", "KATAKANA")) for n in names):
        best = japanese
    elif any(n.startswith("HANGUL") for n in names):
        best = korean
    else:
        han = [c for c in text if 0x2E7F < ord(c) < 0xFB00]
        best = next((face for face in asian if all(face.covers(c) for c in han)), japanese)
    return (best, *(face for face in asian if face is not best))


@lru_cache(maxsize=_CACHED)
def set_text(text: str, bold: bool = False) -> SetText:
    """Split a line by font. ``text`` must have come through `plain`."""
    embedded = faces().embedded
    roboto = embedded[0]
    if text.isascii():
        return _measured(((roboto.bold if bold else roboto.regular, text),) if text else ())

    def in_embedded(character: str) -> bool:
        return any(face.covers(character) for face in embedded)

    drawn = visual(text, in_embedded)
    order = (*embedded, *_asian_order(text))
    clusters: list[str] = []
    for character in drawn:
        if clusters and unicodedata.combining(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    runs: list[tuple[str, str]] = []

    def put(characters: str, face: Face) -> None:
        name = face.bold if bold else face.regular
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + characters)
        else:
            runs.append((name, characters))

    for cluster in clusters:
        whole = next((face for face in order if all(map(face.covers, cluster))), None)
        if whole:
            put(cluster, whole)
            continue
        # A letter and its accent that no one font has together: each from the font that has it.
        for character in cluster:
            put(character, next((face for face in order if face.covers(character)), roboto))
    return _measured(tuple(runs))


def _measured(runs: tuple[tuple[str, str], ...]) -> SetText:
    return SetText(runs, sum(pdfmetrics.stringWidth(characters, name, 1) for name, characters in runs))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Width in points of any text as `draw_text` sets it on one line without a limit."""
    return set_text(plain(text), bold).width * size


def _pieces(text: str) -> list[str]:
    """What a line may be broken into: words with the space after them, each ideograph or kana for itself."""
    pieces: list[str] = []
    for character in text:
        if not pieces or unicodedata.combining(character) or character == " ":
            starts = not pieces
        else:
            starts = pieces[-1].endswith(" ") or _stands_alone(character) or _stands_alone(pieces[-1][0])
        if starts:
            pieces.append(character)
        else:
            pieces[-1] += character
    return pieces


def _stands_alone(character: str) -> bool:
    return unicodedata.east_asian_width(character) in ("W", "F")


def _head(text: str, room: float, bold: bool) -> int:
    """How many characters from the start fit the width (at 1 pt), never parting a letter from its accent."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if set_text(text[:middle], bold).width <= room:
            low = middle
        else:
            high = middle - 1
    while 0 < low < len(text) and unicodedata.combining(text[low]):
        low -= 1
    return low


def _cut(text: str, room: float, bold: bool) -> str:
    """The text cut to the width (at 1 pt) with an ellipsis that shows it."""
    room -= set_text(ELLIPSIS, bold).width
    return text[: _head(text, room, bold)].rstrip() + ELLIPSIS


def wrap(text: str, size: float, max_width: float, *, bold: bool = False) -> tuple[str, ...]:
    """Break a text into lines of at most ``max_width`` points; a word wider than a line is broken inside."""
    shown = plain(text)
    room = max_width / size
    if set_text(shown, bold).width <= room:
        return (shown,)
    lines: list[str] = []
    line = ""
    for piece in _pieces(shown):
        if line and set_text((line + piece).rstrip(), bold).width > room:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while len(line) > 1 and set_text(line.rstrip(), bold).width > room:
            head = max(1, _head(line, room, bold))
            lines.append(line[:head])
            line = line[head:]
    return (*lines, line.rstrip()) if line.strip() else tuple(lines)


@lru_cache(maxsize=_CACHED)
def fit(
    text: str,
    size: float,
    max_width: float,
    *,
    bold: bool = False,
    min_size: float | None = None,
    max_lines: int = 1,
) -> Fitted:
    """Shrink to ``min_size`` (default: seven tenths), wrap to ``max_lines``, then cut with a visible "…"."""
    least = size * 0.7 if min_size is None else min(min_size, size)
    shown = plain(text)
    natural = set_text(shown, bold).width
    if natural * size <= max_width:
        return Fitted((shown,), size, False)
    if natural * least <= max_width:
        return Fitted((shown,), max_width / natural, False)
    steps = [size - 0.5 * n for n in range(int((size - least) / 0.5) + 1)] if max_lines > 1 else []
    lines: tuple[str, ...] = ()
    for step in (*steps, least):
        lines = wrap(text, step, max_width, bold=bold)
        widest = max(set_text(line, bold).width for line in lines)
        if len(lines) <= max_lines and widest * step <= max_width:
            return Fitted(lines, step, False)
    rest = shown
    for line in lines[: max_lines - 1]:
        rest = rest[len(line) :].lstrip()
    return Fitted((*lines[: max_lines - 1], _cut(rest, max_width / least, bold)), least, True)


def put_text(canvas: Canvas, x: float, y: float, text: str, size: float, bold: bool) -> None:
    """Draw one line that has come through `plain`, its left end at x and its baseline at y."""
    line = set_text(text, bold)
    if not line.runs:
        return
    pen = canvas.beginText(x, y)
    for name, characters in line.runs:
        pen.setFont(name, size)
        pen.textOut(characters)
    canvas.drawText(pen)


def draw_text(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    bold: bool = False,
    max_width: float | None = None,
    min_size: float | None = None,
    max_lines: int = 1,
    align: Align = "left",
    leading: float = 1.15,
) -> Fitted:
    """Draw text with the first baseline at y; x is its left end, middle or right end by ``align``.

    With ``max_width`` it shrinks, wraps and is cut as `fit` says; further lines go ``leading`` sizes below.
    Returns how it was fitted.
    """
    if max_width is None:
        fitted = Fitted((plain(text),), size, False)
    else:
        fitted = fit(text, size, max_width, bold=bold, min_size=min_size, max_lines=max_lines)
    for line in fitted.lines:
        width = set_text(line, bold).width * fitted.size
        left = x - width / 2 if align == "centre" else x - width if align == "right" else x
        put_text(canvas, left, y, line, fitted.size, bold)
        y -= fitted.size * leading
    return fitted
