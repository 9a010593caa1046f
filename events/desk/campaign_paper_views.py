"""A campaign on paper: the whole campaign as a book, and its groups' rosters and cards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.accounts.loading import campaign_of, event_or_404, views_of
from events.campaigns.loading import campaign_or_404, groups_shown
from events.campaigns.queries import (
    Row,
    amount_in_words,
    battles,
    chosen_in,
    held,
    parts_of,
    statistics,
    told_by_member,
)
from events.charts.picture import initials
from events.desk.campaign_paper import group_notes, group_stands
from events.desk.force_sheets import printed
from events.play.campaign import Games
from events.play.editions import system_of
from events.play.players import by_name, players_by_id
from events.play.rounds import ends_of
from events.standings.queries import standings
from events.web.answers import pdf_answer
from events.web.request import db
from models.event import Event
from models.play import Player
from pdf.game_sheet import GameSheet, SheetBlock, SheetMap, game_sheets
from pdf.table import Col
from pdf.table import Table as PrintedTable
from validators.campaign import Account, Map, Member
from validators.campaign_history import Entry, History
from validators.sheet import Derived, Facts, copies

blueprint = Blueprint("campaign_paper", __name__)
DAY = "%-d %B %Y"
GROUPS = "After each game: what happened, then what changed and what there was then. The group’s page has every line."


@blueprint.get("/e/<slug>/campaign/book.pdf")
def book(slug: str) -> ResponseReturnValue:
    """The whole campaign, with the groups that the visitor may see."""
    event = campaign_or_404(event_or_404(slug))
    history, results = campaign_of(event)
    people = players_by_id(db(), event)
    rows = groups_shown(event, people)
    seen = [row for row in rows if row.rating is not None]
    sheets = [
        _cover(event, history, results, rows),
        *_map(history.world.rules.map(history.world), people),
        _battles(event, results, people),
        GameSheet("Groups", (GROUPS,), tuple(block for row in seen for block in _group(history, row))),
    ]
    sheets = [sheet for sheet in sheets if sheet.blocks]
    return pdf_answer(event, "campaign", lambda size, at: game_sheets(sheets, event.name, size, at))


def _battles(event: Event, results: Games, people: Mapping[int, Player]) -> GameSheet:
    wide = partial(Col, share=0.22)
    columns = Col("Round", "figure"), wide("Group"), Col("Result", "fixed"), wide("Opponent"), Col("VP", "centre")
    rows = tuple(
        (str(number), a.name, how, b.name, vp, where)
        for number, a, how, b, vp, where in battles(event, results, views_of(event), people)
    )
    return GameSheet("Battles", (), (PrintedTable((*columns, Col("Scenario")), rows),) if rows else ())


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
    tables = (*world.rules.tables(world), statistics(history, rows))
    counted = (printed(table) for table in tables if table.rows)
    return GameSheet("Campaign book", head, (Facts("", figures), _standings(event, history, rows), *counted, settings))


def _map(drawn: Map | None, people: Mapping[int, Player]) -> list[GameSheet]:
    if drawn is None:
        return []
    named: dict[int, list[str]] = {}
    for number, place in enumerate(drawn.places, 1):
        named.setdefault(place.holder or 0, []).append(f"{number} {place.name}")
    mark = {id_: initials(people[id_].name) if id_ in people else "" for id_ in named}
    order = sorted(named, key=lambda id_: (id_ not in people, id_ in people and by_name(people[id_])))
    rows = tuple((mark[id_], people[id_].name if id_ in people else "Nobody", ", ".join(named[id_])) for id_ in order)
    places = tuple((place.x, place.y, mark[place.holder or 0]) for place in drawn.places)
    table = PrintedTable((Col("", strong=True), Col("Held by", share=0.2), Col("Places")), rows, size=8.5)
    return [GameSheet("Map", (), (SheetMap("", places, drawn.roads), table))]


def _standings(event: Event, history: History, rows: Sequence[Row]) -> PrintedTable:
    ratings = {str(row.player.id): row for row in rows}
    lines = []
    for one in standings(db(), event):
        row = ratings.get(one.id)
        rating = "" if row is None else "secret" if row.rating is None else str(row.rating)
        lines.append((str(one.rank), one.name, row.record if row else "", str(one.points), rating))
    figures = (Col(head, "figure") for head in ("Won–drawn–lost", "Points", "Rating"))
    columns = (Col("Rank", "figure"), Col("Group"), *figures)
    return PrintedTable(columns, tuple(lines), title=f"Standings; rating: {history.world.rules.rating_about}")


def _group(history: History, row: Row) -> tuple[SheetBlock, ...]:
    """A group's part of the book: what it has, its members, the fallen, and what happened after each game."""
    figures, *_ = group_stands(history, row)
    there = Counter(f"{one.name} ({one.rank.partition(',')[0]})" for one in row.members if not one.gone)
    told = [
        ("Holds", ", ".join(copies(n, label) for label, n in held(history, row.player.id)[1])),
        ("Members", ", ".join(copies(n, who) for who, n in there.items())),
        ("The fallen", ", ".join(_fallen(one) for one in row.members if one.fallen)),
    ]
    sums: Counter[Account] = Counter()
    for title, entries in reversed(parts_of(history, row.player.id)):
        booked: Counter[Account] = Counter()
        for line in (line for entry in entries for line in entry.lines):
            booked[line.account] += line.amount
        sums.update(booked)
        changes = ", ".join(f"{amount_in_words(one)} {n:+d} = {sums[one]}" for one, n in booked.items() if n)
        shown = f" Changes: {changes}." if changes and entries[0].step.kind != "found" else ""
        told.append((title, f"{_said(entries) or 'Nothing happened.'}{shown}"))
    assert isinstance(figures, Facts)  # noqa: S101 - what a group has comes first
    columns = (Col("", strong=True, share=0.12), Col(""))
    head = " · ".join((row.player.name, *group_notes(history, row)))
    return replace(figures, title=head), PrintedTable(columns, tuple(one for one in told if one[1]), size=8.5)


def _said(entries: Sequence[Entry]) -> str:
    """What steps did, once for all members of whom the same is said."""
    alike: dict[str, list[str]] = {}
    for name, words in told_by_member(entries):
        alike.setdefault(" ".join(words), []).append(name)
    return " ".join(f"{', '.join(names)}: {words}" if all(names) else words for words, names in alike.items())


def _fallen(one: Member) -> str:
    return copies(one.fallen, one.name) + (f": {one.gone}" if one.gone else "")
