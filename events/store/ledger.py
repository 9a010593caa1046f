"""What players have paid: the entries of each player, what the club keeps of them, and what is due either way."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from events.store.players import has_place
from models.event import Event, EventState
from models.play import Player, PlayerState

NO_PAYMENT: Mapping[str, Any] = {"paid_at": None, "payments": None}
"""The columns of a player's payments, as they are before the first."""
LONGEST_WAY, LONGEST_REFERENCE = 40, 120


@dataclass(frozen=True)
class Payment:
    """A sum that a player paid, or was given back."""

    at: datetime
    amount: int | None
    """In minor units; below 0: given back. None: paid, as the fee had only words; 0: that was given back."""
    how: str = ""
    reference: str = ""
    """The payment's name at the provider or in the club's books."""

    @property
    def is_back(self) -> bool:
        return self.amount is not None and self.amount <= 0


def payments_in(values: Mapping[str, Any]) -> list[Payment]:
    """The entries in the columns of a player; a mark from before amounts is one without an amount."""
    if not values.get("payments"):
        return [Payment(values["paid_at"], None)] if values.get("paid_at") else []
    return [Payment(**(entry | {"at": datetime.fromisoformat(entry["at"])})) for entry in values["payments"]]


def payments_of(player: Player) -> list[Payment]:
    return payments_in({name: getattr(player, name) for name in NO_PAYMENT})


def store_payments(player: Player, payments: Iterable[Payment]) -> None:
    entries = sorted(payments, key=lambda payment: payment.at)
    player.payments = [asdict(payment) | {"at": payment.at.isoformat()} for payment in entries] or None
    player.paid_at = entries[-1].at if entries else None


def kept(player: Player) -> int:
    """What the club has of the player, in minor units: paid, and not given back."""
    return sum(payment.amount or 0 for payment in payments_of(player))


def is_marked(player: Player) -> bool:
    """Whether the fee was paid without an amount, and not given back."""
    return [payment.amount for payment in payments_of(player) if not payment.amount][-1:] == [None]


def fee_of(event: Event, player: Player) -> int | None:
    """What the player pays, in minor units; None if payments have no amounts."""
    return event.fee_amount if player.fee_set is None else player.fee_set


def has_paid(event: Event, player: Player) -> bool:
    """Whether the player has paid in full."""
    fee = fee_of(event, player)
    return is_marked(player) or (kept(player) > 0 if fee is None else kept(player) >= fee)


def owes(event: Event, player: Player) -> bool:
    takes_place = bool(event.fee) and event.cancelled_at is None
    return takes_place and has_place(player) and not has_paid(event, player)


def still_due(event: Event, player: Player) -> int:
    """What a player with a place has still to pay, in minor units."""
    return (fee_of(event, player) or 0) - kept(player) if owes(event, player) else 0


def pays_nothing(event: Event, player: Player) -> bool:
    """Whether the event was called off, or was without a game for the player."""
    left = player.state == PlayerState.DROPPED and (player.dropped_after or 0) < player.entered_round
    waited = player.state == PlayerState.WAITING and event.state == EventState.FINISHED
    return left or waited or event.cancelled_at is not None


def due_back(event: Event, player: Player) -> int:
    """What the club has of the player beyond what the player must pay, in minor units."""
    fee = 0 if pays_nothing(event, player) or is_marked(player) else fee_of(event, player)
    return 0 if fee is None else max(0, kept(player) - fee)


def is_due_back(event: Event, player: Player) -> bool:
    return due_back(event, player) > 0 or (pays_nothing(event, player) and is_marked(player))
