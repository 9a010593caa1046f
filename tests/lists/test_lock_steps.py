"""The lock of the lists: what the clock does, what the organiser does, and the time of each seal."""

from datetime import datetime, timedelta

import pytest

from events.lists import actions as lists_actions
from events.lists import locks
from events.play.errors import Refused
from models.event import Event, EventState, ListsShown
from models.play import ForceList, ListSeal, Player
from tests.conftest import Clock
from tests.kit.forces import sample_force
from tests.kit.lists import DEADLINE
from tests.kit.stage import BY, Stage

TICK, HOUR = timedelta(microseconds=1), timedelta(hours=1)


def survivors(seed: int = 1) -> dict[str, object]:
    return sample_force("Survivors", 750, seed)


def settle(stage: Stage, event: Event, at: datetime) -> None:
    """Store what the first request at this time stores."""
    stage.clock.now = at
    with stage.changing(event) as s:
        locks.settle(s, event, at)


def change(stage: Stage, event: Event, player: Player, seed: int, *, by_organiser: bool = False) -> None:
    with stage.changing(event) as s:
        lists_actions.save_force(
            s, event, player, survivors(seed), BY if by_organiser else f"player {player.name}", stage.clock(),
            by_organiser=by_organiser,
        )  # fmt: skip


def seals(stage: Stage) -> list[tuple[datetime, str, bool]]:
    return [(one.at, one.by, one.submitted) for one in stage.all(ListSeal)]


def test_clock_locks_and_shows_lists_once(stage: Stage) -> None:
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, survivors())
    assert not locks.is_due(stage.s, event, DEADLINE - TICK)
    assert locks.is_due(stage.s, event, DEADLINE)
    settle(stage, event, DEADLINE + HOUR)
    assert (event.lists_locked_at, event.lists_revealed_at) == (DEADLINE, DEADLINE + HOUR)
    assert seals(stage) == [(DEADLINE, locks.THE_LOCK, True)]
    assert stage.now(ada).faction == "Survivors"
    assert not locks.is_due(stage.s, event, DEADLINE + 2 * HOUR)
    settle(stage, event, DEADLINE + 2 * HOUR)
    with stage.changing(event) as s:
        locks.lock_lists(s, event, stage.clock(), BY, stage.clock())
    assert stage.now(event).lists_locked_at == DEADLINE
    assert stage.journal(event, "lock-lists") == ["Locked 1 list"]
    assert stage.journal(event, "reveal-lists") == ["Everybody can read the lists"]


def test_clock_does_nothing_before_the_deadline_or_in_a_draft(stage: Stage) -> None:
    held, draft = stage.event(), stage.event("Draft", draft=True)
    settle(stage, held, DEADLINE - TICK)
    settle(stage, draft, DEADLINE + HOUR)
    assert not locks.is_due(stage.s, draft, DEADLINE + HOUR)
    for event in (held, draft):
        found = stage.now(event)
        assert (found.lists_locked_at, found.lists_revealed_at) == (None, None)


def test_lists_are_shown_at_their_own_time(stage: Stage) -> None:
    later = DEADLINE + timedelta(hours=12)
    event = stage.event(lists_shown=ListsShown.AT_TIME, lists_shown_from=later)
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, survivors())
    settle(stage, event, DEADLINE)
    assert (event.lists_locked_at, event.lists_revealed_at) == (DEADLINE, None)
    assert stage.now(ada).faction == "", "the faction is still secret"
    assert not locks.is_due(stage.s, event, later - TICK)
    assert locks.is_due(stage.s, event, later)
    settle(stage, event, later)
    assert (stage.now(event).lists_revealed_at, stage.now(ada).faction) == (later, "Survivors")
    assert not locks.is_due(stage.s, event, later + HOUR)


