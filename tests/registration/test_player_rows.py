"""What a row of the desk's table of players says and offers."""

import pytest

from events.registration.player_table import exceptions, next_press
from models.event import Event, EventState
from models.play import ForceList, Player, PlayerState
from tests.kit.visitors import NOW
from validators.restrictions import Restrictions

BEFORE, BEGUN, OVER = EventState.REGISTRATION, EventState.IN_PROGRESS, EventState.FINISHED
HERE, NOT_HERE, WAITING, GONE = (
    PlayerState.CHECKED_IN, PlayerState.REGISTERED, PlayerState.WAITING, PlayerState.DROPPED,
)  # fmt: skip


def ada(state: PlayerState) -> Player:
    return Player(name="Ada", name_key="ada", registered_at=NOW, state=state)


BOTH = {"may_check_in": True, "may_change": True}


@pytest.mark.parametrize(
    ("state", "at", "rights", "verb"),
    [
        (NOT_HERE, BEFORE, BOTH, "check-in"),
        (NOT_HERE, BEGUN, {"may_check_in": True, "may_change": False}, "check-in"),
        (NOT_HERE, BEGUN, {"may_check_in": False, "may_change": True}, None),
        (WAITING, BEFORE, BOTH, "give-place"),
        (WAITING, OVER, BOTH, None),
        (WAITING, BEFORE, {"may_check_in": True, "may_change": False}, None),
        (GONE, BEGUN, BOTH, "reinstate"),
        (GONE, BEGUN, {"may_check_in": True, "may_change": False}, None),
        (HERE, BEFORE, BOTH, "undo-check-in"),
        (HERE, BEFORE, {"may_check_in": False, "may_change": True}, None),
        (HERE, BEGUN, BOTH, None),
    ],
)
def test_next_press_follows_from_state_and_rights(
    event: Event, state: PlayerState, at: EventState, rights: dict[str, bool], verb: str | None
) -> None:
    event.state = at
    press = next_press(event, ada(state), **rights)
    assert (press and press[0]) == verb


def test_painting_is_checked_before_a_player_checks_in(event: Event) -> None:
    event.state, event.restrictions = BEFORE, Restrictions(painted=True)
    player = ada(NOT_HERE)
    verbs = [press[0] for player.painted in (False, True) if (press := next_press(event, player, **BOTH))]
    assert verbs == ["check-in-painted", "check-in"]


def test_only_what_is_not_usual_is_said(event: Event) -> None:
    def said(state: PlayerState, at: EventState, force: ForceList | None, *, named: bool = True) -> list[str]:
        event.state = at
        return [kind for kind, _ in exceptions(event, ada(state), force, names_listless=named)]

    draft, sent_back = ForceList(saved_at=NOW, document={}), ForceList(saved_at=NOW, document={}, sent_back_at=NOW)
    submitted = ForceList(saved_at=NOW, document={}, submitted_at=NOW)
    assert [said(NOT_HERE, BEFORE, submitted), said(HERE, BEGUN, submitted)] == [[], []]
    assert [said(HERE, BEFORE, submitted), said(NOT_HERE, BEGUN, submitted)] == [["checked_in"], ["registered"]]
    assert [said(HERE, BEGUN, one) for one in (None, draft, sent_back)] == [["none"], ["draft"], ["sent_back"]]
    assert [said(HERE, BEGUN, None, named=False), said(GONE, BEGUN, None)] == [[], ["dropped"]]
