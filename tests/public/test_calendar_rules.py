"""Calendars keep the rules of RFC 5545, and two readers find in them the times that the event's zone gives."""

import io
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import icalendar
import pytest
import recurring_ical_events
from dateutil.tz import tzical

from events.public.zone_rules import zone_rules
from events.seasons import league_actions as leagues
from events.setup import event_life
from events.tournament.season import Season
from models.db import write
from models.event import Event, EventState, Round
from service.after_restore import Known, note_restored
from tests.kit.calendar_rules import Component, read_calendar
from tests.kit.person import CLOSE_EVENT, IMPORT_EVENT, Enter, Person
from tests.kit.stage import Stage
from tests.kit.statements import sent

ONE, CLUB, SERIES = "/e/iron-open/event.ics", "/events.ics", "/series/iron-league/events.ics"
# with and without summer time, south of the equator, half and quarter hours, summer time in the month of fasting,
# rules that changed, and the other side of the date line
ZONES = (
    "UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Sao_Paulo", "Australia/Sydney",
    "Australia/Lord_Howe", "Asia/Kolkata", "Asia/Kathmandu", "Africa/Casablanca", "Africa/Cairo", "Asia/Almaty",
    "America/Santiago", "Pacific/Apia", "Pacific/Chatham",
)  # fmt: skip
LONG = "Das große 🎲 Sommerturnier; mit Würfeln, Läufern \\ 太郎 und Ø " * 2


def calendar(visitor: Person, file: str = ONE) -> Component:
    return read_calendar(visitor.ask("GET", file).data)


def figures(visitor: Person, file: str = ONE) -> tuple[int, str]:
    """The sequence and the stamp of the only entry."""
    (entry,) = calendar(visitor, file).all("VEVENT")
    stamps = {entry.values(name)[0][1] for name in ("DTSTAMP", "LAST-MODIFIED")}
    assert len(stamps) == 1
    return int(entry.values("SEQUENCE")[0][1]), stamps.pop()


def clocks_agree(zone: str, first: int, last: int, step: timedelta) -> None:
    """The rules of a zone, read by dateutil, give the offsets that zoneinfo gives."""
    rules = zone_rules(zone, first, last).to_ical().decode().replace(f"TZID:{zone}", "TZID:Hall")
    hall = tzical(io.StringIO(rules)).get("Hall")
    moment, end = datetime(first, 1, 2), datetime(last, 12, 31)  # noqa: DTZ001 - local times
    while moment < end:
        wanted = moment.replace(tzinfo=ZoneInfo(zone))
        is_there = wanted.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) == moment
        is_once = wanted.utcoffset() == wanted.replace(fold=1).utcoffset()
        if is_there and is_once:  # the hour that is left out or comes twice
            assert moment.replace(tzinfo=hall).utcoffset() == wanted.utcoffset(), (zone, moment)
        moment += step


@pytest.mark.parametrize("zone", ZONES)
def test_rules_of_a_zone_say_what_its_clocks_show(zone: str) -> None:
    for first in (2010, 2022, 2026):
        clocks_agree(zone, first, first + 1, timedelta(minutes=30))


@pytest.mark.sweep
def test_rules_of_every_zone_say_what_its_clocks_show() -> None:
    for zone in sorted(available_timezones() - {"localtime", "Factory"}):
        clocks_agree(zone, 2024, 2030, timedelta(minutes=90))


def test_rules_of_a_zone_name_each_change_once() -> None:
    rules = zone_rules("Europe/Berlin", 2026, 2026).to_ical().decode().splitlines()
    assert [line for line in rules if line.startswith(("DTSTART", "TZNAME"))] == [
        "DTSTART:20260101T000000", "TZNAME:CET", "DTSTART:20260329T020000", "TZNAME:CEST", "DTSTART:20261025T030000",
        "TZNAME:CET",
    ]  # fmt: skip


@pytest.mark.parametrize("zone", ZONES)
def test_readers_that_know_no_zones_find_the_hours(visitor: Person, stage: Stage, zone: str) -> None:
    event = stage.event(rounds=2)
    for day in (date(2026, 1, 10), date(2026, 3, 29), date(2026, 7, 4), date(2026, 10, 25), date(2027, 1, 9)):
        stage.set(event, starts_on=day, ends_on=day, starts_at="10:00", timezone=zone, round_minutes=90)
        data = visitor.ask("GET", ONE).data
        read_calendar(data)
        wanted = datetime(day.year, day.month, day.day, 10, tzinfo=ZoneInfo(zone)).astimezone(UTC)
        hall = f"Hall/{zone}/{day}".encode()  # a name that only the file's rules explain
        for text in (data, data.replace(b":" + zone.encode(), b":" + hall).replace(b"=" + zone.encode(), b"=" + hall)):
            (entry,) = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(
                day - timedelta(days=1), day + timedelta(days=2)
            )
            assert entry.start.astimezone(UTC) == wanted
            assert timedelta(hours=3) <= entry.end - entry.start < timedelta(hours=4)


