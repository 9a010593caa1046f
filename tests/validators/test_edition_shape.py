"""The edition file's JSON Schema against the reader, round trips of made-up editions, and files made to cost time."""

import json
from random import Random

import jsonschema
import pytest
from pydantic import ValidationError

from tests.validators.edition_documents import damaged, data_of, random_edition
from validators.battle_mode.edition import DATA, EditionFile
from validators.battle_mode.edition_file import read_edition
from validators.contract import UnreadableEdition

pytestmark = pytest.mark.slow

CHECKER = jsonschema.Draft202012Validator(
    EditionFile.model_json_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)


def has_the_shape(document: object) -> bool:
    try:
        EditionFile.model_validate(document)
    except ValidationError:
        return False
    return True


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
