"""The public pages of an event as files, as anybody without an account sees them."""

from collections.abc import Mapping
from contextvars import Context
from pathlib import Path

from flask import Flask, current_app, url_for
from markupsafe import Markup, escape
from werkzeug.exceptions import HTTPException

from events.static_pages import ReadPage, as_file, file_of, normal, read_page
from events.views.request import local, now, outside_url
from models.event import Event

FOLLOWED = {
    "public.event": (), "public.round_page": ("order",), "public.standings_page": ("after",), "public.player": (),
    "public.lists": (), "public.scenario": (), "public.rules": (), "teams.teams": (),
    "teams.standings_page": ("after",), "brackets.bracket": (), "brackets.crosstable": (), "awards.page": (),
    "meeting.page": (),
}  # fmt: skip
"""The pages that become files, and which parts of their queries are pages of their own."""
MOST_PAGES = 400
"""Where there were more, players have no pages of their own: what is on them stands on the others too."""
STYLE = "overseer.css"
COPY = Markup(
    '<p class="flash flash-old"><span>A copy as of {when}: it does not change any more. '
    '<a href="{live}">The live page</a></span></p>'
)


def static_pages(event: Event, others: Mapping[str, str]) -> dict[str, bytes]:
    """The event's pages by the names of their files, its front page ``index.html``, and the stylesheet.

    ``others`` are files beside them by the addresses that they were asked at. Pages are asked of the application itself
    by a visitor without a cookie, in a context of its own: nothing that the one who presses may see can be in them.
    """
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    start, server = url_for("public.event", slug=event.slug), outside_url("public.home")
    asked = Context().run(_asked, app, start, server)
    files = {address: "index.html" if address == start else file_of(address, start) for address in asked}
    style = url_for("static", filename=STYLE)
    when = local(now(), event, "%A %-d %B %Y, %H:%M")
    found = {STYLE: (Path(app.root_path) / "static" / STYLE).read_bytes()}
    for address, page in asked.items():
        told = COPY.format(when=escape(when), live=escape(server.rstrip("/") + address))
        known = {**others, **files, style: STYLE}
        found[files[address]] = as_file(page, known, server, told).encode()
    return found


def _asked(app: Flask, start: str, server: str) -> dict[str, ReadPage]:
    """Every page that can be reached from the event's, by its address."""
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
    """The endpoint of an address that becomes a file; "" for any other."""
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
