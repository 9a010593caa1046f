"""Permissions: one function per question, used by routes and buttons alike.

A test checks that no ``may_*`` function is defined elsewhere.
"""

from collections.abc import Callable, Collection
from datetime import datetime

from events.store.players import awaits_approval, unanswered
from events.store.rounds import never_played
from events.store.rulings import disqualified
from events.store.visitor import Right, Visitor, allows
from models.event import Event, EventState, Round, RoundState
from models.play import ForceList, Game, GameState, ListSeal, Player, PlayerState
from models.settings import ListsInPlay, ListsShown, SignUpBy
from models.team import Team, TeamMatch

Question = Callable[[Visitor, Event], bool]


def _by_right(right: Right, what: str) -> Question:
    """The question whether the visitor's role at the event has this right; ``what`` is its docstring."""

    def question(visitor: Visitor, event: Event) -> bool:
        return allows(visitor.role_in(event), right)

    question.__doc__ = what
    return question


may_see_desk = _by_right(Right.SEE_DESK, "See the event's desk: all of its staff.")
may_see_players = _by_right(Right.SEE_PLAYERS, "See the desk's players: registered, checked in or dropped.")
may_see_rounds = _by_right(
    Right.SEE_ROUNDS, "See the desk's pages of rounds and their open games; drafts need ``may_pair``."
)
may_print = _by_right(Right.PRINT, "See the print room, and print scoresheets, which only the desk may.")
may_check_in = _by_right(Right.CHECK_IN, "Check players in.")
may_mark_paid = _by_right(Right.MARK_PAID, "See who has paid and what is still due, and mark players as paid.")
may_see_money = _by_right(
    Right.SEE_MONEY, "See each payment and the sums, record payments and what is given back, and set what players pay."
)
may_see_private_links = _by_right(
    Right.SEE_PRIVATE_LINKS,
    "See players' private links, print them on badges, and renew them. Anyone with one can act for the player.",
)
may_change_players = _by_right(
    Right.CHANGE_PLAYERS,
    "Register, correct, drop, remove and reinstate players, give byes and places; the same for teams; join codes.",
)
may_erase = _by_right(Right.ERASE, "Erase a player's personal data for good; players may erase their own.")
may_read_lists = _by_right(Right.READ_LISTS, "Read every list at any time.")
may_check_lists = _by_right(Right.CHECK_LISTS, "Approve a list, send it back, unlock it and lock it again.")
may_change_lists = _by_right(
    Right.CHANGE_LISTS, "Write a player's list on their behalf; lock, show and reopen all lists."
)
may_enter_results = _by_right(Right.ENTER_RESULTS, "Enter results that are neither confirmed nor disputed.")
may_decide = _by_right(Right.DECIDE, "Decide disputes, correct confirmed results, record no-shows and who advances.")
may_run_clock = _by_right(Right.RUN_CLOCK, "Start, pause and stop the rounds' clocks, and give time.")
may_announce = _by_right(Right.ANNOUNCE, "Publish and withdraw announcements.")
may_message = _by_right(
    Right.MESSAGE, "Write to players, see the state of each message, and read their mail addresses."
)
may_read_journal = _by_right(Right.READ_JOURNAL, "Read who did what.")
may_pair = _by_right(Right.PAIR, "Draw, change, publish and unpublish rounds, cut, and seed.")
may_undo = _by_right(Right.UNDO, "Undo the desk's last step.")
may_change_settings = _by_right(
    Right.CHANGE_SETTINGS, "Change how the event is played, open its registration, close and reopen it."
)
may_manage_staff = _by_right(Right.MANAGE_STAFF, "Invite staff, change their roles, and remove them.")
may_archive = _by_right(Right.ARCHIVE, "Download the whole event as one file, secret lists and votes included.")
may_go_back = _by_right(Right.GO_BACK, "Restore the event's play to its state before a step, or to the journal's.")
may_take_pack = _by_right(
    Right.TAKE_PACK,
    "Download a round's pack as a ZIP, to finish the event on paper; its archive needs ``may_archive``.",
)
may_make_tokens = _by_right(
    Right.MAKE_TOKENS, "Make and end the tokens of programs; a token ends with this right of its maker."
)
may_give_penalties = _by_right(
    Right.GIVE_PENALTIES, "Give and withdraw penalties and bonuses, and read all of them with their reasons."
)
may_give_cards = _by_right(Right.GIVE_CARDS, "Give yellow and red cards, and decide the consequence of a red one.")
may_award = _by_right(
    Right.AWARD,
    "Collect votes and marks, read opponents' marks, set up, publish and present awards, and hold the raffle.",
)


