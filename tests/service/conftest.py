"""Commands run as from a shell, over a data folder of the test's own."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine

from models.db import open_engine
from service.commands.main import overseer

Shell = Callable[..., Result]
"""The fixture ``shell``."""


@contextmanager
def opened(data: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{data / 'overseer.sqlite3'}")
    yield engine
    engine.dispose()


@pytest.fixture
def data(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """A data folder with an empty, migrated database: making one anew would take most of a test's time."""
    folder = tmp_path / "club"
    folder.mkdir()
    shutil.copy(migrated_sqlite, folder / "overseer.sqlite3")
    (folder / "overseer.sqlite3").chmod(0o600)
    return folder


@pytest.fixture
def shell(data: Path) -> Shell:
    """Run ``overseer`` with these words; ``settings`` are further environment variables, ``input_`` is typed."""

    def run(*words: str, input_: str | None = None, **settings: str | None) -> Result:
        clean = dict.fromkeys(("DATABASE_URL", "OVERSEER_SECRET", "HOST", "PORT"))
        result = CliRunner().invoke(overseer, words, input=input_, env=clean | {"OVERSEER_DATA": str(data)} | settings)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result

    return run
