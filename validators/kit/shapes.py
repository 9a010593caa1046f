"""Base classes for the schemas of imported files: strict models, printable texts, and faults in plain words."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from languages.words import N_, gettext, ngettext


class Part(BaseModel):
    """Base of all schema classes: values of another type and unknown fields are rejected."""

    model_config = ConfigDict(strict=True, extra="forbid")


WRONG_TYPE: Mapping[str, str] = {
    "string_type": N_("is not text"),
    "string_unicode": N_("is not valid text (half of a surrogate pair)"),
    "int_type": N_("is not a whole number"),
    "int_from_float": N_("is not a whole number"),
    "float_type": N_("is not a number"),
    "finite_number": N_("is not a number"),
    "bool_type": N_("is neither true nor false"),
    "list_type": N_("is not a list"),
    "dict_type": N_("is not an object"),
    "model_type": N_("is not an object"),
    "model_attributes_type": N_("is not an object"),
    "missing": N_("is missing"),
    "json_invalid": N_("is not JSON"),
}
"""What is wrong with a value, by the kind of pydantic's error."""


UNREADABLE = N_("cannot be read")


def wrong_with(error: Any, pattern: str = "") -> str:
    """A pydantic error in plain words, without its place.

    ``pattern`` is another message for a text that does not match its pattern.
    """
    limits = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            return gettext("is not a field of this file")
        case "string_pattern_mismatch":
            return pattern or gettext("is not written in the form that it needs")
        case "string_too_short" | "too_short":
            return gettext("is empty")
        case "string_too_long" | "too_long" if isinstance(error["input"], str):
            return ngettext(
                "is longer than %(num)s character", "is longer than %(num)s characters", limits["max_length"]
            )
        case "too_long":
            return ngettext("holds more than %(num)s entry", "holds more than %(num)s entries", limits["max_length"])
        case "greater_than_equal":
            least = f"{limits['ge']:.12g}"
            return gettext("is %(value)s, at least %(least)s is needed", value=_short(error["input"]), least=least)
        case "less_than_equal":
            most = f"{limits['le']:.12g}"
            return gettext("is %(value)s, at most %(most)s can be", value=_short(error["input"]), most=most)
        case "value_error":
            return str(limits["error"])
        case "literal_error":
            return gettext("is not %(expected)s", expected=limits["expected"])
        case "enum":
            return gettext("is none of %(expected)s", expected=limits["expected"])
        case kind:
            return gettext(WRONG_TYPE.get(kind, UNREADABLE))


def step_of(key: str) -> str:
    """A key of a file as messages show it: short, and with characters that can be printed."""
    return _UNPRINTABLE.sub("?", key)[:40]


def refusing(pattern: str, message: str) -> Any:
    """A validator function that rejects texts containing this pattern, with this message."""
    forbidden = re.compile(pattern)

    def check(text: str) -> str:
        if forbidden.search(text):
            raise ValueError(gettext(message))
        return text

    return check


_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")
_printable = refusing(_UNPRINTABLE.pattern, N_("holds a character that cannot be printed"))
Text = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_printable)]
"""A text of a scenario: trimmed, and printable."""


def _short(value: float) -> str:
    """A number for a message, shortened if it has thousands of digits."""
    return f"{value:.12g}" if abs(value) < 10**9 else gettext("far too large")
