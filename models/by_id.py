"""Rows by their ids, for what every phone asks: as ``Session.get``, without putting the question together each time."""

from functools import cache
from typing import Any, TypeVar

from sqlalchemy import bindparam, inspect
from sqlalchemy.orm.util import identity_key
from sqlmodel import Session, select
from sqlmodel.sql.expression import SelectOfScalar

from models.base import Row

R = TypeVar("R", bound=Row)


@cache
def _asked(table: type[Row]) -> SelectOfScalar[Any]:
    id_ = inspect(table).columns["id"]
    return select(table).where(id_ == bindparam("id")).execution_options(autoflush=False)


def by_id(s: Session, table: type[R], id_: int) -> R | None:
    """The row with this id, from the session where it was read already; None where there is none."""
    held: R | None = s.identity_map.get(identity_key(table, id_))
    if held is not None and not inspect(held).expired:
        return held
    found: R | None = s.exec(_asked(table), params={"id": id_}).first()
    return found


def read_again(s: Session, row: Row) -> None:
    """Read a row that a lock has let expire at once, rather than with the first of its values that is asked for."""
    s.exec(_asked(type(row)), params={"id": inspect(row).identity[0]}).first()
