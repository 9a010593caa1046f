"""Results from paper: typed by table or code, Enter by Enter, and a second time blind by somebody else."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask

from events.results.actions import mark
from models.event import Event
from models.play import Absent, Game, GameState, Report
from models.sheet_reading import SheetReading
from models.staff import Role
from tests.kit.person import Page, Person
from tests.kit.stage import PASSWORD, Stage

Enter = Callable[..., list[Person]]
ROUND = "/e/iron-open/desk/rounds/1"


@dataclass(frozen=True)
class Desk:
    """A published round of four players, Hold the Line at both tables, and whoever types."""

    olga: Person
    players: dict[str, Person]
    stage: Stage
    event: Event

    def game(self, table: int) -> Game:
        """The game at a table as it is stored now."""
        return next(game for game in self.stage.games(self.event, 1) if game.table_number == table)

    def type(self, who: Person, table: int | str, button: str = "Store", page: str = "entry", **answers: str) -> Page:
        """Open a sheet, fill its boxes in, press Enter."""
        who.open(f"{ROUND}/{page}?table={table}")
        return who.press(button, **answers)

    def side(self, table: int, side: str) -> Person:
        """The player of a side, with the own browser."""
        game = self.game(table)
        return self.players[self.stage.name(game.a_id if side == "a" else game.b_id)]


@pytest.fixture
def desk(olga: Person, stage: Stage, enter: Enter) -> Desk:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    names = ("Ada", "Bo", "Cy", "Di")
    people = dict(zip(names, enter(event, *names), strict=True))
    stage.publish(event, 1)
    return Desk(olga, people, stage, event)


@pytest.fixture
def pia(app: Flask, desk: Desk) -> Person:
    """A second organiser of the event."""
    desk.stage.hire(desk.event, "Pia", Role.ORGANISER)
    pia = Person(app)
    pia.open("/sign-in")
    pia.press("Sign in", name="Pia", password=PASSWORD)
    return pia


def test_a_sheet_is_found_by_its_table_and_by_its_code(desk: Desk) -> None:
    page = desk.olga.open(f"{ROUND}/entry")
    assert "0 of 2 tables are in." in page.text
    assert page.part("#left") == "1, 2"
    code = desk.game(2).code
    for typed in ("2", " 2 ", "Table 2", "t2", code, f"{code[:4].lower()}-{code[4:]}"):
        page = desk.olga.open(f"{ROUND}/entry?table={typed}")
        assert "Table 2" in page.part("#sheet-head")
        for player in (desk.game(2).a_id, desk.game(2).b_id):
            assert desk.stage.name(player) in page.part(".sheet .lede")
    for typed, words in (("3", "Nobody plays at table 3 in round 1: the last is 2."), ("nonsense", "Type the table"),
                         ("", "Type the table"), ("٣", "Type the table"), ("9" * 20, "Type the table")):  # fmt: skip
        page = desk.olga.open(f"{ROUND}/entry?table={typed}")
        assert (page.status, words in page.error_at("table")) == (404, True)


def test_the_boxes_stand_as_on_paper_and_the_first_has_the_focus(desk: Desk) -> None:
    page = desk.olga.open(f"{ROUND}/entry?table=1")
    boxes = [str(box["name"]) for box in page.soup.select(".sheet-form input.num")]
    rounds = [f"r{number}" for number in range(2, 7)]
    sides = [f"{side}.{key}" for side in "ab" for key in rounds]
    assert boxes == [*sides, "a.objectives", "b.objectives"]
    assert [str(box.get("name")) for box in page.soup.select("[autofocus]")] == ["a.r2"]
    page = desk.olga.open(f"{ROUND}/entry")
    assert [str(box.get("name")) for box in page.soup.select("[autofocus]")] == ["table"]


def test_what_is_stored_counts_and_the_next_table_is_asked_for(desk: Desk) -> None:
    page = desk.type(desk.olga, 2, a__r2="2", b__objectives="3")
    assert page.path == f"{ROUND}/entry"
    assert "Table 2 stored: " in page.flashes
    assert "2 : 3" in page.flashes
    assert "1 of 2 tables are in." in page.text
    assert page.part("#left") == "1"
    game = desk.game(2)
    assert (game.state, game.answers) == (GameState.CONFIRMED, {"a.r2": 2, "b.objectives": 3})
    report = desk.stage.one(Report)
    assert (report.from_paper, report.by) == (True, "owner Olga")


def test_the_impossible_is_refused_at_its_box_and_the_rest_is_kept(desk: Desk) -> None:
    before = desk.stage.digest()
    page = desk.type(desk.olga, 1, a__r3="3", b__r5="1")
    assert (page.status, page.value("b.r5"), page.value("a.r3")) == (422, "1", "3")
    assert "3 VP, at most 2 can be" in page.error_at("a.r3")
    assert [str(box.get("name")) for box in page.soup.select("[autofocus]")] == ["a.r3"]
    for typed in ("two", "1.5", "9" * 5000, "-1", "٣³"):
        page = desk.type(desk.olga, 1, a__r3=typed)
        assert page.status == 422
        assert page.error_at("a.r3")
    assert desk.stage.digest() == before


def test_the_odd_is_asked_once(desk: Desk) -> None:
    page = desk.type(desk.olga, 1)
    assert (page.status, "Nobody scored" in page.part(".verdict.query")) == (422, True)
    assert desk.olga.press("Store").status == 422
    assert desk.olga.press("Store", sure=True).path == f"{ROUND}/entry"
    assert desk.game(1).state == GameState.CONFIRMED


def test_what_a_player_reported_otherwise_is_asked(desk: Desk) -> None:
    desk.side(1, "a").open("/e/iron-open/me/game")
    desk.side(1, "a").press("Send the result", a__r2="2")
    name = desk.stage.name(desk.game(1).a_id)
    page = desk.type(desk.olga, 1, a__r2="1")
    assert f"{name} reported 2 : 0, the sheet says 1 : 0." in page.part(".verdict.query")
    desk.olga.press("Store", sure=True)
    assert (desk.game(1).state, (desk.game(1).answers or {})["a.r2"]) == (GameState.CONFIRMED, 1)


def test_what_a_player_reported_alike_is_stored_without_asking(desk: Desk) -> None:
    desk.side(1, "b").open("/e/iron-open/me/game")
    desk.side(1, "b").press("Send the result", a__r2="2")
    assert "Table 1 stored" in desk.type(desk.olga, 1, a__r2="2").flashes


def test_a_dispute_and_a_confirmed_table_are_not_typed_over(desk: Desk) -> None:
    for side, answers in (("a", {"a__r2": "2"}), ("b", {"a__r2": "1"})):
        person = desk.side(1, side)
        person.open("/e/iron-open/me/game")
        person.press("Send the result" if side == "a" else "Send my report", **answers)
    page = desk.olga.open(f"{ROUND}/entry?table=1")
    assert "a judge decides this table" in page.part(".sheet")
    assert not page.soup.select_one(".sheet-form")
    desk.type(desk.olga, 2, a__r2="2")
    page = desk.olga.open(f"{ROUND}/entry?table=2")
    assert "2 : 0" in page.part(".sheet .verdict")
    assert "Correct it" in page.part(".sheet .verdict")


def test_a_no_show_is_a_judges_and_not_typed_over(desk: Desk) -> None:
    form = desk.olga.open(f"{ROUND}/entry?table=1")
    with desk.stage.changing(desk.event) as s:
        mark(s, desk.event, desk.game(1), Absent.B)
    desk.olga.page = form
    page = desk.olga.forge("Store", a__r2="2", version=str(desk.game(1).version))
    assert "Somebody did not come to this game." in page.text
    assert (desk.game(1).absent, desk.stage.all(Report)) == (Absent.B, [])


def test_a_result_that_came_meanwhile_is_shown_beside_what_was_typed(desk: Desk) -> None:
    desk.olga.open(f"{ROUND}/entry?table=1")
    desk.stage.decide(desk.event, desk.game(1), 5, 0)
    page = desk.olga.press("Store", a__r2="2", b__r3="1")
    assert page.status == 409
    assert "5 : 0" in page.part(".errors")
    assert (page.value("a.r2"), page.value("b.r3")) == ("2", "1")
    page = desk.olga.press("See what it would change")
    assert "5 : 0" in page.part("#look")
    assert "2 : 1" in page.part("#look")


def test_a_sheet_of_another_round_or_event_is_told(desk: Desk, stage: Stage) -> None:
    for game in stage.games(desk.event, 1):
        stage.decide(desk.event, game, 3, 1)
    old = stage.games(desk.event, 1)[0]
    stage.publish(desk.event, 2)
    page = desk.olga.open(f"/e/iron-open/desk/rounds/2/entry?table={old.code}")
    assert (page.path, page.flashes) == (f"{ROUND}/entry", "This sheet is of round 1.")
    other = stage.event("Rust Cup")
    stage.enter(other, "Ed", "Fay")
    (foreign,) = stage.publish(other, 1)
    page = desk.olga.open(f"{ROUND}/entry?table={foreign.code}")
    assert "another event" in page.error_at("table")
    before = stage.digest()
    desk.olga.open(f"{ROUND}/second-pass")
    token = desk.olga.open("/e/iron-open/desk/rounds/2/entry?table=1").value("csrf_token")
    for raw in (str(foreign.id), "", "x", "9" * 30):
        sent = {"csrf_token": str(token), "game": raw, "version": "0", "a.r2": "1"}
        assert desk.olga.http.post(f"{ROUND}/entry", data=sent).status_code == 404
    assert stage.digest() == before


# ---- the second pass


def test_the_second_pass_is_blind_and_another_persons(desk: Desk, pia: Person) -> None:
    desk.type(desk.olga, 1, a__r2="2", b__r4="1")
    page = desk.olga.open(f"{ROUND}/second-pass?table=1")
    assert "You entered this table yourself" in page.part(".sheet")
    assert not page.soup.select_one(".sheet-form")
    page = pia.open(f"{ROUND}/second-pass?table=1")
    assert [page.value(key) for key in ("a.r2", "b.r4")] == ["", ""]
    assert "2 : 1" not in page.text
    page = pia.press("Compare", a__r2="2", b__r4="1")
    assert "Table 1 verified" in page.flashes
    reading = desk.stage.one(SheetReading)
    assert (reading.agrees, reading.by) == (True, "organiser Pia")
    assert "verified 1 of 2" in pia.open(f"{ROUND}/results").part(".lede")


def test_a_second_pass_that_differs_shows_both_and_changes_nothing(desk: Desk, pia: Person) -> None:
    desk.type(desk.olga, 1, a__r2="2", b__r4="1")
    page = desk.type(pia, 1, "Compare", "second-pass", a__r2="1", b__r4="1")
    assert "The two passes differ" in page.text
    ((_, stored, typed),) = page.rows(".beside")
    assert (stored, typed) == ("2", "≠ 1")
    assert (desk.game(1).answers or {})["a.r2"] == 2
    results = pia.open(f"{ROUND}/results?show=differs")
    assert "Second pass differs" in results.part("#table-1")
    desk.type(pia, 1, "Compare", "second-pass", a__r2="2", b__r4="1")
    assert "Verified" in pia.open(f"{ROUND}/results").part("#table-1")


def test_a_difference_goes_on_to_a_correction(desk: Desk, pia: Person) -> None:
    desk.type(desk.olga, 1, a__r2="2", b__r4="1")
    desk.type(pia, 1, "Compare", "second-pass", a__r2="0", b__r4="1")
    page = pia.press("Correct it: see what changes")
    assert "2 : 1" in page.part("#look")
    assert "0 : 1" in page.part("#look")


def test_a_corrected_result_is_not_verified_any_more(desk: Desk, pia: Person) -> None:
    desk.type(desk.olga, 1, a__r2="2")
    desk.type(pia, 1, "Compare", "second-pass", a__r2="2")
    assert "verified 1 of 2" in pia.open(f"{ROUND}/results").part(".lede")
    desk.stage.decide(desk.event, desk.game(1), 1, 0)
    assert "verified 0 of 2" in pia.open(f"{ROUND}/results").part(".lede")


def test_an_event_may_allow_the_same_person(desk: Desk) -> None:
    desk.type(desk.olga, 1, a__r2="2")
    desk.olga.open(f"{ROUND}/results")
    assert "may be the same person’s" in desk.olga.press("Allow the same person").flashes
    assert "verified" in desk.type(desk.olga, 1, "Compare", "second-pass", a__r2="2").flashes
    desk.olga.open(f"{ROUND}/results")
    desk.olga.press("Ask for another person")
    assert len(desk.stage.journal(desk.event, "second-pass-rule")) == 2


def test_what_two_players_confirmed_may_be_verified_by_anybody(desk: Desk) -> None:
    desk.side(2, "a").open("/e/iron-open/me/game")
    desk.side(2, "a").press("Send the result", b__r2="1")
    assert "enter it first" in desk.olga.open(f"{ROUND}/second-pass?table=2").part(".sheet")
    desk.side(2, "b").open("/e/iron-open/me/game")
    desk.side(2, "b").press("Yes, that is right")
    assert "Table 2 verified" in desk.type(desk.olga, 2, "Compare", "second-pass", b__r2="1").flashes


# ---- the results page


def test_every_table_stands_with_its_state_and_its_cure(desk: Desk) -> None:
    assert "0 of 2 tables decided" in desk.olga.open(f"{ROUND}/results").part(".lede")
    person = desk.side(1, "a")
    person.open("/e/iron-open/me/game")
    person.press("Send the result", a__r2="2")
    name = desk.stage.name(desk.game(1).a_id)
    page = desk.olga.open(f"{ROUND}/results?show=one-side")
    assert [row[0] for row in page.rows(".results-desk")] == ["1"]
    assert f"{name} reported" in page.part("#table-1")
    page = desk.olga.press("Confirm what was reported of table 1")
    assert (page.path, desk.game(1).state) == (f"{ROUND}/results", GameState.CONFIRMED)
    assert "No table is like that now." in page.text
    page = desk.olga.open(f"{ROUND}/results?show=playing")
    assert [row[0] for row in page.rows(".results-desk")] == ["2"]


def test_confirming_a_report_that_changed_meanwhile_is_refused(desk: Desk) -> None:
    person = desk.side(1, "a")
    person.open("/e/iron-open/me/game")
    person.press("Send the result", a__r2="2")
    desk.olga.open(f"{ROUND}/results")
    person.open("/e/iron-open/me/game")
    person.press("Send the result", a__r2="1")
    page = desk.olga.press("Confirm what was reported of table 1")
    assert "Somebody else reported this game" in page.flashes
    assert desk.game(1).state == GameState.REPORTED
