"""Fit text of any script to a box: shrink it, wrap it or cut it with an ellipsis; then draw it.

User text is never interpreted as markup: it is drawn character by character, never through a ReportLab ``Paragraph``.
Sizes and widths are in points (1/72 inch).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from pdf.text.characters import clusters
from pdf.text.embed import draw_line
from pdf.text.faces import Weight
from pdf.text.shape import CACHE_SIZE, ELLIPSIS, plain, shape
from validators.names import without_accents

__all__ = ["ELLIPSIS", "Weight", "plain"]

Align = Literal["left", "centre", "right"]
LEADING = 1.15
"""Distance between baselines, in multiples of the type size."""
SMALLEST_TYPE = 7.0
"""The default minimum size, in points; callers may ask for less."""
ONE_LINE_SHARE = 0.85
"""One line at this share of the size looks better than two lines at the full size."""
BREAK_SHARE = 0.5
"""A word that fits only below this share of the size is broken instead of shrunk."""
UNITS = r"(?:VP|inch(?:es)?|Caps?|points?|rounds?|minutes|dice|Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)\b"
SIGNED = r"[^ ]{1,14}(?: (?:%|\([AB]\)|(?<=\([AB]\) )\d+|−\d+)(?![^ .,;:)]))+[^ ]*"
LABEL = "(?:[*†] |[A-Z]{1,2} (?=[0-9]))?"
WORD = re.compile(rf" *(?:[+−=] )?{LABEL}(?:\(?[0-9]+ (?:[×+−=] |(?={UNITS})))?(?:{SIGNED}|[^ ]+) *")
"""A word with the spaces around it, kept with the number, side, label, mark or sign of arithmetic before it."""
SHORT, LONG_WORD = 3, 24
"""The length up to which a text's last word is not alone on a line, unless the word before it is as long as this."""
UNBROKEN_LENGTH = 5
"""A word of up to this many characters is never broken, even if it is made of ideographs."""
BREAKABLE = re.compile("[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\U0001f000-\U0010ffff]")
"""A cluster before and after which lines may be broken: an ideograph, kana, hangul or emoji."""
HOST = r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,20}(?::\d{1,5})?/"
ADDRESS = re.compile(rf" {{0,9}}(?:https?://|{HOST})[^ ]", re.IGNORECASE | re.ASCII)
"""The beginning of a web address."""
VOWELS = frozenset("aeiouyαεηιουωаеиоуыэюяіє")
ONE_SOUND = frozenset(("ch", "ck", "cz", "dz", "gh", "ph", "qu", "rz", "sc", "sh", "sp", "st", "sz", "th", "wh"))
"""Pairs of letters between which no word is broken."""
PART = re.compile("[^/]*/+|[^/]+")
"""A part of an address, up to and including its slash."""


@dataclass(frozen=True)
class Fitted:
    """Text fitted to its box: its lines and their size. If it had to be ``cut``, it ends in an ellipsis."""

    lines: tuple[str, ...]
    size: float
    cut: bool = False
    leading: float = LEADING
    bold: Weight = False

    @property
    def step(self) -> float:
        """Distance between baselines, in points."""
        return self.size * self.leading

    @property
    def height(self) -> float:
        return len(self.lines) * self.step

    @property
    def width(self) -> float:
        return max(shape(line, self.bold).width for line in self.lines) * self.size

    @property
    def last_width(self) -> float:
        return shape(self.lines[-1], self.bold).width * self.size


def text_width(text: str, size: float, *, bold: Weight = False) -> float:
    """Width in points of the text on one line, without a limit."""
    return shape(plain(text), bold).width * size


