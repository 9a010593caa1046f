"""Leaving before round 1 and signing up again, by the player; and what a player on the waiting list reads."""

import pytest

from events.accounts.limits import Client
from events.registration import leaving
from events.registration.payments import mark_paid
from events.registration.sign_ups import SignUp
from models.play import Player, PlayerState
from tests.kit.formats import drop
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, team_event
from tests.registration.test_places import change

ME = "/e/iron-open/me"
BACK = f"{ME}/come-back"
QUESTION = {"id": "q1", "label": "Lunch", "kind": "text", "choices": [], "required": False}


def state(stage: Stage, name: str) -> PlayerState:
    return stage.one(Player, name=name).state


def lede(person: Person) -> str:
    return person.open(ME).part("[data-poll-part=now] .lede")


def test_player_who_left_before_round_1_signs_up_again_with_what_they_had(enter: Enter, stage: Stage) -> None:
    event = stage.event(fee="15 €", questions=(QUESTION,))
    ada, _ = enter(event, "Ada", "Bo", here=False)
    row = stage.one(Player, name="Ada")
    stage.set(event, row, answers={"q1": "Soup"}, club="Dustbowl")
    stage.do(event, mark_paid, [row])
    page = ada.press("Withdraw", at=ME)
    assert page.flashes == "You have left the event."
    assert lede(ada) == "You can sign up again: your list and your answers are kept."
    assert "results stay" not in ada.page.text
    assert ada.press("Sign up again").part("h1") == "You are registered"
    assert (row.state, len(row.payments), row.answers, row.club) == (
        "registered",
        1,
        {"q1": "Soup"},
        "Dustbowl",
    )
    assert row.dropped_after is None


def test_signing_up_again_waits_as_a_newcomer_does(enter: Enter, stage: Stage) -> None:
    event = stage.event(places=2)
    ada, _, cy, di = enter(event, "Ada", "Bo", "Cy", "Di", here=False)
    ada.press("Withdraw", at=ME)
    assert (state(stage, "Cy"), lede(ada)) == (
        "registered", "All places are taken now. Your list and your answers are kept.",
    )  # fmt: skip
    stage.clock.advance(minutes=1)
    ada.press("Join the waiting list")
    assert lede(ada).startswith("You are number 2 on the waiting list.")
    assert lede(di).startswith("You are number 1 on the waiting list.")
    cy.press("Withdraw", at=ME)
    assert [state(stage, name) for name in ("Ada", "Di")] == ["waiting", "registered"]


@pytest.mark.parametrize("why", ["begun", "closed", "no place", "staff", "after round 1", "another's", "disqualified"])
def test_signing_up_again_is_refused(enter: Enter, olga: Person, stage: Stage, why: str) -> None:
    event = stage.event(places=6)
    ada, bo, *_ = enter(event, "Ada", "Bo", "Cy", "Di", "Ed", "Flo")
    if why == "after round 1":
        stage.play(event, 1)
    if why == "disqualified":
        olga.press("Give", at="/e/iron-open/desk/rulings", player="Ada", card="red", follows="disqualified",
                   reason="Cheated")  # fmt: skip
        assert state(stage, "Ada") == "dropped"
    else:
        drop(stage, event, "Ada")
    if why == "begun":
        stage.publish(event, 1)
    elif why == "closed":
        stage.set(event, registration_closes=stage.clock())
    elif why == "no place":
        change(stage, event, waiting_list=False)
        stage.enter(event, "Gil")
    person = {"staff": olga, "another's": bo}.get(why, ada)
    assert "Sign up again" not in person.open(ME).text
    with stage.unchanged():
        answer = person.post(BACK)
        assert answer.status_code == (422 if why == "no place" else 403)


@pytest.mark.parametrize("sign_up", [None, SignUp(Client("here"))])
def test_coming_back_to_a_full_team_is_without_a_team(stage: Stage, sign_up: SignUp | None) -> None:
    event = team_event(stage, 2)
    enter_teams(stage, event, "Reds", "Blues")
    row = stage.all(Player)[0]
    team = row.team_id
    stage.do(event, leaving.drop, row)
    new = stage.enter(event, "Newcomer")[0]
    stage.set(event, new, team_id=team, board=1)
    stage.do(event, leaving.reinstate, row, sign_up)
    assert (row.state, row.team_id, row.board) == ("registered", None, None)


def test_player_on_the_waiting_list_is_not_asked_to_pay(visitor: Person, enter: Enter, stage: Stage) -> None:
    event = stage.event(places=1, fee="15 €", pay_link="https://pay.example/iron")
    ada, _ = enter(event, "Ada", "Bo", here=False)
    visitor.open("/e/iron-open/register")
    assert "You pay nothing before you have a place." in visitor.page.text
    visitor.press("Register", name="Cy")
    for address in (f"{ME}/link", ME, "/e/iron-open"):
        assert "Pay the fee" not in visitor.open(address).text, address
    place = "You are number 2 on the waiting list. You pay nothing before you have a place."
    for address in (f"{ME}/link", ME):
        page = visitor.open(address).text
        assert place in page and "Saturday 5 December 2026" in page and "Town Hall" in page, address
    for address in (f"{ME}/link", ME, "/e/iron-open"):
        assert "Pay the fee" in ada.open(address).text, address
