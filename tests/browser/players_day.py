"""A player's part of a whole day, on a phone: the link, the builder, a report, leaving."""

from collections.abc import Mapping

from playwright.sync_api import Page, expect

from tests.browser.acts import choose, follow, open_card, press, press_here, says_right, take_out
from tests.browser.visits import Visits, shoot


def link_opens_the_own_page(visits: Visits, phone: Page, event: str, link: str) -> None:
    """The link signs the player in, and the address bar keeps no secret. No code leads to this computer alone."""
    expect(phone.locator(".qr")).to_have_count(0)
    other = visits.phone()
    other.goto(link)
    assert other.url == f"{visits.address}{event}/me"
    expect(other.locator("main")).to_contain_text("Ada Lovelace")
    assert other.evaluate("history.length") <= 2, "the link itself is no stop on the way back"
    other.context.close()


def builds_a_force(phone: Page, event: str) -> None:
    """From nothing to a legal force, with an illegal one between, on a page that is never loaded anew."""
    phone.goto(event)
    shoot(phone, "day-phone-event")
    phone.goto(f"{event}/me")
    follow(phone.get_by_role("link", name="Build my force"))
    press(phone, "Start")
    phone.evaluate("window.stillHere = true")
    total, verdict = phone.locator(".tally-value span"), phone.locator("[data-part=verdict]")
    expect(phone.locator(".builder-verdict")).to_contain_text("Nothing added yet")
    expect(verdict.locator("li")).to_have_count(0)

    for model in ("Sole Survivor", "Piper"):
        press_here(phone, f"Add {model}")
        expect(phone.locator(".model h3").last).to_have_text(model)
    expect(total).to_have_text(str(95 + 76))
    expect(phone.locator(".builder-verdict")).to_contain_text("Legal")
    open_card(phone, "m0")
    for weapon in ("Minigun", "Gatling Laser"):
        phone.locator("[name='m0.add_item']").select_option(weapon)
        press_here(phone, "Add weapon or item to Sole Survivor")
        expect(phone.locator("#m0 .lines")).to_contain_text(weapon)
    expect(verdict.locator("a.rule")).to_contain_text(["bm.heavy"])
    expect(verdict).to_contain_text("2 heavy weapons, 1 allowed at 500 Caps")
    expect(phone.locator(".builder-verdict")).to_contain_text("1 thing to fix")
    shoot(phone, "day-phone-builder-illegal")
    phone.locator("#verdict").scroll_into_view_if_needed()
    shoot(phone, "day-phone-builder-verdict")

    press_here(phone, "Take out Gatling Laser")
    expect(phone.locator(".builder-verdict")).to_contain_text("Legal")
    before = int(total.inner_text())
    open_card(phone, "m1")
    phone.locator("#m1").get_by_label("Heroic").check()
    expect(total).to_have_text(str(before + 60))
    phone.locator("#leader_card").select_option("Commander")
    expect(total).not_to_have_text(str(before + 60))
    expect(phone.locator(".builder-verdict")).to_contain_text("Legal")
    phone.evaluate("scrollTo(0, 0)")
    shoot(phone, "day-phone-builder")
    shoot(phone, "day-phone-builder-whole", full=True)
    assert phone.evaluate("window.stillHere") is True, "the page was loaded anew"
    caps = total.inner_text()
    press(phone, "Submit this force")
    expect(phone.locator(".flash-success")).to_contain_text("Submitted")
    expect(phone.locator("main")).to_contain_text(f"{caps} of 500 Caps")
    shoot(phone, "day-phone-submitted")


def report_and_confirm(phones: Mapping[str, Page], event: str, played: list[tuple[str, ...]]) -> None:
    """One side reports, first what cannot be; the other side agrees."""
    _, one, other = next(row for row in played if row[0] == "1")
    phone = phones[one]
    follow(phone.get_by_role("link", name="Report the result"))
    shoot(phone, "day-phone-report")
    assert phone.locator("[name='a.r1']").count() == 0, "game round 1 cannot score in Hold the Line"
    assert phone.locator("[name='a.r2']").count() == 3, "0, 1 and 2 can be; 3 is not offered"
    choose(phone, "a.r2", 2)
    choose(phone, "b.r2", 1)
    choose(phone, "a.objectives", 4)
    press_here(phone, "Send the result")
    expect(phone.locator(".errors")).to_contain_text("two markers give at most 2 together")
    expect(phone.locator("[name='a.objectives'][value='4']")).to_be_checked()
    shoot(phone, "day-phone-report-refused", full=True)
    choose(phone, "b.r2", 0)
    press(phone, "Send the result")
    expect(phone.locator("#outbox")).to_contain_text("Now your opponent confirms it")
    against = phones[other]
    take_out(against)
    expect(against.locator("main")).to_contain_text("Reported, not confirmed")
    follow(against.get_by_role("link", name="Check and confirm"))
    expect(against.locator("table.reports")).to_contain_text("6")
    shoot(against, "day-phone-answer")
    says_right(against)
    expect(against.locator("main")).to_contain_text("Your result is confirmed")
    take_out(phone)
    expect(phone.locator("main")).to_contain_text("Your result is confirmed")


def drops_on_the_phone(phones: Mapping[str, Page], played: list[tuple[str, ...]]) -> str:
    """The loser of table 1 leaves, after a question that says what that means."""
    leaver = next(row[2] for row in played if row[0] == "1")
    phone = phones[leaver]
    press_here(phone, "Drop from the event")
    expect(phone.get_by_role("dialog")).to_contain_text("your results stay")
    shoot(phone, "day-phone-drop")
    press(phone.get_by_role("dialog"), "Drop from the event")
    expect(phone.locator("h1")).to_have_text("You have left this event")
    return leaver
