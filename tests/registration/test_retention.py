"""Players' data is deleted some months after the event; results stay, and nothing is deleted early or twice."""

from datetime import date
from typing import Any

import pytest
from flask import Flask

from events.accounts import own_pages
from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import replay
from events.registration.join_codes import make_typed
from events.registration.retention import count_due, deletion_day, months_later
from events.setup import actions as setup_actions
from events.setup import event_life
from events.setup.pairing_forms import set_season
from events.standings.queries import standings_of
from events.store.rounds import ends_of
from events.tournament.season import Season
from models.dispatch import Dispatch, DispatchKind, queued
from models.erasure import Erasure
from models.event import Event, EventState
from models.join_code import JoinCode
from models.journal import JournalEntry
from models.kept_answer import KeptAnswer
from models.person import Person as PageOfPerson
from models.play import Player
from service.commands.maintain import delete_due
from tests.kit.one_person import SECRETS, planted
from tests.kit.people import Links, let_in
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.registration.test_erasure import left


def over(stage: Stage, **changed: Any) -> Event:
    """A closed event of four players on 5 December 2026, whose data is deleted after six months."""
    event = stage.event(players=("Ada", "Bo", "Cy", "Di"), rounds=1)
    stage.play(event, 1)
    stage.do(event, setup_actions.finish)
    stage.set(event, **{"delete_after": 6} | changed)
    return event


def delete_all(stage: Stage) -> int:
    stage.s.rollback()
    return delete_due(stage.engine, stage.clock())


def names(stage: Stage) -> list[str]:
    return [player.name for player in stage.all(Player)]


def at(stage: Stage, day: date) -> None:
    stage.clock.now = stage.clock.now.replace(year=day.year, month=day.month, day=day.day)


@pytest.mark.parametrize(("day", "months", "later"), [
    (date(2026, 12, 5), 6, date(2027, 6, 5)), (date(2026, 8, 31), 6, date(2027, 2, 28)),
    (date(2027, 8, 31), 6, date(2028, 2, 29)), (date(2026, 12, 31), 12, date(2027, 12, 31)),
    (date(2026, 11, 30), 1, date(2026, 12, 30)), (date(2026, 1, 1), 120, date(2036, 1, 1)),
])  # fmt: skip
def test_months_end_on_the_same_day_or_the_last(day: date, months: int, later: date) -> None:
    assert months_later(day, months) == later


@pytest.mark.both_databases
def test_players_are_deleted_once_and_standings_stay(stage: Stage) -> None:
    event = over(stage)
    ranks = [(row.rank, row.id, row.points) for row in standings_of(event).of_players()]
    at(stage, date(2027, 6, 4))
    assert delete_all(stage) == 0
    at(stage, date(2027, 6, 5))
    assert delete_all(stage) == 4
    assert names(stage) == [f"Former player {player.id}" for player in stage.all(Player)]
    assert [(row.rank, row.id, row.points) for row in standings_of(event).of_players()] == ranks
    entry = stage.one(JournalEntry, verb="delete-persons")
    assert (entry.text, entry.actor) == ("Personal data of 4 players deleted, 6 months after the event", "the clock")
    assert delete_all(stage) == 0
    assert len(stage.all(Erasure)) == 4
    assert replay(stage.s, event).difference is None
    assert in_lines(check_invariants(stage.s)) == []


@pytest.mark.both_at_length
def test_nothing_of_a_person_stays(stage: Stage) -> None:
    event = planted(stage)
    stage.set(event, delete_after=1)
    stage.clock.advance(days=60)
    assert delete_all(stage) == 4
    assert left(stage, *SECRETS, "Qzanna") == []
    assert replay(stage.s, event).difference is None


def test_players_without_the_setting_stay_and_those_of_an_event_opened_again_for_a_week(stage: Stage) -> None:
    event = over(stage, delete_after=0)
    at(stage, date(2029, 1, 1))
    assert delete_all(stage) == 0
    stage.set(event, delete_after=6)
    stage.do(event, setup_actions.reopen)
    assert delete_all(stage) == 0
    assert deletion_day(stage.s, event) == date(2029, 1, 8), "a week to change one's mind"
    stage.clock.advance(days=7)
    assert delete_all(stage) == 4


def test_setting_made_long_after_the_event_waits_a_week(stage: Stage) -> None:
    event = over(stage, delete_after=0)
    at(stage, date(2029, 1, 1))
    settings = setup_actions.settings_of(event).model_copy(update={"delete_after": 1})
    stage.do(event, setup_actions.change_settings, settings)
    assert (delete_all(stage), deletion_day(stage.s, event)) == (0, date(2029, 1, 8))


def test_players_with_a_page_of_their_own_stay(stage: Stage) -> None:
    event = over(stage)
    bo = stage.one(Player, name="Bo")
    with stage.changing() as s:
        own_pages.make_page(s, bo, stage.clock())
    at(stage, date(2027, 7, 1))
    assert delete_all(stage) == 3
    assert [name for name in names(stage) if not name.startswith("Former")] == ["Bo"]
    assert stage.one(PageOfPerson).name == "Bo"
    assert "of 3 players" in stage.one(JournalEntry, verb="delete-persons").text
    assert event.state == EventState.FINISHED


