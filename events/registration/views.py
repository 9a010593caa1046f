"""Signing up, the private link, switching a browser's player, leaving the event."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from flask import Blueprint, abort, current_app, flash, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from events.accounts.browser import browser_id, client_of_request
from events.accounts.own_pages import add_entry, own_entries
from events.lists.locks import late_words
from events.messages.addresses import confirm_own_address, give_own_address, same_address
from events.messages.devices import DEVICE, remove_device
from events.messages.queries import contact_of
from events.messages.text import address_mark
from events.registration import actions, check_in, leaving, team_actions
from events.registration.conventions import clash_words, moved_to, overlapping, span, tables_used
from events.registration.forms import (
    RegisterForm,
    ReturnForm,
    answers_as_form,
    fields_of,
    show_refused,
    typed_answers,
    with_questions,
)
from events.registration.sign_ups import SignUp, allow_sign_up
from events.store.act import Act
from events.store.errors import Refused
from events.store.ledger import load_payments
from events.store.players import DETAILS, entry_state, is_full, is_held, places_left, places_left_in, player_counts
from events.visitors import access
from events.visitors.bearer import player_by_token
from events.visitors.conventions import seen_events
from events.visitors.event_loading import players_in
from events.visitors.loading import (
    event_or_404,
    own_player_or_403,
    private_link,
    private_path,
    remember_player,
    visitor,
)
from events.web.forms import SiteForm
from events.web.idempotency import Submission, enter_once, new_key, submission_from
from events.web.parsing import as_text, code_typed, grouped
from events.web.request import changing, changing_club, db, local, mail_server, now, saving
from languages.words import N_, gettext, listed
from models.event import Event
from models.message import Contact
from models.play import Player, PlayerState

blueprint = Blueprint("registration", __name__)
MAILED = "mailed"
"""Session key for the private link and mark of an opened mail, until its address is confirmed."""


@blueprint.route("/e/<slug>/register", methods=["GET", "POST"])
def register(slug: str) -> ResponseReturnValue:
    """Sign up for an event. A form submitted twice registers one player and leads to the same private link."""
    event = event_or_404(slug)
    if player := visitor().player_in(event):
        code = request.args.get("code")
        back = code and access.may_come_back(visitor(), player, event, now())
        return redirect(url_for("registration.come_back" if back else "player.today", slug=slug, code=back and code))
    if not access.may_register(event, now()):
        return render_template("registration/closed.html", window=access.registration_window(event, now())), 403
    if request.method == "GET" and is_full(event, players_in(event)):
        return redirect(url_for("public.event", slug=slug))
    sender = f"browser {browser_id()}"
    before = _elsewhere(event)
    form, status = with_questions(RegisterForm, event)(data=_as_before(before, event)), 422
    form.join_code.data = form.join_code.data or grouped(code_typed(request.args.get("code", "")))
    form.offer(event, visitor().person)
    if form.validate_on_submit():
        try:
            player = enter_once(event, submission_from(sender), lambda act: _enter(act, form))
        except Refused as refused:
            status = show_refused(form, refused)
        else:
            if player is None:  # the desk has since removed the player whom this form registered
                return redirect(url_for("public.event", slug=slug))
            remember_player(player)
            if clash := clash_words(db(), visitor(), event, player):
                flash(clash, "message")
            if form.asked("mail") and mail_server():
                flash(gettext("We mail you your link. Open it there once, so that other mails reach you."), "message")
            return redirect(url_for("registration.link", slug=slug))
    left = places_left(event, players_in(event))
    page = render_template(
        "registration/register.html",
        form=form,
        places_left=left,
        new_key=new_key,
        questions=fields_of(form, event),
        late=late_words(event, now()),
        before=before[0][0] if before and request.method == "GET" else None,
    )
    return page, status if form.errors else 200


SHARED = ("csrf_token", "name", *DETAILS, "mail", "keep")
"""The fields of a sign-up that a convention's form asks once for all events."""


