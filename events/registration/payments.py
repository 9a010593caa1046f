"""Entry fees: recording what players pay and are given back, taking it back, and the sums."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, func, select

from events.store import ledger
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import entries_of_kind, note, note_players
from events.store.visitor import Right
from languages.message import message
from languages.money import MOST
from languages.words import N_, gettext, ngettext
from models.event import Event
from models.play import Payment, Player, PlayerState
from models.settings import EventSettings

CASH, ONLINE = "cash", "online"
WAYS = {CASH: N_("Cash"), "transfer": N_("Transfer"), ONLINE: N_("Online")}
"""The ways to pay; others are the staff's words."""
VERBS = ("paid", "unpaid", "give-back")
"""The journal's verbs of payments that one press undoes."""


def way_words(how: str) -> str:
    return gettext(WAYS[how]) if how in WAYS else how


def mark_paid(act: Act, players: Sequence[Player], how: str = CASH) -> list[Player]:
    """Record what players have still to pay as paid. Returns those who had. Raises Refused."""
    for player in players:
        if player.state == PlayerState.DROPPED and ledger.pays_nothing(act.event, player):
            raise Refused(gettext("%(player)s has left the event.", player=player.name))
    changed = [player for player in players if not ledger.is_settled(act.event, player)]
    for player in changed:
        fee = ledger.fee_of(act.event, player)
        _add(act, player, None if fee is None else fee - ledger.kept(player), how)
    _note_state(act, changed, Right.MARK_PAID)
    return changed


def record_payment(act: Act, player: Player, amount: int | None, how: str, reference: str = "") -> bool:
    """Add a payment. Returns whether it is new: a reference counts once in the event. Raises Refused.

    It may come after the player left: it is then due back.
    """
    same = select(Payment).where(Payment.event_id == act.event.id, Payment.reference == reference)
    recorded = act.s.exec(same).all() if reference else []
    if any((payment.player_id, payment.amount) == (player.id, amount) for payment in recorded):
        return False
    if recorded:
        name = act.s.get_one(Player, recorded[0].player_id).name
        raise Refused(gettext("This reference is a payment of %(player)s.", player=name), "reference")
    if amount is not None and not act.event.fee_currency:
        raise Refused(gettext("This event’s fee has no amount. Set it in the settings first."), "amount")
    if (amount or 0) > MOST:
        raise Refused(gettext("This amount is too large."), "amount")
    if (amount is not None or ledger.fee_of(act.event, player) is not None) and (amount or 0) <= 0:
        raise Refused(gettext("Enter an amount above 0."), "amount")
    _add(act, player, amount, how, reference)
    _note_state(act, [player])
    return True


def _add(act: Act, player: Player, amount: int | None, how: str, reference: str = "") -> None:
    row = Payment(event_id=act.event.id, player_id=player.id, at=act.now, amount=amount, how=how)
    row.reference = reference or None
    if not (act.event.fee or row.is_back):
        raise Refused(gettext("This event has no entry fee. Set it in the settings first."))
    ledger.payments_of(player).append(row)


def remove_payment(act: Act, player: Player, number: int | None) -> None:
    """Remove a payment, which was a mistake. Raises Refused."""
    payments = ledger.payments_of(player)
    payment = next((payment for payment in payments if payment.id == number), None)
    if payment is None:
        raise Refused(gettext("This entry is no longer there."))
    payments.remove(payment)
    check_kept(act.s, [player.id])
    _note_state(act, [player])


def check_kept(s: Session, players: Iterable[int]) -> None:
    """Raise Refused if more was given back to one of these players than was paid."""
    sums = select(func.sum(Payment.amount)).where(col(Payment.player_id).in_(players)).group_by(col(Payment.player_id))
    if any((kept or 0) < 0 for kept in s.exec(sums)):
        raise Refused(gettext("More was given back than would be left. Remove that first."))


def give_back(
    act: Act, players: Sequence[Player], amount: int | None = None, how: str = "", reference: str = ""
) -> list[Player]:
    """Record that players were given back what is due, or this amount. Returns to whom. Raises Refused.

    Of players who left after playing, all that the club has is then given back. Without ``how`` it goes back by the
    ways in which it came.
    """
    changed = []
    for player in players:
        if amount is not None and not 0 < amount <= ledger.kept(player):
            raise Refused(gettext("Enter an amount above 0 that is no more than was paid."), "amount")
        left, before = player.state == PlayerState.DROPPED, list(ledger.payments_of(player))
        back = amount or ledger.due_back(act.event, player) or (max(0, ledger.kept(player)) if left else 0)
        is_all = amount is None and (left or ledger.pays_nothing(act.event, player) or not back)
        sums = [(how, back)] * bool(back) if how else by_way(before, back)
        if is_all and ledger.is_marked(player):
            sums.append((how or before[-1].how, 0))
        for way, figure in sums:
            _add(act, player, -figure, way, reference)
        changed += [player] * bool(sums)
    note_players(
        act, changed, "give-back",
        "The fee of %(names)s has been given back", "The fees of %(num)s players have been given back: %(names)s",
    )  # fmt: skip
    return changed


