"""A campaign on paper: the whole campaign as a book, and a group's roster with the game's own sheets."""

from collections.abc import Mapping, Sequence

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from events.accounts.loading import campaign_of, event_or_404, player_or_404, views_of
from events.campaigns.queries import Row, label_of, ledger, parts_of, rows_of_groups, statistics
from events.campaigns.views import campaign_or_404, groups_seen
from events.desk.group_papers import (
    group_members,
    group_notes,
    group_sheets,
    group_stands,
    groups_on_paper,
    sheet_block,
)
from events.play.campaign import Result
from events.play.event_rules import ends_of
from events.play.parsing import slug_of
from events.play.queries import players_by_id, system_of
from events.standings.queries import standings
from events.web.request import db
from events.web.responses import pdf_answer, printed_at
from models.event import Event
from models.play import Player
from pdf.game_sheet import (
    GameSheet,
    SheetBlock,
    SheetFigure,
    SheetFigures,
    SheetLines,
    SheetMap,
    game_sheets,
)
from pdf.table import Col, Table
from validators.campaign import History, Map

blueprint = Blueprint("campaign_paper", __name__)
DAY = "%-d %B %Y"


@blueprint.get("/e/<slug>/campaign/book.pdf")
def book(slug: str) -> ResponseReturnValue:
    """The whole campaign, with the groups that the visitor may see."""
    event = campaign_or_404(event_or_404(slug))
    history, results = campaign_of(event)
    people = players_by_id(db(), event)
    seen = groups_seen(event, people)
    rows = rows_of_groups(history, results, people, seen)
    sheets = [_cover(event, history, results, rows), *_map(history.world.rules.map(history.world), people)]
    sheets += [_standings(event, rows), _battles(event, results, people)]
    tables = (*history.world.rules.tables(history.world), statistics(history, people, seen))
    sheets.append(GameSheet("Statistics", (), tuple(sheet_block(table) for table in tables if table.rows)))
    for row in rows:
        if row.player.id in seen:
            sheets.append(GameSheet(row.player.name, group_notes(history, row), _group(history, row)))
    return pdf_answer(event, "campaign", lambda size: game_sheets(sheets, event.name, size, printed_at(event)))


@blueprint.get("/e/<slug>/campaign/groups/<int:player_id>/roster.pdf")
def roster(slug: str, player_id: int) -> ResponseReturnValue:
    """The current group: its roster, and the game's sheets."""
    event = campaign_or_404(event_or_404(slug))
    player = player_or_404(event, player_id)
    campaign_of(event)  # reports what cannot be read
    found = groups_on_paper(event)
    if found is None or player.id not in found[1]:
        abort(404)
    sheets = group_sheets(event, found[0], found[1][player.id])
    name = f"{slug_of(player.name)}-roster"
    return pdf_answer(event, name, lambda size: game_sheets(sheets, event.name, size, printed_at(event)))


def _cover(event: Event, history: History, results: Mapping[int, Result], rows: Sequence[Row]) -> GameSheet:
    world = history.world
    figures = (
        SheetFigure("Groups", str(len(world.groups))),
        SheetFigure("Battles", str(sum(one.fought for one in results.values()))),
        SheetFigure("Steps", str(len(history.entries))),
        SheetFigure("Fallen", str(sum(len(row.fallen) for row in rows))),
    )
    chosen = tuple((one.label, dict(one.choices)[world.settings[one.key]]) for one in world.rules.settings)
    days = f"{event.starts_on:{DAY}} to {ends_of(event):{DAY}}"
    where = (event.place,) if event.place else ()
    return GameSheet(
        "Campaign book",
        (event.name, f"{system_of(event).name} · {days}", *where),
        (SheetFigures("", figures), Table((Col("Setting"), Col("Choice")), chosen, title="Settings")),
    )


def _map(drawn: Map | None, people: Mapping[int, Player]) -> list[GameSheet]:
    if drawn is None:
        return []
    rows = tuple(
        (
            str(number),
            " · ".join(filter(None, (place.name, place.about))),
            people[place.holder].name if place.holder is not None and place.holder in people else "",
        )
        for number, place in enumerate(drawn.places, 1)
    )
    places = tuple((place.x, place.y, place.holder is not None) for place in drawn.places)
    table = Table((Col("No.", "figure"), Col("Place"), Col("Held by")), rows, title="Places")
    return [GameSheet("Map", ("Places that are held are black.",), (SheetMap("", places, drawn.roads), table))]


def _standings(event: Event, rows: Sequence[Row]) -> GameSheet:
    ratings = {str(row.player.id): row for row in rows}
    lines = []
    for one in standings(db(), event):
        row = ratings.get(one.id)
        rating = "" if row is None else "secret" if row.rating is None else str(row.rating)
        record = f"{row.won}–{row.drawn}–{row.lost}" if row else ""
        lines.append((str(one.rank), one.name, record, str(one.points), rating))
    figures = (Col(head, "figure") for head in ("Won–drawn–lost", "Points", "Rating"))
    return GameSheet("Standings", (), (Table((Col("Rank", "figure"), Col("Group"), *figures), tuple(lines)),))


VERBS = {"win": "beat", "loss": "lost to", "draw": "drew with"}


def _battles(event: Event, results: Mapping[int, Result], people: Mapping[int, Player]) -> GameSheet:
    names = {one.id: one.name for view in views_of(event) for one in view.played}
    rows = []
    for one in results.values():
        a, b = one.results
        where = names.get(one.scenario, "") if one.fought else "not fought"
        rows.append((str(one.round), people[a].name, VERBS[one.results[a]], people[b].name, where))
    columns = (Col("Round", "figure"), Col("Group"), Col("Result", "fixed"), Col("Opponent"), Col("Scenario"))
    return GameSheet("Battles", (), (Table(columns, tuple(rows)),))


def _group(history: History, row: Row) -> tuple[SheetBlock, ...]:
    """A group's pages of the book: roster, the fallen, history, ledger."""
    player_id = row.player.id
    blocks = [*group_stands(history, player_id)]
    if row.fallen:
        blocks.append(group_members("The fallen", row.fallen))
    for part in reversed(parts_of(history, player_id)):
        said = tuple(" ".join(entry.says) for entry in part.entries if entry.says)
        blocks.append(SheetLines(part.title, said or ("Nothing happened.",)))
    lines = tuple(
        (str(one.step), label_of(one.line.account), f"{one.line.amount:+d}", str(one.balance), one.why)
        for one in ledger(history, player_id)
    )
    columns = (Col("Step", "figure"), Col("Account"), Col("Change", "figure"), Col("Balance", "figure"), Col("Why"))
    return (*blocks, Table(columns, lines, size=8.5, title="Ledger"))
