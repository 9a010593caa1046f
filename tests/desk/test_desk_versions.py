"""The desk decides on what it has seen: a decision without the game's newest version is refused."""

from collections.abc import Callable

import pytest

from models.event import Event
from models.play import GameState, Report
from tests.kit.person import Person
from tests.kit.stage import Stage

GAME = "/e/iron-open/me/game"
pytestmark = pytest.mark.both_databases


@pytest.mark.parametrize("typed", [{}, {"version": ""}, {"version": "0"}, {"version": "-1"}])
@pytest.mark.parametrize("address", ["", "/confirm"])
@pytest.mark.parametrize("button", [{}, {"do": "agree-a", "side": "a"}])
def test_decision_without_the_newest_version_is_refused(
    olga: Person, stage: Stage, event: Event, enter: Callable[..., list[Person]],
    typed: dict[str, str], address: str, button: dict[str, str],
) -> None:  # fmt: skip
    people = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    reporter = people[["Ada", "Bo"].index(stage.name(game.a_id))]
    reporter.open(GAME)
    reporter.press("Send the result", a__r2="2")
    desk = f"/e/iron-open/desk/games/{game.id}"
    token = str(olga.open(desk).value("csrf_token"))
    answer = olga.ask("POST", desk + address, {"csrf_token": token} | button | typed)
    assert (answer.status_code, stage.games(event, 1)[0].state) == (409, GameState.REPORTED)
    assert len(stage.all(Report)) == 1
    assert "Look at it again" in answer.text


def test_player_report_without_a_version_is_refused(
    stage: Stage, event: Event, enter: Callable[..., list[Person]]
) -> None:
    people = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for person in people:
        token = str(person.open(GAME).value("csrf_token"))
        answer = person.ask("POST", GAME, {"csrf_token": token, "a.r2": "1"})
        assert answer.status_code == 409
    assert not stage.all(Report)
