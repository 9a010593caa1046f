"""The raffle on the hall's screen: names roll, then the winner stays and is read out once; without motion none roll."""

from playwright.sync_api import expect

from events.messages.announcements import announce
from events.standings.raffle import draw_prize, raffle_of, set_prizes
from tests.browser.conftest import Staging
from tests.browser.visits import Visits
from tests.kit.raffles import next_prize


def test_names_roll_where_motion_is_wanted_and_the_winner_is_read_out_once(visits: Visits, staging: Staging) -> None:
    with staging() as stage:
        event = stage.event("Raffle day", players=[f"Player {number}" for number in range(8)])
        stage.do(event, set_prizes, ["Paint set"], raffle_of(stage.s, event).mark)
        hall, calm = visits.desk(reduced_motion="no-preference"), visits.desk(reduced_motion="reduce")
        for page in (hall, calm):
            page.goto("/e/raffle-day/hall")
        stage.do(event, draw_prize, next_prize(stage, event).mark)
        winner = raffle_of(stage.s, event).winner(next_prize(stage, event))
        for page in (hall, calm):
            expect(page.locator("#live")).to_have_text(f"Paint set goes to {winner}")
            expect(page.locator(".prize-name")).to_have_css("opacity", "1")
            expect(page.locator(".raffle-rolls")).to_have_css("opacity", "0")
        rolled = "() => document.getAnimations().map((animation) => animation.animationName).includes('rolls')"
        assert (hall.evaluate(rolled), calm.evaluate(rolled)) == (True, False)
        stage.do(event, announce, "Lunch is at one.")
        expect(calm.locator(".hall-said")).to_be_visible()
        expect(calm.locator("#live")).to_have_text("Lunch is at one.")
