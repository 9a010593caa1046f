"""The staff of an event: invitations, roles, and leaving."""

import secrets
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.store.visitor import WORDS
from events.visitors.queries import account_role, token_hash
from languages.message import message
from languages.words import gettext
from models.api_token import ApiToken
from models.event import Event
from models.people import Account
from models.staff import Invitation, Role, Staff

LASTS = timedelta(days=7)
"""How long an invitation stays open."""


def invite(act: Act, role: Role, by: Account) -> tuple[Invitation, str]:
    """A new invitation and its token. Only the token's hash is stored."""
    token = secrets.token_urlsafe(24)
    invitation = Invitation(
        event_id=act.event.id,
        role=role,
        token_hash=token_hash(token),
        created_at=act.now,
        created_by=by.id,
        expires_at=act.now + LASTS,
    )
    act.s.add(invitation)
    act.s.flush()  # assigns the id for the page
    note(
        act,
        "invite-staff",
        message("Invited somebody as %(role)s", role=message(WORDS[role])),
        invitation=invitation.id,
        role=role.value,
    )
    return invitation, token


def withdraw(act: Act, invitation: Invitation) -> None:
    """End an open invitation. Raises Refused."""
    if why_ended(invitation, act.now):
        raise Refused(why_ended(invitation, act.now))
    invitation.withdrawn_at = act.now
    text = message("Withdrew an invitation as %(role)s", role=message(WORDS[invitation.role]))
    note(act, "withdraw-invitation", text, invitation=invitation.id)


def find_invitation(s: Session, token: str) -> Invitation | None:
    """The invitation with this token, open or ended."""
    return s.exec(select(Invitation).where(Invitation.token_hash == token_hash(token))).first()


def why_ended(invitation: Invitation, now: datetime) -> str:
    """The reason why an invitation has ended, in a sentence; "" while it is open."""
    if invitation.used_at is not None:
        return gettext("This invitation has already been used.")
    if invitation.withdrawn_at is not None:
        return gettext("This invitation was withdrawn.")
    if now >= invitation.expires_at:
        return gettext("This invitation has expired.")
    return ""


def accept(s: Session, event: Event, invitation: Invitation, account: Account, now: datetime) -> Staff:
    """Give the account the invitation's role, and mark the invitation as used. Raises Refused."""
    if why_ended(invitation, now):
        raise Refused(gettext("%(why)s Ask the event’s owner for a new one.", why=why_ended(invitation, now)))
    has = account_role(s, event, account)
    if has is not None:
        raise Refused(
            gettext(
                "%(name)s is %(role)s at this event already. Only an owner can change that. The invitation stays open "
                "for another person.",
                name=account.name,
                role=gettext(WORDS[has]),
            )
        )
    invitation.used_at = now
    staff = Staff(event_id=event.id, account_id=account.id, role=invitation.role, since=now)
    s.add(staff)
    words = WORDS[invitation.role]
    note(
        Act(s, event, f"{words} {account.name}", now),
        "join-staff",
        message("%(name)s joined as %(role)s", name=account.name, role=message(words)),
        account=account.id,
        invitation=invitation.id,
    )
    return staff


def change_role(act: Act, staff: Staff, role: Role) -> None:
    """Give a member of staff another role. Raises Refused for the last owner.

    Only an organiser who becomes owner keeps tokens: who loses the right to make them loses them for good.
    """
    name = act.s.get_one(Account, staff.account_id).name
    if staff.role == role:
        return
    if staff.role == Role.OWNER:
        _keep_an_owner(act.s, act.event, staff, name)
    if role != Role.OWNER:
        _end_all_of(act, staff.account_id)
    was, staff.role = staff.role, role
    roles = {"before": message(WORDS[was]), "after": message(WORDS[role])}
    text = message("Changed the role of %(name)s from %(before)s to %(after)s", name=name, **roles)
    note(act, "change-role", text, account=staff.account_id, before=was.value, after=role.value)


def remove_staff(act: Act, staff: Staff) -> None:
    """Remove a member of staff, with their open invitations and tokens. Raises Refused for the last owner."""
    name = act.s.get_one(Account, staff.account_id).name
    if staff.role == Role.OWNER:
        _keep_an_owner(act.s, act.event, staff, name)
    _end_all_of(act, staff.account_id)
    act.s.delete(staff)
    text = message("%(name)s is no longer %(role)s", name=name, role=message(WORDS[staff.role]))
    note(act, "leave-staff", text, account=staff.account_id, before=staff.role.value)


def adopt_orphaned_events(s: Session, account: Account, now: datetime) -> None:
    """Give this organiser all events without an owner, such as those created in the shell."""
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
        raise Refused(gettext("%(name)s is the only owner. Make another person an owner first.", name=name))


def _end_all_of(act: Act, account_id: int) -> None:
    """Withdraw the open invitations and end the tokens that an account made at the event."""
    made = select(Invitation).where(Invitation.event_id == act.event.id, Invitation.created_by == account_id)
    for invitation in act.s.exec(made):
        if not why_ended(invitation, act.now):
            invitation.withdrawn_at = act.now
    end_tokens(act.s, account_id, act.now, act.event)


def end_tokens(s: Session, account_id: int, now: datetime, event: Event | None = None) -> None:
    """End the tokens that an account made, of one event or of all."""
    made = select(ApiToken).where(ApiToken.made_by == account_id, col(ApiToken.ended_at).is_(None))
    for token in s.exec(made if event is None else made.where(ApiToken.event_id == event.id)):
        token.ended_at = now
