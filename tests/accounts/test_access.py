"""The permission functions that pages and buttons share."""

from datetime import datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from events.store.visitor import TABLE, Right, Visitor, allows
from events.visitors import access
from models.event import EventState, Round, RoundState
from models.journal import Actor
from models.play import Absent, ForceList, GameState, ListSeal, Player, PlayerState
from models.settings import ListsInPlay, ListsShown
from models.staff import Role
from models.team import Team, TeamMatch
from tests.kit.visitors import NOW, OLGA, STAFF, a_game, a_player, an_event, signed_in_as

TICK, DAY = timedelta(microseconds=1), timedelta(days=1)
NOBODY, ADA, BO, CY = Visitor(), *(signed_in_as(a_player(id_)) for id_ in (1, 2, 3))
EVERYBODY = {
    **STAFF, "nobody": NOBODY, "ada": ADA, "bo": BO, "cy": CY,
    "stranger": Visitor(players={2: a_player(1, event_id=2)}),  # has Ada's id, at another event
    "elsewhere": Visitor(OLGA, roles={2: Role.OWNER}),  # owns another event
}  # fmt: skip
ALL, RUN = set(EVERYBODY), {"owner", "organiser"}
READ = RUN | {"judge", "list_checker"}
READ_FORCE = partial(access.may_see_force, submitted=True, opponent=False)
READ_GROUP = partial(access.may_see_group, opponent=False)


def who_may(question: object, *arguments: object, **named: object) -> set[str]:
    assert callable(question)
    return {name for name, visitor in EVERYBODY.items() if question(visitor, *arguments, **named)}


def may_see_seal(
    visitor: Visitor, player: Player, event: object, now: datetime, *, sealed: bool = True, submitted: bool = True
) -> bool:
    """The permission to read a locked list, whose seal and stored force are or are not of a submitted list."""
    seal = ListSeal(player_id=player.id, at=now, by="the lock", sha256="", text="", submitted=sealed)
    force = ForceList(player_id=player.id, document={}, saved_at=now, submitted_at=now if submitted else None)
    return access.may_see_seal(visitor, player, event, seal, force, now)  # type: ignore[arg-type]


@pytest.mark.proves("ASVS 8.1.1")
def test_documented_table_matches_the_rights_of_every_role() -> None:
    page = (Path(__file__).parents[2] / "docs" / "roles.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| `")]
    assert [row[0].strip("`") for row in rows] == [right.value for right in Right]
    for right, (_, what, *cells) in zip(Right, rows, strict=True):
        question = getattr(access, f"may_{right}")
        assert who_may(question, an_event()) == {role.value for role in TABLE[right]}, right
        assert "owner" in TABLE[right], right
        assert not allows(None, right), right
        assert [cell == "yes" for cell in cells] == [role in TABLE[right] for role in Role], right
        assert f"{what}." in (question.__doc__ or ""), right
    assert Visitor(roles={1: Role.OWNER}).role_in(an_event()) is None, "a role ends with its account"


def test_draft_event_is_visible_to_its_staff() -> None:
    for state in EventState:
        expected = set(STAFF) if state == EventState.DRAFT else ALL
        assert who_may(access.may_see_event, an_event(state)) == expected, state
        assert access.may_register(an_event(state), NOW) is (state == EventState.REGISTRATION), state


def test_force_is_read_and_edited_by_its_owner_until_the_lock_at_the_deadline_or_earlier_by_hand() -> None:
    event, before, ada = an_event(due=NOW), NOW - TICK, a_player()
    assert [access.lists_locked(event, moment) for moment in (before, NOW)] == [False, True]
    assert not access.lists_locked(an_event(), NOW)
    assert access.lists_locked(an_event(due=NOW + DAY, locked=NOW), NOW)
    assert who_may(READ_FORCE, ada, event, before) == READ | {"ada"}
    assert who_may(READ_FORCE, ada, event, NOW) == ALL
    assert who_may(access.may_edit_force, ada, event, before) == RUN | {"ada"}
    assert who_may(access.may_edit_force, ada, event, NOW) == RUN
    assert who_may(access.may_edit_force, ada, an_event(EventState.FINISHED, due=NOW), before) == set()
    assert who_may(access.may_edit_force, a_player(state=PlayerState.DROPPED), an_event(), NOW) == RUN
    for may in (READ_FORCE, may_see_seal, READ_GROUP):
        assert who_may(may, ada, an_event(EventState.DRAFT, due=NOW), NOW) == set(STAFF) | {"ada"}, may
    event.approval, ada.state = True, PlayerState.WAITING
    for may in (READ_FORCE, may_see_seal, READ_GROUP):
        assert who_may(may, ada, event, NOW) == set(STAFF) | {"ada"}, "who waits for approval is no entry yet"


