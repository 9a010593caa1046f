"""Teams of an event: their players and boards, their matches, and the captains' choices."""

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import Session

from events.tournament.pairing.seats import Pair
from events.tournament.team_ranking import Board, Match, match_boards
from languages.words import gettext
from models.event import Event, Round, RoundState
from models.parts import load_parts
from models.play import Game, Player, PlayerState
from models.team import Team, TeamMatch


def board_order(
    size: int, here: Sequence[tuple[str, int | None]], chosen: Sequence[str | None] = ()
) -> list[str | None]:
    """The player at each of a team's boards, from 1; None for an empty board.

    ``here`` are the team's checked-in players with their stored boards; ``chosen`` is a captain's order for this match.
    If a chosen player has left, the next free checked-in player takes the board; without one it stays empty. Raises
    ValueError for more players than boards.
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
    waiting = [player for player, _ in sorted(here, key=lambda row: row[1] or size + 1) if player not in order]
    for player in waiting:
        order[order.index(None)] = player
    return order


def is_team_event(event: Event) -> bool:
    return event.team_size > 1


def seat_id(team_id: int) -> str:
    """A team's id in draws and standings, such as "t12"; never a player's id."""
    return f"t{team_id}"


def team_number(seat: str) -> int:
    return int(seat.removeprefix("t"))


def teams_of(event: Event) -> Sequence[Team]:
    """The event's teams, oldest first; none in an event of players."""
    return event.teams if is_team_event(event) else ()


def team_of(s: Session, event: Event, team_id: int | None) -> Team | None:
    """A team of this event; None for a team of another event."""
    team = s.get(Team, team_id) if team_id is not None else None
    return team if team is not None and team.event_id == event.id else None


def team_name(s: Session, player: Player) -> str:
    """The name of a player's team; "" without a team."""
    team = s.get(Team, player.team_id) if player.team_id is not None else None
    return team.name if team else ""


def seat_of(s: Session, player: Player, game: Game) -> str:
    """The player's board and team in a game: "Board 2 of Reds"; "" outside team events."""
    team = team_name(s, player)
    return gettext("Board %(board)s of %(team)s", board=game.board, team=team) if team and game.board else ""


def matches_by_round(rounds: Iterable[Round]) -> dict[int, list[TeamMatch]]:
    """The matches of these rounds by the round's id, each round's by block of tables, the bye last."""
    rounds = list(rounds)
    load_parts(rounds, "matches")
    return {a_round.id: sorted(a_round.matches, key=_by_block) for a_round in rounds}


def _by_block(match: TeamMatch) -> tuple[bool, int, int]:
    return match.block is None, match.block or 0, match.id


def matches_of(a_round: Round) -> Sequence[TeamMatch]:
    return sorted(a_round.matches, key=_by_block)


def match_of(number: int, match: TeamMatch) -> Match:
    """A match of round ``number`` as it stands, with its boards; none while its captains choose them."""
    boards: tuple[Board, ...] = ()
    if match.a_order is not None and match.b_order is not None:
        a, b = ([None if id_ is None else str(id_) for id_ in order] for order in (match.a_order, match.b_order))
        boards = match_boards(a, b)
    other = None if match.b_id is None else seat_id(match.b_id)
    return Match(number, seat_id(match.a_id), other, match.block, boards)


def team_pairs(matches: Sequence[TeamMatch]) -> tuple[tuple[Pair, ...], str | None]:
    """The pairs of a round of teams with their blocks of tables, and the bye, in the engine's terms."""
    pairs = tuple(Pair(seat_id(match.a_id), seat_id(match.b_id), table=match.block) for match in matches if match.b_id)
    return pairs, next((seat_id(match.a_id) for match in matches if match.b_id is None), None)


def members(players: Iterable[Player], team: Team) -> list[Player]:
    """All players of a team by board; players without a board last, by registration."""
    of_team = [player for player in players if player.team_id == team.id]
    return sorted(of_team, key=lambda p: (p.board is None, p.board or 0, p.id))


def active(players: Iterable[Player], team: Team) -> list[Player]:
    return [player for player in members(players, team) if player.state != PlayerState.DROPPED]


def has_room(event: Event, players: Iterable[Player], team: Team) -> bool:
    return len(active(players, team)) < event.team_size


def checked_in_by_board(players: Iterable[Player], team: Team) -> list[Player]:
    return [player for player in members(players, team) if player.state == PlayerState.CHECKED_IN]


def playing(teams: Iterable[Team], players: Sequence[Player]) -> list[Team]:
    """The teams to draw: not dropped, with at least one checked-in player."""
    return [team for team in teams if team.dropped_after is None and checked_in_by_board(players, team)]


def captain_of(players: Iterable[Player], team: Team) -> Player | None:
    """The captain of a team: the chosen one unless dropped, else the player at the first board."""
    there = active(players, team)
    return next((player for player in there if player.captain), there[0] if there else None)


def order_at_boards(
    event: Event, players: Iterable[Player], team: Team, chosen: Sequence[int | None] = ()
) -> list[int | None]:
    """The checked-in player at each board, from 1: in the order chosen for a match, else the stored order."""
    seated = [(str(player.id), player.board) for player in checked_in_by_board(players, team)][: event.team_size]
    order = board_order(event.team_size, seated, [None if number is None else str(number) for number in chosen])
    return [None if text is None else int(text) for text in order]


def own_match(matches: Iterable[TeamMatch], team_id: int | None) -> TeamMatch | None:
    return next((match for match in matches if team_id is not None and team_id in (match.a_id, match.b_id)), None)


def names_of(teams: Iterable[Team]) -> Mapping[int, str]:
    """Team names by id."""
    return {team.id: team.name for team in teams}


def choosing(a_round: Round, match: TeamMatch) -> bool:
    return a_round.state == RoundState.PUBLISHED and match.b_id is not None and match.matched_at is None


def chosen_by(match: TeamMatch, team_id: int) -> list[int | None] | None:
    """A team's order of boards in a match, chosen or matched; None before that."""
    return match.a_order if match.a_id == team_id else match.b_order
