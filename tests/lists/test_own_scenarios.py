"""Scenarios of the club's own beneath the pages: a draw and a change at once, two who change, what is in use."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import Engine

from events.lists.scenarios import Played, add_scenario, change_scenario, remove_scenario, uses
from events.play.errors import Refused, Stale
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup.actions import change_settings, settings_of
from models.event import Round
from models.scenario import OwnScenario
from tests.conftest import Clock
from tests.kit.forces import SCENARIO_FILES
from tests.kit.stage import BY, Stage
from tests.validators.scenario_documents import EXAMPLE
from validators import SYSTEMS
from validators.canonical import fingerprint
from validators.scenario import Scenario

SYSTEM = SYSTEMS["battle_mode"]
SLUG = "own-hold-the-bridge"


def scenario(**fields: object) -> Scenario:
    return SCENARIO_FILES.read(EXAMPLE | fields)


def add(stage: Stage, **fields: object) -> str:
    with stage.changing() as s:
        return add_scenario(s, SYSTEM.id, scenario(**fields), BY, stage.clock()).slug


def change(stage: Stage, seen: str = "", **fields: object) -> None:
    """Change the scenario of the example, having seen it as it is stored unless told otherwise."""
    seen = seen or fingerprint(stage.one(OwnScenario, slug=SLUG).document)
    with stage.changing() as s:
        change_scenario(s, SYSTEM.id, SLUG, scenario(**fields), BY, stage.clock(), seen=seen)


def beside(engine: Engine, clock: Clock, act: Callable[[Stage], object]) -> tuple[threading.Thread, list[object]]:
    """The same on a connection of its own, in a thread: what came of it stands in the list when it is done."""
    came: list[object] = []

    def run() -> None:
        other = Stage(engine, clock)
        try:
            came.append(act(other))
        except Refused as refused:
            came.append(refused)
        finally:
            other.s.close()

    return threading.Thread(target=run), came


@pytest.mark.both_databases
def test_a_change_waits_for_the_draw_that_runs_and_is_then_refused(stage: Stage, engine: Engine, clock: Clock) -> None:
    add(stage)
    event = stage.event(scenarios=(SLUG, "", ""))
    stage.enter(event, "Ada", "Bo")
    seen = fingerprint(stage.one(OwnScenario).document)
    stage.s.rollback()
    thread, came = beside(engine, clock, lambda other: change(other, seen, most=5))
    with stage.changing(event) as s:
        drawing.draw_round(s, event, 1, 1, BY, clock())
        thread.start()
        time.sleep(0.5)
        assert came == [], "it waits for the event's row"
    thread.join(30)
    assert [type(one) for one in came] == [Played]
    assert "round 1 of Iron Open is played by it" in str(came[0])
    assert stage.one(OwnScenario).document["most"] == 3
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 1, BY, clock())
    change(stage, most=5)
    assert stage.one(OwnScenario).document["most"] == 5


@pytest.mark.both_databases
def test_one_is_not_removed_while_an_event_takes_it_into_its_pool(stage: Stage, engine: Engine, clock: Clock) -> None:
    add(stage)
    event = stage.event()
    thread, came = beside(engine, clock, lambda other: remove(other))
    with stage.changing(event) as s:
        wanted = settings_of(s, event)
        change_settings(s, event, replace(wanted, scenario_pool=(*wanted.scenario_pool, SLUG)), BY, clock())
        thread.start()
        time.sleep(0.5)
        assert came == []
    thread.join(30)
    assert [str(one) for one in came] == ["It cannot be removed: Iron Open uses it."]


def remove(stage: Stage) -> None:
    with stage.changing() as s:
        remove_scenario(s, SYSTEM.id, SLUG)


@pytest.mark.both_databases
def test_an_event_does_not_take_one_that_was_removed_meanwhile(stage: Stage, engine: Engine, clock: Clock) -> None:
    add(stage)
    event = stage.event()
    remove(stage)
    with pytest.raises(Refused, match="removed meanwhile"), stage.changing(event) as s:
        change_settings(s, event, replace(settings_of(s, event), scenarios=(SLUG, "", "")), BY, clock())
    assert {r.scenario for r in stage.all(Round)} == {None}


@pytest.mark.both_databases
def test_the_second_of_two_who_change_it_is_told(stage: Stage) -> None:
    add(stage)
    seen = fingerprint(stage.one(OwnScenario).document)
    change(stage, seen, most=4)
    with pytest.raises(Stale):
        change(stage, seen, most=5)
    remove(stage)
    with pytest.raises(Refused, match="removed this scenario"):
        change(stage, seen, most=5)


def test_ids_are_free_short_and_never_those_of_the_game(stage: Stage) -> None:
    slugs = [add(stage, name=name) for name in ("Raiders Again", "Raiders again!", "x" * 60, "Own Goal", "太郎")]
    assert slugs == ["own-raiders-again", "own-raiders-again-2", "own-" + "x" * 32, "own-goal", "own-scenario"]
    assert not any(known.id.startswith("own-") for game in SYSTEMS.values() for known in game.scenarios)


def test_what_uses_it_is_found_in_every_event(stage: Stage) -> None:
    add(stage)
    assert uses(stage.s, SYSTEM.id, SLUG).planned == ()
    first = stage.event("One", scenarios=(SLUG, "", ""))
    stage.event("Two")
    pool = stage.event("Three", scenario_pool=("raiders", "scrapyard", "hold-the-line", SLUG))
    stage.enter(first, "Ada", "Bo")
    stage.publish(first, 1)
    found = uses(stage.s, SYSTEM.id, SLUG)
    assert [event.name for event in found.planned] == ["One", "Three"]
    assert [(event.name, number) for event, number in found.played] == [("One", 1)]
    assert found.where == "round 1 of One"
    assert pool.version == stage.now(pool).version
