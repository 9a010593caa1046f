"""Reporting through the actions: too late, twice, from the sheet, beyond the lists; endings; which result counts."""

from datetime import UTC, datetime
from itertools import product
from random import Random
from typing import Any

import pytest

from events.results import actions as results_actions
from events.results.actions import FROM_SHEET, Agreement, Doubtful, Origin, corrects
from events.results.disputes import bounds_of
from events.results.queries import Decision, decisions_on, differ
from events.results.reports import state_by_reports
from events.rounds import actions as rounds_actions
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.outcomes import set_ended
from events.tournament.endings import Awarded, ConcededVp, Ending, NotPlayed
from events.tournament.scores import PLAYED_OUT, Ended
from models.event import Event, EventState
from models.play import Absent, ForceList, Game, GameState, Player, Report, ReportSide, Through
from service.commands.demo import possible_answers
from tests.kit.stage import BY, Stage
from validators import SYSTEMS
from validators.answers import beyond_bounds
from validators.contract import Terms
from validators.game_system import GameSystem
from validators.scenario import Answers

A, B, DESK = ReportSide.A, ReportSide.B, ReportSide.ORGANISER
THREE_TO_ONE = {"a.objectives": 3, "b.objectives": 1}
CONCEDED, UNPLAYED, UNFINISHED = Ended(Ending.CONCEDED_A), Ended(Ending.NOT_PLAYED), Ended(Ending.UNFINISHED)


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(scenarios=("hold-the-line", "", ""), players=("Ada", "Bo", "Cy", "Di"))


def send(stage: Stage, event: Event, game: Game, side: ReportSide, answers: dict[str, int], version: int) -> GameState:
    return stage.report(event, game, side, answers, version=version, sure=False)


