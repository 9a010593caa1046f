"""The desk with scripts and keyboard: search, check-in, lists, shortcut keys, and unsaved input."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, Route, StorageState, expect

from tests.browser.acts import follow, keys, press, press_here, questions_of, sent
from tests.browser.conftest import Staging
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import Visits, leads_on

NAMES = ("Anouk Rossi", "Søren Weiß", "Bea Ångström", "Юлия Nowak", "Ivo Zed")


@pytest.fixture(scope="module")
def hall(staging: Staging, organiser: StorageState) -> tuple[str, object]:
    """An event with six players who have not arrived or paid 15 €; its address, and the organiser's cookies."""
    with staging() as stage:
        event = stage.event("Desk Cup")
        stage.enter(event, "Anna Bauer", here=False, club="Łódź Dice")
        stage.enter(event, *NAMES, here=False)
        stage.set(event, fee="15 €")
    return "/e/desk-cup", organiser


def at_desk(visits: Visits, hall: tuple[str, object], page: str, **options: object) -> Page:
    desk = visits.desk(storage_state=hall[1], **options)
    desk.goto(f"{hall[0]}/desk{page}")
    return desk


def on(page: Page, words: str, *pressed: str) -> None:
    """Check that these keys move the focus to the element with this text, or to the field of this name."""
    keys(page, *pressed)
    if words.startswith("#"):
        expect(page.locator(words)).to_be_focused()
    else:
        expect(page.locator(":focus")).to_have_text(words)


def test_leaving_a_section_with_unsaved_input_asks_first(visits: Visits, hall: tuple[str, object]) -> None:
    visits.expected |= {422}
    desk = at_desk(visits, hall, "/settings/lists")
    asked = questions_of(desk)
    size, mark = desk.get_by_label("Size", exact=True), desk.locator("[data-not-saved]")
    expect(mark).to_be_hidden()
    size.fill("0")
    expect(mark).to_have_text("Not saved yet")
    press(desk.locator("#lists"), "Save")
    expect(desk.locator("#lists .field-wrong")).to_be_visible()
    expect(size).to_have_value("0")
    assert asked == [], "a refused section keeps its input, and sending it asks nothing"
    follow(desk.get_by_role("link", name="Tie-breaks"))
    assert asked == ["beforeunload"], "the refused input would be lost"
    follow(desk.get_by_role("link", name="Lists").last)
    size.fill("600")
    press(desk.locator("#lists"), "Save")
    expect(desk.locator("#lists .saved")).to_contain_text("Saved")
    assert len(asked) == 1


