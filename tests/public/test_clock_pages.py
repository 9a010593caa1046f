"""The round's clock on every page, extra time, planned times, and announcements."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from events.rounds.actions import unpublish
from events.setup.actions import finish
from events.tournament.clock import ClockRules
from models.announcement import Announcement
from models.play import ReportSide
from tests.kit.person import START_CLOCK, Person
from tests.kit.stage import Event, Game, Round, Stage

DESK = "/e/iron-open/desk/clock"
ROUND = "/e/iron-open/rounds/1"
ME = "/e/iron-open/me"


@pytest.fixture
def started(playing: list[Person], olga: Person) -> Person:
    olga.press(START_CLOCK, at=DESK)
    return olga


def face(person: Person, address: str) -> tuple[str, str]:
    page = person.open(address)
    return page.part(".face .clock"), page.part(".face .badge")


def test_clock_is_the_same_on_every_page(
    playing: list[Person], olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    everywhere = [(olga, DESK), (olga, "/e/iron-open/desk"), (visitor, ROUND), (playing[0], ME)]

    def shows(figure: str, word: str) -> None:
        assert {face(*one) for one in everywhere} == {(figure, word)}

    form = olga.open(DESK)
    for minutes in (0, 20):
        stage.clock.advance(minutes=minutes)
        olga.page = form
        olga.press(START_CLOCK)
    assert stage.one(Round, number=1).started_at == datetime(2026, 11, 21, 9, tzinfo=UTC), "the first one counts"
    shows("1:10:00", "Running")
    (shown,) = visitor.open(ROUND).soup.select("time[data-clock]")
    assert shown["data-now"] == stage.clock().isoformat()
    assert shown["data-ends"] == datetime(2026, 11, 21, 10, 30, tzinfo=UTC).isoformat()
    assert olga.press("Pause", at="/e/iron-open/desk").path == "/e/iron-open/desk"
    stage.clock.advance(minutes=7)
    shows("1:10:00", "Paused")
    assert olga.press("Resume", at=DESK).path == DESK
    stage.clock.advance(minutes=71)
    shows("−01:00", "Overtime")
    olga.press("Stop", at=DESK)
    stage.clock.advance(minutes=15)
    shows("−01:00", "Time was called")
    assert stage.journal(event)[-4:] == [
        "Started the clock of round 1", "Paused the clock of round 1", "The clock of round 1 goes on after 07:00",
        "Stopped the clock of round 1",
    ]  # fmt: skip
    olga.press("Reset the clock", at=DESK)
    shows("1:30:00", "Not started")


def test_day_marks_planned_times_and_ends_when_the_last_round_ended(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    def day() -> list[str]:
        parts = visitor.open("/e/iron-open").soup.select(".day > li")
        return [" ".join(one.get_text(" ").split()) for one in parts]

    stage.set(event, starts_at="10:00")
    stage.enter(event, "Ada", "Bo")
    assert not any("planned" in one for one in day()), "nothing has happened yet"
    for number in (1, 2, 3):
        stage.publish(event, number)
        olga.press(START_CLOCK, at=f"/e/iron-open/desk/rounds/{number}")
        if number == 2:
            assert ["planned" in one for one in day()[-4:]] == [False, False, True, True]
        stage.clock.advance(minutes=20)
        for game in stage.games(event, number):
            stage.decide(event, game, 3, 1)
        stage.clock.advance(minutes=40)
    started = stage.clock() - timedelta(minutes=60)
    early = (started + timedelta(minutes=20)).astimezone(ZoneInfo(event.timezone))
    assert day()[-1] == f"{early:%H:%M} End", "the last result came before the planned end"


def test_round_is_played_once_its_clock_starts_or_a_result_is_in(
    playing: list[Person], olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    def states() -> set[str]:
        return {
            visitor.open("/e/iron-open").part(".day .badge"),
            visitor.open(ROUND).part(".face .badge"),
            playing[0].open(ME).part(".face .badge"),
        }

    assert states() == {"Not started"}
    assert visitor.open(ROUND).soup.select(".face .waits")
    olga.press(START_CLOCK, at=DESK)
    assert states() == {"Playing", "Running"}
    assert not visitor.open(ROUND).soup.select(".waits")
    olga.press("Reset the clock", at=olga.press("Pause", at=DESK).path)
    assert states() == {"Not started"}
    stage.report(event, stage.games(event, 1)[0], ReportSide.A, {"a.objectives": 2})
    assert states() == {"Playing", "Clock not started"}


def test_extra_time_for_every_table(started: Person, visitor: Person, stage: Stage) -> None:
    started.press("+5 min")
    form = started.press("+5 min")
    assert face(visitor, ROUND) == ("1:40:00", "Running")
    started.press("−5 min")
    started.page = form
    assert "it is now 5 minutes" in started.press("−5 min").flashes
    assert stage.one(Round, number=1).extra_seconds == 300
    for minutes, seconds in (("236", 300), ("-6", 300), ("235", 240 * 60)):
        started.post(f"{DESK}/1/time", minutes=minutes)
        assert stage.one(Round, number=1).extra_seconds == seconds, minutes


def test_extra_time_for_one_table(started: Person, playing: list[Person], visitor: Person, stage: Stage) -> None:
    for table, words in (("7", "no table 7"), ("x", "whole minutes")):
        assert words in started.press("+10 min", inside="#one-table", table=table).flashes
    assert [g.extra_seconds for g in stage.all(Game)] == [0, 0]
    started.press("+15 min", inside="#one-table", table="2")
    game = stage.one(Game, table_number=2)
    assert game.extra_seconds == 900
    names = {stage.name(game.a_id), stage.name(game.b_id)}
    own = {name: face(person, ME)[0] for name, person in zip(("Ada", "Bo", "Cy", "Di"), playing, strict=True)}
    assert own == {name: "1:45:00" if name in names else "1:30:00" for name in own}
    assert face(visitor, ROUND)[0] == "1:30:00"
    assert "table 2: 15 min, to 11:45" in visitor.page.part(".face")
    assert started.open("/e/iron-open/desk/ready/playing").part(".ready-clock") == "1:45:00"
    started.press("Undo", at=DESK)
    assert stage.now(game).extra_seconds == 0


def test_unpublished_round_forgets_its_clock(started: Person, stage: Stage, event: Event) -> None:
    started.press("+5 min")
    started.press("+15 min", inside="#one-table", table="1")
    stage.do(event, unpublish, 1)
    one = stage.one(Round, number=1)
    assert (one.started_at, one.minutes, one.extra_seconds) == (None, None, 0)
    assert {g.extra_seconds for g in stage.all(Game)} == {0}
    assert "when a round is published" in started.open(DESK).text
    started.post(f"{DESK}/1/start")
    assert stage.one(Round, number=1).started_at is None


def test_clock_ends_with_the_round_and_the_event(started: Person, visitor: Person, stage: Stage, event: Event) -> None:
    started.press("Announce", text="Lunch at noon", minutes="0")
    started.press("Save", at="/e/iron-open/desk/settings/rounds", round_minutes="60")
    assert face(visitor, ROUND)[0] == "1:30:00"
    for game in stage.games(event, 1):
        stage.decide(event, game, 2, 1)
    assert visitor.open(ROUND).soup.select(".face") == []
    assert "Round 1 is complete" in started.open(DESK).text
    stage.do(event, finish)
    for address in ("/e/iron-open", "/e/iron-open/hall"):
        assert "Lunch" not in visitor.open(address).text


def test_planned_times_are_stored_and_shown(playing: list[Person], olga: Person, visitor: Person, stage: Stage) -> None:
    olga.open(DESK)
    for calls in ("soon", "-5", "1,2,3,4,5,6,7", "301", ""):
        page = olga.press("Save", calls=calls)
        assert page.status == 422 and page.error_at("calls"), calls
    assert stage.one(Event).clock_rules == ClockRules()
    page = olga.press(
        "Save", **{"starts-0": "2026-12-05T10:00", "break_minutes": "30", "calls": "20, 10", "last_game_round": "10"}
    )
    assert page.flashes == "The times are saved."
    assert [one.get_text(strip=True) for one in page.soup.select("#times .row-meta")] == [
            "Planned Sat 10:00", "Planned Sat 12:00", "Planned Sat 14:00",
        ]  # fmt: skip
    assert "planned for 10:00" in visitor.open(ROUND).part(".face")
    assert stage.one(Event).clock_rules == ClockRules(30, (20, 10), 10)
    page = olga.press("Save", **{"starts-1": "2026-12-05T09:00"})
    assert (page.status, "later than that of the round before" in page.errors) == (422, True)
    assert stage.all(Round)[1].planned_at is None
    stage.set(stage.one(Event), starts_at="10:00")
    page = olga.press("Save", **{"starts-0": "", "starts-1": "2026-12-05T09:00"})
    assert (page.status, "later than that of the round before" in page.errors) == (422, True), "the event starts at 10"


def test_announcement_is_on_every_page_until_its_time_or_removed(
    playing: list[Person], olga: Person, visitor: Person, stage: Stage
) -> None:
    pages = [(olga, "/e/iron-open/desk/settings"), (playing[0], ME), (visitor, "/e/iron-open"), (visitor, ROUND)]

    def shown(text: str) -> set[bool]:
        return {text in who.open(address).part(".announcements") for who, address in pages}

    for _ in range(2):
        olga.press("Announce", at=DESK, text="Lunch is served: <b>till two</b>")
    assert len(stage.all(Announcement)) == 1, "the same text twice is one"
    assert stage.one(Announcement).shown_until == datetime(2026, 12, 5, 22, 59, tzinfo=UTC), "the event day in Berlin"
    assert "until Sat 23:59" in olga.page.part("#announcements")
    olga.press("Change the end", minutes="0")
    assert stage.one(Announcement).shown_until is None
    assert shown("Lunch is served: <b>till two</b>") == {True}
    olga.press("Remove", at=DESK)
    assert shown("Lunch is served") == {False}
    olga.press("Announce", at=DESK, text="Lunch at noon", minutes="30")
    assert "Lunch at noon" in visitor.open(ROUND).part(".announcements")
    mark = visitor.page.soup.select("meta[name=live]")[0]["data-mark"]
    stage.clock.advance(minutes=31)
    assert shown("Lunch") == {False}
    assert visitor.page.soup.select("meta[name=live]")[0]["data-mark"] != mark, "open pages look again"
    for n in range(5):
        olga.press("Announce", at=DESK, text=f"Line {n}")
    page = olga.press("Announce", text="One too many")
    assert page.status == 422 and "remove an announcement first" in page.errors
    assert len(stage.all(Announcement)) == 7
