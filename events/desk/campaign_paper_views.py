"""A campaign on paper: the whole campaign as a book, and its groups' rosters and cards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.accounts.loading import campaign_of, event_or_404, views_of
from events.campaigns.loading import campaign_or_404, groups_shown
from events.campaigns.queries import Row, battles, chosen_in, ledger, parts_of, statistics
from events.desk.campaign_paper import group_members, group_notes, group_stands
from events.desk.force_sheets import printed
from events.play.campaign import Games
from events.play.editions import system_of
from events.play.players import players_by_id
from events.play.rounds import ends_of
from events.standings.queries import standings
from events.web.answers import pdf_answer, printed_at
from events.web.request import db
from models.event import Event
from models.play import Player
from pdf.game_sheet import GameSheet, SheetBlock, SheetMap, game_sheets
from pdf.table import Col
from pdf.table import Table as PrintedTable
from validators.campaign import Map
from validators.campaign_history import History
from validators.sheet import Derived, Facts, Lines

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
    sheets += [_standings(event, history, rows), GameSheet("Battles", (), (PrintedTable(columns, tuple(fought)),))]
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
        Derived("Fallen", str(sum(one.fallen for row in rows for one in row.members))),
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


def _standings(event: Event, history: History, rows: Sequence[Row]) -> GameSheet:
    ratings = {str(row.player.id): row for row in rows}
    lines = []
    for one in standings(db(), event):
        row = ratings.get(one.id)
        rating = "" if row is None else "secret" if row.rating is None else str(row.rating)
        lines.append((str(one.rank), one.name, row.record if row else "", str(one.points), rating))
    figures = (Col(head, "figure") for head in ("Won–drawn–lost", "Points", "Rating"))
    said = f"Ranked by points, scored in games. Rating: {history.world.rules.rating_about}."
    return GameSheet(
        "Standings", (said,), (PrintedTable((Col("Rank", "figure"), Col("Group"), *figures), tuple(lines)),)
    )


def _group(history: History, row: Row) -> tuple[SheetBlock, ...]:
    """A group's pages of the book: roster, the fallen, history, ledger."""
    player_id = row.player.id
    blocks = [*group_stands(history, row)]
    if fallen := [one for one in row.members if one.fallen]:
        blocks.append(group_members("The fallen", fallen))
    for title, entries in reversed(parts_of(history, player_id)):
        said = tuple(" ".join(entry.messages) for entry in entries if entry.messages)
        blocks.append(Lines(title, said or ("Nothing happened.",)))
    return (*blocks, replace(printed(ledger(history, player_id)), size=8.5))
