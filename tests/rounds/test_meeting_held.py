"""The player meeting through the actions: seat, publish, discard. It is no round and counts as no game."""

from typing import Any

import pytest

from events.play.clock_queries import meeting_of, published_meeting, seating
from events.play.errors import Refused
from events.rounds import actions as rounds_actions
from models.event import Event
from models.meeting import Meeting
from tests.kit.formats import drop, formed
from tests.kit.stage import Stage


def invited(stage: Stage, reds: int = 4, blues: int = 4, **changed: Any) -> Event:
    """An event with a player meeting and two clubs."""
    event = formed(stage, of=stage.event(**changed), player_meeting=True)
    stage.enter(event, *(f"Red {n}" for n in range(reds)), club="Reds")
    stage.enter(event, *(f"Blue {n}" for n in range(blues)), club="Blues")
    return event


def draw(stage: Stage, event: Event, seed: int = 1) -> Meeting:
    return stage.do(event, rounds_actions.draw_meeting, seed)


def test_meeting_can_be_redrawn_and_discarded_until_round_1(stage: Stage) -> None:
    event = invited(stage)
    seatings = {tuple(table.players for table in seating(draw(stage, event, seed))) for seed in range(6)}
    assert len(seatings) > 1
    stage.do(event, rounds_actions.publish_meeting)
    tables = seating(draw(stage, event))
    assert published_meeting(stage.s, event) is None, "drawn again it is a draft again"
    drop(stage, event, stage.name(tables[0].players[0]))
    meeting = meeting_of(stage.s, event)
    assert meeting is not None
    assert seating(meeting) == tables, "a player who leaves stays seated"
    stage.do(event, rounds_actions.discard_meeting)
    assert meeting_of(stage.s, event) is None
    for action in (rounds_actions.publish_meeting, rounds_actions.discard_meeting):
        with pytest.raises(Refused, match="not drawn yet"):
            stage.do(event, action)
    stage.publish(event, 1)
    with pytest.raises(Refused, match="Round 1 is published"):
        draw(stage, event)


def test_impossible_meeting_is_explained(stage: Stage) -> None:
    with pytest.raises(Refused, match="has no player meeting"):
        draw(stage, stage.event())
    with pytest.raises(Refused, match="At least two players"):
        draw(stage, invited(stage, 1, 0, name="Rust Cup"))
    with pytest.raises(Refused, match="4 pairs need a table each, and the event has 3"):
        draw(stage, invited(stage, name="Third", tables=3))
