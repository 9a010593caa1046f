"""Reporting through the actions: too late, twice, from the sheet; and how a game ended."""

from itertools import product

import pytest

from events.play.errors import Refused, Stale
from events.play.outcomes import PLAYED_OUT, Ended
from events.results import actions as results_actions
from events.results.actions import FROM_SHEET, Agreement, Doubtful, Origin, set_absent
from events.results.queries import why_decided
from events.rounds import actions as rounds_actions
from models.endings import Awarded, ConcededVp, Ending, NotPlayed
from models.event import Event, EventState
from models.journal import JournalEntry
from models.play import Absent, Game, GameState, Report, ReportSide, Side
from tests.kit.stage import BY, Stage

A, B, DESK = ReportSide.A, ReportSide.B, ReportSide.ORGANISER
THREE_TO_ONE = {"a.objectives": 3, "b.objectives": 1}
CONCEDED, UNPLAYED, UNFINISHED = Ended(Ending.CONCEDED_A), Ended(Ending.NOT_PLAYED), Ended(Ending.UNFINISHED)


@pytest.fixture
def event(stage: Stage) -> Event:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    return event


def send(stage: Stage, event: Event, game: Game, side: ReportSide, answers: dict[str, int], version: int) -> GameState:
    return stage.report(event, game, side, answers, version=version, sure=False)


