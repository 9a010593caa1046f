"""One person acting as both sides of a game cannot confirm a result alone."""

import pytest

from events.results.report_page import SAID
from models.award import Ruling
from models.play import GameState, Report
from tests.conftest import PUBLIC
from tests.kit.people import let_in
from tests.kit.person import SEND_REPORT, SEND_RESULT, Enter, Person
from tests.kit.stage import Role, Stage
from tests.kit.tables import MINE, Table, seat

WAITS = "Reported from the paper sheet. Both players, or the desk, need to confirm."
DESK = "/e/iron-open/desk"
PLAYERS = [f"Player {n}" for n in range(6)]

pytestmark = pytest.mark.both_at_length


def figures(table: Table) -> dict[str, object]:
    """The answers other than 0."""
    return {key: value for key, value in (table.game.answers or {}).items() if value}


def from_sheet(table: Table, side: str, **answers: str) -> Person:
    """A private window that has sent the form of the paper sheet for this side."""
    window = Person(table.a.http.application)
    window.press(SEND_RESULT, at=f"/g/{table.game.code}?side={side}", **answers)
    assert table.stage.all(Report, game_id=table.game_id), window.page.text
    return window


def agree(person: Person) -> None:
    person.open(MINE)
    person.agree()


def also_a(table: Table, person: Person) -> Person:
    person.open(table.a.open("/e/iron-open/me/link").part(".copy-text").removeprefix(PUBLIC))
    person.press(f"Continue as {table.name('a')}")
    return person


def sheet_report_and_own_agreement(table: Table) -> None:
    window = from_sheet(table, "b", a__r2="2")
    assert WAITS in window.open(f"/g/{table.game.code}").text
    assert WAITS in table.a.open(MINE).text
    assert SAID[GameState.REPORTED] in table.a.agree().flashes


def own_agreement_twice(table: Table) -> None:
    from_sheet(table, "b", a__r2="2")
    agree(table.a)
    form = table.a.open(MINE)
    assert "Yes, that is right" not in form.text
    for do in ("agree-sheet", "agree-a", "agree-b"):
        table.a.page = form
        table.a.forge(SEND_RESULT, do=do)
    assert len(table.stage.all(Report, game_id=table.game_id)) == 2


@pytest.mark.proves("attack 56")
def test_reports_and_agreements_of_one_person_confirm_nothing(stage: Stage, enter: Enter) -> None:
    attacks = (sheet_report_and_own_agreement, own_agreement_twice)
    for attack, table in zip(attacks, seat(stage, enter, *PLAYERS[:4]), strict=True):
        attack(table)
        assert (table.game.state, figures(table)) == (GameState.REPORTED, {"a.r2": 2}), attack.__name__
        agree(table.b)
        assert table.game.state == GameState.CONFIRMED, attack.__name__


@pytest.mark.proves("attack 56")
def test_own_report_replaces_a_different_one_from_the_sheet(stage: Stage, enter: Enter, olga: Person) -> None:
    table, other = seat(stage, enter, *PLAYERS[:4])
    for a_table in (table, other):
        from_sheet(a_table, "b", b__r2="2")
        a_table.a.open(MINE)
        page = a_table.a.press(SEND_REPORT, a__r2="2", b__r2="0")
        assert SAID[GameState.REPORTED] in page.flashes
        assert (a_table.game.state, figures(a_table)) == (GameState.REPORTED, {"a.r2": 2})
    name = table.name("a")
    otherwise = (
        f"The report from the paper sheet differs and does not count: {name} has reported with the private link since."
    )
    page = table.b.open(MINE)
    assert otherwise in page.text
    (sheet, own) = page.rows("table.reports")
    assert (sheet[0].startswith("The paper sheet"), sheet[1:3]) == (True, ["2", "0"])
    assert (own[0].startswith(name), own[1:3]) == (True, ["0", "2"])
    board = olga.open(f"{DESK}/rounds/1/results")
    assert f"{name} reported, the sheet differs" in board.text
    assert "Confirm" not in board.part(".results-desk"), "the desk opens a game whose reports differ"
    assert otherwise in olga.open(f"{DESK}/games/{table.game_id}").text
    olga.press("Confirm the report from the sheet")
    assert (table.game.state, figures(table)) == (GameState.CONFIRMED, {"b.r2": 2})
    other.b.open(MINE)
    other.b.agree()
    assert (other.game.state, figures(other)) == (GameState.CONFIRMED, {"a.r2": 2}), "no dispute between the players"


