"""Hostile requests at every route by everybody, over either database: nothing breaks, and nothing stored is unsound."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask

from service.settings import Settings
from tests.chaos.conftest import Fresh
from tests.chaos.fuzzed_pages import fuzz
from tests.chaos.outcome import Outcome, Size
from tests.kit.postgres import PostgresServer

Copies = Callable[[str], Iterator[str]]


@pytest.fixture
def copy_of(request: pytest.FixtureRequest, tmp_path: Path) -> Copies:
    """Makes copies of a database, each for the length of a block."""
    numbers = itertools.count(1)

    def copied(url: str) -> Iterator[str]:
        if url.startswith("sqlite"):
            path = tmp_path / f"copy{next(numbers)}.sqlite3"
            shutil.copy(url.removeprefix("sqlite:///"), path)
            yield f"sqlite:///{path}"
            for left in tmp_path.glob(f"{path.name}*"):
                left.unlink()
            return
        server: PostgresServer = request.getfixturevalue("postgres_server")
        name = f"fuzzed_{next(numbers)}"
        server.create(name, url.partition("?")[0].rpartition("/")[2])
        yield server.url(name)
        server.drop(name)

    return copied


@pytest.mark.proves("attack 38", "attack 40", "attack 41", "F24", "ASVS 2.2.1", "ASVS 2.2.2", "ASVS 16.5.1")
@pytest.mark.full_on_both
# A form that breaks off in a file leaves that file to the garbage: werkzeug does, and nothing keeps it.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)
def test_no_request_breaks_a_page_or_leaves_rows_that_are_unsound(
    database_url: str,
    pages: Flask,
    settings: Settings,
    fresh: Fresh,
    copy_of: Copies,
    seed: int,
    prove: Callable[..., Outcome],
) -> None:
    def run(size: Size, broken: str | None) -> Outcome:
        prepared = fresh()
        return fuzz(pages, size, seed, settings, prepared, contextmanager(lambda: copy_of(prepared)), broken)

    prove("fuzzed_pages", run, "no_checks")
