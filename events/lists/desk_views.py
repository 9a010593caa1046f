"""The list desk: every player's list with its state; approve, send back, lock, unlock, show."""

import json
import logging
from collections.abc import Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm.exc import StaleDataError

from events.lists import actions, locks
from events.lists.forms import ReopenForm, SendBackForm, UnlockForm
from events.lists.locks import shown_when
from events.lists.queries import STATES, ListEntry, before_lock, broken_rules, counts, entries, entry, list_differences
from events.store.act import Act
from events.store.editions import edition_of, system_of
from events.store.errors import Refused
from events.store.journal import check_not_over, note, note_players
from events.store.players import by_name, placed
from events.store.verdicts import sealed_lists, terms_of
from events.visitors import access
from events.visitors.event_loading import players_in
from events.visitors.loading import clock_facts_of, managed_event, player_or_404, visitor
from events.web.forms import show_at_field
from events.web.request import changing, db, now, saving
from languages.message import message, worded
from languages.words import N_, gettext, ngettext
from models.event import Event, RoundState
from models.play import ForceList, ListSeal, Player

log = logging.getLogger(__name__)


def store_lock(event: Event) -> None:
    """Store the lock of the lists if it is due; the first request after the deadline does so.

    What visitors may see does not depend on it.
    """
    if not locks.is_due(db(), event, now(), clock_facts_of(event).unlocked):
        return
    try:
        with changing(event) as act:
            locks.apply_due_locks(act.s, event, now())
    except (DBAPIError, StaleDataError):
        # For a full disk or a busy database, the next request tries again.
        log.warning("the lock of the lists of %s could not be stored", event.slug, exc_info=True)


def approve_legal(act: Act, listed: Sequence[ListEntry]) -> list[Player]:
    """Approve the submitted lists that are legal without queries. Returns the players whose lists were approved."""
    done = []
    for row in listed:
        if row.force is not None and {"submitted", "legal"} <= row.states and "approved" not in row.states:
            row.force.approved_at = act.now
            done.append(row.player)
    note_players(
        act, done, "approve-list",
        "Approved the list of %(names)s", "Approved %(num)s lists: %(names)s", of_many="approve-lists",
    )  # fmt: skip
    return done


def waive(act: Act, player: Player) -> None:
    """Let a player play without a list. Raises Refused if a list is submitted, or the event is over."""
    check_not_over(act.event)
    force = player.force_list
    if force is not None and force.submitted:
        raise Refused(gettext("%(name)s has submitted a list. Send it back first.", name=player.name))
    if player.list_waived_at is None:
        player.list_waived_at = act.now
        _note_waived(act, [player])


def waive_missing(act: Act, listed: Sequence[ListEntry]) -> list[Player]:
    check_not_over(act.event)
    done = [row.player for row in listed if row.missing]
    for player in done:
        player.list_waived_at = act.now
    _note_waived(act, done)
    return done


def _note_waived(act: Act, players: Sequence[Player]) -> None:
    note_players(
        act, players, "waive-list",
        "%(names)s plays without a list", "%(num)s players play without a list: %(names)s", of_many="waive-lists",
    )  # fmt: skip


def expect(act: Act, player: Player) -> None:
    """Require a list of the player again."""
    check_not_over(act.event)
    if player.list_waived_at is not None:
        player.list_waived_at = None
        note(act, "expect-list", message("%(name)s needs a list again", name=player.name), player=player.id)


blueprint = Blueprint("lists_desk", __name__)


DONE = {
    "reveal": N_("Everyone can read the lists now."),
    "reopen": N_("All lists are open again."),
}


@blueprint.route("/e/<slug>/desk/lists", methods=["GET", "POST"])
def review_lists(slug: str) -> ResponseReturnValue:
    """All lists with state, total and verdict, filtered by ``?state=``; lock, show or reopen them."""
    event = managed_event(slug)
    reopen = ReopenForm()
    reopen.deadline.zone = event.timezone
    pressed = request.form.get("do", "")
    if pressed not in ("", "lock", "reveal", "reopen"):
        abort(404)
    status = 200
    if pressed and (pressed != "reopen" or reopen.validate()):
        try:
            with changing(event) as act:
                message = gettext(DONE.get(pressed, ""))
                if pressed == "lock":
                    locks.lock_now(act)
                    locked = len(before_lock(entries(event, now())).counted)
                    message = ngettext("%(num)s list locked.", "%(num)s lists locked.", locked)
                elif pressed == "reveal":
                    locks.reveal(act)
                else:
                    locks.reopen_lists(act, reopen.deadline.moment)
        except Refused as refused:
            status = show_at_field(reopen, refused)
        else:
            flash(message, "success")
            return redirect(url_for("lists_desk.review_lists", slug=slug))
    listed = entries(event, now())
    state = request.args.get("state", "")
    if state and state not in STATES:
        abort(404)
    page = render_template(
        "lists/desk_lists.html",
        rows=[row for row in listed if not state or row.is_in(state)],
        everybody=len(listed),
        missing=[row for row in listed if row.missing],
        to_approve=len(_for_approval(event, listed)),
        counted=len(before_lock(listed).counted),
        counts=counts(listed),
        states=STATES,
        broken_rules=broken_rules,
        state=state,
        locked=access.lists_locked(event, now()),
        shown=access.lists_shown(event, now()),
        before_round_1=all(r.state != RoundState.PUBLISHED for r in event.schedule),
        secret_until=shown_when(event),
        reopen=reopen,
    )
    return page, 422 if reopen.errors and pressed == "reopen" else status


