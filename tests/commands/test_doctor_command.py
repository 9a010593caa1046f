"""``overseer doctor``: says that all is well, or what is not, and changes nothing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Shell = Callable[..., Result]


def test_well_or_what_is_not(shell: Shell, data: Path) -> None:
    assert shell("demo", "--players", "4", "--rounds", "1").exit_code == 0
    well = shell("doctor")
    assert (well.exit_code, well.output) == (0, "well: 1 event, every promise kept\n")
    with sqlite3.connect(data / "overseer.sqlite3") as connection:
        connection.execute("UPDATE game SET state = 'disputed' WHERE id = 1")
    connection.close()
    ill = shell("doctor")
    assert ill.exit_code == 1
    assert "I5  wasteland-open: round 1, table 1: it is disputed, and its reports make it confirmed" in ill.output
    assert "keep a copy of the data folder" in ill.output


def test_an_old_database_and_a_damaged_one_are_told(shell: Shell, data: Path) -> None:
    file = data / "overseer.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'of_old'")
    connection.close()
    assert "run `overseer migrate` first" in shell("doctor").output
    file.write_bytes(b"no database at all" * 1000)
    damaged = shell("doctor")
    assert damaged.exit_code == 1
    assert "cannot be read" in damaged.output
