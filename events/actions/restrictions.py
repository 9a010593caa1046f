"""What an event adds to the rules: set by the organiser, with a look first at the lists that it touches."""

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.actions.locks import settle
from events.actions.recheck import carry_over, look_first, turned
from events.errors import Refused
from events.reading import rounds_of, system_of, terms_of
from models.event import Event, EventState, RoundState
from validators.restrictions import Restrictions, UnknownNames, as_document, spelt

OF_CONDUCT = ("choose_minutes", "painted", "on_time_points", "error_free_points", "late_points")
"""Fields that no force's legality rests on: they can change after round 1 is drawn."""


def set_restrictions(
    s: Session, event: Event, restrictions: Restrictions, actor: str, now: datetime, *, seen: str = ""
) -> None:
    """Put these in place of what the event added so far, with every name in the edition's own spelling.

    Raises Refused, and WouldAffect where lists at hand would be touched and ``seen`` does not say that all of it was
    looked at.
    """
    settle(s, event, now)
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed and its standings are final. Open it again at the desk to change this.")
    here = terms_of(s, event)
    try:
        restrictions = spelt(restrictions, here.edition)
    except UnknownNames as unknown:
        (field, message), *rest = unknown.faults
        raise Refused(message, field, tuple(rest)) from unknown
    if restrictions.roster_size is not None and restrictions.roster_size <= event.size:
        raise Refused(f"The roster must be larger than the event's size, which is {event.size}.", "roster_size")
    drawn = any(r.state != RoundState.PLANNED for r in rounds_of(s, event))
    if drawn and _of_forces(restrictions) != _of_forces(here.restrictions):
        a_force = system_of(event).words.a_force
        raise Refused(f"Round 1 is drawn: what {a_force} may be can no longer change. Points and painting still can.")
    affected = look_first(s, event, replace(here, restrictions=restrictions), seen)
    before, after = event.restrictions, as_document(restrictions)
    if before == after:
        return
    event.restrictions = after
    carry_over(s, event, affected, actor, now)
    note(
        s, event, actor, now, "change-restrictions", "Changed what the event adds to the rules", before=before,
        after=after, lists=turned(affected),
    )  # fmt: skip


def _of_forces(restrictions: Restrictions) -> Restrictions:
    unset = Restrictions()
    return replace(restrictions, **{name: getattr(unset, name) for name in OF_CONDUCT})
