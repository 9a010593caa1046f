"""A campaign on paper: the whole campaign as a book, and its groups' rosters and cards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.accounts.loading import campaign_of, event_or_404, views_of
from events.campaigns.queries import Row, battles, chosen_in, held, ledger, parts_of, statistics
from events.campaigns.views import campaign_or_404, groups_shown
from events.desk.force_sheets import COPIES, TICKS, card_unit, game_sheets_of, printed
from events.play.campaign import Games, fights
from events.play.editions import system_of
from events.play.errors import Refused
from events.play.players import players_by_id
from events.play.rounds import ends_of
from events.play.verdicts import terms_for, terms_of
from events.play.visitor import Visitor
from events.standings.queries import standings
from events.web.answers import pdf_answer, printed_at
from events.web.request import db
from models.event import Event
from models.play import Player
from pdf.force_card import ForceCard, Gear, Unit
from pdf.game_sheet import GameSheet, SheetBlock, SheetMap, game_sheets
from pdf.table import Col
from pdf.table import Table as PrintedTable
from validators.campaign import History, Map, Member
from validators.sheet import Derived, Facts, Lines, Track, copies


def groups_on_paper(event: Event, reader: Visitor | None = None) -> tuple[History, dict[int, Row]] | None:
    """The campaign, and the rows of the groups visible to the reader, by player id; None if there are none."""
    if event.campaign is None:
        return None
    try:
        history, _ = campaign_of(event)
    except Refused:  # printed with the founding lists then
        return None
    rows = groups_shown(event, players_by_id(db(), event), reader)
    return history, {row.player.id: row for row in rows if row.rating is not None}


def group_sheets(event: Event, history: History, row: Row) -> list[GameSheet]:
    """The current group: its roster, and the game's sheets."""
    player, world = row.player, history.world
    sheets = [GameSheet(player.name, group_notes(history, row), group_stands(history, row), player.name)]
    if world.rules.document_is_whole:
        terms = replace(terms_for(terms_of(db(), event), player), grown=True)
        return sheets + game_sheets_of(event, player, world.rules.document(world.groups[player.id]), terms)
    blocks = tuple(block for one in row.members if not one.gone for block in _character(one))
    notes = (f"Characters · {group_notes(history, row)[-1]}",)
    return [*sheets, GameSheet(player.name, notes, blocks, player.name)]


def group_card(event: Event, history: History, row: Row, copy: str) -> ForceCard:
    """The part of a group that fights as a card, or the whole group while its steps are open.

    It is for this ``copy``, or for anybody.
    """
    system, world, player = system_of(event), history.world, row.player
    document = fights(world, player.id, paid=False) or world.rules.document(world.groups[player.id])
    summary = system.forces.summarise(document, world.edition)
    units = tuple(card_unit(one, copy or "player") for one in system.papers.card(document, world.edition))
    if not world.rules.document_is_whole:
        units = tuple(_unit(one) for one in row.members if not one.gone)
    about = (row.name, summary.leader and f"Leader: {summary.leader}", world.edition.name)
    return ForceCard(
        player=player.name, club=player.club, faction=summary.faction, about=" · ".join(filter(None, about)),
        total=str(row.rating), allowed="rating", units=units, verdict="Legal by its history", legal=True,
        kind=COPIES.get(copy, "Group"), state=group_after(history, player.id), ticks=TICKS.get(copy, ""),
        game=system.name,
    )  # fmt: skip


def _unit(one: Member) -> Unit:
    gear = (" · ".join(f"{label} {value}" for label, value in one.figures), *one.carries, *one.notes)
    return Unit(one.name, "", (one.rank,), tuple(Gear(text) for text in gear if text))


def group_after(history: History, player_id: int) -> str:
    """The game after which the printed state of a group applies."""
    played = history.world.played.get(player_id)
    still = ", its steps are open" if player_id in history.world.phases else ""
    return (f"After round {played.round}" if played else "Before the first game") + still


def group_notes(history: History, row: Row) -> tuple[str, ...]:
    """The lines below the name of a group."""
    said = f"{group_after(history, row.player.id)} · rating {row.rating} · {row.record}"
    return (row.name, said) if row.name else (said,)


def group_stands(history: History, row: Row) -> tuple[SheetBlock, ...]:
    """A group's possessions and members."""
    purse, items = held(history, row.player.id)
    figures = [Derived("Rating", str(row.rating)), *(Derived(label, str(n)) for label, n in purse)]
    holds = ", ".join(copies(n, label) for label, n in items)
    lines = (Lines("Holds", (holds,)),) if holds else ()
    roster = group_members("Roster", [one for one in row.members if not one.gone])
    return Facts("", tuple(figures)), *lines, roster


