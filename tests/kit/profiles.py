"""Which tests ``./run test --fast`` runs: all without a mark ``slow``, ``browser``, ``postgres`` or ``long``."""

from collections.abc import Iterable
from typing import Any

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark browser tests by their folder, and as slow the chaos tests and those that open pages, unless marked fast."""
    if item.nodeid.startswith("tests/browser/"):
        item.add_marker("browser")
        return
    opens_pages = "app" in getattr(item, "fixturenames", ())
    if (opens_pages or item.nodeid.startswith("tests/chaos/")) and not item.get_closest_marker("fast"):
        item.add_marker("slow")


def at_length(cases: Iterable[Any], usual: Iterable[Any]) -> list[Any]:
    """Cases of a test that proves the same by each: those not ``usual`` run in ``./run test --long`` alone."""
    kept = list(usual)
    return [case if case in kept else pytest.param(case, marks=pytest.mark.long) for case in cases]
