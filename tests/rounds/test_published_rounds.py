"""A published round before its results, by the actions: taken back to a draft, or two players exchanged."""

import pytest

from events.accounts.access import lists_locked
from events.lists import locks
from events.play.errors import Refused
from events.registration import team_actions
from events.results import actions as results_actions
from events.rounds import team_boards
from events.rounds.actions import Exchange, Seen, exchange, exchange_players, publish_round, seen_of, unpublish
from models.event import BoardsMatched, Event, EventState
from models.journal import JournalEntry
from models.play import FieldedForce, Game, GameState, ReportSide
from tests.kit.formats import drop
from tests.kit.stage import Player, Round, RoundState, Stage
from tests.kit.team_events import enter_teams, matches_in, team_event


@pytest.fixture
def event(stage: Stage) -> Event:
    """Five players, round 1 published: two tables and a bye."""
    event = stage.event()
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    stage.publish(event, 1)
    return event


def report(stage: Stage, event: Event, game: Game) -> None:
    """One side's report that the other has not confirmed."""
    with stage.changing(event) as s:
        results_actions.report(
            s, event, game, ReportSide.A, {"a.objectives": 2, "b.objectives": 1},
            version=game.version, sure=True, by="player", now=stage.clock(),
        )  # fmt: skip


# ---- back to a draft


@pytest.mark.both_databases
def test_a_round_goes_back_to_a_draft_and_is_published_again_with_its_sheets(stage: Stage, event: Event) -> None:
    games = [(g.table_number, g.a_id, g.b_id, g.code) for g in stage.games(event, 1)]
    since = stage.one(Round, number=1).published_at
    assert seen_of(stage.s, event, stage.one(Round, number=1)) == Seen(since or stage.clock(), 0, True)
    with pytest.raises(Refused, match="lists stay locked"):
        stage.do(event, locks.reopen_lists, None)
    stage.do(event, unpublish, 1)
    the_round = stage.one(Round, number=1)
    assert (the_round.state, the_round.published_at) == (RoundState.DRAWN, None)
    assert stage.now(event).state == EventState.REGISTRATION
    assert lists_locked(stage.now(event), stage.clock()), "lists stay locked"
    assert {g.state for g in stage.games(event, 1)} == {GameState.OPEN}
    stage.do(event, publish_round, 1)
    assert [(g.table_number, g.a_id, g.b_id, g.code) for g in stage.games(event, 1)] == games
    assert stage.now(event).state == EventState.IN_PROGRESS
    assert [g.state for g in stage.games(event, 1) if g.b_id is None] == [GameState.CONFIRMED]
    line = stage.one(JournalEntry, verb="unpublish-round")
    assert line.text == "Took round 1 back to a draft"
    assert line.details["games"] == [[table, a, b] for table, a, b, _ in games]
    stage.do(event, unpublish, 1)
    stage.do(event, locks.reopen_lists, None)
    assert not lists_locked(stage.now(event), stage.clock())


@pytest.mark.both_databases
def test_a_reported_round_stays_published(stage: Stage, event: Event) -> None:
    game, *_ = stage.games(event, 1)
    report(stage, event, game)
    before = stage.digest()
    with pytest.raises(Refused, match=r"Results are in \(table 1\): round 1 stays published"):
        stage.do(event, unpublish, 1)
    assert stage.digest() == before
    for number in (2, 99):
        with pytest.raises(Refused, match="is not published"):
            stage.do(event, unpublish, number)
    with stage.changing(event):
        event.state = EventState.FINISHED
    with pytest.raises(Refused, match="This event is over"):
        stage.do(event, unpublish, 1)


def test_a_player_who_dropped_meanwhile_has_not_played_the_round(stage: Stage, event: Event) -> None:
    ada = stage.one(Player, name="Ada")
    drop(stage, event, "Ada")
    assert stage.now(ada).dropped_after == 1
    stage.do(event, unpublish, 1)
    assert stage.now(ada).dropped_after == 0
    with pytest.raises(Refused, match="Ada left after the draw"):
        stage.do(event, publish_round, 1)
    stage.draw(event, 1)
    assert all("Ada" not in pair for pair in stage.pairs(event, 1))


