"""Who may do what, asked of the functions that pages and buttons share."""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from events.accounts import access
from events.play.visitor import TABLE, Right, Visitor
from models.event import Event, EventState, ListsShown, Round, RoundState
from models.journal import Actor
from models.people import Account
from models.play import Absent, ForceList, Game, GameState, ListSeal, Player, PlayerState
from models.staff import Role

NOW = datetime(2026, 12, 5, 9, tzinfo=UTC)


def an_event(
    state: EventState = EventState.REGISTRATION, due: datetime | None = None, locked: datetime | None = None
) -> Event:
    return Event(
        id=1, slug="iron-open", name="Iron Open", starts_on=date(2026, 12, 5), ends_on=date(2026, 12, 5),
        timezone="UTC", system="battle_mode", edition="2018-08", size=750, rounds=3, round_minutes=90, points_win=3,
        points_draw=1, points_loss=0, tie_breaks=[], scenario_pool=[], seed=1, created_at=NOW, changed_at=NOW,
        state=state, list_deadline=due, lists_locked_at=locked,
    )  # fmt: skip


def a_player(id_: int = 1, event_id: int = 1, state: PlayerState = PlayerState.CHECKED_IN) -> Player:
    name = f"Player {id_}"
    return Player(id=id_, event_id=event_id, name=name, name_key=name.lower(), state=state, registered_at=NOW)


def a_game(state: GameState, b_id: int | None = 2) -> Game:
    return Game(round_id=1, a_id=1, b_id=b_id, table_number=b_id and 1, code="ABCDEFGH", notes=[], state=state)


OLGA = Account(id=1, name="Olga", name_key="olga", password_hash="", session_key="", created_at=NOW)
NOBODY = Visitor()
STAFF = {role.value: Visitor(OLGA, roles={1: role}) for role in Role}
ADA = Visitor(players={1: a_player(1)})
BO = Visitor(players={1: a_player(2)})
STRANGER = Visitor(players={2: a_player(1, event_id=2)})
"""A player of another event whose id, were it looked at alone, would be Ada's."""
ELSEWHERE = Visitor(OLGA, roles={2: Role.OWNER})
"""The owner of another event."""
RUN = {"owner", "organiser"}
READ = RUN | {"judge", "list_checker"}
EVERYBODY = {**STAFF, "nobody": NOBODY, "ada": ADA, "bo": BO, "stranger": STRANGER, "elsewhere": ELSEWHERE}


READ_FORCE = partial(access.may_see_force, submitted=True)


def may_see_seal(
    visitor: Visitor, player: Player, event: Event, now: datetime, seal: str = "x", force: str = "x"
) -> bool:
    """The question about a sealed list; "" as the seal or as the force is a draft's."""
    sealed = ListSeal(player_id=player.id, at=now, by="the lock", sha256="", text="", submitted=bool(seal))
    kept = ForceList(player_id=player.id, document={}, saved_at=now, submitted_at=now if force else None)
    return access.may_see_seal(visitor, player, event, sealed, kept, now)


def those(question: object, *arguments: object) -> set[str]:
    """Who of everybody may."""
    assert callable(question)
    return {name for name, visitor in EVERYBODY.items() if question(visitor, *arguments)}


@pytest.mark.parametrize("right", Right)
def test_every_right_is_asked_for_by_one_question_and_given_by_the_table_alone(right: Right) -> None:
    may = those(getattr(access, f"may_{right}"), an_event())
    assert may == {role.value for role in TABLE[right]}
    assert "owner" in may, "whatever can be done, the owner can do"


def test_a_role_ends_with_the_account_that_has_it() -> None:
    assert Visitor(roles={1: Role.OWNER}).role_in(an_event()) is None


def test_who_was_invited_to_an_event_does_not_run_the_club() -> None:
    assert those(access.may_run_club) == set()
    founder = Visitor(OLGA.model_copy(update={"runs_club": True}))
    assert access.may_create_events(founder) and access.may_write_scenarios(founder)
    assert access.may_add_editions(founder)
    assert not access.may_see_desk(founder, an_event()), "running the club is no role at an event"