@pytest.mark.proves("F15")
def test_unlocked_list_is_sealed_at_the_end_of_its_time(stage: Stage) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    for player in (ada, bo):
        stage.force(event, player, survivors())
    settle(stage, event, DEADLINE)
    until = DEADLINE + HOUR
    with stage.changing(event) as s:
        locks.unlock(s, event, ada, until, BY, DEADLINE)
        locks.unlock(s, event, bo, None, BY, DEADLINE)
    stage.clock.now = DEADLINE + HOUR / 2
    change(stage, event, ada, 2)
    assert len(seals(stage)) == 2, "an unlocked list is not sealed"
    assert not locks.is_due(stage.s, event, until - TICK)
    assert not locks.is_due(stage.s, event, until, [until + TICK])
    assert locks.is_due(stage.s, event, until) and locks.is_due(stage.s, event, until, [until])
    settle(stage, event, until + HOUR)
    assert seals(stage)[2:] == [(until, "player Ada", True)]
    assert (stage.now(ada).list_unlocked_at, ada.list_unlocked_until) == (None, None)
    assert stage.now(bo).list_unlocked_at == DEADLINE, "has no end"
    assert not locks.is_due(stage.s, event, until + HOUR)
    assert stage.journal(event, "lock-list") == ["The list of Ada is locked again"]


@pytest.mark.proves("F15")
def test_seal_is_never_older_than_the_lock(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, survivors())
    settle(stage, event, DEADLINE)
    for seed, now in ((2, DEADLINE - HOUR), (3, DEADLINE), (4, DEADLINE + HOUR)):
        stage.clock.now = now
        change(stage, event, ada, seed, by_organiser=True)
    after = DEADLINE + timedelta(seconds=1)
    assert seals(stage)[1:] == [(after, BY, True), (DEADLINE + HOUR, BY, True)], "the last of one sitting"


def test_organisers_change_after_the_deadline_is_sealed_before_the_lock_is_stored(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, survivors())
    stage.clock.now = DEADLINE + HOUR
    change(stage, event, ada, 2, by_organiser=True)
    assert (stage.now(event).lists_locked_at, seals(stage)) == (None, [(DEADLINE + HOUR, BY, True)])


@pytest.mark.parametrize(("when", "faction"), [(ListsShown.AT_LOCK, "Super Mutants"), (ListsShown.ON_PRESS, "")])
def test_new_faction_of_a_locked_list_is_shown_only_with_the_lists(
    stage: Stage, when: ListsShown, faction: str
) -> None:
    event = stage.event(lists_shown=when)
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, survivors())
    settle(stage, event, DEADLINE)
    with stage.changing(event) as s:
        mutants = sample_force("Super Mutants", 750, 1)
        lists_actions.save_force(s, event, ada, mutants, BY, stage.clock(), by_organiser=True)
    assert stage.now(ada).faction == faction


def test_one_sitting_makes_one_seal(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, survivors(), submit=False)
    force = stage.one(ForceList)

    def sealed(seed: int, by: str, at: datetime, *, submitted: bool = False) -> int:
        with stage.changing(event) as s:
            force.document, force.submitted_at = survivors(seed), at if submitted else None
            locks.seal(s, ada, force, by, at)
        return len(stage.all(ListSeal))

    assert sealed(1, locks.THE_LOCK, DEADLINE) == 1
    assert sealed(2, BY, DEADLINE + HOUR) == 2
    assert sealed(3, BY, DEADLINE + HOUR + locks.SITTING - TICK, submitted=True) == 2
    assert seals(stage)[1] == (DEADLINE + HOUR + locks.SITTING - TICK, BY, True)
    text = stage.all(ListSeal)[1].text
    assert sealed(3, BY, DEADLINE + 2 * HOUR, submitted=False) == 2, "the same force is not sealed twice"
    assert seals(stage)[1] == (DEADLINE + HOUR + locks.SITTING - TICK, BY, True)
    assert stage.all(ListSeal)[1].text == text
    assert sealed(4, BY, DEADLINE + HOUR + 2 * locks.SITTING - TICK) == 3, "another sitting"
    assert sealed(5, "organiser Petra", DEADLINE + HOUR + 2 * locks.SITTING) == 4, "another actor"
    assert sealed(6, locks.THE_LOCK, DEADLINE + 3 * HOUR) == 5
    assert sealed(7, locks.THE_LOCK, DEADLINE + 3 * HOUR) == 6, "two locks are not one sitting"
    assert sealed(7, locks.THE_LOCK, DEADLINE + 4 * HOUR, submitted=True) == 6
    assert seals(stage)[5] == (DEADLINE + 3 * HOUR, locks.THE_LOCK, True), "submitted by the second lock"
    assert sealed(8, "x" * 200, DEADLINE + 5 * HOUR) == 7
    assert seals(stage)[6][1] == "x" * 120, "cut to its column's length"


