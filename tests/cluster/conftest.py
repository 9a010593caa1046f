"""The trial of several hosts runs only where it is asked for: ``./run test --cluster``."""

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no test of this folder in any other profile."""
    return None if config.getoption("--cluster") else True
