"""The lock of the lists: deadlines at any hour and by any clock, seals, concurrent requests."""

import io
import shutil
import threading
import time
import zoneinfo
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from bs4 import Tag
from flask import Flask
from sqlmodel import select

from events.lists import actions as lists_actions
from events.lists import locks
from events.store.act import Act
from events.store.errors import Refused
from models.event import Event, EventState, Round
from models.play import ForceList, ListSeal, Player
from models.settings import ListsShown
from tests.kit.forces import sample_force
from tests.kit.lists import DEADLINE, MINE, store_force
from tests.kit.person import Enter, Person, controls
from tests.kit.stage import BY, Clock, Stage
from validators.strict_json import sha256_of

TICK, HOUR = timedelta(microseconds=1), timedelta(hours=1)


def survivors(seed: int = 1) -> dict[str, object]:
    return sample_force("Survivors", 750, seed)


def entered(stage: Stage, *names: str, submit: bool = True, **changed: Any) -> tuple[Event, list[Player]]:
    """An event and its players, each with a list."""
    event = stage.event(**changed)
    players = stage.enter(event, *names)
    for player in players:
        stage.force(event, player, survivors(), submit=submit)
    return event, players


def settle(stage: Stage, event: Event, at: datetime) -> None:
    stage.clock.now = at
    with stage.changing(event) as s:
        locks.apply_due_locks(s, event, at)


def change(stage: Stage, event: Event, player: Player, seed: int, *, by_organiser: bool = False) -> None:
    by = BY if by_organiser else f"player {player.name}"
    with stage.changing(event) as s:
        lists_actions.save_force(Act(s, event, by, stage.clock()), player, survivors(seed), by_organiser=by_organiser)


def seals(stage: Stage) -> list[tuple[datetime, str, bool]]:
    return [(seal.at, seal.by, seal.submitted) for seal in stage.all(ListSeal)]


def test_lists_are_locked_and_shown_each_at_its_time_but_not_in_a_draft(stage: Stage) -> None:
    later = DEADLINE + timedelta(hours=12)
    event, (ada,) = entered(stage, "Ada", lists_shown=ListsShown.AT_TIME, lists_shown_from=later)
    draft = stage.event("Draft", draft=True)
    for early, at in ((event, DEADLINE - TICK), (draft, DEADLINE + HOUR)):
        settle(stage, early, at)
        assert (stage.now(early).lists_locked_at, early.lists_revealed_at) == (None, None)
    assert not locks.is_due(stage.s, draft, DEADLINE + HOUR)
    settle(stage, event, DEADLINE)
    assert (event.lists_locked_at, event.lists_revealed_at) == (DEADLINE, None)
    assert stage.now(ada).faction == "", "the faction is still secret"
    assert not locks.is_due(stage.s, event, later - TICK)
    assert locks.is_due(stage.s, event, later)
    settle(stage, event, later)
    assert (stage.now(event).lists_revealed_at, stage.now(ada).faction) == (later, "Survivors")
    assert not locks.is_due(stage.s, event, later + HOUR)


@pytest.mark.proves("F15")
def test_unlocked_list_is_sealed_at_the_end_of_its_time(stage: Stage) -> None:
    event, (ada, bo) = entered(stage, "Ada", "Bo")
    settle(stage, event, DEADLINE)
    until = DEADLINE + HOUR
    for player, end in ((ada, until), (bo, None)):
        stage.do(event, locks.unlock, player, end)
    stage.clock.now = DEADLINE + HOUR / 2
    change(stage, event, ada, 2)
    assert len(seals(stage)) == 2, "an unlocked list is not sealed"
    assert not locks.is_due(stage.s, event, until - TICK)
    assert not locks.is_due(stage.s, event, until, [until + TICK])
    assert locks.is_due(stage.s, event, until) and locks.is_due(stage.s, event, until, [until])
    settle(stage, event, until + HOUR)
    assert seals(stage)[2:] == [(until, "player Ada", True)]
    assert (stage.now(ada).list_unlocked_at, ada.list_unlocked_until) == (None, None)
    assert stage.now(bo).list_unlocked_at == DEADLINE, "has no end"
    assert not locks.is_due(stage.s, event, until + HOUR)
    assert stage.journal(event, "lock-list") == ["The list of Ada is locked again"]


