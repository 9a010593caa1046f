"""The points table of a series, of the closed events here and at other clubs: for its page, its file and programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlmodel import Session, col, select

from events.accounts import access
from events.accounts.queries import MAIN, main_id
from events.public.foreign import Foreign, foreign_results
from events.public.listed import finishing_places
from events.store.visitor import Visitor
from events.tournament.circuit import Circuit, CircuitRow, Place, circuit_in, circuit_lines
from events.web.parsing import name_key, series_slug
from languages.words import gettext, listed
from models.event import Event, EventState
from models.person import OwnEntry, Person
from models.play import Player


@dataclass(frozen=True)
class Counted:
    name: str
    starts_on: date
    places: Sequence[Place]
    slug: str = ""
    """"": the event is of another club."""
    club: str = ""
    mark: str = ""
    """The fingerprint of the club's key."""

    @property
    def head(self) -> str:
        """What it is called in a file."""
        source = f" (from {self.club}, key {self.mark})" if self.club else ""
        return f"{self.name} {self.starts_on.isoformat()}{source}"


@dataclass(frozen=True)
class SeriesTable:
    """The table; without lines if the series has none."""

    circuit: Circuit | None
    counted: Sequence[Counted]
    lines: Sequence[CircuitRow]
    clubs: Mapping[str, str]
    """By the key of a line that nobody here has claimed: the club that it is from."""
    foreign: Sequence[Foreign]

    def source(self, line: CircuitRow) -> str:
        """Which other clubs a line has its points from, in words; "" for none."""
        if line.key in self.clubs:
            return gettext("from %(club)s", club=self.clubs[line.key])
        both = zip(self.counted, line.events, strict=True)
        clubs = dict.fromkeys(counted.club for counted, points in both if counted.club and points is not None)
        return gettext("also at %(clubs)s", clubs=listed([*clubs])) if clubs else ""


def series_events(s: Session, visitor: Visitor, slug: str) -> list[Event]:
    """The events of the series at this address that the visitor may find, oldest first."""
    query = select(Event).where(Event.series != "").order_by(col(Event.starts_on), col(Event.id))
    return [
        event for event in s.exec(query) if series_slug(event.series) == slug and access.is_listed_for(visitor, event)
    ]


def series_table(s: Session, slug: str, events: Sequence[Event]) -> SeriesTable:
    """The points table of these events of a series, and of those that were taken in from other clubs."""
    circuits = [circuit for event in events if (circuit := circuit_in(event.circuit))]
    foreign = foreign_results(s, slug)
    if not circuits:
        return SeriesTable(None, (), (), {}, foreign)
    over = [event for event in events if event.state == EventState.FINISHED]
    counted = [Counted(event.name, event.starts_on, finishing_places(event), event.slug) for event in over]
    names = _names_of(s, over, {person.id for result in foreign for _, person in result.claimed})
    clubs: dict[str, str] = {}
    for result in foreign:
        places = [
            _place(row.id, row.name, row.rank, person, names) for row, person in result.rows if row.rank is not None
        ]
        clubs |= {_key(row.id): result.club_name for row, person in result.rows if person is None}
        counted.append(Counted(result.event.name, result.starts_on, places, club=result.club_name, mark=result.mark))
    counted.sort(key=lambda entry: entry.starts_on)
    lines = circuit_lines(circuits[-1], [entry.places for entry in counted])
    return SeriesTable(circuits[-1], counted, lines, clubs, foreign)


def _key(row_id: int) -> str:
    return f"\nrow {row_id}"  # no name has a line break, so that it is equal to nobody's


def _place(row_id: int, name: str, rank: int, person: Person | None, names: Mapping[int, str]) -> Place:
    if person is None:
        return Place(_key(row_id), name, rank)
    if person.id in names:
        return Place(name_key(names[person.id]), names[person.id], rank)
    return Place(f"\nperson {person.id}", person.public_name, rank)


def _names_of(s: Session, events: Sequence[Event], people: set[int]) -> dict[int, str]:
    """By person: the name of their newest entry in these events of single players, which is their line's."""
    single = [event.id for event in events if event.team_size == 1]
    query = (
        select(MAIN.id, Player.name)
        .join(OwnEntry, col(OwnEntry.player_id) == Player.id)
        .join(Person, col(Person.id) == OwnEntry.person_id)
        .join(MAIN, col(MAIN.id) == main_id(Person))
        .where(col(Player.event_id).in_(single), col(MAIN.id).in_(people))
        .order_by(col(Player.event_id))
    )
    return dict(s.exec(query).all()) if people else {}
