"""``overseer pair``: its input, output, exit status and errors."""

import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from events.pairing.files import DrawRequest, read_request
from events.pairing.request import Format, Request, to_document
from events.pairing.seats import Levels
from events.pairing.tables import Room
from service.commands.pair import pair
from tests.kit.fields import random_field

ROOT = Path(__file__).parents[2]
ISSUE: dict[str, Any] = {
    "round": 4,
    "seats": [
        {"id": "p1", "points": 6, "club": "Reds", "byes": 0, "floats": 0, "opponents": ["p2", "p9"], "tables": [3, 1]},
        {"id": "p2", "points": 6, "opponents": ["p1"]},
        {"id": "p3", "points": 6},
        {"id": "p7", "points": 6},
        {"id": "p9", "byes": 1},
    ],
    "keep_apart": [["p3", "p7"]],
    "avoid_clubs": "first_round",
}


def run(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(pair, arguments, input=given)


def written(folder: Path, text: str, name: str = "round.json") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_round_as_json(tmp_path: Path) -> None:
    result = run(written(tmp_path, json.dumps(ISSUE, indent=1)), "--seed", "9", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    for text in ("\n" + json.dumps(ISSUE, indent=2), "\ufeff" + json.dumps(ISSUE)):
        assert run("-", "--json", "--seed", "9", given=text.encode()).stdout == result.stdout
    document = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    bye = document["bye"]
    assert bye in {"p1", "p2", "p3", "p7"}
    assert sorted([*document["pairs"][0], *document["pairs"][1], bye]) == ["p1", "p2", "p3", "p7", "p9"]
    assert document["levels"] == asdict(Levels(bye_height=1, distance=1))
    assert document["certificate"] == {"proven": True, "by": "minimum-weight perfect matching on the complete graph"}
    down = document["pairs"][1]
    assert document["notes"] == [
        f"{down[0]} - {down[1]}: pair-down from 6 to 0 points: an odd number (3) on 6 points or more",
        f"{bye}: bye: lowest group without an earlier bye (6 points)",
    ]
    assert (document["seed"], document["algorithm"]) == (9, "overseer-swiss/2")


def test_a_round_for_people(tmp_path: Path) -> None:
    result = run(written(tmp_path, json.dumps({"round": 1, "seats": [{"id": "Ann"}, {"id": "Bo"}, {"id": "Cy"}]})))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Round 1: 3 players, seed 0"
    assert lines[2].split() == ["player", "points", "player", "points", "notes"]
    assert lines[4].endswith("(bye)           bye: lowest group without an earlier bye (0 points)")
    assert lines[6].startswith("rematches 0, second byes 0, bye height 0, distance 0, ")
    assert lines[7] == "proven best: minimum-weight perfect matching on the complete graph"


def test_json_lines_are_drawn_line_by_line(tmp_path: Path) -> None:
    draws = [{"round": 1, "seats": [{"id": f"p{i}"} for i in range(n)]} for n in (2, 0, 5)]
    text = "\n\n".join(json.dumps(d) for d in draws) + "\n"
    from_file = run(written(tmp_path, text, "all.jsonl"), "--json")
    assert from_file.exit_code == 0
    assert [len(json.loads(line)["pairs"]) for line in from_file.stdout.splitlines()] == [1, 0, 2]
    assert run("-", "--json", given=text).stdout == from_file.stdout
    people = run("-", given=text)
    assert people.stdout.count("Round 1: ") == 3


def test_the_seed_is_that_of_the_option_of_the_file_or_0() -> None:
    def drawn(document: dict[str, Any], *more: str) -> Any:
        return json.loads(run("-", "--json", *more, given=json.dumps(document)).stdout)

    field = {"round": 1, "seats": [{"id": f"p{i}"} for i in range(30)]}
    assert drawn(field | {"seed": 5}) == drawn(field, "--seed", "5") != drawn(field, "--seed", "6")
    assert drawn(field | {"seed": 5}, "--seed", "6") == drawn(field, "--seed", "6")
    assert drawn(field) == drawn(field, "--seed", "0")
    assert drawn(field)["seed"] == 0


@given(seed=st.integers(0, 10**6), method=st.sampled_from(["random", "standing", "fold"]))
@settings(max_examples=25, deadline=None)
def test_a_written_request_is_read_back_unchanged(seed: int, method: Any) -> None:
    field = random_field(seed, 1, 12)
    rules = replace(
        field.rules, method=method, off=("repeat_floats",), banned=("rematches",), locked=(("x", None), ("y", "z"))
    )
    seats = tuple(replace(s, rank=7, scenarios=("raiders",), fixed_table=4, tables=(1, 1)) for s in field.seats)
    room = Room((4, 2), top_first=False, scenarios=("raiders", "outpost"))
    asked = Request(field.round_number, seats, seed, rules, room, Format("round_robin", ("x", "y"), "lot", (("x",),)))
    assert read_request(json.dumps(to_document(asked)).encode()) == asked


def seat(**more: object) -> str:
    return json.dumps({"round": 1, "seats": [{"id": "a"}, {"id": "b", **more}]})


REFUSED = (
    ("{", "", "Invalid JSON: EOF"),
    ("[" * 100_000, "", "Invalid JSON: recursion limit exceeded"),
    ("[]", "", "should be an object"),
    ('{"seats":[]}', "round: ", "Field required"),
    ('{"round":"1","seats":[]}', "round: ", "valid integer"),
    ('{"round":1,"seats":[],"rounds":4}', "rounds: ", "Extra inputs are not permitted"),
    ('{"round":1,"seats":[],"keep_apart":[["a"]]}', "keep_apart[0][1]: ", "Field required"),
    ('{"round":1,"seats":[],"rules":{},"avoid_clubs":"never"}', "", "inside of rules or outside, not in both places"),
    ('{"round":1,"seats":[],"rules":{"off":["lots"]}}', "rules.off[0]: ", "'rematches', "),
    ('{"round":1,"seats":[{"id":"a"},{"id":"b"}],"room":{"tables":[1,1]}}', "", "a table is listed twice"),
    (seat(points=float("nan")), "seats[1].points: ", ""),
    (seat(points=10**400), "seats[1].points: ", ""),
    (seat(floats=2**63), "seats[1].floats: ", "less than or equal to 1000"),
    (seat(id="\x1b[2J"), "seats[1].id: ", "match pattern"),
    (seat(opponents=["b"]), "", "seat 'b' stands among its own opponents"),
    (json.dumps({"round": 1, "seats": [{"id": str(i)} for i in range(4097)]}), "seats: ", "at most 4096 items"),
    ('{"round":1,"seats":[{"id":"\\ud800"}]}', "", "Invalid JSON"),
)


def test_bad_input_is_refused_with_its_place() -> None:
    for text, place, words in REFUSED:
        result = run("-", "--json", given=text)
        assert (result.exit_code, result.stdout) == (2, ""), text[:80]
        assert isinstance(result.exception, SystemExit)
        assert result.stderr.startswith(f"standard input: {place}"), text[:80]
        assert words in result.stderr
        assert result.stderr.count("\n") == 1


def test_bad_lines_empty_and_missing_files_are_refused(tmp_path: Path) -> None:
    good = json.dumps({"round": 1, "seats": []})
    file = written(tmp_path, f'{good}\n\n{{"round":1}}\n{good}\n[]\n', "all.jsonl")
    result = run(file, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        f"{file}:3: seats: Field required",
        f"{file}:5: Input should be an object",
    ]
    many = run("-", given=json.dumps({"round": 1, "seats": [{}] * 2000})).stderr
    assert (len(many.splitlines()), many.endswith("... and 1980 more\n")) == (21, True)
    empty = run(written(tmp_path, "\n", "none.jsonl"))
    assert (empty.exit_code, empty.stderr.endswith("contains no draw\n")) == (2, True)
    for bad, words in ((tmp_path / "missing.json", "No such file or directory"), (tmp_path, "Is a directory")):
        refused = run(str(bad))
        assert (refused.exit_code, refused.stderr) == (2, f"{bad}: {words}\n")


def test_the_published_schema_is_that_of_the_reader() -> None:
    """Written by: python -c "import json; from events.pairing.files import DrawRequest as d;
    print(json.dumps(d.model_json_schema(), indent=2, sort_keys=True))" > docs/draw.schema.json"""
    schema = json.loads((ROOT / "docs" / "draw.schema.json").read_text(encoding="utf-8"))
    assert schema == DrawRequest.model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(ISSUE, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(ISSUE | {"rounds": 4}, schema)


def test_pair_and_verify_load_no_web_and_no_database() -> None:
    code = (
        "import sys, service.commands.pair; "
        "print([m for m in ('flask', 'sqlalchemy', 'sqlmodel', 'wtforms', 'validators') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
