"""Rows that belong to another row: an event's players, a round's games."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, inspect, select
from sqlalchemy.orm.attributes import set_committed_value
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


def load_parts(s: Session, owners: Iterable[SQLModel], name: str) -> None:
    """Read the parts ``name`` of all these rows of one class that have not read theirs, with one statement."""
    waiting = {
        state.identity[0]: owner for owner in owners if (state := inspect(owner)).persistent and name in state.unloaded
    }
    if not waiting:
        return
    model = type(next(iter(waiting.values())))
    statement, column, many = _parts_of(model, name)
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
    query = select(part).where(column.in_(bindparam("owners", expanding=True))).order_by(part.id)
    return query, column.key, bool(relationship.uselist)
