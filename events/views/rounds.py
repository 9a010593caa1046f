"""The rounds of the desk: draw, publish, follow the results."""

import secrets
from collections.abc import Callable
from functools import partial

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events import access
from events.actions import drawing, rounds
from events.actions.taking_part import in_the_field, sitting_out, stand_in
from events.brackets import request_drawn
from events.outcomes import score_of
from events.public_rounds import is_seen_as_draft
from events.reading import (
    placed,
    players_of,
    round_of,
    round_view,
    round_views,
)
from events.team_reading import is_team_event
from events.views.draft_page import draft_page, publish_question
from events.views.draft_rows import draft_costs
from events.views.press import pressed
from events.views.published import taking_back
from events.views.request import actor, db, managed_event, now, round_or_404, visitor
from events.views.team_rounds import team_round_page
from models.event import Event, Round, RoundState

blueprint = Blueprint("rounds", __name__)


@blueprint.get("/e/<slug>/desk/rounds/<int:number>")
def manage(slug: str, number: int) -> ResponseReturnValue:
    """One round at the desk, in whatever state it is."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if the_round.state == RoundState.DRAWN and not access.may_pair(visitor(), event):
        return render_template("desk/not_yet.html", round=the_round, views=round_views(db(), event))
    if is_team_event(event):
        return team_round_page(event, the_round, publish_question(event, number, players_of(db(), event)))
    return _page(event, the_round)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/draw")
def draw(slug: str, number: int) -> ResponseReturnValue:
    """Draw the round for the organiser's eyes; with ``over``, in place of that draw; with ``same`` by its seed."""
    event = managed_event(slug)
    seed = round_or_404(event, number).seed if request.form.get("same") == "1" else None
    seed = secrets.randbits(48) if seed is None else seed
    draw_it = partial(drawing.draw_round, over=request.args.get("over", ""))
    return _draft(event, number, draw_it, "Drawn. Nobody else sees it until you publish it.", seed)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/discard")
def discard(slug: str, number: int) -> ResponseReturnValue:
    """Throw the draw away."""
    return _draft(managed_event(slug), number, rounds.discard_draw, "The draw is discarded.")


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/publish")
def publish(slug: str, number: int) -> ResponseReturnValue:
    """Show the round to everybody."""
    publish_it = partial(rounds.publish_round, sure=request.form.get("sure") == "1")
    return _act(managed_event(slug), number, publish_it, f"Round {number} is published.")


def _draft(event: Event, number: int, action: Callable[..., object], said: str, *extra: int) -> ResponseReturnValue:
    public = is_seen_as_draft(round_or_404(event, number))
    return _act(event, number, action, said, *extra, public=public)


def _act(
    event: Event, number: int, action: Callable[..., object], said: str, *extra: int, public: bool = True
) -> ResponseReturnValue:
    round_or_404(event, number)
    with pressed(event, said, public=public) as s:
        action(s, event, number, *extra, actor(event), now())
    if round_of(db(), event, number) is None:  # a cut goes with the draw of its first round
        return redirect(url_for("knockout.cut", slug=event.slug))
    return redirect(url_for("rounds.manage", slug=event.slug, number=number))


def _page(event: Event, the_round: Round) -> ResponseReturnValue:
    if the_round.state == RoundState.DRAWN:
        return draft_page(event, the_round)
    view = round_view(db(), event, the_round)
    played = {g.id: scenario for g in view.games if (scenario := view.scenario_at(g))}
    number = the_round.number
    scores = {g.id: score for g in view.games if (score := score_of(event, number, view.scenario_at(g), g))}
    entered, views = players_of(db(), event), round_views(db(), event)
    return render_template(
        "desk/round.html",
        view=view,
        views=views,
        people={p.id: p for p in entered},
        here=sum(p.state == "checked_in" for p in entered),
        to_draw=len(in_the_field(entered, the_round.number)),
        misses=sitting_out(entered, the_round.number),
        stands_in=stand_in(entered, the_round.number),
        absent=[p for p in placed(entered) if p.state == "registered"],
        scenario=view.shared,
        played=played,
        scores=scores,
        back=taking_back(event, the_round),
        costs=draft_costs(view) if the_round.outcome else None,
        by_hand=not the_round.inputs or request_drawn(the_round).format.kind == "swiss",
        why_not=drawing.why_not_drawn(event, entered, views, the_round.number),
    )
