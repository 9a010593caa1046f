"""The print room: rows to the dataclasses of ``pdf``, bytes to the browser."""

from collections.abc import Mapping

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from events import access_play
from events.actions.standings import standings
from events.brackets import stage_of
from events.meetings import meeting_of
from events.pairing.tie_breaks import TIE_BREAKS
from events.reading import (
    RoundView,
    completed_rounds,
    players_by_id,
    players_of,
    round_view,
    round_views,
)
from events.team_reading import seat_of
from events.views.paper import each_asked, paper_asked, pdf_answer, printed_at
from events.views.request import db, event_or_404, local, managed_event, round_or_404, shown_round_or_404, visitor
from events.views.table_sheets import blank_sheet, forces_on_sheets, scenario_of, sheet_of, sheet_of_any_scenario
from models.event import EventFormat, EventState
from models.play import Game, Player
from pdf.pairings import PairedPlayer, PairingRow, RoundPairings, pairings_by_name, pairings_by_table
from pdf.scoresheet import scoresheets
from pdf.standings import Column, Standings, standings_sheet

blueprint = Blueprint("prints", __name__)
BLANKS = (1, 2, 4, 6, 8, 12, 20)
"""How many blank sheets can be asked for."""


@blueprint.get("/e/<slug>/desk/print")
def room(slug: str) -> ResponseReturnValue:
    """What can be printed now, on the paper that is chosen here; the address keeps the choice."""
    event = managed_event(slug)
    return render_template(
        "desk/print.html",
        paper=paper_asked(),
        each=each_asked(),
        views=round_views(db(), event),
        blanks=BLANKS,
        complete=completed_rounds(round_views(db(), event)),
        meeting=meeting_of(db(), event),
    )


@blueprint.get("/e/<slug>/rounds/<int:number>/scoresheets.pdf")
def sheets(slug: str, number: int) -> ResponseReturnValue:
    """A scoresheet for each table of a round, or for one with ``?table=``. Forces' totals make it the desk's own.

    Both players hold the sheet, so it says nothing of forces that stay secret when the round is published.
    """
    event = managed_event(slug)
    the_round = shown_round_or_404(event, number)
    view = round_view(db(), event, the_round)
    people, forces = players_by_id(db(), event), forces_on_sheets(event)
    wanted = request.args.get("table", type=int)
    games = [g for g in view.games if g.b_id and wanted in (None, g.table_number)]
    pages = [sheet_of(event, number, scenario_of(view, game), game, people, forces) for game in games]
    each = each_asked()
    name = f"round-{number}-scoresheets"
    return pdf_answer(event, name, lambda size: scoresheets(pages, size, printed_at(event), each))


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/blank-sheets.pdf")
def blanks(slug: str, number: int) -> ResponseReturnValue:
    """Scoresheets for spare tables, ``?count=`` of them: with the round's scenario, or with ``?scenario=none`` without.

    Of a round that its reader may not see yet, the scenario is known where everybody knows it.
    """
    event = managed_event(slug)
    the_round, count = round_or_404(event, number), request.args.get("count", "2")
    if count not in map(str, BLANKS):
        abort(404)
    view = round_view(db(), event, the_round)
    known = view.played if access_play.may_see_round(visitor(), event, the_round) else view.announced
    chosen = len(known) == 1 and request.args.get("scenario") != "none"
    page = blank_sheet(event, number, known[0]) if chosen else sheet_of_any_scenario(event, number)
    pages, each = [page] * int(count), each_asked()
    name = f"round-{number}-blank-sheets"
    return pdf_answer(event, name, lambda size: scoresheets(pages, size, printed_at(event), each))


@blueprint.get("/e/<slug>/rounds/<int:number>/pairings.pdf")
def pairings(slug: str, number: int) -> ResponseReturnValue:
    """The pairings of a round, by table or with ``?order=name`` by name."""
    event = event_or_404(slug)
    the_round = shown_round_or_404(event, number)
    people = {p.id: p for p in players_of(db(), event)}
    view = round_view(db(), event, the_round)
    rows = tuple(_row(view, game, people) for game in view.games)
    starts = f"{event.round_minutes} minutes"
    if the_round.published_at:
        starts = f"from {local(the_round.published_at, event, '%H:%M')}, {starts}"
    stage = stage_of(the_round)
    title = f"Round {number}, {stage}" if stage else ""
    told = RoundPairings(event.name, number, rows, view.shared.name if view.shared else "", starts, title)
    by_name = request.args.get("order") == "name"
    draw = pairings_by_name if by_name else pairings_by_table
    name = f"round-{number}-pairings-by-{'name' if by_name else 'table'}"
    return pdf_answer(event, name, lambda size: draw(told, size, printed_at(event)))


def _without(game: Game) -> str:
    """What a player without an opponent has this round."""
    if game.asked:
        return "bye asked for"
    return "walk-over" if any("walk-over" in note for note in game.notes) else "bye"


@blueprint.get("/e/<slug>/standings.pdf")
def standings_pdf(slug: str) -> ResponseReturnValue:
    """The standings after the last complete round, or with ``?after=`` after an earlier one."""
    event = event_or_404(slug)
    complete = completed_rounds(round_views(db(), event))
    after = request.args.get("after", complete, type=int)
    if not 0 <= after <= complete:
        abort(404)
    people = {str(p.id): p for p in players_of(db(), event)}
    order = [TIE_BREAKS[name] for name in event.tie_breaks]
    counted = event.format != EventFormat.KNOCKOUT  # a knockout from the start has places alone
    figures = (
        Column("W-D-L", "centre", "wins, draws and losses at the table"),
        Column("Not played"),
        Column("TP", "right", "tournament points", strong=True),
        *(Column(t.label, "right", t.explanation) for t in order),
    )
    columns = (
        Column("#", "right", strong=True),
        Column("Player", stretch=True, strong=True),
        Column("Club", stretch=True),
        Column("Faction", stretch=True),
        *(figures if counted else ()),
    )
    rows = tuple(
        (
            "–" if row.disqualified else str(row.rank),
            row.name
            + (" (disqualified)" if row.disqualified else " (dropped)" if row.dropped else "")
            + (f", {row.how['place']}" if "place" in row.how else ""),
            people[row.id].club,
            people[row.id].faction,
            *(
                (
                    f"{row.wins}-{row.draws}-{row.losses}",
                    ", ".join(row.unplayed),
                    str(row.points),
                    *(figure.shown for figure in row.figures),
                )
                if counted
                else ()
            ),
        )
        for row in (standings(db(), event, after) if after else [])
    )
    told = Standings(
        event.name,
        after,
        columns,
        rows,
        ("Tournament points", *(t.label for t in order)) if counted else ("Bracket", "seed"),
        final=event.state == EventState.FINISHED and after == complete,
    )
    return pdf_answer(event, f"standings-after-{after}", lambda size: standings_sheet(told, size, printed_at(event)))


def _paired(player: Player, game: Game) -> PairedPlayer:
    return PairedPlayer(player.name, player.club, player.faction, seat_of(db(), player, game))


def _row(view: RoundView, game: Game, people: Mapping[int, Player]) -> PairingRow:
    a, b = people[game.a_id], people[game.b_id] if game.b_id else None
    scenario = view.scenario_at(game) if b and view.shared is None else None
    fixed = game.table_number is not None and any(one and one.fixed_table == game.table_number for one in (a, b))
    return PairingRow(
        game.table_number, _paired(a, game), _paired(b, game) if b else None,
        _without(game), scenario.name if scenario else "", fixed=fixed,
    )  # fmt: skip
