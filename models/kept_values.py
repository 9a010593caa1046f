"""Long values of rows, each kept once for an event however often it stands there: forces, requests of draws."""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from models.journal import JournalValue

LONG = 240
"""Characters; what is longer is stored under its hash instead of in the change of the row."""
VALUES = JournalValue.__table__  # type: ignore[attr-defined]


def shortened(values: Mapping[str, Any], long: dict[str, str]) -> dict[str, Any]:
    """A row's values with the long ones named by their hash; those come into ``long``, by that hash."""
    short: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, str) and len(value) > LONG:
            mark = hashlib.sha256(value.encode()).hexdigest()
            long[mark] = value
            short[name] = {"sha256": mark}
        else:
            short[name] = value
    return short


def keep(connection: Connection, event_id: int, long: Mapping[str, str]) -> None:
    """Store the long values of an event that are not there yet."""
    if not long:
        return
    dialect = {"sqlite": sqlite, "postgresql": postgresql}[connection.dialect.name]
    rows = [
        {"event_id": event_id, "sha256": mark, "packed": zlib.compress(text.encode(), 6)} for mark, text in long.items()
    ]
    connection.execute(dialect.insert(VALUES).on_conflict_do_nothing(), rows)


def lengthened(values: Mapping[str, Any], long: Mapping[str, str]) -> dict[str, Any]:
    """What ``shortened`` made short, whole again."""
    return {name: long[value["sha256"]] if isinstance(value, dict) else value for name, value in values.items()}


def hashes_in(values: Mapping[str, Any]) -> Iterable[str]:
    """The hashes that stand for long values."""
    return (value["sha256"] for value in values.values() if isinstance(value, dict))


def long_values(s: Session, event_id: int, hashes: Iterable[str]) -> dict[str, str]:
    """The long values of an event with these hashes."""
    wanted = list(set(hashes))
    found: dict[str, str] = {}
    for start in range(0, len(wanted), 500):
        some = col(JournalValue.sha256).in_(wanted[start : start + 500])
        for row in s.exec(select(JournalValue).where(JournalValue.event_id == event_id, some)):
            found[row.sha256] = zlib.decompress(row.packed).decode()
    return found
