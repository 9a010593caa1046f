"""The list desk: states, approving and sending back, one player unlocked, the stored lock, the missing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, text
from sqlmodel import select

from events.lists.queries import list_points
from events.play import queries as play_queries
from models.event import Event, EventState
from models.play import ForceList, ListSeal, Player
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, MINE, PIPER, file
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from validators.restrictions import Restrictions, as_document

Enter = Callable[..., list[Person]]
DESK = "/e/iron-open/desk/lists"
ME = "/e/iron-open/me"
SETTINGS = "/e/iron-open/desk/settings"
ILLEGAL: dict[str, Any] = PIPER | {"models": [{"name": "Piper", "leader": True}] * 2}
"""Two of one person."""
MUST_LIE_AHEAD = "The new deadline must lie ahead. “Lock all lists now” on the page of lists locks them at once."


def force(stage: Stage, name: str, document: dict[str, Any] = PIPER, *, submit: bool = True) -> Player:
    """Keep a force for the player of this name."""
    player = stage.one(Player, name=name)
    stage.force(stage.one(Event, id=player.event_id), player, read_force(document), submit=submit)
    return player


def filters(page: Page) -> dict[str, int]:
    """The words to filter by, with their counts."""
    links = [link.get_text(" ", strip=True).rpartition(" ") for link in page.soup.select(".filters a")]
    return {word: int(count) for word, _, count in links}


def names(page: Page) -> list[str]:
    """The players that the table shows."""
    return [row[0] for row in page.rows("table")]


def decide(olga: Person, name: str, stage: Stage) -> Page:
    """Open one player's list on the desk."""
    return olga.open(f"{DESK}/{stage.one(Player, name=name).id}")


# ---- states and filters


