"""The standings on a phone while a round is played: rows on the first screen, targets, and news that move no row."""

from playwright.sync_api import expect

from tests.browser.conftest import Staging
from tests.browser.visits import SMALL, Visits, leads_on

LONG = "Maximiliane-Sophie von Hohenberg-Schwarzenfels zu Altenmarkt"
WHOLE_ROWS = """() => [...document.querySelectorAll(".std > li")]
  .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length"""


def test_news_move_no_row_of_the_standings(visits: Visits, staging: Staging) -> None:
    with staging() as stage:
        event = stage.event("Phone standings", rounds=2, players=(*(f"Player {number}" for number in range(9)), LONG))
        games = stage.play(event, 1)
        games = stage.publish(event, 2)
        for game in games[:-2]:
            stage.decide(event, game, 3, 1)
        page = visits.phone()
        page.goto("/e/phone-standings/standings")
        assert page.evaluate(WHOLE_ROWS) >= 6
        row = page.locator(".std summary").nth(1)
        row.click()
        expect(page.locator(".std > li").nth(1).get_by_role("link")).to_be_visible()
        assert page.evaluate(SMALL) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        before = row.bounding_box()
        stage.decide(event, games[-2], 5, 0)
        expect(page.get_by_text("New results are in.")).to_be_visible()
        assert (row.bounding_box(), page.locator(".in-play strong").inner_text()) == (
            before,
            "Round 2: 3 of 5 tables decided",
        )
        with leads_on(page):
            page.get_by_role("link", name="Load the newest").click()
        expect(page.locator(".in-play strong")).to_have_text("Round 2: 4 of 5 tables decided")
