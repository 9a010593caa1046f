"""The force builder: typing, keyboard, offline changes, double clicks, search and undo."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.acts import follow, keys, open_card, press, press_here, private_links, questions_of, sign_up
from tests.browser.conftest import Staging
from tests.browser.visits import Visits
from tests.kit.person import SUBMIT_FORCE
from tests.kit.stage import Event


@pytest.fixture(scope="module")
def event(staging: Staging) -> str:
    with staging() as stage:
        stage.event("Builders", list_deadline=None)
    return "/e/builders"


@pytest.fixture
def phone(visits: Visits, staging: Staging, data: Path, event: str, request: pytest.FixtureRequest) -> Page:
    """A new player's builder, with one model. The private link is opened without showing its page."""
    page = visits.phone()
    with staging() as stage:
        builders = stage.one(Event, slug="builders")
        (player,) = stage.enter(builders, request.node.name)
        stage.set(builders, player, faction="Survivors")
        page.request.get(private_links(stage, data, builders)[request.node.name])
    page.goto(f"{event}/me/force")
    add(page, "Minuteman")
    return page


def add(phone: Page, model: str) -> None:
    """Add a model, and open its card, with the list of what it can have, instead of the list of models."""
    before = phone.locator(".model").count()
    if not phone.locator("#results[open]").count():
        phone.locator("#results > summary").click()
    phone.locator("#results").get_by_role("button", name=f"Add {model}", exact=True).last.click()
    expect(phone.locator(".model")).to_have_count(before + 1)
    phone.locator("#results > summary").click()
    open_card(phone, f"m{before}")


def item(phone: Page, name: str) -> Locator:
    """The button that adds this to the open card: its name, and what it costs."""
    return phone.locator(".builder-box [data-results]:not([data-again])").get_by_role(
        "button", name=re.compile(rf"^{re.escape(name)} ")
    )


def stored(phone: Page) -> dict[str, Any]:
    """The stored force, from its download."""
    phone_address = phone.get_by_role("link", name="Save as a file").get_attribute("href")
    answer = phone.request.get(f"{phone_address}")
    document: dict[str, Any] = json.loads(answer.text())
    return document


def total(phone: Page) -> int:
    return int(phone.locator(".tally-value span").inner_text())


def test_refused_submission_leaves_with_the_first_model(visits: Visits, event: str) -> None:
    phone = visits.phone()
    sign_up(phone, event, "Empty-handed", faction="Survivors")
    phone.goto(f"{event}/me/force")
    visits.expected.add(422)
    press(phone, SUBMIT_FORCE)
    refused = phone.locator(".flash-error")
    expect(refused).to_have_text("This force is empty. Build it, then submit it.")
    add(phone, "Minuteman")
    expect(refused).to_have_count(0)


@pytest.mark.sweep
def test_total_follows_the_typed_number_of_copies(phone: Page) -> None:
    item(phone, "Fragmentation Mine").click()
    copies = phone.get_by_label("Copies of Fragmentation Mine", exact=True)
    expect(copies).to_have_value("1")
    alone = total(phone)
    press_here(phone, "More: Copies of Fragmentation Mine")
    press_here(phone, "More: Copies of Fragmentation Mine")
    shown = phone.locator(".tally-value span")
    expect(shown).to_have_text(str(alone + 2 * (alone - 54)))
    copies.fill("99")
    expect(phone.locator("[data-part=verdict]")).to_contain_text("bm.size")
    expect(phone.locator(".builder-bar .over title")).to_have_text(re.compile("^[0-9]+ over$"))
    copies.fill("")
    phone.wait_for_timeout(400)  # an incomplete number is not sent and gets no error
    expect(phone.locator("[data-part=faults], [data-note]")).to_have_text(["", ""])
    assert stored(phone)["models"][0]["items"][0]["count"] == 99
    copies.fill("100")
    expect(phone.locator("[data-note]")).to_contain_text("Not saved. Copies of Fragmentation Mine: ")
    expect(phone.locator(".builder-verdict b")).to_be_hidden()
    expect(copies).to_have_attribute("aria-invalid", "true")
    phone.locator("#m0 > summary").click()
    press_here(phone, "Undo")
    expect(copies).to_be_focused()
    copies.fill("2")
    expect(phone.locator(".builder-verdict")).to_contain_text("Legal")
    assert stored(phone)["models"][0]["items"][0]["count"] == 2


def test_score_against_the_rules_is_marked_at_its_box(staging: Staging, visits: Visits) -> None:
    with staging() as stage:
        stage.event("Sides", game="skill_combat", list_deadline=None)
    page = visits.phone()
    sign_up(page, "/e/sides", "Ada", label="Origin", faction="Raiders")
    page.goto("/e/sides/me/force")
    press_here(page, "Add a character")
    strength = page.get_by_label("STR", exact=True)
    for typed, shown, marked in (("11", "2 things to fix", "true"), ("4", "Legal", None)):
        strength.fill(typed)
        expect(page.locator(".builder-verdict")).to_contain_text(shown)
        assert strength.get_attribute("aria-invalid") == marked


