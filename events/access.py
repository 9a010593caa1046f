"""Who may do what: one function per question, asked by the route and by the button alike."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from models.event import Event, EventState, ListsShown, Round, RoundState
from models.people import Organiser
from models.play import Game, GameState, Player, PlayerState
from models.team import TeamMatch


@dataclass(frozen=True)
class Visitor:
    """Whoever sent a request: an organiser, a player of some events, both, or neither."""

    organiser: Organiser | None = None
    players: dict[int, Player] = field(default_factory=dict)
    """By event id: whom a private link made this visitor."""

    def player_in(self, event: Event) -> Player | None:
        """The visitor's own entry in this event."""
        return self.players.get(event.id)

    def name_in(self, event: Event) -> str:
        """What the journal calls the visitor."""
        if self.organiser:
            return f"organiser {self.organiser.name}"
        player = self.player_in(event)
        return f"player {player.name}" if player else "visitor"


def may_manage(visitor: Visitor, event: Event | None = None) -> bool:
    """Run events: every organiser of this installation runs all of its club's events."""
    return visitor.organiser is not None


def may_message(visitor: Visitor, event: Event) -> bool:
    """Write to players, see how far each message is, and read their mail addresses."""
    return may_manage(visitor, event)


def may_write_scenarios(visitor: Visitor) -> bool:
    """Write scenarios of the club's own: whoever may run events."""
    return may_manage(visitor)


def may_add_editions(visitor: Visitor) -> bool:
    """Add editions of the force lists: whoever may run events."""
    return may_manage(visitor)


def may_run_clock(visitor: Visitor, event: Event) -> bool:
    """Start, pause and stop the rounds' clocks, and give time."""
    return may_manage(visitor, event)


def may_announce(visitor: Visitor, event: Event) -> bool:
    """Show a line to everybody, and take it back."""
    return may_manage(visitor, event)


def may_judge_painting(visitor: Visitor, event: Event) -> bool:
    """Tick the check list for painting, at the tables."""
    return may_manage(visitor, event)


def may_give_penalties(visitor: Visitor, event: Event) -> bool:
    """Give penalties and bonuses, take them back, and read all of them with their reasons."""
    return may_manage(visitor, event)


def may_give_cards(visitor: Visitor, event: Event) -> bool:
    """Show a yellow or a red card, and say what a red one leads to."""
    return may_manage(visitor, event)


def may_award(visitor: Visitor, event: Event) -> bool:
    """Collect votes and marks, read opponents' marks, set up awards, name winners, publish and present them."""
    return may_manage(visitor, event)


def may_vote(visitor: Visitor, event: Event, *, is_open: bool) -> bool:
    """Vote for the best painted, and see for whom one has: players who are here, while the vote is open."""
    player = visitor.player_in(event)
    return is_open and player is not None and player.state == PlayerState.CHECKED_IN


def may_mark_opponents(visitor: Visitor, event: Event, *, is_open: bool) -> bool:
    """Say what one thinks of one's opponents: players of the event, while marks are taken."""
    player = visitor.player_in(event)
    return is_open and player is not None and event.state == EventState.IN_PROGRESS


def may_see_scenario(visitor: Visitor, event: Event, played: Collection[str], scenario_id: str, *, own: bool) -> bool:
    """Read a scenario: the game's always, the club's own where the event is played by it.

    ``played`` are the ids of those that its rounds and tables play.
    """
    if not own or may_write_scenarios(visitor):
        return True
    return scenario_id in event.scenario_pool or scenario_id in played


def may_see_event(visitor: Visitor, event: Event) -> bool:
    """A draft is for organisers alone."""
    return event.state != EventState.DRAFT or may_manage(visitor, event)


def may_register(event: Event) -> bool:
    """Sign up on the event's page."""
    return event.state == EventState.REGISTRATION


def lists_locked(event: Event, now: datetime) -> bool:
    """The list deadline has passed, or round 1 was published."""
    if event.lists_locked_at is not None:
        return True
    return event.list_deadline is not None and now >= event.list_deadline


