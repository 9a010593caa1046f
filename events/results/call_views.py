"""Calls for a judge."""

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from events.results import calls
from events.store.errors import Refused
from events.store.games import own_game
from events.visitors.loading import (
    event_or_404,
    game_or_404,
    managed_event,
    own_player_or_403,
    visitor,
)
from events.web.request import db, saving
from languages.words import gettext

blueprint = Blueprint("call", __name__)


@blueprint.post("/e/<slug>/me/judge")
def call_judge(slug: str) -> ResponseReturnValue:
    """Call a judge to the player's own table, or cancel the call."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    game = own_game(db(), event, player)
    action = calls.cancel_call if request.form.get("do") == "undo" else calls.call_judge
    with saving(event) as act:
        if game is None:
            raise Refused(gettext("There is no game now to call a judge to. Go to the desk."))
        action(act, game, player)
    return redirect(url_for("player.today", slug=slug))


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/call")
def answer_call(slug: str, game_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    account = visitor().account
    assert account is not None  # noqa: S101 - managed_event has seen to it
    with saving(event) as act:
        if request.form.get("do") == "close":
            calls.close(act, game)
        else:
            calls.take_call(act, game, account.name)
    desk = url_for("desk.desk", slug=slug)
    back = request.form.get("back", "")
    return redirect(back if back == desk or back.startswith(f"{desk}/") else desk)
