"""Events whose reports are totals or only the outcome: phones, desk, paper, exports and archive follow the setting."""

from typing import Any

import pytest

from events.journal.replay import replay
from models.event import ReportDetail
from models.play import GameState
from tests.kit.archives import archived, taken_in, without_moment
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, MINE, OUTBOX, ROUND, Enter, Table, form_of

GAMES = {"battle_mode": "hold-the-line", "new_vegas": "attrition"}
STOOD = {"a__rout": "Stood", "b__rout": "Stood"}
SETTINGS = f"{HOME}/desk/settings"


def seated(stage: Stage, enter: Enter, detail: ReportDetail, game: str = "battle_mode", *names: str) -> list[Table]:
    """The tables of round 1 in an event with this report detail."""
    event = stage.event(game=game, scenarios=(GAMES[game], "", ""), report_detail=detail)
    names = names or ("Ada", "Bo", "Cy", "Di")
    people = dict(zip(names, enter(event, *names), strict=True))
    return [
        Table(people[stage.name(one.a_id)], people[stage.name(one.b_id)], stage, event, one.id)
        for one in stage.publish(event, 1)
    ]


def test_totals_are_reported_by_both_phones(stage: Stage, enter: Enter, other: Stage, olga: Person) -> None:
    first, second, third = seated(stage, enter, ReportDetail.TOTALS, "new_vegas", *"ABCDEF")
    page = first.a.open(MINE)
    fields = {str(one["name"]) for one in page.soup.select("form.report .vp-grid input")}
    assert fields == {"a.total", "b.total"} and page.value("a.total") == "", "no figure before one is typed"
    page = first.a.press("Send the result", b__total="5", **STOOD)
    assert page.status == 422 and "Enter both totals." in page.text and first.game.state == GameState.OPEN
    assert "Saved. Now" in first.send(first.a, a__total="9", b__total="5", **STOOD).flashes
    assert f"{first.name('a')} reported: You 5 : 9 {first.name('a')}" in first.b.open(f"{HOME}/me").part("#own-result")
    assert "Saved: the result is confirmed." in first.send(first.b, a__total="9", b__total="5", **STOOD).flashes
    second.send(second.a, a__total="4", b__total="7", **STOOD)
    page = second.send(second.b, a__total="7", b__total="4", **STOOD)
    assert "The two reports differ" in page.flashes
    page = olga.open(second.desk)
    assert [row[1:] for row in page.rows("#dispute table")] == [["4", "7"], ["7", "4"]]
    olga.press(f"Take {second.name('b')}’s report")
    assert (second.game.state, (second.game.answers or {})["a.total"]) == (GameState.CONFIRMED, 7)
    third.send(third.a, ending="not_played")
    third.b.open(MINE)
    third.b.agree()
    assert (third.game.state, third.game.answers) == (GameState.CONFIRMED, None), "a game not played needs nothing"
    points = first.points()
    assert points[first.name("a")] == (3, 9) and points[second.name("b")] == (0, 4)
    assert "9 : 5" in olga.open(f"{HOME}/games/{first.game_id}").text
    assert ",9,5," in olga.open(f"{HOME}/rounds/1/round.csv").response.text
    assert_printed(first, olga)
    assert_archived(stage, other, first)


def test_outcomes_are_reported_by_both_phones(
    stage: Stage, enter: Enter, other: Stage, olga: Person, visitor: Person
) -> None:
    first, second = seated(stage, enter, ReportDetail.OUTCOME)
    of_a, of_b = ([one.text for one in who.open(MINE).soup.select("#won .choice")] for who in (first.a, first.b))
    assert [one.strip() for one in of_a] == [one.strip() for one in of_b] == ["I won", "Draw", "I lost"]
    page = first.a.open(MINE)
    assert not page.soup.select("input[name=won][checked]") and "Victory points" not in page.text
    page = first.a.press("Send the result")
    assert page.status == 422 and "Choose who won, or a draw." in page.text and first.game.state == GameState.OPEN
    assert "Saved. Now" in first.send(first.a, won="A wins").flashes
    page = first.b.open(f"{HOME}/me")
    assert f"{first.name('a')} reported: You lose" in page.part("#own-result")
    assert "Saved: the result is confirmed." in first.send(first.b, won="A wins").flashes
    assert first.game.answers == {"won": "A wins"}
    assert "You win" in first.a.open(f"{HOME}/me").part("#own-result")
    second.send(second.a, won="A wins")
    page = second.send(second.b, won="B wins")
    assert "The two reports differ" in page.flashes
    names = second.name("a"), second.name("b")
    page = olga.open(second.desk)
    assert [row[1:] for row in page.rows("#dispute table")] == [[f"{names[0]} wins", f"{names[1]} wins"]]
    olga.press(f"Take {names[1]}’s report")
    assert second.game.answers == {"won": "B wins"}
    heads = [cell.text for cell in visitor.open(f"{HOME}/standings").soup.select("table.standings th")]
    assert heads[-4:] == ["W-D-L", "Points", "SoS", "Lot"]
    for address in ("standings", "rounds/1", f"players/{first.game.a_id}", f"games/{first.game_id}", "hall"):
        page = visitor.open(f"{HOME}/{address}") if "games" not in address else olga.open(f"{HOME}/{address}")
        assert page.status == 200 and "0 : 0" not in page.text, address
        assert "VP" not in page.part("main"), address
    assert "Players report a win, a draw or a loss." in visitor.open(HOME).text
    assert ",,A" not in visitor.open(f"{HOME}/standings.csv").response.text
    games = visitor.open(f"{HOME}/rounds/1/round.csv").response.text.splitlines()
    assert games[1].split(",")[7:10] == ["", "", first.name("a")]
    assert olga.open(f"{HOME}/desk/rulings").soup.select("[name=vp]") == []
    offered = [str(one["value"]) for one in olga.open(f"{HOME}/desk/awards").soup.select("#a-kind option")]
    assert "most_vp" not in offered and "place" in offered
    olga.open(f"{HOME}/desk/pairing")
    offered = [str(one["value"]) for one in olga.page.soup.select("[id$=tie_breaks-2] option")]
    assert "vp_difference" not in offered and "sos" in offered
    assert_printed(first, olga)
    assert_archived(stage, other, first)


