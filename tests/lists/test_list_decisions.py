"""Decisions on several lists: approve the legal ones, play without a list, the page before the lock."""

from flask import Flask

from events.lists import locks
from events.lists.queries import list_points
from events.play import queries as play_queries
from models.event import Event
from models.play import ForceList, Player
from models.staff import Role
from tests.kit.lists import PIPER, Enter, store_force
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import BY, Stage
from validators.restrictions import Restrictions, as_document

DESK = "/e/iron-open/desk/lists"
TWO_PIPERS = PIPER | {"models": [{"name": "Piper", "leader": True}] * 2}


def states(olga: Person) -> dict[str, str]:
    return {str(row[0]): str(row[2]) for row in olga.open(DESK).rows("table")}


def test_all_legal_lists_are_approved_at_once(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di")
    for name in ("Ada", "Bo"):
        store_force(stage, name)
    store_force(stage, "Cy", submit=False)
    olga.open(DESK)
    assert olga.press("Approve all legal lists (2)").flashes == "2 lists approved."
    assert states(olga) == {"Ada": "Approved", "Bo": "Approved", "Cy": "Draft", "Di": "No list"}
    assert stage.journal(event, "approve-lists") == ["Approved 2 lists: Ada, Bo"]
    assert "Approve all" not in olga.page.text
    assert (
        olga.ask("POST", f"{DESK}/several/burn", {"csrf_token": str(olga.page.value("csrf_token"))}).status_code == 404
    )


def test_player_without_a_list_counts_as_decided(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, _, _ = enter(event, "Ada", "Bo", "Cy")
    store_force(stage, "Cy", TWO_PIPERS, submit=False)
    olga.open(f"{DESK}/{stage.one(Player, name='Ada').id}")
    assert olga.press("Play without a list").flashes == "Ada plays without a list."
    assert "Plays without a list" in ada.open("/e/iron-open/me").part("main")
    assert "List missing" not in ada.page.text
    desk = olga.open("/e/iron-open/desk")
    assert "Ada" not in desk.part("#group-no_list")
    olga.open(DESK)
    assert olga.press("Waive all missing (2)").flashes == "Bo, Cy play without a list."
    assert set(states(olga).values()) == {"Plays without a list"}
    assert not olga.open("/e/iron-open/desk").soup.select("#group-no_list, #group-illegal")
    assert "Every player has submitted" in olga.open(f"{DESK}/missing").text
    assert stage.journal(event, "waive-lists") == ["2 players play without a list: Bo, Cy"]

    olga.open(f"{DESK}/{stage.one(Player, name='Bo').id}")
    assert olga.press("Expect a list again").flashes == "Bo needs a list again."
    store_force(stage, "Ada")
    assert states(olga) == {"Ada": "Submitted", "Bo": "No list", "Cy": "Plays without a list"}
    olga.open(f"{DESK}/{stage.one(Player, name='Ada').id}")
    assert "without a list" not in olga.page.part("main"), "a submitted list counts"


def test_waived_list_costs_no_late_points(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo")
    with stage.changing(event):
        event.restrictions = as_document(Restrictions(late_points=2))
    olga.open(f"{DESK}/{stage.one(Player, name='Ada').id}")
    olga.press("Play without a list")
    stage.publish(event, 1)
    terms, event = play_queries.terms_of(stage.s, event), stage.now(event)
    points = {one.name: list_points(event, one, [], terms).points for one in stage.all(Player)}
    assert points == {"Ada": 0, "Bo": -2}


def test_every_page_counts_the_same_players_without_a_list(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di")
    store_force(stage, "Ada")
    store_force(stage, "Bo")
    store_force(stage, "Cy", TWO_PIPERS, submit=False)
    olga.open("/e/iron-open/desk/lists")
    olga.press("Waive all missing (2)")
    with stage.changing(event) as s:
        locks.lock_now(s, event, BY, stage.clock())
    bo = stage.one(Player, name="Bo")
    olga.open(f"{DESK}/{bo.id}")
    olga.press("Send back with this note and unlock", **{"b-note": "Which Piper?"})
    olga.press("Play without a list")
    assert "Plays without a list 3" in olga.open(DESK).part("nav.filters")
    page = visitor.open("/e/iron-open/lists")
    assert "3 players play without a list" in page.text
    assert len(page.soup.select(".list-entry")) == 1, "a list that was sent back and waived is not being changed"
    assert "Plays without a list" in visitor.open(f"/e/iron-open/players/{bo.id}").part("#force")


def test_page_before_the_lock_names_every_list_that_is_not_in_order(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di", "Eve")
    store_force(stage, "Ada")
    store_force(stage, "Bo", submit=False)
    store_force(stage, "Eve")
    with stage.changing(event):
        stage.one(ForceList, player_id=stage.one(Player, name="Eve").id).document = stage_illegal(stage)
    olga.open(f"{DESK}/{stage.one(Player, name='Di').id}")
    olga.press("Play without a list")
    olga.open(DESK)
    page = olga.open(f"{DESK}/lock")
    main = page.part("main")
    parts = ("No list (1)", "Cy", "Drafts that will not count (1)", "Bo", "Not legal (1)", "Eve", "Without a list: Di")
    assert [main.index(part) for part in parts] == sorted(main.index(part) for part in parts)
    assert "Ada" not in main
    assert olga.press("Let both play without a list").path == f"{DESK}/lock"
    counts = {one.get_text(" ", strip=True) for one in olga.open(DESK).soup.select(".filters a")}
    assert {"Plays without a list 3", "Draft 1", "Illegal 1"} <= counts
    assert not any(one.startswith("No list") for one in counts), "who plays without a list is counted once"
    olga.open(f"{DESK}/lock")
    assert olga.press("Lock 2 lists now").flashes == "2 lists locked."
    assert "2 lists locked: everybody can read them" in olga.page.part(".lede")
    assert stage.journal(event, "lock-lists") == ["Locked 2 lists"]
    page = olga.open(f"/e/iron-open/players/{stage.one(Player, name='Di').id}")
    assert "Plays without a list" in page.part("#force")
    locked = [cell.get_text(strip=True) for cell in olga.open(DESK).soup.select("td[data-label=Lock]")]
    assert locked.count("Locked") == 2, "who plays without a list has nothing that is locked"
    assert olga.open(f"{DESK}/lock").path == DESK, "there is nothing to lock"


def stage_illegal(stage: Stage) -> dict[str, object]:
    document = dict(stage.one(ForceList, player_id=stage.one(Player, name="Ada").id).document)
    return document | {"models": [dict(one) for one in document["models"] * 2]}


def test_missing_lists_are_no_alarm_once_games_are_played(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo")
    assert olga.open("/e/iron-open/desk").soup.select("#group-no_list.ready-bad")
    stage.publish(event, 1)
    assert olga.open("/e/iron-open/desk").soup.select("#group-no_list.ready-off")


def test_check_in_rows_show_the_lists_to_readers_of_lists(app: Flask, olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", here=False)
    store_force(stage, "Ada")
    page = olga.open("/e/iron-open/desk/door")
    assert [one.get_text(" ", strip=True) for one in page.soup.select("#expected .badge")] == ["Legal", "No list"]
    page = let_in(app, stage.hire(event, "Hal", Role.CHECK_IN)).open("/e/iron-open/desk/door")
    assert not page.soup.select("#expected .badge")


def test_players_without_a_list_are_named_where_lists_are_read(
    enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    enter(event, "Ada", "Bo")
    _, bo = stage.all(Player)
    store_force(stage, "Ada")
    with stage.changing(event):
        bo.list_waived_at = stage.clock()
        event.lists_locked_at = event.lists_revealed_at = stage.clock()
    page = visitor.open("/e/iron-open/lists")
    assert "1 player plays without a list: Bo ." in page.text
    assert "sha256sum" in page.part("main > details:last-of-type"), "folded away"
