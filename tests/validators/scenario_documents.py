"""Made-up scenario files and JSON values for tests, from hypothesis."""

from typing import Any

from hypothesis import strategies as st

Document = dict[str, Any]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)

EXAMPLE: Document = {
    "system": "battle_mode", "id": "hold-the-bridge", "name": "Hold the Bridge",
    "setup": ["One marker on the bridge."], "scoring": ["The player who holds it scores."], "game_rounds": 5,
    "scoring_from": 2, "most": 3,
    "limits": {"held_by_one": "the bridge", "together_asked": {"above": 4, "why": "both banks were taken at once"}},
    "objectives": {"each": 3, "most_of_a_kind": 1, "kinds": ["Safe", "Item", "Console"]}, "table_inches": 36,
    "deployment_inches": 6,
    "markers": [{"x": 18, "y": 18, "label": "Bridge"}, {"x": 6.5, "y": 30, "label": "Bank", "owner": "b"}],
}  # fmt: skip


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A scenario file without a fault, with limits that can be passed."""
    rounds, most, table = draw(st.integers(1, 12)), draw(st.integers(1, 8)), draw(st.integers(12, 72))
    places = draw(st.lists(st.tuples(*[st.integers(0, table)] * 2), unique=True, max_size=6))
    head = {key: EXAMPLE[key] for key in ("system", "id", "name", "setup", "scoring")}
    limits: Document = {}
    if draw(st.booleans()):
        limits["held_by_one"] = "the middle"
    refused = 2 * most
    if draw(st.booleans()):
        refused = draw(st.integers(most, 2 * most - 1))
        limits["together_refused"] = {"above": refused, "why": draw(st.sampled_from(["", "so few markers"]))}
    if refused > 1 and draw(st.booleans()):
        limits["together_asked"] = {"above": draw(st.integers(1, refused - 1))}
    if most > 1 and draw(st.booleans()):
        limits["one_asked"] = {"above": draw(st.integers(1, most - 1))}
    each, kinds = draw(st.integers(0, 4)), ["Safe", "Item", "Console", "Wreck"]
    return head | {
        "game_rounds": rounds, "scoring_from": draw(st.integers(1, rounds)), "most": most, "limits": limits,
        "choices": draw(st.sampled_from([[], ["Hackers", "Smashers"]])),
        "objectives": {"each": each, "kinds": kinds, "most_of_a_kind": draw(st.integers(1, 4))},
        "table_inches": table, "deployment_inches": draw(st.integers(0, table // 2)),
        "markers": [
            {"x": x, "y": y, "label": f"M{at}", "owner": draw(st.sampled_from([None, "a", "b"]))}
            for at, (x, y) in enumerate(places)
        ],
    }  # fmt: skip
