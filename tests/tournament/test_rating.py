"""Ratings follow results, say how unsure they are, and keep a player outside a ranking to one event."""

from random import Random
from statistics import mean

import pytest

from events.tournament.rating import DRIFT, PROVISIONAL, SPREAD, START, RatedGame, Rating, Side, ratings_after

ADA, BO, CY = (("person", id_) for id_ in (1, 2, 3))


def won(a: Side, b: Side) -> RatedGame:
    return RatedGame(a, b, 2)


def test_winner_rises_as_far_as_the_loser_falls_and_both_are_surer() -> None:
    found = ratings_after([[won(ADA, BO)]])
    assert found[ADA].value - START == pytest.approx(START - found[BO].value) and found[ADA].value > START
    assert found[ADA].deviation == pytest.approx(found[BO].deviation) and found[ADA].deviation < SPREAD
    for rating in found.values():
        assert (rating.games, rating.line) == (1, ((0, rating.value, rating.deviation),))
    assert ratings_after([[RatedGame(BO, ADA, 0)]]) == found


def test_draw_moves_the_higher_rating_down_and_the_lower_one_up() -> None:
    before = ratings_after([[won(ADA, BO)] * 3])
    after = ratings_after([[won(ADA, BO)] * 3, [RatedGame(ADA, BO, 1)]])
    assert before[ADA].value > after[ADA].value > after[BO].value > before[BO].value
    assert [number for number, *_ in after[ADA].line] == [0, 1] and after[ADA].games == 4


def test_win_against_a_higher_rating_is_worth_more() -> None:
    found = ratings_after([[won(BO, CY)] * 4, [won(("person", 4), BO), won(("person", 5), CY)]])
    assert found["person", 4].value > found["person", 5].value


def test_rating_is_provisional_for_about_ten_games_against_known_players() -> None:
    dice, people = Random(1), [("person", id_) for id_ in range(40)]
    events = []
    for _ in range(20):
        dice.shuffle(people)
        events.append([RatedGame(a, b, dice.choice((0, 2))) for a, b in zip(people[::2], people[1::2], strict=True)])
    first = next(
        n for n in range(1, 20) if not any(rating.provisional for rating in ratings_after(events[:n]).values())
    )
    assert 8 <= first <= 12
    last = ratings_after(events)
    assert all(
        DRIFT < rating.deviation < PROVISIONAL and rating.low < rating.value < rating.high for rating in last.values()
    )
    assert mean(rating.value for rating in last.values()) == pytest.approx(START, abs=20)


def test_player_outside_the_ranking_begins_anew_in_each_event() -> None:
    strong = [[won(("player", 7), CY)] * 5]
    entry = ratings_after([*strong, [won(ADA, ("player", 8))]])
    assert entry[ADA] == Rating(
        entry[ADA].value, entry[ADA].deviation, 1, ((1, entry[ADA].value, entry[ADA].deviation),)
    )
    assert entry[ADA].value == pytest.approx(ratings_after([[won(ADA, BO)]])[ADA].value)
    assert ratings_after([*strong, [won(ADA, ("player", 7))]])[ADA].value > entry[ADA].value


def test_nobody_has_a_rating_without_games() -> None:
    assert ratings_after([]) == ratings_after([[], []]) == {}
    assert Rating().provisional and Rating().games == 0
