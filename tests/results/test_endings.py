"""How a game ended: reported, agreed, decided, corrected, and counted in the standings."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from events.play.errors import Refused
from events.play.outcomes import PLAYED_OUT, Ended, score_of
from events.play.queries import round_views
from events.results import actions as results_actions
from events.results.actions import Origin, set_absent
from models.endings import Awarded, ConcededVp, Ending, NotPlayed
from models.event import Event
from models.journal import JournalEntry
from models.play import Absent, Game, Report, ReportSide
from tests.kit.stage import BY, Stage

A, B, DESK = ReportSide.A, ReportSide.B, ReportSide.ORGANISER
THREE_TO_ONE = {"a.objectives": 3, "b.objectives": 1}
CONCEDED, UNPLAYED, UNFINISHED = Ended(Ending.CONCEDED_A), Ended(Ending.NOT_PLAYED), Ended(Ending.UNFINISHED)


@pytest.fixture
def event(stage: Stage) -> Event:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    return event


def shown(stage: Stage, event: Event, game: Game) -> tuple[int, int, str] | None:
    view = round_views(stage.s, event)[0]
    found = score_of(event, 1, view.scenario_at(game), stage.now(game))
    return None if found is None else (found.a, found.b, found.outcome)


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
        with pytest.raises(results_actions.Doubtful):
            stage.report(event, game, DESK, {"a.objectives": 9}, how=how)
    assert not stage.all(Report)


def test_newest_reason_of_the_desk_is_shown(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    assert results_actions.why_decided(stage.s, game) == ""
    for reason in ("Both forgot it.", "Both forgot it.", "", "As the sheet has it."):
        stage.report(event, game, DESK, THREE_TO_ONE, origin=Origin(reason))
    assert results_actions.why_decided(stage.s, stage.now(game)) == "As the sheet has it."
    assert [one.reason for one in stage.all(Report)] == ["Both forgot it.", "As the sheet has it."]
    sentences = [entry.text.partition(": ")[2] for entry in stage.all(JournalEntry, verb="report")]
    assert sentences == ["the result is confirmed", "the result is unchanged, with another reason"]
    with stage.changing(event) as s:
        set_absent(s, event, game, Absent.A, version=stage.now(game).version, actor=BY, now=stage.clock())
    stage.report(event, game, DESK, THREE_TO_ONE, origin=Origin("He came after all."))
    assert stage.journal(event, "report")[-1].endswith(": the result is confirmed")


def test_no_show_replaces_the_ending_until_it_is_taken_back(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    stage.report(event, game, A, THREE_TO_ONE, how=CONCEDED)
    for absent, ending in ((Absent.A, None), (None, Ending.CONCEDED_A)):
        with stage.changing(event) as s:
            set_absent(s, event, game, absent, version=stage.now(game).version, actor=BY, now=stage.clock())
        assert stage.now(game).ending == ending


def test_standings_count_an_ending_by_the_event_settings(stage: Stage, event: Event) -> None:
    first, second = stage.publish(event, 1)
    stage.decide(event, second, 2, 0)
    for how, vp, left, a, b in (
        (CONCEDED, ConcededVp.BYE, NotPlayed.NOTHING, (0, 3), (3, 4)),
        (CONCEDED, ConcededVp.SCORED, NotPlayed.NOTHING, (0, 3), (3, 1)),
        (UNPLAYED, ConcededVp.BYE, NotPlayed.NOTHING, (0, 0), (0, 0)),
        (UNPLAYED, ConcededVp.BYE, NotPlayed.DRAW, (1, 0), (1, 0)),
        (UNFINISHED, ConcededVp.BYE, NotPlayed.NOTHING, (3, 3), (0, 1)),
    ):
        with stage.changing(event):
            event.conceded_vp, event.not_played, event.bye_vp = vp, left, 4
        stage.report(event, first, DESK, {} if how is UNPLAYED else THREE_TO_ONE, how=how)
        rows = {row.id: (row.points, row.vp) for row in stage.standings(event)}
        assert (rows[str(first.a_id)], rows[str(first.b_id)]) == (a, b), (how, vp, left)


@pytest.mark.both_databases
def test_database_forbids_impossible_endings(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    for change in ("ending = 'lost'", "awarded = 'a'", "ending = 'unfinished', absent = 'a'", "ending_reason = NULL"):
        with pytest.raises(IntegrityError):
            stage.s.execute(text(f"UPDATE game SET {change} WHERE id = {stage.now(game).id}"))  # noqa: S608
        stage.s.rollback()
