"""``overseer backup``, ``restore``, ``archive``, ``archive-in``, ``doctor`` and ``replay`` as people type them."""

import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from service.commands.database import secret_warning
from service.settings import read_settings
from tests.conftest import Clock
from tests.kit.stage import Stage
from tests.service.conftest import Shell, opened

SLUG = "wasteland-open"
NO_DATABASE = b"no database at all " * 500


@pytest.fixture
def club(shell: Shell) -> None:
    assert shell("demo", "--players", "4", "--rounds", "1").exit_code == 0


def change(data: Path, statement: str) -> None:
    with opened(data) as engine, engine.begin() as connection:
        connection.execute(text(statement))


def use(data: Path) -> None:
    """Mark the database with the data folder's secret, as the service does."""
    with opened(data) as engine:
        assert secret_warning(read_settings({"OVERSEER_DATA": str(data)}), engine, keep=True) == ""


@pytest.mark.slow
def test_copy_is_made_listed_and_restored(shell: Shell, data: Path, club: None, tmp_path: Path) -> None:
    elsewhere = tmp_path / "away" / "copy.sqlite3"
    assert "There is no copy in" in shell("backup", "--list").output
    made = shell("backup")
    assert (made.exit_code, "It contains lists that are still secret." in made.output) == (0, True)
    refused = shell("backup", str(elsewhere))
    assert (refused.exit_code, "No such file or directory" in refused.output) == (1, True), "a disk that is not mounted"
    elsewhere.parent.mkdir()
    assert f"{elsewhere}: " in shell("backup", str(elsewhere)).output
    listed = shell("backup", "--list").output.strip()
    (name,) = re.findall(r"(overseer-\d{8}T\d{6}Z-asked\.sqlite3)  \(newest\)$", listed)
    assert shell("demo", "--players", "4", "--rounds", "1", "--seed", "9").exit_code == 0

    for unanswered in ("n\n", ""):  # the second without a terminal
        refused = shell("restore", name, input_=unanswered)
        assert (refused.exit_code, "`--yes` restores without asking" in refused.output) == (1, True)
    assert "There is no file" in (wrong := shell("restore", "nonsense").output) and "`overseer backup --list`" in wrong
    assert "OK: 2 events" in shell("doctor").output
    done = shell("restore", name, input_="y\n")
    assert done.exit_code == 0, done.output
    assert "Everything stored after overseer-" in done.output
    assert f"Restored {name}: 1 event." in done.output
    assert "OK: 1 event, every check passed" in shell("doctor").output

    (kept,) = re.findall(r"The database before the restore: (\S+)", done.output)
    assert "2 events" in shell("restore", kept, "--yes").output, "a restore is undone"
    assert f"{name}  (newest)" in shell("backup", "--list").output, "copies made before a restore are not the newest"
    for copy in ("newest", str(elsewhere)):
        assert ": 1 event." in shell("restore", copy, "--yes").output


def test_lost_or_empty_database_is_not_replaced_if_there_are_copies(shell: Shell, data: Path, club: None) -> None:
    assert shell("backup").exit_code == 0
    (data / "overseer.sqlite3").rename(data / "elsewhere.sqlite3")
    refused = shell("migrate")
    assert refused.exit_code == 1
    assert "is gone, and copies of it are in" in refused.output
    assert "`overseer restore newest`" in refused.output
    assert not (data / "overseer.sqlite3").exists()
    (data / "overseer.sqlite3").write_bytes(b"")
    assert "is empty, and copies" in shell("migrate").output
    assert "is empty, and copies" in shell("doctor").output
    assert "-asked.sqlite3  (newest)" in shell("backup", "--list").output, "the copies are needed now"
    done = shell("restore", "newest")
    assert (done.exit_code, "will be lost" in done.output) == (0, False), "there is nothing to lose"
    assert "OK: 1 event" in shell("doctor").output


