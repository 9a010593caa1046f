"""A round robin, played by the actions: its rounds, byes, late entries and drops."""

from collections import Counter

import pytest

from events.play.errors import Refused
from events.play.queries import players_of, round_views
from events.registration import actions as registration_actions
from events.rounds import knockout
from events.rounds.byes import ask_bye
from events.setup.pairing_actions import FormatSettings, set_format
from models.event import Event, EventFormat
from tests.kit.stage import BY, Round, Stage

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")


def league(stage: Stage, entered: int, legs: int = 1) -> Event:
    """An event where everybody meets everybody."""
    event = stage.event()
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(EventFormat.ROUND_ROBIN, legs), BY, stage.clock())
    stage.enter(event, *NAMES[:entered])
    return event


def played_pairs(stage: Stage, event: Event) -> Counter[frozenset[str]]:
    """How often each two met; against "" the rounds without a game."""
    met = Counter[frozenset[str]]()
    for number in range(1, stage.now(event).rounds + 1):
        met.update(frozenset(pair) for pair in stage.pairs(event, number))
    return met


@pytest.mark.both_databases
def test_everybody_meets_everybody_and_has_the_bye_once(stage: Stage) -> None:
    event = league(stage, 5)
    stage.play(event, 1)
    assert stage.now(event).rounds == 5
    for number in range(2, 6):
        stage.play(event, number)
    met = played_pairs(stage, event)
    assert len(met) == 15
    assert set(met.values()) == {1}
    rows = stage.standings(event)
    assert [row.name for row in rows] == list(NAMES[:5]), "the player entered first wins"
    assert [(row.played, row.byes) for row in rows] == [(4, 1)] * 5
    assert [row.points for row in rows] == [15, 12, 9, 6, 3]


@pytest.mark.slow
def test_two_legs(stage: Stage) -> None:
    event = league(stage, 4, legs=2)
    for number in range(1, 7):
        stage.play(event, number)
    assert set(played_pairs(stage, event).values()) == {2}
    sides = Counter(pair for number in range(1, 7) for pair in stage.pairs(event, number))
    assert len(sides) == 12, "once on either side"


def test_who_comes_late_takes_the_empty_place_and_the_next_one_none(stage: Stage) -> None:
    event = league(stage, 3)
    stage.play(event, 1)
    stage.enter(event, "Late", "Later")
    for number in (2, 3):
        stage.play(event, number)
    seen = {name for number in (2, 3) for pair in stage.pairs(event, number) for name in pair}
    assert seen == {"Ada", "Bo", "Cy", "Late"}
    assert len(stage.all(Round, event_id=event.id)) == 3


def test_who_leaves_gives_a_walk_over_each_round(stage: Stage) -> None:
    event = league(stage, 4)
    stage.play(event, 1)
    with stage.changing(event) as s:
        registration_actions.drop(s, event, next(p for p in players_of(s, event) if p.name == "Di"), BY, stage.clock())
    notes = []
    for number in (2, 3):
        games = stage.play(event, number)
        notes += [game.notes[0] for game in games if game.b_id is None]
    assert len(notes) == 2
    assert all("of the circle is not here" in note for note in notes)


def test_who_asks_for_a_bye_keeps_the_place_in_the_circle(stage: Stage) -> None:
    event = league(stage, 4)
    with stage.changing(event) as s:
        ask_bye(s, event, next(p for p in players_of(s, event) if p.name == "Ada"), 1, BY, stage.clock())
    for number in (1, 2, 3):
        stage.play(event, number)
    assert len(stage.all(Round, event_id=event.id)) == 3
    met = played_pairs(stage, event)
    assert sum(len(pair) == 2 and "" not in pair for pair in met) == 5, "all but the one game of round 1"
    first = [(stage.name(g.a_id), g.notes, g.asked) for g in stage.games(event, 1) if g.b_id is None]
    assert sorted((name == "Ada", asked) for name, _, asked in first) == [(False, False), (True, True)]


def test_more_rounds_than_an_event_has_are_refused_in_words(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(EventFormat.ROUND_ROBIN, 2), BY, stage.clock())
    stage.enter(event, *(f"P{n}" for n in range(12)))
    before = stage.digest()
    with pytest.raises(Refused, match="A round robin of 12 players takes 22 rounds, and an event has at most 20"):
        stage.draw(event, 1)
    assert stage.digest() == before


def test_a_round_robin_is_cut_to_a_final(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(EventFormat.ROUND_ROBIN, cut=2), BY, stage.clock())
    stage.enter(event, *NAMES[:4])
    for number in (1, 2, 3):
        stage.play(event, number)
    with stage.changing(event) as s:
        seen = knockout.cut_now(s, event, players_of(s, event), round_views(s, event)).mark
        knockout.make_cut(s, event, seen, 1, BY, stage.clock())
    (final,) = stage.publish(event, 4)
    assert final.notes == ["final: seed 1 against seed 2", "these two have met before the knockout"]
    stage.decide(event, final, 1, 4)
    assert [(row.name, row.points) for row in stage.standings(event)] == [("Bo", 6), ("Ada", 9), ("Cy", 3), ("Di", 0)]
    assert stage.now(event).rounds == 3