def test_report_that_comes_too_early_or_too_late_is_refused(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ed")
    one, *_, bye = stage.draw(event, 1)

    def refused(game: Game, side: ReportSide, why: str) -> None:
        with pytest.raises(Refused, match=why):
            send(stage, event, game, side, {"a.objectives": 5}, stage.now(game).version)

    refused(bye, DESK, "A bye has no result")
    refused(one, DESK, "Round 1 is not published yet")
    stage.do(event, rounds_actions.publish_round, 1)
    stage.decide(event, one, 3, 1)
    refused(one, A, "This result is confirmed")
    with stage.changing(event):
        event.state = EventState.FINISHED
    refused(one, DESK, "The event is closed")
    assert len(stage.all(Report)) == 1


def mark_absent(stage: Stage, event: Event, game: Game, absent: Absent | None) -> None:
    version = stage.now(game).version
    with stage.changing(event) as s:
        set_absent(s, event, game, absent, version=version, actor=BY, now=stage.clock())


def test_only_one_of_two_reports_of_a_version_is_stored(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    for _ in range(3):  # a retry after a lost answer is no second report
        assert send(stage, event, game, A, THREE_TO_ONE, 0) == GameState.REPORTED
    assert (len(stage.all(Report)), stage.now(game).version) == (1, 1)
    with pytest.raises(Stale):
        send(stage, event, game, B, {"a.objectives": 1, "b.objectives": 3}, 0)
    before = stage.digest()
    for impossible in ({"a.objectives": 6}, {"a.r2": 2, "b.r2": 1}, {"a.r1": 1}, {"c.r2": 1}, {"a.r2": -1}):
        with pytest.raises(Doubtful):
            send(stage, event, game, B, impossible, 1)
    assert stage.digest() == before
    assert send(stage, event, game, B, THREE_TO_ONE, 1) == GameState.CONFIRMED


def test_agreement_needs_no_second_confirmation_of_unusual_answers(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    with pytest.raises(Doubtful) as asked:
        send(stage, event, game, A, {}, 0)
    assert asked.value.message == " ".join(doubt.message for doubt in asked.value.doubts) != ""
    stage.report(event, game, A, {})
    with pytest.raises(Refused, match="no report to agree to"), stage.changing(event) as s:
        results_actions.agree(s, event, game, Agreement(A, A, version=1), BY, stage.clock())
    state = stage.do(event, results_actions.agree, game, Agreement(B, A, version=1))
    assert state == GameState.CONFIRMED


def from_sheet(stage: Stage, event: Event, game: Game, side: ReportSide, answers: dict[str, int]) -> GameState:
    return stage.report(event, game, side, answers, sure=False, by="the paper sheet", origin=FROM_SHEET)


@pytest.mark.proves("attack 56")
def test_sheet_report_never_agrees_with_a_player_whichever_side_it_claims(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ed", "Flo", "Gus", "Hal")
    for game, (claimed, first) in zip(stage.publish(event, 1), product((A, B), repeat=2), strict=True):
        second = B if first == A else A
        assert from_sheet(stage, event, game, claimed, THREE_TO_ONE) == GameState.REPORTED
        assert send(stage, event, game, first, THREE_TO_ONE, 1) == GameState.REPORTED
        assert send(stage, event, game, second, THREE_TO_ONE, 2) == GameState.CONFIRMED
        reports = [(one.side, one.by_sheet) for one in stage.all(Report, game_id=game.id)]
        assert reports == [(claimed, True), (first, False), (second, False)]


@pytest.mark.proves("attack 56")
def test_sheet_report_is_accepted_only_while_nothing_is_reported(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ed", "Flo")
    by_player, by_desk, by_sheet = stage.publish(event, 1)
    send(stage, event, by_player, A, THREE_TO_ONE, 0)
    send(stage, event, by_desk, DESK, THREE_TO_ONE, 0)
    from_sheet(stage, event, by_sheet, A, THREE_TO_ONE)
    before = stage.digest()
    for game in (by_player, by_desk, by_sheet):
        with pytest.raises(Refused):
            from_sheet(stage, event, game, B, {"a.objectives": 0, "b.objectives": 5})
    with pytest.raises(Refused, match="A result was reported already"), stage.changing(event) as s:
        agreed = Agreement(B, A, version=1, origin=FROM_SHEET)
        results_actions.agree(s, event, by_player, agreed, "the paper sheet", stage.clock())
    assert stage.digest() == before


@pytest.mark.proves("attack 56")
def test_sheet_report_outlives_a_no_show_but_not_reopening(stage: Stage, event: Event) -> None:
    game, other = stage.publish(event, 1)
    from_sheet(stage, event, game, B, THREE_TO_ONE)
    stage.report(event, other, A, THREE_TO_ONE, how=CONCEDED)
    for absent, state, ending in (
        (Absent.A, GameState.CONFIRMED, None), (None, GameState.REPORTED, Ending.CONCEDED_A)
    ):  # fmt: skip
        for one in (game, other):
            mark_absent(stage, event, one, absent)
        assert (stage.now(game).state, stage.now(other).ending) == (state, ending)
    version = stage.now(game).version
    with stage.changing(event) as s:
        s.get_one(Game, game.id).goes_through = Side.A
        results_actions.open_again(s, event, game, version=version, reason="Wrong table.", actor=BY, now=stage.clock())
    assert (stage.now(game).state, stage.now(game).goes_through) == (GameState.OPEN, None)
    assert from_sheet(stage, event, game, B, THREE_TO_ONE) == GameState.REPORTED


def test_ending_that_a_side_cannot_report_is_refused(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    for side, how, field in (
        (A, UNPLAYED, "ending"),
        (A, Ended(Ending.DECIDED, None, "He left."), "ending"),
        (A, Ended(Ending.UNFINISHED, Awarded.A), "ending"),
        (A, Ended(Ending.UNFINISHED, None, "It was late."), "ending"),
        (DESK, Ended(Ending.DECIDED, Awarded.A), "ending_reason"),
    ):
        with pytest.raises(Refused) as refused:
            stage.report(event, game, side, THREE_TO_ONE, how=how)
        assert refused.value.field == field, how
    for how in (PLAYED_OUT, CONCEDED, UNFINISHED, Ended(Ending.DECIDED, Awarded.B, "Late.")):
        with pytest.raises(Doubtful):
            stage.report(event, game, DESK, {"a.objectives": 9}, how=how)
    assert not stage.all(Report)


def test_newest_reason_of_the_desk_is_shown(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    assert why_decided(stage.s, game) == ""
    for reason in ("Both forgot it.", "Both forgot it.", "", "As the sheet has it."):
        stage.report(event, game, DESK, THREE_TO_ONE, origin=Origin(reason))
    assert why_decided(stage.s, stage.now(game)) == "As the sheet has it."
    assert [one.reason for one in stage.all(Report)] == ["Both forgot it.", "As the sheet has it."]
    sentences = [entry.text.partition(": ")[2] for entry in stage.all(JournalEntry, verb="report")]
    assert sentences == ["the result is confirmed", "the result is unchanged, with another reason"]
    mark_absent(stage, event, game, Absent.A)
    stage.report(event, game, DESK, THREE_TO_ONE, origin=Origin("He came after all."))
    assert stage.journal(event, "report")[-1].endswith(": the result is confirmed")


def test_standings_count_an_ending_by_the_event_settings(stage: Stage, event: Event) -> None:
    first, second = stage.publish(event, 1)
    stage.decide(event, second, 2, 0)
    for how, vp, a, b in (
        (CONCEDED, ConcededVp.BYE, (0, 3), (3, 4)),
        (CONCEDED, ConcededVp.SCORED, (0, 3), (3, 1)),
        (UNPLAYED, ConcededVp.BYE, (1, 0), (1, 0)),
    ):
        with stage.changing(event):
            event.conceded_vp, event.not_played, event.bye_vp = vp, NotPlayed.DRAW, 4
        stage.report(event, first, DESK, {} if how is UNPLAYED else THREE_TO_ONE, how=how)
        rows = {row.id: (row.points, row.vp) for row in stage.standings(event)}
        assert (rows[str(first.a_id)], rows[str(first.b_id)]) == (a, b), (how, vp)
