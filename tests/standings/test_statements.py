"""What pages of standings cost: the event is loaded once."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.standings import awards, published_awards
from models.event import Event
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.statements import sent
from tests.kit.team_events import decide_all, enter_teams, team_event

EVENT = "/e/iron-open"
OF_THE_CACHE = 2
"""The page cache reads the event's stamp before and after the page is made."""


def _players(stage: Stage) -> Event:
    event = stage.event(players=("Ada", "Bo", "Cy", "Di", "Ed"))
    for number in (1, 2):
        stage.publish(event, number)
        decide_all(stage, event, number)
    return event


def _teams(stage: Stage) -> Event:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues", "Greens")
    for number in (1, 2):
        stage.publish(event, number)
        decide_all(stage, event, number)
    return event


def _awarded(stage: Stage) -> Event:
    event = _players(stage)
    stage.do(event, awards.add_usual)
    stage.do(event, published_awards.publish_awards)
    return event


@pytest.mark.parametrize(
    ("build", "address", "most"),
    [(_players, "standings", 8), (_teams, "standings/teams", 10), (_awarded, "awards", 10)],
)
def test_standings_load_the_event_once(
    app: Flask, stage: Stage, visitor: Person, build: Callable[[Stage], Event], address: str, most: int
) -> None:
    build(stage)
    visitor.open(f"{EVENT}/rounds/1")  # warms up caches of the process
    with sent(app.extensions["overseer_engine"]) as asked:
        assert visitor.open(f"{EVENT}/{address}").status == 200
    rows = [line for line in asked if not line.startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"))]
    assert len(rows) - OF_THE_CACHE <= most, "\n".join(rows)
