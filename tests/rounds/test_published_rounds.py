"""A published round before its first result: unpublish it, or exchange two of its players."""

import pytest

from events.lists import locks
from events.registration import leaving
from events.rounds import actions as rounds_actions
from events.rounds import team_boards
from events.rounds.actions import unpublish, unpublish_effect
from events.rounds.seatings import Seating, seatings
from events.tournament.endings import Awarded, Ending
from events.tournament.scores import Ended
from events.visitors.access import lists_locked
from models.event import Event, EventState
from models.journal import JournalEntry
from models.play import Absent, FieldedForce, GameState, Report, ReportSide
from models.settings import BoardsMatched
from tests.kit.person import PUBLISH, Page, Person
from tests.kit.stage import Player, Round, Stage
from tests.kit.team_events import enter_teams, matches_in, team_event

FIVE = ("Ada", "Bo", "Cy", "Di", "Ed")


@pytest.fixture
def event(stage: Stage) -> Event:
    """Five players, round 1 published: two tables and a bye."""
    event = stage.event(players=FIVE)
    stage.publish(event, 1)
    return event


def take_back(stage: Stage, event: Event) -> None:
    stage.do(event, unpublish, 1)


def test_unpublished_round_loses_its_results_but_not_in_the_journal(stage: Stage, event: Event) -> None:
    first, second, _ = stage.games(event, 1)
    answers = {"a.objectives": 3, "b.objectives": 1}
    how = Ended(Ending.DECIDED, Awarded.B, "A moved models twice.")
    stage.report(event, first, ReportSide.ORGANISER, answers, how=how)
    stage.no_show(event, second, Absent.B)
    versions = [game.version for game in stage.games(event, 1)]
    stage.refuse_to("Results are in", take_back, stage, event)
    stage.do(event, unpublish, 1, with_results=True)
    games = stage.games(event, 1)
    assert {(game.state, game.answers, game.absent, game.ending, game.awarded) for game in games} == {
        (GameState.OPEN, None, None, None, None)
    }
    assert all(game.version > before for game, before in zip(games, versions, strict=True))
    assert stage.all(Report) == []
    line = stage.one(JournalEntry, verb="unpublish-round")
    assert line.text == "Took round 1 back to a draft, with the results of 1 table"
    assert line.details["results"] == [[1, "confirmed", answers]]


@pytest.mark.both_at_length
def test_drop_and_chosen_forces_of_an_unpublished_round_are_undone(stage: Stage, event: Event) -> None:
    ada = stage.one(Player, name="Ada")
    game, *_ = stage.games(event, 1)
    with stage.changing(event) as s:
        s.add(FieldedForce(game_id=game.id, player_id=game.a_id, document={}, chosen_at=stage.clock()))
    assert unpublish_effect(stage.s, event, stage.one(Round, number=1)).choices == 1
    stage.do(event, leaving.drop, ada)
    assert stage.now(ada).dropped_after == 1
    take_back(stage, event)
    assert (stage.now(ada).dropped_after, stage.all(FieldedForce)) == (0, [])
    stage.do(event, locks.reopen_lists, None)
    assert not lists_locked(stage.now(event), stage.clock())
    stage.refuse_to("is not published", take_back, stage, event)
    stage.refuse("Ada left after the draw", event, rounds_actions.publish_round, 1)
    stage.draw(event, 1)
    assert all("Ada" not in pair for pair in stage.pairs(event, 1))


def test_unpublishing_lets_captains_choose_boards_again_and_teams_return(stage: Stage) -> None:
    event = team_event(stage, 2, BoardsMatched.CHOICE)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    stage.do(event, team_boards.close_choice, match)
    stage.do(event, leaving.drop_team, reds)
    assert (len(stage.games(event, 1)), stage.now(reds).dropped_after) == (2, 1)
    take_back(stage, event)
    assert stage.now(reds).dropped_after == 0
    assert {player.dropped_after for player in stage.all(Player, team_id=reds.id)} == {0}
    (match,) = matches_in(stage, event, 1)
    assert (match.matched_at, match.a_order, stage.games(event, 1)) == (None, None, [])


DESK = "/e/iron-open/desk"
ROUND = f"{DESK}/rounds/1"
EXCHANGE = f"{ROUND}/exchange"


@pytest.fixture
def games(olga: Person, stage: Stage, event: Event) -> tuple[Seating, ...]:
    """Round 1 of five players, published and opened by the organiser."""
    olga.open(ROUND)
    return seatings(stage.games(event, 1))


def question(page: Page) -> str:
    return str(page.soup.select("form[action$='/unpublish'] button")[0]["data-confirm"])


def preview(olga: Person, number: int | None, other: int | None) -> Page:
    return olga.open(f"{EXCHANGE}?one={number}&other={other}")


