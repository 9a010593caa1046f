"""Rows of an event of another club, without its archive."""

from datetime import date

from sqlmodel import Session

from events.setup.signing import public_text
from events.web.parsing import name_key
from models.foreign import ForeignClub, ForeignEvent, ForeignRow
from models.person import Person
from tests.conftest import Clock


def add_foreign(s: Session, clock: Clock, series: str, whose: Person | None = None, club: str = "Iron Club") -> None:
    """An event of two players, of whom ``whose`` claimed the first row."""
    known = ForeignClub(key=public_text(club), name=club, name_key=name_key(club))
    s.add(known)
    s.flush()  # assigns the id for the event
    event = ForeignEvent(
        club_id=known.id, series=series, seed=2**40, name="Leeds Open", starts_on=date(2026, 12, 12),
        system="battle_mode", games=[[1, 2, 2]], taken_at=clock(),
    )  # fmt: skip
    s.add(event)
    s.flush()  # assigns the id for the rows
    for number in (1, 2):
        person = whose.id if whose is not None and number == 1 else None
        s.add(ForeignRow(event_id=event.id, number=number, name=f"Player {number}", rank=number, points=3 - number,
                         person_id=person))  # fmt: skip
