"""What players have paid: the payments of each player, what the club keeps of them, and what is due either way."""

from collections.abc import Iterable

from sqlalchemy.orm import object_session

from languages.money import as_typed
from models.event import Event, EventState
from models.parts import load_parts
from models.play import Payment, Player, PlayerState


def payments_of(player: Player) -> list[Payment]:
    """The player's payments, the oldest first. The first question reads those of all loaded players."""
    if (s := object_session(player)) is not None and "payments" not in player.__dict__:
        load_parts([row for row in s.identity_map.values() if isinstance(row, Player)], "payments")
    return player.payments


def load_payments(players: Iterable[Player]) -> None:
    """Read the payments of these players before a template asks for them."""
    for player in players:
        payments_of(player)


def kept(player: Player) -> int:
    """What the club has of the player, in minor units: paid, and not given back."""
    return sum(payment.amount or 0 for payment in payments_of(player))


def is_marked(player: Player) -> bool:
    """Whether the fee was paid without an amount, and not given back."""
    return [payment.amount for payment in payments_of(player) if not payment.amount][-1:] == [None]


def fee_of(event: Event, player: Player) -> int | None:
    """What the player pays, in minor units; None if payments have no amounts."""
    usual = event.fee_amount if event.fee else None
    return usual if player.fee_set is None else player.fee_set


def is_settled(event: Event, player: Player) -> bool:
    """Whether the player has nothing left to pay. What was given back to who left is not owed again."""
    gone, fee = player.state == PlayerState.DROPPED, fee_of(event, player)
    sums = [payment.amount for payment in payments_of(player) if not (gone and payment.is_back)]
    has_mark = None in sums if gone else is_marked(player)
    return has_mark or sum(amount or 0 for amount in sums) >= (1 if fee is None else fee)


def has_paid(event: Event, player: Player) -> bool:
    """Whether the player has paid in full, and something."""
    return is_settled(event, player) and (is_marked(player) or kept(player) > 0)


def must_pay(event: Event, player: Player) -> bool:
    """Whether the fee is the player's to pay, or was: who left after playing still owes it."""
    waits = player.state == PlayerState.WAITING
    return bool(event.fee) and not waits and not pays_nothing(event, player) and fee_of(event, player) != 0


def owes(event: Event, player: Player) -> bool:
    return must_pay(event, player) and not is_settled(event, player)


def still_due(event: Event, player: Player) -> int:
    """What a player has still to pay, in minor units."""
    return (fee_of(event, player) or 0) - kept(player) if owes(event, player) else 0


def pay_address(event: Event, player: Player | None = None) -> str:
    """The page on which the fee is paid: for this player, or for somebody who is not known."""
    due = event.fee_amount if player is None else still_due(event, player)
    address = event.pay_link.replace("{player}", str(player.id) if player else "")
    amount, currency = as_typed(due or None, event.fee_currency), event.fee_currency
    return address.replace("{amount}", amount).replace("{currency}", currency)


def pays_nothing(event: Event, player: Player) -> bool:
    """Whether the event was called off, or was without a game for the player."""
    left = player.state == PlayerState.DROPPED and (player.dropped_after or 0) < player.entered_round
    waited = player.state == PlayerState.WAITING and event.state == EventState.FINISHED
    return left or waited or event.cancelled_at is not None


def due_back(event: Event, player: Player) -> int:
    """What the club has of the player beyond what the player must pay, in minor units."""
    is_free = not event.fee or pays_nothing(event, player) or is_marked(player)
    fee = 0 if is_free else fee_of(event, player)
    return 0 if fee is None else max(0, kept(player) - fee)


def is_due_back(event: Event, player: Player) -> bool:
    return due_back(event, player) > 0 or (pays_nothing(event, player) and is_marked(player))
