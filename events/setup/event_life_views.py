"""An event again, cancelled, off the front page or deleted."""

import logging

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.setup.actions import change_settings, settings_of
from events.setup.copying import copy_event, next_month, next_name
from events.setup.event_life import cancel, concerned, delete, set_unlisted, withdraw_cancellation
from events.setup.forms import CancelForm, CopyForm
from events.setup.repeating import make_next
from events.store.act import Act
from events.visitors import access
from events.visitors.event_loading import players_in
from events.visitors.loading import event_or_404, managed_event, visitor
from events.web.forms import typed
from events.web.request import changing_club, db, mail_server, now, saving
from languages.words import gettext, ngettext
from models.settings import Repeats

log = logging.getLogger("overseer.security")

blueprint = Blueprint("event_life", __name__)


@blueprint.route("/desk/copy/<slug>", methods=["GET", "POST"])
def copy(slug: str) -> ResponseReturnValue:
    event, who = event_or_404(slug), visitor()
    if who.account is None or not access.may_copy(who, event):
        abort(403)
    form = CopyForm(
        data={
            "name": next_name(event.name),
            "starts_on": next_month(event.starts_on),
            "series": event.series,
        }
    )
    if form.validate_on_submit():
        with changing_club() as s:
            made = copy_event(
                Act(s, event, who.name_as_owner, now()),
                form.name.data,
                form.starts_on.data,
                form.series.data,
                who.account,
            )
        flash(gettext("The new event is a draft. Check its dates, then open registration."), "success")
        return redirect(url_for("desk.desk", slug=made.slug))
    return render_template("setup/copy.html", form=form), 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/next")
def next_event(slug: str) -> ResponseReturnValue:
    """Make the next event of one that repeats, at once; or stop repeating."""
    event = managed_event(slug)
    if request.form.get("do") == "stop":
        with saving(event, gettext("No event follows.")) as act:
            settings = settings_of(event).model_copy(update={"repeats": Repeats.NEVER})
            change_settings(act, settings)
        return redirect(url_for("desk.desk", slug=slug))
    with saving(event) as act:
        made = make_next(act)
    return redirect(url_for("desk.desk", slug=made.slug if made else slug))


@blueprint.route("/e/<slug>/desk/cancel", methods=["GET", "POST"], endpoint="cancel")
def cancel_page(slug: str) -> ResponseReturnValue:
    """Cancel the event, after a page that says whom it concerns."""
    event = managed_event(slug)
    form, server = CancelForm(), mail_server()
    if form.validate_on_submit():
        message = gettext("The players have a message on their pages.") if concerned(db(), event).players else ""
        with saving(event, message) as act:
            left = cancel(act, form.reason.data, server.a_day if server else 0)
            if left:
                flash(
                    ngettext(
                        "No mail was sent: %(num)s player has a mail address, more than the mails that this "
                        "event may still send today. Write to them another way.",
                        "No mail was sent: %(num)s players have a mail address, more than the mails that this "
                        "event may still send today. Write to them another way.",
                        left,
                    ),
                    "error",
                )
        return redirect(url_for("desk.desk", slug=slug))
    page = render_template("setup/cancel.html", form=form, concerned=concerned(db(), event), mails=server is not None)
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/take-place")
def take_place(slug: str) -> ResponseReturnValue:
    """Take a cancellation back."""
    event = managed_event(slug)
    with saving(event, gettext("The cancellation is undone. Tell the players in a message.")) as act:
        withdraw_cancellation(act)
    return redirect(url_for("desk.desk", slug=slug))


@blueprint.post("/e/<slug>/desk/listing")
def listing(slug: str) -> ResponseReturnValue:
    """Take the event off the front page, or put it back."""
    event = managed_event(slug)
    unlisted = request.form.get("listing") == "off"
    with saving(event, gettext("Off the front page.") if unlisted else gettext("On the front page.")) as act:
        set_unlisted(act, unlisted)
    return redirect(url_for("settings.change_section", slug=slug, section="life"))


@blueprint.route("/e/<slug>/desk/delete", methods=["GET", "POST"], endpoint="delete")
def delete_page(slug: str) -> ResponseReturnValue:
    """Delete the event for good, with its name typed; the page offers the archive first."""
    event = managed_event(slug)
    wrong = ""
    if request.method == "POST":
        if typed(event.name):
            name, event_id = event.name, event.id
            with changing_club() as s:
                delete(s, event_id)
            account = visitor().account
            log.info("event deleted", extra={"facts": {"event": slug, "account": account.name if account else ""}})
            flash(gettext("%(name)s is deleted.", name=name), "success")
            return redirect(url_for("desk.desk_home"))
        wrong = gettext("This is not the name of the event. Nothing was deleted.")
    page = render_template("setup/delete.html", players=len(players_in(event)), wrong=wrong)
    return page, 422 if wrong else 200
