"""A force on paper, of a list or a campaign's group: the units of its card, and the game's own sheets."""

from events.play.queries import system_of
from models.event import Event
from models.play import Player
from pdf.force_card import Gear, Unit
from pdf.game_sheet import GameSheet, SheetBlock, SheetFigure, SheetFigures, SheetLines
from pdf.table import BELOW, Col
from pdf.table import Table as PrintedTable
from pdf.tracks import SheetTrack
from validators.contract import Document, Terms
from validators.sheet import Block, CardUnit, Facts, Lines, Table, Track

COPIES = {"judge": "Judge’s copy", "opponent": "Opponent’s copy", "player": "Player’s copy", "sheets": "Sheets"}
TICKS = {"judge": "Tick when checked", "opponent": "Tick when out of play"}
"""When the boxes of a copy are ticked."""


def card_unit(unit: CardUnit, copy: str) -> Unit:
    """A unit of a force, as printed on this copy of its card."""
    gear = tuple(
        Gear(one.text, "" if one.cost is None else str(one.cost), one.how, _figures(one.block) if one.block else None)
        for one in unit.parts
        if copy in one.on
    )
    cost, alone = ("" if one is None else str(one) for one in (unit.cost, unit.alone))
    return Unit(unit.name, cost, unit.marks, gear, alone)


def _figures(block: Table | Track) -> PrintedTable | SheetTrack:
    """Figures in rows, in boxes where there are no words next to them, or boxes to tick."""
    if isinstance(block, Track):
        return SheetTrack(block.title, block.rows)
    boxed = all(column.kind == "figure" for column in block.columns)
    by_hand = len(block.columns) > 1 and all(column.kind == "write" for column in block.columns[1:])
    columns = tuple(Col(one.head, "centre" if boxed else one.kind, share=one.share) for one in block.columns)
    rows = tuple(tuple(cell.replace("\n", BELOW) for cell in row) for row in block.rows)
    return PrintedTable(columns, rows, block.total, title=block.title, boxed=boxed or by_hand, keep_size=by_hand)


def game_sheets_of(event: Event, player: Player, document: Document, terms: Terms) -> list[GameSheet]:
    """The game's own sheets of a force; ``terms`` are the player's."""
    made = []
    for sheet in system_of(event).papers.sheets(document, terms):
        below = " · ".join(filter(None, (player.club, sheet.subtitle)))
        made.append(GameSheet(f"{player.name}: {sheet.title}", (below,), tuple(map(sheet_block, sheet.blocks))))
    return made


def sheet_block(block: Block) -> SheetBlock:
    """A block of a game’s own sheet for paper."""
    match block:
        case Facts():
            return SheetFigures(block.title, tuple(SheetFigure(f.label, f.value, f.how) for f in block.figures))
        case Table() | Track():
            return _figures(block)
        case Lines():
            return SheetLines(block.title, block.lines)