def test_cancelled_event_loses_its_players_and_nobody_moves_up(stage: Stage) -> None:
    event = stage.event(places=2)
    stage.enter(event, "Ada", "Bo", "Cy", here=False)
    stage.set(event, delete_after=1)
    stage.do(event, event_life.cancel, "", 0)
    at(stage, date(2027, 2, 1))
    assert delete_all(stage) == 3
    assert (names(stage), stage.all(JournalEntry, verb="give-place")) == ([], [])


@pytest.mark.parametrize("state", ["sign-up", "drawn", "playing", "opened again", "cancelled with a draft"])
def test_event_that_nobody_closed_loses_its_players_too(app: Flask, stage: Stage, state: str) -> None:
    event = stage.event(players=("Ada", "Bo", "Cy", "Di"), rounds=2, delete_after=1, places=4)
    stage.enter(event, "Ed", here=False)
    if state == "opened again":
        stage.play(event, 1)
        stage.do(event, setup_actions.finish)
        stage.do(event, setup_actions.reopen)
    elif state == "playing":
        stage.play(event, 1)
        stage.publish(event, 2)
    elif state != "sign-up":
        stage.draw(event, 1)
    if state.startswith("cancelled"):
        stage.do(event, event_life.cancel, "", 0)
    at(stage, date(2027, 1, 4))
    assert delete_all(stage) == 0
    at(stage, date(2027, 1, 5))
    assert "That is on 5 January 2027." in Person(app).open("/e/iron-open/privacy").text
    assert delete_all(stage) == 5
    assert [name for name in names(stage) if not name.startswith("Former player")] == []
    assert stage.all(JournalEntry, verb="give-place") == []
    assert replay(stage.s, event).difference is None
    assert in_lines(check_invariants(stage.s)) == []


