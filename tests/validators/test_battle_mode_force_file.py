"""The force file: its shape, its schema, and what is unreadable in it."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import check_force, read_force
from validators.battle_mode.force import force_schema
from validators.contract import UnreadableForce
from validators.strict_json import MOST_BYTES, read_json

SCHEMA = Path(__file__).parents[2] / "docs" / "force.schema.json"
EXAMPLE: dict[str, Any] = {
    "system": "battle_mode",
    "edition": "2018-08",
    "faction": "Survivors",
    "models": [
        {
            "name": "Piper",
            "heroic": True,
            "leader": True,
            "leader_card": "Commander",
            "perks": ["Sneak"],
            "items": [
                {"name": "Pipe Pistol", "mods": ["Long Barrel"]},
                {"name": "Baseball Grenade", "count": 3},
            ],
        }
    ],
    "cards": [],
}


def faults(parsed: object) -> tuple[str, ...]:
    with pytest.raises(UnreadableForce) as caught:
        read_force(parsed)
    return caught.value.faults


def with_model(**fields: object) -> dict[str, Any]:
    return EXAMPLE | {"models": [{"name": "Piper"} | fields]}


def test_the_schema_in_docs_is_current() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == force_schema()


def test_the_example_fits_the_schema_and_a_wrong_one_does_not() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    check.validate(EXAMPLE)
    check.validate(read_force(EXAMPLE))
    for wrong in (
        EXAMPLE | {"more": 1},
        with_model(count=0),
        with_model(items=[{"name": ""}]),
        with_model(heroic=1),
    ):
        assert not check.is_valid(wrong)
        assert faults(wrong)


def test_the_canonical_document() -> None:
    assert read_force(EXAMPLE) == {
        "system": "battle_mode",
        "edition": "2018-08",
        "name": "",
        "faction": "Survivors",
        "models": [
            {
                "name": "Piper",
                "heroic": True,
                "leader": True,
                "leader_card": "Commander",
                "perks": ["Sneak"],
                "items": [
                    {"name": "Pipe Pistol", "mods": ["Long Barrel"], "count": 1},
                    {"name": "Baseball Grenade", "mods": [], "count": 3},
                ],
            }
        ],
        "cards": [],
    }


def test_the_canonical_document_reads_as_itself() -> None:
    document = read_force(EXAMPLE)
    assert read_force(json.loads(json.dumps(document))) == document


def test_known_names_get_the_editions_spelling_and_unknown_ones_keep_theirs() -> None:
    document = read_force(
        {
            "system": "battle_mode",
            "edition": "2018-08",
            "faction": "super  mutants",
            "name": " Grün ",
            "models": [
                {
                    "name": "x6-88 courier",
                    "leader_card": "comander",
                    "perks": ["sneak", "Снайпер"],
                    "items": [{"name": "STIMPACK", "mods": ["long  barrel", "wrong"]}],
                }
            ],
            "cards": [{"kind": "Quest"}],
        }
    )
    model = document["models"][0]
    assert (document["faction"], document["name"], model["name"]) == (
        "Super Mutants",
        "Grün",
        "X6-88 Courser",
    )
    assert (model["leader_card"], model["perks"]) == ("comander", ["Sneak", "Снайпер"])
    assert model["items"] == [{"name": "Stimpak", "mods": ["Long Barrel", "wrong"], "count": 1}]
    assert document["cards"] == [{"kind": "Quest", "name": ""}]


def test_a_counted_model_is_read_as_so_many_models_that_do_not_share_a_list() -> None:
    document = read_force(with_model(count=3, perks=["Sneak"]))
    assert [model["name"] for model in document["models"]] == ["Piper"] * 3
    document["models"][0]["perks"].append("Medic")
    assert document["models"][1]["perks"] == ["Sneak"]


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ([], "the file: a force is a JSON object"),
        ({}, "system: is missing"),
        (EXAMPLE | {"system": "chess"}, "system: is not 'battle_mode'"),
        (EXAMPLE | {"edition": "1997"}, "edition: '1997' stands there"),
        (EXAMPLE | {"edition": 2018}, "edition: is not text"),
        (EXAMPLE | {"colour": "red"}, "colour: is not a field of the force file"),
        (EXAMPLE | {"models": None}, "models: is not a list"),
        (EXAMPLE | {"models": ["Piper"]}, "models[0]: is not an object"),
        (EXAMPLE | {"faction": " "}, "faction: is empty"),
        (EXAMPLE | {"faction": "x" * 81}, "faction: is longer than 80 characters"),
        (EXAMPLE | {"name": "a\u0000b"}, "name: holds a control character"),
        (EXAMPLE | {"name": "a\nb"}, "name: holds a control character"),
        (EXAMPLE | {"name": "\ud800"}, "name: is not valid text (half of a surrogate pair)"),
        (EXAMPLE | {"cards": [{"name": "x"}]}, "cards[0].kind: is missing"),
        (EXAMPLE | {"cards": [{"kind": "Quest"}] * 201}, "This list is too large: cards: holds more than 200 entries"),
        (with_model(heroic=1), "models[0].heroic: is neither true nor false"),
        (with_model(leader="yes"), "models[0].leader: is neither true nor false"),
        (with_model(leader_card=""), "models[0].leader_card: is empty"),
        (with_model(count=True), "models[0].count: is not a whole number"),
        (with_model(count=1.0), "models[0].count: is not a whole number"),
        (with_model(count=0), "models[0].count: is 0, at least 1"),
        (with_model(count=100), "models[0].count: is 100, at most 99"),
        (with_model(count=10**30), "models[0].count: is a number far too large, at most 99"),
        (
            with_model(items=[{"name": "Board"}] * 61),
            "This list is too large: models[0].items: holds more than 60 entries",
        ),
        (
            with_model(items=[{"name": "Board", "count": -1}]),
            "models[0].items[0].count: is -1, at least 1",
        ),
        (with_model(items=[{"name": "Board", "mods": "Spiked"}]), "models[0].items[0].mods: is not a list"),
        (with_model(perks=[3]), "models[0].perks[0]: is not text"),
        (EXAMPLE | {"models": [{"name": "Piper", "count": 99}] * 6}, "This list is too large: 594 models"),
    ],
)
def test_what_is_unreadable_and_how_it_is_said(wrong: object, fault: str) -> None:
    assert faults(wrong)[0].startswith(fault)


def test_all_faults_are_told_but_not_without_end() -> None:
    assert len(faults(EXAMPLE | {"models": [{}, {}], "cards": 3})) == 3
    many = faults(EXAMPLE | {"models": [{} for _ in range(100)]})
    assert len(many) == 13
    assert many[-1] == "and 88 more"


@pytest.mark.parametrize(
    "illegal",
    [
        EXAMPLE | {"models": []},
        EXAMPLE | {"faction": "The Enclave"},
        EXAMPLE | {"models": [{"name": "A", "leader": True}, {"name": "B", "leader": True}]},
        with_model(items=[{"name": "Board", "mods": ["Spiked", "Spiked"]}]),
        EXAMPLE | {"cards": [{"kind": "Quest", "name": "Anything"}]},
    ],
)
def test_an_illegal_force_is_readable(illegal: dict[str, Any]) -> None:
    assert read_force(illegal)["edition"] == "2018-08"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "the file: not JSON at line 1, column 1"),
        (b'{"a":1,\n"b"}', "the file: not JSON at line 2, column 4"),
        (b'{"a": NaN}', "the file: NaN is no JSON number"),
        (b"[-Infinity]", "the file: -Infinity is no JSON number"),
        (b'{"a": 1, "a": 2}', "the file: the key 'a' stands twice"),
        (b"\xff\xfe{}", "the file: not UTF-8 text (byte 0)"),
        (b"[" * 100_000, "the file: nested too deeply"),
        (b"9" * 5000, "the file: a number in it is too long"),
        (b" " * (MOST_BYTES + 1), "the file: 2000001 bytes"),
    ],
)
def test_json_that_has_no_one_meaning_is_refused(data: bytes, fault: str) -> None:
    with pytest.raises(UnreadableForce) as caught:
        read_json(data)
    assert caught.value.faults[0].startswith(fault)


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read_json(b"\xef\xbb\xbf" + json.dumps(EXAMPLE).encode()) == EXAMPLE


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["2018-08", "Piper"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["system", "edition", "faction", "models", "name", "items", "mods", "count", "cards", "kind"]
            )
            | st.text(st.characters(), max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from([*EXAMPLE, "name", "\ud800", "x"]), JSON_VALUES))
def test_any_json_is_read_or_refused_with_a_sentence(parts: dict[str, Any]) -> None:
    try:
        document = read_force(EXAMPLE | parts)
    except UnreadableForce as refused:
        assert refused.faults
        assert all(": " in fault or fault.startswith("and ") for fault in refused.faults)
    else:
        check_force(document, 500)
