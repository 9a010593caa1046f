"""Check-in of several players at once, entry fees, and undoing either."""

import pytest

from events.play.errors import Refused
from events.registration import actions as registration_actions
from events.registration import check_in
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState
from tests.kit.stage import Stage


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event of three places with an entry fee."""
    event = stage.event(places=3)
    with stage.changing(event):
        event.fee = "15 €"
    return event


def undo(stage: Stage, event: Event) -> None:
    """Undo the newest entry."""
    entry = check_in.newest_undoable(stage.s, event)
    assert entry is not None
    stage.do(event, check_in.undo_entry, entry)


def states(stage: Stage, *players: Player) -> list[str]:
    return [stage.now(one).state.value for one in players]


@pytest.mark.both_at_length
def test_players_are_checked_in_and_undone_together_but_for_refused_ones(stage: Stage, event: Event) -> None:
    (dee,) = stage.enter(event, "Dee")
    ada, bo, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    done, refused = stage.do(event, check_in.check_in_many, [ada, bo, cy, dee])
    assert (done, refused) == ([ada, bo], ["Cy holds no place: give them one first."])
    assert states(stage, ada, bo, cy, dee) == ["checked_in", "checked_in", "waiting", "checked_in"]
    assert stage.journal(event, "check-in")[-1] == "Checked in 2 players: Ada, Bo"
    undo(stage, event)
    assert states(stage, ada, bo, cy, dee) == ["registered", "registered", "waiting", "checked_in"]


def test_late_check_in_plays_from_the_next_round_and_stays(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    late = stage.enter(event, "Cy", "Dee", here=False)
    stage.publish(event, 1)
    stage.do(event, check_in.check_in_many, late)
    assert [stage.now(one).entered_round for one in late] == [2, 2]
    assert stage.journal(event, "check-in")[-1] == "Checked in 2 players: Cy, Dee; they play from round 2"
    with pytest.raises(Refused, match="Round 1 is drawn"):
        undo(stage, event)


@pytest.mark.both_at_length
def test_payment_is_marked_once_and_undone_and_redone(stage: Stage, event: Event) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    for _ in range(2):
        stage.do(event, check_in.mark_paid, [ada, bo])
    assert stage.now(ada).paid_at == stage.clock()
    assert stage.journal(event, "paid") == ["2 players have paid: Ada, Bo"]
    undo(stage, event)
    assert [stage.now(one).paid_at for one in (ada, bo)] == [None, None]
    assert stage.journal(event, "unpaid") == ["2 players have not paid after all: Ada, Bo"]
    undo(stage, event)
    assert stage.now(ada).paid_at == stage.clock(), "undoing the undo marks again"


def test_payment_needs_a_fee_and_a_player_who_has_not_left(stage: Stage, event: Event) -> None:
    ada, _, _, dee = stage.enter(event, "Ada", "Bo", "Cy", "Dee", here=False)
    stage.do(event, check_in.check_in_paid, ada)
    with pytest.raises(Refused, match="holds no place"):
        stage.do(event, check_in.check_in_paid, dee)
    assert (stage.now(dee).paid_at, stage.now(ada).state) == (None, PlayerState.CHECKED_IN)
    with stage.changing(event):
        event.fee = ""
    with pytest.raises(Refused, match="has no entry fee"):
        stage.do(event, check_in.mark_paid, [dee])
    assert stage.now(ada).paid_at == stage.clock(), "removing the fee keeps the marks"
    stage.do(event, registration_actions.drop, ada)
    with stage.changing(event):
        event.fee = "15 €"
    with pytest.raises(Refused, match="has left"):
        stage.do(event, check_in.mark_paid, [ada])


def test_only_check_ins_and_payments_of_this_event_can_be_undone(stage: Stage, event: Event) -> None:
    (ada,) = stage.enter(event, "Ada", here=False)
    stage.do(event, check_in.check_in_many, [ada])
    entry = check_in.newest_undoable(stage.s, event)
    assert entry is not None
    assert check_in.undoable_entry(stage.s, event, entry.id) is entry
    assert check_in.undoable_entry(stage.s, stage.event("Rust Cup"), entry.id) is None
    registered = stage.all(JournalEntry, event_id=event.id, verb="register")[0]
    assert check_in.undoable_entry(stage.s, event, registered.id) is None