@pytest.mark.sweep
@pytest.mark.slow
def test_changed_secret_prints_a_warning(shell: Shell, data: Path, club: None) -> None:
    """Private links of a restored copy do not work without the file ``secret``."""
    warning, secret = "The secret is not the one that this database was used with", data / "secret"
    assert shell("backup").exit_code == 0  # a copy without the mark of a secret
    assert warning not in shell("restore", "newest", "--yes").output
    secret.rename(data / "first secret")
    assert "Put the old file `secret` back" in shell("restore", "newest", "--yes").output
    (data / "first secret").rename(secret)
    use(data)
    assert shell("backup").exit_code == 0
    assert warning not in shell("doctor").output + shell("restore", "newest", "--yes").output
    old = secret.read_bytes()
    secret.unlink()
    assert warning in shell("doctor").output
    for _ in range(2):  # the first makes a secret
        assert warning in shell("restore", "newest", "--yes").output
    secret.write_bytes(old)
    assert warning not in shell("doctor").output


def test_database_is_checked_and_copied_once(shell: Shell, data: Path, club: None) -> None:
    looked = shell("maintain", "once")
    assert (looked.exit_code, looked.output.startswith("Database: OK.\nCopies: 1, the newest of ")) == (0, True)
    assert "automatic" in shell("backup", "--list").output
    (data / "overseer.sqlite3").write_bytes(NO_DATABASE)
    looked = shell("maintain", "once")
    assert looked.exit_code == 1
    assert "the file cannot be read: " in looked.output  # in the words of SQLite, which has two for this
    assert "`overseer restore`" in looked.output


@pytest.mark.sweep
@pytest.mark.slow
def test_archived_event_is_imported_into_another_folder(shell: Shell, tmp_path: Path, migrated_sqlite: Path) -> None:
    shell("demo", "--players", "4", "--rounds", "2")
    file, again, other = tmp_path / "event.json", tmp_path / "again.json", tmp_path / "other"
    assert "It contains lists that are still secret." in shell("archive", SLUG, "-o", str(file)).output
    other.mkdir()
    shutil.copy(migrated_sqlite, other / "overseer.sqlite3")
    there = {"OVERSEER_DATA": str(other)}
    assert "There is no account “Zed” here." in shell("archive-in", str(file), "--owner", "Zed").output
    taken = shell("archive-in", str(file), **there)
    assert f"Wasteland Open is at http://127.0.0.1:8000/e/{SLUG}" in taken.output
    assert "The organiser who uses the next set-up link owns it." in taken.output
    assert shell("replay", SLUG, **there).output.startswith("equal: ")
    shell("archive", SLUG, "-o", str(again), **there)
    assert json.loads(again.read_bytes())["tables"] == json.loads(file.read_bytes())["tables"]
    twice = shell("archive-in", str(file), **there)
    assert twice.exit_code == 1
    assert twice.output.startswith("Error: This database already has rows of the table “player” with the internal")


def test_archive_without_persons_has_no_journal(shell: Shell, tmp_path: Path, club: None) -> None:
    file = tmp_path / "event.json"
    assert "It names no person." in shell("archive", SLUG, "-o", str(file), "--without-persons").output
    assert json.loads(file.read_bytes())["journal"] == []


def test_wrong_names_and_files_of_archives_are_reported(shell: Shell, tmp_path: Path, club: None) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(b'{"format": "overseer-event/1", "tables"')
    for words, said in (
        (("archive", "nothing"), "There is no event “nothing”"),
        (("archive", SLUG, "-o", str(tmp_path / "no" / "place.json")), "cannot be used: No such file or directory"),
        (("archive-in", str(tmp_path / "missing.json")), "missing.json cannot be used: No such file or directory"),
        (("archive-in", str(broken)), "The archive cannot be imported.\nthe file: not JSON at line 1, column 40"),
    ):
        done = shell(*words)
        assert (done.exit_code, said in done.output) == (1, True), done.output


