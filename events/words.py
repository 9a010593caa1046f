"""The event's own rules in words, for its page and for paper."""

from zoneinfo import ZoneInfo

from events.reading import system_of
from models.event import Event


def event_rules(event: Event) -> list[tuple[str, str]]:
    """The event's own rules in words, as its page and its pack print them: a heading and a sentence each."""
    system = system_of(event)
    edition = system.edition(event.edition)
    deadline = (
        event.list_deadline.astimezone(ZoneInfo(event.timezone)).strftime("%A %-d %B %Y, %H:%M")
        if event.list_deadline
        else ""
    )
    rules = [
        ("Force", f"Up to {event.size} {system.unit} from one faction, by the force lists “{edition.name}”."),
        (
            "List",
            f"Due by {deadline} ({event.timezone}). Lists are secret until then; after that they cannot change "
            "and everybody can read them."
            if deadline
            else "Due before round 1. Lists are secret until round 1 is published; after that they cannot change.",
        ),
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
