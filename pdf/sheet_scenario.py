"""The scenario on a scoresheet, whole or half: its name, its map with the sides at its edges, its texts around that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pdf.fonts import draw_text
from pdf.page import Paper, section, section_height, stamp
from pdf.prose import Room, draw_prose, map_and_rooms
from pdf.score_grids import side_tab
from pdf.sheet_data import Scoresheet, called
from pdf.sheet_parts import write_on
from pdf.table_map import END_ROOM, SIDE_ROOM, draw_map, map_rooms, map_words

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

        side, rooms = map_and_rooms(most if size.name else max(size.least, most), size.least, around, blocks, size.good)
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
        draw_prose(canvas, rooms, blocks, largest=size.type, elsewhere=sheet.elsewhere)

    if not sheet.scenario:
        write_on(canvas, left, y, right - left, y - low)
    elif sheet.result:
        texts()
    else:
        stamp(paper, ("prose", blocks, *rooms), texts)
