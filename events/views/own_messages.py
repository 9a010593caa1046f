"""The player's side of messages: marked as read when seen, and where mail goes."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.actions import messages
from events.message_reading import contact_of
from events.typed import whole_number
from events.views.messages import AddressForm
from events.views.request import LONGEST_ID, actor, changing, db, event_or_404, now, own_player_or_403

blueprint = Blueprint("own_messages", __name__)


@blueprint.post("/e/<slug>/me/messages")
def read(slug: str) -> ResponseReturnValue:
    """The visitor has seen messages: those named by ``seen``."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    seen = [one for one in request.form.getlist("seen", type=whole_number) if 0 < one <= LONGEST_ID]
    if seen:
        # The event stays as it is: nobody else's page changes by it.
        with changing() as s:
            messages.mark_read(s, player, seen[:100], now())
    return redirect(url_for("registration.today", slug=slug, _anchor="messages"))


@blueprint.route("/e/<slug>/me/mail", methods=["GET", "POST"])
def mail(slug: str) -> ResponseReturnValue:
    """Where the visitor wants mail; for this event alone."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if not event.mail_asked:
        abort(404)
    contact = contact_of(db(), player)
    form = AddressForm(data={"mail": contact.mail if contact else ""})
    if form.validate_on_submit():
        with changing(event) as s:
            messages.give_address(s, event, player, form.mail.data, actor(event), now())
        flash("Saved." if form.mail.data else "No mail is sent to you.", "success")
        return redirect(url_for("registration.today", slug=slug))
    return render_template("me/mail.html", form=form), 422 if form.errors else 200