def test_force_is_built_with_the_keyboard_alone(phone: Page) -> None:
    phone.locator("#find-item").focus()
    keys(phone, "Settler", "Enter", "Enter")
    expect(phone.locator(".model h3")).to_have_text(["Minuteman", "Settler"])
    # The button keeps the focus: it adds another one.
    expect(phone.get_by_role("button", name="Add Settler", exact=True)).to_be_focused()
    phone.locator("#m1 > summary").focus()
    keys(phone, "Enter", "Tab", "Space")
    expect(phone.locator("#m1").get_by_label("Heroic")).to_be_checked()
    expect(phone.locator("#m1 summary .num")).to_contain_text("100")
    keys(phone, "/", "sneak", "Enter", "Enter")
    expect(phone.locator("#m1 .lines")).to_contain_text("Sneak")
    # Enter in the name saves without pressing a button.
    open_card(phone, "named")
    phone.get_by_label("Name of the force").fill("The Late Shift")
    with phone.expect_response(lambda answer: answer.request.method == "POST"):
        phone.keyboard.press("Enter")
    force = stored(phone)
    assert force["name"] == "The Late Shift"
    assert [model["name"] for model in force["models"]] == ["Minuteman", "Settler"]
    assert force["models"][1]["heroic"] is True


def test_changes_made_offline_are_saved_later(phone: Page, visits: Visits) -> None:
    note = phone.locator("[data-note]")
    with visits.offline(phone):
        phone.locator("#m0").get_by_label("Heroic").check()
        expect(note).to_contain_text("Not saved, no connection")
        open_card(phone, "named")
        phone.get_by_label("Name of the force").fill("Written in the cellar")
        with phone.expect_event("requestfailed", lambda request: "duplicate" in (request.post_data or "")):
            press_here(phone, "Duplicate Minuteman")
        expect(note).to_contain_text("Not saved, no connection")
        expect(phone.locator(".model")).to_have_count(1)
        expect(phone.locator("#m0").get_by_label("Heroic")).to_be_checked()
    expect(note).to_have_text("Saved.")
    force = stored(phone)
    assert force["name"] == "Written in the cellar"
    assert [model["heroic"] for model in force["models"]] == [True]
    press_here(phone, "Duplicate Minuteman")
    expect(phone.locator(".model")).to_have_count(2)


@pytest.mark.sweep
def test_leaving_asks_only_about_a_text_that_was_not_read(phone: Page, event: str) -> None:
    asked = questions_of(phone)
    open_card(phone, "named")
    phone.get_by_label("Name of the force").press_sequentially("Late Shift")
    expect(phone.locator("[data-note]")).to_have_text("Saved.")
    follow(phone.get_by_role("link", name="My page"))
    phone.goto(f"{event}/me/force")
    open_card(phone, "m0")
    phone.locator("#m0").get_by_label("Heroic").check()
    follow(phone.get_by_role("link", name="My page"))  # before the change is sent: leaving the page sends it
    for _ in range(20):  # the change may arrive after the request for the next page
        phone.goto(f"{event}/me/force")
        if phone.locator("#m0").get_by_label("Heroic").is_checked():
            break
        phone.wait_for_timeout(200)
    expect(phone.locator("#m0").get_by_label("Heroic")).to_be_checked()
    assert (asked, stored(phone)["name"]) == ([], "Late Shift")
    phone.get_by_text("from a file, a text or a link").click()
    phone.get_by_label("Or the list as text, or a link to it").fill("Minuteman")
    press(phone, SUBMIT_FORCE)
    assert asked == ["beforeunload"]


@pytest.mark.sweep
def test_double_click_adds_one_model(phone: Page) -> None:
    phone.locator("#results > summary").click()
    phone.get_by_role("button", name="Add Settler", exact=True).dblclick()
    expect(phone.locator(".model")).to_have_count(2)
    phone.wait_for_timeout(400)
    assert [model["name"] for model in stored(phone)["models"]] == ["Minuteman", "Settler"]


def test_item_is_added_by_one_tap_in_the_open_card_and_can_be_undone(phone: Page) -> None:
    added = phone.locator("#m0 .lines:not(.builder-box *)")
    expect(phone.locator("[data-chooser] > .button")).to_be_hidden()  # the list is open
    item(phone, "Laser Musket").click()
    expect(added).to_contain_text("Laser Musket")
    expect(phone.locator("[data-note]")).to_have_text("Laser Musket added")
    expect(phone.locator("#live")).to_contain_text("Laser Musket added. Legal")
    expect(phone.locator("#m0 .model-carries")).to_have_text("Laser Musket")
    expect(item(phone, "Laser Musket")).to_be_focused()
    mod = phone.get_by_label("Mod on Laser Musket")
    mod.select_option("Long Barrel")
    expect(phone.locator("#m0 .model-carries")).to_have_text("Laser Musket with Long Barrel")
    press_here(phone, "Undo")
    expect(mod).to_have_value("")
    press_here(phone, "Undo")
    expect(added).to_be_hidden()


