"""The event as a calendar entry, and what shared links and search engines read of its page."""

from datetime import UTC, datetime

import icalendar

from tests.kit.person import Person
from tests.kit.stage import Stage

PAGE, FILE = "/e/iron-open", "/e/iron-open/event.ics"


def entry(visitor: Person) -> icalendar.Event:
    answer = visitor.http.get(FILE)
    assert (answer.status_code, answer.mimetype) == (200, "text/calendar")
    (found,) = icalendar.Calendar.from_ical(answer.data).walk("VEVENT")
    assert isinstance(found, icalendar.Event)
    return found


def test_entry_has_the_events_hours_and_follows_its_changes(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=2)
    stage.set(event, starts_at="10:00", timezone="Europe/Berlin", round_minutes=90, place="Hall; 1, Main St.\nReading")
    first = entry(visitor)
    day = event.starts_on
    assert isinstance(first.start, datetime)
    assert first.start.astimezone(UTC) == datetime(day.year, day.month, day.day, 9, tzinfo=UTC)
    assert (first["SUMMARY"], first["LOCATION"]) == ("Iron Open", "Hall; 1, Main St.\nReading")
    hours = (first.end - first.start).total_seconds() / 3600
    assert 3 <= hours < 4, "two rounds of 90 minutes and the break"
    stage.set(event, starts_at="")
    whole = entry(visitor)
    assert (whole.start, whole["UID"]) == (event.starts_on, first["UID"])
    assert str(whole["URL"]).endswith("/e/iron-open")


def test_draft_has_no_entry_for_visitors(visitor: Person, stage: Stage) -> None:
    stage.event(draft=True)
    assert visitor.http.get(FILE).status_code == 404


def test_page_says_to_machines_what_it_says_to_people(visitor: Person, stage: Stage) -> None:
    event = stage.event(name='Iron "Open" <1>', rounds=3)
    page = visitor.open(f"/e/{event.slug}")
    (title,) = page.soup.select("meta[property='og:title']")
    assert title["content"] == 'Iron "Open" <1>'
    (about,) = page.soup.select("meta[name=description]")
    assert "3 rounds" in str(about["content"])
    assert page.part("[itemprop=name]") == 'Iron "Open" <1>'
    assert page.soup.select("[itemprop=startDate]")[0]["datetime"] == event.starts_on.isoformat() + (
        f"T{event.starts_at}" if event.starts_at else ""
    )
