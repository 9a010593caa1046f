"""Going back to before a step restores rounds and results, keeps players and links, and can be undone."""

from collections.abc import Callable

import pytest

from events.journal import undo
from events.play.errors import Refused, Stale
from events.play.queries import reports_of
from events.rounds.actions import publish_round
from models.event import Event, EventState
from models.journal import JournalEntry
from models.kept_answer import KeptAnswer
from models.play import Player, PlayerState, Report
from tests.conftest import Clock
from tests.kit.person import Person
from tests.kit.stage import BY, Stage


def back(stage: Stage, event: Event, words: str) -> None:
    """Go back to before the newest step whose sentence starts with these words."""
    stage.s.rollback()
    point = next(one for one in undo.points_of(stage.s, event) if one.text.startswith(words))
    stage.do(event, undo.go_back, point.id)


def results(stage: Stage, event: Event, number: int) -> list[tuple[int | None, str, object]]:
    return [(game.table_number, game.state.value, game.answers) for game in stage.games(event, number)]


@pytest.mark.proves("G6", "I8")
@pytest.mark.both_databases
def test_going_back_restores_the_rounds_and_can_be_undone(stage: Stage, database_url: str) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.play(event, 1)
    first = results(stage, event, 1)
    stage.play(event, 2)
    second, pairs = results(stage, event, 2), stage.pairs(event, 2)
    back(stage, event, "Published round 2")
    assert [row[1:] for row in results(stage, event, 2)] == [("open", None)] * 2
    assert stage.pairs(event, 2) == pairs, "it is drawn, as it was"
    assert results(stage, event, 1) == first
    assert stage.now(event).state == EventState.IN_PROGRESS
    back(stage, event, "Went back to before: Published round 2")
    assert results(stage, event, 2) == second
    back(stage, event, "Published round 1")
    assert stage.now(event).state == EventState.REGISTRATION
    back(stage, event, "Went back to before: Published round 1")
    assert (results(stage, event, 1), results(stage, event, 2)) == (first, second)


@pytest.mark.both_databases
def test_going_back_keeps_new_players_and_forgets_stored_answers(stage: Stage, database_url: str) -> None:
    event = stage.event()
    ada, *_ = stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    with stage.changing(event) as s:
        s.add(KeptAnswer(event_id=event.id, who="player", key="k" * 20, sha256="", said="Saved", at=stage.clock()))
        ada.link_generation += 1
        ada.state = PlayerState.DROPPED
    stage.enter(event, "Late")
    back(stage, event, "Published round 1")
    names = {one.name: one.state for one in stage.all(Player)}
    assert names.keys() == {"Ada", "Bo", "Late"}
    assert names["Ada"] == PlayerState.CHECKED_IN
    assert stage.now(ada).link_generation == 2, "a link that ended stays ended"
    assert stage.all(KeptAnswer) == []
    assert stage.all(Report) == []
    assert [reports_of(stage.s, game) for game in stage.publish(event, 1)] == [[], []]


def test_games_return_to_their_former_seats(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Dee", "Eve")
    stage.draw(event, 1)
    stage.draw(event, 1, seed=8)
    second = stage.pairs(event, 1)
    stage.draw(event, 1, seed=9)
    third = stage.pairs(event, 1)
    assert second != third
    back(stage, event, "Drew round 1")
    assert stage.pairs(event, 1) == second
    back(stage, event, "Went back to before: Drew round 1")
    assert stage.pairs(event, 1) == third


def test_going_back_is_refused_to_an_unlisted_step_and_when_row_ids_are_taken(stage: Stage) -> None:
    event, other = stage.event(), stage.event("Rust Cup")
    stage.enter(event, "Ada", "Bo")
    stage.enter(other, "Cy", "Dee")
    stage.publish(event, 1)
    (point, *_) = undo.points_of(stage.s, event)
    for where, id_ in ((event, point.id + 1), (other, point.id)):
        with pytest.raises(Stale), stage.changing(where) as s:
            undo.go_back(s, where, id_, BY, stage.clock())
    back(stage, event, "Drew round 1")
    stage.publish(other, 1)  # takes the id of the removed game
    before = stage.digest()
    with pytest.raises(Refused, match="ids of its rows"):
        back(stage, event, "Went back")
    assert stage.digest() == before


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
    assert "Restore points" in olga.open("/e/iron-open/desk").text
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
    assert step.startswith("Published round 1; Locked 0 lists")
    assert by == BY
    assert stage.all(JournalEntry, verb="lock-lists")[-1].actor == "the clock", "the control"
