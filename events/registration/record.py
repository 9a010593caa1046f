"""A player's place and games, as the desk sees them."""

from dataclasses import dataclass
from typing import Any

from events.accounts.loading import players_in, views_of
from events.play.last_games import published_games
from events.play.outcomes import OwnScore, own_score, score_of
from events.play.rounds import completed_rounds
from events.rounds.endings import HowEnded, endings
from events.standings.queries import standings_by
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
    views, people = views_of(event), players_in(event)
    named, own = {one.id: one for one in people}, published_games(views)[player.id]
    how, found = endings(event, [game for _, game in own], player.id), []
    for view, game in own:
        at_a = game.a_id == player.id
        score = score_of(event, view.round.number, view.scenario_at(game), game)
        mine = own_score(score, "a" if at_a else "b")
        other = named.get((game.b_id if at_a else game.a_id) or 0)
        found.append(Played(view.round.number, game, other, mine, how.get(game.id)))
    rows = standings_by(db(), event, views, people) if completed_rounds(views) else []
    return {"played": found, "row": next((one for one in rows if one.id == str(player.id)), None), "ranked": len(rows)}
