"""A round robin, played: simultaneous rounds, byes, late entries and drops."""

from collections import Counter
from collections.abc import Callable

import pytest

from events.play.errors import Refused
from events.rounds.byes import ask_bye
from events.setup import actions as setup_actions
from models.event import Event, EventFormat, Round
from models.play import GameState, Player, ReportSide
from tests.kit.formats import NAMES, cut, decide_all, drop, formed, league
from tests.kit.person import Person
from tests.kit.stage import Stage

OF_A_SIDE = {"a.objectives": 3, "b.objectives": 1}


@pytest.fixture
def robin(stage: Stage) -> Event:
    """Five players; rounds 1 and 2 are published, without results."""
    event = league(stage, 5)
    stage.publish(event, 1)
    stage.publish(event, 2)
    return event


@pytest.mark.both_at_length
def test_round_robin_is_played_in_any_order(stage: Stage, robin: Event) -> None:
    for number in (3, 4, 5):
        stage.publish(robin, number)
    for number in (5, 2, 4, 1):
        decide_all(stage, robin, stage.games(robin, number))
    assert stage.standings(robin, 5) == stage.standings(robin, 2), "round 3 is open: standings end before it"
    with pytest.raises(Refused, match="still open"):
        stage.do(robin, setup_actions.finish)
    decide_all(stage, robin, stage.games(robin, 3))
    assert [(row.name, row.points) for row in stage.standings(robin)] == list(
        zip(NAMES, (15, 12, 9, 6, 3), strict=False)
    )


def test_player_reports_any_open_game_oldest_first(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    people = enter(event, *NAMES[:4])
    ada = people[0]
    for number in (1, 2):
        stage.publish(event, number)
    first, second = (
        next(game for game in stage.games(event, number) if "Ada" in map(stage.name, (game.a_id, game.b_id)))
        for number in (1, 2)
    )
    page = ada.open("/e/iron-open/me")
    assert page.part("h1").startswith("Round 1")
    assert page.part("[data-poll-part=open-games] li").startswith("Round 2")
    ada.open(f"/e/iron-open/me/game?game={second.id}")
    ada.press("Send the result", a__objectives="3", b__objectives="1")
    assert (stage.now(first).state, stage.now(second).state) == (GameState.OPEN, GameState.REPORTED)
    found = olga.open("/e/iron-open/desk/search?q=Ada")
    assert "Round 1, table" in found.text
    stage.decide(event, first, 3, 1)
    page = ada.open("/e/iron-open/me")
    assert page.part("h1").startswith("Round 2"), "the game of round 1 is decided"
    olga.open("/e/iron-open/desk")
    assert "Round 3 need not wait for these results." in olga.page.part(".next-blockers")
    olga.press("Draw round 3", inside=".next-blockers")
    assert stage.games(event, 3)
    stage.report(event, second, ReportSide.A if stage.name(second.b_id) == "Ada" else ReportSide.B, OF_A_SIDE)
    assert ada.open("/e/iron-open/me").part("h1").startswith("Round 2"), "the newest published round"


def played_pairs(stage: Stage, event: Event) -> Counter[frozenset[str]]:
    """How often each pair met; "" stands for a round without a game."""
    met = Counter[frozenset[str]]()
    for number in range(1, stage.now(event).rounds + 1):
        met.update(frozenset(pair) for pair in stage.pairs(event, number))
    return met


def test_late_player_takes_the_only_empty_place_in_the_circle(stage: Stage) -> None:
    event = league(stage, 3)
    stage.play(event, 1)
    stage.enter(event, "Late", "Later")
    for number in (2, 3):
        stage.play(event, number)
    seen = {name for number in (2, 3) for pair in stage.pairs(event, number) for name in pair}
    assert seen == {"Ada", "Bo", "Cy", "Late"}
    assert len(stage.all(Round, event_id=event.id)) == 3


def test_dropped_players_opponents_get_walk_overs(stage: Stage) -> None:
    event = league(stage, 4)
    stage.play(event, 1)
    drop(stage, event, "Di")
    notes = [game.notes[0] for number in (2, 3) for game in stage.play(event, number) if game.b_id is None]
    assert len(notes) == 2
    assert all("of the circle is not here" in note for note in notes)


def test_player_with_a_requested_bye_keeps_the_place_in_the_circle(stage: Stage) -> None:
    event = league(stage, 4)
    stage.do(event, ask_bye, stage.one(Player, name="Ada"), 1)
    for number in (1, 2, 3):
        stage.play(event, number)
    assert len(stage.all(Round, event_id=event.id)) == 3
    met = played_pairs(stage, event)
    assert sum("" not in pair for pair in met) == 5, "all but the one game of round 1"
    without_game = [(stage.name(g.a_id), g.asked) for g in stage.games(event, 1) if g.b_id is None]
    assert sorted((name == "Ada", asked) for name, asked in without_game) == [(False, False), (True, True)]


def test_round_robin_of_two_legs_is_drawn_in_order_and_too_many_rounds_are_rejected(stage: Stage) -> None:
    twice = formed(stage, *NAMES[:4], of=stage.event("Rust Cup"), format=EventFormat.ROUND_ROBIN, legs=2)
    stage.publish(twice, 1)
    assert len(stage.all(Round, event_id=twice.id)) == 6
    with pytest.raises(Refused, match="Round 2 is not drawn yet"):
        stage.draw(twice, 3)
    event = formed(stage, *(f"P{n}" for n in range(12)), format=EventFormat.ROUND_ROBIN, legs=2)
    before = stage.digest()
    with pytest.raises(Refused, match="A round robin of 12 players takes 22 rounds, and an event has at most 20"):
        stage.draw(event, 1)
    assert stage.digest() == before


def test_round_robin_can_be_cut_to_a_final(stage: Stage) -> None:
    event = formed(stage, *NAMES[:4], format=EventFormat.ROUND_ROBIN, cut=2)
    for number in (1, 2, 3):
        stage.play(event, number)
    cut(stage, event)
    (final,) = stage.publish(event, 4)
    assert final.notes == ["final: seed 1 against seed 2", "these two have met before the knockout"]
    stage.decide(event, final, 1, 4)
    assert [(row.name, row.points) for row in stage.standings(event)] == [("Bo", 6), ("Ada", 9), ("Cy", 3), ("Di", 0)]
    assert stage.now(event).rounds == 3
