"""A clock at the event's place, and the moments it stands for: kept in UTC, typed and shown as that clock does."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def moments_of(typed: datetime, zone: str) -> tuple[datetime, ...]:
    """When a clock of the IANA zone shows ``typed`` (naive): the moments in UTC, the earlier first.

    None in an hour that the clocks skip, two in one that comes twice, else one.
    """
    place = ZoneInfo(zone)
    found = []
    for fold in (0, 1):
        moment = typed.replace(tzinfo=place, fold=fold).astimezone(UTC)
        if moment not in found and moment.astimezone(place).replace(tzinfo=None) == typed:
            found.append(moment)
    return tuple(sorted(found))


def in_utc(moment: datetime, zone: str) -> str:
    """The moment's hour in UTC, to stand beside the place's: "19:00 UTC", with its day where that is another one."""
    utc = moment.astimezone(UTC)
    same_day = utc.date() == moment.astimezone(ZoneInfo(zone)).date()
    return utc.strftime("%H:%M UTC" if same_day else "%a %-d %b, %H:%M UTC")


def ahead_of_utc(moment: datetime, zone: str) -> str:
    """How far the place's clocks are ahead of UTC at the moment: "UTC+2", "UTC-3:30", "UTC"."""
    offset = moment.astimezone(ZoneInfo(zone)).utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset is not None else 0
    hours, rest = divmod(abs(minutes), 60)
    if not minutes:
        return "UTC"
    return f"UTC{'+' if minutes > 0 else '-'}{hours}{f':{rest:02}' if rest else ''}"