@pytest.mark.proves("F15")
def test_seal_is_never_older_than_the_lock(stage: Stage) -> None:
    event, (ada,) = entered(stage, "Ada")
    settle(stage, event, DEADLINE)
    for seed, now in ((2, DEADLINE - HOUR), (3, DEADLINE), (4, DEADLINE + HOUR)):
        stage.clock.now = now
        change(stage, event, ada, seed, by_organiser=True)
    after = DEADLINE + timedelta(seconds=1)
    assert seals(stage)[1:] == [(after, BY, True), (DEADLINE + HOUR, BY, True)], "the last of one sitting"


def test_organisers_change_after_the_deadline_is_sealed_before_the_lock_is_stored(stage: Stage) -> None:
    event, (ada,) = entered(stage, "Ada")
    stage.clock.now = DEADLINE + HOUR
    change(stage, event, ada, 2, by_organiser=True)
    assert (stage.now(event).lists_locked_at, seals(stage)) == (None, [(DEADLINE + HOUR, BY, True)])


@pytest.mark.parametrize(("when", "faction"), [(ListsShown.AT_LOCK, "Super Mutants"), (ListsShown.ON_PRESS, "")])
def test_new_faction_of_a_locked_list_is_shown_with_the_lists(stage: Stage, when: ListsShown, faction: str) -> None:
    event, (ada,) = entered(stage, "Ada", lists_shown=when)
    settle(stage, event, DEADLINE)
    stage.do(event, lists_actions.save_force, ada, sample_force("Super Mutants", 750, 1), by_organiser=True)
    assert stage.now(ada).faction == faction


def test_one_sitting_makes_one_seal(stage: Stage) -> None:
    event, (ada,) = entered(stage, "Ada", submit=False)
    force = stage.one(ForceList)

    def sealed(seed: int, by: str, at: datetime, *, submitted: bool = False) -> int:
        with stage.changing(event):
            force.document, force.submitted_at = survivors(seed), at if submitted else None
            locks.seal(ada, force, by, at)
        return len(stage.all(ListSeal))

    assert sealed(1, locks.THE_LOCK, DEADLINE) == sealed(1, BY, DEADLINE + HOUR) == 1, "a draft once, too"
    assert sealed(2, BY, DEADLINE + HOUR) == 2
    assert sealed(3, BY, DEADLINE + HOUR + locks.SITTING - TICK, submitted=True) == 2
    assert seals(stage)[1] == (DEADLINE + HOUR + locks.SITTING - TICK, BY, True)
    text = stage.all(ListSeal)[1].text
    assert sealed(3, BY, DEADLINE + 2 * HOUR) == 2, "the same force is not sealed twice"
    assert seals(stage)[1] == (DEADLINE + HOUR + locks.SITTING - TICK, BY, True)
    assert stage.all(ListSeal)[1].text == text
    assert sealed(4, BY, DEADLINE + HOUR + 2 * locks.SITTING - TICK) == 3, "another sitting"
    assert sealed(5, "organiser Petra", DEADLINE + HOUR + 2 * locks.SITTING) == 4, "another actor"
    assert sealed(6, locks.THE_LOCK, DEADLINE + 3 * HOUR) == 5
    assert sealed(7, locks.THE_LOCK, DEADLINE + 3 * HOUR) == 6, "two locks are not one sitting"
    assert sealed(7, locks.THE_LOCK, DEADLINE + 4 * HOUR, submitted=True) == 6
    assert seals(stage)[5] == (DEADLINE + 3 * HOUR, locks.THE_LOCK, True), "submitted by the second lock"
    assert sealed(8, "x" * 200, DEADLINE + 5 * HOUR) == 7
    assert seals(stage)[6][1] == "x" * 120, "cut to its column's length"


def test_organiser_locks_shows_and_reopens_only_where_possible(stage: Stage) -> None:
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, survivors())
    stage.refuse("still open", event, locks.reveal)
    stage.refuse("The lists are open", event, locks.reopen_lists, None)
    stage.refuse("nothing to unlock", event, locks.unlock, ada, None)
    stage.refuse("not unlocked", event, locks.lock_again, ada)
    stage.do(event, locks.lock_now)
    assert (stage.now(event).lists_locked_at, event.lists_revealed_at) == (stage.clock(), None)
    stage.refuse("locked already", event, locks.lock_now)
    stage.refuse("in the future", event, locks.unlock, ada, stage.clock())
    stage.do(event, locks.unlock, ada, stage.clock() + HOUR)
    stage.do(event, locks.reveal)
    assert stage.now(event).lists_revealed_at == stage.clock()
    assert stage.now(ada).faction == "", "her list is unlocked"
    stage.do(event, locks.lock_again, ada)
    stage.do(event, locks.unlock, ada, None)
    assert stage.now(ada).faction == "Survivors", "it was locked again"
    stage.refuse("already", event, locks.reveal)
    stage.refuse("must be in the future", event, locks.reopen_lists, stage.clock())
    stage.do(event, locks.reopen_lists, DEADLINE - HOUR)
    found = stage.now(event)
    assert (found.lists_locked_at, found.lists_revealed_at, found.list_deadline) == (None, None, DEADLINE - HOUR)
    assert (stage.now(ada).list_unlocked_at, ada.list_unlocked_until) == (None, None)
    stage.publish(event, 1)
    assert stage.now(event).lists_locked_at == stage.clock()
    stage.refuse("Round 1 is published", event, locks.reopen_lists, None)
    stage.set(event, state=EventState.FINISHED)
    stage.refuse("over", event, locks.unlock, ada, stage.clock() + HOUR)


