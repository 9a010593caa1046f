"""One person acting as both sides of a game cannot confirm a result alone."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask

from models.award import Ruling
from models.event import Event
from models.play import Game, GameState, Player, Report
from models.staff import Role
from tests.conftest import PUBLIC
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.tables import MINE, WITHOUT_KEY, form_of

WAITS = "Reported from the paper sheet. Both players, or the desk, need to confirm."
DESK = "/e/iron-open/desk"
KEY = "a-key-that-this-phone-has-made"

pytestmark = [pytest.mark.both_at_length]


@dataclass(frozen=True)
class Table:
    """A published game with a browser for each player, and further browsers that know only the paper sheet's code."""

    app: Flask
    stage: Stage
    event: Event
    id: int
    a: Person
    b: Person

    @property
    def game(self) -> Game:
        return self.stage.one(Game, id=self.id)

    @property
    def state(self) -> GameState:
        return self.game.state

    @property
    def figures(self) -> dict[str, object]:
        """The answers other than 0."""
        return {key: value for key, value in (self.game.answers or {}).items() if value}

    @property
    def names(self) -> tuple[str, str]:
        return self.stage.name(self.game.a_id), self.stage.name(self.game.b_id)

    def sheet(self, side: str) -> Person:
        """A private window with the sheet's form for this side."""
        window = Person(self.app)
        window.open(f"/g/{self.game.code}?side={side}")
        return window

    def from_sheet(self, side: str, **answers: str) -> Person:
        """Report with the sheet's code, in a private window."""
        window = self.sheet(side)
        window.press("Send the result", **answers)
        assert self.stage.all(Report, game_id=self.id), window.page.text
        return window

    def agree(self, person: Person) -> None:
        """Agree to the report on the player's own page."""
        person.open(MINE)
        person.agree()

    def staff_who_is_a(self, name: str, role: Role) -> Person:
        """Player A's browser, also signed in as staff."""
        return self.also_a(let_in(self.app, self.stage.hire(self.event, name, role)))

    def also_a(self, person: Person) -> Person:
        """This browser, in which player A's link was opened too."""
        code = self.a.open("/e/iron-open/me/link").part(".copy-text").removeprefix(PUBLIC)
        person.open(code)
        person.press(f"Continue as {self.names[0]}")
        return person


@pytest.fixture
def seat(app: Flask, stage: Stage, enter: Callable[..., list[Person]]) -> Callable[[int], list[Table]]:
    """Publish round 1 with this many tables."""

    def make(tables: int) -> list[Table]:
        event = stage.event(scenarios=("hold-the-line", "", ""))
        names = [f"Player {n}" for n in range(2 * tables)]
        people = dict(zip(names, enter(event, *names), strict=True))
        games = stage.publish(event, 1)
        return [
            Table(app, stage, event, one.id, people[stage.name(one.a_id)], people[stage.name(one.b_id)])
            for one in games
        ]

    return make


@pytest.fixture
def table(seat: Callable[[int], list[Table]]) -> Table:
    """A round of one game."""
    (only,) = seat(1)
    return only


def sheet_report_and_own_agreement(table: Table) -> None:
    window = table.from_sheet("b", a__r2="2")
    assert WAITS in window.open(f"/g/{table.game.code}").text
    assert WAITS in table.a.open(MINE).text
    page = table.a.agree()
    assert "Saved. Now your opponent confirms it on their own page." in page.flashes


def sheet_report_and_own_report(table: Table) -> None:
    table.from_sheet("b", a__r2="2")
    table.a.open(MINE)
    table.a.press("Send my report", a__r2="2")


def own_report_and_sheet_reports(table: Table) -> None:
    windows = [table.sheet(side) for side in "ab"]
    table.a.open(MINE)
    table.a.press("Send the result", a__r2="2")
    before = table.stage.digest()
    assert [window.press("Send the result", a__r2="2").status for window in windows] == [403, 403]
    assert table.stage.digest() == before


def sheet_reports_as_both_sides(table: Table) -> None:
    other = table.sheet("a")
    window = table.from_sheet("b", a__r2="2")
    before = table.stage.digest()
    assert other.press("Send the result", a__r2="2").status == 403
    assert WAITS in window.open(f"/g/{table.game.code}?side=a").text
    assert table.stage.digest() == before


def own_agreement_and_a_late_sheet_report(table: Table) -> None:
    late = table.sheet("b")
    form = late.page
    table.from_sheet("b", a__r2="2")
    table.agree(table.a)
    before = table.stage.digest()
    for fields in ({"a__r2": "2"}, {"a__r2": "2", "do": "agree-a"}, {"do": "agree-sheet"}):
        late.page = form
        assert late.forge("Send the result", **fields).status == 403
    assert table.stage.digest() == before


