"""``overseer doctor``: says that all is well, or what is not, and changes nothing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Shell = Callable[..., Result]


def test_well_or_what_is_not(shell: Shell, data: Path) -> None:
    assert shell("demo", "--players", "4", "--rounds", "1").exit_code == 0
    well = shell("doctor")
    assert (well.exit_code, well.output) == (0, "OK: 1 event, every check passed\n")
    with sqlite3.connect(data / "overseer.sqlite3") as connection:
        connection.execute("UPDATE game SET state = 'disputed' WHERE id = 1")
    connection.close()
    ill = shell("doctor")
    assert ill.exit_code == 1
    assert "I5  wasteland-open: round 1, table 1: it is disputed, and its reports make it confirmed" in ill.output
    assert "keep a copy of the data folder" in ill.output


@pytest.mark.parametrize(
    ("revision", "advice"),
    [("20261130_tables", "run `overseer migrate` first"), ("20991231_later", "start the version that made it")],
)
def test_database_of_another_version_is_named_with_what_to_do(
    shell: Shell, data: Path, revision: str, advice: str
) -> None:
    with sqlite3.connect(data / "overseer.sqlite3") as connection:
        connection.execute(f"UPDATE alembic_version SET version_num = '{revision}'")  # noqa: S608
    connection.close()
    said = shell("doctor").output
    assert f"The database is at {revision}" in said and advice in said


@pytest.mark.parametrize("words", [("doctor",), ("backup",), ("backup", "--list"), ("restore", "newest", "--yes")])
def test_reading_commands_make_no_data_folder_and_no_secret(shell: Shell, tmp_path: Path, words: tuple[str]) -> None:
    new, bare = tmp_path / "new", tmp_path / "bare"
    bare.mkdir()
    for folder in (new, bare):
        done = shell(*words, OVERSEER_DATA=str(folder))
        assert (done.exit_code, "There is no" in done.output) == (1, True)
    assert not new.exists() and list(bare.iterdir()) == []


def test_a_damaged_database_is_named(shell: Shell, data: Path) -> None:
    file = data / "overseer.sqlite3"
    file.write_bytes(b"no database at all" * 1000)
    damaged = shell("doctor")
    assert damaged.exit_code == 1
    assert "cannot be read" in damaged.output
