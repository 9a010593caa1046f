"""The rounds that a player will miss, and the pairs of players kept apart."""

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import RadioField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange

from events.accounts.loading import actor, managed_event, player_or_404
from events.play.errors import Refused
from events.play.parsing import whole_number
from events.play.queries import players_of
from events.play.rounds import round_views
from events.rounds.byes import ask_bye, keep_apart, let_meet, withdraw_bye
from events.web.forms import show_at_field
from events.web.idempotency import saving
from events.web.request import LONGEST_ID, changing, db, now
from models.event import Event, KeptApart, KeptWhen, RoundKind, RoundState
from models.play import GameState, Player

blueprint = Blueprint("bye", __name__)


class ByeForm(FlaskForm):
    """A round that the player will miss."""

    number = SelectField("Round", coerce=whole_number)


def part_in_rounds(event: Event, player: Player) -> dict[str, Any]:
    """For the player's page: the rounds that the player can miss or will miss, and the open game."""
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
def change_byes(slug: str, player_id: int) -> ResponseReturnValue:
    """Request a bye for the player, or withdraw the request."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    form = ByeForm()
    form.number.choices = [SelectChoice(str(n), str(n)) for n in range(1, event.rounds + 1)]
    comes = request.form.get("do") == "comes"
    if not form.validate():
        flash("Choose one of the event's rounds.", "error")
        return redirect(url_for("players.player", slug=slug, player_id=player_id, _anchor="byes"))
    number = form.number.data
    message = f"{player.name} plays round {number}." if comes else f"{player.name} has a bye in round {number}."
    with saving(event, message) as s:
        (withdraw_bye if comes else ask_bye)(s, event, player, number, actor(event), now())
    return redirect(url_for("players.player", slug=slug, player_id=player_id, _anchor="byes"))


class KeptApartForm(FlaskForm):
    """Two players to keep apart, in which rounds, and who asked for it."""

    one = SelectField("Player", [NumberRange(min=1, message="Choose a player.")], coerce=whole_number)
    other = SelectField("and", [NumberRange(min=1, message="Choose a player.")], coerce=whole_number)
    when = RadioField(
        "Kept apart",
        choices=[
            SelectChoice(KeptWhen.FIRST_ROUND.value, "In round 1"),
            SelectChoice(KeptWhen.ALWAYS.value, "In every round"),
        ],
        default=KeptWhen.FIRST_ROUND.value,
    )
    asked = RadioField(
        "Who asked",
        choices=[
            SelectChoice("organiser", "Nobody: the organiser’s decision"),
            SelectChoice("one", "The first player"),
            SelectChoice("other", "The second player"),
        ],
        default="organiser",
        description="Shown only on this page, not to players or in the journal.",
    )

    def offer(self, event: Event) -> None:
        """Fill in the choices of players, by name."""
        people = sorted(players_of(db(), event), key=lambda p: p.name_key)
        choices = [SelectChoice("0", "Choose a player"), *(SelectChoice(str(p.id), p.name) for p in people)]
        self.one.choices = self.other.choices = choices


@blueprint.route("/e/<slug>/desk/kept-apart", methods=["GET", "POST"])
def kept_apart_page(slug: str) -> ResponseReturnValue:
    """The pairs kept apart, and a form to add one."""
    event = managed_event(slug)
    form = KeptApartForm()
    form.offer(event)
    if form.validate_on_submit():
        asked = {"one": form.one.data, "other": form.other.data}.get(form.asked.data)
        try:
            with changing(event) as s:
                keep_apart(
                    s, event, form.one.data, form.other.data, KeptWhen(form.when.data), asked, actor(event), now()
                )
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash("They are kept apart from the next draw on.", "success")
            return redirect(url_for("bye.kept_apart_page", slug=slug))
    people = {p.id: p for p in players_of(db(), event)}
    page = render_template("rounds/kept_apart.html", form=form, pairs=event.kept_apart, people=people)
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/kept-apart/<int:pair_id>/remove")
def remove_kept_apart(slug: str, pair_id: int) -> ResponseReturnValue:
    """Remove a pair from the list."""
    event = managed_event(slug)
    pair = db().get(KeptApart, pair_id) if pair_id <= LONGEST_ID else None
    if pair is None or pair.event_id != event.id:
        abort(404)
    with saving(event, "They may meet again.") as s:
        let_meet(s, event, pair, actor(event), now())
    return redirect(url_for("bye.kept_apart_page", slug=slug))