def own_agreement_twice(table: Table) -> None:
    table.from_sheet("b", a__r2="2")
    table.agree(table.a)
    form = table.a.open(MINE)
    assert "Yes, that is right" not in form.text
    for do in ("agree-sheet", "agree-a", "agree-b"):
        table.a.page = form
        table.a.forge("Send the result", do=do)
    assert len(table.stage.all(Report, game_id=table.id)) == 2


@pytest.mark.proves("attack 56")
def test_reports_and_agreements_of_one_person_confirm_nothing(seat: Callable[[int], list[Table]]) -> None:
    attacks = (sheet_report_and_own_agreement, sheet_report_and_own_report, own_report_and_sheet_reports,
               sheet_reports_as_both_sides, own_agreement_and_a_late_sheet_report, own_agreement_twice)  # fmt: skip
    for attack, table in zip(attacks, seat(len(attacks)), strict=True):
        attack(table)
        assert (table.state, table.figures) == (GameState.REPORTED, {"a.r2": 2}), attack.__name__
        if attack is sheet_reports_as_both_sides:
            table.agree(table.a)
        table.agree(table.b)
        assert table.state == GameState.CONFIRMED, attack.__name__


@pytest.mark.proves("attack 56")
def test_late_or_repeated_outbox_report_from_the_sheet_confirms_nothing(table: Table) -> None:
    address = f"/e/iron-open/games/{table.id}/report?side=b"
    window = Person(table.app)
    body = form_of(window, f"/g/{table.game.code}?side=b", a__r2="2") | {"key": KEY}
    headers = WITHOUT_KEY | {"X-Outbox-Key": KEY}
    said = window.http.post(address, data=body, headers=headers).get_json()
    waits = "Saved. Both players confirm it on their own pages, or the desk does."
    assert (said["state"], said["said"]) == ("saved", waits)
    table.agree(table.a)
    before = table.stage.digest()
    assert window.http.post(address, data=body, headers=headers).get_json()["state"] == "saved"
    assert table.stage.digest() == before
    other = body | {"key": f"another-{KEY}", "version": str(table.game.version)}
    headers = WITHOUT_KEY | {"X-Outbox-Key": f"another-{KEY}"}
    assert window.http.post(address, data=other, headers=headers).get_json()["state"] == "refused"
    assert (table.state, table.stage.digest()) == (GameState.REPORTED, before)


@pytest.mark.proves("attack 56")
def test_sheet_and_own_link_in_one_browser_confirm_nothing(table: Table, link_of: Callable[[Player], str]) -> None:
    person = table.from_sheet("b", a__r2="2")
    person.open(link_of(table.stage.one(Player, id=table.game.a_id)))
    assert person.open(f"/g/{table.game.code}?side=b").path == MINE
    table.agree(person)
    assert person.open(f"/g/{table.game.code}?side=b").path == MINE
    assert table.state == GameState.REPORTED


@pytest.mark.proves("attack 56")
def test_own_report_replaces_a_different_one_from_the_sheet_and_everybody_sees_both(
    seat: Callable[[int], list[Table]], olga: Person
) -> None:
    table, other = seat(2)
    for one in (table, other):
        one.from_sheet("b", b__r2="2")
        one.a.open(MINE)
        page = one.a.press("Send my report", a__r2="2", b__r2="0")
        assert "Saved. Now your opponent confirms it on their own page." in page.flashes
        assert (one.state, one.figures) == (GameState.REPORTED, {"a.r2": 2})
    name, _ = table.names
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
    assert otherwise in olga.open(f"{DESK}/games/{table.id}").text
    olga.press("Confirm the report from the sheet")
    assert (table.state, table.figures) == (GameState.CONFIRMED, {"b.r2": 2})
    other.b.open(MINE)
    other.b.agree()
    assert (other.state, other.figures) == (GameState.CONFIRMED, {"a.r2": 2}), "no dispute between the players"


@pytest.mark.proves("attack 56")
def test_pages_name_no_side_for_a_sheet_report_which_the_desk_confirms_at_once(table: Table, olga: Person) -> None:
    table.from_sheet("b", a__r2="2")
    assert WAITS in table.b.open("/e/iron-open/me").text
    versions = table.b.open(f"/e/iron-open/games/{table.id}").part(".versions")
    assert "Reported from the paper sheet: 2 : 0" in versions
    pages = [table.b.open(MINE), table.a.open(MINE), olga.open(f"{DESK}/games/{table.id}"),
             olga.open(f"{DESK}/rounds/1/results")]  # fmt: skip
    assert [page.path for page in pages if f"{table.names[1]} reported" in page.text] == []
    assert table.stage.journal(table.event, "report") == [
        "Round 1, table 1: the result is reported from the paper sheet, and waits for both players or the desk"
    ]
    assert "Reported from the paper sheet" in pages[-1].part(".results-desk")
    olga.press("Confirm")
    assert (table.state, table.figures) == (GameState.CONFIRMED, {"a.r2": 2})


