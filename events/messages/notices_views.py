"""A player's notifications by mail and push, and mails with a lost link."""

from typing import Any

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.accounts import limits
from events.accounts.browser import client_of_request
from events.accounts.limits import LOST_LINKS, TooMany
from events.messages import devices
from events.messages.devices import DEVICE
from events.messages.forms import LostLinkForm, NoticesForm
from events.messages.queries import contact_of
from events.messages.text import NOTICES
from events.store.errors import Refused
from events.visitors.loading import event_or_404, own_player_or_403
from events.web.forms import show_at_field
from events.web.request import changing_club, db, mail_server, now
from languages.words import N_, gettext
from models.dispatch import DispatchKind, Occasion, queued
from models.event import Event
from service.settings import Settings

blueprint = Blueprint("notices", __name__)


ON_THE_WAY = N_("If this address is registered, its link is on the way. It can take a few minutes.")


def settings() -> Settings:
    stored: Settings = current_app.extensions["overseer_settings"]
    return stored


def can_push() -> bool:
    return settings().can_push


def can_notify(event: Event) -> bool:
    """Whether there is any way to notify players of this event."""
    return can_push() or (event.mail_asked and mail_server() is not None)


def can_mail_lost_link(event: Event) -> bool:
    return event.mail_asked and mail_server() is not None


@blueprint.route("/e/<slug>/me/notices", methods=["GET", "POST"])
def own_notices(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    off = devices.switched_off(db(), player)
    shown = {occasion: text for occasion, text in NOTICES.items() if event.season is not None or not text.season}
    form = NoticesForm(data={"wanted": [occasion.value for occasion in shown if occasion not in off]})
    form.wanted.choices = [SelectChoice(occasion.value, gettext(text.label)) for occasion, text in shown.items()]
    if form.validate_on_submit():
        with changing_club() as s:
            unseen = {occasion for occasion in Occasion if occasion not in shown and occasion not in off}
            devices.choose_occasions(s, player, unseen | {Occasion(value) for value in form.wanted.data})
        flash(gettext("Saved."), "success")
        return redirect(url_for("notices.own_notices", slug=slug))
    ways: dict[str, Any] = {"server": mail_server(), "can_push": can_push()}
    if can_push():
        ways |= {"key": devices.public_key(settings().secret), "devices": devices.devices_of(db(), player)}
    page = render_template("messages/notices.html", form=form, contact=contact_of(db(), player), **ways)
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/me/devices")
def add_device(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not can_push():
        abort(404)
    sent = [request.form.get(name, "")[:1100] for name in ("endpoint", "p256dh", "auth")]
    with changing_club() as s:
        device = devices.add_device(s, player, sent[0], sent[1], sent[2], settings().push_service, now())
    session[DEVICE] = session.get(DEVICE, {}) | {str(event.id): device.id}
    flash(gettext("This device shows notifications now."), "success")
    return redirect(url_for("notices.own_notices", slug=slug))


@blueprint.post("/e/<slug>/me/devices/<int:device_id>/remove")
def remove_device(slug: str, device_id: int) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    with changing_club() as s:
        devices.remove_device(s, player, device_id)
    flash(gettext("Removed: that device gets no more notifications."), "success")
    return redirect(url_for("notices.own_notices", slug=slug))


@blueprint.route("/e/<slug>/lost-link", methods=["GET", "POST"])
def lost_link(slug: str) -> ResponseReturnValue:
    """Mail a private link again. The address is looked up later, so the answer does not reveal whether it is known."""
    event = event_or_404(slug)
    if not can_mail_lost_link(event):
        abort(404)
    form, status = LostLinkForm(), 422
    if form.validate_on_submit():
        try:
            with changing_club() as s:
                if limits.count_attempt(s, client_of_request().counts(LOST_LINKS), now()) is not None:
                    raise TooMany(
                        gettext("Too many requests for links from this network. Wait 15 minutes and try again.")
                    )
                s.add(queued(DispatchKind.LINKS, now(), event_id=event.id, mail=form.mail.data))
        except Refused as refused:
            status = show_at_field(form, refused)
        else:
            flash(gettext(ON_THE_WAY), "message")
            return redirect(url_for("public.event", slug=slug))
    return render_template("messages/lost_link.html", form=form), status if form.errors else 200