@pytest.mark.parametrize("state", EventState)
def test_a_draft_is_seen_by_its_staff_and_everything_else_by_all(state: EventState) -> None:
    seen = those(access.may_see_event, an_event(state))
    assert seen == (set(STAFF) if state == EventState.DRAFT else set(EVERYBODY))
    assert access.may_register(an_event(state)) is (state == EventState.REGISTRATION)


def test_lists_lock_at_the_deadline_to_the_second_or_when_round_1_is_published() -> None:
    due = an_event(due=NOW)
    assert not access.lists_locked(due, NOW - timedelta(microseconds=1))
    assert access.lists_locked(due, NOW)
    assert not access.lists_locked(an_event(), NOW)
    assert access.lists_locked(an_event(due=NOW + timedelta(days=1), locked=NOW), NOW)


def test_a_force_is_its_owner_s_until_the_lock() -> None:
    event, before, after = an_event(due=NOW), NOW - timedelta(seconds=1), NOW
    ada = a_player(1)
    assert those(READ_FORCE, ada, event, before) == READ | {"ada"}
    assert those(READ_FORCE, ada, event, after) == set(EVERYBODY)
    assert those(access.may_edit_force, ada, event, before) == RUN | {"ada"}
    assert those(access.may_edit_force, ada, event, after) == RUN
    finished = an_event(EventState.FINISHED, due=NOW)
    assert those(access.may_edit_force, ada, finished, before) == set()


def test_an_unlocked_list_is_its_owner_s_until_its_time_and_nobody_else_reads_it() -> None:
    event, ada = an_event(due=NOW), a_player(1)
    assert access.list_open(event, ada, NOW - timedelta(microseconds=1))
    assert not access.list_open(event, ada, NOW)
    ada.list_unlocked_at = NOW
    assert access.list_open(event, ada, NOW + timedelta(days=9)), "until it is locked again"
    ada.list_unlocked_until = NOW + timedelta(hours=1)
    for moment, is_open in ((NOW, True), (ada.list_unlocked_until, False)):
        assert access.list_open(event, ada, moment) is is_open
        assert those(READ_FORCE, ada, event, moment) == (READ | {"ada"} if is_open else set(EVERYBODY))
        assert those(may_see_seal, ada, event, moment) == set(EVERYBODY)


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        (ListsShown.AT_LOCK, ["locked", "later", "finished"]),
        (ListsShown.AT_TIME, ["later", "finished"]),
        (ListsShown.AFTER_EVENT, ["finished"]),
        (ListsShown.ON_PRESS, []),
    ],
)
def test_lists_are_shown_as_the_organiser_chose_and_never_before_the_lock(chosen: ListsShown, shown: list[str]) -> None:
    later = NOW + timedelta(days=1)
    moments = {
        "before": (an_event(due=NOW), NOW - timedelta(seconds=1)),
        "early": (an_event(due=later + timedelta(days=1)), later),
        "locked": (an_event(due=NOW), NOW),
        "later": (an_event(due=NOW), later),
        "finished": (an_event(EventState.FINISHED, due=NOW), later),
    }
    for event, _ in moments.values():
        event.lists_shown, event.lists_shown_from = chosen, later
    assert [name for name, (event, moment) in moments.items() if access.lists_shown(event, moment)] == shown
    for name, (event, moment) in moments.items():
        everybody = set(EVERYBODY) if name in shown else READ | {"ada"}
        assert those(may_see_seal, a_player(1), event, moment) == everybody
        event.lists_revealed_at = NOW
        assert access.lists_shown(event, NOW - timedelta(days=9)), "what has been shown stays shown"


