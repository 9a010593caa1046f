"""The whole campaign as a book."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

from events.charts.picture import initials
from events.papers.campaign_paper import group_notes
from events.papers.force_sheets import printed
from events.papers.records import RESULTS
from events.seasons.campaign_queries import (
    OF_GROUP,
    Row,
    amount_in_words,
    battles,
    chosen_in,
    held,
    parts_of,
    state_words,
    statistics,
)
from events.seasons.loading import groups_shown
from events.standings.loading import standings_in
from events.store.campaign import Games, to_forfeit
from events.store.editions import system_of
from events.store.players import by_name, players_by_id
from events.store.rounds import ends_of
from events.store.scoring import ordered_by
from events.visitors.event_loading import campaign_of, desk_tournament_in, tournament_in
from languages.dates import dated
from languages.words import N_, apart, gettext, labelled, minus, ngettext, signed
from models.event import Event
from models.play import Player
from pdf.game_sheet import GameSheet, SheetBlock, SheetMap
from pdf.table import BELOW, Col, filled
from pdf.table import Table as PrintedTable
from validators.campaign import Account, Map, Member
from validators.campaign_history import History
from validators.sheet import Lines, Table, copies

DAY = "%-d %B %Y"
GAME = 0.24
"""The share of the width for the round, result and opponent of a game."""
GROUPS = N_("A line for each game: what there was after it, and below the change. The group’s page has every step.")


def campaign_book(event: Event) -> GameSheet:
    """The whole campaign, with the groups that the visitor may see."""
    history, results = campaign_of(event)
    people = players_by_id(event)
    rows = groups_shown(event, people)
    seen = [row for row in rows if row.rating is not None]
    t = tournament_in(event)
    first, last = dated(event.starts_on, DAY), dated(ends_of(event), DAY)
    days = gettext("%(first)s to %(last)s", first=first, last=last)
    note = " · ".join(filter(None, (system_of(event).name, days, event.place)))
    state = state_words(t, rows, to_forfeit(t, history, results))
    chosen = tuple(
        (gettext(setting.label), text) for setting, text in chosen_in(history.world.rules, history.world.settings)
    )
    blocks = (
        *_cover(event, history, rows, _battles(event, results, people)),
        *_map(history.world.rules.map(history.world), people),
        *_groups(history, seen),
        PrintedTable((Col(gettext("Setting")), Col(gettext("Choice"))), chosen, title=gettext("Settings")),
    )
    return GameSheet(gettext("Campaign book"), (note, state), blocks)


def _battles(event: Event, results: Games, people: Mapping[int, Player]) -> PrintedTable:
    columns = Col("", strong=True, share=0.33), Col("", "fixed"), Col("", strong=True, share=0.33), Col("", "figure")
    fought: dict[str, list[tuple[str, ...]]] = {}
    for number, a, how, b, vp, where in battles(desk_tournament_in(event), results, people):
        head = " · ".join(filter(None, (gettext("Round %(number)s", number=number), where)))
        fought.setdefault(head, []).append((a.name, gettext(how), b.name, vp))
    rows, heads = list[tuple[str, ...]](), set[int]()
    for head, games in fought.items():
        heads.add(len(rows))
        rows += ((head, "", "", ""), *games)
    return PrintedTable(columns, rows, title=gettext("Battles"), ruled=True, halves=True, groups=frozenset(heads))


def _cover(event: Event, history: History, rows: Sequence[Row], fought: PrintedTable) -> Iterator[SheetBlock]:
    """The campaign at a glance: the standings, the battles, then the rules' own tables."""
    world = history.world
    tables = [table for table in world.rules.tables(world) if table.rows]
    every = [world.names[id_] for id_ in world.groups]
    by_group = [table for table in tables if [row[0] for row in table.rows] == every]
    yield _standings(event, history, rows, by_group)
    yield from [fought] * bool(fought.rows)
    yield from (printed(table) for table in tables if table not in by_group)