@lru_cache(maxsize=CACHE_SIZE)
def _pieces(text: str) -> tuple[str, ...]:
    """Split text where lines may be broken.

    The pieces are words with the spaces after them, parts of words up to a hyphen (but not of "fs.big-guns"), single
    ideographs, and parts of addresses up to a slash.
    """
    pieces: list[str] = []
    for word in WORD.findall(text):
        last = ""
        if ADDRESS.match(word):
            pieces += PART.findall(word)
            continue
        for cluster in clusters(word) if len(word) > UNBROKEN_LENGTH else (word,):
            hyphen = last[-1:] in ("-", "‐") and last[-2:-1].isalpha() and cluster[0].isalpha() and "." not in last
            if not last or hyphen or (cluster != " " and (BREAKABLE.match(cluster) or BREAKABLE.match(last))):
                pieces.append(cluster)
            else:
                pieces[-1] += cluster
            last = pieces[-1]
    if len(pieces) > 2 and len(pieces[-1]) <= SHORT and pieces[-2][-1:] == " " and len(pieces[-2]) < LONG_WORD:
        pieces[-2:] = [pieces[-2] + last]
    return tuple(pieces)


def _prefix_length(text: str, room: float, bold: Weight) -> int:
    """How many characters from the start fit into ``room`` (width at 1 pt) without splitting a cluster."""
    ends = list(accumulate(map(len, clusters(text)), initial=0))
    return ends[bisect_right(ends, room, lo=1, key=lambda end: shape(text[:end], bold).width) - 1]


def _cut(text: str, room: float, bold: Weight) -> str:
    """The text cut to ``room`` (width at 1 pt), with an ellipsis at its end."""
    end = _prefix_length(text, room - shape(ELLIPSIS, bold).width, bold)
    shorter = (text[:length].rstrip() + ELLIPSIS for length in range(end, 0, -1))
    # The new last letter of right-to-left text can be wider.
    return next((whole for whole in shorter if shape(whole, bold).width <= room), ELLIPSIS)


def _syllable(word: str, most: int) -> int:
    """The last place up to ``most`` where a syllable seems to begin: a consonant and a vowel, after a vowel before.

    0 if there is none; two letters at least stay before it, and three after it.
    """
    letters = without_accents(word)
    if len(letters) != len(word):  # "ß" becomes "ss"
        return 0
    for place in range(min(most, len(word) - 3), 1, -1):
        before, around = letters[:place].rpartition(" ")[2], letters[place - 2 : place + 3]
        onset = 3 if around.endswith("sch") else 2 if around[2:4] in ONE_SOUND else 1
        if (
            around[:4].isalpha()
            and letters[place] not in VOWELS
            and letters[place + onset : place + onset + 1] in VOWELS
            and not VOWELS.isdisjoint(before)
            and around[1:3] not in ONE_SOUND
        ):
            return place
    return 0


def _lines(text: str, room: float, bold: Weight, hyphens: bool) -> Iterator[str]:
    """The text as lines no wider than ``room`` (width at 1 pt)."""
    if shape(text, bold).width <= room:
        yield text
        return
    line, width = "", 0.0
    for piece in _pieces(text):
        # Kerning between pieces is small, so a line is shaped as a whole only if it nearly fills the room.
        piece_width = shape(piece.rstrip(), bold).width
        if line and width + piece_width > room * 0.97 and shape((line + piece).rstrip(), bold).width > room:
            yield line.rstrip()
            line, width = "", 0.0
        line += piece
        width += shape(piece, bold).width
        while line and width > room * 0.97 and shape(line.rstrip(), bold).width > room:
            length = _prefix_length(line, room, bold) or len(next(clusters(line)))
            if length == len(line):
                break
            shorter, hyphen = _prefix_length(line, room - shape("-", bold).width, bold) if hyphens else 0, ""
            if shorter > 1 and all(name.isalpha() and name < "\u0530" for name in line[shorter - 1 : shorter + 1]):
                length, hyphen = _syllable(line, shorter) or shorter, "-"
            yield line[:length].rstrip() + hyphen
            line = line[length:].lstrip()
            width = shape(line, bold).width
    if line.strip():
        yield line.rstrip()