@blueprint.route("/c/<slug>", methods=["GET", "POST"])
def convention(slug: str) -> ResponseReturnValue:
    """The events of a convention by time, with one form to sign up for several of them.

    Each event gives a place, lets the player wait, or refuses, as its own form does.
    """
    events = seen_events(db(), visitor(), slug) or abort(404)
    own, refusals, sender = _own_entries(), dict[int, str](), f"browser {browser_id()}"
    open_ones = [event for event in events if event.id not in own and access.may_register(event, now())]
    asked = {event.id for event in open_ones if f"e{event.id}-join" in request.form}  # a full one says why it refuses
    forms = {e.id: _part(e) for e in open_ones if e.id in asked or not is_full(e, players_in(e))}
    form = RegisterForm(data=_as_before(_elsewhere(None), events[0]))
    used = {"csrf_token"}.union(*(part.data for part in forms.values())) & {*SHARED}
    for name in form.data.keys() - used:
        del form[name]
    ticked = [event for event in events if event.id in forms and request.form.get(f"e{event.id}-join")]
    if form.is_submitted():
        valid = [form.validate(), *(forms[event.id].validate() for event in ticked)]
        if not ticked:
            form.form_errors.append(gettext("Choose at least one event."))
        elif all(valid):
            refusals = _enter_several(ticked, forms, submission_from(sender))
            own = _own_entries()
            entered = [event for event in ticked if event.id not in refusals and event.id in own]
            names = listed([event.name for event in entered if not is_held(own[event.id])])
            if names:
                flash(gettext("You are signed up for %(events)s. Keep your private links.", events=names), "success")
            for event in entered:
                if is_held(own[event.id]):
                    held = N_("Your sign-up for %(event)s is held until the organiser decides. Keep your private link.")
                    flash(gettext(held, event=event.name), "message")
                if clash := clash_words(db(), visitor(), event, own[event.id]):
                    flash(f"{event.name}: {clash}", "message")
            if not refusals:
                return redirect(url_for("registration.convention", slug=slug))
        elif valid[0]:
            form.form_errors.append(gettext("Check the answers to the events that you ticked."))
    counts = player_counts(db(), events)
    page = render_template(
        "registration/convention.html",
        slug=slug,
        events=events,
        form=form,
        parts={id_: [field for field in part if field.short_name not in SHARED] for id_, part in forms.items()},
        own=own,
        states={event.id: entry_state(event, own[event.id]) for event in events if event.id in own},
        ticked=ticked,
        refusals=refusals,
        players={event.id: players_in(event) for event in events if event.id in own},
        counts=counts,
        left=places_left_in(db(), events),
        hours={event.id: [local(moment, event, "%H:%M") for moment in span(event)] for event in events},
        overlapping={event.id: [row.name for row in overlapping(event, events)] for event in events},
        tables={event.id: as_text(tables_used(event, counts[event.id])) for event in events},
        link_of=private_link,
        path_of=private_path,
        new_key=new_key,
    )
    return page, 422 if form.is_submitted() else 200


def _own_entries() -> dict[int, Player]:
    """The visitor's entries, by event, with those to which the desk moved them."""
    own = {event.id: player for event, player in _elsewhere(None)} | visitor().players
    left = [(event, player) for event, player in _elsewhere(None) if player.state == PlayerState.DROPPED]
    moves = [moved_to(db(), event, player) for event, player in left if event.convention]
    return {move[0].id: move[1] for move in moves if move is not None and move[2]} | own


def _part(event: Event) -> RegisterForm:
    """The event's own form as a part of its convention's: what is asked once counts for each event."""
    prefix, typed = f"e{event.id}-", None
    if request.method == "POST":
        typed = MultiDict(request.form) | {f"{prefix}{name}": request.form.get(name, "") for name in SHARED}
    before = _as_before(_elsewhere(event), event)
    form = with_questions(RegisterForm, event)(typed, prefix=prefix, data=before, meta={"csrf": False})
    form.offer(event, visitor().person)
    return form


