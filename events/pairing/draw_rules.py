"""What of a draw's rules an organiser chooses for every round of an event, in words and as it is stored."""

from collections.abc import Mapping
from typing import Any

from events.pairing.rules import PLAIN, LevelName, Method, Rules

METHODS: dict[Method, str] = {
    "random": "By lot",
    "standing": "By standing: first against second, third against fourth",
    "fold": "Fold: the top half against the bottom half",
}
"""How players who are level in all of the levels are paired with each other."""

LEVELS: dict[LevelName, str] = {
    "rematches": "Rematches",
    "second_byes": "A second bye while somebody had none",
    "bye_height": "The bye above the lowest group",
    "distance": "Pair-downs, by the square of their distance",
    "repeat_floats": "Pair-downs of players paired down before",
    "kept_apart": "People who are kept apart, and club mates",
}
"""What the draw makes least, in its order, in words."""


def rules_of_event(document: Mapping[str, Any] | None) -> Rules:
    """The choice that is stored with an event as rules; None is an event that never made one."""
    if document is None:
        return PLAIN
    off, banned = (tuple(name for name in LEVELS if name in document[kind]) for kind in ("off", "banned"))
    method = next(method for method in METHODS if method == document["method"])
    return Rules(method=method, off=off, banned=banned)


def event_document(rules: Rules) -> dict[str, Any]:
    """What of these rules is stored with the event. Raises ValueError for a level that is both off and banned."""
    if both := set(rules.off) & set(rules.banned):
        raise ValueError(f"both off and banned: {', '.join(sorted(both))}")
    return {"method": rules.method, "off": list(rules.off), "banned": list(rules.banned)}
