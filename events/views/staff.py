"""The staff of an event: who helps as what, invitations, and leaving."""

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import RadioField
from wtforms.fields import SelectChoice

from events.actions import staff
from events.look_alikes import staff_warnings
from events.roles import MEANING, TABLE, WORDS
from events.staff_reading import open_invitations, staff_of
from events.views.press import pressed
from events.views.registration import qr
from events.views.request import LONGEST_ID, actor, changing, db, managed_event, now, outside_url, visitor
from models.event import Event
from models.staff import Invitation, Role, Staff

blueprint = Blueprint("staff", __name__)

SHOWN = "invitation_shown"
"""In the session of whoever invited: the invitation's id and its token, until the next one. Nothing else has it."""


class InviteForm(FlaskForm):
    """As what somebody is invited."""

    role = RadioField("As", choices=[SelectChoice(role.value, WORDS[role].capitalize()) for role in Role])


@blueprint.route("/e/<slug>/desk/staff", methods=["GET", "POST"])
def manage(slug: str) -> ResponseReturnValue:
    """Everybody who helps, the invitations that are open, and a new one."""
    event = managed_event(slug)
    form = InviteForm(data={"role": Role.JUDGE.value})
    if form.validate_on_submit():
        account = visitor().account
        assert account is not None  # noqa: S101 - managed_event has seen to it
        with changing(event) as s:
            invitation, token = staff.invite(s, event, Role(form.role.data), account, actor(event), now())
        session[SHOWN] = [invitation.id, token]
        return redirect(url_for("staff.invitation", slug=slug, invitation_id=invitation.id))
    page = render_template(
        "desk/staff.html",
        form=form,
        helpers=staff_of(db(), event),
        warnings=staff_warnings(db(), event),
        invitations=open_invitations(db(), event, now()),
        roles=list(Role),
        words=WORDS,
        meaning=MEANING,
        table=TABLE,
    )
    return page, 422 if form.errors else 200


@blueprint.get("/e/<slug>/desk/staff/invitations/<int:invitation_id>")
def invitation(slug: str, invitation_id: int) -> ResponseReturnValue:
    """The link of a new invitation, to hand on: for whoever made it, in the browser that made it."""
    event = managed_event(slug)
    found = _invitation(event, invitation_id)
    shown_id, token = session.get(SHOWN, (0, ""))
    address = outside_url("invitations.open_link", token=token) if shown_id == found.id else ""
    ended = staff.why_ended(found, now())
    return render_template(
        "desk/invitation.html",
        invitation=found,
        address=address,
        qr=qr(address) if address and not ended else "",
        ended=ended,
        words=WORDS,
        meaning=MEANING,
    )


@blueprint.post("/e/<slug>/desk/staff/invitations/<int:invitation_id>/withdraw")
def withdraw(slug: str, invitation_id: int) -> ResponseReturnValue:
    """End an open invitation."""
    event = managed_event(slug)
    found = _invitation(event, invitation_id)
    with pressed(event, "Withdrawn: the link opens nothing any more.") as s:
        staff.withdraw(s, event, found, actor(event), now())
    return redirect(url_for("staff.manage", slug=slug))


@blueprint.post("/e/<slug>/desk/staff/<int:staff_id>/role")
def change_role(slug: str, staff_id: int) -> ResponseReturnValue:
    """Make somebody another role."""
    event = managed_event(slug)
    helper = _helper(event, staff_id)
    wanted = request.form.get("role", "")
    if wanted not in set(Role):
        abort(404)
    with pressed(event, "Changed, from the next click on.") as s:
        staff.change_role(s, event, helper, Role(wanted), actor(event), now())
    return _back(event)


@blueprint.post("/e/<slug>/desk/staff/<int:staff_id>/remove")
def remove(slug: str, staff_id: int) -> ResponseReturnValue:
    """End somebody's role."""
    event = managed_event(slug)
    helper = _helper(event, staff_id)
    with pressed(event, "Removed, from the next click on.") as s:
        staff.remove(s, event, helper, actor(event), now())
    return _back(event)


@blueprint.post("/e/<slug>/desk/leave")
def leave(slug: str) -> ResponseReturnValue:
    """Give up one's own role."""
    event = managed_event(slug)
    own = next(one.staff for one in staff_of(db(), event) if one.account == visitor().account)
    with pressed(event, f"You have left the staff of {event.name}.") as s:
        staff.remove(s, event, own, actor(event), now())
    return redirect(url_for("desk.home"))


def _back(event: Event) -> ResponseReturnValue:
    """The page of the staff, for whoever may still see it."""
    still = any(one.account == visitor().account and one.staff.role == Role.OWNER for one in staff_of(db(), event))
    return redirect(url_for("staff.manage", slug=event.slug) if still else url_for("desk.home"))


def _helper(event: Event, staff_id: int) -> Staff:
    found = db().get(Staff, staff_id) if staff_id <= LONGEST_ID else None
    if found is None or found.event_id != event.id:
        abort(404)
    return found


def _invitation(event: Event, invitation_id: int) -> Invitation:
    found = db().get(Invitation, invitation_id) if invitation_id <= LONGEST_ID else None
    if found is None or found.event_id != event.id:
        abort(404)
    return found
