"""A real Chromium, and a real server for each module's tests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.server import Server, serving
from tests.browser.visits import PATIENCE, Visits

expect.set_options(timeout=PATIENCE)

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


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
        browser = playwright.chromium.launch(executable_path=found, args=[*rootless, "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the module's server, empty; a module may fill it before the server starts."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    """The production server over ``data``."""
    with serving(data) as running:
        yield running


@pytest.fixture
def visits(chromium: Browser, server: Server) -> Iterator[Visits]:
    """Browsers for one test; at its end no page may have complained."""
    opened = Visits(chromium, server.address)
    yield opened
    opened.close()
    assert opened.complaints == []
