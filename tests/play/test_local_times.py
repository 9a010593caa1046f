"""Local times that occur twice or never, in zones all over the world, against figures worked out by hand."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.play.clock import ahead_of_utc, in_utc, utc_times_of
from events.web.forms import ZONES

NEVER = [
    ("Europe/Berlin", "2026-03-29T02:30"),
    ("Europe/Dublin", "2026-03-29T01:30"),
    ("America/New_York", "2026-03-08T02:30"),
    ("America/Havana", "2026-03-08T00:30"),
    ("America/Santiago", "2026-09-06T00:30"),
    ("Africa/Cairo", "2026-04-24T00:30"),
    ("Asia/Beirut", "2026-03-29T00:30"),
    ("Australia/Lord_Howe", "2026-10-04T02:15"),
    ("Antarctica/Troll", "2026-03-29T02:30"),
    ("Pacific/Apia", "2011-12-30T12:00"),
]
"""The clocks go forward over it: by half an hour on Lord Howe, by two at Troll, by a whole day in Samoa in 2011."""
TWICE = [
    ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30", "2026-10-25T01:30"),
    ("Europe/Dublin", "2026-10-25T01:30", "2026-10-25T00:30", "2026-10-25T01:30"),
    ("Atlantic/Azores", "2026-10-25T00:30", "2026-10-25T00:30", "2026-10-25T01:30"),
    ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30", "2026-11-01T06:30"),
    ("America/St_Johns", "2026-11-01T01:30", "2026-11-01T04:00", "2026-11-01T05:00"),
    ("America/Havana", "2026-11-01T00:30", "2026-11-01T04:30", "2026-11-01T05:30"),
    ("America/Santiago", "2026-04-04T23:30", "2026-04-05T02:30", "2026-04-05T03:30"),
    ("Africa/Cairo", "2026-10-29T23:30", "2026-10-29T20:30", "2026-10-29T21:30"),
    ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45", "2026-04-04T15:15"),
    ("Pacific/Auckland", "2026-04-05T02:30", "2026-04-04T13:30", "2026-04-04T14:30"),
    ("Antarctica/Troll", "2026-10-25T02:30", "2026-10-25T00:30", "2026-10-25T02:30"),
]
ONCE = [
    ("Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00"),
    ("Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59"),
    ("Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00"),
    ("Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-03T15:30"),
    ("Asia/Kathmandu", "2026-10-25T02:30", "2026-10-24T20:45"),
    ("Pacific/Kiritimati", "2026-12-04T20:00", "2026-12-04T06:00"),
    ("America/Sao_Paulo", "2026-12-01T12:00", "2026-12-01T15:00"),
    ("America/Mexico_City", "2026-07-01T12:00", "2026-07-01T18:00"),
    ("UTC", "2026-03-29T02:30", "2026-03-29T02:30"),
]
"""Also where summer time was given up, in Brazil in 2019 and in Mexico in 2022."""


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.proves("F16")
def test_local_time_occurs_never_once_or_twice() -> None:
    for zone, local, *meant in (*NEVER, *TWICE, *ONCE):
        found = utc_times_of(datetime.fromisoformat(local), zone)
        assert found == tuple(moment(one) for one in meant), (zone, local)


@pytest.mark.proves("F16")
@given(st.sampled_from(ZONES), st.integers(0, 60 * 24 * 366 * 40))
def test_every_time_is_found_again_from_its_local_time(zone: str, minutes: int) -> None:
    then = datetime.fromtimestamp(minutes * 60 + 946_684_800, UTC)  # since 2000
    shown = then.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert then in utc_times_of(shown, zone)
    assert utc_times_of(shown.replace(fold=0), zone) == utc_times_of(shown.replace(fold=1), zone)


def test_time_in_utc_names_the_day_only_if_it_differs() -> None:
    for zone, at, hour, ahead in (
        ("Europe/Berlin", "2026-10-25T00:30", "00:30 UTC", "UTC+2"),
        ("Europe/Berlin", "2026-10-25T01:30", "01:30 UTC", "UTC+1"),
        ("Pacific/Kiritimati", "2026-12-04T18:00", "Fri 4 Dec, 18:00 UTC", "UTC+14"),
        ("America/St_Johns", "2026-12-04T18:00", "18:00 UTC", "UTC-3:30"),
        ("UTC", "2026-12-04T18:00", "18:00 UTC", "UTC"),
    ):
        assert (in_utc(moment(at), zone), ahead_of_utc(moment(at), zone)) == (hour, ahead)