@pytest.mark.proves("attack 56")
def test_pages_name_no_side_for_a_sheet_report_which_the_desk_confirms_at_once(table: Table, olga: Person) -> None:
    from_sheet(table, "b", a__r2="2")
    assert WAITS in table.b.open("/e/iron-open/me").text
    versions = table.b.open(f"/e/iron-open/games/{table.game_id}").part(".versions")
    assert "Reported from the paper sheet: 2 : 0" in versions
    pages = [table.b.open(MINE), table.a.open(MINE), olga.open(f"{DESK}/games/{table.game_id}"),
             olga.open(f"{DESK}/rounds/1/results")]  # fmt: skip
    assert [page.path for page in pages if f"{table.name('b')} reported" in page.text] == []
    assert table.stage.journal(table.event, "report") == [
        "Round 1, table 1: the result is reported from the paper sheet, and waits for both players or the desk"
    ]
    assert "Reported from the paper sheet" in pages[-1].part(".results-desk")
    olga.press("Confirm")
    assert (table.game.state, figures(table)) == (GameState.CONFIRMED, {"a.r2": 2})


def refused(table: Table, person: Person, page: str, *forms: tuple[str, dict[str, str]]) -> None:
    """Check that each of these desk forms is rejected and changes nothing."""
    token = str(person.open(f"{DESK}/{page}").value("csrf_token"))
    sent = {"csrf_token": token, "version": str(table.game.version), "game": str(table.game_id), "a.r2": "2"}
    with table.stage.unchanged():
        for address, fields in forms:
            assert person.http.post(f"{DESK}/{address}", data=sent | fields).status_code == 403, address


@pytest.mark.proves("attack 56")
def test_staff_who_play_decide_neither_on_their_own_game_nor_on_its_players(table: Table, olga: Person) -> None:
    app, (other,) = table.a.http.application, table.stage.enter(table.event, "Cy")
    scorekeeper, judge = (
        also_a(table, let_in(app, table.stage.hire(table.event, role, role))) for role in (Role.SCOREKEEPER, Role.JUDGE)
    )
    game, me, why = f"games/{table.game_id}", table.game.a_id, {"reason": "It was so."}
    from_sheet(table, "b", a__r2="2")
    refused(
        table,
        scorekeeper,
        "rounds/1/results",
        (game, {"do": "agree-sheet"}),
        (game, {}),
        ("rounds/1/entry", {}),
    )
    with table.stage.unchanged():
        waiting = f"{table.game_id}.{table.game.version}"
        assert scorekeeper.post(f"{DESK}/rounds/1/confirm", waiting=waiting).status_code == 302
    own = "You play in this game. Report it on your own page; somebody else at the desk confirms it."
    for address in (game, "rounds/1/entry?table=1"):
        page = scorekeeper.open(f"{DESK}/{address}")
        assert (page.status, own in page.text) == (200, True), address
    table.stage.decide(table.event, table.game, 1, 3)
    assert [button.text for button in judge.open(f"{DESK}/{game}").soup.select("main button")] == []
    refused(table, judge, game, (game, why), (f"{game}/absent", {"who": "b"}), (f"{game}/open-again", why),
            (f"{game}/through", {"side": "a"}))  # fmt: skip

    def give(person: Person, player_id: int | None, points: str) -> int:
        given = {"round_number": "0", "points": points, "vp": "0", "card": "", "follows": "", "reason": "late"}
        return person.post(f"{DESK}/rulings", player=str(player_id), **given).status_code

    assert [give(judge, number, "5") for number in (me, table.game.b_id, other.id)] == [403, 403, 302]
    assert give(olga, me, "-5") == 302
    ruling = table.stage.one(Ruling, player_id=me)
    assert judge.post(f"{DESK}/rulings/{ruling.id}/take-back").status_code == 403


@pytest.mark.proves("attack 56")
def test_organiser_who_plays_enters_their_own_game_and_both_players_see_it(table: Table, olga: Person) -> None:
    also_a(table, olga)
    from_sheet(table, "b", a__r2="2")
    olga.press("Confirm", at=f"{DESK}/rounds/1/results")
    assert table.game.state == GameState.CONFIRMED
    assert "entered by a player of this game" in table.stage.journal(table.event, "report")[-1]
    assert "plays in this game" in table.b.open(f"/e/iron-open/games/{table.game_id}").part(".versions")


@pytest.mark.proves("attack 56")
def test_agreement_is_bound_to_the_report_that_was_shown(table: Table) -> None:
    """After a restore or a redraw, another report can have the same game id and version."""
    table.a.open(MINE)
    table.a.press(SEND_RESULT, a__r2="2")
    table.b.open(MINE)
    with table.stage.changing(table.event):
        report = table.stage.one(Report)
        report.answers = report.answers | {"a.r2": 0, "b.r2": 2}
    assert (table.b.agree().status, table.game.state) == (409, GameState.REPORTED)
    agree(table.b)
    assert table.game.state == GameState.CONFIRMED
