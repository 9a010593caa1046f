"""Distances of markers by rulers, and scenery that is far enough apart and fair to both players."""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from math import cos, hypot, pi, sin, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.forces import SCENARIO_FILES
from tests.validators.scenario_documents import EXAMPLE, documents
from validators import SYSTEMS
from validators.measures import MOST_LANES, Measure, Measures, measured
from validators.scenery import FROM_MARKER, FROM_MIDDLE, Piece, Scenery, layout

SYSTEM = SYSTEMS["battle_mode"]
RED, BLACK = "#E6332B", "#000000"


def of(document: dict[str, Any]) -> Measures:
    return measured(SCENARIO_FILES.read(document), SYSTEM.rulers)


def with_markers(*places: tuple[float, float], **fields: Any) -> Measures:
    return of(EXAMPLE | {"markers": [{"x": x, "y": y, "label": f"M{x:g}"} for x, y in places]} | fields)


def shown(measures: tuple[Measure, ...]) -> list[tuple[float, float, int, str]]:
    return [(m.start, m.end, m.lane, m.label) for m in measures]


def test_markers_of_shipped_scenarios_are_measured_from_the_nearest_edges() -> None:
    measures = measured(SYSTEM.scenario("hold-the-line"), SYSTEM.rulers)
    assert shown(measures.across) == [(0, 6, 0, "Red 6″"), (30, 36, 0, "Red 6″")]
    assert shown(measures.up) == [(0, 18, 0, "Black + Red 18″")]
    assert measures.up[0].parts == ((0, 12, BLACK), (12, 18, RED))
    assert (measures.deployment, measures.deployment_colour) == ("Red (6″)", RED)
    assert measures.words == (
        "Entrance: Red (6″) from the left, Black + Red (18″) from either player’s edge",
        "Entrance: Red (6″) from the right, Black + Red (18″) from either player’s edge",
    )
    stash = measured(SYSTEM.scenario("defend-your-stash"), SYSTEM.rulers)
    three = [(0, 12, 0, "Black 12″"), (24, 36, 0, "Black 12″"), (0, 18, 1, "Black + Red 18″")]
    assert shown(stash.across) == shown(stash.up) == three
    assert "the middle of the table" in stash.words[1]


def test_distance_without_a_ruler_is_in_inches_and_many_markers_are_numbered() -> None:
    measures = with_markers((7.5, 0), deployment_inches=7)
    assert shown(measures.across) == [(0, 7.5, 0, "7.5″")]
    assert measures.across[0].parts == ()
    assert shown(measures.up) == [], "on the edge there is nothing to measure"
    assert measures.words == ("M7.5: 7.5″ from the left, at A’s edge",)
    assert (measures.deployment, measures.deployment_colour) == ("7″", "")
    assert with_markers((18, 18), deployment_inches=18).deployment_colour == "", "of two rulers"
    (from_right,) = with_markers((30, 24), table_inches=48).across
    assert from_right.parts == ((36, 48, BLACK), (30, 36, RED)), "rulers are laid from the corner"
    eight = with_markers(*((n, n) for n in range(1, 9)))
    assert (eight.labels[7], eight.key) == ("M8", "")
    nine = with_markers(*((n, n) for n in range(1, 10)))
    assert nine.labels == tuple("123456789") and nine.key.startswith("1: M1; 2: M2; ")


@pytest.mark.slow
@given(documents(), st.integers(1, 40))
def test_measures_do_not_overlap(document: dict[str, Any], step: int) -> None:
    table = document["table_inches"]
    crowd = [{"x": at % table, "y": (at * 7) % table, "label": "M"} for at in range(0, 24 * step, step)]
    places = {(m["x"], m["y"]): m for m in crowd}
    measures = of(document | {"markers": list(places.values())})
    for way in (measures.across, measures.up):
        for a_measure, other in combinations(way, 2):
            assert a_measure.lane != other.lane or a_measure.end <= other.start or other.end <= a_measure.start
        for measure in way:
            assert 0 <= measure.start < measure.end <= table
            assert measure.lane < MOST_LANES
            assert measure.end - measure.start <= table / 2
            laid = sorted(measure.parts)
            assert not laid or (laid[0][0], laid[-1][1]) == (measure.start, measure.end)
    assert len(measures.words) == len(places)


