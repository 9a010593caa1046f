"""Results from paper: typed by table or code; and the results page."""

from events.results.actions import FROM_SHEET
from events.results.no_shows import mark_absent
from models.play import Absent, Game, GameState, Report, ReportSide
from tests.kit.person import PREVIEW, Page, Person
from tests.kit.stage import Stage
from tests.kit.tables import ROUND, Table


def enter_sheet(who: Person, table: int | str, button: str = "Store", page: str = "entry", **answers: str) -> Page:
    return who.press(button, at=f"{ROUND}/{page}?table={table}", **answers)


def test_sheet_is_found_by_table_and_by_code(olga: Person, tables: list[Table]) -> None:
    page = olga.open(f"{ROUND}/entry")
    assert "0 of 2 tables decided" in page.text
    assert [(link.get_text(" ", strip=True), link["href"]) for link in page.soup.select("#left a")] == [
        (f"Table {number} {players}", f"{ROUND}/entry?table={number}")
        for number, players in ((1, "Cy Bo"), (2, "Ada Di"))
    ]
    for typed in (" 2 ", "t2", tables[1].game.code):
        page = olga.open(f"{ROUND}/entry?table={typed}")
        assert "Table 2" in page.part("#sheet-head"), typed
        assert all(tables[1].name(side) in page.part(".sheet .lede") for side in "ab")
    unread = "Type the table’s number, or the code printed on its sheet."
    gone = "No game has the code AAAAA-AAAAA: its round may be drawn again since."
    none = "There is no game at table 3 in round 1."
    for typed, words in (("3", none), ("", unread), ("٣", unread), ("AAAAA-AAAAA", gone)):
        page = olga.open(f"{ROUND}/entry?table={typed}")
        assert (page.status, words in page.error_at("table")) == (404, True), typed


def test_boxes_are_in_paper_order_and_the_result_counts(olga: Person, tables: list[Table], stage: Stage) -> None:
    page = olga.open(f"{ROUND}/entry?table=2")
    boxes = [str(box["name"]) for box in page.soup.select(".sheet-form input.num")]
    rounds = [f"r{number}" for number in range(2, 7)]
    assert boxes == [f"{side}.{round_}" for side in "ab" for round_ in (*rounds, "objectives")]
    page = enter_sheet(olga, 2, a__r2="2", b__objectives="3")
    assert page.path == f"{ROUND}/entry"
    assert "Table 2 stored: " in page.flashes and "2 : 3" in page.flashes
    assert ("1 of 2 tables decided" in page.text, page.part("#left")) == (True, "Table 1 Cy Bo")
    game, report = tables[1].game, stage.one(Report)
    assert (game.state, game.answers) == (GameState.CONFIRMED, {"a.r2": 2, "b.objectives": 3})
    assert (report.from_paper, report.by) == (True, "owner Olga")
    verdict = olga.open(f"{ROUND}/entry?table=2").part(".sheet .verdict")
    assert "2 : 3" in verdict and "Correct it" in verdict


def test_what_is_ticked_on_paper_is_ticked_at_the_desk(olga: Person, stage: Stage) -> None:
    event = stage.event("Vault", game="fallout_skirmish", rounds=1, scenario_pool=("objectives",))
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    entry = "/e/vault/desk/rounds/1/entry?table=1"
    boxes = olga.open(entry).soup.select(".sheet-form .sheet-rows input[type=checkbox]")
    assert [str(box["name"]) for box in boxes] == [f"{side}.line{number}" for side in "ab" for number in range(1, 6)]
    page = olga.press("Store", at=entry)
    assert (page.status, "Nobody controls any marker" in page.part(".verdict.query")) == (422, True)
    olga.press("Store", at=entry, a__line5=True, b__line2=True)
    game = stage.one(Game)
    assert (game.state, game.answers) == (GameState.CONFIRMED, {"a.line5": 1, "b.line2": 1})


def test_unusual_or_contradicted_result_needs_confirming(olga: Person, tables: list[Table]) -> None:
    page = enter_sheet(olga, 1)
    doubt = "Nobody scored in the whole game, neither rounds nor objective markers."
    assert (page.status, doubt in page.part(".verdict.query")) == (422, True)
    assert olga.press("Store", sure=True).path == f"{ROUND}/entry"
    table = tables[1]
    table.send(table.a, a__r2="2")
    page = enter_sheet(olga, 2, a__r2="1")
    assert f"{table.name('a')} reported 2 : 0, the sheet says 1 : 0." in page.part(".verdict.query")
    olga.press("Store", sure=True)
    assert [a_table.game.state for a_table in tables] == [GameState.CONFIRMED] * 2
    assert (table.game.answers or {})["a.r2"] == 1


