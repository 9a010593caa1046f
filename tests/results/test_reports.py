"""Results: reported by one side, answered by the other, sent from the paper sheet, decided by the organiser."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from flask import Flask

from events.play.errors import Refused
from models.event import Event
from models.play import Game, GameState, Player, Report, ReportSide
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.scenario import Scenario

pytestmark = pytest.mark.fast

SYSTEM = SYSTEMS["battle_mode"]
SCENARIOS = {scenario.id: scenario for scenario in SYSTEM.scenarios}
GAME = "/e/iron-open/me/game"
Enter = Callable[..., list[Person]]


@dataclass(frozen=True)
class Table:
    """A published game: player A, player B and the organiser, each with a browser."""

    a: Person
    b: Person
    olga: Person
    stage: Stage
    event: Event

    @property
    def game(self) -> Game:
        return self.stage.games(self.event, 1)[0]

    @property
    def reports(self) -> list[tuple[str, dict[str, object]]]:
        """Who reported what, oldest first."""
        return [(report.side.value, dict(report.answers)) for report in self.stage.all(Report)]

    @property
    def desk(self) -> str:
        return f"/e/iron-open/desk/games/{self.game.id}"

    def send(self, person: Person, **answers: str) -> Page:
        """Open the form and send it with these answers (dots as __)."""
        page = person.open(GAME)
        button = "Send my report" if "Send my report" in page.text else "Send the result"
        return person.press(button, **answers)

    def points(self) -> dict[str, tuple[int, int]]:
        """Tournament points and VP of everybody in the standings."""
        return {row.name: (row.points, row.vp) for row in self.stage.standings(self.event)}


@pytest.fixture
def seat(app: Flask, olga: Person, stage: Stage, enter: Enter) -> Callable[[str], Table]:
    """Seat Ada and Bo at table 1 for round 1 with this scenario."""

    def make(scenario: str) -> Table:
        event = stage.event(scenarios=(scenario, "", ""))
        people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
        (game,) = stage.publish(event, 1)
        return Table(people[stage.name(game.a_id)], people[stage.name(game.b_id)], olga, stage, event)

    return make


@pytest.fixture
def table(seat: Callable[[str], Table]) -> Table:
    """A table with Hold the Line."""
    return seat("hold-the-line")


# ---- the form, made from the scenario


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=list(SCENARIOS))
def test_the_form_asks_what_the_scenario_asks(seat: Callable[[str], Table], scenario: Scenario) -> None:
    table = seat(scenario.id)
    page = table.a.open(GAME)
    assert scenario.name in page.text
    asked = {q.key for q in scenario.questions if q.kind == "choice" or q.most}
    names = {str(c["name"]) for c in page.soup.select("form.report [name]")}
    assert names == asked | {"csrf_token", "version", "key", "game", "reporter", "ending"}
    assert page.text.count("cannot score") == 2 * (scenario.scoring_from - 1)
    most = next(q.most for q in scenario.questions if q.key == "b.r6")
    table.a.press(
        "Send the result",
        a__r6=str(min(most, 2)),
        b__objectives="5",
        **({"a__choice": "Hackers"} if "a.choice" in asked else {}),
    )
    assert table.game.state == GameState.REPORTED
    answers = table.game.answers
    assert answers is not None
    assert SYSTEM.score(scenario, answers).a == min(most, 2)
    assert SYSTEM.score(scenario, answers).b == 5
    assert answers.get("a.choice") == ("Hackers" if "a.choice" in asked else None)


@pytest.mark.proves("attack 42", "ASVS 2.2.1", "ASVS 2.2.3")
@pytest.mark.parametrize(
    ("scenario", "answers", "field", "words"),
    [
        ("hold-the-line", {"a__r2": "2", "b__r2": "1"}, "b.r2", "two markers give at most 2 together"),
        ("hold-the-line", {"a__r3": "3"}, "a.r3", "3 VP, at most 2 can be"),
        ("hold-the-line", {"b__r3": "-1"}, "b.r3", "-1 is below 0"),
        ("hold-the-line", {"a__objectives": "6"}, "a.objectives", "6 markers, at most 5 can be"),
        ("hold-the-line", {"a__r2": "two"}, "a.r2", "Invalid Choice"),
        ("hold-the-line", {"a__r2": "1.5"}, "a.r2", "Invalid Choice"),
        ("hold-the-line", {"a__r2": "9" * 5000}, "a.r2", "at most 2 can be"),
        ("defend-your-stash", {"a__r4": "1", "b__r4": "3"}, "a.r4", "both count the middle marker"),
        ("extract-the-information", {"a__r2": "4"}, "a.r2", "4 VP, at most 3 can be"),
        ("extract-the-information", {"a__choice": "Bakers"}, "a.choice", "one of Hackers or Smashers"),
        ("raiders", {"b__r1": "3"}, "b.r1", "3 VP, at most 2 can be"),
        ("scrapyard", {"a__r2": "100"}, "a.r2", "From 0 to 99."),
        ("scrapyard", {"a__r2": "many"}, "a.r2", "Please type a whole number."),
        ("scrapyard", {"a__r2": "9" * 5000}, "a.r2", "From 0 to 99."),
    ],
)
def test_what_cannot_have_happened_is_refused_at_its_field(
    seat: Callable[[str], Table], scenario: str, answers: dict[str, str], field: str, words: str
) -> None:
    table = seat(scenario)
    before = table.stage.digest()
    table.a.open(GAME)
    page = table.a.forge("Send the result", **{"b__r5": "1"} | answers)
    assert page.status == 422
    assert words in page.error_at(field)
    assert page.value("b.r5") == "1", "the rest stays as it was typed"
    assert table.stage.digest() == before


@pytest.mark.proves("attack 42")
def test_a_figure_where_nothing_can_be_scored_is_not_taken(table: Table) -> None:
    table.a.open(GAME)
    table.a.forge("Send the result", a__r1="2", a__r2="1", a__beauty="7")
    ((_, answers),) = table.reports
    assert "a.r1" not in answers
    assert "a.beauty" not in answers


@pytest.mark.parametrize(
    ("scenario", "answers", "words"),
    [
        ("extract-the-information", {"a__r2": "2", "b__r2": "2"}, "2 and 2 VP are 4 together"),
        ("scrapyard", {"b__r3": "7"}, "player B with 7 VP in one round, is that right?"),
        ("hold-the-line", {}, "Nobody scored in the whole game"),
    ],
)
def test_what_is_odd_is_asked_and_then_taken(
    seat: Callable[[str], Table], scenario: str, answers: dict[str, str], words: str
) -> None:
    table = seat(scenario)
    before = table.stage.digest()
    page = table.send(table.a, **answers)
    assert page.status == 422
    assert words in page.part(".verdict.query")
    assert table.stage.digest() == before
    for name, value in answers.items():
        assert page.value(name.replace("__", ".")) == value
    table.a.press("Send the result")
    assert table.stage.digest() == before, "without the tick it is asked again"
    page = table.a.press("Send the result", sure=True)
    assert page.path == "/e/iron-open/me"
    assert table.game.state == GameState.REPORTED


# ---- the two players


def test_equal_reports_confirm_the_result(table: Table) -> None:
    page = table.send(table.a, a__r2="2", a__objectives="3", b__r3="1")
    assert "Saved. Now your opponent confirms it on their own page." in page.flashes
    assert "See and answer the report" in table.b.open("/e/iron-open/me").text
    page = table.send(table.b, a__r2="2", a__objectives="3", b__r3="1")
    assert "Saved: the result is confirmed." in page.flashes
    assert table.game.state == GameState.CONFIRMED
    a, b = (table.stage.name(one) for one in (table.game.a_id, table.game.b_id))
    assert table.points() == {a: (3, 5), b: (0, 1)}
    assert [side for side, _ in table.reports] == ["a", "b"]
    assert table.a.open(GAME).path == "/e/iron-open/me", "nothing more to report"


def test_the_opponent_agrees_with_one_press(table: Table) -> None:
    table.send(table.b, b__r2="2")
    page = table.a.open(GAME)
    assert "Is this right?" in page.part("h1")
    page = table.a.press("Yes, that is right")
    assert "Saved: the result is confirmed." in page.flashes
    assert table.reports[0][1] == table.reports[1][1]
    assert [side for side, _ in table.reports] == ["b", "a"]


def test_whoever_agrees_to_what_is_different_by_now_has_the_newest_figures_before_them(table: Table) -> None:
    table.send(table.b, b__r2="2")
    table.a.open(GAME)
    table.send(table.b, b__r2="1")
    page = table.a.press("Yes, that is right")
    assert (page.status, page.value("b.r2")) == (409, "1")


def test_one_cannot_agree_with_oneself(table: Table) -> None:
    table.send(table.a, a__r2="2")
    page = table.a.open(GAME)
    assert not any("Yes, that is right" in button.text for button in page.soup.find_all("button"))
    before = table.stage.digest()
    for button in ("agree-a", "agree-b"):
        page = table.a.forge("Send the result", do=button)
        assert "There is no report to agree to yet." in page.text
        assert table.stage.digest() == before


def test_different_reports_are_a_dispute_that_the_organiser_decides(table: Table, visitor: Person) -> None:
    table.send(table.a, a__r2="2")
    page = table.send(table.b, a__r2="1", b__r2="1")
    assert "The two reports differ: the organiser sees both and decides." in page.flashes
    assert (table.game.state, table.game.answers) == (GameState.DISPUTED, None)
    assert "Disputed" in visitor.open("/e/iron-open/rounds/1").part(".pairings")
    assert "Standings appear when the first round is complete" in visitor.open("/e/iron-open/standings").text
    desk = table.olga.open("/e/iron-open/desk")
    assert "1 result disputed" in desk.part("#group-disputed summary")
    assert "round 1" in desk.part("#group-disputed li")
    page = table.olga.open(table.desk)
    assert [row[1:3] for row in page.rows("table.reports")] == [["2", "0"], ["1", "1"]]
    page = table.olga.press("Decide", a__r2="1", b__r2="0")
    assert (page.status, "Say why it is decided so" in page.part("form.report .field-wrong")) == (422, True)
    page = table.olga.press("Decide", inside="form.report", reason="Both looked at the sheet.")
    assert page.path == "/e/iron-open/desk/rounds/1"
    assert table.game.state == GameState.CONFIRMED
    a, b = (table.stage.name(one) for one in (table.game.a_id, table.game.b_id))
    assert table.points() == {a: (3, 1), b: (0, 0)}


def test_the_organiser_takes_one_sides_report_with_one_press(table: Table) -> None:
    table.send(table.a, a__r2="2")
    table.send(table.b, a__r2="1", b__r2="1")
    table.olga.open(table.desk)
    name = table.stage.name(table.game.b_id or 0)
    table.olga.press(f"Take {name}’s report")
    assert table.game.state == GameState.CONFIRMED
    assert table.game.answers == table.reports[1][1]


def test_what_scores_nothing_is_nothing_to_quarrel_about(seat: Callable[[str], Table]) -> None:
    table = seat("extract-the-information")
    table.send(table.a, a__r2="2", a__choice="Hackers")
    table.send(table.b, a__r2="2", a__choice="Smashers")
    assert table.game.state == GameState.CONFIRMED


def test_a_dispute_ends_when_one_side_comes_round(table: Table) -> None:
    table.send(table.a, a__r2="2")
    table.send(table.b, a__r2="0", b__r2="2")
    page = table.a.open(GAME)
    assert page.part("h1") == "The two reports differ"
    assert "one of you accepts the other’s report" in page.text
    assert "See both reports" in table.a.open("/e/iron-open/me").text
    table.a.page = page
    table.a.press("Accept Bo’s report")
    assert table.game.state == GameState.CONFIRMED
    assert (table.game.answers or {})["b.r2"] == 2


def test_a_player_corrects_the_own_report_before_the_answer(table: Table) -> None:
    table.send(table.a, a__r2="2")
    page = table.a.open(GAME)
    assert page.value("a.r2") == "2", "the form starts from the report"
    table.a.press("Send the result", a__r2="1")
    assert (table.game.state, (table.game.answers or {})["a.r2"]) == (GameState.REPORTED, 1)
    table.b.open(GAME)
    table.b.press("Yes, that is right")
    assert (table.game.answers or {})["a.r2"] == 1


def test_a_double_press_stores_one_report(table: Table) -> None:
    form = table.a.open(GAME)
    first = table.a.press("Send the result", a__r2="2")
    version = table.game.version
    table.a.page = form
    second = table.a.press("Send the result", a__r2="2")
    assert first.path == second.path == "/e/iron-open/me"
    assert len(table.reports) == 1
    assert table.game.version == version
    assert len(table.stage.journal(table.event, "report")) == 1


def test_pressing_yes_twice_confirms_once(table: Table) -> None:
    table.send(table.a, a__r2="2")
    form = table.b.open(GAME)
    table.b.press("Yes, that is right")
    table.b.page = form
    assert table.b.press("Yes, that is right").path == "/e/iron-open/me"
    assert len(table.reports) == 2


def test_a_form_that_has_not_seen_the_other_report_is_asked_to_look_again(table: Table) -> None:
    table.a.open(GAME)
    table.send(table.b, b__r2="2")
    page = table.a.press("Send the result", a__r2="2", a__objectives="4")
    assert page.status == 409
    assert "Somebody else reported this game while you were writing." in page.errors
    assert (page.value("a.r2"), page.value("a.objectives")) == ("2", "4"), "what was typed is kept"
    assert "What was reported" in page.text
    assert len(table.reports) == 1
    table.a.press("Send my report")
    assert table.game.state == GameState.DISPUTED


def test_yes_to_a_report_that_has_changed_meanwhile_is_not_taken(table: Table) -> None:
    table.send(table.a, a__r2="1")
    table.b.open(GAME)
    table.a.open(GAME)
    table.a.press("Send the result", a__r2="2")
    page = table.b.press("Yes, that is right")
    assert page.status == 409
    assert table.game.state == GameState.REPORTED
    table.b.press("Yes, that is right")
    assert (table.game.state, (table.game.answers or {})["a.r2"]) == (GameState.CONFIRMED, 2)


@pytest.mark.parametrize("version", ["", "x", "-1", "99", "9" * 5000, "١"])
def test_a_tampered_version_counts_as_an_old_one(table: Table, version: str) -> None:
    table.a.open(GAME)
    page = table.a.forge("Send the result", inside="form.report", version=version, a__r2="1")
    assert page.status == 409
    assert table.reports == []


# ---- who may not


@pytest.mark.proves("attack 11")
def test_only_the_two_players_and_the_organiser_report_a_game(
    app: Flask, table: Table, enter: Enter, stage: Stage
) -> None:
    (stranger,) = enter(stage.event("Rust Cup"), "Cy")
    (late,) = enter(table.event, "Late")
    form = table.a.open(GAME)
    desk_form = table.olga.open(table.desk)
    before = stage.digest()
    for person, status in ((Person(app), 403), (stranger, 403)):
        assert person.open(GAME).status == status
        assert person.open(table.desk).status == 403
        person.page = form
        assert person.press("Send the result", a__r2="1").status == 400, "a token of somebody else's browser"
    assert late.open(GAME).path == "/e/iron-open/me", "no game, no form"
    assert late.open(table.desk).status == 403
    table.a.page = desk_form
    assert table.a.press("Decide", a__r2="1").status == 400
    assert stage.digest() == before


@pytest.mark.proves("attack 6", "attack 11")
def test_a_desk_takes_no_game_of_another_event_and_no_bye(table: Table, stage: Stage) -> None:
    other = stage.event("Rust Cup")
    stage.enter(other, "Cy", "Di", "Ed")
    foreign, bye = stage.publish(other, 1)
    for address in (f"/e/iron-open/desk/games/{foreign.id}", f"/e/rust-cup/desk/games/{bye.id}",
                    f"/e/rust-cup/desk/games/{table.game.id}", "/e/iron-open/desk/games/0",
                    f"/e/iron-open/desk/games/{2**63}"):  # fmt: skip
        assert table.olga.open(address).status == 404
    form = table.olga.open(table.desk)
    before = stage.digest()
    token = str(form.value("csrf_token"))
    for game in (foreign, bye):
        answer = table.olga.http.post(
            f"/e/iron-open/desk/games/{game.id}", data={"csrf_token": token, "version": "0", "a.r2": "1"}
        )
        assert answer.status_code == 404
    assert stage.digest() == before


@pytest.mark.proves("attack 11")
def test_one_with_a_bye_has_nothing_to_report(enter: Enter, stage: Stage, event: Event) -> None:
    people = enter(event, "Ada", "Bo", "Cy")
    _, bye = stage.publish(event, 1)
    person = people[[p.id for p in stage.all(Player)].index(bye.a_id)]
    assert person.open(GAME).path == "/e/iron-open/me"


@pytest.mark.proves("attack 11")
def test_a_drawn_round_is_not_decided_before_it_is_played(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, _ = stage.draw(event, 1)
    assert olga.open(f"/e/iron-open/desk/games/{game.id}").status == 404
    with pytest.raises(Refused, match="Round 1 is not published yet"):
        stage.decide(event, game, 2, 1)
    stage.publish(event, 1)
    assert olga.open(f"/e/iron-open/desk/games/{stage.games(event, 1)[0].id}").status == 200


@pytest.mark.proves("attack 11")
def test_a_confirmed_game_takes_no_more_from_its_players(table: Table) -> None:
    form = table.a.open(GAME)
    table.stage.decide(table.event, table.game, 3, 1)
    before = table.stage.digest()
    table.a.page = form
    assert table.a.press("Send the result", a__r2="2").path == "/e/iron-open/me"
    assert table.stage.digest() == before


# ---- the paper sheet


def test_whoever_holds_the_sheet_sends_the_first_report_and_no_second(app: Flask, table: Table) -> None:
    holder = Person(app)
    game = table.game
    page = holder.open(f"/g/{game.code.lower()}")
    assert "who are you?" in page.part("h1")
    side = page.soup.find("a", href=f"/e/iron-open/games/{game.id}/report?side=b")
    assert side
    assert side.text.strip() == table.stage.name(game.b_id)
    holder.open(f"/g/{game.code}?side=b")
    page = holder.press("Send the result", b__r2="2")
    assert page.path == "/e/iron-open/rounds/1"
    ((side_of, answers),) = table.reports
    assert (side_of, answers["b.r2"]) == ("b", 2)
    assert table.stage.one(Report).by == "the paper sheet"
    page = holder.open(f"/g/{game.code}?side=a")
    assert "Reported from the paper sheet. Both players, or the desk, need to confirm." in page.text
    assert not page.soup.select_one("form.report")
    for person, state in ((table.a, GameState.REPORTED), (table.b, GameState.CONFIRMED)):
        person.open(GAME)
        person.press("Yes, that is right")
        assert table.game.state == state
    assert "This result is confirmed." in holder.open(f"/g/{game.code}").text


def test_a_second_sheet_form_left_open_is_refused(app: Flask, table: Table) -> None:
    one, other = Person(app), Person(app)
    one.open(f"/g/{table.game.code}?side=a")
    other.open(f"/g/{table.game.code}?side=b")
    one.press("Send the result", a__r2="2")
    before = table.stage.digest()
    assert other.press("Send the result", a__r2="2").status == 403
    one.open("/e/iron-open")
    assert table.stage.digest() == before, "with the sheet's code alone nobody confirms"


@pytest.mark.proves("attack 23")
def test_the_sheet_does_not_agree(app: Flask, table: Table) -> None:
    table.send(table.a, a__r2="2")
    holder = Person(app)
    token = str(holder.open("/sign-in").value("csrf_token"))
    before = table.stage.digest()
    answer = holder.http.post(f"/g/{table.game.code}?side=b", data={"csrf_token": token, "do": "agree", "version": "1"})
    assert answer.status_code == 403
    assert table.stage.digest() == before


def test_a_player_of_the_game_who_scans_the_sheet_comes_to_the_own_form(table: Table) -> None:
    assert table.a.open(f"/g/{table.game.code}").path == GAME


@pytest.mark.proves("attack 12", "attack 23")
def test_a_wrong_code_and_one_of_an_unpublished_round_lead_nowhere(visitor: Person, table: Table, stage: Stage) -> None:
    assert visitor.open("/g/AAAAAAAA").status == 404
    stage.decide(table.event, table.game, 2, 1)
    (game,) = stage.draw(table.event, 2)
    assert visitor.open(f"/g/{game.code}").status == 404
    assert visitor.open(f"/g/{game.code}?side=a").status == 404


def test_sheet_code_is_typed_with_or_without_space_and_hyphen(visitor: Person, table: Table, olga: Person) -> None:
    code = table.game.code
    assert len(code) == 10
    for typed in (code, f" {code[:5].lower()} {code[5:]} ", f"{code[:5]}-{code[5:]}"):
        desk = olga.open(f"/e/iron-open/desk/rounds/1/entry?table={quote(typed)}")
        assert desk.part("#sheet-head") == "Table 1"
        visitor.open("/g")
        page = visitor.press("Go on", code=typed)
        assert page.response.request.full_path == f"/e/iron-open/games/{table.game.id}/report?"
    for typed in ("nonsense", "\x00", "x" * 5000):
        visitor.open("/g")
        page = visitor.press("Go on", code=typed)
        assert (page.status, page.path) == (404, "/g")
        assert "No sheet has this code." in page.error_at("code")
    assert visitor.open("/g").status == 200


def test_sheet_code_of_eight_characters_that_was_printed_before_still_leads_to_its_game(
    visitor: Person, table: Table
) -> None:
    with table.stage.changing(table.event) as s:
        s.get_one(Game, table.game.id).code = "ABCDEFGH"
    for typed in ("ABCDEFGH", "abcd-efgh"):
        visitor.open("/g")
        assert visitor.press("Go on", code=typed).path == f"/e/iron-open/games/{table.game.id}/report"


# ---- the organiser


def test_the_organiser_enters_a_result_and_corrects_a_confirmed_one(table: Table, visitor: Person) -> None:
    a, b = (table.stage.name(one) for one in (table.game.a_id, table.game.b_id))
    table.olga.open(table.desk)
    table.olga.press("Decide", a__r2="2")
    assert table.points() == {a: (3, 2), b: (0, 0)}
    page = table.olga.open(table.desk)
    assert page.value("a.r2") == "2"
    table.olga.press("See what changes", a__r2="0", b__r2="2", b__objectives="1")
    assert table.points() == {a: (3, 2), b: (0, 0)}, "looked at, not stored"
    table.olga.press("Store the correction", reason="Misread")
    assert table.points() == {a: (0, 0), b: (3, 3)}
    assert visitor.open("/e/iron-open/standings").rows(".standings")[0][1] == b
    assert [report.side for report in table.stage.all(Report)] == [ReportSide.ORGANISER] * 2, "the history is kept"
    assert len(table.stage.journal(table.event, "report")) == 2


def test_the_organiser_confirms_what_one_side_reported(table: Table) -> None:
    table.send(table.a, a__r2="2")
    table.olga.open(table.desk)
    table.olga.press("Confirm it")
    assert (table.game.state, (table.game.answers or {})["a.r2"]) == (GameState.CONFIRMED, 2)


def test_the_organiser_does_not_overwrite_a_report_that_came_meanwhile(table: Table) -> None:
    table.olga.open(table.desk)
    table.send(table.a, a__r2="1")
    page = table.olga.press("Decide", a__r2="2")
    assert (page.status, page.value("a.r2")) == (409, "2")
    assert len(table.reports) == 1
    table.olga.press("Decide")
    assert (table.game.state, (table.game.answers or {})["a.r2"]) == (GameState.CONFIRMED, 2)


def test_the_organiser_too_must_tick_what_is_odd_and_cannot_enter_the_impossible(table: Table) -> None:
    table.olga.open(table.desk)
    before = table.stage.digest()
    assert "Nobody scored" in table.olga.press("Decide").text
    assert table.olga.forge("Decide", a__r2="3", sure=True).status == 422
    assert table.stage.digest() == before


def test_agreeing_where_nothing_was_reported_is_refused_in_words(table: Table) -> None:
    for person, address, button in ((table.a, GAME, "Send the result"), (table.olga, table.desk, "Decide")):
        person.open(address)
        before = table.stage.digest()
        page = person.forge(button, do="agree-b")
        assert page.status == 422
        assert "There is no report to agree to yet." in page.text
        assert table.stage.digest() == before


def test_names_stand_at_the_figures_they_belong_to(table: Table) -> None:
    page = table.a.open(GAME)
    a, b = (table.stage.name(one) for one in (table.game.a_id, table.game.b_id))
    legend = page.soup.select_one('form.report [name="a.r2"]')
    assert legend is not None
    around = legend.find_parent("fieldset")
    assert around is not None
    assert around.get_text(" ").split(":")[0].strip() == a
    assert page.rows(".vp-grid")[0][0] == "1"
    assert b in page.part(".vp-grid thead")
