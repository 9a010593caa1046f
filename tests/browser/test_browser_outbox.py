"""Reports over a bad network or plain HTTP: typed text is kept, and each report is stored once."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, StorageState, expect

from events.results.report_page import SAID
from events.rounds.actions import discard_draw, unpublish
from models.event import Event as EventRow
from models.play import GameState
from tests.browser.acts import choose, press, press_here, private_links, says_right_here, take_out, try_now
from tests.browser.conftest import Staging, launched
from tests.browser.server import Server
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import Visits, leads_on
from tests.kit.person import SEND_REPORT, SEND_RESULT

WAITS = "is not confirmed yet. This phone keeps it"


def objectives(page: Page, a: int, b: int) -> None:
    choose(page, "a.objectives", a)
    choose(page, "b.objectives", b)


def reports(desk: Page, event: str) -> list[str]:
    """The journal's sentences on stored reports, newest first."""
    sheet = desk.request.get(f"{event}/desk/journal.csv").text().splitlines()
    said = [row["what"].partition(": ")[2] for row in csv.DictReader(sheet) if ", table " in row["what"]]
    return said[::-1]


def cut_reply(route: Route) -> None:
    route.fetch()
    route.abort("internetdisconnected")


@pytest.mark.sweep
@pytest.mark.proves("F11", "F12")
def test_reports_over_a_bad_network_are_stored_once(
    visits: Visits, organiser: StorageState, staging: Staging, data: Path
) -> None:
    visits.expected |= {409, 422}
    with staging() as stage:
        row = stage.event("Outbox Cup", scenarios=("hold-the-line", "", ""), players=("Ada", "Bo", "Cy", "Di"))
        stage.publish(row, 1)
        (a, b), (c, d) = stage.pairs(row, 1)
        links = private_links(stage, data, row)
    desk, event = visits.desk(storage_state=organiser), "/e/outbox-cup"
    game = f"{event}/me/game"
    phones = {}
    for name in (a, b, c, d):
        phones[name] = visits.phone()
        phones[name].goto(links[name])

    # Sent without network; the tab is closed and another tab opened.
    phone = phones[a]
    phone.goto(game)
    with visits.offline(phone):
        press_here(phone, SEND_RESULT)
        expect(phone.locator("[data-live-check].bad li")).to_have_count(1)
        assert list(faults(phone, "phone")) == []
        assert phone.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('overseer.waiting:'))") == []
        objectives(phone, 3, 1)
        expect(phone.locator("[data-live-check].bad")).to_have_count(0)
        press_here(phone, SEND_RESULT)
        expect(phone.locator("#outbox")).to_contain_text(WAITS)
        assert list(faults(phone, "phone")) == []
        again = visits.tab(phone.context)
        phone.close()
    assert reports(desk, event) == []
    again.goto(f"{event}/standings")
    expect(again.locator("#outbox")).to_contain_text(SAID[GameState.REPORTED])
    again.goto(game)
    expect(again.locator("#outbox")).to_have_count(0)
    assert reports(desk, event) == ["the result waits for the other side"]

    # The answer is lost: the report is resent with its key and not stored again.
    phone = phones[b]
    phone.goto(game)
    lost = Event()
    lost.set()  # answers are dropped until the test presses "Try now"
    phone.route("**/me/game", lambda route: cut_reply(route) if lost.is_set() else route.continue_())
    visits.cut_off = True
    says_right_here(phone)
    expect(phone.locator("#outbox")).to_contain_text(WAITS)
    assert len(reports(desk, event)) == 2
    with leads_on(phone):
        lost.clear()
        try_now(phone)
    expect(phone).to_have_url(re.compile("/me$"))
    expect(phone.locator("#outbox")).to_contain_text(SAID[GameState.CONFIRMED])
    assert reports(desk, event) == ["the result is confirmed", "the result waits for the other side"]

    # Typed text survives a reload. An impossible value is marked while typing and refused when sent.
    phone, other = phones[c], phones[d]
    other.goto(game)
    phone.goto(game)
    # The dialog alone asks about unusual figures.
    objectives(other, 0, 0)
    press_here(other, SEND_RESULT)
    expect(other.get_by_role("dialog")).to_contain_text("Is that right?")
    expect(other.locator("#outbox")).to_be_empty()
    press_here(other, "No, change it")
    expect(other.locator("#outbox")).to_be_empty()
    objectives(phone, 4, 0)
    choose(phone, "a.r2", 2)
    choose(phone, "b.r2", 1)
    expect(phone.locator("[data-live-check]")).to_contain_text("This cannot have happened")
    phone.reload()
    expect(phone.locator("[data-kept-line]")).to_contain_text("They are stored on this phone and were not sent")
    expect(phone.locator("input[name='a.objectives'][value='4']")).to_be_checked()
    press_here(phone, SEND_RESULT)
    expect(phone.locator("#outbox")).to_contain_text("not saved yet")
    expect(phone.locator(".errors")).to_contain_text("This cannot have happened")
    assert list(faults(phone, "phone")) == []
    expect(phone.locator("input[name='a.objectives'][value='4']")).to_be_checked()
    choose(phone, "b.r2", 0)
    phone.get_by_text("Ended early or not played").click()
    phone.get_by_label("Unfinished when time was called").check()
    # Two clicks before the first answer.
    with leads_on(phone):
        phone.evaluate("() => { const b = document.querySelector('form.report .bar button'); b.click(); b.click(); }")
    expect(phone).to_have_url(re.compile("/me$"))
    expect(phone.locator("#outbox")).to_contain_text("Saved")
    phone.goto(game)
    expect(phone.locator("[data-kept-line]")).to_be_hidden()

    # The opponent's form is older than this report: it is not stored, and the page shows both.
    objectives(other, 1, 1)
    press_here(other, SEND_RESULT)
    expect(other.locator(".errors")).to_contain_text("Another report of this game")
    expect(other.locator("table.reports")).to_contain_text("Unfinished")
    expect(other.locator("input[name='a.objectives'][value='1']")).to_be_checked()
    assert reports(desk, event)[0] == "the result waits for the other side (unfinished)"
    press(other, SEND_REPORT)
    expect(other).to_have_url(re.compile("/me$"))
    assert reports(desk, event)[0] == "the result is disputed"
    assert len(reports(desk, event)) == 4

    # All tabs show the answer, with and without the form.
    other.goto(game)
    tab = visits.tab(other.context)
    tab.goto(f"{event}/me")
    other.locator("details.differs > summary").click()
    choose(other, "a.r2", 2)
    choose(other, "b.r2", 1)
    press_here(other, SEND_REPORT)
    expect(other.locator("#outbox")).to_contain_text("not saved yet. Please check it below.")
    expect(tab.locator("#outbox")).to_contain_text("not saved:")
    assert list(faults(tab, "phone")) == []
    with leads_on(other):  # its page is older than the answer, so it reloads
        press_here(tab, "Dismiss")
    expect(tab.locator("#outbox .flash")).to_have_count(0)
    other.route("**/me/game", lambda route: route.abort("internetdisconnected"))
    press_here(other, SEND_REPORT)
    expect(other.locator("#outbox")).to_contain_text(WAITS)
    press_here(tab, "Try now")
    for page in (tab, other):
        expect(page.locator("#outbox")).to_contain_text("not saved:")
    expect(other.locator("#outbox")).to_contain_text("are still here")

    # Another player's link on this phone: the first player's report waits, and is neither shown nor sent.
    other.goto(game)
    choose(other, "a.r2", 0)
    choose(other, "b.r2", 0)
    press_here(other, SEND_REPORT)
    expect(other.locator("#outbox")).to_contain_text(WAITS)
    other.close()
    tab.context.route("**/me/game", lambda route: route.abort("internetdisconnected"))
    tab.goto(links[a])
    press(tab, f"Continue as {a}")
    take_out(tab)
    expect(tab.locator("#outbox .flash")).to_have_count(0)
    tab.goto(links[d])
    press(tab, f"Continue as {d}")
    expect(tab.locator("#outbox")).to_contain_text(WAITS)

    # Signing out names the unsent report and deletes it.
    press_here(tab, "Sign out on this device")
    expect(tab.get_by_role("dialog")).to_contain_text("Not confirmed yet: your report (Round 1, table 2).")
    press(tab.get_by_role("dialog"), "Sign out on this device")
    expect(tab).to_have_url(re.compile(f"{event}$"))
    left = tab.evaluate("Object.entries(localStorage).filter(([name]) => name.startsWith('overseer.'))")
    assert left == [["overseer.owner", "none"]], "only the mark that stored pages have no owner"
    assert len(reports(desk, event)) == 4


