"""The check-in queue, the entry fee page, and shared parts of check-in pages: undo and redirects."""

from zoneinfo import ZoneInfo

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.desk.readiness import lists_at_a_glance, not_here
from events.lists.queries import entries
from events.registration import check_in
from events.registration.actions import first_round
from events.registration.check_in import check_in_many, paint_first
from events.registration.forms import WindowForm
from events.registration.one_click import done_entry, saving_undoable
from events.registration.places import next_round
from events.registration.search import LONGEST, find, findable
from events.store.errors import Refused
from events.store.ledger import load_payments, owes
from events.visitors import access
from events.visitors.event_loading import loaded_in, players_in, warnings_of
from events.visitors.loading import event_or_404, managed_event, player_or_404, visitor
from events.web.forms import refusals_at
from events.web.request import changing, now
from languages.message import worded
from languages.words import gettext
from models.event import Event
from models.play import Player, PlayerState

blueprint = Blueprint("check_in", __name__)


MOST_SHOWN = 30


@blueprint.route("/e/<slug>/desk/door", methods=["GET", "POST"])
def check_in_queue(slug: str) -> ResponseReturnValue:
    """Find players by a few letters: a single match is checked in, several are listed, each with a button."""
    event = managed_event(slug)
    typed = (request.values.get("q") or "").strip()[:LONGEST]
    players = find(typed, findable(event, players_in(event)))
    expected = [p for p in players if p.state == PlayerState.REGISTERED]
    if request.method == "POST" and len(expected) == 1 and not paint_first(event, expected[0]):
        return _let_in(event, expected[0])
    everybody = players_in(event)
    done = done_entry(event)
    lists = lists_at_a_glance(event, entries(event, now()))
    load_payments(everybody)
    return render_template(
        "desk/door.html",
        lists=lists,
        typed=typed,
        found=players[:MOST_SHOWN],
        name_warnings=warnings_of(event) if players else {},
        more=max(0, len(players) - MOST_SHOWN),
        expected=not_here(loaded_in(event), lists),
        here=sum(p.state == PlayerState.CHECKED_IN for p in everybody),
        plays_from=worded(first_round(event, next_round(event))),
        done=done,
        owing=next((p for p in everybody if done and p.id == done.details.get("player") and owes(event, p)), None),
        owes=owes,
    )


def _let_in(event: Event, player: Player) -> ResponseReturnValue:
    did: list[int] = []
    with saving_undoable(event, did) as act:
        for refusal in check_in_many(act, [player])[1]:
            raise Refused(refusal)
    return redirect(url_for("check_in.check_in_queue", slug=event.slug, did=did[0] if did else None))


@blueprint.route("/e/<slug>/desk/self-check-in", methods=["GET", "POST"])
def window(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    zone = ZoneInfo(event.timezone)
    shown = {"starts": event.check_in_from, "ends": event.check_in_until}
    form = WindowForm(
        data={name: at.astimezone(zone).replace(tzinfo=None) if at else None for name, at in shown.items()}
    )
    form.starts.zone = form.ends.zone = event.timezone
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                check_in.set_window(act, form.starts.moment, form.ends.moment)
            flash(gettext("Saved."), "success")
            return redirect(url_for("check_in.check_in_queue", slug=slug))
    return render_template("registration/self_check_in.html", form=form), 422 if form.errors else 200


@blueprint.get("/e/<slug>/badge/<int:player_id>")
def badge(slug: str, player_id: int) -> ResponseReturnValue:
    """The address in a badge's QR code: check-in for staff, the own page for the player, the public page for others."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    if access.may_check_in(visitor(), event):
        return redirect(url_for("check_in.scanned", slug=slug, player_id=player_id))
    if visitor().is_player(player):
        return redirect(url_for("player.today", slug=slug))
    if not access.may_see_entry(visitor(), event, player):
        abort(404)
    return redirect(url_for("public.player", slug=slug, player_id=player_id))


@blueprint.get("/e/<slug>/desk/door/<int:player_id>")
def scanned(slug: str, player_id: int) -> ResponseReturnValue:
    """The player whose badge was scanned at the door, to check in with one tap."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    load_payments([player])
    lists = lists_at_a_glance(event, entries(event, now()))
    return render_template(
        "registration/scanned.html",
        player=player,
        name_warnings=warnings_of(event),
        list_state=lists.get(player.id, ""),
        owes=owes,
        plays_from=worded(first_round(event, next_round(event))),
    )
