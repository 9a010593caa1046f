"""``overseer roster check`` as people script it: exit codes, both outputs, and bad input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click.testing
import pytest

from service.commands.roster import roster
from tests.kit.forces import sample_force

ROOT = Path(__file__).parents[2]
PIPER: dict[str, Any] = {
    "system": "battle_mode",
    "edition": "2018-08",
    "faction": "Survivors",
    "models": [
        {
            "name": "Piper",
            "heroic": True,
            "leader": True,
            "items": [{"name": "Pipe Pistol"}, {"name": "Pipe Wrench"}, {"name": "Baseball Grenade", "count": 3}],
        }
    ],
}
ILLEGAL: dict[str, tuple[str, dict[str, Any]]] = {
    "two heavy weapons": (
        "bm.heavy",
        PIPER
        | {
            "faction": "Brotherhood of Steel",
            "models": [
                {"name": "Paladin", "leader": True, "items": [{"name": "Minigun"}]},
                {"name": "Knight", "items": [{"name": "Gatling Laser"}]},
            ],
        },
    ),
    "two Leaders": (
        "bm.leader",
        PIPER | {"models": [{"name": "Settler", "leader": True}, {"name": "Dog", "leader": True}]},
    ),
    "an unknown name": ("bm.cost", PIPER | {"models": [{"name": "Pipper", "leader": True}]}),
    "a Quest card": ("bm.banned", PIPER | {"cards": [{"kind": "Quest", "name": "Anything"}]}),
    "another faction's model": ("bm.faction", PIPER | {"models": [*PIPER["models"], {"name": "Paladin"}]}),
}


def run(*arguments: str, given: str | bytes | None = None) -> click.testing.Result:
    return click.testing.CliRunner().invoke(roster, ["check", *arguments], input=given)


def written(folder: Path, name: str, *forces: object) -> str:
    path = folder / name
    path.write_text("\n".join(json.dumps(force) for force in forces), encoding="utf-8")
    return str(path)


def test_the_worked_example(tmp_path: Path) -> None:
    result = run(written(tmp_path, "piper.json", PIPER), "--size", "500", "--json")
    assert result.exit_code == 0
    assert json.loads(result.output) == {"legal": True, "total": 166, "problems": [], "queries": []}


@pytest.mark.parametrize("name", ILLEGAL)
def test_five_illegal_forces(tmp_path: Path, name: str) -> None:
    rule, force = ILLEGAL[name]
    file = written(tmp_path, "force.json", force)
    result = run(file, "--size", "500", "--json")
    answer = json.loads(result.output)
    assert (result.exit_code, answer["legal"]) == (1, False)
    assert [problem["rule"] for problem in answer["problems"]] == [rule]
    assert set(answer["problems"][0]) == {"rule", "message", "figures", "models", "mend"}
    human = run(file, "--size", "500")
    assert human.exit_code == 1
    assert human.output.startswith(f"✗ ILLEGAL  {file}: {answer['total']} of 500 Caps\n")
    assert f"  ✗ {rule}: {answer['problems'][0]['message']}\n" in human.output
    assert answer["problems"][0]["mend"] in human.output


def test_heavy_weapons_are_told_with_their_figures(tmp_path: Path) -> None:
    result = run(written(tmp_path, "force.json", ILLEGAL["two heavy weapons"][1]), "--size", "500", "--json")
    problem = json.loads(result.output)["problems"][0]
    assert problem["message"] == "2 heavy weapons, 1 allowed at 500 Caps"
    assert problem["figures"] == {"used": 2, "allowed": 1, "size": 500}
    assert problem["models"] == ["Paladin", "Knight"]


def test_the_size_is_750_unless_said(tmp_path: Path) -> None:
    file = written(tmp_path, "force.json", ILLEGAL["two heavy weapons"][1])
    result = run(file)
    assert (result.exit_code, "of 750 Caps" in result.output) == (0, True)
    for wrong in ("0", "-5", "many"):
        assert run(file, "--size", wrong).exit_code == 2


def test_lines_in_order_and_the_worst_decides(tmp_path: Path) -> None:
    lines = tmp_path / "forces.JSONL"
    lines.write_text(f"{json.dumps(PIPER)}\r\n\n  \n{{nonsense\n{json.dumps(ILLEGAL['a Quest card'][1])}")
    piper = written(tmp_path, "piper.json", PIPER)
    result = run(str(lines), piper, "--json")
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 2
    assert [answer["legal"] for answer in answers] == [True, False, False, True]
    assert answers[1] == {
        "file": str(lines),
        "line": 4,
        "legal": False,
        "total": None,
        "problems": [],
        "queries": [],
        "error": answers[1]["error"],
    }
    assert answers[1]["error"].startswith("the file: not JSON")
    human = run(str(lines), piper).output
    assert f"✓ LEGAL  {lines}, line 1: 166 of 750 Caps" in human
    assert f"! UNREADABLE  {lines}, line 4\n" in human


def test_standard_input() -> None:
    result = run("-", "--json", given=json.dumps(PIPER))
    assert (result.exit_code, json.loads(result.output)["total"]) == (0, 166)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "the file: not JSON"),
        (b"[]", "the file: a force is a JSON object"),
        (b"{}", "system: is missing; known: battle_mode"),
        (b'{"system": "chess"}', "system: 'chess' is no game known here; known: battle_mode"),
        (b'{"system": ["battle_mode"]}', "system: what stands there is no game"),
        (b'{"system": "battle_mode"}', "edition: is missing"),
        (b'{"system": "battle_mode", "system": "battle_mode"}', "the file: the key 'system' stands twice"),
        (b"[" * 100_000, "the file: nested too deeply"),
        (b'{"system": NaN}', "the file: NaN is no JSON number"),
        (b"\xff", "the file: not UTF-8 text"),
        (b" " * 2_100_000, "the file: 2000001 bytes"),
        (b'{"system": "\\ud800"}', "system: '\\ud800' is no game"),
    ],
)
def test_what_is_unreadable(tmp_path: Path, data: bytes, error: str) -> None:
    path = tmp_path / "force.json"
    path.write_bytes(data)
    result = run(str(path), "--json")
    assert result.exit_code == 2
    assert json.loads(result.output)["error"].startswith(error)
    assert run(str(path)).output.startswith("! UNREADABLE")
    lines = tmp_path / "force.jsonl"
    lines.write_bytes(data)
    assert run(str(lines)).exit_code == 2


@pytest.mark.parametrize("file", ["", "missing.json", "missing.jsonl", "."])
def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path, file: str) -> None:
    result = run(str(tmp_path / file), "--json")
    assert result.exit_code == 2
    assert json.loads(result.output)["error"].startswith("the file: ")


@pytest.mark.slow
def test_a_terminal_that_shows_only_ascii() -> None:
    force = PIPER | {"models": [{"name": "Ёж", "leader": True}]}
    done = subprocess.run(
        [sys.executable, "-c", "from service.commands.roster import roster; roster()", "check", "-"],
        input=json.dumps(force).encode(),
        capture_output=True,
        cwd=ROOT,
        env={"PYTHONIOENCODING": "ascii:strict"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"\\u0401\\u0436: no model of this name" in done.stdout


@pytest.mark.slow
def test_a_thousand_forces_are_checked_in_one_call(tmp_path: Path) -> None:
    factions = ("Survivors", "Brotherhood of Steel", "Super Mutants")
    forces = [sample_force(factions[n % 3], 1000, n % 90) for n in range(1000)]
    file = written(tmp_path, "thousand.jsonl", *forces)
    command = [sys.executable, "-c", "from service.commands.roster import roster; roster()"]
    done = subprocess.run(
        [*command, "check", file, "--size", "1000", "--json"], capture_output=True, cwd=ROOT, check=True
    )
    assert done.stdout.count(b'"legal": true') == 1000


def test_checking_loads_no_web_and_no_database() -> None:
    script = (
        "import sys, service.commands.roster\n"
        "heavy = {'flask', 'sqlalchemy', 'sqlmodel', 'wtforms', 'alembic', 'reportlab'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
