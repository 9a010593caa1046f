"""In which rounds a player takes part."""

from typing import Any

from events.accounts.loading import views_of
from models.event import Event, RoundKind, RoundState
from models.play import GameState, Player


def part_in_rounds(event: Event, player: Player) -> dict[str, Any]:
    """For the player's page: the rounds that the player can miss or will miss, and the open game."""
    views = views_of(event)
    asked = player.asked_byes or []
    ahead = [v.round for v in views if v.round.state != RoundState.PUBLISHED and v.round.kind != RoundKind.KNOCKOUT]
    waiting = [
        (view.round.number, game)
        for view in views
        for game in view.games
        if view.round.state == RoundState.PUBLISHED
        and player.id in (game.a_id, game.b_id)
        and game.b_id is not None
        and game.state == GameState.OPEN
    ]
    drawn = any(player.id in (game.a_id, game.b_id) for view in views for game in view.games)
    return {
        "may_miss": [one.number for one in ahead if one.number not in asked] if event.team_size == 1 else [],
        "misses": [(number, number in {one.number for one in ahead}) for number in asked],
        "waiting_game": waiting[0] if waiting else None,
        "ever_drawn": drawn,
    }
