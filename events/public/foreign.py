"""Results of other clubs: taken into a series from signed archives and out again, and claimed by the people who played.

Nobody is matched by a name: a row belongs to a person of this club only while that person says so and staff agree. An
event is known by its seed and the key that first brought it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import ColumnElement, true
from sqlmodel import Session, col, select

from events.accounts.own_pages import pages_of
from events.accounts.queries import MAIN, main_id
from events.setup.archive_check import ArchiveCheck, Calculated
from events.setup.archive_file import Archive
from events.setup.signing import fingerprint
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.web.parsing import look_alike_key, name_key, series_slug
from languages.message import counted_message, message
from languages.words import N_, gettext
from models.event import Event, EventState
from models.foreign import EndedClaim, ForeignClub, ForeignEvent, ForeignRow
from models.person import Person
from validators import SYSTEMS

WRONG = {
    "unreadable": N_("This file is no archive that can be read: %(why)s"),
    "changed": N_("This file was changed or damaged: %(why)s"),
    "different": N_("%(why)s Ask the club for its archive again."),
    "unsigned": N_(
        "Nobody signed this file, so that anyone can have made or changed it. Ask the club for a signed one."
    ),
}
"""What is wrong with a file, by the result of its check, with the check's last sentence."""
GONE = N_("These results are not here any more.")


@dataclass(frozen=True)
class Foreign:
    """An event of another club, with its final standings and the people who claim rows of it."""

    event: ForeignEvent
    club: ForeignClub
    is_look_alike: bool
    """Whether the name of another club of these events looks like this one's."""
    is_here: bool
    """Whether the event was imported too. It then counts as an event of this club alone."""
    rows: Sequence[tuple[ForeignRow, Person | None]]
    """Each row with the person whose it is: staff agreed to the claim."""
    claims: Sequence[tuple[ForeignRow, Person]]
    """Claims that staff agreed to, and those that wait."""
    ended: Sequence[Person]
    """People whose claim staff ended."""

    @property
    def mark(self) -> str:
        """The fingerprint of the key that signed it."""
        return fingerprint(self.club.key)

    @property
    def club_name(self) -> str:
        """The club's name, told apart by its key from a name that looks the same."""
        return f"{self.club.name} ({self.mark})" if self.is_look_alike else self.club.name

    @property
    def name(self) -> str:
        """The event with the club that it is from."""
        return gettext("%(event)s (from %(club)s)", event=self.event.name, club=self.club_name)

    @property
    def system(self) -> str:
        """The id of its game."""
        return self.event.system

    @property
    def starts_on(self) -> date:
        return self.event.starts_on

    @property
    def public_stamp(self) -> str:
        """Changes with what everybody sees of it: its claims, and who of them is in the ranking."""
        return repr([self.event.id, *((row.id, person.id, person.rated_since) for row, person in self.claimed)])

    @property
    def claimed(self) -> list[tuple[ForeignRow, Person]]:
        return [(row, person) for row, person in self.rows if person is not None]

    @property
    def free(self) -> list[ForeignRow]:
        """The rows that nobody claims."""
        claimed = {row.id for row, _ in self.claims}
        return [row for row, _ in self.rows if row.id not in claimed]

    @property
    def waiting(self) -> int:
        """How many claims wait for staff."""
        return sum(not row.agreed for row, _ in self.claims)

    def own(self, person: Person) -> ForeignRow | None:
        return next((row for row, whose in self.claims if whose.id == person.id), None)


def foreign_results(s: Session, series: str = "") -> list[Foreign]:
    """The events of other clubs that count, of all series or the one at this address, oldest first."""
    return [foreign for foreign in all_foreign_results(s, series) if not foreign.is_here]


def all_foreign_results(s: Session, series: str) -> list[Foreign]:
    """The same with those that do not count, because their archive was imported."""
    return _results(s, col(ForeignEvent.series) == series if series else true())


