"""``overseer roster check`` on files of other programs."""

import json
from pathlib import Path

import click.testing

from service.commands.roster import roster
from tests.validators.imports.rosters import BATTLESCRIBE_TEXT, BUILDER_TEXT, JSON_SAMPLE, SAMPLE, rosz

EDITION = ("--edition", "2018-08")
FILES: dict[str, tuple[bytes, int, int]] = {
    "list.ros": (SAMPLE, 0, 450), "list.rosz": (rosz(SAMPLE), 0, 450),
    "list.txt": (BATTLESCRIBE_TEXT.encode(), 0, 450), "builder.txt": (BUILDER_TEXT.encode(), 1, 382),
    "recruit.json": (json.dumps(JSON_SAMPLE).encode(), 1, 235),
}  # fmt: skip


def run(*arguments: str, given: bytes | None = None) -> click.testing.Result:
    return click.testing.CliRunner().invoke(roster, ["check", *EDITION, *arguments], input=given)


def test_each_format_is_checked(tmp_path: Path) -> None:
    for name, (data, status, total) in FILES.items():
        path = tmp_path / name
        path.write_bytes(data)
        result = run(str(path), "--size", "500", "--json")
        answer = json.loads(result.output)
        assert (result.exit_code, answer["legal"], answer["total"]) == (status, status == 0, total), name
        assert set(answer) == {"legal", "total", "problems", "queries", "format", "stated", "notes"}
        assert run("-", "--size", "500", "--json", given=data).output == result.output


def test_plain_output_says_what_was_understood(tmp_path: Path) -> None:
    path = tmp_path / "list.ros"
    path.write_bytes(SAMPLE)
    assert run(str(path), "--size", "500").output.splitlines() == [
        f"✓ LEGAL  {path}: 450 of 500 Caps",
        "    read as BattleScribe roster (.ros); the file says 450 Caps",
        "    Dog Bite: built into Dogmeat Scout, not bought; left out.",
        "    Piper was taken as the Leader, for the Leader card Commander.",
    ]
