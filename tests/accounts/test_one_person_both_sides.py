"""One person acting as both sides of a game: nothing that one person holds confirms a result alone."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask

from models.award import Ruling
from models.event import Event
from models.play import Game, GameState, Player, Report
from models.staff import Role
from tests.kit.lost_server import organiser
from tests.kit.people import let_in
from tests.kit.person import Person, controls
from tests.kit.stage import Stage
from tests.setup.test_archive_pages import TAKE_IN

GAME = "/e/iron-open/me/game"
WAITS = "Reported from the paper sheet. Both players, or the desk, need to confirm."
OUTBOX = {"X-Outbox": "1", "X-Outbox-Key": "a-key-that-this-phone-has-made", "Accept": "application/json"}
Enter = Callable[..., list[Person]]

pytestmark = [pytest.mark.both_databases]


@dataclass(frozen=True)
class Table:
    """A published game, a browser for each player, and private windows that hold nothing but the sheet's code."""

    app: Flask
    stage: Stage
    event: Event
    a: Person
    b: Person
    olga: Person

    @property
    def game(self) -> Game:
        return self.stage.games(self.event, 1)[0]

    @property
    def state(self) -> GameState:
        return self.game.state

    @property
    def figures(self) -> dict[str, object]:
        return {key: value for key, value in (self.game.answers or {}).items() if value}

    def from_sheet(self, side: str, person: Person | None = None, **answers: str) -> Person:
        """Report with the sheet's code, in a private window unless ``person`` is given."""
        window = person or Person(self.app)
        window.open(f"/g/{self.game.code}?side={side}")
        window.press("Send the result", **answers)
        assert self.stage.all(Report), window.page.text
        return window

    def agree(self, person: Person) -> None:
        """Agree to what waits, by the player's own link."""
        person.open(GAME)
        person.press("Yes, that is right")


@pytest.fixture
def table(app: Flask, olga: Person, stage: Stage, enter: Enter) -> Table:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (game,) = stage.publish(event, 1)
    return Table(app, stage, event, people[stage.name(game.a_id)], people[stage.name(game.b_id)], olga)


@pytest.mark.proves("attack 56")
def test_sheet_report_as_the_opponent_and_own_agreement_do_not_confirm(table: Table) -> None:
    window = table.from_sheet("b", a__r2="2")
    assert WAITS in window.open(f"/g/{table.game.code}").text
    page = table.a.open(GAME)
    assert WAITS in page.text
    page = table.a.press("Yes, that is right")
    assert "Saved. Now your opponent confirms it on their own page." in page.flashes
    assert (table.state, table.figures) == (GameState.REPORTED, {"a.r2": 2})
    table.b.open(GAME)
    table.b.press("Yes, that is right")
    assert table.state == GameState.CONFIRMED


@pytest.mark.proves("attack 56")
def test_sheet_report_as_the_opponent_and_the_same_own_figures_do_not_confirm(table: Table) -> None:
    table.from_sheet("b", a__r2="2")
    table.a.open(GAME)
    table.a.press("Send my report", a__r2="2")
    assert (table.state, table.figures) == (GameState.REPORTED, {"a.r2": 2})
    table.agree(table.b)
    assert table.state == GameState.CONFIRMED


@pytest.mark.proves("attack 56")
def test_own_report_and_sheet_report_as_the_opponent_do_not_confirm(table: Table) -> None:
    windows = [Person(table.app), Person(table.app)]
    forms = [window.open(f"/g/{table.game.code}?side={side}") for window, side in zip(windows, "ab", strict=True)]
    table.a.open(GAME)
    table.a.press("Send the result", a__r2="2")
    before = table.stage.digest()
    for window, form in zip(windows, forms, strict=True):
        window.page = form
        assert window.press("Send the result", a__r2="2").status == 403
    assert (table.state, table.stage.digest()) == (GameState.REPORTED, before)


@pytest.mark.proves("attack 56")
def test_sheet_reports_as_both_sides_do_not_confirm(table: Table) -> None:
    other = Person(table.app)
    form = other.open(f"/g/{table.game.code}?side=a")
    window = table.from_sheet("b", a__r2="2")
    before = table.stage.digest()
    other.page = form
    assert other.press("Send the result", a__r2="2").status == 403
    assert WAITS in window.open(f"/g/{table.game.code}?side=a").text
    assert (table.state, table.stage.digest()) == (GameState.REPORTED, before)


