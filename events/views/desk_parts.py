"""What pages of the desk share: the rounds read once for a page, and whether a link or button is for the visitor."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import g

from events.journal_words import who_did
from events.look_alikes import name_warnings
from events.reading import RoundView, players_of, round_at_hand, round_views
from events.views.questions import question_of
from events.views.request import db, visitor
from models.event import Event


def views_of(event: Event) -> Sequence[RoundView]:
    """All rounds of the event with their games, read once for all that a page asks of them; never before a change."""
    if "views" not in g:
        g.views = round_views(db(), event)
    found: Sequence[RoundView] = g.views
    return found


def warnings_of(event: Event) -> Mapping[int, Sequence[str]]:
    """What to look at in the names of the event's players, read once for the page; never before a change."""
    if "name_warnings" not in g:
        g.name_warnings = name_warnings(db(), event, players_of(db(), event))
    found: Mapping[int, Sequence[str]] = g.name_warnings
    return found


def may_open(endpoint: str, **args: Any) -> bool:
    """Whether the visitor may follow a link or press a button to this address of the event's desk."""
    return g.get("event") is not None and question_of(endpoint, args)(visitor(), g.event)


# What templates and their macros may ask, beside ``views.request.TEMPLATE_GLOBALS``.
DESK_GLOBALS: dict[str, Any] = {
    "may_open": may_open,
    "may_do": lambda cure: cure.asks is None or cure.asks(visitor(), g.event),
    "name_warnings": lambda player: warnings_of(g.event).get(player.id, ()),
    "who_did": who_did,
    "round_to_manage": lambda event: round_at_hand(views_of(event)),
}
