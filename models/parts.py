"""Rows that belong to another row: an event's players, a round's games."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, inspect, select
from sqlalchemy.orm import InstanceState, object_session
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.util import identity_key
from sqlmodel import Relationship, Session, SQLModel


def parts(name: str, order: str = "id", **more: Any) -> Any:
    """The rows of the class ``name`` that belong to this row: read once in a session, when first asked for.

    They are in this order when they are loaded, and a new one comes last. One that is removed from the list is deleted.
    Only the owner knows its parts: a row that knew its owner too would be freed late (decision 0180).
    """
    arguments = {
        "cascade": "save-update, merge, expunge, delete, delete-orphan",
        "passive_deletes": True,
        "order_by": f"{name}.{order}",
    }
    return Relationship(sa_relationship_kwargs=arguments | more)


def load_parts(owners: Iterable[SQLModel], name: str) -> None:
    """Read the parts ``name`` of all these rows of one class that have not read theirs, with one statement."""
    waiting = {
        state.identity[0]: owner for owner in owners if (state := inspect(owner)).persistent and name in state.unloaded
    }
    if not waiting:
        return
    one = next(iter(waiting.values()))
    s = object_session(one)
    assert s is not None  # noqa: S101 - it is stored, in this session
    statement, column, many = _parts_of(type(one), name)
    found: dict[int, list[SQLModel]] = {id_: [] for id_ in waiting}
    for part in s.scalars(statement, {"owners": [*waiting]}):
        found[getattr(part, column)].append(part)
    for id_, owner in waiting.items():
        set_committed_value(owner, name, found[id_] if many else next(iter(found[id_]), None))


@cache  # building a frequent query takes as long as running it
def _parts_of(model: type[SQLModel], name: str) -> tuple[Select[Any], str, bool]:
    """The statement that reads the parts of several rows, the column that names the row, and whether it may be many."""
    relationship = inspect(model).relationships[name]
    (column,) = relationship.remote_side
    part = relationship.mapper.class_
    query = select(part).where(column.in_(bindparam("owners", expanding=True))).order_by(*relationship.order_by)
    return query, column.key, bool(relationship.uselist)


def left(rows: Iterable[SQLModel]) -> Iterator[SQLModel]:
    """The stored rows that left the list of parts of one of these rows."""
    for row in rows:
        state: InstanceState[Any] = inspect(row)
        for relationship in state.mapper.relationships:
            if relationship.cascade.delete_orphan and relationship.key in state.dict:
                gone = state.attrs[relationship.key].history.deleted or ()
                yield from (part for part in gone if part is not None and inspect(part).persistent)


@cache
def _owners(model: type[SQLModel]) -> tuple[tuple[type[SQLModel], str, str], ...]:
    """Whose parts the rows of a class are: the owner's class, the name of its list, and the part's column."""
    return tuple(
        (mapper.class_, relationship.key, next(iter(relationship.remote_side)).name)
        for mapper in SQLModel._sa_registry.mappers
        for relationship in mapper.relationships
        if relationship.mapper.class_ is model and relationship.cascade.delete_orphan
    )


def _lists_of(session: Session, row: SQLModel) -> Iterator[tuple[SQLModel, str, list[SQLModel]]]:
    """The loaded lists to which a row belongs by its key: each with its owner and its name."""
    for model, name, column in _owners(type(row)):
        owner = session.identity_map.get(identity_key(model, getattr(row, column)))
        if owner is not None and name in inspect(owner).dict:
            there = inspect(owner).dict[name]
            yield owner, name, there if isinstance(there, list) else [there]


def wrong_lists(session: Session, rows: Iterable[SQLModel], *, there: bool) -> list[tuple[SQLModel, str]]:
    """The loaded lists that lack one of these new rows, or that still have one of these deleted rows (``there``)."""
    return [
        (owner, name)
        for row in rows
        for owner, name, parts in _lists_of(session, row)
        if any(part is row for part in parts) is there
    ]
