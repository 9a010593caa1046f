"""The common parts of all games' scenario files: head fields, markers, and faults in words with their lines."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field, PlainSerializer, ValidationError

from languages.words import N_, gettext, ngettext
from validators.contract import UnreadableForce
from validators.faults import Fault, fault_of, of_file, too_large
from validators.kit.shapes import Part, Text
from validators.scenario import Marker, Scenario, Side, UnreadableScenario
from validators.strict_json import lines_of, read_json

MOST_BYTES = 200_000
"""A scenario is a few kilobytes."""
MOST_FAULTS = 12
"""The most faults listed for one file."""
LONGEST_ID, LONGEST_STEP, MOST_STEPS = 40, 600, 20
SMALLEST_TABLE, LARGEST_TABLE, MOST_MARKERS = 12, 72, 24

Step = Annotated[Text, Field(min_length=1, max_length=LONGEST_STEP)]
Steps = Annotated[list[Step], Field(max_length=MOST_STEPS)]
Said = Annotated[list[Step], Field(min_length=1, max_length=MOST_STEPS)]
Word = Annotated[Text, Field(min_length=1, max_length=24)]
Inches = Annotated[
    float,
    Field(ge=0, le=LARGEST_TABLE, allow_inf_nan=False),
    PlainSerializer(lambda inches: int(inches) if inches == int(inches) else inches),
]
"""Inches on the table; 18.0 is written as 18."""


class HeadOfScenario(Part):
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=LONGEST_ID)]
    name: Annotated[Text, Field(min_length=1, max_length=60)]
    summary: Annotated[Text, Field(max_length=300)] = ""
    setup: Said
    scoring: Said
    table_inches: Annotated[int, Field(ge=SMALLEST_TABLE, le=LARGEST_TABLE)]
    deployment_inches: Annotated[int, Field(ge=0, le=LARGEST_TABLE)]
    needs: Annotated[list[Annotated[Text, Field(min_length=1, max_length=80)]], Field(max_length=12)] = Field(
        default=[]
    )
    readings: Steps = Field(default=[])
    queries: Steps = Field(default=[])
    source: Annotated[Text, Field(max_length=200)] = ""


class MarkerPart(Part):
    """A marker: inches from the left end of player A's edge, and from that edge."""

    x: Inches
    y: Inches
    label: Word
    owner: Side | None = None


Markers = Annotated[list[MarkerPart], Field(max_length=MOST_MARKERS)]


def _markers(file: HeadOfScenario) -> Sequence[MarkerPart]:
    """The markers of a scenario file; empty in games whose scenarios have none."""
    markers: Sequence[MarkerPart] = getattr(file, "markers", ())
    return markers


def head_of(file: HeadOfScenario, **written: Any) -> dict[str, Any]:
    """Keyword arguments of a Scenario from a file's common fields, its markers, and the file's document itself.

    ``written`` are document fields in another form than ``file`` would write them.
    """
    head = {name: getattr(file, name) for name in HeadOfScenario.model_fields}
    lists = {name: tuple(value) for name, value in head.items() if isinstance(value, list)}
    markers = tuple(Marker(**{key: value for key, value in marker if key != "vp"}) for marker in _markers(file))
    # Nested parts are written without their defaults, the file's own fields unless they are empty.
    document = file.model_dump() | file.model_dump(exclude_defaults=True) | written
    order = dict.fromkeys(("system", *head, "markers", *document))
    shown = {name: document[name] for name in order if document.get(name) not in (None, "", [], {})}
    return head | lists | {"markers": markers, "document": shown}


def _off_the_table(file: HeadOfScenario) -> Iterator[Fault]:
    """Faults of the layout: deployment deeper than half the table, markers off the table, two markers in one place."""
    table, markers = file.table_inches, _markers(file)
    edges = [(("edges", at, "inches"), edge.inches) for at, edge in enumerate(getattr(file, "edges", ()))]
    for place, depth in ((("deployment_inches",), file.deployment_inches), *edges):
        if 2 * depth > table:
            said = ngettext(
                "is %(inches)s, but half the table is %(half)s inch deep",
                "is %(inches)s, but half the table is %(half)s inches deep",
                table // 2,
                inches=f"{depth:g}",
                half=f"{table / 2:g}",
            )
            yield Fault(place, said)
    for at, marker in enumerate(markers):
        for axis, inches in (("x", marker.x), ("y", marker.y)):
            if inches > table:
                off = ngettext(
                    "is %(inches)s, off the table of %(num)s inch",
                    "is %(inches)s, off the table of %(num)s inches",
                    table,
                    inches=f"{inches:g}",
                )
                yield Fault(("markers", at, axis), off)
    for (first, marker_part), (second, other) in combinations(enumerate(markers), 2):
        if (marker_part.x, marker_part.y) == (other.x, other.y):
            text = N_("is %(x)s, and y %(y)s: there stands marker %(number)s, %(label)s")
            said = gettext(text, x=f"{other.x:g}", y=f"{other.y:g}", number=first + 1, label=marker_part.label)
            yield Fault(("markers", second, "x"), said)


