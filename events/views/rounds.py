"""The rounds of the desk: draw, look, swap by hand, publish, follow the results."""

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange

from events.access import lists_locked
from events.actions import drawing, formats, rounds, swaps
from events.errors import Refused
from events.reading import (
    RoundView,
    forces_of,
    games_of,
    placed,
    players_of,
    round_view,
    round_views,
    system_of,
    terms_of,
    verdict_on,
)
from events.team_reading import is_team_event
from events.views.request import actor, changing, db, local, managed_event, now, round_or_404
from events.views.team_rounds import team_round_page
from models.event import Event, ListsShown, Round, RoundState
from models.play import Player

blueprint = Blueprint("rounds", __name__)


class SwapForm(FlaskForm):
    """Two players who change places."""

    one = SelectField("Player", [NumberRange(min=1, message="Choose a player.")], coerce=int)
    other = SelectField("changes places with", [NumberRange(min=1, message="Choose a player.")], coerce=int)


@blueprint.get("/e/<slug>/desk/rounds/<int:number>")
def manage(slug: str, number: int) -> ResponseReturnValue:
    """One round at the desk, in whatever state it is."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if is_team_event(event):
        return team_round_page(event, the_round, _question(event, number, players_of(db(), event)))
    return _page(event, the_round)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/draw")
def draw(slug: str, number: int) -> ResponseReturnValue:
    """Draw the round, or draw it anew, for the organiser's eyes."""
    event = managed_event(slug)
    return _act(
        event, number, drawing.draw_round, "Drawn. Nobody else sees it until you publish it.", secrets.randbits(48)
    )


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/discard")
def discard(slug: str, number: int) -> ResponseReturnValue:
    """Throw the draw away."""
    return _act(managed_event(slug), number, rounds.discard_draw, "The draw is discarded.")


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/publish")
def publish(slug: str, number: int) -> ResponseReturnValue:
    """Show the round to everybody."""
    publish_it = partial(rounds.publish_round, sure=request.form.get("sure") == "1")
    return _act(managed_event(slug), number, publish_it, f"Round {number} is published.")


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/swap")
def swap(slug: str, number: int) -> ResponseReturnValue:
    """Let two players change places."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    form = _swap_form(event, the_round)
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                warnings = swaps.swap(s, event, number, form.one.data, form.other.data, actor(event), now())
        except Refused as refused:
            form.form_errors.append(refused.message)
        else:
            flash("Swapped." + (" Mind: " + "; ".join(warnings) + "." if warnings else ""), "success")
            return redirect(url_for("rounds.manage", slug=slug, number=number))
    return _page(event, the_round, form)


def _act(event: Event, number: int, action: Callable[..., object], said: str, *extra: int) -> ResponseReturnValue:
    round_or_404(event, number)
    try:
        with changing(event) as s:
            action(s, event, number, *extra, actor(event), now())
    except Refused as refused:
        flash(refused.message, "error")
    else:
        flash(said, "success")
    return redirect(url_for("rounds.manage", slug=event.slug, number=number))


def _swap_form(event: Event, the_round: Round) -> SwapForm:
    form = SwapForm()
    names = {p.id: p.name for p in players_of(db(), event)}
    seated: list[SelectChoice] = []
    for game in games_of(db(), the_round):
        where = f"table {game.table_number}" if game.table_number else "bye"
        seated += [SelectChoice(str(one), f"{names[one]} ({where})") for one in (game.a_id, game.b_id) if one]
    seated.sort(key=lambda choice: choice.label.casefold())
    form.one.choices = form.other.choices = [SelectChoice("0", "Choose a player"), *seated]
    return form


def _page(event: Event, the_round: Round, form: SwapForm | None = None) -> ResponseReturnValue:
    view = round_view(db(), event, the_round)
    system = system_of(event)
    played = {g.id: scenario for g in view.games if (scenario := view.scenario_at(g))}
    scores: dict[int, Any] = {
        g.id: system.score(played[g.id], g.answers) for g in view.games if g.answers and g.id in played
    }
    entered, views = players_of(db(), event), round_views(db(), event)
    drawn = the_round.state == RoundState.DRAWN
    page = render_template(
        "desk/round.html",
        view=view,
        views=views,
        people={p.id: p for p in entered},
        here=sum(p.state == "checked_in" for p in entered),
        absent=[p for p in placed(entered) if p.state == "registered"],
        scenario=view.shared,
        played=played,
        scores=scores,
        form=form or (_swap_form(event, the_round) if drawn else None),
        why_not=drawing.why_not_drawn(event, entered, views, the_round.number),
        stale=_stale(event, entered, views, the_round.number),
        question=_question(event, the_round.number, entered) if drawn else "",
    )
    return page, 422 if form is not None else 200


def _stale(event: Event, entered: Sequence[Player], views: Sequence[RoundView], number: int) -> str:
    outdated = drawing.is_stale(event, entered, views, number) or formats.seeds_outdated(db(), event, entered, views)
    return rounds.STALE if outdated else ""


def _question(event: Event, number: int, entered: Sequence[Player]) -> str:
    """What publishing does, asked before it is done: with round 1 the lists lock, whatever state they are in."""
    if number > 1:
        return f"Everybody sees round {number} at once."
    shown = " and shown" if event.lists_shown == ListsShown.AT_LOCK else ""
    said = [f"Everybody sees round 1 at once, the event starts, and all force lists are locked{shown}."]
    forces, terms = forces_of(db(), event), terms_of(db(), event)
    playing = placed(entered)
    missing = sum(p.id not in forces for p in playing)
    illegal = sum(p.id in forces and not verdict_on(event, p, forces[p.id], terms).legal for p in playing)
    if missing:
        said.append(f"{missing} player{' has' if missing == 1 else 's have'} no list.")
    if illegal:
        said.append(f"{illegal} list{' is' if illegal == 1 else 's are'} not legal.")
    if event.list_deadline is not None and not lists_locked(event, now()):
        said.append(f"Lists lock now, although their deadline lies ahead: {local(event.list_deadline, event)}.")
    return " ".join(said)
