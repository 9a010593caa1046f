"""Results on every page and sheet: the winner and the ending; scoresheets, filled in and blank."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from events.papers.records import reported_rows
from events.papers.scoresheets import blank_sheet
from events.results.forms import printed_label, scores_by_losses
from events.rounds.formats import send_through
from events.tournament.endings import Awarded, Ending
from events.tournament.scores import PLAYED_OUT, Ended
from models.event import Event
from models.play import Through
from tests.kit.formats import knockout_of
from tests.kit.papers import codes, page_texts, plain, texts
from tests.kit.people import let_in
from tests.kit.person import PREVIEW, Enter, Page, Person
from tests.kit.stage import ReportSide, Role, Stage
from tests.kit.tables import HOME, Table, seat
from tests.pdf.samples import scoresheets
from validators import SYSTEMS
from validators.scenario import OPEN_END, Answers, Scenario

A, B, DESK = ReportSide.A, ReportSide.B, ReportSide.ORGANISER


def report(table: Table, side: ReportSide, answers: Answers, how: Ended = PLAYED_OUT) -> None:
    by = {A: table.name("a"), B: table.name("b")}.get(side, "organiser Olga")
    table.stage.report(table.event, table.game, side, answers, by=by, how=how)


def text(page: Page) -> str:
    (found,) = texts(page)
    return found


def test_desk_and_both_players_print_what_was_reported(tables: list[Table], olga: Person, visitor: Person) -> None:
    table, other = tables
    sheet, records = f"{HOME}/games/{table.game_id}/sheet.pdf", f"{HOME}/desk/rounds/1/records.pdf"
    figures = {"a.r2": 2, "a.objectives": 3, "b.r3": 1, "b.objectives": 0}
    report(table, A, figures)
    pages = (table.a.open(sheet), olga.open(sheet), olga.open(records))
    assert {page.status for page in pages} == {404}, "not confirmed yet"
    report(table, B, figures)
    a, b = table.name("a"), table.name("b")
    for page in (table.a.open(sheet), olga.open(sheet), olga.open(records), olga.open(f"{records}?each=2")):
        found = text(page)
        for words in (
            f"Winner: {a}", f"Reported by {a} on ", f"Confirmed by {b} on ", "RECORD",
        ):  # fmt: skip
            assert words in found
        assert "Scoring" not in found, "a record says what happened"
        assert found.count("5 VP · Won") == found.count("Winner") == 1, "the result is said once"
        assert "Result 5 VP · Won 1 VP · Lost" in found, "each side's below its own VP"
        assert not [words for words in ("Report these", "tick", "0–", "Ended early") if words in found]
        assert codes(page) == [] and table.game.code[:5] not in found, "it links to no form any more"
        assert "Corrected" not in found and "not confirmed yet" not in found
    forbidden = (other.a.open(sheet), visitor.open(sheet), table.a.open(records))
    assert [page.status for page in forbidden] == [403, 403, 403]
    links = table.a.open(f"{HOME}/games/{table.game_id}").soup.select("main a")
    assert sheet in [str(link["href"]) for link in links]
    assert records in "".join(str(link["href"]) for link in olga.open(f"{HOME}/desk/print").soup.select(".sheets a"))


def test_sheet_shows_corrections_decisions_and_endings(tables: list[Table], olga: Person) -> None:
    table = tables[0]
    a, b = table.name("a"), table.name("b")
    figures = {"a.objectives": 4, "b.objectives": 1}
    for side in (A, B):
        report(table, side, figures)
    report(table, DESK, figures, Ended(Ending.DECIDED, Awarded.B, "An illegal model."))
    sheet = f"{HOME}/games/{table.game_id}/sheet.pdf"
    found = text(olga.open(sheet))
    for words in (
        "4 : 1", f"Winner: {b}", "Decided by a judge: An illegal model.", "Corrected",
        f"Before: 4 : 1, {a} wins.", "Confirmed",
    ):  # fmt: skip
        assert words in found
    assert found.index("Confirmed") < found.index("Corrected"), "in the order in which it happened"
    for how, words, winner in (
        (Ending.UNFINISHED, "Unfinished when time was called", f"Winner: {a}"),
        (Ending.CONCEDED_A, f"{a} conceded.", f"Winner: {b}"),
        (Ending.NOT_PLAYED, "Not played: both players were present.", "Nobody has won"),
    ):
        report(table, DESK, {} if how == Ending.NOT_PLAYED else figures, Ended(how))
        found = text(olga.open(sheet))
        assert words in found and found.count(winner) == 1, how


def test_blank_sheets_for_spare_tables(tables: list[Table], olga: Person) -> None:
    blank = f"{HOME}/desk/rounds/1/blank-sheets.pdf"
    scenario = "Hold the Line"
    pages = olga.open(f"{blank}?count=4")
    assert len(texts(pages)) == 4 and codes(pages) == []
    assert all(scenario in page and "Round 1" in page and "Ada" not in page for page in texts(pages))
    bare = texts(olga.open(f"{blank}?count=4&scenario=none&each=2"))
    assert len(bare) == 4 and not any(scenario in page for page in bare)
    fronts = ["Total VP" in page and "Tick completed markers" in page for page in bare]
    assert fronts == [True, False] * 2, "all its scenarios have these, the backs have lines for notes"
    front, _ = texts(olga.open(f"{blank}?count=1&each=2"))
    assert front.count("A agrees") == 2, "the page is full"
    (whole,) = texts(olga.open(f"{blank}?count=1&scenario=none"))
    assert "Locked Safe" in whole
    for wrong in ("0", "3", "x"):
        assert olga.open(f"{blank}?count={wrong}").status == 404
    assert olga.open(f"{HOME}/desk/rounds/99/blank-sheets.pdf").status == 404


def test_blank_sheets_of_each_scenario_of_the_pool_or_the_tables_are_offered_by_name(
    stage: Stage, event: Event, olga: Person
) -> None:
    def offered() -> dict[str, str]:
        (form,) = olga.open(f"{HOME}/desk/print").soup.select("form.spare")
        return {entry.get_text(): str(entry["value"]) for entry in form.select("[name=scenario] option")}

    known = {scenario.id: scenario.name for scenario in SYSTEMS[event.system].scenarios}
    named = dict(list(known.items())[:3])
    stage.set(event, scenario_pool=list(named), scenario_per_table=True)
    assert offered() == {name: id_ for id_, name in named.items()} | {"left blank": "none"}, "before the draw"
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.publish(event, 1)
    blank = f"{HOME}/desk/rounds/1/blank-sheets.pdf?count=1"
    for id_, name in named.items():
        assert name in text(olga.open(f"{blank}&scenario={id_}"))
    assert olga.open(f"{blank}&scenario={[*known][3]}").status == 404, "this event does not play it"
    (first,) = {game.scenario for game in stage.games(event, 1)[:1]}
    with stage.changing(event):
        event.scenario_pool = [one for one in named if one != first]
    assert first in offered().values(), "a table has it"


def test_blank_sheet_hides_a_drawn_scenario(app: Flask, stage: Stage, event: Event, olga: Person) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    mo = let_in(app, stage.hire(event, "Mo", Role.CHECK_IN))
    address = f"{HOME}/desk/rounds/1/blank-sheets.pdf?count=1"
    scenario = olga.open(f"{HOME}/desk/rounds/1").part("h1").removeprefix("Round 1: ")
    assert scenario in text(olga.open(address)) and scenario not in text(mo.open(address))


def test_sheet_has_a_box_for_every_question(app: Flask, stage: Stage) -> None:
    at = datetime(2026, 11, 20, 14, 5, tzinfo=ZoneInfo("Europe/Berlin"))
    for system in SYSTEMS.values():
        event = stage.event(system.name, game=system.id)
        with app.test_request_context():
            blank = {scenario.id: blank_sheet(event, 1, scenario) for scenario in system.scenarios}
        for scenario, found in zip(
            system.scenarios, page_texts(scoresheets([*blank.values()], "A4", at, 1)), strict=True
        ):
            check_sheet(scenario, found, whole=True)
        most = max(system.scenarios, key=lambda one: len(one.questions))
        sides = page_texts(scoresheets([blank[most.id]], "Letter", at, 2))  # two sheets on a page
        check_sheet(most, " ".join(sides), whole=False)


def check_sheet(scenario: Scenario, found: str, *, whole: bool) -> None:
    where = (scenario.id, whole)
    assert scenario.name in found and scenario.scoring[0][:12] in found, where
    asked = [q for q in scenario.questions if q.side == "a"]
    figures = [q for q in asked if q.kind in ("vp", "figure")]
    least = 1 if any(q.kind == "vp" for q in figures) else 2  # one at most is ticked
    limits = {f"0–{q.most}" for q in figures if least <= q.most < OPEN_END}
    assert [limit for limit in limits if limit not in found] == [], where
    assert ("Hatched: nothing to score" in found) == any(q.most == 0 for q in figures), where
    labels = [printed_label(scenario, q) for q in figures if not q.game_round]
    assert [label for label in labels if label not in found] == [], where
    for question in asked:
        if question.kind == "choice":
            boxed = all(found.count(choice) >= 2 for choice in question.choices)
            assert boxed or found.count(question.label) >= 2, (where, question.label)
        elif question.kind == "objectives" and whole:
            assert "Tick completed markers" in found, where
            assert all(kind in found for kind in scenario.objective_kinds), where
    assert found.count("Total VP") == 1, where
    noted = all(part[1:] in found for part in plain(scenario.round_note).split("; "))
    repeated = not whole or scores_by_losses(scenario)
    assert noted or (repeated and all(plain(line) in found for line in scenario.scoring)), where


CARD = {"card": "red", "follows": "game_lost", "round_number": "1", "reason": "was seen moving a marker twice"}


@pytest.fixture
def table(stage: Stage, enter: Enter) -> Table:
    (table,) = seat(stage, enter)
    stage.decide(table.event, table.game, 3, 1)
    return table


def end(table: Table, how: Ended) -> None:
    answers = {} if how.how == Ending.NOT_PLAYED else {"a.objectives": 3, "b.objectives": 1}
    table.stage.report(table.event, table.game, DESK, answers, how=how)


def check_every_page(table: Table, olga: Person, visitor: Person, winner: str, badge: str) -> None:
    """Check that every page with the result names the winner, with the badge next to it; players read "You"."""
    short = badge.removeprefix(f"{table.name('a')} ").removesuffix(f" {table.name('b')} counts 7 VP")
    for person, address in ((visitor, "rounds/1"), (olga, "desk/rounds/1"), (olga, "desk/rounds/1/results")):
        page = person.open(f"{HOME}/{address}")
        bold = [
            part.text for part in page.soup.select(".result .winner, tr:has(.loser) td:not(.loser) > .row-side .points")
        ]
        assert (bold, badge in page.text) == ([{"a": "3", "b": "1"}[winner]], True), address
    own_a = badge.replace(table.name("a"), "You")
    for side, person, figures in (("a", table.a, "3 : 1"), ("b", table.b, "1 : 3")):
        player = table.game.a_id if side == "a" else table.game.b_id
        word = "win" if side == winner else "loss"
        card = visitor.open(f"{HOME}/players/{player}").part(".path > .card")
        assert f"{word} {figures}" in card and badge in card, card
        own = own_a if side == "a" else badge.replace(f"{table.name('b')} counts", "you count")
        record = person.open(f"{HOME}/me").part(".record-result")
        assert record.startswith(f"{word.capitalize()} {figures}") and own in record, record
    for address in ("hall/pairings", "me", f"games/{table.game_id}", "/g/" + table.game.code):
        person = table.a if address == "me" or address.startswith("games") else visitor
        page = person.open(address if address.startswith("/") else f"{HOME}/{address}")
        assert {"me": own_a, "hall/pairings": short}.get(address, badge).lower() in page.text.lower(), address
    assert badge in olga.open(table.desk).text
    assert visitor.open(f"{HOME}/standings").rows("table")[0][1].startswith(table.name(winner))


def test_pages_name_every_ending(table: Table, olga: Person, visitor: Person) -> None:
    a, b = table.name("a"), table.name("b")
    for how, winner, badge in (
        (Ended(Ending.CONCEDED_A), "b", f"{a} conceded"),
        (Ended(Ending.CONCEDED_B), "a", f"{b} conceded"),
        (Ended(Ending.UNFINISHED), "a", "Unfinished"),
        (Ended(Ending.DECIDED, Awarded.B, "An illegal model."), "b", "Decided by a judge"),
    ):
        end(table, how)
        page = table.a.open(f"{HOME}/games/{table.game_id}")
        words = badge if "conceded" in badge else badge.lower()
        assert page.soup.select(".versions-now")[0].text.strip() == f"3 : 1, {table.name(winner)} wins, {words}"
        assert badge in page.text
    end(table, Ended(Ending.NOT_PLAYED))
    player = visitor.open(f"{HOME}/players/{table.game.a_id}")
    assert player.part(".path-result") == "Not played"
    assert table.a.open(f"{HOME}/me").part(".record-result") == "Not played"
    assert "Not played" in visitor.open(f"{HOME}/hall/pairings").part(".hall-list")
    journal = olga.open(f"{HOME}/desk/journal").text
    assert [words in journal for words in ("not played", f", {a} conceded", ", A conceded")] == [True, True, False]


def test_every_page_shows_a_game_lost_by_a_card(table: Table, olga: Person, visitor: Person) -> None:
    a, b = table.name("a"), table.name("b")
    olga.press("Give", at=f"{HOME}/desk/rulings", player=a, **CARD)
    check_every_page(table, olga, visitor, "b", f"{a} lost by a card")
    look = olga.press(PREVIEW, at=table.desk, a__objectives="4").part("#look .lede")
    assert look.count(f"{b} wins, {a} lost by a card") == 2
    assert f"{a} wins" not in look
    olga.press("Withdraw", at=f"{HOME}/desk/rulings")
    page = table.b.open(f"{HOME}/games/{table.game_id}")
    versions = [" ".join(one.text.split()) for one in page.soup.select(".versions-now")]
    assert versions == [f"3 : 1, {a} wins", f"3 : 1, {b} wins, {a} lost it by a card", f"3 : 1, {a} wins"]
    assert CARD["reason"] not in page.text, "only the player and the staff read a card's reason"
    olga.press("Give", at=f"{HOME}/desk/rulings", player=a, **CARD)
    olga.press("Open this game again", at=table.desk, reason="Typed at the wrong table.")
    for person, objectives in ((table.a, "3"), (table.b, "2")):
        table.send(person, a__objectives=objectives, b__objectives="1")
    readings = olga.open(table.desk).soup.select(".reading-score")
    assert len(readings) > 1
    assert all(f"{b} wins" in reading.text and f"{a} wins" not in reading.text for reading in readings)


def test_conceded_game_says_what_it_counts(table: Table, olga: Person, visitor: Person) -> None:
    def counts(how: Ending, bye_vp: int) -> bool:
        with table.stage.changing(table.event) as s:
            s.get_one(Event, table.event.id).bye_vp = bye_vp
        end(table, Ended(how))
        return "counts" in visitor.open(f"{HOME}/rounds/1").part("table")

    assert counts(Ending.CONCEDED_A, 7)
    check_every_page(table, olga, visitor, "b", f"{table.name('a')} conceded {table.name('b')} counts 7 VP")
    assert table.points()[table.name("b")][1] == 7
    sheet = text(olga.open(f"{HOME}/games/{table.game_id}/sheet.pdf"))
    assert f"{table.name('a')} conceded." in sheet and f"{table.name('b')} counts 7 VP." in sheet
    polish = text(olga.open(f"{HOME}/games/{table.game_id}/sheet.pdf?language=pl"))
    assert not [words for words in ("Winner", "Confirmed by", "Corrected by", "Both sides") if words in polish]
    assert counts(Ending.CONCEDED_B, 7)
    assert not counts(Ending.CONCEDED_B, 2) and not counts(Ending.CONCEDED_A, 1), "the winner scored as many"
    olga.press("Give", at=f"{HOME}/desk/rulings", player=table.name("b"), **CARD)
    assert "counts" not in visitor.open(f"{HOME}/rounds/1").part("table"), "the card's winner scored 3"
    (later,) = table.stage.publish(table.event, 2)
    table.stage.decide(table.event, later, 5, 4)
    assert "counts" not in visitor.open(f"{HOME}/rounds/1").part("table"), "more VP in another round"


def test_bracket_shows_a_game_lost_by_a_card(olga: Person, visitor: Person, stage: Stage) -> None:
    event = knockout_of(stage, 2)
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    a, b = stage.name(game.a_id), stage.name(game.b_id)

    def winners() -> list[str]:
        found = visitor.open(f"{HOME}/bracket").soup.select(".match-side.winner")
        return [name for one in found for name in (a, b) if name in one.text]

    assert winners() == [a]
    olga.press("Give", at=f"{HOME}/desk/rulings", player=a, **CARD)
    assert winners() == [b]
    assert "lost by a card" in visitor.page.text
    stage.report(event, game, DESK, {}, how=Ended(Ending.NOT_PLAYED))
    assert winners() == [b]
    assert "Not played, lost by a card" in visitor.page.text


def test_record_of_a_drawn_knockout_game_says_who_goes_through(olga: Person, stage: Stage) -> None:
    event = knockout_of(stage, 2)
    (game,) = stage.publish(event, 1)
    blank = text(olga.open(f"{HOME}/rounds/1/scoresheets.pdf"))
    assert "Round 1 · Final · 90 minutes" in blank and "Draw" not in blank, "a knockout has no draws"
    stage.decide(event, game, 5, 5)
    sheet = f"{HOME}/games/{game.id}/sheet.pdf"
    assert "Draw" in text(olga.open(sheet))
    stage.do(event, send_through, game, Through.B)
    found, through = text(olga.open(sheet)), f"{stage.name(game.b_id)} wins the final"
    assert found.count(through) == 2 and "Draw" not in found, "in the head and after the VP of both"
    assert "Corrected" not in found, "the first choice corrects nothing"
    assert f"Olga, who sent {stage.name(game.b_id)} through" in olga.open(f"{HOME}/games/{game.id}").text
    for address in ("desk/rounds/1", "desk/rounds/1/results", "rounds/1"):
        assert through in olga.open(f"{HOME}/{address}").part("main"), address
    stage.do(event, send_through, game, Through.A)
    assert "Corrected" in text(olga.open(sheet))


def test_drawn_knockout_game_from_paper_asks_at_once_who_goes_through(app: Flask, olga: Person, stage: Stage) -> None:
    event = knockout_of(stage, 2)
    (game,) = stage.publish(event, 1)
    entry = f"{HOME}/desk/rounds/1/entry"
    assert "who goes through" not in olga.open(entry).text
    stage.decide(event, game, 5, 5)
    winner = stage.name(game.b_id)
    scores = let_in(app, stage.hire(event, "Sue", Role.SCOREKEEPER))
    assert "the organiser decides who wins the game" in scores.open(entry).text
    assert not scores.page.soup.select("#tied")
    page = olga.press(f"{winner} wins the final", at=entry)
    assert page.path == entry and "Saved" in page.flashes
    assert not page.soup.select("#tied") and stage.now(game).goes_through == Through.B


def test_rows_of_records_name_each_answer_once_and_leave_out_what_cannot_be() -> None:
    battles = {scenario.id: scenario for system in SYSTEMS.values() for scenario in system.scenarios}
    answers: Answers = {"a.rout": "Routed", "b.rout": "Stood", "a.lost": 3, "a.leaders": 2, "b.leaders": 1}
    assert reported_rows(battles["open-battle"], answers, ((), ())) == (
        ("Enemy force at the end", "Stood (0 VP)", "Routed (10 VP)"), ("Enemy models lost", "0 VP", "3 VP"),
        ("Enemy models lost with Charisma", "1 × 2 = 2 VP", "2 × 2 = 4 VP"),
    )  # fmt: skip
    answers = {"a.r2": 2, "b.r6": 1, "a.objectives": 1}
    first, *_, last = rows = reported_rows(battles["hold-the-line"], answers, ((), ()))
    assert first == ("Game round 2", "2 VP", "0 VP"), "nothing scores in round 1"
    assert last == ("Markers", "1 VP", "0 VP") and len(rows) == 6
    rows = reported_rows(battles["treasure-hunt"], {"a.chests": 4, "a.left": 1}, ((4, 0), (2, 1)))
    assert rows[:3] == (
        ("Chests opened", "4", "0"),
        ("Left the table first", "yes", "no"),
        ("Own dead, points", "0", "0"),
    )
    assert rows[3:] == (
        ("VP for chests, also locked ones", "4 VP", "2 VP"),
        ("1 if the enemy lost more points", "0 VP", "1 VP"),
    )
