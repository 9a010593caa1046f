"""Reading who helps at which event."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from models.event import Event
from models.people import Account
from models.staff import Invitation, Role, Staff


def roles_of(s: Session, account: Account) -> dict[int, Role]:
    """What the account is, by event id."""
    return {row.event_id: row.role for row in s.exec(select(Staff).where(Staff.account_id == account.id))}


def role_of(s: Session, event: Event, account: Account) -> Role | None:
    """What the account is at this event."""
    row = s.exec(select(Staff).where(Staff.event_id == event.id, Staff.account_id == account.id)).first()
    return row.role if row is not None else None


@dataclass(frozen=True)
class Helper:
    """One row of the staff."""

    staff: Staff
    account: Account
    last_owner: bool
    """Can neither leave nor become anything else."""


def staff_of(s: Session, event: Event) -> list[Helper]:
    """Everybody who helps at the event, by role, then by name."""
    query = select(Staff, Account).join(Account, col(Account.id) == Staff.account_id).where(Staff.event_id == event.id)
    rows = s.exec(query).all()
    owners = sum(staff.role == Role.OWNER for staff, _ in rows)
    order = list(Role)
    return sorted(
        (Helper(staff, account, staff.role == Role.OWNER and owners == 1) for staff, account in rows),
        key=lambda one: (order.index(one.staff.role), one.account.name_key),
    )


def open_invitations(s: Session, event: Event, now: datetime) -> list[Invitation]:
    """Invitations that can still be used, oldest first."""
    query = select(Invitation).where(
        Invitation.event_id == event.id,
        col(Invitation.used_at).is_(None),
        col(Invitation.withdrawn_at).is_(None),
        Invitation.expires_at > now,
    )
    return list(s.exec(query.order_by(col(Invitation.id))))