def _results(s: Session, wanted: ColumnElement[bool]) -> list[Foreign]:
    """These events with their claims: the one rule of what a claim is worth.

    A claim counts when staff agreed to it. An ended one ends all claims of its person on the event, whichever of the
    pages that were put together made them. Of two claims of one person, the first row counts.
    """
    imported = select(Event.id).where(Event.seed == ForeignEvent.seed).exists()
    query = select(ForeignEvent, ForeignClub, imported).join(ForeignClub).where(wanted)
    events = s.exec(query.order_by(col(ForeignEvent.starts_on), col(ForeignEvent.id))).all()
    if not events:
        return []
    looks = Counter(look_alike_key(club.name) for club in {club.id: club for _, club, _ in events}.values())
    ended: dict[int, list[Person]] = {event.seed: [] for event, *_ in events}
    claims_ended = (
        select(EndedClaim.seed, MAIN)
        .join(Person, col(Person.id) == EndedClaim.person_id)
        .join(MAIN, col(MAIN.id) == main_id(Person))
        .where(col(EndedClaim.seed).in_(ended))
        .distinct()
    )
    for seed, person in s.exec(claims_ended):
        ended[seed].append(person)
    claimants = (
        select(ForeignRow, MAIN)
        .outerjoin(Person, col(Person.id) == ForeignRow.person_id)
        .outerjoin(MAIN, col(MAIN.id) == main_id(Person))
        .where(col(ForeignRow.event_id).in_([event.id for event, *_ in events]))
        .order_by(col(ForeignRow.number))
    )
    rows: dict[int, list[tuple[ForeignRow, Person | None]]] = {event.id: [] for event, *_ in events}
    for row, person in s.exec(claimants):
        rows[row.event_id].append((row, person))
    results = []
    for event, club, is_here in events:
        barred = {claimant.id for claimant in ended[event.seed]}
        claims = [
            (row, claimant) for row, claimant in rows[event.id] if claimant is not None and claimant.id not in barred
        ]
        whose = {claimant.id: (row.id, claimant) for row, claimant in reversed(claims) if row.agreed}
        people = dict(whose.values())
        results.append(
            Foreign(
                event,
                club,
                looks[look_alike_key(club.name)] > 1,
                is_here,
                [(row, people.get(row.id)) for row, _ in rows[event.id]],
                claims,
                ended[event.seed],
            )
        )
    return results


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
    systems = {
        an_event.system
        for an_event in act.s.exec(select(Event))
        if an_event.series and series_slug(an_event.series) == series
    }
    if played["system"] not in systems:
        game = SYSTEMS[played["system"]].name
        why = gettext(
            "%(name)s is an event of %(game)s, which this series does not play.", name=played["name"], game=game
        )
        raise Refused(why, "file")
    _check_new(act.s, archive, club)
    owner = _club(act.s, archive.key, given, club)
    event = ForeignEvent(
        club_id=owner.id, series=series, seed=played["seed"], name=played["name"], starts_on=played["starts_on"],
        system=played["system"], games=rated(archive, calculated), taken_at=act.now,
    )  # fmt: skip
    act.s.add(event)
    act.s.flush()  # assigns the id for the rows
    for number, row in enumerate(calculated.rows, 1):
        rank = None if row.disqualified else row.rank
        act.s.add(ForeignRow(event_id=event.id, number=number, name=row.name, rank=rank, points=row.points))
    text = N_("Took %(event)s from %(club)s into the series, signed with the key %(key)s")
    note(act, "take-in-results", message(text, event=event.name, club=owner.name, key=fingerprint(archive.key)))
    return event


def _usable(check: ArchiveCheck) -> tuple[Archive, Calculated]:
    if check.result in WRONG:
        raise Refused(gettext(WRONG[check.result], why=check.lines[-1]), "file")
    if check.result == "foreign":
        raise Refused(check.lines[0], "key")
    if check.archive is None or check.calculated is None:
        raise ValueError(f"a check without its archive: {check.result}")
    return check.archive, check.calculated


def _check_new(s: Session, archive: Archive, name: str) -> None:
    """Refuse an event that is here. ``name`` is what staff call the club of a new key."""
    seed = archive.event["seed"]
    stored = next(iter(_results(s, col(ForeignEvent.seed) == seed)), None)
    if stored is not None and stored.club.key == archive.key:
        raise Refused(
            gettext(
                "%(foreign)s is here already. To take in a newer file, take that one out first.",
                foreign=stored.event.name,
            ),
            "file",
        )
    if stored is not None:
        owner = s.exec(select(ForeignClub).where(ForeignClub.key == archive.key)).first()
        why = gettext(
            "Conflict: this file is of the same event as %(event)s from %(club)s, signed with the key %(key)s. It is"
            " signed with another key, %(other)s (%(name)s). Nothing was taken in. Ask both clubs whose event it is; if"
            " it is not the first one’s, take that out.",
            event=stored.event.name,
            club=stored.club.name,
            key=stored.mark,
            other=fingerprint(archive.key),
            name=owner.name if owner else name or gettext("new here"),
        )
        raise Refused(why, "file")
    event = s.exec(select(Event).where(Event.seed == seed)).first()
    if event is not None:
        raise Refused(
            gettext("This is %(own)s, an event here. It counts in the series that its settings name.", own=event.name),
            "file",
        )


def _club(s: Session, key: str, given: str, name: str) -> ForeignClub:
    """The club of the key. A new one needs the key as the club publishes it, and a name."""
    stored = s.exec(select(ForeignClub).where(ForeignClub.key == key)).first()
    if stored is not None:
        return stored
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
    stored = ForeignClub(key=key, name=name, name_key=name_key(name))
    s.add(stored)
    s.flush()  # assigns the id for the event
    return stored


