"""Safe ways back: decisions with their reasons, versions of a result, games opened again, the last step undone."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask
from sqlalchemy import select
from sqlalchemy.event import listen, remove
from sqlmodel import Session

from events.actions.events import finish
from events.actions.journal import note
from events.actions.players import check_in as check_in_one
from events.actions.undo import last_steps
from events.replay import replay
from models.captured import columns_of, followed
from models.event import Event, EventState, ListsShown
from models.journal import ChangeSet
from models.play import Game, GameState, Player, PlayerState, Report
from models.staff import Role
from tests.actions.stage import BY, PASSWORD, Stage
from tests.views.person import Page, Person

Enter = Callable[..., list[Person]]
GAME = "/e/iron-open/me/game"
UNDO = "/e/iron-open/desk/undo"
ROUND = "/e/iron-open/desk/rounds/1"


@dataclass(frozen=True)
class Table:
    """Ada against Bo in round 1, Scrapyard; each has a browser, and Olga stands at the desk."""

    a: Person
    b: Person
    olga: Person
    stage: Stage
    event: Event

    @property
    def game(self) -> Game:
        return self.stage.games(self.event, 1)[0]

    @property
    def desk(self) -> str:
        return f"/e/iron-open/desk/games/{self.game.id}"

    @property
    def versions(self) -> str:
        return f"/e/iron-open/games/{self.game.id}"

    def name(self, side: str) -> str:
        return self.stage.name(self.game.a_id if side == "a" else self.game.b_id)

    def send(self, person: Person, **answers: str) -> Page:
        page = person.open(GAME)
        return person.press("Send my report" if "Is this right?" in page.text else "Send the result", **answers)

    def dispute(self) -> None:
        """A wrote each round's figures, B running totals, and one more point of the own."""
        self.send(self.a, a__r2="1", a__r3="2", b__r2="1")
        self.send(self.b, a__r2="1", a__r3="3", b__r2="2")


@pytest.fixture
def table(app: Flask, olga: Person, stage: Stage, enter: Enter) -> Table:
    event = stage.event(scenarios=("scrapyard", "", ""))
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (game,) = stage.publish(event, 1)
    return Table(people[stage.name(game.a_id)], people[stage.name(game.b_id)], olga, stage, event)


def test_why_a_judge_decided_is_for_both_players_and_the_desk(table: Table, visitor: Person) -> None:
    table.olga.open(table.desk)
    table.olga.press("Decide", ending="decided", awarded="a", reason="Out of time twice")
    page = f"/e/iron-open/players/{table.game.a_id}"
    for person in (table.a, table.b, table.olga):
        assert "Out of time twice" in person.open(page).text
    assert "Decided by a judge" in visitor.open(page).text
    assert "Out of time twice" not in visitor.page.text


def rows_of(stage: Stage) -> dict[tuple[str, int], dict[str, object]]:
    """Every row of the event with all that the journal keeps of it, but for versions, which never fall."""
    stage.s.rollback()
    return {
        (table.name, row["id"]): {one.name: row[one.name] for one in columns_of(table) if one.name != "version"}
        for table in followed()
        for row in stage.s.connection().execute(select(table)).mappings()
    }


# ---- disputes


def test_a_judge_sees_what_differs_and_takes_a_reading_with_one_press(table: Table) -> None:
    table.dispute()
    page = table.olga.open(table.desk)
    a, b = table.name("a"), table.name("b")
    assert page.rows("#dispute .beside") == [
        [f"≠ {a} , game round 3", "2", "3"],
        [f"≠ {b} , game round 2", "1", "2"],
    ]
    readings = page.part(".readings")
    assert f"{b}’s report, where the figures of {a} are running totals." in readings
    offers = [" ".join(li.get_text(" ").split()) for li in page.soup.select(".readings li")]
    place = next(n for n, words in enumerate(offers, 1) if words.startswith("3 : 2"))
    table.olga.press("Take this reading", inside=f".readings li:nth-of-type({place})")
    answers = {key: value for key, value in (table.game.answers or {}).items() if value}
    assert (table.game.state, answers) == (GameState.CONFIRMED, {"a.r2": 1, "a.r3": 2, "b.r2": 2})
    assert "running totals" in table.stage.all(Report)[-1].reason
    for person in (table.a, table.b):
        page = person.open(table.versions)
        assert "running totals" in page.text
        assert "Disputed" not in page.part("header")
        assert "disputed: the two reports differ" in page.text


