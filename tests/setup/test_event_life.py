"""An event again, cancelled, off the front page, deleted; and the page of a series."""

from datetime import date, timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select
from sqlmodel import SQLModel

from events.accounts import own_pages
from events.messages import actions as messages_actions
from events.setup import event_life
from events.setup.actions import finish
from events.setup.copying import NOT_COPIED, next_month, next_name
from events.standings.awards import add_usual
from events.tournament.points_table import PointsTable, Step
from models.event import Event, EventState, Round
from models.journal import ChangeSet, JournalEntry
from models.message import Delivery
from models.play import Player, Report
from models.settings import ListsShown
from models.staff import Role, Staff
from tests.kit.formats import drop
from tests.kit.people import let_in
from tests.kit.person import SEND_RESULT, Enter, Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, Table
from tests.kit.writing import give_mail, mail_of
from validators.restrictions import Restrictions

DESK = "/e/iron-open/desk"
TABLE = PointsTable((Step(None, 20, 0),), 10, 14)
QUESTION = {"id": "q1", "label": "Lunch", "kind": "text", "choices": [], "required": True}


def test_copy_takes_settings_and_staff_and_leaves_players_and_results(olga: Person, stage: Stage) -> None:
    event = stage.event(questions=(QUESTION,), lists_shown=ListsShown.ON_PRESS, fee="15 €", round_minutes=75)
    stage.hire(event, "Jo", Role.JUDGE)
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    stage.set(event, restrictions=Restrictions(painted=True), vp_cap=9, points_table=TABLE, contact="Olga")
    stage.do(event, add_usual)
    olga.open("/desk/copy/iron-open")
    assert (olga.page.value("name"), olga.page.value("series")) == ("Iron Open 2", ""), "the series of the original"
    stage.set(event, series="Iron League")
    olga.open("/desk/copy/iron-open")
    assert olga.page.value("series") == "Iron League"
    assert olga.page.value("starts_on") == "2027-01-02", "a Saturday four weeks later"
    page = olga.press("Create the copy", name="Iron Open January", series="Iron League")
    assert page.path == "/e/iron-open-january/desk"
    made = stage.one(Event, name="Iron Open January")
    assert (made.state, made.starts_on, made.ends_on) == (EventState.DRAFT, date(2027, 1, 2), date(2027, 1, 2))
    assert made.list_deadline is not None and event.list_deadline is not None
    assert made.list_deadline - event.list_deadline == timedelta(days=28)
    assert (made.lists_locked_at, made.series, made.vp_cap) == (None, "Iron League", 9)
    columns = {column.name for column in SQLModel.metadata.tables["event"].columns}
    for name in columns - NOT_COPIED - {"list_deadline", "series"}:
        assert getattr(made, name) == getattr(event, name), name
    assert [r.number for r in stage.all(Round, event_id=made.id)] == [1, 2, 3]
    assert stage.all(Player, event_id=made.id) == []
    ours, theirs = (
        [(a.position, a.kind, a.name, a.place) for a in stage.now(an_event).awards] for an_event in (event, made)
    )
    assert ours == theirs != []
    assert sorted(staff.role.value for staff in stage.all(Staff, event_id=made.id)) == ["judge", "owner"]


def test_next_event_has_the_next_number_and_the_same_weekday() -> None:
    assert next_name("Iron Open") == "Iron Open 2"
    assert next_name("Iron Open 9") == "Iron Open 10"
    assert next_name("Iron Open 2026") == "Iron Open 2026 2", "a year is no count"
    assert len(next_name("x" * 120)) <= 120
    assert next_month(date(2026, 12, 5)) == date(2027, 1, 2)
    assert next_month(date(2027, 1, 2)) == date(2027, 2, 6), "not a fifth Saturday of January"


