"""``overseer replay``: exits with 0 if equal, 1 with the first difference, 2 if it cannot compare."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import text

from models.db import open_engine

Shell = Callable[..., Result]


def change(data: Path, statement: str) -> None:
    """Change the database past everything."""
    engine = open_engine(f"sqlite:///{data / 'overseer.sqlite3'}")
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


@pytest.mark.slow
def test_an_event_is_rebuilt_and_the_first_difference_named(shell: Shell, data: Path) -> None:
    shell("demo", "--players", "4", "--rounds", "2")
    result = shell("replay", "wasteland-open")
    assert result.exit_code == 0
    assert result.output.startswith("equal: ")
    assert "rows of 7 tables" in result.output
    change(data, "UPDATE force_list SET document = '{\"canary\": 1}' WHERE id = 2")
    result = shell("replay", "wasteland-open")
    assert result.exit_code == 1
    different, where, journal, table, last = result.output.splitlines()
    assert different.startswith("different, after ")
    assert where == "force list 2, document:"
    assert journal.startswith('    journal  {"')
    assert journal.endswith(" characters)")
    assert table == '    table    {"canary":1}'
    assert last.endswith(" by demonstration.")


@pytest.mark.parametrize(
    ("slug", "said"),
    [("nothing-here", "There is no event “nothing-here”."), ("wasteland-open", "has not begun")],
)
def test_what_cannot_be_told_is_refused_in_words(shell: Shell, data: Path, slug: str, said: str) -> None:
    shell("demo", "--players", "2", "--rounds", "1")
    change(data, "UPDATE event SET journal_from = NULL")
    result = shell("replay", slug)
    assert result.exit_code == 2
    assert said in result.output
