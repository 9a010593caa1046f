"""The desk's rings, and the tables of the round as tiles."""

from models.play import Player
from tests.kit.person import Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk"


def test_rings_count_what_is_still_missing(olga: Person, stage: Stage) -> None:
    event = stage.event(places=8, rounds=2, players=("Ada", "Bo", "Cy", "Di"))
    stage.enter(event, "Ed", here=False)
    rings = [tag.text for tag in olga.open(DESK).soup.select(".dials .dial span")]
    assert rings == ["places taken", "lists submitted", "checked in"]
    titles = [tag.title.text for tag in olga.page.soup.select(".dials svg")]  # type: ignore[union-attr]
    figures = [tag.select("text")[-1].text for tag in olga.page.soup.select(".dials svg")]
    assert dict(zip(titles, figures, strict=True)) == {
        "places taken": "5/8", "lists submitted": "0/5", "checked in": "4/5",
    }  # fmt: skip
    stage.set(event, stage.one(Player, name="Ed"), list_waived_at=stage.clock())
    lists = olga.open(DESK).soup.select(".dials svg")[1]
    assert lists.select("text")[-1].text == "0/4", "a player who plays without a list submits none"


def test_each_table_is_a_tile_that_says_its_state_and_opens_its_result(olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, players=("Ada", "Bo", "Cy", "Di"))
    first, second = stage.publish(event, 1)
    stage.decide(event, first, 2, 1)
    page = olga.open(DESK)
    tiles = {tag.b.text: tag for tag in page.soup.select(".tablegrid a")}  # type: ignore[union-attr]
    assert tiles[str(first.table_number)].small.text.strip() == "done"  # type: ignore[union-attr]
    assert tiles[str(second.table_number)].small.text.strip() == "playing"  # type: ignore[union-attr]
    assert "1 of 2 tables decided" in page.part(".next-text")
    assert not page.soup.select(".dials .dial"), "rings are for the time before the first round"
    assert olga.open(str(tiles[str(second.table_number)]["href"])).status == 200
