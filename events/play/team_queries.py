"""Reading a team event: its teams, who plays in them and at which board, their matches, and whose turn it is."""

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import Session, col, select

from models.event import Event, Round, RoundState
from models.play import Game, Player, PlayerState
from models.team import Team, TeamMatch


def board_order(
    size: int, here: Sequence[tuple[str, int | None]], chosen: Sequence[str | None] = ()
) -> list[str | None]:
    """Who sits at each of a team's boards, from 1; None for an empty board.

    ``here`` are the team's players who are here, each with the board that is stored; ``chosen`` is a captain's order
    for this match, board by board. A chosen player who has left leaves the board empty; whoever is here and was not
    chosen takes the first empty board in the stored order. Raises ValueError for more players than boards.
    """
    if len(here) > size:
        raise ValueError(f"{len(here)} players for {size} boards")
    present = {player for player, _ in here}
    order: list[str | None] = [None] * size
    if chosen:
        for place, player in enumerate(chosen[:size]):
            order[place] = player if player in present and player not in order else None
    else:
        for player, board in here:
            if board is not None and 1 <= board <= size and order[board - 1] is None:
                order[board - 1] = player
    waiting = [player for player, _ in sorted(here, key=lambda one: one[1] or size + 1) if player not in order]
    for player in waiting:
        order[order.index(None)] = player
    return order


def is_team_event(event: Event) -> bool:
    """Whether teams are paired, and not players."""
    return event.team_size > 1


def seat_id(team_id: int) -> str:
    """A team's id in draws and standings, where players have ids of their own: "t12"."""
    return f"t{team_id}"


def team_number(seat: str) -> int:
    """The row of the team with this id in a draw."""
    return int(seat.removeprefix("t"))


def teams_of(s: Session, event: Event) -> Sequence[Team]:
    """The event's teams in the order in which they were made."""
    return s.exec(select(Team).where(Team.event_id == event.id).order_by(col(Team.id))).all()


def team_of(s: Session, event: Event, team_id: int | None) -> Team | None:
    """A team of this event; None for one of another."""
    team = s.get(Team, team_id) if team_id is not None else None
    return team if team is not None and team.event_id == event.id else None


def team_name(s: Session, player: Player) -> str:
    """The name of a player's team, "" without one."""
    team = s.get(Team, player.team_id) if player.team_id is not None else None
    return team.name if team else ""


def seat_of(s: Session, player: Player, game: Game) -> str:
    """In a team event the team and the board of a game: "Reds, board 2"; "" elsewhere."""
    team = team_name(s, player)
    return f"{team}, board {game.board}" if team and game.board else ""


def matches_of(s: Session, a_round: Round) -> Sequence[TeamMatch]:
    """A round's matches by their block of tables, the bye last."""
    matches = s.exec(select(TeamMatch).where(TeamMatch.round_id == a_round.id)).all()
    return sorted(matches, key=lambda m: (m.block is None, m.block or 0, m.id))


def members(players: Iterable[Player], team: Team) -> list[Player]:
    """Everybody who belongs to a team, by board; those without one last, in the order of registration."""
    of_team = [player for player in players if player.team_id == team.id]
    return sorted(of_team, key=lambda p: (p.board is None, p.board or 0, p.id))


def active(players: Iterable[Player], team: Team) -> list[Player]:
    """Those of a team who have not left, by board."""
    return [player for player in members(players, team) if player.state != PlayerState.DROPPED]


def here(players: Iterable[Player], team: Team) -> list[Player]:
    """Those of a team who are checked in, by board: they play."""
    return [player for player in members(players, team) if player.state == PlayerState.CHECKED_IN]


def playing(teams: Iterable[Team], players: Sequence[Player]) -> list[Team]:
    """The teams that a round is drawn with: not dropped, and with at least one player here."""
    return [team for team in teams if team.dropped_after is None and here(players, team)]


def captain_of(players: Iterable[Player], team: Team) -> Player | None:
    """Who speaks for a team: its chosen captain while not gone, else whoever sits at the first board."""
    there = active(players, team)
    return next((player for player in there if player.captain), there[0] if there else None)


def order_of(
    event: Event, players: Iterable[Player], team: Team, chosen: Sequence[int | None] = ()
) -> list[int | None]:
    """Who of those here sits at each board, from 1: as chosen for a match, else as stored."""
    seated = [(str(player.id), player.board) for player in here(players, team)][: event.team_size]
    order = board_order(event.team_size, seated, [None if one is None else str(one) for one in chosen])
    return [None if one is None else int(one) for one in order]


def own_match(matches: Iterable[TeamMatch], team_id: int | None) -> TeamMatch | None:
    """The match that a team plays among these."""
    return next((match for match in matches if team_id is not None and team_id in (match.a_id, match.b_id)), None)


def names_of(teams: Iterable[Team]) -> Mapping[int, str]:
    """Team names by id."""
    return {team.id: team.name for team in teams}


def choosing(a_round: Round, match: TeamMatch) -> bool:
    """Whether the captains of a match may still choose their boards."""
    return a_round.state == RoundState.PUBLISHED and match.b_id is not None and match.matched_at is None


def chosen_by(match: TeamMatch, team_id: int) -> list[int | None] | None:
    """The order of a match that belongs to a team: chosen, or as the boards were matched; None before either."""
    return match.a_order if match.a_id == team_id else match.b_order
