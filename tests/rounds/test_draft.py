"""The draft of a round through the actions: swaps, tables, locks, undo, and their journal entries."""

from collections.abc import Iterator

import pytest

from events.play.errors import Refused
from events.rounds import actions as rounds_actions
from events.rounds import draft
from events.rounds.drawing import locked_in
from models.event import Event
from models.journal import JournalEntry
from models.play import Game
from tests.kit.formats import drop
from tests.kit.stage import Player, PlayerState, Round, Stage

SEVEN = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")


@pytest.fixture
def event(stage: Stage) -> Event:
    """Seven players, round 1 played, round 2 drawn: three pairs and a bye."""
    event = stage.event(rounds=4)
    strength = {player.id: -player.id for player in stage.enter(event, *SEVEN)}
    stage.play(event, 1, strength)
    stage.draw(event, 2, seed=5)
    return event


@pytest.fixture(autouse=True)
def everybody_is_seated_once(stage: Stage) -> Iterator[None]:
    """Check after every test that each player of round 2 is in exactly one game."""
    yield
    players = [id_ for g in stage.all(Game, round_id=2) for id_ in (g.a_id, g.b_id) if id_ is not None]
    assert len(players) == len(set(players))


def seated(stage: Stage, event: Event) -> list[tuple[int | None, int, int | None, str]]:
    """Every game of round 2: table, players, sheet code."""
    return [(g.table_number, g.a_id, g.b_id, g.code) for g in stage.games(event, 2)]


def the_round(stage: Stage) -> Round:
    return stage.one(Round, number=2)


def swap(stage: Stage, event: Event, one: int, other: int | None) -> list[str]:
    return [*stage.do(event, draft.swap, 2, one, other or 0).values()]


def lock(stage: Stage, event: Event, game: Game, *, locked: bool = True) -> None:
    stage.do(event, draft.lock, 2, game.a_id, game.b_id, locked=locked)


def test_swap_keeps_unchanged_games_with_their_sheets(stage: Stage) -> None:
    event = stage.event("Rust Cup")
    everybody = [p.id for p in stage.enter(event, *SEVEN[:5])]
    stage.draw(event, 1)
    for one in everybody:
        for other in everybody:
            where = {i: game for game in stage.games(event, 1) for i in (game.a_id, game.b_id)}
            if where[one].id == where[other].id:
                continue
            tables = where[one].table_number, where[other].table_number
            sheets = {game.code: frozenset((game.a_id, game.b_id)) for game in stage.games(event, 1)}
            stage.do(event, draft.swap, 1, one, other)
            now = {i: game.table_number for game in stage.games(event, 1) for i in (game.a_id, game.b_id) if i}
            assert (now[other], now[one]) == tables
            assert sorted(now) == everybody
            known = [game for game in stage.games(event, 1) if game.code in sheets]
            assert len(known) == 1, "the two changed games have new codes"
            assert all(sheets[game.code] == {game.a_id, game.b_id} for game in known)
    stage.do(event, rounds_actions.publish_round, 1)
    assert {game.table_number for game in stage.games(event, 1)} == {1, 2, None}


@pytest.mark.both_at_length
def test_undo_restores_one_change_at_a_time_with_its_sheet(stage: Stage, event: Event) -> None:
    first, second, third, bye = stage.games(event, 2)
    drawn = seated(stage, event)
    swap(stage, event, first.a_id, second.a_id)
    after_one = seated(stage, event)
    stage.do(event, draft.set_table, 2, third.a_id, 1)
    swap(stage, event, third.a_id, bye.a_id)
    assert draft.last_step(the_round(stage)).startswith("Swapped")
    stage.do(event, draft.undo, 2)
    undone = stage.do(event, draft.undo, 2)
    assert undone == f"Set {stage.name(third.a_id)} and {stage.name(third.b_id)} to table 1 in round 2"
    assert seated(stage, event) == after_one
    stage.do(event, draft.undo, 2)
    assert seated(stage, event) == drawn
    stored = the_round(stage)
    assert stored.outcome is not None
    assert stored.outcome["hand_changed"] is False
    assert draft.costs_now(stored) == draft.best_costs(stored)
    assert draft.last_step(stored) == ""
    with pytest.raises(Refused, match="no changes by hand to take back"):
        stage.do(event, draft.undo, 2)
    assert stage.journal(event, "undo-step")[0].startswith("Took back: Swapped")
    for _ in range(draft.MOST_STEPS + 1):
        swap(stage, event, first.a_id, second.a_id)
    assert len((the_round(stage).outcome or {})["steps"]) == draft.MOST_STEPS


def test_swap_with_the_bye_warns_only_if_the_bye_is_worse(stage: Stage, event: Event) -> None:
    before = {line.name: line for line in stage.standings(event, 1)}
    bye = stage.games(event, 2)[-1].a_id
    assert before[stage.name(bye)].points == 0
    for game in stage.games(event, 2)[:-1]:
        for other in (game.a_id, game.b_id):
            name = stage.name(other)
            line = before[name]
            warned = [one for one in swap(stage, event, bye, other) if one.startswith(f"{name}: ")]
            words = f"{name}: second bye" if line.byes else f"{name}: bye: on 3 points" if line.points else ""
            assert [one.startswith(words) for one in warned] == [True] * bool(words), (name, warned)
            stage.do(event, draft.undo, 2)


