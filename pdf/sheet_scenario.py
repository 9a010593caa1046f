"""The scenario on a scoresheet, whole or half: its name, its map with the sides at its edges, its texts around that.

The texts are set in the largest size at which they fit their boxes; a note refers to the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, repeat

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Column, Flow, Mark, Words
from pdf.fonts import draw_text, plain
from pdf.page import Paper, rule, section, section_height, stamp
from pdf.score_boxes import side_tab
from pdf.sheet_data import Scoresheet, called
from pdf.table_map import END_ROOM, SIDE_ROOM, draw_map, map_rooms, map_words

LEAST = 7.0
TRIED = 8.25, 7.75, 7.25, LEAST
"""Sizes of type for which a map is made smaller."""
Blocks = Sequence[tuple[str, Sequence[str]]]
Room = tuple[float, float, float, float]
"""A box for text: its left, its top, its width and its height."""
LEFT_OVER = 36.0
"""A height that is worth setting a text in."""


@dataclass(frozen=True)
class ScenarioSize:
    """The measures of a scenario, in points: of its title, its largest type, its least and its largest map."""

    title: float
    type: float
    good: float
    """Type for which the map is made smaller before any other."""
    least: float
    most: float
    text: float
    """Least width of the texts next to the map."""
    name: float
    """Height of a side's name above and below the map; 0 for letters next to it."""
    lanes: float
    """Room that the rulers may take; wider ones are on the scenario's own sheet."""


WHOLE = ScenarioSize(title=13.0, type=11.0, good=9.0, least=160.0, most=275.0, text=190.0, name=13.0, lanes=999.0)
HALF = ScenarioSize(title=10.0, type=9.0, good=8.25, least=94.0, most=275.0, text=92.0, name=0.0, lanes=66.0)


def most_scenario(sheet: Scoresheet, width: float, size: ScenarioSize, lines: int) -> float:
    """The height with which a scenario can do something; ``lines`` to write on of one that the sheet does not know."""
    table = sheet.table_map
    if not table:
        return section_height(size.title) + lines * 24
    side = min(size.most, width - size.text - SIDE_ROOM - map_rooms(table)[1])
    return section_height(size.title) + 22 + END_ROOM + side


def draw_scenario(
    paper: Paper, sheet: Scoresheet, left: float, top: float, right: float, low: float, size: ScenarioSize
) -> None:
    """Draw it between these."""
    canvas, table = paper.canvas, sheet.table_map
    section(canvas, left, top, right - left, sheet.scenario or "Scenario", size=size.title)
    y = top - section_height(size.title)
    # Whole, the texts stand in the order of the game; half a page has no room for the set-up.
    blocks = sheet.blocks if sheet.result else sheet.blocks[::-1] if size.name else sheet.blocks[:-1]
    rooms: Sequence[Room] = [(left, y + 2, right - left, y + 2 - low)]
    if table:
        if sum(map_rooms(table)) > size.lanes:
            table = replace(table, across=(), up=())
        above, aside = map_rooms(table)
        head, foot = (above + size.name if size.name else max(above, 17.0)), END_ROOM + size.name
        most = min(size.most, y - low - head - foot, right - left - SIDE_ROOM - aside - size.text)

        def around(side: float) -> Sequence[Room]:
            at = left + SIDE_ROOM + side + aside + (12 if size.name else 6)
            under = y - head - side - foot - 4
            floor = under if under - low > LEFT_OVER else low
            return [(at, y + 2, right - at, y + 2 - floor), (left, floor, right - left, floor - low)]

        side, rooms = _map_and_rooms(
            most if size.name else max(size.least, most), size.least, around, blocks, size.good
        )
        x, bottom = left + SIDE_ROOM, y - head - side

        def draw() -> None:
            draw_map(canvas, x, bottom, side, table)
            for letter, at in (("A", bottom - 15), ("B", bottom + side + 7)) if not size.name else ():
                side_tab(canvas, left, at, 9, 9, letter)

        stamp(paper, ("map", table, side, bottom), draw, map_words(table))
        for letter, player, at in (("B", sheet.b, bottom + side + above + 3), ("A", sheet.a, bottom - END_ROOM - 8)):
            if size.name:
                words = called(letter, player)
                draw_text(canvas, x + side / 2, at, words, 9, bold=True, max_width=side, min_size=7, align="centre")

    def texts() -> None:
        _draw_prose(canvas, rooms, blocks, largest=size.type, elsewhere=sheet.elsewhere)

    if not sheet.scenario:  # lines to write one on
        for n in range(1, int((y - low) / 24) + 1):
            rule(canvas, left, y - 24 * n, right, y - 24 * n)
    elif sheet.result:
        texts()
    else:
        stamp(paper, ("prose", blocks, *rooms), texts)


def _draw_prose(
    canvas: Canvas, rooms: Sequence[Room], blocks: Blocks, *, largest: float = 10.0, elsewhere: str = ""
) -> None:
    """Titled lists of sentences, from room to room, in the largest size at which all of them fit.

    Where even the least is too large, whole sentences are left out from the end, and the last line says "…" and where
    the rest is read. A first sentence longer than its box is cut inside, with the same last line.
    """
    sizes = [largest - n / 4 for n in range(int((largest - LEAST) * 4) + 1)]
    marks = next((found for size in sizes if (found := _poured(rooms, blocks, size)) is not None), None)
    for mark in _shortened(rooms, blocks, f"… {elsewhere}".rstrip()) if marks is None else marks:
        mark(canvas)


def _poured(rooms: Sequence[Room], blocks: Blocks, size: float, ending: str = "") -> list[Mark] | None:
    """What to draw of these at this size; None where they do not fit."""
    boxes = [Column(left, top - height, left + width, top) for left, top, width, height in rooms if height > 3 * size]
    flow = Flow(chain(boxes, repeat(Column(0, -1e6, rooms[-1][2], 0, 1))))
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
        marks = _poured(rooms, list(kept.items()), LEAST, rest)
        if marks is not None:
            return marks
    (title, first), words = said[0], len(said[0][1].split())
    cuts = (" ".join(plain(first).split()[:count]) for count in range(words, 0, -1))
    return next((found for one in cuts if (found := _poured(rooms, [(title, [one])], LEAST, rest)) is not None), [])


def _map_and_rooms(
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
    return _poured(rooms, blocks, size) is not None
