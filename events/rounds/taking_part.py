"""In which rounds a player takes part, and what the pages say about leaving."""

from typing import Any

from events.accounts.event_loading import players_in
from events.accounts.loading import views_of
from events.store.last_games import leaving_of, leaving_words, published_games
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