def list_open(event: Event, player: Player, now: datetime) -> bool:
    """The player may still change the list: before the lock, or while an organiser has unlocked it."""
    if not lists_locked(event, now):
        return True
    if player.list_unlocked_at is None:
        return False
    return player.list_unlocked_until is None or now < player.list_unlocked_until


def lists_shown(event: Event, now: datetime) -> bool:
    """Everybody may read the lists: once it has happened, for good; never before they are locked."""
    if event.lists_revealed_at is not None:
        return True
    if not lists_locked(event, now):
        return False
    if event.lists_shown == ListsShown.AT_TIME:
        return event.lists_shown_from is not None and now >= event.lists_shown_from
    if event.lists_shown == ListsShown.AFTER_EVENT:
        return event.state == EventState.FINISHED
    return event.lists_shown == ListsShown.AT_LOCK


def may_see_seals(visitor: Visitor, player: Player, event: Event, now: datetime) -> bool:
    """Read a list as it was locked: its owner, the organisers, and everybody once lists are shown."""
    if may_manage(visitor, event) or _is(visitor, player):
        return True
    return lists_shown(event, now) and may_see_event(visitor, event)


def may_see_force(visitor: Visitor, player: Player, event: Event, now: datetime) -> bool:
    """Read a force as it stands: the same people, but nobody else while it is unlocked and being changed."""
    if may_manage(visitor, event) or _is(visitor, player):
        return True
    return may_see_seals(visitor, player, event, now) and not list_open(event, player, now)


def may_edit_force(visitor: Visitor, player: Player, event: Event, now: datetime) -> bool:
    """Change a force: its owner while it is open, organisers until the event is over (the journal says so)."""
    if event.state == EventState.FINISHED:
        return False
    if may_manage(visitor, event):
        return True
    return _is(visitor, player) and list_open(event, player, now) and player.state != PlayerState.DROPPED


def may_see_round(visitor: Visitor, event: Event, a_round: Round) -> bool:
    """A round is seen when it is published, by organisers when it is drawn."""
    if not may_see_event(visitor, event):
        return False
    return a_round.state == RoundState.PUBLISHED or (may_manage(visitor, event) and a_round.state == RoundState.DRAWN)


def may_report(visitor: Visitor, event: Event, game: Game) -> bool:
    """Send in the result of a game: its two players, while the game is not yet decided."""
    player = visitor.player_in(event)
    if player is None or game.b_id is None or event.state != EventState.IN_PROGRESS:
        return False
    return player.id in (game.a_id, game.b_id) and game.state != GameState.CONFIRMED


def may_report_from_sheet(event: Event, game: Game) -> bool:
    """Send in the first report with the code from the paper sheet; agreeing to one takes a private link."""
    return event.state == EventState.IN_PROGRESS and game.b_id is not None and game.state == GameState.OPEN


def may_see_fielded(visitor: Visitor, player: Player, chosen: int) -> bool:
    """See what a player fields from the roster: one's own at once, another's when both have chosen.

    Organisers wait as well: nobody can be asked what they saw.
    """
    return chosen == 2 or _is(visitor, player)


def may_see_order(visitor: Visitor, event: Event, match: TeamMatch, team_id: int) -> bool:
    """Read which order of boards a team's captain has chosen: the team itself; everybody once the boards are matched.

    Organisers wait as well.
    """
    own = visitor.player_in(event)
    return match.matched_at is not None or (own is not None and own.team_id == team_id)


def may_choose_boards(visitor: Visitor, event: Event, match: TeamMatch, captain: Player | None) -> bool:
    """Set the boards of a team for a match: its captain, until the boards are matched."""
    if captain is None or match.matched_at is not None or event.state != EventState.IN_PROGRESS:
        return False
    return _is(visitor, captain) and captain.team_id in (match.a_id, match.b_id)


def may_leave(visitor: Visitor, player: Player, event: Event) -> bool:
    """Withdraw before the event, or drop between rounds."""
    return _is(visitor, player) and player.state != PlayerState.DROPPED and event.state != EventState.FINISHED


def _is(visitor: Visitor, player: Player) -> bool:
    own = visitor.players.get(player.event_id)
    return own is not None and own.id == player.id
