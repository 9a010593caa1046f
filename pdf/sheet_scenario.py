"""The scenario on a scoresheet: its name, its map with the sides at its edges, and its texts around the map.

Texts are set in the largest type in which they fit; if they do not fit at all, a note says where the rest is.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, product, repeat

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext
from pdf.flow import Column, Flow, Mark, Paragraph, text_height
from pdf.fonts import draw_text, plain, text_width
from pdf.page import Frame, Paper, draw_shared, made_once, rule, section, section_height
from pdf.score_boxes import WRITE, side_tab
from pdf.sheet_data import Scoresheet
from pdf.table_map import END_ROOM, EXAMPLE, SIDE_ROOM, TableMap, draw_edges, draw_map, map_rooms, map_words
from pdf.tags import afresh

MIN_TYPE = 7.0
TYPE_SIZES = 9.0, 8.5, 8.25, 8.0, 7.5, MIN_TYPE
"""Type sizes for which the map is made smaller."""
Blocks = tuple[tuple[str, tuple[str, ...]], ...]
Filled = tuple[list[Mark], float]
MIN_BELOW, PER_POINT, ASIDE, SPLIT, ENOUGH, BETWEEN = 27.0, 80.0, 8.0, 200.0, 170.0, 14.0
"""Minimum height for text below the map; how much smaller the map gets for a point of type, for no text below it, and
for no list that continues there, down to which side; the space between columns of text without a map."""
LISTED, LIST_TYPE = 3, 9.0
"""Columns and type size of a list of choices."""


@dataclass(frozen=True)
class ScenarioSize:
    """The measures of a scenario, in points: type sizes of its title and text, sides of its map."""

    title: float
    type: float
    least: float
    most: float
    """Minimum and maximum side of the map; there is none if the minimum is more."""
    text: float
    """Minimum width of the texts next to the map."""
    name: float
    """Height of a side's name above and below the map; 0 for letters next to it."""
    read: float = 8.0
    lines: int = 2
    """Minimum type size of the texts, and number of lines for notes if players write the scenario."""


SCENARIO = ScenarioSize(title=13.0, type=10.0, least=88.0, most=310.0, text=190.0, name=13.0)
SMALL_SCENARIO = ScenarioSize(title=9.0, type=9.25, least=84.0, most=124.0, text=110.0, name=0.0)


@dataclass(frozen=True)
class Laid:
    """A scenario laid out: the type size of its texts, the rooms for them, and the map with its lower left corner.

    Without a map, ``side`` is 0.
    """

    type: float
    rooms: tuple[Frame, ...]
    table: TableMap
    side: float = 0.0
    x: float = 0.0
    bottom: float = 0.0
    fits: bool = True
    whole: bool = False
    """Whether the texts fit in a type size that can be read, and no list continues in the next room."""

    @property
    def worth(self) -> float:
        return min(self.side, ENOUGH) + PER_POINT * min(self.type, TYPE_SIZES[0])


