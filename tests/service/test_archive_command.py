"""``overseer archive`` and ``overseer archive-in``: from one data folder into another, and everything else in words."""

import shutil
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Shell = Callable[..., Result]


def test_an_event_moves_from_one_folder_to_another(shell: Shell, tmp_path: Path, migrated_sqlite: Path) -> None:
    shell("demo", "--players", "4", "--rounds", "2")
    file, again = tmp_path / "event.json", tmp_path / "again.json"
    written = shell("archive", "wasteland-open", "-o", str(file))
    assert written.exit_code == 0
    assert "It holds lists that are still secret." in written.output
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(migrated_sqlite, other / "overseer.sqlite3")
    (other / "overseer.sqlite3").chmod(0o600)
    taken = shell("archive-in", str(file), OVERSEER_DATA=str(other))
    assert taken.output.splitlines()[0].startswith("Wasteland Open is at http://127.0.0.1:8000/e/wasteland-open")
    assert "The next set-up link makes its owner" in taken.output
    assert shell("replay", "wasteland-open", OVERSEER_DATA=str(other)).output.startswith("equal: ")
    shell("archive", "wasteland-open", "-o", str(again), OVERSEER_DATA=str(other))
    first, second = (
        path.read_text(encoding="utf-8").split('"journal"')[0].split('"at"')[1][60:] for path in (file, again)
    )
    assert first == second

    twice = shell("archive-in", str(file), OVERSEER_DATA=str(other))
    assert twice.exit_code == 1
    assert twice.output.startswith("Error: Other players here have the numbers of this event’s players")


def test_what_goes_wrong_is_told_in_words(shell: Shell, tmp_path: Path) -> None:
    assert "There is no event “nothing”" in shell("archive", "nothing").output
    missing = shell("archive-in", str(tmp_path / "missing.json"))
    assert missing.exit_code == 1
    assert "missing.json cannot be read: No such file or directory" in missing.output
    broken = tmp_path / "broken.json"
    broken.write_bytes(b'{"format": "overseer-event/1", "tables"')
    said = shell("archive-in", str(broken)).output
    assert "broken.json cannot be imported." in said
    assert "the file: not JSON at line 1, column 40" in said
    shell("demo", "--players", "2", "--rounds", "1")
    folder = shell("archive", "wasteland-open", "-o", str(tmp_path / "no" / "such" / "place.json"))
    assert "place.json cannot be written" in folder.output
    whole = tmp_path / "whole.json"
    shell("archive", "wasteland-open", "-o", str(whole))
    assert "There is no account “Zed” here." in shell("archive-in", str(whole), "--owner", "Zed").output
