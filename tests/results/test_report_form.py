"""The report form of players, of paper sheets and of the desk: its questions and limits; totals or outcomes alone."""

from typing import Any

import pytest
from bs4 import Tag

from events.journal.replay import replay
from events.lists import actions as lists_actions
from events.results.report_page import SAID
from events.tournament.endings import Ending
from models.play import GameState, Player, Report
from models.settings import ListsInPlay, ListsShown, ReportDetail
from tests.kit.archives import archived, taken_in, without_moment
from tests.kit.armies import army, line, squad
from tests.kit.person import SEND_RESULT, Enter, Page, Person, controls
from tests.kit.stage import Stage
from tests.kit.tables import HOME, MINE, OUTBOX, ROUND, Table, form_of, seat
from validators import SYSTEMS


def test_form_asks_the_questions_of_the_scenario(table: Table) -> None:
    for scenario_id in ("hold-the-line", "scrapyard", "extract-the-information"):
        table.play(scenario_id)
        scenario = SYSTEMS["battle_mode"].scenario(scenario_id)
        page = table.a.open(MINE)
        asked = {q.key for q in scenario.questions if q.kind == "choice" or q.most}
        names = {str(c["name"]) for c in page.soup.select("form.report [name]")}
        assert names == asked | {"csrf_token", "version", "key", "game", "reporter", "ending"}, scenario.id
        assert page.text.count("cannot score") == 2 * (scenario.scoring_from - 1), scenario.id
        box = page.soup.select_one('form.report [name="a.r6"]')
        group = box.find_parent("fieldset") if box else None
        label = group.get_text(" ") if group else str(box and box["aria-label"])
        assert label.split(":")[0].strip() == table.name("a"), "the player's name at each figure"
    heads = [" ".join(tag.text.split()) for tag in table.b.open(MINE).soup.select(".vp-grid thead th")]
    assert heads[1:] == ["You B", f"{table.name('a')} A"], "the own column first, as in the total"
    table.send(table.a, a__r6="2", b__objectives="5", a__choice="Hackers")
    answers = table.game.answers or {}
    assert (answers["a.r6"], answers["b.objectives"], answers["a.choice"]) == (2, 5, "Hackers")


@pytest.mark.proves("attack 42", "ASVS 2.2.1", "ASVS 2.2.3")
def test_impossible_figure_is_refused_at_its_field(table: Table) -> None:
    for scenario, cases in (
        ("hold-the-line", (({"a__r2": "2", "b__r2": "1"}, "b.r2", "there are only two markers"),
                           ({"a__r3": "3"}, "a.r3", "3 VP, at most 2 can be"),
                           ({"a__r2": "1.5"}, "a.r2", "Invalid Choice"))),
        ("extract-the-information", (({"a__choice": "Bakers"}, "a.choice", "one of Hackers or Smashers"),)),
        ("scrapyard", (({"a__r2": "9" * 5000}, "a.r2", "Enter a number from 0 to 99."),)),
    ):  # fmt: skip
        table.play(scenario)
        with table.stage.unchanged():
            for answers, field, words in cases:
                table.a.open(MINE)
                page = table.a.forge(SEND_RESULT, **{"b__r5": "1"} | answers)
                assert (page.status, words in page.error_at(field)) == (422, True), answers
                assert page.value("b.r5") == "1", "the other answers are kept"
    table.a.open(MINE)
    table.a.forge(SEND_RESULT, a__r1="2", a__r2="1", a__beauty="7")
    ((_, stored),) = table.reports
    assert "a.r1" not in stored and "a.beauty" not in stored, "figures of no question"


def test_unusual_answers_are_stored_once_they_are_confirmed(table: Table) -> None:
    table.play("scrapyard")
    with table.stage.unchanged():
        page = table.send(table.a, b__r3="7")
        assert (page.status, f"{table.name('b')} scored 7 VP in one round." in page.part("dialog")) == (422, True)
        assert page.value("b.r3") == "7"
        assert table.a.press(SEND_RESULT).status == 422, "the same form is asked again"
    assert table.a.press("Yes, send it").path == f"{HOME}/me"
    table.b.open(MINE)
    assert SAID[GameState.CONFIRMED] in table.b.agree().flashes, "the opponent is not asked again"