def test_settings_show_the_fields_of_the_chosen_format_alone(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/settings/format")
    fields = desk.locator("#format-legs"), desk.locator("#format-cut")
    for chosen, shown in (("swiss", [False, True]), ("round_robin", [True, True]), ("knockout", [False, False])):
        desk.locator("#format-format").select_option(chosen)
        assert [field.is_visible() for field in fields] == shown


@pytest.mark.sweep
def test_template_asks_before_it_replaces_a_typed_message(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/messages/new")
    asked = questions_of(desk)
    follow(desk.get_by_role("link", name="List not legal"))
    assert asked == []
    desk.get_by_label("Subject").fill("Lunch")
    follow(desk.get_by_role("link", name="List missing"))
    assert asked == ["beforeunload"]


@pytest.mark.sweep
def test_players_page_asks_before_it_loses_typed_names(
    visits: Visits, staging: Staging, organiser: StorageState
) -> None:
    with staging() as stage:
        event = stage.event("Name Cup")  # its own, because the test adds players
        stage.enter(event, "Anna Bauer", here=False)
        stage.set(event, fee="15 €")
    desk = at_desk(visits, ("/e/name-cup", organiser), "/players")
    asked = questions_of(desk)
    desk.locator("#paste textarea").fill("Zoë")
    desk.locator("#walk-in").get_by_label("Name").fill("Late Guest")
    follow(desk.get_by_role("button", name="Mark as paid").first)
    assert asked == ["beforeunload"]
    desk.locator("#paste textarea").fill("Zoë")
    desk.locator("#walk-in").get_by_label("Name").fill("Late Guest")
    press(desk.locator("#walk-in"), "Add")
    assert asked == ["beforeunload"] * 2, "the pasted names would be lost"
    desk.locator("#paste textarea").fill("Zoë")
    press(desk.locator("#paste"), "Add all")
    assert len(asked) == 2


def test_search_opens_from_every_desk_page(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/settings")
    on(desk, "#find", "/")
    desk.keyboard.insert_text("soren")  # in one step: results for the first letters alone would be shown and replaced
    panel = desk.locator("#find-panel")
    expect(panel).to_contain_text("Søren Weiß")
    expect(desk.locator("#live")).to_have_text("1 found: Søren Weiß")
    on(desk, "Søren Weiß", "ArrowDown")
    desk.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    on(desk, "#find")
    desk.goto(desk.url.replace("/settings", "/players"))
    desk.locator("#find").fill("soren")
    expect(panel).to_contain_text("Søren Weiß")
    for key in ("ArrowDown", "ArrowDown", "j"):  # stops at the last result, and does not enter the page behind
        on(desk, "Søren Weiß", key)
    desk.locator("#find").fill("nobody at all")
    expect(panel).to_contain_text("No player of this event matches nobody at all.")
    desk.locator("#find").fill("lodz")
    expect(panel.locator(".found-one")).to_have_count(1)
    follow(panel.get_by_role("link", name="Anna Bauer", exact=True))
    expect(desk.get_by_role("heading", level=1)).to_have_text("Anna Bauer")
    expect(desk.locator("#now")).to_contain_text("Not paid")
    desk.locator("#find").fill("an")
    sent(desk, "Enter")
    expect(desk).to_have_url(re.compile(r"/desk/search\?q=an$"))
    expect(desk.locator("#found .found-one")).to_have_count(3)
    desk.locator("#find").fill("ano")  # on the search page, typing changes the page's list
    expect(desk.locator("#found .found-one")).to_have_count(1)
    expect(desk.locator("#find-panel")).to_have_count(0)


@pytest.mark.sweep
def test_page_that_was_rendered_before_a_change_is_requested_again(visits: Visits, hall: tuple[str, object]) -> None:
    desk, other = at_desk(visits, hall, ""), at_desk(visits, hall, "/ready/unpaid")
    asked: list[Route] = []

    def outdated(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.fulfill(body=before, content_type="text/html")
        else:
            route.continue_()

    before = desk.request.get(desk.url).text()
    desk.route("**/desk", outdated)
    with leads_on(other):
        other.locator("li", has_text="Ivo Zed").get_by_role("button").first.click()
    expect(desk.locator("#group-unpaid .ready-count")).to_have_text("5", timeout=20_000)
    assert len(asked) == 2
    sent(other, "u")
    expect(other.locator("h1")).to_have_text("6 have not paid")


@pytest.mark.sweep
def test_page_keeps_updating_after_an_unanswered_request(visits: Visits, hall: tuple[str, object]) -> None:
    desk, other = at_desk(visits, hall, ""), at_desk(visits, hall, "/ready/unpaid")
    held: list[Route] = []
    desk.route("**/version", lambda route: held.append(route), times=1)
    before = int(desk.locator("#group-unpaid .ready-count").inner_text())
    with leads_on(other):
        other.locator("li", has_text="Ivo Zed").get_by_role("button").first.click()
    expect(desk.locator("#group-unpaid .ready-count")).to_have_text(str(before - 1))
    assert len(held) == 1
    with leads_on(other):
        other.keyboard.press("u")
    expect(other.locator("h1")).to_have_text(f"{before} have not paid")


def test_queue_is_checked_in_with_the_keyboard(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/door")
    on(desk, "#door-q")
    desk.keyboard.type("an")
    expect(desk.locator("#matches li")).to_have_count(3)
    with leads_on(desk):  # the previous page shows the same text and rows
        desk.keyboard.press("Enter")  # an ambiguous name checks in nobody
    expect(desk.locator("#door-q")).to_have_value("an")
    expect(desk.locator(".lede")).to_have_text("0 here, 6 expected.")
    on(desk, "Check in: Anouk Rossi", "ArrowDown", "ArrowDown")
    sent(desk, "Enter")
    expect(desk.locator(".done-bar").first).to_contain_text("Checked in Anouk Rossi")
    for letters, name in (("so", "Søren Weiß"), ("юл", "Юлия Nowak")):
        on(desk, "#door-q")
        desk.keyboard.type(letters)
        sent(desk, "Enter")
        expect(desk.locator(".done-bar").first).to_contain_text(f"Checked in {name}")
        expect(desk.locator(".owing")).to_contain_text(f"{name} has not paid: 15 €")
    expect(desk.locator(".lede")).to_have_text("3 here, 3 expected.")
    assert list(faults(desk, "desk")) == []
    press(desk, "Undo")
    expect(desk.locator(".lede")).to_have_text("2 here, 4 expected.")


@pytest.mark.sweep
def test_lists_and_pages_are_reached_by_keyboard(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/ready/unpaid")
    on(desk, "Mark as paid: Anna Bauer", "j")
    on(desk, "Mark as paid: Anouk Rossi", "j")
    on(desk, "Mark as paid: Anna Bauer", "k")
    on(desk, "Mark as paid: Anouk Rossi", "ArrowDown")
    expect(desk.locator(".at-hand")).to_contain_text("Anouk Rossi")
    desk.keyboard.press("x")
    expect(desk.locator("[name=chosen]:checked")).to_have_count(1)
    desk.keyboard.press("x")
    expect(desk.locator("[name=chosen]:checked")).to_have_count(0)
    sent(desk, "Enter")
    expect(desk.locator(".done-bar")).to_contain_text("Anouk Rossi has paid")
    expect(desk.locator(":focus")).to_have_text(
        "Mark as paid: Bea Ångström"
    )  # the next in the list, not the top of the page
    sent(desk, "u")
    expect(desk.locator(".flash-success")).to_contain_text("Undone.")
    press_here(desk, "Tick all")
    expect(desk.locator("[name=chosen]:checked")).to_have_count(6)
    desk.keyboard.press("Escape")
    for letter, address in (("p", "/players"), ("k", "/door"), ("d", "")):
        sent(desk, f"g{letter}")  # quickly: g is forgotten after 1.5 s
        assert desk.url.endswith(f"/desk{address}")
        if letter == "k":  # check-in's field has the focus: leave it first
            desk.locator("h1").click()
            desk.evaluate("document.activeElement.blur()")


@pytest.mark.sweep
def test_shortcut_keys_do_nothing_in_fields_or_with_a_modifier(visits: Visits, hall: tuple[str, object]) -> None:
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


@pytest.mark.sweep
def test_shortcut_keys_are_listed_and_can_be_switched_off(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "")
    desk.keyboard.press("?")
    dialog = desk.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("finds a player")
    expect(dialog).to_contain_text("Check-in")
    assert list(faults(desk, "desk")) == []
    for link in desk.locator("[data-go]").all():
        expect(dialog.locator("dd", has_text=(link.text_content() or "").strip()).first).to_be_visible()
    desk.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    press_here(desk, "Keys")
    press_here(desk, "Switch the keys off")
    keys(desk, "/", "?", "j")
    expect(desk.locator("dialog")).to_have_count(0)
    expect(desk.locator("#find")).not_to_be_focused()
    desk.reload()
    desk.keyboard.press("?")
    expect(desk.locator("dialog")).to_have_count(0)
    press_here(desk, "Keys")
    press_here(desk, "Switch the keys on")
    on(desk, "#find", "/")


def test_tab_reaches_every_control_in_the_order_of_the_page(visits: Visits, hall: tuple[str, object]) -> None:
    desk = at_desk(visits, hall, "/ready/not_here")
    on(desk, "Skip to content", "Tab")
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
        assert at["marked"], f"the focus is not visible on {at['text']}"
        if at["main"]:
            order.append(at["top"])
    assert all(after > before - 30 for before, after in pairwise(order)), order
    controls = desk.locator("main :is(a[href], button, input):visible").count()
    assert len(order) == controls
    desk.goto(desk.url)
    on(desk, "#main", "Tab", "Enter")


def test_selection_shows_its_buttons_and_a_drop_closes_its_menu(
    visits: Visits, staging: Staging, organiser: StorageState
) -> None:
    with staging() as stage:
        stage.enter(stage.event("Drop Cup"), "Anna Bauer", "Ben Cole")
    desk = at_desk(visits, ("/e/drop-cup", organiser), "/players")
    remove = desk.get_by_role("button", name="Remove selected")
    expect(remove).to_be_hidden()
    desk.get_by_label("Select Anna Bauer").check()
    expect(remove).to_be_visible()
    menu = desk.locator(".row-acts").first
    desk.set_viewport_size({"width": 1280, "height": 400})
    menu.evaluate("at => at.scrollIntoView({ block: 'end', behavior: 'instant' })")
    menu.locator("summary").click()
    expect(menu.locator("> div")).to_be_in_viewport(ratio=1)
    menu.get_by_role("button", name="Drop").click()
    follow(desk.get_by_role("dialog").get_by_role("button", name="Drop"))
    expect(desk.locator(".said-here")).to_contain_text("Anna Bauer is dropped")
    expect(desk.locator(".row-acts[open]")).to_have_count(0)