def may_undo_press(visitor: Visitor, event: Event, asked: Collection[Right], *, is_own: bool) -> bool:
    """Undo one press, with the rights that it asked for; a payment that others marked, with ``may_see_money``."""
    others = {Right.SEE_MONEY if right == Right.MARK_PAID else right for right in asked}
    return all(allows(visitor.role_in(event), right) for right in (asked if is_own else others))


def may_run_club(visitor: Visitor) -> bool:
    """Create events, scenarios and editions: the club's organisers, not staff invited to one event."""
    return visitor.account is not None and visitor.account.runs_club


def may_copy(visitor: Visitor, event: Event) -> bool:
    return may_run_club(visitor) and may_change_settings(visitor, event)


def may_check_list(visitor: Visitor, event: Event, player: Player) -> bool:
    """Decide on this list. Staff who play leave their own list to others, unless they may change all lists."""
    return may_check_lists(visitor, event) and (not visitor.is_player(player) or may_change_lists(visitor, event))


def may_enter_result(visitor: Visitor, event: Event, game: Game) -> bool:
    """Enter the result of this game. If it is confirmed or disputed, only judges may."""
    if leaves_to_others(visitor, event, game):
        return False
    settled = game.state in (GameState.DISPUTED, GameState.CONFIRMED) or game.absent is not None
    return may_decide(visitor, event) if settled else may_enter_results(visitor, event)


def plays_in(visitor: Visitor, event: Event, game: Game) -> bool:
    player = visitor.player_in(event)
    return player is not None and player.id in (game.a_id, game.b_id)


def leaves_to_others(visitor: Visitor, event: Event, game: Game) -> bool:
    """Whether staff must leave their own game to others. Those who run the event need not; the journal records it."""
    return plays_in(visitor, event, game) and not may_pair(visitor, event)


def may_rule_on(visitor: Visitor, event: Event, *, own_game: bool) -> bool:
    """Give a player or team a ruling, or withdraw it. Staff who play leave their own games and opponents to others."""
    return may_give_penalties(visitor, event) and (not own_game or may_pair(visitor, event))


def may_see_event(visitor: Visitor, event: Event) -> bool:
    """See the event; a draft is for its staff only."""
    return event.state != EventState.DRAFT or may_see_desk(visitor, event)


def is_listed_for(visitor: Visitor, event: Event) -> bool:
    """Find the event on the front page and in its series; an unlisted one is for its staff only."""
    return may_see_event(visitor, event) and (not event.unlisted or may_see_desk(visitor, event))


def may_see_entry(visitor: Visitor, event: Event, player: Player) -> bool:
    """See that a player is registered. While a sign-up waits for approval, only staff and the player may."""
    return not awaits_approval(event, player) or visitor.is_player(player) or may_see_players(visitor, event)


def may_register(event: Event, now: datetime) -> bool:
    """Sign up on the event's page: while registration is open, within its times."""
    return event.state == EventState.REGISTRATION and registration_window(event, now) == "open"


def registration_window(event: Event, now: datetime) -> str:
    """The state of registration by the organiser's times and the last day: "before", "open" or "over"."""
    closed = event.registration_closes is not None and now >= event.registration_closes
    if event.cancelled_at is not None or closed or never_played(event, now):
        return "over"
    return "before" if event.registration_opens is not None and now < event.registration_opens else "open"


def needs_code(event: Event, now: datetime) -> bool:
    """Whether players who sign up themselves need a join code now."""
    if event.sign_up_by == SignUpBy.MEMBERS_FIRST:
        return event.everybody_from is not None and now < event.everybody_from
    return event.sign_up_by != SignUpBy.EVERYBODY


def may_answer(visitor: Visitor, event: Event, player: Player, now: datetime) -> bool:
    """Change one's own answers to the event's questions: the player, until registration closes or all are given."""
    asked = bool(event.questions) and player.state != PlayerState.DROPPED and event.state == EventState.REGISTRATION
    is_time = registration_window(event, now) != "over" or bool(unanswered(event, player))
    return asked and visitor.is_player(player) and is_time


def is_of_staff(rule: str) -> bool:
    return rule.startswith("/e/<slug>/desk") or rule.endswith(("/scoresheets.pdf", "/setup.pdf"))


def lists_locked(event: Event, now: datetime) -> bool:
    """Whether the list deadline has passed or round 1 is published."""
    due = event.list_deadline is not None and now >= event.list_deadline
    return due or event.lists_locked_at is not None


def list_open(event: Event, player: Player, now: datetime) -> bool:
    """Whether the player may change the list: before the lock, or while the list is unlocked."""
    if not lists_locked(event, now):
        return True
    if player.list_unlocked_at is None:
        return False
    return player.list_unlocked_until is None or now < player.list_unlocked_until