@lru_cache(maxsize=256)
def lay_out(sheet: Scoresheet, frame: Frame, size: ScenarioSize) -> Laid:
    """The scenario in the frame.

    The map is as large as it can be while the texts fit next to it, or next to it and below it, in the first type size
    of a list for which any map works.
    """
    blocks, table, notes = sheet.blocks, sheet.table_map, size.type + 3 + size.lines * WRITE
    left, right, low, y = frame.left, frame.right, frame.bottom, frame.top - section_height(size.title)
    if not size.name and not any(measure.parts for measure in table.across):  # the inches at its edges say enough
        table = replace(table, across=(), up=())
    above, aside = map_rooms(table)
    head, foot = (above + size.name if size.name else max(above, 19.0)), END_ROOM + size.name

    def around(side: float, least: float) -> tuple[Frame, ...]:
        at = left + SIDE_ROOM + side + aside + (12 if size.name else 6)
        under = y - head - side - foot - 4
        floor = under if under - low > least else low
        return Frame(at, floor, right, y + 2), Frame(left, low, right, floor - 4)

    def columns(floor: float) -> tuple[Frame, ...]:
        room = Frame(left, floor, right, y - 4)
        return room.halves(BETWEEN) if room.width > 2 * size.text else (room,)

    most, side = min(size.most, y - low - head - foot, right - left - SIDE_ROOM - aside - size.text), 0.0
    low, whole = low + notes * (not sheet.scenario), False
    if most >= size.least:
        sides = [most - 8 * n for n in range(int((most - size.least) / 8) + 1)]
        below = ((0.0, 1e6, True), (ASIDE, MIN_BELOW, True), (SPLIT, MIN_BELOW, False))
        shapes = product([type_size for type_size in TYPE_SIZES if type_size >= size.read], sides, below)
        tried = sorted(shapes, key=lambda way: way[2][0] - min(way[1], ENOUGH) - PER_POINT * way[0])
        ways = (way for way in tried if _fits(around(way[1], way[2][1]), blocks, way[0], whole=way[2][2]))
        _, side, (_, least, whole) = next(ways, (0.0, sides[-1], below[-1]))
        rooms = around(side, least)
    else:
        rooms = columns(low)
    number = largest_type(rooms, blocks, size.type, size.read, whole=whole)
    if number and not side:  # as short as they can be
        heights = range(0, int(y - low), 6)
        place = bisect_left(heights, True, key=lambda height: _fits(columns(y - height), blocks, number))
        rooms = columns(y - heights[place]) if place < len(heights) else rooms
    fits = number > 0 and (side > 0 or size.least > size.most)
    return Laid(number or MIN_TYPE, rooms, table, side, left + SIDE_ROOM, y - head - side, fits, whole)


def draw_scenario(paper: Paper, sheet: Scoresheet, frame: Frame, size: ScenarioSize, note: str = "") -> float:
    """Draw the scenario in the frame, with a note at the right of its name, and return the y below it."""
    canvas, left, right, laid = paper.canvas, frame.left, frame.right, lay_out(sheet, frame, size)
    section(canvas, left, frame.top, right - left, sheet.scenario or gettext("Scenario"), note, size=size.title)
    if not sheet.scenario:  # its name is written on a line
        line = frame.top - section_height(size.title) + 3
        rule(canvas, left + text_width(gettext("Scenario"), size.title, bold=True) + 4, line, right, line)
    table, side, x, bottom, under = laid.table, laid.side, laid.x, laid.bottom, laid.rooms[0].bottom
    if side:
        under = bottom - END_ROOM - size.name

        def draw() -> None:
            draw_map(canvas, x, bottom, side, table)
            if size.name:
                return
            draw_text(canvas, x, bottom + side + 5, gettext("Example") * table.example, 7, max_width=EXAMPLE)
            for letter, end in table.free_ends:
                side_tab(canvas, left, bottom + side + 7 if end == "top" else bottom - 15, 9, 9, letter)

        draw_shared(paper, ("map", table, side, bottom), draw, map_words(table))
        if size.name:
            draw_edges(canvas, x, bottom, side, table, seen_from=False)

    below = draw_texts(paper, laid.rooms, sheet.blocks, laid.type, whole=laid.whole)
    if not sheet.setup:
        room = laid.rooms[0] if below >= laid.rooms[0].bottom else laid.rooms[-1]
        below = draw_notes(canvas, sheet, replace(room, top=below, bottom=frame.bottom), laid.type)
    return min(under, below)


