"""What the stored lists of both players allow of a game's result."""

from sqlmodel import Session

from events.reading import fielded_of, force_of, list_size, player_of, system_of, terms_for, terms_of, verdict_of
from models.event import Event
from models.play import Game, Player
from validators.bounds import Bound
from validators.contract import Document
from validators.scenario import Scenario, Side


def bounds_of(s: Session, event: Event, game: Game, scenario: Scenario) -> tuple[Bound, ...]:
    """What binds the figures of both sides; nothing for a player without a legal list that was handed in.

    No page shows it: it is read from lists that a reporter may not see.
    """
    system = system_of(event)
    if system.bounds is None:
        return ()
    found: list[Bound] = []
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    terms = terms_of(s, event)
    for side, player_id in sides:
        player = player_of(s, event, player_id) if player_id else None
        document = _played(s, event, game, player) if player else None
        if player is None or document is None or document["edition"] != event.edition:
            continue
        if verdict_of(event, document, terms_for(terms, player).fielded).legal:
            found += system.bounds(scenario, side, document, terms.edition)
    return tuple(found)


def _played(s: Session, event: Event, game: Game, player: Player) -> Document | None:
    """What a player brought to this game: with a sideboard, the force fielded from the roster."""
    if list_size(event) != event.size:
        fielded = fielded_of(s, game).get(player.id)
        return fielded.document if fielded else None
    force = force_of(s, player)
    return force.document if force and force.submitted_at else None
