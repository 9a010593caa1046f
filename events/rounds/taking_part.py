"""A player's rounds and games, as the desk sees them, and what the pages say about leaving."""

from dataclasses import dataclass
from typing import Any

from events.rounds.endings import HowEnded, endings
from events.standings.queries import standings_of
from events.store.last_games import leaving_of, leaving_words, published_games
from events.store.outcomes import OwnScore, own_score
from events.visitors.event_loading import desk_tournament_in, players_in
from events.visitors.loading import views_of
from models.event import Event, RoundState
from models.play import Game, Player


def part_in_rounds(event: Event, player: Player) -> dict[str, Any]:
    """For the player's page: the rounds that the player can miss or will miss, and whether any round had them."""
    views = views_of(event)
    asked = player.asked_byes or []
    ahead = [v.round.number for v in views if v.round.state != RoundState.PUBLISHED and v.stage.stands_in]
    return {
        "may_miss": [number for number in ahead if number not in asked],
        "misses": [(number, number in ahead) for number in asked],
        "ever_drawn": any(player.id in (game.a_id, game.b_id) for view in views for game in view.games),
    }


def on_leaving(event: Event, player: Player, *, at_once: bool = True, without: Game | None = None) -> str:
    """What leaving does to the player's games, in sentences that name each of them; "" if nothing.

    Leaves out ``without``, the game of a no-show.
    """
    people = {entrant.id: entrant for entrant in players_in(event)}
    played = [(view, game) for view, game in published_games(views_of(event))[player.id] if game is not without]
    return leaving_words(leaving_of(event, played, player, at_once=at_once), people)


def on_drop_of_absent(event: Event, game: Game) -> list[tuple[str, str]]:
    """What dropping a player of this game does to their other games, each with the player's name."""
    both = [player for player in players_in(event) if player.id in (game.a_id, game.b_id)]
    rows = [(player.name, on_leaving(event, player, without=game)) for player in both]
    return [(name, sentence) for name, sentence in rows if sentence]


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
    rows = standings_of(event, t, people).of_players() if t.counted else []
    return {"played": played, "row": next((row for row in rows if row.id == str(player.id)), None), "ranked": len(rows)}
