"""Rounds of whole events: no rematch, byes once, scenarios once, late entries, drops, hand-made swaps."""

from collections import Counter
from itertools import chain

import pytest

from events.pairing.request import drawn_round, from_document
from events.play.errors import Refused
from events.registration import actions as registration_actions
from events.rounds import actions as rounds_actions
from events.rounds import draft
from models.event import Event, EventState
from tests.kit.stage import BY, Game, GameState, Player, PlayerState, Round, RoundState, Stage

EIGHT = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")


def met(stage: Stage, event: Event, number: int) -> list[frozenset[int]]:
    """The pairs of a round, without order and bye."""
    return [frozenset((game.a_id, game.b_id)) for game in stage.games(event, number) if game.b_id is not None]


def bye(stage: Stage, event: Event, number: int) -> list[int]:
    """Whoever has the bye of a round."""
    return [game.a_id for game in stage.games(event, number) if game.b_id is None]


def drop(stage: Stage, event: Event, player: Player) -> None:
    """Drop a player as the desk does."""
    with stage.changing(event) as s:
        registration_actions.drop(s, event, player, BY, stage.clock())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_eight_players_meet_nobody_twice_in_three_rounds(stage: Stage, seed: int) -> None:
    event = stage.event()
    strength = {player.id: -player.id for player in stage.enter(event, *EIGHT)}
    for number in (1, 2, 3):
        stage.play(event, number, strength, seed=seed * 10 + number)
        assert Counter(game.table_number for game in stage.games(event, number)) == Counter(range(1, 5))
        assert len(set(chain.from_iterable(met(stage, event, number)))) == 8, "everybody plays"
    every = [pair for number in (1, 2, 3) for pair in met(stage, event, number)]
    assert max(Counter(every).values()) == 1
    third = met(stage, event, 3)
    after_two = {int(row.id): row.points for row in stage.standings(event, 2)}
    assert sum(abs(after_two[a] - after_two[b]) for a, b in third) <= 6, "equals meet equals"


@pytest.mark.slow
def test_an_odd_field_gives_no_second_bye_and_a_bye_counts_as_a_win(stage: Stage) -> None:
    event = stage.event(rounds=5)
    stage.enter(event, *EIGHT[:7])
    for number in range(1, 6):
        stage.play(event, number, seed=number)
        assert len(met(stage, event, number)) == 3
    byes = [one for number in range(1, 6) for one in bye(stage, event, number)]
    assert len(byes) == len(set(byes)) == 5
    assert all(game.state == GameState.CONFIRMED for game in stage.all(Game, b_id=None))
    for row in stage.standings(event):
        assert row.byes == (int(row.id) in byes)
        assert row.points == 3 * row.wins + row.draws + 3 * row.byes
    rematches = Counter(pair for number in range(1, 6) for pair in met(stage, event, number))
    assert max(rematches.values()) == 1


@pytest.mark.slow
def test_scenarios_are_drawn_without_repeats_around_those_that_were_chosen(stage: Stage) -> None:
    event = stage.event(rounds=5, scenarios=("", "raiders", "", "", ""))
    stage.enter(event, *EIGHT)
    for number in range(1, 6):
        stage.play(event, number)
    played = [r.scenario for r in stage.all(Round)]
    assert played[1] == "raiders"
    assert len(set(played)) == 5


def test_the_stored_request_draws_the_same_round_again(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, *EIGHT[:7])
    for number in (1, 2):
        stage.play(event, number, seed=2**47 + number)
        (the_round,) = stage.all(Round, number=number)
        assert the_round.inputs is not None
        assert the_round.outcome is not None
        assert the_round.seed is not None
        request = from_document(the_round.inputs)
        assert request.seed == the_round.seed == 2**47 + number
        assert [int(seat.id) for seat in request.seats] == [p.id for p in stage.all(Player)]
        again = drawn_round(request)
        assert [[p.a, p.b] for p in again.pairs] == the_round.outcome["pairs"]
        assert [p.table for p in again.pairs] == the_round.outcome["tables"]
        assert again.bye == the_round.outcome["bye"]


def test_club_mates_are_kept_apart_in_round_1(stage: Stage) -> None:
    event = stage.event()
    reds = [p.id for p in stage.enter(event, "R1", "R2", "R3", club="Reds")]
    stage.enter(event, "B1", "B2", "B3", club="Blues")
    for seed in range(10):
        stage.draw(event, 1, seed)
        assert all(len(pair & set(reds)) == 1 for pair in met(stage, event, 1))


# ---- who is drawn


def test_only_those_checked_in_are_drawn(stage: Stage) -> None:
    event = stage.event(places=4)
    stage.enter(event, "Ada", "Bo")
    stage.enter(event, "Absent", here=False)
    (gone,) = stage.enter(event, "Gone")
    drop(stage, event, gone)
    stage.enter(event, "Fourth", here=False)
    stage.enter(event, "Waits")
    assert sorted(stage.draw(event, 1)[0].notes) == []
    assert [sorted(pair) for pair in stage.pairs(event, 1)] == [["Ada", "Bo"]]