def test_unlocked_list_is_private_again_until_it_locks() -> None:
    event, ada = an_event(due=NOW), a_player()
    assert access.list_open(event, ada, NOW - TICK)
    assert not access.list_open(event, ada, NOW)
    ada.list_unlocked_at = NOW
    assert access.list_open(event, ada, NOW + 9 * DAY), "until it is locked again"
    ada.list_unlocked_until = NOW + timedelta(hours=1)
    for moment, is_open in ((NOW, True), (ada.list_unlocked_until, False)):
        assert access.list_open(event, ada, moment) is is_open
        assert who_may(READ_FORCE, ada, event, moment) == (READ | {"ada"} if is_open else ALL)
        assert who_may(may_see_seal, ada, event, moment) == ALL


def test_lists_are_shown_when_the_organiser_chose_and_never_before_the_lock() -> None:
    later = NOW + DAY
    for chosen, shown in (
        (ListsShown.AT_LOCK, ["locked", "later", "finished"]),
        (ListsShown.AT_TIME, ["later", "finished"]),
        (ListsShown.AFTER_EVENT, ["finished"]),
        (ListsShown.ON_PRESS, []),
    ):
        moments = {
            "before": (an_event(due=NOW), NOW - TICK),
            "early": (an_event(due=later + DAY), later),
            "locked": (an_event(due=NOW), NOW),
            "later": (an_event(due=NOW), later),
            "finished": (an_event(EventState.FINISHED, due=NOW), later),
        }
        for name, (event, moment) in moments.items():
            event.lists_shown, event.lists_shown_from = chosen, later
            assert access.lists_shown(event, moment) is (name in shown), (chosen, name)
            for may in (may_see_seal, READ_GROUP):
                assert who_may(may, a_player(), event, moment) == (ALL if name in shown else READ | {"ada"}), may
            event.lists_revealed_at = NOW
            assert access.lists_shown(event, NOW - 9 * DAY), "a list that was shown stays shown"
    event = an_event(locked=NOW)
    event.lists_shown, event.lists_shown_from = ListsShown.AT_TIME, None
    assert not access.lists_shown(event, NOW), "no time was set"


@pytest.mark.proves("G4")
def test_opponents_of_the_round_read_lists_before_they_are_shown_only_where_the_event_says_so() -> None:
    event = an_event(EventState.IN_PROGRESS, due=NOW)
    event.lists_shown = ListsShown.AFTER_EVENT
    for in_play, (may, opponent) in product(ListsInPlay, product((READ_FORCE, READ_GROUP), (True, False))):
        event.lists_in_play = in_play
        shown = in_play == ListsInPlay.EVERYBODY or (in_play == ListsInPlay.OPPONENTS and opponent)
        seen = who_may(may, a_player(), event, NOW, opponent=opponent)
        assert seen == (ALL if shown else READ | {"ada"}), (in_play, may, opponent)
    event.state, event.lists_in_play = EventState.REGISTRATION, ListsInPlay.OPPONENTS
    assert who_may(READ_FORCE, a_player(), event, NOW, opponent=True) == READ | {"ada"}, "nobody plays yet"


def test_list_checkers_do_not_decide_on_their_own_list_and_organisers_do() -> None:
    for role in Role:
        who = Visitor(OLGA, roles={1: role}, players={1: a_player()})
        assert access.may_check_list(who, an_event(), a_player()) is (role in (Role.OWNER, Role.ORGANISER)), role
        assert access.may_check_list(who, an_event(), a_player(2)) is access.may_check_lists(who, an_event()), role