FIGURES = {"a__objectives": "3", "b__objectives": "1"}
UNFINISHED, UNPLAYED = "Unfinished when time was called", "Not played: both players were present"


def test_running_totals_are_the_servers_where_figures_came_back(table: Table) -> None:
    def shown() -> tuple[list[str], list[str]]:
        found = (
            table.a.page.soup.select(".vp-grid [data-so-far]:not([hidden])"),
            table.a.page.soup.select("[data-sum-of]"),
        )
        return [tag.get_text() for tag in found[0]], [tag.get_text() for tag in found[1]]

    table.play("scrapyard")
    table.a.open(MINE)
    assert shown() == ([], ["", ""]), "nothing is entered yet"
    table.send(table.a, b__r3="7", b__r4="1", a__r2="2")
    running, sums = shown()
    first, second = running[::2], running[1::2]
    assert ["= 0", "= 7", "= 8", "= 8"] in [row[:4] for row in (first, second)]
    assert ["= 2", "= 2", "= 2", "= 2"] in [row[:4] for row in (first, second)]
    assert sorted(sums) == ["2", "8"]


def test_every_ending_that_a_player_chooses_is_stored(table: Table) -> None:
    cases: tuple[tuple[str, dict[str, Ending | None]], ...] = (
        ("a", {"I conceded": Ending.CONCEDED_A, f"{table.name('b')} conceded": Ending.CONCEDED_B,
               UNFINISHED: Ending.UNFINISHED, UNPLAYED: Ending.NOT_PLAYED, "Played out": None}),
        ("b", {"I conceded": Ending.CONCEDED_B}),
    )  # fmt: skip
    for side, endings in cases:
        person = table.a if side == "a" else table.b
        for words, ending in endings.items():
            labels = person.open(MINE).soup.select(".ending-choices label")
            boxes = {label.text.strip(): box for label in labels if isinstance(box := label.find("input"), Tag)}
            table.send(person, ending=str(boxes[words]["value"]), **FIGURES)
            stored = table.stage.all(Report)[-1]
            assert (stored.side.value, stored.ending) == (side, ending), words


def choices(page: Page) -> dict[str, str]:
    return {option.text: str(option["value"]) for option in page.soup.select("select[name=ending] option")}


def test_every_ending_that_the_desk_chooses_is_stored(olga: Person, tables: list[Table]) -> None:
    decided, on_paper = tables
    offered = choices(olga.open(decided.desk))
    olga.press("Save", ending=offered[f"{decided.name('b')} conceded"], **FIGURES)
    assert (decided.game.ending, bool(decided.game.answers)) == (Ending.CONCEDED_B, True)
    paper = choices(olga.open(f"{ROUND}/entry?table={on_paper.game.table_number}"))
    assert list(paper.values()) == ["played", "unfinished", "conceded_a", "conceded_b", "not_played"]
    olga.press("Store", ending=paper[UNPLAYED])
    assert (on_paper.game.ending, on_paper.game.answers) == (Ending.NOT_PLAYED, None)


def test_desk_forms_show_the_total_of_typed_figures(olga: Person, table: Table) -> None:
    with table.stage.unchanged():
        for address in (table.desk, f"{ROUND}/entry?table=1"):
            (form,) = olga.open(address).soup.select("form[data-total]")
            fields = dict(controls(form)) | {"do": "total", "b.objectives": "1"}
            for typed, shown in (
                ("3", {"figures": "3 : 1", "won": f"{table.name('a')} wins"}), ("many", {"figures": "", "won": ""}),
            ):  # fmt: skip
                answer = olga.ask("POST", address.partition("?")[0], fields | {"a.objectives": typed})
                assert answer.json == shown, address


def test_only_the_desk_offers_a_judges_decision_and_asks_why(olga: Person, table: Table) -> None:
    assert "Decided by a judge" not in table.a.open(MINE).text
    table.a.forge(SEND_RESULT, ending="decided", awarded="a", **FIGURES)
    assert not table.stage.all(Report, ending=Ending.DECIDED)
    page = olga.press("Save", at=table.desk, ending="decided", awarded="b", **FIGURES)
    assert (page.status, page.error_at("reason")) == (422, "Give the reason for the decision: both players read it.")
    olga.press("Save", reason="An illegal model.")
    stored = table.game
    assert (stored.ending, stored.awarded, stored.ending_reason) == (Ending.DECIDED, "b", "An illegal model.")


