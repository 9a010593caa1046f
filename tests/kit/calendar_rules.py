"""The rules of iCalendar (RFC 5545) that our files must keep, checked on the bytes."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

ONCE = {
    "VCALENDAR": ("PRODID", "VERSION"),
    "VEVENT": ("UID", "DTSTAMP", "DTSTART"),
    "VTIMEZONE": ("TZID",),
    "STANDARD": ("DTSTART", "TZOFFSETFROM", "TZOFFSETTO"),
    "DAYLIGHT": ("DTSTART", "TZOFFSETFROM", "TZOFFSETTO"),
}
AT_MOST_ONCE = {
    "VCALENDAR": ("CALSCALE", "METHOD", "UID", "REFRESH-INTERVAL", "NAME"),
    "VEVENT": (
        "DTEND", "DURATION", "SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "SEQUENCE", "URL", "TRANSP",
        "LAST-MODIFIED", "CLASS", "CREATED", "ORGANIZER", "PRIORITY", "RECURRENCE-ID",
    ),
    "VTIMEZONE": ("LAST-MODIFIED", "TZURL"),
}  # fmt: skip
LINE = re.compile(r'(?P<name>[A-Z0-9-]+)(?P<parameters>(;[A-Z-]+=("[^"]*"|[^";:,]*))*):(?P<value>.*)', re.DOTALL)
DAY, LOCAL, UTC = re.compile(r"\d{8}"), re.compile(r"\d{8}T\d{6}"), re.compile(r"\d{8}T\d{6}Z")


@dataclass
class Component:
    name: str
    properties: list[tuple[str, dict[str, str], str]] = field(default_factory=list)
    parts: list["Component"] = field(default_factory=list)

    def all(self, name: str) -> list["Component"]:
        return [part for part in self.parts if part.name == name]

    def values(self, name: str) -> list[tuple[dict[str, str], str]]:
        return [(parameters, value) for key, parameters, value in self.properties if key == name]


def read_calendar(data: bytes) -> Component:
    """The calendar of a file. Raises AssertionError for a rule of lines that it breaks."""
    assert data.endswith(b"\r\n")
    lines = data.removesuffix(b"\r\n").split(b"\r\n")
    for folded in lines:
        assert len(folded) <= 75, (len(folded), folded)
        assert b"\n" not in folded and b"\r" not in folded, folded
        folded.decode()  # a line that ends within a character
    unfolded = data.removesuffix(b"\r\n").decode().replace("\r\n ", "").split("\r\n")
    stack, calendar = [Component("")], Component("")
    for line in unfolded:
        match = LINE.fullmatch(line)
        assert match, line
        name, value = match["name"], match["value"]
        if name == "BEGIN":
            part = Component(value)
            stack[-1].parts.append(part)
            stack.append(part)
        elif name == "END":
            assert stack.pop().name == value
        else:
            assert not stack[-1].parts, f"{name} after the first component of {stack[-1].name}"
            pairs = (pair.split("=", 1) for pair in match["parameters"].split(";")[1:])
            stack[-1].properties.append((name, {key: text.strip('"') for key, text in pairs}, value))
    assert len(stack) == 1 and len(stack[0].parts) == 1
    calendar = stack[0].parts[0]
    check(calendar)
    assert calendar.values("VERSION") == [({}, "2.0")]
    assert calendar.parts, "a calendar has at least one component"
    zones = {value for zone in calendar.all("VTIMEZONE") for _, value in zone.values("TZID")}
    assert len(zones) == len(calendar.all("VTIMEZONE"))
    for event in calendar.all("VEVENT"):
        check_event(event, zones)
    ids = [value for event in calendar.all("VEVENT") for _, value in event.values("UID")]
    assert len(ids) == len(set(ids))
    return calendar


def check(part: Component) -> None:
    counts = Counter(name for name, _, _ in part.properties)
    for name in ONCE.get(part.name, ()):
        assert counts[name] == 1, (part.name, name, counts[name])
    for name in AT_MOST_ONCE.get(part.name, ()):
        assert counts[name] <= 1, (part.name, name)
    if part.name == "VTIMEZONE":
        assert part.parts and {rule.name for rule in part.parts} <= {"STANDARD", "DAYLIGHT"}
    if part.name in ("STANDARD", "DAYLIGHT"):
        ((parameters, value),) = part.values("DTSTART")
        assert not parameters and LOCAL.fullmatch(value), "an onset is a local time"
        for name in ("TZOFFSETFROM", "TZOFFSETTO"):
            assert re.fullmatch(r"[+-]\d{4}(\d\d)?", part.values(name)[0][1])
    for inner in part.parts:
        check(inner)


def check_event(event: Component, zones: set[str]) -> None:
    assert not (event.values("DTEND") and event.values("DURATION"))
    moments = []
    for name in ("DTSTART", "DTEND"):
        ((parameters, value),) = event.values(name)
        if parameters.get("VALUE") == "DATE":
            assert DAY.fullmatch(value) and "TZID" not in parameters
            moments.append(datetime.strptime(value + "+0000", "%Y%m%d%z"))
        else:
            has_zone = LOCAL.fullmatch(value) and parameters["TZID"] in zones
            assert has_zone or (UTC.fullmatch(value) and not parameters), (parameters, value)
            moments.append(datetime.strptime(value.removesuffix("Z") + "+0000", "%Y%m%dT%H%M%S%z"))
    assert moments[0] < moments[1]
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        assert all(UTC.fullmatch(value) for _, value in event.values(name)), "a stamp is in UTC"
    for _, value in event.values("SEQUENCE"):
        assert 0 <= int(value) < 2**31
    assert {value for _, value in event.values("STATUS")} <= {"TENTATIVE", "CONFIRMED", "CANCELLED"}
    for name in ("SUMMARY", "DESCRIPTION", "LOCATION"):
        for _, value in event.values(name):
            bare = re.sub(r"\\[\\;,nN]", "", value)
            assert not re.search(r"[\\;,\x00-\x08\x0a-\x1f]", bare), value
