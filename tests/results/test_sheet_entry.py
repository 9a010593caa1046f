"""Results from paper: typed by table or code, then verified by a second person; and the results page."""

from dataclasses import dataclass

import pytest
from flask import Flask

from events.results.actions import FROM_SHEET, mark
from models.event import Event
from models.play import Absent, Game, GameState, Report, ReportSide
from models.sheet_reading import SheetReading
from models.staff import Role
from tests.kit.people import let_in
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.kit.tables import ROUND, Enter, Table, seat


@dataclass(frozen=True)
class Desk:
    """A published round of four players, Hold the Line at both tables, and the scorekeeper."""

    olga: Person
    tables: list[Table]

    @property
    def stage(self) -> Stage:
        return self.tables[0].stage

    @property
    def event(self) -> Event:
        return self.tables[0].event

    def game(self, table: int) -> Game:
        return self.tables[table - 1].game

    def type(self, who: Person, table: int | str, button: str = "Store", page: str = "entry", **answers: str) -> Page:
        """Open a sheet, fill in its boxes, press Enter."""
        who.open(f"{ROUND}/{page}?table={table}")
        return who.press(button, **answers)


@pytest.fixture
def desk(olga: Person, stage: Stage, enter: Enter) -> Desk:
    return Desk(olga, seat(stage, enter, "Ada", "Bo", "Cy", "Di"))


@pytest.fixture
def pia(app: Flask, desk: Desk) -> Person:
    """A second organiser of the event."""
    return let_in(app, desk.stage.hire(desk.event, "Pia", Role.ORGANISER))


def focus(page: Page) -> list[str]:
    return [str(box.get("name")) for box in page.soup.select("[autofocus]")]


def test_sheet_is_found_by_table_and_by_code(desk: Desk) -> None:
    page = desk.olga.open(f"{ROUND}/entry")
    assert "0 of 2 tables are in." in page.text
    assert (page.part("#left"), focus(page)) == ("1, 2", ["table"])
    for typed in (" 2 ", "t2", desk.game(2).code):
        page = desk.olga.open(f"{ROUND}/entry?table={typed}")
        assert "Table 2" in page.part("#sheet-head"), typed
        assert all(desk.tables[1].name(side) in page.part(".sheet .lede") for side in "ab")
    for typed, words in (("3", "There is no game at table 3 in round 1."), ("", "Type the table"), ("٣", "Type the")):
        page = desk.olga.open(f"{ROUND}/entry?table={typed}")
        assert (page.status, words in page.error_at("table")) == (404, True), typed


def test_boxes_are_in_paper_order_and_the_result_counts(desk: Desk) -> None:
    page = desk.olga.open(f"{ROUND}/entry?table=2")
    boxes = [str(box["name"]) for box in page.soup.select(".sheet-form input.num")]
    assert boxes == [*(f"{side}.r{number}" for side in "ab" for number in range(2, 7)), "a.objectives", "b.objectives"]
    assert focus(page) == ["a.r2"]
    page = desk.type(desk.olga, 2, a__r2="2", b__objectives="3")
    assert page.path == f"{ROUND}/entry"
    assert "Table 2 stored: " in page.flashes and "2 : 3" in page.flashes
    assert "1 of 2 tables are in." in page.text
    assert page.part("#left") == "1"
    game, report = desk.game(2), desk.stage.one(Report)
    assert (game.state, game.answers) == (GameState.CONFIRMED, {"a.r2": 2, "b.objectives": 3})
    assert (report.from_paper, report.by) == (True, "owner Olga")
    page = desk.olga.open(f"{ROUND}/entry?table=2")
    assert "2 : 3" in page.part(".sheet .verdict") and "Correct it" in page.part(".sheet .verdict")


def test_impossible_figure_is_refused_at_its_box_and_the_rest_is_kept(desk: Desk) -> None:
    before = desk.stage.digest()
    page = desk.type(desk.olga, 1, a__r3="3", b__r5="1")
    assert (page.status, page.value("b.r5"), page.value("a.r3")) == (422, "1", "3")
    assert "3 VP, at most 2 can be" in page.error_at("a.r3")
    assert focus(page) == ["a.r3"]
    for typed in ("1.5", "9" * 5000):
        page = desk.type(desk.olga, 1, a__r3=typed)
        assert page.status == 422 and page.error_at("a.r3")
    assert desk.stage.digest() == before


