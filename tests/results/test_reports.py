"""Results: reported by one player, answered by the other, decided at the desk, sent with a sheet; judges called."""

from threading import Thread
from urllib.parse import quote

import pytest
from flask import Flask

from events.accounts.limits import CALLS
from models.call import JudgeCall
from models.play import Game, GameState, Report
from tests.kit.person import SEND_REPORT, SEND_RESULT, Enter, Page, Person, words
from tests.kit.stage import Stage
from tests.kit.statements import listening, sent
from tests.kit.tables import HOME, MINE, OUTBOX, ROUND, Table, form_of, seat

pytestmark = pytest.mark.fast


def stored(table: Table, key: str) -> tuple[GameState, object]:
    game = table.game
    return game.state, (game.answers or {})[key]


def scorecard(person: Person, address: str = f"{HOME}/me") -> tuple[str, ...]:
    """The reader, the figures and the opponent, without their portraits."""
    card = person.open(address).soup.select_one(".scorecard")
    assert card is not None
    for portrait in card.select(".av"):
        portrait.decompose()
    return tuple(" ".join(part.get_text(" ").split()) for part in card.select(":scope > :is(span, a)"))


def test_equal_reports_confirm_the_result(table: Table) -> None:
    typed_at_once = table.b.open(MINE)
    page = table.send(table.a, a__r2="2", a__objectives="3", b__r3="1")
    assert "Saved. Now your opponent confirms it on their own page." in page.flashes
    a, b = table.name("a"), table.name("b")
    assert scorecard(table.a) == ("You", "5 : 1 You win", b)
    assert "Waiting for your opponent to confirm." in table.a.page.part("#own-result")
    page = table.b.open(f"{HOME}/me")
    assert scorecard(table.b) == ("You", "1 : 5 You lose", a) == scorecard(table.b, MINE)
    assert "Reported by your opponent." in page.part("#own-result")
    assert "Check 1 : 5" in page.text
    table.b.page = typed_at_once
    page = table.b.press(SEND_RESULT, a__r2="2", a__objectives="3", b__r3="1")
    assert "Saved: the result is confirmed." in page.flashes
    assert table.game.state == GameState.CONFIRMED
    assert table.points() == {a: (3, 5), b: (0, 1)}
    assert [side for side, _ in table.reports] == ["a", "b"]
    assert table.a.open(MINE).path == f"{HOME}/me", "nothing more to report"


def test_player_corrects_a_report_and_the_opponent_agrees_once(table: Table) -> None:
    form = table.a.open(MINE)
    for _ in range(2):
        table.a.page = form
        assert table.a.press(SEND_RESULT, a__r2="2").path == f"{HOME}/me"
    assert (len(table.reports), table.game.version) == (1, 1), "a repeated submission is stored once"
    assert len(table.stage.journal(table.event, "report")) == 1
    assert "Is this right?" in table.b.open(MINE).part("h1")
    assert table.a.open(MINE).value("a.r2") == "2", "the form starts with the report"
    table.a.press(SEND_RESULT, a__r2="1")
    page = table.b.agree()
    assert (page.status, "0 : 1" in page.text) == (409, True), "it is not the report that was shown"
    assert stored(table, "a.r2") == (GameState.REPORTED, 1)
    assert "Saved: the result is confirmed." in table.b.agree().flashes
    table.b.page = page
    assert table.b.agree().path == f"{HOME}/me"
    assert [(side, answers["a.r2"]) for side, answers in table.reports] == [("a", 2), ("a", 1), ("b", 1)]


def test_nobody_agrees_to_their_own_report_or_to_none(table: Table, olga: Person) -> None:
    for person, address, button in ((table.a, MINE, SEND_RESULT), (olga, table.desk, "Save")):
        page = person.forge(button, at=address, do="agree-b")
        assert (page.status, "There is no report to agree to yet." in page.text) == (422, True)
    table.send(table.a, a__r2="2")
    assert not any("Yes, that is right" in button.text for button in table.a.open(MINE).soup.find_all("button"))
    for button, why in (("agree-a", "This is your own report."), ("agree-b", "There is no report to agree to yet.")):
        assert why in table.a.forge(SEND_RESULT, do=button).text
    assert len(table.reports) == 1


