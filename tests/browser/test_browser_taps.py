"""The taps of an event day: every tap or click on a control counts, and typing into a field counts as one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from events.registration.check_in import check_in
from models.event import Event
from models.play import Player
from tests.browser.acts import private_links
from tests.browser.conftest import Staging
from tests.browser.visits import Visits, leads_on
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import CLOSE_EVENT, DRAW, PUBLISH, SEND_RESULT, SIGN_UP, START_CLOCK, SUBMIT_FORCE

REGISTER, REPORT, CONFIRM, A_ROUND = 20, 10, 2, 3
"""The most taps: to register with a legal force of eight armed models, to report, to confirm, for a round."""
ARMS = {"Settler": (6, "Hunting Rifle"), "Minuteman": (2, "Laser Musket")}
"""The models of the force: how many, and the weapon of each."""


@dataclass
class Hand:
    """Uses one page and counts the taps."""

    page: Page
    taps: int = 0

    def tap(self, what: Locator, *, leads: bool = False) -> None:
        self.taps += 1
        if leads:
            with leads_on(self.page):
                what.click()
        else:
            what.click()

    def press(self, label: str, *, leads: bool = True) -> None:
        self.tap(self.page.get_by_role("button", name=label, exact=True), leads=leads)

    def follow(self, label: str) -> None:
        self.tap(self.page.get_by_role("link", name=label, exact=True), leads=True)

    def type(self, what: Locator, text: str) -> None:
        self.taps += 1
        what.fill(text)

    def pick(self, what: Locator, option: str) -> None:
        """Open a list and choose an option: two taps."""
        self.taps += 2
        what.select_option(option)

    def done(self, what: str, most: int) -> None:
        """Print the number of taps, and check it against ``most``."""
        print(f"{what}: {self.taps} taps, at most {most}")  # noqa: T201
        assert self.taps <= most, what
        self.taps = 0


@pytest.mark.sweep
def test_day_takes_few_taps(visits: Visits, organiser: StorageState, staging: Staging, data: Path) -> None:
    desk = visits.desk(storage_state=organiser)
    event = "/e/a-quick-day"
    with staging() as stage:
        today = stage.clock().astimezone(ZoneInfo("Europe/Berlin")).date()
        stage.event("A quick day", size=500, list_deadline=None, scenarios=("hold-the-line", "", ""), starts_on=today,
                    ends_on=today)  # fmt: skip
    name = "Ada Lovelace"
    phones = {name: Hand(visits.phone())}
    registers(phones[name], event, name)
    phones[name].done("A player registers with a force of eight armed models", REGISTER)
    with staging() as stage:
        row = stage.one(Event, slug=event.removeprefix("/e/"))
        for player in stage.enter(row, "Ben Okafor", "Cleo Maar", "Dee Storm"):
            stage.force(row, player, read_force(PIPER))
        stage.do(row, check_in, stage.one(Player, event_id=row.id, name=name))
        links = private_links(stage, data, row)
    for name in links.keys() - phones.keys():
        phones[name] = Hand(visits.phone())
        phones[name].page.goto(links[name])

    desk.goto(f"{event}/desk")
    hand = Hand(desk)
    for number in (1, 2, 3):
        for label in (f"{DRAW} {number}", f"{PUBLISH} {number}", START_CLOCK):
            hand.press(label)
        hand.done(f"The organiser runs round {number}", A_ROUND)
        play(phones, event, number, staging)
    hand.press(CLOSE_EVENT, leads=False)
    hand.tap(desk.get_by_role("dialog").get_by_role("button", name=CLOSE_EVENT), leads=True)
    hand.done("The organiser closes the event", 2)
    expect(desk.locator("body")).to_contain_text("The event is over")


def registers(hand: Hand, event: str, name: str) -> None:
    """From the event's page to a submitted force: eight models of two kinds, with a weapon each."""
    page = hand.page
    page.goto(event)
    hand.follow("Register")
    hand.type(page.get_by_label("Your name"), name)
    hand.pick(page.get_by_label("Faction"), "Survivors")
    hand.press(SIGN_UP)
    hand.follow("To my page")
    hand.follow("Build my force")
    models = page.locator(".model")
    for model, (number, weapon) in ARMS.items():
        first = models.count()
        hand.press(f"Add {model}", leads=False)
        expect(models).to_have_count(first + 1)
        hand.tap(page.locator(f"#m{first} > summary"))
        hand.tap(page.locator(".builder-box").get_by_role("button", name=re.compile(rf"^{weapon} ")).first)
        expect(page.locator(f"#m{first} .model-carries")).to_have_text(weapon)
        for more in range(1, number):
            hand.tap(page.locator(f"#m{first} > .builder-foot").get_by_role("button", name=re.compile("^Duplicate ")))
            expect(models).to_have_count(first + 1 + more)
    expect(page.locator(".model-carries")).to_have_text(["Hunting Rifle"] * 6 + ["Laser Musket"] * 2)
    expect(page.locator(".builder-verdict")).to_contain_text("Legal")
    hand.press(SUBMIT_FORCE)
    expect(page.locator(".flash-success")).to_contain_text("Submitted")


def play(phones: Mapping[str, Hand], event: str, number: int, staging: Staging) -> None:
    """Table 1 of round 1 is reported and confirmed on the phones; the desk enters all other results."""
    with staging() as stage:
        row = stage.one(Event, slug=event.removeprefix("/e/"))
        first, *others = stage.games(row, number)
        for game in others if number == 1 else (first, *others):
            stage.decide(row, game, 4, number)
        text, other = stage.name(first.a_id), stage.name(first.b_id)
    if number == 1:
        reports(phones[text], event)
        phones[text].done("A player reports", REPORT)
        confirms(phones[other], event)
        phones[other].done("The opponent confirms", CONFIRM)


def reports(hand: Hand, event: str) -> None:
    """Three game rounds with points, and the objective markers of both."""
    page = hand.page
    page.goto(f"{event}/me")
    hand.follow("Report the result")
    expect(page.locator("[data-live-nothing]")).to_have_text("Nothing entered yet")
    expect(page.locator("[data-live-score]")).to_be_hidden()
    expect(page.locator(".pips :checked"), "no figure is chosen").to_have_count(0)
    figures = {"a.r2": 1, "b.r2": 1, "a.r3": 2, "b.r4": 2, "a.r5": 1, "a.objectives": 4, "b.objectives": 2}
    for name, figure in figures.items():
        hand.tap(page.locator(f"label:has(> input[name='{name}'][value='{figure}'])"))
    expect(page.locator("[data-live-score]")).to_contain_text(re.compile("[85] : [85]"))
    expect(page.locator(".pips :checked")).to_have_count(len(figures))
    sums = page.locator("[data-sum-of]").all_inner_texts()
    assert sorted(sums) == ["5", "8"], "a running total beside each name"
    running = [content.strip() for content in page.locator("[data-so-far]:not([hidden])").all_text_contents()]
    assert sorted(running) == ["= 1", "= 1", "= 3", "= 3", "= 4"], "beside each game round that was entered"
    expect(page.locator("[data-live-nothing]")).to_be_hidden()
    hand.press(SEND_RESULT)
    expect(page).to_have_url(re.compile("/me$"))


def confirms(hand: Hand, event: str) -> None:
    hand.page.goto(f"{event}/me")
    hand.tap(hand.page.get_by_role("link", name=re.compile("^Check ")), leads=True)
    hand.tap(hand.page.get_by_role("button", name=re.compile("^Yes, .+ is right$")), leads=True)
    expect(hand.page.locator("h1")).to_have_text("Round 1 is complete")
