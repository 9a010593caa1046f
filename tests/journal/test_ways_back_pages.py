"""The page Ways back: its owner goes back to before a step, and undoes that."""

from collections.abc import Callable

import pytest

from events.rounds.actions import publish_round
from models.event import Event
from models.journal import JournalEntry
from tests.conftest import Clock
from tests.kit.person import Person
from tests.kit.stage import BY, Stage


@pytest.mark.proves("G6")
def test_owner_goes_back_to_before_a_step_and_undoes_it(
    olga: Person, stage: Stage, event: Event, enter: Callable[..., list[Person]]
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    empty = olga.open("/e/iron-open/desk/ways-back")
    assert "There is no step to go back to yet." in empty.text
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    page = olga.open("/e/iron-open/desk/ways-back")
    assert page.rows("table")[0][0].startswith("Published round 1")
    assert "Ways back" in olga.open("/e/iron-open/desk").text
    olga.open("/e/iron-open/desk/ways-back")
    back = olga.press("Go back to before", inside="tbody tr:nth-of-type(1)")
    assert "The event is back where it was." in back.flashes
    assert "Went back to before: Published round 1" in back.text
    assert ada.open("/e/iron-open/rounds/1").status == 404
    olga.press("Go back to before", inside="tbody tr:nth-of-type(1)")
    assert "3 : 1" in ada.open("/e/iron-open/rounds/1").text
    assert olga.forge("Go back to before", inside="tbody tr:nth-of-type(1)").status == 200


def test_step_names_its_actor_not_the_clock_that_locked_the_lists(
    olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event, clock: Clock
) -> None:
    enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    assert event.list_deadline is not None
    clock.now = event.list_deadline
    with stage.changing(event) as s:
        publish_round(s, event, 1, BY, clock())
    step, _, by, *_ = olga.open("/e/iron-open/desk/ways-back").rows("table")[0]
    assert step.startswith("Published round 1; Locked the lists")
    assert by == BY
    assert stage.all(JournalEntry, verb="lock-lists")[-1].actor == "the clock", "the control"
