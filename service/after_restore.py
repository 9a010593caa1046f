"""What a restored copy does not know: what was ended or renewed since it was made (``Opens``), and who was erased.

It is read before the restore and repeated in the copy, so that nothing that was ended or erased comes back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Engine, inspect
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlmodel import Session, SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from events.registration.erasure import erase_again
from events.store.act import Act
from events.store.journal import note
from events.store.visitor import SHELL
from languages.message import message
from models.erasure import Erasure
from models.event import Event
from models.facts import OfEvent, Opens, opening_columns
from models.play import Player
from models.staff import Role, Staff
from service.health import is_damaged

Row = tuple[str, ...]
"""What identifies a row that opens something: the values of its ``Opens.same`` columns, or the value itself."""


@dataclass(frozen=True)
class Known:
    """What the database knew before a restore and the copy may not know. Its fields can be stored as JSON."""

    opened: Mapping[str, Sequence[tuple[Row, Any]]] = field(default_factory=dict)
    """The rows that opened something, with the value, by "table.column"; a column is missing if nothing is known."""
    events: Sequence[int] = ()
    """The events that there were."""
    erased: Sequence[tuple[int, int, str]] = ()
    """The erasures of players' data: event, player, and when."""


def known_before(engine: Engine) -> Known:
    """What the database knows that the copy may not; nothing if it cannot tell."""
    try:
        with Session(engine) as s:
            seen = inspect(engine)
            there = {table: {column["name"] for column in seen.get_columns(table)} for table in seen.get_table_names()}
            opened = {
                str(column): _opened(s, column, opens)
                for column, opens in opening_columns()
                if {column.name, *opens.same, *filter(None, [opens.ends])} <= there.get(column.table.name, set())
            }
            events = s.exec(select(Event.id)).all() if "event" in there else []
            erasures = s.exec(select(Erasure)).all() if "erasure" in there else []
            return Known(
                opened,
                events,
                [(erasure.event_id, erasure.player_id, erasure.at.isoformat()) for erasure in erasures],
            )
    except DBAPIError as failed:
        if engine.dialect.name == "postgresql" and not (isinstance(failed, ProgrammingError) or is_damaged(failed)):
            raise  # the connection was lost; without the answer, ended links would become valid again
        return Known()  # another program's database, another version's, or damaged


def _opened(s: Session, column: Column[Any], opens: Opens) -> list[tuple[Row, Any]]:
    table = column.table
    query = select(column, *(table.c[name] for name in opens.same or (column.name,))).where(column.is_not(None))
    if opens.ends:
        query = query.where(table.c[opens.ends].is_(None))
    return [(tuple(map(str, same)), value) for value, *same in s.execute(query)]


def close_ended(s: Session, event: Event | None, known: Known, now: datetime) -> None:
    """Close what was ended since the copy was made: in the tables of an event, or with None in all others."""
    kinds = {mapper.local_table: mapper.class_ for mapper in SQLModel._sa_registry.mappers}
    for column, opens in opening_columns():
        kind = kinds[column.table]
        if issubclass(kind, OfEvent) != (event is not None):
            continue
        opened = known.opened.get(str(column))
        before = {tuple(row): value for row, value in opened or ()}
        for row in s.exec(_rows(kind, event)).all():
            value = getattr(row, column.name)
            same = tuple(str(getattr(row, name)) for name in opens.same or (column.name,))
            if value is None or (opens.ends and getattr(row, opens.ends) is not None):
                continue
            if same in before and not opens.always:
                setattr(row, column.name, type(value)(before[same]))  # JSON keeps a role as text
            elif opens.always or opened is not None:
                _close(s, row, column.name, opens, known, now)


def _rows(kind: Any, event: Event | None) -> SelectOfScalar[Any]:
    query: SelectOfScalar[Any] = select(kind)
    if event is None:
        return query
    if hasattr(kind, "event_id"):
        return query.where(kind.event_id == event.id)
    return query.where(col(kind.player_id).in_(select(Player.id).where(Player.event_id == event.id)))


def _close(s: Session, row: Any, name: str, opens: Opens, known: Known, now: datetime) -> None:
    if opens.ends:
        setattr(row, opens.ends, now)
    elif opens.anew is not None:
        setattr(row, name, opens.anew())
    elif opens.goes and (not isinstance(row, Staff) or _leaves(s, row, known)):
        s.delete(row)


def _leaves(s: Session, role: Staff, known: Known) -> bool:
    """Whether a role goes: not of an event that was deleted since, and not of its only owner."""
    owners = select(Staff.id).where(Staff.event_id == role.event_id, Staff.role == Role.OWNER, Staff.id != role.id)
    return role.event_id in known.events and (role.role != Role.OWNER or s.exec(owners.limit(1)).first() is not None)


def note_restored(s: Session, event: Event, known: Known, made: datetime, now: datetime) -> None:
    """Close what was ended at an event since the copy, and note the restore."""
    close_ended(s, event, known, now)
    event.news_at = now  # calendars and feeds may have later news than the copy
    sentence = message("The whole service went back to its copy of %(at)s", at=f"{made:%Y-%m-%d %H:%M UTC}")
    note(Act(s, event, SHELL, now), "go-back", sentence, made=made.isoformat())


def repeat_erasures(s: Session, event: Event, known: Known, now: datetime) -> None:
    """Erase again whom the copy still names. A player who registered after the erasure is another one."""
    for event_id, player_id, at in known.erased:
        player = s.get(Player, player_id) if event_id == event.id else None
        done = select(Erasure).where(Erasure.event_id == event_id, Erasure.player_id == player_id)
        if player is None or player.event_id != event.id or s.exec(done).first() is not None:
            continue
        if player.registered_at <= datetime.fromisoformat(at):
            erase_again(Act(s, event, SHELL, now), player)