@pytest.mark.proves("attack 54")
@pytest.mark.parametrize("state", [EventState.REGISTRATION, EventState.FINISHED])
def test_unsubmitted_draft_is_readable_only_by_its_player_and_staff_who_read_lists(state: EventState) -> None:
    event, ada = an_event(state, due=NOW), a_player(1)
    event.lists_revealed_at = NOW
    assert those(partial(access.may_see_force, submitted=False), ada, event, NOW) == READ | {"ada"}
    for seal, force in (("", ""), ("", "x"), ("x", "")):
        assert those(may_see_seal, ada, event, NOW, seal, force) == READ | {"ada"}
    assert those(may_see_seal, ada, event, NOW, "x", "x") == set(EVERYBODY)


def test_locked_lists_of_a_draft_stay_with_its_staff() -> None:
    event = an_event(EventState.DRAFT, due=NOW)
    assert those(READ_FORCE, a_player(1), event, NOW) == set(STAFF) | {"ada"}


def test_one_who_dropped_edits_no_force() -> None:
    dropped = a_player(1, state=PlayerState.DROPPED)
    assert those(access.may_edit_force, dropped, an_event(), NOW) == RUN


def test_a_round_is_seen_when_published_and_by_those_who_pair_when_drawn() -> None:
    event = an_event()
    for state, seen in (
        (RoundState.PLANNED, set()),
        (RoundState.DRAWN, RUN),
        (RoundState.PUBLISHED, set(EVERYBODY)),
    ):
        assert those(access.may_see_round, event, Round(event_id=1, number=1, state=state)) == seen
    published = Round(event_id=1, number=1, state=RoundState.PUBLISHED)
    assert those(access.may_see_round, an_event(EventState.DRAFT), published) == set(STAFF)


@pytest.mark.parametrize("state", GameState)
def test_the_two_players_report_until_the_game_is_confirmed(state: GameState) -> None:
    event, game = an_event(EventState.IN_PROGRESS), a_game(state)
    assert those(access.may_report, event, game) == (set() if state == GameState.CONFIRMED else {"ada", "bo"})
    assert access.may_report_from_sheet(event, game) is (state == GameState.OPEN)
    for other in (EventState.REGISTRATION, EventState.FINISHED):
        assert those(access.may_report, an_event(other), game) == set()
        assert not access.may_report_from_sheet(an_event(other), game)


def test_nobody_reports_a_bye() -> None:
    event, bye = an_event(EventState.IN_PROGRESS), a_game(GameState.OPEN, None)
    assert those(access.may_report, event, bye) == set()
    assert not access.may_report_from_sheet(event, bye)


def test_one_leaves_only_oneself_and_only_once() -> None:
    assert those(access.may_leave, a_player(1), an_event()) == {"ada"}
    assert those(access.may_leave, a_player(1), an_event(EventState.IN_PROGRESS)) == {"ada"}
    assert those(access.may_leave, a_player(1), an_event(EventState.FINISHED)) == set()
    assert those(access.may_leave, a_player(1, state=PlayerState.DROPPED), an_event()) == set()


def test_the_journal_knows_everybody_by_what_they_are() -> None:
    names = {name: visitor.acting_in(an_event(), at_desk=True).name for name, visitor in EVERYBODY.items()}
    assert names == {
        "owner": "owner Olga",
        "organiser": "organiser Olga",
        "judge": "judge Olga",
        "scorekeeper": "scorekeeper Olga",
        "list_checker": "list checker Olga",
        "check_in": "check-in Olga",
        "elsewhere": "visitor",
        "nobody": "visitor",
        "ada": "player Player 1",
        "bo": "player Player 2",
        "stranger": "visitor",
    }


def test_where_no_event_is_concerned_an_account_is_an_organiser() -> None:
    assert (Visitor(OLGA).name_in_club, EVERYBODY["ada"].name_in_club) == ("organiser Olga", "visitor")


def test_a_judge_who_plays_is_known_by_the_part_in_which_they_act() -> None:
    both = Visitor(OLGA, {1: a_player(1)}, {1: Role.JUDGE})
    assert both.acting_in(an_event(), at_desk=True) == Actor("judge Olga", "judge")
    assert both.acting_in(an_event(), at_desk=False) == Actor("player Player 1", "player")
    assert STAFF["judge"].acting_in(an_event(), at_desk=False) == Actor("judge Olga", "judge")


