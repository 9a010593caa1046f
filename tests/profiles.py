"""Which tests ``./run test --fast`` runs: all without a mark ``slow``, ``browser``, ``postgres`` or ``long``."""

from collections.abc import Iterable
from typing import Any

import pytest

FOLDERS = {"tests/browser/": "browser", "tests/chaos/": "slow", "tests/views/": "slow"}
"""What a folder marks all its tests as; one that is marked ``fast`` is not slow there."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test the mark of its folder."""
    for folder, mark in FOLDERS.items():
        if item.nodeid.startswith(folder) and not (mark == "slow" and item.get_closest_marker("fast")):
            item.add_marker(mark)


def at_length(cases: Iterable[Any], usual: Iterable[Any]) -> list[Any]:
    """Cases of a test that proves the same by each: those not ``usual`` run in ``./run test --long`` alone."""
    kept = list(usual)
    return [case if case in kept else pytest.param(case, marks=pytest.mark.long) for case in cases]