def lists_shown(event: Event, now: datetime) -> bool:
    """Whether everyone may read the lists: never before the lock; once shown, for good."""
    if event.lists_revealed_at is not None:
        return True
    if not lists_locked(event, now):
        return False
    if event.lists_in_play == ListsInPlay.EVERYBODY and event.state in (EventState.IN_PROGRESS, EventState.FINISHED):
        return True
    if event.lists_shown == ListsShown.AT_TIME:
        return event.lists_shown_from is not None and now >= event.lists_shown_from
    if event.lists_shown == ListsShown.AFTER_EVENT:
        return event.state == EventState.FINISHED
    return event.lists_shown == ListsShown.AT_LOCK


def may_read_others(visitor: Visitor, event: Event, now: datetime, *, opponent: bool = False) -> bool:
    """Read the other players' locked lists: everyone once they are shown, opponents perhaps earlier; not a player whose
    own list is still open after the lock.
    """
    player = visitor.player_in(event)
    writes = player is not None and lists_locked(event, now) and list_open(event, player, now)
    return not writes and (lists_shown(event, now) or (opponent and lists_open_to_opponents(event, now)))


def may_see_draft(visitor: Visitor, player: Player, event: Event) -> bool:
    """Read a player's list at any time, even a draft: only the player, and staff who read lists."""
    return may_read_lists(visitor, event) or visitor.is_player(player)


def may_see_force(
    visitor: Visitor, player: Player, event: Event, now: datetime, *, submitted: bool, opponent: bool
) -> bool:
    """Read a force as it is now: others only once it is submitted and locked, and lists are shown.

    ``opponent`` is whether the visitor plays against this player in the current round; the event may show lists to
    opponents.
    """
    readable = may_read_others(visitor, event, now, opponent=opponent)
    shown = submitted and readable and not list_open(event, player, now)
    public = may_see_event(visitor, event) and may_see_entry(visitor, event, player)
    return may_see_draft(visitor, player, event) or (shown and public)


def lists_open_to_opponents(event: Event, now: datetime) -> bool:
    playing = event.state == EventState.IN_PROGRESS and lists_locked(event, now)
    return playing and event.lists_in_play == ListsInPlay.OPPONENTS


def may_see_group(visitor: Visitor, player: Player, event: Event, now: datetime, *, opponent: bool) -> bool:
    """Read a player's campaign group: everyone once lists are shown, before that the player and list readers.

    ``opponent`` is as in ``may_see_force``.
    """
    readable = may_read_others(visitor, event, now, opponent=opponent)
    public = may_see_event(visitor, event) and may_see_entry(visitor, event, player)
    return may_see_draft(visitor, player, event) or (readable and public)


def may_take_steps(visitor: Visitor, event: Event, player: Player) -> bool:
    """Take a group's steps: the player until they leave, and staff who may decide; the journal records who did."""
    is_own = visitor.is_player(player) and player.state != PlayerState.DROPPED
    return event.state == EventState.IN_PROGRESS and (is_own or may_decide(visitor, event))


def may_see_seal(
    visitor: Visitor, player: Player, event: Event, seal: ListSeal, force: ForceList | None, now: datetime
) -> bool:
    """Read a list as locked: others only once lists are shown, and never a draft, then or now."""
    submitted = seal.submitted and force is not None and force.submitted
    shown = submitted and may_read_others(visitor, event, now)
    public = may_see_event(visitor, event) and may_see_entry(visitor, event, player)
    return may_see_draft(visitor, player, event) or (shown and public)


def may_edit_force(visitor: Visitor, player: Player, event: Event, now: datetime) -> bool:
    """Change a force: its owner while it is open; organisers until the event is over, which the journal records."""
    if event.state == EventState.FINISHED:
        return False
    if may_change_lists(visitor, event):
        return True
    return visitor.is_player(player) and list_open(event, player, now) and player.state != PlayerState.DROPPED


def self_check_in(event: Event, now: datetime) -> bool:
    """Whether players may check in themselves now: in the organiser's window, until round 1 is published."""
    if event.state != EventState.REGISTRATION or event.check_in_from is None or now < event.check_in_from:
        return False
    return event.check_in_until is None or now < event.check_in_until


def may_check_in_self(visitor: Visitor, player: Player, event: Event, now: datetime) -> bool:
    """Check in: the registered player, in the window."""
    return visitor.is_player(player) and player.state == PlayerState.REGISTERED and self_check_in(event, now)


def may_vote(visitor: Visitor, event: Event, player: Player, *, is_open: bool) -> bool:
    """Vote for the best painted force as this checked-in player, while the vote is open."""
    return is_open and player.state == PlayerState.CHECKED_IN and visitor.is_player(player)


