"""The player's pages without network: stored on the phone, marked with their time, replaced by newer pages."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from models.event import Event
from tests.browser.acts import agree, become_organiser, follow, press, press_here, private_links, stage_over, take_out
from tests.browser.server import Server, overseer, serving
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import Visits, leads_on
from tests.kit.person import START_CLOCK

EVENT = "/e/wasteland-open"
ME = f"{EVENT}/me"
KEPT = "caches.keys().then((names) => names.filter((name) => name.startsWith('pages:')))"
LOOKS = """const look = async (seen) => {
  for (let looks = 0; looks < 400; looks += 1) {
    const names = (await caches.keys()).filter((name) => name.startsWith('pages:'));
    if (await seen(names)) return true;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  return false;
};"""
"""Checks the stored pages again and again, because a page is stored shortly after it is shown."""
KEPT_OF_ITS_OWNER = f"""async (wanted) => {{ {LOOKS} return look(async (names) => {{
  const own = 'pages:' + document.querySelector('meta[name="offline-for"]').content;
  if (!navigator.serviceWorker.controller || names.join() !== own) return false;
  return (await (await caches.open(own)).keys()).some((page) => new URL(page.url).pathname === wanted);
}}); }}"""
NOTHING_KEPT = f"async () => {{ {LOOKS} return look((names) => names.length === 0); }}"
KEPT_ARE = f"""async (wanted) => {{ {LOOKS} return look(async ([name]) => {{
  const pages = name ? await (await caches.open(name)).keys() : [];
  return pages.map((page) => new URL(page.url).pathname).sort().join() === wanted.join();
}}); }}"""
KEPT_SAYS = f"""async (words) => {{ {LOOKS} return look(async ([name]) => {{
  const page = name && await (await caches.open(name)).match(location.pathname, {{ ignoreVary: true }});
  return page && (await page.text()).includes(words);
}}); }}"""

LATE_ANSWER = """async (address) => {
  const owner = document.querySelector('meta[name="offline-for"]').content;
  const headers = new Headers({ 'Offline-For': owner, 'Offline-Copy': 'yes' });
  const detail = { address, text: '<p>A secret force</p>', headers };
  document.dispatchEvent(new CustomEvent('overseer:page', { detail }));
  await new Promise((done) => { setTimeout(done, 300); });
}"""
"""The event of a tab that gets the answer to its request for changes."""
ALL_KEPT = """async () => {
  const texts = [];
  for (const name of (await caches.keys()).filter((one) => one.startsWith('pages:'))) {
    const pages = await caches.open(name);
    for (const page of await pages.keys()) texts.push(await (await pages.match(page, { ignoreVary: true })).text());
  }
  return texts.join();
}"""


@pytest.fixture(scope="module")
def data(fresh: Callable[[], Path]) -> Path:
    """An event in its second round, created by ``overseer demo``."""
    folder = fresh()
    overseer(folder, "demo", "--players", "6", "--rounds", "2", "--leave-open")
    return folder


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with serving(data) as running:
        yield running


@dataclass(frozen=True)
class Club:
    links: Mapping[str, str]
    organiser: Any
    """The organiser's cookies."""


@pytest.fixture(scope="module")
def club(chromium: Browser, server: Server, data: Path) -> Club:
    """The private link of every player, and the organiser's cookies."""
    visits = Visits(chromium, server.address)
    desk = visits.desk()
    become_organiser(desk, server.set_up_link)
    with stage_over(data) as stage:
        club = Club(
            private_links(stage, data, stage.one(Event, slug=EVENT.removeprefix("/e/"))), desk.context.storage_state()
        )
    visits.close()
    return club


def sign_in(phone: Page, link: str, *, instead_as: str = "") -> None:
    """Open a private link and wait until the page is stored. ``instead_as`` replaces the player signed in before."""
    phone.goto(link)
    if instead_as:
        press(phone, f"Continue as {instead_as}")
    assert phone.evaluate(KEPT_OF_ITS_OWNER, ME)


def names_at(page: Page, table: str) -> list[str]:
    page.goto(f"{EVENT}/rounds/2")
    row = page.locator("table.pairings tbody tr").filter(has=page.locator("td.table-number", has_text=table)).first
    return row.locator(".player > bdi").all_inner_texts()


@pytest.mark.sweep
@pytest.mark.proves("F12")
def test_visited_pages_are_readable_offline_and_marked_as_old(visits: Visits, club: Club) -> None:
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
    assert phone.evaluate(KEPT_ARE, sorted([EVENT, ME, *seen])), "the opponent's list and the link are not stored"

    with visits.offline(phone, anew=True):
        for address in (EVENT, ME, *seen):
            phone.goto(address)
            line = phone.locator("#no-network")
            expect(line).to_be_visible()
            assert re.search(r"No network: this page is from \d\d:\d\d\.", line.inner_text())
        phone.goto(ME)
        expect(phone.locator(".your-table .huge")).to_have_text("1")
        expect(phone.locator(".scorecard")).to_contain_text(bo)
        expect(phone.locator(".map svg")).to_be_visible()
        assert phone.evaluate("getComputedStyle(document.querySelector('.huge')).fontSize") == "120px", (
            "with its styles"
        )
        assert list(faults(phone, "phone")) == []
        for address in (theirs, f"{ME}/link"):
            phone.goto(address)
            expect(phone.locator("h1")).to_have_text("No network")
            expect(phone.locator("main")).not_to_contain_text("Caps")
        follow(phone.get_by_role("link", name=f"{ada} ·").first)
        expect(phone.locator("#no-network")).to_be_visible()
        phone.goto(ME)
    # With the network back, the page updates itself.
    expect(phone.locator("#no-network")).to_be_hidden()

    # Downloads still work.
    with phone.expect_download() as loading:
        phone.goto(own_list.partition("#")[0])
        phone.get_by_role("link", name="Force file").click()
    assert loading.value.suggested_filename.endswith(".json")
    assert loading.value.path().read_bytes().startswith(b"{")
    # Updates of an open page are stored too.
    phone.goto(ME)
    desk.goto(f"{EVENT}/desk/clock")
    press(desk, START_CLOCK)
    take_out(phone)
    expect(phone.locator("#my-clock")).to_contain_text("Running")
    assert phone.evaluate(KEPT_SAYS, "Running")
    with visits.offline(phone, anew=True):
        phone.goto(ME)
        expect(phone.locator("#my-clock")).to_contain_text("Running")
    expect(phone.locator("#no-network")).to_be_hidden()
    phone.goto("about:blank")  # closing a page while it reloads can hang Chromium


def test_pages_of_every_entry_are_kept_though_none_was_opened(visits: Visits, data: Path) -> None:
    with stage_over(data) as stage:
        events = [stage.event(name, players=("Ada", "Bo")) for name in ("Rust Cup", "Dust Cup")]
        links = [private_links(stage, data, event)["Ada"] for event in events]
    phone, pages = visits.phone(), [f"/e/{cup}-cup{page}" for cup in ("dust", "rust") for page in ("", "/me")]
    for link in links:
        phone.goto(link)
    assert phone.evaluate(KEPT_ARE, pages)
    with visits.offline(phone, anew=True):
        for address in pages:
            phone.goto(address)
            expect(phone.locator("#no-network")).to_be_visible()
    phone.goto("about:blank")


@pytest.mark.sweep
def test_new_player_on_a_phone_deletes_the_previous_players_pages(visits: Visits, club: Club) -> None:
    desk, phone = visits.desk(storage_state=club.organiser), visits.phone()
    visits.expected.add(403)  # the page after signing out
    text, other = names_at(phone, "3")
    sign_in(phone, club.links[text])
    (first,) = phone.evaluate(KEPT)
    sign_in(phone, club.links[other], instead_as=other)
    (second,) = phone.evaluate(KEPT)
    assert first != second
    with visits.offline(phone, anew=True):
        phone.goto(ME)
        expect(phone.locator("main")).to_contain_text(f"· {other}")
        expect(phone.locator("main > .stack > section").first).not_to_contain_text(f"· {text}")
    expect(phone.locator("#no-network")).to_be_hidden()

    agree(phone, "Sign out on this device")
    expect(phone.locator(".flash")).to_contain_text("is signed out")
    assert phone.evaluate(NOTHING_KEPT)
    with visits.offline(phone):
        phone.goto(ME)
        expect(phone.locator("h1")).to_have_text("No network")
        expect(phone.locator("main")).not_to_contain_text(other)

    # A renewed link deletes the stored pages at the next request.
    sign_in(phone, club.links[text])
    desk.goto(f"{EVENT}/desk/players")
    follow(desk.get_by_role("link", name=text, exact=True).first)
    agree(desk, "Make a new link")
    expect(desk.locator("a.own-link")).not_to_have_attribute("href", urlsplit(club.links[text]).path)
    phone.goto(ME)
    assert phone.evaluate(NOTHING_KEPT)
    phone.goto("about:blank")


@pytest.mark.proves("attack 70", "ASVS 14.3.2")
def test_signing_out_offline_deletes_every_stored_page(visits: Visits, club: Club) -> None:
    phone = visits.phone()
    name = names_at(phone, "1")[0]
    sign_in(phone, club.links[name])
    own_list = (phone.get_by_role("link", name="My force").get_attribute("href") or "").partition("#")[0]
    phone.goto(own_list)
    assert phone.evaluate(KEPT_OF_ITS_OWNER, own_list)
    phone.goto(ME)
    phone.evaluate("localStorage.setItem('overseer.waiting:other-event/1/2', '{}')")
    with visits.offline(phone):
        press_here(phone, "Sign out on this device")
        with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"), leads_on(phone):
            phone.get_by_role("dialog").get_by_role("button", name="Sign out on this device").click()
        phone.wait_for_url("chrome-error://**")
        for address in (own_list, ME):
            phone.goto(address)
            expect(phone.locator("h1")).to_have_text("No network")
            expect(phone.locator("main")).not_to_contain_text("Caps")
            expect(phone.locator("main a")).to_have_count(0)
        assert phone.evaluate(KEPT) == []
        assert phone.evaluate("localStorage.getItem('overseer.waiting:other-event/1/2')") == "{}"
    phone.goto("about:blank")


@pytest.mark.sweep
@pytest.mark.proves("attack 70", "ASVS 14.3.2")
def test_answer_that_arrives_after_signing_out_is_not_stored(visits: Visits, club: Club) -> None:
    """A second tab gets its answer after the first tab has signed out."""
    visits.expected.add(403)  # the page of the player who is signed out
    phone = visits.phone()
    name = names_at(phone, "2")[0]
    sign_in(phone, club.links[name])
    second = phone.context.new_page()
    second.goto(ME)
    expect(second.locator("h1")).to_be_visible()
    agree(phone, "Sign out on this device")
    expect(phone.locator(".flash")).to_contain_text("is signed out")
    assert phone.evaluate(NOTHING_KEPT)
    second.evaluate(LATE_ANSWER, ME)
    assert phone.evaluate(ALL_KEPT) == ""
    with visits.offline(phone):
        phone.goto(ME)
        expect(phone.locator("h1")).to_have_text("No network")
        expect(phone.locator("main")).not_to_contain_text(name)
    second.goto("about:blank")
    phone.goto("about:blank")