@pytest.mark.proves("attack 56")
def test_agreeing_and_the_sheet_again_do_not_confirm(table: Table) -> None:
    late = Person(table.app)
    form = late.open(f"/g/{table.game.code}?side=b")
    table.from_sheet("b", a__r2="2")
    table.agree(table.a)
    before = table.stage.digest()
    late.page = form
    for fields in ({"a__r2": "2"}, {"a__r2": "2", "do": "agree-a"}, {"do": "agree-sheet"}):
        late.page = form
        assert late.forge("Send the result", **fields).status == 403
    assert (table.state, table.stage.digest()) == (GameState.REPORTED, before)


@pytest.mark.proves("attack 56")
def test_agreeing_twice_does_not_confirm(table: Table) -> None:
    table.from_sheet("b", a__r2="2")
    table.agree(table.a)
    form = table.a.open(GAME)
    assert "Yes, that is right" not in form.text
    for do in ("agree-sheet", "agree-a", "agree-b"):
        table.a.page = form
        table.a.forge("Send the result", do=do)
        assert (table.state, len(table.stage.all(Report))) == (GameState.REPORTED, 2), do


@pytest.mark.proves("attack 56")
def test_sheet_report_kept_by_a_phone_does_not_confirm_when_it_is_sent_late_or_twice(table: Table) -> None:
    address = f"/e/iron-open/games/{table.game.id}/report?side=b"
    window = Person(table.app)
    form = window.open(f"/g/{table.game.code}?side=b").soup.select_one("form.report")
    assert form is not None
    body = {str(name): str(value) for name, value in controls(form)} | {"key": OUTBOX["X-Outbox-Key"], "a.r2": "2"}
    told = window.http.post(address, data=body, headers=OUTBOX).get_json()
    assert (told["state"], told["said"]) == (
        "saved",
        "Saved. Both players confirm it on their own pages, or the desk does.",
    )
    table.agree(table.a)
    before = table.stage.digest()
    assert window.http.post(address, data=body, headers=OUTBOX).get_json()["state"] == "saved"
    assert table.stage.digest() == before
    other = body | {"key": "another-key-of-this-phone", "version": str(table.game.version)}
    headers = OUTBOX | {"X-Outbox-Key": "another-key-of-this-phone"}
    assert window.http.post(address, data=other, headers=headers).get_json()["state"] == "refused"
    assert (table.state, table.stage.digest()) == (GameState.REPORTED, before)


@pytest.mark.proves("attack 56")
def test_sheet_and_own_link_in_one_browser_do_not_confirm(table: Table, link_of: Callable[[Player], str]) -> None:
    person = table.from_sheet("b", a__r2="2")
    person.open(link_of(table.stage.one(Player, id=table.game.a_id)))
    assert person.open(f"/g/{table.game.code}?side=b").path == GAME
    table.agree(person)
    assert person.open(f"/g/{table.game.code}?side=b").path == GAME
    assert table.state == GameState.REPORTED


@pytest.mark.proves("attack 56")
def test_own_report_replaces_another_one_from_the_sheet_and_everybody_sees_both(table: Table) -> None:
    table.from_sheet("b", b__r2="2")
    table.a.open(GAME)
    page = table.a.press("Send my report", a__r2="2", b__r2="0")
    assert "Saved. Now your opponent confirms it on their own page." in page.flashes
    assert (table.state, table.figures) == (GameState.REPORTED, {"a.r2": 2})
    name = table.stage.name(table.game.a_id)
    otherwise = (
        "The report from the paper sheet says otherwise and does not count: "
        f"{name} has reported with the private link since."
    )
    page = table.b.open(GAME)
    assert otherwise in page.text
    (sheet, own) = page.rows("table.reports")
    assert (sheet[0].startswith("The paper sheet"), sheet[1:3]) == (True, ["0", "2"])
    assert (own[0].startswith(name), own[1:3]) == (True, ["2", "0"])
    board = table.olga.open("/e/iron-open/desk/rounds/1/results")
    assert f"{name} reported, the sheet says otherwise" in board.text
    assert "Confirm" not in board.part(".results-desk"), "two reports that differ are looked at first"
    assert otherwise in table.olga.open(f"/e/iron-open/desk/games/{table.game.id}").text
    table.olga.press("Confirm the report from the sheet")
    assert (table.state, table.figures) == (GameState.CONFIRMED, {"b.r2": 2})


@pytest.mark.proves("attack 56")
def test_sheet_report_that_differs_is_no_dispute_between_the_players(table: Table) -> None:
    table.from_sheet("a", b__r2="2")
    table.a.open(GAME)
    table.a.press("Send my report", a__r2="2", b__r2="0")
    table.b.open(GAME)
    table.b.press(f"Yes, {table.stage.name(table.game.a_id)} is right")
    assert (table.state, table.figures) == (GameState.CONFIRMED, {"a.r2": 2})