def test_report_that_comes_too_early_or_too_late_is_refused(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ed")
    one, *_, bye = stage.draw(event, 1)

    def refused(game: Game, side: ReportSide, why: str) -> None:
        stage.refuse_to(why, send, stage, event, game, side, {"a.objectives": 5}, stage.now(game).version)

    refused(bye, DESK, "A bye has no result to report.")
    refused(one, DESK, "Round 1 is not published yet.")
    stage.do(event, rounds_actions.publish_round, 1)
    stage.decide(event, one, 3, 1)
    refused(one, A, "This result is confirmed. Ask the organiser if it is wrong.")
    stage.set(event, state=EventState.FINISHED)
    refused(one, DESK, "The event is closed; the organiser can open it again for a correction.")
    assert len(stage.all(Report)) == 1


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
    with stage.unchanged():
        for game in (by_player, by_desk, by_sheet):
            with pytest.raises(Refused):
                from_sheet(stage, event, game, B, {"a.objectives": 0, "b.objectives": 5})
        known = "A result was reported already. Your private link lets you confirm it."
        with pytest.raises(Refused, match=known), stage.changing(event) as s:
            agreed = Agreement(B, A, version=1, origin=FROM_SHEET)
            results_actions.agree(Act(s, event, "the paper sheet", stage.clock()), by_player, agreed)


@pytest.mark.proves("attack 56")
def test_sheet_report_outlives_a_no_show_but_not_reopening(stage: Stage, event: Event) -> None:
    game, other = stage.publish(event, 1)
    from_sheet(stage, event, game, B, THREE_TO_ONE)
    stage.report(event, other, A, THREE_TO_ONE, how=CONCEDED)
    with pytest.raises(Stale, match=r"Another person has changed this game\. Reload the page\."):
        stage.no_show(event, game, Absent.A, version=stage.now(game).version - 1)
    for absent, state, ending in (
        (Absent.A, GameState.CONFIRMED, None), (None, GameState.REPORTED, Ending.CONCEDED_A)
    ):  # fmt: skip
        for part in (game, other):
            stage.no_show(event, part, absent)
        assert (stage.now(game).state, stage.now(other).ending) == (state, ending)
    version = stage.now(game).version
    with stage.changing(event) as s:
        s.get_one(Game, game.id).goes_through = Through.A
        results_actions.open_again(Act(s, event, BY, stage.clock()), game, version=version, reason="Wrong table.")
    assert (stage.now(game).state, stage.now(game).goes_through) == (GameState.OPEN, None)
    assert from_sheet(stage, event, game, B, THREE_TO_ONE) == GameState.REPORTED


def test_ending_that_a_side_cannot_report_is_refused(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    for side, how, field in (
        (A, UNPLAYED, "ending"), (A, Ended(Ending.DECIDED, None, "He left."), "ending"),
        (A, Ended(Ending.UNFINISHED, Awarded.A), "ending"), (A, Ended(Ending.UNFINISHED, None, "Late."), "ending"),
        (DESK, Ended(Ending.DECIDED, Awarded.A), "ending_reason"),
    ):  # fmt: skip
        with pytest.raises(Refused) as refused:
            stage.report(event, game, side, THREE_TO_ONE, how=how)
        assert refused.value.field == field, how
    for how in (PLAYED_OUT, CONCEDED, UNFINISHED, Ended(Ending.DECIDED, Awarded.B, "Late.")):
        with pytest.raises(Doubtful):
            stage.report(event, game, DESK, {"a.objectives": 9}, how=how)
    assert not stage.all(Report)


def test_newest_reason_of_the_desk_is_shown(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    scenarios = {game.id: HOLD_THE_LINE}
    assert decisions_on(stage.s, scenarios) == {}
    for reason in ("Both forgot it.", "Both forgot it.", "", "As the sheet has it."):
        stage.report(event, game, DESK, THREE_TO_ONE, origin=Origin(reason))
    stage.s.rollback()
    assert decisions_on(stage.s, scenarios) == {game.id: Decision("As the sheet has it.", corrects=False)}
    assert [one.reason for one in stage.all(Report)] == ["Both forgot it.", "As the sheet has it."]
    sentences = [one.partition(": ")[2] for one in stage.journal(event, "report")]
    assert sentences == ["the result is confirmed", "the result is unchanged, with another reason"]
    stage.no_show(event, game, Absent.A)
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
        stage.set(event, conceded_vp=vp, not_played=NotPlayed.DRAW, bye_vp=4)
        stage.report(event, first, DESK, {} if how is UNPLAYED else THREE_TO_ONE, how=how)
        rows = {row.id: (row.points, row.vp) for row in stage.standings(event)}
        assert (rows[str(first.a_id)], rows[str(first.b_id)]) == (a, b), (how, vp)


HOLD_THE_LINE = SYSTEMS["battle_mode"].scenario("hold-the-line")


def reported(side: ReportSide, answers: Answers, how: Ended = PLAYED_OUT) -> Report:
    at = datetime(2026, 12, 5, 9, tzinfo=UTC)
    made = Report(game_id=1, side=side, answers=dict(answers), by="somebody", at=at)
    set_ended(made, how)
    return made


def game(
    state: GameState = GameState.CONFIRMED, answers: dict[str, Any] | None = None, how: Ended = PLAYED_OUT
) -> Game:
    made = Game(round_id=1, a_id=1, b_id=2, table_number=1, code="ABCDEFGH", notes=[], state=state, answers=answers)
    set_ended(made, how)
    return made


def counted(*reports: Report) -> tuple[GameState, Report | None]:
    return state_by_reports(HOLD_THE_LINE, {report.side: report for report in reports})


@pytest.mark.proves("G3")
def test_equal_reports_confirm_and_different_ones_are_a_dispute() -> None:
    one, same = reported(A, {"a.objectives": 3}), reported(B, {"a.objectives": 3, "b.objectives": 0})
    assert counted() == (GameState.OPEN, None)
    assert counted(one) == (GameState.REPORTED, one)
    assert counted(same) == (GameState.REPORTED, same)
    assert counted(one, same) == (GameState.CONFIRMED, one), "a missing figure counts as 0"
    decision = reported(DESK, {"a.objectives": 2})
    assert counted(decision) == (GameState.CONFIRMED, decision)
    for other in (
        reported(B, {"a.objectives": 3, "b.objectives": 1}),
        reported(B, {}),
        reported(B, {"a.objectives": 3}, UNPLAYED),
    ):
        assert counted(one, other) == (GameState.DISPUTED, None), other.answers
        assert differ(one, other) and differ(other, one) and not differ(one, same)
        assert counted(one, other, decision) == (GameState.CONFIRMED, decision)


def test_choice_that_scores_nothing_causes_no_dispute() -> None:
    scenarios = [a_scenario for system in SYSTEMS.values() for a_scenario in system.scenarios]
    choices = [
        (a_scenario, question)
        for a_scenario in scenarios
        for question in a_scenario.questions
        if question.kind == "choice"
    ]
    assert choices
    for scenario, question in choices:
        state, _ = state_by_reports(scenario, {A: reported(A, {question.key: 1}), B: reported(B, {question.key: 2})})
        assert state == (GameState.DISPUTED if question.decides else GameState.CONFIRMED), question.key


def test_only_a_different_result_of_a_confirmed_game_is_a_correction() -> None:
    held = game(answers={"a.objectives": 3, "b.objectives": 0})
    assert corrects(held, {"a.objectives": 2})
    assert corrects(held, {"a.objectives": 3, "b.objectives": 1})
    assert corrects(held, {"a.objectives": 3}, UNPLAYED)
    assert not corrects(held, {"a.objectives": 3}), "a missing figure counts as 0"
    assert not corrects(game(answers={"a.objectives": 3}), {"a.objectives": 3, "b.objectives": 0})
    assert corrects(game(answers=None, how=UNPLAYED), {"a.objectives": 1})
    for state in (GameState.OPEN, GameState.REPORTED, GameState.DISPUTED):
        assert not corrects(game(state, {"a.objectives": 3}), {"a.objectives": 2}), state
    held = game(answers=None)
    held.absent = Absent.A
    assert not corrects(held, {"a.objectives": 2}), "a no-show who came is no correction"


def played(stage: Stage, game: GameSystem, scenario: str) -> tuple[Event, Game]:
    event = stage.event(f"{game.id} {scenario}", game=game.id, rounds=1, scenarios=(scenario,))
    document = game.forces.sample(Terms(game.editions[0], event.size), game.editions[0].factions[0], 1)
    for player in stage.enter(event, "Ada", "Bo"):
        stage.force(event, player, document)
    (one,) = stage.publish(event, 1)
    return event, one


def limits(stage: Stage, event: Event, game: Game, scenario: str) -> dict[str, int]:
    bounds = bounds_of(stage.s, event, game, SYSTEMS[event.system].scenario(scenario))
    return {key: bound.most for bound in bounds for key in bound.questions}


def test_each_figure_is_limited_to_what_the_list_holds(stage: Stage) -> None:
    for game in (system for system in SYSTEMS.values() if system.scoring.bounds):
        scenario = game.scenarios[0]
        event, one = played(stage, game, scenario.id)
        bounds = bounds_of(stage.s, event, one, scenario)
        most = limits(stage, event, one, scenario.id)
        assert {key[0] for key in most} == {"a", "b"}, game.id
        for key, figure in most.items():
            assert not [doubt for doubt in beyond_bounds(bounds, {key: figure}) if doubt.refused]
            (doubt,) = [doubt for doubt in beyond_bounds(bounds, {key: figure + 1}) if doubt.refused]
            assert key in doubt.keys
            assert str(figure) not in doubt.message, "the message does not reveal the list"
        for seed in range(10):
            made_up = possible_answers(event, scenario, Random(seed), bounds)
            assert list(beyond_bounds(bounds, made_up)) == [], (game.id, seed)
            asked = [doubt.message for doubt in game.scoring.check(scenario, made_up) if doubt.keys]
            assert not [one for one in asked if "force routed" in one], (game.id, seed)


def test_report_asks_about_a_force_that_stood_without_charisma_or_routed_with_some(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["new_vegas"], "open-battle")
    bounds = bounds_of(stage.s, event, one, SYSTEMS["new_vegas"].scenario("open-battle"))
    most = limits(stage, event, one, "open-battle")["a.leaders"]
    few = most - 1
    for lost, force, asked in ((most, "Stood", 1), (most, "Routed", 0), (few, "Routed", 1), (few, "Stood", 0)):
        found = list(beyond_bounds(bounds, {"a.leaders": lost, "a.rout": force}))
        assert [(doubt.keys, doubt.refused) for doubt in found] == [(("a.rout",), False)] * asked, (lost, force)


def test_report_beyond_the_list_is_refused_and_one_below_it_needs_confirming(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["fallout_warfare"], "skirmish")
    with pytest.raises(Doubtful, match="Bo, own points fielded: 900 is more than the list"):
        stage.report(event, one, ReportSide.A, {"b.fielded": 900})
    whole = limits(stage, event, one, "skirmish")
    fielded = {"a.fielded": 15, "b.fielded": whole["b.fielded"]}
    with pytest.raises(Doubtful, match="15 is not what the list holds") as asked:
        stage.report(event, one, ReportSide.A, fielded, sure=False)
    assert [doubt.keys for doubt in asked.value.doubts] == [("a.fielded",)]
    assert stage.report(event, one, ReportSide.A, fielded) == GameState.REPORTED
    assert stage.report(event, one, ReportSide.B, fielded | {"a.fielded": 14}) == GameState.DISPUTED
    with stage.changing(event) as s:
        game, people = s.get_one(Game, one.id), (s.get_one(Player, one.a_id), s.get_one(Player, one.b_id))
        accepted = results_actions.reading_of(s, event, game, "a", people, Origin(), game.version)
        assert results_actions.report(Act(s, event, BY, stage.clock()), game, accepted) == GameState.CONFIRMED


def test_unused_unsubmitted_and_illegal_lists_set_no_limits(stage: Stage) -> None:
    event, one = played(stage, SYSTEMS["fallout_warfare"], "treasure-hunt")
    assert limits(stage, event, one, "treasure-hunt") == {}, "the scenario has forces of its own"
    event, one = played(stage, SYSTEMS["skill_combat"], "bout")
    assert set(limits(stage, event, one, "bout")) == {"a.hp", "b.hp"}
    of_a, of_b = (stage.one(ForceList, player_id=id_) for id_ in (one.a_id, one.b_id))
    stage.set(event, of_a, submitted_at=None)
    assert set(limits(stage, event, one, "bout")) == {"b.hp"}
    stage.set(event, of_b, document=of_b.document | {"models": of_b.document["models"] * 9})
    assert limits(stage, event, one, "bout") == {}
