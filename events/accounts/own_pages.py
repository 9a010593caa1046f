"""People's own pages: which entries are on whose page, and what makes, joins, separates and ends them.

Nothing of an event changes here. An entry is added only by somebody who holds its key and that of the page.
"""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, or_, select

from events.accounts.actions import remove_passkeys
from events.store.errors import Refused
from events.visitors.queries import MAIN, main_id
from events.web.parsing import first_name
from languages.words import gettext
from models.base import new_secret
from models.event import Event, EventState
from models.person import OwnEntry, Person
from models.play import Player


def whose(s: Session, players: Collection[int]) -> Mapping[int, Person]:
    """The person of each of these entries that is on somebody's page; of pages put together the main one."""
    if not players:
        return {}
    query = (
        select(OwnEntry.player_id, MAIN)
        .join(Person, col(Person.id) == OwnEntry.person_id)
        .join(MAIN, col(MAIN.id) == main_id(Person))
        .where(col(OwnEntry.player_id).in_(players))
    )
    return dict(s.exec(query).all())


def _is_page_of(person: Person) -> ColumnElement[bool]:
    """The condition that picks the person's page and those put together with it, by their indexes."""
    return or_(col(Person.id) == person.id, col(Person.merged_into) == person.id)


def pages_of(s: Session, person: Person) -> list[Person]:
    """The person's page, and after it those put together with it, oldest first."""
    return sorted(s.exec(select(Person).where(_is_page_of(person))), key=lambda page: (page.id != person.id, page.id))


def own_entries(s: Session, person: Person) -> list[tuple[Event, Player]]:
    """The entries on the person's page and on those put together with it, the newest event first."""
    pages = select(Person.id).where(_is_page_of(person))
    query = select(Event, Player).join(Player).join(OwnEntry).where(col(OwnEntry.person_id).in_(pages))
    return list(s.exec(query.order_by(col(Event.starts_on).desc(), col(Event.id).desc(), col(Player.id))))


def main_page(s: Session, person: Person) -> Person:
    """The page itself, or the one that it was put together with."""
    return person if person.merged_into is None else s.get_one(Person, person.merged_into)


def events_before(s: Session, event: Event, people: Mapping[int, Person]) -> Mapping[int, int]:
    """By entry: in how many public events before this one its person played. Only of people who show their page.

    ``people`` are the persons of entries, as ``whose`` finds them.
    """
    shown = {id_: person.id for id_, person in people.items() if person.shown}
    if not shown:
        return {}
    main = main_id(Person)
    query = (
        select(main, func.count(func.distinct(Player.event_id)))
        .join(OwnEntry, col(OwnEntry.person_id) == col(Person.id))
        .join(Player, col(Player.id) == OwnEntry.player_id)
        .join(Event, col(Event.id) == Player.event_id)
        .where(
            main.in_(shown.values()), Event.id != event.id, Event.starts_on <= event.starts_on,
            Event.state == EventState.FINISHED, col(Event.cancelled_at).is_(None), ~col(Event.unlisted),
        )
        .group_by(main)
    )  # fmt: skip
    counts: dict[int, int] = dict(s.exec(query).all())
    return {id_: counts[person] for id_, person in shown.items() if person in counts}


def make_page(s: Session, player: Player, now: datetime) -> Person:
    person = Person(name=first_name(player.name, player.partner), made_at=now)
    s.add(person)
    s.flush()  # assigns the id for the entry
    add_entry(s, person, player, now)
    return person


def add_entry(s: Session, person: Person, player: Player, now: datetime) -> None:
    """Put an entry on the person's page; it leaves the page that it was on. Raises Refused.

    The caller has checked that the visitor holds the keys of both.
    """
    others = [entry for event, entry in own_entries(s, person) if event.id == player.event_id]
    if player.id in [entry.id for entry in others]:
        return
    if others:
        raise Refused(
            gettext("Your page has %(name)s in this event already. Take that entry off first.", name=others[0].name)
        )
    take_off(s, player)
    s.flush()  # an entry is on one page only
    s.add(OwnEntry(person_id=person.id, player_id=player.id, since=now))


def take_off(s: Session, player: Player) -> None:
    """Take an entry off the page that it is on. The entry itself does not change."""
    for row in s.exec(select(OwnEntry).where(OwnEntry.player_id == player.id).with_for_update()):
        s.delete(row)


def leave_page(s: Session, player: Player) -> None:
    """Take an erased entry off its page. A page left without any entry goes too: its name is that of the entry."""
    row = s.exec(select(OwnEntry).where(OwnEntry.player_id == player.id)).first()
    if row is None:
        return
    page = main_page(s, s.get_one(Person, row.person_id))
    take_off(s, player)
    s.flush()  # the next query must not find it
    if not own_entries(s, page):
        end_page(s, page)


def renew_page(s: Session, person: Person) -> None:
    """End every link, sign-in and passkey of the page and of those put together with it."""
    remove_passkeys(s, person)
    for page in pages_of(s, person):
        page.secret, page.session_key = new_secret(), new_secret()


def end_page(s: Session, person: Person) -> None:
    """Delete the page and those put together with it. The entries stay in their events, and are on no page."""
    for page in reversed(pages_of(s, person)):
        s.delete(page)


def put_together(s: Session, main: Person, other: Person) -> None:
    """Join two pages of one person: ``other``, and what was put into it, becomes part of ``main``. Raises Refused.

    Nothing is moved, so that ``separate`` undoes it.
    """
    for person in sorted((main, other), key=lambda row: row.id):  # in this order, so that two joins at once wait
        s.refresh(person, with_for_update=True)
    if main.merged_into is not None or other.merged_into is not None or main.id == other.id:
        raise Refused(gettext("One of the pages was put together with another one meanwhile. Open the link again."))
    for page in pages_of(s, other):
        page.merged_into = main.id


def separate(s: Session, main: Person, page_id: int) -> bool:
    """Undo ``put_together`` for one page. Returns whether it was part of ``main``.

    Whoever has the other page may know the link of this one, or have added a passkey: those end.
    """
    person = next((page for page in pages_of(s, main) if page.id == page_id and page.id != main.id), None)
    if person is not None:
        person.merged_into = None
        s.flush()  # the other page keeps its own link and sign-ins
        renew_page(s, main)
    return person is not None
