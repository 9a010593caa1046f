"""What the tabs of an event's pages depend on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from events.store.rounds import first_stage
from languages.words import N_
from models.event import Event, EventState, Round, RoundState


@dataclass(frozen=True)
class Tabs:
    """The state of an event that its tabs show; the same for all visitors."""

    cache_bytes: ClassVar[int] = 1_000
    latest: int
    """The number of the newest published round; 0 before the first."""
    formats: Sequence[tuple[str, str, str]]
    """The extra pages of the event's format: name, label and endpoint of each."""


def read_tabs(event: Event, rounds: Sequence[Round]) -> Tabs:
    published = [round_ for round_ in rounds if round_.state == RoundState.PUBLISHED]
    return Tabs(max((summary.number for summary in published), default=0), _format_pages(event, published))


def _format_pages(event: Event, published: Sequence[Round]) -> list[tuple[str, str, str]]:
    """Name, label and endpoint of the format's extra pages: a campaign's at once, others once a round is published."""
    pages = []
    if event.season is not None and (published or event.state == EventState.IN_PROGRESS):
        pages.append(("season", N_("Season"), "leagues.season_page"))
    if event.campaign is not None:
        pages.append(("campaign", N_("Campaign"), "campaigns.campaign_page"))
    if first_stage(event).crossed and published:
        pages.append(("crosstable", N_("Cross table"), "standings.crosstable"))
    if any(summary.bracket for summary in published):
        pages.append(("bracket", N_("Bracket"), "field.bracket"))
    return pages
