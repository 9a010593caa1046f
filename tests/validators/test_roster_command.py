"""The command ``overseer roster check``: exit codes, output as text and JSON, and unreadable input."""

import json
from pathlib import Path
from typing import Any

import click.testing

from service.commands.roster import roster
from tests.kit.lists import PIPER
from tests.kit.own_editions import ID, SYSTEM, club_document, data_of
from tests.validators.imports.rosters import SAMPLE

PALADIN = {"name": "Paladin", "leader": True, "items": [{"name": "Minigun"}]}
HEAVY = [PALADIN, {"name": "Knight", "items": [{"name": "Gatling Laser"}]}]
ILLEGAL: dict[str, dict[str, Any]] = {
    "bm.heavy": PIPER | {"faction": "Brotherhood of Steel", "models": HEAVY},
    "bm.banned": PIPER | {"cards": [{"kind": "Quest", "name": "Anything"}]},
}


def run(*arguments: str, given: str | bytes | None = None) -> click.testing.Result:
    return click.testing.CliRunner().invoke(roster, ["check", *arguments], input=given)


def written(folder: Path, name: str, *forces: object) -> str:
    path = folder / name
    path.write_text("\n".join(json.dumps(force) for force in forces), encoding="utf-8")
    return str(path)


def test_illegal_forces_are_reported_as_json_and_as_text(tmp_path: Path) -> None:
    for rule, force in ILLEGAL.items():
        file = written(tmp_path, "force.json", force)
        result = run(file, "--size", "500", "--json")
        answer = json.loads(result.output)
        assert (result.exit_code, answer["legal"]) == (1, False), rule
        (problem,) = answer["problems"]
        assert problem["rule"] == rule
        assert set(problem) == {"rule", "message", "figures", "models", "mend"}
        if rule == "bm.heavy":
            assert problem["figures"] == {"used": 2, "allowed": 1, "size": 500}
            assert problem["models"] == ["Paladin", "Knight"]
        human = run(file, "--size", "500")
        assert human.exit_code == 1
        assert human.output.startswith(f"✗ ILLEGAL  {file}: {answer['total']} of 500 Caps\n")
        assert f"  ✗ {rule}: {problem['message']}\n" in human.output and problem["mend"] in human.output


def test_default_size_is_that_of_the_game(tmp_path: Path) -> None:
    file = written(tmp_path, "force.json", ILLEGAL["bm.heavy"])
    result = run(file)
    assert (result.exit_code, "of 750 Caps" in result.output) == (0, True)
    army = {"system": "fallout_warfare", "edition": "2001-03", "faction": "Brotherhood of Steel", "squads": []}
    assert "of 200 points" in run(written(tmp_path, "army.json", army)).output
    for wrong in ("0", "-5", "many"):
        assert run(file, "--size", wrong).exit_code == 2


def test_json_lines_are_answered_in_order_and_the_worst_decides_the_exit_code(tmp_path: Path) -> None:
    lines = tmp_path / "forces.JSONL"
    lines.write_text(f"{json.dumps(PIPER)}\r\n\n  \n{{nonsense\n{json.dumps(ILLEGAL['bm.banned'])}")
    piper = written(tmp_path, "piper.json", PIPER)
    result = run(str(lines), piper, "--json")
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 2
    assert [answer["legal"] for answer in answers] == [True, False, False, True]
    assert [answers[3][key] for key in ("total", "problems", "queries")] == [166, [], []]
    nothing = {"legal": False, "total": None, "problems": [], "queries": [], "error": answers[1]["error"]}
    assert answers[1] == {"file": str(lines), "line": 4} | nothing
    assert answers[1]["error"].startswith("the file: not JSON")
    human = run(str(lines), piper).output
    assert f"✓ LEGAL  {lines}, line 1: 166 of 750 Caps" in human
    assert f"! UNREADABLE  {lines}, line 4\n" in human


