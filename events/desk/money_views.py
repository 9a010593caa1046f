"""The desk's page of money: totals, who has not paid, what is due back; one player's payment; all as a file."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.accounts.event_loading import players_in
from events.accounts.loading import managed_event, player_or_404, polled
from events.desk.money_forms import BackForm, FeeForm, PaymentForm, amount_in
from events.desk.readiness import Group, due_back_row, unpaid_row
from events.registration.one_click import done_entry
from events.registration.payments import WAYS, give_back, record_payment, set_fee, totals
from events.store.act import Act
from events.store.players import by_name, fee_of, is_due_back, owes
from events.web.answers import csv_answer
from events.web.csv_cells import csv_bytes
from events.web.forms import refusals_at
from events.web.request import changing, local
from languages.money import as_typed
from languages.words import gettext
from models.event import Event
from models.play import Player, PlayerState

blueprint = Blueprint("money", __name__)


@blueprint.get("/e/<slug>/desk/money")
def money_page(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    players = sorted(players_in(event), key=by_name)
    back = [player for player in players if is_due_back(event, player)]
    left = [player for player in players if _left_after_playing(player) and player not in back]
    groups = [
        Group("due_back", tuple(due_back_row(event, player) for player in back)),
        Group("unpaid", tuple(unpaid_row(event, player) for player in players if owes(event, player))),
    ]
    page = render_template(
        "desk/money.html",
        groups=[group for group in groups if group.lines],
        left=Group("due_back", tuple(due_back_row(event, player) for player in left)),
        payments=[player for player in players if player.paid_at is not None],
        totals=totals(event, players),
        done=done_entry(event),
    )
    return polled(page, event)


def _left_after_playing(player: Player) -> bool:
    return player.state == PlayerState.DROPPED and player.paid_at is not None and player.given_back_at is None


@blueprint.route("/e/<slug>/desk/players/<int:player_id>/payment", methods=["GET", "POST"])
def payment(slug: str, player_id: int) -> ResponseReturnValue:
    """What one player pays, has paid and was given back, each in a form of its own."""
    event = managed_event(slug)
    player, currency = player_or_404(event, player_id), event.fee_currency
    how = player.paid_how if player.paid_at else "cash"
    stored = {"how": how if how in WAYS else "", "other": "" if how in WAYS else how}
    paid = as_typed(fee_of(event, player) if player.paid_amount is None else player.paid_amount, currency)
    forms = {
        "fee": FeeForm(None, data={"fee": as_typed(player.fee_set, currency)}, prefix="f"),
        "paid": PaymentForm(None, data={**stored, "amount": paid, "reference": player.paid_reference}, prefix="p"),
        "back": BackForm(None, data={"amount": as_typed(player.paid_amount, currency)}, prefix="b"),
    }
    pressed = request.form.get("do", "")
    if pressed in forms:
        form = forms[pressed] = type(forms[pressed])(prefix=pressed[0])
        if form.validate_on_submit():
            with refusals_at(form), changing(event) as act:
                _store(act, player, form, currency)
            if not form.errors:
                flash(gettext("Saved."), "success")
                return redirect(url_for("money.payment", slug=slug, player_id=player_id))
    page = render_template("desk/payment.html", player=player, forms=forms, fee=fee_of(event, player))
    return page, 422 if any(form.errors for form in forms.values()) else 200


def _store(act: Act, player: Player, form: FeeForm | PaymentForm | BackForm, currency: str) -> None:
    """Store what a form says. Raises Refused."""
    if isinstance(form, FeeForm):
        set_fee(act, player, amount_in(form.fee, currency, zero=True))
    elif isinstance(form, PaymentForm):
        record_payment(act, player, amount_in(form.amount, currency), form.way, form.reference.data)
    else:
        give_back(act, [player], amount_in(form.amount, currency))


@blueprint.get("/e/<slug>/desk/money.csv")
def sheet(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    heads = ("Player", "State", "Currency", "To pay", "Paid", "How", "Reference", "Paid at", "Given back",
             "Given back at", "Due back")  # fmt: skip
    rows = [_row(event, player) for player in sorted(players_in(event), key=by_name)]
    return csv_answer(event.slug, "money", csv_bytes([heads, *rows]))


def _row(event: Event, player: Player) -> tuple[object, ...]:
    sums = [as_typed(amount, event.fee_currency)
            for amount in (fee_of(event, player), player.paid_amount, player.given_back)]  # fmt: skip
    paid, given = (
        local(moment, event, "%Y-%m-%d %H:%M") if moment else "" for moment in (player.paid_at, player.given_back_at)
    )
    due = is_due_back(event, player)
    return (player.name, player.state.value, event.fee_currency, sums[0], sums[1], player.paid_how,
            player.paid_reference, paid, sums[2], given, "yes" if due else "")  # fmt: skip