def test_organiser_decides_a_dispute_with_a_reason(table: Table, olga: Person, visitor: Person) -> None:
    table.send(table.a, a__r2="2")
    page = table.send(table.b, a__r2="1", b__r2="1")
    assert "The two reports differ: talk to your opponent, or the organiser decides." in page.flashes
    assert (table.game.state, table.game.answers) == (GameState.DISPUTED, None)
    assert "Disputed" in visitor.open(f"{HOME}/rounds/1").part(".pairings")
    assert "1 result disputed" in olga.open(f"{HOME}/desk").part("#group-disputed summary")
    page = olga.open(table.desk)
    assert [words(score)[:5] for score in page.soup.select(".board.answer .reading-score")] == ["2 : 0", "1 : 1"]
    assert not page.soup.select("input[name='a.r2'][checked], input[name='b.r2'][checked]"), "nobody decided these yet"
    assert page.soup.select("#reason[required]") and not page.soup.select("#take-reason[required]")
    page = olga.press("Decide", a__r2="1", reason="Both looked at the sheet.")
    assert (page.status, table.game.state) == (422, GameState.DISPUTED)
    assert "The reports differ here: choose a figure." in page.part("form.report")
    page = olga.press("Decide", a__r2="1", b__r2="0", reason="")
    wrong = page.part("form.report .field-wrong")
    assert (page.status, "Give the reason for the decision: both players read it." in wrong) == (422, True)
    page = olga.press("Decide", inside="form.report", reason="Both looked at the sheet.")
    assert (page.path, page.flashes) == (f"{HOME}/desk/rounds/1", "Table 1: the result is confirmed.")
    assert table.game.state == GameState.CONFIRMED
    assert table.points() == {table.name("a"): (3, 1), table.name("b"): (0, 0)}


def marked(page: Page) -> set[str]:
    """The fields whose figure is not the other report's."""
    return {str(tag["name"]) for part in page.soup.select(".field-changed") for tag in part.select("input, select")}


def test_contesting_starts_from_the_opponents_figures_and_marks_the_changed_ones(table: Table) -> None:
    table.send(table.a, a__r2="2", a__objectives="3")
    page = table.b.open(MINE)
    assert (page.value("a.r2"), page.value("a.objectives")) == ("2", "3")
    assert not page.soup.select(".field-changed")
    page = table.b.press(SEND_REPORT)
    assert (page.status, table.game.state) == (422, GameState.REPORTED)
    assert f"These are {table.name('a')}’s figures, unchanged." in page.errors
    page = table.b.press(SEND_REPORT, a__r2="1", a__r3="2", b__r3="2")
    assert (page.status, marked(page)) == (422, {"a.r2", "a.r3", "b.r3"})
    page = table.b.press(SEND_REPORT, a__r3="0", b__r3="0")
    assert table.game.state == GameState.DISPUTED
    assert marked(table.b.open(MINE)) == {"a.r2"}
    assert marked(table.a.open(MINE)) == {"a.r2"}


def test_slip_is_a_guess_next_to_the_report_that_may_have_it(table: Table, olga: Person) -> None:
    a, b = table.name("a"), table.name("b")
    table.send(table.a, a__r2="1", a__r4="1")
    table.send(table.b, a__r2="1", a__r3="1", a__r4="2")
    olga.open(table.desk)
    items = {
        str(item.button["aria-label"]): words(item)
        for item in olga.page.soup.select(".answers li.board")
        if item.button
    }
    slip = f"Perhaps {b} wrote running totals for {a} instead of each game round’s figure."
    assert slip in items[f"Accept {b}’s report"]
    assert "Perhaps" not in items[f"Accept {a}’s report"]


def test_dispute_ends_when_one_side_accepts_the_other_report(table: Table) -> None:
    table.send(table.a, a__r2="2")
    table.send(table.b, a__r2="0", b__r2="2")
    assert "See both reports" in table.a.open(f"{HOME}/me").text
    assert table.a.open(MINE).part("h1") == "The two reports differ"
    table.a.press(f"Accept {table.name('b')}’s report")
    assert stored(table, "b.r2") == (GameState.CONFIRMED, 2)