def may_mark_opponents(visitor: Visitor, event: Event, player: Player, *, is_open: bool) -> bool:
    """Rate the opponents of this player, while marking is open."""
    return is_open and event.state == EventState.IN_PROGRESS and visitor.is_player(player)


def may_see_awards(visitor: Visitor, event: Event) -> bool:
    """Read the awards: everyone once they are published, before that the staff who give them."""
    return event.awards_published_at is not None or may_award(visitor, event)


def may_read_team_rulings(visitor: Visitor, event: Event, team: Team) -> bool:
    """Read why a team was given a penalty or a bonus: its players, and staff who may give them.

    A player who left the team may not; the players of a team that dropped as a whole may.
    """
    player = visitor.player_in(event)
    if may_give_penalties(visitor, event):
        return True
    if player is None or player.team_id != team.id:
        return False
    return player.state != PlayerState.DROPPED or player.dropped_after == team.dropped_after


def may_see_scenario(visitor: Visitor, event: Event, played: Collection[str], scenario_id: str, *, own: bool) -> bool:
    """Read a scenario: always one of the game's own; one of the club's if the event plays it.

    ``played`` are the ids of the scenarios of its rounds and tables.
    """
    if not own or may_run_club(visitor):
        return True
    return scenario_id in event.scenario_pool or scenario_id in played


def may_see_round(visitor: Visitor, event: Event, the_round: Round) -> bool:
    """See a round: everyone once it is published, staff who pair once it is drawn."""
    if not may_see_event(visitor, event):
        return False
    drawn = the_round.state == RoundState.DRAWN and may_pair(visitor, event)
    return drawn or the_round.state == RoundState.PUBLISHED


def may_report(visitor: Visitor, event: Event, game: Game) -> bool:
    """Report a game: its two players, until the result is confirmed."""
    player = visitor.player_in(event)
    open_game = game.b_id is not None and game.state != GameState.CONFIRMED and _is_played(event)
    return open_game and player is not None and player.id in (game.a_id, game.b_id)


def may_report_from_sheet(event: Event, game: Game) -> bool:
    """Send the first report with the paper sheet's code. Agreeing to a report needs a private link."""
    return _is_played(event) and game.b_id is not None and game.state == GameState.OPEN


def _is_played(event: Event) -> bool:
    return event.state == EventState.IN_PROGRESS and event.cancelled_at is None


def may_see_versions(visitor: Visitor, event: Event, game: Game) -> bool:
    """Read all versions of a game's result: its two players and the desk."""
    player = visitor.player_in(event)
    return may_see_rounds(visitor, event) or (player is not None and player.id in (game.a_id, game.b_id))


def may_see_fielded(visitor: Visitor, player: Player, chosen: int) -> bool:
    """See the models that a player fields from the roster: the player, and everyone once both players have chosen."""
    return chosen == 2 or visitor.is_player(player)


def may_see_order(visitor: Visitor, event: Event, match: TeamMatch, team_id: int) -> bool:
    """Read a captain's order of boards: the team's players, and everyone once the boards are set."""
    player = visitor.player_in(event)
    in_team = player is not None and player.team_id == team_id and player.state != PlayerState.DROPPED
    return match.matched_at is not None or in_team


def may_hand_out_code(visitor: Visitor, captain: Player | None) -> bool:
    """Read the code for joining a team: its captain, on the captain's own page. Staff read it at the desk."""
    return captain is not None and visitor.is_player(captain)


def may_join_team(visitor: Visitor, event: Event, player: Player) -> bool:
    """Join or start a team, in an event of teams: a player who is in none, until the event is over."""
    is_free = player.team_id is None and player.state != PlayerState.DROPPED
    return is_free and visitor.is_player(player) and event.state != EventState.FINISHED


def may_choose_boards(visitor: Visitor, event: Event, match: TeamMatch, captain: Player | None) -> bool:
    """Set a team's boards for a match: its captain, until the boards are set for both teams."""
    if captain is None or match.matched_at is not None or event.state != EventState.IN_PROGRESS:
        return False
    return visitor.is_player(captain) and captain.team_id in (match.a_id, match.b_id)


def may_leave(visitor: Visitor, player: Player, event: Event) -> bool:
    """Withdraw or drop: the player, once, until the event is over."""
    return visitor.is_player(player) and player.state != PlayerState.DROPPED and event.state != EventState.FINISHED


def may_come_back(visitor: Visitor, player: Player, event: Event, now: datetime) -> bool:
    """Sign up again after leaving before round 1: the player, while sign-ups are taken; not if disqualified."""
    left = player.state == PlayerState.DROPPED and not player.dropped_after and player.id not in disqualified(event)
    return left and visitor.is_player(player) and may_register(event, now)
