"""The charts of an event's page and of a player's page."""

from collections import Counter
from collections.abc import Iterable, Mapping

from markupsafe import Markup

from events.charts import shares
from events.charts.drawing import Chart, faction_mark
from events.charts.picture import portrait
from events.standings.charts import mark_of_player
from events.store.editions import system_of
from events.store.scoring import knows_vp, vp_word
from models.event import Event
from models.play import Game, GameState, Player
from validators import FACTIONS
from validators.scenario import Score

LEAST = 3
"""Fewer players of each faction, or fewer games, are plain from the page without a chart."""


def portrait_of(player: Player) -> Markup:
    """The player's initials with the mark of the faction."""
    return portrait(player.name, mark_of_player(player))


def faction_chart_of(players: Iterable[Player]) -> Chart | None:
    """How many of these players field each faction; none if no faction has LEAST players.

    The caller decides whether the lists are shown.
    """
    counted = Counter(player.faction for player in players if player.faction)
    if max(counted.values(), default=0) < LEAST:
        return None
    return shares.donut(
        "factions", [shares.Share(name, n, faction_mark(FACTIONS, name)) for name, n in counted.items()]
    )


def vp_chart_of(
    event: Event, player: Player, games: Iterable[tuple[int, Game | None, Score | None]], people: Mapping[int, Player]
) -> Chart | None:
    """A player's confirmed games with both sides' victory points; none if those of two scenarios do not compare."""
    if not knows_vp(event) or not system_of(event).scoring.one_scale:
        return None
    rows = []
    for number, game, score in games:
        if game and game.b_id and score and score.known and game.state == GameState.CONFIRMED:
            ours, theirs = (score.a, score.b) if player.id == game.a_id else (score.b, score.a)
            opponent = people[game.b_id if player.id == game.a_id else game.a_id]
            rows.append(shares.Game(number, opponent.name, ours, theirs))
    if len(rows) <= LEAST:
        return None
    return shares.vp_chart("vp", player.name, rows, unit=vp_word(event))
