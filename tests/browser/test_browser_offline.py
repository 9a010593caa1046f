"""The player's pages without network: kept on the own phone, told as old, never in the way of what is new."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acts import become_organiser, choose, press, private_links, take_out
from tests.browser.server import Server, overseer
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import Visits, shoot

pytestmark = pytest.mark.browser

EVENT = "/e/wasteland-open"
ME = f"{EVENT}/me"
KEPT = "caches.keys().then((names) => names.filter((name) => name.startsWith('pages:')))"
UNTIL = """async (wanted) => {
  for (let looks = 0; looks < 200; looks += 1) {
    const names = (await caches.keys()).filter((name) => name.startsWith('pages:'));
    const pages = names.length === 1 ? await (await caches.open(names[0])).keys() : [];
    const kept = pages.some((page) => new URL(page.url).pathname === wanted);
    if (wanted ? kept && navigator.serviceWorker.controller : names.length === 0) return true;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  return false;
}"""
ADDRESSES = """async () => {
  const [name] = await caches.keys().then((names) => names.filter((one) => one.startsWith('pages:')));
  const pages = name ? await caches.open(name).then((cache) => cache.keys()) : [];
  return pages.map((page) => new URL(page.url).pathname).sort();
}"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event in its second round, played by the demonstration."""
    folder = tmp_path_factory.mktemp("data")
    overseer(folder, "demo", "--players", "6", "--rounds", "2", "--leave-open")
    return folder


@dataclass(frozen=True)
class Club:
    """What the tests start from."""

    links: Mapping[str, str]
    organiser: Any
    """The organiser's signed-in browser, to open again."""


@pytest.fixture(scope="module")
def club(chromium: Browser, server: Server) -> Club:
    """Every player's private link, and the organiser."""
    visits = Visits(chromium, server.address)
    desk = visits.desk()
    become_organiser(desk, server.set_up_link)
    club = Club(private_links(desk, EVENT), desk.context.storage_state())
    visits.close()
    assert visits.complaints == []
    return club


def sign_in(phone: Page, link: str) -> None:
    """Open a private link, and wait until the worker is there and has kept the page."""
    phone.goto(link)
    assert phone.evaluate(UNTIL, ME)


def put_away(phone: Page) -> None:
    """Leave the pages before the browser is closed: closing one that is just being loaded anew can hang Chromium."""
    expect(phone.locator("#no-network")).to_be_hidden()
    phone.goto("about:blank")


def names_at(page: Page, table: str) -> list[str]:
    """Who sits at a table of round 2, player A first."""
    page.goto(f"{EVENT}/rounds/2")
    row = page.locator("table.pairings tbody tr").filter(has=page.locator("td.table-number", has_text=table)).first
    return row.locator(".player > bdi").all_inner_texts()


@pytest.mark.proves("F12")
def test_what_was_seen_stays_readable_and_says_that_it_is_old(visits: Visits, club: Club) -> None:
    desk, phone = visits.desk(storage_state=club.organiser), visits.phone()
    ada, bo = names_at(phone, "1")
    sign_in(phone, club.links[ada])
    own_list = phone.get_by_role("link", name="My force").get_attribute("href") or ""
    theirs = phone.get_by_role("link", name="Their force").get_attribute("href") or ""
    scenario = phone.locator("a[href*='/scenarios/']").get_attribute("href") or ""
    seen = [f"{EVENT}/rounds/2", f"{EVENT}/standings", scenario, own_list.partition("#")[0], f"{ME}/game"]
    for address in (*seen, theirs, f"{ME}/link", EVENT):
        phone.goto(address)
    expect(phone.locator("#no-network")).to_be_hidden()
    assert phone.evaluate(f"({ADDRESSES})()") == sorted([ME, *seen]), "and neither the other list nor the link"

    with visits.offline(phone):
        for address in (ME, *seen):
            phone.goto(address)
            line = phone.locator("#no-network")
            expect(line).to_be_visible()
            assert re.search(r"No network: this is the page of \d\d:\d\d\.", line.inner_text())
        phone.goto(ME)
        expect(phone.locator(".your-table .huge")).to_have_text("1")
        expect(phone.locator(".against")).to_contain_text(bo)
        expect(phone.locator(".map svg")).to_be_visible()
        assert phone.evaluate("getComputedStyle(document.querySelector('.huge')).fontSize") == "128px", "in its look"
        shoot(phone, "offline-phone")
        assert list(faults(phone, "phone")) == []
        for address in (theirs, f"{ME}/link"):
            phone.goto(address)
            expect(phone.locator("h1")).to_have_text("No network")
            expect(phone.locator("main")).not_to_contain_text("Caps")
        shoot(phone, "offline-phone-nothing")
        phone.get_by_role("link", name=f"{ada} ·").first.click()
        expect(phone.locator("#no-network")).to_be_visible()
        phone.goto(ME)
    # As soon as there is network the page is the newest again, by itself.
    expect(phone.locator("#no-network")).to_be_hidden()

    # Downloads go as ever.
    with phone.expect_download() as loading:
        phone.goto(own_list.partition("#")[0])
        phone.get_by_role("link", name="Force file").click()
    assert loading.value.suggested_filename.endswith(".json")
    assert loading.value.path().read_bytes().startswith(b"{")
    # What a page that was open has put in is what is kept of it.
    phone.goto(ME)
    desk.goto(f"{EVENT}/desk/clock")
    press(desk, "Start the clock")
    take_out(phone)
    expect(phone.locator("#my-clock")).to_contain_text("Running")
    with visits.offline(phone):
        phone.goto(ME)
        expect(phone.locator("#my-clock")).to_contain_text("Running")
    put_away(phone)


def test_a_page_that_loses_its_network_says_so_and_takes_it_back(visits: Visits, club: Club) -> None:
    phone = visits.phone()
    name = names_at(phone, "2")[0]
    sign_in(phone, club.links[name])
    line = phone.locator("#no-network")
    expect(line).to_be_hidden()
    with visits.offline(phone):
        take_out(phone)
        take_out(phone)
        expect(line).to_be_visible()
        expect(phone.locator("h1")).to_be_visible()
    take_out(phone)
    put_away(phone)


def test_nothing_is_left_of_a_player_when_the_phone_is_anothers(visits: Visits, club: Club) -> None:
    desk, phone = visits.desk(storage_state=club.organiser), visits.phone()
    visits.expected.add(403)  # the page of whoever is signed out
    one, other = names_at(phone, "3")
    sign_in(phone, club.links[one])
    (first,) = phone.evaluate(KEPT)
    sign_in(phone, club.links[other])
    (second,) = phone.evaluate(KEPT)
    assert first != second
    with visits.offline(phone):
        phone.goto(ME)
        expect(phone.locator("main")).to_contain_text(f"· {other}")
        expect(phone.locator("main > .stack > section").first).not_to_contain_text(f"· {one}")
    expect(phone.locator("#no-network")).to_be_hidden()

    press(phone, "Sign out on this device")
    press(phone.get_by_role("dialog"), "Sign out on this device")
    expect(phone.locator(".flash")).to_contain_text("forgotten you")
    assert phone.evaluate(UNTIL, "")
    with visits.offline(phone):
        phone.goto(ME)
        expect(phone.locator("h1")).to_have_text("No network")
        expect(phone.locator("main")).not_to_contain_text(other)

    # A link that the organiser renewed ends what was kept with the first contact.
    sign_in(phone, club.links[one])
    desk.goto(f"{EVENT}/desk/players")
    desk.get_by_role("link", name=one, exact=True).first.click()
    press(desk, "Make a new link")
    press(desk.get_by_role("dialog"), "Make a new link")
    expect(desk.locator(".copy-text")).not_to_have_text(club.links[one])
    phone.goto(ME)
    assert phone.evaluate(UNTIL, "")
    phone.goto("about:blank")


@pytest.mark.proves("F12")
def test_an_organiser_keeps_nothing_and_a_report_is_sent_once(visits: Visits, club: Club) -> None:
    desk, phone = visits.desk(storage_state=club.organiser), visits.phone()
    name = names_at(phone, "2")[0]
    sign_in(phone, club.links[name])
    phone.goto(f"{ME}/game")
    choose(phone, "a.objectives", 3)
    press(phone, "Send the result")
    phone.wait_for_url("**/me")
    expect(phone.locator("[data-poll-part=now]")).to_contain_text("One side reported")
    put_away(phone)
    desk.goto(EVENT)
    desk.wait_for_load_state("networkidle")
    assert desk.evaluate(KEPT) == []
    assert desk.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
