"""Marks tests: ``./run test`` runs those without ``sweep`` and ``long``, ``--fast`` none that are slow either."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

SLOW = (
    "api", "browser", "chaos", "charts", "deploy", "desk", "languages", "lives", "messages", "pdf", "public", "kinds",
    "registration", "releases", "seasons", "service", "setup",
)  # fmt: skip
"""Folders whose tests open pages, draw papers, play whole events or start processes."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import the folders of SLOW where slow tests are left out."""
    left_out = "not slow" in config.option.markexpr and collection_path.parent.name == "tests"
    return True if left_out and collection_path.name in SLOW else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark browser tests; mark as slow the tests in SLOW, and those that open pages, unless they are marked fast."""
    folder = item.path.parent.name
    if folder == "browser":
        item.add_marker("browser")
    opens_pages = "app" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("fast")
    if folder in SLOW or opens_pages:
        item.add_marker("slow")


def every_nth(usual: int, swept: int) -> pytest.MarkDecorator:
    """Give a sweep its ``step``: it takes each ``usual``-th case, each ``swept``-th with ``--sweeps``, and all."""
    steps: dict[int, Any] = {1: pytest.mark.long, swept: pytest.mark.sweep, usual: ()}
    return pytest.mark.parametrize("step", [pytest.param(step, marks=mark) for step, mark in reversed(steps.items())])


def full_run(cases: Iterable[Any], usual: Iterable[Any], swept: Iterable[Any] = ()) -> list[Any]:
    """Mark the cases that are not ``usual``, which test the same with other values: as sweep, the rest as long."""
    kept, more = list(usual), list(swept)
    marks = {True: pytest.mark.sweep, False: pytest.mark.long}
    return [case if case in kept else pytest.param(case, marks=marks[case in more]) for case in cases]
