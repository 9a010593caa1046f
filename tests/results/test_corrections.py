"""What a correction is said to change, held against what it does change once it is stored."""

import random

import pytest

from events.play.queries import players_of, round_views
from events.results.actions import report
from events.results.corrections import correction
from events.rounds.drawing import is_stale, request_of
from events.rounds.formats import cut_order, seeds_outdated
from events.standings.awards import add_usual, changed_hands, decided
from events.standings.ranking import Row
from models.event import Event, Round
from models.journal import JournalEntry
from models.play import Game, ReportSide
from tests.kit.formats import cut, cut_event, decide_all
from tests.kit.profiles import at_length
from tests.kit.stage import BY, Stage

SEVEN = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")


def figures(rows: list[Row]) -> dict[str, tuple[int, int, int]]:
    """Rank, points and VP of everybody."""
    return {row.id: (row.rank, row.points, row.vp) for row in rows}


def others(a: int, b: int) -> dict[str, int]:
    """The answers of so many markers for each side."""
    return {"a.objectives": a, "b.objectives": b}


@pytest.mark.slow
@pytest.mark.both_databases
@pytest.mark.parametrize("seed", at_length(range(4), range(2)))
def test_what_is_foretold_is_what_happens(stage: Stage, seed: int) -> None:
    event = stage.event(rounds=4)
    strength = {player.id: -player.id for player in stage.enter(event, *SEVEN)}
    for number in (1, 2):
        stage.play(event, number, strength, seed=seed * 10 + number)
    dice = random.Random(seed)
    game = dice.choice([g for g in stage.games(event, dice.choice((1, 2))) if g.b_id is not None])
    stage.draw(event, 3, seed)
    answers = others(*dice.choice([(0, 5), (4, 4), (5, 1), (2, 0)]))

    digest = stage.digest()
    foretold = correction(stage.s, event, game, answers)
    assert stage.digest() == digest, "looking stores nothing"
    before, seats = stage.standings(event), {r.number: now_drawn(stage, event, r.number) for r in stage.all(Round)}
    stage.decide(event, game, answers["a.objectives"], answers["b.objectives"])
    after = stage.standings(event)

    changed = {id_: two for id_, two in figures(after).items() if figures(before)[id_] != two}
    assert {one.after.id: (one.after.rank, one.after.points, one.after.vp) for one in foretold.lines} == changed
    for one in foretold.lines:
        assert (one.before.rank, one.before.points, one.before.vp) == figures(before)[one.before.id]
    byes = {row.id: row.vp for row in after if row.byes}
    assert foretold.byes == 2
    assert byes
    for state, effect in foretold.rounds:
        assert effect.moved == (now_drawn(stage, event, effect.number) != seats[effect.number])
        if state == "drawn":
            stale = is_stale(event, players_of(stage.s, event), round_views(stage.s, event), effect.number)
            assert effect.moved == stale
    (the_round,) = stage.all(Round, id=game.round_id)
    assert [effect.number for _, effect in foretold.rounds] == list(range(the_round.number + 1, 4))


def now_drawn(stage: Stage, event: Event, number: int) -> object:
    """The seats that a round would be drawn from by now."""
    stage.s.rollback()
    return request_of(event, players_of(stage.s, event), round_views(stage.s, event), number, 0).seats