def test_file_of_another_program_is_checked_with_notes_on_its_import(tmp_path: Path) -> None:
    path = tmp_path / "list.ros"
    path.write_bytes(SAMPLE)
    result = run(str(path), "--edition", "2018-08", "--size", "500", "--json")
    answer = json.loads(result.output)
    assert (result.exit_code, answer["legal"], answer["total"], answer["stated"]) == (0, True, 450, 450)
    understood = {"system", "edition", "format", "stated", "notes", "lines", "questions"}
    assert (answer["system"], answer["edition"]) == ("battle_mode", "2018-08")
    assert set(answer) == {"file", "line", "legal", "total", "problems", "queries"} | understood
    again = json.loads(run("-", "--edition", "2018-08", "--size", "500", "--json", given=SAMPLE).output)
    assert again == answer | {"file": "standard input"}
    shown = run(str(path), "--edition", "2018-08", "--size", "500").output.splitlines()
    assert "      1 read: Piper [76 Caps] -> Piper, Leader [76]" in shown
    assert [*shown[:3], next(line for line in shown if "for the card" in line)] == [
        f"✓ LEGAL  {path}: 450 of 500 Caps",
        "    taken for a list of Battle Mode (“Force lists 1.0, August 2018”); --edition names another",
        "    read as BattleScribe roster (.ros); the file says 450 Caps",
        "    Piper is taken as the Leader, for the card",
    ]


def test_unreadable_files_have_their_own_exit_code(tmp_path: Path) -> None:
    path, lines = tmp_path / "force.json", tmp_path / "force.jsonl"
    for data, error in (
        *((data, "the file: ") for data in (b"", b"[]", b"[" * 100_000, b'{"system": NaN}', b"\xff", b" " * 2_100_000)),
        (b"{}", "system: is missing; known: battle_mode"), (b'{"system": ["battle_mode"]}', "system: "),
        (b'{"system": "battle_mode"}', "edition: is missing"), (b'{"system": "\\ud800"}', "system: '\\ud800'"),
    ):  # fmt: skip
        path.write_bytes(data)
        lines.write_bytes(data)
        result = run(str(path), "--json")
        assert (result.exit_code, json.loads(result.output)["error"].startswith(error)) == (2, True), data[:50]
        assert run(str(path)).output.startswith("! UNREADABLE")
        assert run(str(lines)).exit_code == 2
    for file in ("", "missing.json", "missing.jsonl", "."):
        result = run(str(tmp_path / file), "--json")
        assert (result.exit_code, json.loads(result.output)["error"].startswith("the file: ")) == (2, True), file


def test_other_letters_are_escaped_on_an_ascii_terminal() -> None:
    force = json.dumps(PIPER | {"models": [{"name": "Ёж", "leader": True}]}).encode()
    shown = click.testing.CliRunner(charset="ascii").invoke(roster, ["check", "-"], input=force)
    assert (shown.exit_code, "\\u0401\\u0436: no model of this name" in shown.output) == (1, True)


def test_forces_are_judged_by_an_edition_file(tmp_path: Path) -> None:
    club = str(tmp_path / "club.json")
    Path(club).write_bytes(data_of(club_document()))

    def judged(path: Path, *more: str) -> tuple[int, int]:
        result = run(str(path), "--size", "170", *more, "--json")
        return result.exit_code, json.loads(result.output)["total"]

    force, text, info = tmp_path / "force.json", tmp_path / "force.txt", SYSTEM.edition("2018-08")
    force.write_text(json.dumps(PIPER | {"edition": ID}))
    assert (
        "'club-2027' is not a known edition; known: 2024-community, 2022-community, 2018-08, 2021-01"
        in run(str(force)).output
    )
    assert judged(force, "--edition", club) == (1, 173)
    force.write_text(json.dumps(PIPER))
    assert judged(force, "--edition", club) == (0, 166), "a force that names one keeps it"
    text.write_bytes(SYSTEM.forces.files.export(SYSTEM.forces.read(PIPER, info), info, "txt"))
    assert [judged(text, *more)[1] for more in (("--edition", "2018-08"), ("--edition", club))] == [166, 173]
    broken, said = tmp_path / "broken.json", 'line 5, date: is not a date like "2018-08-20"'
    broken.write_bytes(data_of(club_document() | {"date": "soon"}))
    result = run("x.json", "--edition", str(broken))
    assert (result.exit_code, said in result.output) == (2, True)
    assert (
        "'2017-01' is no readable file and no edition. Editions: 2024-community, 2022-community, 2018-08, 2021-01"
        in run("x.json", "--edition", "2017-01").output
    )
