"""Parts of SQLite's database that are gone, stale or shut while it is in use, or before it is opened."""

import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError, OperationalError

from models.db import open_engine


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with one name in it, folded and closed."""
    path = tmp_path / "one.sqlite3"
    engine = open_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE player (name TEXT)"))
        connection.commit()
    store(engine, "Ada")
    engine.dispose()
    return path


@pytest.fixture
def engine(file: Path) -> Iterator[Engine]:
    """The database opened, with a second name in its log."""
    made = open_engine(f"sqlite:///{file}")
    store(made, "Bo")
    yield made
    made.dispose()


def beside(file: Path, tail: str) -> Path:
    return file.with_name(file.name + tail)


def store(engine: Engine, name: str) -> None:
    with engine.connect() as connection:
        connection.execute(text("INSERT INTO player VALUES (:name)"), {"name": name})
        connection.commit()


def names(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(connection.execute(text("SELECT name FROM player ORDER BY name")).scalars())


def killed(file: Path, to: Path) -> Path:
    """The files as a kill leaves them, somewhere else."""
    to.mkdir()
    for tail in ("", "-wal", "-shm"):
        shutil.copy(beside(file, tail), to)
    return to / file.name


@pytest.mark.proves("F21")
def test_a_log_that_was_removed_loses_nothing_and_nothing_is_served_until_all_is_put_in(
    file: Path, engine: Engine
) -> None:
    other = open_engine(f"sqlite:///{file}")  # as another worker has it
    assert names(other) == ["Ada", "Bo"]
    beside(file, "-wal").unlink()
    began = time.monotonic()
    with pytest.raises(OperationalError, match="the log of the database is gone"):
        store(engine, "Cy")
    assert time.monotonic() - began >= 0.04, "whoever closes it just now has the time to"
    assert not beside(file, "-wal").exists(), "nobody began another one"
    assert names(other) == ["Ada", "Bo"], "the last one put in what the log held, and was opened anew"
    store(engine, "Cy")
    assert names(other) == names(engine) == ["Ada", "Bo", "Cy"]
    other.dispose()


@pytest.mark.proves("F21")
def test_a_log_that_was_removed_while_nobody_ran_is_told(file: Path, engine: Engine, tmp_path: Path) -> None:
    left = killed(file, tmp_path / "left")
    beside(left, "-wal").unlink()
    again = open_engine(f"sqlite:///{left}")
    with pytest.raises(OperationalError, match="the log of the database is gone"):
        names(again)
    assert not beside(left, "-wal").exists()
    again.dispose()


@pytest.mark.proves("F21")
@pytest.mark.parametrize("index", [None, b"", b"\xff" * 32768, b"\x00" * 32768])
def test_an_index_of_the_log_that_is_gone_or_stale_is_made_anew(
    file: Path, engine: Engine, tmp_path: Path, index: bytes | None
) -> None:
    left = killed(file, tmp_path / "left")
    beside(left, "-shm").unlink()
    if index is not None:
        beside(left, "-shm").write_bytes(index)
    again = open_engine(f"sqlite:///{left}")
    assert names(again) == ["Ada", "Bo"]
    again.dispose()


@pytest.mark.proves("F21")
def test_an_index_that_was_removed_while_it_was_in_use_is_left_behind_by_all(file: Path, engine: Engine) -> None:
    beside(file, "-shm").unlink()
    store(engine, "Cy")
    assert names(engine) == ["Ada", "Bo", "Cy"]
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"


@pytest.mark.proves("F21")
def test_a_file_that_was_moved_away_takes_nothing_more_and_goes_on_when_it_is_back(file: Path, engine: Engine) -> None:
    away = file.with_name("away.sqlite3")
    file.rename(away)
    for _ in range(2):
        with pytest.raises(OperationalError, match="the file of the database is gone"):
            store(engine, "Cy")
    assert not file.exists(), "no empty one was made"
    away.rename(file)
    assert names(engine) == ["Ada", "Bo"]
    store(engine, "Cy")
    assert names(engine) == ["Ada", "Bo", "Cy"]


@pytest.mark.proves("F21")
@pytest.mark.parametrize("rights", [0o000, 0o400])
def test_a_file_that_may_not_be_read_or_written_any_more_says_so_and_goes_on_when_it_may(
    file: Path, engine: Engine, rights: int
) -> None:
    """Whoever has it open goes on; who opens it anew is told. Asked in a process of a user whose file it is not."""
    shut = stat.S_IMODE(file.stat().st_mode)
    file.chmod(rights)
    child = os.fork()
    if not child:
        refused = 9
        try:
            if os.geteuid() == 0:  # who may do everything is refused nothing
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            store(open_engine(f"sqlite:///{file}"), "Cy")
        except DBAPIError:
            refused = 3
        finally:
            os._exit(refused)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 3
    assert names(engine) == ["Ada", "Bo"]
    file.chmod(shut)
    store(engine, "Cy")
    assert names(engine) == ["Ada", "Bo", "Cy"]