@pytest.mark.parametrize("names", [(), ("Ada",)])
def test_one_player_alone_is_no_round(stage: Stage, names: tuple[str, ...]) -> None:
    event = stage.event()
    stage.enter(event, *names)
    before = stage.digest()
    with pytest.raises(Refused, match="At least two players must be checked in"):
        stage.draw(event, 1)
    assert stage.digest() == before


def test_every_game_needs_a_table(stage: Stage) -> None:
    event = stage.event(tables=2)
    stage.enter(event, *EIGHT[:6])
    before = stage.digest()
    with pytest.raises(Refused, match="3 games need a table each, and the event has 2"):
        stage.draw(event, 1)
    assert stage.digest() == before
    drop(stage, event, stage.all(Player)[0])
    stage.draw(event, 1)
    assert len(stage.games(event, 1)) == 3, "two games and a bye"


def test_tables_change_from_round_to_round_where_there_are_enough(stage: Stage) -> None:
    event = stage.event(tables=8)
    stage.enter(event, *EIGHT)
    used: dict[int, list[int]] = {player.id: [] for player in stage.all(Player)}
    for number in (1, 2, 3):
        for game in stage.play(event, number):
            assert game.table_number is not None
            for one in (game.a_id, game.b_id or 0):
                used[one].append(game.table_number)
    assert all(len(set(tables)) == 3 for tables in used.values())


def test_a_round_waits_until_the_one_before_is_complete(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, *EIGHT[:4])
    first = stage.publish(event, 1)
    stage.decide(event, first[0], 3, 1)
    with pytest.raises(Refused, match="Round 1 is not complete yet: 1 game has no result"):
        stage.draw(event, 2)
    with pytest.raises(Refused, match="Round 1 is not complete yet"):
        stage.draw(event, 3)
    stage.decide(event, first[1], 3, 1)
    stage.draw(event, 2)
    with pytest.raises(Refused, match="Round 1 is published already"):
        stage.draw(event, 1)
    with pytest.raises(Refused, match="3 rounds; more can be planned in the settings"):
        stage.play(event, 2)
        stage.play(event, 3)
        stage.draw(event, 4)


# ---- between the rounds


def test_a_late_entry_plays_from_the_next_round_on(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, *EIGHT[:4])
    stage.play(event, 1)
    (late,) = stage.enter(event, "Late", "Later")[:1]
    assert late.entered_round == 2
    assert late.id not in {int(row.id) for row in stage.standings(event, 1)}
    stage.play(event, 2)
    assert late.id in set(chain.from_iterable(met(stage, event, 2)))
    assert late.id in {int(row.id) for row in stage.standings(event, 2)}


@pytest.mark.parametrize("how", ["draw again", "discard first"])
def test_one_who_comes_while_the_draw_lies_on_the_desk_is_in_the_next_draw_of_it(stage: Stage, how: str) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy")
    stage.draw(event, 1)
    (late,) = stage.enter(event, "Late")
    if how == "discard first":
        with stage.changing(event) as s:
            rounds_actions.discard_draw(s, event, 1, BY, stage.clock())
    stage.play(event, 1)
    assert late.id in set(chain.from_iterable(met(stage, event, 1)))
    assert len(stage.standings(event)) == 4


def test_a_drop_between_rounds_keeps_its_results_and_is_drawn_no_more(stage: Stage) -> None:
    event = stage.event()
    ada, *_ = stage.enter(event, *EIGHT[:6])
    stage.play(event, 1)
    drop(stage, event, ada)
    assert stage.now(ada).dropped_after == 1
    stage.play(event, 2)
    assert ada.id not in set(chain.from_iterable(met(stage, event, 2)))
    (row,) = (row for row in stage.standings(event) if int(row.id) == ada.id)
    assert (row.dropped, row.points, row.played) == (True, 3, 1)
    with stage.changing(event) as s:
        registration_actions.reinstate(s, event, ada, BY, stage.clock())
    stage.play(event, 3)
    assert ada.id in {one for game in stage.games(event, 3) for one in (game.a_id, game.b_id)}


def test_a_player_who_drops_in_the_middle_of_a_round_still_has_the_result(stage: Stage) -> None:
    event = stage.event()
    ada, *_ = stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    drop(stage, event, ada)
    stage.decide(event, game, 5, 0)
    (winner,) = (row for row in stage.standings(event) if row.wins)
    assert int(winner.id) == game.a_id


def test_a_drop_before_the_event_is_in_no_standings(stage: Stage) -> None:
    event = stage.event()
    ada, *_ = stage.enter(event, "Ada", "Bo", "Cy")
    drop(stage, event, ada)
    stage.play(event, 1)
    assert {row.name for row in stage.standings(event)} == {"Bo", "Cy"}


def test_nobody_can_be_dropped_out_of_a_draw_that_lies_on_the_desk(stage: Stage) -> None:
    event = stage.event()
    ada, *_ = stage.enter(event, "Ada", "Bo", "Cy")
    stage.draw(event, 1)
    with pytest.raises(Refused, match="discard that draw, drop the player, and draw again"):
        drop(stage, event, ada)
    assert stage.now(ada).state == PlayerState.CHECKED_IN


