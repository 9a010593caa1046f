"""Titled lists of sentences set in the largest size at which they fit their boxes; a note refers to the rest."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, repeat

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Column, Flow, Mark, Words
from pdf.fonts import plain

LEAST = 7.0
TRIED = 8.25, 7.75, 7.25, LEAST
"""Sizes of type for which a map is made smaller."""
Blocks = Sequence[tuple[str, Sequence[str]]]
Room = tuple[float, float, float, float]
"""A box for text: its left, its top, its width and its height."""


def draw_prose(
    canvas: Canvas, rooms: Sequence[Room], blocks: Blocks, *, largest: float = 10.0, elsewhere: str = ""
) -> None:
    """Titled lists of sentences, from room to room, in the largest size at which all of them fit.

    Where even the least is too large, whole sentences are left out from the end, and the last line says "…" and where
    the rest is read. A first sentence longer than its box is cut inside, with the same last line.
    """
    sizes = [largest - n / 4 for n in range(int((largest - LEAST) * 4) + 1)]
    marks = next((found for size in sizes if (found := poured(rooms, blocks, size)) is not None), None)
    for mark in _shortened(rooms, blocks, f"… {elsewhere}".rstrip()) if marks is None else marks:
        mark(canvas)


def poured(rooms: Sequence[Room], blocks: Blocks, size: float, ending: str = "") -> list[Mark] | None:
    """What to draw of these at this size; None where they do not fit."""
    boxes = [
        Column(0, left, top - height, left + width, top) for left, top, width, height in rooms if height > 3 * size
    ]
    flow = Flow(chain(boxes, repeat(Column(1, 0, -1e6, rooms[-1][2], 0))))
    for title, sentences in blocks:
        shown = [
            Words(one, size, before=size * 0.3, indent=5.2 + size * 0.44, label="•", leading=1.2)
            for one in sentences
            if plain(one)
        ]
        heading = Words(title, size, bold=True, before=size * 0.75, leading=1.2, stays=True)
        flow.put([heading, *shown] if shown else [])
    flow.put([Words(ending, size, bold=True, before=size * 0.3, leading=1.2)])
    return flow.pages[0] if len(flow.pages) == 1 else None


def _shortened(rooms: Sequence[Room], blocks: Blocks, rest: str) -> list[Mark]:
    """As many whole sentences as fit, or the beginning of the first, and the line that says where the rest is."""
    said = [(title, one) for title, sentences in blocks for one in sentences if plain(one)]
    for count in range(len(said), 0, -1):
        kept: dict[str, list[str]] = {}
        for title, one in said[:count]:
            kept.setdefault(title, []).append(one)
        marks = poured(rooms, list(kept.items()), LEAST, rest)
        if marks is not None:
            return marks
    (title, first), words = said[0], len(said[0][1].split())
    cuts = (" ".join(plain(first).split()[:count]) for count in range(words, 0, -1))
    return next((found for one in cuts if (found := poured(rooms, [(title, [one])], LEAST, rest)) is not None), [])


def map_and_rooms(
    most: float, least: float, rooms: Callable[[float], Sequence[Room]], blocks: Blocks, good: float = TRIED[0]
) -> tuple[float, Sequence[Room]]:
    """The side of a map and the ``rooms`` of the texts around one of it: as large as good type allows, else any."""
    kept = tuple((title, tuple(lines)) for title, lines in blocks)
    sides = [most - 8 * n for n in range(int(max(0.0, most - least) / 8) + 1)]
    for size in dict.fromkeys((good, *TRIED)):
        for side in sides:
            if _fits(tuple((0.0, 0.0, width, height) for _, _, width, height in rooms(side)), kept, size):
                return side, rooms(side)
    return sides[-1], rooms(sides[-1])


@lru_cache(maxsize=1024)
def _fits(rooms: tuple[Room, ...], blocks: Blocks, size: float) -> bool:
    return poured(rooms, blocks, size) is not None