def _character(one: Member) -> tuple[SheetBlock, ...]:
    """A character for the table: its figures, its equipment, and its boxes to tick."""
    heads, values = tuple(Col(label, "centre") for label, _ in one.figures), tuple(value for _, value in one.figures)
    said = tuple(filter(None, (", ".join(one.carries), " · ".join(one.notes))))
    table = PrintedTable(heads, (values,), title=f"{one.name}, {one.rank}")
    track = (Track("", one.boxes),) if one.boxes else ()
    return (table, *((Lines("", said),) if said else ()), *track)


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


blueprint = Blueprint("campaign_paper", __name__)
DAY = "%-d %B %Y"


@blueprint.get("/e/<slug>/campaign/book.pdf")
def book(slug: str) -> ResponseReturnValue:
    """The whole campaign, with the groups that the visitor may see."""
    event = campaign_or_404(event_or_404(slug))
    history, results = campaign_of(event)
    people = players_by_id(db(), event)
    rows = groups_shown(event, people)
    sheets = [_cover(event, history, results, rows), *_map(history.world.rules.map(history.world), people)]
    fought = ((str(number), a.name, how, b.name, where)
              for number, a, how, b, where in battles(results, views_of(event), people))  # fmt: skip
    wide = partial(Col, share=0.3)
    columns = (Col("Round", "figure"), wide("Group"), Col("Result", "fixed"), wide("Opponent"), Col("Scenario"))
    sheets += [_standings(event, rows), GameSheet("Battles", (), (PrintedTable(columns, tuple(fought)),))]
    tables = (*history.world.rules.tables(history.world), statistics(history, rows))
    sheets.append(GameSheet("Statistics", (), tuple(printed(table) for table in tables if table.rows)))
    for row in rows:
        if row.rating is not None:
            sheets.append(GameSheet(row.player.name, group_notes(history, row), _group(history, row)))
    return pdf_answer(event, "campaign", lambda size: game_sheets(sheets, event.name, size, printed_at(event)))


def _cover(event: Event, history: History, games: Games, rows: Sequence[Row]) -> GameSheet:
    world = history.world
    figures = (
        Derived("Groups", str(len(world.groups))),
        Derived("Battles", str(sum(next(iter(sides.values())).fought for sides in games.values()))),
        Derived("Steps", str(len(history.entries))),
        Derived("Fallen", str(sum(bool(one.gone) for row in rows for one in row.members))),
    )
    chosen = tuple((one.label, said) for one, said in chosen_in(world.rules, world.settings))
    days = f"{event.starts_on:{DAY}} to {ends_of(event):{DAY}}"
    head = (event.name, f"{system_of(event).name} · {days}", *filter(None, (event.place,)))
    settings = PrintedTable((Col("Setting"), Col("Choice")), chosen, title="Settings")
    return GameSheet("Campaign book", head, (Facts("", figures), settings))


def _map(drawn: Map | None, people: Mapping[int, Player]) -> list[GameSheet]:
    if drawn is None:
        return []
    rows = []
    for number, place in enumerate(drawn.places, 1):
        holder = people.get(place.holder or 0)
        about = " · ".join(filter(None, (place.name, place.about)))
        rows.append((str(number), about, holder.name if holder else ""))
    places = tuple((place.x, place.y, place.holder is not None) for place in drawn.places)
    table = PrintedTable((Col("No.", "figure"), Col("Place", share=0.45), Col("Held by")), tuple(rows), title="Places")
    return [GameSheet("Map", ("Places that are held are black.",), (SheetMap("", places, drawn.roads), table))]


def _standings(event: Event, rows: Sequence[Row]) -> GameSheet:
    ratings = {str(row.player.id): row for row in rows}
    lines = []
    for one in standings(db(), event):
        row = ratings.get(one.id)
        rating = "" if row is None else "secret" if row.rating is None else str(row.rating)
        lines.append((str(one.rank), one.name, row.record if row else "", str(one.points), rating))
    figures = (Col(head, "figure") for head in ("Won–drawn–lost", "Points", "Rating"))
    return GameSheet("Standings", (), (PrintedTable((Col("Rank", "figure"), Col("Group"), *figures), tuple(lines)),))


def _group(history: History, row: Row) -> tuple[SheetBlock, ...]:
    """A group's pages of the book: roster, the fallen, history, ledger."""
    player_id = row.player.id
    blocks = [*group_stands(history, row)]
    if fallen := [one for one in row.members if one.gone]:
        blocks.append(group_members("The fallen", fallen))
    for title, entries in reversed(parts_of(history, player_id)):
        said = tuple(" ".join(entry.messages) for entry in entries if entry.messages)
        blocks.append(Lines(title, said or ("Nothing happened.",)))
    return (*blocks, replace(printed(ledger(history, player_id)), size=8.5))