def test_dispute_and_no_show_are_left_to_a_judge(olga: Person, tables: list[Table], stage: Stage) -> None:
    disputed, no_show = tables
    forms = [olga.open(f"{ROUND}/entry?table={number}") for number in (1, 2)]
    disputed.send(disputed.a, a__r2="2")
    disputed.send(disputed.b, a__r2="1")
    page = olga.open(f"{ROUND}/entry?table=1")
    assert "a judge decides this table" in page.part(".sheet")
    for address in ("entry", "results"):
        assert "0 of 2 tables decided" in olga.open(f"{ROUND}/{address}").part("main header"), "a dispute is no result"
    assert not page.soup.select_one(".sheet-form")
    with stage.changing(no_show.event) as s:
        mark_absent(s, no_show.event, s.get_one(Game, no_show.game_id), Absent.B)
    for table, form, why in zip(tables, forms, ("a judge decides this table", "This game has a no-show."), strict=True):
        olga.page = form
        assert why in olga.forge("Store", a__r2="2", version=str(table.game.version)).text
    assert disputed.game.state == GameState.DISPUTED
    assert (no_show.game.absent, no_show.reports) == (Absent.B, [])


def test_newer_result_is_shown_next_to_the_typed_one(olga: Person, tables: list[Table], stage: Stage) -> None:
    olga.open(f"{ROUND}/entry?table=1")
    stage.decide(tables[0].event, tables[0].game, 5, 0)
    page = olga.press("Store", a__r2="2", b__r3="1")
    assert page.status == 409
    assert "5 : 0" in page.part(".errors")
    assert (page.value("a.r2"), page.value("b.r3")) == ("2", "1")
    look = olga.press(PREVIEW).part("#look")
    assert "5 : 0" in look and "2 : 1" in look


def test_sheet_of_another_round_or_event_is_not_stored_here(olga: Person, tables: list[Table], stage: Stage) -> None:
    for table in tables:
        stage.decide(tables[0].event, table.game, 3, 1)
    stage.publish(tables[0].event, 2)
    page = olga.open(f"/e/iron-open/desk/rounds/2/entry?table={tables[0].game.code}")
    assert (page.path, page.flashes) == (f"{ROUND}/entry", "This sheet belongs to round 1.")
    other = stage.event("Rust Cup", players=("Ed", "Fay"))
    (foreign,) = stage.publish(other, 1)
    assert "This sheet belongs to another event." in olga.open(f"{ROUND}/entry?table={foreign.code}").error_at("table")
    with stage.unchanged():
        for raw in (str(foreign.id), "", "x", "9" * 30):
            assert olga.post(f"{ROUND}/entry", game=raw, version="0", **{"a.r2": "1"}).status_code == 404


def test_three_views_of_a_round_lead_to_each_other(olga: Person, tables: list[Table]) -> None:
    views = {"Pairings": "", "Results": "/results", "Enter from paper": "/entry"}
    for label, end in views.items():
        page = olga.open(f"/e/iron-open/desk/rounds/1{end}")
        links = {link.text: link["href"] for link in page.soup.select(".switch a")}
        assert links == {name: f"/e/iron-open/desk/rounds/1{end}" for name, end in views.items()}
        assert (page.part(".switch [aria-current]"), page.part(".tabs [aria-current]")) == (label, "Rounds")


def test_results_page_shows_each_table_with_its_next_step(olga: Person, tables: list[Table], stage: Stage) -> None:
    table, other = tables
    assert "0 of 2 tables decided" in olga.open(f"{ROUND}/results").part("main header")
    table.send(table.a, a__r2="2")
    page = olga.open(f"{ROUND}/results?show=one-side")
    assert [row[0] for row in page.rows(".results-desk")] == ["1"]
    assert f"{table.name('a')} reported" in page.part("#table-1")
    table.send(table.a, a__r2="1")
    confirm = f"Confirm the result of {table.name('a')} against {table.name('b')}"
    page = olga.press(confirm)
    assert "it is left as it is" in page.flashes, "the report has changed"
    assert olga.post(table.desk, do="agree-a", side="a").status_code == 409, "a form without a version"
    assert table.game.state == GameState.REPORTED
    page = olga.press(confirm, at=f"{ROUND}/results?show=one-side")
    assert (page.path, table.game.state) == (f"{ROUND}/results", GameState.CONFIRMED)
    assert "No tables match this filter." in page.text
    assert [row[0] for row in olga.open(f"{ROUND}/results?show=playing").rows(".results-desk")] == ["2"]
    stage.report(table.event, other.game, ReportSide.A, {"a.r2": 2}, origin=FROM_SHEET)
    other.send(other.a, a__r2="1")
    assert " reported, the sheet differs" in olga.open(f"{ROUND}/results").part("#table-2")


def test_paper_entry_is_prefilled_with_a_received_report(olga: Person, table: Table) -> None:
    table.send(table.a, a__r2="2", b__objectives="3")
    page = olga.open(f"{ROUND}/entry?table=1")
    assert f"{table.name('a')} ’s report fills the boxes" in page.part(".sheet-received")
    assert (page.value("a.r2"), page.value("b.objectives"), page.value("b.r3")) == ("2", "3", "0")
    assert "Table 1 stored: " in olga.press("Store").flashes
    stored = {key: figure for key, figure in (table.game.answers or {}).items() if figure}
    assert (table.game.state, stored) == (GameState.CONFIRMED, {"a.r2": 2, "b.objectives": 3})
