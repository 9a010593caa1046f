"""Fixtures of the harnesses: the ``lab``, and ``prove``."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.chaos.outcome import Lab, Outcome, Run, write_evidence
from tests.conftest import another
from tests.kit.postgres import PostgresServer


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked ``full_on_both`` on SQLite, and in the full profile on PostgreSQL too."""
    if metafunc.definition.get_closest_marker("full_on_both"):
        postgres = [pytest.param("postgres", marks=pytest.mark.postgres)]
        kinds = ["sqlite", *(postgres if metafunc.config.getoption("--chaos") else [])]
        metafunc.parametrize("database_url", kinds, indirect=True)


@pytest.fixture
def lab(database_url: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lab]:
    """The chosen size and seed, and databases of the kind of ``database_url``."""
    folder, option = tmp_path / "copy", request.config.getoption

    def copy_file(url: str) -> str:
        source = Path(url.removeprefix("sqlite:///"))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file in source.parent.glob(f"{source.name}*"):
            shutil.copy(file, folder)
        return f"sqlite:///{folder / source.name}"

    def copy_in_postgres(url: str) -> str:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        copies.close()  # drops the previous copy
        name = f"copy_of_{make_url(url).database}"
        server.create(name, str(make_url(url).database))
        copies.callback(server.drop, name)
        return server.url(name)

    with ExitStack() as stack, ExitStack() as copies:
        yield Lab(
            "full" if option("--chaos") else "short",
            option("--chaos-seed"),
            tmp_path,
            lambda: stack.enter_context(another(request, migrated=True)),
            copy_file if database_url.startswith("sqlite") else copy_in_postgres,
        )


@pytest.fixture
def prove(lab: Lab, database_url: str) -> Callable[..., Outcome]:
    """Runs a harness on the sound build, and in full on each broken build too; returns the sound build's outcome."""

    def proven(name: str, run: Run, *broken: str) -> Outcome:
        assert broken, "a harness without a control proves nothing"
        sound = run(lab)
        controls = {build: run(replace(lab, broken=build)) for build in broken if lab.size == "full"}
        if lab.size == "full":
            write_evidence(name, database_url.partition(":")[0], lab.seed, sound, controls)
        assert sound.wrong == []
        assert sound.counts, "nothing was done"
        blind = [build for build, control in controls.items() if not control.wrong]
        assert blind == [], f"the harness finds no fault in these broken builds: {blind}"
        return sound

    return proven
