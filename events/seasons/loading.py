"""The campaign and the groups that an address names."""

from collections.abc import Mapping
from functools import partial

from flask import abort, current_app

from events.seasons import campaign_queries as queries
from events.seasons.campaign_actions import Chance
from events.store.campaign import campaign_rules
from events.store.visitor import Visitor
from events.visitors import access
from events.visitors.event_loading import campaign_of, tournament_in
from events.visitors.loading import opposes, visitor
from events.web.request import now
from models.event import Event
from models.play import Player
from validators.campaign_history import seed_of


def campaign_or_404(event: Event) -> Event:
    if campaign_rules(event) is None:
        abort(404)
    return event


def chance_in(event: Event) -> Chance:
    """The seeds of the service's dice in a campaign; the secret is never stored with it."""
    return partial(seed_of, str(current_app.secret_key).encode(), event.id)


def groups_shown(event: Event, people: Mapping[int, Player], reader: Visitor | None = None) -> list[queries.Row]:
    """All groups, as far as the reader may see them; None: the visitor, who may be an opponent."""
    who, at = reader or visitor(), now()
    rivals = {id_ for id_, player in people.items() if reader is None and opposes(event, player)}
    seen = [
        id_ for id_, player in people.items() if access.may_see_group(who, player, event, at, opponent=id_ in rivals)
    ]
    return queries.rows_of_groups(event, *campaign_of(event), people, seen, tournament_in(event).won_lost)
