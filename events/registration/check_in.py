"""Check-in of several players at once, with the fee too, and undoing it or a payment."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from events.accounts import access
from events.registration import arrivals, payments
from events.registration.places import next_round
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import entries_of, note, said_of
from events.store.players import players_by_id
from events.store.undo import put_back
from events.store.visitor import Right
from languages.message import message
from languages.words import gettext
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState


def set_window(act: Act, starts: datetime | None, ends: datetime | None) -> None:
    """Set when players may check in themselves; without a start only staff can check in. Raises Refused."""
    if ends is not None and (starts is None or ends <= starts):
        raise Refused(gettext("The end must come after the start."), "ends")
    if (act.event.check_in_from, act.event.check_in_until) != (starts, ends):
        act.event.check_in_from, act.event.check_in_until = starts, ends
        may, may_not = message("Players may check themselves in"), message("Players may not check themselves in")
        note(act, "check-in-window", may if starts else may_not)


def check_in_self(act: Act, player: Player) -> None:
    """Check in a player at the player's own request. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        return
    if not access.self_check_in(act.event, act.now):
        raise Refused(gettext("Check-in on your phone is closed. Tell the desk that you are here."))
    arrivals.check_in(act, player)


def check_in_many(act: Act, chosen: Sequence[Player]) -> tuple[list[Player], list[str]]:
    """Check in players where possible. Returns them, and for each of the others a sentence why not."""
    coming = next_round(act.s, act.event)
    done, refused = [], []
    for player in chosen:
        if player.state == PlayerState.CHECKED_IN:
            continue
        try:
            arrivals.arrive(act.event, player, coming)
        except Refused as why:
            refused.append(why.message)
        else:
            done.append(player)
    arrivals.note_checked_in(act, done)
    return done, refused


def check_in_paid(act: Act, player: Player) -> None:
    """Mark a player as paid and check the player in. Raises Refused; then neither is stored."""
    payments.mark_paid(act, [player])
    arrivals.check_in(act, player)


PRESSES = {"check-in": Right.CHECK_IN, **dict.fromkeys(payments.VERBS, Right.SEE_MONEY)}
"""The verbs of what one press undoes, and the right that the step asked for, unless its entry says another."""


def newest_undoable(s: Session, event: Event) -> JournalEntry | None:
    """The newest journal entry of a press; None if there is none."""
    query = select(JournalEntry).where(JournalEntry.event_id == event.id, col(JournalEntry.verb).in_(PRESSES))
    return s.exec(query.order_by(col(JournalEntry.id).desc()).limit(1)).first()


def undoable_entry(s: Session, event: Event, entry_id: int) -> JournalEntry | None:
    """This event's journal entry with that id, if one press can undo its write; None if it was imported."""
    entry = s.get(JournalEntry, entry_id)
    if entry is None or entry.event_id != event.id or not entry.change_set_id:
        return None
    return entry if {each.verb for each in _of_write(s, entry)} <= PRESSES.keys() | {"painted"} else None


def _of_write(s: Session, entry: JournalEntry) -> Sequence[JournalEntry]:
    return entries_of(s, [entry.change_set_id or 0]).get(entry.change_set_id or 0, [])


def rights_asked(s: Session, entry: JournalEntry) -> set[Right]:
    """The rights that the step of this entry asked for: those of all entries of its write that one press undoes."""
    return {
        Right(each.details.get("right", PRESSES[each.verb])) for each in _of_write(s, entry) if each.verb in PRESSES
    }


def undo_entry(act: Act, entry: JournalEntry) -> None:
    """Undo the write of a journal entry, for all of its players. Raises Refused."""
    undone, people = _of_write(act.s, entry), players_by_id(act.s, act.event)
    for each in undone:
        player = people.get(each.details.get("player") or each.details["players"][0])
        if each.verb == "check-in" and player:
            arrivals.check_undrawn(act, player)
    put_back(act, entry.change_set_id or 0)
    for each in undone:
        verb, said = "undo-check-in" if each.verb == "check-in" else "undo", said_of(each)
        whom = {name: each.details[name] for name in ("player", "players") if name in each.details}
        note(act, verb, message("Undid: %(step)s", step=said), of=entry.change_set_id, **whom)
