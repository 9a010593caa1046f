"""A real Chromium, and a real server."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from shutil import copy

import pytest
from playwright.sync_api import Browser, StorageState, expect, sync_playwright

from tests.browser.acts import become_organiser, stage_over
from tests.browser.server import Server, serving
from tests.browser.visits import PATIENCE, Visits
from tests.kit.stage import Stage

expect.set_options(timeout=PATIENCE)

Staging = Callable[[], AbstractContextManager[Stage]]
"""The fixture ``staging``."""
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
LEFT_OUT = (
    # Pages of the address line that nobody sees: each browser opened renders two, for half a second of a core.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    # What Playwright leaves out; only the last such list counts.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip
"""Features of Chromium."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, without a window. A machine without one fails: these tests are not left out silently.

    While it is open an event loop of Playwright's runs in this thread: a test in the same process cannot start its own.
    """
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(
            f"No browser was found (looked for {', '.join(CHROMIUMS)}). Install one, e.g. `apt-get install chromium`; "
            "`./run test` does so where it may, `./run test --fast` leaves these tests out.",
            pytrace=False,
        )
    rootless = [] if os.geteuid() else ["--no-sandbox"]
    with sync_playwright() as playwright:
        # Without /dev/shm of size (containers have 64 MB) pages would crash.
        args = [*rootless, "--disable-dev-shm-usage", f"--disable-features={','.join(LEFT_OUT)}"]
        browser = playwright.chromium.launch(executable_path=found, args=args)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Callable[[], Path]:
    """Makes the data folder of a server, without rows."""

    def make() -> Path:
        folder = tmp_path_factory.mktemp("data")
        copy(migrated_sqlite, folder / "overseer.sqlite3")  # the server would migrate an empty one: tests/service
        return folder

    return make


@pytest.fixture(scope="session")
def data(fresh: Callable[[], Path]) -> Path:
    """The data folder of the server that modules share, each with events of its own."""
    return fresh()


@pytest.fixture(scope="session")
def server(data: Path) -> Iterator[Server]:
    """The production server, started once: that takes three seconds of a core. Some modules have their own."""
    with serving(data) as running:
        yield running


@pytest.fixture(scope="session")
def organiser(chromium: Browser, server: Server) -> StorageState:
    """The browser of the first organiser of the shared server, to open again; what is staged later is hers too."""
    visits = Visits(chromium, server.address)
    desk = visits.desk()
    become_organiser(desk, server.set_up_link, "Olga")
    kept = desk.context.storage_state()
    visits.close()
    return kept


@pytest.fixture(scope="session")
def staging(data: Path, organiser: StorageState) -> Staging:
    """Opens the shared server's database, for what is there without anybody's pressing it."""
    return partial(stage_over, data)


@pytest.fixture
def visits(chromium: Browser, server: Server) -> Iterator[Visits]:
    opened = Visits(chromium, server.address)
    yield opened
    opened.close()
