"""The draft of a round on the desk: tables, locks, steps back, and what is kept of each."""

from collections.abc import Iterator

import pytest

from events.play.errors import Refused
from events.rounds import actions as rounds_actions
from events.rounds import draft
from events.rounds.draft import MOST_STEPS
from events.rounds.drawing import locked_in
from models.event import Event
from models.journal import JournalEntry
from models.play import Game, Player, PlayerState
from tests.kit.stage import BY, Round, Stage

SEVEN = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")


@pytest.fixture
def event(stage: Stage) -> Event:
    """Seven players, round 1 played, round 2 drawn: three pairs and a bye."""
    event = stage.event(rounds=4)
    strength = {player.id: -player.id for player in stage.enter(event, *SEVEN)}
    stage.play(event, 1, strength)
    stage.draw(event, 2, seed=5)
    return event


def seated(stage: Stage, event: Event) -> list[tuple[int | None, int, int | None, str]]:
    """Every game of round 2: its table, its players, its sheet's code."""
    return [(g.table_number, g.a_id, g.b_id, g.code) for g in stage.games(event, 2)]


def the_round(stage: Stage) -> Round:
    """Round 2 as it is stored now."""
    return stage.one(Round, number=2)


def swap(stage: Stage, event: Event, one: int, other: int) -> list[str]:
    """Let two players change places."""
    with stage.changing(event) as s:
        return draft.swap(s, event, 2, one, other, BY, stage.clock())


def lock(stage: Stage, event: Event, game: Game, *, locked: bool = True) -> None:
    """Lock a game's pair, or its bye."""
    with stage.changing(event) as s:
        draft.lock(s, event, 2, game.a_id, game.b_id, BY, stage.clock(), locked=locked)


def undo(stage: Stage, event: Event) -> str:
    """Take the last change back."""
    with stage.changing(event) as s:
        return draft.undo(s, event, 2, BY, stage.clock())


@pytest.mark.both_databases
def test_steps_are_taken_back_one_by_one_to_the_very_sheets(stage: Stage, event: Event) -> None:
    first, second, third, bye = stage.games(event, 2)
    drawn = seated(stage, event)
    swap(stage, event, first.a_id, second.a_id)
    after_one = seated(stage, event)
    with stage.changing(event) as s:
        draft.set_table(s, event, 2, third.a_id, 1, BY, stage.clock())
    swap(stage, event, third.a_id, bye.a_id)
    assert draft.last_step(the_round(stage)).startswith("Swapped")
    undo(stage, event)
    assert undo(stage, event) == f"Set {stage.name(third.a_id)} and {stage.name(third.b_id)} to table 1 in round 2"
    assert seated(stage, event) == after_one
    undo(stage, event)
    assert seated(stage, event) == drawn
    stored = the_round(stage)
    assert stored.outcome is not None
    assert stored.outcome["hand_changed"] is False
    assert draft.costs_now(stored) == draft.best_costs(stored)
    assert draft.last_step(stored) == ""
    with pytest.raises(Refused, match="no change by hand to take back"):
        undo(stage, event)
    assert stage.journal(event, "undo-step")[0].startswith("Took back: Swapped")


@pytest.mark.slow
def test_no_more_than_the_last_steps_are_kept(stage: Stage, event: Event) -> None:
    first, second, *_ = stage.games(event, 2)
    for _ in range(MOST_STEPS + 3):
        swap(stage, event, first.a_id, second.a_id)
    assert len((the_round(stage).outcome or {})["steps"]) == MOST_STEPS