def test_the_own_words_of_a_judge_go_before_the_reading(table: Table) -> None:
    table.dispute()
    table.olga.open(table.desk)
    a = table.name("a")
    table.olga.press(f"Take {a}’s report", reason="Both showed me the sheet.")
    assert "Both showed me the sheet." in table.a.open(table.versions).text
    assert "Both showed me the sheet." in table.b.open(table.versions).text


def test_the_reason_stands_on_the_players_own_page(olga: Person, stage: Stage, enter: Enter) -> None:
    event = stage.event(scenarios=("scrapyard", "", ""))
    people = dict(zip(("Ada", "Bo", "Cy", "Di"), enter(event, "Ada", "Bo", "Cy", "Di"), strict=True))
    game, _ = stage.publish(event, 1)
    olga.open(f"/e/iron-open/desk/games/{game.id}")
    olga.press("Decide", a__r2="2", reason="Read from the sheet.")
    for one in (game.a_id, game.b_id):
        assert "Decided at the desk: Read from the sheet." in people[stage.name(one)].open("/e/iron-open/me").text


def test_a_reading_of_reports_that_changed_is_not_taken(table: Table) -> None:
    table.dispute()
    table.olga.open(table.desk)
    table.send(table.b, a__r2="1", a__r3="3", b__r2="4")
    before = table.stage.digest()
    a = table.name("a")
    page = table.olga.press(f"Take {a}’s report")
    assert (page.status, table.stage.digest()) == (409, before)
    assert table.olga.forge(f"Take {a}’s report", do="take-made-up").status == 409
    assert table.stage.digest() == before


def test_a_judge_gives_the_game_to_somebody_with_a_reason(table: Table) -> None:
    table.dispute()
    table.olga.open(table.desk)
    page = table.olga.press("Decide", a__r2="1", ending="decided", awarded="b")
    assert "Say why it is decided so" in page.part("form.report .field-wrong")
    assert page.value("ending") == "decided"
    table.olga.press("Decide", inside="form.report", reason="A played an illegal model.")
    versions = table.b.open(table.versions)
    assert f"{table.name('b')} wins" in versions.part(".versions-now")
    assert "A played an illegal model." in versions.text


def test_another_reason_for_the_same_figures_is_kept_and_both_players_read_it(table: Table) -> None:
    for reason in ("Read from the sheet.", "Read from the sheet.", "", "Both have signed the sheet."):
        table.olga.open(table.desk)
        button = "See what changes" if "See what changes" in table.olga.page.text else "Decide"
        page = table.olga.press(button, inside="form.report", a__r2="2", reason=reason)
        assert "Saved" in page.flashes
    assert [one.reason for one in table.stage.all(Report)] == ["Read from the sheet.", "Both have signed the sheet."]
    for person in (table.a, table.b):
        told = person.open(table.versions)
        whys = [" ".join(one.text.split()) for one in told.soup.select(".versions .note-text")]
        assert whys == ["Why: Both have signed the sheet.", "Why: Read from the sheet."]
    assert table.stage.journal(table.event, "report")[-1].endswith("the result stands, with another reason")


def test_another_reason_does_not_go_over_what_somebody_else_stored_meanwhile(table: Table) -> None:
    table.olga.open(table.desk)
    table.olga.press("Decide", a__r2="2", reason="Read from the sheet.")
    table.olga.open(table.desk)
    table.stage.decide(table.event, table.game, 0, 0)
    page = table.olga.press("See what changes", inside="form.report", reason="Both have signed.")
    assert page.status == 409


def test_a_judge_s_new_reason_for_a_game_that_a_judge_decided_is_a_version(table: Table) -> None:
    table.dispute()
    for reason in ("An illegal model.", "An illegal model, seen by two."):
        table.olga.open(table.desk)
        asks = "See what changes" in table.olga.page.text
        how = {"ending": "decided", "awarded": "b", "reason": reason}
        page = table.olga.press("See what changes" if asks else "Decide", inside="form.report", a__r2="1", **how)
        if asks:
            page = table.olga.press("Store the correction")
        assert "Saved" in page.flashes, page.text
    told = table.b.open(table.versions)
    whys = [" ".join(one.text.split()) for one in told.soup.select(".versions .note-text")]
    assert whys == ["Why: An illegal model, seen by two.", "Why: An illegal model."]


# ---- versions


