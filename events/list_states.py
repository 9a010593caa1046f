"""How every entry's list stands, in the words that the list desk filters by."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from events.access_lists import list_open, lists_locked
from events.reading import forces_of, placed, players_of, terms_of, verdict_on
from models.event import Event
from models.play import ForceList, Player
from validators.contract import Terms, Verdict

STATES = {
    "none": "No list",
    "draft": "Draft",
    "sent_back": "Sent back",
    "submitted": "Submitted",
    "legal": "Legal",
    "query": "Queries",
    "illegal": "Illegal",
    "approved": "Approved",
    "locked": "Locked",
    "unlocked": "Unlocked",
    "changed": "Changed after the lock",
}
"""The words for a list, in the order of its way; most lists bear several at once."""


@dataclass(frozen=True)
class Entry:
    """One player's list: what is kept, its verdict made afresh, and every word of ``STATES`` that holds for it."""

    player: Player
    force: ForceList | None
    verdict: Verdict | None
    states: frozenset[str]

    @property
    def handed_in(self) -> str:
        """The one word for how far it is: none, draft, sent_back, submitted or approved."""
        return next(word for word in ("none", "approved", "submitted", "sent_back", "draft") if word in self.states)

    @property
    def missing(self) -> bool:
        """No list is handed in: the ones to remind."""
        return "submitted" not in self.states


def entries(s: Session, event: Event, now: datetime) -> list[Entry]:
    """The lists of all who hold a place, by name."""
    return entries_of(event, players_of(s, event), forces_of(s, event), terms_of(s, event), now)


def entries_of(
    event: Event, players: Sequence[Player], forces: Mapping[int, ForceList], terms: Terms, now: datetime
) -> list[Entry]:
    """The same of rows that were read already."""
    return [
        entry(event, terms, player, forces.get(player.id), now)
        for player in sorted(placed(players), key=lambda p: p.name_key)
    ]


def entry(event: Event, terms: Terms, player: Player, force: ForceList | None, now: datetime) -> Entry:
    """How one player's list stands."""
    states = set()
    if lists_locked(event, now):
        states.add("unlocked" if list_open(event, player, now) else "locked")
    if force is None:
        return Entry(player, None, None, frozenset(states | {"none"}))
    locked_at = event.lists_locked_at
    if locked_at is not None and max(force.saved_at, force.submitted_at or locked_at) > locked_at:
        states.add("changed")
    verdict = verdict_on(event, player, force, terms)
    states.add("submitted" if force.submitted_at else "draft")
    states.add("illegal" if not verdict.legal else "query" if verdict.queries else "legal")
    if force.approved_at:
        states.add("approved")
    if force.sent_back_at:
        states.add("sent_back")
    return Entry(player, force, verdict, frozenset(states))


def counts(found: Iterable[Entry]) -> dict[str, int]:
    """How many lists bear each word, in the order of ``STATES``."""
    words = [word for one in found for word in one.states]
    return {state: words.count(state) for state in STATES}
