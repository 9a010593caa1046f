"""The queue at the door: many checked in at once, and the last press taken back."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from events.actions import payments, players
from events.actions.journal import note
from events.errors import Refused
from events.reading import players_by_id
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState


def check_in_many(
    s: Session, event: Event, chosen: Sequence[Player], actor: str, now: datetime
) -> tuple[list[Player], list[str]]:
    """Check in all of these who can be; returns those who are here now, and why the others are not, in words."""
    coming = players.next_round(s, event)
    done, refused = [], []
    for player in chosen:
        if player.state == PlayerState.CHECKED_IN:
            continue
        try:
            players.arrive(event, player, coming)
        except Refused as why:
            refused.append(why.message)
        else:
            done.append(player)
    if len(done) == 1:
        note(s, event, actor, now, "check-in", f"Checked in {done[0].name}", player=done[0].id)
    elif done:
        names = ", ".join(player.name for player in done)
        ids = [player.id for player in done]
        note(s, event, actor, now, "check-in", f"Checked in {len(done)} players: {names}", players=ids)
    return done, refused


def check_in_paid(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """The player pays at the door and is here. Raises Refused, and then neither is stored."""
    payments.mark_paid(s, event, [player], actor, now)
    players.check_in(s, event, player, actor, now)


def _check_out(s: Session, event: Event, chosen: Sequence[Player], actor: str, now: datetime) -> None:
    coming = players.next_round(s, event)
    for player in chosen:
        if player.state == PlayerState.CHECKED_IN:
            players.undo_arrival(s, event, player, coming, actor, now)


UNDONE_BY: dict[str, Callable[..., object]] = {
    "check-in": _check_out,
    "paid": payments.mark_unpaid,
    "unpaid": payments.mark_paid,
}
"""By the journal's verb: what takes such a press back, for all whom it was for."""


def newest_press(s: Session, event: Event) -> JournalEntry | None:
    """The newest line of the journal that one press can take back."""
    query = select(JournalEntry).where(JournalEntry.event_id == event.id, col(JournalEntry.verb).in_(UNDONE_BY))
    return s.exec(query.order_by(col(JournalEntry.id).desc()).limit(1)).first()


def press_of(s: Session, event: Event, entry_id: int) -> JournalEntry | None:
    """A line of this event's journal that can be taken back; None for any other, and for one that was imported."""
    entry = s.get(JournalEntry, entry_id)
    if entry is None or entry.event_id != event.id or entry.details.get("imported"):
        return None
    return entry if entry.verb in UNDONE_BY else None


def take_back(s: Session, event: Event, entry: JournalEntry, actor: str, now: datetime) -> None:
    """Take one press back, for all whom it was for; who was changed again since stays so. Raises Refused."""
    ids = entry.details.get("players") or [entry.details.get("player")]
    by_id = players_by_id(s, event)
    UNDONE_BY[entry.verb](s, event, [by_id[id_] for id_ in ids if id_ in by_id], actor, now)
