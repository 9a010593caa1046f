"""A new first day: what moves with it, what is asked, and what players learn of it."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from events.messages.notices import prepared
from events.registration.check_in import set_window
from events.setup.actions import change_settings, settings_of
from models.dispatch import Dispatch, Occasion
from models.event import Event, Round
from models.play import Player
from tests.kit.person import Enter, Page, Person
from tests.kit.stage import Stage
from tests.kit.writing import give_mail

SETTINGS = "/e/iron-open/desk/settings"
DAY = date(2026, 12, 5)
LATER = {"starts_on": "2027-01-30"}
"""Eight weeks later, in winter as well."""


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 12, day, hour, minute, tzinfo=UTC)


CALENDAR: dict[str, Any] = {
    "list_deadline": at(4, 19), "registration_opens": at(1, 8), "registration_closes": at(5, 7),
    "lists_shown": "at_time", "lists_shown_from": at(4, 20),
}  # fmt: skip


def calendar_of(event: Event) -> list[Any]:
    names = ("starts_on", "ends_on", "registration_opens", "registration_closes", "list_deadline", "lists_shown_from")
    return [getattr(event, name) for name in (*names, "check_in_from", "check_in_until")]


@pytest.fixture
def full(stage: Stage) -> Event:
    """An event with every date and time that can be set."""
    event = stage.event(**CALENDAR)
    stage.do(event, set_window, at(5, 7, 30), at(5, 8, 30))
    stage.set(event, stage.one(Round, number=2), planned_at=at(5, 12))
    return event


def ticked(page: Page) -> dict[str, str]:
    """What the page asks about: each date by its label, with what is wrong if it stays."""
    rows = page.soup.select("#moves tbody tr")
    return {row.select("td")[0].get_text(strip=True): row.select("td")[3].get_text(strip=True) for row in rows}


@pytest.mark.proves("attack 86")
def test_everything_in_the_calendar_moves_with_the_first_day(stage: Stage, olga: Person, full: Event) -> None:
    before, weeks = calendar_of(full), timedelta(weeks=8)
    olga.open(f"{SETTINGS}/event")
    asked = olga.press("Save", inside="#event", **LATER)
    assert calendar_of(stage.now(full)) == before, "it is asked first"
    assert ticked(asked) == {
        "Last day": "It would be before the first day.",
        "Registration opens": "",
        "Registration closes": "",
        "List deadline": "Lists would lock 57 days before the event.",
        "Set time for showing lists": "Lists would be shown 57 days before the event.",
        "Check in from": "It would be before the event.",
        "Check in until": "It would be before the event.",
        "Start of round 2": "It would be before the event.",
    }
    assert "Fri 4 Dec 2026, 20:00" in asked.part("#moves") and "Fri 29 Jan 2027, 20:00" in asked.part("#moves")
    assert olga.press("Save and move what is ticked").flashes == "Saved."
    assert calendar_of(stage.now(full)) == [value + weeks for value in before]
    assert stage.now(stage.one(Round, number=2)).planned_at == at(5, 12) + weeks
    (said,) = stage.journal(full, "change-settings")
    assert "“First day”, “Last day”" in said and "“Start of round 2”" in said and "“Check in from”" in said


@pytest.mark.proves("attack 86")
def test_what_is_unticked_stays_unless_it_would_be_after_the_event(stage: Stage, olga: Person, full: Event) -> None:
    olga.open(f"{SETTINGS}/event")
    olga.press("Save", inside="#event", **LATER)
    olga.press("Save and move what is ticked", moves=["ends_on", "list_deadline", "lists_shown_from"])
    opens = stage.now(full).registration_opens
    assert (opens, full.check_in_from, full.starts_on) == (at(1, 8), at(5, 7, 30), date(2027, 1, 30))
    before = calendar_of(full)
    earlier = {"starts_on": "2026-12-12"}
    olga.press("Save", at=f"{SETTINGS}/event", inside="#event", **earlier)
    page = olga.press("Save and move what is ticked", moves=["ends_on"])
    assert "The deadline must not come after the event's last day, 12 December 2026." in page.part("#event")
    assert calendar_of(stage.now(full)) == before


def test_hours_stay_when_the_clocks_change_between_the_days(stage: Stage, olga: Person, full: Event) -> None:
    olga.press("Save", at=f"{SETTINGS}/event", inside="#event", starts_on="2027-06-05")
    olga.press("Save and move what is ticked")
    assert stage.now(full).list_deadline == datetime(2027, 6, 4, 18, tzinfo=UTC), "20:00 in summer"
    assert full.check_in_from == datetime(2027, 6, 5, 6, 30, tzinfo=UTC)


def test_time_zone_alone_keeps_every_hour_to_come_and_asks_nothing(stage: Stage, olga: Person, full: Event) -> None:
    assert olga.press("Save", at=f"{SETTINGS}/event", inside="#event", timezone="America/New_York").flashes == "Saved."
    hours = timedelta(hours=6)
    assert stage.now(full).list_deadline == at(4, 19) + hours and full.check_in_from == at(5, 7, 30) + hours
    assert stage.now(stage.one(Round, number=2)).planned_at == at(5, 12) + hours


def test_locked_lists_stay_locked_and_a_deadline_in_the_past_is_none(stage: Stage, full: Event) -> None:
    wanted = settings_of(full).model_copy(update={"starts_on": DAY - timedelta(days=6)})
    stage.clock.now = at(1, 9) - timedelta(days=2, hours=1)
    stage.do(full, change_settings, wanted)
    assert stage.now(full).list_deadline is None, "lists lock with round 1"
    assert (full.starts_on, full.ends_on) == (date(2026, 11, 29), date(2026, 11, 29))
    locked = stage.event("Rust Cup", list_deadline=at(4, 19))
    stage.clock.now = at(4, 19)
    stage.do(locked, change_settings, settings_of(locked).model_copy(update={"starts_on": date(2027, 1, 30)}))
    assert (stage.now(locked).lists_locked_at, locked.list_deadline) == (at(4, 19), at(4, 19))


@pytest.mark.proves("attack 86")
def test_players_learn_the_old_and_the_new_value(stage: Stage, olga: Person, event: Event, enter: Enter) -> None:
    (ada,) = enter(event, "Ada", here=False)
    give_mail(stage, event, stage.one(Player))
    assert ada.open("/e/iron-open/me").soup.find(id="changes") is None
    stage.clock.now += timedelta(minutes=5)
    olga.press("Save", at=f"{SETTINGS}/event", inside="#event", place="Old Mill", starts_at="10:00", **LATER)
    olga.press("Save and move what is ticked")
    said = ada.open("/e/iron-open/me").part("#changes")
    for words in (
        "First day: Sat 5 Dec 2026 Sat 30 Jan 2027",
        "Start: none 10:00", "Place: Town Hall Old Mill", "List deadline: Fri 4 Dec 2026, 20:00 Fri 29 Jan 2027, 20:00",
    ):  # fmt: skip
        assert words in said
    assert "Last day" not in said, "an event of one day"
    notice = stage.one(Dispatch, occasion=Occasion.MOVED)
    ready = prepared(stage.s, notice, stage.clock())
    assert ready is not None
    assert ready.push["body"].startswith("First day: Sat 5 Dec 2026, now Sat 30 Jan 2027. Start: none, now 10:00. ")
    stage.clock.now += timedelta(minutes=5)
    (bo,) = enter(event, "Bo", here=False)
    assert bo.open("/e/iron-open/me").soup.find(id="changes") is None, "Bo signed up after it"
    olga.press("Save", at=f"{SETTINGS}/event", inside="#event", place="Town Hall", starts_at="", starts_on="2026-12-05")
    olga.press("Save and move what is ticked")
    assert ada.open("/e/iron-open/me").soup.find(id="changes") is None, "all is as it was"
    assert stage.now(event).starts_on == DAY and prepared(stage.s, notice, stage.clock()) is None


def test_start_in_an_hour_that_the_clocks_skip_is_refused(olga: Person, event: Event) -> None:
    page = olga.press(
        "Save", at=f"{SETTINGS}/event", inside="#event", starts_on="2027-03-28", ends_on="2027-03-28", starts_at="02:30"
    )
    assert page.status == 422 and "This time does not exist on that day" in page.error_at("starts_at")
