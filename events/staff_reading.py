"""Reading who helps at which event."""

from sqlmodel import Session, select

from models.event import Event
from models.people import Account
from models.staff import Role, Staff


def roles_of(s: Session, account: Account) -> dict[int, Role]:
    """What the account is, by event id."""
    return {row.event_id: row.role for row in s.exec(select(Staff).where(Staff.account_id == account.id))}


def role_of(s: Session, event: Event, account: Account) -> Role | None:
    """What the account is at this event."""
    row = s.exec(select(Staff).where(Staff.event_id == event.id, Staff.account_id == account.id)).first()
    return row.role if row is not None else None