# ---- by hand


def swapped(stage: Stage, event: Event, one: int, other: int) -> list[str]:
    """Swap two players of round 1 as the desk does."""
    with stage.changing(event) as s:
        return draft.swap(s, event, 1, one, other, BY, stage.clock())


def test_every_swap_keeps_tables_and_everybody_once_and_no_sheet_of_another_game(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, *EIGHT[:5])
    stage.draw(event, 1)
    everybody = [p.id for p in stage.all(Player)]
    for one in everybody:
        for other in everybody:
            where = {i: game for game in stage.games(event, 1) for i in (game.a_id, game.b_id)}
            if where[one].id == where[other].id:
                continue
            tables = where[one].table_number, where[other].table_number
            sheets = {game.code: frozenset((game.a_id, game.b_id)) for game in stage.games(event, 1)}
            swapped(stage, event, one, other)
            now = {i: game.table_number for game in stage.games(event, 1) for i in (game.a_id, game.b_id) if i}
            assert (now[other], now[one]) == tables
            assert sorted(now) == sorted(everybody)
            known = [game for game in stage.games(event, 1) if game.code in sheets]
            assert len(known) == 1, "the two changed games have new codes"
            assert all(sheets[game.code] == {game.a_id, game.b_id} for game in known)
    with stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock())
    assert {game.table_number for game in stage.all(Game)} == {1, 2, None}


def test_a_swap_that_makes_a_rematch_says_so_and_the_round_tells_both_counts(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    stage.draw(event, 2)
    first = met(stage, event, 1)[0]
    keep, want = sorted(first)
    (partner,) = next(pair for pair in met(stage, event, 2) if keep in pair) - {keep}
    with stage.changing(event) as s:
        warnings = draft.swap(s, event, 2, partner, want, BY, stage.clock())
    assert any("met" in warning or "rematch" in warning for warning in warnings), warnings
    (the_round,) = stage.all(Round, number=2)
    assert the_round.outcome is not None
    assert the_round.outcome["hand_changed"] is True
    assert the_round.outcome["levels"]["rematches"] == 0
    assert the_round.outcome["hand_levels"]["rematches"] == 2
    assert stage.journal(event, "swap") == [f"Swapped {stage.name(partner)} and {stage.name(want)} in round 2"]


def test_a_swap_needs_two_players_of_two_games(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, *EIGHT[:4])
    (absent,) = stage.enter(event, "Absent", here=False)
    (game, _) = stage.draw(event, 1)
    assert game.b_id is not None
    before = stage.digest()
    for one, other, words in (
        (game.a_id, game.a_id, "two different players"),
        (game.a_id, game.b_id, "play each other"),
        (game.a_id, absent.id, "two different players of this round"),
        (game.a_id, 2**31 - 1, "two different players of this round"),
    ):
        with pytest.raises(Refused, match=words):
            swapped(stage, event, one, other)
    assert stage.digest() == before


def test_a_published_round_is_swapped_redrawn_and_discarded_no_more(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, *EIGHT[:4])
    one, other = stage.publish(event, 1)
    before = stage.digest()
    with pytest.raises(Refused, match="not a draw that waits"):
        swapped(stage, event, one.a_id, other.a_id)
    with pytest.raises(Refused, match="published already"):
        stage.draw(event, 1)
    with pytest.raises(Refused, match="not a draw that waits"), stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 1, BY, stage.clock())
    with pytest.raises(Refused, match="not a draw that waits"), stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock())
    assert stage.digest() == before


def test_a_discarded_draw_leaves_nothing_and_gives_its_scenario_back(stage: Stage) -> None:
    event = stage.event(scenarios=("", "raiders", "scrapyard"))
    stage.enter(event, *EIGHT[:4])
    stage.draw(event, 1)
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 1, BY, stage.clock())
    assert stage.all(Game) == []
    (the_round,) = stage.all(Round, number=1)
    assert (the_round.state, the_round.scenario, the_round.scenario_drawn) == (RoundState.PLANNED, None, False)
    assert (the_round.seed, the_round.inputs, the_round.outcome) == (None, None, None)
    assert stage.now(event).state == EventState.REGISTRATION
    assert stage.one(Event).lists_locked_at is None


def test_drawing_again_replaces_the_draw_and_keeps_a_chosen_scenario(stage: Stage) -> None:
    event = stage.event(scenarios=("raiders", "", ""))
    stage.enter(event, *EIGHT)
    draws = {
        tuple(sorted(map(tuple, map(sorted, met(stage, event, 1))))) for seed in range(6) if stage.draw(event, 1, seed)
    }
    assert len(draws) > 1, "another seed is another draw"
    assert len(stage.all(Game)) == 4
    assert stage.all(Round)[0].scenario == "raiders"


def test_one_who_left_after_the_draw_holds_the_publication_up(stage: Stage) -> None:
    event = stage.event()
    ada, *_ = stage.enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    with stage.changing(event):
        ada.state = PlayerState.DROPPED
    with pytest.raises(Refused, match="Ada left after the draw"), stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock())
