"""The rules that an event adds to the game's."""

from dataclasses import replace

from events.lists.actions import carry_over, confirm_affected, turned
from events.lists.locks import apply_due_locks
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import note
from events.store.verdicts import terms_of
from languages.message import message
from languages.words import gettext
from models.event import EventState, RoundState
from validators.restrictions import Restrictions, UnknownNames, spelt

OF_CONDUCT = ("choose_minutes", "painted", "on_time_points", "error_free_points", "late_points")
"""Fields that do not affect the legality of forces: they can change after round 1 is drawn."""


def set_restrictions(act: Act, restrictions: Restrictions, *, seen: str = "") -> None:
    """Replace the event's restrictions, with names in the edition's own spelling.

    Raises Refused, and WouldAffect if lists would be affected and ``seen`` is not the mark of exactly these lists.
    """
    s, event = act.s, act.event
    apply_due_locks(s, event, act.now)
    if event.state == EventState.FINISHED:
        raise Refused(
            gettext("The event is closed and its standings are final. Open it again at the desk to change this.")
        )
    here = terms_of(event)
    try:
        restrictions = spelt(restrictions, here.edition.names, here.edition.factions)
    except UnknownNames as unknown:
        (field, fault), *rest = unknown.faults
        raise Refused(fault, field, tuple(rest)) from unknown
    if restrictions.roster_size is not None and restrictions.roster_size <= event.size:
        raise Refused(
            gettext("The roster must be larger than the event's size, which is %(size)s.", size=event.size),
            "roster_size",
        )
    drawn = any(r.state != RoundState.PLANNED for r in event.schedule)
    if drawn and _of_forces(restrictions) != _of_forces(here.restrictions):
        raise Refused(
            gettext(
                "Round 1 is drawn: the rules for %(forces)s can no longer change. Points and painting still can.",
                forces=system_of(event).words.said.forces,
            )
        )
    affected = confirm_affected(event, replace(here, restrictions=restrictions), seen)
    if restrictions == event.restrictions:
        return
    event.restrictions = restrictions
    carry_over(act, affected)
    note(
        act,
        "change-restrictions",
        message("Changed the rules added by the event"),
        lists=turned(affected),
    )


def _of_forces(restrictions: Restrictions) -> Restrictions:
    unset = Restrictions()
    return replace(restrictions, **{name: getattr(unset, name) for name in OF_CONDUCT})
