"""What each column of an event's tables is, said once: next to the column, in its ``info``.

The journal's words, what a step back keeps, what archives hold and who reads it all follow from here; so does, by
``Opens``, what a restore does with secrets, their hashes, keys and rights that ended meanwhile.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, dataclass_transform

from pydantic.fields import FieldInfo
from sqlalchemy import Column, Table, text
from sqlmodel import Field, SQLModel

OPENS = "opens"
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
    return {"info": {OPENS: opens}, **others}


def opening_columns() -> Iterator[tuple[Column[Any], Opens]]:
    for table in SQLModel.metadata.sorted_tables:
        for column in table.columns:
            if OPENS in column.info:
                yield column, column.info[OPENS]


Goes = Literal["words", "player", "day", "nothing"]
KEY = "fact"
"""The key of a column's ``info``."""


class Back(StrEnum):
    """What a step back does with a column of an event, a team or a player."""

    RESTORED = "restored"
    STAYS = "stays"


RESTORED, STAYS = Back


class Text(StrEnum):
    """How a text is cleaned, by forms and archives."""

    NAME = "name"
    """One line with visible letters."""
    LINE = "line"
    """One trimmed line with single spaces."""
    LINES = "lines"
    """Several lines."""
    LINK = "link"
    """The address of a page elsewhere, beginning with https://."""
    CODE = "code"
    """Written by the program or chosen from a list."""


NAME, LINE, LINES, LINK, CODE = Text


class ReadBy(StrEnum):
    """Who reads a column besides being allowed to read its row."""

    ALL = "all"
    """Everybody, on the public pages and sheets of the event."""
    ROW = "row"
    """Everybody who reads the row."""
    LISTS = "lists"
    PAIRING = "pairing"
    PAYMENTS = "payments"
    NOBODY = "nobody"
    """Nobody: it is stored for replay."""


class Once(StrEnum):
    """What happens at an event after which a setting can no longer change (``events/setup/freezes.py``)."""

    DRAWN = "drawn"
    PUBLISHED = "published"
    REPORTED = "reported"
    CUT = "cut"
    FINAL = "final"


@dataclass(frozen=True)
class Fact:
    """What a column is."""

    label: str
    """The column in the journal, on forms and as the head of a sheet. "": the journal does not show it."""
    back: Back | None = None
    """Only for an event, a team or a player: of other tables, a step back restores every column."""
    text: Text | None = None
    read_by: ReadBy = ReadBy.ROW
    journal: bool = True
    """Whether the journal keeps it, and so whether replay compares it."""
    archived: bool = True
    goes: Goes = "words"
    """How a text about a person goes, as docs/assurance/personal_data.md says of all columns."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """The words of each stored value, for a column of choices."""
    asked: bool = False
    """Whether sign-up asks for it: a line of text about a player, shown as a club is."""
    help: str = ""
    """The sentence under its field."""
    least: int = 0
    most: int = 0
    """The bounds of a number on forms."""
    frozen: Once | None = None
    news: bool = False
    """Whether players must know of a change: day, time, place. Calendars and feeds then have the event as changed."""

    @property
    def head(self) -> str:
        return self.label[:1].upper() + self.label[1:]


UNSAID = Fact("")
"""A column that the journal keeps without showing it."""
CHOSEN = Fact("", goes="nothing")
"""The same, of what the program writes or offers."""
OF_PLAYER = Fact("", journal=False, archived=False, goes="player")
OF_SERVER = replace(OF_PLAYER, goes="nothing")
"""A secret, or a mark of the server: neither journal nor archives hold it."""


def column(fact: Fact, *, server_default: Any = None, opens: Opens | None = None, **kwargs: Any) -> Any:
    """A column with its fact and, if its value opens something, what a restore does with it.

    The other arguments are those of ``Field``.
    """
    info = {KEY: fact} if opens is None else {KEY: fact, OPENS: opens}
    return Field(sa_column_kwargs={"info": info, "server_default": server_default}, **kwargs)


def blank(fact: Fact, length: int) -> Any:
    """The column of a text that is empty until somebody writes it, at most ``length`` characters."""
    return column(fact, default="", max_length=length, server_default=text("''"))


@dataclass_transform(kw_only_default=True, field_specifiers=(Field, FieldInfo, column))
class OfEvent(SQLModel):
    """The base of an event's tables, whose columns have facts."""


def fact_of(column: Column[Any]) -> Fact:
    """The fact of a column. Raises LookupError with its name if it has none."""
    fact: Fact | None = column.info.get(KEY)
    if fact is None:
        raise LookupError(f"{column.table.name}.{column.name} has no fact: declare it with column(Fact(…))")
    return fact


def facts_of(table: Table | str) -> dict[str, Fact]:
    """The facts of a table's columns by name, without the primary key, in the order of its class.

    Empty for the name of a table that is no more, which an old journal may have.
    """
    if isinstance(table, str):
        sql_table = SQLModel.metadata.tables.get(table)
        return {} if sql_table is None else facts_of(sql_table)
    return {column.name: fact_of(column) for column in table.columns if not column.primary_key}
