"""Largest paint and bytes of a first visit. Run: ``python -m benchmarks.paint [--tables 16] [--runs 5]``.

Serves the event of ``benchmarks.burst`` and opens four pages in Chromium as a phone on slow 4G (latency 562 ms, 1.44
Mbit/s) with its processor slowed four times, each in a new browser context. Printed are medians: the largest and the
first contentful paint in milliseconds, and the kilobytes received until the page is quiet, by type. To compare two
checkouts on a busy machine, run it in one and the other by turns.
"""

import argparse
from collections import Counter, defaultdict
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from sqlmodel import select

from benchmarks.burst import cookies, played_and_served
from models.play import Player
from tests.browser.conftest import launched

SLOW_4G = {"offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
LARGEST = """() => new Promise(done => new PerformanceObserver(list => {
  const paints = list.getEntries();
  done([paints.at(-1).startTime, performance.getEntriesByName("first-contentful-paint")[0].startTime]);
}).observe({type: "largest-contentful-paint", buffered: true}))"""


def visit(browser: Browser, address: str, cookie: str) -> dict[str, float]:
    """Open one page for the first time."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, device_scale_factor=2
    )
    if cookie:
        context.add_cookies([{"name": "overseer", "value": cookie, "url": address}])
    page = context.new_page()
    developer, types, sizes = context.new_cdp_session(page), dict[str, str](), Counter[str]()
    developer.on("Network.responseReceived", lambda sent: types.update({sent["requestId"]: sent["type"]}))

    def arrived(sent: Any) -> None:
        sizes[types.get(sent["requestId"], "Other")] += sent["encodedDataLength"]

    developer.on("Network.loadingFinished", arrived)
    developer.send("Network.enable")
    developer.send("Network.emulateNetworkConditions", SLOW_4G)
    developer.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address, wait_until="load")
    page.wait_for_timeout(2500)
    largest, first = page.evaluate(LARGEST)
    context.close()
    return {"largest": largest, "first": first, "KB": sizes.total() / 1000} | {t: n / 1000 for t, n in sizes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args()
    visits: dict[str, list[dict[str, float]]] = defaultdict(list)
    with played_and_served(chosen.tables, 3) as (settings, server, s, event), sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        player = s.exec(select(Player).where(Player.event_id == event.id)).first()
        assert player is not None
        (cookie,) = cookies(settings, event, [player])
        root, at = f"http://127.0.0.1:{server.port}", f"/e/{event.slug}"
        for _ in range(chosen.runs):
            for name, path in (("home", "/"), ("event", at), ("standings", f"{at}/standings"), ("My page", f"{at}/me")):
                visits[name].append(visit(browser, root + path, cookie if name == "My page" else ""))
    for name, rows in visits.items():
        kinds = dict.fromkeys(kind for row in rows for kind in row)
        print(f"{name:10}", *(f"{kind} {median(row.get(kind, 0) for row in rows):.4g} " for kind in kinds))


if __name__ == "__main__":
    main()
