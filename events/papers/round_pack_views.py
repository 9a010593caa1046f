"""The round pack: all papers of a round as one PDF, and a ZIP to continue without the server.

The ZIP has the event's pages as files. Python's own HTML parser parses them; parts to keep are copied unchanged.
"""

import re
from collections.abc import Callable, Mapping
from contextvars import Context
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin, urlsplit

from flask import Blueprint, Flask, Response, current_app, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from events.papers.campaign_book import campaign_book
from events.papers.campaign_paper import group_sheets, groups_on_paper
from events.papers.event_pack import plan_of, reference_of, scenarios_in
from events.papers.exports import players_rows, round_rows, standings_rows
from events.papers.forces_on_paper import forces_on_sheets
from events.papers.round_paper import round_pairings, standings_after, table_setups_of, team_standings_after
from events.papers.scoresheets import sheet_of
from events.setup.archive import file_name
from events.setup.archive_now import archive_now
from events.store.players import players_by_id
from events.store.rounds import RoundView, round_view
from events.visitors import access
from events.visitors.event_loading import desk_tournament_in
from events.visitors.loading import managed_event, shown_round_or_404, views_of, visitor
from events.web.answers import back_asked, each_asked, name_file, packed, pdf_answer, pdf_bytes, printed_at
from events.web.csv_cells import csv_bytes
from events.web.request import local, now, outside_url
from languages.words import gettext
from models.event import Event
from pdf.game_sheet import GameSheet, draw_game_sheets
from pdf.page import Paper, clock_text
from pdf.scenario_page import draw_scenario_sheets, draw_table_setups
from pdf.scoresheet import draw_scoresheets
from pdf.wall import draw_pairings_by_name, draw_pairings_by_table, draw_round_plan, draw_standings

README = """{event}, round {number}
{line}
As of {made}.

What is here
  {paper}
      Everything for the tables: pairings by name and by table, the plan of the
      day, the scenarios, how each table is set up, a scoresheet for each table,
      the standings so far, and of a campaign its groups and its book. Print it
      now, while you have a printer.
  pages/index.html
      The event's public pages as they were. Open them in any browser, without
      network. They no longer change.
  csv/
      Players, pairings, results and standings for a spreadsheet (UTF-8).
{archive}
If the server stops, play on
  1. Hand out the scoresheets. Both players fill in and sign; one sheet a game.
  2. Keep every sheet. The results on paper are what counts.
  3. To pair the next round by hand: sort csv/standings by tournament points,
     add this round, and pair from the top players who have not met.
     Better: bring the event back first, and let Overseer draw.

When you have a machine again
{back}
"""
WITH_ARCHIVE = """  {archive}
      The whole event, with what only staff may read. Keep it safe
      and do not share it: another machine can continue the event from it.
"""
BACK = """  1. Start Overseer with an empty database, on any machine, and sign in.
  2. Your events, "Import event", and choose {archive}.
     (In a shell: overseer archive-in {archive})
  3. Desk, Results, "Enter from paper": type the table or the code of each
     sheet, then its figures. The codes on the paper are still valid.
  4. When all are in, the round is complete: draw the next one. It is
     the same draw as on the old machine.
  5. Players get new private links: print the badges again, or
     continue on paper.
"""
WITHOUT = """  The event's archive is not in this pack, because the pack was not made by the
  event's owner. Ask the owner for their own pack, or for the archive: print
  room, "Without this server".
"""


def readme(event: Event, number: int, made: str, paper: str, archive: str) -> str:
    """The pack's README.txt; ``archive`` is the archive's file name, "" if the pack has none."""
    title = f"{event.name}, round {number}"
    filled = README.format(
        event=event.name,
        number=number,
        line="=" * len(title),
        made=made,
        paper=paper,
        archive=WITH_ARCHIVE.format(archive=archive) if archive else "",
        back=(BACK.format(archive=archive) if archive else WITHOUT).rstrip("\n"),
    )
    return filled.replace("\n", "\r\n")


LEFT_OUT = frozenset({"script", "form", "template"})
"""Elements left out with their content, because they do nothing in a file."""
OF_A_SERVER = frozenset({"manifest", "icon", "apple-touch-icon", "preload"})
"""Links of a page's head that are left out."""

Attributes = list[tuple[str, str | None]]


def file_of(address: str, root: str) -> str:
    """The file name of an address below ``root`` or outside of it, such as "round-1-order-name.html"."""
    parts = urlsplit(address)
    path = parts.path.removeprefix(root).strip("/") or "index"
    path = re.sub(r"^rounds/", "round-", re.sub(r"^players/", "player-", re.sub(r"^scenarios/", "scenario-", path)))
    query = "-".join(part for pair in parse_qsl(parts.query) for part in pair)
    return re.sub(r"[^a-z0-9]+", "-", f"{path}-{query}".lower()).strip("-") + ".html"


def normal(address: str) -> str:
    """An address without its fragment, with its query sorted."""
    parts = urlsplit(urldefrag(address).url)
    query = urlencode(sorted(parse_qsl(parts.query)))
    return parts.path + (f"?{query}" if query else "")


