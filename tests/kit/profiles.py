"""Marks tests: ``./run test --fast`` runs those without ``slow``, ``browser``, ``postgres`` and ``long``."""

from collections.abc import Iterable
from typing import Any

import pytest

SLOW = ("tests/campaigns/", "tests/chaos/", "tests/leagues/", "tests/service/")
"""Folders whose tests play whole events or start processes."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark browser tests; mark as slow the tests in SLOW and those that open pages, unless they are marked fast."""
    if item.nodeid.startswith("tests/browser/"):
        item.add_marker("browser")
        return
    opens_pages = "app" in getattr(item, "fixturenames", ())
    if (opens_pages or item.nodeid.startswith(SLOW)) and not item.get_closest_marker("fast"):
        item.add_marker("slow")


def at_length(cases: Iterable[Any], usual: Iterable[Any]) -> list[Any]:
    """Mark the cases that are not ``usual`` as long, because they test the same with other values."""
    kept = list(usual)
    return [case if case in kept else pytest.param(case, marks=pytest.mark.long) for case in cases]
