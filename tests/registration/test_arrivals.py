"""Who has paid and who is here: one press, many at once, and taken back."""

import pytest

from events.play.errors import Refused
from events.registration import actions as registration_actions
from events.registration import check_in
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState
from tests.kit.stage import BY, Stage


def with_fee(stage: Stage, event: Event, fee: str = "15 €") -> None:
    with stage.changing(event) as s:
        check_in.set_fee(s, event, fee, BY, stage.clock())


def newest(stage: Stage, event: Event) -> JournalEntry:
    entry = check_in.newest_press(stage.s, event)
    assert entry is not None
    return entry


def states(stage: Stage, *who: Player) -> list[str]:
    return [stage.now(one).state.value for one in who]


@pytest.mark.both_databases
def test_many_are_checked_in_and_taken_back_by_one_press(stage: Stage) -> None:
    event = stage.event()
    ada, bo, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    (dee,) = stage.enter(event, "Dee")
    with stage.changing(event) as s:
        done, refused = check_in.check_in_many(s, event, [ada, bo, dee], BY, stage.clock())
    assert ([p.name for p in done], refused) == (["Ada", "Bo"], [])
    assert states(stage, ada, bo, cy, dee) == ["checked_in", "checked_in", "registered", "checked_in"]
    assert stage.journal(event, "check-in")[-1] == "Checked in 2 players: Ada, Bo"
    with stage.changing(event) as s:
        check_in.take_back(s, event, newest(stage, event), BY, stage.clock())
    assert states(stage, ada, bo, cy, dee) == ["registered", "registered", "registered", "checked_in"]


def test_who_cannot_be_checked_in_does_not_keep_the_others_out(stage: Stage) -> None:
    event = stage.event(places=2)
    ada, bo, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    with stage.changing(event) as s:
        done, refused = check_in.check_in_many(s, event, [ada, cy], BY, stage.clock())
    assert [p.name for p in done] == ["Ada"]
    assert refused == ["Cy holds no place: give them one first."]
    assert states(stage, ada, bo, cy) == ["checked_in", "registered", "waiting"]
    assert stage.journal(event, "check-in") == ["Checked in Ada"]


def test_a_late_entry_checked_in_with_others_plays_from_the_next_round(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    cy, dee = stage.enter(event, "Cy", "Dee", here=False)
    stage.publish(event, 1)
    with stage.changing(event) as s:
        check_in.check_in_many(s, event, [cy, dee], BY, stage.clock())
    assert [stage.now(one).entered_round for one in (cy, dee)] == [2, 2]
    with stage.changing(event) as s, pytest.raises(Refused, match="Round 1 is drawn"):
        check_in.take_back(s, event, newest(stage, event), BY, stage.clock())


@pytest.mark.both_databases
def test_paid_is_marked_once_and_taken_back(stage: Stage) -> None:
    event = stage.event()
    with_fee(stage, event)
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    for _ in range(2):
        with stage.changing(event) as s:
            check_in.mark_paid(s, event, [ada, bo], BY, stage.clock())
    assert stage.now(ada).paid_at == stage.clock()
    assert stage.journal(event, "paid") == ["2 players have paid: Ada, Bo"]
    with stage.changing(event) as s:
        check_in.take_back(s, event, newest(stage, event), BY, stage.clock())
    assert [stage.now(one).paid_at for one in (ada, bo)] == [None, None]
    assert stage.journal(event, "unpaid") == ["2 players have not paid after all: Ada, Bo"]
    with stage.changing(event) as s:
        check_in.take_back(s, event, newest(stage, event), BY, stage.clock())
    assert stage.now(ada).paid_at == stage.clock(), "taking a taking-back back marks again"


def test_paying_at_the_door_is_both_or_neither(stage: Stage) -> None:
    event = stage.event(places=1)
    with_fee(stage, event)
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    with stage.changing(event) as s:
        check_in.check_in_paid(s, event, ada, BY, stage.clock())
    assert (stage.now(ada).state, stage.now(ada).paid_at) == (PlayerState.CHECKED_IN, stage.clock())
    with pytest.raises(Refused, match="holds no place"), stage.changing(event) as s:
        check_in.check_in_paid(s, event, bo, BY, stage.clock())
    assert stage.now(bo).paid_at is None


def test_nobody_pays_where_a_place_costs_nothing_or_is_given_up(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada", here=False)
    with pytest.raises(Refused, match="costs nothing"), stage.changing(event) as s:
        check_in.mark_paid(s, event, [ada], BY, stage.clock())
    with_fee(stage, event)
    with stage.changing(event) as s:
        registration_actions.drop(s, event, ada, BY, stage.clock())
    with pytest.raises(Refused, match="has left"), stage.changing(event) as s:
        check_in.mark_paid(s, event, [ada], BY, stage.clock())


def test_a_fee_is_told_once_and_taken_away_the_marks_stay(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    with_fee(stage, event)
    with_fee(stage, event)
    with stage.changing(event) as s:
        check_in.mark_paid(s, event, [ada], BY, stage.clock())
    with_fee(stage, event, "")
    assert stage.now(ada).paid_at is not None
    assert stage.journal(event, "fee") == ["A place costs 15 €", "A place costs nothing"]


def test_only_lines_of_this_event_that_can_be_taken_back_are(stage: Stage) -> None:
    event, other = stage.event(), stage.event("Rust Cup")
    (ada,) = stage.enter(event, "Ada", here=False)
    with stage.changing(event) as s:
        registration_actions.check_in(s, event, ada, BY, stage.clock())
    entry = newest(stage, event)
    assert check_in.press_of(stage.s, event, entry.id) is entry
    assert check_in.press_of(stage.s, other, entry.id) is None
    registered = stage.all(JournalEntry, event_id=event.id, verb="register")[0]
    assert check_in.press_of(stage.s, event, registered.id) is None
