"""The check-in queue, by two letters and Enter each; entry fees; and undoing the last check-in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import Session

from events.accounts import access
from events.accounts.loading import actor, managed_event, visitor
from events.accounts.staff_routes import Question
from events.play.errors import Refused
from events.play.queries import owes, players_of
from events.registration import check_in
from events.registration.actions import paint_first
from events.registration.check_in import check_in_many, newest_press, press_of
from events.registration.readiness import KINDS, not_here
from events.registration.search import LONGEST, find, findable
from events.web.forms import text
from events.web.idempotency import id_asked, pressed
from events.web.request import changing, db, now
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState

blueprint = Blueprint("check_in", __name__)


ASKED: dict[str, Question] = {
    "check-in": access.may_check_in,
    "paid": access.may_mark_paid,
    "unpaid": access.may_mark_paid,
}
"""By the journal's verb: what the press asked, and its taking back asks again."""


@contextmanager
def noted(event: Event, did: list[int], said: str = "") -> Iterator[Session]:
    """A press as ``pressed``; ``did`` gets the id of the journal's line where it can be taken back by one press."""
    with pressed(event, said) as s:
        before = newest_press(s, event)
        yield s
        s.flush()  # makes the id of the journal's line
        after = newest_press(s, event)
        if after is not None and (before is None or after.id != before.id):
            did.append(after.id)


def way_back(event: Event, otherwise: str, did: list[int]) -> ResponseReturnValue:
    """Back to the page that the form's field ``back`` names, with what was ``did``; ``otherwise`` to that address."""
    args: dict[str, Any] = {"did": did[0]} if did else {}
    place, _, group = request.form.get("back", "").partition(":")
    if group in KINDS and place == "desk":
        return redirect(url_for("desk.desk", slug=event.slug, open=group, **args, _anchor=f"group-{group}"))
    if group in KINDS and place == "group":
        return redirect(url_for("desk.readiness_group", slug=event.slug, key=group, **args))
    if place == "door":
        return redirect(url_for("check_in.check_in_queue", slug=event.slug, **args))
    if place == "search":
        return redirect(url_for("desk.search_page", slug=event.slug, q=group[:LONGEST], **args))
    if place == "players" and args:
        return redirect(url_for("players.players", slug=event.slug, **args))
    return redirect(otherwise)


def done_line(event: Event) -> JournalEntry | None:
    """What the page before did, where it can be taken back: the journal's line that ``?did=`` names."""
    entry = press_of(db(), event, id_asked("did") or 0)
    return entry if entry is not None and ASKED[entry.verb](visitor(), event) else None


MOST_SHOWN = 30


class FeeForm(FlaskForm):
    """What a place costs."""

    fee = text(
        "What a place costs", 60, required=False,
        description="In words, as players read it on the event's page: “15 €, at the door”. Left empty, a place costs "
        "nothing and nobody is asked whether they have paid.",
    )  # fmt: skip


@blueprint.route("/e/<slug>/desk/door", methods=["GET", "POST"])
def check_in_queue(slug: str) -> ResponseReturnValue:
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
        "registration/door.html",
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
    return redirect(url_for("check_in.check_in_queue", slug=event.slug, did=did[0] if did else None))


@blueprint.route("/e/<slug>/desk/fee", methods=["GET", "POST"])
def fee(slug: str) -> ResponseReturnValue:
    """What a place costs: with it come the marks of who has paid."""
    event = managed_event(slug)
    form = FeeForm(data={"fee": event.fee})
    if form.validate_on_submit():
        with changing(event) as s:
            check_in.set_fee(s, event, form.fee.data, actor(event), now())
        flash("Saved.", "success")
        return redirect(url_for("players.players", slug=slug))
    return render_template("registration/fee.html", form=form), 422 if form.errors else 200
