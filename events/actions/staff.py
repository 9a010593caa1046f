"""Who helps at an event: owners, invitations, changes of role."""

from datetime import datetime

from sqlmodel import Session, col, select

from models.event import Event
from models.people import Account
from models.staff import Role, Staff


def own_the_ownerless(s: Session, account: Account, now: datetime) -> None:
    """Give every event that nobody owns to this organiser: those made in the shell before anybody was set up."""
    owned = select(Staff.event_id).where(Staff.role == Role.OWNER)
    for event in s.exec(select(Event).where(col(Event.id).not_in(owned))):
        row = s.exec(select(Staff).where(Staff.event_id == event.id, Staff.account_id == account.id)).first()
        if row is None:
            row = Staff(event_id=event.id, account_id=account.id, role=Role.OWNER, since=now)
        row.role = Role.OWNER
        s.add(row)
