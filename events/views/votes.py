"""The player's own page of votes: the best painted force, and what one thinks of one's opponents."""

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import Session
from wtforms import RadioField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired

from events import access_play
from events.actions.soft_scores import candidates, mark_opponent, vote
from events.errors import Refused
from events.public_rounds import public_round_views
from events.reading import players_by_id, players_of
from events.soft_rules import Sports, soft_rules
from events.soft_scores import games_to_mark, list_score, marks_open, vote_open
from events.typed import whole_number
from events.views.fields import show_at_field
from events.views.request import actor, changing, db, event_or_404, now, own_player_or_403, visitor
from models.event import Event
from models.play import Player

blueprint = Blueprint("votes", __name__)

MARKS = {
    Sports.THUMBS: [("1", "Thumb up: I would gladly play them again"), ("0", "Thumb down: it was no pleasure")],
    Sports.SCALE: [
        ("5", "5: a model opponent"), ("4", "4: a pleasure"), ("3", "3: a good game"), ("2", "2: hard going"),
        ("1", "1: the staff should know"),
    ],
}  # fmt: skip


class VoteForm(FlaskForm):
    """One vote for the best painted force."""

    for_id = RadioField("Best painted", [InputRequired("Choose one.")], coerce=whole_number)


class MarkForm(FlaskForm):
    """What one thinks of one opponent; or of all, which was the favourite."""

    mark = RadioField("Mark", [InputRequired("Choose one.")], coerce=whole_number)


@blueprint.route("/e/<slug>/me/votes", methods=["GET", "POST"])
def mine(slug: str) -> ResponseReturnValue:
    """What the visitor may vote for and mark, and what the staff saw of the own painting."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    pressed = request.form.get("do", "") if request.method == "POST" else ""
    forms = _forms(event, player, pressed)
    if request.method == "POST":
        form = forms.get(pressed)
        if form is None:
            abort(403)
        if form.validate():
            try:
                with changing(event) as s:
                    _store(s, event, player, pressed, form)
            except Refused as refused:
                show_at_field(form, refused)
            else:
                flash("Stored. You can change it until the staff closes it.", "success")
                return redirect(url_for("votes.mine", slug=slug))
    own = next((one for one in event.painting_marks if one.player_id == player.id), None)
    rules = soft_rules(event)
    page = render_template(
        "me/votes.html",
        player=player,
        forms=forms,
        games=games_to_mark(public_round_views(db(), event), player),
        names=players_by_id(db(), event),
        rules=rules,
        own=own if rules.by_list else None,
        score=list_score(own, rules) if own else None,
    )
    return page, 422 if any(form.errors for form in forms.values()) else 200


def _forms(event: Event, player: Player, pressed: str) -> dict[str, VoteForm | MarkForm]:
    """What can be sent now, by its button: "vote", "favourite", or the number of a round. One reads what was sent."""
    forms: dict[str, VoteForm | MarkForm] = {}
    if access_play.may_vote(visitor(), event, is_open=vote_open(event)):
        stored = next((one.for_id for one in event.painting_votes if one.voter_id == player.id), None)
        ballot = VoteForm(**_sent(pressed == "vote"), prefix="vote-", data={"for_id": stored})
        others = [one for one in candidates(event, players_of(db(), event)) if one.id != player.id]
        ballot.for_id.choices = [
            SelectChoice(str(one.id), f"{one.name}, {one.faction}" if one.faction else one.name)
            for one in sorted(others, key=lambda one: one.name_key)
        ]
        forms["vote"] = ballot
    if not access_play.may_mark_opponents(visitor(), event, is_open=marks_open(event)):
        return forms
    games = games_to_mark(public_round_views(db(), event), player)
    given = {one.round_number: one.mark for one in event.sports_marks if one.giver_id == player.id}
    way = soft_rules(event).sports
    if way == Sports.FAVOURITE and games:
        names = players_by_id(db(), event)
        form = MarkForm(**_sent(pressed == "favourite"), prefix="favourite-", data={"mark": next(iter(given), None)})
        form.mark.label.text = "Favourite opponent"
        form.mark.choices = [SelectChoice(str(n), f"{names[other].name}, round {n}") for n, other in games]
        forms["favourite"] = form
    for number, _ in games if way != Sports.FAVOURITE else ():
        name = str(number)
        form = MarkForm(**_sent(pressed == name), prefix=f"r{name}-", data={"mark": given.get(number)})
        form.mark.choices = [SelectChoice(value, words) for value, words in MARKS[way]]
        forms[name] = form
    return forms


def _sent(sent: bool) -> dict[str, Any]:
    """Each form reads only its own press."""
    return {} if sent else {"formdata": None}


def _store(s: Session, event: Event, player: Player, pressed: str, form: VoteForm | MarkForm) -> None:
    if isinstance(form, VoteForm):
        vote(s, event, player, form.for_id.data, actor(event), now())
        return
    number, value = (form.mark.data, 1) if pressed == "favourite" else (int(pressed), form.mark.data)
    mark_opponent(s, event, player, number, value, actor(event), now())