@pytest.mark.proves("attack 56")
def test_sheet_changes_neither_a_confirmed_result_nor_a_no_show(
    seat: Callable[[int], list[Table]], olga: Person
) -> None:
    confirmed, no_show = seat(2)
    late = [one.sheet("b") for one in (confirmed, no_show)]
    confirmed.stage.decide(confirmed.event, confirmed.game, 3, 1)
    olga.open(f"{DESK}/games/{no_show.id}")
    olga.press(f"{no_show.names[0]} did not come")
    before = confirmed.stage.digest()
    assert [window.press("Send the result", b__r2="2").status for window in late] == [403, 403]
    assert confirmed.stage.digest() == before


# ---- staff who play


def refused(table: Table, person: Person, page: str, *forms: tuple[str, dict[str, str]]) -> None:
    """Check that each of these desk forms is rejected and changes nothing."""
    token = str(person.open(f"{DESK}/{page}").value("csrf_token"))
    sent = {"csrf_token": token, "version": str(table.game.version), "game": str(table.id), "a.r2": "2"}
    before = table.stage.digest()
    for address, fields in forms:
        assert person.http.post(f"{DESK}/{address}", data=sent | fields).status_code == 403, address
    assert table.stage.digest() == before


@pytest.mark.proves("attack 56")
def test_scorekeeper_does_not_confirm_or_enter_their_own_game(table: Table) -> None:
    scorekeeper, game = table.staff_who_is_a("Sam", Role.SCOREKEEPER), f"games/{table.id}"
    table.from_sheet("b", a__r2="2")
    refused(table, scorekeeper, "rounds/1/results", (f"{game}/confirm", {"side": "sheet"}),
            (game, {"do": "agree-sheet"}), (game, {}), ("rounds/1/entry", {}),
            ("rounds/1/second-pass", {}))  # fmt: skip
    own = "You play in this game. Report it on your own page; somebody else at the desk confirms it."
    for address in (game, "rounds/1/entry?table=1"):
        page = scorekeeper.open(f"{DESK}/{address}")
        assert (page.status, own in page.text) == (200, True), address


@pytest.mark.proves("attack 56")
def test_judge_rules_neither_on_their_own_game_nor_on_its_players(table: Table, olga: Person) -> None:
    (other,) = table.stage.enter(table.event, "Cy")
    judge, game, me = table.staff_who_is_a("Jo", Role.JUDGE), f"games/{table.id}", table.game.a_id
    table.stage.decide(table.event, table.game, 1, 3)
    assert [button.text for button in judge.open(f"{DESK}/{game}").soup.select("main button")] == []
    why = {"reason": "It was so."}
    refused(table, judge, game, (game, why), (f"{game}/absent", {"who": "b"}), (f"{game}/open-again", why),
            (f"{game}/through", {"side": "a"}))  # fmt: skip

    def give(person: Person, player_id: int | None, points: str) -> int:
        token = str(person.open(f"{DESK}/rulings").value("csrf_token"))
        sent = {"csrf_token": token, "round_number": "0", "points": points, "vp": "0", "card": "", "follows": ""}
        sent |= {"reason": "late", "player": str(player_id)}
        return person.http.post(f"{DESK}/rulings", data=sent).status_code

    given = [give(judge, one, "5") for one in (me, table.game.b_id, other.id)]
    assert given == [403, 403, 302]
    assert give(olga, me, "-5") == 302
    ruling = table.stage.one(Ruling, player_id=me)
    token = {"csrf_token": str(judge.open(f"{DESK}/rulings").value("csrf_token"))}
    assert judge.http.post(f"{DESK}/rulings/{ruling.id}/take-back", data=token).status_code == 403


@pytest.mark.proves("attack 56")
def test_organiser_who_plays_enters_their_own_game_and_both_players_see_it(table: Table, olga: Person) -> None:
    table.also_a(olga)
    table.from_sheet("b", a__r2="2")
    olga.open(f"{DESK}/rounds/1/results")
    olga.press("Confirm")
    assert table.state == GameState.CONFIRMED
    assert "entered by a player of this game" in table.stage.journal(table.event, "report")[-1]
    assert "plays in this game" in table.b.open(f"/e/iron-open/games/{table.id}").part(".versions")


@pytest.mark.proves("attack 56")
def test_agreement_is_bound_to_the_report_that_was_shown(table: Table) -> None:
    """After a restore or a redraw, another report can have the same game id and version."""
    table.a.open(MINE)
    table.a.press("Send the result", a__r2="2")
    table.b.open(MINE)
    with table.stage.changing(table.event):
        report = table.stage.one(Report)
        report.answers = report.answers | {"a.r2": 0, "b.r2": 2}
    page = table.b.agree()
    assert (page.status, table.state) == (409, GameState.REPORTED)
    table.agree(table.b)
    assert table.state == GameState.CONFIRMED