def _enter_several(events: Sequence[Event], forms: Mapping[int, RegisterForm], sent: Submission) -> dict[int, str]:
    """Sign up for each of these events, in a write of its own. Returns the reasons of those that refuse, by event."""
    refusals, entered = dict[int, str](), None
    for event in events:
        form = forms[event.id]
        try:
            player = enter_once(event, sent, partial(_enter, form=form, pressed=entered))
        except Refused as refused:
            show_refused(form, refused)
            refusals[event.id] = refused.message
        else:
            if player is not None:
                remember_player(player)
                entered = player
    return refusals


def _elsewhere(event: Event | None) -> list[tuple[Event, Player]]:
    """The other events with the entries that are this visitor's, the newest first: those on the visitor's own page, or
    else those that this browser is signed in as.
    """
    who = visitor()
    if who.person is not None:
        entries = own_entries(db(), who.person)
    else:
        entries = sorted(
            ((an_event, who.players[id_]) for id_, an_event in who.events.items()),
            key=lambda row: (row[0].starts_on, row[0].id), reverse=True,
        )  # fmt: skip
    return [row for row in entries if event is None or row[0].id != event.id]


def _as_before(before: Sequence[tuple[Event, Player]], event: Event) -> dict[str, str]:
    """What the player entered at the newest event, for the form; the faction of the newest one of the same game."""
    if not before:
        return {}
    details = {name: getattr(before[0][1], name) for name in ("name", *DETAILS)}
    factions = (player.faction for an_event, player in before if player.faction and an_event.system == event.system)
    return details | {"faction": next(factions, "")}


def _enter(act: Act, form: RegisterForm, pressed: Player | None = None) -> Player:
    """Sign up. ``pressed`` is an entry that the same form has already made in another event."""
    sign_up = allow_sign_up(act, client_of_request(), browser_id(), form.asked("join_code"), pressed)
    player = team_actions.enter_team(
        replace(act, actor=f"player {form.name.data}"), form.name.data, form.typed_details, form.faction.data,
        team=form.asked("team"), partner=form.asked("partner"),
        joins=team_actions.Joins(form.asked("team_code"), sign_up),
    )  # fmt: skip
    by_player = replace(act, actor=f"player {player.name}")
    actions.store_answers(by_player, player, typed_answers(form, act.event))
    give_own_address(by_player, player, form.asked("mail"), has_server=mail_server() is not None)
    if (person := visitor().person) is not None and form.asked("keep"):
        add_entry(act.s, person, player, act.now)
    return player


