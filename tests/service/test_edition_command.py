"""``overseer edition`` and ``overseer roster check --edition``, as people script them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.commands.main import overseer
from tests.kit.lists import PIPER
from tests.kit.own_editions import FILES, GONE, ID, NAME, SYSTEM, club_document, data_of
from tests.kit.promises import ROOT


@pytest.fixture
def club(tmp_path: Path) -> str:
    path = tmp_path / "club.json"
    path.write_bytes(data_of(club_document()))
    return str(path)


def run(*words: str) -> Result:
    result = CliRunner().invoke(overseer, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def test_complete_edition_is_reported_in_figures(club: str) -> None:
    result = run("edition", "check", club)
    assert result.exit_code == 0
    assert result.output.splitlines()[0] == f"✓ READ  {club}: {NAME} ({ID}), 2027-01-15"
    assert "38 models, 134 items, 29 mods, 33 perks, 17 leader cards" in result.output
    line = json.loads(run("edition", "check", club, "--json", "--against", "2018-08").output)
    assert (line["edition"]["id"], line["faults"]) == (ID, [])
    assert [row["name"] for row in line["difference"]["rows"]] == [GONE, "Piper", "Sneak"]


def test_each_fault_is_reported_with_its_line_and_other_files_are_read(club: str, tmp_path: Path) -> None:
    broken, said = tmp_path / "broken.json", 'line 5, date: is not a date like "2018-08-20"'
    broken.write_bytes(data_of(club_document() | {"date": "soon"}))
    result = run("edition", "check", str(broken), club, str(tmp_path / "none.json"))
    assert result.exit_code == 2
    lines = result.output.splitlines()
    assert lines[:3] == [f"! UNREADABLE  {broken}", f"    {said}", '      "date": "soon",']
    assert f"✓ READ  {club}: {NAME} ({ID}), 2027-01-15" in lines
    assert lines[-1] == "    the file: No such file or directory"
    line = json.loads(run("edition", "check", str(broken), "--json").output)
    assert (line["edition"], line["faults"]) == (None, [{"says": said, "line": '"date": "soon",'}])
    result = run("roster", "check", "x.json", "--edition", str(broken))
    assert (result.exit_code, said in result.output) == (2, True)


def test_edition_is_written_to_a_new_file_with_another_title(club: str, tmp_path: Path) -> None:
    out = tmp_path / "made.json"
    result = run(
        "edition", "check", club, "--date", "2027-02-01", "--id", "made", "--name", "Made", "--write", str(out)
    )
    assert (result.exit_code, ": Made (made), 2027-02-01" in result.output) == (0, True), result.output
    assert FILES.read(out.read_bytes()).name == "Made"
    again = run("edition", "check", club, "--write", str(out))
    assert (again.exit_code, "File exists" in again.output) == (2, True), "what is there is not written over"
    both = run("edition", "check", club, str(out), "--write", str(tmp_path / "both.json"))
    assert (both.exit_code, "one edition only" in both.output) == (2, True)


def test_differences_of_two_editions_are_reported(club: str) -> None:
    result = run("edition", "diff", "2018-08", club)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == f"{NAME}, compared with Force lists 1.0, August 2018"
    assert {"  Survivors · Piper · Caps: 76 → 83", f"  Survivors · {GONE} · removed: 104 → –"} <= set(lines)
    back = json.loads(run("edition", "diff", club, "2018-08", "--json").output)
    assert back["rows"][0] | {"name": GONE, "what": "added", "before": "", "after": "104"} == back["rows"][0]
    result = run("edition", "diff", club, club)
    assert (result.exit_code, result.output.splitlines()[1:]) == (0, ["    Nothing differs."])
    result = run("edition", "diff", club, "2017-01")
    assert result.exit_code == 2
    assert (
        "'2017-01' is no readable file and no edition. Editions: 2024-community, 2022-community, 2018-08, 2021-01"
        in result.output
    )


def test_forces_are_judged_by_an_edition_file(club: str, tmp_path: Path) -> None:
    def judged(path: Path, *more: str) -> tuple[int, int]:
        result = run("roster", "check", str(path), "--size", "170", *more, "--json")
        return result.exit_code, json.loads(result.output)["total"]

    force, text, info = tmp_path / "force.json", tmp_path / "force.txt", SYSTEM.edition("2018-08")
    force.write_text(json.dumps(PIPER | {"edition": ID}))
    assert (
        "'club-2027' is not a known edition; known: 2024-community, 2022-community, 2018-08, 2021-01"
        in run("roster", "check", str(force)).output
    )
    assert judged(force, "--edition", club) == (1, 173)
    force.write_text(json.dumps(PIPER))
    assert judged(force, "--edition", club) == (0, 166), "a force that names one keeps it"
    text.write_bytes(SYSTEM.forces.files.export(SYSTEM.forces.read(PIPER, info), info, "txt"))
    assert [judged(text, *more)[1] for more in (("--edition", "2018-08"), ("--edition", club))] == [166, 173]


@pytest.mark.slow
def test_no_web_and_no_database_is_loaded(club: str) -> None:
    script = (
        "import sys; from click.testing import CliRunner; from service.commands.main import overseer;"
        f"assert CliRunner().invoke(overseer, ['edition', 'check', {club!r}]).exit_code == 0;"
        "print([m for m in ('flask', 'sqlalchemy', 'wtforms', 'reportlab') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
