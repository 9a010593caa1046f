"""A round robin, played by the actions: its rounds, byes, late entries and drops."""

from collections import Counter

import pytest

from events.play.errors import Refused
from events.rounds.byes import ask_bye
from models.event import Event, EventFormat
from tests.kit.formats import NAMES, cut, drop, formed, league
from tests.kit.stage import Player, Round, Stage


def played_pairs(stage: Stage, event: Event) -> Counter[frozenset[str]]:
    """How often each two met; with "" for rounds without a game."""
    met = Counter[frozenset[str]]()
    for number in range(1, stage.now(event).rounds + 1):
        met.update(frozenset(pair) for pair in stage.pairs(event, number))
    return met


def test_a_late_player_takes_the_empty_place_and_the_next_has_none(stage: Stage) -> None:
    event = league(stage, 3)
    stage.play(event, 1)
    stage.enter(event, "Late", "Later")
    for number in (2, 3):
        stage.play(event, number)
    seen = {name for number in (2, 3) for pair in stage.pairs(event, number) for name in pair}
    assert seen == {"Ada", "Bo", "Cy", "Late"}
    assert len(stage.all(Round, event_id=event.id)) == 3


def test_a_player_who_leaves_gives_walk_overs(stage: Stage) -> None:
    event = league(stage, 4)
    stage.play(event, 1)
    drop(stage, event, "Di")
    notes = [game.notes[0] for number in (2, 3) for game in stage.play(event, number) if game.b_id is None]
    assert len(notes) == 2
    assert all("of the circle is not here" in note for note in notes)


def test_a_player_with_a_bye_on_request_keeps_the_place_in_the_circle(stage: Stage) -> None:
    event = league(stage, 4)
    stage.do(event, ask_bye, stage.one(Player, name="Ada"), 1)
    for number in (1, 2, 3):
        stage.play(event, number)
    assert len(stage.all(Round, event_id=event.id)) == 3
    met = played_pairs(stage, event)
    assert sum("" not in pair for pair in met) == 5, "all but the one game of round 1"
    without_game = [(stage.name(g.a_id), g.asked) for g in stage.games(event, 1) if g.b_id is None]
    assert sorted((name == "Ada", asked) for name, asked in without_game) == [(False, False), (True, True)]


def test_a_round_robin_of_more_rounds_than_an_event_has_is_refused(stage: Stage) -> None:
    event = formed(stage, *(f"P{n}" for n in range(12)), format=EventFormat.ROUND_ROBIN, legs=2)
    before = stage.digest()
    with pytest.raises(Refused, match="A round robin of 12 players takes 22 rounds, and an event has at most 20"):
        stage.draw(event, 1)
    assert stage.digest() == before


def test_a_round_robin_is_cut_to_a_final(stage: Stage) -> None:
    event = formed(stage, *NAMES[:4], format=EventFormat.ROUND_ROBIN, cut=2)
    for number in (1, 2, 3):
        stage.play(event, number)
    cut(stage, event)
    (final,) = stage.publish(event, 4)
    assert final.notes == ["final: seed 1 against seed 2", "these two have met before the knockout"]
    stage.decide(event, final, 1, 4)
    assert [(row.name, row.points) for row in stage.standings(event)] == [("Bo", 6), ("Ada", 9), ("Cy", 3), ("Di", 0)]
    assert stage.now(event).rounds == 3