def test_long_texts_are_folded_and_escaped(visitor: Person, stage: Stage) -> None:
    event = stage.event()
    stage.set(event, name=LONG[:120], place="Hall; 1, Main St.\\ 2", description="One\nTwo, three; four\n🎲" * 20)
    data = visitor.ask("GET", ONE).data
    read_calendar(data)
    (entry,) = icalendar.Calendar.from_ical(data).events
    assert (entry["SUMMARY"], entry["LOCATION"]) == (event.name, event.place)
    assert entry["DESCRIPTION"] == event.description


def days_of(entry: icalendar.Event) -> tuple[date, date]:
    return entry.decoded("DTSTART").date(), entry.decoded("DTEND").date()


def test_event_of_several_days_and_one_past_midnight(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=2)
    day = event.starts_on
    stage.set(event, starts_at="21:00", timezone="Europe/Berlin", round_minutes=120)
    (night,) = icalendar.Calendar.from_ical(visitor.ask("GET", ONE).data).events
    assert days_of(night) == (day, day + timedelta(days=1))
    stage.set(event, starts_at="10:00", ends_on=day + timedelta(days=1))
    (both,) = icalendar.Calendar.from_ical(visitor.ask("GET", ONE).data).events
    assert days_of(both) == (day, day + timedelta(days=1))
    stage.set(event, starts_at="")
    (whole,) = calendar(visitor).all("VEVENT")
    assert whole.values("DTSTART") == [({"VALUE": "DATE"}, f"{day:%Y%m%d}")]
    assert whole.values("DTEND") == [({"VALUE": "DATE"}, f"{day + timedelta(days=2):%Y%m%d}")]
    assert whole.values("TRANSP") == [({}, "OPAQUE")]


def test_sequence_and_stamp_rise_with_what_players_must_know(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=2)
    seen = figures(visitor)
    day = event.starts_on + timedelta(days=7)
    for change in (
        {"starts_on": day, "ends_on": day}, {"starts_at": "10:00"}, {"place": "Hall 2"}, {"timezone": "Asia/Tokyo"},
        {"round_minutes": 75}, {"name": "Iron Open II"}, {"registration_opens": stage.clock.now},
    ):  # fmt: skip
        stage.set(event, **change)
        assert figures(visitor) > seen, change
        seen = figures(visitor)
    stage.set(event, stage.one(Round, number=2), planned_at=stage.clock.now + timedelta(days=8))
    assert figures(visitor) > seen
    seen = figures(visitor)
    stage.do(event, event_life.cancel, "", 0)
    answer = visitor.ask("GET", ONE)
    assert figures(visitor) > seen and "STATUS:CANCELLED" in answer.text and "TRANSP:TRANSPARENT" in answer.text
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    seen = figures(visitor)
    stage.do(event, event_life.withdraw_cancellation)
    assert figures(visitor) > seen and "STATUS:CONFIRMED" in visitor.ask("GET", ONE).text


def test_sequence_and_stamp_rise_for_each_event_of_a_write(visitor: Person, stage: Stage) -> None:
    first, second = stage.event(), stage.event("Brass Open")
    files = (ONE, "/e/brass-open/event.ics")
    seen = [figures(visitor, file) for file in files]
    with write(stage.s, stage.clock.now, first, other=second):
        first.place = second.place = "Hall 2"
    assert all(figures(visitor, file) > before for file, before in zip(files, seen, strict=True))
    seen = [figures(visitor, file) for file in files]
    with write(stage.s, stage.clock.now):  # of the service itself
        first.state = second.state = EventState.IN_PROGRESS
    assert all(figures(visitor, file) > before for file, before in zip(files, seen, strict=True))


def test_sequence_and_stamp_stay_with_other_changes(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=3)
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    seen, data = figures(visitor), visitor.ask("GET", ONE).data
    stage.clock.advance(hours=1)
    stage.set(event, fee="15 €", bring="Dice", places=20)
    stage.play(event, 2)
    stage.draw(event, 3)
    assert (figures(visitor), visitor.ask("GET", ONE).data) == (seen, data)


def test_sequence_and_stamp_rise_when_a_change_is_taken_back(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=2)
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    stage.play(event, 2)
    olga.press(CLOSE_EVENT, at="/e/iron-open/desk")
    finished = figures(visitor)
    olga.press("Undo this step", at="/e/iron-open/desk/undo", typed="undo")
    assert stage.now(event).state.value == "in_progress"
    assert figures(visitor) > finished


def test_sequence_and_stamp_rise_with_a_restore(visitor: Person, stage: Stage) -> None:
    event = stage.event()
    stage.clock.advance(hours=1)
    stage.set(event, starts_at="10:00")
    before = figures(visitor)
    stage.set(event, place="Hall 2")
    later = figures(visitor)
    stage.clock.advance(hours=1)
    with stage.engine.begin() as connection:  # a copy that lacks the change
        connection.exec_driver_sql("UPDATE event SET news_at = NULL, place = ''")
    assert figures(visitor) < before
    with stage.changing(event) as s:
        note_restored(s, s.get_one(Event, event.id), Known(), stage.clock.now, stage.clock.now)
    assert figures(visitor) > later > before