def test_organiser_locks_shows_and_reopens_only_where_possible(stage: Stage, clock: Clock) -> None:
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.force(event, ada, survivors())

    def refused(match: str, verb: object, *words: object) -> None:
        assert callable(verb)
        with pytest.raises(Refused, match=match), stage.changing(event) as s:
            verb(s, event, *words, BY, clock())

    refused("still open", locks.reveal)
    refused("The lists are open", locks.reopen_lists, None)
    refused("nothing to unlock", locks.unlock, ada, None)
    refused("not unlocked", locks.lock_again, ada)
    with stage.changing(event) as s:
        locks.lock_now(s, event, BY, clock())
    assert (stage.now(event).lists_locked_at, event.lists_revealed_at) == (clock(), None)
    refused("locked already", locks.lock_now)
    refused("in the future", locks.unlock, ada, clock())
    with stage.changing(event) as s:
        locks.unlock(s, event, ada, clock() + HOUR, BY, clock())
        locks.reveal(s, event, BY, clock())
    assert stage.now(event).lists_revealed_at == clock()
    assert stage.now(ada).faction == "", "her list is unlocked"
    refused("already", locks.reveal)
    refused("must be in the future", locks.reopen_lists, clock())
    with stage.changing(event) as s:
        locks.reopen_lists(s, event, DEADLINE - HOUR, BY, clock())
    found = stage.now(event)
    assert (found.lists_locked_at, found.lists_revealed_at, found.list_deadline) == (None, None, DEADLINE - HOUR)
    assert (stage.now(ada).list_unlocked_at, ada.list_unlocked_until) == (None, None)
    stage.publish(event, 1)
    assert stage.now(event).lists_locked_at == clock()
    refused("Round 1 is published", locks.reopen_lists, None)
    with stage.changing(event) as s:
        event.state = EventState.FINISHED
    refused("over", locks.unlock, ada, clock() + HOUR)


def test_locking_by_hand_shows_lists_too(stage: Stage, clock: Clock) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        locks.lock_now(s, event, BY, clock())
    assert stage.now(event).lists_locked_at == event.lists_revealed_at == clock()


def test_list_locked_again_is_sealed_and_shows_its_faction(stage: Stage, clock: Clock) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.force(event, bo, survivors())
    settle(stage, event, DEADLINE)
    with stage.changing(event) as s:
        for player in (ada, bo):
            locks.unlock(s, event, player, None, BY, clock())
    clock.advance(minutes=5)
    stage.force(event, ada, survivors(2))
    assert stage.now(ada).faction == ""
    clock.advance(minutes=5)
    with stage.changing(event) as s:
        locks.close_unlocked(s, event, BY, clock())
    assert (stage.now(ada).list_unlocked_at, stage.now(bo).list_unlocked_at) == (None, None)
    assert seals(stage)[1:] == [(clock(), "player Ada", True)], "Bo's is unchanged"
    assert stage.now(ada).faction == "Survivors"
    assert stage.journal(event, "lock-list") == ["Locked the list of Ada again", "Locked the list of Bo again"]
