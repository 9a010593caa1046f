"""Who helps at an event: invitations, roles and their ends. Every change is made under the event's lock."""

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from events.actions.journal import note
from events.errors import Refused
from events.roles import WORDS
from events.staff_reading import role_of
from models.event import Event
from models.people import Account
from models.staff import Invitation, Role, Staff

LASTS = timedelta(days=7)
"""So long an invitation that nobody uses stays open."""
LAST_OWNER = "An event needs an owner, and {name} is the only one: make somebody else an owner first."


def invite(s: Session, event: Event, role: Role, by: Account, actor: str, now: datetime) -> tuple[Invitation, str]:
    """A new invitation, and its token, which is kept nowhere."""
    token = secrets.token_urlsafe(24)
    invitation = Invitation(
        event_id=event.id, role=role, token_hash=_hash(token), created_at=now, created_by=by.id, expires_at=now + LASTS
    )
    s.add(invitation)
    s.flush()  # makes the invitation's id for its page
    note(s, event, actor, now, "invite-staff", f"Invited a {WORDS[role]}", invitation=invitation.id, role=role.value)
    return invitation, token


def withdraw(s: Session, event: Event, invitation: Invitation, actor: str, now: datetime) -> None:
    """End an invitation that nobody has used. Raises Refused."""
    if why_ended(invitation, now):
        raise Refused(why_ended(invitation, now))
    invitation.withdrawn_at = now
    text = f"Withdrew an invitation as {WORDS[invitation.role]}"
    note(s, event, actor, now, "withdraw-invitation", text, invitation=invitation.id)


def find_invitation(s: Session, token: str) -> Invitation | None:
    """The invitation of this token, open or ended."""
    return s.exec(select(Invitation).where(Invitation.token_hash == _hash(token))).first()


def why_ended(invitation: Invitation, now: datetime) -> str:
    """Why an invitation can be used no more, in words; "" while it can."""
    if invitation.used_at is not None:
        return "This invitation was used already."
    if invitation.withdrawn_at is not None:
        return "This invitation was withdrawn."
    if now >= invitation.expires_at:
        return "This invitation has expired."
    return ""


def accept(s: Session, event: Event, invitation: Invitation, account: Account, now: datetime) -> Staff:
    """Give the account the invitation's role, and use the invitation up. Raises Refused."""
    if why_ended(invitation, now):
        raise Refused(why_ended(invitation, now) + " Ask the event’s owner for a new one.")
    has = role_of(s, event, account)
    if has is not None:
        raise Refused(
            f"{account.name} is {WORDS[has]} at this event already. Only its owner can change that; the invitation "
            "stays open for somebody else."
        )
    invitation.used_at, invitation.used_by = now, account.id
    staff = Staff(event_id=event.id, account_id=account.id, role=invitation.role, since=now)
    s.add(staff)
    words = WORDS[invitation.role]
    note(s, event, f"{words} {account.name}", now, "join-staff", f"{account.name} joined as {words}",
         account=account.id, invitation=invitation.id)  # fmt: skip
    return staff


def change_role(s: Session, event: Event, staff: Staff, role: Role, actor: str, now: datetime) -> None:
    """Make somebody another role. Raises Refused for the last owner."""
    name = s.get_one(Account, staff.account_id).name
    if staff.role == role:
        return
    if staff.role == Role.OWNER:
        _keep_an_owner(s, event, staff, name)
        _withdraw_all_of(s, event, staff.account_id, now)
    was, staff.role = staff.role, role
    text = f"{name}, {WORDS[was]} until now, is {WORDS[role]}"
    note(s, event, actor, now, "change-role", text, account=staff.account_id, before=was.value, after=role.value)


def remove(s: Session, event: Event, staff: Staff, actor: str, now: datetime) -> None:
    """End somebody's role from the next request on, and the open invitations they made. Refused: the last owner."""
    name = s.get_one(Account, staff.account_id).name
    if staff.role == Role.OWNER:
        _keep_an_owner(s, event, staff, name)
    _withdraw_all_of(s, event, staff.account_id, now)
    s.delete(staff)
    text = f"{name} is {WORDS[staff.role]} no more"
    note(s, event, actor, now, "leave-staff", text, account=staff.account_id, before=staff.role.value)


def own_the_ownerless(s: Session, account: Account, now: datetime) -> None:
    """Give every event that nobody owns to this organiser: those made in the shell before anybody was set up."""
    owned = select(Staff.event_id).where(Staff.role == Role.OWNER)
    for event in s.exec(select(Event).where(col(Event.id).not_in(owned))):
        row = s.exec(select(Staff).where(Staff.event_id == event.id, Staff.account_id == account.id)).first()
        if row is None:
            row = Staff(event_id=event.id, account_id=account.id, role=Role.OWNER, since=now)
        row.role = Role.OWNER
        s.add(row)


def _keep_an_owner(s: Session, event: Event, staff: Staff, name: str) -> None:
    others = select(Staff).where(Staff.event_id == event.id, Staff.role == Role.OWNER, Staff.id != staff.id)
    if s.exec(others).first() is None:
        raise Refused(LAST_OWNER.format(name=name))


def _withdraw_all_of(s: Session, event: Event, account_id: int, now: datetime) -> None:
    made = select(Invitation).where(Invitation.event_id == event.id, Invitation.created_by == account_id)
    for invitation in s.exec(made):
        if not why_ended(invitation, now):
            invitation.withdrawn_at = now


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