def test_unusual_or_contradicted_result_needs_confirming(desk: Desk) -> None:
    page = desk.type(desk.olga, 1)
    assert (page.status, "Nobody scored" in page.part(".verdict.query")) == (422, True)
    assert desk.olga.press("Store").status == 422
    assert desk.olga.press("Store", sure=True).path == f"{ROUND}/entry"
    assert desk.game(1).state == GameState.CONFIRMED
    table = desk.tables[1]
    table.send(table.a, a__r2="2")
    page = desk.type(desk.olga, 2, a__r2="1")
    assert f"{table.name('a')} reported 2 : 0, the sheet says 1 : 0." in page.part(".verdict.query")
    desk.olga.press("Store", sure=True)
    assert (desk.game(2).state, (desk.game(2).answers or {})["a.r2"]) == (GameState.CONFIRMED, 1)


def test_dispute_and_no_show_are_left_to_a_judge(desk: Desk) -> None:
    table = desk.tables[0]
    forms = [desk.olga.open(f"{ROUND}/entry?table={number}") for number in (1, 2)]
    table.send(table.a, a__r2="2")
    table.send(table.b, a__r2="1")
    page = desk.olga.open(f"{ROUND}/entry?table=1")
    assert "a judge decides this table" in page.part(".sheet")
    assert not page.soup.select_one(".sheet-form")
    assert "0 of 2 tables decided" in desk.olga.open(f"{ROUND}/results").part(".lede")
    with desk.stage.changing(desk.event) as s:
        mark(s, desk.event, s.get_one(Game, desk.tables[1].game_id), Absent.B)
    for number, why in ((1, "a judge decides this table"), (2, "This game has a no-show.")):
        desk.olga.page = forms[number - 1]
        page = desk.olga.forge("Store", a__r2="2", version=str(desk.game(number).version))
        assert why in page.text
    assert desk.game(1).state == GameState.DISPUTED
    assert (desk.game(2).absent, desk.tables[1].reports) == (Absent.B, [])


def test_newer_result_is_shown_next_to_the_typed_one(desk: Desk) -> None:
    desk.olga.open(f"{ROUND}/entry?table=1")
    desk.stage.decide(desk.event, desk.game(1), 5, 0)
    page = desk.olga.press("Store", a__r2="2", b__r3="1")
    assert page.status == 409
    assert "5 : 0" in page.part(".errors")
    assert (page.value("a.r2"), page.value("b.r3")) == ("2", "1")
    look = desk.olga.press("See what it would change").part("#look")
    assert "5 : 0" in look and "2 : 1" in look


def test_sheet_of_another_round_or_event_is_not_stored_here(desk: Desk, stage: Stage) -> None:
    for table in desk.tables:
        stage.decide(desk.event, table.game, 3, 1)
    stage.publish(desk.event, 2)
    page = desk.olga.open(f"/e/iron-open/desk/rounds/2/entry?table={desk.game(1).code}")
    assert (page.path, page.flashes) == (f"{ROUND}/entry", "This sheet belongs to round 1.")
    other = stage.event("Rust Cup")
    stage.enter(other, "Ed", "Fay")
    (foreign,) = stage.publish(other, 1)
    page = desk.olga.open(f"{ROUND}/entry?table={foreign.code}")
    assert "another event" in page.error_at("table")
    before = stage.digest()
    token = desk.olga.open("/e/iron-open/desk/rounds/2/entry?table=1").value("csrf_token")
    for raw in (str(foreign.id), "", "x", "9" * 30):
        sent = {"csrf_token": str(token), "game": raw, "version": "0", "a.r2": "1"}
        assert desk.olga.http.post(f"{ROUND}/entry", data=sent).status_code == 404
    assert stage.digest() == before


def test_second_pass_is_blind_and_by_another_person(desk: Desk, pia: Person) -> None:
    desk.type(desk.olga, 1, a__r2="2", b__r4="1")
    page = desk.olga.open(f"{ROUND}/second-pass?table=1")
    assert "You entered this table." in page.part(".sheet")
    assert not page.soup.select_one(".sheet-form")
    page = pia.open(f"{ROUND}/second-pass?table=1")
    assert [page.value(key) for key in ("a.r2", "b.r4")] == ["", ""]
    assert "2 : 1" not in page.text
    page = pia.press("Compare", a__r2="2", b__r4="1")
    assert "Table 1 verified" in page.flashes
    reading = desk.stage.one(SheetReading)
    assert (reading.agrees, reading.by) == (True, "organiser Pia")
    assert "verified 1 of 2" in pia.open(f"{ROUND}/results").part(".lede")
    desk.stage.decide(desk.event, desk.game(1), 1, 0)
    assert "verified" not in pia.open(f"{ROUND}/results").part(".lede"), "a correction is not verified"


