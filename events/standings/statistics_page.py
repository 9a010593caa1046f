"""The tallies of events, calculated once for each public state of an event and each process."""

from collections.abc import Iterable

from events.accounts.access import lists_shown
from events.standings.statistics_figures import Tally, added
from events.standings.statistics_queries import load_tally
from events.web.page_cache import kept_in_public
from events.web.request import db, now
from models.event import Event


def tally_of(event: Event) -> Tally:
    """The figures of an event that is over. Lists can be shown by time alone, which changes no stamp."""
    name = f"statistics {lists_shown(event, now()):d}"
    return kept_in_public(event, name, lambda: load_tally(db(), event, now()))


def tally_of_all(events: Iterable[Event]) -> Tally:
    return added(map(tally_of, events))
