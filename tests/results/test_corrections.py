"""Correcting a result: its effects are previewed, compared with the real ones, and stored."""

import random
from dataclasses import replace

import pytest

from events.results.corrections import Correction, correction
from events.rounds.actions import publish_round
from events.rounds.formats import cut_of
from events.rounds.inputs import is_stale, request_of
from events.rounds.queries import picture_of
from events.standings.awards import add_usual, changed_winners, decided
from events.standings.published_awards import publish_awards
from events.store.tournaments import load
from events.tournament.endings import Ending
from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.request import Request, drawn_round
from events.tournament.pairing.seats import Levels
from events.tournament.preview import Paired, reseated, round_effect
from events.tournament.ranking import Row
from events.tournament.records import seats_from
from events.tournament.scores import Ended
from models.journal import JournalEntry
from models.play import Absent, Game, Report, ReportSide
from tests.kit.formats import cut, cut_event, decide_all
from tests.kit.person import PREVIEW, STORE, Person
from tests.kit.stage import Event, Round, Stage
from validators.scenario import Answers

SEVEN = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")


def figures(rows: list[Row]) -> dict[str, tuple[int, int, int]]:
    return {row.id: (row.rank, row.points, row.vp) for row in rows}


def markers(a: int, b: int) -> dict[str, int]:
    return {"a.objectives": a, "b.objectives": b}


def changed(before: list[Row], after: list[Row]) -> dict[str, tuple[int, int, int]]:
    return {id_: now for id_, now in figures(after).items() if figures(before)[id_] != now}


def corrected(stage: Stage, event: Event, game: Game, answers: Answers) -> Correction:
    """Correct a game; its effects on places, points and awards must be the previewed ones."""
    before, winners = stage.standings(event), decided(stage.s, event)
    foretold = correction(stage.s, event, game, answers)
    stage.decide(event, game, int(answers["a.objectives"]), int(answers["b.objectives"]))
    assert figures([line.after for line in foretold.lines]) == changed(before, stage.standings(event))
    assert all(figures([line.before])[line.before.id] == figures(before)[line.before.id] for line in foretold.lines)
    assert foretold.awards == changed_winners(winners, decided(stage.s, event))
    return foretold


def test_correction_counts_the_wins_without_a_game_and_by_concession_with_the_byes(stage: Stage) -> None:
    event = stage.event(rounds=1)
    stage.enter(event, *SEVEN)
    game, conceded, missed, _ = stage.publish(event, 1)
    stage.decide(event, game, 5, 1)
    stage.report(event, conceded, ReportSide.ORGANISER, markers(1, 0), how=Ended(Ending.CONCEDED_A))
    stage.no_show(event, missed, Absent.B)
    assert correction(stage.s, event, game, markers(4, 1)).byes == 3


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
        with stage.unchanged():
            correction(stage.s, event, game, answers)
        seats = {number: seats_now(stage, event, number) for number in (1, 2, 3)}
        foretold = corrected(stage, event, game, answers)
        assert foretold.byes == 2 * (foretold.bye_was != foretold.bye_now)
        for state, effect in foretold.rounds:
            assert effect.moved == (seats_now(stage, event, effect.number) != seats[effect.number])
            if state == "drawn":
                stale = is_stale(load(event), effect.number)
                assert effect.moved == stale
        (the_round,) = stage.all(Round, id=game.round_id)
        assert [effect.number for _, effect in foretold.rounds] == list(range(the_round.number + 1, 4))


def seats_now(stage: Stage, event: Event, number: int) -> object:
    stage.s.rollback()
    picture = picture_of(load(event), number, {})
    return request_of(picture, 0).seats


