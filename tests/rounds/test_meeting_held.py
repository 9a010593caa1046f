"""The player meeting by the actions: seated, published, discarded; it is no round, and nobody has met."""

from typing import Any

import pytest

from events.pairing.request import drawn_round, from_document
from events.play.clock_queries import meeting_of, published_meeting, seating, table_of
from events.play.errors import Refused
from events.rounds import actions as rounds_actions
from models.event import Event, EventState
from models.meeting import Meeting
from tests.kit.formats import drop, formed
from tests.kit.stage import Player, Stage


def invited(stage: Stage, reds: int = 4, blues: int = 4, **changed: Any) -> Event:
    """An event with a player meeting and two clubs."""
    event = formed(stage, of=stage.event(**changed), player_meeting=True)
    stage.enter(event, *(f"Red {n}" for n in range(reds)), club="Reds")
    stage.enter(event, *(f"Blue {n}" for n in range(blues)), club="Blues")
    return event


def draw(stage: Stage, event: Event, seed: int = 1) -> Meeting:
    """Seat everybody."""
    return stage.do(event, rounds_actions.draw_meeting, seed)


@pytest.mark.both_at_length
def test_everybody_is_seated_with_another_club_and_no_round_starts(stage: Stage) -> None:
    event = invited(stage)
    stage.enter(event, "Absent", here=False)
    draw(stage, event)
    assert published_meeting(stage.s, event) is None
    stage.do(event, rounds_actions.publish_meeting)
    meeting = published_meeting(stage.s, event)
    assert meeting is not None
    tables = seating(meeting)
    assert [table.number for table in tables] == [1, 2, 3, 4]
    assert all({stage.name(one)[0] for one in table.players} == {"R", "B"} for table in tables)
    seated = [id_ for table in tables for id_ in table.players]
    assert sorted(map(stage.name, seated)) == sorted([f"{c} {n}" for c in ("Red", "Blue") for n in range(4)])
    found = table_of(meeting, seated[5])
    assert found is not None
    assert found.number == 3
    now = stage.now(event)
    assert (now.state, now.lists_locked_at) == (EventState.REGISTRATION, None)
    stage.play(event, 1)
    assert [row.played for row in stage.standings(event) if row.name != "Absent"] == [1] * 8
    drawn = drawn_round(from_document(meeting.inputs))
    assert meeting.outcome["pairs"] == [[pair.a, pair.b] for pair in drawn.pairs]
    assert meeting.outcome["algorithm"] == "overseer-meeting/1"
    assert stage.journal(event, "draw-meeting") == ["Seated 8 players for the meeting"]


def test_an_odd_player_takes_a_third_chair_and_a_fixed_table_is_kept(stage: Stage) -> None:
    event = invited(stage, 4, 3, tables=3)
    tables = seating(draw(stage, event))
    assert [(table.number, len(table.players)) for table in tables] == [(1, 2), (2, 2), (3, 3)]
    fixed = stage.one(Player, name="Red 2")
    with stage.changing(event):
        fixed.fixed_table = 3
    for seed in range(4):
        found = table_of(draw(stage, event, seed), fixed.id)
        assert found is not None
        assert found.number == 3


def test_the_meeting_is_drawn_again_and_discarded_until_round_1(stage: Stage) -> None:
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


def test_a_meeting_that_cannot_be_seated_says_why(stage: Stage) -> None:
    with pytest.raises(Refused, match="has no player meeting"):
        draw(stage, stage.event())
    with pytest.raises(Refused, match="At least two players"):
        draw(stage, invited(stage, 1, 0, name="Rust Cup"))
    with pytest.raises(Refused, match="4 pairs need a table each, and the event has 3"):
        draw(stage, invited(stage, name="Third", tables=3))
