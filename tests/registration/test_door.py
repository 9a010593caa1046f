"""Check-in: by a few letters, by the players themselves, by a badge, several at once; entry fees; undoing either."""

from datetime import timedelta

import pytest
from flask import Flask

from events.play.errors import Refused
from events.registration import actions as registration_actions
from events.registration import check_in
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState
from models.staff import Role
from tests.conftest import PUBLIC
from tests.kit.lists import Enter
from tests.kit.papers import codes
from tests.kit.people import let_in
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

pytestmark = pytest.mark.fast

SLUG = "/e/iron-open"
DOOR = f"{SLUG}/desk/door"


@pytest.fixture
def desk(olga: Person, event: Event) -> Person:
    """The organiser at the check-in queue."""
    olga.open(DOOR)
    return olga


def enter(desk: Person, letters: str) -> Page:
    return desk.press("Check in", inside="form.door", q=letters)


def states(stage: Stage) -> dict[str, str]:
    return {one.name: one.state.value for one in stage.all(Player)}


def test_two_letters_or_initials_check_the_only_match_in(desk: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna Bauer", "Anouk Rossi", "Søren Weiß", here=False)
    page = enter(desk, "so")
    assert page.path == DOOR
    assert "Checked in Søren Weiß" in page.part(".done-bar")
    assert "1 here, 2 expected" in page.part(".lede")
    (field,) = page.soup.select("#door-q")
    assert field.has_attr("autofocus") and not field["value"], "ready for the next in the queue"
    page = enter(desk, "ar")
    assert "Checked in Anouk Rossi" in page.part(".done-bar"), "by initials"
    assert desk.press("Undo", inside=".done-bar").path == DOOR
    assert states(stage) == {"Anna Bauer": "registered", "Anouk Rossi": "registered", "Søren Weiß": "checked_in"}


def test_several_matches_are_listed_and_none_is_guessed(desk: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna Bauer", "Anouk Rossi", "Bo", here=False)
    page = enter(desk, "an")
    assert set(states(stage).values()) == {"registered"}
    assert page.soup.select("#door-q")[0]["value"] == "an"
    listed = page.part("#matches")
    assert [name in listed for name in ("Anna Bauer", "Anouk Rossi", "Bo")] == [True, True, False]
    assert desk.press("Check in : Anouk Rossi", inside="#matches").path == DOOR
    assert states(stage)["Anouk Rossi"] == "checked_in"
    enter(desk, "an")
    assert states(stage)["Anna Bauer"] == "checked_in", "the only one still expected"
    assert enter(desk, "an").part("#matches").count("Is here") == 2


def test_text_without_a_match_checks_nobody_in(desk: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Bo", here=False)
    assert "No player of this event matches <b>zed" in enter(desk, "<b>zed").part("#matches")
    assert enter(desk, "   ").part("#matches") == ""
    for typed in ("a" * 5000, "\u202e", "%00", "'; DROP TABLE player; --", "{{7*7}}", "\ud7ff"):
        assert enter(desk, typed).status == 200, typed
    assert states(stage) == {"Bo": "registered"}


def test_unpaid_player_is_let_in_and_asked_for_the_fee(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/settings")
    page = olga.press("Save", fee="x" * 61)
    assert (page.status, page.value("fee"), stage.now(event).fee) == (422, "x" * 61, "")
    assert "At most 60 characters." in page.error_at("fee")
    assert olga.press("Save", fee="15 €").value("fee") == "15 €"
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    olga.open(DOOR)
    page = enter(olga, "ad")
    assert stage.now(ada).state == PlayerState.CHECKED_IN
    assert "Ada has not paid: 15 €" in page.part(".owing")
    page = olga.press("Paid", inside=".owing")
    assert stage.now(ada).paid_at == stage.clock()
    assert "Ada has paid" in page.part(".done-bar")
    stage.do(event, check_in.mark_one_paid, bo)
    assert not enter(olga, "bo").soup.select(".owing")


@pytest.fixture
def paying(stage: Stage) -> Event:
    """An event of three places with an entry fee."""
    event = stage.event(places=3)
    with stage.changing(event):
        event.fee = "15 €"
    return event


def undo(stage: Stage, event: Event) -> None:
    entry = check_in.newest_undoable(stage.s, event)
    assert entry is not None
    stage.do(event, check_in.undo_entry, entry)


def states_of(stage: Stage, *players: Player) -> list[str]:
    return [stage.now(one).state.value for one in players]


@pytest.mark.both_at_length
def test_players_are_checked_in_and_undone_together_but_for_refused_ones(stage: Stage, paying: Event) -> None:
    (dee,) = stage.enter(paying, "Dee")
    ada, bo, cy = stage.enter(paying, "Ada", "Bo", "Cy", here=False)
    done, refused = stage.do(paying, check_in.check_in_many, [ada, bo, cy, dee])
    assert (done, refused) == ([ada, bo], ["Cy holds no place: give them one first."])
    assert states_of(stage, ada, bo, cy, dee) == ["checked_in", "checked_in", "waiting", "checked_in"]
    assert stage.journal(paying, "check-in")[-1] == "Checked in 2 players: Ada, Bo"
    undo(stage, paying)
    assert states_of(stage, ada, bo, cy, dee) == ["registered", "registered", "waiting", "checked_in"]


def test_late_check_in_plays_from_the_next_round_and_stays(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    late = stage.enter(event, "Cy", "Dee", here=False)
    stage.publish(event, 1)
    stage.do(event, check_in.check_in_many, late)
    assert [stage.now(one).entered_round for one in late] == [2, 2]
    assert stage.journal(event, "check-in")[-1] == "Checked in 2 players: Cy, Dee; they play from round 2"
    with pytest.raises(Refused, match="Round 1 is drawn"):
        undo(stage, event)


@pytest.mark.both_at_length
def test_payment_is_marked_once_and_undone_and_redone(stage: Stage, paying: Event) -> None:
    ada, bo = stage.enter(paying, "Ada", "Bo", here=False)
    for _ in range(2):
        stage.do(paying, check_in.mark_paid, [ada, bo])
    assert stage.now(ada).paid_at == stage.clock()
    assert stage.journal(paying, "paid") == ["2 players have paid: Ada, Bo"]
    undo(stage, paying)
    assert [stage.now(one).paid_at for one in (ada, bo)] == [None, None]
    assert stage.journal(paying, "unpaid") == ["2 players have not paid after all: Ada, Bo"]
    undo(stage, paying)
    assert stage.now(ada).paid_at == stage.clock(), "undoing the undo marks again"


def test_payment_needs_a_fee_and_a_player_who_has_not_left(stage: Stage, paying: Event) -> None:
    ada, _, _, dee = stage.enter(paying, "Ada", "Bo", "Cy", "Dee", here=False)
    stage.do(paying, check_in.check_in_paid, ada)
    with pytest.raises(Refused, match="holds no place"):
        stage.do(paying, check_in.check_in_paid, dee)
    assert (stage.now(dee).paid_at, stage.now(ada).state) == (None, PlayerState.CHECKED_IN)
    with stage.changing(paying):
        paying.fee = ""
    with pytest.raises(Refused, match="has no entry fee"):
        stage.do(paying, check_in.mark_paid, [dee])
    assert stage.now(ada).paid_at == stage.clock(), "removing the fee keeps the marks"
    stage.do(paying, registration_actions.drop, ada)
    with stage.changing(paying):
        paying.fee = "15 €"
    with pytest.raises(Refused, match="has left"):
        stage.do(paying, check_in.mark_paid, [ada])


def test_only_check_ins_and_payments_of_this_event_can_be_undone(stage: Stage, paying: Event) -> None:
    (ada,) = stage.enter(paying, "Ada", here=False)
    stage.do(paying, check_in.check_in_many, [ada])
    entry = check_in.newest_undoable(stage.s, paying)
    assert entry is not None
    assert check_in.undoable_entry(stage.s, paying, entry.id) is entry
    assert check_in.undoable_entry(stage.s, stage.event("Rust Cup"), entry.id) is None
    registered = stage.all(JournalEntry, event_id=paying.id, verb="register")[0]
    assert check_in.undoable_entry(stage.s, paying, registered.id) is None


def buttons(page_of: Person, address: str) -> list[str]:
    return [one.get_text(" ", strip=True) for one in page_of.open(address).soup.select("main button")]


def test_player_says_i_am_here_in_the_window(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo", here=False)
    assert "I am here" not in buttons(ada, f"{SLUG}/me"), "staff check in, unless the organiser opens it"
    page = olga.open(f"{SLUG}/desk/self-check-in")
    assert olga.press("Save", ends="2026-11-21T12:00").error_at("ends") == "The end must come after the start."
    assert olga.press("Save", starts="2026-11-21T11:00", ends="2026-11-21T12:00").path == f"{SLUG}/desk/door"
    assert stage.journal(event, "check-in-window") == ["Players may check themselves in"]
    page = olga.open(f"{SLUG}/desk/self-check-in")
    assert (page.value("starts"), page.value("ends")) == ("2026-11-21T11:00", "2026-11-21T12:00")
    assert "I am here" not in buttons(ada, f"{SLUG}/me"), "too early"
    stage.clock.now = stage.now(event).check_in_from or stage.clock.now
    for address in ("/me", ""):
        assert "I am here" in buttons(ada, SLUG + address), "on the own page, and on the event's page by the poster"
    assert "I am here" not in buttons(Person(olga.http.application), SLUG)
    old = bo.open(f"{SLUG}/me")
    ada.open(f"{SLUG}/me")
    assert ada.press("I am here").flashes == "You are checked in."
    assert stage.one(Player, name="Ada").state == PlayerState.CHECKED_IN
    assert "I am here" not in buttons(ada, f"{SLUG}/me")
    assert stage.journal(event, "check-in") == ["Checked in Ada"]
    stage.clock.now += timedelta(hours=2)
    bo.page = old
    assert "Tell the desk" in bo.press("I am here").flashes
    assert stage.one(Player, name="Bo").state == PlayerState.REGISTERED


def test_scanned_badge_checks_in_for_staff_and_shows_others_the_public_page(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo", here=False)
    (code, _) = codes(olga.open(f"{SLUG}/desk/badges.pdf?code=desk"))
    address = code.removeprefix(PUBLIC)
    assert address == f"{SLUG}/badge/{stage.one(Player, name='Ada').id}", "no private link, nothing secret"
    assert Person(app).open(address).path == f"{SLUG}/players/1"
    assert bo.open(address).path == f"{SLUG}/players/1"
    assert ada.open(address).path == f"{SLUG}/me"
    judge = let_in(app, stage.hire(event, "Judy", Role.JUDGE))
    assert judge.open(address).path == f"{SLUG}/players/1"
    door = let_in(app, stage.hire(event, "Hal", Role.CHECK_IN))
    assert "Ada" in door.open(address).part("h1")
    page = door.press("Check in : Ada")
    assert (page.path, stage.one(Player, name="Ada").state) == (f"{SLUG}/desk/door", PlayerState.CHECKED_IN)
