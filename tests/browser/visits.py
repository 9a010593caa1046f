"""Browsers at an event, each with its own cookies, and the faults of their pages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Download, Page, Request, Response

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PATIENCE = 60_000
"""Milliseconds to wait for an element. Long, because the machine may be busy; waiting ends when it appears."""
SMALL = """() => [...document.querySelectorAll("main :is(a, button, summary, input)")].filter((target) => {
  const { width, height } = target.getBoundingClientRect();
  return target.checkVisibility() && Math.min(width, height) < 24;
}).map((target) => target.outerHTML)"""
"""The targets of a page that are too small for a finger."""
NOT_AWAITED = "led, without leads_on, to"
AWAITED: set[Page] = set()
"""The pages whose navigation a test waits for at the moment."""


@contextmanager
def leads_on(page: Page) -> Iterator[None]:
    """Wait for the page that this block navigates to; ``Visits`` complains about each navigation without this."""
    AWAITED.add(page)
    try:
        with page.expect_navigation() as arrived:
            yield
        assert arrived.value is not None, f"{page.url} is still the same page"
    finally:
        AWAITED.discard(page)


@dataclass
class Visits:
    """Opens browsers at one address and records every fault of their pages: errors, statuses, foreign requests."""

    browser: Browser
    address: str
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)
    expected: set[int] = field(default_factory=set)
    """Statuses of 400 and above that the test provokes."""
    cut_off: bool = False
    """The test disconnects a page from the network."""

    def phone(self, **options: Any) -> Page:
        return self.open(**PHONE | options)

    def desk(self, **options: Any) -> Page:
        return self.open(**DESK | options)

    def open(self, **options: Any) -> Page:
        context = self.browser.new_context(base_url=self.address, locale="en-GB", **options)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        return self.tab(context)

    def tab(self, context: BrowserContext) -> Page:
        page = context.new_page()
        self._watch(page)
        return page

    @contextmanager
    def offline(self, page: Page, *, anew: bool = False) -> Iterator[None]:
        """Disconnect a page from the network until the block ends; requests that fail are not complaints.

        ``anew``: wait until the page loads anew by itself afterwards, as stored pages and pages that send a report do.
        """
        self.cut_off = True  # stays set: failed requests may be reported later
        page.context.set_offline(True)
        yield
        with leads_on(page) if anew else nullcontext():
            page.context.set_offline(False)

    def close(self) -> None:
        """Close every browser, and check that there are no complaints."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()
        assert self.complaints == [], "\n".join(self.complaints)

    def _watch(self, page: Page) -> None:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Page.enable")
        devtools.on("Page.frameRequestedNavigation", lambda navigation: self._left(page, navigation))
        page.on("download", self._download)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        page.on("request", self._request)
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # Chromium logs 4xx answers too; ``_response`` checks statuses.
        refused = re.search(r"the server responded with a status of 4\d\d", message.text)
        is_typeface = message.location["url"].endswith(".ttf")  # not kept: the phone's own one is used
        cut = self.cut_off and ("ERR_INTERNET_DISCONNECTED" in message.text or is_typeface)
        if message.type in ("error", "warning") and not refused and not cut:
            self.complaints.append(f"{message.page.url if message.page else ''}: {message.type}: {message.text}")

    def _left(self, page: Page, navigation: dict[str, str]) -> None:
        """Complain about a navigation that no test waits for. ``goto`` and ``reload`` do not call this."""
        if navigation["disposition"] == "currentTab" and page not in AWAITED:
            self.complaints.append(f"{page.url}: {navigation['reason']} {NOT_AWAITED} {navigation['url']}")

    def _download(self, download: Download) -> None:
        """Remove the complaint about a navigation that became a download."""
        self.complaints[:] = [
            complaint for complaint in self.complaints if not complaint.endswith(f"{NOT_AWAITED} {download.url}")
        ]

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"a request to another host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.complaints.append(f"{response.request.method} {response.url}: {response.status}")
