"""Deadlines at an hour that occurs twice or never, under new time zone rules, and by a clock that is set back."""

import io
import shutil
import zoneinfo
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from bs4 import Tag

from models.event import Event, Round
from models.play import ForceList, ListSeal
from tests.conftest import Clock
from tests.kit.lists import DEADLINE, MINE, Enter, store_force
from tests.kit.person import Person, controls
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk"
SETTINGS = f"{DESK}/settings"
TWICE, EARLIER, LATER = (
    "2027-10-31T02:30", datetime(2027, 10, 31, 0, 30, tzinfo=UTC), datetime(2027, 10, 31, 1, 30, tzinfo=UTC),
)  # fmt: skip
ASKED = "This time occurs twice on that day, because the clocks go back."
NEVER = "This time does not exist on that day"


# ---- hours that occur twice or never


@pytest.mark.proves("F16")
def test_organiser_chooses_between_two_equal_hours(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(SETTINGS)
    olga.press("Save", ends_on="2027-12-31")
    before = stage.digest()
    page = olga.press("Save", list_deadline=TWICE)
    assert (page.status, stage.digest()) == (422, before)
    assert page.error_at("list_deadline").startswith(ASKED)
    assert page.value("list_deadline") == TWICE
    offered = [option.get_text() for option in page.soup.select("#list_deadline-which option")]
    assert offered == ["The earlier: UTC+2, 00:30 UTC", "The later: UTC+1, 01:30 UTC"]
    asking = page
    for chosen in ("", "later", LATER.isoformat().replace("2027", "2026"), "\x00"):
        olga.page = asking
        page = olga.forge("Save", **{"list_deadline-which": chosen})
        assert (page.status, stage.digest()) == (422, before), chosen
    olga.page = asking
    assert olga.press("Save", inside="#lists").flashes == "Saved.", (
        "the later is preselected: no player is late by mistake"
    )
    assert stage.one(Event).list_deadline == LATER
    assert olga.open(SETTINGS).value("list_deadline-which") == LATER.isoformat()
    olga.press("Save", **{"list_deadline-which": "The earlier"})
    olga.open(SETTINGS)
    assert olga.press("Save", place="Elsewhere").flashes == "Saved."
    assert stage.one(Event).list_deadline == EARLIER, "saved again, it stays the earlier"
    assert "Sunday 31 October 2027, 02:30 (Europe/Berlin, 00:30 UTC)" in olga.open("/e/iron-open").text


@pytest.mark.proves("F16")
def test_every_form_with_an_hour_refuses_a_skipped_one_and_asks_which_of_two(
    olga: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    enter(event, "Ada")
    olga.open(SETTINGS)
    before = stage.digest()
    for field in ("list_deadline", "lists_shown_from"):
        page = olga.press("Save", **{field: "2027-03-28T02:30"})
        assert (page.status, stage.digest()) == (422, before)
        assert page.error_at(field).startswith(NEVER), field
    olga.open(SETTINGS)
    olga.press("Save", ends_on="2027-12-31")
    olga.open(f"{DESK}/lists/lock")
    olga.press("Lock the lists now")
    for address, button, field in (
        (f"{DESK}/lists/1", "Unlock this list", "u-until"),
        (f"{DESK}/lists", "Open all lists again", "deadline"),
        (f"{DESK}/clock", "Save", "starts-0"),
    ):
        olga.open(address)
        page = olga.press(button, **{field: "2027-03-28T02:30"})
        assert page.error_at(field).startswith(NEVER), address
        page = olga.press(button, **{field: TWICE})
        assert page.error_at(field).startswith(ASKED), address
        page = olga.press(button, **{f"{field}-which": "The earlier"})
        assert page.status == 200, (address, page.errors)
    assert stage.one(Event).list_deadline == EARLIER
    assert stage.all(Round)[0].planned_at == EARLIER


# ---- new time zone rules


@pytest.fixture
def berlin_as_kampala(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Update the time zones: Berlin keeps UTC+3 all year from now on."""
    folder = tmp_path / "zones" / "Europe"
    folder.mkdir(parents=True)

    def update() -> None:
        found = next(path for path in map(Path, zoneinfo.TZPATH) if (path / "Africa/Kampala").is_file())
        shutil.copy(found / "Africa/Kampala", folder / "Berlin")
        zoneinfo.reset_tzpath([str(folder.parent), *zoneinfo.TZPATH])
        zoneinfo.ZoneInfo.clear_cache()

    yield update
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


@pytest.mark.proves("F15", "F16")
def test_new_time_zone_rules_do_not_move_a_deadline(
    berlin_as_kampala: Callable[[], None], enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    (ada,) = enter(event, "Ada")
    assert "20:00 (Europe/Berlin, 19:00 UTC)" in olga.open("/e/iron-open").text
    berlin_as_kampala()
    assert "22:00 (Europe/Berlin, 19:00 UTC)" in olga.open("/e/iron-open").text, "as the clocks there will show it"
    olga.open(SETTINGS)
    assert olga.press("Save", place="Elsewhere").flashes == "Saved."
    assert stage.one(Event).list_deadline == DEADLINE
    stage.clock.now = DEADLINE - timedelta(seconds=1)
    assert ada.open(MINE).path == MINE
    stage.clock.now = DEADLINE
    assert ada.open(MINE).path == "/e/iron-open/players/1"


# ---- slow requests and a clock that is set back


class SlowBody(io.RawIOBase):
    """A request's body that arrives in parts of 100 bytes; ``ended`` is called with the last one."""

    def __init__(self, sent: bytes, ended: Callable[[], None]) -> None:
        self.left, self.ended = sent, ended

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        part, self.left = self.left[: min(len(into), 100)], self.left[min(len(into), 100) :]
        into[: len(part)] = part
        if part and not self.left:
            self.ended()
        return len(part)


@pytest.mark.proves("F15", "attack 44")
def test_request_that_ends_after_the_deadline_is_late(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    store_force(stage, "Ada")
    form = ada.open(MINE).soup.select_one("#builder")
    assert isinstance(form, Tag)
    body = urlencode([*controls(form), ("name", "Later")]).encode()
    before = stage.one(ForceList).document
    stage.clock.now = DEADLINE - timedelta(seconds=1)
    sent = SlowBody(body, lambda: setattr(stage.clock, "now", DEADLINE))
    answer = ada.http.post(
        MINE, content_type="application/x-www-form-urlencoded",
        headers={"Date": "Fri, 04 Dec 2026 10:00:00 GMT", "X-Timezone": "Pacific/Honolulu"},
        environ_overrides={"wsgi.input": sent, "CONTENT_LENGTH": str(len(body))},
    )  # fmt: skip
    assert stage.clock.now == DEADLINE, "the whole body was read"
    assert answer.headers["Location"] == "/e/iron-open/players/1"
    assert stage.one(ForceList).document == before
    assert stage.one(ListSeal).at == DEADLINE, "the stored list is sealed, on time"


@pytest.mark.proves("F15")
def test_clock_set_back_signs_nobody_out(enter: Enter, olga: Person, event: Event, clock: Clock) -> None:
    (ada,) = enter(event, "Ada")
    clock.advance(hours=1)
    ada.open("/e/iron-open/me")
    page = olga.open(SETTINGS)
    clock.advance(hours=-1)
    assert ada.open("/e/iron-open/me").status == 200
    assert olga.open(DESK).part("h1") == "Iron Open"
    olga.page = page
    assert olga.press("Save", place="Elsewhere").flashes == "Saved.", "a form opened before is still accepted"
