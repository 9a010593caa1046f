"""The games’ own sheets of forces, and a campaign's groups on paper: their cards, rosters and characters."""

from collections.abc import Sequence
from dataclasses import replace

from events.accounts import access
from events.accounts.loading import campaign_of, opposes, visitor
from events.campaigns.queries import Row, held, rows_of_groups
from events.play.campaign import fights, group_name
from events.play.errors import Refused
from events.play.queries import players_by_id, system_of, terms_for, terms_of
from events.play.visitor import Visitor
from events.web.request import db, now
from models.event import Event
from models.play import Player
from pdf.force_card import ForceCard, Gear, Unit
from pdf.game_sheet import (
    GameSheet,
    SheetBlock,
    SheetFigure,
    SheetFigures,
    SheetLines,
    SheetTrack,
)
from pdf.table import BELOW, Col
from pdf.table import Table as PrintedTable
from validators.campaign import History, Member
from validators.contract import Document, Terms
from validators.sheet import Block, CardUnit, Facts, Lines, Sheet, Table, Track


def groups_on_paper(event: Event, reader: Visitor | None = None) -> tuple[History, dict[int, Row]] | None:
    """The campaign, and the rows of the groups visible to the reader, by player id; None if there are none."""
    if event.campaign is None:
        return None
    try:
        history, results = campaign_of(event)
    except Refused:  # printed with the founding lists then
        return None
    people, reader = players_by_id(db(), event), reader or visitor()
    seen = [id_ for id_, player in people.items()
            if access.may_see_group(reader, player, event, now(), opponent=opposes(event, player))]  # fmt: skip
    rows = rows_of_groups(history, results, people, seen)
    return history, {row.player.id: row for row in rows if row.player.id in seen}


def group_sheets(event: Event, history: History, row: Row) -> list[GameSheet]:
    """The current group: its roster, and the game's sheets."""
    player, world = row.player, history.world
    state = world.groups[player.id]
    sheets = [GameSheet(player.name, group_notes(history, row), group_stands(history, player.id))]
    if world.rules.document_is_whole:
        terms = replace(terms_for(terms_of(db(), event), player), grown=True)
        return sheets + game_sheets_of(event, player, world.rules.document(state), terms)
    here = [one for one in world.rules.members(state) if not one.gone]
    blocks = tuple(block for one in here for block in _character(one))
    return [*sheets, GameSheet(player.name, (f"Characters · {group_notes(history, row)[-1]}",), blocks)]


def group_card(event: Event, history: History, row: Row, kind: str, accent: str, *, ticks: bool) -> ForceCard:
    """The part of a group that fights as a card, or the whole group while its steps are open."""
    system, world, player = system_of(event), history.world, row.player
    state = world.groups[player.id]
    document = fights(world, player.id, paid=False) or world.rules.document(state)
    summary = system.forces.summarise(document, world.edition)
    units = tuple(map(card_unit, system.papers.card(document, world.edition)))
    if not world.rules.document_is_whole:
        units = tuple(_unit(one) for one in world.rules.members(state) if not one.gone)
    about = (group_name(world, player.id), summary.leader and f"Leader: {summary.leader}", world.edition.name)
    return ForceCard(
        player=player.name, club=player.club, faction=summary.faction, about=" · ".join(filter(None, about)),
        total=str(row.rating), allowed="rating", units=units, verdict="Legal by its history", legal=True, kind=kind,
        state=group_after(history, player.id), ticks=ticks, accent=accent,
    )  # fmt: skip


def _unit(one: Member) -> Unit:
    gear = (" · ".join(f"{label} {value}" for label, value in one.figures), *one.carries, *one.notes)
    return Unit(one.name, "", (one.rank,), tuple(Gear(text) for text in gear if text))


def card_unit(unit: CardUnit) -> Unit:
    """A unit of a force, as printed on its card."""
    gear = tuple(
        Gear(
            one.text,
            "" if one.cost is None else str(one.cost),
            one.how,
            None if one.table is None else _figures(one.table),
        )
        for one in unit.parts
    )
    return Unit(unit.name, str(unit.cost), unit.marks, gear, "" if unit.alone is None else str(unit.alone))