@pytest.mark.both_at_length
def test_unfinished_round_does_not_count_and_the_journal_keeps_both_results(stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo", "Cy", "Di"))
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
    assert {game.a_id, game.b_id} <= {change["player"] for change in changes["standings"]}
    assert [(change["number"], change["state"], change["moved"]) for change in changes["rounds"]] == [
        (2, "drawn", True)
    ]


def test_preview_says_that_a_published_cut_would_be_another(stage: Stage) -> None:
    event = cut_event(stage, 2)
    cut(stage, event)
    stage.do(event, publish_round, 2)
    said = set()
    for game in stage.games(event, 1):
        for wanted in (markers(0, 5), markers(5, 0)):
            stage.s.rollback()
            said.add(correction(stage.s, event, game, wanted).cut.partition(":")[0])
    assert said == {"", "The cut would be another"}


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
            entered = event.players
            now = [row.id for row in cut_of(event, entered, 2, stage.standings(event, 1))]
            assert (foretold != "") == is_stale(load(event), 2)
            assert all(stage.name(int(row_id)) in foretold for row_id in set(now) ^ set(order))
            kinds.add(foretold.split(":")[0].split(" ")[0])
            stage.decide(event, game, *answers.values())
    assert len(kinds) > 1


@pytest.mark.slow
def test_knockout_correction_previews_places_and_awards(stage: Stage) -> None:
    event = cut_event(stage, 4)
    cut(stage, event)
    stage.do(event, add_usual)
    for number, rounds in ((2, (2,)), (3, (3, 1))):  # the semi-finals; the final, and a game before the cut
        decide_all(stage, event, stage.publish(event, number))
        for round_number in rounds:
            hands: list[str] = []
            for game in stage.games(event, round_number):
                was = stage.now(game).answers or {}
                turned = markers(was["b.objectives"], was["a.objectives"])
                hands += [*corrected(stage, event, game, turned).awards, *corrected(stage, event, game, was).awards]
            assert any(hand.startswith("Champion: ") for hand in hands) == (round_number > 1), round_number


DESK = "/e/iron-open/desk"


@pytest.fixture
def played(olga: Person, stage: Stage, event: Event) -> Game:
    """Five players, round 1 played, round 2 drawn; the organiser has opened the form of table 1 in round 1."""
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    game, *_ = stage.play(event, 1)
    stage.draw(event, 2)
    olga.open(f"{DESK}/games/{game.id}")
    return game


def other_way(game: Game) -> dict[str, str]:
    answers = game.answers or {}
    return {"a__objectives": str(answers["b.objectives"]), "b__objectives": str(answers["a.objectives"])}


def test_correction_is_previewed_and_stored_once(olga: Person, played: Game, stage: Stage, event: Event) -> None:
    page = olga.press(PREVIEW, **other_way(played))
    a, b = stage.name(played.a_id), stage.name(played.b_id)
    look, rows = page.part("#look"), {row[0]: row for row in page.rows("#look table")}
    assert {a, b} <= rows.keys()
    assert f"{a} wins becomes" in look or f"{b} wins becomes" in look
    assert "Round 2, drawn Out of date: draw it again, or publish it anyway" in look
    assert "3 against 0 points" in look
    (redrawn,) = page.rows("#look .redrawn")
    assert redrawn[0] != redrawn[1] and all(a in pairs for pairs in redrawn)
    assert "becomes" in rows[a][2], "the points change"
    assert page.part("#look thead") == "Player Rank Points VP"
    stage.set(event, tie_breaks=["vp_share", "sos"])
    olga.open(f"{DESK}/games/{played.id}")
    assert olga.press(PREVIEW, **other_way(played)).part("#look thead") == "Player Rank Points VP share"
    for _ in range(2):
        olga.page = page
        assert olga.press(STORE, reason="Misread").path == f"{DESK}/rounds/1"
    assert stage.journal(event, "report")[-1].count("corrected from") == 1
    assert len(stage.all(Report, game_id=played.id)) == 2, "a repeated submission stores nothing"
    assert "changed after this draw: draw again" in olga.open(f"{DESK}/rounds/2").text


def test_preview_is_repeated_for_other_answers_and_never_stores(olga: Person, played: Game, stage: Stage) -> None:
    with stage.unchanged():
        page = olga.forge(PREVIEW, seen="made-up", reason="Misread", **other_way(played))
        assert page.soup.select_one("#look") is not None
        page = olga.press(PREVIEW, reason="Misread")
        assert (page.status, page.value("reason")) == (200, "Misread")
        page = olga.press(STORE, a__objectives="2", b__objectives="2")
        assert "a draw" in page.part("#look")
    assert olga.press(STORE).path == f"{DESK}/rounds/1"
    assert (stage.now(played).answers or {})["a.objectives"] == 2


def test_deciding_a_dispute_previews_changes_of_published_awards(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    stage.do(event, add_usual)
    stage.do(event, publish_awards)
    champion = stage.standings(event)[0].name
    final, other = stage.publish(event, 2)
    stage.decide(event, other, 1, 1)
    names = (stage.name(final.a_id), stage.name(final.b_id))
    (winner,) = {*names} - {champion}
    for side, answers in ((ReportSide.A, markers(5, 0)), (ReportSide.B, markers(0, 5))):
        stage.report(event, final, side, answers)
    with stage.unchanged():
        page = olga.press(f"Accept {winner}’s report", at=f"{DESK}/games/{final.id}")
        assert (page.status, page.value("reason")) == (200, f"As {winner} reported it.")
        assert f"Champion: {winner} instead of {champion}" in page.part("#look")
    assert olga.press("Store the decision").path == f"{DESK}/rounds/2"
    assert olga.open("/e/iron-open/awards").part(".awards .player") == champion, "until it is published again"


PEOPLE = [Entrant(id_, name) for id_, name in (("a", "Ann"), ("b", "Bob"), ("c", "Cy"), ("d", "Di"))]
SCHEME = Scheme(tie_breaks=("vp",))
ROUND_1 = [Result(1, "a", "b", 10, 4), Result(1, "c", "d", 6, 2)]
TURNED = [Result(1, "a", "b", 4, 10), ROUND_1[1]]


def round_2(seed: int = 5) -> Paired:
    request = Request(2, tuple(seats_from(ROUND_1, PEOPLE, SCHEME, 2)), seed)
    drawn = drawn_round(request)
    assert {frozenset((p.a, p.b)) for p in drawn.pairs} == {frozenset("ac"), frozenset("bd")}
    return Paired(request, drawn.pairs, drawn.bye)


def test_round_drawn_before_gets_other_notes() -> None:
    effect = round_effect(round_2(), ROUND_1, TURNED, PEOPLE, SCHEME)
    assert effect.moved
    down = (Note(NoteKind.PAIR_DOWN, {"high": 3, "low": 0}),)
    assert {frozenset((reread.a, reread.b or "")): (reread.before, reread.after) for reread in effect.reread} == {
        frozenset("ac"): ((), down), frozenset("bd"): ((), down),
    }  # fmt: skip
    assert (effect.stands, effect.best) == (Levels(distance=2), Levels())
    assert effect.verdict.startswith("Worse than a draw made now: 2 more steps apart in points.")
    assert {frozenset(pair) for pair in effect.old_pairs} == {frozenset("ac"), frozenset("bd")}
    assert {frozenset(pair) for pair in effect.new_pairs} == {frozenset("bc"), frozenset("ad")}


def test_ranks_change_only_in_a_round_drawn_by_rank() -> None:
    request = round_2().request
    assert {seat.rank for seat in reseated(request, TURNED, PEOPLE, SCHEME).seats} == {0}
    by_rank = replace(request, seats=tuple(replace(seat, rank=9) for seat in request.seats))
    assert {seat.id: seat.rank for seat in reseated(by_rank, TURNED, PEOPLE, SCHEME).seats} == {
        "b": 1, "c": 2, "a": 3, "d": 4,
    }  # fmt: skip
    gone = [person for person in PEOPLE if person.id != "d"]
    kept = reseated(request, ROUND_1[:1], gone, SCHEME)
    assert next(seat for seat in kept.seats if seat.id == "d") == next(s for s in request.seats if s.id == "d")
