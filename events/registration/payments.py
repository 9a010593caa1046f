"""Entry fees: who has paid, how much and how, what was given back, and what is still due or due back.

A player has at most one payment, which stays with the player however they leave, come back or move up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import changes_of, note, note_players
from events.store.players import NO_PAYMENT, fee_of, has_paid, has_place, is_due_back, kept, owes, players_by_id
from languages.message import message
from languages.money import MOST, figures, sum_words
from languages.words import N_, gettext
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState

CASH, ONLINE = "cash", "online"
WAYS = {CASH: N_("Cash"), "transfer": N_("Transfer"), ONLINE: N_("Online")}
"""The ways to pay; others are the staff's words."""
VERBS = ("paid", "unpaid", "give-back")
"""The journal's verbs of payments that one press undoes."""


def way_words(how: str) -> str:
    return gettext(WAYS[how]) if how in WAYS else how


def paid_words(event: Event, player: Player) -> str:
    """What the club has of what the player pays, such as "5.00 of 12.00 EUR"; "" if payments have no amounts."""
    fee, currency = fee_of(event, player), event.fee_currency
    if fee is None or not currency or (player.paid_at is not None and player.paid_amount is None):
        return ""
    if not kept(player) or kept(player) >= fee:
        return sum_words(kept(player) or fee, currency)
    return gettext("%(part)s of %(fee)s", part=figures(kept(player), currency), fee=sum_words(fee, currency))


def mark_paid(act: Act, players: Sequence[Player], how: str = CASH) -> list[Player]:
    """Mark players as having paid in full. Returns those newly marked. Raises Refused."""
    for player in players:
        if player.state == PlayerState.DROPPED:
            raise Refused(gettext("%(player)s has left the event.", player=player.name))
    changed = [player for player in players if not has_paid(act.event, player)]
    for player in changed:
        _store(act, player, fee_of(act.event, player), how, player.paid_reference)
    _note_state(act, changed)
    return changed


def record_payment(act: Act, player: Player, amount: int | None, how: str, reference: str = "") -> None:
    """Record a player's payment in place of an earlier one, by default of the full fee. Raises Refused.

    A payment with a reference that is recorded already changes nothing, so that a provider may repeat itself. It may
    come after the player left: it is then due back.
    """
    if reference and reference == player.paid_reference:
        return
    if amount is not None and not act.event.fee_currency:
        raise Refused(gettext("This event’s fee has no amount. Set it in the settings first."), "amount")
    if amount is not None and not 0 < amount <= MOST:
        raise Refused(gettext("Enter an amount above 0."), "amount")
    amount = fee_of(act.event, player) if amount is None else amount
    now = (player.paid_amount, player.paid_how, player.paid_reference)
    if player.paid_at is None or player.given_back_at is not None or now != (amount, how, reference):
        _store(act, player, amount, how, reference)
        _note_state(act, [player])


def _store(act: Act, player: Player, amount: int | None, how: str, reference: str) -> None:
    if not act.event.fee:
        raise Refused(gettext("This event has no entry fee. Set it in the settings first."))
    for name, value in NO_PAYMENT.items():
        setattr(player, name, value)
    player.paid_at, player.paid_amount, player.paid_how, player.paid_reference = act.now, amount, how, reference


def mark_unpaid(act: Act, players: Sequence[Player]) -> None:
    """Delete the payments of players, which were a mistake."""
    changed = [player for player in players if player.paid_at is not None]
    for player in changed:
        for name, value in NO_PAYMENT.items():
            setattr(player, name, value)
    _note_state(act, changed)


def give_back(act: Act, players: Sequence[Player], amount: int | None = None) -> None:
    """Record that players were given their payments back, or this amount. Raises Refused."""
    changed = [player for player in players if player.paid_at is not None and player.given_back_at is None]
    for player in changed:
        if amount is not None and not 0 < amount <= (player.paid_amount or 0):
            raise Refused(gettext("Enter an amount above 0 that is no more than was paid."), "amount")
        player.given_back_at, player.given_back = act.now, player.paid_amount if amount is None else amount
    many = "The fees of %(num)s players have been given back: %(names)s"
    note_players(act, changed, "give-back", "The fee of %(names)s has been given back", many)


def set_fee(act: Act, player: Player, fee: int | None) -> None:
    """Set what this player pays instead of the event's fee; None: the event's fee."""
    if player.fee_set != fee:
        player.fee_set = fee
        note(act, "set-fee", message("Changed what %(name)s pays", name=player.name), player=player.id)


def undo_payment(act: Act, entry: JournalEntry) -> None:
    """Restore the payments of an entry's write, except those changed since."""
    people, changed = players_by_id(act.s, act.event), []
    for change in changes_of(act.s, act.event, [entry.change_set_id or 0]).get(entry.change_set_id or 0, ()):
        player = people.get(change.row_id) if change.table == "player" else None
        names = NO_PAYMENT.keys() & change.after.keys()
        if player is not None and names and all(getattr(player, name) == change.after[name] for name in names):
            for name in names:
                setattr(player, name, change.before.get(name, NO_PAYMENT[name]))
            changed.append(player)
    _note_state(act, changed)


def _note_state(act: Act, changed: Sequence[Player]) -> None:
    """Say what players have paid now, without amounts: those are in the rows alone, which an erasure empties."""
    paid = [player for player in changed if has_paid(act.event, player)]
    part = [player for player in changed if player not in paid and player.paid_at is not None]
    note_players(act, paid, "paid", "%(names)s has paid", "%(num)s players have paid: %(names)s")
    some = "%(num)s players have paid in part: %(names)s"
    note_players(act, part, "paid", "%(names)s has paid in part", some)
    note_players(
        act, [player for player in changed if player.paid_at is None], "unpaid",
        "%(names)s has been marked as unpaid", "%(num)s players have been marked as unpaid: %(names)s",
    )  # fmt: skip


@dataclass(frozen=True)
class Total:
    """A line of the totals. ``amount`` is in minor units; payments marked without an amount count in no sum."""

    label: str
    count: int
    amount: int
    of_way: bool = False


def totals(event: Event, players: Iterable[Player]) -> list[Total]:
    """What players with a place pay, what was paid, in all and by way, what was given back, and what is still due."""
    everybody = list(players)
    paid = [player for player in everybody if player.paid_at is not None]
    ways = sorted({player.paid_how for player in paid}, key=lambda how: ([*WAYS, how].index(how), how))
    placed = [player for player in everybody if has_place(player)]
    owing = [player for player in placed if owes(event, player)]
    back = [player for player in everybody if is_due_back(event, player)]
    given = [player for player in paid if player.given_back_at is not None]
    by_way = [
        Total(way_words(how) or gettext("Way not recorded"), len(those), _paid(those), of_way=True)
        for how in ways
        if (those := [player for player in paid if player.paid_how == how])
    ]
    return [
        Total(gettext("Due"), len(placed), sum(fee_of(event, player) or 0 for player in placed)),
        Total(gettext("Paid"), len(paid), _paid(paid)),
        *by_way,
        Total(gettext("Given back"), len(given), sum(player.given_back or 0 for player in given)),
        Total(gettext("Still due"), len(owing), sum((fee_of(event, player) or 0) - kept(player) for player in owing)),
        Total(gettext("Due back"), len(back), _paid(back)),
    ]


def _paid(players: Iterable[Player]) -> int:
    return sum(player.paid_amount or 0 for player in players)