def test_outdated_form_is_refused_and_keeps_what_was_typed(table: Table) -> None:
    assert table.a.post(MINE, **{"a.r2": "1"}).status_code == 409
    table.a.open(MINE)
    for version in ("", "x", "-1", "1", "9" * 5000, "١"):
        page = table.a.forge(SEND_RESULT, inside="form.report", version=version, a__r2="1")
        assert (page.status, table.reports) == (409, []), version[:10]
    table.a.open(MINE)
    table.send(table.b, b__r2="2")
    page = table.a.press(SEND_RESULT, a__r2="2", a__objectives="4")
    assert page.status == 409
    assert "Another report of this game arrived while you were writing." in page.errors
    assert (page.value("a.r2"), page.value("a.objectives")) == ("2", "4")
    assert len(table.reports) == 1
    table.a.press(SEND_REPORT)
    assert table.game.state == GameState.DISPUTED


@pytest.mark.proves("attack 11")
def test_only_both_players_and_desk_report(app: Flask, table: Table, olga: Person, enter: Enter, stage: Stage) -> None:
    (stranger,) = enter(stage.event("Rust Cup"), "Cy")
    (late,) = enter(table.event, "Late")
    form, desk_form = table.a.open(MINE), olga.open(table.desk)
    with stage.unchanged():
        for person in (Person(app), stranger):
            assert [person.open(address).status for address in (MINE, table.desk)] == [403, 403]
            person.page = form
            assert person.press(SEND_RESULT, a__r2="1").status == 400, "a token of another browser"
        assert late.open(MINE).path == f"{HOME}/me", "no game, no form"
        assert late.open(table.desk).status == 403
        table.a.page = desk_form
        assert table.a.press("Save", a__r2="1").status == 400
    stage.decide(table.event, table.game, 3, 1)
    with stage.unchanged():
        table.a.page = form
        assert table.a.press(SEND_RESULT, a__objectives="2").path == f"{HOME}/me", "it is confirmed"


@pytest.mark.proves("attack 6", "attack 11")
def test_desk_rejects_byes_drafts_and_games_of_another_event(table: Table, olga: Person, stage: Stage) -> None:
    other = stage.event("Rust Cup", players=("Cy", "Di", "Ed"))
    drawn, _ = stage.draw(other, 1)
    assert olga.open(f"/e/rust-cup/desk/games/{drawn.id}").status == 404
    foreign, bye = stage.publish(other, 1)
    assert olga.open(f"/e/rust-cup/desk/games/{foreign.id}").status == 200
    for address in (f"{HOME}/desk/games/{foreign.id}", f"/e/rust-cup/desk/games/{bye.id}",
                    f"/e/rust-cup/desk/games/{table.game_id}", f"{HOME}/desk/games/0",
                    f"{HOME}/desk/games/{2**63}"):  # fmt: skip
        assert olga.open(address).status == 404, address
    assert olga.post(f"{HOME}/desk/games/{foreign.id}", version="0", **{"a.r2": "1"}).status_code == 404
    assert stage.now(foreign).state == GameState.OPEN


@pytest.mark.proves("attack 23")
def test_holder_of_the_sheet_sends_only_the_first_report(app: Flask, table: Table) -> None:
    holder, late, code = Person(app), Person(app), table.game.code
    page = holder.open(f"/g/{code.lower()}")
    assert "who are you?" in page.part("h1")
    link = page.soup.find("a", href=f"{HOME}/games/{table.game_id}/report?side=b")
    assert link and link.text.strip() == table.name("b")
    form = late.open(f"/g/{code}?side=a")
    assert holder.press(SEND_RESULT, at=f"/g/{code}?side=b", b__r2="2").path == f"{HOME}/rounds/1"
    ((side, answers),) = table.reports
    assert (side, answers["b.r2"], table.stage.one(Report).by) == ("b", 2, "the paper sheet")
    with table.stage.unchanged():
        for button in ("report", "agree-sheet", "agree-b"):
            late.page = form
            assert late.forge(SEND_RESULT, do=button, b__r2="2").status == 403, (
                "the sheet's code alone confirms nothing"
            )
    page = holder.open(f"/g/{code}?side=a")
    assert "Reported from the paper sheet. Both players, or the desk, need to confirm." in page.text
    assert not page.soup.select_one("form.report")
    for person, state in ((table.a, GameState.REPORTED), (table.b, GameState.CONFIRMED)):
        assert person.open(f"/g/{code}").path == MINE, "a player is sent to their own form"
        person.agree()
        assert table.game.state == state
    assert "This result is confirmed." in holder.open(f"/g/{code}").text


