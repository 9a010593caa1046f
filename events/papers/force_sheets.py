"""A force on paper, of a list or a campaign's group: the units of its card, and the game's own sheets."""

from collections.abc import Iterable
from dataclasses import replace

from events.store.editions import system_of
from languages.words import N_, apart, capital, gettext, labelled, with_nbsp
from models.event import Event
from models.play import Player
from pdf.force_card import Gear, Unit
from pdf.game_sheet import GameSheet, SheetBlock
from pdf.table import BELOW, Col, filled
from pdf.table import Table as PrintedTable
from validators.contract import Document, Terms
from validators.sheet import Block, CardPart, CardUnit, Table, key_to_readings

COPIES = {
    "judge": N_("Judge’s copy"), "opponent": N_("Opponent’s copy"), "player": N_("Player’s copy"),
    "sheets": N_("Sheets"),
}  # fmt: skip
TICKS = {"judge": N_("Tick when checked"), "opponent": N_("Tick when out of play")}
"""When the boxes of a copy are ticked."""
SHORT = 30
"""Gear of up to this many characters stays on one line."""


def ticks_words(copy: str) -> str:
    """When the boxes of this copy are ticked; "" for one without."""
    return gettext(TICKS[copy]) if copy in TICKS else ""


def card_unit(unit: CardUnit, copy: str) -> Unit:
    """A unit of a force, as printed on this copy of its card; but for an opponent its gear adds up to its cost."""
    parts = [card_part for card_part in unit.parts if copy in card_part.on]
    if unit.alone is None:
        gear = [
            Gear(card_part.text, printed(card_part.block) if isinstance(card_part.block, Table) else card_part.block)
            for card_part in parts
        ]
    elif copy == "opponent" or not any(card_part.cost for card_part in parts):
        gear = [
            Gear(
                capital(
                    apart(
                        with_nbsp(card_part.text) if len(card_part.text) <= SHORT else card_part.text
                        for card_part in parts
                    )
                )
            )
        ]
    else:
        gear = [Gear("", costs=((gettext("Without gear"), str(unit.alone)), *map(_paid, parts)))]
    gears = tuple(item for item in gear if item.text or item.block or item.costs)
    return Unit(unit.name, "" if unit.cost is None else str(unit.cost), unit.marks, gears)


def _paid(part: CardPart) -> tuple[str, str]:
    """A piece of gear with its arithmetic or the reason for no cost, and its cost."""
    text = labelled(part.text, part.how) if part.how else part.text
    return (text, f"+{part.cost}") if part.cost else (capital(text), "")


def printed(table: Table) -> PrintedTable:
    """A game's table for paper; cells have boxes if no column has texts or some are to write in."""
    boxed = all(column.kind not in ("text", "fixed") for column in table.columns)
    by_hand = any(column.kind == "write" for column in table.columns)
    columns = tuple(
        Col(
            column.head,
            "centre" if boxed and column.kind == "figure" else column.kind,
            strong=boxed,
            share=column.share,
        )
        for column in table.columns
    )
    rows = tuple(tuple(cell.replace("\n", BELOW) for cell in row) for row in table.rows)
    return PrintedTable(columns, rows, table.total, title=table.title, boxed=boxed or by_hand, keep_size=by_hand)


def on_paper(blocks: Iterable[Block]) -> tuple[SheetBlock, ...]:
    """A game's blocks for paper, tables with rules, alike ones with columns in line and without empty ones."""
    given = tuple(replace(printed(block), ruled=True) if isinstance(block, Table) else block for block in blocks)
    tables = [block for block in given if isinstance(block, PrintedTable)]

    def in_line(table: PrintedTable) -> PrintedTable:
        alike = (other for other in tables if other.columns == table.columns)
        return filled(replace(table, aligned=[row for other in alike for row in other.rows]))

    return tuple(in_line(table) if isinstance(table, PrintedTable) else table for table in given)


def game_sheets_of(event: Event, player: Player, document: Document, terms: Terms) -> list[GameSheet]:
    """The game's own sheets of a force; ``terms`` are the player's."""
    made = []
    for sheet in system_of(event).papers.sheets(document, terms):
        below = " · ".join(filter(None, (player.club, sheet.subtitle, key_to_readings(sheet))))
        notes = tuple(filter(None, (below, sheet.key)))
        made.append(GameSheet(labelled(player.name, sheet.title), notes, on_paper(sheet.blocks), player.name))
    return made