@pytest.mark.proves("attack 54")
def test_unsubmitted_draft_is_readable_only_by_its_player_and_staff_who_read_lists() -> None:
    for state in (EventState.REGISTRATION, EventState.FINISHED):
        event, ada = an_event(state, due=NOW), a_player()
        event.lists_revealed_at = NOW
        event.lists_in_play = ListsInPlay.OPPONENTS
        for opponent in (True, False):
            seen = who_may(access.may_see_force, ada, event, NOW, submitted=False, opponent=opponent)
            assert seen == READ | {"ada"}, opponent
        for sealed, submitted in product((True, False), repeat=2):
            seen = who_may(may_see_seal, ada, event, NOW, sealed=sealed, submitted=submitted)
            assert seen == (ALL if sealed and submitted else READ | {"ada"}), (sealed, submitted)


def test_round_is_visible_to_all_when_published_and_to_those_who_pair_when_drawn() -> None:
    for held, state in product(EventState, RoundState):
        seen = {RoundState.PLANNED: set(), RoundState.DRAWN: RUN, RoundState.PUBLISHED: ALL}[state]
        seen = seen & set(STAFF) if held == EventState.DRAFT else seen
        the_round = Round(event_id=1, number=1, state=state)
        assert who_may(access.may_see_round, an_event(held), the_round) == seen, (held, state)


def test_two_players_report_their_unconfirmed_game_while_the_event_runs_and_read_its_versions() -> None:
    for held, state, b_id in product(EventState, GameState, (2, None)):
        event, game = an_event(held), a_game(state, b_id)
        is_open = b_id is not None and held == EventState.IN_PROGRESS
        expected = {"ada", "bo"} if is_open and state != GameState.CONFIRMED else set()
        assert who_may(access.may_report, event, game) == expected, (held, state, b_id)
        from_sheet = access.may_report_from_sheet(event, game)
        assert from_sheet is (is_open and state == GameState.OPEN), (held, state, b_id)
    event = an_event(EventState.IN_PROGRESS)
    assert who_may(access.may_see_versions, event, a_game()) == who_may(access.may_see_rounds, event) | {"ada", "bo"}


@pytest.mark.proves("attack 56")
def test_scorekeepers_leave_no_shows_and_staff_their_own_game_to_others_unless_they_run_the_event() -> None:
    event, game = an_event(EventState.IN_PROGRESS), a_game(GameState.REPORTED)
    for role in Role:
        playing, not_playing = Visitor(OLGA, {1: a_player(game.a_id)}, {1: role}), Visitor(OLGA, roles={1: role})
        runs = role in (Role.OWNER, Role.ORGANISER)
        assert access.plays_in(playing, event, game) and not access.plays_in(not_playing, event, game)
        assert access.leaves_to_others(playing, event, game) is not runs
        assert not access.leaves_to_others(not_playing, event, game)
        assert access.may_enter_result(playing, event, game) is runs
        assert access.may_rule_on(playing, event, own_game=True) is runs
        assert access.may_enter_result(not_playing, event, game) is access.may_enter_results(not_playing, event)
    scorekeeper, game = STAFF["scorekeeper"], a_game()
    assert access.may_enter_result(scorekeeper, event, game)
    game.absent = Absent.A
    assert not access.may_enter_result(scorekeeper, event, game), "a judge decides a no-show"


def test_players_withdraw_only_themselves_and_only_once() -> None:
    for held, state in product(EventState, PlayerState):
        may = state != PlayerState.DROPPED and held != EventState.FINISHED
        left = who_may(access.may_leave, a_player(state=state), an_event(held))
        assert left == ({"ada"} if may else set()), (held, state)


def test_checked_in_players_vote_and_mark_opponents_while_it_is_open() -> None:
    for held, state in product(EventState, PlayerState):
        event, player = an_event(held), a_player(state=state)
        voter = signed_in_as(player)
        if held == EventState.IN_PROGRESS:
            assert access.may_vote(voter, event, player, is_open=True) is (state == PlayerState.CHECKED_IN), state
        if state == PlayerState.CHECKED_IN:
            marks = access.may_mark_opponents(voter, event, player, is_open=True)
            assert marks is (held == EventState.IN_PROGRESS), held
    event = an_event(EventState.IN_PROGRESS)
    for question in (access.may_vote, access.may_mark_opponents):
        assert who_may(question, event, a_player(), is_open=True) == {"ada"}
        assert who_may(question, event, a_player(), is_open=False) == set()


