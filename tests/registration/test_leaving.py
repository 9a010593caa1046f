"""Leaving, on every way and at every time: stored at once, secret to the leaver, paid for by the rule, and undone."""

from collections.abc import Callable
from datetime import date

import pytest

from events.registration import leaving, removal
from events.results import calls, no_shows
from events.rounds import actions as rounds_actions
from events.rounds.pairings_file import pairings_of
from events.seasons import league_actions as leagues
from events.setup.pairing_forms import set_season
from events.store.tournaments import load
from events.tournament.pairing.redraw import redrawn
from events.tournament.pairing.seats import Seat
from events.tournament.season import Season
from models.event import Event, EventState, Round
from models.play import Absent, Game, GameState, Player, PlayerState
from models.settings import BoardsMatched, EventFormat
from models.team import Team
from tests.kit.formats import NAMES, cut, cut_event, decide_all, drop, formed, knockout_of, league, publish
from tests.kit.person import DROP_PLAYER, Enter, Person
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, team_event

DESK = "/e/iron-open/desk"
ME = "/e/iron-open/me"


def player(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def bring_back(stage: Stage, event: Event, name: str) -> None:
    stage.do(event, leaving.reinstate, player(stage, name))


def season_of(stage: Stage, *names: str) -> Event:
    """A round robin season of these players, drawn and published at once."""
    event = formed(stage, *names, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    return event


def between(stage: Stage, event: Event, *names: str) -> Game:
    """The one game of two players."""
    wanted = set(names)
    (found,) = (game for game in stage.all(Game) if {stage.name(game.a_id), stage.name(game.b_id)} == wanted)
    return found


def lost_by(stage: Stage, game: Game) -> set[str]:
    """The names of the players who lost a game without playing it."""
    sides = {None: (), Absent.A: (game.a_id,), Absent.B: (game.b_id,), Absent.BOTH: (game.a_id, game.b_id)}
    return {stage.name(id_) for id_ in sides[stage.now(game).absent]}


def drafts(stage: Stage) -> dict[str, Callable[[], tuple[Event, int]]]:
    """Events of every format whose next round, of this number, is a draft that contains Ada."""

    def swiss() -> tuple[Event, int]:
        event = stage.event(players=NAMES[:6])
        stage.play(event, 1)
        stage.draw(event, 2)
        return event, 2

    def first() -> tuple[Event, int]:
        event = stage.event(players=NAMES[:6])
        stage.draw(event, 1)
        return event, 1

    def robin() -> tuple[Event, int]:
        event = league(stage, 6)
        stage.play(event, 1)
        stage.draw(event, 2)
        return event, 2

    def knockout() -> tuple[Event, int]:
        event = knockout_of(stage, 8)
        stage.play(event, 1)
        stage.draw(event, 2)
        return event, 2

    def after_cut() -> tuple[Event, int]:
        event = cut_event(stage, 4)
        cut(stage, event)
        return event, 2

    def teams() -> tuple[Event, int]:
        event = team_event(stage, 2)
        enter_teams(stage, event, "Ada", "Reds", "Blues", "Greens")
        stage.draw(event, 1)
        return event, 1

    return {part.__name__: part for part in (swiss, first, robin, knockout, after_cut, teams)}


@pytest.mark.parametrize("kind", ["swiss", "first", "robin", "knockout", "after_cut", "teams"])
def test_leaving_with_a_draft_is_stored_and_the_draft_is_drawn_again(stage: Stage, olga: Person, kind: str) -> None:
    event, number = drafts(stage)[kind]()
    if kind == "teams":
        stage.do(event, leaving.drop_team, stage.one(Team, name="Ada"))
        assert {one.state for one in stage.all(Player, team_id=stage.one(Team, name="Ada").id)} == {"dropped"}
    else:
        drop(stage, event, "Ada")
        assert player(stage, "Ada").state == PlayerState.DROPPED
    left = "Ada left after the draw"
    for sure in (False, True):
        stage.refuse(left, event, rounds_actions.publish_round, number, sure=sure)
    assert olga.open(f"{DESK}").part(".next-text").startswith(f"Round {number}")
    assert left in olga.page.part(".next-text")
    assert olga.page.part(".next .primary") == f"Draw round {number} again"
    assert left in olga.open(f"{DESK}/rounds/{number}").part("main")
    assert "Publish anyway" not in olga.page.text, "it would be refused"
    stage.draw(event, number, seed=2)
    publish(stage, event, number)
    assert "Ada" not in {name for pair in stage.pairs(event, number) for name in pair}


@pytest.mark.proves("attack 84")
@pytest.mark.parametrize("how", ["own", "desk", "removal", "no-show", "team member"])
def test_every_way_of_leaving_obeys_the_rule_while_the_next_round_is_a_draft(
    stage: Stage, enter: Enter, olga: Person, how: str
) -> None:
    event = stage.event()
    people = dict(zip(NAMES[:6], enter(event, *NAMES[:6]), strict=True))
    games = stage.play(event, 1)
    stage.draw(event, 2)
    ada = player(stage, "Ada")
    if how == "own":
        answer = people["Ada"].press("Drop from the event", at=ME)
        assert answer.status == 200
        for word in ("draft", "drawn", "Round 2"):
            assert word not in people["Ada"].page.text
    elif how == "desk":
        olga.press(DROP_PLAYER, at=f"{DESK}/players/{ada.id}")
    elif how == "removal":
        stage.do(event, removal.remove_players, [ada])
    elif how == "no-show":
        game = next(game for game in games if ada.id in (game.a_id, game.b_id))
        olga.press("Ada did not come", at=f"{DESK}/games/{game.id}", drops=True, reason="Not seen")
    else:
        stage.do(event, leaving.drop, ada)
    assert stage.now(ada).state == PlayerState.DROPPED
    assert stage.now(ada).dropped_after == 1
    assert "Ada left after the draw" in olga.open(DESK).part(".next-text")


def test_event_that_too_few_are_left_for_can_be_closed(stage: Stage, olga: Person) -> None:
    event = stage.event(players=("Ada", "Bo"))
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    stage.do(event, leaving.drop, stage.one(Player, name="Bo"))
    assert "At least two players must be checked in" in olga.open(DESK).part(".next-text")
    olga.press("Close the event")
    assert stage.now(event).state == EventState.FINISHED


def test_member_of_a_team_leaves_a_draft_whose_boards_follow(stage: Stage, olga: Person) -> None:
    event = team_event(stage, 2)
    enter_teams(stage, event, "Reds", "Blues")
    stage.draw(event, 1)
    drop(stage, event, "Reds 1")
    assert "Reds 1" not in {name for pair in stage.pairs(event, 1) for name in pair}
    assert "left after the draw" not in olga.open(DESK).part(".next-text")
    publish(stage, event, 1)


def test_team_that_leaves_while_captains_choose_lets_its_opponents_win(stage: Stage) -> None:
    event = team_event(stage, 2, BoardsMatched.CHOICE)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    stage.do(event, leaving.drop_team, reds)
    games = stage.games(event, 1)
    assert len(games) == 2
    assert {(stage.name(game.a_id)[:4], game.b_id, game.state) for game in games} == {
        ("Blue", None, GameState.CONFIRMED)
    }


def test_every_open_game_of_a_season_is_forfeited_on_every_way(stage: Stage, enter: Enter, olga: Person) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    people = dict(zip(NAMES[:6], enter(event, *NAMES[:6]), strict=True))
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    said = [
        str(button["data-confirm"]) for button in people["Ada"].open(ME).soup.select("button[data-confirm]")
        if button.get_text(strip=True) == "Leave the season"
    ]  # fmt: skip
    for number in range(1, 6):
        assert f"round {number} against " in said[0], "the dialog names all of them"
    people["Ada"].press("Leave the season", at=ME)
    bo = player(stage, "Bo")
    page = olga.open(f"{DESK}/players/{bo.id}")
    (asked,) = (b["data-confirm"] for b in page.soup.select("button[data-confirm]") if b.get_text() == DROP_PLAYER)
    lost, counts_no_more, _ = str(asked).split(". ", 2)
    assert "Ada" not in lost and all(f"against {name}" in lost for name in NAMES[2:6])
    assert counts_no_more.startswith("1 win over a player who left counts no more") and "Ada" in counts_no_more
    olga.press(DROP_PLAYER)
    cy = player(stage, "Cy")
    stage.do(event, removal.remove_players, [cy])
    for game in stage.all(Game):
        names = {stage.name(game.a_id), stage.name(game.b_id)}
        assert lost_by(stage, game) == names & {"Ada", "Bo", "Cy"}, "nobody who left has won"
    assert all(row.points == 0 for row in stage.standings(event) if row.name in ("Ada", "Bo", "Cy"))


def test_no_show_and_drop_in_a_season_names_and_forfeits_the_other_games(stage: Stage, olga: Person) -> None:
    event = season_of(stage, *NAMES[:4])
    game = between(stage, event, "Ada", "Bo")
    form = olga.open(f"{DESK}/games/{game.id}").part("#absent")
    for name in ("Cy", "Di"):
        assert f"against {name}" in form
    olga.press("Ada did not come", drops=True)
    assert lost_by(stage, game) == {"Ada"}
    assert lost_by(stage, between(stage, event, "Ada", "Di")) == {"Ada"}


@pytest.mark.proves("attack 84")
def test_finished_player_who_leaves_keeps_the_wins_over_a_leaver(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4])
    drop(stage, event, "Di")
    decide_all(stage, event, [between(stage, event, "Ada", other) for other in ("Bo", "Cy")])
    drop(stage, event, "Ada")
    assert lost_by(stage, between(stage, event, "Ada", "Di")) == {"Di"}, "Ada has played all games"
    drop(stage, event, "Bo")
    assert lost_by(stage, between(stage, event, "Bo", "Di")) == {"Bo", "Di"}
    bring_back(stage, event, "Di")
    assert lost_by(stage, between(stage, event, "Ada", "Di")) == {"Di"}, "nobody is left to play it"
    assert lost_by(stage, between(stage, event, "Bo", "Di")) == {"Bo"}


def test_coming_back_undoes_the_forfeits_as_far_as_nothing_was_decided(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4])
    drop(stage, event, "Ada")
    drop(stage, event, "Bo")
    decided = between(stage, event, "Ada", "Di")
    stage.decide(event, decided, 1, 3)
    bring_back(stage, event, "Ada")
    assert player(stage, "Ada").state == PlayerState.CHECKED_IN
    assert lost_by(stage, between(stage, event, "Ada", "Bo")) == {"Bo"}, "who has not come back"
    assert between(stage, event, "Ada", "Cy").state == GameState.OPEN
    assert stage.now(decided).answers, "the desk has entered a result since"
    bring_back(stage, event, "Bo")
    assert between(stage, event, "Ada", "Bo").state == GameState.OPEN
    assert not any(game.forfeited for game in stage.all(Game))


