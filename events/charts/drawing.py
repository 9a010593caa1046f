"""What all charts share: the frame with its words, text that fits, marks and patterns."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from markupsafe import Markup, escape

from languages.words import ENGLISH, gettext, language, pgettext, pointed

WIDE = 350
"""The width of a chart's view box: about a phone's, so that text of 13 to 15 units is readable there."""
HUES = 8
SHAPES = (
    "M0-8 7-4V4L0 8-7 4V-4z", "M-7.5 0a7.5 7.5 0 1 1 15 0a7.5 7.5 0 1 1-15 0z", "M0-8 8 7H-8z", "M-7-7H7V7H-7z",
    "M0-8.5 8.5 0 0 8.5-8.5 0z", "M-3-8H3V-3H8V3H3V8H-3V3H-8V-3H-3z", "M-8-7H8V0L0 8-8 0z",
    "M0-8.5 2.4-2.9 8.2-2.6 3.8 1.2 5.2 7.2 0 4-5.2 7.2-3.8 1.2-8.2-2.6-2.4-2.9z",
)  # fmt: skip
"""Hexagon, circle, triangle, square, diamond, cross, shield, star; each about 16 units wide, round its middle."""
HATCHES = ("", "M0 8 8 0M-2 2 2-2M6 10 10 6", "M1 2h2M5 6h2", "M0 2h8M0 6h8", "M0 4h8M4 0v8", "M2 0v8M6 0v8",
           "M0 0 8 8M-2 6 2 10M6-2 10 2", "M2 2h4v4H2z")  # fmt: skip
UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML forbids."""
SURNAMES_BEGIN = {"da", "dal", "de", "dei", "del", "della", "den", "der", "di", "du", "la", "le", "lo", "van", "von"}
"""Words without which a surname is another one: "De Luca" is not "Luca"."""
COUNTS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"]


@dataclass(frozen=True)
class Mark:
    """What sets one group apart in pictures; its pattern is numbered as its shape."""

    hue: int
    shape: int


@dataclass(frozen=True)
class Chart:
    """A picture with its finding, and the same figures as a table."""

    id: str
    """Its name on the page, and in the address of its figures as a file."""
    sentence: str
    svg: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marks: tuple[Markup, ...] = ()
    """The rows' shapes; none where rows need none."""


def faction_mark(order: Sequence[str], name: str) -> Mark:
    """The mark of a faction, by its place in the rules document; after eight a hue comes again with the next shape."""
    at = order.index(name) if name in order else crc32(name.encode("utf-8", "replace"))
    return Mark(at % HUES + 1, (at + at // HUES) % HUES + 1)


def tag(name: str, body: object = "", **attributes: object) -> Markup:
    """An element of the picture. All text is escaped; in attributes ``_`` is ``-``, ``class_`` is ``class``."""
    parts = (Markup(' {}="{}"').format(k.strip("_").replace("_", "-"), compact(v)) for k, v in attributes.items())
    inner = body if isinstance(body, Markup) else escape(compact(body))
    return Markup("<{0}{1}>{2}</{0}>").format(name, Markup().join(parts), inner)


def compact(value: object) -> str:
    """A figure with at most one decimal, or text without what XML forbids."""
    if isinstance(value, float):
        return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
    return UNPRINTABLE.sub("", str(value))


def figure_words(value: object) -> str:
    """A figure for readers, with at most one decimal behind the sign of their language."""
    return pointed(compact(value))


def label(text: object, x: float, y: float, css: str = "", anchor: str = "start") -> Markup:
    return tag("text", text, class_=css, x=x, y=y, text_anchor=anchor)


def shape(mark: Mark, x: float, y: float, size: float = 16) -> Markup:
    """A group's shape round a point."""
    css = f"shape-fill g{mark.hue}"
    moved = f"translate({compact(float(x))} {compact(float(y))}) scale({size / 16:.2f})"
    return tag("path", class_=css, d=SHAPES[mark.shape - 1], transform=moved)


@lru_cache
def mark_badge(mark: Mark) -> Markup:
    """A group's shape for a line of text; the name is written next to it."""
    path = tag("path", d=SHAPES[mark.shape - 1])
    return tag("svg", path, class_=f"shape g{mark.hue}", viewBox="-10 -10 20 20", aria_hidden="true")


def surface(prefix: str, mark: Mark, path: str) -> Markup:
    """A surface in a group's hue, with its pattern and an edge."""
    hatch = tag("path", d=path, fill=f"url(#{prefix}-p{mark.shape})") if mark.shape > 1 else Markup()
    surface = tag("path", class_=f"seg-fill g{mark.hue} p{mark.shape}", d=path)
    return surface + hatch + tag("path", class_="seg-edge", d=path)


def patterns(prefix: str, marks: Iterable[Mark]) -> Markup:
    """The patterns that ``surface`` needs."""
    used = sorted({mark.shape for mark in marks} - {1})
    of = {"width": 8, "height": 8, "patternUnits": "userSpaceOnUse"}
    drawn = (tag("pattern", tag("path", class_="hatch", d=HATCHES[k - 1]), id=f"{prefix}-p{k}", **of) for k in used)
    return tag("defs", Markup().join(drawn))


def frame(prefix: str, box: tuple[float, float], title: str, about: str, body: Iterable[Markup]) -> Markup:
    words = tag("title", title, id=f"{prefix}-t") + tag("desc", about, id=f"{prefix}-d")
    view = f"0 0 {compact(float(box[0]))} {compact(float(box[1]))}"
    named = f"{prefix}-t {prefix}-d"
    return tag("svg", words + Markup().join(body), class_="graph", viewBox=view, role="img", aria_labelledby=named)


def text_width(text: str, size: float = 14) -> float:
    """About how wide a text is; rather too wide."""
    return size * sum(map(_em, text))


def _em(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or (not letter.isalnum() and ord(letter) > 0x2FF):
        return 1
    return 0.36 if letter in " ilj|.,:;'!t" else 0.92 if letter in "mwMW@%" else 0.74 if not letter.islower() else 0.62


def fitted(name: str, room: float, size: float = 14) -> str:
    """A person's name in this room: whole, with initials for its first words, or cut."""
    name = " ".join(compact(name).split())
    *first, last = name.split(" ")
    while len(first) > 1 and first[-1].casefold() in SURNAMES_BEGIN:
        last = f"{first.pop()} {last}"
    initial = f"{first[0][0]}. {last}" if first else name
    if text_width(name, size) > room >= text_width(initial, size) and text_width(last, size) > room / 3:
        name = initial
    return shortened(name, room, size)


def shortened(text: str, room: float, size: float = 14) -> str:
    """A text in this room: whole, or without its end."""
    name = " ".join(compact(text).split())
    if text_width(name, size) <= room:
        return name
    while name and text_width(name, size) > room - size:
        name = name[:-1]
    return f"{name.rstrip()}…"


def said(name: str) -> str:
    """A name within a sentence; one that is written from the right keeps its neighbours in order."""
    return f"\u2068{name}\u2069" if any(unicodedata.bidirectional(x) in ("R", "AL") for x in name) else name


def number_word(number: int) -> str:
    """A number at the head of a sentence: in English a word up to twelve."""
    return COUNTS[number] if number < len(COUNTS) and language() == ENGLISH else str(number)


def ordinal(number: int) -> str:
    """1st, 2nd, 11th; in other languages as the catalogue has "11th"."""
    if language() != ENGLISH:
        if number == 1:
            return pgettext("rank", "1st")
        return gettext("%(number)sth", number=number)
    last = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{last}"
