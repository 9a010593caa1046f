"""Events that repeat make the next one once, on the right day, and open it by date; places are kept to choose."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from events.journal.replay import replay
from events.registration import actions as registration_actions
from events.setup import actions as setup_actions
from events.setup import event_life
from events.setup.copying import copy_event
from events.setup.repeating import day_after, make_next, next_day, opens_at
from models.event import Event, EventState
from models.journal import JournalEntry
from models.play import Player
from models.settings import Repeats
from models.staff import Role, Staff
from service.commands.maintain import make_due
from tests.kit.person import Person
from tests.kit.stage import Stage

FRIDAY = date(2026, 11, 27)


def repeating(stage: Stage, rule: Repeats = Repeats.TWO_WEEKS, **changed: Any) -> Event:
    """An open event of Friday, 27 November 2026, six days from now."""
    wanted = {"starts_on": FRIDAY, "ends_on": FRIDAY, "list_deadline": None, "repeats": rule}
    return stage.event("Club Night", **wanted | changed)


def make_all(stage: Stage) -> int:
    stage.s.rollback()
    return make_due(stage.engine, stage.clock())


@pytest.mark.parametrize(("rule", "day", "later"), [
    ("week", FRIDAY, date(2026, 12, 4)), ("two_weeks", FRIDAY, date(2026, 12, 11)),
    ("four_weeks", date(2026, 12, 11), date(2027, 1, 8)), ("first", date(2026, 12, 4), date(2027, 1, 1)),
    ("first", date(2026, 12, 11), date(2027, 1, 1)), ("second", FRIDAY, date(2026, 12, 11)),
    ("fourth", FRIDAY, date(2026, 12, 25)), ("last", date(2027, 1, 29), date(2027, 2, 26)),
    ("last", date(2027, 2, 26), date(2027, 3, 26)), ("last", date(2026, 12, 25), date(2027, 1, 29)),
    ("last", date(2028, 1, 31), date(2028, 2, 28)),
])  # fmt: skip
def test_next_day_follows_the_rule_also_in_months_without_a_fifth_weekday(rule: str, day: date, later: date) -> None:
    assert day_after(Repeats(rule), day) == later


@pytest.mark.both_databases
def test_next_event_is_made_once_with_the_settings_and_opens_by_date(stage: Stage) -> None:
    event = repeating(stage, series="Fridays", place="Town Hall", tables=9, starts_at="18:30")
    stage.hire(event, "Jo", Role.JUDGE)
    stage.enter(event, "Ada", "Bo")
    stage.clock.now = datetime(2026, 11, 27, 22, 0, tzinfo=UTC)
    assert make_all(stage) == 0, "it is still Friday in Berlin"
    stage.clock.advance(hours=1)
    assert (make_all(stage), make_all(stage)) == (1, 0)
    made = stage.one(Event, name="Club Night 2")
    assert (made.starts_on, made.ends_on, made.state) == (date(2026, 12, 11),) * 2 + (EventState.REGISTRATION,)
    assert (made.series, made.place, made.tables, made.starts_at) == ("Fridays", "Town Hall", 9, "18:30")
    assert made.registration_opens == datetime(2026, 12, 3, 23, 0, tzinfo=UTC), "midnight in Berlin"
    assert (made.repeats, stage.now(event).repeats) == (Repeats.TWO_WEEKS, Repeats.NEVER)
    assert stage.all(Player, event_id=made.id) == []
    roles = ([row.role for row in stage.all(Staff, event_id=one_event.id)] for one_event in (event, made))
    assert len({tuple(sorted(of_event)) for of_event in roles}) == 1
    assert stage.one(JournalEntry, verb="repeat-event").text == "The next event is Club Night 2"
    assert [replay(stage.s, one_event).difference for one_event in (event, made)] == [None, None]


def test_registration_opens_at_the_hour_of_the_clock_after_a_change_of_time(stage: Stage) -> None:
    event = repeating(
        stage, Repeats.FOUR_WEEKS, starts_on=date(2027, 3, 12), ends_on=date(2027, 3, 12), opens_before=10,
        registration_opens=datetime(2027, 3, 1, 17, 0, tzinfo=UTC),
    )  # fmt: skip
    assert opens_at(event, date(2027, 4, 9)) == datetime(2027, 3, 30, 16, 0, tzinfo=UTC), "18:00 in Berlin, in summer"


def test_it_is_made_before_the_last_is_over_when_registration_opens_earlier(stage: Stage) -> None:
    repeating(stage, Repeats.WEEK, opens_before=10)
    assert make_all(stage) == 0
    stage.clock.advance(days=3)
    assert (make_all(stage), make_all(stage)) == (1, 0)
    assert stage.one(Event, name="Club Night 2").registration_opens is None


def test_closed_or_cancelled_event_is_followed_and_a_draft_is_not(stage: Stage) -> None:
    event = repeating(stage, opens_before=0)
    assert make_all(stage) == 0
    stage.do(event, event_life.cancel, "", 0)
    assert make_all(stage) == 1
    draft = stage.event("Draft", draft=True, repeats=Repeats.WEEK)
    stage.clock.advance(days=60)
    assert next_day(draft, stage.clock()) is None


def test_missed_days_are_left_out(stage: Stage) -> None:
    repeating(stage)
    stage.clock.now = datetime(2027, 1, 20, 9, 0, tzinfo=UTC)
    assert make_all(stage) == 1
    assert stage.one(Event, name="Club Night 2").starts_on == date(2027, 1, 22)


def test_copy_by_hand_does_not_repeat(stage: Stage) -> None:
    event = repeating(stage)
    assert stage.do(event, copy_event, "Another", date(2026, 12, 12), "", None).repeats == Repeats.NEVER
    assert stage.now(event).repeats == Repeats.TWO_WEEKS


def test_next_event_follows_in_its_turn(stage: Stage) -> None:
    event = repeating(stage)
    made = stage.do(event, make_next)
    assert made and stage.do(event, make_next) is None
    stage.do(made, registration_actions.register, "Ada", {}, "")
    third = stage.do(made, make_next)
    assert third and third.name == "Club Night 3"


def test_event_whose_next_one_is_made_begins_no_second_series(olga: Person, stage: Stage) -> None:
    event = repeating(stage)
    olga.press("Make it now", at=f"/e/{event.slug}/desk")
    section = f"/e/{event.slug}/desk/settings/repeat"
    page = olga.press("Save", at=section, repeats="two_weeks")
    assert (page.status, "Club Night 2" in page.errors) == (422, True)
    assert stage.now(event).repeats == Repeats.NEVER


def test_desk_names_the_next_one_makes_it_and_stops(olga: Person, stage: Stage) -> None:
    repeating(stage)
    words = "The next one is on Fri 11 Dec 2026; it opens on Fri 4 Dec, 00:00."
    assert words in olga.open("/e/club-night/desk").text
    page = olga.press("Make it now")
    assert page.path == "/e/club-night-2/desk"
    assert "The next one is on Fri 25 Dec 2026" in page.text
    assert words not in olga.open("/e/club-night/desk").text
    stopped = olga.press("Stop repeating", at="/e/club-night-2/desk")
    assert "No event follows." in stopped.text and "The next one" not in stopped.text
    stage.clock.advance(days=90)
    assert make_all(stage) == 0


def test_repeat_is_a_setting_also_of_a_closed_event(olga: Person, stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo"), rounds=1)
    stage.play(event, 1)
    stage.do(event, setup_actions.finish)
    olga.open("/e/iron-open/desk/settings/repeat")
    olga.press("Save", repeats="first")
    assert stage.now(event).repeats == Repeats.FIRST
    assert "Monthly, on the first such weekday" in olga.open("/e/iron-open/desk/settings").text
    assert make_all(stage) == 1
    assert stage.one(Event, name="Iron Open 2").starts_on == date(2027, 1, 2)


def test_places_of_the_organisers_events_fill_address_tables_and_zone(olga: Person, stage: Stage) -> None:
    stage.event("First", place="Old Mill, Mill Lane 1", timezone="Europe/London", tables=7)
    stage.event("Second", place="Town Hall", tables=12)
    stage.event("Third", place="town hall", tables=14)
    page = olga.open("/desk/new")
    assert page.text.count("Town Hall") == 0 and "town hall" in page.text, "each place once, as written last"
    olga.open("/desk/new?place=first")
    values = [olga.page.value(name) for name in ("place", "tables", "timezone")]
    assert values == ["Old Mill, Mill Lane 1", "7", "Europe/London"]
    olga.press("Create event", name="Fourth", starts_on="2026-12-12")
    made = stage.one(Event, name="Fourth")
    assert (made.place, made.tables, made.timezone) == ("Old Mill, Mill Lane 1", 7, "Europe/London")
    assert olga.open("/desk/new?place=nowhere").status == 200
