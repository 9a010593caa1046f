"""Payments: what players pay, have paid and are due back; the page of money, one player's payments, and the file."""

import csv
import io
import json
from collections.abc import Callable

import pytest
from alembic import command
from flask import Flask
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

import migrations
from events.registration import check_in, erasure, leaving, payments, removal
from events.setup import event_life
from events.store.ledger import is_due_back, kept, owes, pay_address, payments_of, still_due
from models.journal import JournalEntry, RowChange, RowChangeKind
from models.play import Payment, Player, PlayerState
from models.staff import Role
from tests.api.programs import ROOT, Program, made_token
from tests.conftest import Clock
from tests.kit.people import let_in
from tests.kit.person import Page, Person
from tests.kit.stage import Event, Stage
from tests.kit.statements import sent

SETTINGS = "/e/iron-open/desk/settings/registration"
MONEY = "/e/iron-open/desk/money"


@pytest.fixture
def paying(stage: Stage, olga: Person) -> Event:
    event = stage.event(places=8)
    stage.set(event, fee="12 EUR", fee_amount=1200, fee_currency="EUR")
    return event


def total(stage: Stage, event: Event, label: str) -> tuple[int, int]:
    lines = payments.totals(stage.now(event), stage.all(Player, event_id=event.id))
    return next((line.count, line.amount) for line in lines if line.label == label)


WHY_NOT = {
    "12.555 EUR": "such as 12.00 EUR.", "0 €": "above 0", "1.5 JPY": "such as 1200 JPY.", "8-12 €": "such as 12.00 €.",
}  # fmt: skip


def test_fee_is_typed_in_one_field(olga: Person, stage: Stage) -> None:
    event = stage.event()
    for wrong in ("12", "12 $", *WHY_NOT):
        page = olga.press("Save", at=SETTINGS, fee_amount=wrong)
        assert (page.status, page.value("fee_amount"), stage.now(event).fee) == (422, wrong, "")
        assert WHY_NOT.get(wrong, "and the code of its currency") in page.error_at("fee_amount")
    for typed, *stored in (
        ("1 500 JPY", "1 500 JPY", 1500, "JPY"), ("12,50 €", "12,50 €", 1250, "EUR"), ("15", "15 EUR", 1500, "EUR"),
        ("a tin of beans", "a tin of beans", None, "EUR"), ("", "", None, "EUR"),
        ("15 € (members 8 €)", "15 € (members 8 €)", 1500, "EUR"),
    ):  # fmt: skip
        olga.press("Save", at=SETTINGS, fee_amount=typed)
        row = stage.now(event)
        assert [row.fee, row.fee_amount, row.fee_currency] == stored
    assert stage.journal(event, "change-settings")[-1] == "Changed the settings: “Entry fee”", "one thing"
    journal = olga.open("/e/iron-open/desk/journal")
    assert journal.part(".journal-rows > li").count("Entry fee") == 1, journal.part("main")
    for old, amount in (("15 €", 1500), ("about 12 €", None)):
        stage.set(event, fee=old, fee_amount=None)
        olga.press("Save", at=SETTINGS)
        assert (stage.now(event).fee, stage.now(event).fee_amount) == (old, amount), "of an earlier version"
    stage.set(event, fee="15 €", fee_amount=1500)
    (ada,) = stage.enter(event, "Ada")
    stage.do(event, payments.mark_paid, [ada])
    for fee in (800, None):
        page = olga.press("Save", at=SETTINGS, fee_amount="15 USD")
        assert (page.status, "in EUR" in page.error_at("fee_amount")) == (422, True), "sums keep their currency"
        for payment in stage.all(Payment):
            stage.do(event, payments.remove_payment, ada, payment.id)
        stage.set(event, ada, fee_set=fee)
    assert olga.press("Save", at=SETTINGS, fee_amount="15 USD").status == 200


def test_one_press_marks_the_whole_fee_in_cash_and_a_part_stays_owed(
    olga: Person, stage: Stage, paying: Event, visitor: Person, link_of: Callable[[Player], str]
) -> None:
    ada, bo, _ = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    olga.press("Mark as paid : Ada", at=MONEY)
    assert entries(stage, ada) == [(1200, "cash", "")] and stage.one(Payment).at == stage.clock()
    assert "Ada has paid" in olga.page.part(".done-bar") and olga.page.path == MONEY
    page = f"/e/iron-open/desk/players/{bo.id}/payment"
    for wrong in ("x", "-1", "0", "5.001", "5 USD", "5 EUR 5"):
        shown = pay(olga, page, amount=wrong)
        assert (shown.status, "Enter an amount such as 12.00." in shown.error_at("p-amount")) == (422, True), wrong
        assert (shown.value("p-amount"), entries(stage, bo)) == (wrong, [])
    assert "Please fill this in." in pay(olga, page, how="").error_at("p-other")
    pay(olga, page, amount="5", how="", other="Voucher", reference="No. 7")
    assert (entries(stage, bo), owes(paying, stage.now(bo))) == ([(500, "Voucher", "No. 7")], True)
    assert "Still due: 7.00 EUR" in olga.open(MONEY).part("#group-unpaid").replace("\u00a0", " ")
    assert "Still due: 7.00 EUR" in olga.open("/e/iron-open/desk/door?q=bo").part("#matches").replace("\u00a0", " ")
    visitor.open(link_of(bo))
    assert "Still due: 7.00 EUR" in visitor.open("/e/iron-open/me").part("#fee").replace("\u00a0", " ")
    assert "No. 7" not in visitor.page.text, "the club's reference is in the player's data file alone"
    olga.press("Mark as paid : Bo", at=MONEY)
    assert entries(stage, bo) == [(500, "Voucher", "No. 7"), (700, "cash", "")]
    olga.press("Undo", inside=".done-bar")
    assert entries(stage, bo) == [(500, "Voucher", "No. 7")], "the press alone is taken back"


