"""A force on paper: its game's own sheets."""

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from events import access_lists
from events.names import slug_of
from events.reading import force_of, system_of, terms_for, terms_of
from events.views.paper import pdf_answer, printed_at
from events.views.request import db, event_or_404, now, player_or_404, visitor
from models.event import Event
from models.play import Player
from pdf.game_sheet import (
    GameSheet,
    SheetBlock,
    SheetFigure,
    SheetFigures,
    SheetLines,
    SheetTable,
    SheetTrack,
    game_sheets,
)
from validators.contract import Document, Terms
from validators.sheet import Block, Facts, Lines, Sheet, Table, Track

blueprint = Blueprint("force_sheets", __name__)


@blueprint.get("/e/<slug>/players/<int:player_id>/force.pdf")
def force_sheets(slug: str, player_id: int) -> ResponseReturnValue:
    """The force as its game prints it, for those who may read it."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    force = force_of(db(), player)
    if force is None or not access_lists.may_see_force(visitor(), player, event, now(), submitted=force.submitted):
        abort(404)
    pages = game_sheets_of(event, player, force.document, terms_for(terms_of(db(), event), player))
    return pdf_answer(
        event, f"{slug_of(player.name)}-force", lambda size: game_sheets(pages, event.name, size, printed_at(event))
    )


def game_sheets_of(event: Event, player: Player, document: Document, terms: Terms) -> list[GameSheet]:
    """The sheets that the event's game prints of a force; ``terms`` are the player's."""
    return [_sheet(sheet, player) for sheet in system_of(event).sheets(document, terms)]


def _sheet(sheet: Sheet, player: Player) -> GameSheet:
    whose = f"{player.name}, {player.club}" if player.club else player.name
    return GameSheet(sheet.title, (whose, sheet.subtitle), tuple(map(_block, sheet.blocks)))


def _block(block: Block) -> SheetBlock:
    match block:
        case Facts():
            return SheetFigures(block.title, tuple(SheetFigure(f.label, f.value, f.how) for f in block.figures))
        case Table():
            heads, kinds = [column.head for column in block.columns], [column.kind for column in block.columns]
            return SheetTable(block.title, tuple(heads), tuple(kinds), block.rows, block.total)
        case Track():
            return SheetTrack(block.title, block.rows)
        case Lines():
            return SheetLines(block.title, block.lines)
