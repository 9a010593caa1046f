"""An invitation opened by whoever got its link: the token leaves the address bar at once, then one step to accept."""

from flask import Blueprint, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import PasswordField
from wtforms.validators import DataRequired, Length

from events.actions import organisers, staff
from events.errors import Refused
from events.passwords import is_guessed
from events.roles import MEANING, WORDS
from events.views.account import GUESSED, SetUpForm, remember_account
from events.views.fields import show_at_field, text
from events.views.request import changing, db, now, visitor
from events.views.tries import account_with
from models.event import Event
from models.people import Account
from models.staff import Invitation

blueprint = Blueprint("invitations", __name__)

OPENED = "invitation"
"""In the session of whoever opened the link: its token."""


class KnownForm(FlaskForm):
    """Somebody with an account."""

    name = text("Name", 80)
    password = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])


class NewForm(SetUpForm):
    """Somebody new."""


@blueprint.get("/i/<token>")
def open_link(token: str) -> ResponseReturnValue:
    """Exchange the link for the browser's session, so that the token stays in no address bar."""
    if staff.find_invitation(db(), token) is None:
        return render_template("account/used_link.html"), 404
    session[OPENED] = token
    return redirect(url_for("invitations.accept"))


@blueprint.route("/invitation", methods=["GET", "POST"])
def accept() -> ResponseReturnValue:
    """Take the role, with the account at hand, an account by its password, or a new one."""
    invitation = staff.find_invitation(db(), session.get(OPENED, ""))
    if invitation is None:
        return render_template("account/used_link.html"), 404
    event = db().get_one(Event, invitation.event_id)
    ended = staff.why_ended(invitation, now())
    if ended:
        return render_template("account/invitation_ended.html", ended=ended, what=event.name), 404
    pressed = request.form.get("do", "")
    plain = FlaskForm()
    known = KnownForm(prefix="k") if pressed == "known" else KnownForm(None, prefix="k")
    new = NewForm(prefix="n") if pressed == "new" else NewForm(None, prefix="n")
    form: FlaskForm = {"known": known, "new": new}.get(pressed, plain)
    status = 200
    if request.method == "POST" and form.validate():
        try:
            account = _account(pressed, known, new)
            if pressed == "new" and is_guessed(new.password.data, new.name.data):
                raise Refused(GUESSED, "password")
            with changing(event) as s:
                account = account or organisers.make_account(s, new.name.data, new.password.data, now())
                staff.accept(s, event, invitation, account, now())
            remember_account(account)
            flash(f"Welcome: you are {WORDS[invitation.role]} at {event.name}.", "success")
            return redirect(url_for("desk.desk", slug=event.slug))
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
    page = render_template(
        "account/invitation.html",
        known=known,
        new=new,
        plain=plain,
        role=WORDS[invitation.role],
        meaning=MEANING[invitation.role],
        what=event.name,
        by=_inviter(invitation),
    )
    return page, 422 if form.errors and status == 200 else status


def _account(pressed: str, known: KnownForm, new: NewForm) -> Account | None:
    """Whom the visitor is, by what was pressed; None for somebody new. Raises Refused."""
    if pressed == "new":
        return None
    if pressed != "known":
        if visitor().account is None:
            raise Refused("Please sign in below, or make an account.")
        return visitor().account
    account = account_with(known.name.data, known.password.data)
    if account is not None and account.totp_secret:
        raise Refused("This account has a second factor: sign in first, then open the invitation’s link again.")
    if account is None:
        raise Refused("Name and password do not belong together.")
    return account


def _inviter(invitation: Invitation) -> str:
    return db().get_one(Account, invitation.created_by).name
