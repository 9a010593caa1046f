"""Check-in of several players at once, entry fees, and undoing either."""

import pytest

from events.play.errors import Refused
from events.registration import actions as registration_actions
from events.registration import check_in
from models.event import Event
from models.journal import JournalEntry
from models.play import Player, PlayerState
from tests.kit.stage import BY, Stage


def with_fee(stage: Stage, event: Event, fee: str = "15 €") -> None:
    with stage.changing(event):
        event.fee = fee


def pay(stage: Stage, event: Event, *players: Player) -> None:
    stage.do(event, check_in.mark_paid, players)


def arrive(stage: Stage, event: Event, *players: Player) -> tuple[list[str], list[str]]:
    """Check players in; the names of those who are, and the reasons for the others."""
    with stage.changing(event) as s:
        done, refused = check_in.check_in_many(s, event, players, BY, stage.clock())
        return [player.name for player in done], refused


def undo(stage: Stage, event: Event) -> None:
    """Undo the newest entry."""
    entry = check_in.newest_undoable(stage.s, event)
    assert entry is not None
    stage.do(event, check_in.undo_entry, entry)


def states(stage: Stage, *players: Player) -> list[str]:
    return [stage.now(one).state.value for one in players]


@pytest.mark.both_at_length
def test_several_players_are_checked_in_and_undone_together(stage: Stage) -> None:
    event = stage.event()
    ada, bo, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    (dee,) = stage.enter(event, "Dee")
    assert arrive(stage, event, ada, bo, dee) == (["Ada", "Bo"], [])
    assert states(stage, ada, bo, cy, dee) == ["checked_in", "checked_in", "registered", "checked_in"]
    assert stage.journal(event, "check-in")[-1] == "Checked in 2 players: Ada, Bo"
    undo(stage, event)
    assert states(stage, ada, bo, cy, dee) == ["registered", "registered", "registered", "checked_in"]


def test_refused_check_in_does_not_stop_the_others(stage: Stage) -> None:
    event = stage.event(places=2)
    ada, bo, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    assert arrive(stage, event, ada, cy) == (["Ada"], ["Cy holds no place: give them one first."])
    assert states(stage, ada, bo, cy) == ["checked_in", "registered", "waiting"]
    assert stage.journal(event, "check-in") == ["Checked in Ada"]


def test_late_check_in_plays_from_the_next_round_and_stays(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    cy, dee = stage.enter(event, "Cy", "Dee", here=False)
    stage.publish(event, 1)
    arrive(stage, event, cy, dee)
    assert [stage.now(one).entered_round for one in (cy, dee)] == [2, 2]
    assert stage.journal(event, "check-in")[-1] == "Checked in 2 players: Cy, Dee; they play from round 2"
    with pytest.raises(Refused, match="Round 1 is drawn"):
        undo(stage, event)


@pytest.mark.both_at_length
def test_payment_is_marked_once_and_undone_and_redone(stage: Stage) -> None:
    event = stage.event()
    with_fee(stage, event)
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    for _ in range(2):
        pay(stage, event, ada, bo)
    assert stage.now(ada).paid_at == stage.clock()
    assert stage.journal(event, "paid") == ["2 players have paid: Ada, Bo"]
    undo(stage, event)
    assert [stage.now(one).paid_at for one in (ada, bo)] == [None, None]
    assert stage.journal(event, "unpaid") == ["2 players have not paid after all: Ada, Bo"]
    undo(stage, event)
    assert stage.now(ada).paid_at == stage.clock(), "undoing the undo marks again"


def test_paying_at_check_in_stores_both_or_neither(stage: Stage) -> None:
    event = stage.event(places=1)
    with_fee(stage, event)
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    stage.do(event, check_in.check_in_paid, ada)
    assert (stage.now(ada).state, stage.now(ada).paid_at) == (PlayerState.CHECKED_IN, stage.clock())
    with pytest.raises(Refused, match="holds no place"), stage.changing(event) as s:
        check_in.check_in_paid(s, event, bo, BY, stage.clock())
    assert stage.now(bo).paid_at is None


def test_payment_needs_a_fee_and_a_player_who_has_not_left(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada", here=False)
    with pytest.raises(Refused, match="has no entry fee"):
        pay(stage, event, ada)
    for fee in ("15 €", "15 €", "", "15 €"):
        with_fee(stage, event, fee)
        if fee == "15 €":
            pay(stage, event, ada)
    assert stage.now(ada).paid_at is not None, "removing the fee keeps the marks"
    stage.do(event, registration_actions.drop, ada)
    with pytest.raises(Refused, match="has left"):
        pay(stage, event, ada)


def test_only_check_ins_and_payments_of_this_event_can_be_undone(stage: Stage) -> None:
    event, other = stage.event(), stage.event("Rust Cup")
    (ada,) = stage.enter(event, "Ada", here=False)
    arrive(stage, event, ada)
    entry = check_in.newest_undoable(stage.s, event)
    assert entry is not None
    assert check_in.undoable_entry(stage.s, event, entry.id) is entry
    assert check_in.undoable_entry(stage.s, other, entry.id) is None
    registered = stage.all(JournalEntry, event_id=event.id, verb="register")[0]
    assert check_in.undoable_entry(stage.s, event, registered.id) is None
