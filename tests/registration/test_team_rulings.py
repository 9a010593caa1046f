"""Penalties and bonuses of teams: where they count, and how they are taken back."""

from typing import Any

import pytest

from events.play.errors import Refused
from events.play.queries import players_of
from events.play.rounds import round_views
from events.play.rulings import Counts
from events.registration.ruling_views import Given, give_ruling, take_back_ruling
from events.registration.team_actions import remove_team
from events.rounds.drawing import is_stale
from events.standings.queries import team_standings
from events.standings.ranking import Row
from models.award import Card
from models.event import Event
from models.play import Player
from models.team import Team
from tests.kit.stage import Stage
from tests.kit.team_events import decide_all, enter_teams, team_event
from tests.registration.test_rulings import count, points_drawn


@pytest.fixture
def event(stage: Stage) -> Event:
    """Four teams of two have played a round; the Reds and one other team won theirs."""
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues", "Greens", "Yellows")
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    return event


def give(stage: Stage, event: Event, name: str, **given: Any) -> Any:
    return stage.do(event, give_ruling, stage.one(Team, name=name), Given("late to the tables", **given))


def rows(stage: Stage, event: Event, after: int | None = None) -> dict[str, Row]:
    stage.s.rollback()
    return {row.name: row for row in team_standings(stage.s, event, after)}


@pytest.mark.both_at_length
def test_team_penalty_counts_in_points_and_vp_with_its_arithmetic(stage: Stage, event: Event) -> None:
    before, people = rows(stage, event), stage.standings(event)
    ruling = give(stage, event, "Reds", points=-4, vp=-5)
    now = rows(stage, event)
    reds = now["Reds"]
    assert (reds.points, reds.vp, reds.rank) == (before["Reds"].points - 4, before["Reds"].vp - 5, 4)
    assert reds.how["points"] == "1 win × 3 + −4 penalty = −1"
    assert reds.how["vp"].endswith(f"+ −5 (rulings) = {reds.vp}")
    assert all(now[name].points == before[name].points for name in before if name != "Reds")
    assert stage.standings(event) == people, "the players' standings are separate"
    for _ in range(2):
        stage.do(event, take_back_ruling, ruling)
    assert rows(stage, event) == before
    assert stage.journal(event)[-2:] == [
        "Reds: −4 tournament points, −5 VP, for the event. late to the tables",
        "Reds: took back −4 tournament points, −5 VP, for the event",
    ]


def test_team_is_unaffected_by_players_rulings_and_where_they_do_not_count(stage: Stage, event: Event) -> None:
    before = rows(stage, event)
    stage.do(event, give_ruling, stage.one(Player, name="Reds 1"), Given("slow", points=-3, vp=-9))
    assert rows(stage, event) == before
    assert next(one for one in stage.standings(event) if one.name == "Reds 1").points == 0, "the control: won, fined 3"
    give(stage, event, "Reds", points=-2, vp=-3)
    for where in (Counts.OVERALL, Counts.NOTHING):
        count(stage, event, where)
        assert rows(stage, event) == before, where


def test_team_ruling_counts_from_its_round_on(stage: Stage, event: Event) -> None:
    stage.publish(event, 2)
    decide_all(stage, event, 2)

    def points() -> list[int]:
        return [rows(stage, event, after)[name].points for name in ("Reds", "Blues") for after in (1, 2)]

    before = points()
    give(stage, event, "Reds", points=-1, round_number=1)
    give(stage, event, "Blues", points=2)
    assert [now - then for now, then in zip(points(), before, strict=True)] == [-1, -1, 0, 2]
    assert "+ 2 bonus of the staff" in rows(stage, event)["Blues"].how["points"]


def test_conduct_ranks_tied_teams_only_as_a_chosen_tie_break(stage: Stage, event: Event) -> None:
    count(stage, event, Counts.TIE_BREAK)
    first, second = (name for name, row in rows(stage, event).items() if row.points == 3)
    give(stage, event, first, points=-1)
    assert [*rows(stage, event)][:2] == [first, second], "not among the event's tie-breaks"
    with stage.changing(event):
        event.tie_breaks = ["vp", "conduct", "lots"]
    now = rows(stage, event)
    assert [*now][:2] == [second, first]
    assert (now[first].points, now[first].figures[-2].shown) == (3, "−1")


@pytest.mark.slow
def test_team_ruling_moves_groups_and_makes_a_draft_stale_only_by_setting(stage: Stage, event: Event) -> None:
    reds = f"t{stage.one(Team, name='Reds').id}"
    for groups, moved in ((False, 0), (True, -3)):
        count(stage, event, Counts.POINTS, ruling_groups=groups)
        before = points_drawn(stage, event, 2)
        ruling = give(stage, event, "Reds", points=-3)
        stage.s.rollback()
        assert is_stale(event, players_of(stage.s, event), round_views(stage.s, event), 2) == groups
        assert points_drawn(stage, event, 2) == before | {reds: before[reds] + moved}
        stage.do(event, take_back_ruling, ruling)


def test_team_gets_no_card_and_is_not_deleted_with_a_ruling(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    with pytest.raises(Refused) as refused:
        give(stage, event, "Reds", card=Card.YELLOW)
    assert refused.value.field == "card"
    give(stage, event, "Reds", points=-1)
    with pytest.raises(Refused, match="stays on record"):
        stage.do(event, remove_team, stage.one(Team, name="Reds"))
    stage.do(event, remove_team, stage.one(Team, name="Blues"))
    assert [team.name for team in stage.all(Team)] == ["Reds"]