def test_the_worth_of_byes_moves_with_the_winners_mean(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy")
    game, _bye = stage.play(event, 1)
    foretold = correction(stage.s, event, game, others(5, 0))
    assert (foretold.bye_was, foretold.bye_now, foretold.byes) == (3, 5, 1)
    stage.decide(event, game, 5, 0)
    assert {row.vp for row in stage.standings(event) if row.byes} == {5}


def test_a_round_that_still_runs_is_not_counted_yet(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, other = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    foretold = correction(stage.s, event, game, others(1, 3))
    assert (foretold.counts, foretold.after, len(foretold.lines)) == (False, 1, 2)
    stage.decide(event, other, 3, 1)
    assert correction(stage.s, event, game, others(1, 3)).counts


@pytest.mark.both_databases
def test_the_journal_keeps_both_results_and_what_changed(stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, _ = stage.play(event, 1, {p: -p for p in range(99)})
    stage.draw(event, 2)
    was = dict(stage.now(game).answers or {})
    new = {key: was[other] for key, other in (("a.objectives", "b.objectives"), ("b.objectives", "a.objectives"))}
    stage.decide(event, game, new["a.objectives"], new["b.objectives"])
    line = stage.all(JournalEntry, verb="report")[-1]
    three, one = max(was.values()), min(was.values())
    assert line.text.split(": the result is ")[1] in (
        f"corrected from {three} : {one} to {one} : {three}",
        f"corrected from {one} : {three} to {three} : {one}",
    )
    assert line.details["answers_before"] == was
    assert line.details["answers"] == new
    changes = line.details["changes"]
    assert {game.a_id, game.b_id} <= {one["player"] for one in changes["standings"]}
    assert [(one["number"], one["state"], one["moved"]) for one in changes["rounds"]] == [(2, "drawn", True)]


def test_saying_the_same_again_is_no_correction(stage: Stage, event_of_two: tuple[Event, Game]) -> None:
    event, game = event_of_two
    with stage.changing(event) as s:
        report(
            s, event, game, ReportSide.ORGANISER, dict(game.answers or {}),
            version=game.version, sure=True, by=BY, now=stage.clock(),
        )  # fmt: skip
    assert not any("corrected" in text for text in stage.journal(event, "report"))


@pytest.fixture
def event_of_two(stage: Stage) -> tuple[Event, Game]:
    """An event whose first game both players reported alike."""
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    for side in (ReportSide.A, ReportSide.B):
        with stage.changing(event) as s:
            report(s, event, game, side, others(3, 1), version=game.version, sure=True, by=BY, now=stage.clock())
    return event, game


@pytest.mark.slow
def test_a_cut_that_is_drawn_is_said_to_be_out_of_date_when_it_is(stage: Stage) -> None:
    event = cut_event(stage, 2)
    cut(stage, event)
    order = (stage.one(Round, event_id=event.id, number=2).inputs or {})["format"]["order"]
    told = set()
    for game in stage.games(event, 1):
        answers = dict(stage.now(game).answers or {})
        for wanted in (others(0, 5), others(5, 0), others(3, 1)):
            stage.s.rollback()
            foretold = correction(stage.s, event, game, wanted).cut
            stage.decide(event, game, *wanted.values())
            stage.s.rollback()
            entered, views = players_of(stage.s, event), round_views(stage.s, event)
            now = [row.id for row in cut_order(stage.s, event, entered, 2)]
            assert (foretold != "") == seeds_outdated(stage.s, event, entered, views)
            for row_id in set(now) ^ set(order):
                assert stage.name(int(row_id)) in foretold
            told.add(foretold.split(":")[0].split(" ")[0])
            stage.decide(event, game, *answers.values())
    assert len(told) > 1


@pytest.mark.slow
@pytest.mark.parametrize(("until", "corrected"), [(2, 2), (3, 3), (3, 1)])
def test_a_knockout_corrected_tells_whose_places_and_awards_move(stage: Stage, until: int, corrected: int) -> None:
    """Of a semi-final, of the final, and of a game before the cut when the final is played."""
    event = cut_event(stage, 4)
    cut(stage, event)
    for number in range(2, until + 1):
        decide_all(stage, event, stage.publish(event, number))
    with stage.changing(event) as s:
        add_usual(s, event, BY, stage.clock())
    told = set()
    for game in stage.games(event, corrected):
        was = stage.now(game).answers or {}
        wanted = others(was["b.objectives"], was["a.objectives"])
        before, winners = stage.standings(event), decided(stage.s, event)
        foretold = correction(stage.s, event, game, wanted)
        stage.decide(event, game, *wanted.values())
        after = stage.standings(event)
        changed = {id_: two for id_, two in figures(after).items() if figures(before)[id_] != two}
        assert {one.after.id: (one.after.rank, one.after.points, one.after.vp) for one in foretold.lines} == changed
        assert foretold.awards == changed_hands(winners, decided(stage.s, event))
        told |= set(foretold.awards)
        stage.decide(event, game, *was.values())
    assert any(one.startswith("Champion: ") for one in told) == (corrected > 1)
    assert told or corrected == 1
