"""How an event counts what was not won at the table."""

from datetime import datetime

from sqlmodel import Session

from events.actions.pairing_settings import note_change
from events.errors import Refused
from events.soft_rules import SoftRules, soft_rules, to_document
from models.event import Event


def set_soft_rules(s: Session, event: Event, rules: SoftRules, actor: str, now: datetime) -> None:
    """How the event counts what was not won at the table, in all of its rounds. Raises Refused."""
    before = soft_rules(event)
    if rules.by_list and not rules.items:
        raise Refused("A check list needs at least one line.", "item_texts")
    if rules.sports != before.sports and event.sports_marks:
        raise Refused("Players have marked opponents already: how they mark can no longer change.", "sports")
    text = "Changed soft scores and penalties"
    if note_change(s, event, actor, now, text, to_document(before), to_document(rules)):
        event.soft_rules = to_document(rules)