EMPTY = "Nothing is entered yet: enter the figures, 0 where there were none."


@pytest.mark.parametrize(
    ("game", "scenario", "first"),
    [("battle_mode", "hold-the-line", "r2"), ("battle_mode", "scrapyard", "r2"), ("new_vegas", "open-battle", "lost"),
     ("fallout_warfare", "skirmish", "dead"), ("fallout_skirmish", "", ""), ("skill_combat", "", "")],
)  # fmt: skip
def test_untouched_form_is_refused_but_zeros_are_asked_about(
    stage: Stage, enter: Enter, olga: Person, game: str, scenario: str, first: str
) -> None:
    changed: dict[str, Any] = {"scenarios": (scenario, "", "")} if scenario else {}
    event = stage.event(game=game, **changed)
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    if game == "fallout_warfare":
        for player in stage.all(Player):
            stage.force(event, player, ARMY)
    (pair,) = stage.publish(event, 1)
    table = Table(people[stage.name(pair.a_id)], people[stage.name(pair.b_id)], stage, event, pair.id)
    for person, address, button in ((table.a, MINE, SEND_RESULT), (olga, table.desk, "Save")):
        page = person.press(button, at=address)
        found = page.soup.select_one(".vp-wrong .error")
        assert found is not None and (page.status, found.get_text(strip=True)) == (422, EMPTY), (game, person)
        field = str(page.soup.select('.vp-grid [aria-invalid="true"]')[0])
        assert f"{first}-error" in field and (not first or page.error_at(f"a.{first}")), (game, person)
        assert table.reports == []
    person, asked = table.a, table.a.open(MINE).soup.select(".vp-grid input")
    empty = [str(tag["name"]) for tag in asked if not tag.get("value") or tag["type"] == "radio"]
    zeros = {name.replace(".", "__"): "0" for name in empty}
    page = person.press(SEND_RESULT, **zeros)
    if page.status == 422:
        page = person.press("Yes, send it")
    assert (page.path, len(table.reports)) == (f"{HOME}/me", 1), game


LEADS, GRUNTS = line("Squire", "squadleader"), line("Squire", count=5, weapon="Rifle")
ARMY = army(squad(LEADS, GRUNTS), squad(LEADS, GRUNTS))
"""Two squads: 6 and five of 11 each, 122 in all."""


def typed(page: Page, name: str) -> str:
    (found,) = page.soup.select(f'input[name="{name}"]')
    return str(found["value"])


def seat_armies(stage: Stage, enter: Enter, **changed: Any) -> Table:
    """A table of a Fallout: Warfare event whose round 1 plays the Skirmish."""
    event = stage.event(game="fallout_warfare", rounds=3, scenarios=("skirmish", "", ""), **changed)
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    for player in stage.all(Player):
        stage.force(event, player, ARMY)
    (game,) = stage.publish(event, 1)
    return Table(people[stage.name(game.a_id)], people[stage.name(game.b_id)], stage, event, game.id)


@pytest.fixture
def armies(stage: Stage, enter: Enter) -> Table:
    return seat_armies(stage, enter)


def test_counted_figures_are_added_up(armies: Table) -> None:
    side_a = armies.a
    assert typed(side_a.open(MINE), "a.fielded") == "122"
    page = side_a.press(SEND_RESULT, **{"count__a__dead__0-1": "3", "count__a__strayed__0-1": "3"})
    assert (page.status, "You counted 6, but there are only 5." in page.text) == (422, True)
    assert typed(page, "count.a.dead.0-1") == "3"
    assert armies.reports == []
    counts = {"count__a__dead__0-1": "3", "count__a__dead__1-0": "1", "count__a__retreated__1-1": "2"}
    page = side_a.press(SEND_RESULT, **counts, **{"count__a__strayed__0-1": ""}, b__dead="50")
    if "Please check" in page.text:
        page = side_a.press("Yes, send it")
    ((_, answers),) = armies.reports
    assert (answers["a.dead"], answers["a.retreated"], answers["b.dead"]) == (3 * 11 + 6, 22, 50)
    assert (answers["a.fielded"], answers["b.fielded"]) == (122, 122)


