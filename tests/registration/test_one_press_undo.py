"""Who undoes one press: the right that the step asked for, and at the door only one's own."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.registration import check_in, payments
from events.store.act import Act
from events.store.ledger import kept, payments_of
from events.store.visitor import TABLE, Right
from events.visitors.staff_routes import STAFF_QUESTIONS, question_of
from models.journal import JournalEntry
from models.play import Player, PlayerState
from models.staff import Role
from tests.accounts.test_route_matrix import ROLES
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import Event, Stage

DESK = "/e/iron-open/desk"
Step = Callable[[Act, Player], object]


@pytest.fixture
def paying(stage: Stage, olga: Person) -> Event:
    event = stage.event()
    stage.set(event, fee="12 EUR", fee_amount=1200, fee_currency="EUR")
    return event


@pytest.fixture
def staffed(app: Flask, stage: Stage, paying: Event) -> dict[str, Person]:
    return {letter: let_in(app, stage.hire(paying, f"The {role.value}", role)) for letter, role in ROLES.items()}


def book(act: Act, player: Player) -> None:
    payments.record_payment(act, player, 1500, "transfer")


def mark(act: Act, player: Player) -> None:
    payments.mark_paid(act, [player])


STEPS: dict[str, tuple[str, list[Step]]] = {
    "check-in": ("OGC", [lambda act, player: check_in.check_in_many(act, [player])]),
    "check-in, paid": ("OG", [check_in.check_in_paid]),
    "marked as paid": ("OGT", [mark]),
    "booked": ("OGT", [book]),
    "removed": ("OGT", [book, lambda act, player: payments.remove_payment(act, player, payments_of(player)[0].id)]),
    "given back": ("OGT", [book, lambda act, player: payments.give_back(act, [player])]),
}
"""Steps of others: the roles that may undo the last one, and the actions."""


@pytest.mark.proves("attack 100")
def test_each_role_undoes_only_steps_whose_right_it_has(
    staffed: dict[str, Person], stage: Stage, paying: Event
) -> None:
    wrong, seen = [], set[str]()
    for name, (allowed, done) in STEPS.items():
        for letter, person in staffed.items():
            (player,) = stage.enter(paying, f"{name} {letter}", here=False)
            for action in done:
                stage.do(paying, action, player)
            newest = stage.all(JournalEntry, event_id=paying.id)[-1]
            entries = [row for row in stage.all(JournalEntry, change_set_id=newest.change_set_id)
                       if row.verb in check_in.PRESSES]  # fmt: skip
            seen |= {entry.verb for entry in entries}
            for entry in reversed(entries):
                before = stage.digest()
                status = person.post(f"{DESK}/presses/{entry.id}/undo").status_code
                if (status == 302, stage.digest() != before) != (letter in allowed,) * 2:
                    wrong.append((name, entry.verb, letter, status))
                if status == 302:
                    break
    assert wrong == []
    assert seen == set(check_in.PRESSES), "every verb that one press undoes"


def test_helper_undoes_only_the_own_presses_at_the_door(
    app: Flask, staffed: dict[str, Person], stage: Stage, paying: Event
) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    stage.do(paying, payments.record_payment, bo, 500, "transfer")
    helper, other = staffed["C"], let_in(app, stage.hire(paying, "Another", Role.CHECK_IN))
    for player in (ada, bo):
        helper.press(f"Paid, check in : {player.name}", at=f"{DESK}/door")
        entry = stage.all(JournalEntry, event_id=paying.id, verb="check-in")[-1]
        assert "Undo" not in other.open(f"{DESK}/door?did={entry.id}").part("main")
        assert other.post(f"{DESK}/presses/{entry.id}/undo").status_code == 403
        assert stage.now(player).state == PlayerState.CHECKED_IN
        helper.press("Undo", inside=".done-bar")
        assert stage.now(player).state == PlayerState.REGISTERED
    assert (kept(stage.now(ada)), kept(stage.now(bo))) == (0, 500)
    helper.press("Mark as paid : Bo", at=f"{DESK}/ready/unpaid")
    entry = stage.all(JournalEntry, event_id=paying.id, verb="paid")[-1]
    with helper.http.session_transaction() as session, other.http.session_transaction() as others:
        others["pressed"] = session["pressed"]  # the same browser, after another helper has signed in
    assert other.post(f"{DESK}/presses/{entry.id}/undo").status_code == 403
    helper.press("Undo", inside=".done-bar")
    assert kept(stage.now(bo)) == 500


def test_undo_that_undoes_nothing_is_refused(staffed: dict[str, Person], stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada", here=False)
    helper = staffed["C"]

    def undo(verb: str) -> str:
        entry = stage.all(JournalEntry, event_id=paying.id, verb=verb)[-1]
        helper.post(f"{DESK}/presses/{entry.id}/undo")
        return helper.open(f"{DESK}/door").text

    helper.press("Mark as paid : Ada", at=f"{DESK}/ready/unpaid")
    stage.do(paying, payments.give_back, [ada], 400)
    assert "More was given back" in undo("paid") and kept(stage.now(ada)) == 800
    helper.press("Check in : Ada", at=f"{DESK}/door")
    assert ["Undone." in undo("check-in") for _ in range(2)] == [True, False], "once"
    assert "Its rows were changed again since" in undo("check-in")


def test_roles_that_undo_the_last_step_have_every_right_that_a_step_asks_for() -> None:
    of_owners = {Right.MANAGE_STAFF, Right.ARCHIVE, Right.GO_BACK}
    assert all(TABLE[right] >= TABLE[Right.UNDO] for right in Right if right not in of_owners)


TAKEN_BACK = {
    "draft.undo_draft_change": "draft.swap draft.set_game draft.lock draft.leaders_first",
    "published.unpublish": "rounds.publish",
    "rounds.discard": "rounds.draw_round",
    "field.remove_kept_apart": "field.kept_apart_page",
    "results_desk.open_again": "results_desk.decide",
    "ruling.withdraw_ruling": "ruling.manage_rulings",
    "ruling.take_back_of_team": "ruling.manage_rulings",
    "steps.desk_change_steps": "steps.desk_steps",
    "closed.open_steps_again": "steps.desk_steps",
    "event_life.take_place": "event_life.cancel",
    "setup.reopen": "setup.finish",
    "clock.end_announcement": "clock.make_announcement",
    "lists.list_for_player": "lists.list_for_player",
}
"""What else takes something back, by its endpoint, and the endpoints of what it takes back."""


def roles_of(endpoint: str, verb: str = "") -> frozenset[Role]:
    question = question_of(endpoint, {"verb": verb}, "POST")
    return TABLE[next(right for right in Right if STAFF_QUESTIONS[f"may_{right}"] is question)]


def test_nothing_is_taken_back_with_less_than_its_step_asked_for() -> None:
    pairs = [(back, step) for back, steps in TAKEN_BACK.items() for step in steps.split()]
    assert [pair for pair in pairs if not roles_of(pair[0]) <= roles_of(pair[1])] == []
    verbs = [("undo-check-in", "check-in"), ("reinstate", "drop"), ("no-stand-in", "stand-in")]
    assert all(
        roles_of("players.act_on_player", back) <= roles_of("players.act_on_player", verb) for back, verb in verbs
    )
