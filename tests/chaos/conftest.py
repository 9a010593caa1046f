"""What every harness of tests/chaos gets: its size, its seed, fresh databases, and ``prove``."""

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
"""Makes a migrated database without rows, of the test's kind, and returns its address."""
Copied = Callable[[str], str]
"""Makes a copy of a database that nobody is connected to, always at one address; the copy before it is gone."""


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
    """Copies of a database of the kind of ``database_url``; the last one is removed after the test."""
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
    """Run a harness on the sound build, in full also on each broken one; returns the sound outcome."""

    def proven(name: str, run: Run, *broken: str) -> Outcome:
        assert broken, "a harness without a control proves nothing"
        sound = run(size, None)
        controls = {build: run(size, build) for build in broken if size == "full"}
        if size == "full":
            write_evidence(name, database_url.partition(":")[0], seed, sound, controls)
        assert sound.wrong == []
        assert sound.counts, "nothing was done"
        blind = [build for build, control in controls.items() if not control.wrong]
        assert blind == [], f"the harness does not see that these are broken: {blind}"
        return sound

    return proven
