"""What a place costs, and who has paid: a mark that staff set and take back."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.errors import Refused
from models.event import Event
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
