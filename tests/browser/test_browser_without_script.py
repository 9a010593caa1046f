"""A browser without JavaScript: a player registers, builds, hands in and reports; the organiser runs the round."""

from playwright.sync_api import Page, expect

from tests.browser.acts import (
    add_walk_in,
    become_organiser,
    check_everybody_in,
    choose,
    follow,
    make_event,
    open_card,
    open_registration,
    pairings,
    press,
    set_up_event,
    sign_up,
)
from tests.browser.visits import Visits, shoot


def test_without_javascript(visits: Visits, set_up_link: str) -> None:
    visits.expected = {422}
    desk, phone = visits.desk(java_script_enabled=False), visits.phone(java_script_enabled=False)
    become_organiser(desk, set_up_link, "Nora")
    event = make_event(desk, "Quiet Cup")
    set_up_event(desk, event, size=500, scenario="hold-the-line")
    open_registration(desk, event)
    registers(phone, event)
    builds(phone, event)

    add_walk_in(desk, event, "Walter Inn")
    assert check_everybody_in(desk, event) == 1
    desk.goto(f"{event}/desk/rounds/1")
    press(desk, "Draw round 1")
    assert {name for row in pairings(desk) for name in row[1:]} == {"Ada Lovelace", "Walter Inn"}
    press(desk, "Publish round 1")
    expect(desk.locator(".flash-success")).to_contain_text("Round 1 is published")
    reports(phone, event)

    desk.reload()
    follow(desk.get_by_role("link", name="View"))
    press(desk, "Confirm it")
    expect(desk.locator("header .badge")).to_contain_text("Complete")
    phone.reload()
    expect(phone.locator("h1")).to_have_text("Round 1 is complete")
    follow(phone.get_by_role("link", name="Standings", exact=True).first)
    expect(phone.locator("table.standings tbody tr").first).to_contain_text("Ada Lovelace")


def registers(phone: Page, event: str) -> None:
    """An empty name is refused in words; then the form is sent in full."""
    phone.goto(f"{event}/register")
    phone.get_by_label("Club").fill("Second Vault")
    press(phone, "Register")
    expect(phone.locator(".errors")).to_contain_text("Please fill in: your name")
    expect(phone.get_by_label("Club")).to_have_value("Second Vault")
    sign_up(phone, event, "Ada Lovelace", club="Second Vault", faction="Survivors")


def builds(phone: Page, event: str) -> None:
    """Every button of the builder loads the page with the new total and verdict."""
    phone.goto(f"{event}/me/force")
    press(phone, "Start")
    for model in ("Sole Survivor", "Settler"):
        press(phone, f"Add {model}")
    open_card(phone, "m1")
    press(phone, "Duplicate Settler")
    expect(phone.locator(".model h3")).to_have_text(["Sole Survivor", "Settler", "Settler"])
    open_card(phone, "m0")
    for weapon in ("Minigun", "Gatling Laser"):
        phone.locator("[name='m0.add_item']").select_option(weapon)
        press(phone, "Add weapon or item to Sole Survivor")
    expect(phone.locator("[data-part=verdict]")).to_contain_text("bm.heavy")
    expect(phone.locator("[data-part=verdict]")).to_contain_text("2 heavy weapons, 1 allowed at 500 Caps")
    shoot(phone, "without-script-builder", full=True)
    press(phone, "Take out Minigun")
    open_card(phone, "m1")
    phone.locator("#m1").get_by_label("Heroic").check()
    phone.get_by_label("Copies of Gatling Laser").fill("1")
    press(phone, "Submit this force")
    expect(phone.locator(".flash-success")).to_contain_text("Submitted")
    expect(phone.locator("main")).to_contain_text("Legal")
    # 95 + 30 + 40 + 40, and 60 for the Heroic one, which was ticked only just before Submit.
    expect(phone.locator("main")).to_contain_text("265 of 500 Caps")


def reports(phone: Page, event: str) -> None:
    """The table is there after a reload; what cannot be is refused, what can be is stored."""
    phone.goto(f"{event}/me")
    expect(phone.locator(".huge")).to_have_text("1")
    own = "a" if "you are player A" in phone.locator("main").inner_text() else "b"
    follow(phone.get_by_role("link", name="Report the result"))
    choose(phone, "a.r3", 2)
    choose(phone, "b.r3", 2)
    choose(phone, f"{own}.objectives", 3)
    press(phone, "Send the result")
    expect(phone.locator(".errors")).to_contain_text("two markers give at most 2 together")
    expect(phone.locator(f"[name='{own}.objectives'][value='3']")).to_be_checked()
    choose(phone, "a.r3", 0)
    choose(phone, "b.r3", 0)
    press(phone, "Send the result")
    expect(phone.locator(".flash-success")).to_contain_text("your opponent confirms it")
