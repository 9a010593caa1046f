"""The staff of an event: roles, invitations, and leaving."""

from collections import Counter
from typing import TypeVar

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.accounts import actions, staff
from events.accounts.browser import GUESSED, account_with, remember_account
from events.accounts.forms import InviteForm, KnownForm, SetUpForm
from events.accounts.passwords import is_guessed
from events.accounts.tokens import tokens_of
from events.store.errors import Refused
from events.store.visitor import MEANING, TABLE, WORDS
from events.visitors.loading import managed_event, visitor
from events.visitors.queries import open_invitations, staff_of, staff_warnings
from events.web.forms import SiteForm, show_at_field
from events.web.request import changing, db, now, outside_url, saving
from languages.words import gettext
from models.event import Event
from models.people import Account
from models.staff import Invitation, Role, Staff

blueprint = Blueprint("staff", __name__)
Row = TypeVar("Row", Invitation, Staff)

OPENED = "invitation"
"""Session key for the token of an opened invitation."""


@blueprint.get("/i/<token>")
def open_invitation(token: str) -> ResponseReturnValue:
    """Move the invitation's token from the address to the session."""
    if staff.find_invitation(db(), token) is None:
        return render_template("accounts/used_link.html"), 404
    session[OPENED] = token
    return redirect(url_for("staff.accept"))


@blueprint.route("/invitation", methods=["GET", "POST"])
def accept() -> ResponseReturnValue:
    """Accept the invitation: as the signed-in account, with an account's password, or with a new account."""
    invitation = staff.find_invitation(db(), session.get(OPENED, ""))
    if invitation is None:
        return render_template("accounts/used_link.html"), 404
    event = db().get_one(Event, invitation.event_id)
    ended = staff.why_ended(invitation, now())
    if ended:
        return render_template("accounts/invitation_ended.html", ended=ended, what=event.name), 404
    button = request.form.get("do", "")
    plain = SiteForm()
    known = KnownForm(prefix="k") if button == "known" else KnownForm(None, prefix="k")
    new = SetUpForm(prefix="n") if button == "new" else SetUpForm(None, prefix="n")
    form: FlaskForm = {"known": known, "new": new}.get(button, plain)
    status = 200
    if request.method == "POST" and form.validate():
        try:
            account = _account(button, known)
            if button == "new" and is_guessed(new.password.data, new.name.data):
                raise Refused(gettext(GUESSED), "password")
            with changing(event) as act:
                account = account or actions.make_account(act.s, new.name.data, new.password.data, now())
                staff.accept(act.s, event, invitation, account, now())
            remember_account(account)
            flash(
                gettext(
                    "Welcome: you are %(role)s at %(event)s.", role=gettext(WORDS[invitation.role]), event=event.name
                ),
                "success",
            )
            return redirect(url_for("desk.desk", slug=event.slug))
        except Refused as refused:
            status = show_at_field(form, refused)
    page = render_template(
        "accounts/invitation.html",
        known=known,
        new=new,
        plain=plain,
        role=WORDS[invitation.role],
        meaning=MEANING[invitation.role],
        what=event.name,
        by=db().get_one(Account, invitation.created_by).name,
    )
    return page, 422 if form.errors and status == 200 else status


def _account(button: str, known: KnownForm) -> Account | None:
    """The visitor's account, by the submitted button; None for a new account. Raises Refused."""
    if button == "new":
        return None
    if button != "known":
        if visitor().account is None:
            raise Refused(gettext("Please sign in below, or create an account."))
        return visitor().account
    account = account_with(known.name.data, known.password.data)
    if account is not None and account.totp_secret:
        raise Refused(
            gettext("This account has a second factor: sign in first, then open the invitation’s link again.")
        )
    if account is None:
        raise Refused(gettext("Name and password do not match."))
    return account


SHOWN = "invitation_shown"
"""Session key for the id and token of the latest invitation; the token is stored nowhere else."""


@blueprint.route("/e/<slug>/desk/staff", methods=["GET", "POST"])
def manage_staff(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    form = InviteForm(data={"role": Role.JUDGE.value})
    if form.validate_on_submit():
        account = visitor().account
        assert account is not None  # noqa: S101 - checked by managed_event
        with changing(event) as act:
            invitation, token = staff.invite(act, Role(form.role.data), account)
        session[SHOWN] = [invitation.id, token]
        return redirect(url_for("staff.invitation", slug=slug, invitation_id=invitation.id))
    page = render_template(
        "accounts/staff.html",
        form=form,
        helpers=staff_of(db(), event),
        warnings=staff_warnings(db(), event),
        invitations=open_invitations(db(), event, now()),
        roles=list(Role),
        words=WORDS,
        meaning=MEANING,
        table=TABLE,
        tokens=Counter(row.made_by for row, _, allowed in tokens_of(db(), event) if allowed and row.expires_at > now()),
    )
    return page, 422 if form.errors else 200


@blueprint.get("/e/<slug>/desk/staff/invitations/<int:invitation_id>")
def invitation(slug: str, invitation_id: int) -> ResponseReturnValue:
    """The link of a new invitation, shown only in the browser that created it."""
    event = managed_event(slug)
    row = _row_of(event, Invitation, invitation_id)
    shown_id, token = session.get(SHOWN, (0, ""))
    shown = shown_id == row.id
    ended = staff.why_ended(row, now())
    return render_template(
        "accounts/desk_invitation.html",
        invitation=row,
        shown=shown and not ended,
        path=url_for("staff.open_invitation", token=token) if shown else "",
        address=outside_url("staff.open_invitation", token=token) if shown else "",
        ended=ended,
        words=WORDS,
        meaning=MEANING,
    )


@blueprint.post("/e/<slug>/desk/staff/invitations/<int:invitation_id>/withdraw")
def withdraw(slug: str, invitation_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    row = _row_of(event, Invitation, invitation_id)
    with saving(event, gettext("Withdrawn. The link no longer works.")) as act:
        staff.withdraw(act, row)
    return redirect(url_for("staff.manage_staff", slug=slug))


@blueprint.post("/e/<slug>/desk/staff/<int:staff_id>/role")
def change_role(slug: str, staff_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    helper = _row_of(event, Staff, staff_id)
    wanted = request.form.get("role", "")
    if wanted not in set(Role):
        abort(404)
    with saving(event, gettext("Role changed.")) as act:
        staff.change_role(act, helper, Role(wanted))
    return _back(event)


@blueprint.post("/e/<slug>/desk/staff/<int:staff_id>/remove")
def remove_staff(slug: str, staff_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    helper = _row_of(event, Staff, staff_id)
    with saving(event, gettext("Removed.")) as act:
        staff.remove_staff(act, helper)
    return _back(event)


@blueprint.post("/e/<slug>/desk/leave")
def leave_staff(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    mine = next(helper.staff for helper in staff_of(db(), event) if helper.account == visitor().account)
    with saving(event, gettext("You have left the staff of %(event)s.", event=event.name)) as act:
        staff.remove_staff(act, mine)
    return redirect(url_for("desk.desk_home"))


def _back(event: Event) -> ResponseReturnValue:
    """Redirect to the staff page, or to the list of one's own events if the visitor is no longer an owner."""
    still = any(
        helper.account == visitor().account and helper.staff.role == Role.OWNER for helper in staff_of(db(), event)
    )
    return redirect(url_for("staff.manage_staff", slug=event.slug) if still else url_for("desk.desk_home"))


def _row_of(event: Event, table: type[Row], row_id: int) -> Row:
    """The event's row with this id; 404 if there is none."""
    row = db().get(table, row_id)
    if row is None or row.event_id != event.id:
        abort(404)
    return row
