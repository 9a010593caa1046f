"""The door: a queue checked in by two letters and Enter each, and what a place costs."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.actions import payments
from events.actions.arrivals import check_in_many
from events.actions.players import paint_first
from events.errors import Refused
from events.finding import findable
from events.name_search import LONGEST, find
from events.readiness import not_here, owes
from events.reading import players_of
from events.views.fields import text
from events.views.request import actor, changing, db, managed_event, now
from events.views.way_back import done_line, noted
from models.event import Event
from models.play import Player, PlayerState

blueprint = Blueprint("door", __name__)

MOST_SHOWN = 30


class FeeForm(FlaskForm):
    """What a place costs."""

    fee = text(
        "What a place costs", 60, required=False,
        description="In words, as players read it on the event's page: “15 €, at the door”. Left empty, a place costs "
        "nothing and nobody is asked whether they have paid.",
    )  # fmt: skip


@blueprint.route("/e/<slug>/desk/door", methods=["GET", "POST"])
def page(slug: str) -> ResponseReturnValue:
    """A few letters and Enter check in whoever alone can be meant; else those who can are shown with a button each."""
    event = managed_event(slug)
    typed = (request.values.get("q") or "").strip()[:LONGEST]
    found = find(typed, findable(db(), event, players_of(db(), event)))
    expected = [p for p in found if p.state == PlayerState.REGISTERED]
    if request.method == "POST" and len(expected) == 1 and not paint_first(event, expected[0]):
        return _let_in(event, expected[0])
    everybody = players_of(db(), event)
    done = done_line(event)
    return render_template(
        "desk/door.html",
        typed=typed,
        found=found[:MOST_SHOWN],
        more=max(0, len(found) - MOST_SHOWN),
        expected=not_here(event, everybody),
        here=sum(p.state == PlayerState.CHECKED_IN for p in everybody),
        done=done,
        owing=next((p for p in everybody if done and p.id == done.details.get("player") and owes(event, p)), None),
        owes=owes,
    )


def _let_in(event: Event, player: Player) -> ResponseReturnValue:
    did: list[int] = []
    with noted(event, did) as s:
        for refusal in check_in_many(s, event, [player], actor(event), now())[1]:
            raise Refused(refusal)
    return redirect(url_for("door.page", slug=event.slug, did=did[0] if did else None))


@blueprint.route("/e/<slug>/desk/fee", methods=["GET", "POST"])
def fee(slug: str) -> ResponseReturnValue:
    """What a place costs: with it come the marks of who has paid."""
    event = managed_event(slug)
    form = FeeForm(data={"fee": event.fee})
    if form.validate_on_submit():
        with changing(event) as s:
            payments.set_fee(s, event, form.fee.data, actor(event), now())
        flash("Saved.", "success")
        return redirect(url_for("desk.players", slug=slug))
    return render_template("desk/fee.html", form=form), 422 if form.errors else 200