@pytest.mark.both_at_length
def test_unpublished_round_is_hidden_until_it_is_published_again(
    olga: Person, visitor: Person, games: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    stage.clock.advance(minutes=12)
    before = [(g.table_number, g.a_id, g.b_id, g.code) for g in stage.games(event, 1)]
    stage.refuse("lists stay locked", event, locks.reopen_lists, None)
    asked = question(olga.open(ROUND))
    assert asked.startswith("Everybody has seen round 1 since ")
    assert ", for 12 min: who plays whom, and the scenario." in asked
    assert "its lists stay locked. Registration opens again. Everybody can go on reading them." in asked
    page = olga.press("Take back to a draft")
    assert page.flashes == "Round 1 is a draft again: only organisers see it."
    assert visitor.open("/e/iron-open/rounds/1").status == 404
    assert visitor.open(f"/g/{before[0][-1]}").status == 404
    assert stage.now(event).state == EventState.REGISTRATION
    assert lists_locked(event, stage.clock()) and stage.one(Round, number=1).published_at is None
    line = stage.one(JournalEntry, verb="unpublish-round")
    assert line.text == "Took round 1 back to a draft"
    assert line.details["games"] == [[table, a, b] for table, a, b, _ in before]
    page = preview(olga, games[0].a, games[1].a)
    assert (page.status, "is not published" in page.errors) == (422, True)
    olga.press(f"{PUBLISH} 1", at=ROUND)
    assert visitor.open(f"/g/{before[0][-1]}").status == 200, "the printed sheet is good again"
    assert [(g.table_number, g.a_id, g.b_id, g.code) for g in stage.games(event, 1)] == before
    assert stage.games(event, 1)[-1].state == GameState.CONFIRMED, "the bye"


def test_reported_round_offers_correction(olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event) -> None:
    old_page = olga.page
    first, second, _ = stage.games(event, 1)
    stage.decide(event, first, 3, 1)
    page = olga.open(ROUND)
    assert "Results are in (table 1): round 1 stays published." in page.part("#not-right")
    assert "Exchange two players" in page.part("#not-right")
    assert not page.soup.select("form[action$='/unpublish']:not(:has([name=typed]))"), "only by its name, typed"
    with stage.unchanged():
        olga.page = old_page
        assert "Results are in (table 1)" in olga.press("Take back to a draft").flashes
    assert "Table 1 has reported a result" in preview(olga, first.a_id, second.a_id).errors
    stage.decide(event, second, 3, 1)
    part = olga.open(ROUND).part("#not-right")
    assert ("Results are in (tables 1, 2)" in part, "xchange" in part) == (True, False), "only the bye is left"
    stage.publish(event, 2)
    asked = question(olga.open(f"{DESK}/rounds/2"))
    assert ("has seen round 2" in asked, "lists" in asked) == (True, False)
    assert not olga.open(ROUND).soup.select("form[action$='/unpublish']"), "a later round is drawn"
    stage.set(event, state=EventState.FINISHED)
    assert not olga.open(ROUND).part("#not-right")
    olga.page = old_page
    assert olga.press("Take back to a draft").flashes == "This event is over."


def test_exchange_is_previewed(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event, visitor: Person
) -> None:
    first, second, bye = games
    codes = [game.code for game in stage.games(event, 1)]
    other = preview(olga, first.a, second.a)
    assert "The sheets of tables 1 and 2 must be printed again." in other.part("#look")
    assert len(other.rows(".costs-table")) == 10
    with stage.unchanged():
        page = preview(olga, first.a, bye.a)
    shown = " ".join(str(tag.text) for tag in page.soup.select("#look .pair-list"))
    assert [stage.name(number) in shown for number in (first.a, first.b, bye.a, second.a)] == [True, True, True, False]
    page = olga.press("Exchange them")
    assert (page.path, page.flashes) == (ROUND, "Exchanged. The sheet of table 1 must be printed again.")
    seats = {g.table_number: {g.a_id, g.b_id} for g in stage.games(event, 1)}
    assert seats == {1: {bye.a, first.b}, 2: {second.a, second.b}, None: {first.a, None}}
    assert [visitor.open(f"/g/{code}").status for code in codes[:2]] == [404, 200]
    assert stage.one(JournalEntry, verb="exchange").details["players"] == [first.a, bye.a]
    with stage.unchanged():
        for seen in ({}, {"seen": ""}):
            olga.page = other
            page = olga.forge("Exchange them", **seen)
            assert (page.status, "changed meanwhile" in page.errors) == (422, True)
    stage.report(event, stage.games(event, 1)[1], ReportSide.A, {"a.objectives": 2})
    preview(olga, first.b, first.a)
    assert olga.press("Exchange them").status == 200
    assert stage.games(event, 1)[1].state == GameState.REPORTED, "the other table goes on undisturbed"


def test_impossible_exchange_is_refused_with_its_choice(olga: Person, games: tuple[Seating, ...], stage: Stage) -> None:
    first, *_ = games
    for other, words in (
        (first.a, "two different players"),
        (first.b, "These two play each other"),
        (987654, ""),
        (0, "Choose a player."),
    ):
        page = preview(olga, first.a, other)
        assert (page.status, page.errors != "", words in page.errors) == (422, True, True), other
        assert (page.value("one"), page.soup.select("#look")) == (str(first.a), [])
    planned = f"{DESK}/rounds/2/exchange"
    assert olga.open(f"{planned}?one=1&other=2").status == 422
    assert olga.open(planned).path == f"{DESK}/rounds/2"