@blueprint.route("/e/<slug>/me/answers", methods=["GET", "POST"])
def own_answers(slug: str) -> ResponseReturnValue:
    """The player's answers to the event's questions, to change until registration closes."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not access.may_answer(visitor(), event, player, now()):
        abort(403)
    form = with_questions(SiteForm, event)(data=answers_as_form(event, player))
    if form.validate_on_submit():
        with changing(event) as act:
            actions.store_answers(act, player, typed_answers(form, event))
        flash(gettext("Your answers are saved."), "success")
        return redirect(url_for("player.today", slug=slug))
    page = render_template("registration/answers.html", form=form, fields=fields_of(form, event), player=player)
    return page, 422 if form.errors else 200


@blueprint.get("/p/<token>")
def open_private_link(token: str) -> ResponseReturnValue:
    """Exchange a private link for a cookie, so that the link does not stay in the address bar.

    A browser signed in as another player or as staff asks first.
    """
    player = player_by_token(token)
    if player is None:
        return render_template("accounts/used_link.html", of_player=True), 404
    event = db().get_one(Event, player.event_id)
    signed_in = visitor()
    is_another = signed_in.player_in(event) is not None or signed_in.account is not None
    if is_another and not signed_in.is_player(player):
        session["switch_to"] = token
        return redirect(url_for("registration.switch_player"))
    remember_player(player)
    return redirect(url_for("player.today", slug=event.slug))


@blueprint.get("/p/<token>/<mark>")
def open_mailed_link(token: str, mark: str) -> ResponseReturnValue:
    """Move the private link of a mail into the session, if its address is to be confirmed; else open the link."""
    if _to_confirm(token, mark) is None:
        return open_private_link(token)
    session[MAILED] = [token, mark]
    return redirect(url_for("registration.confirm_mail"))


@blueprint.route("/confirm-mail", methods=["GET", "POST"])
def confirm_mail() -> ResponseReturnValue:
    """Confirm the address to which a private link was mailed. GET changes nothing, because mail programs open links."""
    token, mark = session.get(MAILED, ("", ""))
    if (confirming := _to_confirm(token, mark)) is None:
        return render_template("accounts/used_link.html", of_player=True), 404
    player, contact = confirming
    event, form = db().get_one(Event, player.event_id), FlaskForm()
    if form.validate_on_submit():
        session.pop(MAILED)
        mail = contact.mail  # as mailed; the player can give another before the change
        if request.form.get("do") == "confirm":
            with saving(event, gettext("Mails reach you at this address from now on.")) as act:
                confirm_own_address(replace(act, actor=f"player {player.name}"), player, mail)
        return redirect(url_for("registration.open_private_link", token=token))
    names = [other.name for _, other in same_address(db(), event, contact)]
    page = render_template("registration/confirm_mail.html", form=form, mail=contact.mail, names=names, what=event.name)
    return page, 422 if form.errors else 200


def _to_confirm(token: str, mark: str) -> tuple[Player, Contact] | None:
    """The player and the address that a mailed link confirms; None if it is confirmed, or another address."""
    player = player_by_token(token)
    contact = contact_of(db(), player) if player else None
    if player is None or contact is None or contact.confirmed_at is not None:
        return None
    right = address_mark(current_app.secret_key, contact)
    return (player, contact) if hmac.compare_digest(mark.encode(), right.encode()) else None


@blueprint.route("/switch-player", methods=["GET", "POST"])
def switch_player() -> ResponseReturnValue:
    """Ask whether to sign this browser in as the player whose link was opened."""
    player = player_by_token(session.get("switch_to", ""))
    if player is None:
        return render_template("accounts/used_link.html", of_player=True), 404
    event = db().get_one(Event, player.event_id)
    if request.method == "GET":
        other = visitor().player_in(event)
        return render_template("registration/switch_player.html", player=player, other=other, of_event=event)
    session.pop("switch_to")
    if (other := visitor().player_in(event)) is not None:
        with changing_club() as s:
            remove_device(s, other, int(session.get(DEVICE, {}).get(str(event.id), 0)))
    remember_player(player)
    return redirect(url_for("player.today", slug=event.slug))


@blueprint.get("/e/<slug>/me/link")
def link(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    load_payments([player])
    return render_template(
        "registration/link.html",
        player=player,
        players=players_in(event),
        address=private_link(player),
        path=private_path(player),
    )


@blueprint.post("/e/<slug>/me/here")
def here(slug: str) -> ResponseReturnValue:
    """Check in at the player's own request."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    with saving(event, gettext("You are checked in.")) as act:
        check_in.check_in_self(act, player)
    return redirect(url_for("player.today", slug=slug))


@blueprint.post("/e/<slug>/me/leave")
def leave(slug: str) -> ResponseReturnValue:
    """Leave the event: withdraw before it, or drop after the current round."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not access.may_leave(visitor(), player, event):
        abort(403)
    with changing(event) as act:
        leaving.drop(act, player, at_once=False)  # outside a season the player still plays the current game
    flash(gettext("You have left the event."), "message")
    g.pop("visitor", None)
    return redirect(url_for("player.today", slug=slug))


@blueprint.route("/e/<slug>/me/come-back", methods=["GET", "POST"])
def come_back(slug: str) -> ResponseReturnValue:
    """Sign up again after leaving before round 1. A player whose join code lets nobody in now can enter another."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not access.may_come_back(visitor(), player, event, now()):
        abort(403)
    form, status = ReturnForm(data={"join_code": grouped(code_typed(request.args.get("code", "")))}), 422
    form.join_code.flags.optional = False  # it is asked for if the code from before lets nobody in
    if form.validate_on_submit():
        try:
            with changing(event) as act:
                leaving.reinstate(act, player, SignUp(client_of_request(), code=form.join_code.data))
        except Refused as refused:
            status = show_refused(form, refused)
        else:
            return redirect(url_for("player.today", slug=slug))
    return render_template("registration/come_back.html", form=form), status if form.errors else 200