def unmentioned_points(file: HeadOfScenario, points: Part) -> Iterator[Fault]:
    """A fault for each figure of a table of points that no line of the printed scoring mentions."""
    said = " ".join(file.scoring)
    for name, figure in points.model_dump().items():
        if figure and not re.search(rf"\b{figure}\sVP\b", said):
            text = N_("is %(figure)s, but no line of the scoring says “%(figure)s VP”")
            yield Fault(("points", name), gettext(text, figure=figure))


_File = TypeVar("_File", bound=HeadOfScenario)


def shaped_scenario(parsed: object, shape: type[_File], contradictions: Callable[[_File], Iterable[Fault]]) -> _File:
    """Parsed JSON in the shape of a game's scenario file, without faults of the layout or from ``contradictions``.

    Raises UnreadableScenario with every fault and its place.
    """
    if not isinstance(parsed, dict):
        raise UnreadableScenario(Fault((), gettext('a scenario is a JSON object, {"system": ...}')))
    try:
        file = shape.model_validate(parsed)
    except ValidationError as invalid:
        raise _unreadable([_fault(error) for error in invalid.errors(include_url=False)]) from invalid
    faults = [*_off_the_table(file), *contradictions(file)]
    if faults:
        raise _unreadable(faults)
    return file


@dataclass(frozen=True)
class ScenarioFiles:
    """How organisers write their own scenarios, in the game's scenario file format."""

    read: Callable[[object], Scenario]
    """From a scenario file's parsed JSON to the scenario. Raises UnreadableScenario with every fault and its place."""
    by_form: bool = False
    """Whether the page has a form for scenarios, which asks for points by game round. False: only files."""

    def import_(self, data: bytes) -> Scenario:
        """The bytes of a scenario file. Raises UnreadableScenario with every fault, its field and its line."""
        parsed = parsed_scenario(data)
        try:
            return self.read(parsed)
        except UnreadableScenario as unreadable:
            lines = lines_of(data.decode("utf-8-sig"), [fault.place for fault in unreadable.faults])
            faults = (replace(fault, line=lines[fault.place]) for fault in unreadable.faults)
            raise UnreadableScenario(*faults) from unreadable


def shipped(data: Path, read: Callable[[object], Scenario]) -> tuple[Scenario, ...]:
    """A game's own scenarios: the files of ``scenarios`` by their ``order``, those without one last.

    ``scenario.json`` has the fields that they share, and ``texts``, to which "@" and a name refer in lists.
    """
    shared = json.loads((data / "scenario.json").read_bytes())
    texts = shared.pop("texts")

    def full(text: Any) -> Any:
        return texts[text] if isinstance(text, str) and text.startswith("@") else text

    files = [json.loads(path.read_bytes()) for path in sorted((data / "scenarios").glob("*.json"))]
    files.sort(key=lambda file: file.pop("order", inf))
    return tuple(
        read({key: [*map(full, value)] if isinstance(value, list) else value for key, value in (shared | file).items()})
        for file in files
    )


def parsed_scenario(data: bytes) -> object:
    """A scenario file's bytes as plain values. Raises UnreadableScenario if it is not JSON or too large."""
    if len(data) > MOST_BYTES:
        raise UnreadableScenario(Fault((), of_file(too_large(len(data), MOST_BYTES))))
    try:
        return read_json(data)
    except UnreadableForce as fault:  # the reader, and so its exception, are for force files
        raise UnreadableScenario(*(Fault((), sentence) for sentence in fault.faults)) from fault


def _unreadable(faults: list[Fault]) -> UnreadableScenario:
    more = [Fault((), gettext("and %(n)s more", n=len(faults) - MOST_FAULTS))] if len(faults) > MOST_FAULTS else []
    return UnreadableScenario(*faults[:MOST_FAULTS], *more)


def _fault(error: Any) -> Fault:
    return fault_of(error, pattern=gettext("is not small letters, digits and single hyphens"))
