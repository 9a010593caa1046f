"""The range rulers of the game: their lengths in inches and the colours that they have on a screen."""

from collections.abc import Mapping

from validators.scenario import Ruler

_ONE: Mapping[str, tuple[float, str]] = {
    "Orange": (2, "#ED7203"),
    "Yellow": (4, "#FDE634"),
    "Red": (6, "#E6332B"),
    "Green": (8, "#07A13B"),
    "Blue": (10, "#0D9FE3"),
    "Black": (12, "#000000"),
}

RULERS = (
    *(Ruler(part[0], name, (part,)) for name, part in _ONE.items()),
    Ruler(18, "Black + Red", (_ONE["Black"], _ONE["Red"])),
)
"""Shortest first; Black and Red laid in one line reach the middle of the 36-inch table."""
