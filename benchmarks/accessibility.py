"""Every page before axe, on a phone and on a desk, by day and by night.

Run: ``python benchmarks/accessibility.py [--who owner] [--size phone]``, from the checkout. The events of
``tests/browser/every_template.py`` are made by the actions and served as they ship. The addresses come from the
application's own map of addresses, with the rows of each event filled in; the staff of every role, a player and anybody
open them (anybody also sees what a projector shows). Each page is judged: axe's findings that are serious or critical,
by day and by night; wider than the screen; on a phone targets under 44 points; one h1, a title, a language. A page
whose elements, classes and marks are those of one judged before is opened and measured, and not given to axe again.
Said at the end: which addresses showed nobody a page.
"""

import argparse
import secrets
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import BrowserContext, Page, sync_playwright

import migrations
from app import build_pages
from models.db import open_engine
from models.event import Event
from models.play import Player
from models.staff import Role
from tests.browser.conftest import CHROMIUMS
from tests.browser.every_template import places_of
from tests.browser.hall_day import private_links
from tests.browser.server import serving
from tests.browser.test_browser_pages_fit import AXE, LEAST_TARGET, SIZES, TOO_SMALL
from tests.conftest import Clock
from tests.kit.every_page import STAFF, addresses
from tests.kit.stage import PASSWORD, Stage

ROLES = {role.value: role for role in Role}
WHO = (*ROLES, "player", "anybody")
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
BUILD = """() => {
  const marks = new Set();
  for (const part of document.querySelectorAll("body, body *"))
    marks.add([part.localName, part.className.baseVal ?? part.className, part.getAttribute("role"), part.type,
      ...part.getAttributeNames().filter(name => name.startsWith("aria-"))].join(" "));
  return [...marks].sort().join("|");
}"""
"""What a page is built of, without its words."""
FRAME = """() => [document.documentElement.lang, document.title, document.querySelectorAll("h1").length,
  document.documentElement.scrollWidth]"""


@dataclass
class Found:
    """What the sweep has seen and found."""

    wrong: int = 0
    seen: set[str] = field(default_factory=set)
    """Endpoints that somebody was shown a page of."""
    opened: int = 0
    judged: int = 0
    builds: set[tuple[str, str, str]] = field(default_factory=set)

    def tell(self, what: str) -> None:
        """A finding, said at once."""
        self.wrong += 1
        print(what, flush=True)


def look(page: Page, endpoint: str, address: str, sizes: list[str], who: str, found: Found) -> None:
    """Open one address at each size and judge it, by day and by night where nothing built like it was judged."""
    # A kept line may be closed by the server just as the next request goes out on it.
    answer = page.request.get(address, max_redirects=0, max_retries=2)
    if answer.status >= 500:
        found.tell(f"{who}: {address}: {answer.status}")
    if answer.status != 200 or "html" not in answer.headers.get("content-type", ""):
        return
    found.seen.add(endpoint)
    for size in sizes:
        page.set_viewport_size(SIZES[size]["viewport"])
        page.goto(address)
        found.opened += 1
        where = f"{who}, {size}: {address}"
        frame = page.evaluate(FRAME)
        if not frame[0] or not frame[1] or frame[2] != 1:
            found.tell(f"{where}: language {frame[0]!r}, title {frame[1]!r}, {frame[2]} h1")
        if frame[3] > SIZES[size]["viewport"]["width"]:
            found.tell(f"{where}: {frame[3]} wide")
        if size == "phone":
            for small in page.evaluate(TOO_SMALL, LEAST_TARGET):
                found.tell(f"{where}: {small}")
        build = (endpoint, size, page.evaluate(BUILD))
        if build in found.builds:
            continue
        found.builds.add(build)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found.judged += 1
            for finding in AXE.run(page, options={"resultTypes": ["violations"], "preload": False}).response[
                "violations"
            ]:
                if finding["impact"] in ("serious", "critical"):
                    targets = [node["html"][:120] for node in finding["nodes"][:3]]
                    found.tell(f"{where}, {scheme}: {finding['id']}: {finding['help']}: {targets}")


def arrives(context: BrowserContext, who: str, links: list[str]) -> Page:
    """Sign in, open the private links, or just come."""
    page = context.new_page()
    if who in ROLES:
        page.goto("/sign-in")
        page.get_by_label("Name").fill(who)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/desk")
    elif who == "player":
        for link in links:
            page.goto(link)
    return page


def main() -> None:
    """Sweep, print what was found, and end with 1 where there was anything."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--who", nargs="+", choices=WHO, default=WHO)
    parser.add_argument("--size", nargs="+", choices=sorted(SIZES), default=sorted(SIZES))
    chosen = parser.parse_args()
    began, found = time.monotonic(), Found()
    with tempfile.TemporaryDirectory(prefix="overseer-axe-") as folder, sync_playwright() as playwright:
        engine = open_engine(f"sqlite:///{Path(folder) / 'overseer.sqlite3'}")
        migrations.upgrade(engine)
        stage = Stage(engine, Clock(datetime.now(UTC)))
        pages = build_pages()
        pages.config["SECRET_KEY"] = (
            secrets.token_hex()
        )  # of links that nobody opens: the service's are asked for below
        ways = places_of(pages, stage).pages.values()
        events = list(stage.all(Event))
        for event, name in product(events, set(ROLES) - set(STAFF)):  # those of STAFF are hired already
            stage.hire(event, name, ROLES[name])
        where = pages.url_map.bind("localhost")
        ways_led = [address for way in ways for address, _ in way.values()]
        led = {  # an invitation that can be used is opened after one that cannot: the browser remembers one
            address: where.match(urlsplit(address).path)[0]
            for address in reversed(ways_led)
            if where.test(urlsplit(address).path, "GET")
        }
        listed = {address: endpoint for endpoint, address in addresses(build_pages(), stage, events)}
        there = [(endpoint, address) for address, endpoint in (led | listed).items()]
        slugs = [event.slug for event in events if stage.all(Player, event_id=event.id)]
        stage.s.close()
        engine.dispose()
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        with serving(Path(folder)) as server:
            owner = arrives(browser.new_context(base_url=server.address), "owner", [])
            links = [next(iter(private_links(owner, f"/e/{slug}").values())) for slug in slugs]
            for who in chosen.who:
                context = browser.new_context(base_url=server.address, locale="en-GB")
                page = arrives(context, who, links)
                for endpoint, address in there:
                    look(page, endpoint, address, chosen.size, who, found)
                context.close()
                print(f"{who}: {found.opened} pages opened, {found.judged} times judged by axe, "
                      f"{found.wrong} findings, {time.monotonic() - began:.0f} s", flush=True)  # fmt: skip
        browser.close()
    if not found.wrong:
        print("0 serious or critical findings, nothing too wide, no target too small.")
    print("No page:", ", ".join(sorted({endpoint for endpoint, _ in there} - found.seen)))
    sys.exit(1 if found.wrong else 0)


def chromium() -> str:
    """The system's browser."""
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    return found or sys.exit("No browser was found.")


if __name__ == "__main__":
    main()