@blueprint.get("/e/<slug>/desk/lists/lock")
def before(slug: str) -> ResponseReturnValue:
    """The page before the lock: how many lists would count, and whose would not."""
    event = managed_event(slug)
    if access.lists_locked(event, now()):
        return redirect(url_for("lists_desk.review_lists", slug=slug))
    preview = before_lock(entries(event, now()), terms_of(event).least)
    return render_template("lists/lock.html", preview=preview)


@blueprint.post("/e/<slug>/desk/lists/several/<verb>")
def several(slug: str, verb: str) -> ResponseReturnValue:
    """Approve all legal lists, or waive all missing ones."""
    event = managed_event(slug)
    if verb not in ("approve", "waive"):
        abort(404)
    with saving(event) as act:
        listed = entries(event, now())
        if verb == "approve":
            done = approve_legal(act, _for_approval(event, listed))
            flash(ngettext("%(num)s list approved.", "%(num)s lists approved.", len(done)), "success")
        else:
            done = waive_missing(act, listed)
            names = ", ".join(player.name for player in done)
            text = ngettext("%(names)s plays without a list.", "%(names)s play without a list.", len(done), names=names)
            flash(text if done else gettext("Nobody plays without a list."), "success")
    page = "before" if request.form.get("back") == "lock" else "review_lists"
    return redirect(url_for(f"lists_desk.{page}", slug=slug))


def _for_approval(event: Event, listed: Sequence[ListEntry]) -> list[ListEntry]:
    return [
        row
        for row in listed
        if {"submitted", "legal"} <= row.states
        and "approved" not in row.states
        and access.may_check_list(visitor(), event, row.player)
    ]


@blueprint.get("/e/<slug>/desk/lists/missing")
def missing_lists(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    return render_template("lists/missing.html", found=[row for row in entries(event, now()) if row.missing])


@blueprint.route("/e/<slug>/desk/lists/<int:player_id>", methods=["GET", "POST"], endpoint="one")
def one_list(slug: str, player_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    force = player.force_list
    send_back, unlock = SendBackForm(prefix="b"), UnlockForm(prefix="u")
    unlock.until.zone = event.timezone
    pressed = request.form.get("do", "")
    if pressed not in ("", "approve", "send-back", "unlock", "lock", "waive", "expect"):
        abort(404)
    if pressed and not access.may_check_list(visitor(), event, player):
        abort(403)
    form: FlaskForm | None = send_back if pressed == "send-back" else unlock if pressed == "unlock" else None
    status = 200
    if pressed and (form is None or form.validate()):
        try:
            message = _decide(event, player, pressed, send_back, unlock)
        except Refused as refused:
            status = show_at_field(form or send_back, refused)
        else:
            flash(message, "success")
            return redirect(url_for("lists_desk.one", slug=slug, player_id=player_id))
    elif pressed:
        status = 422
    force = player.force_list
    send_back.seen.data = actions.document_mark(force) if force else ""
    seals = sealed_lists(event).get(player.id, [])
    page = render_template(
        "lists/list.html",
        player=player,
        entry=entry(event, terms_of(event), player, force, now()),
        summary=system_of(event).forces.summarise(force.document, edition_of(event)) if force else None,
        seals=seals,
        since_lock=_since_lock(event, force, seals),
        send_back=send_back,
        unlock=unlock,
        locked=access.lists_locked(event, now()),
        open=access.list_open(event, player, now()),
        before=_next_to(event, player, -1),
        after=_next_to(event, player, 1),
    )
    return page, status


def _next_to(event: Event, player: Player, step: int) -> Player | None:
    """The player before or after this one by name, for reading one list after another; None at the ends."""
    order = sorted(placed(players_in(event)), key=by_name)
    places = [i for i, other in enumerate(order) if other.id == player.id]
    return order[places[0] + step] if places and 0 <= places[0] + step < len(order) else None


def _since_lock(event: Event, force: ForceList | None, seals: Sequence[ListSeal]) -> str:
    """The changes of a list since all lists locked; "" if there are none, or there was no list."""
    at_lock = [seal for seal in seals if seal.by == locks.THE_LOCK]
    sealed = json.loads(at_lock[-1].text)["force"] if at_lock else None
    if force is None or sealed is None or sealed == force.document:
        return ""
    return worded(list_differences(system_of(event), edition_of(event), sealed, force.document))


def _decide(event: Event, player: Player, pressed: str, send_back: SendBackForm, unlock: UnlockForm) -> str:
    """Do what the submitted button says and return a message. Raises Refused."""
    seen = request.form.get("b-seen", "")
    with changing(event) as act:
        if pressed == "approve":
            actions.approve(act, player, seen)
            return gettext("The list of %(name)s is approved.", name=player.name)
        if pressed == "send-back":
            was_open = access.list_open(event, player, now())
            actions.send_back(act, player, send_back.note.data, seen)
            if was_open:
                return gettext("Sent back: %(name)s reads your note on their page.", name=player.name)
            return gettext(
                "Sent back and unlocked: %(name)s can change the list until you lock it again.", name=player.name
            )
        if pressed == "waive":
            waive(act, player)
            return gettext("%(name)s plays without a list.", name=player.name)
        if pressed == "expect":
            expect(act, player)
            return gettext("%(name)s needs a list again.", name=player.name)
        if pressed == "unlock":
            locks.unlock(act, player, unlock.until.moment)
            return gettext("Unlocked: %(name)s can change the list and submit it again.", name=player.name)
        locks.lock_again(act, player)
        return gettext("The list of %(name)s is locked again.", name=player.name)