def test_coming_back_reopens_the_game_of_a_round_until_the_next_is_published(stage: Stage) -> None:
    event = stage.event(players=NAMES[:4])
    first, second = stage.publish(event, 1)
    stage.decide(event, second, 3, 1)
    name = stage.name(first.a_id)
    drop(stage, event, name)
    assert stage.now(first).absent == Absent.A
    stage.draw(event, 2)
    bring_back(stage, event, name)
    assert stage.now(first).state == GameState.OPEN
    drop(stage, event, name)
    stage.publish(event, 2)
    bring_back(stage, event, name)
    assert stage.now(first).absent == Absent.A, "the next round was drawn from it"


def test_no_show_of_the_desk_stays_when_its_player_leaves_and_comes_back(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4])
    game = between(stage, event, "Ada", "Bo")
    stage.no_show(event, game, Absent.A if stage.name(game.a_id) == "Ada" else Absent.B)
    drop(stage, event, "Ada")
    bring_back(stage, event, "Ada")
    assert lost_by(stage, game) == {"Ada"}


def begun(stage: Stage, *names: str, kind: str = "ladder") -> Event:
    event = stage.event(ends_on=date(2027, 3, 1), players=names)
    stage.do(event, set_season, Season(kind=kind))  # type: ignore[arg-type]
    stage.do(event, leagues.start_season)
    return event


