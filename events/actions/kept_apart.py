"""People who are not to meet: the organiser's blocks and players' wishes, which stay between them and organisers."""

from datetime import datetime

from sqlmodel import Session, select

from events.actions.journal import note
from events.errors import Refused
from events.reading import player_of
from models.event import Event, EventState, KeptApart, KeptWhen

MOST = 500
"""Pairs of one event; more would be a seating plan."""


def keep_apart(
    s: Session, event: Event, one: int, other: int, when: KeptWhen, asked_by: int | None, actor: str, now: datetime
) -> KeptApart:
    """Keep two players apart where numbers allow. ``asked_by`` is one of them, or None for the organiser's block.

    A pair that stands already is changed. The journal says that, and not who asked: many people can read over a
    shoulder. Raises Refused.
    """
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    first, second = (player_of(s, event, id_) for id_ in sorted((one, other)))
    if first is None or second is None or first.id == second.id:
        raise Refused("Choose two different players of this event.", "other")
    if asked_by not in (None, first.id, second.id):
        raise Refused("A wish is one of these two players’ own.", "asked_by")
    pairs = s.exec(select(KeptApart).where(KeptApart.event_id == event.id)).all()
    row = next((pair for pair in pairs if (pair.a_id, pair.b_id) == (first.id, second.id)), None)
    if row is None:
        if len(pairs) >= MOST:
            raise Refused(f"{MOST} pairs are kept apart already.")
        row = KeptApart(event_id=event.id, a_id=first.id, b_id=second.id, when=when, asked_by=asked_by, at=now)
        s.add(row)
    elif (row.when, row.asked_by) == (when, asked_by):
        return row
    row.when, row.asked_by = when, asked_by
    s.flush()  # makes the row's id
    rounds = "in round 1" if when == KeptWhen.FIRST_ROUND else "in every round"
    note(
        s, event, actor, now, "keep-apart", f"{first.name} and {second.name} are kept apart {rounds}",
        players=[first.id, second.id], when=when,
    )  # fmt: skip
    return row


def let_meet(s: Session, event: Event, pair: KeptApart, actor: str, now: datetime) -> None:
    """Take a pair off the list. Raises Refused."""
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    names = [one.name for id_ in (pair.a_id, pair.b_id) if (one := player_of(s, event, id_))]
    s.delete(pair)
    note(
        s, event, actor, now, "let-meet", f"{' and '.join(names)} may meet again", players=[pair.a_id, pair.b_id]
    )  # fmt: skip
