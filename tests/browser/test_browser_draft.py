"""The draft under a finger, a mouse and a keyboard: two players change places, and the page says what that costs."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.acts import choose, follow, pairings, press, press_here
from tests.browser.visits import Visits
from tests.kit.stage import Stage

DRAFT = "/e/drafted/desk/rounds/1"


@pytest.fixture(scope="session", autouse=True)
def drafted(staging: Callable[[], AbstractContextManager[Stage]]) -> None:
    """A drawn round 1 of four players, two of them of one club; another event is in its second round."""
    with staging() as stage:
        event = stage.event("Drafted")
        stage.enter(event, "Ada", "Bo", club="Reds")
        stage.enter(event, "Cy", "Di")
        stage.draw(event, 1)
        running = stage.event("Running")
        stage.enter(running, "Ada", "Bo", "Cy", "Di")
        stage.play(running, 1)
        stage.publish(running, 2)


def at(page: Page, name: str) -> tuple[str, ...]:
    """The row of the pairings in which somebody sits."""
    return next(row for row in pairings(page) if name in row)


def test_two_taps_swap_on_a_phone_and_one_takes_it_back(visits: Visits, organiser: StorageState) -> None:
    phone = visits.phone(storage_state=organiser)
    phone.goto(DRAFT)
    seats = phone.locator(".seat")
    before = pairings(phone)
    one, other = (seats.nth(place).locator("bdi").first.inner_text() for place in (0, 2))
    seats.nth(0).tap()
    expect(seats.nth(0)).to_have_attribute("aria-pressed", "true")
    seats.nth(0).tap()
    expect(seats.nth(0)).to_have_attribute("aria-pressed", "false")
    seats.nth(0).tap()
    seats.nth(2).tap()
    expect(phone.locator(".flash-success")).to_contain_text("Swapped.")
    assert at(phone, one)[0] == before[1][0]
    assert at(phone, other)[0] == before[0][0]
    press_here(phone, f"Undo: Swapped {one} and {other} in round 1")
    expect(phone.locator(".flash-success")).to_contain_text("Taken back")
    assert pairings(phone) == before


def test_a_look_at_a_correction_fits_a_phone(visits: Visits, organiser: StorageState) -> None:
    phone = visits.phone(storage_state=organiser)
    phone.goto("/e/running/desk/rounds/1")
    follow(phone.get_by_role("link", name="Correct").first)
    one, other = ("a", "b") if phone.locator("input[name='a.objectives'][value='1']").is_checked() else ("b", "a")
    choose(phone, f"{one}.objectives", 5)
    choose(phone, f"{other}.objectives", 0)
    press(phone, "See what changes")
    expect(phone.locator("#look")).to_contain_text("Its pairs stay as they were published")
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_dragging_and_keys_swap_at_a_desk_and_a_locked_pair_stays(visits: Visits, organiser: StorageState) -> None:
    desk = visits.desk(storage_state=organiser)
    desk.goto(DRAFT)
    ada, bo = (desk.locator(".seat", has_text=name) for name in ("Ada", "Bo"))
    partner = next(name for name in at(desk, "Bo")[1:] if name != "Bo")
    here, there = ada.bounding_box(), desk.locator(".seat", has_text=partner).bounding_box()
    assert here is not None
    assert there is not None
    desk.mouse.move(here["x"] + 20, here["y"] + 20)
    desk.mouse.down()
    desk.mouse.move(here["x"] + 40, here["y"] + 30, steps=4)
    desk.mouse.move(there["x"] + 20, there["y"] + 20, steps=8)
    desk.mouse.up()
    expect(desk.locator(".row-warning")).to_contain_text("same club: Reds")
    assert {"Ada", "Bo"} <= set(at(desk, "Ada"))
    expect(desk.locator(".draft-head .draft-verdict")).to_have_text("Worse than the best draw")
    desk.locator("tr", has=ada).get_by_role("button", name="Lock").click()
    expect(ada).to_have_attribute("aria-disabled", "true")
    di = desk.locator(".seat", has_text="Di")
    di.focus()
    desk.keyboard.press("Enter")
    expect(di).to_have_attribute("aria-pressed", "true")
    bo.click(force=True)  # a person does not ask whether it is enabled
    expect(desk.locator("#live")).to_contain_text("unlock it first")
    desk.keyboard.press("Escape")
    expect(di).to_have_attribute("aria-pressed", "false")
    assert {"Ada", "Bo"} <= set(at(desk, "Ada"))