def test_repeated_submission_is_answered_after_the_force_changed(armies: Table, stage: Stage) -> None:
    """The same counts would be rejected now, but the stored answer is returned."""
    side_a = armies.a
    body = form_of(side_a) | {"count.a.dead.0-1": "5", "sure": "y", "do": "report"}
    first = side_a.http.post(MINE, data=body, headers=OUTBOX)
    assert first.get_json()["state"] == "saved"
    smaller = army(squad(LEADS, GRUNTS | {"count": 3}), squad(LEADS, GRUNTS))
    a = stage.one(Player, id=armies.game.a_id)
    stage.do(armies.event, lists_actions.save_force, a, smaller, by_organiser=True)
    again = side_a.http.post(MINE, data=body, headers=OUTBOX)
    assert (again.status_code, again.get_json()) == (first.status_code, first.get_json())
    other = side_a.http.post(MINE, data=body | {"key": "another-key-of-a-form"}, headers=OUTBOX)
    assert other.status_code == 422, "the control"


def test_hidden_army_cannot_be_counted(enter: Enter, stage: Stage, visitor: Person) -> None:
    armies = seat_armies(stage, enter, lists_shown=ListsShown.AFTER_EVENT)
    page = armies.a.open(MINE)
    assert page.soup.find("input", attrs={"name": "count.a.dead.0-1"})
    assert not page.soup.find("input", attrs={"name": "count.b.dead.0-1"})
    assert typed(page, "b.fielded") == ""
    sheet = visitor.open(f"/g/{armies.game.code}?side=a")
    assert (sheet.status, sheet.soup.select("input[name^='count.']")) == (200, [])


def test_army_that_the_opponent_reads_can_be_counted(enter: Enter, stage: Stage) -> None:
    shown = {"lists_shown": ListsShown.AFTER_EVENT, "lists_in_play": ListsInPlay.OPPONENTS}
    armies = seat_armies(stage, enter, **shown)
    page = armies.a.open(MINE)
    assert page.soup.find("input", attrs={"name": "count.b.dead.0-1"})


STOOD = {"a__rout": "Stood", "b__rout": "Stood"}
SETTINGS = f"{HOME}/desk/settings"


def seated(stage: Stage, enter: Enter, detail: ReportDetail, *names: str) -> list[Table]:
    return seat(stage, enter, *(names or ("Ada", "Bo", "Cy", "Di")), report_detail=detail)


def test_totals_are_reported_by_both_phones(stage: Stage, enter: Enter, olga: Person) -> None:
    first, second = seat(
        stage, enter, *"ABCD", scenario="attrition", game="new_vegas", report_detail=ReportDetail.TOTALS
    )
    page = first.a.open(MINE)
    fields = {str(tag["name"]) for tag in page.soup.select("form.report .vp-grid input")}
    assert fields == {"a.total", "b.total"} and page.value("a.total") == "", "no figure before one is typed"
    page = first.a.press(SEND_RESULT, b__total="5", **STOOD)
    assert page.status == 422 and "Enter both totals." in page.text and first.game.state == GameState.OPEN
    assert SAID[GameState.REPORTED] in first.send(first.a, a__total="9", b__total="5", **STOOD).flashes
    assert "You 5 : 9 You lose" in first.b.open(f"{HOME}/me").part("#own-result")
    assert SAID[GameState.CONFIRMED] in first.send(first.b, a__total="9", b__total="5", **STOOD).flashes
    second.send(second.a, a__total="4", b__total="7", **STOOD)
    assert SAID[GameState.DISPUTED] in second.send(second.b, a__total="7", b__total="4", **STOOD).flashes
    assert [row[1:] for row in olga.open(second.desk).rows("#dispute table")][:2] == [["4", "7"], ["7", "4"]]
    olga.press(f"Accept {second.name('b')}’s report")
    assert (second.game.state, (second.game.answers or {})["a.total"]) == (GameState.CONFIRMED, 7)
    points = first.points()
    assert points[first.name("a")] == (3, 9) and points[second.name("b")] == (0, 4)
    assert "9 : 5" in olga.open(f"{HOME}/games/{first.game_id}").text
    assert ",9,5," in olga.open(f"{HOME}/rounds/1/round.csv").response.text
    assert_printed(first, olga)


