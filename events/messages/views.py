"""The organiser's messages: write from a template, preview, send; and how pages show them."""

import secrets

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.messages import actions, addresses
from events.messages.actions import Outgoing, mail_link
from events.messages.copies import Shown, shown_copy
from events.messages.forms import AddressForm, AllowForm, MessageForm
from events.messages.queries import (
    contact_of,
    contacts_of,
    counts_of,
    deliveries_of,
    in_trouble,
    message_of,
    messages_of,
    waiting_since,
)
from events.messages.text import COMMON, PERSONAL, TEMPLATES
from events.visitors.loading import managed_event, player_or_404
from events.web.forms import refusals_at
from events.web.parsing import whole_number
from events.web.request import changing, db, mail_server, now, saving
from languages.words import gettext, language, speaking
from models.event import Event
from models.message import GROUPS, SHOWN_GROUPS, Message

blueprint = Blueprint("messages", __name__)


@blueprint.post("/e/<slug>/desk/players/<int:player_id>/mail-link")
def mail_links(slug: str, player_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    server = mail_server()
    with saving(event, gettext("The private link is on its way to %(player)s.", player=player.name)) as act:
        mail_link(act, player, server.a_day if server else 0)
    return redirect(url_for("players.player_details", slug=slug, player_id=player_id, _anchor="link"))


@blueprint.route("/e/<slug>/desk/messages", methods=["GET", "POST"], endpoint="all")
def all_messages(slug: str) -> ResponseReturnValue:
    """All messages with the states of their mails, and whether players may give mail addresses."""
    event = managed_event(slug)
    form = AllowForm(data={"allowed": event.mail_asked})
    if form.validate_on_submit():
        with changing(event) as act:
            addresses.allow_mail(act, form.allowed.data)
        flash(gettext("Saved."), "success")
        return redirect(url_for("messages.all", slug=slug))
    return render_template(
        "messages/messages.html",
        messages=messages_of(db(), event),
        counts=counts_of(db(), event),
        groups=SHOWN_GROUPS,
        templates=TEMPLATES,
        trouble=in_trouble(db(), event),
        waiting=waiting_since(db(), event, now()),
        server=mail_server(),
        given=len(contacts_of(db(), event)),
        form=form,
    )


@blueprint.route("/e/<slug>/desk/messages/new", methods=["GET", "POST"])
def write(slug: str) -> ResponseReturnValue:
    """Write a message from ``?template=`` and ``?to=``, preview it (at once with ``?look=``), then send it."""
    event = managed_event(slug)
    name, to = request.args.get("template", "free"), request.args.get("to", "")
    if name not in TEMPLATES or (to and to not in GROUPS):
        abort(404)
    template, pressed = TEMPLATES[name], request.form.get("do", "")
    if pressed not in ("", "look", "send"):
        abort(404)
    with speaking(event.language or language()):  # the organiser's message goes out as written
        subject, text = gettext(template.subject), gettext(template.text)
    start = {"recipients": to or template.recipients, "subject": subject, "text": text, "mail": True}
    form = MessageForm(data=start | {"chosen": request.args.getlist("player", type=whole_number)})
    form.offer(event)
    ready: Outgoing | None = None
    status, changed = 200, False
    if form.is_submitted():
        status = 422
        if form.validate():
            changed = pressed == "send" and request.form.get("seen") != form.draft().mark()
            with refusals_at(form):
                if pressed == "send" and not changed:
                    return _send(event, form)
                ready, status = actions.outgoing(db(), event, form.draft(), now()), 200
    elif "look" in request.args:
        # A link from the desk opens the preview at once.
        with refusals_at(form):
            ready = actions.outgoing(db(), event, form.draft(), now())
    if not 0 < len(form.key.data or "") <= 40:
        form.key.data = secrets.token_urlsafe(16)
    return render_template(
        "messages/message_new.html",
        form=form,
        template=name,
        templates=TEMPLATES,
        placeholders=PERSONAL | COMMON,
        ready=ready,
        shown=_shown(event, form, ready) if ready else None,
        seen=form.draft().mark() if ready else "",
        changed=changed,
    ), status


def _send(event: Event, form: MessageForm) -> ResponseReturnValue:
    server = mail_server()
    with changing(event) as act:
        key = form.key.data[:40] or secrets.token_urlsafe(16)
        message = actions.send(act, form.draft(), key, server.a_day if server else 0)
    flash(gettext("Sent. It is on the players’ pages."), "success")
    return redirect(url_for("messages.one_message", slug=event.slug, message_id=message.id))


def _shown(event: Event, form: MessageForm, ready: Outgoing) -> Shown:
    form.shown.choices = [SelectChoice(copy.player.id, copy.player.name) for copy in ready.copies]
    copy = next((copy for copy in ready.copies if copy.player.id == form.shown.data), ready.copies[0])
    form.shown.data = copy.player.id
    draft = form.draft()
    return shown_copy(event, draft.subject, draft.text, copy.words, now())


@blueprint.get("/e/<slug>/desk/messages/<int:message_id>")
def one_message(slug: str, message_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    message = message_or_404(event, message_id)
    return render_template(
        "messages/message.html",
        message=message,
        shown=shown_copy(event, message.subject, message.text, message.words, message.at),
        deliveries=deliveries_of(db(), message),
        groups=SHOWN_GROUPS,
    )


@blueprint.post("/e/<slug>/desk/messages/<int:message_id>/again")
def send_again(slug: str, message_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    message = message_or_404(event, message_id)
    delivery_id = request.form.get("delivery", 0, type=whole_number)
    with saving(event, gettext("Queued again.")) as act:
        actions.send_again(act, message, delivery_id)
    return redirect(url_for("messages.one_message", slug=slug, message_id=message_id))


@blueprint.route("/e/<slug>/desk/players/<int:player_id>/mail", methods=["GET", "POST"])
def player_mail(slug: str, player_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    if not event.mail_asked:
        abort(404)
    contact = contact_of(db(), player)
    form = AddressForm(data={"mail": contact.mail if contact else ""})
    if form.validate_on_submit():
        with changing(event) as act:
            addresses.give_address(act, player, form.mail.data)
        flash(gettext("Saved."), "success")
        return redirect(url_for("players.player_details", slug=slug, player_id=player_id))
    return render_template("messages/player_mail.html", player=player, form=form, contact=contact), (
        422 if form.errors else 200
    )


def message_or_404(event: Event, message_id: int) -> Message:
    message = message_of(db(), event, message_id)
    return message or abort(404)