@pytest.mark.proves("attack 56")
def test_desk_confirms_a_sheet_report_with_one_press(table: Table) -> None:
    table.from_sheet("b", a__r2="2")
    board = table.olga.open("/e/iron-open/desk/rounds/1/results")
    assert "Reported from the paper sheet" in board.part(".results-desk")
    table.olga.press("Confirm")
    assert (table.state, table.figures) == (GameState.CONFIRMED, {"a.r2": 2})


@pytest.mark.proves("attack 56")
def test_pages_do_not_name_a_side_that_a_sheet_claims(table: Table) -> None:
    table.from_sheet("b", a__r2="2")
    name = table.stage.name(table.game.b_id)
    assert WAITS in table.b.open("/e/iron-open/me").text
    versions = table.b.open(f"/e/iron-open/games/{table.game.id}").part(".versions")
    assert "Reported from the paper sheet: 2 : 0" in versions
    for page in (
        table.b.open(GAME),
        table.a.open(GAME),
        table.olga.open(f"/e/iron-open/desk/games/{table.game.id}"),
        table.olga.open("/e/iron-open/desk/rounds/1/results"),
    ):
        assert f"{name} reported" not in page.text
    (entry,) = table.stage.journal(table.event, "report")
    assert (
        entry == "Round 1, table 1: the result is reported from the paper sheet, and waits for both players or the desk"
    )


@pytest.mark.proves("attack 56")
def test_confirmed_result_is_not_disturbed_by_a_sheet(table: Table) -> None:
    late = Person(table.app)
    form = late.open(f"/g/{table.game.code}?side=b")
    table.stage.decide(table.event, table.game, 3, 1)
    before = table.stage.digest()
    late.page = form
    assert late.press("Send the result", b__r2="2").status == 403
    assert table.stage.digest() == before


@pytest.mark.proves("attack 56")
def test_no_show_is_not_undone_by_a_sheet(table: Table) -> None:
    late = Person(table.app)
    form = late.open(f"/g/{table.game.code}?side=b")
    table.olga.open(f"/e/iron-open/desk/games/{table.game.id}")
    table.olga.press(f"{table.stage.name(table.game.a_id)} did not come")
    before = table.stage.digest()
    late.page = form
    assert late.press("Send the result", b__r2="2").status == 403
    assert table.stage.digest() == before


@pytest.mark.proves("attack 56")
def test_paper_entry_asks_about_another_report_from_the_sheet(table: Table) -> None:
    table.from_sheet("b", b__r2="2")
    table.olga.open("/e/iron-open/desk/rounds/1/entry?table=1")
    page = table.olga.press("Store", a__r2="2", b__r2="0")
    assert "The phone with the sheet’s code reported 0 : 2, the sheet says 2 : 0. Is the sheet right?" in page.text
    assert table.state == GameState.REPORTED


# ---- staff who play


@pytest.fixture
def scorekeeper(table: Table, link_of: Callable[[Player], str]) -> Person:
    """Player A's browser, signed in as a scorekeeper too."""
    person = let_in(table.app, table.stage.hire(table.event, "Sam", Role.SCOREKEEPER))
    person.open(link_of(table.stage.one(Player, id=table.game.a_id)))
    person.press(f"Continue as {table.stage.one(Player, id=table.game.a_id).name}")
    return person


@pytest.mark.proves("attack 56")
def test_scorekeeper_does_not_confirm_or_enter_the_own_game(table: Table, scorekeeper: Person) -> None:
    table.from_sheet("b", a__r2="2")
    token = str(scorekeeper.open("/e/iron-open/desk/rounds/1/results").value("csrf_token"))
    sent = {"csrf_token": token, "version": str(table.game.version), "game": str(table.game.id), "a.r2": "2"}
    before = table.stage.digest()
    for address, fields in (
        (f"/e/iron-open/desk/games/{table.game.id}/confirm", {"side": "sheet"}),
        (f"/e/iron-open/desk/games/{table.game.id}", {"do": "agree-sheet"}),
        (f"/e/iron-open/desk/games/{table.game.id}", {}),
        ("/e/iron-open/desk/rounds/1/entry", {}),
        ("/e/iron-open/desk/rounds/1/second-pass", {}),
    ):
        assert scorekeeper.http.post(address, data=sent | fields).status_code == 403, address
    assert table.stage.digest() == before
    own = "You play in this game. Report it on your own page; somebody else at the desk confirms it."
    for address in (f"games/{table.game.id}", "rounds/1/entry?table=1"):
        page = scorekeeper.open(f"/e/iron-open/desk/{address}")
        assert (page.status, own in page.text) == (200, True), address