def listed_height(sheet: Scoresheet) -> float:
    rows = -(-len(sheet.written.choices) // LISTED)
    return ((rows + 1) * 1.3 + 0.7) * LIST_TYPE if rows else 0.0


def draw_list(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet) -> float:
    """Draw the numbered list of choices from ``y`` downwards, under its head, in columns; return the y below."""
    label, choices, room, step = sheet.written.label, sheet.written.choices, width / LISTED, LIST_TYPE * 1.3
    head = label and gettext("%(label)s: write its number", label=label)
    draw_text(canvas, x, y - step, head, LIST_TYPE, bold=True)
    for place, words in enumerate(choices):
        column, row = divmod(place, -(-len(choices) // LISTED))
        draw_text(canvas, x + column * room, y - (row + 2) * step, words, LIST_TYPE, max_width=room - 4)
    return y - listed_height(sheet)


def draw_texts(paper: Paper, rooms: tuple[Frame, ...], blocks: Blocks, size: float, *, whole: bool = False) -> float:
    """Draw titled sentences at this type size, fewer at `MIN_TYPE` if they do not fit, and return the y below."""

    def texts() -> Filled:
        rest = gettext("… All of it is on the scenario sheet.")
        shorter = (fill(rooms, some, MIN_TYPE, rest) for some in _shorter(blocks))
        return next(filter(None, chain([fill(rooms, blocks, size, whole=whole)], shorter)), ([], rooms[-1].bottom))

    marks, below = made_once(paper, ("prose", blocks, rooms, size, whole), texts)
    with afresh(paper.canvas):
        for mark in marks:
            mark(paper.canvas)
    return below


def largest_type(rooms: tuple[Frame, ...], blocks: Blocks, most: float, least: float, *, whole: bool = False) -> float:
    """The largest type size between these in which titled sentences fit; 0 if there is none."""
    sizes = [most - n / 4 for n in range(int((most - least) * 4) + 1)]
    return next((size for size in sizes if _fits(rooms, blocks, size, whole=whole)), 0.0)


def draw_notes(canvas: Canvas, sheet: Scoresheet, frame: Frame, size: float) -> float:
    """Draw as many lines for notes as the frame holds, under a title, and return the y below."""
    below = frame.top - size - 4
    lines = int((below - frame.bottom + 0.01) / WRITE)
    title = gettext("Notes") if sheet.scenario else gettext("Set-up and notes")
    draw_text(canvas, frame.left, below, title * (lines > 0), size, bold=True, max_width=frame.width)
    for n in range(1, lines + 1):
        rule(canvas, frame.left, below - n * WRITE, frame.right, below - n * WRITE)
    return below - lines * WRITE


def fill(rooms: Sequence[Frame], blocks: Blocks, size: float, ending: str = "", whole: bool = False) -> Filled | None:
    """The marks of titled sentences in ``rooms`` at this type size, and the y below; None if they do not fit, or if a
    list that has to be ``whole`` does not.
    """
    columns = [Column(room.left, room.bottom, room.right, room.top) for room in rooms if room.height > 3 * size]
    flow = Flow(chain(columns, repeat(Column(0, -1e6, rooms[-1].width, 0, 1))))
    for title, sentences in blocks:
        item = Paragraph("", size, above=size * 0.22, indent=5.2 + size * 0.44, label="•", leading=1.2, keep_next=True)
        texts = [sentence for sentence in sentences if plain(sentence)]
        head = Paragraph(title, size, bold=True, above=size * 0.75, leading=1.2, keep_next=True)
        items = [replace(item, text=text) for text in texts]
        while whole and flow.y - text_height([head, *items], flow.column.width) < flow.column.bottom:
            if flow.y == flow.column.top:
                return None
            flow.next_column()
        for place, paragraph in enumerate(items):  # each in one piece, the first below its title
            flow.put([*[head] * (place == 0), paragraph])
    flow.put([Paragraph(ending, size, bold=True, above=size * 0.3, leading=1.2)])
    return (flow.pages[0], flow.y) if len(flow.pages) == 1 else None


@lru_cache(maxsize=1024)
def _fits(rooms: tuple[Frame, ...], blocks: Blocks, size: float, *, whole: bool = False) -> bool:
    return fill(rooms, blocks, size, whole=whole) is not None


def _shorter(blocks: Blocks) -> Iterator[Blocks]:
    texts = [(title, sentence) for title, sentences in blocks for sentence in sentences if plain(sentence)]
    for count in range(len(texts), -1, -1):
        kept = texts[:count]
        titles = dict.fromkeys(title for title, _ in kept)
        yield tuple((title, tuple(text for of, text in kept if of == title)) for title in titles)