def test_every_version_of_a_result_is_told_to_its_players_and_to_nobody_else(
    app: Flask, table: Table, enter: Enter
) -> None:
    (stranger,) = enter(table.event, "Cy")
    table.send(table.a, a__r2="2")
    table.b.open(GAME)
    table.b.press("Yes, that is right")
    table.olga.open(table.desk)
    table.olga.press("See what changes", a__r2="3")
    page = table.olga.press("Store the correction")
    assert (page.status, "Say why it is corrected" in page.part("#look")) == (422, True)
    table.olga.press("Store the correction", reason="The sheet says three.")
    for person in (table.a, table.b, table.olga):
        page = person.open(table.versions)
        now = [" ".join(one.get_text(" ").split()) for one in page.soup.select(".versions-now")]
        a = table.name("a")
        assert now == [f"3 : 0, {a} wins", f"2 : 0, {a} wins", f"2 : 0, {a} wins, waiting for the other side"]
        assert "Why: The sheet says three." in page.text
        assert f"Before: 2 : 0, {a} wins." in page.text
        assert "owner Olga" in page.text
    assert stranger.open(table.versions).status == 403
    assert Person(app).open(table.versions).status == 403
    assert "How it came about" in table.a.open(f"/e/iron-open/players/{table.game.a_id}").text
    assert "How it came about" not in stranger.open(f"/e/iron-open/players/{table.game.a_id}").text


def test_a_stale_form_shows_both_and_the_second_press_counts(table: Table) -> None:
    table.olga.open(table.desk)
    table.send(table.a, a__r2="1")
    page = table.olga.press("Decide", a__r2="2", b__r3="1")
    assert page.status == 409
    assert page.rows("#meanwhile .beside") == [
        [f"≠ {table.name('a')} , game round 2", "1", "2"],
        [f"≠ {table.name('b')} , game round 3", "0", "1"],
    ]
    assert (page.value("a.r2"), page.value("b.r3")) == ("2", "1")
    table.olga.press("Decide")
    assert (table.game.answers or {})["a.r2"] == 2


# ---- opened again


def test_a_confirmed_game_is_opened_again_and_keeps_its_history(table: Table) -> None:
    table.send(table.a, a__r2="2")
    table.b.open(GAME)
    table.b.press("Yes, that is right")
    table.olga.open(table.desk)
    page = table.olga.press("Open this game again")
    assert "Say why the game is opened again" in page.flashes
    table.olga.open(table.desk)
    table.olga.press("Open this game again", reason="They go on playing.")
    assert (table.game.state, table.game.answers) == (GameState.OPEN, None)
    assert len(table.stage.all(Report)) == 2
    assert "Standings appear" in table.a.open("/e/iron-open/standings").text
    assert "They go on playing." in table.b.open(table.versions).text
    table.send(table.a, a__r2="3")
    assert table.game.state == GameState.REPORTED
    table.b.open(GAME)
    table.b.press("Yes, that is right")
    assert (table.game.answers or {})["a.r2"] == 3


def test_a_game_before_a_published_round_is_corrected_and_not_opened(table: Table) -> None:
    table.stage.decide(table.event, table.game, 3, 1)
    form = table.olga.open(table.desk)
    table.stage.publish(table.event, 2)
    before = table.stage.digest()
    table.olga.page = form
    assert "Round 2 is published" in table.olga.press("Open this game again", reason="Wrong").flashes
    assert table.stage.digest() == before


def test_opening_a_game_that_changed_meanwhile_is_refused(table: Table) -> None:
    table.send(table.a, a__r2="2")
    form = table.olga.open(table.desk)
    table.stage.decide(table.event, table.game, 3, 1)
    table.olga.page = form
    assert "Somebody else changed this game" in table.olga.press("Open this game again", reason="Wrong").flashes
    assert table.game.state == GameState.CONFIRMED


# ---- a round with its results


def test_a_round_goes_back_with_its_results_when_its_name_is_typed(table: Table) -> None:
    table.send(table.a, a__r2="2")
    page = table.olga.open(ROUND)
    assert "Results are in (table 1)" in page.text
    page = table.olga.press("Take round 1 back with its results", typed="round 2")
    assert "type “round 1” to confirm" in page.flashes
    assert len(table.stage.all(Report)) == 1
    table.olga.press("Take round 1 back with its results", typed=" Round  1 ")
    assert table.stage.all(Report) == []
    assert "with the results of 1 tables" in table.stage.journal(table.event, "unpublish-round")[-1]
    assert (table.game.state, table.game.answers) == (GameState.OPEN, None)
    table.stage.draw(table.event, 1, 5)
    table.stage.publish(table.event, 1, 6)


