"""The player meeting by the actions: seated, published, taken back; no round, no lock, nobody met."""

from typing import Any

import pytest

from events.pairing.request import drawn_round, from_document
from events.play.clock_queries import meeting_of, published_meeting, seating, table_of
from events.play.errors import Refused
from events.registration import actions as registration_actions
from events.rounds import actions as rounds_actions
from events.setup.pairing_actions import FormatSettings, set_format
from models.event import Event, EventState
from models.meeting import Meeting
from tests.kit.stage import BY, Player, Stage


def invited(stage: Stage, reds: int = 4, blues: int = 4, **changed: Any) -> Event:
    """An event with a player meeting and two clubs."""
    event = stage.event(**changed)
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(player_meeting=True), BY, stage.clock())
    stage.enter(event, *(f"Red {n}" for n in range(reds)), club="Reds")
    stage.enter(event, *(f"Blue {n}" for n in range(blues)), club="Blues")
    return event


def draw(stage: Stage, event: Event, seed: int = 1) -> Meeting:
    """Seat everybody."""
    with stage.changing(event) as s:
        return rounds_actions.draw_meeting(s, event, seed, BY, stage.clock())


@pytest.mark.both_databases
def test_everybody_sits_with_another_club_and_nothing_else_happens(stage: Stage) -> None:
    event = invited(stage)
    stage.enter(event, "Absent", here=False)
    draw(stage, event)
    assert published_meeting(stage.s, event) is None
    with stage.changing(event) as s:
        rounds_actions.publish_meeting(s, event, BY, stage.clock())
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
    assert (now.state, now.lists_locked_at) == (EventState.REGISTRATION, None), "it starts nothing and locks nothing"
    # Round 1 takes no notice of it: nobody has met anybody.
    stage.play(event, 1)
    assert [row.played for row in stage.standings(event) if row.name != "Absent"] == [1] * 8
    drawn = drawn_round(from_document(meeting.inputs))
    assert meeting.outcome["pairs"] == [[pair.a, pair.b] for pair in drawn.pairs]
    assert meeting.outcome["algorithm"] == "overseer-meeting/1"
    assert stage.journal(event, "draw-meeting") == ["Seated 8 players for the meeting"]


def test_the_odd_one_takes_a_third_chair(stage: Stage) -> None:
    event = invited(stage, 4, 3, tables=3)
    tables = seating(draw(stage, event))
    assert [(table.number, len(table.players)) for table in tables] == [(1, 2), (2, 2), (3, 3)]


def test_a_fixed_table_holds_for_the_meeting_too(stage: Stage) -> None:
    event = invited(stage)
    with stage.changing(event) as s:
        s.get_one(Player, stage.one(Player, name="Red 2").id).fixed_table = 3
    for seed in range(4):
        meeting = draw(stage, event, seed)
        found = table_of(meeting, stage.one(Player, name="Red 2").id)
        assert found is not None
        assert found.number == 3


def test_drawn_again_discarded_and_over_with_round_1(stage: Stage) -> None:
    event = invited(stage)
    seatings = {tuple(table.players for table in seating(draw(stage, event, seed))) for seed in range(6)}
    assert len(seatings) > 1
    with stage.changing(event) as s:
        rounds_actions.publish_meeting(s, event, BY, stage.clock())
        rounds_actions.draw_meeting(s, event, 1, BY, stage.clock())
    assert published_meeting(stage.s, event) is None, "drawn anew it is a draft again"
    with stage.changing(event) as s:
        rounds_actions.discard_meeting(s, event, BY, stage.clock())
    assert meeting_of(stage.s, event) is None
    for action in (rounds_actions.publish_meeting, rounds_actions.discard_meeting):
        with pytest.raises(Refused, match="not drawn yet"), stage.changing(event) as s:
            action(s, event, BY, stage.clock())
    stage.publish(event, 1)
    with pytest.raises(Refused, match="before round 1"):
        draw(stage, event)


def test_when_nobody_can_be_seated_the_reason_is_told(stage: Stage) -> None:
    event = stage.event()
    with pytest.raises(Refused, match="has no player meeting"):
        draw(stage, event)
    with pytest.raises(Refused, match="At least two players"):
        draw(stage, invited(stage, 1, 0, name="Rust Cup"))
    with pytest.raises(Refused, match="4 pairs need a table each, and the event has 3"):
        draw(stage, invited(stage, name="Third", tables=3))


def test_who_leaves_after_the_draw_stays_seated_and_is_told_of(stage: Stage) -> None:
    event = invited(stage, 2, 2)
    tables = seating(draw(stage, event))
    with stage.changing(event) as s:
        registration_actions.drop(s, event, s.get_one(Player, tables[0].players[0]), BY, stage.clock())
    meeting = meeting_of(stage.s, event)
    assert meeting is not None
    assert seating(meeting) == tables
