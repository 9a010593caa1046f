"""The print room: rows to the dataclasses of ``pdf``, bytes to the browser."""

from collections.abc import Mapping

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events import access_lists
from events.actions.standings import standings
from events.brackets import stage_of
from events.meetings import meeting_of
from events.pairing.tie_breaks import TIE_BREAKS
from events.reading import (
    RoundView,
    completed_rounds,
    edition_of,
    forces_of,
    list_size,
    players_of,
    round_view,
    round_views,
    system_of,
)
from events.team_reading import team_name
from events.views.paper import each_asked, heads, most_in, paper_asked, pdf_answer, printed_at, setup_steps, table_map
from events.views.request import db, event_or_404, local, managed_event, now, shown_round_or_404
from models.event import Event, EventFormat, EventState, ListsShown, Round
from models.play import ForceList, Game, Player
from pdf.pairings import PairedPlayer, PairingRow, RoundPairings, pairings_by_name, pairings_by_table
from pdf.score_grids import MarkerGrid, VpGrid
from pdf.scoresheet import scoresheets
from pdf.sheet_data import Scoresheet, SheetPlayer
from pdf.standings import Column, Standings, standings_sheet
from validators.scenario import Scenario

blueprint = Blueprint("prints", __name__)


@blueprint.get("/e/<slug>/desk/print")
def room(slug: str) -> ResponseReturnValue:
    """What can be printed now, on the paper that is chosen here; the address keeps the choice."""
    event = managed_event(slug)
    return render_template(
        "desk/print.html",
        paper=paper_asked(),
        each=each_asked(),
        views=round_views(db(), event),
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
    people = {p.id: p for p in players_of(db(), event)}
    secret = not access_lists.lists_shown(event, now()) and event.lists_shown != ListsShown.AT_LOCK
    forces = {} if secret else forces_of(db(), event)
    wanted = request.args.get("table", type=int)
    games = [g for g in view.games if g.b_id and wanted in (None, g.table_number)]
    pages = [_sheet(event, the_round, view.scenario_at(game), game, people, forces) for game in games]
    each = each_asked()
    name = f"round-{number}-scoresheets"
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
    return PairedPlayer(player.name, player.club, player.faction, _seat(player, game))


def _seat(player: Player, game: Game) -> str:
    """In a team event the team and the board: "Reds, board 2"."""
    team = team_name(db(), player)
    return f"{team}, board {game.board}" if team and game.board else ""


def _row(view: RoundView, game: Game, people: Mapping[int, Player]) -> PairingRow:
    a, b = people[game.a_id], people[game.b_id] if game.b_id else None
    scenario = view.scenario_at(game) if b and view.shared is None else None
    fixed = game.table_number is not None and any(one and one.fixed_table == game.table_number for one in (a, b))
    return PairingRow(
        game.table_number, _paired(a, game), _paired(b, game) if b else None,
        _without(game), scenario.name if scenario else "", fixed=fixed,
    )  # fmt: skip


def _sheet(
    event: Event,
    the_round: Round,
    scenario: Scenario | None,
    game: Game,
    people: dict[int, Player],
    forces: dict[int, ForceList],
) -> Scoresheet:
    assert scenario is not None  # noqa: S101 - drawn together with the games
    choice = next((q for q in scenario.questions if q.kind == "choice"), None)
    assert game.b_id is not None and game.table_number is not None  # noqa: S101 - byes have no sheet
    return Scoresheet(
        event=event.name,
        round_number=the_round.number,
        minutes=event.round_minutes,
        table=game.table_number,
        a=_sheet_player(event, people[game.a_id], forces.get(game.a_id), game),
        b=_sheet_player(event, people[game.b_id], forces.get(game.b_id), game),
        unit=system_of(event).unit,
        scenario=scenario.name,
        setup=setup_steps(event, scenario),
        scoring=scenario.scoring,
        table_map=table_map(event, scenario),
        grid=VpGrid(
            most_in(scenario, "a"),
            most_in(scenario, "b"),
            scenario.round_note,
            choice.choices if choice else (),
            heads(scenario),
            choice.label if choice else "",
        ),
        objectives=MarkerGrid(scenario.objective_kinds, scenario.objectives, scenario.objective_note),
        url=url_for("results.from_sheet", code=game.code, _external=True),
        code=game.code,
        address=url_for("results.code_entry", _external=True).partition("://")[2],
    )


def _sheet_player(event: Event, player: Player, force: ForceList | None, game: Game) -> SheetPlayer:
    club = " · ".join(part for part in (_seat(player, game), player.club) if part)
    if force is None:
        return SheetPlayer(player.name, player.faction, club)
    summary = system_of(event).summarise(force.document, edition_of(db(), event))
    leader = f"Leader: {summary.leader}" if summary.leader else ""
    # With a sideboard, what stands on the table is chosen there: the roster's cost would mislead.
    total = summary.total if list_size(event) == event.size else None
    return SheetPlayer(player.name, summary.faction, club, total, leader)
