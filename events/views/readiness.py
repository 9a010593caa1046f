"""The groups of the desk's page in full: everybody in one of them, a tick for each, and taking a press back."""

from collections.abc import Callable, Sequence

from flask import Blueprint, abort, flash, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from events import access
from events.actions.arrivals import check_in_many, press_of, take_back
from events.actions.payments import mark_paid
from events.clock_reading import clock_of
from events.list_states import Entry, entries_of, entry
from events.meetings import published_meeting
from events.next_step import Step, next_steps
from events.readiness import KINDS, Group, board
from events.reading import RoundView, current_round, force_of, forces_of, placed, players_by_id, players_of, terms_of
from events.views.asking import require
from events.views.desk_parts import may_open, views_of, warnings_of
from events.views.press import id_in
from events.views.request import LONGEST_ID, actor, db, managed_event, now, polled, visitor
from events.views.way_back import ASKED, done_line, noted, way_back
from models.event import Event
from models.play import Player

blueprint = Blueprint("readiness", __name__)

MOST_AT_ONCE = 2000


def groups_of(event: Event, players: Sequence[Player], views: Sequence[RoundView]) -> list[Group]:
    """The board as it stands now, without what is not for the visitor."""
    view = current_round(views)
    clock = clock_of(event, view, [one.round for one in views], now()) if view else None
    lists = entries_of(event, players, forces_of(db(), event), terms_of(db(), event), now())
    found = board(event, players, lists, views, clock, now(), warnings_of(event))
    return [group for group in found if group.kind.question(visitor(), event)]


def steps_of(event: Event, players: Sequence[Player], views: Sequence[RoundView]) -> list[Step]:
    """What comes next in the event, as far as the visitor can do it."""
    steps = next_steps(event, players, views, seated=published_meeting(db(), event) is not None)
    return [one for one in steps if one.endpoint.startswith("public.") or may_open(one.endpoint, **one.args)]


def list_entry(event: Event, player: Player) -> Entry | None:
    """How a player's list stands; None for whoever holds no place, and for a visitor who may not know."""
    if not placed([player]) or not access.may_read_lists(visitor(), event):
        return None
    return entry(event, terms_of(db(), event), player, force_of(db(), player), now())


@blueprint.get("/e/<slug>/desk/ready/<key>")
def group(slug: str, key: str) -> ResponseReturnValue:
    """Everybody who is in one group."""
    event = managed_event(slug)
    if key not in KINDS:
        abort(404)
    require(KINDS[key].question, event)
    views = views_of(event)
    found = groups_of(event, players_of(db(), event), views)
    page = render_template(
        "desk/ready.html",
        key=key,
        kind=KINDS[key],
        group=next((one for one in found if one.key == key), None),
        others=[one for one in found if one.key != key],
        done=done_line(event),
    )
    return polled(page, event)


@blueprint.post("/e/<slug>/desk/ready/<verb>")
def several(slug: str, verb: str) -> ResponseReturnValue:
    """Check in all who are ticked, or mark them as paid."""
    event = managed_event(slug)
    if verb not in SEVERAL:
        abort(404)
    ids = {id_in(raw) for raw in request.form.getlist("chosen")[:MOST_AT_ONCE]} - {None}
    did: list[int] = []
    with noted(event, did) as s:
        everybody = players_by_id(s, event)
        SEVERAL[verb](s, event, [everybody[id_] for id_ in everybody if id_ in ids])
    if not ids:
        flash("Nobody was ticked, so nothing was done.", "error")
    return way_back(event, url_for("desk.desk", slug=slug), did)


@blueprint.post("/e/<slug>/desk/presses/<int:entry_id>/undo")
def undo(slug: str, entry_id: int) -> ResponseReturnValue:
    """Take back a check-in or a mark, for all whom that press was for."""
    event = managed_event(slug)
    entry = press_of(db(), event, entry_id) if entry_id <= LONGEST_ID else None
    if entry is None:
        abort(404)
    require(ASKED[entry.verb], event)
    with noted(event, [], "Taken back.") as s:
        take_back(s, event, entry, actor(event), now())
    return way_back(event, url_for("desk.desk", slug=slug), [])


def _check_in(s: Session, event: Event, chosen: Sequence[Player]) -> None:
    for refusal in check_in_many(s, event, chosen, actor(event), now())[1]:
        flash(refusal, "error")


def _paid(s: Session, event: Event, chosen: Sequence[Player]) -> None:
    mark_paid(s, event, chosen, actor(event), now())


SEVERAL: dict[str, Callable[[Session, Event, Sequence[Player]], None]] = {"check-in": _check_in, "paid": _paid}