@pytest.mark.proves("attack 12", "attack 23")
def test_only_codes_of_published_rounds_are_found(visitor: Person, table: Table, olga: Person, stage: Stage) -> None:
    code, found = table.game.code, f"{HOME}/games/{table.game_id}/report"

    def typed(code: str) -> Page:
        return visitor.press("Continue", at="/g", code=code)

    for written in (code, f" {code[:5].lower()} {code[5:]} ", f"{code[:5]}-{code[5:]}"):
        assert olga.open(f"{ROUND}/entry?table={quote(written)}").part("#sheet-head") == "Table 1"
        assert typed(written).response.request.full_path == f"{found}?", "the code does not stay in the address"
    with table.stage.changing(table.event) as s:
        s.get_one(Game, table.game_id).code = "ABCDEFGH"  # as older versions printed it
    assert typed("abcd-efgh").path == found
    stage.decide(table.event, table.game, 2, 1)
    (drawn,) = stage.draw(table.event, 2)
    for wrong in (drawn.code, "AAAAAAAA"):
        assert visitor.open(f"/g/{wrong}").status == visitor.open(f"/g/{wrong}?side=a").status == 404
    for wrong in (drawn.code, "nonsense", "\x00", "x" * 5000):
        page = typed(wrong)
        assert (page.status, page.path) == (404, "/g")
        assert "No sheet has this code." in page.error_at("code")


STRIP = ".calls"


@pytest.mark.slow
def test_call_shows_until_closed(olga: Person, visitor: Person, stage: Stage, tables: list[Table]) -> None:
    table = tables[0]
    number, name = table.game.table_number, table.name("a")
    assert not olga.open(f"{HOME}/desk").part(STRIP)
    table.a.open(f"{HOME}/me")
    assert f"You called a judge to table {number}. The desk sees it." in table.a.press("Call a judge").part("#judge")
    assert f"{name} called a judge" in table.b.open(f"{HOME}/me").part("#judge")
    for address in (f"{HOME}/desk", ROUND, f"{HOME}/desk/settings"):
        assert f"Judge 1 Table {number} {name}" in olga.open(address).part(STRIP), address
    assert visitor.open(f"{HOME}/hall").part(".hall-judge") == f"Judge: table {number}"
    page = olga.press(f"On my way to table {number}", at=f"{ROUND}/results")
    assert (page.path, "Olga is on the way" in page.part(STRIP)) == (f"{ROUND}/results", True)
    assert "Olga is on the way to your table." in table.a.open(f"{HOME}/me").part("#judge")
    assert not visitor.open(f"{HOME}/hall").part(".hall-judge")
    olga.press(f"Close the call of table {number}")
    assert not olga.page.part(STRIP)
    assert "Call a judge" in table.b.open(f"{HOME}/me").text
    assert [stage.journal(table.event, kind) != [] for kind in ("call-judge", "take-call", "close-call")] == [True] * 3


def test_table_has_one_open_call_which_only_the_caller_cancels(olga: Person, stage: Stage, table: Table) -> None:
    table.b.open(f"{HOME}/me")
    table.a.press("Call a judge", at=f"{HOME}/me")
    table.b.press("Call a judge")
    assert len(stage.all(JudgeCall)) == 1
    assert "Cancel the call" not in table.b.page.text
    assert table.b.post(f"{HOME}/me/judge", do="undo").status_code == 302
    assert "Your opponent called the judge: only they can cancel the call." in table.b.open(f"{HOME}/me").flashes
    desk = olga.open(f"{HOME}/desk")
    table.a.press("Cancel the call", at=f"{HOME}/me")
    assert stage.one(JudgeCall).closed_at is not None
    olga.page = desk
    assert "This call is closed already." in olga.press("On my way to table 1").flashes


@pytest.mark.slow
def test_repeatedly_cancelled_calls_are_limited(stage: Stage, table: Table) -> None:
    table.a.open(f"{HOME}/me")
    for _ in range(CALLS.most):
        table.a.press("Call a judge")
        table.a.press("Cancel the call")
    assert "You have called a judge many times. Go to the desk." in table.a.press("Call a judge").flashes
    assert len(stage.all(JudgeCall)) == CALLS.most
    table.b.press("Call a judge", at=f"{HOME}/me")
    assert "You called a judge to table 1." in table.b.page.part("#judge"), "each has own calls"


