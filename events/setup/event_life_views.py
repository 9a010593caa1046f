"""An event again, cancelled, off the front page, or deleted."""

import logging

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import DateField
from wtforms.validators import InputRequired

from events.accounts import access
from events.accounts.loading import actor, event_or_404, managed_event, visitor
from events.setup import event_life
from events.setup.event_life import copy_event, next_month, next_name, series_name
from events.web.forms import lines, sensible_year, text, typed
from events.web.idempotency import saving
from events.web.request import changing, db, mail_server, now

log = logging.getLogger("overseer.security")

blueprint = Blueprint("event_life", __name__)


class CopyForm(FlaskForm):
    """What is new in a copy of an event."""

    name = text("Name of the new event", 120)
    starts_on = DateField("Date", [InputRequired("Enter a date."), sensible_year])
    series = text("Series", 80, required=False, description="Events of one series share a page. Leave blank for none.")


class CancelForm(FlaskForm):
    """Why the event does not take place."""

    reason = lines("Reason", 1000, required=True, description="Players read it. Say what happens to entry fees.")


@blueprint.route("/desk/copy/<slug>", methods=["GET", "POST"])
def copy(slug: str) -> ResponseReturnValue:
    """The same event again, with a new name and date."""
    event, who = event_or_404(slug), visitor()
    if who.account is None or not access.may_copy(who, event):
        abort(403)
    form = CopyForm(
        data={
            "name": next_name(event.name),
            "starts_on": next_month(event.starts_on),
            "series": event.series or series_name(event.name),
        }
    )
    if form.validate_on_submit():
        with changing() as s:
            made = copy_event(
                s, event, form.name.data, form.starts_on.data, form.series.data, who.account, who.name_as_owner, now()
            )
        flash("The new event is a draft. Check its dates, then open registration.", "success")
        return redirect(url_for("desk.desk", slug=made.slug))
    return render_template("setup/copy.html", form=form), 422 if form.errors else 200


@blueprint.route("/e/<slug>/desk/cancel", methods=["GET", "POST"])
def cancel(slug: str) -> ResponseReturnValue:
    """Cancel the event, after a page that says whom it concerns."""
    event = managed_event(slug)
    form, server = CancelForm(), mail_server()
    if form.validate_on_submit():
        message = "The players have a message on their pages." if event_life.concerned(db(), event).players else ""
        with saving(event, message) as s:
            left = event_life.cancel(s, event, form.reason.data, server.a_day if server else 0, actor(event), now())
            if left:
                flash(
                    f"No mail was sent: {left} players have a mail address, and this event may not send that many "
                    "mails today. Write to them another way.",
                    "error",
                )
        return redirect(url_for("desk.desk", slug=slug))
    page = render_template(
        "setup/cancel.html", form=form, concerned=event_life.concerned(db(), event), mails=server is not None
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/take-place")
def take_place(slug: str) -> ResponseReturnValue:
    """Take a cancellation back."""
    event = managed_event(slug)
    with saving(event, "The event takes place after all. Write to the players, to say so.") as s:
        event_life.withdraw_cancellation(s, event, actor(event), now())
    return redirect(url_for("desk.desk", slug=slug))


@blueprint.post("/e/<slug>/desk/listing")
def listing(slug: str) -> ResponseReturnValue:
    """Take the event off the front page, or put it back."""
    event = managed_event(slug)
    unlisted = request.form.get("listing") == "off"
    with saving(event, "Off the front page." if unlisted else "On the front page.") as s:
        event_life.set_unlisted(s, event, unlisted, actor(event), now())
    return redirect(url_for("setup.change_settings", slug=slug, _anchor="life"))


@blueprint.route("/e/<slug>/desk/delete", methods=["GET", "POST"])
def delete(slug: str) -> ResponseReturnValue:
    """Delete the event for good, with its name typed; the page offers the archive first."""
    event = managed_event(slug)
    wrong = ""
    if request.method == "POST":
        if typed(event.name):
            name, event_id = event.name, event.id
            with changing() as s:
                event_life.delete(s, event_id)
            account = visitor().account
            log.info("event deleted", extra={"facts": {"event": slug, "account": account.name if account else ""}})
            flash(f"{name} is deleted.", "success")
            return redirect(url_for("desk.home"))
        wrong = "This is not the name of the event. Nothing was deleted."
    page = render_template("setup/delete.html", concerned=event_life.concerned(db(), event), wrong=wrong)
    return page, 422 if wrong else 200