TABLES = [
    (scenery, scenario)
    for game in SYSTEMS.values()
    for scenario in game.scenarios
    if game.scenery and (scenery := game.scenery(scenario))
]


@pytest.mark.slow
def test_number_of_pieces_of_scenery_fits_the_scenario() -> None:
    found = {(scenario.document["system"], a_scenery.pieces, a_scenery.ruler) for a_scenery, scenario in TABLES}
    assert found == {
        ("battle_mode", 14, "Yellow"), ("fallout_warfare", 8, ""), ("fallout_warfare", 10, ""), ("new_vegas", 12, ""),
        ("fallout_skirmish", 16, "")
    }  # fmt: skip
    from_edges = {(scenario.document["system"], a_scenery.from_edge) for a_scenery, scenario in TABLES}
    assert from_edges >= {("fallout_warfare", 9), ("fallout_skirmish", 4.5)}
    asked = re.compile(r"(\d+) to (\d+) (pieces of terrain|walls|patches of rough terrain)")
    for scenery, scenario in TABLES:
        many = Counter(piece.kind.name for piece in layout(scenery, scenario, "x"))
        for least, most, what in (match.groups() for match in map(asked.fullmatch, scenario.needs) if match):
            walls, rough = many["wall"], many["rubble, rough terrain"]
            placed = {"walls": walls, "patches of rough terrain": rough}.get(what, walls + rough)
            assert int(least) <= placed <= int(most), (scenario.id, what)
    scenery, scenario = TABLES[0]
    first, again, other = (layout(scenery, scenario, f"round 1, table {number}") for number in (1, 1, 2))
    assert first == again != other, "it depends only on the table"
    few = layout(scenery, replace(scenario, table_inches=18, markers=()), "x")
    assert 0 < len(few) < scenery.pieces and len(few) % 2 == 0, "on a small table"


def _drawn_apart(piece: Piece, other: Piece, scenery: Scenery) -> bool:
    """Whether two pieces are far enough apart as the sheet draws them, by points on their rims."""
    if hypot(piece.x - other.x, piece.y - other.y) - sqrt(2) * scenery.across > scenery.apart:
        return True  # even the circles around two squares are
    rims = product(_rim(piece, scenery.across), _rim(other, scenery.across))
    return all(hypot(x - a, y - b) > scenery.apart for (x, y), (a, b) in rims)


def _rim(piece: Piece, across: float) -> list[tuple[float, float]]:
    turns, half = [n * 2 * pi / 40 for n in range(40)], across / 2
    if not piece.square:
        return [(piece.x + half * cos(turn), piece.y + half * sin(turn)) for turn in turns]
    side = [n * across / 20 - half for n in range(21)]
    return [(piece.x + x, piece.y + y) for x in side for y in side if half in (abs(x), abs(y))]


@pytest.mark.slow
def test_scenery_is_apart_and_the_same_for_both_players() -> None:
    for (scenery, scenario), table in product(TABLES, range(1, 4)):
        pieces, where = layout(scenery, scenario, f"round 1, table {table}"), f"{scenario.id}, table {table}"
        side = scenario.table_inches
        assert len(pieces) == scenery.pieces, where
        for a_piece, other in combinations(pieces, 2):
            assert _drawn_apart(a_piece, other, scenery), (where, a_piece, other)
        for piece in pieces:
            assert all(scenery.from_edge <= at <= side - scenery.from_edge for at in (piece.x, piece.y)), where
            assert not scenery.road or abs(piece.x - side / 2) >= 5, "the road stays free"
            assert all(hypot(piece.x - m.x, piece.y - m.y) >= FROM_MIDDLE for m in scenario.markers), where
            rim = _rim(piece, scenery.across)
            assert all(hypot(x - m.x, y - m.y) >= FROM_MARKER * side for m in scenario.markers for x, y in rim), where
        assert sum(piece.y < side / 2 for piece in pieces) * 2 == len(pieces), "both halves have as many"
        turned = {(side - piece.x, side - piece.y, piece.kind) for piece in pieces}
        assert {(piece.x, piece.y, piece.kind) for piece in pieces} == turned, where
        assert {piece.kind for piece in pieces} == set(scenery.kinds), where
