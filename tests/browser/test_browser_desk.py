"""The desk by keyboard and with script: found while typing, a queue checked in, lists walked through, keys off."""

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acts import become_organiser, make_event, open_registration, press
from tests.browser.server import Server
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import PHONE, Visits, shoot

pytestmark = pytest.mark.browser

NAMES = ("Anna Bauer; Łódź Dice", "Anouk Rossi", "Søren Weiß", "Bea Ångström", "Юлия Nowak", "Ivo Zed")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty data folder."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def hall(chromium: Browser, server: Server) -> tuple[str, object]:
    """An event with six players who are expected and owe 15 €; its address, and who the organiser is."""
    visits = Visits(chromium, server.address)
    desk = visits.desk()
    become_organiser(desk, server.set_up_link)
    event = make_event(desk, "Iron Open")
    open_registration(desk, event)
    desk.goto(f"{event}/desk/players")
    desk.get_by_label("List of names").fill("\n".join(NAMES))
    press(desk, "Add all")
    expect(desk.locator("table.check-in tbody tr")).to_have_count(6)
    desk.goto(f"{event}/desk/fee")
    desk.get_by_label("What a place costs").fill("15 €")
    press(desk, "Save")
    state = desk.context.storage_state()
    visits.close()
    assert visits.complaints == []
    return event, state


def at_desk(visits: Visits, hall: tuple[str, object], page: str, **options: object) -> Page:
    """The organiser's screen, at a page of the event's desk."""
    desk = visits.desk(storage_state=hall[1], **options)
    desk.goto(f"{hall[0]}/desk{page}")
    return desk


def focused(page: Page) -> str:
    """What the focus stands on, by its words."""
    return " ".join(
        str(page.evaluate("document.activeElement.textContent.trim() || document.activeElement.id")).split()
    )