def test_journal_names_the_role_of_the_actor() -> None:
    names = {name: visitor.acting_in(an_event(), at_desk=True).name for name, visitor in EVERYBODY.items()}
    of_staff = {role: f"{role.replace('_checker', ' checker').replace('_', '-')} Olga" for role in STAFF}
    players = {"ada": "player Player 1", "bo": "player Player 2", "cy": "player Player 3"}
    assert names == of_staff | players | dict.fromkeys(("nobody", "stranger", "elsewhere"), "visitor")
    assert (STAFF["owner"].name_in_club, ADA.name_in_club) == ("organiser Olga", "visitor")
    both = Visitor(OLGA, {1: a_player()}, {1: Role.JUDGE})
    assert both.acting_in(an_event(), at_desk=True) == Actor("judge Olga", "judge")
    assert both.acting_in(an_event(), at_desk=False) == Actor("player Player 1", "player")
    assert STAFF["judge"].acting_in(an_event(), at_desk=False) == Actor("judge Olga", "judge")


def test_fielded_models_are_private_until_both_players_have_chosen() -> None:
    for chosen in (0, 1, 2):
        assert who_may(access.may_see_fielded, a_player(), chosen) == (ALL if chosen == 2 else {"ada"})


@pytest.mark.proves("ASVS 8.2.2")
def test_awards_are_public_once_published() -> None:
    event = an_event()
    assert who_may(access.may_see_awards, event) == who_may(access.may_award, event) == RUN
    event.awards_published_at = NOW
    assert who_may(access.may_see_awards, event) == ALL


def test_only_organisers_of_the_club_run_it_and_see_own_scenarios_that_are_not_played() -> None:
    event, founder = an_event(), Visitor(OLGA.model_copy(update={"runs_club": True}))
    assert (who_may(access.may_run_club), access.may_run_club(founder)) == (set(), True)
    assert not access.may_see_desk(founder, event), "running the club is no role at an event"
    for scenario, own, readers in (("another", False, ALL), ("pooled", True, ALL), ("played", True, ALL),
                                   ("another", True, set())):  # fmt: skip
        assert who_may(access.may_see_scenario, event, ["played"], scenario, own=own) == readers, scenario
        assert access.may_see_scenario(founder, event, ["played"], scenario, own=own), scenario


@pytest.mark.proves("ASVS 8.2.2")
def test_team_penalties_are_read_by_its_players_and_those_who_give_them() -> None:
    event, team = an_event(), Team(id=7, event_id=1, name="Crows", name_key="crows")
    assert who_may(access.may_read_team_rulings, event, team) == who_may(access.may_give_penalties, event)
    for team_id in (7, 8):
        assert access.may_read_team_rulings(signed_in_as(a_player(team_id=team_id)), event, team) is (team_id == 7)
    gone = signed_in_as(a_player(team_id=7, state=PlayerState.DROPPED, dropped_after=2))
    assert not access.may_read_team_rulings(gone, event, team), "left the team"
    team.dropped_after = 2
    assert access.may_read_team_rulings(gone, event, team), "left with the whole team"
    assert access.may_read_team_rulings(signed_in_as(a_player(team_id=7)), event, team), "came back alone"


def test_captain_sets_the_boards_which_are_private_to_the_team_until_both_are_matched() -> None:
    match, captain = TeamMatch(round_id=1, a_id=7, b_id=8, block=1, notes=[]), a_player(team_id=7)
    mate, rival = (signed_in_as(a_player(team_id=team_id)) for team_id in (7, 8))
    gone = signed_in_as(a_player(team_id=7, state=PlayerState.DROPPED))
    assert [access.may_see_order(who, an_event(), match, 7) for who in (mate, rival, gone)] == [True, False, False]
    assert who_may(access.may_see_order, an_event(), match, 7) == set()
    assert who_may(access.may_hand_out_code, captain) == {"ada"}
    assert who_may(access.may_hand_out_code, None) == set()
    for held in EventState:
        event, runs = an_event(held), held == EventState.IN_PROGRESS
        assert who_may(access.may_choose_boards, event, match, captain) == ({"ada"} if runs else set()), held
        assert access.may_choose_boards(BO, event, match, a_player(2, team_id=8)) is runs, held
        assert who_may(access.may_choose_boards, event, match, None) == set()
        assert not access.may_choose_boards(ADA, event, match, a_player(team_id=9)), "another match"
    match.matched_at = NOW
    assert who_may(access.may_see_order, an_event(), match, 7) == ALL
    assert not access.may_choose_boards(ADA, an_event(EventState.IN_PROGRESS), match, captain)
