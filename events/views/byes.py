"""The rounds that a player will miss, entered by the organiser on the player's page."""

from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.actions.taking_part import ask_bye, withdraw_bye
from events.reading import round_views
from events.typed import whole_number
from events.views.press import pressed
from events.views.request import actor, db, managed_event, now, player_or_404
from models.event import Event, RoundKind, RoundState
from models.play import GameState, Player

blueprint = Blueprint("byes", __name__)


class ByeForm(FlaskForm):
    """A round that the player will miss."""

    number = SelectField("Round", coerce=whole_number)


def part_in_rounds(event: Event, player: Player) -> dict[str, Any]:
    """What the player's page shows of rounds: which can be missed, which are, and the game that waits for a report."""
    views = round_views(db(), event)
    asked = player.asked_byes or []
    ahead = [v.round for v in views if v.round.state != RoundState.PUBLISHED and v.round.kind != RoundKind.KNOCKOUT]
    waiting = [
        (view.round.number, game)
        for view in views
        for game in view.games
        if view.round.state == RoundState.PUBLISHED
        and player.id in (game.a_id, game.b_id)
        and game.b_id is not None
        and game.state == GameState.OPEN
    ]
    drawn = any(player.id in (game.a_id, game.b_id) for view in views for game in view.games)
    return {
        "may_miss": [one.number for one in ahead if one.number not in asked] if event.team_size == 1 else [],
        "misses": [(number, number in {one.number for one in ahead}) for number in asked],
        "waiting_game": waiting[0] if waiting else None,
        "ever_drawn": drawn,
    }


@blueprint.post("/e/<slug>/desk/players/<int:player_id>/byes")
def change(slug: str, player_id: int) -> ResponseReturnValue:
    """Ask a bye for the player, or take it back."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    form = ByeForm()
    form.number.choices = [SelectChoice(str(n), str(n)) for n in range(1, event.rounds + 1)]
    comes = request.form.get("do") == "comes"
    if not form.validate():
        flash("Choose one of the event's rounds.", "error")
        return redirect(url_for("desk.player", slug=slug, player_id=player_id, _anchor="byes"))
    number = form.number.data
    said = f"{player.name} plays round {number}." if comes else f"{player.name} has a bye in round {number}."
    with pressed(event, said) as s:
        (withdraw_bye if comes else ask_bye)(s, event, player, number, actor(event), now())
    return redirect(url_for("desk.player", slug=slug, player_id=player_id, _anchor="byes"))
