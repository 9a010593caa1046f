"""The previewed effects of a correction, compared with its real effects once it is stored."""

import random

import pytest

from events.play.queries import players_of
from events.play.rounds import round_views
from events.results.corrections import correction
from events.rounds.drawing import is_stale, request_of
from events.rounds.formats import cut_order, seeds_outdated
from events.standings.awards import add_usual, changed_winners, decided
from events.standings.ranking import Row
from models.event import Event, Round
from models.journal import JournalEntry
from tests.kit.formats import cut, cut_event, decide_all
from tests.kit.stage import Stage

SEVEN = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")


def figures(rows: list[Row]) -> dict[str, tuple[int, int, int]]:
    return {row.id: (row.rank, row.points, row.vp) for row in rows}


def markers(a: int, b: int) -> dict[str, int]:
    return {"a.objectives": a, "b.objectives": b}


def changed(before: list[Row], after: list[Row]) -> dict[str, tuple[int, int, int]]:
    """The new figures of the players whose figures changed."""
    return {id_: now for id_, now in figures(after).items() if figures(before)[id_] != now}


@pytest.mark.slow
@pytest.mark.both_at_length
def test_correction_has_the_previewed_effects(stage: Stage) -> None:
    for seed in range(2):
        event = stage.event(f"Open {seed}", rounds=3)
        strength = {player.id: -player.id for player in stage.enter(event, *SEVEN)}
        for number in (1, 2):
            stage.play(event, number, strength, seed=seed * 10 + number)
        dice = random.Random(seed)
        game = dice.choice([g for g in stage.games(event, dice.choice((1, 2))) if g.b_id is not None])
        stage.draw(event, 3, seed)
        answers = markers(*dice.choice([(0, 5), (4, 4), (5, 1), (2, 0)]))

        digest = stage.digest()
        foretold = correction(stage.s, event, game, answers)
        assert stage.digest() == digest, "a preview stores nothing"
        numbers = [one.number for one in stage.all(Round, event_id=event.id)]
        before, seats = stage.standings(event), {number: seats_now(stage, event, number) for number in numbers}
        stage.decide(event, game, answers["a.objectives"], answers["b.objectives"])
        after = stage.standings(event)

        found = {one.after.id: (one.after.rank, one.after.points, one.after.vp) for one in foretold.lines}
        assert found == changed(before, after), seed
        for one in foretold.lines:
            assert (one.before.rank, one.before.points, one.before.vp) == figures(before)[one.before.id]
        assert foretold.byes == 2
        assert any(row.byes for row in after)
        for state, effect in foretold.rounds:
            assert effect.moved == (seats_now(stage, event, effect.number) != seats[effect.number])
            if state == "drawn":
                stale = is_stale(event, players_of(stage.s, event), round_views(stage.s, event), effect.number)
                assert effect.moved == stale
        (the_round,) = stage.all(Round, id=game.round_id)
        assert [effect.number for _, effect in foretold.rounds] == list(range(the_round.number + 1, 4))


def seats_now(stage: Stage, event: Event, number: int) -> object:
    """The seats for drawing a round now."""
    stage.s.rollback()
    return request_of(event, players_of(stage.s, event), round_views(stage.s, event), number, 0).seats


@pytest.mark.both_at_length
def test_unfinished_round_does_not_count_and_the_journal_keeps_both_results(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, other = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    foretold = correction(stage.s, event, game, markers(1, 3))
    assert (foretold.counts, foretold.after, len(foretold.lines)) == (False, 1, 2)
    stage.decide(event, other, 3, 1)
    assert correction(stage.s, event, game, markers(1, 3)).counts
    stage.draw(event, 2)
    stage.decide(event, game, 1, 3)
    entry = stage.all(JournalEntry, verb="report")[-1]
    assert entry.text.endswith(": the result is corrected from 3 : 1 to 1 : 3")
    assert (entry.details["answers_before"], entry.details["answers"]) == (markers(3, 1), markers(1, 3))
    changes = entry.details["changes"]
    assert {game.a_id, game.b_id} <= {one["player"] for one in changes["standings"]}
    assert [(one["number"], one["state"], one["moved"]) for one in changes["rounds"]] == [(2, "drawn", True)]


@pytest.mark.slow
def test_preview_says_that_a_drawn_cut_becomes_outdated(stage: Stage) -> None:
    event = cut_event(stage, 2)
    cut(stage, event)
    order = (stage.one(Round, event_id=event.id, number=2).inputs or {})["format"]["order"]
    kinds = set()
    for game in stage.games(event, 1):
        answers = dict(stage.now(game).answers or {})
        for wanted in (markers(0, 5), markers(5, 0), markers(3, 1)):
            stage.s.rollback()
            foretold = correction(stage.s, event, game, wanted).cut
            stage.decide(event, game, *wanted.values())
            stage.s.rollback()
            entered, views = players_of(stage.s, event), round_views(stage.s, event)
            now = [row.id for row in cut_order(stage.s, event, entered, 2)]
            assert (foretold != "") == seeds_outdated(stage.s, event, entered, views)
            for row_id in set(now) ^ set(order):
                assert stage.name(int(row_id)) in foretold
            kinds.add(foretold.split(":")[0].split(" ")[0])
            stage.decide(event, game, *answers.values())
    assert len(kinds) > 1


@pytest.mark.slow
def test_knockout_correction_previews_places_and_awards(stage: Stage) -> None:
    event = cut_event(stage, 4)
    cut(stage, event)
    stage.do(event, add_usual)
    for number, corrected in ((2, (2,)), (3, (3, 1))):  # the semi-finals; the final, and a game before the cut
        decide_all(stage, event, stage.publish(event, number))
        for round_number in corrected:
            hands = awards_foretold(stage, event, round_number)
            assert any(one.startswith("Champion: ") for one in hands) == (round_number > 1), round_number


def awards_foretold(stage: Stage, event: Event, number: int) -> set[str]:
    """The awards that change hands when games of a round are corrected. Each correction is checked and undone."""
    found = set()
    for game in stage.games(event, number):
        was = stage.now(game).answers or {}
        wanted = markers(was["b.objectives"], was["a.objectives"])
        before, winners = stage.standings(event), decided(stage.s, event)
        foretold = correction(stage.s, event, game, wanted)
        stage.decide(event, game, *wanted.values())
        lines = {one.after.id: (one.after.rank, one.after.points, one.after.vp) for one in foretold.lines}
        assert lines == changed(before, stage.standings(event))
        assert foretold.awards == changed_winners(winners, decided(stage.s, event))
        found |= set(foretold.awards)
        stage.decide(event, game, *was.values())
    return found
