"""What an event's rounds are drawn and ranked by: each part of the page "Pairing" is stored by its own action."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from events.actions.journal import note
from events.errors import Refused
from events.pairing.draw_rules import event_document, rules_of_event
from events.pairing.rules import Rules
from events.pairing.standings import chosen
from models.event import AskedBye, AvoidClubs, Event, EventState

FINAL = "The event is closed and its standings are final. Open it again at the desk to change this."


def set_draw_rules(s: Session, event: Event, rules: Rules, avoid_clubs: AvoidClubs, actor: str, now: datetime) -> None:
    """How the rounds to come are drawn; one that is drawn already stays as it is, and says so. Raises Refused."""
    before = event_document(rules_of_event(event.draw_rules)) | {"avoid_clubs": event.avoid_clubs.value}
    after = event_document(rules) | {"avoid_clubs": avoid_clubs.value}
    if note_change(s, event, actor, now, "Changed how rounds are drawn", before, after):
        event.draw_rules, event.avoid_clubs = event_document(rules), avoid_clubs


def set_tables(s: Session, event: Event, tables: int | None, actor: str, now: datetime) -> None:
    """How many tables there are; None is one for each game. Raises Refused."""
    if note_change(s, event, actor, now, "Changed the tables", {"tables": event.tables}, {"tables": tables}):
        event.tables = tables


@dataclass(frozen=True)
class Counting:
    """What rounds without a game count for, and what bounds the VP difference."""

    bye_vp: int | None
    """None: the mean of the winners."""
    asked_bye: AskedBye
    late_points: int
    vp_cap: int | None
    """None: no limit."""


def set_counting(s: Session, event: Event, counting: Counting, actor: str, now: datetime) -> None:
    """The same for all rounds, those played before as well. Raises Refused."""
    before = {name: getattr(event, name) for name in Counting.__dataclass_fields__}
    if note_change(s, event, actor, now, "Changed what rounds without a game count for", before, asdict(counting)):
        for name, value in asdict(counting).items():
            setattr(event, name, value)


def set_tie_breaks(s: Session, event: Event, tie_breaks: Sequence[str], actor: str, now: datetime) -> None:
    """What parts players of equal points, in this order. Raises Refused."""
    try:
        chosen(tie_breaks)
    except ValueError as error:
        raise Refused(f"These tie-breaks cannot be: {error}.", "tie_breaks") from error
    before, after = {"tie_breaks": list(event.tie_breaks)}, {"tie_breaks": list(tie_breaks)}
    if note_change(s, event, actor, now, "Changed the tie-breaks", before, after):
        event.tie_breaks = list(tie_breaks)


def note_change(
    s: Session, event: Event, actor: str, now: datetime, text: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> bool:
    """Whether anything differs; then the journal has what, before and after. Raises Refused once the event is over."""
    changed = {key: [before[key], after[key]] for key in after if before[key] != after[key]}
    if changed and event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if changed:
        note(s, event, actor, now, "change-pairing", f"{text}: {', '.join(changed)}", changed=changed)
    return bool(changed)
