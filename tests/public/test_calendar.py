"""The event as a calendar entry, and what shared links and search engines read of its page."""

from datetime import UTC, datetime, timedelta

import icalendar

from events.seasons import league_actions as leagues
from events.tournament.season import Season
from models.event import Round
from tests.kit.people import Elsewhere
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage

PAGE, FILE = "/e/iron-open", "/e/iron-open/event.ics"


def entries(visitor: Person, file: str = FILE) -> list[icalendar.Event]:
    answer = visitor.http.get(file)
    assert (answer.status_code, answer.mimetype) == (200, "text/calendar")
    return [
        node for node in icalendar.Calendar.from_ical(answer.data).walk("VEVENT") if isinstance(node, icalendar.Event)
    ]


def entry(visitor: Person) -> icalendar.Event:
    (found,) = entries(visitor)
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


def test_entry_of_an_event_played_on_another_day_than_planned(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, players=("Ada", "Bo"))
    stage.set(event, starts_at="10:00", timezone="Europe/Berlin", round_minutes=90)
    stage.publish(event, 1)
    for began in (event.starts_on - timedelta(days=9), event.starts_on + timedelta(days=1)):
        for hour in (7, 22, 23):
            moment = datetime(began.year, began.month, began.day, hour, 30, tzinfo=UTC)
            stage.set(event, stage.one(Round, number=2), planned_at=moment, started_at=moment)
            shown = entry(visitor)
            assert shown.start < shown.end, moment


def test_entry_replaces_an_older_one_and_no_other_clubs(visitor: Person, elsewhere: Elsewhere, stage: Stage) -> None:
    event = stage.event()
    stage.set(event, starts_at="10:00", timezone="Europe/Berlin")
    first = entry(visitor)
    stage.clock.advance(minutes=1)
    stage.set(event, starts_on=event.starts_on - timedelta(days=7), ends_on=event.ends_on - timedelta(days=7))
    moved = entry(visitor)
    assert first.uid == "iron-open@0cdf-ec87-5afb-ee8f-c78f.overseer", "as by 0.4.0"
    assert moved.uid == first.uid and moved.sequence > first.sequence and moved.stamp > first.stamp
    (zone,) = icalendar.Calendar.from_ical(visitor.http.get(FILE).data).walk("VTIMEZONE")
    assert zone["TZID"] == "Europe/Berlin"
    elsewhere().event()
    assert entry(visitor).uid != first.uid


def test_draft_has_no_entry_for_visitors(visitor: Person, stage: Stage) -> None:
    stage.event(draft=True)
    assert visitor.http.get(FILE).status_code == 404


def test_season_is_an_entry_for_each_round(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=3)
    stage.set(event, season=Season(days=7))
    first, *_, last = found = entries(visitor)
    assert [str(an_event["SUMMARY"]) for an_event in found] == [f"Iron Open: round {number}" for number in (1, 2, 3)]
    assert (first.start, first.end) == (event.starts_on, event.starts_on + timedelta(days=7))
    assert last.start == event.starts_on + timedelta(days=14)
    assert len({str(an_event["UID"]) for an_event in found}) == 3


def test_player_has_their_published_games_with_time_and_table(visitor: Person, enter: Enter, stage: Stage) -> None:
    event = stage.event(rounds=2)
    stage.set(event, starts_at="10:00", timezone="Europe/Berlin", round_minutes=90)
    ada, *_ = enter(event, "Ada", "Bo")
    mine = f"{PAGE}/players/1/games.ics"
    stage.draw(event, 1)
    assert not entries(visitor, mine), "a draft is nobody's game yet"
    (game,) = stage.publish(event, 1)
    (an_event,) = entries(visitor, mine)
    assert str(an_event["SUMMARY"]) == f"Iron Open, round 1: against Bo, table {game.table_number}"
    assert isinstance(an_event.start, datetime)
    assert an_event.start.astimezone(UTC).hour == 9 and an_event.end - an_event.start == timedelta(minutes=90)
    assert ada.open(f"{PAGE}/me").soup.select(f"a[href='{mine}']")
    assert visitor.http.get(f"{PAGE}/players/99/games.ics").status_code == 404


def test_games_of_a_season_stand_on_the_agreed_day_or_the_last_one(visitor: Person, enter: Enter, stage: Stage) -> None:
    event = stage.event(rounds=1)
    stage.set(event, season=Season(days=7))
    enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    mine = f"{PAGE}/players/1/games.ics"
    (an_event,) = entries(visitor, mine)
    assert (an_event.start, str(an_event["SUMMARY"])[:13]) == (event.starts_on + timedelta(days=6), "Play by today")
    day = event.starts_on + timedelta(days=3)
    stage.do(event, leagues.set_dates, game, day, None, "")
    (agreed,) = entries(visitor, mine)
    assert (agreed.start, agreed["UID"]) == (day, an_event["UID"])
    assert str(agreed["SUMMARY"]) == "Iron Open, round 1: against Bo"


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
