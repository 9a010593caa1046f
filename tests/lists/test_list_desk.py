"""The list desk: states, decisions on one or several lists, unlocking one player, the stored lock, missing lists."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from events.lists import actions as lists_actions
from events.lists import locks
from events.lists.queries import list_points
from events.store.verdicts import terms_of
from models.event import Event, EventState
from models.play import ForceList, ListSeal, Player
from tests.conftest import PUBLIC
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, MINE, PIPER, store_force
from tests.kit.person import CLOSE_EVENT, OPEN_REGISTRATION, SUBMIT_FORCE, Enter, Page, Person, words
from tests.kit.stage import Stage
from validators.restrictions import Restrictions

DESK = "/e/iron-open/desk/lists"
ME = "/e/iron-open/me"
SETTINGS = "/e/iron-open/desk/settings"
TWO_PIPERS: dict[str, Any] = PIPER | {"models": [{"name": "Piper", "leader": True}] * 2}
"""An illegal force: Piper is unique."""
MUST_LIE_AHEAD = (
    "The new deadline must be in the future. To lock lists now, use “Lock all lists now” on the page of lists."
)


def filters(page: Page) -> dict[str, int]:
    links = [link.get_text(" ", strip=True).rpartition(" ") for link in page.soup.select(".filters a")]
    return {word: int(count) for word, _, count in links}


def open_list(olga: Person, stage: Stage, name: str = "Ada") -> Page:
    return olga.open(f"{DESK}/{stage.one(Player, name=name).id}")


def test_lists_are_filtered_by_state(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di", "Eve")
    store_force(stage, "Ada")
    store_force(stage, "Bo", submit=False)
    store_force(stage, "Cy", TWO_PIPERS, submit=False)
    store_force(stage, "Di")
    open_list(olga, stage)
    assert olga.press("Approve").flashes == "The list of Ada is approved."
    open_list(olga, stage, "Di")
    olga.press("Send back with this note", **{"b-note": "Which Piper?"})
    factions = olga.open("/e/iron-open/desk/players").soup.select("td[data-label=Faction]")
    assert [cell.get_text(strip=True) for cell in factions].count("Survivors") == 4, "of the lists"
    page = olga.open(DESK)
    counts = {"All": 5, "No list": 1, "Draft": 2, "Sent back": 1, "Legal": 1}
    assert filters(page) == counts | {"Approved": 1}
    assert [*states(olga)] == ["Di", "Ada", "Bo", "Cy", "Eve"], "what needs the organiser is first"
    assert [*states(olga).values()] == ["Sent back", "Approved", "Draft", "Draft", "No list"]
    of = {"none": ["Eve"], "draft": ["Bo", "Cy"], "illegal": [], "submitted": [], "approved": ["Ada"]}
    for state, names in of.items():
        assert [*states(olga, f"{DESK}?state={state}")] == names, state
    assert "No list is in this state" in olga.open(f"{DESK}?state=query").text
    assert olga.open(f"{DESK}?state=made-up").status == 404
    stage.clock.now = DEADLINE
    assert filters(olga.open(DESK)) == counts | {"Approved": 1, "Locked": 1}


def test_change_ends_an_approval_and_outdates_forms(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    store_force(stage, "Ada")
    old = open_list(olga, stage)
    olga.press("Approve")
    assert "Approved" in ada.open(ME).part("main")
    ada.press("Save", at=MINE, inside="#builder")
    assert stage.one(ForceList).approved_at is not None, "saved without a change"
    ada.press("Save", inside="#builder", name="Press & Co")
    kept = stage.one(ForceList)
    assert (kept.approved_at, kept.submitted_at is None) == (None, False)
    assert stage.journal(event, "approve-list") == ["Approved the list of Ada"]
    assert stage.journal(event, "end-approval") == ["The list of Ada was changed after its approval"]
    assert "Approved" not in ada.open(ME).part("main")
    before = stage.digest()
    for button in ("Approve", "Send back with this note"):
        olga.page = old
        page = olga.press(button, **{"b-note": "Fix it"})
        assert (page.status, stage.digest()) == (409, before), button
        assert "changed since you opened it" in page.errors
        assert page.value("b-note") == "Fix it"
    assert olga.press("Approve").status == 200, "the page now shows the list as it is"


def test_list_sent_back_is_open_with_the_reason(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    open_list(olga, stage)
    assert olga.press("Send back with this note", **{"b-note": " "}).status == 422
    assert stage.one(ForceList).submitted_at is not None
    page = olga.press("Send back with this note", **{"b-note": "The grenades:\nwhich <b>ones</b>?"})
    assert page.flashes == "Sent back: Ada reads your note on their page."
    for address in (ME, MINE):
        assert "The grenades: which <b>ones</b>?" in ada.open(address).text
    assert "List missing" not in ada.open(ME).text, "it says that it was sent back"
    for address in ("/e/iron-open/players/1", "/e/iron-open/lists", ME):
        assert "grenades" not in bo.open(address).text
    assert "The grenades" not in ada.press(SUBMIT_FORCE, at=MINE).text
    assert stage.one(ForceList).submitted_at is not None
    assert stage.journal(event, "send-back") == ["Sent the list of Ada back"]
    stage.clock.now = DEADLINE
    assert "Sending it back unlocks it for Ada" in open_list(olga, stage).text
    page = olga.press("Send back with this note and unlock", **{"b-note": "Which Piper?"})
    assert page.flashes == "Sent back and unlocked: Ada can change the list until you lock it again."
    assert "asks you to change your list" in ada.open(ME).text
    open_list(olga, stage)
    olga.press("Lock it again")
    page = ada.open(ME)
    assert "it is locked now. Talk to the organiser" in page.text
    assert "asks you to change" not in page.text


def test_end_of_the_event_locks_lists_and_takes_no_decision(enter: Enter, olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=1)
    enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    stage.play(event, 1)
    open_list(olga, stage)
    olga.press("Unlock this list")
    page = open_list(olga, stage)
    olga.press(CLOSE_EVENT, at="/e/iron-open/desk")
    assert stage.one(Player, name="Ada").list_unlocked_at is None
    shown = open_list(olga, stage)
    assert "Lock" not in shown.part("main .panel h2")
    assert "Send back" not in shown.text
    olga.page, before = page, stage.digest()
    page = olga.press("Send back with this note", **{"b-note": "Too late"})
    assert (page.status, stage.digest()) == (422, before)
    assert "This event is over." in page.text


def test_missing_lists_are_asked_for_by_link(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo, _, di = enter(event, "Ada", "Bo", "Cy", "Di")
    store_force(stage, "Ada")
    store_force(stage, "Bo", submit=False)
    di.press("Withdraw", at=ME)
    assert olga.open("/e/iron-open/desk").soup.select("#group-no_list.ready-bad")
    assert "Remind players without a list (2)" in olga.open(DESK).text
    page = olga.open(f"{DESK}/missing")
    assert "/p/" not in page.response.text, "no page has everybody's private links"
    links = [str(entry["href"]) for entry in page.soup.select(".ready-cures a") if "Share link" in entry.get_text()]
    assert links == [f"/e/iron-open/desk/players/{stage.one(Player, name=name).id}#link" for name in ("Bo", "Cy")]
    for name, link in zip(("Bo", "Cy"), links, strict=True):
        shared = olga.open(link).soup.select_one("[data-share]")
        assert shared is not None and str(shared["data-share"]) in str(
            olga.page.soup.select_one("a[href^=mailto]")
        ).replace("%3A", ":").replace("%2F", "/"), "mail where the device has no share sheet"
        assert name in Person(app).open(str(shared["data-share"]).removeprefix(PUBLIC)).text
    assert "List missing" in bo.open(ME).text
    assert "List missing" not in ada.open(ME).text
    stage.publish(event, 1)
    assert olga.open("/e/iron-open/desk").soup.select("#group-no_list.ready-off"), "no alarm during games"


@pytest.mark.proves("F15", "attack 44", "attack 45")
@pytest.mark.both_at_length
def test_missing_list_of_a_late_entry_has_a_remedy(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    stage.publish(event, 1)
    stage.set(event, late_list_hours=0)
    enter(event, "Late")
    late = stage.one(Player, name="Late")
    olga.open(DESK)
    assert olga.page.soup.find("a", href=f"{DESK}/{late.id}#lock"), "time to submit one"
    page = olga.press("Play without a list", inside=f"li:has(a[href='{DESK}/{late.id}#lock'])")
    assert page.flashes == "Late plays without a list."
    assert not olga.open(DESK).soup.find("a", href=f"{DESK}/{late.id}#lock")


def test_first_request_after_the_deadline_stores_the_lock_for_good(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    (ada,) = enter(event, "Ada")
    store_force(stage, "Ada")
    form = ada.open(MINE)
    stage.clock.now = DEADLINE + timedelta(hours=2)
    Person(app).open("/e/iron-open")
    assert stage.one(Event).lists_locked_at == DEADLINE, "the time of the deadline, not of the request"
    assert stage.journal(event, "lock-lists") == ["Locked 1 list"]
    sealed = stage.one(ListSeal).sha256
    stage.clock.now = DEADLINE - timedelta(days=1)
    ada.page, before = form, stage.digest()
    assert ada.press("Save", inside="#builder", name="Too late").path == "/e/iron-open/players/1"
    assert stage.digest() == before, "a clock that is set back opens nothing"
    assert olga.press("Save", at=f"{SETTINGS}/lists", list_deadline="2026-12-05T23:00").flashes.startswith("Saved.")
    assert "Lists stay locked" in olga.page.flashes
    assert stage.one(Event).lists_locked_at == DEADLINE
    assert (ada.open(MINE).path, sealed in ada.page.text) == ("/e/iron-open/players/1", True)
    assert stage.one(ListSeal).sha256 == sealed


def refuse_changes(stage: Stage) -> None:
    refusal = "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    with stage.engine.begin() as connection:
        connection.execute(text(f"CREATE TRIGGER full BEFORE UPDATE ON event {refusal}"))


def test_lists_are_locked_even_if_the_lock_cannot_be_stored(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    stage.clock.now = DEADLINE
    refuse_changes(stage)
    assert ada.open(ME).status == 200
    assert ada.open(MINE).path == "/e/iron-open/players/1"
    assert stage.one(Event).lists_locked_at is None
    stage.s.rollback()
    with stage.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER full"))
    ada.open(ME)
    assert stage.one(Event).lists_locked_at == DEADLINE
    until = DEADLINE + timedelta(hours=1)
    player = stage.one(Player)
    stage.set(event, player, list_unlocked_at=DEADLINE, list_unlocked_until=until)
    unlocked = ada.http.get("/e/iron-open/version").headers["ETag"]
    refuse_changes(stage)
    stage.clock.now = until
    assert ada.http.get("/e/iron-open/version").headers["ETag"] != unlocked, "the page of before is out of date"
    assert stage.now(player).list_unlocked_until == until


def test_missing_list_costs_points_unless_it_was_waived(stage: Stage, event: Event) -> None:
    waived, missing = stage.enter(event, "Cy", "Di")
    stage.set(event, restrictions=Restrictions(late_points=2))
    stage.set(event, waived, list_waived_at=DEADLINE)
    stage.do(event, locks.lock_now)
    terms = terms_of(event)
    assert [list_points(event, part, [], terms).points for part in (waived, missing)] == [0, -2]


def test_new_or_first_deadline_lies_ahead(olga: Person, stage: Stage, event: Event) -> None:
    draft = stage.event("Draft", draft=True)
    olga.open(f"{SETTINGS}/lists")
    stage.clock.now = datetime(2026, 12, 2, 12, tzinfo=UTC)  # 13:00 in Berlin
    before = stage.digest()
    page = olga.press("Save", list_deadline="2026-12-02T13:00")
    assert (page.status, stage.digest()) == (422, before)
    assert (page.error_at("list_deadline"), page.value("list_deadline")) == (MUST_LIE_AHEAD, "2026-12-02T13:00")
    assert olga.press("Save", list_deadline="2026-12-02T13:01").flashes == "Saved."
    olga.open(f"{SETTINGS}/lists")
    stage.clock.now = datetime(2026, 12, 2, 13, tzinfo=UTC)
    olga.press("Save", list_deadline="2026-12-05T23:00")
    assert stage.now(event).lists_locked_at == datetime(2026, 12, 2, 12, 1, tzinfo=UTC), "locked before it is moved"
    stage.clock.now = datetime(2026, 12, 5, 22, 30, tzinfo=UTC)  # the last day is not over
    assert olga.press("Save", at=f"{SETTINGS}/event", place="New hall").flashes == "Saved.", (
        "the stored deadline may have passed"
    )
    page = olga.press(OPEN_REGISTRATION, at="/e/draft/desk")
    assert page.flashes.startswith("The list deadline, 4 December 2026, 20:00, has passed")
    assert stage.now(draft).state == EventState.DRAFT


def test_all_lists_are_locked_and_opened_again_by_hand(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    assert olga.press("Lock 1 list now", at=f"{DESK}/lock").flashes == "1 list locked."
    assert "166 Caps" in bo.open("/e/iron-open/lists").text
    assert olga.press("Open all lists again", deadline="2026-11-21T09:00").error_at("deadline") == MUST_LIE_AHEAD
    assert olga.press("Open all lists again", deadline="2026-12-04T22:00").flashes == "All lists are open again."
    assert "Piper" not in bo.open("/e/iron-open/lists").text + bo.open("/e/iron-open/players/1").text
    assert ada.press("Save", at=MINE, inside="#builder", name="New").flashes == "Saved."
    assert stage.journal(event, "reopen-lists") == ["Opened all lists again, until 4 Dec 2026, 22:00"]
    stage.clock.now = DEADLINE + timedelta(hours=2)
    hashes = [code.get_text() for code in bo.open("/e/iron-open/lists").soup.select(".sha")]
    assert hashes == [seal.sha256 for seal in reversed(stage.all(ListSeal))]
    assert len(hashes) == 2, "a published hash stays published"
    stage.publish(event, 1)
    assert "Open all lists again" not in olga.open(DESK).text


def test_one_player_is_unlocked_changes_the_list_and_is_locked_again(
    app: Flask, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    theirs = "/e/iron-open/desk/players/1/force"
    assert "due by" in olga.open(theirs).part("main header")
    stage.clock.now = DEADLINE
    shown = olga.open(theirs).part("main header")
    assert "locked" in shown and "due by" not in shown
    open_list(olga, stage)
    assert "can change the list" in olga.press("Unlock this list").flashes
    assert bo.open(MINE).path == "/e/iron-open/players/2", "only Ada"
    assert "The organiser unlocked your list" in ada.open(ME).text
    ada.press("Save", at=MINE, inside="#builder", name="CANARY")
    for person in (bo, Person(app)):
        assert "Being changed" in person.open("/e/iron-open/lists").text
        assert "Piper" not in person.open("/e/iron-open/players/1").text
        assert person.open("/e/iron-open/players/1/force.json").status == 404
    assert "secret until your own list is locked" in ada.open("/e/iron-open/lists").text
    assert "Being changed" in olga.open("/e/iron-open/lists").text
    assert all("Piper" in person.open("/e/iron-open/players/1").text for person in (ada, olga))
    stage.clock.advance(minutes=30)
    open_list(olga, stage)
    assert "locked again" in olga.press("Lock it again").flashes
    assert ada.open(MINE).path == "/e/iron-open/players/1"
    page = bo.open("/e/iron-open/players/1")
    first, second = stage.all(ListSeal)
    assert [code.get_text() for code in page.soup.select(".sha")] == [second.sha256, first.sha256]
    assert "4 Dec 2026, 20:00" in page.text and "4 Dec 2026, 20:30" in page.text
    assert "CANARY" in bo.open(f"/e/iron-open/players/1/sealed/{second.sha256}").response.text
    assert "CANARY" not in bo.open(f"/e/iron-open/players/1/sealed/{first.sha256}").response.text


def states(olga: Person, address: str = DESK) -> dict[str, str]:
    rows = olga.open(address).soup.select(".desk-rows > li")
    return {words(row.select(".row-title")[0]): words(row.select(".row-state")[0]) for row in rows}


def test_only_submitted_legal_lists_are_approved(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di", "Eve")
    *_, eve = (store_force(stage, name) for name in ("Ada", "Bo", "Eve"))
    store_force(stage, "Cy", submit=False)
    illegal = stage.one(ForceList, player_id=eve.id)
    stage.set(event, illegal, document=read_force(TWO_PIPERS))
    stage.refuse("not legal", event, lists_actions.approve, eve, lists_actions.document_mark(illegal))
    assert olga.press("Approve all legal lists (2)", at=DESK).flashes == "2 lists approved."
    assert states(olga) == {"Ada": "Approved", "Bo": "Approved", "Cy": "Draft", "Di": "No list", "Eve": "Illegal"}
    assert stage.journal(event, "approve-lists") == ["Approved 2 lists: Ada, Bo"]
    assert "Approve all" not in olga.page.text
    assert olga.post(f"{DESK}/several/burn").status_code == 404
    assert "No list yet" in open_list(olga, stage, "Di").text
    for document in (None, PIPER):
        if document:
            store_force(stage, "Di", document, submit=False)
        with stage.unchanged():
            assert olga.post(olga.page.path, do="approve").status_code == 422
    assert olga.post(olga.page.path, do="burn").status_code == 404


def test_player_without_a_list_counts_as_decided(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, _, _ = enter(event, "Ada", "Bo", "Cy")
    store_force(stage, "Cy", TWO_PIPERS, submit=False)
    open_list(olga, stage)
    assert olga.press("Play without a list").flashes == "Ada plays without a list."
    assert "Plays without a list" in ada.open("/e/iron-open/me").part("main")
    assert "List missing" not in ada.page.text
    desk = olga.open("/e/iron-open/desk")
    assert "Ada" not in desk.part("#group-no_list")
    assert "without a list: Bo, Cy. Begun, not submitted, so not counted: Cy" in str(olga.open(DESK).soup)
    assert olga.press("Let both play without a list").flashes == "Bo, Cy play without a list."
    assert set(states(olga).values()) == {"Plays without a list"}
    assert not olga.open("/e/iron-open/desk").soup.select("#group-no_list, #group-illegal")
    assert "Every player has submitted" in olga.open(f"{DESK}/missing").text
    assert stage.journal(event, "waive-lists") == ["2 players play without a list: Bo, Cy"]
    open_list(olga, stage, "Bo")
    assert olga.press("Require a list again").flashes == "Bo needs a list again."
    store_force(stage, "Ada")
    assert states(olga) == {"Ada": "Submitted", "Bo": "No list", "Cy": "Plays without a list"}
    assert "without a list" not in open_list(olga, stage).part("main"), "a submitted list counts"


def test_lock_page_names_every_list_not_in_order(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di", "Eve")
    store_force(stage, "Ada")
    store_force(stage, "Bo", submit=False)
    store_force(stage, "Eve")
    stage.set(event, stage.one(ForceList, player_id=stage.one(Player, name="Eve").id), document=read_force(TWO_PIPERS))
    open_list(olga, stage, "Di")
    olga.press("Play without a list")
    main = olga.open(f"{DESK}/lock").part("main")
    parts = ("No list (1)", "Cy", "Drafts that will not count (1)", "Bo", "Not legal (1)", "Eve", "Without a list: Di")
    assert [main.index(part) for part in parts] == sorted(main.index(part) for part in parts)
    assert "Ada" not in main
    assert olga.press("Let both play without a list").path == f"{DESK}/lock"
    counts = {one.get_text(" ", strip=True) for one in olga.open(DESK).soup.select(".filters a")}
    assert {"Plays without a list 3", "Submitted 2", "Illegal 1"} <= counts
    groups = olga.open("/e/iron-open/desk/messages/new?template=list_illegal")
    assert "List not legal (1)" in groups.part("select[name=recipients]"), "as many as the filter shows"
    assert not any(count.startswith("No list") for count in counts), "who plays without a list is counted once"
    assert olga.press("Lock 2 lists now", at=f"{DESK}/lock").flashes == "2 lists locked."
    assert "2 lists are locked: everybody can read them" in olga.page.part("main header")
    assert stage.journal(event, "lock-lists") == ["Locked 2 lists"]
    assert "Plays without a list" in olga.open(f"/e/iron-open/players/{stage.one(Player, name='Di').id}").part("#force")
    said = [one.get_text(" ", strip=True) for one in olga.open(DESK).soup.select(".row-meta")]
    assert sum("locked" in one for one in said) == 2, "who plays without a list has nothing that is locked"
    assert olga.open(f"{DESK}/lock").path == DESK, "there is nothing to lock"
    open_list(olga, stage)
    olga.press("Send back with this note and unlock", **{"b-note": "Which Piper?"})
    olga.press("Play without a list")
    assert "Plays without a list 4" in olga.open(DESK).part("nav.filters")
    page = visitor.open("/e/iron-open/lists")
    assert "4 players play without a list" in page.text
    assert " of 1 legal" in page.text, "said once, above the rows"
    assert not page.soup.select(".key"), "one faction needs no key"
    assert len(page.soup.select(".list-entry")) == 1, "a list that was sent back and waived is not being changed"
