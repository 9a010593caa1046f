"""Browsers of people at an event: a desk, a phone, each with cookies of its own, and what each complained of."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

SHOTS = Path(__file__).resolve().parents[2] / "shots"
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PATIENCE = 12_000
"""Milliseconds for what should be there; a poll takes five seconds at most."""


@dataclass
class Visits:
    """Opens browsers at one address and writes down everything that a page there did wrong."""

    browser: Browser
    address: str
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)
    expected: set[int] = field(default_factory=set)
    """Statuses of 400 and above that the test provokes."""
    cut_off: bool = False
    """The test takes the network away from a page."""

    def phone(self, **options: Any) -> Page:
        """A player's phone of 360 x 740 points, with nothing remembered."""
        return self.open(**PHONE | options)

    def desk(self, **options: Any) -> Page:
        """An organiser's screen of 1280 points' width."""
        return self.open(**DESK | options)

    def open(self, **options: Any) -> Page:
        """A browser with cookies of its own, and its first page."""
        context = self.browser.new_context(base_url=self.address, locale="en-GB", **options)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        context.on("page", self._watch)
        return context.new_page()

    @contextmanager
    def offline(self, page: Page) -> Iterator[None]:
        """Take a page's network away for the length of the block; requests that fail meanwhile are no complaint."""
        self.cut_off = True  # for good: what failed meanwhile may be told of later
        page.context.set_offline(True)
        yield
        page.context.set_offline(False)

    def close(self) -> None:
        """Close every browser."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()

    def _watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        page.on("request", self._request)
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # A page answered with 4xx makes such a line too; the statuses are judged by themselves.
        refused = re.search(r"the server responded with a status of 4\d\d", message.text)
        cut = self.cut_off and "ERR_INTERNET_DISCONNECTED" in message.text
        if message.type in ("error", "warning") and not refused and not cut:
            self.complaints.append(f"{message.page.url if message.page else ''}: {message.type}: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"a request to somebody else: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.complaints.append(f"{response.request.method} {response.url}: {response.status}")


def shoot(page: Page, name: str, *, full: bool = False) -> Path:
    """Keep a picture of a page in ``shots/``, for people to look at."""
    SHOTS.mkdir(exist_ok=True)
    path = SHOTS / f"{name}.png"
    page.screenshot(path=path, full_page=full, animations="disabled")
    return path
