"""What every table shares: constraint names, times in UTC, and choices stored by their value."""

import json
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from secrets import choice as random_choice
from secrets import randbits, token_hex, token_urlsafe
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import JSON, DateTime, Dialect, Enum, MetaData, Table, event
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

from models.facts import Fact, column

# Named before the first table exists: a constraint without a name can never be dropped by a migration.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


@event.listens_for(Table, "after_parent_attach")
def _never_use_numbers_again(table: Table, metadata: MetaData) -> None:
    """The journal, addresses and forms keep the numbers of rows that are gone: SQLite would give them to others."""
    if metadata is SQLModel.metadata:
        table.dialect_options["sqlite"]["autoincrement"] = True


class UTCDateTime(TypeDecorator[datetime]):
    """A moment, stored and read in UTC. Rejects a naive datetime: SQLite would silently drop a time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a moment without its zone cannot be stored: {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class Document(TypeDecorator[Any]):
    """A value of a dataclass, stored as a JSON document without its class.

    ``empty`` is read where nothing is stored, and stored as nothing. With ``brief``, fields with their defaults are
    left out.
    """

    impl = JSON
    cache_ok = True

    def __init__(self, kind: type, empty: Any = None, *, brief: bool = False) -> None:
        super().__init__()
        self.kind, self.empty, self.brief = kind, empty, brief

    def written(self, value: Any) -> Any:
        """The document of a value, as ``json.dumps`` takes it."""
        if value is None or value == self.empty:
            return None
        return _adapter(self.kind).dump_python(value, mode="json", exclude_defaults=self.brief)

    def read(self, document: Any) -> Any:
        """The value of a stored document. One that the class refuses stays a document: only what reads it fails."""
        try:
            return self.empty if document is None else _adapter(self.kind).validate_python(document)
        except ValueError:
            return document

    def read_strictly(self, document: Any) -> Any:
        """The value of a document in which every field is known and in its own form. Raises ValueError."""
        if document is None:
            return self.empty
        value = _adapter(self.kind).validate_json(json.dumps(document), strict=True)
        whole = _adapter(self.kind).dump_python(value, mode="json")
        if whole | document != whole:
            raise ValueError("a field is unknown, or not in its form")
        return value

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return self.written(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return self.read(value)


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def choice(choices: type[StrEnum], name: str) -> Enum:
    """A column type for one of ``choices``, stored by value and checked by the database under ``name``."""
    return Enum(
        choices,
        values_callable=lambda members: [member.value for member in members],
        native_enum=False,
        create_constraint=True,
        length=24,
        name=name,
    )


def one_of(fact: Fact, default: StrEnum, name: str) -> Any:
    """A column of ``choice`` whose default the database knows too."""
    return column(fact, default=default, sa_type=choice(type(default), name), server_default=default.value)


def document(fact: Fact, empty: Any, *, brief: bool = False) -> Any:
    """A column of ``Document`` whose value is ``empty`` where nothing is stored."""
    return column(fact, default=empty, nullable=True, sa_type=Document(type(empty), empty, brief=brief))


def new_stamp() -> str:
    return token_hex(6)


def new_seed() -> int:
    """A random seed for lots that nobody can foresee: 48 bits, which every reader of JSON reads exactly."""
    return randbits(48)


def new_secret() -> str:
    return token_urlsafe(18)


def new_team_code(length: int = 8) -> str:
    """A random code of eight letters and digits, without those that look alike on paper."""
    return "".join(random_choice("23456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(length))


def new_join_code() -> str:
    """The same with ten: nobody types the name of what it opens, so a guess may be any code of the event."""
    return new_team_code(10)
