"""Check-in of many players at once, its undo, and entry fees."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from events.play.errors import Refused
from events.play.journal import note
from events.play.queries import players_by_id
from events.registration import actions
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState


def set_fee(s: Session, event: Event, fee: str, actor: str, now: datetime) -> None:
    """Say what a place costs, in words; "" is nothing, and the marks wait unseen in case a fee comes back."""
    if event.fee == fee:
        return
    before, event.fee = event.fee, fee
    told = f"A place costs {fee}" if fee else "A place costs nothing"
    note(s, event, actor, now, "fee", told, before=before, after=fee)


def mark_paid(s: Session, event: Event, players: Sequence[Player], actor: str, now: datetime) -> list[Player]:
    """Mark players as having paid; who is marked already stays so. Returns those marked. Raises Refused."""
    if not event.fee:
        raise Refused("A place in this event costs nothing: say first what it costs, on the page of the players.")
    for player in players:
        if player.state == PlayerState.DROPPED:
            raise Refused(f"{player.name} has left the event.")
    changed = [player for player in players if player.paid_at is None]
    for player in changed:
        player.paid_at = now
    _note(s, event, actor, now, "paid", "paid", changed)
    return changed


def mark_unpaid(s: Session, event: Event, players: Sequence[Player], actor: str, now: datetime) -> list[Player]:
    """Take the mark back. Returns those whose mark was taken."""
    changed = [player for player in players if player.paid_at is not None]
    for player in changed:
        player.paid_at = None
    _note(s, event, actor, now, "unpaid", "not paid after all", changed)
    return changed


def mark_one_paid(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Mark one player as having paid. Raises Refused."""
    mark_paid(s, event, [player], actor, now)


def mark_one_unpaid(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Take one player's mark back."""
    mark_unpaid(s, event, [player], actor, now)


def _note(s: Session, event: Event, actor: str, now: datetime, verb: str, told: str, players: Sequence[Player]) -> None:
    if len(players) == 1:
        note(s, event, actor, now, verb, f"{players[0].name} has {told}", player=players[0].id)
    elif players:
        names = ", ".join(player.name for player in players)
        text = f"{len(players)} players have {told}: {names}"
        note(s, event, actor, now, verb, text, players=[player.id for player in players])


def check_in_many(
    s: Session, event: Event, chosen: Sequence[Player], actor: str, now: datetime
) -> tuple[list[Player], list[str]]:
    """Check in all of these who can be; returns those who are here now, and why the others are not, in words."""
    coming = actions.next_round(s, event)
    done, refused = [], []
    for player in chosen:
        if player.state == PlayerState.CHECKED_IN:
            continue
        try:
            actions.arrive(event, player, coming)
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
    mark_paid(s, event, [player], actor, now)
    actions.check_in(s, event, player, actor, now)


def _check_out(s: Session, event: Event, chosen: Sequence[Player], actor: str, now: datetime) -> None:
    coming = actions.next_round(s, event)
    for player in chosen:
        if player.state == PlayerState.CHECKED_IN:
            actions.undo_arrival(s, event, player, coming, actor, now)


UNDONE_BY: dict[str, Callable[..., object]] = {
    "check-in": _check_out,
    "paid": mark_unpaid,
    "unpaid": mark_paid,
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
