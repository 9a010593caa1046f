"""Who may see rounds, awards and scenarios, and who plays for a team: each question with every answer that it has."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from events.accounts import access
from events.play.visitor import Visitor
from models.event import Event, EventState, Round, RoundState
from models.people import Account
from models.play import Game, GameState, Player, PlayerState
from models.staff import Role
from models.team import Team, TeamMatch

NOW = datetime(2026, 12, 5, 9, tzinfo=UTC)
OLGA = Account(id=1, name="Olga", name_key="olga", password_hash="", session_key="", created_at=NOW)
NOBODY = Visitor()
STAFF = {role: Visitor(OLGA, roles={1: role}) for role in Role}


def an_event(state: EventState = EventState.IN_PROGRESS) -> Event:
    return Event(
        id=1, slug="iron-open", name="Iron Open", starts_on=date(2026, 12, 5), ends_on=date(2026, 12, 5),
        timezone="UTC", system="battle_mode", edition="2018-08", size=750, rounds=3, round_minutes=90, points_win=3,
        points_draw=1, points_loss=0, tie_breaks=[], scenario_pool=["pooled"], seed=1, created_at=NOW, changed_at=NOW,
        state=state,
    )  # fmt: skip


def player(id_: int, team_id: int | None = None, state: PlayerState = PlayerState.CHECKED_IN) -> Player:
    name = f"Player {id_}"
    return Player(
        id=id_, event_id=1, name=name, name_key=name.lower(), state=state, registered_at=NOW, team_id=team_id
    )  # fmt: skip


def as_player(one: Player) -> Visitor:
    return Visitor(players={1: one})


def game(state: GameState = GameState.OPEN, b_id: int | None = 2) -> Game:
    return Game(round_id=1, a_id=1, b_id=b_id, table_number=b_id and 1, code="ABCDEFGH", notes=[], state=state)


ADA, BO, CY = (as_player(player(id_)) for id_ in (1, 2, 3))


@pytest.mark.parametrize("state", PlayerState)
def test_one_votes_who_is_here_while_the_vote_is_open(state: PlayerState) -> None:
    who = as_player(player(1, state=state))
    assert access.may_vote(who, an_event(), is_open=True) is (state == PlayerState.CHECKED_IN)
    assert not access.may_vote(who, an_event(), is_open=False)


@pytest.mark.parametrize("state", EventState)
def test_opponents_are_marked_while_the_event_is_played(state: EventState) -> None:
    assert access.may_mark_opponents(ADA, an_event(state), is_open=True) is (state == EventState.IN_PROGRESS)
    assert not access.may_mark_opponents(STAFF[Role.OWNER], an_event(state), is_open=True)


@pytest.mark.proves("ASVS 8.2.2")
def test_awards_are_read_by_all_once_they_are_published_and_before_by_who_gives_them() -> None:
    event = an_event()
    for who in (NOBODY, ADA, *STAFF.values()):
        assert access.may_see_awards(who, event) is access.may_award(who, event)
    event.awards_published_at = NOW
    assert all(access.may_see_awards(who, event) for who in (NOBODY, ADA, *STAFF.values()))


@pytest.mark.proves("ASVS 8.2.2")
def test_a_team_s_penalties_are_read_by_its_own_players_and_by_who_gives_them() -> None:
    event, team = an_event(), Team(id=7, event_id=1, name="Crows", name_key="crows")
    for who in (NOBODY, ADA, *STAFF.values()):
        assert access.may_read_team_rulings(who, event, team) is access.may_give_penalties(who, event)
    assert access.may_read_team_rulings(as_player(player(1, team_id=7)), event, team)
    assert not access.may_read_team_rulings(as_player(player(1, team_id=8)), event, team)
    one = player(1, team_id=7, state=PlayerState.DROPPED)
    one.dropped_after = 2
    gone = as_player(one)
    assert not access.may_read_team_rulings(gone, event, team), "left the team"
    team.dropped_after = 2
    assert access.may_read_team_rulings(gone, event, team), "left with the whole team"


def test_a_scenario_of_the_club_is_read_where_it_is_played_and_the_game_s_by_all() -> None:
    event, writer = an_event(), Visitor(OLGA.model_copy(update={"runs_club": True}))

    def seen(who: Visitor, scenario: str, *, own: bool) -> bool:
        return access.may_see_scenario(who, event, ["played"], scenario, own=own)

    assert seen(NOBODY, "another", own=False)
    assert seen(writer, "another", own=True)
    assert seen(NOBODY, "pooled", own=True) and seen(NOBODY, "played", own=True)
    assert not seen(NOBODY, "another", own=True)
    assert not seen(STAFF[Role.OWNER], "another", own=True)


@pytest.mark.parametrize("state", GameState)
@pytest.mark.parametrize("b_id", [2, None])
@pytest.mark.parametrize("held", EventState)
def test_a_game_is_reported_by_its_two_while_it_is_undecided_in_an_event_that_runs(
    state: GameState, b_id: int | None, held: EventState
) -> None:
    is_open = b_id is not None and held == EventState.IN_PROGRESS
    asked = [access.may_report(who, an_event(held), game(state, b_id)) for who in (ADA, BO, CY, NOBODY)]
    undecided = is_open and state != GameState.CONFIRMED
    assert asked == [undecided, undecided, False, False]
    from_sheet = access.may_report_from_sheet(an_event(held), game(state, b_id))
    assert from_sheet is (is_open and state == GameState.OPEN)


def test_how_a_result_came_about_is_read_by_its_two_and_by_the_desk() -> None:
    event = an_event()
    for who in (NOBODY, *STAFF.values()):
        assert access.may_see_versions(who, event, game()) is access.may_see_rounds(who, event)
    assert [access.may_see_versions(who, event, game()) for who in (ADA, BO, CY)] == [True, True, False]


@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_what_is_fielded_is_one_s_own_until_both_have_chosen(chosen: int) -> None:
    assert access.may_see_fielded(ADA, player(1), chosen)
    assert access.may_see_fielded(BO, player(1), chosen) is (chosen == 2)


def test_an_order_of_boards_is_the_team_s_until_both_are_matched() -> None:
    event, match = an_event(), TeamMatch(round_id=1, a_id=7, b_id=8, block=1, notes=[])
    own, others = as_player(player(1, team_id=7)), as_player(player(2, team_id=8))
    asked: Callable[[Visitor], bool] = lambda who: access.may_see_order(who, event, match, 7)  # noqa: E731
    assert [asked(who) for who in (own, others, NOBODY, STAFF[Role.OWNER])] == [True, False, False, False]
    assert not asked(as_player(player(1, team_id=7, state=PlayerState.DROPPED))), "left the team"
    match.matched_at = NOW
    assert all(asked(who) for who in (own, others, NOBODY, STAFF[Role.OWNER]))


def test_team_code_is_handed_out_by_the_captain() -> None:
    captain = player(1, team_id=7)
    assert access.may_hand_out_code(ADA, captain)
    for who in (NOBODY, BO, *STAFF.values()):
        assert not access.may_hand_out_code(who, captain)
    assert not access.may_hand_out_code(ADA, None)


@pytest.mark.parametrize("held", EventState)
def test_boards_are_set_by_the_captain_until_they_are_matched(held: EventState) -> None:
    match, captain = TeamMatch(round_id=1, a_id=7, b_id=8, block=1, notes=[]), player(1, team_id=7)

    def may(who: Visitor, one: Player | None = captain) -> bool:
        return access.may_choose_boards(who, an_event(held), match, one)

    assert may(ADA) is (held == EventState.IN_PROGRESS)
    assert may(BO, player(2, team_id=8)) is (held == EventState.IN_PROGRESS)
    assert not may(BO)
    assert not may(ADA, None)
    assert not may(ADA, player(1, team_id=9)), "of a team that does not play this match"
    match.matched_at = NOW
    assert not may(ADA)


@pytest.mark.parametrize("held", EventState)
@pytest.mark.parametrize("state", PlayerState)
def test_one_withdraws_oneself_until_one_is_gone_or_the_event_over(held: EventState, state: PlayerState) -> None:
    may = access.may_leave(ADA, player(1, state=state), an_event(held))
    assert may is (state != PlayerState.DROPPED and held != EventState.FINISHED)
    assert not access.may_leave(BO, player(1, state=state), an_event(held))


@pytest.mark.parametrize("held", EventState)
@pytest.mark.parametrize("state", RoundState)
def test_a_round_is_seen_by_all_when_it_is_published_and_by_who_pairs_when_it_is_drawn(
    held: EventState, state: RoundState
) -> None:
    event, a_round = an_event(held), Round(event_id=1, number=1, state=state)
    for who in (NOBODY, ADA, *STAFF.values()):
        seen = state == RoundState.PUBLISHED or (state == RoundState.DRAWN and access.may_pair(who, event))
        assert access.may_see_round(who, event, a_round) is (seen and access.may_see_event(who, event))
