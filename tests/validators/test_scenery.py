"""Scenery on a table: as many pieces as the rules require, far enough apart, and fair to both edges."""

from dataclasses import replace
from itertools import combinations, product
from math import cos, hypot, pi, sin

from validators import SYSTEMS
from validators.scenario import Scenario
from validators.scenery import FROM_EDGE, FROM_MARKER, Piece, layout

GAMES = [system for system in SYSTEMS.values() if system.scenery]
TABLES = [(system, scenario) for system in GAMES for scenario in system.scenarios]


def test_battle_mode_names_its_scenery() -> None:
    assert [(game.id, game.scenery.pieces, game.scenery.apart) for game in GAMES if game.scenery] == [
        ("battle_mode", 14, 4)
    ]


def _drawn_apart(one: Piece, other: Piece) -> float:
    """Inches between two pieces as the sheet draws them, by points on their rims; far ones are not measured."""
    if hypot(one.x - other.x, one.y - other.y) > 10:
        return 4.1
    return min(hypot(x - a, y - b) for (x, y), (a, b) in product(_rim(one), _rim(other)))


def _rim(piece: Piece) -> list[tuple[float, float]]:
    turns = [n * 2 * pi / 40 for n in range(40)]
    if not piece.square:
        return [(piece.x + 2 * cos(turn), piece.y + 2 * sin(turn)) for turn in turns]
    side = [n / 5 - 2 for n in range(21)]
    return [(piece.x + x, piece.y + y) for x in side for y in side if 2 in (abs(x), abs(y))]


def test_table_has_the_scenery_that_the_rules_require() -> None:
    for (system, scenario), table in product(TABLES, range(1, 21)):
        scenery = system.scenery
        assert scenery is not None, (scenario.id, table)
        pieces = layout(scenery, scenario, f"round 1, table {table}")
        side = scenario.table_inches
        assert len(pieces) == scenery.pieces, (scenario.id, table)
        for one, other in combinations(pieces, 2):
            assert _drawn_apart(one, other) > scenery.apart, (scenario.id, table, one, other)
        for piece in pieces:
            assert FROM_EDGE <= piece.x <= side - FROM_EDGE, (scenario.id, table)
            assert FROM_EDGE <= piece.y <= side - FROM_EDGE, (scenario.id, table)
            assert all(hypot(piece.x - m.x, piece.y - m.y) >= FROM_MARKER for m in scenario.markers), (
                scenario.id,
                table,
            )
        assert sum(piece.y < side / 2 for piece in pieces) * 2 == len(pieces), "both halves have as many"
        assert {(p.x, p.y, p.kind) for p in pieces} == {(side - p.x, side - p.y, p.kind) for p in pieces}, (
            scenario.id,
            table,
        )
        assert {piece.kind for piece in pieces} == set(scenery.kinds), (scenario.id, table)


def test_scenery_depends_on_the_table_alone() -> None:
    system, scenario = TABLES[0]
    assert system.scenery is not None
    once = layout(system.scenery, scenario, "round 1, table 1")
    assert layout(system.scenery, scenario, "round 1, table 1") == once
    assert layout(system.scenery, scenario, "round 1, table 2") != once


def test_small_table_has_fewer_pieces() -> None:
    system, scenario = TABLES[0]
    assert system.scenery is not None
    small: Scenario = replace(scenario, table_inches=18, markers=())
    pieces = layout(system.scenery, small, "x")
    assert 0 < len(pieces) < system.scenery.pieces
    assert len(pieces) % 2 == 0