def test_verify_is_offered_only_to_those_with_permission(desk: Desk, pia: Person) -> None:
    desk.type(desk.olga, 1, a__r2="2")
    table = desk.tables[1]
    table.send(table.a, b__r2="1")
    assert "enter it first" in desk.olga.open(f"{ROUND}/second-pass?table=2").part(".sheet")
    table.send(table.b, b__r2="1")

    def offered(who: Person) -> list[bool]:
        page = who.open(f"{ROUND}/results")
        return ["Verify" in page.part(f"#table-{number}") for number in (1, 2)]

    assert (offered(desk.olga), offered(pia)) == ([False, True], [True, True])
    assert "may be the same person’s" in pia.press("Allow the same person").flashes
    assert offered(desk.olga) == [True, True]
    assert "Table 1 verified" in desk.type(desk.olga, 1, "Compare", "second-pass", a__r2="2").flashes
    assert "Verify" not in pia.open(f"{ROUND}/results").rows(".results-desk")[0][-1], "it is verified"
    pia.press("Require another person")
    assert "Verify" in pia.page.part("#table-2")
    assert len(desk.stage.journal(desk.event, "second-pass-rule")) == 2


def test_second_pass_that_differs_changes_nothing_and_leads_to_a_correction(desk: Desk, pia: Person) -> None:
    desk.type(desk.olga, 1, a__r2="2", b__r4="1")
    page = desk.type(pia, 1, "Compare", "second-pass", a__r2="0", b__r4="1")
    assert "The two passes differ" in page.text
    ((_, stored, typed),) = page.rows(".compared")
    assert (stored, typed) == ("2", "≠ 0")
    assert (desk.game(1).answers or {})["a.r2"] == 2
    look = pia.press("Correct it: see what changes").part("#look")
    assert "2 : 1" in look and "0 : 1" in look
    assert "Second pass differs" in pia.open(f"{ROUND}/results?show=differs").part("#table-1")
    desk.type(pia, 1, "Compare", "second-pass", a__r2="2", b__r4="1")
    assert "Verified" in pia.open(f"{ROUND}/results").part("#table-1")


def test_results_page_shows_each_table_with_its_next_step(desk: Desk) -> None:
    assert "0 of 2 tables decided" in desk.olga.open(f"{ROUND}/results").part(".lede")
    table = desk.tables[0]
    table.send(table.a, a__r2="2")
    page = desk.olga.open(f"{ROUND}/results?show=one-side")
    assert [row[0] for row in page.rows(".results-desk")] == ["1"]
    assert f"{table.name('a')} reported" in page.part("#table-1")
    table.send(table.a, a__r2="1")
    page = desk.olga.press("Confirm what was reported of table 1")
    assert "Another report of this game" in page.flashes, "the report has changed"
    assert desk.game(1).state == GameState.REPORTED
    desk.olga.open(f"{ROUND}/results?show=one-side")
    page = desk.olga.press("Confirm what was reported of table 1")
    assert (page.path, desk.game(1).state) == (f"{ROUND}/results", GameState.CONFIRMED)
    assert "No tables match this filter." in page.text
    page = desk.olga.open(f"{ROUND}/results?show=playing")
    assert [row[0] for row in page.rows(".results-desk")] == ["2"]
    other = desk.tables[1]
    desk.stage.report(desk.event, other.game, ReportSide.A, {"a.r2": 2}, origin=FROM_SHEET)
    other.send(other.a, a__r2="1")
    assert "the sheet differs" in desk.olga.open(f"{ROUND}/results").part("#table-2")


def test_paper_entry_is_prefilled_with_a_received_report(desk: Desk) -> None:
    table = desk.tables[0]
    table.send(table.a, a__r2="2", b__objectives="3")
    page = desk.olga.open(f"{ROUND}/entry?table=1")
    assert f"{table.name('a')} ’s report fills the boxes" in page.part(".sheet-received")
    assert (page.value("a.r2"), page.value("b.objectives"), page.value("b.r3")) == ("2", "3", "0")
    assert "Table 1 stored: " in desk.olga.press("Store").flashes
    stored = {key: figure for key, figure in (desk.game(1).answers or {}).items() if figure}
    assert (desk.game(1).state, stored) == (GameState.CONFIRMED, {"a.r2": 2, "b.objectives": 3})
    assert not desk.olga.open(f"{ROUND}/entry?table=2").soup.select(".sheet-received")