@pytest.mark.both_at_length
def test_moving_a_game_swaps_tables_and_updates_costs(stage: Stage, event: Event) -> None:
    first, _, third, bye = stage.games(event, 2)
    sat = next(g for g in stage.games(event, 1) if first.a_id in (g.a_id, g.b_id) and g.table_number != 1)
    warnings = stage.do(event, draft.set_table, 2, first.a_id, sat.table_number or 0)
    assert any("table again" in one for one in warnings.values())
    assert draft.costs_now(the_round(stage))["table_repeats"] >= 1
    now = {frozenset((g.a_id, g.b_id)): g.table_number for g in stage.games(event, 2)}
    assert now[frozenset((first.a_id, first.b_id))] == sat.table_number
    assert sorted(t for t in now.values() if t) == [1, 2, 3]
    stage.do(event, draft.set_table, 2, third.a_id, 9)
    assert 9 in {g.table_number for g in stage.games(event, 2)}
    for player, wanted, words in (
        (bye.a_id, 1, "Choose a game"), (10**6, 1, "Choose a game"), (third.a_id, 1001, "tables 1 to 1000"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=words):
            stage.do(event, draft.set_table, 2, player, wanted)


@pytest.mark.both_at_length
def test_locked_pairs_are_neither_swapped_nor_drawn_again(stage: Stage, event: Event) -> None:
    stage.enter(event, "Hal", "Ida")
    first, second, *_, bye = stage.draw(event, 2, seed=5)
    lock(stage, event, first)
    lock(stage, event, first)
    assert locked_in(the_round(stage)) == ((str(first.a_id), str(first.b_id)),)
    lock(stage, event, bye)
    for one, other, words in (
        (first.a_id, second.a_id, f"{stage.name(first.a_id)} and .* are locked: unlock first"),
        (second.a_id, first.b_id, f"{stage.name(first.a_id)} and .* are locked: unlock first"),
        (second.a_id, bye.a_id, f"{stage.name(bye.a_id)} is locked"),
    ):
        with pytest.raises(Refused, match=words):
            swap(stage, event, one, other)
    rest = set()
    for seed in range(6):
        games = stage.draw(event, 2, seed)
        assert {first.a_id, first.b_id} in [{g.a_id, g.b_id} for g in games]
        assert next(g.a_id for g in games if g.b_id is None) == bye.a_id
        rest.add(frozenset(frozenset((g.a_id, g.b_id)) for g in games))
    assert len(rest) > 1, "the others are drawn again"
    stored = the_round(stage)
    assert {frozenset(pair) for pair in locked_in(stored)} == {
        frozenset((str(first.a_id), str(first.b_id))), frozenset((str(bye.a_id), None)),
    }  # fmt: skip
    assert stored.inputs is not None
    assert len(stored.inputs["rules"]["locked"]) == 2
    free, now = draft.best_costs(stored), draft.costs_now(stored)
    assert list(free.values())[:6] <= list(now.values())[:6], "locks never make a round better than the best draw"
    line = stage.all(JournalEntry, verb="draw-round")[-1]
    assert line.text.endswith("4 games, 2 locked")
    assert line.details["before"]["locked"]
    assert line.details["outcome"]["free"] == free
    lock(stage, event, first, locked=False)
    swap(stage, event, first.a_id, next(g.a_id for g in games if g.b_id and first.a_id not in (g.a_id, g.b_id)))
    with pytest.raises(Refused, match="is no longer in the draft"):
        lock(stage, event, first)
    assert stage.journal(event, "lock")[:2] == [
        f"Locked {stage.name(first.a_id)} and {stage.name(first.b_id)} in round 2",
        f"Locked the bye of {stage.name(bye.a_id)} in round 2",
    ]


def test_undo_discard_or_drop_releases_locks(stage: Stage, event: Event) -> None:
    first, *_ = stage.games(event, 2)
    lock(stage, event, first)
    assert stage.do(event, draft.undo, 2).startswith("Locked")
    assert locked_in(the_round(stage)) == ()
    lock(stage, event, first)
    stage.do(event, rounds_actions.discard_draw, 2)
    first, *_, bye = stage.draw(event, 2)
    assert locked_in(the_round(stage)) == ()
    lock(stage, event, first)
    lock(stage, event, bye)
    with pytest.raises(Refused, match="discard that draw, drop the player, and draw again"):
        drop(stage, event, stage.name(first.a_id))
    gone = stage.one(Player, id=first.a_id)
    with stage.changing(event):
        gone.state = PlayerState.DROPPED
    stage.draw(event, 2)
    assert locked_in(the_round(stage)) == (), "one is gone, and the field is even"
