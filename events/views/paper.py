"""What printed sheets share at the edge: the answer in its paper size, the time of printing, a scenario's figures."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from flask import abort, make_response, request
from flask.typing import ResponseReturnValue

from events.reading import system_of
from events.views.request import now
from models.event import Event
from pdf.map_rulers import MapMeasure
from pdf.page import PageSize
from pdf.scoresheet import Each
from pdf.table_map import MapMarker, TableMap
from validators.measures import measured
from validators.scenario import OPEN_END, Question, Scenario, Side

PAPERS: dict[str, PageSize] = {"a4": "A4", "a5": "A5", "letter": "Letter"}
"""The papers that an address can ask for."""


def paper_asked() -> str:
    """The paper that the address asks for, as it names it, A4 if it asks for none; 404 for any other."""
    asked = request.args.get("paper", "a4").lower()
    if asked not in PAPERS:
        abort(404)
    return asked


def each_asked() -> Each:
    """How many scoresheets the address wants on a sheet of paper, one if it does not say; 404 for any other number."""
    asked = request.args.get("each", "1")
    if asked not in ("1", "2"):
        abort(404)
    return 2 if asked == "2" else 1


def pdf_answer(event: Event, name: str, draw: Callable[[PageSize], bytes]) -> ResponseReturnValue:
    """What ``draw`` makes for the paper that the address asks for, named after the event; 404 for any other paper."""
    response = make_response(draw(PAPERS[paper_asked()]))
    response.mimetype = "application/pdf"
    response.headers["Content-Disposition"] = f'inline; filename="{event.slug}-{name}.pdf"'
    return response


def printed_at(event: Event) -> datetime:
    """The time of the request, as a clock at the event's place shows it."""
    return now().astimezone(ZoneInfo(event.timezone))


def table_map(event: Event, scenario: Scenario) -> TableMap:
    """The table of a scenario as it is drawn, with the rulers of the event's game."""
    measures = measured(scenario, system_of(event).rulers)
    across, up = (
        tuple(MapMeasure(m.start, m.end, m.lane, m.label, m.parts) for m in way)
        for way in (measures.across, measures.up)
    )
    return TableMap(
        scenario.table_inches,
        scenario.deployment_inches,
        tuple(MapMarker(m.x, m.y, label, m.owner) for m, label in zip(scenario.markers, measures.labels, strict=True)),
        across,
        up,
        measures.deployment,
        measures.deployment_colour,
    )


def setup_steps(event: Event, scenario: Scenario) -> tuple[str, ...]:
    """The set-up as it is printed; where numbers stand on the map, the last line says what they are."""
    key = measured(scenario, system_of(event).rulers).key
    return (*scenario.setup, *([f"On the map: {key}."] if key else []))


def columns(scenario: Scenario, side: Side) -> list[Question]:
    """What a side's row of the score grid asks: the game rounds, then every other figure but the objective markers."""
    asked = [q for q in scenario.questions if q.side == side and q.kind in ("vp", "figure")]
    return sorted(asked, key=lambda q: (q.game_round is None, q.game_round or 0))


def heads(scenario: Scenario) -> tuple[str, ...]:
    """Names for these columns, where they are not the game rounds alone."""
    asked = columns(scenario, "a")
    if all(q.kind == "vp" for q in asked):
        return ()
    return tuple(f"Round {q.game_round}" if q.game_round else q.label for q in asked)


def most_in(scenario: Scenario, side: Side) -> tuple[int | None, ...]:
    """The most of a side in each of these columns; None where there is no limit to print."""
    return tuple(None if q.most >= OPEN_END else q.most for q in columns(scenario, side))