def _figures(table: Table) -> PrintedTable:
    """A table of a force card."""
    columns = tuple(Col(column.head, "centre" if column.kind == "figure" else "text") for column in table.columns)
    return PrintedTable(columns, tuple(tuple(cell.replace("\n", BELOW) for cell in row) for row in table.rows))


def game_sheets_of(event: Event, player: Player, document: Document, terms: Terms) -> list[GameSheet]:
    """The game's own sheets of a force; ``terms`` are the player's."""
    return [_sheet(sheet, player) for sheet in system_of(event).papers.sheets(document, terms)]


def _sheet(sheet: Sheet, player: Player) -> GameSheet:
    below = " · ".join(filter(None, (player.club, sheet.subtitle)))
    return GameSheet(f"{player.name}: {sheet.title}", (below,), tuple(map(sheet_block, sheet.blocks)))


def sheet_block(block: Block) -> SheetBlock:
    """A block of a game’s own sheet for paper."""
    match block:
        case Facts():
            return SheetFigures(block.title, tuple(SheetFigure(f.label, f.value, f.how) for f in block.figures))
        case Table():
            columns = tuple(Col(column.head, column.kind, share=column.share) for column in block.columns)
            return PrintedTable(columns, block.rows, block.total, title=block.title)
        case Track():
            return SheetTrack(block.title, block.rows)
        case Lines():
            return SheetLines(block.title, block.lines)


def group_after(history: History, player_id: int) -> str:
    """The game after which the printed state of a group applies."""
    played = history.world.played.get(player_id)
    still = ", its steps are open" if player_id in history.world.phases else ""
    return (f"After round {played.round}" if played else "Before the first game") + still


def group_notes(history: History, row: Row) -> tuple[str, ...]:
    """The lines below the name of a group."""
    name = group_name(history.world, row.player.id)
    said = f"{group_after(history, row.player.id)} · rating {row.rating} · {row.won}–{row.drawn}–{row.lost}"
    return (*([name] if name else []), said)


def group_stands(history: History, player_id: int) -> tuple[SheetBlock, ...]:
    """A group's possessions and members."""
    rules, state = history.world.rules, history.world.groups[player_id]
    purse, items = held(history, player_id)
    figures = [SheetFigure("Rating", str(rules.rating(state))), *(SheetFigure(label, str(n)) for label, n in purse)]
    holds = ", ".join(f"{n} × {label}" if n > 1 else label for label, n in items)
    here = [one for one in rules.members(state) if not one.gone]
    lines = (SheetLines("Holds", (holds,)),) if holds else ()
    return (SheetFigures("", tuple(figures)), *lines, group_members("Roster", here))


def _character(one: Member) -> tuple[SheetBlock, ...]:
    """A character for the table: its figures, its equipment, and its boxes to tick."""
    heads, values = tuple(Col(label, "centre") for label, _ in one.figures), tuple(value for _, value in one.figures)
    said = tuple(filter(None, (", ".join(one.carries), " · ".join(one.notes))))
    table = PrintedTable(heads, (values,), title=f"{one.name}, {one.rank}")
    track = (SheetTrack("", one.boxes),) if one.boxes else ()
    return (table, *((SheetLines("", said),) if said else ()), *track)


def group_members(title: str, members: Sequence[Member]) -> PrintedTable:
    """Members as a table."""
    rows = tuple(
        (
            one.name,
            one.rank,
            ", ".join(f"{label} {value}" for label, value in one.figures),
            ", ".join(one.carries),
            ", ".join(filter(None, (*one.notes, one.gone))),
        )
        for one in members
    )
    heads = ("Name", "Rank", "Figures", "Carries", "Notes")
    return PrintedTable(tuple(Col(head, strong=head == "Name") for head in heads), rows, size=8.5, title=title)
