"""F25: two faults at once."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import two_faults, two_faults_postgres
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.postgres import PostgresServer, client_programs


@pytest.mark.long
@pytest.mark.proves("G1", "F25", "I9")
def test_a_second_fault_while_recovering_from_the_first_loses_nothing(
    prove: Callable[..., Outcome], fresh: Fresh, tmp_path: Path, seed: int
) -> None:
    prove("two_faults", partial(two_faults.run, fresh=fresh, folder=tmp_path / "two", seed=seed), "in_pieces")


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.proves("G1", "F25", "I9")
def test_a_second_fault_while_postgresql_comes_back_from_the_first_loses_nothing(
    prove: Callable[..., Outcome],
    fresh: Fresh,
    copied: Callable[[str], str],
    postgres_server: PostgresServer,
    tmp_path: Path,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    run = partial(
        two_faults_postgres.run, fresh=fresh, copied=copied, server=postgres_server, data=tmp_path / "data", seed=seed
    )
    prove("two_faults", run, "in_pieces", "left_undone")
