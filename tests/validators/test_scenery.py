"""A table set out: as many pieces as the rules ask, far enough apart, and no edge the better one."""

from dataclasses import replace
from itertools import combinations
from math import hypot

import pytest

from validators import SYSTEMS
from validators.scenario import Scenario
from validators.scenery import FROM_EDGE, FROM_MARKER, layout

GAMES = [system for system in SYSTEMS.values() if system.scenery]
TABLES = [(system, scenario) for system in GAMES for scenario in system.scenarios]


def test_some_game_names_its_scenery() -> None:
    assert [(game.id, game.scenery.pieces, game.scenery.apart) for game in GAMES if game.scenery] == [
        ("battle_mode", 14, 4)
    ]


@pytest.mark.parametrize("table", range(1, 6))
@pytest.mark.parametrize("place", range(len(TABLES)), ids=[scenario.id for _, scenario in TABLES])
def test_a_table_holds_what_the_rules_ask(place: int, table: int) -> None:
    system, scenario = TABLES[place]
    scenery = system.scenery
    assert scenery is not None
    pieces = layout(scenery, scenario, f"round 1, table {table}")
    side = scenario.table_inches
    assert len(pieces) == scenery.pieces
    for one, other in combinations(pieces, 2):
        assert hypot(one.x - other.x, one.y - other.y) > scenery.apart + scenery.across
    for piece in pieces:
        assert FROM_EDGE <= piece.x <= side - FROM_EDGE
        assert FROM_EDGE <= piece.y <= side - FROM_EDGE
        assert all(hypot(piece.x - m.x, piece.y - m.y) >= FROM_MARKER for m in scenario.markers)
    assert sum(piece.y < side / 2 for piece in pieces) * 2 == len(pieces), "both halves have as many"
    assert {(p.x, p.y, p.kind) for p in pieces} == {(side - p.x, side - p.y, p.kind) for p in pieces}
    assert {piece.kind for piece in pieces} == set(scenery.kinds)


def test_the_same_table_is_the_same_and_another_is_another() -> None:
    system, scenario = TABLES[0]
    assert system.scenery is not None
    once = layout(system.scenery, scenario, "round 1, table 1")
    assert layout(system.scenery, scenario, "round 1, table 1") == once
    assert layout(system.scenery, scenario, "round 1, table 2") != once


def test_a_table_too_small_holds_fewer() -> None:
    system, scenario = TABLES[0]
    assert system.scenery is not None
    small: Scenario = replace(scenario, table_inches=18, markers=())
    pieces = layout(system.scenery, small, "x")
    assert 0 < len(pieces) < system.scenery.pieces
    assert len(pieces) % 2 == 0