def _map(drawn: Map | None, people: Mapping[int, Player]) -> tuple[SheetBlock, ...]:
    if drawn is None:
        return ()
    named: dict[int, list[str]] = {}
    for number, place in enumerate(drawn.places, 1):
        named.setdefault(place.holder or 0, []).append(f"{number} {place.name}")
    mark = {id_: initials(people[id_].name) if id_ in people else "" for id_ in named}
    order = sorted(named, key=lambda id_: (id_ not in people, id_ in people and by_name(people[id_])))
    rows = tuple(
        (f"{people[id_].name} ({mark[id_]})" if id_ in people else gettext("Nobody"), ", ".join(named[id_]))
        for id_ in order
    )
    places = tuple((place.x, place.y, mark[place.holder or 0]) for place in drawn.places)
    columns = Col(gettext("Held by"), strong=True), Col(gettext("Places"))
    return SheetMap(gettext("Map"), places, drawn.roads), PrintedTable(columns, rows, keep_size=True, unsplit=True)


def _standings(event: Event, history: History, rows: Sequence[Row], tables: Sequence[Table]) -> PrintedTable:
    """The standings, with what each group gained and lost since its founding, and the ``tables`` of all groups."""
    by_id, world, rated = {row.player.id: row for row in rows}, history.world, gettext("Rating")
    seen = [id_ for id_ in world.groups if id_ in by_id and by_id[id_].rating is not None]
    all_figures = _figures(statistics(history, rows), seen), *(_figures(table, world.groups) for table in tables)
    more = [(head, figures) for head, figures in chain(*all_figures) if head != rated]
    lines = []
    for player in standings_in(event).of_players():
        row = by_id.get(int(player.id))
        rating = "" if row is None else gettext("secret") if row.rating is None else str(row.rating)
        figures = (cells.get(int(player.id), "") for _, cells in more)
        lines.append((str(player.rank), player.name, row.record if row else "", minus(player.points), rating, *figures))
    heads = (gettext("Won–drawn–lost"), gettext("Points"), rated, *(head for head, _ in more))
    columns = (
        Col(gettext("Rank"), "figure"),
        Col(gettext("Group"), strong=True),
        *(Col(head, "figure") for head in heads),
    )
    order = gettext("Points"), *(gettext(tie_break.label) for tie_break in ordered_by(event))
    ranked = labelled(gettext("Ranked in this order"), ", ".join(order))
    note = " · ".join((ranked, labelled(rated, gettext(world.rules.rating_about))))
    return filled(PrintedTable(columns, tuple(lines), title=gettext("Standings"), note=note))


def _figures(table: Table, groups: Iterable[int]) -> Iterator[tuple[str, dict[int, str]]]:
    """The columns of a table with a row for each of these groups, without those that say 0 in each row."""
    for column, *cells in zip(table.columns, *table.rows, strict=True):
        if column.kind == "figure" and {*cells} - {"0"}:
            yield column.head, dict(zip(groups, cells, strict=True))


def _groups(history: History, rows: Sequence[Row]) -> Iterator[SheetBlock]:
    """The groups: what each has, its members, the fallen, and its games. All tables of games have the same columns."""
    booked = {line.account for row in rows for entry in history.entries_of(row.player.id) for line in entry.lines}
    purse = sorted(account for account in booked if account.kind in OF_GROUP)
    games = [tuple(_games(history, row.player.id, purse)) for row in rows]
    figures = [Col(amount_in_words(account), "figure", listed=True) for account in purse if account.kind != "points"]
    figures.insert(0, Col(gettext("Rating"), "figure", listed=True))  # army points are the rating
    columns = Col(gettext("Game"), listed=True, share=GAME), *figures, Col(gettext("Changes"), listed=True)
    table = PrintedTable(columns, (), keep_size=True, aligned=list(chain(*games)))
    for place, (row, played) in enumerate(zip(rows, games, strict=True)):
        there, dead = Counter[str](), Counter[str]()
        for member in row.present:
            rank = member.rank.partition(",")[0]
            there[member.name if rank.lower() in member.name.lower() else f"{member.name} ({rank})"] += member.alive
        for member in row.members:
            dead[f"{member.name} ({member.gone})" if member.gone else member.name] += member.fallen
        facts = (
            (gettext("Holds"), ", ".join(copies(n, label) for label, n in held(history, row.player.id)[1])),
            (gettext("Members"), apart(copies(n, who) for who, n in there.items())),
            (gettext("The fallen"), apart(copies(n, who) for who, n in dead.items() if n)),
        )
        now, note = tuple(fact for fact in facts if fact[1]), " · ".join(group_notes(history, row))
        columns = Col("", strong=True, share=0.12), Col("")
        yield PrintedTable(columns, now, title=row.player.name, note=note, keep_size=True)
        yield from [Lines("", (gettext(GROUPS),))] * (place == 0)
        yield filled(replace(table, rows=played))


