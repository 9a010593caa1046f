"""The archive's JSON Schema: every archive of this version fits, and it notices what is wrong, as the import does."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

import migrations
from tests.kit.person import Person
from tests.kit.routes import begin
from tests.kit.stage import Event, Stage

pytestmark = pytest.mark.fast
Document = dict[str, Any]


@pytest.fixture
def archive(stage: Stage, olga: Person, event: Event) -> Document:
    stage.enter(event, "Ada", "Bo")
    begin(stage, event)
    found: Document = json.loads(olga.ask("GET", "/e/iron-open/desk/archive.json").data)
    return found


@pytest.fixture
def schema(visitor: Person) -> jsonschema.Draft202012Validator:
    answer = visitor.ask("GET", "/archive.schema.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    found = json.loads(answer.data)
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


CHANGES: tuple[Callable[[Document], object], ...] = (
    lambda d: d["tables"]["player"][0].pop("name"),
    lambda d: d["tables"]["player"][0].update(secret="x"),
    lambda d: d["tables"]["player"][0].update(name=7),
    lambda d: d["tables"]["player"][0].update(state="gone"),
    lambda d: d["tables"]["event"][0].update(starts_on=None),
    lambda d: d["tables"].pop("game"),
    lambda d: d["tables"].update(staff=[]),
    lambda d: d.update(revision="20250101_old"),
    lambda d: d["journal"][0].pop("verb"),
)


def test_archive_fits_its_schema_which_notices_every_change(
    archive: Document, schema: jsonschema.Draft202012Validator
) -> None:
    schema.validate(archive)
    assert archive["revision"] == migrations.head() == schema.schema["properties"]["revision"]["const"]
    assert set(archive["tables"]) == set(schema.schema["$defs"]["Tables"]["required"])
    for change in CHANGES:
        copy = json.loads(json.dumps(archive))
        change(copy)
        assert [*schema.iter_errors(copy)], change


def test_schema_names_columns_as_the_journal_does_and_no_secret(schema: jsonschema.Draft202012Validator) -> None:
    player = schema.schema["$defs"]["player"]["properties"]
    assert player["faction"]["title"] == "faction"
    assert not {"secret", "session_key", "signed_up_from"} & player.keys()
