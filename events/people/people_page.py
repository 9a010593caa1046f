"""What the pages of people share: how they did in each event, kept for each public state of the event."""

from collections.abc import Sequence

from events.people.queries import Came, OwnEvent, load_came
from events.play.rounds import never_played
from events.web.page_cache import kept_in_public
from events.web.request import db, now
from models.event import Event, EventState
from models.play import Player

BEGUN = (EventState.IN_PROGRESS, EventState.FINISHED)


def came_in(event: Event) -> Came | None:
    """How the players of an event did; None before it has begun."""
    if event.state not in BEGUN:
        return None
    return kept_in_public(event, "came", lambda: load_came(db(), event))


def own_events(entries: Sequence[tuple[Event, Player]]) -> list[OwnEvent]:
    """These entries with how the person did."""
    return [OwnEvent(event, player, came_in(event), never_played(event, now())) for event, player in entries]