def assert_printed(table: Table, olga: Person) -> None:
    for address in (f"{HOME}/rounds/1/scoresheets.pdf?", f"{ROUND}/blank-sheets.pdf?count=1&scenario=none",
                    f"{HOME}/games/{table.game_id}/sheet.pdf?"):  # fmt: skip
        assert olga.open(f"{address}&size=a5").response.data[:5] == b"%PDF-", address


def assert_archived(stage: Stage, other: Stage, table: Table) -> None:
    """Check that the event survives an archive, and that its journal rebuilds it."""
    data = archived(stage.engine, table.event, stage.clock())
    here = taken_in(other.s, data, stage.clock(), other.set_up("Nora"))
    assert here.report_detail == table.event.report_detail and here.points_table == table.event.points_table
    assert without_moment(archived(other.engine, here, stage.clock())) == without_moment(data)
    assert other.standings(here) == stage.standings(table.event)
    assert replay(stage.s, table.event).difference is None


@pytest.mark.parametrize(
    ("detail", "choice", "answers"),
    [(ReportDetail.OUTCOME, "conceded_b", {"won": "A wins"}),
     (ReportDetail.TOTALS, "conceded_a", {"a.total": 0, "b.total": 0})],
)  # fmt: skip
def test_concession_names_the_winner(
    stage: Stage, enter: Enter, detail: ReportDetail, choice: str, answers: dict[str, object]
) -> None:
    table, _ = seated(stage, enter, detail)
    table.send(table.a, ending=choice)
    table.b.open(MINE)
    table.b.agree()
    assert (table.game.state, table.game.answers) == (GameState.CONFIRMED, answers)


@pytest.mark.parametrize(
    ("detail", "typed", "answers", "figures"),
    [
        (ReportDetail.TOTALS, {"a__total": "8", "b__total": "6"}, {"a.total": 8, "b.total": 6}, "8 : 6"),
        (ReportDetail.OUTCOME, {"won": "A wins"}, {"won": "A wins"}, ""),
    ],
)
def test_figures_are_checked_live_and_typed_and_verified_from_paper(
    stage: Stage, enter: Enter, olga: Person, detail: ReportDetail, typed: dict[str, str], answers: dict[str, object],
    figures: str,
) -> None:  # fmt: skip
    table, _ = seated(stage, enter, detail)

    def check(**typed: str) -> dict[str, Any]:
        form = form_of(table.a, do="check", key="k" * 24, **typed)
        return table.a.http.post(MINE, data=form, headers=OUTBOX).json or {}

    found = check(**typed)["result"]
    assert (found["figures"], "You win" in found["won"] or "you win" in found["won"]) == (figures, True)
    half = dict([*typed.items()][: len(typed) - 1])
    assert (check(**half)["result"], check(**half)["doubts"]) == (None, []), "what is not entered yet is not wrong yet"
    olga.open(f"{ROUND}/entry?table={table.game.table_number}")
    page = olga.press("Store")
    assert (page.status, table.game.state) == (422, GameState.OPEN), "an empty sheet is no result"
    olga.press("Store", **typed)
    assert (table.game.state, table.game.answers) == (GameState.CONFIRMED, answers)
    with stage.changing(table.event):
        table.event.second_pass_alone = True
    olga.open(f"{ROUND}/second-pass?table={table.game.table_number}")
    assert "verified" in olga.press("Compare", **typed).flashes


def test_report_detail_is_fixed_after_the_first_report(stage: Stage, enter: Enter, olga: Person) -> None:
    table, _ = seated(stage, enter, ReportDetail.FULL)
    olga.open(SETTINGS)
    page = olga.press("Save", inside="#reports", report_detail="Both totals of VP")
    assert "Saved." in page.flashes and stage.now(table.event).report_detail == ReportDetail.TOTALS
    table.send(table.a, a__total="5", b__total="1")
    before = stage.digest()
    olga.open(SETTINGS)
    page = olga.press("Save", inside="#reports", report_detail="Win, draw or loss")
    assert page.status == 422 and "can no longer change" in page.error_at("report_detail")
    assert stage.digest() == before
