"""The clock at the desk, on the round's page and on the player's: pressed once, the same everywhere."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from events.rounds.actions import unpublish
from models.announcement import Announcement
from models.event import Event, Round
from models.play import Game
from tests.conftest import Clock
from tests.kit.person import Person
from tests.kit.stage import BY, Stage

DESK = "/e/iron-open/desk/clock"
ROUND = "/e/iron-open/rounds/1"


@pytest.fixture
def playing(enter: Callable[..., list[Person]], stage: Stage, event: Event) -> list[Person]:
    """Four players whose first round is published, each with a browser."""
    people = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.publish(event, 1)
    return people


def face(person: Person, address: str) -> tuple[str, str]:
    """The figure and the word of the clock on a page."""
    page = person.open(address)
    return page.part(".face .clock"), page.part(".face .badge")


def test_one_clock_everywhere(
    playing: list[Person], olga: Person, visitor: Person, clock: Clock, stage: Stage, event: Event
) -> None:
    everywhere = [(olga, DESK), (olga, "/e/iron-open/desk"), (visitor, ROUND), (playing[0], "/e/iron-open/me")]
    assert {face(*one) for one in everywhere} == {("1:30:00", "Not started")}
    olga.open(DESK)
    olga.press("Start the clock")
    clock.advance(minutes=20)
    assert {face(*one) for one in everywhere} == {("1:10:00", "Running")}
    olga.open("/e/iron-open/desk")
    page = olga.press("Pause")
    assert page.path == "/e/iron-open/desk"
    clock.advance(minutes=7)
    assert {face(*one) for one in everywhere} == {("1:10:00", "Paused")}
    olga.open(DESK)
    assert olga.press("Go on").path == DESK
    clock.advance(minutes=56)
    assert {face(*one) for one in everywhere} == {("14:00", "Last game round")}
    clock.advance(minutes=15)
    assert {face(*one) for one in everywhere} == {("−01:00", "Overtime")}
    olga.open(DESK)
    olga.press("Stop")
    clock.advance(minutes=15)
    assert {face(*one) for one in everywhere} == {("−01:00", "Time was called")}
    assert stage.journal(event)[-4:] == [
        "Started the clock of round 1",
        "Paused the clock of round 1",
        "The clock of round 1 goes on after 07:00",
        "Stopped the clock of round 1",
    ]


def test_the_page_carries_the_server_s_time_and_the_end(
    playing: list[Person], olga: Person, visitor: Person, clock: Clock
) -> None:
    olga.open(DESK)
    olga.press("Start the clock")
    clock.advance(minutes=1)
    (shown,) = visitor.open(ROUND).soup.select("time[data-clock]")
    assert shown["data-now"] == clock().isoformat()
    assert shown["data-ends"] == datetime(2026, 11, 21, 10, 30, tzinfo=UTC).isoformat()


def test_pressed_by_two_the_first_press_counts(playing: list[Person], olga: Person, clock: Clock, stage: Stage) -> None:
    form = olga.open(DESK)
    olga.press("Start the clock")
    clock.advance(minutes=3)
    olga.page = form
    olga.press("Start the clock")
    assert stage.one(Round, number=1).started_at == datetime(2026, 11, 21, 9, tzinfo=UTC)


def test_time_for_every_table(playing: list[Person], olga: Person, visitor: Person, stage: Stage) -> None:
    olga.open(DESK)
    olga.press("Start the clock")
    olga.press("+5 min")
    form = olga.press("+5 min")
    assert face(visitor, ROUND) == ("1:40:00", "Running")
    olga.press("−5 min")
    olga.page = form
    assert "it is 5 minutes now" in olga.press("−5 min").flashes
    assert stage.one(Round, number=1).extra_seconds == 300


def test_time_for_one_table_is_its_own(playing: list[Person], olga: Person, visitor: Person, stage: Stage) -> None:
    olga.open(DESK)
    olga.press("Start the clock")
    olga.press("+15 min", inside="#one-table", table="2")
    game = next(g for g in stage.all(Game) if g.table_number == 2)
    assert game.extra_seconds == 900
    names = {stage.name(game.a_id), stage.name(game.b_id)}
    own = {
        name: face(person, "/e/iron-open/me")[0]
        for name, person in zip(("Ada", "Bo", "Cy", "Di"), playing, strict=True)
    }
    assert own == {name: "1:45:00" if name in names else "1:30:00" for name in own}
    assert face(visitor, ROUND)[0] == "1:30:00"
    assert "table 2: 15 min, to 11:45" in visitor.page.part(".face")
    olga.press("Take it back")
    assert stage.now(game).extra_seconds == 0


@pytest.mark.parametrize(("table", "said"), [("7", "no table 7"), ("", "whole minutes"), ("x", "whole minutes")])
def test_a_table_that_is_not_there_gets_nothing(
    playing: list[Person], olga: Person, stage: Stage, table: str, said: str
) -> None:
    olga.open(DESK)
    assert said in olga.press("+10 min", inside="#one-table", table=table).flashes
    assert [g.extra_seconds for g in stage.all(Game)] == [0, 0]


def test_more_than_four_hours_are_not_given(playing: list[Person], olga: Person, stage: Stage) -> None:
    page = olga.open(DESK)
    token = str(page.value("csrf_token"))
    for minutes in ("9999", "241", "-1"):
        olga.ask("POST", f"{DESK}/1/time", {"csrf_token": token, "minutes": minutes})
    assert stage.one(Round, number=1).extra_seconds == 0
    olga.ask("POST", f"{DESK}/1/time", {"csrf_token": token, "minutes": "240"})
    assert stage.one(Round, number=1).extra_seconds == 240 * 60


def test_put_back_it_waits_again(playing: list[Person], olga: Person, clock: Clock, visitor: Person) -> None:
    olga.open(DESK)
    olga.press("Start the clock")
    clock.advance(minutes=3)
    olga.press("Pause")
    olga.press("Back to the start")
    assert face(visitor, ROUND) == ("1:30:00", "Not started")


def test_a_round_that_is_taken_back_to_a_draft_forgets_its_clock(
    playing: list[Person], olga: Person, stage: Stage, event: Event
) -> None:
    olga.open(DESK)
    olga.press("Start the clock")
    olga.press("+5 min")
    olga.press("+15 min", inside="#one-table", table="1")
    with stage.changing(event) as s:
        unpublish(s, event, 1, BY, stage.clock())
    one = stage.one(Round, number=1)
    assert (one.started_at, one.minutes, one.extra_seconds) == (None, None, 0)
    assert {g.extra_seconds for g in stage.all(Game)} == {0}


def test_the_length_is_that_of_the_start(playing: list[Person], olga: Person, stage: Stage, visitor: Person) -> None:
    olga.open(DESK)
    olga.press("Start the clock")
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", round_minutes="60")
    assert face(visitor, ROUND)[0] == "1:30:00"


def test_a_complete_round_has_no_clock(
    playing: list[Person], olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    olga.open(DESK)
    olga.press("Start the clock")
    for game in stage.games(event, 1):
        stage.decide(event, game, 2, 1)
    assert visitor.open(ROUND).soup.select(".face") == []
    assert "Round 1 is complete" in olga.open(DESK).text


def test_no_clock_runs_before_the_round_is_published(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    page = olga.open(DESK)
    assert "when a round is published" in page.text
    olga.ask("POST", f"{DESK}/1/start", {"csrf_token": str(page.value("csrf_token"))})
    assert stage.one(Round, number=1).started_at is None


# ---- planned times


def test_times_are_planned_and_told(playing: list[Person], olga: Person, visitor: Person, stage: Stage) -> None:
    olga.open(DESK)
    page = olga.press(
        "Save", **{"starts-0": "2026-12-05T10:00", "break_minutes": "30", "calls": "20, 10", "last_game_round": "10"}
    )
    assert page.flashes == "The times are saved."
    assert [row[:2] for row in page.rows("table.cards")] == [
        ["Round 1", "Sat 10:00"], ["Round 2", "Sat 12:00"], ["Round 3", "Sat 14:00"],
    ]  # fmt: skip
    assert "planned for 10:00" in visitor.open(ROUND).part(".face")
    assert stage.now(stage.one(Event)).clock_rules == {"break_minutes": 30, "calls": [20, 10], "last_game_round": 10}
    page = olga.press("Save", **{"starts-1": "2026-12-05T09:00"})
    assert page.status == 422
    assert "cannot start before" in page.errors
    assert stage.all(Round)[1].planned_at is None


@pytest.mark.parametrize("calls", ["soon", "5.5", "-5", "1,2,3,4,5,6,7", "301", ""])
def test_calls_that_are_none_are_refused_at_their_field(olga: Person, event: Event, stage: Stage, calls: str) -> None:
    olga.open(DESK)
    page = olga.press("Save", calls=calls)
    assert page.status == 422
    assert page.error_at("calls")
    assert page.value("calls") == calls
    assert stage.now(event).clock_rules is None


# ---- announcements


def test_an_announcement_is_on_every_page_until_it_is_taken_back(
    playing: list[Person], olga: Person, visitor: Person, stage: Stage
) -> None:
    olga.open(DESK)
    olga.press("Announce", text="Lunch is served: <b>till two</b>")
    pages = [(visitor, ROUND), (playing[0], "/e/iron-open/me"), (olga, DESK)]
    for person, address in pages:
        assert "Lunch is served: <b>till two</b>" in person.open(address).text
    olga.open(DESK)
    olga.press("Announce", text="Lunch is served: <b>till two</b>")
    assert len(stage.all(Announcement)) == 1
    olga.press("Take back")
    for person, address in pages:
        assert "Lunch is served" not in person.open(address).text
    assert stage.one(Announcement).taken_back_at is not None


def test_five_announcements_are_enough(olga: Person, event: Event, stage: Stage) -> None:
    olga.open(DESK)
    for n in range(5):
        olga.press("Announce", text=f"Line {n}")
    page = olga.press("Announce", text="One too many")
    assert (page.status, page.value("text")) == (422, "One too many")
    assert "take one back first" in page.errors
    assert len(stage.all(Announcement)) == 5


def test_nothing_is_announced_in_another_event(olga: Person, event: Event, stage: Stage) -> None:
    olga.open(DESK)
    olga.press("Announce", text="Here only")
    other = stage.event("Rust Cup")
    token = str(olga.open(DESK).value("csrf_token"))
    address = f"/e/{other.slug}/desk/announcements/{stage.one(Announcement).id}/take-back"
    assert olga.ask("POST", address, {"csrf_token": token}).status_code == 404
    assert stage.one(Announcement).taken_back_at is None
