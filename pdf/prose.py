"""Titled lists of sentences set in the largest size that their box allows; a note refers to the rest."""

from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import plain, put_text, wrap

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
    least: float = 6.5,
    elsewhere: str = "",
) -> None:
    """Titled lists of sentences in the largest size, down to ``least``, at which all of them fit the height.

    Where even that is too large, whole sentences are left out from the end, and the last line says "…" and where the
    rest is read. A single sentence longer than its box is cut inside, with the same last line.
    """
    size = largest
    while _height(lines := _laid(blocks, size, width), size) > height and size > least:
        size = max(least, size - 0.25)
    if _height(lines, size) > height:
        lines = _shortened(blocks, size, width, height, f"… {elsewhere}".rstrip())
    y = top
    for line, title, begins, step in lines:
        y -= step
        if begins:
            canvas.rect(x + 0.5, y + size * 0.22, size * 0.26, size * 0.26, stroke=0, fill=1)
        put_text(canvas, x if title else x + _indent(size), y, line, size, title)


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
