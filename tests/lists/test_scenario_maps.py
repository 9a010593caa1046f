"""The map of any valid scenario: every marker in its place and named, nothing outside the drawing."""

from typing import Any

from bs4 import BeautifulSoup, Tag
from flask import Flask, get_template_attribute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit.forces import SCENARIO_FILES, SYSTEM
from tests.validators.scenario_documents import documents
from validators.measures import MOST_NAMES, measured


@st.composite
def crowds(draw: st.DrawFn) -> dict[str, Any]:
    """A scenario file with up to 24 markers, some in rows, with names of all lengths."""
    document = draw(documents())
    table = document["table_inches"]
    inches = st.integers(0, table) | st.sampled_from([0, 6, table / 2, table]) | st.just(0.25)
    places = draw(st.lists(st.tuples(inches, inches), unique=True, max_size=24))
    owners, labels = st.sampled_from([None, "a", "b"]), st.text("ab ÄЖ<&", min_size=1, max_size=24).filter(str.strip)
    markers = [{"x": x, "y": y, "label": draw(labels), "owner": draw(owners)} for x, y in places]
    return document | {"markers": markers}


def number(part: Tag, name: str) -> float:
    return float(str(part[name]))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(crowds())
def test_any_scenario_is_drawn_to_scale(app: Flask, document: dict[str, Any]) -> None:
    scenario = SCENARIO_FILES.read(document)
    measures = measured(scenario, SYSTEM.rulers)
    with app.app_context():
        scenario_map = get_template_attribute("lists/_map.html", "scenario_map")
        drawn = BeautifulSoup(scenario_map(scenario, measures), "html.parser")
    (svg,) = drawn.select("svg")
    left, top, width, height = map(float, str(svg["viewbox"]).split())
    unit = 36 / scenario.table_inches
    shapes = drawn.select(".map-marker")
    assert len(shapes) == len(scenario.markers)
    for shape, marker in zip(shapes, scenario.markers, strict=True):
        half = number(shape, "width") / 2 if shape.name == "rect" else 0
        x = number(shape, "x") + half if half else number(shape, "cx")
        y = number(shape, "y") + half if half else number(shape, "cy")
        assert (round(x, 6), round(y, 6)) == (round(marker.x * unit, 6), round(36 - marker.y * unit, 6))
        assert (shape.name == "rect") == (marker.owner is not None)
    shown = [" ".join(label.get_text(" ").split()) for label in drawn.select(".map-label")]
    names = [" ".join(marker.label.split()) for marker in scenario.markers]
    numbers = [str(at) for at in range(1, len(names) + 1)]
    assert shown == (numbers if len(names) > MOST_NAMES else names)
    for part in drawn.select(".map-label tspan"):
        assert left <= number(part, "x") <= left + width
        assert top <= number(part, "y") <= top + height
    assert [part.get_text() for part in drawn.select(".map-measure")] == [
        measure.label for measure in (*measures.across, *measures.up)
    ]
