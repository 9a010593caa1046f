"""Deadlines at an hour that comes twice or never, under new rules of a zone, and by a clock that steps."""

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

from events.lists.queries import list_points
from events.play.queries import seals_of, terms_of
from models.event import Event, Round
from models.play import ForceList, ListSeal, Player
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, MINE, PIPER
from tests.kit.person import Person, controls
from tests.kit.stage import Stage
from validators.restrictions import Restrictions, as_document

Enter = Callable[..., list[Person]]
DESK = "/e/iron-open/desk"
SETTINGS = f"{DESK}/settings"
TWICE, EARLIER, LATER = (
    "2027-10-31T02:30", datetime(2027, 10, 31, 0, 30, tzinfo=UTC), datetime(2027, 10, 31, 1, 30, tzinfo=UTC),
)  # fmt: skip
ASKED = "This hour comes twice on that day: the clocks go back over it."


# ---- hours that come twice


@pytest.mark.proves("F16")
def test_of_an_hour_that_comes_twice_it_is_asked_which(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(SETTINGS)
    before = stage.digest()
    page = olga.press("Save", list_deadline=TWICE, ends_on="2027-12-31")
    assert (page.status, stage.digest()) == (422, before)
    assert page.error_at("list_deadline").startswith(ASKED)
    assert page.value("list_deadline") == TWICE
    offered = [option.get_text() for option in page.soup.select("#list_deadline-which option")]
    assert offered == ["The earlier: UTC+2, 00:30 UTC", "The later: UTC+1, 01:30 UTC"]
    assert olga.press("Save").flashes == "Saved.", "the later is chosen: so nobody is out early"
    assert stage.one(Event).list_deadline == LATER
    page = olga.open(SETTINGS)
    assert page.value("list_deadline-which") == LATER.isoformat()
    olga.press("Save", **{"list_deadline-which": "The earlier"})
    assert stage.one(Event).list_deadline == EARLIER
    olga.open(SETTINGS)
    assert olga.press("Save", place="Elsewhere").flashes == "Saved."
    assert stage.one(Event).list_deadline == EARLIER, "saved again as it stands it stays the earlier"
    assert olga.open(SETTINGS).value("list_deadline-which") == EARLIER.isoformat()
    told = " ".join(olga.open("/e/iron-open").text.split())
    assert "Sunday 31 October 2027, 02:30 (Europe/Berlin, 00:30 UTC)" in told


@pytest.mark.proves("F16")
@pytest.mark.parametrize("chosen", ["", "later", LATER.isoformat().replace("2027", "2026"), "\x00", "🎲" * 5000])
def test_a_choice_that_is_none_of_the_two_is_asked_again(olga: Person, stage: Stage, event: Event, chosen: str) -> None:
    olga.open(SETTINGS)
    olga.press("Save", list_deadline=TWICE, ends_on="2027-12-31")
    page = olga.forge("Save", **{"list_deadline-which": chosen})
    assert page.status == 422
    assert page.error_at("list_deadline").startswith(ASKED)
    assert stage.one(Event).list_deadline == DEADLINE


def test_another_hour_of_another_zone_asks_anew_and_a_plain_one_does_not(
    olga: Person, stage: Stage, event: Event
) -> None:
    olga.open(SETTINGS)
    olga.press("Save", list_deadline=TWICE, ends_on="2027-12-31")
    page = olga.press("Save", timezone="America/New_York", list_deadline="2027-11-07T01:30")
    assert page.error_at("list_deadline").startswith(ASKED), "what was chosen in Berlin is no answer"
    assert olga.press("Save", list_deadline="2027-11-07T03:30").flashes == "Saved."
    assert stage.one(Event).list_deadline == datetime(2027, 11, 7, 8, 30, tzinfo=UTC)
    assert not olga.open(SETTINGS).soup.select("#list_deadline-which")


@pytest.mark.proves("F16")
def test_every_form_that_takes_an_hour_asks_which(
    olga: Person, enter: Enter, stage: Stage, event: Event, clock: Clock
) -> None:
    enter(event, "Ada")
    olga.open(SETTINGS)
    olga.press("Save", ends_on="2027-12-31")
    olga.open(f"{DESK}/lists")
    olga.press("Lock all lists now")
    for address, button, field in (
        (f"{DESK}/lists/1", "Unlock this list", "u-until"),
        (f"{DESK}/lists", "Open all lists again", "deadline"),
        (f"{DESK}/clock", "Save", "starts-0"),
    ):
        olga.open(address)
        page = olga.press(button, **{field: "2027-03-28T02:30"})
        assert page.error_at(field).startswith("There is no such time on that day"), address
        page = olga.press(button, **{field: TWICE})
        assert page.error_at(field).startswith(ASKED), address
        page = olga.press(button, **{f"{field}-which": "The earlier"})
        assert page.status == 200, (address, page.errors)
    assert stage.one(Event).list_deadline == EARLIER
    assert stage.all(Round)[0].planned_at == EARLIER


@pytest.mark.proves("F16")
def test_lists_lock_at_the_moment_that_was_chosen(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    olga.open(SETTINGS)
    typed = {"timezone": "Australia/Lord_Howe", "list_deadline": "2027-04-04T01:45", "ends_on": "2027-12-31"}
    olga.press("Save", **typed)
    assert olga.press("Save", **{"list_deadline-which": "The earlier: UTC+11"}).flashes == "Saved."
    locks_at = datetime(2027, 4, 3, 14, 45, tzinfo=UTC)
    clock.now = locks_at - timedelta(microseconds=1)
    (ada,) = enter(event, "Ada")
    assert ada.open(MINE).path == MINE
    clock.now = locks_at
    assert ada.open(MINE).path == "/e/iron-open/players/1"
    assert stage.one(Event).lists_locked_at == locks_at


# ---- the rules of a zone change


@pytest.fixture
def berlin_as_kampala(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """What an update of the time zones does: Berlin keeps UTC+3 all year from now on."""
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
def test_new_rules_of_a_zone_move_no_deadline(
    berlin_as_kampala: Callable[[], None], enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    assert "20:00 (Europe/Berlin, 19:00 UTC)" in olga.open("/e/iron-open").text
    berlin_as_kampala()
    assert "22:00 (Europe/Berlin, 19:00 UTC)" in olga.open("/e/iron-open").text, "told as clocks there will show it"
    olga.open(SETTINGS)
    assert olga.press("Save", place="Elsewhere").flashes == "Saved."
    assert stage.one(Event).list_deadline == DEADLINE
    clock.now = DEADLINE - timedelta(seconds=1)
    assert ada.open(MINE).path == MINE
    clock.now = DEADLINE
    assert ada.open(MINE).path == "/e/iron-open/players/1"


# ---- a clock that steps, and whose clock it is


class Dribbling(io.RawIOBase):
    """A body that arrives slowly: by its end the clock has moved on."""

    def __init__(self, sent: bytes, ended: Callable[[], None]) -> None:
        """Send this, and call ``ended`` with its last part."""
        self.left, self.ended = sent, ended

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, into: Any) -> int:
        """The next part, of at most a hundred bytes."""
        part, self.left = self.left[: min(len(into), 100)], self.left[min(len(into), 100) :]
        into[: len(part)] = part
        if part and not self.left:
            self.ended()
        return len(part)


@pytest.mark.proves("F15", "attack 44")
def test_a_request_begun_before_the_deadline_and_ended_after_it_is_late(
    enter: Enter, stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    stage.force(event, stage.one(Player), read_force(PIPER))
    ada.open(MINE)
    form = ada.page.soup.select_one("#builder")
    assert isinstance(form, Tag)
    body = urlencode([*controls(form), ("name", "Later")]).encode()
    before = stage.one(ForceList).document
    clock.now = DEADLINE - timedelta(seconds=1)
    sent = Dribbling(body, lambda: setattr(clock, "now", DEADLINE))
    answer = ada.http.post(
        MINE, content_type="application/x-www-form-urlencoded",
        headers={"Date": "Fri, 04 Dec 2026 10:00:00 GMT", "X-Timezone": "Pacific/Honolulu"},
        environ_overrides={"wsgi.input": sent, "CONTENT_LENGTH": str(len(body))},
    )  # fmt: skip
    assert clock.now == DEADLINE, "the whole body was read"
    assert answer.headers["Location"] == "/e/iron-open/players/1"
    assert stage.one(ForceList).document == before
    (locked,) = stage.all(ListSeal)
    assert locked.at == DEADLINE, "the list as it stood is sealed, in time"


@pytest.mark.proves("F15")
def test_nobody_is_signed_out_by_a_clock_that_is_set_back(
    enter: Enter, olga: Person, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    olga.open(DESK)
    clock.advance(hours=1)
    ada.open("/e/iron-open/me")
    page = olga.open(SETTINGS)
    clock.advance(hours=-1)
    assert ada.open("/e/iron-open/me").status == 200
    assert olga.open(DESK).part("h1") == "Iron Open"
    olga.page = page
    assert olga.press("Save", place="Elsewhere").flashes == "Saved.", "a form opened before is still taken"


@pytest.mark.proves("F15")
def test_a_list_changed_after_the_lock_is_late_though_the_clock_was_set_back(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    stage.force(event, stage.one(Player), read_force(PIPER))
    with stage.changing(event):
        event.restrictions = as_document(Restrictions(on_time_points=2, error_free_points=1))
    clock.now = DEADLINE
    ada.open("/e/iron-open")

    def points() -> int:
        stage.s.expire_all()
        return list_points(event, stage.one(Player), seals_of(stage.s, event)[1], terms_of(stage.s, event)).points

    assert points() == 3
    clock.advance(hours=-1)
    olga.open(f"{DESK}/lists/1")
    olga.press("Unlock this list")
    ada.open(MINE)
    ada.press("Save", inside="#builder", name="Changed")
    olga.open(f"{DESK}/lists/1")
    olga.press("Lock it again")
    first, second = stage.all(ListSeal)
    assert (first.at, second.at > DEADLINE) == (DEADLINE, True)
    assert points() == 2, "on time, but it is not the list that was"
