"""Players, lists, rounds and standings as CSV and as a workbook, and the standings as a TRF for chess tools."""

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from events.papers.exports import XLSX, lists_rows, players_rows, round_rows, staff_rows, standings_rows, workbook
from events.standings.loading import asked_round, is_corrected_in
from events.standings.queries import standings_trf
from events.standings.titles import name_of_standings
from events.store.rounds import first_stage, round_view
from events.visitors.access import may_mark_paid
from events.visitors.event_loading import public_views_in, tournament_in
from events.visitors.loading import event_or_404, managed_event, shown_round_or_404, visitor
from events.web.answers import csv_answer, name_file
from events.web.csv_cells import csv_bytes
from events.web.request import local_day, now
from models.event import RoundState

blueprint = Blueprint("export", __name__)


@blueprint.get("/e/<slug>/standings.trf")
def standings_file(slug: str) -> ResponseReturnValue:
    """Standings and history for chess tools, after the last complete round or after an earlier one."""
    event = event_or_404(slug)
    after, _ = asked_round(event)
    response = Response(standings_trf(event, after), mimetype="text/plain")
    return name_file(response, f"{event.slug}-after-round-{after}.trf")


@blueprint.get("/e/<slug>/desk/players.csv")
def staff_sheet(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    paid = bool(event.fee) and may_mark_paid(visitor(), event)
    return csv_answer(event.slug, "players-for-staff", csv_bytes(staff_rows(event, paid=paid)))


@blueprint.get("/e/<slug>/players.csv")
def players_sheet(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    return csv_answer(event.slug, "players", csv_bytes(players_rows(event)))


@blueprint.get("/e/<slug>/rounds/<int:number>/round.csv")
def round_sheet(slug: str, number: int) -> ResponseReturnValue:
    event = event_or_404(slug)
    the_round = shown_round_or_404(event, number)
    rows = round_rows(event, round_view(event, the_round))
    return csv_answer(event.slug, f"round-{number}", csv_bytes(rows))


@blueprint.get("/e/<slug>/standings.csv")
def standings_sheet(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    after, _ = asked_round(event)
    name = name_of_standings(event, tournament_in(event), after, local_day(event))
    name += "-being-corrected" if is_corrected_in(event) and "after" not in request.args else ""
    return csv_answer(event.slug, name, csv_bytes(standings_rows(event, after)))


@blueprint.get("/e/<slug>/lists.csv")
def lists_sheet(slug: str) -> ResponseReturnValue:
    """The lists that everybody may read, a line for each model, for a spreadsheet."""
    event = event_or_404(slug)
    return csv_answer(event.slug, "lists", csv_bytes(lists_rows(event, now())))


@blueprint.get("/e/<slug>/event.xlsx")
def event_workbook(slug: str) -> ResponseReturnValue:
    """All that these CSV files say of the event, as one workbook: nothing that its pages hide from the public."""
    event = event_or_404(slug)
    sheets = {"Players": players_rows(event), "Lists": lists_rows(event, now())}
    published = (view for view in public_views_in(event) if view.round.state == RoundState.PUBLISHED)
    sheets |= {f"Round {view.round.number}": round_rows(event, view) for view in published}
    after, _ = asked_round(event)
    has_rounds = first_stage(event).has_rounds
    sheets[f"Standings after {after}" if has_rounds else "Standings"] = standings_rows(event, after)
    return name_file(Response(workbook(sheets), mimetype=XLSX), f"{event.slug}.xlsx")