@pytest.mark.both_databases
def test_concurrent_first_requests_store_one_lock(app: Flask, stage: Stage) -> None:
    entered(stage, "Ada", "Bo", "Cy")
    event = stage.one(Event)
    slug = event.slug
    stage.s.rollback()
    stage.clock.now = DEADLINE
    statuses: list[int] = []
    requests = [
        threading.Thread(target=lambda: statuses.append(app.test_client().get(f"/e/{slug}").status_code))
        for _ in range(4)
    ]
    with stage.changing() as s:
        s.exec(select(Event).with_for_update()).all()
        for request in requests:
            request.start()
        time.sleep(1)
        assert statuses == [], "all four have read that nothing is stored, and wait for the event's row"
    for request in requests:
        request.join(60)
    assert statuses == [200] * 4
    assert stage.journal(event, "lock-lists") == ["Locked 3 lists"]
    assert stage.journal(event, "reveal-lists") == ["Everybody can read the lists"]
    seals = stage.all(ListSeal)
    assert sorted(seal.player_id for seal in seals) == [1, 2, 3]
    assert {seal.at for seal in seals} == {DEADLINE}
    assert all(sha256_of(seal.text) == seal.sha256 for seal in seals)


def test_lists_carried_over_to_a_new_edition_are_sealed_anew(stage: Stage) -> None:
    event, (ada, bo) = entered(stage, "Ada", "Bo")
    with stage.changing(event) as s:
        for force in s.exec(select(ForceList)):
            force.approved_at = stage.clock()
            if force.player_id == bo.id:
                force.document = force.document | {"edition": "the one before"}
    stage.do(event, locks.lock_now)
    stage.clock.advance(hours=1)
    stage.do(event, lists_actions.carry_over, [])
    of_ada, of_bo = stage.all(ForceList)
    assert of_bo.document == of_ada.document, "the names are kept, the edition is the event's"
    assert (of_ada.approved_at is None, of_bo.approved_at) == (False, None)
    assert [seal.by for seal in stage.all(ListSeal, player_id=bo.id)] == ["the lock", BY]
    assert len(stage.all(ListSeal, player_id=ada.id)) == 1


def test_deadline_is_ahead_and_not_after_the_last_day_of_the_event() -> None:
    after = datetime(2026, 12, 5, 23, tzinfo=UTC)  # midnight in Berlin
    for allowed in (None, DEADLINE + TICK, after - TICK):
        locks.check_deadline(allowed, "Europe/Berlin", date(2026, 12, 5), DEADLINE)
    locks.check_deadline(after, "UTC", date(2026, 12, 5), DEADLINE)
    for passed in (DEADLINE, DEADLINE - TICK):
        with pytest.raises(Refused, match="must be in the future") as refused:
            locks.check_deadline(passed, "Europe/Berlin", date(2026, 12, 5), DEADLINE, "deadline")
        assert refused.value.field == "deadline"
    with pytest.raises(Refused, match="last day, 5 December 2026") as refused:
        locks.check_deadline(after, "Europe/Berlin", date(2026, 12, 5), DEADLINE)
    assert refused.value.field == "list_deadline"


@pytest.mark.proves("F15")
def test_list_is_sealed_at_the_deadline_unless_changed_after_it() -> None:
    early, now = DEADLINE - timedelta(days=1), DEADLINE + timedelta(hours=1)
    for field in ("saved_at", "submitted_at", "sent_back_at"):
        for moment, sealed in ((early, DEADLINE), (DEADLINE, DEADLINE), (DEADLINE + TICK, now)):
            force = ForceList(player_id=1, document={}, saved_at=early)
            setattr(force, field, moment)
            assert locks.sealed_at(force, DEADLINE, now) == sealed, field


