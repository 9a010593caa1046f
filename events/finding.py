"""What the desk's search looks through, and what it says of a player that it found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from events.list_states import Entry, entry
from events.name_search import Findable, find
from events.reading import RoundView, placed, players_by_id, players_of, round_of, round_view, terms_of
from events.rounds_in_short import rounds_in_short
from events.team_reading import is_team_event, teams_of
from models.event import Event, RoundState
from models.play import ForceList, Game, Player

MOST_FOUND = 40
"""More are counted, not shown: one letter more finds the right one sooner than the eye does."""


@dataclass(frozen=True)
class FoundPlayer:
    """A player who was looked for, with what staff need to know at once."""

    player: Player
    team: str
    game: Game | None
    """The one of the newest published round."""
    opponent: str
    """"" with a bye, and without a game."""
    list: Entry | None
    """None for whoever holds no place."""


def search(
    s: Session, event: Event, typed: str, now: datetime, *, lists: bool
) -> tuple[list[FoundPlayer], int, RoundView | None]:
    """Who is meant by what is typed, the first ``MOST_FOUND``; how many in all; and the round at hand.

    ``lists`` says that the asker may know how lists stand. The number of queries does not grow with the players.
    """
    players, view = players_of(s, event), _newest(s, event)
    games = view.games if view else ()
    rows = findable(s, event, players, games)
    meant = find(typed, rows)
    team_of = {row.player.id: row.team for row in rows}
    names = {player.id: player.name for player in players}
    shown = meant[:MOST_FOUND]
    ids = [player.id for player in shown] if lists else []
    forces = {one.player_id: one for one in s.exec(select(ForceList).where(col(ForceList.player_id).in_(ids)))}
    terms = terms_of(s, event) if lists and shown else None
    found = []
    for player in shown:
        game = next((g for g in games if player.id in (g.a_id, g.b_id)), None)
        other = (game.b_id if game.a_id == player.id else game.a_id) if game else None
        judged = None
        if terms is not None and player in placed([player]):
            judged = entry(event, terms, player, forces.get(player.id), now)
        found.append(FoundPlayer(player, team_of[player.id], game, names.get(other or 0, ""), judged))
    return found, len(meant), view


def findable(s: Session, event: Event, players: Sequence[Player], games: Iterable[Game] = ()) -> list[Findable]:
    """The event's players with what else they are found by."""
    teams = {team.id: team.name for team in teams_of(s, event)} if is_team_event(event) else {}
    at = {id_: game for game in games for id_ in (game.a_id, game.b_id) if id_ is not None}
    found = []
    for player in players:
        game = at.get(player.id)
        team = teams.get(player.team_id or 0, "")
        found.append(Findable(player, team, game.table_number, game.code) if game else Findable(player, team))
    return found


@dataclass(frozen=True)
class Played:
    """A player's game in one published round, as the desk lists it."""

    number: int
    game: Game
    opponent: str


def history(s: Session, event: Event, player: Player) -> list[Played]:
    """A player's games of the published rounds, in order."""
    numbers = {r.id: r.number for r in rounds_in_short(s, event) if r.state == RoundState.PUBLISHED}
    mine = (col(Game.a_id) == player.id) | (col(Game.b_id) == player.id)
    games = [g for g in s.exec(select(Game).where(mine)) if g.round_id in numbers]
    names: Mapping[int, Player] = players_by_id(s, event) if games else {}
    found = []
    for game in games:
        other = game.b_id if game.a_id == player.id else game.a_id
        found.append(Played(numbers[game.round_id], game, names[other].name if other is not None else ""))
    return sorted(found, key=lambda one: one.number)


def _newest(s: Session, event: Event) -> RoundView | None:
    published = [r.number for r in rounds_in_short(s, event) if r.state == RoundState.PUBLISHED]
    newest = round_of(s, event, published[-1]) if published else None
    return round_view(s, event, newest) if newest else None
