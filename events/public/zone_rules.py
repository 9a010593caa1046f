"""The rules of a time zone for calendars (VTIMEZONE), from the data of ``zoneinfo``.

``icalendar`` can make them too, but begins summer time an hour late: an onset is the local time before the change.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


@lru_cache(maxsize=100)
def zone_rules(name: str, first: int, last: int) -> Timezone:
    """The time at the beginning of the year ``first``, and each change until the end of the year ``last``."""
    zone, begins = ZoneInfo(name), datetime(first, 1, 1)  # noqa: DTZ001 - a local time, as onsets are
    changes = [moment.astimezone(zone) for moment in _changes(zone, datetime(first, 1, 1, tzinfo=UTC), last)]
    rules = Timezone()
    rules.add("TZID", name)
    before = begins.replace(tzinfo=zone)
    rules.add_component(_observance(before, begins, before.utcoffset()))
    for after in changes:
        offset = before.utcoffset() or timedelta()
        onset = after.astimezone(UTC).replace(tzinfo=None) + offset
        if onset > begins:
            rules.add_component(_observance(after, onset, offset))
        before = after
    return rules


def _observance(after: datetime, onset: datetime, offset: timedelta | None) -> TimezoneStandard | TimezoneDaylight:
    """What is in force from the local time ``onset``, before which the clocks showed ``offset``."""
    rule = TimezoneDaylight() if (after.dst() or timedelta()) > timedelta() else TimezoneStandard()
    rule.DTSTART, rule.TZOFFSETFROM, rule.TZOFFSETTO = onset, offset or timedelta(), after.utcoffset() or timedelta()
    rule.add("TZNAME", after.tzname() or "")
    return rule


def _changes(zone: ZoneInfo, moment: datetime, last: int) -> Iterator[datetime]:
    """The moments from which another offset holds."""
    while moment.year <= last:
        after = moment + DAY
        if _offset(zone, moment) != _offset(zone, after):
            low, high = moment, after
            while high - low > MINUTE:
                middle = low + (high - low) // (2 * MINUTE) * MINUTE
                low, high = (middle, high) if _offset(zone, middle) == _offset(zone, low) else (low, middle)
            yield high
        moment = after


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()
