"""Titled lists of sentences set in the largest size that their box allows; a note refers to the rest."""

from collections.abc import Sequence
from functools import lru_cache

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import plain, put_text, wrap

GOOD, LEAST = 8.25, 7.0
"""Sizes of type: the one for which a map is made smaller, and the least."""
Blocks = Sequence[tuple[str, Sequence[str]]]
_Line = tuple[str, bool, bool, float]
"""A line, whether it is a title, whether a sentence begins with it, and how far it is below the line before."""


def draw_prose(
    canvas: Canvas,
    x: float,
    top: float,
    width: float,
    height: float,
    blocks: Blocks,
    *,
    largest: float = 10.0,
    least: float = LEAST,
    elsewhere: str = "",
) -> None:
    """Titled lists of sentences in the largest size, down to ``least``, at which all of them fit the height.

    Where even that is too large, whole sentences are left out from the end, and the last line says "…" and where the
    rest is read. A single sentence longer than its box is cut inside, with the same last line.
    """
    size = prose_size(tuple((title, tuple(lines)) for title, lines in blocks), width, height, largest, least)
    if size:
        lines = _laid(blocks, size, width)
    else:
        size = least
        lines = _shortened(blocks, size, width, height, f"… {elsewhere}".rstrip())
    y = top
    for line, title, begins, step in lines:
        y -= step
        if begins:
            canvas.rect(x + 0.5, y + size * 0.22, size * 0.26, size * 0.26, stroke=0, fill=1)
        put_text(canvas, x if title else x + _indent(size), y, line, size, title)


@lru_cache(maxsize=512)
def prose_size(blocks: Blocks, width: float, height: float, largest: float, least: float) -> float:
    """The largest size at which all of it fits the height; 0 if none is."""
    size = largest
    while size >= least:
        if _height(_laid(blocks, size, width), size) <= height:
            return size
        size -= 0.25
    return 0.0


def map_side(most: float, least: float, width: float, height: float, blocks: Blocks) -> float:
    """The side of a map next to these texts: as large as leaves them good type, else any type, else the largest."""
    kept = tuple((title, tuple(lines)) for title, lines in blocks)
    sides = [most - 8 * n for n in range(int(max(0.0, most - least) / 8) + 1)]
    for type_size in (GOOD, LEAST):
        for side in sides:
            if prose_size(kept, width - side, height, type_size, type_size):
                return side
    return most


def _indent(size: float) -> float:
    return size * 0.9


def _height(lines: Sequence[_Line], size: float) -> float:
    return sum(step for *_, step in lines) + size * 0.3


def _laid(blocks: Blocks, size: float, width: float) -> list[_Line]:
    lines: list[_Line] = []
    for title, sentences in blocks:
        shown = [sentence for sentence in sentences if plain(sentence)]
        if shown:
            lines.append((title, True, False, size * (2.0 if lines else 1.0)))
        for sentence in shown:
            for n, line in enumerate(wrap(sentence, size, width - _indent(size))):
                lines.append((line, False, n == 0, size * (1.5 if n == 0 else 1.22)))
    return lines


def _shortened(blocks: Blocks, size: float, width: float, height: float, rest: str) -> list[_Line]:
    """As many whole sentences as fit, or the beginning of the first, and the line that says where the rest is."""
    ending: list[_Line] = [(line, True, False, size * 1.5) for line in wrap(rest, size, width)]
    room = height - _height(ending, size)
    fits: list[_Line] = []
    for block, (title, sentences) in enumerate(blocks):
        for n in range(1, len(sentences) + 1):
            lines = _laid([*blocks[:block], (title, sentences[:n])], size, width)
            if _height(lines, size) > room:
                return (fits or _begun(lines, size, room)) + ending
            fits = lines
    return fits + ending


def _begun(lines: list[_Line], size: float, room: float) -> list[_Line]:
    kept = list(lines)
    while kept and _height(kept, size) > room:
        kept.pop()
    return kept
