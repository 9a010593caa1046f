"""Payments by the interface: recorded once, given back, read with a token that may, and nothing else with it."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from events.store.ledger import payments_of
from events.visitors.queries import link_token
from models.journal import JournalEntry
from models.play import Player
from models.staff import Role
from tests.api.programs import ROOT, Program, made_token
from tests.browser.every_template import served
from tests.kit.person import Person
from tests.kit.stage import Event, Stage


@pytest.fixture
def paying(stage: Stage, olga: Person) -> Event:
    event = stage.event(players=("Ada", "Bo"))
    stage.set(event, fee="12 EUR", fee_amount=1200, fee_currency="EUR")
    return event


@pytest.fixture
def treasurer(app: Flask, stage: Stage, paying: Event) -> Program:
    program = Program(app, made_token(stage, paying, Role.TREASURER, name="Provider"))
    program.get(ROOT)  # its first use is noted
    return program


def test_same_reference_counts_once_also_without_a_key(stage: Stage, paying: Event, treasurer: Program) -> None:
    for _ in range(3):
        answer = treasurer.post(f"{ROOT}/players/1/payment", amount=1200, currency="EUR", reference="pi_1")
        assert answer.status_code == 200, answer.text
    payment = answer.get_json()["payment"]
    assert (payment["amount"], payment["paid"], payment["due_back"]) == (1200, True, 0)
    assert [(entry["how"], entry["reference"]) for entry in payment["payments"]] == [("online", "pi_1")]
    assert stage.journal(paying, "paid") == ["Ada has paid"]
    assert stage.all(JournalEntry, verb="paid")[0].actor == "treasurer token Provider"
    treasurer.post(f"{ROOT}/players/1/given-back", amount=500)
    assert treasurer.post(f"{ROOT}/players/1/payment", amount=1200, reference="pi_1").status_code == 200
    entries = [payment.amount for payment in payments_of(stage.one(Player, id=1))]
    assert entries == [1200, -500], "a provider that repeats itself undoes nothing"
    other = treasurer.post(f"{ROOT}/players/2/payment", amount=1200, reference="pi_1")
    assert (other.status_code, other.get_json()["errors"][0]["field"]) == (409, "reference")
    assert "a payment of Ada" in other.text


def test_payments_are_added_up_and_a_token_of_check_in_marks_what_is_still_due(
    app: Flask, stage: Stage, paying: Event, treasurer: Program
) -> None:
    part = treasurer.post(f"{ROOT}/players/2/payment", amount=500, currency="eur", how="voucher").get_json()["payment"]
    assert (part["amount"], part["paid"], part["payments"][0]["how"]) == (500, False, "voucher")
    door = Program(app, made_token(stage, paying, Role.CHECK_IN))
    assert door.post(f"{ROOT}/players/2/payment", amount=5, reference="x").status_code == 403
    assert door.post(f"{ROOT}/players/2/payment").get_json()["payment"] is None
    assert door.post(f"{ROOT}/players/2/given-back").status_code == 403
    assert [payment.amount for payment in payments_of(stage.one(Player, id=2))] == [500, 700]


@pytest.mark.parametrize(
    ("sent", "field"),
    [({}, "amount"), ({"amount": 0}, "amount"), ({"amount": -1}, "amount"), ({"amount": 2_000_000_000}, "amount"),
     ({"amount": 10**30}, "amount"), ({"amount": "12"}, "amount"), ({"amount": 1.5}, "amount"),
     ({"currency": "USD"}, "currency"), ({"how": ""}, "how"), ({"how": "x" * 41}, "how"),
     ({"reference": "x" * 121}, "reference"), ({"paid": True}, "paid")],
)  # fmt: skip
def test_wrong_payment_is_refused_at_its_field(
    stage: Stage, paying: Event, treasurer: Program, sent: dict[str, Any], field: str
) -> None:
    with stage.unchanged():
        answer = treasurer.post(f"{ROOT}/players/1/payment", **sent)
    assert answer.status_code in (409, 422)
    assert [error["field"] for error in answer.get_json()["errors"]] == [field]


def test_nothing_that_was_not_paid_is_given_back(stage: Stage, paying: Event, treasurer: Program) -> None:
    with stage.unchanged():
        assert treasurer.post(f"{ROOT}/players/1/given-back").status_code == 409
    treasurer.post(f"{ROOT}/players/1/payment", amount=500)
    answer = treasurer.post(f"{ROOT}/players/1/given-back", amount=501)
    assert [error["field"] for error in answer.get_json()["errors"]] == ["amount"]
    treasurer.post(f"{ROOT}/players/1/payment", amount=1200)
    payment = treasurer.post(f"{ROOT}/players/1/given-back").get_json()["payment"]
    assert (payment["amount"], payment["paid"]) == (1200, True), "what was too much"
    assert treasurer.post(f"{ROOT}/players/1/given-back").status_code == 409
    payment = treasurer.post(f"{ROOT}/players/1/given-back", amount=500).get_json()["payment"]
    assert (payment["amount"], payment["paid"]) == (700, False)
    assert len(stage.journal(paying, "give-back")) == 2


@pytest.mark.proves("ASVS 8.2.1", "ASVS 8.3.1")
def test_payments_are_read_by_those_who_may_mark_them(app: Flask, stage: Stage, paying: Event) -> None:
    (ada, _) = stage.all(Player)
    answers = {role: Program(app, made_token(stage, paying, role)).get(f"{ROOT}/payments") for role in Role}
    may = {role for role, answer in answers.items() if answer.status_code == 200}
    assert may == {Role.OWNER, Role.ORGANISER, Role.TREASURER}
    assert {answer.status_code for answer in answers.values()} == {200, 403}
    entries = answers[Role.TREASURER].get_json()["items"]
    assert [(row["name"], row["due"], row["amount"]) for row in entries] == [("Ada", 1200, 0), ("Bo", 1200, 0)]
    assert "Access-Control-Allow-Origin" not in answers[Role.TREASURER].headers, "no page of another site"
    assert "no-store" in answers[Role.TREASURER].headers["Cache-Control"]
    assert Program(app, link_token(app.secret_key, ada)).get(f"{ROOT}/payments").status_code == 403
    assert Program(app, "").get(f"{ROOT}/payments").status_code == 401
    other = stage.event("Rust Cup")
    elsewhere = Program(app, made_token(stage, other, Role.TREASURER))
    assert elsewhere.get(f"{ROOT}/payments").status_code == 403
    assert elsewhere.post(f"{ROOT}/players/1/payment").status_code == 403


@pytest.mark.proves("ASVS 8.2.1")
def test_token_of_a_treasurer_changes_nothing_else_in_the_interface(
    app: Flask, stage: Stage, paying: Event, treasurer: Program
) -> None:
    allowed = {"/api/v1/events/<slug>/players/<int:player_id>/payment",
               "/api/v1/events/<slug>/players/<int:player_id>/given-back"}  # fmt: skip
    stage.publish(paying, 1)
    bodies: dict[str, dict[str, Any]] = {"players": {"name": "Cy"}, "list": {"force": "x"}, "confirm": {"version": 0}}
    writes = [rule.rule for rule in app.url_map.iter_rules()
              if rule.rule.startswith("/api/v1/events/<slug>") and "POST" in (rule.methods or ())]  # fmt: skip
    assert len(writes) > 8
    for rule in writes:
        address = rule.replace("<slug>", "iron-open").replace("<int:number>", "1")
        address = address.replace("<int:player_id>", "1").replace("<int:game_id>", "1")
        with stage.unchanged():
            answer = treasurer.post(address, **bodies.get(rule.rpartition("/")[2], {})) if rule not in allowed else None
        assert answer is None or answer.status_code == 403, rule
    desk = treasurer.http.get("/e/iron-open/desk/money", headers=treasurer.headers)
    assert desk.status_code == 403, "a token opens no page"


def test_example_of_the_page_connects_a_provider(app: Flask, stage: Stage, paying: Event, visitor: Person) -> None:
    (code,) = (block.text for block in visitor.open("/api/v1").soup.select("#payments pre"))
    assert len(code.splitlines()) == 10
    call = "\nprint(paid(2, amount=1200, currency='EUR', reference='pi_9')['paid'])"
    with served(app) as address:
        given = {"ADDRESS": f"{address}/api/v1/events/iron-open", "TOKEN": made_token(stage, paying, Role.TREASURER)}
        done = subprocess.run([sys.executable, "-c", code + call], env=os.environ | given, capture_output=True,
                              text=True, timeout=120)  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr
    stage.s.expire_all()
    assert payments_of(stage.one(Player, id=2))[0].reference == "pi_9"


def test_place_to_pay_is_told_whose_fee_it_is(
    stage: Stage, paying: Event, visitor: Person, link_of: Callable[[Player], str]
) -> None:
    stage.set(paying, pay_link="https://pay.example/cup?ref={player}")
    address = "main a[href^='https://pay.example']"
    assert not visitor.open("/e/iron-open").soup.select(address), "not without whose fee it is"
    visitor.open(link_of(stage.all(Player)[1]))
    assert visitor.open("/e/iron-open/me").soup.select(address)[0]["href"] == "https://pay.example/cup?ref=2"
