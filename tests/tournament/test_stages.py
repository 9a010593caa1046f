"""What a stage answers, for each kind of rounds."""

import pytest

from events.tournament.boards import stage_of
from events.tournament.season import Season

ROUNDS, LADDER = Season(), Season(kind="ladder")


@pytest.mark.parametrize(
    ("kind", "season", "counts", "answers"),
    [
        ("swiss", None, "complete", "byes_score by_points stands_in has_rounds"),
        ("swiss", ROUNDS, "at once", "byes_score by_points stands_in by_days has_rounds"),
        ("round_robin", None, "complete", "opens_together stands_in crossed sets_rounds has_rounds"),
        ("round_robin", ROUNDS, "at once", "opens_together stands_in by_days crossed sets_rounds has_rounds"),
        ("swiss", LADDER, "at once", "opens_together stands_in by_days by_ladder"),
        ("round_robin", LADDER, "at once", "opens_together stands_in by_days crossed sets_rounds by_ladder"),
        ("knockout", None, "places", "byes_score one_wins sets_rounds has_rounds"),
        ("knockout", LADDER, "places", "byes_score one_wins by_days sets_rounds has_rounds"),
    ],
)
def test_stage_of_players(kind: str, season: Season | None, counts: str, answers: str) -> None:
    stage = stage_of(kind, season, teams=False)
    assert stage.counts == counts
    assert {name for name, value in vars(stage).items() if value is True} == set(answers.split())


def test_rounds_of_teams_wait_for_each_other_and_know_no_stand_in() -> None:
    swiss, robin = (stage_of(kind, None, teams=True) for kind in ("swiss", "round_robin"))
    assert swiss.by_points
    assert not (robin.opens_together or swiss.stands_in or robin.stands_in)
