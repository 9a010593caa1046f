"""Reports as the actions take them, when the page's own check came a moment too early; and reports from the sheet."""

from itertools import product

import pytest

from events.play.errors import Refused, Stale
from events.results import actions as results_actions
from events.results import disputes
from events.results.actions import FROM_SHEET, Agreement, Doubtful
from events.rounds import actions as rounds_actions
from models.event import Event, EventState
from models.play import Absent, Game, GameState, Report, ReportSide
from tests.kit.stage import BY, Stage

A, B, DESK = ReportSide.A, ReportSide.B, ReportSide.ORGANISER
THREE_TO_ONE = {"a.objectives": 3, "b.objectives": 1}


@pytest.fixture
def event(stage: Stage) -> Event:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    return event


def send(stage: Stage, event: Event, game: Game, side: ReportSide, answers: dict[str, int], version: int) -> GameState:
    return stage.report(event, game, side, answers, version=version, sure=False)


def test_player_cannot_change_a_confirmed_result(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    before = stage.digest()
    for version in (0, 1):
        with pytest.raises(Refused, match="This result is confirmed"):
            send(stage, event, game, A, {"a.objectives": 5, "b.objectives": 0}, version)
    assert stage.digest() == before


def test_bye_unpublished_round_and_closed_event_take_no_report(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ed")
    one, *_, bye = stage.draw(event, 1)
    assert bye.b_id is None
    for game, why in ((bye, "A bye has no result"), (one, "Round 1 is not published yet")):
        with pytest.raises(Refused, match=why):
            send(stage, event, game, DESK, THREE_TO_ONE, 0)
    with stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock())
    with stage.changing(event):
        event.state = EventState.FINISHED
    with pytest.raises(Refused, match="The event is closed"):
        send(stage, event, one, DESK, THREE_TO_ONE, 0)
    assert not stage.all(Report)


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
    with stage.changing(event) as s:
        state = results_actions.agree(s, event, game, Agreement(B, A, version=1), BY, stage.clock())
    assert state == GameState.CONFIRMED


def test_standings_count_only_complete_rounds(stage: Stage, event: Event) -> None:
    stage.play(event, 1)
    complete = [(row.name, row.points) for row in stage.standings(event)]
    game, _ = stage.publish(event, 2)
    stage.decide(event, game, 5, 0)
    for after in (None, 1, 2, 99):
        assert [(row.name, row.points) for row in stage.standings(event, after)] == complete
    assert {row.points for row in stage.standings(event, 0)} == {0}


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
def test_sheet_report_is_taken_only_while_nothing_is_reported(stage: Stage, event: Event) -> None:
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
    game, _ = stage.publish(event, 1)
    from_sheet(stage, event, game, B, THREE_TO_ONE)
    for absent, state in ((Absent.A, GameState.CONFIRMED), (None, GameState.REPORTED)):
        with stage.changing(event) as s:
            version = stage.now(game).version
            results_actions.set_absent(s, event, game, absent, version=version, actor=BY, now=stage.clock())
        assert stage.now(game).state == state
    with stage.changing(event) as s:
        version = stage.now(game).version
        disputes.open_again(s, event, game, version=version, reason="Wrong table.", actor=BY, now=stage.clock())
    assert stage.now(game).state == GameState.OPEN
    assert from_sheet(stage, event, game, B, THREE_TO_ONE) == GameState.REPORTED
