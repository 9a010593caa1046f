"""Base classes for the schemas of imported files: strict models, printable texts, and faults in plain words."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints


class Part(BaseModel):
    """Base of all schema classes: values of another type and unknown fields are rejected."""

    model_config = ConfigDict(strict=True, extra="forbid")


_WRONG_TYPE: Mapping[str, str] = {
    "string_type": "is not text",
    "string_unicode": "is not valid text (half of a surrogate pair)",
    "int_type": "is not a whole number",
    "int_from_float": "is not a whole number",
    "float_type": "is not a number",
    "finite_number": "is not a number",
    "bool_type": "is neither true nor false",
    "list_type": "is not a list",
    "dict_type": "is not an object",
    "model_type": "is not an object",
    "model_attributes_type": "is not an object",
    "missing": "is missing",
}


def wrong_with(error: Any, file: str, pattern: str = "is not written in the form that it needs") -> str:
    """A pydantic error in plain words, without its place.

    ``file`` is the kind of file ("edition"); ``pattern`` is the message for a text that does not match its pattern.
    """
    limits = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            return f"is not a field of the {file} file"
        case "string_pattern_mismatch":
            return pattern
        case "string_too_short" | "too_short":
            return "is empty"
        case "string_too_long" | "too_long" if isinstance(error["input"], str):
            return f"is longer than {limits['max_length']} characters"
        case "too_long":
            return f"holds more than {limits['max_length']} entries"
        case "greater_than_equal":
            return f"is {_short(error['input'])}, at least {limits['ge']:.12g} is needed"
        case "less_than_equal":
            return f"is {_short(error['input'])}, at most {limits['le']:.12g} can be"
        case "value_error":
            return str(limits["error"])
        case "literal_error":
            return f"is not {limits['expected']}"
        case "enum":
            return f"is none of {limits['expected']}"
        case kind:
            return _WRONG_TYPE.get(kind, "cannot be read")


def place_of(steps: Iterable[str | int]) -> str:
    """The place of a value in a file, from the keys and numbers that lead to it: "seats[2].points"."""
    return "".join(f"[{one}]" if isinstance(one, int) else f".{step_of(one)}" for one in steps).lstrip(".")


def step_of(key: str) -> str:
    """A key of a file as messages show it: short, and with characters that can be printed."""
    return _UNPRINTABLE.sub("?", key)[:40]


def refusing(pattern: str, message: str) -> Any:
    """A validator function that rejects texts containing this pattern, with this message."""
    forbidden = re.compile(pattern)

    def check(text: str) -> str:
        if forbidden.search(text):
            raise ValueError(message)
        return text

    return check


_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")
_printable = refusing(_UNPRINTABLE.pattern, "holds a character that cannot be printed")
Text = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_printable)]
"""A text of a scenario: trimmed, and printable."""


def _short(value: float) -> str:
    """A number for a message, shortened if it has thousands of digits."""
    return f"{value:.12g}" if abs(value) < 10**9 else "far too large"
