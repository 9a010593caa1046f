"""Penalties, bonuses and cards at the desk: all of them with their reasons, a form for one more, taken back."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import RadioField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange

from events import access
from events.actions.rulings import Follows, Given, give_ruling, take_back_ruling
from events.errors import Refused
from events.reading import player_of, players_of, rounds_of
from events.soft_rules import soft_rules
from events.views.fields import number, show_at_field, text
from events.views.press import pressed
from events.views.request import LONGEST_ID, actor, changing, db, managed_event, now, visitor
from models.award import Card, Ruling
from models.event import Event, RoundState

blueprint = Blueprint("rulings", __name__)

MOST_POINTS, MOST_VP = 100, 1000


class RulingForm(FlaskForm):
    """What is given, to whom, and why."""

    player = SelectField("Player", [NumberRange(min=1, message="Choose a player.")], coerce=int)
    round_number = SelectField("For", coerce=int)
    points = number("Tournament points", -MOST_POINTS, MOST_POINTS, description="Less than 0 is a penalty.", default=0)
    vp = number("Victory points", -MOST_VP, MOST_VP, description="Less than 0 is a penalty.", default=0)
    card = RadioField(
        "Card",
        choices=[SelectChoice("", "None"), SelectChoice("yellow", "Yellow"), SelectChoice("red", "Red")],
        default="",
    )
    follows = RadioField(
        "A red card costs",
        choices=[
            SelectChoice(Follows.NOTHING.value, "Nothing: it is no red card"),
            SelectChoice(Follows.GAME_LOST.value, "The game of that round, whatever was played"),
            SelectChoice(Follows.DISQUALIFIED.value, "The event: disqualified, and out at once"),
        ],
        default="",
    )
    reason = text("Reason", 300, description="The player and the staff read it; others see the points alone.")

    def offer(self, event: Event, *, cards: bool) -> None:
        """Fill in the players, the rounds, and the cards for whoever may show them."""
        people = sorted(players_of(db(), event), key=lambda p: p.name_key)
        self.player.choices = [SelectChoice("0", "Choose a player"), *(SelectChoice(str(p.id), p.name) for p in people)]
        published = [one.number for one in rounds_of(db(), event) if one.state == RoundState.PUBLISHED]
        self.round_number.choices = [
            SelectChoice("0", "The whole event"),
            *(SelectChoice(str(n), f"Round {n}") for n in reversed(published)),
        ]
        if not cards:
            del self.card, self.follows
        elif soft_rules(event).second_yellow:
            self.card.description = "The second yellow card of a player is a red one."

    def given(self) -> Given:
        """What the form says."""
        return Given(
            self.reason.data,
            self.points.data,
            self.vp.data,
            Card(self.card.data) if self.card and self.card.data else None,
            self.round_number.data or None,
            Follows(self.follows.data) if self.follows else Follows.NOTHING,
        )


@blueprint.route("/e/<slug>/desk/rulings", methods=["GET", "POST"])
def manage(slug: str) -> ResponseReturnValue:
    """All rulings of the event, and a form for one more."""
    event = managed_event(slug)
    chosen = request.args.get("player", 0, type=int)
    form = RulingForm(data={"player": chosen, "points": 0, "vp": 0})
    form.offer(event, cards=access.may_give_cards(visitor(), event))
    if form.validate_on_submit():
        player = player_of(db(), event, form.player.data)
        if player is None:
            abort(404)
        try:
            with changing(event) as s:
                give_ruling(s, event, player, form.given(), actor(event), now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash(f"Stored for {player.name}, who reads it with its reason.", "success")
            return redirect(url_for("rulings.manage", slug=slug))
    page = render_template(
        "desk/rulings.html",
        form=form,
        rulings=list(reversed(event.rulings)),
        people={p.id: p for p in players_of(db(), event)},
        rules=soft_rules(event),
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/rulings/<int:ruling_id>/take-back")
def take_back(slug: str, ruling_id: int) -> ResponseReturnValue:
    """Take one back; a card only by whoever may show one."""
    event = managed_event(slug)
    ruling = db().get(Ruling, ruling_id) if ruling_id <= LONGEST_ID else None
    if ruling is None or ruling.event_id != event.id:
        abort(404)
    if ruling.card is not None and not access.may_give_cards(visitor(), event):
        abort(403)
    with pressed(event, "Taken back: it counts no more.") as s:
        take_back_ruling(s, event, ruling, actor(event), now())
    return redirect(url_for("rulings.manage", slug=slug))
