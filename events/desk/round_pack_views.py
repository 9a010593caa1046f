"""The round pack: all papers of a round as one PDF, and a ZIP to continue without the server."""

from collections.abc import Mapping
from contextvars import Context
from pathlib import Path

from flask import Blueprint, Flask, current_app, make_response, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from events.accounts import access
from events.accounts.loading import managed_event, shown_round_or_404, visitor
from events.desk.event_pack_views import reference_of, scenarios_in
from events.desk.export_views import players_csv, round_csv, standings_csv
from events.desk.force_paper_views import plan_of
from events.desk.pack_files import ReadPage, as_file, file_of, normal, read_page, readme
from events.desk.round_paper_views import round_pairings, standings_after, table_setups_of, team_standings_after
from events.desk.scoresheets import forces_on_sheets, sheet_of
from events.play.queries import players_by_id
from events.play.rounds import RoundView, completed_rounds, round_view, round_views
from events.play.team_queries import is_team_event
from events.setup.archive import file_name
from events.setup.views import archive_now
from events.web.request import db, local, now, outside_url
from events.web.responses import PAPERS, back_asked, each_asked, packed, paper_asked, pdf_answer, printed_at
from models.event import Event
from pdf.page import PageSize, clock_text
from pdf.round_pack import RoundPack
from pdf.round_pack import round_pack as drawn

blueprint = Blueprint("round_pack", __name__)


FOLLOWED = {
    "public.event": (), "rounds.round_page": ("order",), "standings.standings_page": ("after",), "public.player": (),
    "lists.lists": (), "lists.scenario": (), "public.rules": (), "teams.teams": (),
    "standings.team_standings_page": ("after",), "field.bracket": (), "standings.crosstable": (),
    "standings.awards_page": (), "rounds.meeting_page": (),
}  # fmt: skip
"""The endpoints that become files, with the query parameters that make separate pages."""
MOST_PAGES = 400
"""With more pages than this, players' pages are left out; other pages show the same."""
STYLE = "overseer.css"
COPY = Markup('<p class="flash flash-old"><span>A copy as of {when}, which no longer changes.{live}</span></p>')
LIVE = Markup(' <a href="{address}">The live page</a>')


def static_pages(event: Event, others: Mapping[str, str]) -> dict[str, bytes]:
    """The event's pages by the names of their files, its front page ``index.html``, and the stylesheet.

    ``others`` are further files of the pack by their addresses. The pages are requested from the application itself,
    without cookies and in their own context, so they contain only public information.
    """
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    start, server = url_for("public.event", slug=event.slug), outside_url("public.home")
    asked = Context().run(_asked, app, start, server or request.host_url)
    files = {address: "index.html" if address == start else file_of(address, start) for address in asked}
    style = url_for("static", filename=STYLE)
    when = local(now(), event, "%A %-d %B %Y, %H:%M")
    found = {STYLE: (Path(app.root_path) / "static" / STYLE).read_bytes()}
    for address, page in asked.items():
        live = LIVE.format(address=server.rstrip("/") + address) if server else ""
        notice = COPY.format(when=when, live=live)
        known = {**others, **files, style: STYLE}
        found[files[address]] = as_file(page, known, server, notice).encode()
    return found


def _asked(app: Flask, start: str, server: str) -> dict[str, ReadPage]:
    """Every page that can be reached from the event's page, by address."""
    found: dict[str, ReadPage] = {}
    waiting, players, met = [start], list[str](), {start}
    with app.test_client(use_cookies=False) as client:
        while waiting and len(found) < MOST_PAGES:
            address = waiting.pop(0)
            answer = client.get(address, base_url=server)
            if answer.status_code == 200:
                found[address] = read_page(answer.get_data(as_text=True), address)
                new = [(link, _followed(app, link, start)) for link in found[address].links if link not in met]
                met |= {link for link, _ in new}
                players += [link for link, endpoint in new if endpoint == "public.player"]
                waiting += [link for link, endpoint in new if endpoint not in ("", "public.player")]
            if not waiting and len(found) + len(players) <= MOST_PAGES:
                waiting, players = players, []
    return found


def _followed(app: Flask, address: str, start: str) -> str:
    """The endpoint of an address if it becomes a file, else ""."""
    path, _, query = normal(address).partition("?")
    try:
        endpoint, args = app.url_map.bind("").match(path)
    except HTTPException:
        return ""
    names = FOLLOWED.get(endpoint)
    own = "slug" not in args or path == start or path.startswith(f"{start}/")
    if names is None or not own or any(part.partition("=")[0] not in names for part in query.split("&") if query):
        return ""
    return str(endpoint)


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/pack.pdf")
def paper(slug: str, number: int) -> ResponseReturnValue:
    """All papers of a round as one PDF."""
    event = managed_event(slug)
    view = round_view(db(), event, shown_round_or_404(event, number))
    return pdf_answer(event, f"round-{number}-pack", lambda size: _paper(event, view, size))


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/pack.zip")
def files(slug: str, number: int) -> ResponseReturnValue:
    """The round pack: the PDF, the public pages, CSV files, and for the owner the event's archive."""
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
    sheets = {"players.csv": (url_for("export.players_sheet", slug=event.slug), players_csv(db(), event))}
    for one in views:
        if one.games and one.round.number <= number:
            address = url_for("export.round_sheet", slug=event.slug, number=one.round.number)
            sheets[f"round-{one.round.number}.csv"] = address, round_csv(db(), event, one)
    for after in range(1, completed_rounds(views) + 1):
        address = url_for("export.standings_sheet", slug=event.slug, after=after)
        sheets[f"standings-after-{after}.csv"] = address, standings_csv(db(), event, after)
    known = {address: f"../csv/{file}" for file, (address, _) in sheets.items()}
    found = {f"{name}.pdf": _paper(event, view, PAPERS[paper_asked()])}
    found |= {f"csv/{file}": data for file, (_, data) in sheets.items()}
    found |= {f"pages/{file}": data for file, data in static_pages(event, known).items()}
    archive = access.may_archive(visitor(), event)
    if archive:
        found[file_name(event)] = archive_now(event)
    text = readme(event, number, clock_text(printed_at(event)), f"{name}.pdf", file_name(event) if archive else "")
    return {"README.txt": text.encode()} | found


def _paper(event: Event, view: RoundView, size: PageSize) -> bytes:
    number = view.round.number
    complete = completed_rounds(round_views(db(), event))
    before = min(complete, number - 1)
    people, forces = players_by_id(db(), event), forces_on_sheets(event)
    standings_of = team_standings_after if is_team_event(event) else standings_after
    pack = RoundPack(
        event=event.name,
        title=f"Round {number}",
        pairings=round_pairings(event, view),
        plan=plan_of(event),
        scenarios=scenarios_in(event, view),
        setups=table_setups_of(event, view),
        sheets=[sheet_of(event, view, g, people, forces) for g in view.games if g.b_id],
        back=reference_of(event) if back_asked() else None,
        standings=standings_of(event, before, complete) if before else None,
    )
    return drawn(pack, size, printed_at(event), each_asked())
