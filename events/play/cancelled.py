"""A cancelled event: nothing of it can be drawn, published or started until it takes place after all."""

from events.play.errors import Refused
from models.event import Event

CANCELLED = "This event is cancelled. To go on with it, press “It takes place after all” in its settings."


def check_takes_place(event: Event) -> None:
    """Raise Refused for a cancelled event."""
    if event.cancelled_at is not None:
        raise Refused(CANCELLED)
