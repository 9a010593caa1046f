"""The first page: all events that a visitor may see, with the places taken, however many events there are."""

from flask import Flask

from models.play import Player
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.statements import sent


def test_home_page_takes_as_many_statements_for_many_events_as_for_one(
    app: Flask, stage: Stage, visitor: Person
) -> None:
    counts = {}
    for number in range(4):
        event = stage.event(name=f"Open {number}")
        stage.enter(event, *(f"P{one}" for one in range(number)))
        with sent(app.extensions["overseer_engine"]) as counts[number]:
            page = visitor.open("/")
    assert [f"{number} players" in page.text for number in range(4)] == [True] * 4, page.text
    assert len({len(one) for one in counts.values()}) == 1, counts
    assert len(stage.all(Player)) == 6
