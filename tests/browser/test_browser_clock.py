"""The clock and live pages in a real browser: phones with wrong clocks, presses at the desk, no reload."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page, StorageState, expect

from events.messages.actions import announce
from models.event import Event
from tests.browser.acts import add_walk_in, make_event, open_registration, press, publish, sign_up
from tests.browser.visits import Visits
from tests.kit.stage import Stage

WRONG_BY = {"right": 0, "fast": 3 * 3600 * 1000, "slow": -26 * 3600 * 1000}
"""Milliseconds that the phones' own clocks are ahead."""


def seconds(page: Page) -> int:
    """What the clock on a page shows, in seconds."""
    found = re.fullmatch(r"(−?)([\d:]+)", page.locator(".face .clock").inner_text())
    assert found
    sign, figures = found.groups()
    total = 0
    for part in figures.split(":"):
        total = total * 60 + int(part)
    return -total if sign else total


@pytest.mark.proves("F15")
def test_every_phone_shows_the_same_clock_whatever_its_own_says(visits: Visits, organiser: StorageState) -> None:
    desk = visits.desk(storage_state=organiser)
    event = make_event(desk, "Clock Cup")
    open_registration(desk, event)
    for name in ("Ada", "Bo"):
        add_walk_in(desk, event, name)
    desk.goto(f"{event}/desk/rounds/1")
    press(desk, "Draw round 1")
    phones = {}
    for name, wrong in WRONG_BY.items():
        phone = visits.phone()
        phone.add_init_script(f"const ownClock = Date.now.bind(Date); Date.now = () => ownClock() + {wrong};")
        phone.goto(event)
        phones[name] = phone
    publish(desk, 1)
    for phone in phones.values():
        # The event's page follows by itself: nobody reloads it.
        expect(phone.locator("#live")).not_to_be_empty()
        phone.goto(f"{event}/rounds/1")
        expect(phone.locator(".face .badge")).to_have_text("Not started")
    desk.goto(f"{event}/desk/clock")
    press(desk, "Start the clock")
    for phone in phones.values():
        expect(phone.locator(".face .badge")).to_have_text("Running")
        expect(phone.locator("#live")).to_contain_text("Round 1: running")
    shown = {name: seconds(phone) for name, phone in phones.items()}
    assert max(shown.values()) - min(shown.values()) <= 30, shown
    assert 89 * 60 < shown["right"] <= 90 * 60
    press(desk, "Pause")
    for phone in phones.values():
        expect(phone.locator(".face .badge")).to_have_text("Paused")
    assert len({seconds(phone) for phone in phones.values()}) == 1


def test_tabs_and_announcements_follow_on_open_pages(
    visits: Visits, organiser: StorageState, staging: Callable[[], AbstractContextManager[Stage]]
) -> None:
    event = make_event(desk := visits.desk(storage_state=organiser), "Tabs Cup")
    open_registration(desk, event)
    phone, guest = visits.phone(), visits.phone()
    sign_up(phone, event, "Ada")
    phone.goto(f"{event}/me")
    expect(phone.get_by_role("navigation")).not_to_contain_text("Standings")
    guest.goto(f"{event}/register")
    guest.get_by_label("Your name").fill("Bo")
    with staging() as stage:
        row = stage.one(Event, slug=event.removeprefix("/e/"))
        stage.enter(row, "Cy", "Di")
        stage.publish(row, 1)
        stage.do(row, announce, "Lunch is ready.")
    expect(phone.get_by_role("navigation")).to_contain_text("Standings")
    expect(phone.get_by_role("link", name="My page")).to_have_attribute("aria-current", "page")
    expect(guest.locator(".announcements")).to_contain_text("Lunch is ready.")
    expect(guest.get_by_label("Your name")).to_have_value("Bo")
    phone.get_by_role("button", name="Hide this announcement").click()
    phone.reload()
    expect(phone.locator(".announcement")).to_be_hidden()