def test_what_is_fielded_from_a_roster_is_its_players_alone_until_both_have_chosen() -> None:
    ada = a_player(1)
    assert those(access.may_see_fielded, ada, 1) == {"ada"}
    assert those(access.may_see_fielded, ada, 2) == set(EVERYBODY)


@pytest.mark.proves("ASVS 8.1.1")
def test_the_page_of_the_roles_tells_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "roles.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| `")]
    assert [row[0].strip("`") for row in rows] == [right.value for right in Right]
    for right, (_, what, *cells) in zip(Right, rows, strict=True):
        assert [cell == "yes" for cell in cells] == [role in TABLE[right] for role in Role], right
        assert f"{what}." in (getattr(access, f"may_{right}").__doc__ or ""), right


def test_a_stranger_reads_no_versions_of_a_game() -> None:
    assert not access.may_see_versions(Visitor(), an_event(), a_game(GameState.OPEN))


def test_lists_shown_at_a_time_that_nobody_has_set_are_not_shown() -> None:
    event = an_event(locked=NOW)
    event.lists_shown, event.lists_shown_from = ListsShown.AT_TIME, None
    assert not access.lists_shown(event, NOW)


def test_who_enters_results_does_not_decide_about_somebody_who_did_not_come() -> None:
    scorekeeper = Visitor(OLGA, roles={1: Role.SCOREKEEPER})
    game = a_game(GameState.OPEN)
    assert access.may_enter_result(scorekeeper, an_event(EventState.IN_PROGRESS), game)
    game.absent = Absent.A
    assert not access.may_enter_result(scorekeeper, an_event(EventState.IN_PROGRESS), game)


@pytest.mark.proves("attack 56")
def test_staff_who_play_in_a_game_leave_it_to_others_unless_they_run_the_event() -> None:
    event, game = an_event(EventState.IN_PROGRESS), a_game(GameState.REPORTED)
    own = {1: Player(id=game.a_id, event_id=1, name="Ada", name_key="ada", state=PlayerState.CHECKED_IN,
                     registered_at=a_player().registered_at)}  # fmt: skip
    for role in Role:
        playing, not_playing = Visitor(OLGA, own, {1: role}), Visitor(OLGA, roles={1: role})
        runs = role in (Role.OWNER, Role.ORGANISER)
        assert access.plays_in(playing, event, game) and not access.plays_in(not_playing, event, game)
        assert access.leaves_to_others(playing, event, game) is not runs
        assert not access.leaves_to_others(not_playing, event, game)
        assert access.may_enter_result(playing, event, game) is runs
        assert access.may_enter_result(not_playing, event, game) is access.may_enter_results(not_playing, event)


def test_only_players_vote_and_mark_and_only_while_it_is_open() -> None:
    event, ada = an_event(EventState.IN_PROGRESS), Visitor(players={1: a_player()})
    gone, over = Visitor(players={1: a_player(state=PlayerState.DROPPED)}), an_event(EventState.FINISHED)
    assert access.may_vote(ada, event, is_open=True)
    assert access.may_mark_opponents(ada, event, is_open=True)
    assert not access.may_mark_opponents(ada, over, is_open=True)
    assert not access.may_vote(gone, event, is_open=True)
    for asked in (access.may_vote, access.may_mark_opponents):
        assert not asked(ada, event, is_open=False)
        assert not asked(Visitor(), event, is_open=True)


def test_a_game_is_its_two_players_to_report_and_to_read_how_it_came_about() -> None:
    event, game = an_event(EventState.IN_PROGRESS), a_game(GameState.OPEN)
    one, other, third = (Visitor(players={1: a_player(id_)}) for id_ in (1, 2, 3))
    for asked in (access.may_report, access.may_see_versions):
        assert asked(one, event, game) and asked(other, event, game)
        assert not asked(third, event, game)
        assert not asked(Visitor(), event, game)
