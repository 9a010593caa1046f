"""The print room: rows to the dataclasses of ``pdf``, bytes to the browser."""

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from events import access_play
from events.meetings import meeting_of
from events.public_rounds import public_round_views
from events.reading import (
    completed_rounds,
    players_by_id,
    round_view,
    round_views,
)
from events.typed import whole_number
from events.views.paper import each_asked, paper_asked, pdf_answer, printed_at
from events.views.request import db, event_or_404, managed_event, round_or_404, shown_round_or_404, visitor
from events.views.round_papers import round_pairings, standings_after
from events.views.table_sheets import blank_sheet, forces_on_sheets, scenario_of, sheet_of, sheet_of_any_scenario
from pdf.pairings import pairings_by_name, pairings_by_table
from pdf.scoresheet import scoresheets
from pdf.standings import standings_sheet

blueprint = Blueprint("prints", __name__)
BLANKS = (1, 2, 4, 6, 8, 12, 20)
"""How many blank sheets can be asked for."""


@blueprint.get("/e/<slug>/desk/print")
def room(slug: str) -> ResponseReturnValue:
    """What can be printed now, on the paper that is chosen here; the address keeps the choice."""
    event = managed_event(slug)
    views = round_views(db(), event)
    return render_template(
        "desk/print.html",
        paper=paper_asked(),
        each=each_asked(),
        views=views,
        blanks=BLANKS,
        complete=completed_rounds(views),
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
    wanted = request.args.get("table", type=whole_number)
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
    told = round_pairings(event, round_view(db(), event, shown_round_or_404(event, number)))
    by_name = request.args.get("order") == "name"
    draw = pairings_by_name if by_name else pairings_by_table
    name = f"round-{number}-pairings-by-{'name' if by_name else 'table'}"
    return pdf_answer(event, name, lambda size: draw(told, size, printed_at(event)))


@blueprint.get("/e/<slug>/standings.pdf")
def standings_pdf(slug: str) -> ResponseReturnValue:
    """The standings after the last complete round, or with ``?after=`` after an earlier one."""
    event = event_or_404(slug)
    complete = completed_rounds(public_round_views(db(), event))
    after = request.args.get("after", complete, type=whole_number)
    if not 0 <= after <= complete:
        abort(404)
    told = standings_after(event, after, complete)
    return pdf_answer(event, f"standings-after-{after}", lambda size: standings_sheet(told, size, printed_at(event)))