def test_answer_to_a_tap_has_only_what_changed(phone: Page) -> None:
    for _ in range(3):
        add(phone, "Settler")
    press_here(phone, "Choose equipment for Settler (model\xa02)")
    with phone.expect_response(lambda answer: answer.request.method == "POST") as answer:
        item(phone, "Board").click()
    text = answer.value.text()
    assert [place for place in range(4) if f'id="m{place}"' in text] == [1]
    assert "o\tBoard\t" not in text, "the page has the list of this model"
    expect(phone.locator(".model-carries")).to_have_text(["", "Board", "", ""])
    assert [entry["items"] != [] for entry in stored(phone)["models"]] == [False, True, False, False]


@pytest.mark.sweep
def test_what_was_folded_stays_folded(phone: Page) -> None:
    phone.locator("#m0 > summary").click()
    add(phone, "Settler")
    for part in ("m0", "m1", "named"):
        expect(phone.locator(f"#{part}")).to_have_js_property("open", part == "m1")
    phone.locator("#find-item").fill("dog")
    expect(phone.locator("#results")).to_have_js_property("open", True)
    press_here(phone, "Add Dog")
    expect(phone.locator(".model")).to_have_count(3)
    expect(phone.locator("#find-item")).to_have_value("dog")
    phone.locator("#find-item").press("Escape")
    expect(phone.locator("#results")).to_have_js_property("open", False)
    press_here(phone, "Move Settler down")
    expect(phone.locator(".model h3")).to_have_text(["Minuteman", "Dog", "Settler"])
    assert phone.locator("details[id]").evaluate_all("all => all.filter(one => one.open).map(one => one.id)") == ["m2"]


@pytest.mark.sweep
def test_recent_and_favourite_choices_come_first_in_this_browser(phone: Page, event: str) -> None:
    phone.locator("#results > summary").click()
    again = phone.locator("#results [data-again] li")
    expect(again).to_have_count(1)  # the Minuteman of the start
    phone.get_by_role("button", name="Favourite: Dog", exact=True).click()
    press_here(phone, "Add Settler")
    expect(again).to_contain_text(["Dog", "Settler", "Minuteman"])
    phone.goto(f"{event}/me/force")
    phone.locator("#results > summary").click()
    expect(again).to_contain_text(["Dog", "Settler", "Minuteman"])
    press_here(phone, "Add Dog (favourite)")
    expect(phone.locator(".model h3")).to_have_text(["Minuteman", "Settler", "Dog"])
    phone.evaluate("localStorage.setItem('overseer-builder-battle_mode', 'no JSON')")
    phone.reload()
    expect(phone.locator("#results [data-again]")).to_have_count(0)
    open_card(phone, "m0")
    item(phone, "Laser Musket").click()
    expect(phone.locator(".builder-box [data-again]").first).to_contain_text("Laser Musket")


@pytest.mark.sweep
def test_state_and_bar_follow_each_change(phone: Page) -> None:
    state, button = phone.locator(".builder-state b"), phone.get_by_role("button", name=SUBMIT_FORCE)
    expect(state).to_have_text("Legal, not submitted")
    expect(button).to_have_class("button primary")
    phone.locator("#m0").get_by_label("Leader").check()
    add(phone, "Settler")
    expect(phone.locator(".builder-bar rect")).to_have_count(2)
    press_here(phone, "Choose equipment for Minuteman")
    item(phone, "Fragmentation Mine").click()
    phone.get_by_label("Copies of Fragmentation Mine", exact=True).fill("99")
    expect(state).to_have_text("1 thing to fix, not submitted")
    expect(button).to_have_class("button")
    expect(phone.locator(".builder-bar .over")).to_have_count(1)


