"""Reports with the code of the paper sheet: the code, the form behind it, and what a holder may do."""

from urllib.parse import quote

import pytest
from flask import Flask

from models.play import Game, GameState, Report
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, MINE, ROUND, Enter, Table, seat

pytestmark = pytest.mark.fast


@pytest.fixture
def table(stage: Stage, enter: Enter) -> Table:
    (table,) = seat(stage, enter)
    return table


def test_holder_of_the_sheet_sends_only_the_first_report(app: Flask, table: Table) -> None:
    holder, late, code = Person(app), Person(app), table.game.code
    page = holder.open(f"/g/{code.lower()}")
    assert "who are you?" in page.part("h1")
    link = page.soup.find("a", href=f"{HOME}/games/{table.game_id}/report?side=b")
    assert link and link.text.strip() == table.name("b")
    late.open(f"/g/{code}?side=a")
    holder.open(f"/g/{code}?side=b")
    assert holder.press("Send the result", b__r2="2").path == f"{HOME}/rounds/1"
    ((side, answers),) = table.reports
    assert (side, answers["b.r2"], table.stage.one(Report).by) == ("b", 2, "the paper sheet")
    before = table.stage.digest()
    assert late.press("Send the result", b__r2="2").status == 403
    late.open(HOME)
    assert table.stage.digest() == before, "the sheet's code alone confirms nothing"
    page = holder.open(f"/g/{code}?side=a")
    assert "Reported from the paper sheet. Both players, or the desk, need to confirm." in page.text
    assert not page.soup.select_one("form.report")
    for person, state in ((table.a, GameState.REPORTED), (table.b, GameState.CONFIRMED)):
        person.open(MINE)
        person.press("Yes, that is right")
        assert table.game.state == state
    assert "This result is confirmed." in holder.open(f"/g/{code}").text


@pytest.mark.proves("attack 23")
def test_sheet_cannot_agree_to_a_report(app: Flask, table: Table) -> None:
    table.send(table.a, a__r2="2")
    holder = Person(app)
    token = str(holder.open("/sign-in").value("csrf_token"))
    before = table.stage.digest()
    answer = holder.http.post(f"/g/{table.game.code}?side=b", data={"csrf_token": token, "do": "agree", "version": "1"})
    assert answer.status_code == 403
    assert table.stage.digest() == before
    assert table.b.open(f"/g/{table.game.code}").path == MINE, "a player is sent to their own form"


@pytest.mark.proves("attack 12", "attack 23")
def test_wrong_code_and_code_of_an_unpublished_round_are_not_found(visitor: Person, table: Table, stage: Stage) -> None:
    assert visitor.open("/g/AAAAAAAA").status == 404
    stage.decide(table.event, table.game, 2, 1)
    (game,) = stage.draw(table.event, 2)
    assert visitor.open(f"/g/{game.code}").status == 404
    assert visitor.open(f"/g/{game.code}?side=a").status == 404


def test_code_is_typed_with_or_without_space_and_hyphen(visitor: Person, table: Table, olga: Person) -> None:
    code, found = table.game.code, f"{HOME}/games/{table.game_id}/report"
    assert len(code) == 10
    for typed in (code, f" {code[:5].lower()} {code[5:]} ", f"{code[:5]}-{code[5:]}"):
        assert olga.open(f"{ROUND}/entry?table={quote(typed)}").part("#sheet-head") == "Table 1"
        visitor.open("/g")
        page = visitor.press("Go on", code=typed)
        assert page.response.request.full_path == f"{found}?", "the code does not stay in the address"
    for typed in ("nonsense", "\x00", "x" * 5000):
        visitor.open("/g")
        page = visitor.press("Go on", code=typed)
        assert (page.status, page.path) == (404, "/g")
        assert "No sheet has this code." in page.error_at("code")
    assert visitor.open("/g").status == 200
    with table.stage.changing(table.event) as s:
        s.get_one(Game, table.game_id).code = "ABCDEFGH"  # as older versions printed it
    for typed in ("ABCDEFGH", "abcd-efgh"):
        visitor.open("/g")
        assert visitor.press("Go on", code=typed).path == found
