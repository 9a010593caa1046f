"""The player's messages, mail address and notifications; and mailing a lost private link."""

from typing import Any

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms.fields import SelectChoice

from events.accounts import actions as accounts_actions
from events.accounts.actions import LOST_LINKS, TooMany
from events.accounts.attempts import client_key
from events.accounts.loading import event_or_404, own_player_or_403, visitor
from events.messages import actions, devices
from events.messages.devices import DEVICE
from events.messages.forms import AddressForm, LostLinkForm, NoticesForm
from events.messages.queries import change_of, change_with, contact_of, deleted_address, waits
from events.messages.text import GOOD_FOR, NOTICES, change_key
from events.play.errors import Refused
from events.web.forms import refusals_at, show_at_field
from events.web.idempotency import saving
from events.web.parsing import whole_number
from events.web.request import LONGEST_ID, changing, changing_club, db, mail_server, now
from models.event import Event
from models.mail_change import MailChange
from models.notice import LinkRequest, Occasion
from models.play import Player
from service.settings import Settings

blueprint = Blueprint("own_messages", __name__)
notices = Blueprint("notices", __name__)


OPENED = "mail_change"
"""Session key for the address change that an opened link confirms."""
CHANGED = (
    "To change the address, open the link that we mail to your current address. Leave blank to delete the "
    "address at once; the organiser can then enter a new address at the desk."
)


@blueprint.post("/e/<slug>/me/messages")
def read(slug: str) -> ResponseReturnValue:
    """Mark the messages in ``seen`` as read by the visitor."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    seen = [one for one in request.form.getlist("seen", type=whole_number) if 0 < one <= LONGEST_ID]
    if seen:
        # Without the event, because no other page changes.
        with changing_club() as s:
            actions.mark_read(s, player, seen[:100], now())
    return redirect(url_for("player.today", slug=slug, _anchor="messages"))


@blueprint.route("/e/<slug>/me/mail", methods=["GET", "POST"])
def mail(slug: str) -> ResponseReturnValue:
    """The visitor's mail address, used only for this event."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not event.mail_asked:
        abort(404)
    contact, server = contact_of(db(), player), mail_server()
    form = AddressForm(data={"mail": contact.mail if contact else ""})
    form.mail.description = CHANGED if contact and server else ""
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                asked = actions.ask_for(act, player, form.mail.data, has_server=server is not None)
            if asked:
                flash("Please confirm the change from your current address.", "message")
                return redirect(url_for("own_messages.mail", slug=slug))
            flash("Saved." if form.mail.data else "No mail is sent to you.", "success")
            return redirect(url_for("player.today", slug=slug))
    page = render_template(
        "messages/mail.html", form=form, contact=contact, server=server, change=_waiting(player), good_for=GOOD_FOR,
        taken_back=deleted_address(db(), player),
    )  # fmt: skip
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/me/mail/stay")
def stay(slug: str) -> ResponseReturnValue:
    """Cancel the waiting change of the visitor's mail address."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    with saving(event, "Cancelled: mails still go to your current address.") as act:
        actions.cancel_change(act, player)
    return redirect(url_for("own_messages.mail", slug=slug))


@blueprint.get("/mail/<token>")
def open_link(token: str) -> ResponseReturnValue:
    """Move the token of a mailed link into the session, to keep it out of the address bar."""
    key = change_key(current_app.secret_key, token)
    if change_with(db(), key) is None:
        return _used()
    session[OPENED] = key
    return redirect(url_for("own_messages.agree"))


@blueprint.route("/mail", methods=["GET", "POST"])
def agree() -> ResponseReturnValue:
    """Confirm a change of the mail address. GET changes nothing, because mail programs open links too."""
    key = str(session.get(OPENED, ""))
    change = change_with(db(), key)
    if change is None or not waits(change, now()):
        return _used()
    event, player = db().get_one(Event, change.event_id), db().get_one(Player, change.player_id)
    form = FlaskForm()
    if form.validate_on_submit():
        try:
            with changing(event) as act:
                actions.agree(act.s, event, player, key, now(), has_server=mail_server() is not None)
        except Refused:
            return _used()
        session.pop(OPENED)
        flash("Changed: mails go to the new address from now on.", "success")
        own = visitor().is_player(player)
        return redirect(url_for("player.today" if own else "public.event", slug=event.slug))
    return render_template("messages/mail_agree.html", form=form, change=change, player=player, what=event.name)


def _waiting(player: Player) -> MailChange | None:
    """The player's waiting change, while its link is valid."""
    change = change_of(db(), player)
    return change if change is not None and waits(change, now()) else None


