"""The round pack: all that a round needs on paper as one PDF, and a ZIP by which it goes on without the server."""

from flask import Blueprint, make_response, url_for
from flask.typing import ResponseReturnValue

from events import access
from events.archive import file_name
from events.csv_sheets import players_csv, round_csv, standings_csv
from events.packed import packed
from events.reading import RoundView, completed_rounds, players_by_id, round_view, round_views
from events.round_words import readme
from events.team_reading import is_team_event
from events.views.archives import archive_now
from events.views.list_papers import plan_sheet
from events.views.pack import scenarios_in
from events.views.paper import PAPERS, each_asked, paper_asked, pdf_answer, printed_at
from events.views.request import db, managed_event, shown_round_or_404, visitor
from events.views.round_papers import round_pairings, standings_after, team_standings_after
from events.views.static_pages import static_pages
from events.views.table_papers import table_setups_of
from events.views.table_sheets import forces_on_sheets, scenario_of, sheet_of
from models.event import Event
from pdf.page import PageSize, clock_text
from pdf.round_pack import RoundPack
from pdf.round_pack import round_pack as drawn

blueprint = Blueprint("round_pack", __name__)


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/pack.pdf")
def paper(slug: str, number: int) -> ResponseReturnValue:
    """Everything of a round on paper, one document to print."""
    event = managed_event(slug)
    view = round_view(db(), event, shown_round_or_404(event, number))
    return pdf_answer(event, f"round-{number}-pack", lambda size: _paper(event, view, size))


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/pack.zip")
def files(slug: str, number: int) -> ResponseReturnValue:
    """The same with the public pages, the tables as CSV, and for its owner the event's archive."""
    event = managed_event(slug)
    view = round_view(db(), event, shown_round_or_404(event, number))
    name = f"{event.slug}-round-{number}"
    response = make_response(packed(name, _files(event, view, name), printed_at(event)))
    response.mimetype = "application/zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    return response


def _files(event: Event, view: RoundView, name: str) -> dict[str, bytes]:
    number = view.round.number
    views = round_views(db(), event)
    sheets = {"players.csv": (url_for("exports.players_sheet", slug=event.slug), players_csv(db(), event))}
    for one in views:
        if one.games and one.round.number <= number:
            address = url_for("exports.round_sheet", slug=event.slug, number=one.round.number)
            sheets[f"round-{one.round.number}.csv"] = address, round_csv(db(), event, one)
    for after in range(1, completed_rounds(views) + 1):
        address = url_for("exports.standings_sheet", slug=event.slug, after=after)
        sheets[f"standings-after-{after}.csv"] = address, standings_csv(db(), event, after)
    known = {address: f"../csv/{file}" for file, (address, _) in sheets.items()}
    found = {f"{name}.pdf": _paper(event, view, PAPERS[paper_asked()])}
    found |= {f"csv/{file}": data for file, (_, data) in sheets.items()}
    found |= {f"pages/{file}": data for file, data in static_pages(event, known).items()}
    archive = access.may_archive(visitor(), event)
    if archive:
        found[file_name(event)] = archive_now(event)
    told = readme(event, number, clock_text(printed_at(event)), f"{name}.pdf", file_name(event) if archive else "")
    return {"README.txt": told.encode()} | found


def _paper(event: Event, view: RoundView, size: PageSize) -> bytes:
    number = view.round.number
    complete = completed_rounds(round_views(db(), event))
    before = min(complete, number - 1)
    people, forces = players_by_id(db(), event), forces_on_sheets(event)
    told = team_standings_after if is_team_event(event) else standings_after
    pack = RoundPack(
        event=event.name,
        title=f"Round {number}",
        pairings=round_pairings(event, view),
        plan=plan_sheet(event),
        scenarios=scenarios_in(event, view),
        setups=table_setups_of(event, view),
        sheets=[sheet_of(event, number, scenario_of(view, g), g, people, forces) for g in view.games if g.b_id],
        standings=told(event, before, complete) if before else None,
    )
    return drawn(pack, size, printed_at(event), each_asked())