@dataclass(frozen=True)
class Link:
    """An element with an address, written once the files are known."""

    tag: str
    attributes: tuple[tuple[str, str | None], ...]
    end: str
    """The end of the tag: ">" or "/>"."""


@dataclass(frozen=True)
class ReadPage:
    """A page of the application, read once."""

    address: str
    pieces: tuple[str | Link, ...]
    """The parts that stay, in order."""

    @property
    def links(self) -> list[str]:
        """The application's own addresses that the page links to, each once, in order."""
        texts = (
            urljoin(self.address, value)
            for piece in self.pieces
            if isinstance(piece, Link) and piece.tag == "a"
            for name, value in piece.attributes
            if name == "href" and value is not None
        )
        return list(dict.fromkeys(normal(text) for text in texts if not _is_elsewhere(text)))


def read_page(page: str, address: str) -> ReadPage:
    """Parse the page of this address, without the parts that need a server."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return ReadPage(address, tuple(reader.out))


def as_file(page: ReadPage, files: Mapping[str, str], server: str, notice: str) -> str:
    """A page as a file of the folder.

    ``files`` are the names of the files by their addresses, ``server`` is the root of all others, such as
    "https://desk.example.org/"; with "" they are no links. ``notice`` is HTML shown at the top of the page.
    """

    def put(name: str, value: str | None) -> str | None:
        if name not in ("href", "src") or value is None or value.startswith("#"):
            return value
        whole = urljoin(page.address, value)
        if _is_elsewhere(whole):
            return value
        fragment = urldefrag(whole).fragment
        file = files.get(normal(whole))
        if file is None:
            return server and urljoin(server, whole.lstrip("/"))
        return file + (f"#{fragment}" if fragment else "")

    return "".join(_written(piece, put) if isinstance(piece, Link) else piece or notice for piece in page.pieces)


def _written(link: Link, put: Callable[[str, str | None], str | None]) -> str:
    rows = ((name, value, put(name, value)) for name, value in link.attributes)
    attributes = ((name, new) for name, value, new in rows if new or not value)
    words = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attributes)
    return f"<{link.tag}{words}{link.end}"


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc or parts.scheme)


class _Reader(HTMLParser):
    """Collects the parts of a page to keep; an empty part marks the place for the note that the file is a copy."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str | Link] = []
        self.inside: list[str] = []
        """The elements that are being left out."""

    def handle_starttag(self, tag: str, attrs: Attributes, end: str = ">") -> None:
        given = dict(attrs)
        live = not self.inside and "round-clock" in (given.get("class") or "").split()
        if end == ">" and (live or tag in (self.inside[-1:] or LEFT_OUT)):
            self.inside.append(tag)
        if self.inside or _is_of_a_server(tag, given):
            return
        kept = tuple((name, value) for name, value in attrs if not name.startswith("data-"))
        if "href" in given or "src" in given or len(kept) < len(attrs):
            self.out.append(Link(tag, kept, end))
        else:
            self.out.append(self.get_starttag_text() or "")
        if tag == "main":
            self.out.append("")

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        """Handle an element without content, as in drawings."""
        self.handle_starttag(tag, attrs, "/>")

    def handle_endtag(self, tag: str) -> None:
        if not self.inside:
            self.out.append(f"</{tag}>")
        elif tag == self.inside[-1]:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        self._take(data)

    def handle_entityref(self, name: str) -> None:
        self._take(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._take(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self._take(f"<!{decl}>")

    def _take(self, text: str) -> None:
        if not self.inside and text:
            self.out.append(text)


def _is_of_a_server(tag: str, attrs: Mapping[str, str | None]) -> bool:
    if tag == "meta":
        return attrs.get("name") in ("live", "offline-for", "players")
    return tag == "link" and attrs.get("rel") in OF_A_SERVER


blueprint = Blueprint("round_pack", __name__)


FOLLOWED = {
    "public.event": (), "rounds.round_page": ("order",), "standings.standings_page": ("after",), "public.player": (),
    "lists.lists": (), "scenario.scenario_page": (), "public.rules": (), "teams.teams": (),
    "standings.team_standings_page": ("after",), "field.bracket": (), "standings.crosstable": (),
    "standings.awards_page": (), "leagues.season_page": (), "campaigns.campaign_page": (),
    "campaigns.group": (),
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
    pages = {STYLE: (Path(app.root_path) / "static" / STYLE).read_bytes()}
    for address, page in asked.items():
        live = LIVE.format(address=server.rstrip("/") + address) if server else ""
        notice = COPY.format(when=when, live=live)
        file_names = {**others, **files, style: STYLE}
        pages[files[address]] = as_file(page, file_names, server, notice).encode()
    return pages


def _asked(app: Flask, start: str, server: str) -> dict[str, ReadPage]:
    """Every page that can be reached from the event's page, by address."""
    read_pages: dict[str, ReadPage] = {}
    waiting, players, met = [start], list[str](), {start}
    with app.test_client(use_cookies=False) as client:
        while waiting and len(read_pages) < MOST_PAGES:
            address = waiting.pop(0)
            answer = client.get(address, base_url=server)
            if answer.status_code == 200:
                read_pages[address] = read_page(answer.get_data(as_text=True), address)
                new = [(link, _followed(app, link, start)) for link in read_pages[address].links if link not in met]
                met |= {link for link, _ in new}
                players += [link for link, endpoint in new if endpoint == "public.player"]
                waiting += [link for link, endpoint in new if endpoint not in ("", "public.player")]
            if not waiting and len(read_pages) + len(players) <= MOST_PAGES:
                waiting, players = players, []
    return read_pages


def _followed(app: Flask, address: str, start: str) -> str:
    """The endpoint of an address if it becomes a file, else ""."""
    path, _, query = normal(address).partition("?")
    try:
        endpoint, args = app.url_map.bind("").match(path)
    except HTTPException:
        return ""
    names = FOLLOWED.get(endpoint)
    in_event = "slug" not in args or path == start or path.startswith(f"{start}/")
    if names is None or not in_event or any(part.partition("=")[0] not in names for part in query.split("&") if query):
        return ""
    return str(endpoint)


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/pack.pdf")
def paper(slug: str, number: int) -> ResponseReturnValue:
    event = managed_event(slug)
    view = round_view(event, shown_round_or_404(event, number))
    return pdf_answer(event, f"round-{number}-pack", _drawing(event, view))


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/pack.zip")
def files(slug: str, number: int) -> ResponseReturnValue:
    """The round pack: the PDF, the public pages, CSV files, and for the owner the event's archive."""
    event = managed_event(slug)
    view = round_view(event, shown_round_or_404(event, number))
    name = f"{event.slug}-round-{number}"
    data = packed(name, _files(event, view, name), printed_at(event))
    return name_file(Response(data, mimetype="application/zip"), f"{name}.zip")


def _files(event: Event, view: RoundView, name: str) -> dict[str, bytes]:
    number = view.round.number
    sheets = {"players.csv": (url_for("export.players_sheet", slug=event.slug), csv_bytes(players_rows(event)))}
    for earlier in views_of(event):
        if earlier.games and earlier.round.number <= number:
            address = url_for("export.round_sheet", slug=event.slug, number=earlier.round.number)
            sheets[f"round-{earlier.round.number}.csv"] = address, csv_bytes(round_rows(event, earlier))
    for after in range(1, desk_tournament_in(event).counted + 1):
        address = url_for("export.standings_sheet", slug=event.slug, after=after)
        sheets[f"standings-after-{after}.csv"] = address, csv_bytes(standings_rows(event, after))
    addresses = {address: f"../csv/{file}" for file, (address, _) in sheets.items()}
    contents = {f"{name}.pdf": pdf_bytes(event, _drawing(event, view))}
    contents |= {f"csv/{file}": data for file, (_, data) in sheets.items()}
    contents |= {f"pages/{file}": data for file, data in static_pages(event, addresses).items()}
    archive = access.may_archive(visitor(), event)
    if archive:
        contents[file_name(event)] = archive_now(event)
    text = readme(event, number, clock_text(printed_at(event)), f"{name}.pdf", file_name(event) if archive else "")
    return {"README.txt": text.encode()} | contents


def _drawing(event: Event, view: RoundView) -> Callable[[Paper], None]:
    """Draws all papers of a round for the wall, the tables and the desk; each sheet counts its own pages."""
    before = min(desk_tournament_in(event).counted, view.round.number - 1)
    people, forces = players_by_id(event), forces_on_sheets(event)
    standings_for = team_standings_after if view.teams else standings_after
    pairings, scenarios, setups = round_pairings(event, view), scenarios_in(event, view), table_setups_of(event, view)
    sheets = [sheet_of(event, view, game, people, forces) for game in view.games if game.b_id]

    def draw(paper: Paper) -> None:
        the_round = gettext("Round %(number)s", number=view.round.number)
        paper.titles.append(gettext("%(title)s: everything on paper", title=the_round))
        draw_pairings_by_name(paper, pairings)
        draw_pairings_by_table(paper, pairings)
        draw_round_plan(paper, plan_of(event))
        if scenarios:
            draw_scenario_sheets(paper, scenarios)
        if setups:
            draw_table_setups(paper, setups)
        draw_scoresheets(paper, sheets, each_asked(), reference_of(event) if back_asked() else None)
        if before:
            draw_standings(paper, standings_for(event, before))
        if campaign := _campaign(event):
            draw_game_sheets(paper, campaign)

    return draw


def _campaign(event: Event) -> list[GameSheet]:
    """The sheets of a campaign's groups, and its book; none before there is a group."""
    history, groups = groups_on_paper(event) or (None, {})
    if history is None or not groups:
        return []
    return [*(sheet for row in groups.values() for sheet in group_sheets(event, history, row)), campaign_book(event)]
