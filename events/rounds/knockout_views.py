"""The knockout: the public bracket; at the desk the seeds, the cut, and who advances."""

import secrets
from collections.abc import Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.accounts import access
from events.accounts.loading import actor, event_or_404, game_or_404, managed_event, polled, visitor
from events.pairing.knockout import Bracket, rounds, rounds_for, stage
from events.play.errors import Refused
from events.play.queries import placed, players_of, scenarios_of
from events.play.rounds import public_round_views, round_views
from events.rounds import knockout
from events.rounds.knockout import set_seeds, why_not_seeded
from events.rounds.queries import shown_bracket
from events.web.forms import number
from events.web.idempotency import id_sent, saving
from events.web.request import changing, db, now
from models.event import Event, EventFormat, Round
from models.play import Player, Side

blueprint = Blueprint("knockout", __name__)


@blueprint.get("/e/<slug>/bracket")
def bracket(slug: str) -> ResponseReturnValue:
    """The bracket by round. Organisers also see a drawn round before it is published."""
    event = event_or_404(slug)
    views = (round_views if access.may_pair(visitor(), event) else public_round_views)(db(), event)
    seen = [v for v in views if access.may_see_round(visitor(), event, v.round)]
    found, third = shown_bracket(event, seen)
    if not found:
        abort(404)
    people = {p.id: p for p in players_of(db(), event)}
    return polled(render_template("rounds/bracket.html", rounds=found, third=third, people=people), event)


@blueprint.get("/e/<slug>/desk/cut")
def cut(slug: str) -> ResponseReturnValue:
    """Preview the cut and its first round."""
    return _cut_page(managed_event(slug))


@blueprint.post("/e/<slug>/desk/cut")
def make_cut(slug: str) -> ResponseReturnValue:
    """Make the previewed cut and draw its first round."""
    event = managed_event(slug)
    try:
        with changing(event) as s:
            seen, seed = request.form.get("seen", ""), secrets.randbits(48)
            chosen = request.form.getlist("scenario")
            number = knockout.make_cut(s, event, seen, seed, actor(event), now(), scenarios=chosen).number
    except Refused as refused:
        flash(refused.message, "error")
        return redirect(url_for("knockout.cut", slug=slug))
    flash("The cut is made and its first round drawn. Nobody else sees it until you publish it.", "success")
    return redirect(url_for("rounds.manage", slug=slug, number=number))


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/through")
def send_through(slug: str, game_id: int) -> ResponseReturnValue:
    """Record who advances after a drawn game."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    number = db().get_one(Round, game.round_id).number
    side = request.form.get("side", "")
    if side not in set(Side):
        abort(422)
    with saving(event, "Noted.") as s:
        version = id_sent("version")
        knockout.send_through(
            s, event, game, Side(side), actor(event), now(), version=-1 if version is None else version
        )
    return redirect(url_for("rounds.manage", slug=slug, number=number))


def _cut_page(event: Event) -> ResponseReturnValue:
    players, views = players_of(db(), event), round_views(db(), event)
    why_not = knockout.why_no_cut(event, views)
    found: knockout.Cut | None = None
    if not why_not:
        try:
            found = knockout.cut_now(db(), event, players, views)
        except Refused as refused:
            why_not = refused.message
    matches = rounds(Bracket(tuple(row.id for row in found.rows)))[0] if found else ()
    return render_template(
        "rounds/cut.html",
        cut=found,
        why_not=why_not,
        people={str(p.id): p for p in players},
        matches=matches,
        stage=stage(2 * len(matches), many=True) if matches else "",
        seed_of={row.id: place for place, row in enumerate(found.rows, start=1)} if found else {},
        after=len(views),
        stages=[stage(2 << number, many=True) for number in range(rounds_for(len(found.rows)))][::-1] if found else (),
        scenarios=scenarios_of(db(), event).values(),
    )


@blueprint.route("/e/<slug>/desk/seeding", methods=["GET", "POST"])
def change_seeding(slug: str) -> ResponseReturnValue:
    """Set the seeds; 404 unless the event is a knockout from the start."""
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
            return redirect(url_for("knockout.change_seeding", slug=slug))
    why_not = why_not_seeded(event, round_views(db(), event))
    page = render_template("rounds/seeding.html", form=form, players=everybody, why_not=why_not)
    return page, 422 if form.errors else 200


def _form(everybody: Sequence[Player]) -> FlaskForm:
    """A form with one field per player, named by id so that late entries cannot shift the fields."""
    fields = {f"seed-{p.id}": number(p.name, 1, len(everybody), required=False) for p in everybody}
    form: FlaskForm = type("SeedingForm", (FlaskForm,), fields)(data={f"seed-{p.id}": p.seed_number for p in everybody})
    return form
