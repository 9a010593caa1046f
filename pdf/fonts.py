"""Text of any script fitted to its box: shrunk, wrapped, or visibly cut; then drawn.

User text is never markup here: it goes to the canvas character by character, never through a ``Paragraph``.
Sizes and widths are in points (1/72 inch).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from pdf.text.characters import clusters
from pdf.text.embed import put
from pdf.text.faces import Weight
from pdf.text.shape import ELLIPSIS, KEPT, plain, set_text

__all__ = ["ELLIPSIS", "Weight", "plain"]

Align = Literal["left", "centre", "right"]
LEADING = 1.15
"""From line to line, in sizes of the type."""
SMALLEST_TYPE = 7.0
"""In points; callers may ask for less."""
GOOD = 0.85
"""One line at this part of the size looks better than two at the whole."""
BROKEN = 0.75
"""A word that fits only at a smaller part of the size than this is broken."""
UNITS = r"(?:VP|inch(?:es)?|Caps?|points?|rounds?|dice|Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)\b"
SIGNED = r"[^ ]{1,14}(?: (?:%|\([AB]\)|(?<=\([AB]\) )\d+|−\d+)(?![^ .,;:)]))+[^ ]*"
WORD, SHORT = re.compile(rf" *(?:[0-9]+ (?={UNITS}))?(?:{SIGNED}|[^ ]+) *"), 5
"""A word with its space, and its number, sign, side or figure; one up to so long is whole, though of ideographs."""
HOST = r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,20}(?::\d{1,5})?/"
ADDRESS = re.compile(rf" {{0,9}}(?:https?://|{HOST})[^ ]", re.IGNORECASE | re.ASCII)
PART = re.compile("[^/]*/+|[^/]+")
"""An address, and its parts with the slashes after them."""


@dataclass(frozen=True)
class Fitted:
    """Text as it fits its box: the lines, their size, and whether it had to be cut (it then ends in "…")."""

    lines: tuple[str, ...]
    size: float
    cut: bool = False
    leading: float = LEADING
    bold: Weight = False

    @property
    def step(self) -> float:
        """From line to line."""
        return self.size * self.leading

    @property
    def height(self) -> float:
        """From the top of the first line to where the next thing begins."""
        return len(self.lines) * self.step

    @property
    def last_width(self) -> float:
        """Width of the last line."""
        return set_text(self.lines[-1], self.bold).width * self.size


def text_width(text: str, size: float, *, bold: Weight = False) -> float:
    """Width in points of any text as `draw_text` sets it on one line without a limit."""
    return set_text(plain(text), bold).width * size


@lru_cache(maxsize=KEPT)
def _pieces(text: str) -> tuple[str, ...]:
    """What a line may be broken into: words with the space after them, parts before a hyphen, ideographs of a row,
    and of an address the parts up to a slash.
    """
    pieces: list[str] = []
    for word in WORD.findall(text):
        last = ""
        if ADDRESS.match(word):
            pieces += PART.findall(word)
            continue
        for cluster in clusters(word) if len(word) > SHORT else (word,):
            hyphen = last[-1:] in ("-", "‐") and len(last) > 1 and last[-2].isalpha() and cluster[0].isalpha()
            if not last or hyphen or (cluster != " " and (_stands_alone(cluster) or _stands_alone(last))):
                pieces.append(cluster)
            else:
                pieces[-1] += cluster
            last = pieces[-1]
    return tuple(pieces)


def _stands_alone(text: str) -> bool:
    """An ideograph, a kana, an emoji: lines may be broken on both sides of it."""
    first = text[0]
    return "\u2e80" <= first <= "\ua4cf" or "\uac00" <= first <= "\ud7a3" or "\uf900" <= first <= "\ufaff" or (
        "\uff00" <= first <= "\uff60"
    ) or first >= "\U0001f000"  # fmt: skip


def _head(text: str, room: float, bold: Weight) -> int:
    """How many characters from the start fit the width (at 1 pt), parting nothing that is drawn as one."""
    ends = [0, *accumulate(map(len, clusters(text)))]
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if set_text(text[: ends[middle]], bold).width <= room:
            low = middle
        else:
            high = middle - 1
    return ends[low]


def _cut(text: str, room: float, bold: Weight) -> str:
    """The text cut to the width (at 1 pt) with an ellipsis that shows it."""
    end = _head(text, room - set_text(ELLIPSIS, bold).width, bold)
    shown = text[:end].rstrip() + ELLIPSIS
    while end and set_text(shown, bold).width > room:  # right-to-left text is shaped otherwise at its new end
        end -= 1
        shown = text[:end].rstrip() + ELLIPSIS
    return shown


@lru_cache(maxsize=KEPT)
def _wrapped(shown: str, room: float, bold: Weight, hyphens: bool = False) -> tuple[str, ...]:
    """The lines; with ``hyphens`` one follows each part of a broken word of an alphabet of Europe."""
    if set_text(shown, bold).width <= room:
        return (shown,)
    lines: list[str] = []
    line, wide = "", 0.0
    for piece in _pieces(shown):
        # Widths of pieces add up but for kerning, so only what is near the edge is shaped as a whole.
        bare = set_text(piece.rstrip(), bold).width
        if line and wide + bare > room * 0.97 and set_text((line + piece).rstrip(), bold).width > room:
            lines.append(line.rstrip())
            line, wide = "", 0.0
        line += piece
        wide += set_text(piece, bold).width
        while line and wide > room * 0.97 and set_text(line.rstrip(), bold).width > room:
            head = _head(line, room, bold) or len(next(clusters(line)))
            if head == len(line):
                break
            short, end = _head(line, room - set_text("-", bold).width, bold) if hyphens else 0, ""
            if short > 1 and all(one.isalpha() and one < "\u0530" for one in line[short - 1 : short + 1]):
                head, end = short, "-"
            lines.append(line[:head].rstrip() + end)
            line = line[head:].lstrip()
            wide = set_text(line, bold).width
    return (*lines, line.rstrip()) if line.strip() else tuple(lines)


def wrap(text: str, size: float, max_width: float, *, bold: Weight = False) -> tuple[str, ...]:
    """Break a text into lines of at most ``max_width`` points; a word wider than a line is broken inside."""
    return _wrapped(plain(text), max_width / size, bold)


@lru_cache(maxsize=KEPT)
def fit(
    text: str,
    size: float,
    max_width: float,
    *,
    bold: Weight = False,
    min_size: float | None = None,
    max_lines: int = 1,
    max_height: float | None = None,
    leading: float = LEADING,
) -> Fitted:
    """The text as large as it fits over one to ``max_lines`` lines, and not over ``max_height``; then cut with "…".

    It is never smaller than ``min_size`` (seven tenths of the size, and 7 pt). One line is taken where it is nearly as
    large; a word is broken only where no good size spares it.
    """
    least = min(size, max(SMALLEST_TYPE, size * 0.7) if min_size is None else min_size)
    shown = plain(text)
    natural = max(set_text(shown, bold).width, 1e-6)
    one = min(size, max_width / natural)
    if one >= least and (one >= size * GOOD or max_lines == 1):
        return Fitted((shown,), one, False, leading, bold)
    widest = max((set_text(piece.rstrip(), bold).width for piece in _pieces(shown)), default=0.0)
    spared = max_width >= size * BROKEN * widest
    for whole_words in (True, False) if spared else (False,):
        step = min(size, 0.9999 * max_width / max(widest, 1e-6)) if whole_words else size
        while max_lines > 1 and step >= max(least, one if whole_words else 0.0):
            lines = _wrapped(shown, max_width / step, bold, hyphens=True)
            narrow = all(set_text(line, bold).width * step <= max_width + 0.001 for line in lines)
            if narrow and len(lines) <= max_lines and (max_height is None or len(lines) * step * leading <= max_height):
                return Fitted(lines, step, False, leading, bold)
            step = max(least, step - 0.25) if step > least else 0.0
        if one >= least:
            return Fitted((shown,), one, False, leading, bold)
    rows = max_lines if max_height is None else max(1, min(max_lines, int(max_height / (least * leading) + 0.001)))
    room = max_width / least
    lines = _wrapped(shown, room, bold)[: rows - 1]
    kept = tuple(takewhile(lambda line: set_text(line, bold).width <= room + 0.001, lines))
    rest = shown
    for line in kept:
        rest = rest[len(line) :].lstrip()
    whole = set_text(rest, bold).width <= room
    return Fitted((*kept, rest if whole else _cut(rest, room, bold)), least, not whole, leading, bold)


def put_text(canvas: Canvas, x: float, y: float, text: str, size: float, bold: Weight) -> None:
    """Draw one line that has come through `plain`, its left end at x and its baseline at y."""
    line = set_text(text, bold)
    if line.runs:
        put(canvas, x, y, line, size)


def draw_fitted(canvas: Canvas, x: float, y: float, text: Fitted, align: Align = "left") -> float:
    """Draw fitted text with the first baseline at y; x is its left end, middle or right end. Gives the y below."""
    for line in text.lines:
        width = set_text(line, text.bold).width * text.size if align != "left" else 0.0
        left = x - width / 2 if align == "centre" else x - width
        put_text(canvas, left, y, line, text.size, text.bold)
        y -= text.step
    return y


def draw_text(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    bold: Weight = False,
    max_width: float | None = None,
    min_size: float | None = None,
    max_lines: int = 1,
    align: Align = "left",
) -> Fitted:
    """Draw text from the first baseline at y down, as `draw_fitted` does; with ``max_width`` fitted to it by `fit`."""
    if max_width is None:
        fitted = Fitted((plain(text),), size, bold=bold)
    else:
        fitted = fit(text, size, max_width, bold=bold, min_size=min_size, max_lines=max_lines)
    draw_fitted(canvas, x, y, fitted, align)
    return fitted