def test_missing_end_of_a_force_is_asked_about_once_and_only_where_it_decides(
    stage: Stage, enter: Enter, olga: Person
) -> None:
    first, second = seat(stage, enter, *"ABCD", scenario="open-battle", game="new_vegas")
    page = first.send(first.a, b__lost="3")
    names = "’s and ".join(first.name(side) for side in "ab")
    words = f"Not noted how {names}’s forces ended: both count as standing. Is that right?"
    assert [tag.text.strip() for tag in page.soup.select("dialog li")] == [words]
    assert first.a.press("Yes, send it").path == f"{HOME}/me"
    (focus,) = olga.open(f"{ROUND}/entry?table={first.game.table_number}").soup.select("[autofocus]")
    assert str(focus["name"]).endswith(".lost"), "not on the optional choice before it"
    assert "Please check" not in olga.press("Store").text
    assert first.game.state == GameState.CONFIRMED
    assert olga.press("Preview the changes", at=first.desk, b__lost="4").soup.select("#look"), "it was accepted before"
    assert second.send(second.a, ending="conceded_a", b__lost="2").path == f"{HOME}/me", "the concession decides"
    olga.press("Confirm it", at=second.desk)
    page = olga.press("Preview the changes", at=second.desk, ending="played")
    assert "Not noted how" in page.text, "now it decides"


def test_outcomes_are_reported_by_both(stage: Stage, enter: Enter, other: Stage, olga: Person) -> None:
    first, second = seated(stage, enter, ReportDetail.OUTCOME)
    of_a, of_b = ([tag.text for tag in who.open(MINE).soup.select("#won .choice")] for who in (first.a, first.b))
    assert [text.strip() for text in of_a] == [text.strip() for text in of_b] == ["I won", "Draw", "I lost"]
    page = first.a.page
    assert not page.soup.select("input[name=won][checked]") and "Victory points" not in page.text
    page = first.a.press(SEND_RESULT)
    assert page.status == 422 and "Choose who won, or a draw." in page.text and first.game.state == GameState.OPEN
    assert SAID[GameState.REPORTED] in first.send(first.a, won="A wins").flashes
    assert "You lose" in first.b.open(f"{HOME}/me").part("#own-result")
    assert "Reported by your opponent." in first.b.page.part("#own-result")
    assert SAID[GameState.CONFIRMED] in first.send(first.b, won="A wins").flashes
    assert first.game.answers == {"won": "A wins"}
    assert "You win" in first.a.open(f"{HOME}/me").part("#own-result")
    second.send(second.a, won="A wins")
    assert SAID[GameState.DISPUTED] in second.send(second.b, won="B wins").flashes
    names = second.name("a"), second.name("b")
    page = olga.open(second.desk)
    assert [row[1:] for row in page.rows("#dispute table")] == [[f"{names[0]} wins", f"{names[1]} wins"]]
    olga.press(f"Accept {names[1]}’s report")
    assert second.game.answers == {"won": "B wins"}
    assert_printed(first, olga)
    data = archived(stage.engine, first.event, stage.clock())
    here = taken_in(other.s, data, stage.clock(), other.set_up("Nora"))
    assert without_moment(archived(other.engine, here, stage.clock())) == without_moment(data)
    assert other.standings(here) == stage.standings(first.event)
    assert replay(stage.s, first.event).difference is None


