"""Two draws of a round side by side: the draft as it stands, and what another seed gives; either is kept by a press."""

import secrets

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.actions import other_draws
from events.errors import Refused
from events.public_rounds import is_seen_as_draft
from events.reading import players_of, round_view, round_views
from events.team_reading import is_team_event
from events.views.draft_rows import costs_beside, player_lines, reasons
from events.views.request import actor, changing, db, managed_event, now, round_or_404
from events.views.team_drafts import team_lines
from models.event import RoundState

blueprint = Blueprint("draws", __name__)

SEED_BITS = 48
MOST_SEED = 2**63 - 1


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/compare")
def compare(slug: str, number: int) -> ResponseReturnValue:
    """The draft beside the draw of another seed; the address carries the seed, so that organisers can hand it on."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    back = url_for("rounds.manage", slug=slug, number=number)
    if the_round.state != RoundState.DRAWN:
        flash(f"Round {number} is not a draft: there is nothing to compare.", "error")
        return redirect(back)
    seed = _seed(request.args.get("seed", ""))
    if seed is None:
        if request.args.get("seed"):
            flash(f"A seed is a whole number from 0 to {MOST_SEED}; this is a random one.", "error")
        return redirect(url_for("draws.compare", slug=slug, number=number, seed=secrets.randbits(SEED_BITS)))
    try:
        other = other_draws.other_draw(db(), event, number, seed)
    except Refused as refused:
        flash(refused.message, "error")
        return redirect(back)
    view, entered, views = round_view(db(), event, the_round), players_of(db(), event), round_views(db(), event)
    return render_template(
        "desk/compare.html",
        view=view,
        other=other,
        back=back,
        lines=(team_lines if is_team_event(event) else player_lines)(event, other.request, entered, views),
        costs=costs_beside(other.request, other.costs_here, other.costs_there, f"seed {seed}"),
        differing=(
            [(pair, reasons(other.drawn_from, pair)) for pair in other.only_here],
            [(pair, reasons(other.request, pair)) for pair in other.only_there],
        ),
        hand=len((the_round.outcome or {}).get("steps", ())),
    )


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/adopt")
def adopt(slug: str, number: int) -> ResponseReturnValue:
    """Put the draw of another seed in the draft's place, as it was looked at."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    seed = _seed(request.form.get("seed", ""))
    try:
        if seed is None:
            raise Refused("Choose a seed to compare with first.")
        with changing(event, public=is_seen_as_draft(the_round)) as s:
            other_draws.adopt(s, event, number, seed, request.form.get("seen", ""), actor(event), now())
    except Refused as refused:
        flash(refused.message, "error")
    else:
        flash(f"The draw of seed {seed} is the draft now.", "success")
    return redirect(url_for("rounds.manage", slug=slug, number=number))


def _seed(typed: str) -> int | None:
    typed = typed.strip()
    return int(typed) if typed.isdecimal() and typed.isascii() and len(typed) < 20 and int(typed) <= MOST_SEED else None
