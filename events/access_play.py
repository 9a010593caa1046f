"""Who may see rounds, report games, choose boards, vote and read awards: questions like those of ``access``."""

from collections.abc import Collection

from events import access
from events.rounds_in_short import RoundInShort
from events.visitor import Visitor
from models.event import Event, EventState, Round, RoundState
from models.play import Game, GameState, Player, PlayerState
from models.team import Team, TeamMatch


def may_vote(visitor: Visitor, event: Event, *, is_open: bool) -> bool:
    """Vote for the best painted, and see for whom one has: players who are here, while the vote is open."""
    player = visitor.player_in(event)
    return is_open and player is not None and player.state == PlayerState.CHECKED_IN


def may_mark_opponents(visitor: Visitor, event: Event, *, is_open: bool) -> bool:
    """Say what one thinks of one's opponents: players of the event, while marks are taken."""
    player = visitor.player_in(event)
    return is_open and player is not None and event.state == EventState.IN_PROGRESS


def may_see_awards(visitor: Visitor, event: Event) -> bool:
    """Read who won what: everybody once it is published, before that whoever gives the awards."""
    return event.awards_published_at is not None or access.may_award(visitor, event)


def may_read_team_rulings(visitor: Visitor, event: Event, team: Team) -> bool:
    """Read why a team was given a penalty or a bonus: its own players, and staff who may give them.

    A player who left the team does not; the players of a team that left as a whole do.
    """
    player = visitor.player_in(event)
    if access.may_give_penalties(visitor, event):
        return True
    if player is None or player.team_id != team.id:
        return False
    return player.state != PlayerState.DROPPED or player.dropped_after == team.dropped_after


def may_see_scenario(visitor: Visitor, event: Event, played: Collection[str], scenario_id: str, *, own: bool) -> bool:
    """Read a scenario: the game's always, the club's own where the event is played by it.

    ``played`` are the ids of those that its rounds and tables play.
    """
    if not own or access.may_write_scenarios(visitor):
        return True
    return scenario_id in event.scenario_pool or scenario_id in played


def may_see_round(visitor: Visitor, event: Event, a_round: Round | RoundInShort) -> bool:
    """A round is seen when it is published, by those who pair when it is drawn."""
    if not access.may_see_event(visitor, event):
        return False
    drawn = a_round.state == RoundState.DRAWN and access.may_pair(visitor, event)
    return drawn or a_round.state == RoundState.PUBLISHED


def may_report(visitor: Visitor, event: Event, game: Game) -> bool:
    """Send in the result of a game: its two players, while the game is not yet decided."""
    player = visitor.player_in(event)
    open_game = game.b_id is not None and game.state != GameState.CONFIRMED and event.state == EventState.IN_PROGRESS
    return open_game and player is not None and player.id in (game.a_id, game.b_id)


def may_report_from_sheet(event: Event, game: Game) -> bool:
    """Send in the first report with the code from the paper sheet; agreeing to one takes a private link."""
    return event.state == EventState.IN_PROGRESS and game.b_id is not None and game.state == GameState.OPEN


def may_see_versions(visitor: Visitor, event: Event, game: Game) -> bool:
    """Read how a game's result came about, every version of it: its two players and the desk."""
    player = visitor.player_in(event)
    return access.may_see_rounds(visitor, event) or (player is not None and player.id in (game.a_id, game.b_id))


def may_see_fielded(visitor: Visitor, player: Player, chosen: int) -> bool:
    """See what a player fields from the roster: one's own at once, another's when both have chosen; the desk too."""
    return chosen == 2 or visitor.is_player(player)


def may_see_order(visitor: Visitor, event: Event, match: TeamMatch, team_id: int) -> bool:
    """Read which order of boards a captain has chosen: players who are in the team; everybody once they match."""
    own = visitor.player_in(event)
    in_team = own is not None and own.team_id == team_id and own.state != PlayerState.DROPPED
    return match.matched_at is not None or in_team


def may_hand_out_code(visitor: Visitor, captain: Player | None) -> bool:
    """Read on the own page the code with which players join a team: its captain. Staff read it at the desk."""
    return captain is not None and visitor.is_player(captain)


def may_choose_boards(visitor: Visitor, event: Event, match: TeamMatch, captain: Player | None) -> bool:
    """Set the boards of a team for a match: its captain, until the boards are matched."""
    if captain is None or match.matched_at is not None or event.state != EventState.IN_PROGRESS:
        return False
    return visitor.is_player(captain) and captain.team_id in (match.a_id, match.b_id)


def may_leave(visitor: Visitor, player: Player, event: Event) -> bool:
    """Withdraw before the event, or drop between rounds."""
    return visitor.is_player(player) and player.state != PlayerState.DROPPED and event.state != EventState.FINISHED
