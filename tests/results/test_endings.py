"""How a game ended, as it is reported, agreed, decided, corrected, and counted in the standings."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from events.play.errors import Refused
from events.play.outcomes import PLAYED_OUT, Ended, score_of
from events.play.queries import round_views
from events.results import actions as results_actions
from events.results.actions import set_absent
from models.endings import Awarded, ConcededVp, Ending, NotPlayed
from models.event import Event
from models.journal import JournalEntry
from models.play import Absent, Game, GameState, Report, ReportSide
from tests.kit.stage import BY, Stage

THREE_TO_ONE = {"a.objectives": 3, "b.objectives": 1}
CONCEDED = Ended(Ending.CONCEDED_A)
UNPLAYED = Ended(Ending.NOT_PLAYED)


@pytest.fixture
def event(stage: Stage) -> Event:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    return event


def send(
    stage: Stage, event: Event, game: Game, side: ReportSide, answers: dict[str, Any], how: Ended = PLAYED_OUT
) -> GameState:
    version = stage.now(game).version
    with stage.changing(event) as s:
        return results_actions.report(
            s, event, game, side, answers, version=version, sure=True, by=BY, now=stage.clock(), how=how
        )  # fmt: skip


def shown(stage: Stage, event: Event, game: Game) -> tuple[int, int, str] | None:
    view = round_views(stage.s, event)[0]
    found = score_of(event, 1, view.scenario_at(game), stage.now(game))
    return None if found is None else (found.a, found.b, found.outcome)


def test_both_say_that_one_conceded_and_the_leader_has_lost(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    assert send(stage, event, game, ReportSide.A, THREE_TO_ONE, CONCEDED) == GameState.REPORTED
    assert send(stage, event, game, ReportSide.B, THREE_TO_ONE, CONCEDED) == GameState.CONFIRMED
    assert stage.now(game).ending == Ending.CONCEDED_A
    assert shown(stage, event, game) == (3, 1, "b")
    told = stage.all(JournalEntry)[-1].details
    assert (told["ending"], told["awarded"], told["reason"]) == ("conceded_a", "", "")


def test_the_same_figures_with_another_ending_are_a_dispute(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    send(stage, event, game, ReportSide.A, THREE_TO_ONE)
    assert send(stage, event, game, ReportSide.B, THREE_TO_ONE, CONCEDED) == GameState.DISPUTED
    assert stage.now(game).ending is None
    assert send(stage, event, game, ReportSide.A, THREE_TO_ONE, CONCEDED) == GameState.CONFIRMED


def test_agreeing_takes_the_ending_too(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    send(stage, event, game, ReportSide.A, {}, UNPLAYED)
    with stage.changing(event) as s:
        results_actions.agree(s, event, game, ReportSide.B, ReportSide.A, version=1, by=BY, now=stage.clock())
    told = stage.now(game)
    assert (told.state, told.ending, told.answers) == (GameState.CONFIRMED, Ending.NOT_PLAYED, None)
    assert shown(stage, event, game) is None


@pytest.mark.parametrize(
    ("side", "answers", "how", "field"),
    [
        (ReportSide.A, THREE_TO_ONE, UNPLAYED, "ending"),
        (ReportSide.A, THREE_TO_ONE, Ended(Ending.DECIDED, None, "He left."), "ending"),
        (ReportSide.A, THREE_TO_ONE, Ended(Ending.UNFINISHED, Awarded.A), "ending"),
        (ReportSide.A, THREE_TO_ONE, Ended(Ending.UNFINISHED, None, "It was late."), "ending"),
        (ReportSide.ORGANISER, THREE_TO_ONE, Ended(Ending.DECIDED, Awarded.A), "ending_reason"),
    ],
)
def test_what_a_side_cannot_say_is_refused(
    stage: Stage, event: Event, side: ReportSide, answers: dict[str, int], how: Ended, field: str
) -> None:
    game, _ = stage.publish(event, 1)
    with pytest.raises(Refused) as refused:
        send(stage, event, game, side, answers, how)
    assert refused.value.field == field
    assert not stage.all(Report)


def test_an_ending_makes_no_figure_possible_that_cannot_be(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    for how in (PLAYED_OUT, CONCEDED, Ended(Ending.UNFINISHED), Ended(Ending.DECIDED, Awarded.B, "Late.")):
        with pytest.raises(results_actions.Doubtful):
            send(stage, event, game, ReportSide.ORGANISER, {"a.objectives": 9}, how)


def test_a_judge_gives_a_game_to_whoever_has_fewer_points_and_says_why(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    send(stage, event, game, ReportSide.A, THREE_TO_ONE)
    how = Ended(Ending.DECIDED, Awarded.B, "A moved models twice.")
    assert send(stage, event, game, ReportSide.ORGANISER, THREE_TO_ONE, how) == GameState.CONFIRMED
    assert shown(stage, event, game) == (3, 1, "b")
    entry = stage.all(JournalEntry)[-1]
    assert entry.text.endswith("the result is confirmed (decided by a judge)")
    assert (entry.details["awarded"], entry.details["reason"]) == ("b", "A moved models twice.")
    assert results_actions.why_decided(stage.s, stage.now(game)) == "A moved models twice."


def test_the_desk_s_word_is_given_once_more_with_another_reason_and_the_newest_is_read(
    stage: Stage, event: Event
) -> None:
    game, _ = stage.publish(event, 1)
    assert results_actions.why_decided(stage.s, game) == ""

    def say(reason: str) -> None:
        version = stage.now(game).version
        with stage.changing(event) as s:
            results_actions.report(
                s, event, game, ReportSide.ORGANISER, THREE_TO_ONE, version=version, sure=True, by=BY,
                now=stage.clock(), word=results_actions.Word(reason),
            )  # fmt: skip

    for reason in ("Both forgot it.", "Both forgot it.", "", "As the sheet has it."):
        say(reason)
    assert results_actions.why_decided(stage.s, stage.now(game)) == "As the sheet has it."
    assert [one.reason for one in stage.all(Report)] == ["Both forgot it.", "As the sheet has it."]
    told = [entry.text.partition(": ")[2] for entry in stage.all(JournalEntry, verb="report")]
    assert told == ["the result is confirmed", "the result stands, with another reason"]
    with stage.changing(event) as s:
        set_absent(s, event, game, Absent.A, version=stage.now(game).version, actor=BY, now=stage.clock())
    say("He came after all.")
    assert stage.journal(event, "report")[-1].endswith(": the result is confirmed")


def test_another_ending_of_a_confirmed_result_is_a_correction(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    assert not results_actions.corrects(stage.now(game), THREE_TO_ONE)
    for how, answers in ((CONCEDED, THREE_TO_ONE), (UNPLAYED, {}), (Ended(Ending.UNFINISHED), THREE_TO_ONE)):
        assert results_actions.corrects(stage.now(game), answers, how)
        send(stage, event, game, ReportSide.ORGANISER, answers, how)
        assert not results_actions.corrects(stage.now(game), answers, how)
    told = [entry.text.partition(": ")[2] for entry in stage.all(JournalEntry)[-3:]]
    assert told == [
        "the result is corrected from 3 : 1 to 3 : 1, A conceded",
        "the result is corrected from 3 : 1, A conceded to not played",
        "the result is corrected from not played to 3 : 1, unfinished",
    ]


def test_a_no_show_puts_the_ending_aside_and_gives_it_back(stage: Stage, event: Event) -> None:
    game, _ = stage.publish(event, 1)
    send(stage, event, game, ReportSide.A, THREE_TO_ONE, CONCEDED)
    for absent, ending in ((Absent.A, None), (None, Ending.CONCEDED_A)):
        with stage.changing(event) as s:
            set_absent(s, event, game, absent, version=stage.now(game).version, actor=BY, now=stage.clock())
        assert stage.now(game).ending == ending


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "vp", "left", "a", "b"),
    [
        (CONCEDED, ConcededVp.BYE, NotPlayed.NOTHING, (0, 3), (3, 4)),
        (CONCEDED, ConcededVp.SCORED, NotPlayed.NOTHING, (0, 3), (3, 1)),
        (UNPLAYED, ConcededVp.BYE, NotPlayed.NOTHING, (0, 0), (0, 0)),
        (UNPLAYED, ConcededVp.BYE, NotPlayed.DRAW, (1, 0), (1, 0)),
        (Ended(Ending.UNFINISHED), ConcededVp.BYE, NotPlayed.NOTHING, (3, 3), (0, 1)),
    ],
)
def test_the_standings_count_an_ending_as_the_event_says(
    stage: Stage, event: Event, how: Ended, vp: ConcededVp, left: NotPlayed, a: tuple[int, int], b: tuple[int, int]
) -> None:
    with stage.changing(event):
        event.conceded_vp, event.not_played, event.bye_vp = vp, left, 4
    first, second = stage.publish(event, 1)
    send(stage, event, first, ReportSide.ORGANISER, {} if how is UNPLAYED else THREE_TO_ONE, how)
    stage.decide(event, second, 2, 0)
    rows = {row.id: (row.points, row.vp) for row in stage.standings(event)}
    assert (rows[str(first.a_id)], rows[str(first.b_id)]) == (a, b)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "impossible", ["ending = 'lost'", "awarded = 'a'", "ending = 'unfinished', absent = 'a'", "ending_reason = NULL"]
)
def test_the_database_forbids_endings_that_cannot_be(stage: Stage, event: Event, impossible: str) -> None:
    game, _ = stage.publish(event, 1)
    with pytest.raises(IntegrityError):
        stage.s.execute(text(f"UPDATE game SET {impossible} WHERE id = {game.id}"))  # noqa: S608
    stage.s.rollback()
