"""Fixtures of the harnesses: size, seed, new databases, and ``prove``."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.chaos.outcome import Outcome, Run, Size, write_evidence
from tests.conftest import NUMBERS, another
from tests.kit.postgres import PostgresServer

Fresh = Callable[[], str]
"""Creates an empty, migrated database of the test's kind; returns its URL."""
Copied = Callable[[str], str]
"""Copies a database without connections, and returns the copy's URL. It replaces the previous copy at this URL."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked ``full_on_both`` on SQLite, and in the full profile on PostgreSQL too."""
    if metafunc.definition.get_closest_marker("full_on_both"):
        postgres = [pytest.param("postgres", marks=pytest.mark.postgres)]
        kinds = ["sqlite", *(postgres if metafunc.config.getoption("--chaos") else [])]
        metafunc.parametrize("database_url", kinds, indirect=True)


@pytest.fixture
def size(request: pytest.FixtureRequest) -> Size:
    return "full" if request.config.getoption("--chaos") else "short"


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    chosen: int = request.config.getoption("--chaos-seed")
    return chosen


@pytest.fixture
def fresh(request: pytest.FixtureRequest) -> Iterator[Fresh]:
    with ExitStack() as stack:
        yield lambda: stack.enter_context(another(request, migrated=True))


@pytest.fixture
def copied(database_url: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Copied]:
    """Copies databases of the kind of ``database_url``; the last copy is removed after the test."""
    if database_url.startswith("sqlite"):
        folder = tmp_path / "copy"

        def copy(url: str) -> str:
            source = Path(url.removeprefix("sqlite:///"))
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for file in source.parent.glob(f"{source.name}*"):
                shutil.copy(file, folder)
            return f"sqlite:///{folder / source.name}"

        yield copy
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name, made = f"copy_{next(NUMBERS)}", list[str]()

    def create(url: str) -> str:
        for old in made:
            server.drop(old)
        made[:] = [name]
        source = make_url(url).database
        assert source is not None
        server.create(name, source)
        return server.url(name)

    yield create
    for old in made:
        server.drop(old)


@pytest.fixture
def prove(size: Size, seed: int, database_url: str) -> Callable[..., Outcome]:
    """Runs a harness on the sound build, and in full on each broken build too; returns the sound build's outcome."""

    def proven(name: str, run: Run, *broken: str) -> Outcome:
        assert broken, "a harness without a control proves nothing"
        sound = run(size, None)
        controls = {build: run(size, build) for build in broken if size == "full"}
        if size == "full":
            write_evidence(name, database_url.partition(":")[0], seed, sound, controls)
        assert sound.wrong == []
        assert sound.counts, "nothing was done"
        blind = [build for build, control in controls.items() if not control.wrong]
        assert blind == [], f"the harness finds no fault in these broken builds: {blind}"
        return sound

    return proven