def test_same_name_of_an_imported_event_is_newer(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event()
    stage.set(event, place="Hall 2")
    archive = olga.ask("GET", "/e/iron-open/desk/archive.json").data
    before, (entry,) = figures(visitor), calendar(visitor).all("VEVENT")
    stage.clock.advance(minutes=5)
    with stage.changing() as s:
        event_life.delete(s, event.id)
    olga.press(IMPORT_EVENT, at="/desk/archive-in", file=("x.json", archive))
    assert figures(visitor) > before
    assert calendar(visitor).all("VEVENT")[0].values("UID") == entry.values("UID")


def test_club_and_series_are_calendars_to_subscribe_to(visitor: Person, olga: Person, stage: Stage) -> None:
    first = stage.event(series="Iron League")
    day = first.starts_on
    stage.set(first, starts_at="10:00", timezone="Europe/Berlin")
    other = stage.event("Brass Open", series="")
    stage.set(other, starts_at="09:00", timezone="Asia/Kolkata")
    season = stage.event("Long League", rounds=3)
    stage.set(season, season=Season(days=14))
    stage.event("Draft", draft=True)
    hidden = stage.event("Hidden")
    stage.do(hidden, event_life.set_unlisted, True)
    past = stage.event("Old")
    stage.set(past, starts_on=day - timedelta(days=500), ends_on=day - timedelta(days=500))
    stage.do(other, event_life.cancel, "", 0)

    club = calendar(visitor, CLUB)
    titles = [entry.values("SUMMARY")[0][1] for entry in club.all("VEVENT")]
    assert sorted(titles) == ["Brass Open", "Iron Open", *(f"Long League: round {n}" for n in (1, 2, 3))]
    assert club.values("REFRESH-INTERVAL") == club.values("X-PUBLISHED-TTL") == [({"VALUE": "DURATION"}, "PT3H")]
    free = {
        value
        for entry in club.all("VEVENT")
        if entry.values("SUMMARY")[0][1].startswith("Long")
        for _, value in entry.values("TRANSP")
    }
    assert free == {"TRANSPARENT"}, "a round of two weeks takes up nobody's days"
    assert {zone.values("TZID")[0][1] for zone in club.all("VTIMEZONE")} >= {"Europe/Berlin", "Asia/Kolkata"}
    assert calendar(olga, CLUB) == club, "the same for everybody"
    of_series = calendar(visitor, SERIES)
    assert of_series.all("VEVENT") == calendar(visitor).all("VEVENT"), "the same entry in each calendar"
    assert of_series.values("NAME") == [({}, "Iron League")]
    states = {entry.values("SUMMARY")[0][1]: entry.values("STATUS")[0][1] for entry in club.all("VEVENT")}
    assert states["Brass Open"] == "CANCELLED"

    for page, file in (("/", CLUB), ("/series/iron-league", SERIES)):
        soup = visitor.open(page).soup
        assert soup.select(f"#calendar a[href='webcal://hall.lan{file}']")
        assert soup.select("#calendar .qr svg") and f"http://hall.lan{file}" in soup.select("#calendar")[0].text


def test_calendar_without_events_is_valid(visitor: Person) -> None:
    assert not calendar(visitor, CLUB).all("VEVENT")
    assert visitor.ask("GET", SERIES).status_code == 404


def test_unchanged_calendar_is_not_sent_again(visitor: Person, stage: Stage) -> None:
    event = stage.event(series="Iron League")
    for file in (ONE, CLUB, SERIES):
        mark = visitor.ask("GET", file).headers["ETag"]
        stage.clock.advance(minutes=10)
        assert visitor.http.get(file, headers={"If-None-Match": mark}).status_code == 304
        stage.set(event, place=f"Hall {file}")
        assert visitor.http.get(file, headers={"If-None-Match": mark}).status_code == 200


def test_own_games_follow_their_changes(visitor: Person, enter: Enter, stage: Stage) -> None:
    event = stage.event(rounds=1)
    stage.set(event, season=Season(days=7))
    enter(event, "Ada", "Bo")
    mine = "/e/iron-open/players/1/games.ics"
    assert not calendar(visitor, mine).all("VEVENT")
    (game,) = stage.publish(event, 1)
    seen = figures(visitor, mine)
    stage.clock.advance(minutes=10)
    assert figures(visitor, mine) == seen
    stage.do(event, leagues.set_dates, game, event.starts_on + timedelta(days=3), None, "")
    assert figures(visitor, mine) > seen


def test_club_calendar_sends_as_many_statements_for_many_events(visitor: Person, stage: Stage) -> None:
    stage.event()
    with sent(stage.engine) as few:
        visitor.ask("GET", CLUB)
    for number in range(5):
        stage.set(stage.event(f"Open {number}"), starts_at="10:00")
    with sent(stage.engine) as many:
        assert len(calendar(visitor, CLUB).all("VEVENT")) == 6
    assert len(many) == len(few)
