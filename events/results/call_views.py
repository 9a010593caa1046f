"""Calling a judge from a player's page, and answering the call at the desk."""

from flask import Blueprint, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from events.accounts.loading import actor, event_or_404, game_or_404, managed_event, own_player_or_403, visitor
from events.play.errors import Refused
from events.play.in_play import own_game
from events.results import calls
from events.web.request import changing, db, now

blueprint = Blueprint("call", __name__)


@blueprint.post("/e/<slug>/me/judge")
def mine(slug: str) -> ResponseReturnValue:
    """Call a judge to the player's own table, or cancel the call."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    game = own_game(db(), event, player)
    try:
        if game is None:
            raise Refused("There is no game now to call a judge to. Go to the desk.")
        with changing(event) as s:
            act = calls.cancel_call if request.form.get("do") == "undo" else calls.call_judge
            act(s, event, game, player, actor(event), now())
    except Refused as refused:
        flash(refused.message, "error")
    return redirect(url_for("player.today", slug=slug))


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/call")
def answer(slug: str, game_id: int) -> ResponseReturnValue:
    """Accept a call, or close it."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    account = visitor().account
    assert account is not None  # noqa: S101 - managed_event has seen to it
    try:
        with changing(event) as s:
            if request.form.get("do") == "close":
                calls.close(s, event, game, actor(event), now())
            else:
                calls.take(s, event, game, actor(event), account.name, now())
    except Refused as refused:
        flash(refused.message, "error")
    desk = url_for("desk.desk", slug=slug)
    back = request.form.get("back", "")
    return redirect(back if back == desk or back.startswith(f"{desk}/") else desk)