DESK = "/e/iron-open/desk"
SETTINGS = f"{DESK}/settings"
TWICE, EARLIER, LATER = (
    "2027-10-31T02:30", datetime(2027, 10, 31, 0, 30, tzinfo=UTC), datetime(2027, 10, 31, 1, 30, tzinfo=UTC),
)  # fmt: skip
ASKED = "This time occurs twice on that day, because the clocks go back."
SKIPPED, NEVER = "2027-03-28T02:30", "This time does not exist on that day"


@pytest.mark.proves("F16")
def test_organiser_chooses_between_two_equal_hours(olga: Person, stage: Stage, event: Event) -> None:
    olga.press("Save", at=f"{SETTINGS}/event", ends_on="2027-12-31")
    before = stage.digest()
    page = olga.press("Save", at=f"{SETTINGS}/lists", list_deadline=TWICE)
    assert page.status == 422
    assert page.error_at("list_deadline").startswith(ASKED)
    assert page.value("list_deadline") == TWICE
    offered = [option.get_text() for option in page.soup.select("#list_deadline-which option")]
    assert offered == ["The earlier: UTC+2, 00:30 UTC", "The later: UTC+1, 01:30 UTC"]
    asking = page
    page = olga.forge("Save", **{"list_deadline-which": LATER.isoformat().replace("2027", "2026")})
    assert (page.status, stage.digest()) == (422, before)
    olga.page = asking
    assert olga.press("Save").flashes == "Saved.", "the later is preselected: no player is late by mistake"
    assert stage.one(Event).list_deadline == LATER
    assert olga.open(f"{SETTINGS}/lists").value("list_deadline-which") == LATER.isoformat()
    olga.press("Save", **{"list_deadline-which": "The earlier"})
    assert olga.press("Save", at=f"{SETTINGS}/event", place="Elsewhere").flashes == "Saved."
    assert stage.one(Event).list_deadline == EARLIER, "saved again, it stays the earlier"
    assert "Sunday 31 October 2027, 02:30 (Europe/Berlin, 00:30 UTC)" in olga.open("/e/iron-open").text


@pytest.mark.proves("F16")
def test_forms_refuse_wrong_times_and_ask_about_two(olga: Person, enter: Enter, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    olga.open(f"{SETTINGS}/lists")
    with stage.unchanged():
        assert olga.press("Save", list_deadline=SKIPPED).error_at("list_deadline").startswith(NEVER)
        for typed, error in (
            ("", "Enter the day and the time"),
            ("2026-12-04T19:59", "Lists cannot be shown before they are locked."),
            (SKIPPED, NEVER),
        ):
            page = olga.press("Save", at=f"{SETTINGS}/lists", lists_shown="at_time", lists_shown_from=typed)
            assert (page.status, page.error_at("lists_shown_from").startswith(error)) == (422, True), typed
    page = olga.press("Save", at=f"{SETTINGS}/lists", lists_shown="at_time", lists_shown_from="2026-12-04T20:00")
    assert page.flashes == "Saved.", "at the time of the lock"
    olga.press("Save", at=f"{SETTINGS}/lists", lists_shown="at_lock")
    olga.press("Save", at=f"{SETTINGS}/event", ends_on="2027-12-31")
    olga.press("Lock the lists now", at=f"{DESK}/lists/lock")
    for address, button, field in (
        (f"{DESK}/lists/1", "Unlock this list", "u-until"),
        (f"{DESK}/lists", "Open all lists again", "deadline"),
        (f"{DESK}/clock", "Save", "starts-0"),
    ):
        assert olga.press(button, at=address, **{field: SKIPPED}).error_at(field).startswith(NEVER), address
        assert olga.press(button, **{field: TWICE}).error_at(field).startswith(ASKED), address
        page = olga.press(button, **{f"{field}-which": "The earlier"})
        assert page.status == 200, (address, page.errors)
    assert stage.one(Event).list_deadline == EARLIER
    assert stage.all(Round)[0].planned_at == EARLIER


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
    assert olga.press("Save", at=f"{SETTINGS}/event", place="Elsewhere").flashes == "Saved."
    assert stage.one(Event).list_deadline == DEADLINE
    stage.clock.now = DEADLINE - timedelta(seconds=1)
    assert ada.open(MINE).path == MINE
    stage.clock.now = DEADLINE
    assert ada.open(MINE).path == "/e/iron-open/players/1"


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
    page = olga.open(f"{SETTINGS}/event")
    clock.advance(hours=-1)
    assert ada.open("/e/iron-open/me").status == 200
    assert olga.open(DESK).part("h1") == "Iron Open"
    olga.page = page
    assert olga.press("Save", place="Elsewhere").flashes == "Saved.", "a form opened before is still accepted"
