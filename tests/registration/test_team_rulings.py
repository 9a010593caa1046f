"""Penalties and bonuses of teams: where they count, and how they are taken back."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from events.journal import undo
from events.play.errors import Refused
from events.play.queries import players_of
from events.play.rounds import round_views
from events.play.rulings import Counts, SoftRules, to_document
from events.registration.ruling_views import Given, give_ruling, give_team_ruling, take_back_team_ruling
from events.registration.team_actions import remove_team
from events.rounds.drawing import is_stale
from events.standings.queries import team_standings
from events.standings.ranking import Row
from models.award import Card, TeamRuling
from models.event import Event, Round
from models.play import Player
from models.team import Team
from tests.kit.stage import BY, Stage
from tests.kit.team_events import decide_all, enter_teams, team_event


@pytest.fixture
def event(stage: Stage) -> Event:
    """Four teams of two have played a round; the Reds and one other team won theirs."""
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues", "Greens", "Yellows")
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    return event


def give(stage: Stage, event: Event, name: str, **given: Any) -> TeamRuling:
    team = stage.one(Team, name=name)
    with stage.changing(event) as s:
        return give_team_ruling(s, event, team, Given("late to the tables", **given), BY, stage.clock())


def count(stage: Stage, event: Event, rulings: Counts, **changed: Any) -> None:
    with stage.changing(event):
        event.soft_rules = to_document(replace(SoftRules(rulings_count=rulings), **changed))


def rows(stage: Stage, event: Event, after: int | None = None) -> dict[str, Row]:
    stage.s.rollback()
    return {row.name: row for row in team_standings(stage.s, event, after)}


def points_drawn(stage: Stage, event: Event, number: int) -> dict[str, int]:
    """Each team's points as the draw of a round saw them."""
    stage.draw(event, number)
    names = {f"t{team.id}": team.name for team in stage.all(Team, event_id=event.id)}
    return {names[seat["id"]]: seat["points"] for seat in (stage.one(Round, number=number).inputs or {})["seats"]}


@pytest.mark.both_at_length
def test_team_penalty_counts_in_points_and_vp_with_its_arithmetic(stage: Stage, event: Event) -> None:
    before, people = rows(stage, event), stage.standings(event)
    ruling = give(stage, event, "Reds", points=-4, vp=-5)
    now = rows(stage, event)
    assert (now["Reds"].points, now["Reds"].vp) == (before["Reds"].points - 4, before["Reds"].vp - 5)
    assert now["Reds"].how["points"] == "1 win × 3 + −4 penalty = −1"
    assert now["Reds"].how["vp"].endswith(f"+ −5 (rulings) = {now['Reds'].vp}")
    assert [name for name, row in now.items() if row.rank == 4] == ["Reds"], "from the first rank to the last"
    assert {**now, "Reds": 0}.keys() == before.keys()
    assert all(now[name].points == before[name].points for name in before if name != "Reds")
    assert stage.standings(event) == people, "the players' standings are separate"
    for _ in range(2):
        with stage.changing(event) as s:
            take_back_team_ruling(s, event, ruling, BY, stage.clock())
    assert rows(stage, event) == before
    assert stage.journal(event)[-2:] == [
        "Reds: −4 tournament points, −5 VP, for the event. late to the tables",
        "Reds: took back −4 tournament points, −5 VP, for the event",
    ]


def test_team_is_unaffected_by_players_rulings_and_where_they_do_not_count(stage: Stage, event: Event) -> None:
    before = rows(stage, event)
    with stage.changing(event) as s:
        player = stage.one(Player, name="Reds 1")
        give_ruling(s, event, player, Given("slow", points=-3, vp=-9), BY, stage.clock())
    assert rows(stage, event) == before
    assert next(one for one in stage.standings(event) if one.name == "Reds 1").points == 0, "the control: won, fined 3"
    give(stage, event, "Reds", points=-2, vp=-3)
    for where in (Counts.OVERALL, Counts.NOTHING):
        count(stage, event, where)
        assert rows(stage, event) == before, where


def test_team_ruling_counts_from_its_round_on(stage: Stage, event: Event) -> None:
    stage.publish(event, 2)
    decide_all(stage, event, 2)
    before = [rows(stage, event, after) for after in (1, 2)]
    give(stage, event, "Reds", points=-1, round_number=1)
    give(stage, event, "Blues", points=2)
    now = [rows(stage, event, after) for after in (1, 2)]
    moved = {
        name: [b[name].points - a[name].points for a, b in zip(before, now, strict=True)] for name in ("Reds", "Blues")
    }
    assert moved == {"Reds": [-1, -1], "Blues": [0, 2]}
    assert now[1]["Blues"].how["points"].endswith(f"+ 2 bonus of the staff = {now[1]['Blues'].points}")


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
    for groups, moved in ((False, 0), (True, -3)):
        count(stage, event, Counts.POINTS, ruling_groups=groups)
        before = points_drawn(stage, event, 2)
        ruling = give(stage, event, "Reds", points=-3)
        stage.s.rollback()
        assert is_stale(event, players_of(stage.s, event), round_views(stage.s, event), 2) == groups
        assert points_drawn(stage, event, 2) == before | {"Reds": before["Reds"] + moved}
        with stage.changing(event) as s:
            take_back_team_ruling(s, event, ruling, BY, stage.clock())


def test_faulty_team_ruling_is_refused_at_its_field_and_not_stored(stage: Stage, event: Event) -> None:
    before = stage.digest()
    faulty: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "points"), ({"points": 1, "round_number": 2}, "round_number"), ({"card": Card.YELLOW}, "card"),
    )  # fmt: skip
    for given, field in faulty:
        with pytest.raises(Refused) as refused:
            give(stage, event, "Reds", **given)
        assert refused.value.field == field, given
    assert stage.digest() == before


def test_undo_of_the_last_step_removes_a_team_ruling(stage: Stage, event: Event) -> None:
    before = rows(stage, event)
    give(stage, event, "Reds", points=-3)
    with stage.changing(event) as s:
        step = undo.last_steps(s, event)[-1]
        undo.undo(s, event, step.id, BY, stage.clock())
    assert rows(stage, event) == before
    assert not stage.all(TeamRuling)


def test_team_with_a_ruling_is_not_deleted(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    give(stage, event, "Reds", points=-1)
    with pytest.raises(Refused, match="stays on record"), stage.changing(event) as s:
        remove_team(s, event, stage.one(Team, name="Reds"), BY, stage.clock())
    with stage.changing(event) as s:
        remove_team(s, event, stage.one(Team, name="Blues"), BY, stage.clock())
    assert [team.name for team in stage.all(Team)] == ["Reds"]


@pytest.mark.both_databases
def test_database_refuses_a_team_ruling_that_gives_nothing(stage: Stage) -> None:
    event = team_event(stage, size=2)
    team, *_ = enter_teams(stage, event, "Reds")
    with pytest.raises(IntegrityError, match="gives_something"), stage.changing(event) as s:
        s.add(TeamRuling(event_id=event.id, team_id=team.id, after_round=1, reason="x", by=BY, at=stage.clock()))
        s.flush()  # the database is asked at once
