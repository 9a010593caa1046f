"""What the players' page does for all selected players: removes them, after a page that asks, and gives them places."""

from collections.abc import Callable, Set

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.actions.selected_players import give_places, planned_removal, remove_players
from events.errors import Refused
from events.reading import players_by_id, players_of
from events.views.player_table import shown_as
from events.views.press import id_in
from events.views.request import actor, changing, db, managed_event, now
from models.event import Event

blueprint = Blueprint("selected_players", __name__)


@blueprint.post("/e/<slug>/desk/players/selected/<verb>")
def act(slug: str, verb: str) -> ResponseReturnValue:
    """One button for all selected players; removing them asks first."""
    event = managed_event(slug)
    if verb not in VERBS:
        abort(404)
    ids = {id_ for raw in request.form.getlist("chosen") if (id_ := id_in(raw)) is not None}
    shown = shown_as(request.form)
    if verb == "remove" and not request.form.get("sure"):
        plan = planned_removal(db(), event, [player for player in players_of(db(), event) if player.id in ids])
        if plan.count:
            return render_template("desk/remove_players.html", plan=plan, shown=shown)
    if not ids and verb != "give-all":
        flash("Select at least one player first.", "error")
    else:
        try:
            VERBS[verb](event, ids)
        except Refused as refused:
            flash(refused.message, "error")
    return redirect(url_for("desk.players", slug=slug, show=shown.get("show"), order=shown.get("order")))


def _remove(event: Event, ids: Set[int]) -> None:
    with changing(event) as s:
        plan = remove_players(s, event, [p for p in players_of(s, event) if p.id in ids], actor(event), now())
    if plan.removed:
        flash(f"{_count(len(plan.removed))} removed.", "success")
    if plan.dropped:
        flash(f"{_count(len(plan.dropped))} dropped. They took part, so their results stay.", "success")
    if not plan.count:
        flash("These players were removed already.", "message")


def _give(event: Event, ids: Set[int]) -> None:
    with changing(event) as s:
        given, left = give_places(s, event, [p for p in players_of(s, event) if p.id in ids], actor(event), now())
    if given:
        flash(f"{_count(len(given))} {'has' if len(given) == 1 else 'have'} a place now.", "success")
    if left:
        still = f"{_count(len(left))} still {'waits' if len(left) == 1 else 'wait'}"
        flash(f"{still}: all {event.places} places are taken.", "message")
    if not given and not left:
        flash("None of these players waits for a place.", "message")


def _give_all(event: Event, _: Set[int]) -> None:
    _give(event, players_by_id(db(), event).keys())


def _count(number: int) -> str:
    return f"{number} player{'' if number == 1 else 's'}"


VERBS: dict[str, Callable[[Event, Set[int]], None]] = {
    "remove": _remove,
    "give-place": _give,
    "give-all": _give_all,
}
