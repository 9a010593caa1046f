"""What opens something: secrets, their hashes, keys and rights, and what a restore does with those ended meanwhile."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column
from sqlmodel import SQLModel

KEY = "opens"
"""The key of a column's ``info``."""


@dataclass(frozen=True)
class Opens:
    """How a restore closes what the value of a column opens, if it opened nothing any more before the restore.

    Its row is looked for among those that were open before the restore, and gets the value that it had there. If it is
    not among them, ``ends`` gets the moment of the restore, else the column gets a value of ``anew``, else the row is
    deleted if it ``goes``.
    """

    ends: str = ""
    """The column with the moment since when the row opens nothing."""
    anew: Callable[[], Any] | None = None
    """Makes a value that nobody knows."""
    always: bool = False
    """Whether a restore closes it even if it was open: it may have been used, or copied, since."""
    goes: bool = False
    same: tuple[str, ...] = ()
    """The columns that identify its row; without them, the value itself does."""


def opening(opens: Opens, **others: Any) -> dict[str, Any]:
    return {"info": {KEY: opens}, **others}


def opening_columns() -> Iterator[tuple[Column[Any], Opens]]:
    for table in SQLModel.metadata.sorted_tables:
        for column in table.columns:
            if KEY in column.info:
                yield column, column.info[KEY]
