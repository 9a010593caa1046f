"""Tie-breaks by another figure of the reports than VP: which games have them, and how they count."""

import pytest

from events.papers.scoresheets import score_form
from events.store.outcomes import as_reported
from events.store.scoring import ordered_by, tie_breaks_in
from events.tournament.figures import OTHER_FIGURES, Entrant, Result, Scheme
from events.tournament.ranking import ranking_rows
from events.tournament.scores import figures_of
from models.event import Event
from models.settings import ReportDetail
from tests.kit.person import Person
from tests.kit.stage import ReportSide, Stage
from validators import SYSTEMS

TIES = "/e/iron-open/desk/settings/tie-breaks"
NAMES = ("Ada", "Bo", "Cy", "Di")


def test_other_figures_add_up_over_games_and_byes_add_none() -> None:
    """Ada 9 + 2, Bo 4 + 1, Cy a bye and 7: by the first figure Ada, Cy, Bo; by the second Cy 3, Bo 1 + 1, Ada 0."""
    results = [
        Result(1, "a", "b", 5, 5, also=((9, 4), (0, 1))),
        Result(1, "c", None),
        Result(2, "a", "c", 5, 5, also=((2, 7), (0, 3))),
        Result(2, "b", "d", 5, 5, also=((1, 0), (1, 0))),
    ]
    people = [Entrant(id_, id_) for id_ in "abcd"]

    def figures(tie_break: str) -> dict[str, int]:
        scheme = Scheme(win=1, draw=1, tie_breaks=(tie_break,))
        return {row.id: int(row.figures[0].value) for row in ranking_rows(results, people, scheme)}

    assert figures("second") == {"a": 11, "c": 7, "b": 5, "d": 0}
    assert figures("third") == {"c": 3, "b": 2, "a": 0, "d": 0}


def test_losses_count_for_the_enemy() -> None:
    game = SYSTEMS["new_vegas"]
    scenario = next(one for one in game.scenarios if any(q.key == "a.lost" for q in one.questions))
    assert figures_of(game, scenario, {"a.lost": 1, "b.lost": 4}).also == ((4, 1),)


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_figure_is_asked_by_a_scenario_of_its_game(system: str) -> None:
    game = SYSTEMS[system]
    asked = {question.key[2:] for scenario in game.scenarios for question in scenario.questions}
    assert {figure.key for figure in game.scoring.tie_figures} <= asked
    assert len({*OTHER_FIGURES} & tie_breaks_in(game).keys()) == len(game.scoring.tie_figures) <= len(OTHER_FIGURES)


def test_event_ranks_by_objectives_where_its_organiser_says_so(olga: Person, stage: Stage, event: Event) -> None:
    ids = {player.id: player.name for player in stage.enter(event, *NAMES)}
    olga.press("Save", at=TIES, inside="#tie-breaks", **{"tie-breaks-tie_breaks-0": "second"})
    assert [one.id for one in ordered_by(stage.now(event))][:1] == ["second"]
    scored: dict[str, tuple[int, int]] = {}
    for game, (a, b, more) in zip(stage.publish(event, 1), ((3, 1, 0), (2, 0, 3)), strict=True):
        stage.report(event, game, ReportSide.ORGANISER, {"a.objectives": a, "b.objectives": b, "a.r6": more})
        scored |= {ids[game.a_id]: (a, a + more), ids[game.b_id or 0]: (b, b)}
    found = [(row.name, (int(row.figures[0].value), row.vp)) for row in stage.standings(event)]
    assert dict(found) == scored
    assert [one for _, one in found] == [(3, 3), (2, 5), (1, 1), (0, 0)], "more objectives before more VP"
    head = olga.open("/e/iron-open/standings").soup.select_one("table.standings thead")
    assert head and "Objectives" in head.get_text()


def test_reports_of_totals_ask_for_the_figure_only_where_it_breaks_ties(stage: Stage, event: Event) -> None:
    stage.set(event, report_detail=ReportDetail.TOTALS)
    scenario = SYSTEMS["battle_mode"].scenarios[0]
    assert [q.key for q in as_reported(event, scenario).questions] == ["a.total", "b.total"]
    stage.set(event, tie_breaks=["second", "lots"])
    kept = as_reported(event, scenario)
    assert [q.key for q in kept.questions] == ["a.total", "b.total", "a.objectives", "b.objectives"]
    assert [row.most for row in score_form(kept).a] == [5], "its row on paper"
    answers = {"a.total": 9, "b.total": 4, "a.objectives": 1, "b.objectives": 2}
    found = figures_of(SYSTEMS["battle_mode"], kept, answers)
    assert (found.a, found.b, found.also) == (9, 4, ((1, 2),))


def test_reports_without_figures_rank_without_them(stage: Stage, event: Event) -> None:
    stage.set(event, tie_breaks=["second", "sos"], report_detail=ReportDetail.OUTCOME)
    assert [one.id for one in ordered_by(event)] == ["sos"]
    other = stage.event("Skirmish", game="fallout_skirmish")
    stage.set(other, tie_breaks=["third", "sos"])
    assert [one.id for one in ordered_by(other)] == ["sos"]