def rated(archive: Archive, calculated: Calculated) -> list[list[int]]:
    """The games for ratings, none of a campaign, where the larger force wins."""
    if archive.event["campaign"] is not None:
        return []
    number = {int(row.id): place for place, row in enumerate(calculated.rows, 1)}
    return [
        [number[game.a], number[game.b], game.worth] for game in calculated.games if {game.a, game.b} <= number.keys()
    ]


def remove_results(act: Act, foreign_id: int) -> None:
    """Take an event of another club out of the series, with its claims; a club without events is forgotten."""
    foreign = _of_series(act, foreign_id)
    act.s.delete(foreign.event)
    act.s.flush()  # the next query must not find it
    if act.s.exec(select(ForeignEvent).where(ForeignEvent.club_id == foreign.club.id)).first() is None:
        act.s.delete(foreign.club)
    sentence = message("Took %(event)s out of the series", event=foreign.name)
    if foreign.claims:
        ended = counted_message("%(num)s claim ended", "%(num)s claims ended", len(foreign.claims))
        sentence = message("Took %(event)s out of the series; %(ended)s", event=foreign.name, ended=ended)
    note(act, "take-out-results", sentence)


def _of_series(act: Act, foreign_id: int) -> Foreign:
    """This event, locked so that its claims do not change meanwhile. Raises Refused."""
    act.s.get(ForeignEvent, foreign_id, with_for_update=True)
    foreign = next(iter(_results(act.s, col(ForeignEvent.id) == foreign_id)), None)
    if foreign is None or not act.event.series or foreign.event.series != series_slug(act.event.series):
        raise Refused(gettext(GONE))
    return foreign


def decide_claim(act: Act, foreign_id: int, row_id: int, person_id: int, decision: str) -> None:
    """Agree to this person's claim on a row, or end it: the person then makes none on the event. Raises Refused."""
    foreign = _of_series(act, foreign_id)
    row = next((row for row, person in foreign.claims if (row.id, person.id) == (row_id, person_id)), None)
    if row is None or row.person_id is None:
        raise Refused(gettext("This claim has changed meanwhile."))
    row.agreed = decision == "agree"
    if row.agreed:
        sentence = message("Agreed to the claim on %(name)s of %(event)s", name=row.name, event=foreign.name)
        note(act, "agree-claim", sentence)
    else:
        act.s.add(EndedClaim(person_id=row.person_id, seed=foreign.event.seed))
        row.person_id = None
        note(act, "end-claim", message("Ended the claim on %(name)s of %(event)s", name=row.name, event=foreign.name))


def allow_claims(act: Act, foreign_id: int, person_id: int) -> None:
    """Let a person whose claim was ended claim a row of this event again. Raises Refused."""
    foreign = _of_series(act, foreign_id)
    person = next((person for person in foreign.ended if person.id == person_id), None)
    if person is None:
        raise Refused(gettext("This claim has changed meanwhile."))
    for page in pages_of(act.s, person):
        if (ended := act.s.get(EndedClaim, (page.id, foreign.event.seed))) is not None:
            act.s.delete(ended)
    note(act, "allow-claim", message("Let a person claim a row of %(event)s again", event=foreign.name))


def claim_row(s: Session, person: Person, row_id: int) -> ForeignRow:
    """Record that this row is the person's: the first to say so has it, and one row of each event. Raises Refused."""
    event_id = s.exec(select(ForeignRow.event_id).where(ForeignRow.id == row_id)).first()
    event = s.get(ForeignEvent, event_id, with_for_update=True) if event_id is not None else None
    if event is None:
        raise Refused(gettext(GONE))
    (foreign,) = _results(s, col(ForeignEvent.id) == event.id)
    if any(barred.id == person.id for barred in foreign.ended):
        raise Refused(ended_words(foreign))
    if (mine := foreign.own(person)) is not None:
        raise Refused(gettext("You are %(name)s at %(event)s. Take that back first.", name=mine.name, event=event.name))
    row = next((foreign_row for foreign_row in foreign.free if foreign_row.id == row_id), None)
    if row is None:
        raise Refused(
            gettext(
                "Somebody has claimed %(row)s of %(event)s already. If it is you, ask the organisers.",
                row=s.get_one(ForeignRow, row_id).name,
                event=event.name,
            )
        )
    row.person_id, row.agreed = person.id, False
    return row


def ended_words(foreign: Foreign) -> str:
    """What a person reads whose claim staff ended."""
    return gettext(
        "The organisers ended your claim at %(event)s. Ask them if you played there.", event=foreign.event.name
    )


def withdraw_claim(s: Session, person: Person, row_id: int) -> None:
    row = s.get(ForeignRow, row_id, with_for_update=True)
    if row is not None and row.person_id in {page.id for page in pages_of(s, person)}:
        row.person_id = None