@pytest.mark.both_databases
def test_a_round_that_went_back_with_its_results_comes_again_by_undoing_the_step(table: Table) -> None:
    table.send(table.a, a__r2="2")
    before, rows = table.game.version, rows_of(table.stage)
    table.olga.open(ROUND)
    table.olga.press("Take round 1 back with its results", typed="round 1")
    page = table.olga.open(UNDO)
    assert "Took round 1 back to a draft, with the results of 1 tables" in page.part("#last")
    table.olga.press("Take this back", typed="take back")
    assert rows_of(table.stage) == rows
    (report,) = table.stage.all(Report)
    assert report.answers["a.r2"] == 2
    assert (table.game.state, table.game.version > before) == (GameState.REPORTED, True)
    table.b.open(GAME)
    assert table.b.press("Yes, that is right").path == "/e/iron-open/me"
    assert table.game.state == GameState.CONFIRMED


# ---- the last step


def test_lists_that_were_read_after_the_event_are_not_secret_again(table: Table) -> None:
    stage, event = table.stage, table.event
    with stage.changing(event):
        event.lists_shown = ListsShown.AFTER_EVENT
        event.rounds = 1
    stage.decide(event, table.game, 3, 1)
    with stage.changing(event) as s:
        finish(s, event, BY, stage.clock())
    shown = stage.now(event).lists_revealed_at
    assert shown is not None
    assert "Closed" in table.olga.open(UNDO).part("#last") or "finished" in table.olga.page.part("#last").lower()
    table.olga.press("Take this back", typed="take back")
    assert stage.now(event).state == EventState.IN_PROGRESS
    assert stage.now(event).lists_revealed_at == shown


@pytest.mark.both_databases
def test_the_last_step_is_named_and_taken_back(table: Table) -> None:
    (player,) = table.stage.enter(table.event, "Cy", here=False)
    olga = table.olga
    olga.open("/e/iron-open/desk/players")
    page = olga.press("Check in", inside=f"#player-{player.id}")
    page = olga.open(UNDO)
    assert page.part("#last .lede") == "Checked in Cy"
    assert olga.press("Take this back").status == 422
    assert olga.press("Take this back", typed="yes").status == 422
    assert table.stage.now(player).state == PlayerState.CHECKED_IN
    page = olga.press("Take this back", typed="Take back")
    assert page.flashes == "Taken back: Checked in Cy."
    assert table.stage.now(player).state == PlayerState.REGISTERED
    assert table.stage.journal(table.event)[-2:] == ["Checked in Cy", "Took back: Checked in Cy"]
    assert replay(table.stage.s, table.event).difference is None


@pytest.mark.both_databases
def test_a_decision_is_taken_back_and_the_dispute_stands_again(table: Table) -> None:
    table.dispute()
    table.olga.open(table.desk)
    table.olga.press(f"Take {table.name('a')}’s report")
    version = table.game.version
    table.olga.open(UNDO)
    table.olga.press("Take this back", typed="take back")
    assert (table.game.state, table.game.version) == (GameState.DISPUTED, version + 1)
    assert len(table.stage.all(Report)) == 3
    assert "disputed: the two reports differ" in table.b.open(table.versions).part(".versions-now").lower()
    table.olga.open(table.desk)
    table.olga.press(f"Take {table.name('b')}’s report")
    assert table.game.state == GameState.CONFIRMED


def test_what_players_did_since_stands_in_the_way_of_its_own_table_alone(table: Table) -> None:
    olga = table.olga
    olga.open(table.desk)
    olga.press("Decide", a__r2="2")
    token = olga.open(UNDO)
    assert "table 1: the result is confirmed" in token.part("#last")
    table.stage.decide(table.event, table.game, 4, 1)
    page = olga.press("Take this back", typed="take back")
    assert page.status == 409
    assert "corrected" in page.part("#last"), "the newer step is the last one now"
    olga.press("Take this back", typed="take back")
    assert (table.game.answers or {})["a.r2"] == 2
    olga.open(UNDO)
    olga.press("Take this back", typed="take back")
    assert table.game.state == GameState.OPEN


def test_a_draw_since_stands_in_the_way(table: Table) -> None:
    table.olga.open(table.desk)
    table.olga.press("Decide", a__r2="2")
    table.stage.draw(table.event, 2)
    page = table.olga.open(UNDO)
    assert page.part("#last") == ""
    others = page.part("#others")
    assert "A draw is discarded on the page of its round." in others
    assert "Since then: Drew round 2" in others
    before = table.stage.digest()
    token = str(table.olga.open(table.desk).value("csrf_token"))
    for step in ("1", "", "x", "9" * 30):
        sent = {"csrf_token": token, "step": step, "typed": "take back"}
        assert table.olga.http.post(UNDO, data=sent).status_code in (409, 422)
    assert table.stage.digest() == before


