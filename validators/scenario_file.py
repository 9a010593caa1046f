"""What the scenario files of all games have in common: bounded texts, and faults in words with the line."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, StringConstraints, ValidationError

from validators.contract import UnreadableForce
from validators.json_lines import lines_of
from validators.kit.shapes import Part, refusing, wrong_with
from validators.scenario import Fault, Scenario, UnreadableScenario
from validators.strict_json import read_json

MOST_BYTES = 200_000
"""A scenario is a few kilobytes."""
MOST_FAULTS = 12
"""Faults of one file that are listed."""
LONGEST_ID, LONGEST_STEP, MOST_STEPS = 40, 600, 20
SMALLEST_TABLE, LARGEST_TABLE = 12, 72

_printable = refusing("[\x00-\x1f\x7f-\x9f\u2028-\u202e]", "holds a character that cannot be printed")
Text = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_printable)]
Step = Annotated[Text, Field(min_length=1, max_length=LONGEST_STEP)]
Steps = Annotated[list[Step], Field(max_length=MOST_STEPS)]
Said = Annotated[list[Step], Field(min_length=1, max_length=MOST_STEPS)]


_File = TypeVar("_File", bound=Part)


def shaped_scenario(
    parsed: object, shape: type[_File], contradictions: Callable[[_File], Iterable[Fault]] = lambda _: ()
) -> _File:
    """Parsed JSON in the shape of a game's scenario file, of which ``contradictions`` finds nothing wrong.

    Raises UnreadableScenario with every fault and its place.
    """
    if not isinstance(parsed, dict):
        raise UnreadableScenario(Fault((), 'a scenario is a JSON object, {"system": ...}'))
    try:
        file = shape.model_validate(parsed)
    except ValidationError as invalid:
        raise _unreadable([_fault(error) for error in invalid.errors(include_url=False)]) from invalid
    faults = list(contradictions(file))
    if faults:
        raise _unreadable(faults)
    return file


def imported_scenario(data: bytes, read: Callable[[object], Scenario]) -> Scenario:
    """The bytes of a scenario file. Raises UnreadableScenario with every fault, its field and its line."""
    parsed = parsed_scenario(data)
    try:
        return read(parsed)
    except UnreadableScenario as unreadable:
        lines = lines_of(data.decode("utf-8-sig"), [fault.place for fault in unreadable.faults])
        raise UnreadableScenario(
            *(replace(fault, line=lines[fault.place]) for fault in unreadable.faults)
        ) from unreadable


def parsed_scenario(data: bytes) -> object:
    """The bytes of a scenario file as plain values. Raises UnreadableScenario for what is no JSON, or too much."""
    if len(data) > MOST_BYTES:
        raise UnreadableScenario(Fault((), f"the file: {len(data)} bytes, at most {MOST_BYTES} are read"))
    try:
        return read_json(data)
    except UnreadableForce as fault:  # the reader is the force file's; so is its exception
        raise UnreadableScenario(*(Fault((), sentence) for sentence in fault.faults)) from fault


def _unreadable(faults: list[Fault]) -> UnreadableScenario:
    more = [Fault((), f"and {len(faults) - MOST_FAULTS} more")] if len(faults) > MOST_FAULTS else []
    return UnreadableScenario(*faults[:MOST_FAULTS], *more)


def _fault(error: Any) -> Fault:
    """One fault of the shape, at its place."""
    wrong = wrong_with(error, "scenario", pattern="is not small letters, digits and single hyphens")
    return Fault(tuple(step if isinstance(step, int) else _name(step) for step in error["loc"]), wrong)


def _name(step: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in step)[:40]
