"""``overseer roster check`` on files of other programs."""

import json
from pathlib import Path

import click.testing
import pytest

from service.commands.roster import roster
from tests.validators.imports.rosters import BATTLESCRIBE_TEXT, BUILDER_TEXT, JSON_SAMPLE, SAMPLE, rosz

EDITION = ("--edition", "2018-08")
FILES: dict[str, tuple[bytes, int, int]] = {
    "list.ros": (SAMPLE, 0, 450),
    "list.rosz": (rosz(SAMPLE), 0, 450),
    "list.txt": (BATTLESCRIBE_TEXT.encode(), 0, 450),
    "builder.txt": (BUILDER_TEXT.encode(), 1, 382),
    "recruit.json": (json.dumps(JSON_SAMPLE).encode(), 1, 235),
}


def run(*arguments: str, given: bytes | None = None) -> click.testing.Result:
    return click.testing.CliRunner().invoke(roster, ["check", *EDITION, *arguments], input=given)


@pytest.mark.parametrize("name", FILES)
def test_each_format_is_judged(tmp_path: Path, name: str) -> None:
    data, status, total = FILES[name]
    path = tmp_path / name
    path.write_bytes(data)
    result = run(str(path), "--size", "500", "--json")
    answer = json.loads(result.output)
    assert (result.exit_code, answer["legal"], answer["total"]) == (status, status == 0, total)
    assert set(answer) == {"legal", "total", "problems", "queries", "format", "stated", "notes"}
    assert run("-", "--size", "500", "--json", given=data).output == result.output


def test_people_are_told_what_was_understood(tmp_path: Path) -> None:
    path = tmp_path / "list.ros"
    path.write_bytes(SAMPLE)
    assert run(str(path), "--size", "500").output.splitlines() == [
        f"✓ LEGAL  {path}: 450 of 500 Caps",
        "    read as BattleScribe roster (.ros); the file says 450 Caps",
        "    Dog Bite: built into Dogmeat Scout, not bought; left out.",
        "    Piper was taken as the Leader, for the Leader card Commander.",
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04 and no more", "the archive: damaged"),
        (b"<svg/>", "the file: its outermost tag is <svg>"),
        (b"null", "the file: a force is a JSON object"),
        (b"a letter to nobody in particular", "the file: neither a force file nor the list of a program"),
    ],
)
def test_what_is_no_force_is_unreadable(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "list.ros"
    path.write_bytes(data)
    result = run(str(path), "--json")
    assert result.exit_code == 2
    assert json.loads(result.output)["error"].startswith(words)


def test_the_edition_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "list.ros"
    path.write_bytes(SAMPLE)
    assert run(str(path), "--size", "500").exit_code == 0
    wrong = run(str(path), "--edition", "1999")
    assert wrong.exit_code == 2
    assert "'1999' is neither a file that can be read nor one of 2018-08, 2021-01" in wrong.output
