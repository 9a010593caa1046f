"""The offline copies on a player's phone: the service worker, the web app manifest, and which pages may be stored.

Every page keeps ``Cache-Control: private, no-store``, so that no cache stores it. The service worker stores pages with
the header ``Offline-Copy``, for the player named by ``Offline-For``.
"""

import hashlib
import logging
from pathlib import Path

from flask import (
    Blueprint,
    Response,
    current_app,
    flash,
    g,
    jsonify,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError
from werkzeug.wrappers import Response as Answer

from events.accounts.actions import end_sign_in
from events.accounts.browser import end_page_sign_in, forget_opened
from events.messages.devices import DEVICE, remove_device
from events.store.visitor import Visitor
from events.visitors.loading import event_or_404, forget_player, own_player_or_403, visitor
from events.visitors.queries import players_in_cookie
from events.web.request import changing_club, now
from events.web.static_files import files_release, static_files
from languages.words import gettext
from models.play import Player, PlayerState
from service.typeface import LATIN

blueprint = Blueprint("offline", __name__)


NOBODY = "none"


COPIES = frozenset(
    {
        "player.today",
        "public.event",
        "rounds.round_page",
        "standings.standings_page",
        "standings.team_standings_page",
        "scenario.scenario_page",
        "public.player",
        "lists.own_list",
        "results.report_game",
        "campaigns.campaign_page",
        "campaigns.group",
    }
)
"""The endpoints that a phone may store; of the player pages in ``OWN`` only the player's own.

Never another player's list.
"""


OWN = ("public.player", "campaigns.group")


ELSEWHERE = frozenset({
    "builder.css", "builder.js", "builder_choices.js", "builder_favourites.js", "desk.css", "desk.js", "draft.js",
    "hall.css", "passkey.js", "push.js",
})  # fmt: skip
"""Files that no offline page needs; they are stored when first used."""


@blueprint.get("/worker.js")
def worker() -> ResponseReturnValue:
    """The service worker, served at the root to cover all pages. It changes with every release."""
    files = [path.name for path in static_files(Path(current_app.static_folder or "")) if path.name not in ELSEWHERE]
    addresses = [url_for("static", filename=name) for name in (*files, LATIN)]
    icon = url_for("static", filename="icon-192.png")
    answer = Response(
        render_template("hall/worker.js", release=files_release(), files=addresses, icon=icon),
        mimetype="text/javascript; charset=utf-8",
    )
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blueprint.get("/e/<slug>/app.webmanifest")
def manifest(slug: str) -> ResponseReturnValue:
    """The web app manifest; the app opens the player's page. The same for every visitor, without secrets."""
    event = event_or_404(slug)
    start = url_for("player.today", slug=slug)
    answer = jsonify(
        id=start,
        name=event.name,
        short_name=event.name if len(event.name) <= 12 else "Overseer",
        start_url=start,
        scope=url_for("public.event", slug=slug),
        display="standalone",
        lang=event.language or "en",
        background_color="#f5f1e6",
        theme_color="#f5f1e6",
        icons=[
            {"src": url_for("static", filename="icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": url_for("static", filename="icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {
                "src": url_for("static", filename="icon-maskable-512.png"),
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "maskable",
            },
        ],
    )
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.post("/e/<slug>/me/forget")
def forget(slug: str) -> ResponseReturnValue:
    """Sign the player out of this browser and delete its offline copies.

    ``offline.js`` deletes the stored pages before it sends this request. The header clears the browser's cache but not
    its storage, which may hold unsent results.
    """
    event = event_or_404(slug)
    player = own_player_or_403(event)
    with changing_club() as s:
        remove_device(s, player, int(session.get(DEVICE, {}).get(str(event.id), 0)))
        if (held := players_in_cookie(session).get(event.id)) is not None:
            end_sign_in(s, held.number, now())
    if visitor().own_entry == player.id:
        end_page_sign_in()  # it opens this player's page too
    forget_player(event)
    forget_opened()
    flash(gettext("This device is signed out. Your private link opens your page again."), "message")
    answer = redirect(url_for("public.event", slug=slug))
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


def offline_for() -> str:
    """The value of ``Offline-For``: the players that this browser is signed in as, or ``NOBODY``.

    It changes with a renewed link, a new session key, and another player with the same id after a restore.
    """
    held = sorted((p.event_id, p.id, _key(p)) for p in _held())
    return "_".join("-".join(map(str, row)) for row in held) or NOBODY


def kept_addresses() -> str:
    """The page of the event and that of the player, for each entry that this browser holds."""
    slugs = [g.visitor.events[player.event_id].slug for player in _held()]
    return " ".join(url_for(page, slug=slug) for slug in slugs for page in ("public.event", "player.today"))


def _held() -> list[Player]:
    who: Visitor | None = g.get("visitor")
    if who is None or not session.get("players") or session.get("organiser"):
        return []
    return [player for player in who.players.values() if player.state != PlayerState.DROPPED and _by_own_link(player)]


def _by_own_link(player: Player) -> bool:
    """Whether this browser is signed in as the player by the entry's own link: a person's page opens it for a while."""
    held = players_in_cookie(session).get(player.event_id)
    return held is not None and held.row_id == player.id


def _key(player: Player) -> str:
    """A digest of the player's link, secret and session key."""
    parts = f"{player.link_generation} {player.secret} {player.session_key}"
    return hashlib.sha256(parts.encode()).hexdigest()[:12]


def may_store() -> bool:
    """Whether the phone of the requesting player may store this page."""
    if offline_for() == NOBODY or request.method not in ("GET", "HEAD") or request.endpoint not in COPIES:
        return False
    who: Visitor = g.visitor
    player = who.player_in(g.event) if "event" in g else None
    if player is None or player.state == PlayerState.DROPPED or not _by_own_link(player):
        return False
    return request.endpoint not in OWN or (request.view_args or {}).get("player_id") == player.id


def set_owner_headers(response: Answer) -> Answer:
    """Set the headers ``Offline-For`` and ``Offline-Copy`` on an HTML page."""
    if (
        response.mimetype != "text/html"
        or response.status_code in range(300, 400)
        or ("visitor" not in g and session.get("players"))
    ):
        return response  # an error before the visitor was loaded
    try:
        response.headers["Offline-For"] = offline_for()
        if response.status_code == 200 and may_store():
            response.headers["Offline-Copy"] = "yes"
    except DBAPIError as error:  # the answer is complete, so a lost database connection must not break it
        logging.getLogger("overseer").warning("a connection ended when its answer was ready: %s", error.orig)
    return response
