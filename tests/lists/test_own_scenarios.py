"""The club's own scenarios behind the pages: concurrent changes, ids and uses."""

import time
from dataclasses import replace

import pytest

from events.lists.own import Played, add_scenario, change_scenario, remove_scenario, uses
from events.play.errors import Refused, Stale
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup.actions import change_settings, settings_of
from models.event import Round
from models.scenario import OwnScenario
from tests.kit.forces import SCENARIO_FILES, SYSTEM
from tests.kit.stage import BY, Stage
from tests.kit.two_at_once import PATIENCE, on_own_connection
from tests.validators.scenario_documents import EXAMPLE
from validators import SYSTEMS
from validators.canonical import fingerprint

SLUG = "own-hold-the-bridge"


def add(stage: Stage, **fields: object) -> str:
    with stage.changing() as s:
        return add_scenario(s, SYSTEM.id, SCENARIO_FILES.read(EXAMPLE | fields), BY, stage.clock()).slug


def change(stage: Stage, seen: str = "", **fields: object) -> None:
    """Change the example; ``seen`` is the fingerprint of the document that was opened, by default the stored one."""
    seen = seen or fingerprint(stage.one(OwnScenario, slug=SLUG).document)
    with stage.changing() as s:
        changed = SCENARIO_FILES.read(EXAMPLE | fields)
        change_scenario(s, SYSTEM.id, SLUG, changed, BY, stage.clock(), seen=seen)


def remove(stage: Stage) -> None:
    with stage.changing() as s:
        remove_scenario(s, SYSTEM.id, SLUG)


@pytest.mark.both_at_length
def test_change_waits_for_a_draw_and_is_then_refused(stage: Stage) -> None:
    add(stage)
    event = stage.event(scenarios=(SLUG, "", ""))
    stage.enter(event, "Ada", "Bo")
    seen = fingerprint(stage.one(OwnScenario).document)
    stage.s.rollback()
    thread, results = on_own_connection(stage.engine, stage.clock, lambda other: change(other, seen, most=5))
    with stage.changing(event) as s:
        drawing.draw_round(s, event, 1, 1, BY, stage.clock())
        thread.start()
        time.sleep(0.5)
        assert results == [], "it waits for the event's row"
    thread.join(PATIENCE)
    assert [type(one) for one in results] == [Played]
    assert "it is used in round 1 of Iron Open" in str(results[0])
    assert stage.one(OwnScenario).document["most"] == 3
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 1, BY, stage.clock())
    change(stage, most=5)
    assert stage.one(OwnScenario).document["most"] == 5


@pytest.mark.both_databases
def test_scenario_is_not_removed_while_an_event_adds_it_to_its_pool(stage: Stage) -> None:
    add(stage)
    event = stage.event()
    thread, results = on_own_connection(stage.engine, stage.clock, remove)
    with stage.changing(event) as s:
        wanted = settings_of(s, event)
        change_settings(s, event, replace(wanted, scenario_pool=(*wanted.scenario_pool, SLUG)), BY, stage.clock())
        thread.start()
        time.sleep(0.5)
        assert results == []
    thread.join(PATIENCE)
    assert [str(one) for one in results] == ["It cannot be removed: Iron Open uses it."]


@pytest.mark.both_at_length
def test_stale_change_and_removed_scenario_are_refused(stage: Stage) -> None:
    add(stage)
    event = stage.event()
    seen = fingerprint(stage.one(OwnScenario).document)
    change(stage, seen, most=4)
    with pytest.raises(Stale):
        change(stage, seen, most=5)
    remove(stage)
    with pytest.raises(Refused, match="scenario was removed"):
        change(stage, seen, most=5)
    with pytest.raises(Refused, match="removed in the meantime"), stage.changing(event) as s:
        change_settings(s, event, replace(settings_of(s, event), scenarios=(SLUG, "", "")), BY, stage.clock())
    assert {r.scenario for r in stage.all(Round)} == {None}


def test_ids_are_unique_short_and_never_those_of_the_game(stage: Stage) -> None:
    slugs = [add(stage, name=name) for name in ("Raiders Again", "Raiders again!", "x" * 60, "Own Goal", "太郎")]
    assert slugs == ["own-raiders-again", "own-raiders-again-2", "own-" + "x" * 32, "own-goal", "own-scenario"]
    assert not any(known.id.startswith("own-") for game in SYSTEMS.values() for known in game.scenarios)


def test_uses_are_found_in_every_event(stage: Stage) -> None:
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
