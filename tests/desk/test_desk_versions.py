"""A decision or a report without the game's newest version is refused."""

from collections.abc import Callable

import pytest

from models.event import Event
from models.play import GameState, Report
from tests.kit.person import Person
from tests.kit.stage import Stage

GAME = "/e/iron-open/me/game"


@pytest.mark.both_at_length
def test_decision_or_report_without_the_newest_version_is_refused(
    olga: Person, stage: Stage, event: Event, enter: Callable[..., list[Person]]
) -> None:
    people = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    for person in people:
        token = str(person.open(GAME).value("csrf_token"))
        assert person.ask("POST", GAME, {"csrf_token": token, "a.r2": "1"}).status_code == 409
    assert not stage.all(Report)
    reporter = people[["Ada", "Bo"].index(stage.name(game.a_id))]
    reporter.open(GAME)
    reporter.press("Send the result", a__r2="2")
    desk = f"/e/iron-open/desk/games/{game.id}"
    token = str(olga.open(desk).value("csrf_token"))
    versions: tuple[dict[str, str], ...] = ({}, {"version": ""}, {"version": "0"}, {"version": "-1"})
    for typed in versions:
        for address in ("", "/confirm"):
            for button in ({}, {"do": "agree-a", "side": "a"}):
                answer = olga.ask("POST", desk + address, {"csrf_token": token} | button | typed)
                assert answer.status_code == 409, (typed, address, button)
                assert "Check it before" in answer.text
    assert stage.games(event, 1)[0].state == GameState.REPORTED
    assert len(stage.all(Report)) == 1
