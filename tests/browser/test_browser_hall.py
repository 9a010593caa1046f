"""The hall's projector in a real browser: the longest names are shown whole."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from events.setup import actions as setup_actions
from tests.browser.visits import Visits
from tests.kit.stage import Stage

CUT = """() => [...document.querySelectorAll(".hall-name bdi")].filter((name) => {
  const text = name.getBoundingClientRect();
  const row = name.closest("li").getBoundingClientRect();
  const box = name.parentElement.getBoundingClientRect();
  return text.width === 0 || text.top < row.top - 1 || text.bottom > row.bottom + 1 || text.right > box.right + 1;
}).map((name) => `${name.parentElement.className}: ${name.textContent}`)"""
LONGEST = (
    "Maximiliana Alexandrovna of Hohenstaufen-Wittelsbach-Sayn ", "WILHELMINA WINNIFRED MONTGOMERY WARWICK WELLINGTON ",
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarenge", "W" * 58, "圆" * 58, "Ada ",
)  # fmt: skip


@pytest.mark.parametrize("count", [11, 32])
def test_names_of_sixty_letters_are_whole_on_every_slide(
    visits: Visits, staging: Callable[[], AbstractContextManager[Stage]], count: int
) -> None:
    with staging() as stage:
        event = stage.event(f"Long Names {count}", rounds=2)
        stage.enter(event, *(f"{LONGEST[place % 6]}{place:02}" for place in range(count)))
        stage.play(event, 1)
        games = stage.publish(event, 2)
        slug = event.slug
        for size in ((1280, 800), (1920, 1080)):
            page = visits.open(viewport={"width": size[0], "height": size[1]})
            for view in ("names", "pairings", "standings"):
                page.goto(f"/e/{slug}/hall/{view}")
                assert page.locator(".hall-name").count() >= min(count, 16)
                assert page.evaluate(CUT) == [], (size, view)
        for game in games:
            if game.b_id:
                stage.decide(event, game, 2, 1)
        stage.do(event, setup_actions.finish)
        page.goto(f"/e/{slug}/hall/podium")
        assert page.locator(".hall-name").count() >= 3
        assert page.evaluate(CUT) == []
