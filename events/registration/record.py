"""A player's place and games, as the desk sees them."""

from dataclasses import dataclass
from typing import Any

from events.accounts.event_loading import desk_tournament_in, players_in
from events.accounts.loading import views_of
from events.rounds.endings import HowEnded, endings
from events.standings.queries import standings_of
from events.store.last_games import published_games
from events.store.outcomes import OwnScore, own_score
from events.web.request import db
from models.event import Event
from models.play import Game, Player


@dataclass(frozen=True)
class Played:
    """A player's game in a published round, from that player's side."""

    number: int
    """Of its round."""
    game: Game
    opponent: Player | None
    """None for a bye."""
    score: OwnScore | None
    """By the result that is confirmed or reported."""
    how: HowEnded | None


def record_at_desk(event: Event, player: Player) -> dict[str, Any]:
    """The template variables of a player's row of the standings, and of the games of published rounds, in order."""
    t, people = desk_tournament_in(event), players_in(event)
    named, games = {person.id: person for person in people}, published_games(views_of(event))[player.id]
    how, played = endings(event, [game for _, game in games], player.id), []
    for view, game in games:
        at_a = game.a_id == player.id
        mine = own_score(t.boards[game.id].score, "a" if at_a else "b")
        other = named.get((game.b_id if at_a else game.a_id) or 0)
        played.append(Played(view.round.number, game, other, mine, how.get(game.id)))
    rows = standings_of(db(), event, t, people).of_players() if t.counted else []
    return {"played": played, "row": next((row for row in rows if row.id == str(player.id)), None), "ranked": len(rows)}
