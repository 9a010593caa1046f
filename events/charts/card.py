"""The picture of a shared link: an event or a player on a card of the size that messengers show."""

import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

import uharfbuzz as hb
from PIL import Image, ImageDraw, ImageFont, ImageOps

from events.charts.picture import HIGH, WIDE, landscape
from pdf.text.faces import Cut
from pdf.text.shape import Run, plain, shape

SIZE = 1200, 630
STRIP, BAR, EDGE = 236, 12, 60
"""The height of the picture on top, that of the accent's bar, and the margin."""
BOARD, INK, SOFT, ACCENT = "#1b1913", "#f4eede", "#c6beaa", "#ffb52e"
"""The board of the pages: ground, text, quiet text, and the accent."""
TITLE_SIZES = ((92, 1), (78, 2), (62, 2), (50, 3), (42, 3))
WORD_SIZES = ((40, 1), (32, 1), (28, 2), (23, 2), (19, 2))
"""Type sizes of titles and of the words of facts, each with its most lines; the last one cuts what does not fit."""
FACE = resources.files("fontpkg_archivo") / "files" / "Archivo[wdth,wght].ttf"
HEAVY, PLAIN = (800, 72), (500, 90)
"""Weight and width of titles and of small lines."""
Style = tuple[int, int]


@dataclass(frozen=True)
class Card:
    """What a card shows; its picture is drawn from ``name``."""

    name: str
    title: str
    about: tuple[str, ...]
    """Small lines, each cut at the edge."""
    facts: tuple[tuple[str, str], ...]
    """Short figures with their words, at most six: places left, or ranks with names."""


def card_picture(card: Card) -> bytes:
    """The card as a JPEG of 1200 x 630 pixels."""
    picture = Image.new("RGB", SIZE, BOARD)
    picture.paste(_drawn(card.name))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, STRIP, SIZE[0], STRIP + BAR - 1), ACCENT)
    room = SIZE[0] - 2 * EDGE
    size, lines = _fit(card.title, room, TITLE_SIZES)
    y = STRIP + BAR + 22
    for line in lines:
        _write(draw, (EDGE, y + size * 0.86), line, size, HEAVY, INK)
        y += round(size * 1.02)
    y += 8
    for line in card.about:
        _write(draw, (EDGE, y + 28), _cut(line, 31, PLAIN, room), 31, PLAIN, SOFT)
        y += 39
    _facts(draw, card.facts, y + 8)
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=86, subsampling=0, optimize=True)
    return written.getvalue()


def _drawn(name: str) -> Image.Image:
    """The landscape of the pages without what stands on its horizon, drawn large and made small for smooth edges."""
    land, scale = landscape(name), 2
    sky, sun, *ridges = land.colours
    large = Image.new("RGB", (WIDE * scale, HIGH * scale), sky)
    draw = ImageDraw.Draw(large)
    x, y, size = (value * scale for value in land.sun)
    draw.circle((x, y), size, sun)
    for k in range(5):
        level = y + size * k / 5
        draw.line(((0, level), (WIDE * scale, level)), sky, round(k + 2))
    for ridge, colour in zip(land.ridges, ridges, strict=True):
        outline = [(a * scale, b * scale) for a, b in ridge]
        draw.polygon([(0, HIGH * scale), *outline, (WIDE * scale, HIGH * scale)], colour)
    return ImageOps.fit(large, (SIZE[0], STRIP), centering=(0.5, 1.0))


def _facts(draw: ImageDraw.ImageDraw, facts: Sequence[tuple[str, str]], top: float) -> None:
    """Up to three in a row, at the foot of the card but below ``top``: the figure in the accent, words next to it."""
    rows = [facts[at : at + 3] for at in range(0, len(facts), 3)]
    high = min(80.0, (SIZE[1] - 18 - top) / max(1, len(rows)))
    sizes = [(size, most) for size, most in WORD_SIZES if size * most * 1.1 <= high] or [(19, 1)]
    for number, row in enumerate(rows):
        wide = (SIZE[0] - 2 * EDGE) / len(row)
        base = SIZE[1] - 34 - (len(rows) - 1 - number) * high
        for at, (figure, words) in enumerate(row):
            x, large = EDGE + at * wide, min(68.0, high * 0.85)
            _write(draw, (x, base), figure, large, HEAVY, ACCENT)
            x += _width(figure, large, HEAVY) + 16
            small, lines = _fit(words, EDGE + (at + 1) * wide - x - 24, sizes)
            for line_at, line in enumerate(lines):
                _write(draw, (x, base - (len(lines) - 1 - line_at) * small * 1.08), line, small, HEAVY, INK)


def _fit(text: str, room: float, sizes: Sequence[tuple[int, int]]) -> tuple[int, list[str]]:
    """The largest size in which the text fits, and its lines; at the smallest, the last line is cut."""
    for size, most in sizes:
        lines = list(_wrapped(text, size, room))
        if len(lines) <= most:
            return size, lines
    size, most = sizes[-1]
    return size, [*lines[: most - 1], _cut("".join(lines[most - 1 :]), size, HEAVY, room)]


def _wrapped(text: str, size: float, room: float) -> Iterator[str]:
    """The lines of a title; a word that is longer than a line goes on in the next one."""
    line = ""
    for word in plain(text).split():
        joined = f"{line} {word}".strip()
        if _width(joined, size, HEAVY) <= room:
            line = joined
            continue
        if line:
            yield line
        line = word
        while _width(line, size, HEAVY) > room:
            part = next((k for k in range(len(line) - 1, 1, -1) if _width(line[:k], size, HEAVY) <= room), 1)
            yield line[:part]
            line = line[part:]
    if line:
        yield line


def _cut(text: str, size: float, style: Style, room: float) -> str:
    text = plain(text)
    if _width(text, size, style) <= room:
        return text
    while text and _width(f"{text}…", size, style) > room:
        text = text[:-1].rstrip()
    return f"{text}…"


def _width(text: str, size: float, style: Style) -> float:
    return sum(_font(run, size, style).getlength(run.text) for run in shape(plain(text), True).runs)


def _write(
    draw: ImageDraw.ImageDraw, where: tuple[float, float], text: str, size: float, style: Style, colour: str
) -> None:
    """Write one line from its left end on the base line, each run in a face that has its script."""
    x, base = where
    for run in shape(plain(text), True).runs:
        font = _font(run, size, style)
        with suppress(OSError):  # FreeType cannot draw a few letters of many strokes: they stay blank
            draw.text((x, base), run.text, colour, font, "ls")
        x += font.getlength(run.text)


def _font(run: Run, size: float, style: Style) -> ImageFont.FreeTypeFont:
    """The pages' typeface if it has all letters of the run, otherwise the face that papers use for them."""
    if all(ord(letter) in _covered() for letter in run.text):
        return _page_font(size, style)
    return _paper_font(run.cut, size * 0.9)


@lru_cache(maxsize=64)
def _page_font(size: float, style: Style) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(io.BytesIO(FACE.read_bytes()), size)
    font.set_variation_by_axes(list(style))
    return font


@lru_cache(maxsize=64)
def _paper_font(cut: Cut, size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(io.BytesIO(cut.face.blob.data), size)
    if cut.axes:
        font.set_variation_by_axes(list(cut.axes.values()))
    return font


@cache
def _covered() -> hb.Set:
    return hb.Face(hb.Blob(FACE.read_bytes())).unicodes