@pytest.mark.parametrize("leaver", ["Ada", "Bo"])
def test_unanswered_challenge_is_cancelled_and_the_other_player_is_free(stage: Stage, leaver: str) -> None:
    event = begun(stage, *NAMES[:4])
    stays = "Bo" if leaver == "Ada" else "Ada"
    bo, ada = player(stage, "Bo"), player(stage, "Ada")
    stage.do(event, leagues.challenge, bo, ada, date(2026, 12, 6))
    drop(stage, event, leaver)
    assert stage.all(Game) == []
    assert stage.journal(event, "cancel-challenge") == [f"Cancelled the challenge of Bo to Ada: {leaver} has left"]
    stage.s.rollback()
    found = leagues.challenge_obstacles(load(event), player(stage, stays), date(2026, 12, 6))
    assert set(found.values()) <= {"", "Challenge a player above you."}
    assert [row.name for row in stage.standings(event)][-1] == leaver
    bring_back(stage, event, leaver)
    assert {row.name for row in stage.standings(event)} == set(NAMES[:4])


def test_accepted_challenge_is_forfeited_like_any_game(stage: Stage) -> None:
    event = begun(stage, *NAMES[:4])
    bo, ada = player(stage, "Bo"), player(stage, "Ada")
    game = stage.do(event, leagues.challenge, bo, ada, date(2026, 12, 6))
    stage.do(event, leagues.answer_challenge, game, ada, accept=True)
    drop(stage, event, "Ada")
    assert lost_by(stage, game) == {"Ada"}
    assert [row.name for row in stage.standings(event)] == ["Bo", "Cy", "Di", "Ada"]


