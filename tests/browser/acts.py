"""Actions that several tests share, through the pages; they work with and without scripts."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Dialog, Locator, Page, expect

from events.visitors.queries import link_token
from models.db import open_engine
from tests.browser.visits import leads_on
from tests.kit.person import OPEN_REGISTRATION, PUBLISH, SET_UP, SIGN_UP
from tests.kit.stage import Clock, Event, Player, Stage

PASSWORD = "three green bottles"


def press(where: Page | Locator, label: str) -> None:
    """Press the button with exactly this label and wait for the next page."""
    with leads_on(where if isinstance(where, Page) else where.page):
        press_here(where, label)


def press_here(where: Page | Locator, label: str) -> None:
    """Press the button with exactly this label, which opens a dialog or changes part of the page."""
    where.get_by_role("button", name=label, exact=True).click()


def agree(page: Page, label: str) -> None:
    """Press the button with exactly this label, and the one with the same label in the dialog."""
    press_here(page, label)
    press(page.get_by_role("dialog"), label)


def keys(page: Page, *pressed: str) -> None:
    """Press keys by name, or type texts, in the focused element."""
    for text in pressed:
        if text in ("Tab", "Enter", "Space", "Escape", "ArrowDown"):
            page.keyboard.press(text)
        else:
            page.keyboard.type(text)


def sent(page: Page, *pressed: str) -> None:
    """As ``keys``; then wait for the page that the last key leads to."""
    with leads_on(page):
        keys(page, *pressed)


def publish(page: Page, number: int) -> None:
    """Publish a round, and confirm if the page asks."""
    label = f"{PUBLISH} {number}"
    asks = page.get_by_role("button", name=label, exact=True).get_attribute("data-confirm")
    (agree if asks else press)(page, label)


def says_right_here(where: Page) -> None:
    """Confirm the opponent's report without waiting for the next page, as when the server does not answer."""
    where.get_by_role("button", name=re.compile("^Yes, .+ is right$")).click()


def try_now(phone: Page) -> None:
    """Press "Try now" if it is still shown; the phone may have tried again by itself."""
    click = "[...document.querySelectorAll('#outbox button')].find((one) => one.textContent === 'Try now')?.click()"
    phone.evaluate(f"setTimeout(() => {click})")  # with a delay, so that this call returns before the page changes


def follow(link: Locator) -> None:
    with leads_on(link.page):
        link.click()


def questions_of(page: Page) -> list[str]:
    asked: list[str] = []

    def agreed(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", agreed)
    return asked


def open_card(page: Page, card: str) -> None:
    if page.locator(f"#{card}").get_attribute("open") is None:
        page.locator(f"#{card} > summary").click()


def choose(page: Page, name: str, value: str | int) -> None:
    page.locator(f"input[name='{name}'][value='{value}']").check()


def take_out(phone: Page) -> None:
    """Make the page visible again: it requests changes at once, not within five seconds."""
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def become_organiser(page: Page, link: str, name: str = "Marta") -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, SET_UP)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your events")


def make_event(page: Page, name: str) -> str:
    """Create an event for today at its form; returns its path. Ends on its desk."""
    page.goto("/desk/new")
    page.get_by_label("Name of the event").fill(name)
    page.get_by_label("Place", exact=True).fill("Sports Hall, Mill Lane 3")
    page.get_by_label("First day").fill(datetime.now(UTC).date().isoformat())
    press(page, "Create event")
    expect(page).to_have_url(re.compile("/e/[^/]+/desk$"))
    return urlsplit(page.url).path.removesuffix("/desk")


def open_registration(page: Page, event: str) -> None:
    page.goto(f"{event}/desk")
    press(page, OPEN_REGISTRATION)
    expect(page.locator(".flash-success")).to_contain_text("Registration is open")


def sign_up(page: Page, event: str, name: str, *, faction: str = "", label: str = "Faction") -> None:
    """Register on the event's page; ends on the page with the private link."""
    page.goto(event)
    follow(page.get_by_role("link", name="Register", exact=True))
    page.get_by_label("Your name").fill(name)
    page.get_by_label(label).select_option(faction)
    press(page, SIGN_UP)
    expect(page.get_by_role("heading", level=1)).to_have_text("You are registered")


@contextmanager
def stage_over(data: Path) -> Iterator[Stage]:
    """Open a server's database, to set up rows without the pages."""
    engine = open_engine(f"sqlite:///{data / 'overseer.sqlite3'}")
    stage = Stage(engine, Clock(datetime.now(UTC)))
    yield stage
    stage.s.close()
    engine.dispose()


def private_links(stage: Stage, data: Path, event: Event) -> dict[str, str]:
    """The private link of every player, by name."""
    secret = (data / "secret").read_text().strip()
    return {player.name: f"/p/{link_token(secret, player)}" for player in stage.all(Player, event_id=event.id)}


def pairings(page: Page) -> list[tuple[str, ...]]:
    rows = page.locator("table.pairings tbody tr").evaluate_all(
        "rows => rows.map(row => [row.cells[0].innerText.trim(),"
        " ...[...row.querySelectorAll('.player > bdi')].map(name => name.textContent)])"
    )
    return [tuple(row) for row in rows]
