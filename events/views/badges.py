"""Badges: a sheet for all, or one for a player. Their code is the private link only for staff who may see it."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from events import access
from events.reading import players_of
from events.typed import whole_number
from events.views.paper import pdf_answer, printed_at
from events.views.request import db, managed_event, outside_url, private_link, visitor
from models.play import PlayerState
from pdf.badges import Badge, badges

blueprint = Blueprint("badges", __name__)


@blueprint.get("/e/<slug>/desk/badges.pdf")
def sheet(slug: str) -> ResponseReturnValue:
    """Every player who has not dropped, by name; with ``?player=`` one alone.

    Other staff print the address of the player's public page: a link on paper is one that they could open.
    """
    event = managed_event(slug)
    wanted = request.args.get("player", type=whole_number)
    entered = sorted(players_of(db(), event), key=lambda player: player.name_key)
    chosen = [
        player
        for player in entered
        if player.id == wanted or ("player" not in request.args and player.state != PlayerState.DROPPED)
    ]
    if "player" in request.args and not chosen:
        abort(404)
    private = access.may_see_private_links(visitor(), event)
    made = [
        Badge(
            player.name,
            player.faction,
            player.club,
            private_link(player) if private else outside_url("public.player", slug=slug, player_id=player.id),
            private=private,
        )
        for player in chosen
    ]
    name = "badge" if "player" in request.args else "badges"
    return pdf_answer(event, name, lambda size: badges(event.name, made, size, printed_at(event)))
