"""A player's page at the desk: place, points and games, open and with links."""

import pytest

from models.play import Absent
from tests.kit.person import Person
from tests.kit.stage import Event, Player, Stage

pytestmark = pytest.mark.fast

DESK = "/e/iron-open/desk"


def test_place_points_and_games_are_open_with_links(olga: Person, stage: Stage, event: Event) -> None:
    ada, *_ = stage.enter(event, "Ada", "Bo", "Cy")
    assert not olga.open(f"{DESK}/players/{ada.id}").soup.select("#place, #history"), "no round is published"
    stage.play(event, 1)
    games = stage.publish(event, 2)
    for row in stage.standings(event, 1):
        page = olga.open(f"{DESK}/players/{row.id}")
        assert f"Rank {row.rank} of 3" in page.part("#place")
        assert f"Points {row.points} {row.record}" in page.part("#place")
        first, _ = page.rows("#history")
        assert not page.soup.select("details #history")
        if first[1] != "Bye":
            assert first[2] in ("Win 3 : 1", "Loss 1 : 3"), first
            opponent = stage.one(Player, name=first[1].removesuffix(" table 1"))
            assert page.soup.select("#history tr a")[0]["href"] == f"{DESK}/players/{opponent.id}"
    (game,) = (game for game in games if game.b_id)
    page = olga.open(f"{DESK}/players/{game.a_id}")
    assert page.part("#place").startswith(f"Round 2 Table 1 against {stage.name(game.b_id)} Rank")
    assert f"{DESK}/games/{game.id}" in [a["href"] for a in page.soup.select(".row > a.dark")], "the way to its result"
    stage.set(event, game, absent=Absent.A)
    assert f"{stage.name(game.a_id)} did not come" in olga.open(f"{DESK}/players/{game.b_id}").part("#history")
