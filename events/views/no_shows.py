"""One press at a game: who did not come, and whether they leave the event at once."""

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from events import access
from events.actions import players
from events.actions.no_shows import missing, set_absent
from events.reading import player_of
from events.views.press import id_sent, pressed
from events.views.request import actor, game_or_404, managed_event, now, visitor
from models.play import Absent

blueprint = Blueprint("no_shows", __name__)

WHO: dict[str, Absent | None] = {"a": Absent.A, "b": Absent.B, "both": Absent.BOTH, "nobody": None}


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/absent")
def absent(slug: str, game_id: int) -> ResponseReturnValue:
    """Say who did not come to a game, or that they turned up."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    version, who = id_sent("version"), request.form.get("who", "")
    if who not in WHO or version is None:
        abort(404)
    drops = request.form.get("drops") == "1"
    said = "Stored. It is undone by one press, or by entering the result." if WHO[who] else "Stored."
    with pressed(event, said) as s:
        set_absent(s, event, game, WHO[who], version=version, actor=actor(event), now=now())
        for id_ in missing(game, WHO[who]) if drops else ():
            player = player_of(s, event, id_)
            if player is not None:
                players.drop(s, event, player, actor(event), now())
    return redirect(url_for("game_desk.decide", slug=slug, game_id=game_id))
