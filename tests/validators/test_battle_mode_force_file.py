"""The force file: its canonical form, the place of each fault, and the lines of values in JSON."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.forces import check_force, read_force
from tests.validators.edition_documents import spots
from tests.validators.scenario_documents import JSON
from validators.contract import UnreadableForce
from validators.strict_json import MOST_BYTES, first_odd, lines_of, read_json

EXAMPLE: dict[str, Any] = {
    "system": "battle_mode", "edition": "2018-08", "faction": "Survivors", "cards": [],
    "models": [{
        "name": "Piper", "heroic": True, "leader": True, "leader_card": "Commander", "perks": ["Sneak"],
        "items": [{"name": "Pipe Pistol", "mods": ["Long Barrel"]}, {"name": "Baseball Grenade", "count": 3}],
    }],
}  # fmt: skip


def faults(parsed: object) -> tuple[str, ...]:
    with pytest.raises(UnreadableForce) as caught:
        read_force(parsed)
    return caught.value.faults


def with_model(**fields: object) -> dict[str, Any]:
    return EXAMPLE | {"models": [{"name": "Piper"} | fields]}


def test_canonical_document_has_every_field_and_reads_as_itself() -> None:
    document = read_force(EXAMPLE)
    (piper,) = EXAMPLE["models"]
    pistol, grenade = piper["items"]
    items = [pistol | {"count": 1}, grenade | {"mods": []}]
    assert document == EXAMPLE | {"name": "", "models": [piper | {"items": items}]}
    assert read_force(json.loads(json.dumps(document))) == document
    document = read_force(with_model(count=3, perks=["Sneak"]))
    assert [model["name"] for model in document["models"]] == ["Piper"] * 3, "separate models"
    document["models"][0]["perks"].append("Medic")
    assert document["models"][1]["perks"] == ["Sneak"]


def test_known_names_get_the_editions_spelling_and_unknown_names_are_kept() -> None:
    items = [{"name": "STIMPACK", "mods": ["long  barrel", "wrong"]}]
    written = {"name": "x6-88 courier", "leader_card": "comander", "perks": ["sneak", "Снайпер"], "items": items}
    parts = {"faction": "super  mutants", "name": " Grün ", "models": [written], "cards": [{"kind": "Quest"}]}
    document = read_force(EXAMPLE | parts)
    (entry,) = document["models"]
    assert (document["faction"], document["name"], entry["name"]) == ("Super Mutants", "Grün", "X6-88 Courser")
    assert (entry["leader_card"], entry["perks"]) == ("comander", ["Sneak", "Снайпер"])
    assert entry["items"] == [{"name": "Stimpak", "mods": ["Long Barrel", "wrong"], "count": 1}]
    assert document["cards"] == [{"kind": "Quest", "name": ""}]


def test_unreadable_parts_are_reported_with_their_place() -> None:
    board = {"name": "Board"}
    for wrong, place in (
        ([], "the file"), ({}, "system"), (EXAMPLE | {"system": "chess"}, "system"),
        (EXAMPLE | {"edition": "1997"}, "edition"), (EXAMPLE | {"colour": "red"}, "colour"),
        (EXAMPLE | {"models": ["Piper"]}, "model 1"), (EXAMPLE | {"faction": " "}, "faction"),
        (EXAMPLE | {"name": "a\nb"}, "name"), (EXAMPLE | {"name": "\ud800"}, "name"),
        (EXAMPLE | {"cards": [{"kind": "Quest"}] * 201}, "This list is too large: cards"),
        (with_model(heroic=1), "model 1 (Piper), heroic"), (with_model(leader_card=""), "model 1 (Piper), leader card"),
        *((with_model(count=count), "model 1 (Piper), count") for count in (True, 1.0, 0, 100)),
        (with_model(items=[board] * 61), "This list is too large: model 1 (Piper), items"),
        (with_model(items=[board | {"count": -1}]), "model 1 (Piper), item 1 (Board), count"),
        (with_model(items=[board | {"mods": "Spiked"}]), "model 1 (Piper), item 1 (Board), mods"),
        (with_model(perks=[3]), "model 1 (Piper), perk 1"),
        (EXAMPLE | {"models": [{"name": "Piper", "count": 99}] * 6}, "This list is too large: 594 models"),
    ):  # fmt: skip
        (fault, *more) = faults(wrong)
        assert fault.startswith(place + (": " if "594" not in place else "")) and (not more or wrong == {}), fault
    assert faults(with_model(count=100)) == ("model 1 (Piper), count: is 100, at most 99 can be",)
    assert len(faults(EXAMPLE | {"models": [{}, {}], "cards": 3})) == 3
    many = faults(EXAMPLE | {"models": [{} for _ in range(100)]})
    assert (len(many), many[-1]) == (13, "and 88 more")


def test_ambiguous_json_is_refused() -> None:
    for data, words in (
        (b"", "empty"), (b"x", "line 1, column 1"), (b'{"a":1,\n"b"}', "line 2, column 4"), (b'{"a": NaN}', "NaN"),
        (b"[-Infinity]", "-Infinity"), (b'{"a": 1, "a": 2}', "“a”"), (b"\xff\xfe{}", "UTF-8"),
        (b"[" * 100_000, "nested too deeply"), (b"9" * 5000, "too long"), (b" " * (MOST_BYTES + 1), "2000001"),
    ):  # fmt: skip
        with pytest.raises(UnreadableForce) as caught:
            read_json(data)
        (fault,) = caught.value.faults
        assert fault.startswith("the file: ") and words in fault
    assert read_json(b"\xef\xbb\xbf" + json.dumps(EXAMPLE).encode()) == EXAMPLE, "a byte order mark is no fault"


def test_first_repeated_key_or_odd_number_is_found() -> None:
    assert first_odd('{"a": 1,\n "b": {"a": 2,\n "a": 3}') == (("b", "a"), 3, '"a"')
    assert first_odd('{"a": 1,\n "\\u0061": 2}') == (("a",), 2, '"\\u0061"'), "the same key, written otherwise"
    assert first_odd("[1,\n NaN]") == ((1,), 2, "NaN")
    assert first_odd('["NaN", {"a": 1}, {"a": 2}]') is None
    assert first_odd('{"a": 1, "b\\x": 2, "a": 3}') is None, "a broken escape ends the walk"


@pytest.mark.slow
@given(st.randoms(use_true_random=False), JSON | st.floats())
def test_odd_value_anywhere_is_read_or_refused_with_a_sentence(dice: Random, value: Any) -> None:
    parsed = deepcopy(EXAMPLE)
    node, key = dice.choice(spots(parsed))
    node[key] = value
    try:
        document = read_force(parsed)
    except UnreadableForce as refused:
        assert refused.faults
        assert all(": " in fault or fault.startswith("and ") for fault in refused.faults)
    else:
        check_force(document, 500)


def value_places(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(place for step, part in inner for place in value_places(part, (*here, step)))]


@given(JSON, st.booleans())
def test_lines_of_values_are_those_of_indented_json(value: Any, ascii_only: bool) -> None:
    """Indented JSON has one key or list entry on each line, except closing brackets."""
    text = json.dumps(value, indent=1, ensure_ascii=ascii_only)
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if line.strip().rstrip(",") not in ("]", "}")]
    assert list(lines_of(text, value_places(value)).values()) == numbers


@given(st.text(alphabet='{}[],:"\\ab1 \n', max_size=40))
def test_lines_of_broken_texts_are_found_without_an_error(text: str) -> None:
    assert lines_of(text, [(), ("a", 0, "b")])[()] >= 1
    first_odd(text)
