"""A pasted list on a phone: what was read of each line, its questions, and the way into the builder."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import press, sign_up
from tests.browser.conftest import Staging
from tests.browser.visits import Visits
from tests.kit.profiles import full_run

TEXT = """Brotherhood of Steel
Paladin (L)
Knight laser rifle -> combat rifle
Knight 62 fragmentation grenade 6
Total 246"""


@pytest.fixture(scope="module")
def event(staging: Staging) -> str:
    with staging() as stage:
        stage.event("Pasted", list_deadline=None, edition="2022-community")
    return "/e/pasted"


@pytest.mark.parametrize("script", full_run([True, False], [True], [False]))
def test_questions_are_answered_with_a_tap_at_their_place(visits: Visits, event: str, script: bool) -> None:
    phone = visits.phone(java_script_enabled=script)
    sign_up(phone, event, f"With scripts: {script}", faction="Brotherhood of Steel")
    phone.goto(f"{event}/me/force")
    phone.locator("summary", has_text="from a file, a text or a link").click()
    phone.locator("[name=text]").fill(TEXT)
    press(phone, "Read the list")
    lines = phone.locator(".read-lines > li")
    expect(lines).to_have_count(5)
    expect(lines.nth(3)).to_contain_text("68")
    expect(phone.get_by_role("link", name="2 questions open")).to_be_visible()
    expect(phone.locator("main")).to_contain_text("68 read + 178 to answer = your 246.")
    press(phone, "Laser Rifle 92")
    expect(lines.nth(2)).to_be_in_viewport()
    expect(lines.nth(2)).to_contain_text("Knight Laser Rifle")
    expect(phone.get_by_role("button", name="Keep it with 1 question open")).to_be_enabled()
    press(phone, "Undo the last answer")
    expect(phone.get_by_role("link", name="2 questions open")).to_be_visible()
    press(phone, "Laser Rifle 92")
    press(phone, "Unarmed 90")
    expect(phone.locator("h1")).to_have_text("This is your list")
    expect(phone.locator("h1")).to_be_in_viewport()
    expect(phone.locator(".flash-success").first).to_contain_text("Nothing is open, and nothing is left out.")
    expect(phone.locator("main")).to_contain_text(
        "The file’s total is 246 Caps. The edition’s prices make 250 Caps, which counts."
    )
    press(phone, "Use this list")
    expect(phone.locator(".flash-success").first).to_contain_text("The force was read and saved.")
    expect(phone.locator(".model")).to_have_count(3)
