"""The desk's page of money: totals, who has not paid, what is due back; one player's payments; all as a file."""

from collections.abc import Iterator
from dataclasses import replace

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.desk.money_forms import FeeForm, PaymentForm, amount_in
from events.desk.readiness import Group, due_back_row, unpaid_row
from events.registration.one_click import done_entry
from events.registration.payments import WAYS, by_way, give_back, record_payment, remove_payment, set_fee, totals
from events.store import ledger
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.players import by_name
from events.visitors.event_loading import players_in
from events.visitors.loading import actor, managed_event, player_or_404, polled
from events.web.answers import csv_answer
from events.web.csv_cells import csv_bytes
from events.web.forms import SiteForm, refusals_at
from events.web.idempotency import Result, Submission, new_key, run_once, submission_from
from events.web.request import id_in, local
from languages.money import as_typed
from languages.words import gettext
from models.event import Event
from models.play import Player, PlayerState
from validators.strict_json import sha256_of

blueprint = Blueprint("money", __name__)


@blueprint.get("/e/<slug>/desk/money")
def money_page(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    players = sorted(players_in(event), key=by_name)
    back = [player for player in players if ledger.is_due_back(event, player)]
    gone = [player for player in players if player.state == PlayerState.DROPPED and player not in back]
    left = [player for player in gone if ledger.kept(player) > 0 or ledger.is_marked(player)]
    groups = [
        Group("due_back", tuple(due_back_row(event, player) for player in back)),
        Group("unpaid", tuple(unpaid_row(event, player) for player in players if ledger.owes(event, player))),
    ]
    entries = [(player, payment) for player in players for payment in ledger.payments_of(player)]
    page = render_template(
        "desk/money.html",
        groups=[group for group in groups if group.lines],
        left=Group("due_back", tuple(due_back_row(event, player) for player in left)),
        waiting=[player for player in players if player.state == PlayerState.WAITING and ledger.kept(player) > 0],
        entries=sorted(entries, key=lambda entry: entry[1].at, reverse=True),
        totals=totals(event, players),
        done=done_entry(event),
    )
    return polled(page, event)


@blueprint.route("/e/<slug>/desk/players/<int:player_id>/payment", methods=["GET", "POST"])
def payment(slug: str, player_id: int) -> ResponseReturnValue:
    """One player's payments, and forms for another, for a sum given back, and for what the player pays."""
    event = managed_event(slug)
    player, currency = player_or_404(event, player_id), event.fee_currency
    entries = ledger.payments_of(player)
    how, back = next(iter(by_way(entries, ledger.due_back(event, player) or ledger.kept(player))), ("", 0))
    way = {"how": how} if how in WAYS else {"how": "", "other": how}
    typed = {"amount": as_typed(back if ledger.due_back(event, player) else None, currency), "currency": currency}
    due = {"amount": as_typed(ledger.still_due(event, player) or None, currency), "currency": currency}
    forms = {
        "fee": FeeForm(None, data={"fee": as_typed(player.fee_set, currency), "currency": currency}, prefix="f"),
        "paid": PaymentForm(None, data=due, prefix="p"),
        "back": PaymentForm(None, data=typed | way, prefix="b"),
        "remove": SiteForm(None, prefix="r"),
    }
    pressed = request.form.get("do", "")
    if pressed in forms:
        form = forms[pressed] = type(forms[pressed])(prefix=pressed[0])
        if form.validate_on_submit():
            with refusals_at(form):
                flash(run_once(event, _submission(event), lambda act: _store(act, player, form)).message, "success")
                return redirect(url_for("money.payment", slug=slug, player_id=player_id))
    forms["paid"].amount.flags.optional = forms["back"].amount.flags.optional = False
    rows = [(player, entry) for entry in ledger.payments_of(player)]  # read again after a refusal
    page = render_template("desk/payment.html", player=player, forms=forms, entries=rows, new_key=new_key)
    return page, 422 if any(form.errors for form in forms.values()) else 200


def _submission(event: Event) -> Submission:
    """The form as sent. Without a key of its own, content and token of its page are one. Removing needs none."""
    if request.form["do"] == "remove":
        return Submission("", "", "")
    sent = submission_from(actor(event))
    return sent if sent.key else replace(sent, key=sha256_of(request.form.get("csrf_token", "") + sent.sha256))


def _store(act: Act, player: Player, form: SiteForm) -> Result:
    """Store what a form says. Raises Refused."""
    currency = act.event.fee_currency
    if isinstance(form, FeeForm | PaymentForm) and form.currency.data not in (None, currency):
        words = gettext("The currency is %(currency)s now. Check the amount.", currency=currency)
        raise Stale(words, "fee" if isinstance(form, FeeForm) else "amount")
    if isinstance(form, FeeForm):
        set_fee(act, player, amount_in(form.fee, currency, zero=True))
    elif not isinstance(form, PaymentForm):
        remove_payment(act, player, id_in(request.form.get("entry", "")))
    else:
        amount, reference = amount_in(form.amount, currency), form.reference.data
        if request.form["do"] == "back":
            is_missing = amount is None and ledger.kept(player) > 0
            if is_missing or not give_back(act, [player], amount, form.way, reference):
                raise Refused(gettext("Enter an amount above 0 that is no more than was paid."), "amount")
        elif not record_payment(act, player, amount, form.way, reference):
            raise Refused(gettext("This reference is a payment of %(player)s.", player=player.name), "reference")
    return Result(gettext("Saved."))


@blueprint.get("/e/<slug>/desk/money.csv")
def sheet(slug: str) -> ResponseReturnValue:
    """A row for each payment; the sums of a player are in the first, and alone if there is no payment."""
    event = managed_event(slug)
    heads = ("Player", "State", "Currency", "Fee", "To pay", "Received", "Given back", "Still due", "Due back",
             "At", "Amount", "How", "Reference")  # fmt: skip
    rows = [row for player in sorted(players_in(event), key=by_name) for row in _rows(event, player)]
    return csv_answer(event.slug, "money", csv_bytes([heads, *rows]))


def _rows(event: Event, player: Player) -> Iterator[tuple[object, ...]]:
    payments, currency = ledger.payments_of(player), event.fee_currency
    back = -sum(payment.amount or 0 for payment in payments if payment.is_back)
    fee = ledger.fee_of(event, player) if ledger.must_pay(event, player) else 0
    sums = (fee, ledger.kept(player) + back, back, ledger.still_due(event, player), ledger.due_back(event, player))
    full = event.fee if ledger.fee_of(event, player) is None else as_typed(ledger.fee_of(event, player), currency)
    typed = [full, *(as_typed(amount, currency) if currency else "" for amount in sums)]
    for payment in payments or (None,):
        entry = (local(payment.at, event, "%Y-%m-%d %H:%M"), as_typed(payment.amount, currency), payment.how,
                 payment.reference or "") if payment else [""] * 4  # fmt: skip
        yield (player.name, player.state.value, currency, *typed, *entry)
        typed = [""] * len(typed)
