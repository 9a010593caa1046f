"""People who are kept apart: the organiser's list of blocks and wishes, seen by organisers alone."""

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import RadioField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange

from events.actions.kept_apart import keep_apart, let_meet
from events.errors import Refused
from events.reading import players_of
from events.typed import whole_number
from events.views.fields import show_at_field
from events.views.press import pressed
from events.views.request import LONGEST_ID, actor, changing, db, managed_event, now
from models.event import Event, KeptApart, KeptWhen

blueprint = Blueprint("kept_apart", __name__)


class KeptApartForm(FlaskForm):
    """Two players, in which rounds, and who asked."""

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
            SelectChoice("organiser", "Nobody: the organiser decides it"),
            SelectChoice("one", "The first player"),
            SelectChoice("other", "The second player"),
        ],
        default="organiser",
        description="Stays on this page: neither players nor the journal see whose wish it is.",
    )

    def offer(self, event: Event) -> None:
        """Fill in the players by name."""
        people = sorted(players_of(db(), event), key=lambda p: p.name_key)
        choices = [SelectChoice("0", "Choose a player"), *(SelectChoice(str(p.id), p.name) for p in people)]
        self.one.choices = self.other.choices = choices


@blueprint.route("/e/<slug>/desk/kept-apart", methods=["GET", "POST"])
def manage(slug: str) -> ResponseReturnValue:
    """The list, and a form for one more pair."""
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
            return redirect(url_for("kept_apart.manage", slug=slug))
    people = {p.id: p for p in players_of(db(), event)}
    page = render_template("desk/kept_apart.html", form=form, pairs=event.kept_apart, people=people)
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/kept-apart/<int:pair_id>/remove")
def remove(slug: str, pair_id: int) -> ResponseReturnValue:
    """Take a pair off the list."""
    event = managed_event(slug)
    pair = db().get(KeptApart, pair_id) if pair_id <= LONGEST_ID else None
    if pair is None or pair.event_id != event.id:
        abort(404)
    with pressed(event, "They may meet again.") as s:
        let_meet(s, event, pair, actor(event), now())
    return redirect(url_for("kept_apart.manage", slug=slug))