def test_doctor_and_restore_name_what_is_not_of_overseer(shell: Shell, data: Path, club: None) -> None:
    assert "WARNING" not in shell("doctor").output
    change(data, "CREATE TRIGGER strange AFTER UPDATE ON organiser BEGIN UPDATE player SET name = 'Mallory'; END")
    change(data, "CREATE TABLE notes (text TEXT)")
    looked = shell("doctor")
    assert looked.exit_code == 0
    assert "not of Overseer, and no restore takes them: table notes, trigger strange on organiser" in looked.output
    shell("backup")
    done = shell("restore", "newest", "--yes").output
    assert "Left out, because they are not of Overseer: table notes, trigger strange on organiser." in done
    assert "WARNING: not of" not in shell("doctor").output


def test_doctor_reports_faults(shell: Shell, data: Path, club: None) -> None:
    change(data, "UPDATE game SET state = 'disputed' WHERE id = 1")
    ill = shell("doctor")
    assert ill.exit_code == 1
    assert "I5  wasteland-open: round 1, table 1: its state is disputed, but its reports give confirmed" in ill.output
    assert "keep a copy of the data folder" in ill.output
    change(data, "UPDATE event SET tie_breaks = '[\"shirts\"]' WHERE slug = 'wasteland-open'")
    assert "wasteland-open: its page: /e/wasteland-open (" in shell("doctor").output
    for revision, advice in (
        ("20261130_tables", "run `overseer migrate` first"),
        ("20991231_later", "start the version that made it"),
    ):
        change(data, f"UPDATE alembic_version SET version_num = '{revision}'")  # noqa: S608
        said = shell("doctor").output
        assert f"The database is at {revision}" in said and advice in said
    (data / "overseer.sqlite3").write_bytes(NO_DATABASE)
    for command, words in (("doctor", "restore newest"), ("migrate", "Error: The database cannot be used: ")):
        done = shell(command)
        assert (done.exit_code, words in done.output) == (1, True), command


def test_doctor_is_content_after_the_clock_was_ahead(shell: Shell, data: Path) -> None:
    with opened(data) as engine:
        Stage(engine, Clock(datetime.now(UTC) + timedelta(days=1))).event()
    assert shell("doctor").output == "OK: 1 event, every check passed\n"


@pytest.mark.parametrize("words", [("doctor",), ("backup",), ("backup", "--list"), ("restore", "newest", "--yes")])
def test_reading_commands_create_no_data_folder_and_no_secret(shell: Shell, tmp_path: Path, words: tuple[str]) -> None:
    new, bare = tmp_path / "new", tmp_path / "bare"
    bare.mkdir()
    for folder in (new, bare):
        done = shell(*words, OVERSEER_DATA=str(folder))
        assert (done.exit_code, "There is no" in done.output) == (0 if "--list" in words else 1, True)
    assert not new.exists() and list(bare.iterdir()) == []


@pytest.mark.slow
def test_replay_rebuilds_an_event_and_names_the_first_difference(shell: Shell, data: Path, club: None) -> None:
    result = shell("replay", SLUG)
    assert (result.exit_code, "rows of 9 tables" in result.output) == (0, True)
    change(data, "UPDATE force_list SET document = '{\"canary\": 1}' WHERE id = 2")
    result = shell("replay", SLUG)
    assert result.exit_code == 1
    different, where, journal, table, last = result.output.splitlines()
    assert (different.startswith("different, after "), where) == (True, "force list 2, document:")
    assert journal.startswith('    journal  {"') and journal.endswith(" characters)")
    assert table == '    table    {"canary":1}'
    assert last.endswith(" by demonstration.")
    change(data, "UPDATE event SET journal_from = NULL")
    for slug, said in (("nothing-here", "There is no event “nothing-here”."), (SLUG, "has not begun")):
        result = shell("replay", slug)
        assert (result.exit_code, said in result.output) == (2, True)