@pytest.mark.both_databases
def test_forces_chosen_for_the_games_are_deleted(stage: Stage, event: Event) -> None:
    game, *_ = stage.games(event, 1)
    with stage.changing(event) as s:
        s.add(FieldedForce(game_id=game.id, player_id=game.a_id, document={}, chosen_at=stage.clock()))
    assert seen_of(stage.s, event, stage.one(Round, number=1)).choices == 1
    stage.do(event, unpublish, 1)
    assert stage.all(FieldedForce) == []


def test_teams_choose_boards_again_and_a_dropped_team_has_not_played(stage: Stage) -> None:
    event = team_event(stage, 2, BoardsMatched.CHOICE)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    stage.do(event, team_boards.close_choice, matches_in(stage, event, 1)[0])
    assert len(stage.games(event, 1)) == 2
    stage.do(event, unpublish, 1)
    (match,) = matches_in(stage, event, 1)
    assert (match.matched_at, match.a_order, stage.games(event, 1)) == (None, None, [])
    stage.do(event, publish_round, 1)
    assert stage.games(event, 1) == []
    stage.do(event, team_actions.drop_team, reds)
    assert stage.now(reds).dropped_after == 1
    stage.do(event, unpublish, 1)
    assert stage.now(reds).dropped_after == 0
    assert {player.dropped_after for player in stage.all(Player, team_id=reds.id)} == {0}


# ---- two players exchanged


def preview(stage: Stage, event: Event, one: int, other: int) -> Exchange:
    """The exchange as the page shows it before it is stored."""
    stage.s.rollback()
    return exchange(stage.s, event, stage.one(Round, number=1), one, other)


@pytest.mark.both_databases
def test_two_players_change_places_before_their_tables_report(stage: Stage, event: Event) -> None:
    first, second, bye = stage.games(event, 1)
    codes = {g.table_number: g.code for g in (first, second, bye)}
    shown = preview(stage, event, first.a_id, bye.a_id)
    assert {one.table for one in shown.after} == {1, None}
    before = stage.digest()
    other = preview(stage, event, first.a_id, second.a_id)
    assert stage.digest() == before
    stage.do(event, exchange_players, 1, first.a_id, bye.a_id, shown.mark)
    now = {g.table_number: g for g in stage.games(event, 1)}
    assert {now[1].a_id, now[1].b_id} == {bye.a_id, first.b_id}
    assert (now[None].a_id, now[None].state) == (first.a_id, GameState.CONFIRMED)
    assert now[1].state == GameState.OPEN
    assert now[2].code == codes[2]
    assert codes[1] not in {g.code for g in now.values()}, "its sheet is void"
    line = stage.one(JournalEntry, verb="exchange")
    assert line.details["tables"] == [1]
    assert line.details["before"].keys() == line.details["after"].keys() == line.details["engine"].keys()
    for mark in (other.mark, "", "made-up"):
        with pytest.raises(Refused, match="changed meanwhile"):
            stage.do(event, exchange_players, 1, bye.a_id, second.a_id, mark)


def test_a_reported_table_keeps_its_players(stage: Stage, event: Event) -> None:
    first, second, bye = stage.games(event, 1)
    shown = preview(stage, event, second.a_id, bye.a_id)
    report(stage, event, first)
    for one, other in ((first.a_id, second.a_id), (bye.a_id, first.b_id or 0)):
        with pytest.raises(Refused, match="Table 1 has reported a result"):
            preview(stage, event, one, other)
    stage.do(event, exchange_players, 1, second.a_id, bye.a_id, shown.mark)
    (game,) = [g for g in stage.games(event, 1) if g.table_number == 1]
    assert (game.id, game.state) == (first.id, GameState.REPORTED), "other tables are exchanged"


def test_an_impossible_exchange_is_refused(stage: Stage, event: Event) -> None:
    first, second, _ = stage.games(event, 1)
    for one, other, words in (
        (first.a_id, first.a_id, "two different players"),
        (first.a_id, 10**6, "two different players"),
        (first.a_id, first.b_id or 0, "play each other"),
    ):
        with pytest.raises(Refused, match=words):
            preview(stage, event, one, other)
    stage.do(event, unpublish, 1)
    with pytest.raises(Refused, match="is not published"):
        preview(stage, event, first.a_id, second.a_id)
