"""Results of other clubs: taken into a series from signed archives and out again, and claimed by the people who played.

Nobody is matched by a name: a row belongs to a person of this club only while that person says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlmodel import Session, col, select

from events.accounts.own_pages import pages_of
from events.accounts.queries import MAIN, main_id
from events.play.act import Act
from events.play.errors import Refused
from events.play.journal import note
from events.setup.archive_check import ArchiveCheck, Calculated
from events.setup.archive_file import Archive
from events.setup.signing import fingerprint
from events.web.parsing import name_key, series_slug
from languages.stated import stated, stated_many
from languages.words import gettext, noted
from models.event import Event, EventState
from models.foreign import ForeignClub, ForeignEvent, ForeignRow
from models.person import Person
from validators import SYSTEMS

WRONG = {
    "unreadable": noted("This file is no archive that can be read: %(why)s"),
    "changed": noted("This file was changed or damaged: %(why)s"),
    "different": noted("%(why)s Ask the club for its archive again."),
    "unsigned": noted(
        "Nobody signed this file, so that anyone can have made or changed it. Ask the club for a signed one."
    ),
}
"""What is wrong with a file, by the result of its check, with the check's last sentence."""
GONE = noted("These results are not here any more.")


@dataclass(frozen=True)
class Foreign:
    """An event of another club, with its final standings and who says that a row is theirs."""

    event: ForeignEvent
    club: ForeignClub
    rows: Sequence[tuple[ForeignRow, Person | None]]

    @property
    def mark(self) -> str:
        """The fingerprint of the key that signed it."""
        return fingerprint(self.club.key)

    @property
    def name(self) -> str:
        """The event with the club that it is from."""
        return gettext("%(event)s (from %(club)s)", event=self.event.name, club=self.club.name)

    @property
    def system(self) -> str:
        """The id of its game."""
        return self.event.system

    @property
    def starts_on(self) -> date:
        """Its first day."""
        return self.event.starts_on

    @property
    def public_stamp(self) -> str:
        """Changes with what everybody sees of it: its claims, and who of them is in the ranking."""
        return repr([self.event.id, *((row.id, one.id, one.rated_since) for row, one in self.claimed)])

    @property
    def claimed(self) -> list[tuple[ForeignRow, Person]]:
        """The claimed rows, with their people."""
        return [(row, person) for row, person in self.rows if person is not None]

    def own(self, person: Person) -> ForeignRow | None:
        """The row that this person claimed."""
        return next((row for row, whose in self.claimed if whose.id == person.id), None)


def foreign_results(s: Session, series: str = "") -> list[Foreign]:
    """The events of other clubs, of all series or the one at this address, oldest first.

    One whose archive was imported since counts from here, and is none of them.
    """
    here = select(Event.seed)
    found = select(ForeignEvent, ForeignClub).join(ForeignClub).where(col(ForeignEvent.seed).not_in(here)).order_by(
        col(ForeignEvent.starts_on), col(ForeignEvent.id)
    )  # fmt: skip
    events = s.exec(found.where(ForeignEvent.series == series) if series else found).all()
    rows: dict[int, list[tuple[ForeignRow, Person | None]]] = {event.id: [] for event, _ in events}
    query = (
        select(ForeignRow, MAIN)
        .outerjoin(Person, col(Person.id) == ForeignRow.person_id)
        .outerjoin(MAIN, col(MAIN.id) == main_id(Person))
        .where(col(ForeignRow.event_id).in_(rows))
        .order_by(col(ForeignRow.number))
    )
    for row, person in s.exec(query) if rows else ():
        rows[row.event_id].append((row, person))
    return [Foreign(event, club, rows[event.id]) for event, club in events]


def take_in(act: Act, check: ArchiveCheck, given: str, club: str, own: str) -> ForeignEvent:
    """Take an archive's results into the series of this event. Raises Refused.

    ``check`` is its check with the fingerprint that staff gave, "" for none; ``club`` names a new key; ``own`` is the
    key of this service.
    """
    archive, calculated = _usable(check)
    if archive.key == own:
        raise Refused(
            gettext("This club signed the file itself. Its own events are in the series by their settings."), "file"
        )
    played = archive.event
    if played["state"] != EventState.FINISHED or played["cancelled_at"] is not None or not calculated.rows:
        why = gettext(
            "%(name)s has no final standings of single players: it must be closed there.", name=played["name"]
        )
        raise Refused(why, "file")
    series = series_slug(act.event.series)
    systems = {one.system for one in act.s.exec(select(Event)) if one.series and series_slug(one.series) == series}
    if played["system"] not in systems:
        game = SYSTEMS[played["system"]].name
        why = gettext(
            "%(name)s is an event of %(game)s, which this series does not play.", name=played["name"], game=game
        )
        raise Refused(why, "file")
    _check_new(act.s, played["seed"])
    known = _club(act.s, archive.key, given, club)
    event = ForeignEvent(
        club_id=known.id, series=series, seed=played["seed"], name=played["name"], starts_on=played["starts_on"],
        system=played["system"], games=rated(archive, calculated), taken_at=act.now,
    )  # fmt: skip
    act.s.add(event)
    act.s.flush()  # assigns the id for the rows
    for number, row in enumerate(calculated.rows, 1):
        rank = None if row.disqualified else row.rank
        act.s.add(ForeignRow(event_id=event.id, number=number, name=row.name, rank=rank, points=row.points))
    text = noted("Took %(event)s from %(club)s into the series, signed with the key %(key)s")
    note(act, "take-in-results", stated(text, event=event.name, club=known.name, key=fingerprint(archive.key)))
    return event


