"""What the pages of all players share is taken over from version to version, and is what a fresh reading would be."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlmodel import Session

from events import since
from events.reading import RoundView
from events.snapshots import Snapshot, Snapshots, snapshot_of
from models.event import Event
from models.play import Game, Player, PlayerState
from tests.actions.stage import Stage
from tests.views.person import Person


@pytest.fixture
def kept(app: Flask) -> Snapshots:
    found: Snapshots = app.extensions["overseer_snapshots"]
    return found


def written(snapshot: Snapshot) -> dict[str, Any]:
    """All that a snapshot tells, with rows as their values."""

    def plain(value: Any) -> Any:
        if hasattr(value, "model_dump"):
            return value.model_dump()
        if isinstance(value, dict):
            return {key: plain(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [plain(one) for one in value]
        if isinstance(value, RoundView):
            return [plain(value.round), plain(value.games), value.scenario and value.scenario.id, len(value.tied)]
        return value

    told = vars(snapshot) | {"finished": None, "point": None, "behind": plain(list(snapshot.behind))}
    return {name: plain(value) for name, value in told.items()}


def table(stage: Stage, event: Event, number: int) -> Game:
    return stage.games(event, number)[0]


CHANGES: dict[str, Callable[[Stage, Event], Any]] = {
    "a result of the round": lambda stage, event: stage.decide(event, table(stage, event, 3), 2, 1),
    "a correction of an old one": lambda stage, event: stage.decide(event, table(stage, event, 1), 0, 5),
    "the rest of the round": lambda stage, event: decided(stage, event),
    "a name": lambda stage, event: renamed(stage, event),
    "how a win counts": lambda stage, event: counted(stage, event),
    "somebody drops": lambda stage, event: dropped(stage, event),
    "a press that changes nothing": lambda stage, event: pressed(stage, event),
}


def decided(stage: Stage, event: Event) -> None:
    for game in stage.games(event, 3)[1:]:
        stage.decide(event, game, 3, 0)


def renamed(stage: Stage, event: Event) -> None:
    bo = stage.one(Player, name="Bo")
    with stage.changing(event):
        bo.name = "Beau"


def counted(stage: Stage, event: Event) -> None:
    with stage.changing(event):
        event.points_win += 1


def dropped(stage: Stage, event: Event) -> None:
    one = stage.one(Player, name="Cy")
    with stage.changing(event):
        one.state, one.dropped_after = PlayerState.DROPPED, 3


def pressed(stage: Stage, event: Event) -> None:
    with stage.changing(event):
        pass


Take = Callable[[Session, Event, Snapshot], Snapshot]


def differs(stage: Stage, event: Event, take: Take) -> list[str]:
    """What is taken over from snapshot to snapshot says otherwise than what is read anew, after each change."""
    found: list[str] = []
    with Session(stage.s.get_bind()) as s:
        shared = snapshot_of(s, s.get_one(Event, event.id))
    for name, change in CHANGES.items():
        change(stage, event)
        with Session(stage.s.get_bind()) as s:
            shared = take(s, s.get_one(Event, event.id), shared)
        with Session(stage.s.get_bind()) as s:
            fresh = snapshot_of(s, s.get_one(Event, event.id))
        found += [f"{name}: {part}" for part, value in written(fresh).items() if value != written(shared)[part]]
    return found


@pytest.fixture
def begun(stage: Stage, event: Event, enter: Callable[..., list[Person]], kept: Snapshots) -> Event:
    """Two rounds are complete and the third is played; the event was looked at."""
    enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    stage.play(event, 2)
    stage.publish(event, 3)
    kept.of(stage.now(event))
    return event


def test_what_is_taken_over_is_what_would_be_read_anew(stage: Stage, begun: Event) -> None:
    assert differs(stage, begun, snapshot_of) == []


def test_taking_over_what_was_touched_would_be_seen(stage: Stage, begun: Event) -> None:
    def as_if_nothing_was_written(s: Session, event: Event, before: Snapshot) -> Snapshot:
        return snapshot_of(s, event, replace(before, point=since.point_of(s, event)))

    found = {one.partition(":")[0] for one in differs(stage, begun, as_if_nothing_was_written)}
    assert found >= {"a correction of an old one", "a name", "how a win counts"}


def test_complete_rounds_are_read_again_only_where_they_are_touched(
    stage: Stage, kept: Snapshots, begun: Event
) -> None:
    first = kept.of(stage.now(begun))
    assert len(first.behind) == len(first.standings) == 2
    CHANGES["a result of the round"](stage, begun)
    second = kept.of(stage.now(begun))
    assert second.behind[0] is first.behind[0] and second.standings[1] is first.standings[1]
    CHANGES["a correction of an old one"](stage, begun)
    third = kept.of(stage.now(begun))
    assert third.behind[0] is not second.behind[0] and third.standings[1] is not second.standings[1]


def test_a_database_of_another_past_is_read_anew(stage: Stage, kept: Snapshots, begun: Event) -> None:
    held = kept.of(stage.now(begun))
    assert held.point is not None
    pressed(stage, begun)
    rounds = {view.round.id for view in held.behind}
    assert since.untouched(stage.s, stage.now(begun), held.point, rounds)
    of_another = since.Point(held.point.change_set, held.point.at + timedelta(microseconds=1))
    assert not since.untouched(stage.s, stage.now(begun), of_another, rounds)
    unknown = since.Point(held.point.change_set + 1000, held.point.at)
    assert not since.untouched(stage.s, stage.now(begun), unknown, rounds)
