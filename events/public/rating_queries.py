"""What ratings read: who is in the ranking with which entries, and the games that count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from events.standings.statistics_figures import Played
from events.standings.statistics_queries import counted_events, played_games
from events.tournament.rating import RatedGame, Side
from events.visitors.queries import MAIN, main_id
from models.event import Event
from models.person import OwnEntry, Person
from models.play import Player


@dataclass(frozen=True)
class EventGames:
    games: tuple[Played, ...]

    @property
    def cache_bytes(self) -> int:
        return 100 + 300 * len(self.games)


def people_in_ranking(s: Session) -> dict[int, tuple[int, Person]]:
    """The event and the person of each entry, of all people who chose to be in the ranking."""
    query = (
        select(Player.id, Player.event_id, MAIN)
        .join(OwnEntry, col(OwnEntry.player_id) == Player.id)
        .join(Person, col(Person.id) == OwnEntry.person_id)
        .join(MAIN, col(MAIN.id) == main_id(Person))
        .where(col(MAIN.rated_since).is_not(None))
        .order_by(col(Player.id))
    )
    return {player: (event, person) for player, event, person in s.exec(query)}


def events_of_ranking(s: Session, entries: Mapping[int, tuple[int, Person]]) -> list[Event]:
    """The club's public events that are over, oldest first, in which people of the ranking played.

    Campaigns do not count: their forces grow, and the larger one wins.
    """
    theirs = {event for event, _ in entries.values()}
    return [event for event in counted_events(s) if event.id in theirs and event.campaign is None]


def event_games(s: Session, event: Event) -> EventGames:
    """The games of an event that count, if a player is in the ranking: those that statistics count."""
    return EventGames(tuple(played_games(s, event)))


def rated_games(games: Sequence[Played], entries: Mapping[int, tuple[int, Person]]) -> list[RatedGame]:
    """The games of people in the ranking. An opponent who is not in it is unknown, and new in each event."""

    def side(player: int) -> Side:
        return ("person", entries[player][1].id) if player in entries else ("player", player)

    rated = [
        RatedGame(side(game.a), side(game.b), game.worth) for game in games if game.a in entries or game.b in entries
    ]
    return [rated_game for rated_game in rated if rated_game.a != rated_game.b]