def _usable(check: ArchiveCheck) -> tuple[Archive, Calculated]:
    if check.result in WRONG:
        raise Refused(gettext(WRONG[check.result], why=check.lines[-1]), "file")
    if check.result == "foreign":
        raise Refused(check.lines[0], "key")
    if check.archive is None or check.calculated is None:
        raise ValueError(f"a check without its archive: {check.result}")
    return check.archive, check.calculated


def _check_new(s: Session, seed: int) -> None:
    foreign = s.exec(select(ForeignEvent).where(ForeignEvent.seed == seed)).first()
    if foreign is not None:
        raise Refused(
            gettext(
                "%(foreign)s is here already. To take in a newer file, take that one out first.", foreign=foreign.name
            ),
            "file",
        )
    own = s.exec(select(Event).where(Event.seed == seed)).first()
    if own is not None:
        raise Refused(
            gettext("This is %(own)s, an event here. It counts in the series that its settings name.", own=own.name),
            "file",
        )


def _club(s: Session, key: str, given: str, name: str) -> ForeignClub:
    """The club of the key. A new one needs the key as the club publishes it, and a name."""
    known = s.exec(select(ForeignClub).where(ForeignClub.key == key)).first()
    if known is not None:
        return known
    if not given:
        why = gettext(
            "The file is signed with the key %(key)s, which is new here. Enter the key that the club publishes, and the"
            " club’s name.",
            key=fingerprint(key),
        )
        raise Refused(why, "key")
    if not name:
        raise Refused(gettext("Enter the name under which this club is shown."), "club")
    other = s.exec(select(ForeignClub).where(ForeignClub.name_key == name_key(name))).first()
    if other is not None:
        why = gettext(
            "%(name)s is known by another key, %(key)s. Enter another name.",
            name=other.name,
            key=fingerprint(other.key),
        )
        raise Refused(why, "club")
    known = ForeignClub(key=key, name=name, name_key=name_key(name))
    s.add(known)
    s.flush()  # assigns the id for the event
    return known


def rated(archive: Archive, calculated: Calculated) -> list[list[int]]:
    """The games for ratings, none of a campaign, where the larger force wins."""
    if archive.event["campaign"] is not None:
        return []
    number = {int(row.id): place for place, row in enumerate(calculated.rows, 1)}
    return [[number[one.a], number[one.b], one.worth] for one in calculated.games if {one.a, one.b} <= number.keys()]


def remove_results(act: Act, foreign_id: int) -> None:
    """Take an event of another club out of the series, with its claims; a club without events is forgotten."""
    found = next((one for one in _of_series(act) if one.event.id == foreign_id), None)
    if found is None:
        raise Refused(gettext(GONE))
    act.s.delete(found.event)
    act.s.flush()  # the next query must not find it
    if act.s.exec(select(ForeignEvent).where(ForeignEvent.club_id == found.club.id)).first() is None:
        act.s.delete(found.club)
    said = stated("Took %(event)s out of the series", event=found.name)
    if found.claimed:
        ended = stated_many("%(num)s claim ended", "%(num)s claims ended", len(found.claimed))
        said = stated("Took %(event)s out of the series; %(ended)s", event=found.name, ended=ended)
    note(act, "take-out-results", said)


def end_claim(act: Act, row_id: int) -> None:
    """End the claim of a person on a row. Raises Refused if there is none."""
    claimed = ((one, row) for one in _of_series(act) for row, _ in one.claimed if row.id == row_id)
    found, row = next(claimed, (None, None))
    if found is None or row is None:
        raise Refused(gettext(GONE))
    row.person_id = None
    note(act, "end-claim", stated("Ended the claim on %(name)s of %(event)s", name=row.name, event=found.name))


def _of_series(act: Act) -> list[Foreign]:
    return foreign_results(act.s, series_slug(act.event.series)) if act.event.series else []


def claim_row(s: Session, person: Person, row_id: int) -> ForeignRow:
    """Record that this row is the person's: the first to say so has it, and one row of each event. Raises Refused."""
    row = s.get(ForeignRow, row_id)
    event = s.get(ForeignEvent, row.event_id, with_for_update=True) if row is not None else None
    if row is None or event is None:
        raise Refused(gettext(GONE))
    s.refresh(row)  # whose claim waited for this one's sees it
    if row.person_id is not None:
        raise Refused(
            gettext(
                "Somebody has claimed %(row)s of %(event)s already. If it is you, ask the organisers.",
                row=row.name,
                event=event.name,
            )
        )
    pages = [one.id for one in pages_of(s, person)]
    own = select(ForeignRow).where(ForeignRow.event_id == event.id, col(ForeignRow.person_id).in_(pages))
    if (other := s.exec(own).first()) is not None:
        raise Refused(
            gettext("You are %(name)s at %(event)s. Take that back first.", name=other.name, event=event.name)
        )
    row.person_id = person.id
    return row


def withdraw_claim(s: Session, person: Person, row_id: int) -> None:
    """Take back the person's own claim on a row, if there is one."""
    row = s.get(ForeignRow, row_id, with_for_update=True)
    if row is not None and row.person_id in {one.id for one in pages_of(s, person)}:
        row.person_id = None