@pytest.mark.both_databases
def test_a_table_set_by_hand_is_exchanged_and_told(stage: Stage, event: Event) -> None:
    first, _, third, bye = stage.games(event, 2)
    sat = next(g for g in stage.games(event, 1) if first.a_id in (g.a_id, g.b_id) and g.table_number != 1)
    table = sat.table_number or 0
    with stage.changing(event) as s:
        warnings = draft.set_table(s, event, 2, first.a_id, table, BY, stage.clock())
    assert any("table again" in one for one in warnings)
    assert draft.costs_now(the_round(stage))["table_repeats"] >= 1
    now = {frozenset((g.a_id, g.b_id)): g.table_number for g in stage.games(event, 2)}
    assert now[frozenset((first.a_id, first.b_id))] == table
    assert sorted(t for t in now.values() if t) == [1, 2, 3]
    with stage.changing(event) as s:
        draft.set_table(s, event, 2, third.a_id, 9, BY, stage.clock())
    assert 9 in {g.table_number for g in stage.games(event, 2)}
    for player, wanted, words in (
        (bye.a_id, 1, "Choose a game"), (10**6, 1, "Choose a game"), (third.a_id, 9, "at table 9 already"),
        (third.a_id, 0, "tables 1 to 1000"), (third.a_id, 1001, "tables 1 to 1000"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=words), stage.changing(event) as s:
            draft.set_table(s, event, 2, player, wanted, BY, stage.clock())


def test_a_locked_pair_is_not_torn_apart_by_hand(stage: Stage, event: Event) -> None:
    first, second, _, bye = stage.games(event, 2)
    lock(stage, event, first)
    lock(stage, event, first)
    assert locked_in(the_round(stage)) == ((str(first.a_id), str(first.b_id)),)
    for one, other in ((first.a_id, second.a_id), (second.a_id, first.b_id or 0), (first.a_id, bye.a_id)):
        with pytest.raises(Refused, match=f"{stage.name(first.a_id)} and .* are locked: unlock first"):
            swap(stage, event, one, other)
    lock(stage, event, bye)
    with pytest.raises(Refused, match=f"{stage.name(bye.a_id)} is locked"):
        swap(stage, event, second.a_id, bye.a_id)
    lock(stage, event, first, locked=False)
    swap(stage, event, first.a_id, second.a_id)
    with pytest.raises(Refused, match="does not stand in the draft any more"):
        lock(stage, event, first)
    assert stage.journal(event, "lock")[0] == (
        f"Locked {stage.name(first.a_id)} and {stage.name(first.b_id)} in round 2"
    )
    assert stage.journal(event, "lock")[1] == f"Locked the bye of {stage.name(bye.a_id)} in round 2"


@pytest.mark.both_databases
def test_what_is_locked_stays_while_the_rest_is_drawn_again(stage: Stage) -> None:
    event = stage.event(rounds=4)
    strength = {player.id: -player.id for player in stage.enter(event, *SEVEN, "Hal", "Ida", "Jo", "Kit")}
    stage.play(event, 1, strength)
    first, second, *_, bye = stage.draw(event, 2, seed=5)
    swap(stage, event, first.a_id, second.b_id or 0)
    kept = stage.games(event, 2)[0]
    pair = {kept.a_id, kept.b_id}
    lock(stage, event, kept)
    lock(stage, event, bye)
    rest = set()
    for seed in range(6):
        games = stage.draw(event, 2, seed)
        assert pair in [{g.a_id, g.b_id} for g in games]
        assert next(g.a_id for g in games if g.b_id is None) == bye.a_id
        rest.add(frozenset(frozenset((g.a_id, g.b_id)) for g in games))
    assert len(rest) > 1, "the others are drawn anew"
    stored = the_round(stage)
    assert {frozenset(pair) for pair in locked_in(stored)} == {
        frozenset(map(str, pair)), frozenset((str(bye.a_id), None)),
    }  # fmt: skip
    assert stored.inputs is not None
    assert len(stored.inputs["rules"]["locked"]) == 2
    free, now = draft.best_costs(stored), draft.costs_now(stored)
    assert list(free.values()) <= list(now.values()), "locks never make a round better than the engine's best"
    line = stage.all(JournalEntry, verb="draw-round")[-1]
    assert line.text.endswith("5 games, 2 locked")
    assert line.details["before"]["locked"]
    assert line.details["outcome"]["free"] == free


def test_locks_of_players_who_left_fall(stage: Stage, event: Event) -> None:
    first, *_, bye = stage.games(event, 2)
    lock(stage, event, first)
    lock(stage, event, bye)
    gone = stage.one(Player, id=first.a_id)
    with stage.changing(event):
        gone.state = PlayerState.DROPPED
    stage.draw(event, 2)
    assert locked_in(the_round(stage)) == (), "one is gone, and the field is even"


def test_a_lock_is_a_step_and_a_discarded_draw_has_none(stage: Stage, event: Event) -> None:
    first, *_ = stage.games(event, 2)
    lock(stage, event, first)
    assert undo(stage, event).startswith("Locked")
    assert locked_in(the_round(stage)) == ()
    lock(stage, event, first)
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 2, BY, stage.clock())
    stage.draw(event, 2)
    assert locked_in(the_round(stage)) == ()


@pytest.fixture(autouse=True)
def everybody_is_seated_once(stage: Stage) -> Iterator[None]:
    """Whatever a test did: everybody who is drawn sits in one game."""
    yield
    players = [id_ for g in stage.all(Game, round_id=2) for id_ in (g.a_id, g.b_id) if id_ is not None]
    assert len(players) == len(set(players))