def test_season_counts_from_its_last_window(stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo", "Cy", "Di"), delete_after=1)
    stage.do(event, set_season, Season(days=14))
    assert deletion_day(stage.s, event) == months_later(ends_of(event), 1)
    assert ends_of(event) > event.ends_on


def test_day_is_that_of_the_events_time_zone(stage: Stage) -> None:
    over(stage, timezone="Pacific/Auckland")
    at(stage, date(2027, 6, 4))
    stage.clock.now = stage.clock.now.replace(hour=11, minute=59)
    assert delete_all(stage) == 0
    stage.clock.advance(minutes=1)
    assert delete_all(stage) == 4, "noon in UTC is midnight there"


def test_desk_says_so_two_weeks_before(olga: Person, stage: Stage) -> None:
    over(stage, delete_after=1, starts_on=date(2026, 11, 21), ends_on=date(2026, 11, 21))
    words = "The personal data of 4 players will be deleted on 21 December 2026. The results stay."
    at(stage, date(2026, 12, 6))
    assert words not in olga.open("/e/iron-open/desk").text
    at(stage, date(2026, 12, 7))
    assert words in olga.open("/e/iron-open/desk").text
    olga.open("/e/iron-open/desk/settings/privacy")
    olga.press("Save", delete_after="0")
    assert words not in olga.open("/e/iron-open/desk").text


def opened(app: Flask, link: str) -> Person:
    player = Person(app)
    player.ask("GET", link)
    return player


def test_desk_says_who_keeps_the_event_on_an_own_page(olga: Person, stage: Stage) -> None:
    over(stage, delete_after=1, starts_on=date(2026, 11, 21), ends_on=date(2026, 11, 21))
    with stage.changing() as s:
        own_pages.make_page(s, stage.one(Player, name="Bo"), stage.clock())
    at(stage, date(2026, 12, 7))
    page = olga.open("/e/iron-open/desk").text
    assert "personal data of 3 players will be deleted on 21 December 2026" in page
    assert "1 player keeps the event on a page of their own." in page


def test_own_page_says_that_it_keeps_the_data_and_when_it_does_no_more(
    app: Flask, link_of: Links, stage: Stage
) -> None:
    over(stage, delete_after=1, starts_on=date(2026, 11, 21), ends_on=date(2026, 11, 21))
    bo, stays = opened(app, link_of(stage.one(Player, name="Bo"))), "stays until you delete it"
    assert stays in bo.open("/e/iron-open/me/page").text
    bo.press("Keep my events together")
    assert stays in bo.open("/e/iron-open/me/page").text
    confirming = "Your entry stays as it is."
    assert confirming in bo.open("/e/iron-open/me/page").response.text
    at(stage, date(2026, 12, 21))
    due = "The event’s data was due to be deleted on 21 December 2026; yours is deleted now too."
    for address in ("/e/iron-open/me/page", "/me/settings"):
        page = bo.open(address).response.text
        assert due in page and "stays as it is" not in page
    assert "Your data of events that were due to be deleted before is deleted now too." in page
    assert due in bo.press("Remove").text
    assert delete_all(stage) == 4


def test_sign_up_says_that_an_own_page_keeps_the_data(app: Flask, link_of: Links, stage: Stage) -> None:
    stage.event(players=("Ada",))
    rust = stage.event("Rust Cup", delete_after=6)
    ada = opened(app, link_of(stage.one(Player, name="Ada")))
    ada.open("/e/iron-open/me/page")
    ada.press("Keep my events together")
    words = "Your data then stays until you delete it."
    assert words in ada.open("/e/rust-cup/register").text
    stage.set(rust, delete_after=0)
    assert words not in ada.open("/e/rust-cup/register").text


def test_page_says_what_is_kept_for_how_long_with_the_organisers_notice(app: Flask, stage: Stage) -> None:
    asked = {"id": "q1", "label": "Allergies", "kind": "text", "choices": [], "required": False}
    event = stage.event(questions=(asked,), privacy_notice="We run this club.\nAsk Olga.", contact="olga@club.example")
    page = Person(app).open("/e/iron-open/privacy").text
    for words in ("We run this club.", "Your answer to “Allergies”", "This event does not ask for one.",
                  "this event has set no date", "deleted after 60 days",
                  "staff who see the players, such as judges", "a message to everybody is public", "Rulings, penalties",
                  "the server’s log", "olga@club.example"):  # fmt: skip
        assert words in page
    stage.set(event, delete_after=6, privacy_notice="https://club.example/privacy")
    page = Person(app).open("/e/iron-open/privacy").text
    assert "Your data is deleted 6 months after the event." in page
    for address in ("/e/iron-open/privacy", "/e/iron-open/register", "/e/iron-open"):
        assert 'href="https://club.example/privacy"' in Person(app).open(address).response.text
    stage.set(event, privacy_notice="http://club.example/privacy")
    assert 'href="http://club.example/privacy"' in Person(app).open("/e/iron-open/privacy").response.text
    stage.set(event, privacy_notice="https://club.example <b>")
    assert 'href="https://club' not in Person(app).open("/e/iron-open/privacy").response.text
    assert "Each event’s page has a page “Privacy” of its own." in Person(app).open("/privacy").text


@pytest.mark.parametrize("typed", ["https://", "https://club.example/our privacy", "http://"])
def test_address_that_leads_nowhere_is_refused_at_the_notice(olga: Person, stage: Stage, typed: str) -> None:
    event = stage.event()
    olga.open("/e/iron-open/desk/settings/privacy")
    assert "Enter a whole address without spaces, or a text." in olga.press("Save", privacy_notice=typed).text
    assert stage.now(event).privacy_notice == ""


def test_new_events_take_the_setting_of_the_organisers_last(olga: Person, stage: Stage) -> None:
    stage.event(privacy_notice="Ask Olga.", delete_after=6)
    olga.open("/desk/new")
    olga.press("Create event", name="Rust Cup", place="Hall", starts_on="2026-12-12")
    made = stage.one(Event, name="Rust Cup")
    assert (made.privacy_notice, made.delete_after) == ("Ask Olga.", 6)


@pytest.mark.both_databases
@pytest.mark.parametrize("came", ["nobody", "one", "one with a page"])
@pytest.mark.proves("attack 102")
def test_event_loses_what_hangs_on_no_player_whoever_came(app: Flask, stage: Stage, came: str) -> None:
    event = stage.event(sign_up_by="invitation", delete_after=1)
    stage.do(event, make_typed, "Ada Archer, ada@example.org\nFamily Eckert", 4, has_server=True)
    with stage.changing(event) as s:
        s.add(queued(DispatchKind.LINKS, stage.clock(), event_id=event.id, mail="bo@example.org"))
        s.add(KeptAnswer(event_id=event.id, who="browser x", key="k", sha256="", said="Cy is in.", at=stage.clock()))
    players = stage.enter(event, "Ada Archer", "Di") if came != "nobody" else []
    if came == "one with a page":
        with stage.changing() as s:
            own_pages.make_page(s, players[0], stage.clock())
    at(stage, date(2027, 1, 4))
    assert (count_due(stage.s, stage.clock()), delete_all(stage), len(stage.all(Dispatch))) == ({}, 0, 2)
    page = let_in(app, stage.set_up("Olga")).open("/e/iron-open/desk")
    assert "will be deleted on 5 January 2027" in page.text and "of 0 players" not in page.text
    at(stage, date(2027, 1, 5))
    deleted = {"nobody": 0, "one": 2, "one with a page": 1}[came]
    assert count_due(stage.s, stage.clock()) == {event.id: 4 + deleted}
    assert delete_all(stage) == deleted
    assert [code.label for code in stage.all(JoinCode)] == ["", ""], "codes for several too"
    assert [stage.all(model) for model in (Dispatch, KeptAnswer)] == [[], []]
    assert (count_due(stage.s, stage.clock()), delete_all(stage)) == ({}, 0)
    assert " 0 " not in stage.one(JournalEntry, verb="delete-persons").text
    assert replay(stage.s, stage.now(event)).difference is None