HALL = "overseer.lan"
"""A host name in a hall's network. Unlike 127.0.0.1 it is not a secure context."""


@pytest.fixture
def hall(chromium: Browser, server: Server) -> Iterator[Visits]:
    """Browsers that reach the server by the hall's host name."""
    browser = launched(chromium.browser_type, f"--host-resolver-rules=MAP {HALL} 127.0.0.1")
    visits = Visits(browser, f"http://{HALL}:{urlsplit(server.address).port}")
    yield visits
    # Chromium warns that it ignores this header without TLS.
    visits.complaints[:] = [
        complaint for complaint in visits.complaints if "Cross-Origin-Opener-Policy" not in complaint
    ]
    visits.close()
    browser.close()


@pytest.mark.proves("F11")
def test_report_waits_on_a_phone_without_a_service_worker(hall: Visits, data: Path, staging: Staging) -> None:
    with staging() as stage:
        event = stage.event("Insecure Cup", players=("Ada", "Bo"))
        stage.publish(event, 1)
        link = private_links(stage, data, event)["Ada"]
    phone = hall.phone()
    phone.goto(link)
    assert phone.evaluate("[window.isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    phone.goto("/e/insecure-cup/me/game")
    with hall.offline(phone, anew=True):  # it is sent as soon as the network is back
        choose(phone, "a.objectives", 3)
        choose(phone, "b.objectives", 1)
        press_here(phone, SEND_RESULT)
        expect(phone.locator("#outbox")).to_contain_text(WAITS)
    expect(phone).to_have_url(re.compile("/me$"))
    expect(phone.locator("#outbox")).to_contain_text("Saved")


@pytest.mark.proves("F11")
def test_entries_for_a_game_that_was_drawn_again_are_not_promised(visits: Visits, staging: Staging, data: Path) -> None:
    visits.expected |= {409}
    with staging() as stage:
        event = stage.event("Redrawn Cup", players=("Ada", "Bo"))
        stage.publish(event, 1)
        link = private_links(stage, data, event)["Ada"]
    phone = visits.phone()
    phone.goto(link)
    phone.goto("/e/redrawn-cup/me/game")
    with visits.offline(phone):
        choose(phone, "a.objectives", 3)
        choose(phone, "b.objectives", 1)
        press_here(phone, SEND_RESULT)
        expect(phone.locator("#outbox")).to_contain_text(WAITS)
        later = visits.tab(phone.context)
        phone.close()
        with staging() as stage:
            event = stage.one(EventRow, slug="redrawn-cup")
            stage.do(event, unpublish, 1)
            stage.do(event, discard_draw, 1)
            stage.publish(event, 1)
    later.goto("/e/redrawn-cup/me/game")
    expect(later.locator("#outbox")).to_contain_text("earlier game")
    expect(later.locator("#outbox")).not_to_contain_text("on this phone")
    expect(later.locator("#outbox a")).to_have_count(0)
    assert later.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('overseer.draft:'))") == []