@pytest.mark.proves("attack 56")
def test_judge_does_not_rule_on_the_own_game(table: Table, link_of: Callable[[Player], str]) -> None:
    judge = let_in(table.app, table.stage.hire(table.event, "Jo", Role.JUDGE))
    judge.open(link_of(table.stage.one(Player, id=table.game.a_id)))
    judge.press(f"Continue as {table.stage.one(Player, id=table.game.a_id).name}")
    table.stage.decide(table.event, table.game, 1, 3)
    desk = f"/e/iron-open/desk/games/{table.game.id}"
    page = judge.open(desk)
    assert [button.text for button in page.soup.select("main button")] == []
    sent = {"csrf_token": str(page.value("csrf_token")), "version": str(table.game.version), "a.r2": "2"}
    before = table.stage.digest()
    for address, fields in (
        (desk, {"reason": "It was so."}),
        (f"{desk}/absent", {"who": "b"}),
        (f"{desk}/open-again", {"reason": "It was so."}),
        (f"{desk}/through", {"side": "a"}),
    ):
        assert judge.http.post(address, data=sent | fields).status_code == 403, address
    assert table.stage.digest() == before


@pytest.mark.proves("attack 56")
def test_organiser_who_plays_enters_the_own_game_and_both_players_see_it(
    table: Table, link_of: Callable[[Player], str]
) -> None:
    table.olga.open(link_of(table.stage.one(Player, id=table.game.a_id)))
    table.olga.press(f"Continue as {table.stage.one(Player, id=table.game.a_id).name}")
    table.from_sheet("b", a__r2="2")
    table.olga.open("/e/iron-open/desk/rounds/1/results")
    table.olga.press("Confirm")
    assert table.state == GameState.CONFIRMED
    assert "entered by a player of this game" in table.stage.journal(table.event, "report")[-1]
    page = table.b.open(f"/e/iron-open/games/{table.game.id}")
    assert "plays in this game" in page.part(".versions")


@pytest.mark.proves("attack 56")
def test_sheet_report_is_still_one_after_an_archive_is_taken_in(table: Table, elsewhere: Callable[[], Stage]) -> None:
    table.from_sheet("b", a__r2="2")
    saved = table.olga.ask("GET", "/e/iron-open/desk/archive.json")
    there = elsewhere()
    nora = organiser(table.app, there, "Nora")
    nora.open(TAKE_IN)
    nora.press("Take it in", file=("iron-open-archive.json", saved.data))
    assert [one.by_sheet for one in there.all(Report)] == [True]
    there.s.close()


@pytest.mark.proves("attack 56")
def test_judge_who_plays_gives_no_ruling_to_the_own_opponent_or_to_themselves(
    table: Table, link_of: Callable[[Player], str]
) -> None:
    (other,) = table.stage.enter(table.event, "Cy")
    me, opponent = table.game.a_id, table.game.b_id
    judge = let_in(table.app, table.stage.hire(table.event, "Jo", Role.JUDGE))
    judge.open(link_of(table.stage.one(Player, id=me)))
    judge.press(f"Continue as {table.stage.one(Player, id=me).name}")
    token = str(judge.open("/e/iron-open/desk/rulings").value("csrf_token"))
    sent = {"csrf_token": token, "round_number": "0", "points": "5", "vp": "0", "card": "", "follows": ""}
    sent |= {"reason": "late"}
    for player_id, status in ((me, 403), (opponent, 403), (other.id, 302)):
        answer = judge.http.post("/e/iron-open/desk/rulings", data=sent | {"player": str(player_id)})
        assert answer.status_code == status, player_id
    table.olga.open("/e/iron-open/desk/rulings")
    table.olga.http.post(
        "/e/iron-open/desk/rulings",
        data=sent | {"csrf_token": str(table.olga.page.value("csrf_token")), "player": str(me), "points": "-5"},
    )
    ruling = next(one for one in table.stage.all(Ruling) if one.player_id == me)
    answer = judge.http.post(f"/e/iron-open/desk/rulings/{ruling.id}/take-back", data={"csrf_token": token})
    assert answer.status_code == 403


@pytest.mark.proves("attack 56")
def test_agreement_is_bound_to_the_report_that_was_shown(table: Table) -> None:
    """After a restore, or a draw made anew, another report can have the same game id and version."""
    table.a.open(GAME)
    table.a.press("Send the result", a__r2="2")
    held = table.b.open(GAME)
    with table.stage.changing(table.event):
        report = table.stage.one(Report)
        report.answers = report.answers | {"a.r2": 0, "b.r2": 2}
    table.b.page = held
    page = table.b.press("Yes, that is right")
    assert (page.status, table.state) == (409, GameState.REPORTED)
    table.agree(table.b)
    assert table.state == GameState.CONFIRMED
