"""The knockout at the desk: a look at the cut before it is made, and who goes through after a drawn game."""

import secrets

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events import access
from events.actions import knockout
from events.errors import Refused
from events.pairing.knockout import Bracket, rounds, rounds_for, stage
from events.reading import players_of, round_views, scenarios_of
from events.views.press import id_sent, pressed
from events.views.request import actor, changing, db, game_or_404, managed_event, now, visitor
from models.event import Event, Round
from models.play import Side

blueprint = Blueprint("knockout", __name__)


@blueprint.get("/e/<slug>/desk/cut")
def cut(slug: str) -> ResponseReturnValue:
    """Who is in the cut, and whom they meet, before it is made."""
    return _cut_page(managed_event(slug))


@blueprint.post("/e/<slug>/desk/cut")
def make_cut(slug: str) -> ResponseReturnValue:
    """Make the cut that was looked at and draw its first round."""
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
    """The organiser's word after a drawn game."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    number = db().get_one(Round, game.round_id).number
    side = request.form.get("side", "")
    if side not in set(Side):
        abort(422)
    with pressed(event, "Noted.") as s:
        version = id_sent("version")
        knockout.send_through(
            s, event, game, Side(side), actor(event), now(), version=-1 if version is None else version
        )
    return redirect(url_for("rounds.manage", slug=slug, number=number))


def _cut_page(event: Event) -> ResponseReturnValue:
    players, views = players_of(db(), event), round_views(db(), event)
    why_not = knockout.why_no_cut(event, views)
    looked: knockout.Cut | None = None
    if not why_not:
        try:
            looked = knockout.cut_now(db(), event, players, views)
        except Refused as refused:
            why_not = refused.message
    matches = rounds(Bracket(tuple(row.id for row in looked.rows)))[0] if looked else ()
    return render_template(
        "desk/cut.html",
        cut=looked,
        why_not=why_not,
        people={str(p.id): p for p in players},
        matches=matches,
        stage=stage(2 * len(matches), many=True) if matches else "",
        seed_of={row.id: place for place, row in enumerate(looked.rows, start=1)} if looked else {},
        after=len(views),
        stages=[stage(2 << number, many=True) for number in range(rounds_for(len(looked.rows)))][::-1]
        if looked
        else (),
        scenarios=scenarios_of(db(), event).values(),
    )


def _stages(players: int) -> list[str]:
    """What the rounds of a knockout of so many are called, from the first on."""
    return [stage(2 << number, many=True) for number in reversed(range(rounds_for(players)))]