def test_a_published_round_is_taken_back_by_its_own_way(table: Table) -> None:
    page = table.olga.open(UNDO)
    assert "Published round 1" in page.part("#last")
    table.olga.press("Take this back", typed="take back")
    assert table.stage.one(Event).lists_locked_at is not None, "what everybody has read stays read"
    assert "Took round 1 back to a draft" in table.stage.journal(table.event)[-2]


def test_a_published_round_with_a_report_says_why_it_stays(table: Table) -> None:
    table.send(table.a, a__r2="2")
    page = table.olga.open(UNDO)
    assert "Results are in (table 1)" in page.part("#others")


@pytest.mark.both_databases
def test_a_drop_is_taken_back_with_the_game_that_it_lost(table: Table) -> None:
    player, rows = table.stage.one(Player, name=table.name("a")), rows_of(table.stage)
    table.olga.open(f"/e/iron-open/desk/players/{player.id}")
    table.olga.press("Drop now")
    assert table.game.absent is not None
    table.olga.open(UNDO)
    table.olga.press("Take this back", typed="take back")
    assert rows_of(table.stage) == rows
    assert [table.game.absent, table.game.state] == [None, GameState.OPEN]
    assert table.stage.now(player).state == PlayerState.CHECKED_IN


# ---- who may


def test_a_scorekeeper_enters_and_does_not_decide(app: Flask, table: Table) -> None:
    table.stage.hire(table.event, "Sam", Role.SCOREKEEPER)
    sam = Person(app)
    sam.open("/sign-in")
    sam.press("Sign in", name="Sam", password=PASSWORD)
    sam.open(table.desk)
    sam.press("Decide", a__r2="2")
    assert table.game.state == GameState.CONFIRMED
    before = table.stage.digest()
    page = sam.open(table.desk)
    assert "for a judge to change" in page.text
    assert not page.soup.select_one("form.report")
    token = str(sam.open(f"{ROUND}/entry").value("csrf_token"))
    for address in (table.desk, f"{table.desk}/open-again", UNDO):
        assert sam.http.post(address, data={"csrf_token": token, "version": "1", "a.r2": "1"}).status_code == 403
    assert table.stage.digest() == before
    assert sam.open(table.versions).status == 200


def test_a_judge_who_plays_reports_as_a_player_and_decides_as_a_judge(table: Table) -> None:
    jo = table.stage.hire(table.event, "Jo", Role.JUDGE)
    with table.a.http.session_transaction() as session:
        session["organiser"] = [jo.id, jo.session_key]
    table.send(table.a, a__r2="2")
    own = f"player {table.name('a')}"
    assert [(one.actor, one.role) for one in table.stage.all(ChangeSet)[-1:]] == [(own, "player")]
    assert table.stage.all(Report)[-1].by == own
    assert "Published round 1" in table.olga.open(UNDO).text
    assert "Round 1, table 1" not in table.olga.page.part("#last"), "what players report is no step of the desk"
    table.a.open(table.desk)
    table.a.press("Decide", a__r2="3")
    assert [(one.actor, one.role) for one in table.stage.all(ChangeSet)[-1:]] == [("judge Jo", "judge")]
    assert "Round 1, table 1" in table.olga.open(UNDO).part("#last")


def looked_for(stage: Stage, event: Event) -> tuple[int, int]:
    """How many steps stand before one that can be taken back, and how many statements it took to say so."""
    asked: list[str] = []

    def ask(connection: object, cursor: object, statement: str, *rest: object) -> None:
        asked.append(statement)

    stage.s.rollback()
    listen(stage.engine, "before_cursor_execute", ask)
    try:
        with Session(stage.engine) as s:
            steps = last_steps(s, s.get_one(Event, event.id))
    finally:
        remove(stage.engine, "before_cursor_execute", ask)
    assert all(step.why_not for step in steps)
    return len(steps), len(asked)


def test_looking_for_the_last_step_asks_the_database_no_more_for_many_steps(stage: Stage, event: Event) -> None:
    def check_in(*names: str) -> None:
        """Steps that could be taken back, had nobody changed the players since."""
        for player in stage.enter(event, *names, here=False):
            with stage.changing(event) as s:
                check_in_one(s, event, player, BY, stage.clock())
            with stage.changing(event) as s:
                player.painted = True
                note(s, event, BY, stage.clock(), "painted", f"{player.name} is painted")

    check_in("Ada", "Bo")
    few = looked_for(stage, event)
    check_in(*(f"P{number}" for number in range(20)))
    many = looked_for(stage, event)
    assert (few[0], many[0]) == (2 + 2 * 3, 2 + 22 * 3), "making and opening the event; entered, checked in, painted"
    assert many[1] == few[1]