def _games(history: History, of: int, purse: Sequence[Account]) -> Iterator[tuple[str, ...]]:
    """What each game brought a group: its rating and Caps after it, what it gained, learned and lost."""
    rules, sums = history.world.rules, Counter[Account]()
    before: Sequence[Member] = ()
    for _, entries in reversed(parts_of(history, of)):
        first, booked = entries[0].step, Counter[Account]()
        for line in (line for entry in entries for line in entry.lines):
            booked[line.account] += line.amount
        sums.update(booked)
        group = history.after(entries[-1].step.number).groups[of]
        now = rules.members(group)
        if first.kind == "found":
            game = [gettext("The founding")]
            many = sum(n for account, n in booked.items() if account.kind == "character")
            gained = [ngettext("%(num)s member", "%(num)s members", many), *_moved(booked, 1, "turf")]
        else:
            opponent = history.world.names.get(first.data["opponent"], "?")
            game = [
                gettext("Round %(number)s", number=first.data["round"]),
                gettext("against %(names)s", names=opponent),
            ]
            game[0] = labelled(game[0], str(RESULTS[first.data["result"]]))
            gained = _moved(booked, 1, "character", "item", "turf")
        lost = _moved(booked, -1, "character", "item", "turf", "hits")
        hurt = [f"{name} ({', '.join(new)})" for name, new in _new(before, now, "injuries")]
        learned = dict[str, list[str]]()
        for name, new in _new(before, now, "learned"):
            for what in new:
                learned.setdefault(what, []).append(name)
        had = [
            f"{minus(sums[account])}{BELOW}{signed(booked[account]) * bool(game[1:] and booked[account])}"
            for account in purse
        ]
        had[:0] = [] if any(account.kind == "points" for account in purse) else [str(rules.rating(group))]
        parts = (
            (gettext("Gained"), gained), (gettext("Lost"), lost), (gettext("Injuries"), hurt),
            (gettext("Learned"), [f"{what} ({', '.join(names)})" for what, names in learned.items()]),
        )  # fmt: skip
        changes = (labelled(head, apart(what)) for head, what in parts if what)
        yield BELOW.join(game), *had, BELOW.join(changes)
        before = now


def _moved(booked: Mapping[Account, int], sign: int, *kinds: str) -> list[str]:
    """What of these kinds came to a group, or with ``sign`` -1 left it."""
    return [
        f"{amount_in_words(account)} {signed(n)}"
        if account.kind == "hits"
        else copies(abs(n), amount_in_words(account))
        for account, n in sorted(booked.items())
        if account.kind in kinds and n * sign > 0
    ]


def _new(
    before: Sequence[Member], now: Sequence[Member], what: Literal["learned", "injuries"]
) -> Iterator[tuple[str, list[str]]]:
    """The members with what they did not have before."""
    had = {former.key: getattr(former, what) for former in before}
    for member in now:
        if new := [text for text in getattr(member, what) if text not in had.get(member.key, (text,))]:
            yield member.name, new