def test_cancelled_event_says_so_and_nothing_of_it_starts(
    olga: Person, visitor: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    (ada, _) = enter(event, "Ada", "Bo")
    page = olga.open(f"{DESK}/cancel")
    assert "2 players read it on their page" in page.text
    olga.press("Cancel the event", reason="The hall is flooded {sorry}.")
    assert "This event is cancelled." in visitor.open("/e/iron-open").flashes
    assert visitor.open("/e/iron-open/register").status == 403
    own = ada.open("/e/iron-open/me")
    assert "The hall is flooded (sorry)." in own.text
    assert own.part("h1") == "Cancelled" and "Build my force" not in own.text
    assert len(stage.all(Delivery)) == 2
    assert "cancelled" in visitor.open("/").text.lower()
    stage.now(event)
    stage.refuse_to("cancelled", stage.draw, event, 1)
    stage.refuse_to("cancelled", stage.enter, event, "Cy")
    olga.press("Undo the cancellation", at=f"{DESK}/settings/life")
    assert stage.now(event).cancelled_at is None
    stage.draw(event, 1)


def test_cancelled_event_takes_no_results_and_no_calls(stage: Stage, table: Table) -> None:
    form = table.a.open(f"{HOME}/me/game")
    stage.set(table.event, cancelled_at=stage.clock())
    assert not {"Report the result", "Call a judge"} & set(table.a.open(f"{HOME}/me").text.splitlines())
    table.a.page = form
    assert "Not stored" in table.a.press(SEND_RESULT).flashes
    stage.refuse_to("cancelled", stage.decide, table.event, table.game, 2, 1)
    assert stage.all(Report) == []


def test_players_with_an_address_get_a_mail_of_a_cancellation_within_the_limit(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event, ada)

    def cancelled(a_day: int) -> tuple[int, dict[int, bool]]:
        """The number of players without mail because of the limit, and the players with mail."""
        before = len(stage.all(Delivery))
        stage.set(event, cancelled_at=None)
        left = stage.do(event, event_life.cancel, "", a_day)
        return left, {
            delivery.player_id: mail_of(stage, delivery) is not None for delivery in stage.all(Delivery)[before:]
        }

    assert cancelled(0) == (0, {ada.id: False, bo.id: False}), "no mail server"
    stage.do(event, messages_actions.mail_link, ada, 1)
    assert cancelled(1) == (1, {ada.id: False, bo.id: False})
    assert cancelled(100) == (0, {ada.id: True, bo.id: False})


def test_draft_and_finished_event_are_not_cancelled(stage: Stage, event: Event) -> None:
    for state, words in ((EventState.DRAFT, "draft"), (EventState.FINISHED, "over")):
        stage.set(event, state=state)
        stage.refuse(words, event, event_life.cancel, "", 0)


def test_unlisted_event_is_reached_by_its_address_alone(olga: Person, visitor: Person, event: Event) -> None:
    olga.press("Take off the front page", at=f"{DESK}/settings/life")
    assert "Iron Open" not in visitor.open("/").text
    assert visitor.open("/e/iron-open").status == 200
    assert "Not on the front page" in olga.open("/").text
    olga.press("Put on the front page", at=f"{DESK}/settings/life")
    assert "Iron Open" in visitor.open("/").text


def test_series_shows_the_next_event_and_past_winners(visitor: Person, stage: Stage) -> None:
    past = stage.event("League 1", series="Łódź League", rounds=1, players=("Ada", "Bo"))
    stage.play(past, 1)
    stage.do(past, finish)
    stage.event("League 2", series="Łódź League")
    stage.event("League 3", series="Łódź League", draft=True)
    page = visitor.open("/series/odz-league")
    assert page.part(".past li").startswith("League 1 Won by Ada")
    assert "League 2" in page.text and "League 3" not in page.text
    assert [link["href"] for link in page.soup.select(".event-card a")] == ["/e/league-2", "/e/league-2/register"]
    assert visitor.open("/series/none").status == 404
    for number, series in enumerate(("戦場", "砂漠")):  # names without plain letters have pages of their own
        stage.event(f"Cup {number}", series=series)
        (link,) = visitor.open(f"/e/cup-{number}").soup.select("a[href^='/series/']")
        page = visitor.open(str(link["href"]))
        assert (f"Cup {number}" in page.text, f"Cup {1 - number}" in page.text) == (True, False)


@pytest.mark.both_databases
def test_deleted_event_leaves_no_row_and_no_mail(stage: Stage, event: Event) -> None:
    stage.event("Rust Cup", players=("Zoe",))
    kept = {table.name: rows(stage, table.name) for table in event_life.belonging()}
    gone = stage.event("Gone Cup", questions=(QUESTION,))
    ada, *_ = stage.enter(gone, "Ada", "Bo", "Cy", "Di")
    stage.play(gone, 1)
    stage.draw(gone, 2)
    give_mail(stage, gone, ada)
    stage.do(gone, event_life.cancel, "", 100)
    event_id = gone.id
    with stage.changing() as s:
        own_pages.make_page(s, ada, stage.clock())
    with stage.changing() as s:
        event_life.delete(s, event_id)
    assert {table.name: rows(stage, table.name) for table in event_life.belonging()} == kept
    assert [stage.all(journal, event_id=event_id) for journal in (ChangeSet, JournalEntry)] == [[], []]


def rows(stage: Stage, table: str) -> int:
    counted = select(func.count()).select_from(SQLModel.metadata.tables[table])
    found: int = stage.s.connection().execute(counted).scalar_one()
    stage.s.rollback()
    return found


def test_settings_link_only_pages_that_their_reader_may_open(app: Flask, olga: Person, stage: Stage) -> None:
    event = stage.event()
    helper = let_in(app, stage.hire(event, "Gus", Role.ORGANISER))
    links = {
        str(link["href"]).partition("#")[0]
        for page in (helper.open(f"{DESK}/settings"), helper.open("/desk"))
        for link in page.soup.select("main a[href^='/']")
    }
    assert [link for link in sorted(links) if helper.open(link).status == 403] == []


def test_delete_needs_the_name_and_the_owner(
    app: Flask, olga: Person, visitor: Person, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    event = stage.event()
    helper = let_in(app, stage.hire(event, "Gus", Role.ORGANISER))
    assert helper.open(f"{DESK}/delete").status == 403
    stage.enter(event, "Ada", "Bo")
    drop(stage, event, "Bo")
    page = olga.open(f"{DESK}/delete")
    assert "All players (2)" in page.text, "dropped players are deleted too"
    assert page.soup.find("a", href=f"{DESK}/archive.json"), "the archive first"
    assert "Nothing was deleted" in olga.press("Delete for good", typed="iron").text
    caplog.set_level("INFO", "overseer.security")
    assert "Iron Open is deleted." in olga.press("Delete for good", typed="Iron  open").flashes
    assert olga.page.path == "/desk"
    assert visitor.open("/e/iron-open").status == 404
    assert stage.all(Event) == []
    (deleted,) = [vars(record)["facts"] for record in caplog.records if record.message == "event deleted"]
    assert deleted == {"event": "iron-open", "account": "Olga"}
