"""The seeds of a knockout from the start, in the organiser's order; whoever has no number follows by lot."""

from collections.abc import Sequence

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.actions.seeding import set_seeds, why_not_seeded
from events.errors import Refused
from events.reading import placed, players_of, round_views
from events.views.fields import number
from events.views.request import actor, changing, db, managed_event, now
from models.event import EventFormat
from models.play import Player

blueprint = Blueprint("seeding", __name__)


@blueprint.route("/e/<slug>/desk/seeding", methods=["GET", "POST"])
def change(slug: str) -> ResponseReturnValue:
    """A number beside each name; 404 where the format seeds nobody by hand."""
    event = managed_event(slug)
    if event.format != EventFormat.KNOCKOUT:
        abort(404)
    everybody = sorted(placed(players_of(db(), event)), key=lambda p: (p.seed_number or 9999, p.name_key))
    form = _form(everybody)
    if form.validate_on_submit():
        wanted = {player.id: form[f"seed-{player.id}"].data for player in everybody}
        try:
            with changing(event) as s:
                set_seeds(s, event, wanted, actor(event), now())
        except Refused as refused:
            place = f"seed-{refused.field}" if refused.field else ""
            if place in form:
                form[place].errors = [*form[place].errors, refused.message]
            else:
                form.form_errors.append(refused.message)
        else:
            flash("Saved.", "success")
            return redirect(url_for("seeding.change", slug=slug))
    why_not = why_not_seeded(event, round_views(db(), event))
    page = render_template("desk/seeding.html", form=form, players=everybody, why_not=why_not)
    return page, 422 if form.errors else 200


def _form(everybody: Sequence[Player]) -> FlaskForm:
    """A form with a field for each player, named by the player's id: who enters meanwhile moves no number."""
    fields = {f"seed-{p.id}": number(p.name, 1, len(everybody), required=False) for p in everybody}
    form: FlaskForm = type("SeedingForm", (FlaskForm,), fields)(data={f"seed-{p.id}": p.seed_number for p in everybody})
    return form
