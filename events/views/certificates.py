"""Certificates from rows: what each page says."""

from collections.abc import Sequence

from events.actions.award_winners import Decided
from events.pairing.standings import Row
from events.reading import players_by_id
from events.views.request import db
from models.event import Event
from pdf.certificate import Certificate

SIGNED = ("Organiser", "Judge")


def award_pages(event: Event, found: Sequence[Decided]) -> list[Certificate]:
    """A certificate for each winner of these awards."""
    return [
        Certificate(player.name, one.title, _line(player.faction, one), event.name, _when(event), SIGNED)
        for one in found
        for player in one.winners
    ]


def participation_pages(event: Event, rows: Sequence[Row]) -> list[Certificate]:
    """A certificate for everybody in the standings, best first; whoever is disqualified gets none."""
    people = players_by_id(db(), event)
    ranked = [row for row in rows if not row.disqualified]
    return [
        Certificate(
            row.name,
            "Participation",
            " · ".join(part for part in (people[int(row.id)].faction, f"rank {row.rank} of {len(ranked)}") if part),
            event.name,
            _when(event),
            SIGNED,
        )
        for row in ranked
    ]


def _line(faction: str, one: Decided) -> str:
    reasons = [pick.reason for pick in one.picks]
    shared = "shared" if len(one.winners) > 1 and not one.picks else ""
    return " · ".join(part for part in (faction if not one.faction else "", shared, one.figure, *reasons) if part)


def _when(event: Event) -> str:
    first, last = (f"{day.day} {day:%B %Y}" for day in (event.starts_on, event.ends_on))
    days = first if first == last else f"{first} to {last}"
    return f"{event.place} · {days}" if event.place else days
