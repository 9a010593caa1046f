"""Set-up sheets of every shipped scenario on each paper: no text lies over another."""

from datetime import datetime
from itertools import product

from pdf.page import SIZES
from pdf.scenario_page import TableSetup, table_setups
from pdf.table_map import MapMarker, ScenerySpot, TableMap
from tests.kit.boxes import faults
from validators import SYSTEMS
from validators.scenario import Scenario
from validators.scenery import Piece, layout


def test_no_text_lies_over_another(printed_at: datetime) -> None:
    for system, size in product(SYSTEMS.values(), SIZES):
        setups = [
            _setup(one, layout(system.scenery, one, "table 1") if system.scenery else ()) for one in system.scenarios
        ]
        assert [*faults(table_setups("Open", setups, size, printed_at))] == [], (system.id, size)


def _setup(scenario: Scenario, pieces: tuple[Piece, ...]) -> TableSetup:
    markers = tuple(MapMarker(m.x, m.y, m.label, m.owner, m.within) for m in scenario.markers)
    listed = next((question.choices for question in scenario.questions if len(question.choices) > 4), ())
    return TableSetup(
        1, 2, scenario.name, TableMap(scenario.table_inches, scenario.deployment_inches, markers),
        tuple(ScenerySpot(piece.x, piece.y, piece.square) for piece in pieces), 4, scenario.setup, scenario.needs,
        listed=listed,
    )  # fmt: skip
