"""The player's messages, mail address and notifications; and mailing a lost private link."""

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from events.messages import actions, addresses
from events.messages.forms import AddressForm
from events.messages.queries import change_of, change_with, contact_of, deleted_address, waits
from events.messages.text import GOOD_FOR, change_key
from events.store.errors import Refused
from events.visitors.loading import event_or_404, own_player_or_403, visitor
from events.web.forms import SiteForm, refusals_at
from events.web.parsing import whole_number
from events.web.request import changing, changing_club, db, mail_server, now, saving
from languages.words import N_, gettext
from models.event import Event
from models.message import MailChange
from models.play import Player

blueprint = Blueprint("own_messages", __name__)


OPENED = "mail_change"
"""Session key for the address change that an opened link confirms."""
CHANGED = N_(
    "To change the address, open the link that we mail to your current address. Leave blank to delete the "
    "address at once; the organiser can then enter a new address at the desk."
)


@blueprint.post("/e/<slug>/me/messages")
def mark_read(slug: str) -> ResponseReturnValue:
    """Mark the messages in ``seen`` as read by the visitor."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    seen = request.form.getlist("seen", type=whole_number)
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
    form.mail.description = gettext(CHANGED) if contact and server else ""
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                asked = addresses.ask_for(act, player, form.mail.data, has_server=server is not None)
            if asked:
                flash(gettext("Please confirm the change from your current address."), "message")
                return redirect(url_for("own_messages.mail", slug=slug))
            waiting = form.mail.data and server and (given := contact_of(db(), player)) and not given.confirmed_at
            text = gettext("Saved. Open the link that we mail to you.") if waiting else gettext("Saved.")
            flash(text if form.mail.data else gettext("No mail is sent to you."), "success")
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
    with saving(event, gettext("Cancelled: mails still go to your current address.")) as act:
        addresses.cancel_change(act, player)
    return redirect(url_for("own_messages.mail", slug=slug))


@blueprint.get("/mail/<token>")
def open_mail_link(token: str) -> ResponseReturnValue:
    """Move the token of a mailed link into the session, to keep it out of the address bar."""
    key = change_key(current_app.secret_key, token)
    if change_with(db(), key) is None:
        return _used()
    session[OPENED] = key
    return redirect(url_for("own_messages.confirm_address"))


@blueprint.route("/mail", methods=["GET", "POST"])
def confirm_address() -> ResponseReturnValue:
    """Confirm a change of the mail address. GET changes nothing, because mail programs open links too."""
    key = str(session.get(OPENED, ""))
    change = change_with(db(), key)
    if change is None or not waits(change, now()):
        return _used()
    event, player = db().get_one(Event, change.event_id), db().get_one(Player, change.player_id)
    form = SiteForm()
    if form.validate_on_submit():
        try:
            with changing(event) as act:
                addresses.confirm_address(act.s, event, player, key, now(), has_server=mail_server() is not None)
        except Refused:
            return _used()
        session.pop(OPENED)
        flash(gettext("Changed: mails go to the new address from now on."), "success")
        is_own = visitor().is_player(player)
        return redirect(url_for("player.today" if is_own else "public.event", slug=event.slug))
    return render_template("messages/mail_agree.html", form=form, change=change, player=player, what=event.name)


def _waiting(player: Player) -> MailChange | None:
    """The player's waiting change, while its link is valid."""
    change = change_of(db(), player)
    return change if change is not None and waits(change, now()) else None


def _used() -> ResponseReturnValue:
    return render_template("messages/mail_link_used.html"), 404
