"""An event over two days: the second day goes on with the points of the first, for all or for the top."""

from collections import Counter
from datetime import UTC, date, datetime

import pytest

from events.public.clock import set_times
from events.registration.removal import remove_players
from events.setup.pairing_actions import set_format
from models.event import Event
from models.play import Player
from tests.kit.formats import cut
from tests.kit.person import Person
from tests.kit.stage import Stage

NAMES = tuple(f"Player {number:02}" for number in range(1, 13))


@pytest.fixture
def event(stage: Stage) -> Event:
    """Five rounds, of which two are on the second day; the third begins at half past eleven in the night."""
    event = stage.event("Two Days", players=NAMES, rounds=5, ends_on=date(2026, 12, 6), round_minutes=120)
    hours = ((5, 9), (5, 13), (5, 22), (6, 9), (6, 13))
    starts = [datetime(2026, 12, day, hour, 30, tzinfo=UTC) for day, hour in hours]
    stage.do(event, set_times, event.clock_rules, starts)
    return event


def won(stage: Stage, event: Event, rounds: range) -> Counter[str]:
    """Three points for each game won, counted here from the rows of games."""
    points = Counter(dict.fromkeys(NAMES, 0))
    for number in rounds:
        for game in stage.games(event, number):
            answers = game.answers or {}
            is_a = answers["a.objectives"] > answers["b.objectives"]
            points[stage.name(game.a_id if is_a else game.b_id)] += 3
    return points


def test_plan_goes_past_midnight_and_over_both_days(visitor: Person, stage: Stage, event: Event) -> None:
    stage.publish(event, 1)
    page = visitor.open("/e/two-days").part("main")
    assert [time for time in ("Sat 10:30", "Sat 23:30", "Sun 10:30", "Sun 14:30") if time not in page] == []
    assert page.count("Break") == 3, "the night is no break"


def test_second_day_counts_the_points_of_the_first(stage: Stage, event: Event) -> None:
    for number in (1, 2, 3):
        stage.play(event, number)
    first_day = {row.name: row.points for row in stage.standings(event)}
    stage.clock.advance(hours=24)
    for number in (4, 5):
        stage.play(event, number)
    second_day = won(stage, event, range(4, 6))
    assert {row.name: row.points for row in stage.standings(event)} == {
        name: points + second_day[name] for name, points in first_day.items()
    }


def test_top_goes_on_with_its_points_and_the_others_keep_theirs(stage: Stage, event: Event) -> None:
    for number in (1, 2, 3):
        stage.play(event, number)
    rows = stage.standings(event)
    top, others = [row.name for row in rows[:6]], {row.name: row.points for row in rows[6:]}
    stage.do(event, remove_players, [player for player in stage.all(Player) if player.name in others])
    stage.clock.advance(hours=24)
    for number in (4, 5):
        stage.play(event, number)
        assert {name for pair in stage.pairs(event, number) for name in pair} == {*top}
    points = {row.name: row.points for row in stage.standings(event)}
    assert {name: points[name] for name in others} == others
    assert points == won(stage, event, range(1, 6))


def test_second_day_can_be_a_knockout_of_the_top(stage: Stage, event: Event) -> None:
    stage.do(event, set_format, cut=4)
    for number in range(1, 6):
        stage.play(event, number)
    best = [row.name for row in stage.standings(event)[:4]]
    cut(stage, event)
    assert {name for pair in stage.pairs(event, 6) for name in pair} == {*best}
