"""The field of a draw at the desk: missed rounds, players kept apart, seeds and the cut; and the public bracket."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms.fields import SelectChoice

from events.rounds import actions, formats
from events.rounds.bracket_page import bracket_or_404
from events.rounds.byes import ask_bye, keep_apart, let_meet, withdraw_bye
from events.rounds.forms import ByeForm, KeptApartForm
from events.store.errors import Refused
from events.store.players import by_name, placed
from events.store.rounds import first_stage
from events.store.scenarios import scenarios_of
from events.tournament.pairing.knockout import Bracket, rounds, rounds_for, stage
from events.visitors import access
from events.visitors.event_loading import loaded_in, players_in, tournament_in
from events.visitors.loading import event_or_404, game_or_404, managed_event, player_or_404, polled, visitor
from events.web.forms import SiteForm, number, refusals_at
from events.web.page_cache import cached_page
from events.web.request import changing, db, id_sent, saving
from languages.words import N_, gettext
from models.base import new_seed
from models.event import KeptApart, KeptWhen, Round
from models.play import Through

blueprint = Blueprint("field", __name__)


@blueprint.post("/e/<slug>/desk/players/<int:player_id>/byes")
def change_byes(slug: str, player_id: int) -> ResponseReturnValue:
    """Request a bye for the player, or withdraw the request."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    form = ByeForm()
    form.number.choices = [SelectChoice(str(n), str(n)) for n in range(1, event.rounds + 1)]
    comes = request.form.get("do") == "comes"
    if not form.validate():
        flash(gettext("Choose one of the event's rounds."), "error")
        return redirect(url_for("players.player_details", slug=slug, player_id=player_id, _anchor="byes"))
    number = form.number.data
    text = N_("%(name)s plays round %(number)s.") if comes else N_("%(name)s has a bye in round %(number)s.")
    with saving(event, gettext(text, name=player.name, number=number)) as act:
        (withdraw_bye if comes else ask_bye)(act, player, number)
    return redirect(url_for("players.player_details", slug=slug, player_id=player_id, _anchor="byes"))


@blueprint.route("/e/<slug>/desk/kept-apart", methods=["GET", "POST"])
def kept_apart_page(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    form = KeptApartForm()
    form.offer(event)
    if form.validate_on_submit():
        asked = {"one": form.one.data, "other": form.other.data}.get(form.asked.data)
        with refusals_at(form):
            with changing(event) as act:
                keep_apart(act, form.one.data, form.other.data, KeptWhen(form.when.data), asked)
            flash(gettext("They are kept apart from the next draw on."), "success")
            return redirect(url_for("field.kept_apart_page", slug=slug))
    people = {p.id: p for p in players_in(event)}
    page = render_template("rounds/kept_apart.html", form=form, pairs=event.kept_apart, people=people)
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/kept-apart/<int:pair_id>/remove")
def remove_kept_apart(slug: str, pair_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    pair = db().get(KeptApart, pair_id)
    if pair is None or pair.event_id != event.id:
        abort(404)
    with saving(event, gettext("They may meet again.")) as act:
        let_meet(act, pair)
    return redirect(url_for("field.kept_apart_page", slug=slug))


@blueprint.get("/e/<slug>/bracket")
@cached_page()
def bracket(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    shown_rounds, third = bracket_or_404(event)
    people = {p.id: p for p in players_in(event)}
    return polled(render_template("rounds/bracket.html", rounds=shown_rounds, third=third, people=people), event)


@blueprint.get("/e/<slug>/desk/cut")
def cut(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    loaded = loaded_in(event)
    why_not = formats.why_no_cut(loaded.t)
    ahead: formats.Cut | None = None
    if not why_not:
        try:
            ahead = formats.cut_now(loaded)
        except Refused as refused:
            why_not = refused.message
    matches = rounds(Bracket(tuple(row.id for row in ahead.rows)))[0] if ahead else ()
    return render_template(
        "rounds/cut.html",
        cut=ahead,
        why_not=why_not,
        people={str(p.id): p for p in loaded.players},
        matches=matches,
        stage=stage(2 * len(matches), many=True) if matches else "",
        seed_of={row.id: place for place, row in enumerate(ahead.rows, start=1)} if ahead else {},
        after=len(loaded.views),
        stages=[stage(2 << number, many=True) for number in range(rounds_for(len(ahead.rows)))][::-1] if ahead else (),
        scenarios=scenarios_of(event).values(),
    )


@blueprint.post("/e/<slug>/desk/cut")
def make_cut(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    try:
        with changing(event, public=False) as act:
            seen, seed = request.form.get("seen", ""), new_seed()
            chosen = request.form.getlist("scenario")
            number = actions.make_cut(act, seen, seed, scenarios=chosen).number
    except Refused as refused:
        flash(refused.message, "error")
        return redirect(url_for("field.cut", slug=slug))
    flash(gettext("The cut is made and its first round drawn. Nobody else sees it until you publish it."), "success")
    return redirect(url_for("rounds.manage_round", slug=slug, number=number))


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/through")
def send_through(slug: str, game_id: int) -> ResponseReturnValue:
    """Record who advances after a drawn game."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    number = db().get_one(Round, game.round_id).number
    side = request.form.get("side", "")
    if side not in set(Through):
        abort(422)
    with saving(event, gettext("Saved.")) as act:
        version = id_sent("version")
        formats.send_through(act, game, Through(side), version=-1 if version is None else version)
    from_paper = request.form.get("page") == "sheet.enter_sheet"
    return redirect(url_for("sheet.enter_sheet" if from_paper else "rounds.manage_round", slug=slug, number=number))


@blueprint.route("/e/<slug>/desk/seeding", methods=["GET", "POST"])
def change_seeding(slug: str) -> ResponseReturnValue:
    """Set the seeds; 404 unless the event is a knockout from the start."""
    event = managed_event(slug)
    if not first_stage(event).one_wins:
        abort(404)
    everybody = sorted(placed(players_in(event)), key=lambda p: (p.seed_number or 9999, by_name(p)))
    # one field per player, named by id so that late entries cannot shift the fields
    fields = {f"seed-{p.id}": number(p.name, 1, len(everybody), required=False) for p in everybody}
    form: FlaskForm = type("SeedingForm", (SiteForm,), fields)(data={f"seed-{p.id}": p.seed_number for p in everybody})
    if form.validate_on_submit():
        wanted = {player.id: form[f"seed-{player.id}"].data for player in everybody}
        try:
            with changing(event) as act:
                formats.set_seeds(act, wanted)
        except Refused as refused:
            place = f"seed-{refused.field}" if refused.field else ""
            if place in form:
                form[place].errors = [*form[place].errors, refused.message]
            else:
                form.form_errors.append(refused.message)
        else:
            flash(gettext("Saved."), "success")
            return redirect(url_for("field.change_seeding", slug=slug))
    why_not = formats.why_not_seeded(event, tournament_in(event))
    page = render_template("rounds/seeding.html", form=form, players=everybody, why_not=why_not)
    return page, 422 if form.errors else 200
