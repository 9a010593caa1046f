"""Where a value stands in a JSON text."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from validators.strict_json import first_odd, lines_of


def test_the_first_repeated_key_or_odd_number() -> None:
    assert first_odd('{"a": 1,\n "b": {"a": 2,\n "a": 3}') == (("b", "a"), 3, '"a"')
    assert first_odd('{"a": 1,\n "\\u0061": 2}') == (("a",), 2, '"\\u0061"'), "the same key, written otherwise"
    assert first_odd("[1,\n NaN]") == ((1,), 2, "NaN")
    assert first_odd('["NaN", {"a": 1}, {"a": 2}]') is None


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def places(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [here, *(place for step, part in inner for place in places(part, (*here, step)))]


@given(values, st.booleans())
def test_with_each_value_on_its_own_line_lines_count_values(value: Any, ascii_only: bool) -> None:
    """What json writes with an indent has one key or list entry a line, closing brackets aside."""
    text = json.dumps(value, indent=1, ensure_ascii=ascii_only)
    opened = [line for line in text.split("\n") if line.strip().rstrip(",") not in ("]", "}")]
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if line.strip().rstrip(",") not in ("]", "}")]
    assert len(opened) == len(places(value))
    assert list(lines_of(text, places(value)).values()) == numbers


@given(st.text(alphabet='{}[],:"\\ab1 \n', max_size=40))
def test_broken_texts_break_nothing(text: str) -> None:
    assert lines_of(text, [(), ("a", 0, "b")])[()] >= 1
    first_odd(text)


def test_a_broken_escape_ends_the_walk() -> None:
    assert first_odd('{"a": 1, "b\\x": 2, "a": 3}') is None