def test_event_that_reports_outcomes_shows_no_victory_points(stage: Stage, enter: Enter, olga: Person) -> None:
    tables = seated(stage, enter, ReportDetail.OUTCOME)
    for table in tables:
        olga.press("Save", at=table.desk, won="A wins")
    first = tables[0]
    heads = [cell.text for cell in olga.open(f"{HOME}/standings").soup.select("table.standings th")]
    assert heads[-4:] == ["W-D-L", "Points", "SoS", "Lot"]
    for address in ("standings", "rounds/1", f"players/{first.game.a_id}", f"games/{first.game_id}", "hall"):
        page = olga.open(f"{HOME}/{address}")
        assert page.status == 200 and "0 : 0" not in page.text, address
        assert "VP" not in page.part("main"), address
    assert "Players report a win, a draw or a loss." in olga.open(HOME).text
    assert ",,A" not in olga.open(f"{HOME}/standings.csv").response.text
    games = olga.open(f"{HOME}/rounds/1/round.csv").response.text.splitlines()
    assert games[1].split(",")[7:10] == ["", "", first.name("a")]
    assert olga.open(f"{HOME}/desk/rulings").soup.select("[name=vp]") == []
    for address, choice, absent, present in (
        ("awards", "#a-kind option", "most_vp", "place"),
        ("settings/tie-breaks", "[id$=tie_breaks-2] option", "vp_difference", "sos"),
    ):
        offered = [str(tag["value"]) for tag in olga.open(f"{HOME}/desk/{address}").soup.select(choice)]
        assert absent not in offered and present in offered


def assert_printed(table: Table, olga: Person) -> None:
    for address in (f"{HOME}/rounds/1/scoresheets.pdf?", f"{ROUND}/blank-sheets.pdf?count=1&scenario=none",
                    f"{HOME}/games/{table.game_id}/sheet.pdf?"):  # fmt: skip
        assert olga.open(f"{address}&size=a5").response.data[:5] == b"%PDF-", address


@pytest.mark.parametrize(
    ("detail", "choice", "answers"),
    [(ReportDetail.OUTCOME, "conceded_b", {"won": "A wins"}),
     (ReportDetail.TOTALS, "conceded_a", {"a.total": 0, "b.total": 0})],
)  # fmt: skip
def test_ending_without_figures_needs_none(
    stage: Stage, enter: Enter, detail: ReportDetail, choice: str, answers: dict[str, object]
) -> None:
    """A concession names the winner."""
    for table, ending, stored in zip(
        seated(stage, enter, detail), (choice, "not_played"), (answers, None), strict=True
    ):  # fmt: skip
        table.send(table.a, ending=ending)
        table.b.open(MINE)
        table.b.agree()
        assert (table.game.state, table.game.answers) == (GameState.CONFIRMED, stored)


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
    assert table.a.open(MINE).part("[data-live-nothing]") == "Nothing entered yet"
    assert ":" not in table.a.page.part("[data-live-score]"), "nor a total of 0"

    def check(**typed: str) -> dict[str, Any]:
        form = form_of(table.a, do="check", key="k" * 24, **typed)
        return table.a.http.post(MINE, data=form, headers=OUTBOX).json or {}

    found = check(**typed)["result"]
    assert (found["figures"], "you win" in found["won"].lower()) == (figures, True)
    half = check(**dict([*typed.items()][: len(typed) - 1]))
    assert (half["result"], half["doubts"]) == (None, []), "what is not entered yet is not wrong yet"
    if figures:
        (doubt,) = check(a__total="0", b__total="0", sure="y")["doubts"]
        assert ("Nobody scored in the whole game. Is that right?" in doubt["said"], doubt["refused"]) == (True, False)
    (focus,) = olga.open(f"{ROUND}/entry?table={table.game.table_number}").soup.select("[autofocus]")
    assert focus["name"] == next(iter(typed)).replace("__", ".")
    page = olga.press("Store")
    assert (page.status, table.game.state) == (422, GameState.OPEN), "an empty sheet is no result"
    olga.press("Store", **typed)
    assert (table.game.state, table.game.answers) == (GameState.CONFIRMED, answers)


def test_report_detail_is_fixed_after_the_first_report(stage: Stage, enter: Enter, olga: Person) -> None:
    table, _ = seated(stage, enter, ReportDetail.FULL)
    page = olga.press("Save", at=f"{SETTINGS}/reports", inside="#reports", report_detail="Both totals of VP")
    assert "Saved." in page.flashes and stage.now(table.event).report_detail == ReportDetail.TOTALS
    table.send(table.a, a__total="5", b__total="1")
    with stage.unchanged():
        page = olga.open(f"{SETTINGS}/reports")
        assert [option.text for option in page.soup.select("#report_detail option")] == ["Both totals of VP"]
        page = olga.forge("Save", inside="#reports", report_detail="outcome")
        assert page.status == 422 and "this can no longer change." in page.error_at("report_detail")
