"""Penalties, bonuses and cards of players and of teams: where they count, what they cost, who reads the reason."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from events.registration.forms import Follows, Given
from events.registration.leaving import reinstate
from events.registration.ruling_views import give_ruling, take_back_ruling
from events.registration.team_actions import remove_team
from events.rounds.inputs import is_stale
from events.standings.queries import standings_of
from events.store.errors import Refused
from events.store.tournaments import load
from events.tournament.ranking import Row
from events.tournament.soft_rules import Counts, SoftRules
from models.award import Card, Ruling, TeamRuling
from models.team import Team
from tests.kit.people import Links, let_in
from tests.kit.person import Enter, Person
from tests.kit.stage import Event, Player, PlayerState, Role, Round, Stage
from tests.kit.team_events import decide_all, enter_teams, team_event

NAMES = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def event(stage: Stage) -> Event:
    event = stage.event(rounds=4, tie_breaks=("vp", "conduct", "lots"), players=NAMES)
    stage.play(event, 1)
    stage.play(event, 2)
    return event


def count(stage: Stage, event: Event, rulings: Counts, **changed: Any) -> None:
    stage.set(event, soft_rules=replace(SoftRules(rulings_count=rulings), **changed))


def give(stage: Stage, event: Event, name: str, **given: Any) -> Any:
    found: list[Player | Team] = [*stage.all(Player, name=name), *stage.all(Team, name=name)]
    return stage.do(event, give_ruling, found[0], Given("late to the tables", **given))


def row(stage: Stage, event: Event, name: str, after: int | None = None) -> Row:
    return next(standing for standing in stage.standings(event, after) if standing.name == name)


def points_drawn(stage: Stage, event: Event, number: int) -> dict[str, int]:
    stage.draw(event, number)
    return {seat["id"]: seat["points"] for seat in (stage.one(Round, number=number).inputs or {})["seats"]}


def test_penalty_and_bonus_count_in_points_and_vp_with_their_arithmetic(stage: Stage, event: Event) -> None:
    before = row(stage, event, "Ada")
    ruling = give(stage, event, "Ada", points=-2, vp=-3, card=Card.YELLOW, round_number=2)
    now = row(stage, event, "Ada")
    assert (now.points, now.vp, now.vp_difference) == (before.points - 2, before.vp - 3, before.vp_difference - 3)
    assert str(now.how["points"]) == "2 wins × 3 + −2 penalty = 4"
    assert str(now.how["vp"]).endswith(f"+ −3 (rulings) = {now.vp}")
    assert "late to the tables" not in str(now)
    for points in (5, -1):
        give(stage, event, "Di", points=points)
    assert str(row(stage, event, "Di").how["points"]).endswith("+ 4 bonus of the staff = 4")
    for _ in range(2):
        stage.do(event, take_back_ruling, ruling)
    assert row(stage, event, "Ada") == before
    journal = [line for line in stage.journal(event) if line.startswith("Ada: ")]
    assert journal == [
        "Ada: Yellow card, −2 tournament points, −3 VP, round 2. late to the tables",
        "Ada: withdrew Yellow card, −2 tournament points, −3 VP, round 2",
    ]


def test_ruling_counts_from_its_round_on_where_the_event_says(stage: Stage, event: Event) -> None:
    def points() -> list[int]:
        return [row(stage, event, name, after).points for name in ("Ada", "Bo") for after in (1, 2)]

    before, then = row(stage, event, "Ada"), points()
    give(stage, event, "Ada", points=-2, vp=-3, round_number=1)
    give(stage, event, "Bo", points=-1)
    assert [now - old for now, old in zip(points(), then, strict=True)] == [-2, -2, 0, -1]
    for where in (Counts.TIE_BREAK, Counts.OVERALL, Counts.NOTHING):
        count(stage, event, where)
        now = row(stage, event, "Ada")
        assert (now.points, now.vp) == (before.points, before.vp), where
        assert str(now.figures[1].shown) == ("−2" if where == Counts.TIE_BREAK else "0"), where


def test_ruling_moves_a_player_between_groups_only_by_setting(stage: Stage, event: Event) -> None:
    seats = points_drawn(stage, event, 3)
    give(stage, event, "Ada", points=-3)
    ada = str(stage.one(Player, name="Ada").id)
    for groups, moved in ((True, -3), (False, 0)):
        count(stage, event, Counts.POINTS, ruling_groups=groups)
        assert points_drawn(stage, event, 3) == seats | {ada: seats[ada] + moved}, groups


def test_red_card_loses_the_game_and_keeps_the_vp(stage: Stage, event: Event) -> None:
    game = stage.games(event, 2)[0]
    winner, loser = stage.name(min(game.a_id, game.b_id or 0)), stage.name(max(game.a_id, game.b_id or 0))
    before = row(stage, event, winner), row(stage, event, loser)
    ruling = give(stage, event, winner, card=Card.RED, round_number=2, follows=Follows.GAME_LOST)
    after = row(stage, event, winner), row(stage, event, loser)
    assert [(b.wins - a.wins, b.losses - a.losses, a.vp - b.vp) for a, b in zip(before, after, strict=True)] == [
        (-1, 1, 0), (1, -1, 0),
    ]  # fmt: skip
    lost = {"card": Card.RED, "round_number": 2, "follows": Follows.GAME_LOST}
    stage.refuse_to("one player must win", give, stage, event, loser, **lost)
    stage.do(event, take_back_ruling, ruling)
    assert (row(stage, event, winner), row(stage, event, loser)) == before


def test_second_yellow_card_is_red_only_by_setting(stage: Stage, event: Event) -> None:
    give(stage, event, "Bo", card=Card.YELLOW)
    words = "second yellow card of Bo is a red card"
    assert stage.refuse_to(words, give, stage, event, "Bo", card=Card.YELLOW).field == "follows"
    give(stage, event, "Bo", card=Card.YELLOW, follows=Follows.DISQUALIFIED)
    count(stage, event, Counts.POINTS, second_yellow=False)
    for _ in range(2):
        give(stage, event, "Cy", card=Card.YELLOW)
    assert stage.now(stage.one(Player, name="Cy")).state == PlayerState.CHECKED_IN


def test_disqualified_player_is_last_and_returns_only_after_it_is_taken_back(stage: Stage, event: Event) -> None:
    points = {standing.name: standing.points for standing in stage.standings(event)}
    ruling = give(stage, event, "Ada", card=Card.RED, follows=Follows.DISQUALIFIED)
    rows = stage.standings(event)
    assert [(pair.name, pair.disqualified) for pair in rows][-1] == ("Ada", True)
    assert [pair.rank for pair in rows] == [1, 2, 3, 4]
    assert {pair.name: pair.points for pair in rows} == points, "games against her count"
    ada = stage.now(stage.one(Player, name="Ada"))
    assert ada.state == PlayerState.DROPPED
    stage.refuse("disqualified", event, reinstate, ada)
    stage.do(event, take_back_ruling, ruling)
    assert stage.standings(event)[0].name == "Ada"
    stage.do(event, reinstate, ada)
    assert stage.now(ada).state == PlayerState.CHECKED_IN


def test_faulty_ruling_is_refused_at_its_field_and_not_stored(stage: Stage, event: Event) -> None:
    with stage.unchanged():
        faulty: tuple[tuple[dict[str, Any], str], ...] = (
            ({}, "points"),
            ({"points": 1, "round_number": 3}, "round_number"),
            ({"card": Card.RED}, "follows"),
            ({"points": -1, "follows": Follows.DISQUALIFIED}, "follows"),
            ({"card": Card.RED, "follows": Follows.GAME_LOST}, "round_number"),
        )
        for given, field in faulty:
            with pytest.raises(Refused) as refused:
                give(stage, event, "Ada", **given)
            assert refused.value.field == field, given


@pytest.fixture
def teams(stage: Stage) -> Event:
    """Four teams of two have played a round; the Reds and one other team won theirs."""
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues", "Greens", "Yellows")
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    return event


def rows(stage: Stage, event: Event, after: int | None = None) -> dict[str, Row]:
    stage.s.rollback()
    return {row.name: row for row in standings_of(event).of_teams(after)}


@pytest.mark.both_at_length
def test_team_penalty_counts_in_points_and_vp_with_its_arithmetic(stage: Stage, teams: Event) -> None:
    before, people = rows(stage, teams), stage.standings(teams)
    ruling = give(stage, teams, "Reds", points=-4, vp=-5)
    now = rows(stage, teams)
    reds = now["Reds"]
    assert (reds.points, reds.vp, reds.rank) == (before["Reds"].points - 4, before["Reds"].vp - 5, 4)
    assert str(reds.how["points"]) == "1 win × 3 + −4 penalty = −1"
    assert str(reds.how["vp"]).endswith(f"+ −5 (rulings) = {reds.vp}")
    assert all(now[name].points == before[name].points for name in before if name != "Reds")
    assert stage.standings(teams) == people, "the players' standings are separate"
    for _ in range(2):
        stage.do(teams, take_back_ruling, ruling)
    assert rows(stage, teams) == before
    assert stage.journal(teams)[-2:] == [
        "Reds: −4 tournament points, −5 VP, for the event. late to the tables",
        "Reds: withdrew −4 tournament points, −5 VP, for the event",
    ]


def test_team_is_unaffected_by_players_rulings_and_where_they_do_not_count(stage: Stage, teams: Event) -> None:
    before = rows(stage, teams)
    stage.do(teams, give_ruling, stage.one(Player, name="Reds 1"), Given("slow", points=-3, vp=-9))
    assert rows(stage, teams) == before
    assert next(standing for standing in stage.standings(teams) if standing.name == "Reds 1").points == 0, (
        "the control: won, fined 3"
    )
    give(stage, teams, "Reds", points=-2, vp=-3)
    for where in (Counts.OVERALL, Counts.NOTHING):
        count(stage, teams, where)
        assert rows(stage, teams) == before, where
    count(stage, teams, Counts.POINTS)
    before = rows(stage, teams)
    stage.publish(teams, 2)
    decide_all(stage, teams, 2)
    give(stage, teams, "Reds", points=-1, round_number=2)
    assert rows(stage, teams, 1) == before, "not before its round"


def test_conduct_ranks_tied_teams_only_as_a_chosen_tie_break(stage: Stage, teams: Event) -> None:
    count(stage, teams, Counts.TIE_BREAK)
    first, second = (name for name, row in rows(stage, teams).items() if row.points == 3)
    give(stage, teams, first, points=-1)
    assert [*rows(stage, teams)][:2] == [first, second], "not among the event's tie-breaks"
    stage.set(teams, tie_breaks=["vp", "conduct", "lots"])
    now = rows(stage, teams)
    assert [*now][:2] == [second, first]
    assert (now[first].points, str(now[first].figures[-2].shown)) == (3, "−1")


@pytest.mark.slow
def test_team_ruling_moves_groups_and_makes_a_draft_stale_only_by_setting(stage: Stage, teams: Event) -> None:
    reds = f"t{stage.one(Team, name='Reds').id}"
    for groups, moved in ((False, 0), (True, -3)):
        count(stage, teams, Counts.POINTS, ruling_groups=groups)
        before = points_drawn(stage, teams, 2)
        ruling = give(stage, teams, "Reds", points=-3)
        stage.s.rollback()
        assert is_stale(load(teams), 2) == groups
        assert points_drawn(stage, teams, 2) == before | {reds: before[reds] + moved}
        stage.do(teams, take_back_ruling, ruling)


def test_team_gets_no_card_and_is_not_deleted_with_a_ruling(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    with pytest.raises(Refused) as refused:
        give(stage, event, "Reds", card=Card.YELLOW)
    assert refused.value.field == "card"
    give(stage, event, "Reds", points=-1)
    stage.refuse("stays on record", event, remove_team, stage.one(Team, name="Reds"))
    stage.do(event, remove_team, stage.one(Team, name="Blues"))
    assert [team.name for team in stage.all(Team)] == ["Reds"]


DESK = "/e/iron-open/desk/rulings"
EVENT = "/e/iron-open"
CANARY = "was seen moving a marker twice"


def test_reason_is_shown_only_to_player_and_staff(olga: Person, visitor: Person, enter: Enter, stage: Stage) -> None:
    event = stage.event()
    ada, bo = enter(event, "Ada", "Bo")
    stage.play(event, 1)
    page = olga.press("Give", at=DESK, player="Ada", points="-2", reason=CANARY, round_number="1", card="yellow")
    assert page.flashes == "Stored. Ada can read it with its reason."
    assert page.rows("table")[0][1] == "Yellow card −2 tournament points, round 1"
    mine = ada.open(f"{EVENT}/me").part("#rulings")
    assert CANARY in mine and "−2 tournament points" in mine
    public = ("standings", "players/1", "hall", "")
    for person, pages in ((bo, ("me", "me/journal", *public)), (visitor, public)):
        for address in pages:
            assert CANARY not in person.open(f"{EVENT}/{address}".rstrip("/")).text, address
    assert "−2 penalty = 1" in visitor.open(f"{EVENT}/standings").text


def test_lost_game_and_disqualification_are_public(olga: Person, visitor: Person, stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo"))
    stage.play(event, 1)
    page = olga.press("Give", at=DESK, player="Ada", card="red", reason="shouts")
    assert (page.status, page.value("reason")) == (422, "shouts")
    assert "costs the game or the event" in page.error_at("follows")
    olga.press("Give", follows="game_lost", round_number="1")
    assert "lost by a card" in visitor.open(f"{EVENT}/rounds/1").text
    assert visitor.open(f"{EVENT}/standings").rows("table")[0][1].startswith("Bo")
    olga.press("Withdraw")
    assert stage.one(Ruling).taken_back_by == "owner Olga"
    assert olga.page.rows("table")[0][-1] == "withdrawn by owner Olga"
    assert "Withdraw" not in [button.text for button in olga.page.soup.find_all("button")]
    olga.press("Give", player="Bo", card="red", follows="disqualified", reason="x")
    rows = visitor.open(f"{EVENT}/standings").rows("table")
    assert (rows[-1][0], rows[-1][1]) == ("–", "Bo disqualified")


def test_disqualifying_names_the_games_that_change_and_asks(olga: Person, stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo"))
    stage.publish(event, 1)
    with stage.unchanged():
        page = olga.press("Give", at=DESK, player="Ada", card="red", follows="disqualified", reason="shouts")
    assert page.error_at("sure") == (
        "Ada leaves at once. 1 open game is lost: round 1 against Bo. Tick the box to go on."
    )
    assert page.value("reason") == "shouts"
    olga.press("Give", sure=True)
    assert stage.one(Ruling).disqualifies and stage.one(Player, name="Ada").state == PlayerState.DROPPED
    assert "Bring the player back" in olga.press("Withdraw", at=DESK).flashes, "the player is still dropped"


def test_reason_of_a_team_is_shown_only_to_its_players_and_staff(
    app: Flask, olga: Person, visitor: Person, link_of: Links, stage: Stage, teams: Event
) -> None:
    red, blue = Person(app), Person(app)
    red.open(link_of(stage.one(Player, name="Reds 2")))
    blue.open(link_of(stage.one(Player, name="Blues 1")))
    reds = stage.one(Team, name="Reds")
    about = f"{EVENT}/teams/{reds.id}"
    olga.open(f"{EVENT}/desk/teams/{reds.id}")
    assert olga.page.soup.select(f"a[href='{DESK}?player=t{reds.id}']")
    page = olga.press("Give", at=f"{DESK}?player=t{reds.id}", points="-2", reason=CANARY, round_number="1")
    assert page.flashes == "Stored. The players of Reds can read it with its reason."
    assert page.rows("table")[0][:2] == ["Reds", "−2 tournament points, round 1"]
    for person, pages in ((red, (about, f"{EVENT}/me", f"{EVENT}/me/journal")), (olga, (about, DESK))):
        for address in pages:
            assert CANARY in person.open(address).text, address
    assert "Your team: −2 tournament points, round 1" in red.open(f"{EVENT}/me").part("#rulings")
    public = (about, f"{EVENT}/standings", f"{EVENT}/standings/teams", f"{EVENT}/hall", EVENT)
    for person, more in ((blue, (f"{EVENT}/me", f"{EVENT}/me/journal")), (visitor, ())):
        for address in (*public, *more):
            assert CANARY not in person.open(address).text, address
    assert "−2 penalty = 1" in visitor.open(f"{EVENT}/standings/teams").text
    jo, kim = (
        let_in(app, stage.hire(teams, name, role)) for name, role in (("Jo", Role.JUDGE), ("Kim", Role.CHECK_IN))
    )
    assert [CANARY in person.open(about).text for person in (jo, kim)] == [True, False]
    assert kim.post(f"{DESK}/of-teams/{stage.one(TeamRuling).id}/take-back").status_code == 403
    assert stage.one(TeamRuling).taken_back_at is None
    jo.press("Withdraw", at=DESK)
    assert stage.one(TeamRuling).taken_back_by == "judge Jo"
