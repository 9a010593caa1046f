"""The event's own rules in words, for its page and for paper."""

from datetime import datetime
from zoneinfo import ZoneInfo

from events.reading import system_of
from models.event import Event, ListsShown
from validators.contract import Terms


def event_rules(event: Event, terms: Terms) -> list[tuple[str, str]]:
    """The event's own rules in words, as its page and its pack print them: a heading and a sentence each."""
    system = system_of(event)
    rules = [
        ("Force", f"Up to {event.size} {system.unit} from one faction, by the force lists “{terms.edition.name}”."),
        ("List", f"{_due(event)} {_shown(event)}"),
        ("Rounds", f"{event.rounds} rounds of {event.round_minutes} minutes, paired by Swiss without rematches."),
        (
            "Points",
            f"{event.points_win} tournament points for a win, {event.points_draw} for a draw, "
            f"{event.points_loss} for a loss. A bye counts as a win.",
        ),
    ]
    if event.painting_points:
        rules.append(("Painting", f"{event.painting_points} tournament points more for a fully painted force."))
    return rules


def shown_when(event: Event) -> str:
    """From when everybody may read the lists, to follow "secret until": an hour, or what has to happen."""
    if event.lists_shown == ListsShown.ON_PRESS:
        return "the organiser shows them"
    if event.lists_shown == ListsShown.AFTER_EVENT:
        return "the event is over"
    moment = event.lists_shown_from if event.lists_shown == ListsShown.AT_TIME else event.list_deadline
    return _hour(event, moment) if moment else "round 1 is published"


def _due(event: Event) -> str:
    if event.list_deadline is None:
        return "Due before round 1; after that a list cannot change."
    return f"Due by {_hour(event, event.list_deadline)} ({event.timezone}); after that a list cannot change."


def _shown(event: Event) -> str:
    if event.lists_shown == ListsShown.AT_LOCK:
        return "Lists are secret until then, and from then on everybody can read them."
    return (
        f"Lists are secret until {shown_when(event)}; the SHA-256 of each is published when they lock, so that anyone "
        "can check then that nothing was changed."
    )


def _hour(event: Event, moment: datetime) -> str:
    return moment.astimezone(ZoneInfo(event.timezone)).strftime("%A %-d %B %Y, %H:%M")