def by_way(payments: Sequence[Payment], back: int) -> list[tuple[str, int]]:
    """The ways by which a sum goes back, the newest first, each with no more than came by it."""
    came = Counter[str]()
    for payment in payments:
        came[payment.how] += payment.amount or 0
    sums = []
    for how in reversed(came):
        part = min(back, max(0, came[how]))
        back -= part
        sums += [(how, part)] * bool(part)
    return sums


def set_fee(act: Act, player: Player, fee: int | None) -> None:
    """Set what this player pays instead of the event's fee; None: the event's fee."""
    if player.fee_set != fee:
        player.fee_set = fee
        note(act, "set-fee", message("Changed what %(name)s pays", name=player.name), player=player.id)


FEE_FOR = {"all": N_("They pay it too"), "new": N_("They pay what they were told")}
"""Whom a new or higher fee is for, besides players to come: those who have signed up, not those with a fee by hand."""


def change_fee(act: Act, new: EventSettings, fee_for: str) -> None:
    """Check the event's new fee. Raises Refused for another currency of sums, and if it asks for one of ``FEE_FOR``.

    A lower fee ends what players kept of a former one.
    """
    event, players = act.event, act.event.players
    has_sums = any(player.fee_set or any(entry.amount for entry in ledger.payments_of(player)) for player in players)
    if has_sums and event.fee_currency != new.fee_currency:
        raise Refused(gettext("Players have sums in %(currency)s.", currency=event.fee_currency), "fee_amount")
    old, amount = event.fee_amount or 0, new.fee_amount or 0
    by_hand = {entry.details.get("player") for entry in entries_of_kind(act.s, event, "set-fee")}
    told = [row for row in players if row.fee_set and row.id not in by_hand]
    for player in told if old != amount else ():
        if (player.fee_set or 0) >= amount:
            player.fee_set = None
    signed_up = [row for row in players if (row.fee_set is None or row in told) and not ledger.pays_nothing(event, row)]
    if not signed_up or amount <= old or (event.fee and event.fee_amount is None):
        return
    if fee_for not in FEE_FOR:
        words = ngettext(
            "Also for the %(num)s player who signed up?", "Also for the %(num)s players who signed up?", len(signed_up)
        )
        raise Refused(words, "fee_for")
    for player in signed_up:
        player.fee_set = None if fee_for == "all" else player.fee_set or old


def _note_state(act: Act, changed: Sequence[Player], right: str = Right.SEE_MONEY) -> None:
    """Say what players have paid now, without amounts: those are in the rows alone, which an erasure empties."""
    paid = [player for player in changed if ledger.has_paid(act.event, player)]
    part = [player for player in changed if player not in paid and ledger.kept(player) > 0]
    note_players(act, paid, "paid", "%(names)s has paid", "%(num)s players have paid: %(names)s", right=right)
    note_players(
        act, part, "paid", "%(names)s has paid in part", "%(num)s players have paid in part: %(names)s", right=right,
    )  # fmt: skip
    note_players(
        act, [player for player in changed if player not in (*paid, *part)], "unpaid",
        "%(names)s has been marked as unpaid", "%(num)s players have been marked as unpaid: %(names)s", right=right,
    )  # fmt: skip


@dataclass(frozen=True)
class Total:
    """A line of the totals. ``amount`` is in minor units; payments without an amount count in no sum."""

    label: str
    count: int
    amount: int
    of_way: bool = False


def totals(event: Event, players: Iterable[Player]) -> list[Total]:
    """What players must pay, what was paid and given back, in all and by way, and what is due either way.

    Who has paid a part and owes the rest is not counted as paid; the sum that is paid has the part.
    """
    everybody = list(players)
    payers, owing, claims = ([player for player in everybody if due(event, player)]
                             for due in (ledger.must_pay, ledger.owes, ledger.is_due_back))  # fmt: skip
    entries = [(player.id, payment) for player in everybody for payment in ledger.payments_of(player)]
    paid, back = ([entry for entry in entries if entry[1].is_back is is_back] for is_back in (False, True))
    in_debt = {player.id: ledger.kept(player) for player in owing}
    in_part = [entry for entry in entries if in_debt.get(entry[0], 0) > 0]
    whole, *ways = _paid(gettext("Paid"), paid)
    part, *_ = _paid(gettext("Paid in part"), in_part)
    return [
        Total(gettext("Due"), len(payers), sum(ledger.fee_of(event, player) or 0 for player in payers)),
        replace(whole, count=len({player for player, _ in paid} - in_debt.keys())),
        *([replace(part, of_way=True)] if in_part else []),
        *ways,
        *_paid(gettext("Given back"), back),
        Total(gettext("Still due"), len(owing), sum(ledger.still_due(event, player) for player in owing)),
        Total(gettext("Due back"), len(claims), sum(ledger.due_back(event, player) for player in claims)),
    ]


def _paid(label: str, entries: Sequence[tuple[int, Payment]]) -> list[Total]:
    """A line for payments, each with its player's id, and one for each way."""
    ways = sorted({payment.how for _, payment in entries}, key=lambda how: ([*WAYS, how].index(how), how))
    lines = []
    for way in (None, *ways):
        words = label if way is None else way_words(way) or gettext("Way not recorded")
        those = [entry for entry in entries if way in (None, entry[1].how)]
        amount = abs(sum(payment.amount or 0 for _, payment in those))
        lines.append(Total(words, len({player for player, _ in those}), amount, of_way=way is not None))
    return lines