def _used() -> ResponseReturnValue:
    return render_template("messages/mail_link_used.html"), 404


ON_THE_WAY = "If this address is registered, its link is on the way. It can take a few minutes."


def settings() -> Settings:
    """The settings of the service."""
    found: Settings = current_app.extensions["overseer_settings"]
    return found


def can_push() -> bool:
    """Whether this service can push notices to browsers."""
    return settings().can_push


def can_notify(event: Event) -> bool:
    """Whether there is any way to notify players of this event."""
    return can_push() or (event.mail_asked and mail_server() is not None)


def can_mail_lost_link(event: Event) -> bool:
    """Whether players of this event can request their private link by mail."""
    return event.mail_asked and mail_server() is not None


@notices.route("/e/<slug>/me/notices", methods=["GET", "POST"])
def mine(slug: str) -> ResponseReturnValue:
    """The visitor's notifications."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    off = devices.switched_off(db(), player)
    shown = {one: text for one, text in NOTICES.items() if event.season is not None or not text.season}
    form = NoticesForm(data={"wanted": [one.value for one in shown if one not in off]})
    form.wanted.choices = [SelectChoice(one.value, text.label) for one, text in shown.items()]
    if form.validate_on_submit():
        with changing_club() as s:
            unseen = {one for one in Occasion if one not in shown and one not in off}
            devices.switch(s, player, unseen | {Occasion(one) for one in form.wanted.data})
        flash("Saved.", "success")
        return redirect(url_for("notices.mine", slug=slug))
    ways: dict[str, Any] = {"server": mail_server(), "can_push": can_push()}
    if can_push():
        ways |= {"key": devices.public_key(settings().secret), "devices": devices.devices_of(db(), player)}
    page = render_template("messages/notices.html", form=form, contact=contact_of(db(), player), **ways)
    return page, 422 if form.errors else 200


@notices.post("/e/<slug>/me/devices")
def add_device(slug: str) -> ResponseReturnValue:
    """Notify the visitor on this browser."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not can_push():
        abort(404)
    sent = [request.form.get(name, "")[:1100] for name in ("endpoint", "p256dh", "auth")]
    with changing_club() as s:
        device = devices.add_device(s, player, sent[0], sent[1], sent[2], settings().push_service, now())
    session[DEVICE] = session.get(DEVICE, {}) | {str(event.id): device.id}
    flash("This device shows notifications now.", "success")
    return redirect(url_for("notices.mine", slug=slug))


@notices.post("/e/<slug>/me/devices/<int:device_id>/remove")
def remove_device(slug: str, device_id: int) -> ResponseReturnValue:
    """Stop notifications on one of the visitor's devices."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    with changing_club() as s:
        devices.remove_device(s, player, device_id)
    flash("Removed: that device gets no more notifications.", "success")
    return redirect(url_for("notices.mine", slug=slug))


@notices.route("/e/<slug>/lost-link", methods=["GET", "POST"])
def lost_link(slug: str) -> ResponseReturnValue:
    """Mail a private link again. The address is looked up later, so the answer does not reveal whether it is known."""
    event = event_or_404(slug)
    if not can_mail_lost_link(event):
        abort(404)
    form, status = LostLinkForm(), 422
    if form.validate_on_submit():
        try:
            with changing_club() as s:
                if accounts_actions.count(s, {LOST_LINKS: client_key()}, now()) is not None:
                    raise TooMany("Too many requests for links from this network. Wait 15 minutes and try again.")
                s.add(LinkRequest(event_id=event.id, mail=form.mail.data, at=now()))
        except Refused as refused:
            status = show_at_field(form, refused)
        else:
            flash(ON_THE_WAY, "message")
            return redirect(url_for("public.event", slug=slug))
    return render_template("messages/lost_link.html", form=form), status if form.errors else 200
