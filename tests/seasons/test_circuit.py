"""The points table of a series: pure figures against a second calculation, the settings, and the page."""

import random
from datetime import date
from typing import Any

import pytest

from events.setup import actions as setup_actions
from events.tournament.circuit import Circuit, Place, circuit_lines
from models.base import Document
from models.event import Event
from tests.kit.person import Person
from tests.kit.stage import Stage

POINTS = (10, 6, 4, 2)


def points_of(points: tuple[int, ...], best: int | None, events: list[list[tuple[str, int]]]) -> dict[str, int]:
    made: dict[str, list[int]] = {}
    for ranks in events:
        for name, rank in ranks:
            made.setdefault(name, []).append(dict(enumerate(points, start=1)).get(rank, 0))
    return {name: sum(sorted(all_points, reverse=True)[:best]) for name, all_points in made.items()}


def test_points_of_a_series_equal_a_second_calculation() -> None:
    for seed in range(20):
        chance = random.Random(seed)
        best = chance.choice((None, 1, 2, 3))
        events = []
        for _ in range(chance.randint(1, 5)):
            names = chance.sample("abcdefgh", chance.randint(2, 8))
            events.append([(name, rank if chance.random() < 0.8 else 1) for rank, name in enumerate(names, start=1)])
        lines = circuit_lines(
            Circuit(POINTS, best), [[Place(name, name, rank) for name, rank in event] for event in events]
        )
        assert {line.name: line.points for line in lines} == points_of(POINTS, best, events), seed
        assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True), seed
        for line in lines:
            counting = [number for number, counts in zip(line.events, line.counting, strict=True) if counts]
            assert sum(number or 0 for number in counting) == line.points, seed


def test_players_with_the_same_points_share_a_rank_also_where_one_played_more_events_without_points() -> None:
    first = [Place(name, name, rank) for name, rank in (("a", 4), ("b", 9), ("c", 3))]
    second = [Place(name, name, rank) for name, rank in (("b", 4), ("c", 9), ("d", 4))]
    lines = circuit_lines(Circuit(POINTS), [first, second])
    assert [(line.rank, line.name, line.points) for line in lines] == [
        (1, "c", 4),
        (2, "a", 2),
        (2, "b", 2),
        (2, "d", 2),
    ]


def test_points_table_without_rising_points_is_refused() -> None:
    wrong: list[dict[str, Any]] = [{"points": []}, {"points": [1, 2]}, {"points": [3, -1]}, {"points": [3], "best": 0}]
    for document in wrong:
        with pytest.raises(ValueError, match=r"points are|the best"):
            Document(Circuit).read_strictly(document)


def closed(stage: Stage, name: str, day: int, *players: str) -> Event:
    """An event of one round in the series, closed; the player named first wins."""
    on = date(2026, 12, day)
    event = stage.event(name, players=players, rounds=1, series="Winter Circuit", starts_on=on, ends_on=on)
    stage.play(event, 1)
    stage.do(event, setup_actions.finish)
    return event


def test_points_table_is_set_and_shown_on_the_page_of_the_series(stage: Stage, olga: Person, visitor: Person) -> None:
    closed(stage, "First", 5, "Ada", "Bo")
    closed(stage, "Second", 6, "ada", "Cy")
    stage.event("Third", starts_on=date(2026, 12, 20), ends_on=date(2026, 12, 20))
    olga.open("/e/third/desk/settings/circuit")
    olga.press("Save", inside="#circuit", **{"circuit-points": "10, 6"})
    assert "The event is in no series" in olga.page.text
    olga.open("/e/third/desk/settings/event")
    olga.press("Save", inside="#event", series="Winter Circuit")
    olga.open("/e/third/desk/settings/circuit")
    olga.press("Save", inside="#circuit", **{"circuit-points": "6, 10"})
    assert "do not rise" in olga.page.text
    olga.press("Save", inside="#circuit", **{"circuit-points": "10, 6", "circuit-best": "1"})
    page = visitor.open("/series/winter-circuit")
    assert page.rows("#circuit") == [
        ["1", "ada", "10", "(10)", "10"],
        ["2", "Bo", "6", "–", "6"],
        ["2", "Cy", "–", "6", "6"],
    ]
    heads = [head.get_text(" ", strip=True) for head in page.soup.select("#circuit th a")]
    assert heads == ["First 5 Dec", "Second 6 Dec"]
    rows = visitor.http.get("/series/winter-circuit/points.csv").data.decode("utf-8-sig").splitlines()
    assert rows[:2] == ["Rank,Player,First 2026-12-05,Second 2026-12-06,Points", "1,ada,10,(10),10"]
    ada, bo, _ = visitor.http.get("/api/v1/series/winter-circuit").get_json()["items"]
    assert [(event["slug"], event["points"], event["counts"]) for event in ada["events"]] == [
        ("first", 10, True), ("second", 10, False),
    ]  # fmt: skip
    assert (bo["rank"], bo["name"], bo["points"], [event["name"] for event in bo["events"]]) == (2, "Bo", 6, ["First"])


def test_series_without_a_table_has_no_file_and_no_items(visitor: Person, stage: Stage) -> None:
    stage.event(series="Winter Circuit")
    assert visitor.http.get("/series/winter-circuit/points.csv").status_code == 404
    assert visitor.http.get("/api/v1/series/winter-circuit").get_json() == {"items": [], "next": None}
    assert visitor.http.get("/api/v1/series/no-such").status_code == 404
