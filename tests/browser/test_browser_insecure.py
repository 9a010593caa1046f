"""A phone on plain http in a hall has no secure context and no service worker. The outbox of reports still works."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.acts import choose, press_here, private_links, try_now
from tests.browser.conftest import CHROMIUMS, LEFT_OUT, Staging
from tests.browser.server import Server
from tests.browser.test_browser_outbox import WAITS
from tests.browser.visits import Visits, leads_on

HALL = "overseer.lan"
"""A name of a hall's network. It is no secure origin, as 127.0.0.1 is."""


@pytest.fixture
def hall(chromium: Browser, server: Server) -> Iterator[Visits]:
    """Browsers that find the server under the hall's name."""
    found = next(path for name in CHROMIUMS if (path := shutil.which(name)))
    args = [f"--host-resolver-rules=MAP {HALL} 127.0.0.1", "--disable-dev-shm-usage",
            f"--disable-features={','.join(LEFT_OUT)}", *([] if os.geteuid() else ["--no-sandbox"])]  # fmt: skip
    browser = chromium.browser_type.launch(executable_path=found, args=args)
    visits = Visits(browser, f"http://{HALL}:{urlsplit(server.address).port}")
    yield visits
    # Chromium ignores this header without TLS, and says so.
    visits.complaints[:] = [one for one in visits.complaints if "Cross-Origin-Opener-Policy" not in one]
    visits.close()
    browser.close()


@pytest.mark.proves("F11")
def test_report_waits_on_a_phone_without_a_service_worker(hall: Visits, data: Path, staging: Staging) -> None:
    with staging() as stage:
        event = stage.event("Insecure Cup")
        stage.enter(event, "Ada", "Bo")
        stage.publish(event, 1)
        link = private_links(stage, data, event)["Ada"]
    phone = hall.phone()
    phone.goto(link)
    assert phone.evaluate("[window.isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    phone.goto("/e/insecure-cup/me/game")
    with hall.offline(phone):
        choose(phone, "a.objectives", 3)
        choose(phone, "b.objectives", 1)
        press_here(phone, "Send the result")
        expect(phone.locator("#outbox")).to_contain_text(WAITS)
        hall.cut_off = True
    with leads_on(phone):
        try_now(phone)
    expect(phone).to_have_url(re.compile("/me$"))
    expect(phone.locator("#outbox")).to_contain_text("Saved")