def test_game_lost_by_leaving_ends_the_call_for_a_judge_and_unpublishing_forgets_it(stage: Stage) -> None:
    event = stage.event(players=NAMES[:4])
    game, _ = stage.publish(event, 1)
    stage.do(event, no_shows.set_absent, game, Absent.A, version=0)
    assert not stage.now(game).forfeited
    stage.do(event, no_shows.set_absent, game, None, version=stage.now(game).version)
    stage.do(event, calls.call_judge, game, stage.one(Player, id=game.b_id))
    drop(stage, event, stage.name(game.a_id))
    assert stage.now(game).forfeited
    assert calls.open_calls(stage.s, event) == ()
    stage.do(event, rounds_actions.unpublish, 1, with_results=True)
    assert not any(one.forfeited for one in stage.all(Game))


def test_player_who_leaves_after_the_last_round_stays_in_the_standings(stage: Stage) -> None:
    event = stage.event(players=NAMES[:4])
    for number in (1, 2, 3):
        stage.play(event, number)
    before = [row.name for row in stage.standings(event)]
    drop(stage, event, before[0])
    assert [row.name for row in stage.standings(event)] == before
    assert stage.now(event).state == EventState.IN_PROGRESS


def test_desk_is_asked_once_about_each_no_show_before_the_next_draw(stage: Stage, olga: Person) -> None:
    event = stage.event(players=NAMES[:6])
    first, second, third = stage.publish(event, 1)
    stage.no_show(event, first, Absent.A)
    stage.no_show(event, second, Absent.B)
    assert "did not come" not in olga.open(DESK).part(".next-text"), "round 1 is still played"
    stage.decide(event, third, 3, 1)
    gone, kept = sorted((stage.name(first.a_id), stage.name(second.b_id)), key=lambda name: player(stage, name).id)
    asked = olga.open(DESK).part(".next-text")
    assert asked == f"{gone} did not come to round 1. Drop them, or keep them for round 2? 1 more player to decide on."
    olga.press(f"Drop {gone}", inside=".next")
    assert olga.page.path == DESK
    assert olga.page.part(".next-text") == f"{kept} did not come to round 1. Drop them, or keep them for round 2?"
    olga.press(f"Keep {kept}", inside=".next")
    assert olga.page.part(".next .primary") == "Draw round 2"
    assert player(stage, gone).state == PlayerState.DROPPED
    stage.play(event, 2)
    assert "did not come" not in olga.open(DESK).part(".next-text"), "asked once"
    assert stage.journal(event, "keep-absent") == [f"Kept {kept} after the no-show in round 1"]


def test_kept_no_show_is_not_drawn_against_the_same_opponent_or_first_for_the_bye(stage: Stage) -> None:
    event = stage.event(players=NAMES[:7])
    *games, bye = stage.publish(event, 1)
    stage.no_show(event, games[0], Absent.A)
    for game in games[1:]:
        stage.decide(event, game, 3, 1)
    gone, came = games[0].a_id, games[0].b_id
    for seed in range(20):
        *_, without = stage.draw(event, 2, seed)
        assert without.a_id not in (gone, came, bye.a_id), "two who lost at the table have had none"
    stage.do(event, rounds_actions.publish_round, 2)
    file = pairings_of(event, stage.one(Round, number=2))
    assert file and redrawn(file).equal
    seats: dict[int | None, Seat] = {int(seat.id): seat for seat in file.inputs.seats}
    assert (seats[gone].opponents, seats[came].opponents) == ((str(came),), (str(gone),))
    assert (seats[gone].byes, seats[came].byes) == (1, 1)


def test_nobody_is_asked_about_a_no_show_that_decides_nothing_later(stage: Stage, olga: Person) -> None:
    event = stage.event(players=NAMES[:4], rounds=1)
    game, other = stage.publish(event, 1)
    stage.no_show(event, game, Absent.A)
    stage.decide(event, other, 3, 1)
    assert "did not come" not in olga.open(DESK).part(".next-text"), "there is no other round"


def test_player_who_was_out_of_a_knockout_left_after_no_round(enter: Enter, stage: Stage) -> None:
    event = knockout_of(stage, 4)
    games = stage.play(event, 1)
    stage.publish(event, 2)
    out = next(name for name in NAMES[:4] if name not in {n for pair in stage.pairs(event, 2) for n in pair})
    drop(stage, event, out)
    assert stage.journal(event, "drop") == [f"Dropped {out}"]
    assert len(games) == 2
