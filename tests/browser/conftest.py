"""Fixtures: Chromium, and the production server."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from shutil import copy

import pytest
from playwright.sync_api import Browser, BrowserType, StorageState, expect, sync_playwright

from tests.browser.acts import become_organiser, stage_over
from tests.browser.server import Server, serving
from tests.browser.visits import PATIENCE, Visits
from tests.kit.stage import Stage

expect.set_options(timeout=PATIENCE)

Staging = Callable[[], AbstractContextManager[Stage]]
"""The fixture ``staging``."""
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
WITHOUT_WINDOWS = "chromium-headless-shell"
"""Chromium built without windows and notifications, which takes a fifth less time. Used where it is installed."""
LEFT_OUT = (
    # Hidden pages of the address bar: each browser renders two, which takes half a second of processor time.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    # Playwright's own list, because Chromium uses only the last list.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip
"""The features of Chromium to disable."""


def launched(kind: BrowserType, *flags: str, notifies: bool = False) -> Browser:
    """The system's Chromium with these flags. Without Chromium the test fails, so that none is skipped silently."""
    names = CHROMIUMS if notifies else (WITHOUT_WINDOWS, *CHROMIUMS)
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(
            f"No browser was found (looked for {', '.join(names)}). Install one, e.g. `apt-get install chromium`; "
            "`./run test` does so if it may; `./run test --fast` leaves these tests out.",
            pytrace=False,
        )
    rootless = [] if os.geteuid() else ["--no-sandbox"]
    # Pages crash if /dev/shm is small: containers have 64 MB.
    args = [*rootless, "--disable-dev-shm-usage", f"--disable-features={','.join(LEFT_OUT)}", *flags]
    return kind.launch(executable_path=found, args=args)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Chromium, started once.

    While it is open, Playwright's event loop runs in this thread: tests in this process cannot start another.
    """
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Callable[[], Path]:
    """Creates a server's data folder with an empty, migrated database."""

    def make() -> Path:
        folder = tmp_path_factory.mktemp("data")
        copy(migrated_sqlite, folder / "overseer.sqlite3")  # tests/service tests that the server migrates a new one
        return folder

    return make


@pytest.fixture(scope="session")
def data(fresh: Callable[[], Path]) -> Path:
    """The data folder of the shared server; each test module creates its own events."""
    return fresh()


@pytest.fixture(scope="session")
def server(data: Path) -> Iterator[Server]:
    """The production server, started once: that takes three seconds. Some modules start their own."""
    with serving(data) as running:
        yield running


@pytest.fixture(scope="session")
def organiser(chromium: Browser, server: Server) -> StorageState:
    """The cookies of the shared server's first organiser, who owns the events that tests create."""
    visits = Visits(chromium, server.address)
    desk = visits.desk()
    become_organiser(desk, server.set_up_link, "Olga")
    kept = desk.context.storage_state()
    visits.close()
    return kept


@pytest.fixture(scope="session")
def staging(data: Path, organiser: StorageState) -> Staging:
    """Opens the shared server's database, to set up rows without the pages."""
    return partial(stage_over, data)


@pytest.fixture
def visits(chromium: Browser, server: Server) -> Iterator[Visits]:
    opened = Visits(chromium, server.address)
    yield opened
    opened.close()
