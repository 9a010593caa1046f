"""What is left to do where going back to a copy was broken off, on PostgreSQL: old keys must not open what came in.

``pg_restore`` stores the copy in a transaction of its own; old keys end in the ones that follow. What those need to
know is therefore kept in a file of the data folder first, and whoever starts the service next brings it to its end. On
SQLite the keys end before the copy comes in, and nothing is ever left.
"""

import contextlib
import json
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, TextClause, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

import migrations
from events.actions.restored import Link, end_old_keys, note_restored
from events.backups import NoBackup, on_disk
from models.db import write
from models.event import Event

FILE = "going-back.json"
PATIENCE = 60.0
"""Seconds that a ``pg_restore`` whose parent is gone may still work."""
WORKS_STILL = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pg_restore'"
)
STANDS = text("SELECT CAST(to_regclass('event') AS oid)")
"""Which table of events it is: another one once a copy has come in."""
Generations = Mapping[Link, int]
"""How often each private link was renewed."""


def note_begun(engine: Engine, data: Path, links: Generations, made: datetime) -> None:
    """Keep what must be known to end the old keys of a copy that is about to come in. Raises OSError."""
    before = _kept(data)  # of one that was broken off, and may have come in
    stands = before["stands"] if before else _stands(engine)
    kept = {"made": made.isoformat(), "stands": stands, "links": [[*link, n] for link, n in links.items()]}
    path = data / FILE
    fresh = path.with_name(f"{FILE}.part")
    fresh.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    on_disk(fresh)
    fresh.replace(path)
    on_disk(data)


def renewed(data: Path, known: Generations) -> Generations:
    """How often links were renewed: as the database knows it, and as it did before what was broken off."""
    links = dict(known)
    kept = _kept(data)
    for id_, event_id, name, times in kept["links"] if kept else ():
        links[id_, event_id, name] = max(times, links.get((id_, event_id, name), 0))
    return links


def bring_to_its_end(engine: Engine, data: Path, now: datetime) -> None:
    """End the old keys, where a copy came in and whoever put it in was ended before that. Raises NoBackup."""
    kept = _kept(data)
    if kept is None:
        return
    until = time.monotonic() + PATIENCE
    while _asked(engine, WORKS_STILL):
        if time.monotonic() > until:
            raise NoBackup("The copy is still coming in: wait for pg_restore to end, or end it.")
        time.sleep(0.1)
    if _stands(engine) != kept["stands"]:
        migrations.upgrade(engine)
        end_keys(engine, renewed(data, {}), datetime.fromisoformat(kept["made"]), now)
    forget(data)


def end_keys(engine: Engine, links: Generations, made: datetime, now: datetime) -> int:
    """Void what a copy made then would let in again; gives how many events it has."""
    with Session(engine, expire_on_commit=False) as session:
        with write(session, now) as s:
            end_old_keys(s, now)
        events = session.exec(select(Event).order_by(col(Event.id))).all()
        for event in events:
            with write(session, now, event) as s:
                note_restored(s, event, links, made, now)
    return len(events)


def left(data: Path) -> bool:
    """Whether something may be left to do: nobody may be let in before it is done."""
    return (data / FILE).exists()


def forget_if_undone(engine: Engine, data: Path) -> None:
    """Nothing is left where nothing came in. A database that does not answer is not judged."""
    kept = _kept(data)
    with contextlib.suppress(DBAPIError):
        if kept is not None and _stands(engine) == kept["stands"]:
            forget(data)


def forget(data: Path) -> None:
    """All is done."""
    (data / FILE).unlink(missing_ok=True)


def _kept(data: Path) -> dict[str, Any] | None:
    try:
        kept: dict[str, Any] = json.loads((data / FILE).read_bytes())
    except FileNotFoundError:
        return None
    return kept


def _stands(engine: Engine) -> int:
    return int(_asked(engine, STANDS) or 0)


def _asked(engine: Engine, question: TextClause) -> int | None:
    with engine.connect() as connection:
        found: int | None = connection.scalar(question)
    return found