def test_every_entry_has_its_states_and_every_state_its_filter(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di", "Eve")
    force(stage, "Ada")
    force(stage, "Bo", submit=False)
    force(stage, "Cy", ILLEGAL, submit=False)
    force(stage, "Di")
    decide(olga, "Ada", stage)
    assert olga.press("Approve").flashes == "The list of Ada is approved."
    decide(olga, "Di", stage)
    olga.press("Send back with this note", **{"b-note": "Which Piper?"})
    page = olga.open(DESK)
    counts = {"All": 5, "No list": 1, "Draft": 3, "Sent back": 1, "Submitted": 1, "Legal": 3, "Illegal": 1}
    assert filters(page) == counts | {"Approved": 1}
    assert [row[2] for row in page.rows("table")] == ["Approved", "Draft", "Draft", "Sent back", "No list"]
    shown = {state: names(olga.open(f"{DESK}?state={state}")) for state in ("none", "draft", "illegal", "approved")}
    assert shown == {"none": ["Eve"], "draft": ["Bo", "Cy", "Di"], "illegal": ["Cy"], "approved": ["Ada"]}
    assert "No list is in this state" in olga.open(f"{DESK}?state=query").text
    assert olga.open(f"{DESK}?state=made-up").status == 404
    clock.now = DEADLINE
    assert filters(olga.open(DESK)) == counts | {"Approved": 1, "Locked": 5}


# ---- approving and sending back


def test_a_change_after_the_approval_ends_it(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    force(stage, "Ada")
    decide(olga, "Ada", stage)
    olga.press("Approve")
    assert "Approved" in ada.open(ME).part("main")
    ada.open(MINE)
    ada.press("Save", inside="#builder")
    assert stage.one(ForceList).approved_at is not None, "saved, but nothing was changed"
    ada.press("Save", inside="#builder", name="Press & Co")
    kept = stage.one(ForceList)
    assert (kept.approved_at, kept.submitted_at is None) == (None, False)
    assert stage.journal(event, "approve-list") == ["Approved the list of Ada"]
    assert stage.journal(event, "end-approval") == ["The list of Ada was changed after its approval"]
    assert "Approved" not in ada.open(ME).part("main")


@pytest.mark.parametrize("button", ["Approve", "Send back with this note"])
def test_a_list_changed_under_the_organiser_s_eyes_is_not_decided_on(
    enter: Enter, olga: Person, stage: Stage, event: Event, button: str
) -> None:
    (ada,) = enter(event, "Ada")
    force(stage, "Ada")
    decide(olga, "Ada", stage)
    ada.open(MINE)
    ada.press("Save", inside="#builder", name="Another")
    before = stage.digest()
    page = olga.press(button, **{"b-note": "Mend it"})
    assert (page.status, stage.digest()) == (409, before)
    assert "changed since you opened it" in page.errors
    assert page.value("b-note") == "Mend it"
    assert olga.press(button).status == 200, "the page now shows the list as it is"


def test_a_list_sent_back_is_a_draft_whose_player_reads_why(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    force(stage, "Ada")
    decide(olga, "Ada", stage)
    page = olga.press("Send back with this note", **{"b-note": " "})
    assert page.status == 422
    assert stage.one(ForceList).submitted_at is not None
    page = olga.press("Send back with this note", **{"b-note": "The grenades:\nwhich <b>ones</b>?"})
    assert page.flashes == "Sent back: Ada reads your note on the own page."
    for address in (ME, MINE):
        assert "The grenades: which <b>ones</b>?" in ada.open(address).text
    assert "List missing" in ada.open(ME).text
    for person, address in ((bo, "/e/iron-open/players/1"), (bo, "/e/iron-open/lists"), (bo, ME)):
        assert "grenades" not in person.open(address).text
    ada.open(MINE)
    assert "The grenades" not in ada.press("Submit this force").text
    assert stage.one(ForceList).submitted_at is not None
    assert stage.journal(event, "send-back") == ["Sent the list of Ada back"]


@pytest.mark.both_databases
def test_sending_a_locked_list_back_unlocks_it_until_it_is_locked_again(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    force(stage, "Ada")
    clock.now = DEADLINE
    page = decide(olga, "Ada", stage)
    assert "Sending it back unlocks it for Ada" in page.text
    page = olga.press("Send back with this note and unlock", **{"b-note": "Which Piper?"})
    assert page.flashes == "Sent back and unlocked: Ada can change the list until you lock it again."
    assert stage.journal(event, "send-back") == ["Sent the list of Ada back"]
    assert stage.journal(event, "unlock-list") == ["Unlocked the list of Ada until it is locked again"]
    assert bo.open(MINE).path == "/e/iron-open/players/2", "only Ada"
    assert "asks you to change your list" in ada.open(ME).text
    ada.open(MINE)
    ada.press("Save", inside="#builder", name="Changed")
    ada.open(MINE)
    assert ada.press("Submit this force").path == ME
    decide(olga, "Ada", stage)
    olga.press("Lock it again")
    assert [seal.submitted for seal in stage.all(ListSeal)] == [True, True]
    clock.advance(minutes=1)
    decide(olga, "Ada", stage)
    olga.press("Send back with this note and unlock", **{"b-note": "Once more"})
    olga.press("Lock it again")
    page = ada.open(ME)
    assert "it is locked now. Talk to the organiser" in page.text
    assert "asks you to change" not in page.text


def test_a_list_is_not_sent_back_once_the_event_is_over(enter: Enter, olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=1)
    enter(event, "Ada", "Bo")
    force(stage, "Ada")
    stage.play(event, 1)
    page = decide(olga, "Ada", stage)
    olga.open("/e/iron-open/desk")
    olga.press("Close the event")
    before = stage.digest()
    assert "Send back" not in decide(olga, "Ada", stage).text
    olga.page = page
    page = olga.press("Send back with this note and unlock", **{"b-note": "Too late"})
    assert (page.status, stage.digest()) == (422, before)
    assert "This event is over." in page.text


def test_only_a_submitted_and_legal_list_is_approved(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    page = decide(olga, "Ada", stage)
    token = str(olga.open("/desk/new").value("csrf_token"))
    address = f"{DESK}/{stage.one(Player).id}"
    assert "No list yet" in page.text
    for document in (None, PIPER, ILLEGAL):
        if document:
            force(stage, "Ada", document, submit=False)
        before = stage.digest()
        assert olga.ask("POST", address, {"csrf_token": token, "do": "approve"}).status_code == 422
        assert stage.digest() == before
    assert olga.ask("POST", address, {"csrf_token": token, "do": "burn"}).status_code == 404


# ---- the missing


def test_exactly_the_missing_are_listed_with_links_that_work(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo, _, di = enter(event, "Ada", "Bo", "Cy", "Di")
    force(stage, "Ada")
    force(stage, "Bo", submit=False)
    di.open(ME)
    di.press("Withdraw")
    olga.open(DESK)
    assert "Remind the missing (2)" in olga.page.text
    page = olga.open(f"{DESK}/missing")
    pre = page.soup.select_one("pre.copy-text")
    assert pre is not None
    lines = pre.get_text().split("\n")
    assert [line.partition(": ")[0] for line in lines] == ["Bo", "Cy"]
    button = page.soup.select_one("[data-copy]")
    assert button is not None
    assert button["data-copy"] == pre.get_text(), "one press copies what stands there"
    for line in lines:
        name, _, link = line.partition(": ")
        assert name in Person(app).open(link.removeprefix("http://localhost")).text
    assert "List missing" in bo.open(ME).text
    assert "List missing" not in ada.open(ME).text
    force(stage, "Bo")
    force(stage, "Cy")
    assert "Nobody is missing" in olga.open(f"{DESK}/missing").text


# ---- the lock is stored


@pytest.mark.proves("F15", "attack 44", "attack 45")
@pytest.mark.both_databases
def test_the_first_request_after_the_deadline_stores_the_lock_for_good(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    force(stage, "Ada")
    form = ada.open(MINE)
    clock.now = DEADLINE + timedelta(hours=2)
    Person(app).open("/e/iron-open")
    assert stage.one(Event).lists_locked_at == DEADLINE, "the moment of the deadline, not of the request"
    assert stage.journal(event, "lock-lists") == ["Locked the lists: 1 in hand"]
    sealed = stage.one(ListSeal).sha256
    clock.now = DEADLINE - timedelta(days=1)
    ada.page = form
    before = stage.digest()
    assert ada.press("Save", inside="#builder", name="Too late").path == "/e/iron-open/players/1"
    assert stage.digest() == before, "a clock that steps back opens nothing"
    olga.open("/e/iron-open/desk/settings")
    assert olga.press("Save", list_deadline="2026-12-05T23:00").flashes.startswith("Saved.")
    assert "Lists stay locked" in olga.page.flashes
    assert stage.one(Event).lists_locked_at == DEADLINE
    assert ada.open(MINE).path == "/e/iron-open/players/1"
    assert sealed in ada.open(ME).text
    assert stage.one(ListSeal).sha256 == sealed


def test_a_deadline_moved_in_the_very_request_that_finds_it_passed_moves_nothing(
    olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    olga.open("/e/iron-open/desk/settings")
    clock.now = DEADLINE
    olga.press("Save", list_deadline="2026-12-05T23:00")
    assert stage.one(Event).lists_locked_at == DEADLINE


def test_a_lock_that_cannot_be_stored_is_a_lock_all_the_same(
    enter: Enter, stage: Stage, event: Event, clock: Clock, engine: Engine
) -> None:
    (ada,) = enter(event, "Ada")
    clock.now = DEADLINE
    with engine.begin() as connection:
        refusal = "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        connection.execute(text(f"CREATE TRIGGER full BEFORE UPDATE ON event {refusal}"))
    assert ada.open(ME).status == 200
    assert ada.open(MINE).path == "/e/iron-open/players/1"
    assert stage.one(Event).lists_locked_at is None
    stage.s.rollback()
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER full"))
    ada.open(ME)
    assert stage.one(Event).lists_locked_at == DEADLINE


def test_a_draft_s_deadline_binds_nobody(olga: Person, stage: Stage, clock: Clock) -> None:
    stage.event(draft=True)
    clock.now = DEADLINE
    olga.open("/e/iron-open/desk")
    assert stage.one(Event).lists_locked_at is None


# ---- which deadlines can be set


@pytest.mark.both_databases
def test_a_new_deadline_that_has_passed_is_refused_and_locks_nothing(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    enter(event, "Ada")
    force(stage, "Ada")
    clock.now = datetime(2026, 12, 2, 12, tzinfo=UTC)
    olga.open(SETTINGS)
    before = stage.digest()
    for typed in ("2026-11-21T09:00", "2026-12-02T13:00"):  # by Berlin's clock it is 13:00
        page = olga.press("Save", list_deadline=typed)
        assert (page.status, page.error_at("list_deadline"), stage.digest()) == (422, MUST_LIE_AHEAD, before)
        assert page.value("list_deadline") == typed
    assert olga.press("Save", list_deadline="2026-12-02T13:01").flashes == "Saved."
    assert stage.all(ListSeal) == []


def test_a_deadline_is_on_the_event_s_last_day_at_the_latest(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(SETTINGS)
    page = olga.press("Save", list_deadline="2026-12-06T00:00")
    said = "The deadline must not come after the event's last day, 5 December 2026."
    assert (page.status, page.error_at("list_deadline")) == (422, said)
    assert olga.press("Save", list_deadline="2026-12-05T23:59").flashes == "Saved."


def test_other_settings_are_saved_while_the_old_deadline_has_passed(
    olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    clock.now = DEADLINE + timedelta(hours=1)
    olga.open(SETTINGS)
    assert olga.press("Save", place="New hall").flashes == "Saved."
    assert (stage.one(Event).place, stage.one(Event).list_deadline) == ("New hall", DEADLINE)


def test_a_draft_whose_deadline_has_passed_is_not_opened(olga: Person, stage: Stage, clock: Clock) -> None:
    event = stage.event(draft=True)
    clock.now = DEADLINE
    olga.open("/e/iron-open/desk")
    page = olga.press("Open registration")
    assert page.flashes == (
        "The list deadline, 4 December 2026 at 20:00, has passed already. Set a later one in the settings, or none, "
        "and open registration then."
    )
    assert stage.now(event).state == EventState.DRAFT
    olga.open(SETTINGS)
    olga.press("Save", list_deadline="2026-12-05T08:00")
    olga.open("/e/iron-open/desk")
    assert olga.press("Open registration").flashes == "Registration is open."


@pytest.mark.parametrize("deed", ["saved_at", "submitted_at"])
def test_a_list_that_was_changed_after_the_deadline_is_sealed_when_it_was_and_not_on_time(
    enter: Enter, stage: Stage, event: Event, clock: Clock, deed: str
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    late, on_time = force(stage, "Ada"), force(stage, "Bo")
    clock.now = DEADLINE + timedelta(hours=2)
    with stage.changing(event) as s:
        event.restrictions = as_document(Restrictions(on_time_points=1, late_points=2))
        kept = s.exec(select(ForceList).where(ForceList.player_id == late.id)).one()
        setattr(kept, deed, DEADLINE + timedelta(hours=1))
    ada.open(ME)
    assert stage.now(event).lists_locked_at == DEADLINE
    seals = play_queries.seals_of(stage.s, event)
    assert [seal.at for player in (late, on_time) for seal in seals[player.id]] == [clock(), DEADLINE]
    terms = play_queries.terms_of(stage.s, event)
    assert [list_points(event, one, seals[one.id], terms).points for one in (late, on_time)] == [-2, 1]


def test_all_lists_are_locked_and_opened_again_by_hand(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    force(stage, "Ada")
    olga.open(DESK)
    assert olga.press("Lock all lists now").flashes == "All lists are locked."
    assert "166 Caps" in bo.open("/e/iron-open/lists").text
    page = olga.press("Open all lists again", deadline="2026-11-21T09:00")
    assert (page.status, page.error_at("deadline")) == (422, MUST_LIE_AHEAD)
    page = olga.press("Open all lists again", deadline="2026-12-06T00:00")
    assert page.error_at("deadline").startswith("The deadline must not come after the event's last day")
    assert olga.press("Open all lists again", deadline="2026-12-04T22:00").flashes == "All lists are open again."
    assert stage.one(Event).list_deadline == DEADLINE + timedelta(hours=2)
    assert "Piper" not in bo.open("/e/iron-open/lists").text + bo.open("/e/iron-open/players/1").text
    ada.open(MINE)
    assert ada.press("Save", inside="#builder", name="New").flashes == "Saved."
    assert stage.journal(event, "reopen-lists") == ["Opened all lists again, until 2026-12-04 21:00 UTC"]
    clock.now = DEADLINE + timedelta(hours=2)
    hashes = [code.get_text() for code in bo.open("/e/iron-open/lists").soup.select(".sha")]
    assert hashes == [seal.sha256 for seal in reversed(stage.all(ListSeal))]
    assert len(hashes) == 2, "what was published once stays to be seen"
    stage.publish(event, 1)
    form = olga.open(DESK)
    assert "Open all lists again" not in form.text
    token = str(olga.open("/desk/new").value("csrf_token"))
    before = stage.digest()
    assert olga.ask("POST", DESK, {"csrf_token": token, "do": "reopen"}).status_code == 422
    assert stage.digest() == before


# ---- one player unlocked


def test_a_builder_after_the_lock_says_locked_and_names_no_deadline(
    enter: Enter, olga: Person, stage: Stage, clock: Clock, event: Event
) -> None:
    enter(event, "Ada")
    ada = force(stage, "Ada")
    theirs = f"/e/iron-open/desk/players/{ada.id}/force"
    assert "due by" in olga.open(theirs).part("main header")
    clock.now = DEADLINE + timedelta(minutes=1)
    shown = olga.open(theirs).part("main header")
    assert "locked" in shown
    assert "due by" not in shown


def test_one_player_is_unlocked_changes_the_list_and_is_locked_again(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    force(stage, "Ada")
    force(stage, "Bo")
    clock.now = DEADLINE
    decide(olga, "Ada", stage)
    assert "can change the list" in olga.press("Unlock this list").flashes
    assert bo.open(MINE).path == "/e/iron-open/players/2", "only Ada"
    assert "The organiser unlocked your list" in ada.open(ME).text
    ada.open(MINE)
    ada.press("Save", inside="#builder", name="CANARY")
    for person in (bo, Person(app)):
        assert "Being changed" in person.open("/e/iron-open/lists").text
        assert "Piper" not in person.open("/e/iron-open/players/1").text
        assert person.open("/e/iron-open/players/1/force.json").status == 404
    for person in (ada, olga):
        assert "Being changed" in person.open("/e/iron-open/lists").text, "a page that all read alike"
        assert "Piper" in person.open("/e/iron-open/players/1").text
    ada.open(MINE)
    page = ada.press("Submit this force")
    assert (page.path, page.flashes) == (ME, "Submitted. You can still change it until it is locked again.")
    clock.advance(minutes=30)
    decide(olga, "Ada", stage)
    assert "locked again" in olga.press("Lock it again").flashes
    assert ada.open(MINE).path == "/e/iron-open/players/1"
    assert stage.journal(event, "unlock-list") == ["Unlocked the list of Ada until it is locked again"]
    assert stage.journal(event, "lock-list") == ["Locked the list of Ada again"]
    page = bo.open("/e/iron-open/players/1")
    first, *_, second = [seal for seal in stage.all(ListSeal) if seal.player_id == 1]
    assert [code.get_text() for code in page.soup.select(".sha")] == [second.sha256, first.sha256]
    assert "4 Dec 2026, 20:00" in page.text
    assert "4 Dec 2026, 20:30" in page.text
    assert "CANARY" in bo.open(f"/e/iron-open/players/1/sealed/{second.sha256}").response.text
    assert "CANARY" not in bo.open(f"/e/iron-open/players/1/sealed/{first.sha256}").response.text


@pytest.mark.both_databases
def test_an_unlocking_ends_at_its_time_and_stays_ended(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    force(stage, "Ada")
    clock.now = DEADLINE
    decide(olga, "Ada", stage)
    for typed, said in (
        ("2026-12-04T20:00", "The time must lie ahead."),
        ("2027-03-28T02:30", "There is no such time"),
    ):
        page = olga.press("Unlock this list", **{"u-until": typed})
        assert page.status == 422
        assert page.error_at("u-until").startswith(said) or said in page.errors
    olga.press("Unlock this list", **{"u-until": "2026-12-04T21:00"})
    ada.open(MINE)
    ada.press("Save", inside="#builder", name="In time")
    mark = ada.open(ME).response.headers["ETag"]
    form = ada.open(MINE)
    clock.now = DEADLINE + timedelta(hours=1)
    ada.page = form
    assert ada.press("Save", inside="#builder", name="Too late").path == "/e/iron-open/players/1"
    assert ada.http.get(ME, headers={"If-None-Match": mark}).status_code == 200, "a page that polls learns of it"
    clock.now = DEADLINE + timedelta(minutes=1)
    assert ada.open(MINE).path == "/e/iron-open/players/1"
    assert stage.one(ForceList).document["name"] == "In time"
    seals = stage.all(ListSeal)
    assert [seal.at for seal in seals] == [DEADLINE, DEADLINE + timedelta(hours=1)]
    assert stage.journal(event, "lock-list") == ["The list of Ada is locked again"]


def test_one_who_missed_the_deadline_hands_in_once_unlocked(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    clock.now = DEADLINE
    assert "You handed in no force" in ada.open(ME).text
    decide(olga, "Ada", stage)
    olga.press("Unlock this list")
    ada.open(ME)
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    assert ada.press("Submit this force").path == ME
    decide(olga, "Ada", stage)
    olga.press("Lock it again")
    assert stage.one(ListSeal).sha256 in ada.open("/e/iron-open/lists").text


def test_the_event_s_end_ends_every_unlocking(enter: Enter, olga: Person, stage: Stage, clock: Clock) -> None:
    event = stage.event(rounds=1)
    enter(event, "Ada", "Bo")
    force(stage, "Ada")
    stage.play(event, 1)
    decide(olga, "Ada", stage)
    olga.press("Unlock this list")
    olga.open("/e/iron-open/desk")
    olga.press("Close the event")
    assert stage.one(Player, name="Ada").list_unlocked_at is None
    assert "Lock" not in decide(olga, "Ada", stage).part("main .panel h2")


def test_an_organiser_s_sitting_after_the_lock_makes_one_new_seal(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    enter(event, "Ada")
    force(stage, "Ada")
    clock.now = DEADLINE
    olga.open(f"/e/iron-open/desk/players/{stage.one(Player).id}/force")
    for name in ("One", "Two", "Three"):
        olga.press("Save", inside="#builder", name=name)
        clock.advance(minutes=2)
    seals = stage.all(ListSeal)
    assert [seal.by for seal in seals] == ["the lock", "owner Olga"]
    assert "Three" in seals[1].text


# ---- other clocks


@pytest.mark.parametrize("field", ["list_deadline", "lists_shown_from"])
@pytest.mark.parametrize(
    ("zone", "typed"), [("Europe/Berlin", "2027-03-28T02:30"), ("Australia/Lord_Howe", "2027-10-03T02:15")]
)
def test_an_hour_that_the_clocks_skip_is_refused(
    olga: Person, stage: Stage, event: Event, field: str, zone: str, typed: str
) -> None:
    olga.open("/e/iron-open/desk/settings")
    before = stage.digest()
    page = olga.press("Save", timezone=zone, **{field: typed})
    assert (page.status, stage.digest()) == (422, before)
    assert page.error_at(field).startswith("There is no such time on that day")
