"""``overseer backup`` and ``overseer restore`` as people type them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.browser.server import serving

Shell = Callable[..., Result]


@pytest.fixture
def club(shell: Shell) -> None:
    """A played event of four."""
    assert shell("demo", "--players", "4", "--rounds", "1").exit_code == 0


@pytest.mark.slow
def test_copy_is_made_listed_and_restored(shell: Shell, data: Path, club: None, tmp_path: Path) -> None:
    assert "There is no copy in" in shell("backup", "--list").output
    made = shell("backup")
    assert (made.exit_code, "It contains lists that are still secret." in made.output) == (0, True)
    refused = shell("backup", str(tmp_path / "away" / "copy.sqlite3"))
    assert (refused.exit_code, "No such file or directory" in refused.output) == (1, True), "a disk that is not mounted"
    (tmp_path / "away").mkdir()
    elsewhere = shell("backup", str(tmp_path / "away" / "copy.sqlite3"))
    assert f"{tmp_path}/away/copy.sqlite3: " in elsewhere.output
    (name,) = re.findall(
        r"(overseer-\d{8}T\d{6}Z-asked\.sqlite3)  \(newest\)$", shell("backup", "--list").output.strip()
    )
    assert shell("demo", "--players", "4", "--rounds", "1", "--seed", "9").exit_code == 0

    assert shell("restore", name, input_="n\n").exit_code == 1
    assert "OK: 2 events" in shell("doctor").output
    done = shell("restore", name, input_="y\n")
    assert done.exit_code == 0, done.output
    assert "Everything stored since overseer-" in done.output
    assert f"Restored {name}: 1 event." in done.output
    assert "OK: 1 event, every check passed" in shell("doctor").output

    (kept,) = re.findall(r"The database before the restore: (\S+)", done.output)
    assert shell("restore", kept, "--yes").exit_code == 0
    assert "OK: 2 events" in shell("doctor").output, "a restore is undone"
    assert shell("restore", "newest", "--yes").exit_code == 0, "copies made before a restore are not the newest"
    assert "OK: 1 event" in shell("doctor").output
    assert shell("restore", str(tmp_path / "away" / "copy.sqlite3"), "--yes").exit_code == 0


def test_a_lost_or_empty_database_with_copies_is_not_taken_for_a_new_club(shell: Shell, data: Path, club: None) -> None:
    assert shell("backup").exit_code == 0
    (data / "overseer.sqlite3").rename(data / "elsewhere.sqlite3")
    refused = shell("migrate")
    assert refused.exit_code == 1
    assert "is gone, and copies of it are in" in refused.output
    assert "`overseer restore newest`" in refused.output
    assert not (data / "overseer.sqlite3").exists()
    (data / "overseer.sqlite3").write_bytes(b"")
    assert "is empty, and copies" in shell("migrate").output
    assert "There is no database" in shell("doctor").output
    assert shell("restore", "newest", "--yes").exit_code == 0
    assert "OK: 1 event" in shell("doctor").output


@pytest.mark.slow
def test_another_secret_than_the_databases_is_warned_of(shell: Shell, data: Path, club: None, tmp_path: Path) -> None:
    """Private links of a restored copy do not work without the file ``secret``."""
    warning, secret = "The secret is not the one that this database was used with", data / "secret"
    with serving(data):
        assert warning not in (data / "said.txt").read_text()
    assert shell("backup", str(tmp_path / "copy.sqlite3")).exit_code == 0
    assert warning not in shell("doctor").output + shell("restore", str(tmp_path / "copy.sqlite3"), "--yes").output
    old = secret.read_bytes()
    secret.unlink()
    assert warning in shell("doctor").output
    for _ in range(2):  # the first makes a secret
        assert warning in shell("restore", str(tmp_path / "copy.sqlite3"), "--yes").output
    with serving(data):
        assert warning in (data / "said.txt").read_text()
    secret.write_bytes(old)
    assert warning not in shell("doctor").output


def test_a_copy_without_a_mark_restored_with_a_new_secret_is_warned_of(shell: Shell, data: Path, club: None) -> None:
    assert shell("backup").exit_code == 0
    assert "The secret is not" not in shell("restore", "newest", "--yes").output
    (data / "secret").unlink()
    assert "Put the old file `secret` back" in shell("restore", "newest", "--yes").output


def test_the_database_is_looked_at_and_copied_once(shell: Shell, data: Path, club: None) -> None:
    looked = shell("maintain", "once")
    assert (looked.exit_code, looked.output.startswith("Database: OK.\nCopies: 1, the newest of ")) == (0, True)
    assert "automatic" in shell("backup", "--list").output
    (data / "overseer.sqlite3").write_bytes(b"no database at all " * 500)
    looked = shell("maintain", "once")
    assert looked.exit_code == 1
    assert "the file cannot be read: " in looked.output  # in the words of SQLite, which has two for this
    assert "`overseer restore`" in looked.output