@pytest.mark.sweep
def test_search_filters_the_open_list_and_says_what_else_is_called_so(phone: Page) -> None:
    item(phone, "Laser Musket").click()
    add(phone, "Settler")
    press_here(phone, "Choose equipment for Minuteman")
    phone.locator("#m0 > summary").focus()
    phone.keyboard.press("/")
    search = phone.locator("#find-equipment")
    expect(search).to_be_focused()
    choices = phone.locator(".builder-box [data-results]:not([data-again]) li:visible")
    everything = choices.count()
    phone.keyboard.type("laser mus")
    expect(choices).to_have_count(1)
    expect(phone.locator("#live")).to_contain_text("Items found: 1.")
    # Enter goes to the result, Enter adds it; the search text and the position stay.
    keys(phone, "Enter", "Enter")
    expect(phone.locator("#m0 .model-carries")).to_have_text("2 × Laser Musket")
    expect(search).to_have_value("laser mus")
    expect(choices).to_have_count(1)
    expect(item(phone, "Laser Musket")).to_be_focused()
    # Saving meanwhile does not change the typed text.
    alone = str(total(phone))
    search.fill("pis")
    phone.locator("#m0").get_by_label("Copies of Laser Musket", exact=True).fill("3")
    search.focus()
    phone.keyboard.press("End")
    phone.keyboard.type("tol", delay=60)
    expect(phone.locator(".tally-value span")).not_to_have_text(alone)
    expect(search).to_have_value("pistol")
    expect(search).to_be_focused()
    assert 0 < choices.count() < everything
    phone.keyboard.press("Escape")
    expect(choices).to_have_count(everything)
    # A mod is no model, and goes on an item.
    phone.locator("#find-item").fill("long bar")
    find = phone.locator("#add .builder-find [data-found]")
    expect(find).to_have_text("Models found: 0. Mods found: 1.")
    elsewhere = phone.locator("#add [data-elsewhere]")
    expect(elsewhere).to_have_text("Long Barrel, a mod for: Minuteman: Laser Musket")
    elsewhere.get_by_role("link", name="Minuteman: Laser Musket").click()
    expect(phone.locator("#m0").get_by_label("Mod on Laser Musket")).to_be_focused()
    phone.locator("#find-item").fill("sneak")
    expect(find).to_have_text("Models found: 0. Perks found: 1.")
    elsewhere.get_by_role("link", name="Settler").click()
    expect(search).to_have_value("Sneak")
    expect(choices).to_have_count(1)
    assert stored(phone)["models"][0]["items"][0]["count"] == 3


@pytest.mark.sweep
def test_choices_that_fit_are_offered(phone: Page) -> None:
    item(phone, "Fragmentation Mine").click()
    item(phone, "Laser Musket").click()
    fits = phone.locator("#m0").get_by_label("Affordable with the Caps left")
    fits.check()
    items = phone.locator(".builder-box [data-results]:not([data-again]) li:visible")
    many = items.count()
    for name in ("Fragmentation Mine", "Laser Musket"):
        phone.get_by_label(f"Copies of {name}", exact=True).fill("99")
    expect(items).not_to_have_count(many)
    left = int(phone.locator("[data-left]").get_attribute("data-left") or 0)
    caps = [int(text) for text in items.evaluate_all("items => items.map(item => item.dataset.caps)")]
    assert all(cost <= left for cost in caps)
    fits.uncheck()
    expect(items).to_have_count(many)
    over = item(phone, "Board").locator("[data-over]")
    expect(over).to_have_text(re.compile("^[0-9]+ over$"))


def test_undo_by_button_and_keys(phone: Page) -> None:
    add(phone, "Settler")
    phone.locator("#m1").get_by_label("Heroic").check()
    expect(phone.locator("#m1 summary .num")).to_contain_text("100")
    names = phone.locator(".model h3")
    press_here(phone, "Undo")
    expect(phone.locator("#m1").get_by_label("Heroic")).not_to_be_checked()
    expect(phone.get_by_role("button", name="Undo")).to_be_focused()
    phone.keyboard.press("Control+z")
    expect(names).to_have_text(["Minuteman"])
    phone.keyboard.press("Control+y")
    expect(names).to_have_text(["Minuteman", "Settler"])
    # In a field these keys edit the field.
    open_card(phone, "named")
    phone.get_by_label("Name of the force").fill("Late")
    phone.keyboard.press("Control+z")
    expect(phone.get_by_label("Name of the force")).to_have_value("")
    expect(names).to_have_text(["Minuteman", "Settler"])


@pytest.mark.sweep
def test_focused_controls_are_never_behind_the_bars(phone: Page) -> None:
    for model in ("Settler", "Scavenger", "Dog"):
        add(phone, model)
    open_card(phone, "named")
    phone.locator("#name").focus()
    for _ in range(40):
        phone.keyboard.press("Tab")
        hidden = phone.evaluate(
            """() => {
                const it = document.activeElement;
                if (it.closest(".builder-head, .bar") || !it.closest("#builder")) return "";
                const box = it.getBoundingClientRect();
                const head = document.querySelector(".builder-head").getBoundingClientRect().bottom;
                const bar = document.querySelector("#builder .bar").getBoundingClientRect().top;
                return box.top < head - 1 || box.bottom > bar + 1 ? it.outerHTML.slice(0, 90) : "";
            }"""
        )
        assert hidden == ""
