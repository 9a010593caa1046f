"""A pile of paper sheets, entered by the keyboard alone: table, figures, Enter, the next table."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.visits import Visits, leads_on
from tests.kit.stage import Stage

ENTRY = "/e/on-paper/desk/rounds/1/entry"


@pytest.fixture(scope="session", autouse=True)
def on_paper(staging: Callable[[], AbstractContextManager[Stage]]) -> None:
    """Round 1 of eight players is published; Hold the Line at every table."""
    with staging() as stage:
        event = stage.event("On Paper", scenarios=("hold-the-line", "", ""))
        stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")
        stage.publish(event, 1)


def keys(page: Page, *pressed: str) -> None:
    """Press keys one after the other wherever the focus is: "Tab", "Enter", or a text that is typed."""
    for one in pressed:
        if one in ("Tab", "Enter", "Space"):
            page.keyboard.press(one)
        else:
            page.keyboard.type(one)


def sent(page: Page, *pressed: str) -> None:
    """The same, and the last key sends a form."""
    with leads_on(page):
        keys(page, *pressed)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_pile_of_sheets_without_a_mouse(visits: Visits, organiser: StorageState, script: bool) -> None:
    desk = visits.desk(storage_state=organiser, java_script_enabled=script)
    visits.expected |= {422}
    desk.goto(ENTRY)
    table = 1 if script else 4
    expect(desk.locator("#table")).to_be_focused()
    # The table, the second and third figure of A, the first of B: Tab by Tab as on the sheet.
    sent(desk, str(table), "Enter")
    expect(desk.locator("#sheet-head")).to_have_text(f"Table {table}")
    expect(desk.locator("input[name='a.r2']")).to_be_focused()
    sent(desk, "Tab", "2", "Tab", "1", "Tab", "Tab", "Tab", "1", "Enter")
    expect(desk.locator(".flash-success")).to_contain_text(f"Table {table} stored")
    expect(desk.locator(".flash-success")).to_contain_text("3 : 1")
    expect(desk.locator("#table")).to_be_focused()
    if not script:
        return
    # What cannot be has the focus; typed over, it is stored.
    sent(desk, "2", "Enter")
    expect(desk.locator("input[name='a.r2']")).to_be_focused()
    sent(desk, "Tab", "Tab", "7", "Enter")
    expect(desk.locator("input[name='a.r4']")).to_be_focused()
    desk.keyboard.press("ControlOrMeta+a")
    sent(desk, "1", "Enter")
    expect(desk.locator(".flash-success")).to_contain_text("Table 2 stored")
    # The odd is asked once: a tick by the space bar, and Enter.
    expect(desk.locator("#table")).to_be_focused()
    sent(desk, "3", "Enter")
    expect(desk.locator("input[name='a.r2']")).to_be_focused()
    sent(desk, "Enter")
    expect(desk.locator("#sure")).to_be_focused()
    sent(desk, "Space", "Enter")
    expect(desk.locator(".flash-success")).to_contain_text("Table 3 stored")
    expect(desk.locator("main")).to_contain_text(re.compile("[34] of 4 tables are in"))