def test_search_from_anywhere(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/settings")
    desk.keyboard.press("/")
    assert focused(desk) == "find"
    desk.keyboard.type("soren")
    panel = desk.locator("#find-panel")
    expect(panel).to_contain_text("Søren Weiß")
    expect(desk.locator("#live")).to_have_text("1 found: Søren Weiß")
    shoot(desk, "desk-search-panel")
    desk.keyboard.press("ArrowDown")
    assert focused(desk) == "Søren Weiß"
    desk.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert focused(desk) == "find"
    desk.goto(desk.url.replace("/settings", "/players"))
    desk.locator("#find").fill("soren")
    expect(panel).to_contain_text("Søren Weiß")
    for key in ("ArrowDown", "ArrowDown", "j"):  # at the end of what is found, not into the lines of the page behind
        desk.keyboard.press(key)
        assert focused(desk) == "Søren Weiß"
    desk.locator("#find").fill("nobody at all")
    expect(panel).to_contain_text("Nobody of this event is found by nobody at all.")
    desk.locator("#find").fill("lodz")
    expect(panel.locator(".found-one")).to_have_count(1)
    panel.get_by_role("link", name="Anna Bauer", exact=True).click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Anna Bauer")
    expect(desk.locator("#now")).to_contain_text("Not paid")
    desk.locator("#find").fill("an")
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/desk/search?q=an")
    expect(desk.locator("#found .found-one")).to_have_count(3)
    desk.locator("#find").fill("ano")  # on its own page what is typed changes the page's list
    expect(desk.locator("#found .found-one")).to_have_count(1)
    expect(desk.locator("#find-panel")).to_have_count(0)


def test_a_page_that_follows_the_event_keeps_what_is_being_typed(visits: Visits, hall: tuple[str, object]) -> None:
    desk, other = at_desk(visits, hall, ""), at_desk(visits, hall, "/ready/unpaid")
    desk.locator("#find").fill("ivo")
    expect(desk.locator("#find-panel")).to_contain_text("Ivo Zed")
    desk.locator("#find").focus()
    with desk.expect_response("**/desk"):
        other.locator("li", has_text="Ivo Zed").get_by_role("button").first.click()
    expect(desk.locator("#group-unpaid .ready-count")).to_have_text("5")
    expect(desk.locator("#find")).to_have_value("ivo")
    expect(desk.locator("#find-panel")).to_contain_text("Ivo Zed")
    other.keyboard.press("u")
    expect(other.locator("h1")).to_have_text("6 have not paid")


def test_a_queue_at_the_door(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/door")
    assert focused(desk) == "door-q"
    desk.keyboard.type("an")
    expect(desk.locator("#matches li")).to_have_count(3)
    desk.keyboard.press("Enter")  # nobody is guessed
    expect(desk.locator("#door-q")).to_have_value("an")
    expect(desk.locator(".lede")).to_have_text("0 here, 6 expected.")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowDown")
    assert focused(desk) == "Check in: Anouk Rossi"
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    expect(desk.locator(".done-bar").first).to_contain_text("Checked in Anouk Rossi")
    for letters, name in (("so", "Søren Weiß"), ("юл", "Юлия Nowak")):
        assert focused(desk) == "door-q"
        desk.keyboard.type(letters)
        with desk.expect_navigation():
            desk.keyboard.press("Enter")
        expect(desk.locator(".done-bar").first).to_contain_text(f"Checked in {name}")
        expect(desk.locator(".owing")).to_contain_text(f"{name} has not paid: 15 €")
    expect(desk.locator(".lede")).to_have_text("3 here, 3 expected.")
    shoot(desk, "desk-door")
    assert list(faults(desk, "desk")) == []
    with desk.expect_navigation():
        press(desk, "Undo")
    expect(desk.locator(".lede")).to_have_text("2 here, 4 expected.")


def test_lists_and_pages_by_keyboard(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/ready/unpaid")
    desk.keyboard.press("j")
    assert focused(desk) == "Paid: Anna Bauer"
    desk.keyboard.press("j")
    assert focused(desk) == "Paid: Anouk Rossi"
    desk.keyboard.press("k")
    assert focused(desk) == "Paid: Anna Bauer"
    desk.keyboard.press("ArrowDown")
    assert focused(desk) == "Paid: Anouk Rossi"
    expect(desk.locator(".at-hand")).to_contain_text("Anouk Rossi")
    desk.keyboard.press("x")
    expect(desk.locator("[name=chosen]:checked")).to_have_count(1)
    desk.keyboard.press("x")
    expect(desk.locator("[name=chosen]:checked")).to_have_count(0)
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    expect(desk.locator(".done-bar")).to_contain_text("Anouk Rossi has paid")
    expect(desk.locator(":focus")).to_have_text("Paid: Bea Ångström")  # the next of the list, not the page's head
    with desk.expect_navigation():
        desk.keyboard.press("u")
    expect(desk.locator(".flash-success")).to_contain_text("Taken back.")
    press(desk, "Tick all")
    expect(desk.locator("[name=chosen]:checked")).to_have_count(6)
    desk.keyboard.press("Escape")
    for letter, address in (("p", "/players"), ("k", "/door"), ("d", "")):
        desk.keyboard.press("g")
        if letter == "k":
            expect(desk.get_by_role("heading", level=1)).to_have_text("Players")
        with desk.expect_navigation():
            desk.keyboard.press(letter)
        assert desk.url.endswith(f"/desk{address}")
        if letter == "k":  # the door's field has the focus: leave it as one would
            desk.locator("h1").click()
            desk.evaluate("document.activeElement.blur()")


def test_no_key_acts_where_something_is_typed_or_with_a_modifier(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/players")
    here = desk.url
    name = desk.locator("#walk-in").get_by_label("Name")
    name.focus()
    desk.keyboard.type("g/jk?ux")
    expect(name).to_have_value("g/jk?ux")
    area = desk.get_by_label("List of names")
    area.focus()
    desk.keyboard.type("gd?")
    expect(area).to_have_value("gd?")
    desk.locator("h1").click()
    desk.evaluate("document.activeElement.blur()")
    for chord in ("Alt+j", "Control+j"):
        desk.keyboard.press(chord)
    assert desk.evaluate("document.activeElement === document.body")
    assert desk.url == here
    expect(desk.locator("dialog")).to_have_count(0)


def test_the_list_of_keys_and_how_they_are_switched_off(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "")
    desk.keyboard.press("?")
    dialog = desk.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("find a player")
    expect(dialog).to_contain_text("Check-in")
    shoot(desk, "desk-keys")
    assert list(faults(desk, "desk")) == []
    for link in desk.locator("[data-go]").all():
        expect(dialog.locator("dd", has_text=(link.text_content() or "").strip()).first).to_be_visible()
    desk.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    press(desk, "Keys")
    press(desk, "Switch the keys off")
    desk.keyboard.press("/")
    desk.keyboard.press("?")
    desk.keyboard.press("j")
    expect(desk.locator("dialog")).to_have_count(0)
    assert focused(desk) != "find"
    desk.reload()
    desk.keyboard.press("?")
    expect(desk.locator("dialog")).to_have_count(0)
    press(desk, "Keys")
    press(desk, "Switch the keys on")
    desk.keyboard.press("/")
    assert focused(desk) == "find"


def test_tab_reaches_everything_in_the_order_of_the_page(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/ready/not_here")
    desk.keyboard.press("Tab")
    assert focused(desk) == "Skip to the page"
    order: list[float] = []
    for _ in range(90):
        desk.keyboard.press("Tab")
        at = desk.evaluate(
            "() => { const at = document.activeElement; if (at === document.body) return null;"
            " const box = at.getBoundingClientRect(); const style = getComputedStyle(at);"
            " return { top: box.top + scrollY, text: at.outerHTML.slice(0, 200), main: !!at.closest('main'),"
            " marked: style.outlineStyle !== 'none' || style.boxShadow !== 'none' } }"
        )
        if at is None:
            break
        assert at["marked"], f"the focus is not seen on {at['text']}"
        if at["main"]:
            order.append(at["top"])
    assert all(after > before - 30 for before, after in pairwise(order)), order
    controls = desk.locator("main :is(a[href], button, input):visible").count()
    assert len(order) == controls
    desk.goto(desk.url)
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    assert desk.evaluate("document.activeElement.id") == "main"


def test_the_door_and_the_search_without_script(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/door", java_script_enabled=False)
    desk.locator("#door-q").fill("zed")
    desk.locator("#door-q").press("Enter")
    expect(desk.locator(".done-bar").first).to_contain_text("Checked in Ivo Zed")
    press(desk, "Undo")
    desk.locator("#find").fill("zed")
    desk.locator("#find").press("Enter")
    expect(desk.locator(".found-one")).to_contain_text("Registered")


@pytest.mark.parametrize("page", ["", "/door?q=a", "/search?q=a", "/ready/unpaid", "/ready/not_here", "/fee"])
def test_its_pages_fit_a_phone(visits: Visits, hall: tuple[str, object], page: str) -> None:
    phone = visits.open(**PHONE | {"device_scale_factor": 1}, storage_state=hall[1])
    phone.goto(f"{hall[0]}/desk{page}")
    for summary in phone.locator(".ready > summary").all():
        summary.click()
    assert list(faults(phone, "phone")) == []
    shoot(phone, f"desk-{page.strip('/').replace('/', '-').partition('?')[0] or 'to-do'}-phone", full=True)
