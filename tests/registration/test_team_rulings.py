"""Penalties and bonuses of whole teams: where they count, what a player's own does not, and how they are taken back."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from events.journal import undo
from events.play.errors import Refused
from events.play.queries import players_of, round_views
from events.play.rulings import Counts, SoftRules, to_document
from events.registration.rulings import Given, give_ruling, give_team_ruling, take_back_team_ruling
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
        wanted = Given(given.pop("reason", "late to the tables"), **given)
        return give_team_ruling(s, event, team, wanted, BY, stage.clock())


def take_back(stage: Stage, event: Event, ruling: TeamRuling) -> None:
    with stage.changing(event) as s:
        take_back_team_ruling(s, event, ruling, BY, stage.clock())


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


@pytest.mark.both_databases
def test_a_penalty_of_a_team_counts_in_its_points_and_vp_with_the_arithmetic(stage: Stage, event: Event) -> None:
    before, people = rows(stage, event), stage.standings(event)
    ruling = give(stage, event, "Reds", points=-4, vp=-5)
    now = rows(stage, event)
    assert (now["Reds"].points, now["Reds"].vp) == (before["Reds"].points - 4, before["Reds"].vp - 5)
    assert now["Reds"].how["points"] == "1 win × 3 + −4 penalty = −1"
    assert now["Reds"].how["vp"].endswith(f"+ −5 (rulings) = {now['Reds'].vp}")
    assert [name for name, row in now.items() if row.rank == 4] == ["Reds"], "from the first place to the last"
    assert {name: row.points for name, row in now.items() if name != "Reds"} == {
        name: row.points for name, row in before.items() if name != "Reds"
    }
    assert stage.standings(event) == people, "the players' standings are their own"
    take_back(stage, event, ruling)
    take_back(stage, event, ruling)
    assert rows(stage, event) == before
    assert stage.journal(event)[-2:] == [
        "Reds: −4 tournament points, −5 VP, for the event. late to the tables",
        "Reds: took back −4 tournament points, −5 VP, for the event",
    ]


def test_a_player_s_own_penalty_changes_nothing_of_the_team(stage: Stage, event: Event) -> None:
    before = rows(stage, event)
    with stage.changing(event) as s:
        player = stage.one(Player, name="Reds 1")
        give_ruling(s, event, player, Given("slow", points=-3, vp=-9), BY, stage.clock())
    assert rows(stage, event) == before
    assert next(one for one in stage.standings(event) if one.name == "Reds 1").points == 0, "the control: won, fined 3"


def test_one_for_a_round_counts_from_that_round_on_and_one_for_the_event_from_then(stage: Stage, event: Event) -> None:
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


@pytest.mark.parametrize("where", [Counts.OVERALL, Counts.NOTHING])
def test_elsewhere_it_leaves_the_teams_alone(stage: Stage, event: Event, where: Counts) -> None:
    before = rows(stage, event)
    count(stage, event, where)
    give(stage, event, "Reds", points=-2, vp=-3)
    assert rows(stage, event) == before


def test_conduct_parts_teams_before_lots_where_the_event_has_that_tie_break(stage: Stage, event: Event) -> None:
    count(stage, event, Counts.TIE_BREAK)
    winners = [name for name, row in rows(stage, event).items() if row.points == 3]
    first, second = winners
    give(stage, event, first, points=-1)
    assert [*rows(stage, event)][:2] == [first, second], "not among the event's tie-breaks"
    with stage.changing(event):
        event.tie_breaks = ["vp", "conduct", "lots"]
    now = rows(stage, event)
    assert [*now][:2] == [second, first]
    assert (now[first].points, now[first].figures[-2].shown) == (3, "−1")


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "moved"), [(True, -3), (False, 0)])
def test_its_points_move_a_team_between_groups_and_make_a_draft_stale(
    stage: Stage, event: Event, groups: bool, moved: int
) -> None:
    count(stage, event, Counts.POINTS, ruling_groups=groups)
    before = points_drawn(stage, event, 2)
    give(stage, event, "Reds", points=-3)
    stage.s.rollback()
    stale = is_stale(event, players_of(stage.s, event), round_views(stage.s, event), 2)
    now = points_drawn(stage, event, 2)
    assert now["Reds"] - before["Reds"] == moved
    assert stale == groups
    assert {name: p for name, p in now.items() if name != "Reds"} == {
        name: p for name, p in before.items() if name != "Reds"
    }


@pytest.mark.slow
@pytest.mark.parametrize(("given", "field"), [
    ({}, "points"),
    ({"points": 1, "round_number": 2}, "round_number"),
    ({"card": Card.YELLOW}, "card"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_at_its_field_and_stores_nothing(
    stage: Stage, event: Event, given: dict[str, Any], field: str
) -> None:
    before = stage.digest()
    with pytest.raises(Refused) as refused:
        give(stage, event, "Reds", **given)
    assert refused.value.field == field
    assert stage.digest() == before


def test_the_last_step_takes_it_back_as_a_player_s(stage: Stage, event: Event) -> None:
    before = rows(stage, event)
    give(stage, event, "Reds", points=-3)
    with stage.changing(event) as s:
        step = undo.last_steps(s, event)[-1]
        undo.undo(s, event, step.id, BY, stage.clock())
    assert rows(stage, event) == before
    assert not stage.all(TeamRuling)


def test_a_team_about_which_there_is_one_is_not_taken_apart(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    give(stage, event, "Reds", points=-1)
    with pytest.raises(Refused, match="stays to be read"), stage.changing(event) as s:
        remove_team(s, event, stage.one(Team, name="Reds"), BY, stage.clock())
    with stage.changing(event) as s:
        remove_team(s, event, stage.one(Team, name="Blues"), BY, stage.clock())
    assert [team.name for team in stage.all(Team)] == ["Reds"]


@pytest.mark.both_databases
def test_the_database_takes_no_ruling_that_gives_nothing(stage: Stage, event: Event) -> None:
    team = stage.one(Team, name="Reds")
    with pytest.raises(IntegrityError, match="gives_something"), stage.changing(event) as s:
        s.add(TeamRuling(event_id=event.id, team_id=team.id, after_round=1, reason="x", by=BY, at=stage.clock()))
        s.flush()  # the database is asked at once
