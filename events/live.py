"""What pages follow: one short mark of everything that a visitor's pages of an event are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from events import access, access_lists
from events.visitor import Visitor
from models.event import Event


@dataclass(frozen=True)
class Mark:
    """The state of an event for one visitor: equal marks, equal pages."""

    text: str
    """Letters, figures and hyphens."""
    until: datetime | None
    """When time alone changes the mark next, though nobody does anything; None: not that is known."""
    ticking: bool
    """A round's clock runs: the seconds on the pages change without the mark."""


def mark_of(event: Event, who: Visitor, now: datetime, turns: Sequence[datetime]) -> Mark:
    """The mark of an event for a visitor.

    It changes with every change to anything of the event that the visitor may see, which a draft of a round is to its
    staff alone; when a deadline passes, and when a round's clock reaches a
    call or its end. It is another one for every organiser and every player, so that nobody is served another's page.

    ``turns`` are the moments at which the running round's clock says something else.
    """
    player = who.player_in(event)
    clock = sum(moment <= now for moment in turns)
    lists = f"{access_lists.lists_locked(event, now):d}{access_lists.lists_shown(event, now):d}"
    moments = [*turns, event.list_deadline, event.lists_shown_from]
    if player is not None:
        lists += f"{access_lists.list_open(event, player, now):d}"
        moments.append(player.list_unlocked_until)
    coming = [moment for moment in moments if moment is not None and moment > now]
    state = f"{event.version}-{event.stamp}" if access.may_see_desk(who, event) else event.public_stamp
    whose = f"{who.account.id if who.account else 0}-{player.id if player else 0}"
    return Mark(
        text=f"{event.id}-{state}-{lists}-{clock}-{whose}",
        until=min(coming, default=None),
        ticking=bool(turns),
    )
