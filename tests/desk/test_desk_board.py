"""The desk's board: every group with its number, its names, and the press that cures each."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import Engine

from events.lists import actions as lists_actions
from events.registration import check_in
from events.registration.readiness import KINDS
from models.event import Event
from models.journal import JournalEntry
from models.message import Delivery
from models.play import Game, GameState, Player, PlayerState
from models.staff import Role
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Page, Person
from tests.kit.stage import BY, PASSWORD, Stage
from tests.kit.statements import sent

DESK = "/e/iron-open/desk"


def counts(page: Page) -> dict[str, str]:
    """Every group of the board with what its summary says."""
    return {
        str(one["id"]).removeprefix("group-"): " ".join(one.select("summary")[0].get_text(" ").split())
        for one in page.soup.select(".board details")
    }


@pytest.fixture
def paying(stage: Stage, event: Event) -> Event:
    """An event whose places cost something."""
    with stage.changing(event) as s:
        check_in.set_fee(s, event, "15 €", BY, stage.clock())
    return event


def test_the_day_before(olga: Person, stage: Stage, paying: Event) -> None:
    ada, *_ = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    stage.force(paying, ada, read_force(PIPER))
    with stage.changing(paying) as s:
        check_in.mark_one_paid(s, paying, ada, BY, stage.clock())
    assert counts(olga.open(DESK)) == {
        "not_here": "3 not checked in",
        "unpaid": "2 have not paid",
        "no_list": "2 without a submitted list",
        "to_approve": "1 list waits for approval",
    }


def test_each_name_is_one_press_from_its_cure(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    olga.open(DESK)
    page = olga.press("Paid : Ada", inside="#group-unpaid")
    assert stage.now(ada).paid_at == stage.clock()
    assert page.path == DESK
    assert "Ada has paid" in page.part(".done-bar")
    assert page.soup.select("#group-unpaid[open]"), "the group that one works on stays open"
    page = olga.press("Undo", inside=".done-bar")
    assert stage.now(ada).paid_at is None
    assert "Taken back." in page.flashes
    olga.press("Paid, check in : Bo", inside="#group-not_here")
    assert (stage.now(bo).state, stage.now(bo).paid_at) == (PlayerState.CHECKED_IN, stage.clock())
    olga.press("Check in : Ada", inside="#group-not_here")
    assert stage.now(ada).state == PlayerState.CHECKED_IN
    assert "not_here" not in counts(olga.page)
    assert [a["href"] for a in olga.page.soup.select("#group-no_list li .button")] == [
        f"{DESK}/lists/{ada.id}", f"{DESK}/lists/{bo.id}"
    ]  # fmt: skip


def test_a_no_show_is_dropped_from_the_board(olga: Person, stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo", here=False)
    olga.open(DESK)
    page = olga.press("Drop : Ada", inside="#group-not_here")
    assert page.path == DESK
    assert stage.now(ada).state == PlayerState.DROPPED
    assert counts(page)["not_here"] == "1 not checked in"


def test_who_is_ticked_is_checked_in_together(olga: Person, stage: Stage, paying: Event) -> None:
    ada, bo, cy = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    olga.open(f"{DESK}/ready/not_here")
    page = olga.press("Check in the ticked", chosen=[str(ada.id), str(cy.id)])
    assert page.path == f"{DESK}/ready/not_here"
    assert [stage.now(one).state.value for one in (ada, bo, cy)] == ["checked_in", "registered", "checked_in"]
    assert "Checked in 2 players: Ada, Cy" in page.part(".done-bar")
    olga.press("Undo", inside=".done-bar")
    assert [stage.now(one).state.value for one in (ada, bo, cy)] == ["registered"] * 3
    page = olga.press("Check in the ticked")
    assert "Nobody was ticked" in page.flashes
    olga.open(f"{DESK}/ready/unpaid")
    olga.press("Mark the ticked as paid", chosen=[str(bo.id), str(cy.id)])
    assert [stage.now(one).paid_at is None for one in (ada, bo, cy)] == [True, False, False]


def test_ids_that_are_nobody_s_are_passed_over(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", here=False)
    (stranger,) = stage.enter(stage.event("Rust Cup"), "Cy", here=False)
    olga.open(f"{DESK}/ready/not_here")
    olga.forge("Check in the ticked", chosen=[str(stranger.id), "99999999999", "-1", "x", "²", "2147483648"])
    assert stage.now(stranger).state == PlayerState.REGISTERED
    assert stage.journal(event, "check-in") == []


def test_mid_round(olga: Person, stage: Stage, event: Event) -> None:
    people = stage.enter(event, "Ada", "Bo", "Cy", "Dee", "Eli", "Fay")
    for person in people:
        stage.force(event, person, read_force(PIPER))
    first, second, _third = stage.publish(event, 1)
    with stage.changing(event):
        stage.now(first).state = GameState.DISPUTED
        game = stage.s.get_one(Game, second.id)
        game.state, game.answers = GameState.REPORTED, {"a.objectives": 1}
    page = olga.open(DESK)
    assert counts(page) == {
        "disputed": "1 result disputed",
        "reported": "1 result waits for confirmation",
        "playing": "1 table still playing",
    }
    assert page.soup.select("#group-disputed[open]")
    (decide,) = page.soup.select("#group-disputed li a.button")
    assert decide["href"] == f"{DESK}/games/{first.id}"
    assert "No-show" in page.part("#group-playing li")


def test_how_long_the_tables_play_over_the_clock(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    olga.open(DESK)
    olga.press("Start the clock")
    assert "1:30:00 left" in olga.open(DESK).part("#group-playing summary")
    stage.clock.advance(minutes=104)
    page = olga.open(DESK)
    assert "−14:00 over the clock" in page.part("#group-playing summary")
    (figure,) = page.soup.select("#group-playing summary time[data-ends]")
    assert "over" in figure["class"]


def test_after_the_event_only_what_is_owed_is_left(olga: Person, stage: Stage, paying: Event) -> None:
    stage.enter(paying, "Ada", "Bo")
    for number in (1, 2, 3):
        stage.play(paying, number)
    olga.open(DESK)
    olga.press("Close the event")
    assert counts(olga.open(DESK)) == {"unpaid": "2 have not paid"}


def test_a_draft_has_no_board(olga: Person, stage: Stage) -> None:
    event = stage.event("Draft Cup", draft=True)
    stage.enter(event, "Ada", here=False)
    assert counts(olga.open("/e/draft-cup/desk")) == {}


def test_a_reminder_goes_to_exactly_those_who_are_behind_when_it_is_sent(
    olga: Person, stage: Stage, paying: Event
) -> None:
    ada, bo, cy = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    with stage.changing(paying) as s:
        check_in.mark_one_paid(s, paying, ada, BY, stage.clock())
    page = olga.open(DESK)
    (remind,) = [a for a in page.soup.select("#group-unpaid a") if "Remind these 2" in a.get_text()]
    page = olga.open(str(remind["href"]))
    assert "It goes to 2 players: Bo , Cy" in page.part(".goes")
    assert "15 €" in page.part(".letter")
    with stage.changing(paying) as s:
        check_in.mark_one_paid(s, paying, bo, BY, stage.clock())
    olga.press("Send to 2 players")
    assert [one.player_id for one in stage.all(Delivery)] == [cy.id]


@pytest.mark.parametrize("group", ["not_here", "no_list", "illegal", "unpaid"])
def test_every_group_that_can_be_reminded_has_its_message(
    olga: Person, stage: Stage, paying: Event, group: str
) -> None:
    (ada,) = stage.enter(paying, "Ada", here=False)
    if group == "illegal":
        document = read_force(PIPER)
        with stage.changing(paying):
            paying.size = 1
        stage.force(paying, ada, document, submit=False)
    page = olga.open(DESK)
    (remind,) = [a for a in page.soup.select(f"#group-{group} a") if "Remind this one" in a.get_text()]
    page = olga.open(str(remind["href"]))
    assert "It goes to Ada ." in page.part(".goes"), page.text
    olga.press("Send to 1 player")
    assert len(stage.all(Delivery)) == 1


def test_the_mark_is_shown_to_staff_alone(
    olga: Person, visitor: Person, stage: Stage, paying: Event, link_of: Callable[[Player], str]
) -> None:
    ada, _ = stage.enter(paying, "Ada", "Bo", here=False)
    pages = ["/e/iron-open", f"/e/iron-open/players/{ada.id}", "/e/iron-open/lists"]
    visitor.open(link_of(ada))
    before = [visitor.open(page).part("main") for page in [*pages, "/e/iron-open/me"]]
    with stage.changing(paying) as s:
        check_in.mark_one_paid(s, paying, ada, BY, stage.clock())
    assert [visitor.open(page).part("main") for page in [*pages, "/e/iron-open/me"]] == before
    assert "15 €" in before[0], "what a place costs is no secret"
    assert "Paid" in olga.open(f"{DESK}/players/{ada.id}").part("#now")


def test_the_number_of_queries_does_not_grow_with_the_players(
    olga: Person, stage: Stage, paying: Event, engine: Engine
) -> None:
    for person in stage.enter(paying, "Ada", "Bo", "Cy", "Dee"):
        stage.force(paying, person, read_force(PIPER))
    stage.enter(paying, "Eve", here=False)
    stage.publish(paying, 1)
    addresses = (DESK, f"{DESK}/ready/unpaid", f"{DESK}/door?q=d", f"{DESK}/search?q=d", f"{DESK}/players")
    few = {}
    for address in addresses:
        with sent(engine) as seen:
            assert olga.open(address).status == 200
        few[address] = len(seen)
    for person in stage.enter(paying, *(f"Dan {chr(65 + at)}" for at in range(12))):
        with stage.changing(paying) as s:
            lists_actions.save_force(s, paying, person, read_force(PIPER), BY, stage.clock(), by_organiser=True)
    stage.enter(paying, *(f"Dot {chr(65 + at)}" for at in range(12)), here=False)
    for address in addresses:
        with sent(engine) as seen:
            assert olga.open(address).status == 200
        assert len(seen) <= few[address], f"{address}: {few[address]} queries before, {len(seen)} now"
    assert max(few.values()) <= 30


def test_the_group_of_nobody_says_so_and_of_nothing_is_no_page(olga: Person, event: Event) -> None:
    assert "This group is empty now." in olga.open(f"{DESK}/ready/unpaid").text
    assert olga.open(f"{DESK}/ready/nonsense").status == 404
    assert olga.open(f"{DESK}?open=nonsense&did=99999999999").status == 200


ROLES = {
    Role.ORGANISER: {"disputed", "playing", "not_here", "unpaid", "no_list", "waiting"},
    Role.JUDGE: {"disputed", "playing", "not_here", "no_list", "waiting"},
    Role.SCOREKEEPER: {"disputed", "playing", "not_here", "waiting"},
    Role.LIST_CHECKER: {"not_here", "no_list", "waiting"},
    Role.CHECK_IN: {"not_here", "unpaid", "waiting"},
}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_sees_the_groups_and_presses_that_are_its_own(
    app: Flask, stage: Stage, olga: Person, paying: Event, role: Role
) -> None:
    with stage.changing(paying):
        paying.places = 5
    stage.enter(paying, "Ada", "Bo", "Cy", "Dee")
    stage.enter(paying, "Eve", "Fay", here=False)
    first, _ = stage.publish(paying, 1)
    with stage.changing(paying):
        stage.now(first).state = GameState.DISPUTED
    stage.hire(paying, "Hal", role)
    hal = Person(app)
    hal.open("/sign-in")
    hal.press("Sign in", name="Hal", password=PASSWORD)
    page = hal.open(DESK)
    assert set(counts(page)) == ROLES[role]
    for found in page.soup.select("main a[href], main button[formaction]"):
        address = str(found.get("href") or "")
        assert hal.open(address).status == 200 if address.startswith("/") else True, address
    for key in KINDS:
        same = {"tied": "disputed", "reported": "disputed", "illegal": "no_list", "to_approve": "no_list"}
        asked = (same | {"approval": "waiting", "names": "waiting"}).get(key, key)
        seen = asked in ROLES[role] and not (key == "tied" and role == Role.SCOREKEEPER)
        assert hal.open(f"{DESK}/ready/{key}").status == (200 if seen else 403), key
    pays = role in (Role.ORGANISER, Role.CHECK_IN)
    found_eve = hal.open(f"{DESK}/search?q=eve")
    assert ("Not paid" in found_eve.part(".found-marks")) == pays
    assert ("No list" in found_eve.part(".found-marks")) == ("no_list" in ROLES[role])
    assert ("Paid" in hal.open(f"{DESK}/players").part("table thead")) == pays
    token = str(hal.open("/sign-in").value("csrf_token"))
    eve = stage.one(Player, name="Eve")
    wanted = {"chosen": str(eve.id), "csrf_token": token}
    assert hal.ask("POST", f"{DESK}/ready/paid", wanted).status_code == (302 if pays else 403)
    assert hal.ask("POST", f"{DESK}/ready/check-in", wanted).status_code == (302 if pays else 403)
    with stage.changing(paying) as s:
        check_in.mark_one_paid(s, paying, stage.one(Player, name="Ada"), BY, stage.clock())
    entry = stage.all(JournalEntry, verb="paid")[-1]
    assert ("has paid" in hal.open(f"{DESK}?did={entry.id}").part(".done-bar")) == pays
    undone = hal.ask("POST", f"{DESK}/presses/{entry.id}/undo", {"csrf_token": token})
    assert undone.status_code == (302 if pays else 403)


@pytest.mark.parametrize(
    ("role", "cures"),
    [
        (Role.JUDGE, ["Decide", "Enter the result", "No-show", *["Open the list"] * 4]),
        (Role.SCOREKEEPER, ["Look", "Enter the result"]),
        (Role.LIST_CHECKER, ["Open the list", "Unlock"] * 4),
    ],
)
def test_a_cure_is_shown_to_those_who_may_do_it(
    app: Flask, stage: Stage, event: Event, role: Role, cures: list[str]
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    first, _ = stage.publish(event, 1)
    with stage.changing(event):
        stage.now(first).state = GameState.DISPUTED
    stage.hire(event, "Hal", role)
    hal = Person(app)
    hal.open("/sign-in")
    hal.press("Sign in", name="Hal", password=PASSWORD)
    page = hal.open(DESK)
    assert [str(one.contents[0]) for one in page.soup.select(".ready-cures .button")] == cures
