"""Reports as the actions take them, when the page's own guard was passed a moment too early."""

import pytest

from events.play.errors import Refused, Stale
from events.results import actions as results_actions
from events.results import disputes
from events.rounds import actions as rounds_actions
from models.event import Event, EventState
from models.play import Absent, Game, GameState, Report, ReportSide
from tests.kit.stage import BY, Stage

THREE_TO_ONE = {"a.objectives": 3, "b.objectives": 1}


@pytest.fixture
def event(stage: Stage) -> Event:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    return event


def send(stage: Stage, event: Event, game: Game, side: ReportSide, answers: dict[str, int], version: int) -> GameState:
    """Report as a view does, with the version that its form was made with."""
    with stage.changing(event) as s:
        return results_actions.report(
            s, event, game, side, answers, version=version, sure=False, by=BY, now=stage.clock()
        )  # fmt: skip


def test_a_player_cannot_report_over_a_result_that_was_confirmed_meanwhile(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    before = stage.digest()
    for version in (0, 1):
        with pytest.raises(Refused, match="This result is confirmed"):
            send(stage, event, game, ReportSide.A, {"a.objectives": 5, "b.objectives": 0}, version)
    assert stage.digest() == before


def test_a_bye_a_round_that_is_not_out_and_an_event_that_is_over_take_no_report(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ed")
    one, *_, bye = stage.draw(event, 1)
    assert bye.b_id is None
    for game, why in ((bye, "A bye has no result"), (one, "Round 1 is not published yet")):
        with pytest.raises(Refused, match=why):
            send(stage, event, game, ReportSide.ORGANISER, THREE_TO_ONE, 0)
    with stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock())
    with stage.changing(event):
        event.state = EventState.FINISHED
    with pytest.raises(Refused, match="The event is closed"):
        send(stage, event, one, ReportSide.ORGANISER, THREE_TO_ONE, 0)
    assert not stage.all(Report)


def test_two_reports_of_one_version_are_not_both_taken(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    assert send(stage, event, game, ReportSide.A, THREE_TO_ONE, 0) == GameState.REPORTED
    with pytest.raises(Stale):
        send(stage, event, game, ReportSide.B, THREE_TO_ONE, 0)
    assert send(stage, event, game, ReportSide.B, THREE_TO_ONE, 1) == GameState.CONFIRMED


def test_whoever_agrees_is_not_asked_again_of_what_was_odd(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    with pytest.raises(results_actions.Doubtful) as asked:
        send(stage, event, game, ReportSide.A, {}, 0)
    assert asked.value.message == " ".join(doubt.message for doubt in asked.value.doubts) != ""
    with stage.changing(event) as s:
        results_actions.report(s, event, game, ReportSide.A, {}, version=0, sure=True, by=BY, now=stage.clock())
    with stage.changing(event) as s:
        told = results_actions.agree(s, event, game, ReportSide.B, ReportSide.A, version=1, by=BY, now=stage.clock())
    assert told == GameState.CONFIRMED


def test_a_retry_whose_first_answer_was_lost_is_no_second_report(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    for _ in range(3):
        assert send(stage, event, game, ReportSide.A, THREE_TO_ONE, 0) == GameState.REPORTED
    assert len(stage.all(Report)) == 1
    assert stage.now(game).version == 1


def test_a_refused_report_leaves_the_other_side_s_as_it_was(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    send(stage, event, game, ReportSide.A, THREE_TO_ONE, 0)
    before = stage.digest()
    for impossible in ({"a.objectives": 6}, {"a.r2": 2, "b.r2": 1}, {"a.r1": 1}, {"c.r2": 1}, {"a.r2": -1}):
        with pytest.raises(results_actions.Doubtful):
            send(stage, event, game, ReportSide.B, impossible, 1)
    assert stage.digest() == before


def test_standings_count_complete_rounds_alone(stage: Stage, event: Event) -> None:
    stage.play(event, 1)
    complete = [(row.name, row.points) for row in stage.standings(event)]
    game, _ = stage.publish(event, 2)
    stage.decide(event, game, 5, 0)
    for after in (None, 1, 2, 99):
        assert [(row.name, row.points) for row in stage.standings(event, after)] == complete
    assert {row.points for row in stage.standings(event, 0)} == {0}


# ---- reports with the code of the paper sheet


def from_sheet(stage: Stage, event: Event, game: Game, side: ReportSide, answers: dict[str, int]) -> GameState:
    """Report with the sheet's code as this side."""
    with stage.changing(event) as s:
        return results_actions.report(
            s, event, game, side, answers, version=stage.now(game).version, sure=False, by="the paper sheet",
            now=stage.clock(), word=results_actions.FROM_SHEET,
        )  # fmt: skip


@pytest.mark.proves("attack 56")
@pytest.mark.parametrize("claimed", [ReportSide.A, ReportSide.B])
@pytest.mark.parametrize("first", [ReportSide.A, ReportSide.B])
def test_sheet_report_never_agrees_with_a_player_whichever_side_it_claims(
    stage: Stage, event: Event, claimed: ReportSide, first: ReportSide
) -> None:
    game, _ = stage.publish(event, 1)
    second = ReportSide.B if first == ReportSide.A else ReportSide.A
    assert from_sheet(stage, event, game, claimed, THREE_TO_ONE) == GameState.REPORTED
    assert send(stage, event, game, first, THREE_TO_ONE, 1) == GameState.REPORTED
    assert send(stage, event, game, second, THREE_TO_ONE, 2) == GameState.CONFIRMED
    assert [(one.side, one.by_sheet) for one in stage.all(Report)] == [(claimed, True), (first, False), (second, False)]


@pytest.mark.proves("attack 56")
@pytest.mark.parametrize("before", [ReportSide.A, ReportSide.ORGANISER, "sheet"])
def test_sheet_report_is_taken_only_while_nothing_is_reported(stage: Stage, event: Event, before: str) -> None:
    game, _ = stage.publish(event, 1)
    if before == "sheet":
        from_sheet(stage, event, game, ReportSide.A, THREE_TO_ONE)
    else:
        send(stage, event, game, ReportSide(before), THREE_TO_ONE, 0)
    was = stage.digest()
    with pytest.raises(Refused):
        from_sheet(stage, event, game, ReportSide.B, {"a.objectives": 0, "b.objectives": 5})
    assert stage.digest() == was


@pytest.mark.proves("attack 56")
def test_sheet_report_waits_again_after_a_no_show_is_taken_back_and_is_gone_after_opening_again(
    stage: Stage, event: Event
) -> None:
    game, _ = stage.publish(event, 1)
    from_sheet(stage, event, game, ReportSide.B, THREE_TO_ONE)
    for absent, state in ((Absent.A, GameState.CONFIRMED), (None, GameState.REPORTED)):
        with stage.changing(event) as s:
            version = stage.now(game).version
            results_actions.set_absent(s, event, game, absent, version=version, actor=BY, now=stage.clock())
        assert stage.now(game).state == state
    with stage.changing(event) as s:
        version = stage.now(game).version
        disputes.open_again(s, event, game, version=version, reason="Wrong table.", actor=BY, now=stage.clock())
    assert stage.now(game).state == GameState.OPEN
    assert from_sheet(stage, event, game, ReportSide.B, THREE_TO_ONE) == GameState.REPORTED


@pytest.mark.proves("attack 56")
def test_nobody_agrees_from_the_sheet(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    send(stage, event, game, ReportSide.A, THREE_TO_ONE, 0)
    with pytest.raises(Refused, match="A result was reported already"), stage.changing(event) as s:
        results_actions.agree(
            s, event, game, ReportSide.B, ReportSide.A, version=1, by="the paper sheet", now=stage.clock(),
            word=results_actions.FROM_SHEET,
        )  # fmt: skip
