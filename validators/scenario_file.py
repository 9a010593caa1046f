"""What the scenario files of all games have in common: bounded texts, and faults in words with the line."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from validators.contract import UnreadableForce
from validators.json_lines import lines_of
from validators.scenario import Fault, Scenario, UnreadableScenario
from validators.strict_json import read_json

MOST_BYTES = 200_000
"""A scenario is a few kilobytes."""
MOST_FAULTS = 12
"""Faults of one file that are told one by one."""
LONGEST_ID, LONGEST_STEP, MOST_STEPS = 40, 600, 20
SMALLEST_TABLE, LARGEST_TABLE = 12, 72

_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e]")


def _printable(text: str) -> str:
    if _FORBIDDEN.search(text):
        raise ValueError("holds a character that cannot be printed")
    return text


Text = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_printable)]
Step = Annotated[Text, Field(min_length=1, max_length=LONGEST_STEP)]
Steps = Annotated[list[Step], Field(max_length=MOST_STEPS)]
Said = Annotated[list[Step], Field(min_length=1, max_length=MOST_STEPS)]


class ScenarioPart(BaseModel):
    """A part of a scenario file: no value of another type is taken, no unknown field."""

    model_config = ConfigDict(strict=True, extra="forbid")


_File = TypeVar("_File", bound=ScenarioPart)


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
        raise _unreadable([_sentence(error) for error in invalid.errors(include_url=False)]) from invalid
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
        raise UnreadableScenario(*(Fault((), told) for told in fault.faults)) from fault


def _unreadable(faults: list[Fault]) -> UnreadableScenario:
    more = [Fault((), f"and {len(faults) - MOST_FAULTS} more")] if len(faults) > MOST_FAULTS else []
    return UnreadableScenario(*faults[:MOST_FAULTS], *more)


_WRONG_TYPE: Mapping[str, str] = {
    "string_type": "is not text",
    "string_unicode": "is not valid text (half of a surrogate pair)",
    "int_type": "is not a whole number",
    "int_from_float": "is not a whole number",
    "float_type": "is not a number",
    "finite_number": "is not a number",
    "list_type": "is not a list",
    "model_type": "is not an object",
    "model_attributes_type": "is not an object",
    "missing": "is missing",
    "extra_forbidden": "is not a field of the scenario file",
    "string_pattern_mismatch": "is not small letters, digits and single hyphens",
}


def _sentence(error: Any) -> Fault:
    """One fault of the shape as pydantic tells it, in our words."""
    limits = error.get("ctx", {})
    match error["type"]:
        case "string_too_short" | "too_short":
            wrong = "is empty"
        case "string_too_long" | "too_long" if isinstance(error["input"], str):
            wrong = f"is longer than {limits['max_length']} characters"
        case "too_long":
            wrong = f"holds more than {limits['max_length']} entries"
        case "greater_than_equal":
            wrong = f"is {_short(error['input'])}, at least {limits['ge']:g} is needed"
        case "less_than_equal":
            wrong = f"is {_short(error['input'])}, at most {limits['le']:g} can be"
        case "value_error":
            wrong = str(limits["error"])
        case "literal_error":
            wrong = f"is not {limits['expected']}"
        case kind:
            wrong = _WRONG_TYPE.get(kind, "cannot be read")
    return Fault(tuple(step if isinstance(step, int) else _name(step) for step in error["loc"]), wrong)


def _short(value: float) -> str:
    """A number for a message; one of thousands of digits is not written out."""
    return f"{value:,.12g}".replace(",", "") if abs(value) < 10**9 else "far too large"


def _name(step: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in step)[:40]