@pytest.mark.slow
def test_decided_result_closes_the_call_at_its_table(olga: Person, tables: list[Table]) -> None:
    agreed, absent = tables[:2]
    for table in (agreed, absent):
        table.a.open(f"{HOME}/me")
        table.a.press("Call a judge")
    agreed.send(agreed.a, a__r2="2")
    assert "Judge 2" in olga.open(f"{HOME}/desk").part(STRIP), "reported, not confirmed"
    agreed.b.open(MINE)
    agreed.b.agree()
    assert "Judge 1" in olga.open(f"{HOME}/desk").part(STRIP)
    olga.open(absent.desk)
    olga.press("Nobody came")
    assert not olga.open(f"{HOME}/desk").part(STRIP)


MOST_STATEMENTS = 12


def test_one_report_costs_few_statements(app: Flask, stage: Stage, enter: Enter) -> None:
    tables = seat(stage, enter, "Ada", "Bo", "Cy", "Di", "Ed", "Flo")
    forms = [form_of(table.a, a__objectives="3", b__objectives="1") for table in tables]
    assert tables[0].a.http.post(MINE, data=forms[0]).status_code == 302  # warms up caches of the process
    for table, body, headers in zip(tables[1:], forms[1:], ({}, OUTBOX), strict=True):
        with sent(app.extensions["overseer_engine"]) as asked:
            answer = table.a.http.post(MINE, data=body, headers=headers)
        assert answer.status_code in (200, 302)
        rows = [text for text in asked if not text.startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"))]
        assert len(rows) <= MOST_STATEMENTS, "\n".join(rows)
    assert len(stage.all(Report)) == 3


def test_desk_confirms_all_waiting_reports_but_those_that_changed(olga: Person, tables: list[Table]) -> None:
    first, second = tables
    results = f"{HOME}/desk/rounds/1/results"
    first.send(first.a, a__r2="2", b__r3="1")
    assert "Confirm all" not in olga.open(results).text, "one report has its own button"
    second.send(second.b, a__r2="1", b__r3="1")
    page = olga.open(results)
    assert "Confirm all 2 reports" in page.text
    asked = str(page.soup.select("form > button[data-confirm]")[0]["data-confirm"])
    assert f"table {first.game.table_number}: {first.name('a')} 2 : 1 {first.name('b')}" in asked
    assert f"table {second.game.table_number}: {second.name('a')} 1 : 1 {second.name('b')}" in asked
    second.send(second.b, a__r2="0", b__r3="1")
    olga.page = page
    page = olga.press("Confirm all 2 reports")
    assert "1 result confirmed." in page.flashes and "it is left as it is" in page.flashes
    assert (first.game.state, second.game.state) == (GameState.CONFIRMED, GameState.REPORTED)
    assert [side for side, _ in first.reports] == ["a", "organiser"]
    for forged in ("x.1", f"{second.game_id}.{'9' * 5000}"):
        assert olga.post(f"{HOME}/desk/rounds/1/confirm", waiting=forged).status_code == 302
    assert second.game.state == GameState.REPORTED


def test_desk_confirms_no_report_that_comes_while_it_confirms_others(
    app: Flask, olga: Person, tables: list[Table]
) -> None:
    first, second = tables
    first.send(first.a, a__r2="2", b__r3="1")
    second.send(second.b, a__r2="1", b__r3="1")
    page = olga.open(f"{HOME}/desk/rounds/1/results")
    second.b.open(MINE)
    changed = form_of(second.b, a__r2="0", b__r3="2")
    waiting = [changed]

    def send(connection: object, cursor: object, statement: str, *rest: object) -> None:
        if statement.startswith("BEGIN IMMEDIATE") and waiting:
            phone = Thread(target=second.b.http.post, args=(MINE,), kwargs={"data": waiting.pop()})
            phone.start()
            phone.join()

    olga.page = page
    with listening(app.extensions["overseer_engine"], "before_cursor_execute", send):
        page = olga.press("Confirm all 2 reports")
    assert waiting == []
    assert (first.game.state, second.game.state) == (GameState.CONFIRMED, GameState.REPORTED)
    assert "1 result confirmed." in page.flashes and "it is left as it is" in page.flashes


def test_forged_reports_to_confirm_are_answered_once(olga: Person, table: Table) -> None:
    body = {"csrf_token": olga.open(f"{HOME}/desk/rounds/1/results").value("csrf_token"), "waiting": ["1.99"] * 500}
    answer = olga.http.post(f"{HOME}/desk/rounds/1/confirm", data=body)
    assert (answer.status_code, max(len(value) for _, value in answer.headers) < 3000) == (302, True)