@lru_cache(maxsize=CACHE_SIZE)
def wrap(text: str, size: float, max_width: float, *, bold: Weight = False, hyphens: bool = False) -> tuple[str, ...]:
    """Break a text into lines of at most ``max_width`` points.

    A word wider than a line is broken, with ``hyphens`` at a hyphen if it is Latin, Greek or Cyrillic.
    """
    return tuple(_lines(plain(text), max_width / size, bold, hyphens))


def first_line(text: str, size: float, max_width: float) -> str:
    return next(_lines(plain(text), max_width / size, bold=False, hyphens=False))


@lru_cache(maxsize=CACHE_SIZE)
def longest_word(text: str, size: float, *, bold: Weight = False) -> float:
    """Width in points of the longest part of a text that lines do not break."""
    return size * max((shape(piece.strip(), bold).width for piece in _pieces(plain(text))), default=0.0)


@lru_cache(maxsize=CACHE_SIZE)
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
    """The text in the largest size that fits ``max_width``, ``max_lines`` and ``max_height``.

    Sizes go down from ``size`` to ``min_size`` (default: 70 % of the size, but at least 7 pt); text that does not fit
    at ``min_size`` is cut with an ellipsis. One line is preferred to several if its type is nearly as large, and words
    are broken only if no good size avoids it.
    """
    smallest = min(size, max(SMALLEST_TYPE, size * 0.7) if min_size is None else min_size)
    cleaned = plain(text)
    natural = max(shape(cleaned, bold).width, 1e-6)
    one_line_size = min(size, max_width / natural)
    if one_line_size >= smallest and (one_line_size >= size * ONE_LINE_SHARE or max_lines == 1):
        return Fitted((cleaned,), one_line_size, False, leading, bold)
    longest = longest_word(cleaned, 1.0, bold=bold)
    may_keep_words = max_width >= size * BREAK_SHARE * longest
    for whole_words in (True, False) if may_keep_words else (False,):
        step = min(size, 0.9999 * max_width / max(longest, 1e-6)) if whole_words else size
        while max_lines > 1 and step >= max(smallest, one_line_size if whole_words else 0.0):
            lines = wrap(cleaned, step, max_width, bold=bold, hyphens=True)
            fits = all(shape(line, bold).width * step <= max_width + 0.001 for line in lines)
            if fits and len(lines) <= max_lines and (max_height is None or len(lines) * step * leading <= max_height):
                return Fitted(lines, step, False, leading, bold)
            step = max(smallest, step - 0.25) if step > smallest else 0.0
        if one_line_size >= smallest:
            return Fitted((cleaned,), one_line_size, False, leading, bold)
    rows = max_lines if max_height is None else max(1, min(max_lines, int(max_height / (smallest * leading) + 0.001)))
    room = max_width / smallest
    lines = wrap(cleaned, smallest, max_width, bold=bold)[: rows - 1]
    kept_lines = tuple(takewhile(lambda line: shape(line, bold).width <= room + 0.001, lines))
    rest = cleaned
    for line in kept_lines:
        rest = rest[len(line) :].lstrip()
    rest_fits = shape(rest, bold).width <= room
    return Fitted((*kept_lines, rest if rest_fits else _cut(rest, room, bold)), smallest, not rest_fits, leading, bold)


def draw_fitted(canvas: Canvas, x: float, y: float, text: Fitted, align: Align = "left") -> float:
    """Draw fitted text from the first baseline at y downwards, and return the baseline of the next line.

    By ``align``, x is the left end, the middle or the right end of each line.
    """
    share = {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
    for line in (shape(line, text.bold) for line in text.lines):
        if line.runs:
            draw_line(canvas, x - line.width * text.size * share, y, line, text.size)
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
    """Draw text as `draw_fitted` does, and return it fitted.

    With ``max_width`` it is fitted by `fit`, else it takes one line of the given size.
    """
    if max_width is None:
        fitted = Fitted((plain(text),), size, bold=bold)
    else:
        fitted = fit(text, size, max_width, bold=bold, min_size=min_size, max_lines=max_lines)
    draw_fitted(canvas, x, y, fitted, align)
    return fitted
