"""The edition file's JSON Schema against the reader, round trips of made-up editions, and files made to cost time."""

import json
import time
from random import Random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.kit.bounds import RUN_AWAY
from tests.validators.edition_documents import damaged, data_of, random_edition
from validators.battle_mode.edition import DATA, EditionFile
from validators.battle_mode.edition_file import edition_document, edition_schema, read_edition
from validators.contract import UnreadableEdition

pytestmark = pytest.mark.slow

CHECKER = jsonschema.Draft202012Validator(
    edition_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)
dice_of = st.integers(0, 2**32).map(Random)


def has_the_shape(document: object) -> bool:
    try:
        EditionFile.model_validate(document)
    except ValidationError:
        return False
    return True


@settings(max_examples=30)
@given(dice_of)
def test_random_editions_survive_their_file(dice: Random) -> None:
    document = random_edition(dice)
    assert CHECKER.is_valid(document)
    edition = read_edition(data_of(document))
    written = edition_document(edition)
    assert CHECKER.is_valid(written)
    assert read_edition(data_of(written)) == edition
    assert json.loads(data_of(edition_document(read_edition(data_of(written))))) == written


def test_schema_and_reader_refuse_the_same_shapes() -> None:
    """15 editions, each damaged 40 times; a schema cannot check names that lead nowhere."""
    dice = Random(2027)
    shaped, misshapen = 0, 0
    for _ in range(15):
        document = random_edition(dice)
        for _ in range(40):
            broken = damaged(document, dice)
            shape = has_the_shape(broken)
            assert CHECKER.is_valid(broken) == shape, broken
            shaped, misshapen = shaped + shape, misshapen + (not shape)
            try:
                read_edition(data_of(broken))
            except UnreadableEdition as refused:
                assert all(shown.startswith("line ") or shown == "and more" for shown in refused.faults), refused.faults
                assert all(len(shown) < 400 and shown.isprintable() for shown in refused.faults), refused.faults
            else:
                assert shape
    assert min(shaped, misshapen) > 100, "both kinds were met"


def test_shipped_editions_fit_the_schema() -> None:
    for path in DATA.glob("edition_*.json"):
        CHECKER.validate(json.loads(path.read_text(encoding="utf-8")))


PIECES = [
    *(b"", b'"', b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"\\", b"\\ud800", b"\n", b"\xff"),
    *(b"null", b"NaN", b"1e999"),
]


@settings(max_examples=40)
@given(dice_of, st.integers(1, 4))
def test_damaged_bytes_are_refused(dice: Random, wounds: int) -> None:
    data = data_of(random_edition(dice))
    for _ in range(wounds):
        start = dice.randrange(len(data) + 1)
        data = data[:start] + dice.choice(PIECES) + data[start + dice.choice([0, 1, 5, 100]) :]
    try:
        read_edition(data)
    except UnreadableEdition as refused:
        assert refused.faults
        assert all(0 < len(shown) < 400 and shown.isprintable() for shown in refused.faults), refused.faults


def hostile() -> dict[str, bytes]:
    """Files near the bound of 2 MB that ask for as much work as they can."""
    base = json.loads(data_of(random_edition(Random(1))))
    rows = [{"name": f"M{n}", "caps": 1, "may_carry": {"R": [f"x{n}"] * 40}} for n in range(500)]
    wide = base | {"factions": [{"name": f"F{n}", "models": rows[:50]} for n in range(50)]}
    depth_and_width = "[" * 900 + "1," * 800_000 + "1" + "]" * 900
    many = {f"Item {n}": 1 for n in range(2000)}
    return {
        "names that lead nowhere": data_of(wide),
        "values of a wrong type": json.dumps(base | {"notes": [0] * 600_000}).encode(),
        "objects of a wrong type": json.dumps(base | {"factions": [{"models": [{"x": 1}] * 500}] * 100}).encode(),
        "depth and width": f'{json.dumps(base)[:-1]}, "x": {depth_and_width}}}'.encode(),
        "long keys": json.dumps(base | {"mods": {"x" * 900 + str(n): 1 for n in range(2000)}}).encode(),
        "near names": json.dumps(
            base
            | {"items": [{"category": "A", "kind": "B", "caps": many}]}
            | {"packs": [{"name": "P", "items": [f"Itme {n}" for n in range(2000)]}]}
        ).encode(),
        "a repeated key at the end": json.dumps(base | {"notes": ["a"] * 300_000}).encode()[:-1] + b', "id": 1}',
    }


def test_hostile_files_are_refused_in_bounded_time() -> None:
    for name, data in hostile().items():
        assert len(data) <= 2_000_000
        start = time.process_time()
        with pytest.raises(UnreadableEdition):
            read_edition(data)
        assert time.process_time() - start < RUN_AWAY, name