def test_undo_at_the_door_takes_the_payment_back_with_the_arrival(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    stage.do(paying, payments.record_payment, ada, 500, "transfer")
    row = olga.open("/e/iron-open/desk/door").part("main").replace("\u00a0", " ")
    assert row.count("Still due: 7.00 EUR") == 1, "only for who paid a part"
    for player in (ada, bo):
        olga.press(f"Paid, check in : {player.name}", at="/e/iron-open/desk/door")
        assert stage.now(player).state == PlayerState.CHECKED_IN and not owes(paying, stage.now(player))
        olga.press("Undo", inside=".done-bar")
        assert stage.now(player).state == PlayerState.REGISTERED
    assert (entries(stage, ada), entries(stage, bo)) == ([(500, "transfer", "")], [])


def test_money_goes_back_by_the_ways_in_which_it_came(stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada", here=False)
    stage.do(paying, payments.record_payment, ada, 500, "transfer")
    stage.do(paying, payments.record_payment, ada, 1900, "cash")
    stage.do(paying, payments.give_back, [ada])
    assert entries(stage, ada)[2:] == [(-1200, "cash", "")], "what was too much"
    stage.do(paying, leaving.drop, ada)
    stage.do(paying, payments.give_back, [ada])
    assert sorted(entries(stage, ada)[3:]) == [(-700, "cash", ""), (-500, "transfer", "")]


def entries(stage: Stage, player: Player) -> list[tuple[int | None, str, str]]:
    return [(entry.amount, entry.how, entry.reference or "") for entry in payments_of(stage.now(player))]


def pay(olga: Person, page: str, **typed: str) -> Page:
    return olga.press("Save", at=page, inside="#paid", **{f"p-{name}": value for name, value in typed.items()})


def test_player_with_another_fee(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo")
    for player, fee, owing in ((ada, "€ 8", True), (bo, "0 EUR", False), (ada, "8 euros", True)):
        olga.press("Save", at=f"/e/iron-open/desk/players/{player.id}/payment", inside="#fee", **{"f-fee": fee})
        assert owes(stage.now(paying), stage.now(player)) is owing
    stage.do(paying, payments.mark_paid, [ada, bo])
    assert (kept(stage.now(ada)), entries(stage, bo)) == (800, [])
    assert total(stage, paying, "Due") == (1, 800), "who is free owes nothing"


def test_fee_in_words_alone_is_marked_without_sums(olga: Person, stage: Stage) -> None:
    event = stage.event()
    stage.set(event, fee="a tin of beans")
    ada, bo = stage.enter(event, "Ada", "Bo")
    olga.press("Mark as paid : Ada", at=MONEY)
    assert (entries(stage, ada), owes(event, stage.now(ada))) == ([(None, "cash", "")], False)
    assert owes(event, stage.now(bo))
    assert [total(stage, event, label) for label in ("Paid", "Still due")] == [(1, 0), (1, 0)]
    stage.refuse("has no amount", event, payments.record_payment, bo, 500, "cash")
    stage.set(event, fee_amount=1200, fee_currency="EUR")
    assert not owes(stage.now(event), stage.now(ada)), "a mark from before the amount counts as the whole fee"


def withdraw(stage: Stage, event: Event, player: Player) -> None:
    stage.do(event, leaving.drop, player)


def remove(stage: Stage, event: Event, player: Player) -> None:
    plan = stage.do(event, removal.remove_players, [player])
    assert [row.id for row in plan.dropped] == [player.id], "a payment keeps the row"


def call_off(stage: Stage, event: Event, player: Player) -> None:
    stage.do(event, event_life.cancel, "A flood.", 0)


def late_and_gone(stage: Stage, event: Event, player: Player) -> None:
    stage.enter(event, "Dee", "Ed")
    withdraw(stage, event, player)


@pytest.mark.parametrize("leave", [withdraw, remove, call_off, late_and_gone])
def test_payment_is_due_back_after_each_way_of_leaving_until_it_is_given_back(
    olga: Person, stage: Stage, paying: Event, leave: Callable[[Stage, Event, Player], None]
) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo")
    stage.do(paying, payments.mark_paid, [ada])
    assert not is_due_back(paying, stage.now(ada))
    leave(stage, paying, ada)
    assert total(stage, paying, "Due back") == (1, 1200)
    part = olga.open(MONEY).part("#group-due_back")
    assert all(words in part.replace("\u00a0", " ") for words in ("Ada", "12.00 EUR", "Cash")) and "Bo" not in part
    olga.press("Given back : Ada", at=MONEY)
    assert entries(stage, ada) == [(1200, "cash", ""), (-1200, "cash", "")]
    assert [total(stage, paying, label) for label in ("Paid", "Given back", "Due back")] == [
        (1, 1200), (1, 1200), (0, 0),
    ]  # fmt: skip
    olga.press("Undo", inside=".done-bar")
    assert (kept(stage.now(ada)), total(stage, paying, "Due back")) == (1200, (1, 1200))
    assert not is_due_back(stage.now(paying), stage.now(bo)), "who has not paid gets nothing"


def test_players_who_left_after_playing_are_the_organisers_decision(olga: Person, stage: Stage, paying: Event) -> None:
    ada, _ = stage.enter(paying, "Ada", "Bo")
    stage.do(paying, payments.mark_paid, [ada])
    stage.play(paying, 1)
    withdraw(stage, paying, ada)
    assert total(stage, paying, "Due back") == (0, 0)
    olga.press("Given back : Ada", at=MONEY, inside="#left")
    assert entries(stage, ada) == [(1200, "cash", ""), (-1200, "cash", "")]


def test_payment_stays_through_leaving_coming_back_and_the_waiting_list(stage: Stage, paying: Event) -> None:
    stage.set(paying, places=2)
    ada, _, cy = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    stage.do(paying, payments.record_payment, cy, 1200, "online", "pi_1")
    assert (stage.now(cy).state, is_due_back(paying, stage.now(cy))) == (PlayerState.WAITING, False)
    withdraw(stage, paying, ada)
    assert (stage.now(cy).state, owes(paying, stage.now(cy))) == (PlayerState.REGISTERED, False)
    withdraw(stage, paying, cy)
    assert is_due_back(paying, stage.now(cy))
    stage.do(paying, leaving.reinstate, cy)
    assert (owes(paying, stage.now(cy)), is_due_back(paying, stage.now(cy))) == (False, False)
    withdraw(stage, paying, cy)
    stage.do(paying, payments.give_back, [stage.now(cy)])
    stage.do(paying, leaving.reinstate, cy)
    assert owes(paying, stage.now(cy)), "who was given it back pays again"
    stage.do(paying, payments.record_payment, cy, 1200, "online", "pi_1")
    assert owes(paying, stage.now(cy)), "a provider that repeats itself pays nothing"
    stage.do(paying, payments.mark_paid, [cy])
    assert entries(stage, cy) == [(1200, "online", "pi_1"), (-1200, "online", ""), (1200, "cash", "")]


def test_part_can_be_given_back_and_no_more_than_was_paid(olga: Person, stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada")
    stage.do(paying, payments.mark_paid, [ada])
    page = f"/e/iron-open/desk/players/{ada.id}/payment"
    for wrong in ("12.01", "0", "x"):
        shown = olga.press("Save", at=page, inside="#back", **{"b-amount": wrong})
        assert (shown.value("b-amount"), bool(shown.error_at("b-amount"))) == (wrong, True)
    olga.press("Save", at=page, inside="#back", **{"b-amount": "7"})
    shown = olga.press("Save", at=page, inside="#back", **{"b-amount": "5.01"})
    assert "no more than was paid" in shown.error_at("b-amount")
    olga.press("Save", at=page, inside="#back", **{"b-amount": "5", "b-how": "transfer"})
    assert [amount for amount, _, _ in entries(stage, ada)] == [1200, -700, -500]
    assert total(stage, paying, "Given back") == (1, 1200)


def test_paid_in_part_is_what_is_left_of_it(stage: Stage, paying: Event) -> None:
    ada, bo, _ = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    for player, back in ((ada, 1200), (bo, 500)):
        stage.do(paying, payments.mark_paid, [player])
        stage.do(paying, payments.give_back, [player], back)
    assert [total(stage, paying, label) for label in ("Paid", "Paid in part", "Given back")] == [
        (0, 2400), (1, 700), (2, 1700),
    ]  # fmt: skip


def test_totals_by_way_and_the_file(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo, cy, dee = stage.enter(paying, "Ada", "Bo", "Cy", "Dee", here=False)
    stage.do(paying, payments.mark_paid, [ada])
    stage.do(paying, payments.record_payment, bo, 500, "transfer", "=1+1")
    olga.press("Mark ticked players as paid", at=MONEY, chosen=[str(cy.id)], how="transfer")
    labels = ("Due", "Paid", "Paid in part", "Cash", "Transfer", "Still due")
    assert [total(stage, paying, label) for label in labels] == [
        (4, 4800), (2, 2900), (1, 500), (1, 1200), (2, 1700), (2, 1900),
    ]  # fmt: skip
    text = olga.ask("GET", f"{MONEY}.csv").data.decode("utf-8-sig")
    rows = {row["Player"]: row for row in csv.DictReader(io.StringIO(text))}
    assert (rows["Bo"]["Received"], rows["Bo"]["To pay"], rows["Bo"]["How"]) == ("5.00", "12.00", "transfer")
    assert rows["Bo"]["Reference"] == "'=1+1", "no formula"
    assert (rows[dee.name]["Still due"], rows[dee.name]["Amount"]) == ("12.00", "")
    stage.do(paying, leaving.drop, dee)
    text = olga.ask("GET", f"{MONEY}.csv").data.decode("utf-8-sig")
    assert [row["To pay"] for row in csv.DictReader(io.StringIO(text)) if row["Player"] == "Dee"] == ["0.00"]
    stage.set(paying, cy, state=PlayerState.WAITING)
    for fee in ("12 EUR", ""):
        stage.set(paying, bo, fee_set=700)
        stage.set(paying, fee=fee)
        text = olga.ask("GET", f"{MONEY}.csv").data.decode("utf-8-sig")
        shown = sum(int(float(row["To pay"] or 0) * 100) for row in csv.DictReader(io.StringIO(text)))
        assert shown == total(stage, paying, "Due")[1], "the file's sum is the page's"


def test_erased_player_leaves_no_payment_in_rows_and_journal(stage: Stage, paying: Event) -> None:
    ada, _ = stage.enter(paying, "Ada", "Bo")
    stage.do(paying, payments.record_payment, ada, 98765431, "Qzway", "Qzreference")
    with stage.changing(paying) as s:  # as journals up to 0.5.0 have it
        last = s.exec(select(RowChange).order_by(col(RowChange.id).desc())).first()
        s.add(
            RowChange(
                change_set_id=last.change_set_id if last else 0, table_name="player", row_id=ada.id,
                kind=RowChangeKind.CHANGED, before={"payments": None}, player_id=ada.id,
                after={"payments": '[{"amount": 98765431, "how": "Qzway", "reference": "Qzreference"}]'},
            )
        )  # fmt: skip
    stage.play(paying, 1)
    withdraw(stage, paying, ada)
    stage.do(paying, erasure.erase, ada)
    assert stage.all(Payment) == []
    history = [*(f"{change.before}{change.after}" for change in stage.all(RowChange)),
               *(f"{entry.text}{entry.details}" for entry in stage.all(JournalEntry))]  # fmt: skip
    assert not any(secret in text for text in history for secret in ("98765431", "Qzway", "Qzreference"))


def test_treasurer_works_with_money_and_checks_nobody_in(app: Flask, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    tess = let_in(app, stage.hire(paying, "Tess", Role.TREASURER))
    tess.press("Mark as paid : Ada", at=MONEY)
    assert kept(stage.now(ada)) == 1200
    assert tess.post(f"/e/iron-open/desk/players/{bo.id}/check-in-paid").status_code == 403
    assert (stage.now(bo).state, entries(stage, bo)) == (PlayerState.REGISTERED, [])
    for role in (Role.JUDGE, Role.CHECK_IN):
        person = let_in(app, stage.hire(paying, f"Jo {role}", role))
        for address in (MONEY, f"{MONEY}.csv", f"/e/iron-open/desk/players/{ada.id}/payment"):
            assert person.open(address).status == 403
    assert person.post(f"/e/iron-open/desk/players/{ada.id}/give-back").status_code == 403
    person.press("Paid, check in : Bo", at="/e/iron-open/desk/door?q=bo")
    assert kept(stage.now(bo)) == 1200, "the door takes the fee"


@pytest.fixture
def reads(app: Flask, stage: Stage, paying: Event) -> Program:
    return Program(app, made_token(stage, paying, Role.TREASURER))


def test_one_longer_story_has_the_same_figures_on_the_page_in_the_file_and_in_the_interface(
    olga: Person, stage: Stage, paying: Event, reads: Program
) -> None:
    ada, _ = stage.enter(paying, "Ada", "Bo", here=False)
    page = f"/e/iron-open/desk/players/{ada.id}/payment"

    def figures(received: str, back: str, due: str, due_back: str) -> None:
        """Check what was received of Ada, given back to her, and is due of and to her."""
        text = olga.ask("GET", f"{MONEY}.csv").data.decode("utf-8-sig")
        row = next(row for row in csv.DictReader(io.StringIO(text)) if row["Player"] == "Ada")
        assert [row[head] for head in ("Received", "Given back", "Still due", "Due back")] == [
            received, back, due, due_back,
        ]  # fmt: skip
        cells = [line.select("td.num")[-1].text for line in olga.open(MONEY).soup.select("#totals tbody tr")]
        heads = [line.th.text for line in olga.page.soup.select("#totals tbody tr") if line.th]
        shown = dict(zip(heads, (cell.replace("\u00a0EUR", "") for cell in cells), strict=True))
        assert (shown["Paid"], shown["Given back"], shown["Due back"]) == (received, back, due_back)
        item = reads.get(f"{ROOT}/payments").get_json()["items"][0]
        club_has = round(100 * (float(received) - float(back)))
        assert (item["amount"], item["due_back"]) == (club_has, round(100 * float(due_back)))
        assert sum(entry["amount"] for entry in item["payments"]) == club_has

    figures("0.00", "0.00", "12.00", "0.00")
    pay(olga, page, amount="5", how="transfer")
    figures("5.00", "0.00", "7.00", "0.00")
    assert olga.open(page).value("p-amount") == "7.00"
    pay(olga, page, amount="7")
    figures("12.00", "0.00", "0.00", "0.00")
    assert [total(stage, paying, label) for label in ("Transfer", "Cash")] == [(1, 500), (1, 700)]
    reads.post(f"{ROOT}/players/1/payment", amount=300, reference="pi_1")
    for _ in range(2):
        reads.post(f"{ROOT}/players/1/payment", amount=1200, reference="pi_2")
    reads.post(f"{ROOT}/players/1/payment", amount=300, reference="pi_1")
    figures("27.00", "0.00", "0.00", "15.00")
    olga.press("Remove : Ada", at=page, entry=str(payments_of(stage.now(ada))[2].id))
    figures("24.00", "0.00", "0.00", "12.00")
    olga.press("Given back : Ada", at=MONEY)
    figures("24.00", "12.00", "0.00", "0.00")
    withdraw(stage, paying, ada)
    figures("24.00", "12.00", "0.00", "12.00")
    reads.post(f"{ROOT}/players/1/given-back", amount=400)
    figures("24.00", "16.00", "0.00", "8.00")
    stage.do(paying, leaving.reinstate, ada)
    figures("24.00", "16.00", "4.00", "0.00")
    olga.press("Mark as paid : Ada", at=MONEY)
    figures("28.00", "16.00", "0.00", "0.00")
    stage.do(paying, event_life.cancel, "A flood.", 0)
    figures("28.00", "16.00", "0.00", "12.00")
    assert [total(stage, paying, label) for label in ("Due", "Still due")] == [(0, 0), (0, 0)]
    olga.press("Given back : Ada", at=MONEY)
    figures("28.00", "28.00", "0.00", "0.00")
    assert reads.post(f"{ROOT}/players/1/given-back").status_code == 409, "nothing is left"


def test_entry_is_removed_once_and_never_below_what_was_given_back(olga: Person, stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada")
    stage.do(paying, payments.record_payment, ada, 2000, "transfer", "No. 1")
    stage.do(paying, payments.give_back, [ada])
    page = f"/e/iron-open/desk/players/{ada.id}/payment"
    first, back = (str(payment.id) for payment in payments_of(stage.now(ada)))
    assert "More was given back" in olga.press("Remove : Ada", at=page, entry=first).text
    for entry in (back, first):
        olga.press("Remove : Ada", at=page, entry=entry)
    assert payments_of(stage.now(ada)) == []
    assert olga.post(page, do="remove", entry=first).status_code == 422
    assert stage.journal(paying, "unpaid") == ["Ada has been marked as unpaid"]


def test_reference_counts_once_in_the_event_and_an_amount_is_needed(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo")
    pay(olga, f"/e/iron-open/desk/players/{ada.id}/payment", amount="5", reference="No. 1")
    for player in (ada, bo):
        shown = pay(olga, f"/e/iron-open/desk/players/{player.id}/payment", amount="7", reference="No. 1")
        assert "This reference is a payment of Ada." in shown.error_at("p-reference")
    stage.refuse_to("payment of Ada", stage.do, paying, payments.record_payment, ada, 700, "online", "No. 1")
    shown = pay(olga, f"/e/iron-open/desk/players/{bo.id}/payment", amount="")
    assert ("Enter an amount" in shown.error_at("p-amount"), entries(stage, bo)) == (True, [])


def test_mark_from_before_amounts_is_one_payment_without_an_amount(stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada")
    with stage.changing(paying) as s:
        s.add(Payment(event_id=paying.id, player_id=ada.id, at=stage.clock()))
    assert not owes(paying, stage.now(ada))
    withdraw(stage, paying, ada)
    assert is_due_back(paying, stage.now(ada))
    stage.do(paying, payments.give_back, [ada])
    assert not is_due_back(paying, stage.now(ada))
    stage.do(paying, leaving.reinstate, ada)
    assert owes(paying, stage.now(ada))


def test_cancelled_event_asks_nobody_for_the_fee_and_tells_who_gets_it_back(
    stage: Stage, paying: Event, visitor: Person, link_of: Callable[[Player], str]
) -> None:
    stage.set(paying, pay_link="https://pay.example/cup")
    ada, _ = stage.enter(paying, "Ada", "Bo")
    stage.do(paying, payments.mark_paid, [ada])
    assert "Pay the fee" in visitor.open("/e/iron-open").text
    stage.do(paying, event_life.cancel, "A flood.", 0)
    assert "Pay the fee" not in visitor.open("/e/iron-open").text
    visitor.open(link_of(ada))
    own = visitor.open("/e/iron-open/me").text.replace("\u00a0", " ")
    assert "Due back to you: 12.00 EUR" in own and "Pay the fee" not in own


def test_waiting_players_who_paid_are_listed_and_erasing_says_what_the_club_has(
    olga: Person, stage: Stage, paying: Event
) -> None:
    stage.set(paying, places=1)
    _, bo = stage.enter(paying, "Ada", "Bo", here=False)
    stage.do(paying, payments.record_payment, bo, 1200, "cash")
    assert "Bo 12.00 EUR" in olga.open(MONEY).part("#waiting").replace("\u00a0", " ")
    page = olga.open(f"/e/iron-open/desk/players/{bo.id}/erase").text.replace("\u00a0", " ")
    assert "The club has 12.00 EUR of this player, and 0.00 EUR is still due." in page


def posted(olga: Person, page: str, key: str, **fields: str) -> int:
    token = str(olga.open(page).value("csrf_token"))
    sent = fields | {"csrf_token": token} | ({"key": key} if key else {})
    return [olga.ask("POST", page, sent).status_code for _ in range(2)][-1]


@pytest.mark.proves("attack 103")
def test_form_sent_twice_books_once(olga: Person, stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada")
    page = f"/e/iron-open/desk/players/{ada.id}/payment"
    paid = {"do": "paid", "p-amount": "12.00", "p-how": "cash"}
    for number, key in enumerate(("", "A" * 20, "B" * 20), 1):
        assert posted(olga, page, key, **paid) == 302
        assert kept(stage.now(ada)) == number * 1200, "another form books again, the same one does not"
    assert posted(olga, page, "C" * 20, **{"do": "back", "b-amount": "5.00", "b-how": "cash"}) == 302
    assert kept(stage.now(ada)) == 3100
    assert olga.post(page, key="C" * 20, **{"do": "back", "b-amount": "6.00", "b-how": "cash"}).status_code == 422
    assert kept(stage.now(ada)) == 3100


@pytest.mark.proves("attack 104")
def test_who_played_unpaid_and_left_owes_until_payment_or_waiver(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo, cy, _ = stage.enter(paying, "Ada", "Bo", "Cy", "Dee")
    (late,) = stage.enter(paying, "Late", here=False)
    stage.do(paying, payments.record_payment, bo, 500, "cash")
    stage.play(paying, 1)
    for player in (ada, bo, cy, late):
        withdraw(stage, paying, player)
    assert [total(stage, paying, label) for label in ("Due", "Still due")] == [(4, 4800), (4, 4300)], (
        "not who never played"
    )
    assert "Ada" in olga.open(MONEY).part("#group-unpaid") and "Late" not in olga.page.part("#group-unpaid")
    olga.press("Mark as paid : Ada", at=MONEY)
    olga.press("Save", at=f"/e/iron-open/desk/players/{cy.id}/payment", inside="#fee", **{"f-fee": "0"})
    assert [owes(paying, stage.now(player)) for player in (ada, bo, cy)] == [False, True, False]
    stage.do(paying, payments.record_payment, bo, 700, "transfer")
    stage.do(paying, payments.give_back, [bo])
    assert (kept(stage.now(bo)), owes(paying, stage.now(bo))) == (0, False), "who gets it back owes nothing again"
    assert [total(stage, paying, label) for label in ("Due", "Still due")] == [(3, 3600), (1, 1200)]
    dee = stage.one(Player, name="Dee")
    withdraw(stage, paying, dee)
    stage.do(paying, erasure.erase, dee)
    assert not olga.open(MONEY).soup.select("#group-unpaid"), "an erased name owes nothing"


@pytest.mark.proves("attack 104")
def test_new_or_higher_fee_asks_whom_it_is_for(olga: Person, stage: Stage) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)

    def owed() -> list[int]:
        return [still_due(stage.now(event), stage.now(player)) for player in (ada, bo)]

    page = olga.press("Save", at=SETTINGS, fee_amount="12 EUR")
    assert (page.status, "2 players" in page.error_at("fee_for"), stage.now(event).fee) == (422, True, "")
    olga.press("Save", fee_for="new")
    assert (stage.now(event).fee, owed()) == ("12 EUR", [0, 0])
    stage.set(event, bo, fee_set=None)
    assert owed() == [0, 1200]
    page = olga.press("Save", at=SETTINGS, fee_amount="15 EUR")
    assert "1 player " in page.error_at("fee_for"), "Ada’s fee is her own"
    olga.press("Save", fee_for="all")
    assert owed() == [0, 1500]
    assert olga.press("Save", at=SETTINGS, fee_amount="9 EUR").status == 200, "a lower fee is for all"
    assert owed() == [0, 900]
    olga.press("Save", at=SETTINGS, fee_amount="11 EUR")
    olga.press("Save", fee_for="new")
    assert (stage.now(event).fee_amount, owed()) == (1100, [0, 900])


@pytest.mark.proves("attack 104")
def test_fee_cleared_and_typed_again_is_what_they_were_told(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    stage.do(paying, payments.mark_paid, [ada])
    for fee, due, back in (
        ("", 0, 1200), ("12 EUR", 2400, 0), ("", 0, 1200), ("Bring cake", 0, 0), ("12 EUR", 2400, 0),
    ):  # fmt: skip
        assert olga.press("Save", at=SETTINGS, fee_amount=fee).status == 200, "words, and the same fee, ask nothing"
        assert [stage.now(player).fee_set for player in (ada, bo)] == [None, None], "no waiver"
        assert [total(stage, paying, label)[1] for label in ("Due", "Due back")] == [due, back], fee
    assert stage.now(paying).fee_amount == 1200
    olga.press("Save", at=SETTINGS, fee_amount="")
    assert "2 players" in olga.press("Save", at=SETTINGS, fee_amount="15 EUR").error_at("fee_for")
    olga.press("Save", fee_for="new")
    assert [stage.now(player).fee_set for player in (ada, bo)] == [1200, 1200]


@pytest.mark.proves("attack 104")
def test_lower_fee_and_they_pay_it_too_reach_who_kept_theirs(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo, cy = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    stage.do(paying, payments.set_fee, cy, 700)
    for typed, count, answer, fees in (
        ("15 EUR", "2 players", "new", [1200, 1200, 700]), ("8 EUR", "", "", [None, None, 700]),
        ("9 EUR", "2 players", "new", [800, 800, 700]), ("10 EUR", "2 players", "all", [None, None, 700]),
        ("12 EUR", "2 players", "new", [1000, 1000, 700]), ("Bring cake", "", "", [None, None, 700]),
    ):  # fmt: skip
        page = olga.press("Save", at=SETTINGS, fee_amount=typed)
        if count:
            assert count in page.error_at("fee_for"), typed
            olga.press("Save", fee_for=answer)
        assert [stage.now(player).fee_set for player in (ada, bo, cy)] == fees, typed


def test_removed_fee_is_due_back_and_the_player_is_told(
    olga: Person, stage: Stage, paying: Event, visitor: Person, link_of: Callable[[Player], str]
) -> None:
    (ada,) = stage.enter(paying, "Ada", here=False)
    stage.do(paying, payments.mark_paid, [ada])
    olga.press("Save", at=SETTINGS, fee_amount="")
    visitor.open(link_of(ada))
    own = visitor.open("/e/iron-open/me").part("#fee").replace("\u00a0", " ")
    assert "Due back to you: 12.00 EUR" in own and "Entry fee" not in own
    olga.press("Given back : Ada", at=MONEY)
    assert [total(stage, paying, label)[1] for label in ("Due", "Paid", "Given back", "Due back")] == [0, 1200, 1200, 0]


def test_form_of_another_currency_is_refused(olga: Person, stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada")
    page = f"/e/iron-open/desk/players/{ada.id}/payment"
    shown = olga.open(page)
    stage.set(paying, fee="1500 JPY", fee_amount=1500, fee_currency="JPY")
    olga.page = shown
    answer = olga.press("Save", inside="#paid", **{"p-amount": "12"})
    assert (answer.status, entries(stage, ada), "JPY" in answer.error_at("p-amount")) == (422, [], True)


def test_give_back_is_preset_to_the_way_it_came(olga: Person, stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada", here=False)
    page = f"/e/iron-open/desk/players/{ada.id}/payment"
    stage.do(paying, payments.record_payment, ada, 500, "Voucher")
    stage.do(paying, payments.record_payment, ada, 700, "transfer")
    withdraw(stage, paying, ada)
    for _ in range(2):
        olga.press("Save", at=page, inside="#back")
    assert entries(stage, ada)[2:] == [(-700, "transfer", ""), (-500, "Voucher", "")]


def test_free_entry_is_not_called_paid_and_the_file_keeps_the_fee_of_a_cancelled_event(
    olga: Person, stage: Stage, paying: Event, reads: Program
) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    stage.do(paying, payments.set_fee, ada, 0)
    assert [(item["due"], item["paid"]) for item in reads.get(f"{ROOT}/payments").get_json()["items"]] == [
        (0, False), (1200, False),
    ]  # fmt: skip
    assert "Paid" not in olga.open(f"/e/iron-open/desk/players/{ada.id}").part("dd.row")
    assert stage.do(paying, payments.mark_paid, [ada, bo]) == [stage.now(bo)]
    stage.do(paying, event_life.cancel, "A flood.", 0)
    text = olga.ask("GET", f"{MONEY}.csv").data.decode("utf-8-sig")
    assert [(row["Fee"], row["To pay"]) for row in csv.DictReader(io.StringIO(text))] == [
        ("0.00", "0.00"), ("12.00", "0.00"),
    ]  # fmt: skip


def test_link_to_pay_carries_what_is_due(stage: Stage, paying: Event) -> None:
    stage.set(paying, pay_link="https://pay.example/{player}/{amount}?c={currency}")
    (ada,) = stage.enter(paying, "Ada", here=False)
    stage.do(paying, payments.record_payment, ada, 450, "cash")
    assert pay_address(paying, stage.now(ada)) == f"https://pay.example/{ada.id}/7.50?c=EUR"
    assert pay_address(paying) == "https://pay.example//12.00?c=EUR"


def test_payment_of_a_used_reference_is_no_row_and_what_goes_back_may_have_it(stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo")
    stage.do(paying, payments.record_payment, ada, 1200, "online", "pi_1")
    stage.do(paying, payments.give_back, [ada], 500, "online", "pi_1")
    assert entries(stage, ada) == [(1200, "online", "pi_1"), (-500, "online", "pi_1")]
    for amount, reference in ((1200, "pi_1"), (None, "pi_1"), (1200, "")):
        row = Payment(event_id=paying.id, player_id=bo.id, at=stage.clock(), amount=amount, reference=reference)
        with pytest.raises(IntegrityError), stage.changing(paying) as s:
            s.add(row)


def test_payments_of_more_players_take_no_more_statements(
    app: Flask, olga: Person, stage: Stage, paying: Event
) -> None:
    counts = set[int]()
    for names in (("Ada", "Bo"), ("Cy", "Dee", "Ed", "Flo")):
        stage.do(paying, payments.mark_paid, stage.enter(paying, *names))
        olga.open(MONEY)
        with sent(app.extensions["overseer_engine"]) as statements:
            olga.open(MONEY)
        counts.add(len(statements))
    assert len(counts) == 1, counts


def test_undo_of_a_removal_is_refused_when_the_reference_is_recorded_again(stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo")
    stage.do(paying, payments.record_payment, ada, 500, "cash")
    stage.do(paying, payments.record_payment, ada, 1200, "online", "pi_1")
    stage.do(paying, payments.remove_payment, ada, stage.all(Payment)[1].id)
    stage.do(paying, payments.record_payment, bo, 1200, "online", "pi_1")
    removal = stage.all(JournalEntry, verb="paid")[-2]
    stage.refuse("changed again since", paying, check_in.undo_entry, removal)


def test_undo_asks_only_for_the_sums_of_its_own_players(stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo")
    with stage.changing(paying) as s:  # an earlier release could store this
        s.add(Payment(event_id=paying.id, player_id=bo.id, at=stage.clock(), amount=-500, how="cash"))
    stage.do(paying, payments.record_payment, ada, 500, "cash")
    stage.do(paying, check_in.undo_entry, stage.all(JournalEntry, verb="paid")[-1])
    assert entries(stage, ada) == []


@pytest.mark.both_databases
def test_payments_in_the_documents_of_players_become_rows(engine: Engine, clock: Clock) -> None:
    stage = Stage(engine, clock)
    event, other = stage.event(), stage.event("Rust Cup", players=("Dee",))
    stage.set(event, fee="12 EUR", fee_amount=1200, fee_currency="EUR")
    ada, bo, cy = stage.enter(event, "Ada", "Bo", "Cy")
    stage.do(event, payments.record_payment, ada, 500, "transfer", "No. 1")
    stage.do(event, payments.mark_paid, [ada])
    stage.do(event, payments.give_back, [ada], 100, "cash", "No. 1")
    ids, before = (event.id, other.id, bo.id, cy.id), rows_of(stage)
    stage.s.close()
    with engine.connect() as connection:
        command.downgrade(migrations.alembic_config(connection), "20270205_unread")
        mark = text("UPDATE player SET paid_at = :at, payments = :payments WHERE id = :id")
        again = json.dumps([{"at": clock().isoformat(), "amount": 7, "how": "cash", "reference": "No. 1"}])
        for id_, payments_ in ((ids[2], again), (ids[3], None)):
            connection.execute(mark, {"at": clock().isoformat(" "), "payments": payments_, "id": id_})
        connection.commit()
    engine.dispose()
    migrations.upgrade(engine)
    assert rows_of(stage) == [
        *before, (ids[2], clock(), 7, "cash", "No. 1 (2)"), (ids[3], clock(), None, "", None),
    ]  # fmt: skip
    assert [stage.s.get_one(Event, id_).journal_from is None for id_ in ids[:2]] == [True, False]
    stage.s.close()


def rows_of(stage: Stage) -> list[tuple[object, ...]]:
    return [(row.player_id, row.at, row.amount, row.how, row.reference) for row in stage.all(Payment)]
