"""An event's archive: one JSON file with the whole event, so that another server can continue it.

``models.captured`` knows which rows belong to an event; this module says which of them are left out.
"""

import importlib.metadata
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Column, Table, select
from sqlmodel import Session, col
from sqlmodel import select as select_rows

import migrations
from events.setup.without_persons import leave_out_persons
from events.standings.queries import standings_of
from events.store.editions import own_edition_row, system_of
from events.store.errors import Refused
from events.store.scenarios import own_scenario
from events.store.team_queries import is_team_event
from events.visitors.access import lists_shown
from languages.words import gettext
from models.captured import document_in, followed, is_document, of_event, plain
from models.event import Event, EventState
from models.facts import fact_of
from models.journal import JournalEntry
from validators.strict_json import canonical_text, sha256_of

FORMAT = "overseer-event/1"
STAYS_BEHIND = {
    "staff": "accounts belong to the server; the organiser who takes the event in owns it",
    "invitation": "hashes of secrets, and for accounts of the server",
    "judge_call": "calls for a judge are answered in the hall; the journal keeps them",
    "contact": "mail addresses, which players gave to the server that asked for them",
}
"""Tables of the event that its archive omits, and why."""
OF_OLDER = ("level", "standings", "signature")
"""Parts of archives up to 0.5.0, which an import ignores."""
ABOUT = ("player", "players", "game", "round", "why", "reason", "side", "said")
"""Details of a journal entry that pages use; other details are ids of the server."""


@cache
def tables() -> tuple[Table, ...]:
    """The tables of an archive, each after the tables to which its rows refer."""
    return tuple(table for table in followed() if table.name not in STAYS_BEHIND)


@cache
def columns(table: Table) -> tuple[Column[Any], ...]:
    """The columns of a table in the archive, without the key."""
    return tuple(column for column in table.columns if not column.primary_key and fact_of(column).archived)


def check_without_persons(event: Event, now: datetime) -> None:
    """Raise Refused for an event that no archive without persons may be made of: it would reveal lists or names."""
    if event.state != EventState.FINISHED:
        raise Refused(gettext("Close the event first: an archive without persons has its final standings."))
    if event.campaign:
        raise Refused(gettext("A campaign has no archive without persons: its steps are full of names."))
    if not lists_shown(event, now):
        raise Refused(gettext("The lists are still secret. Show them first: an archive without persons has the lists."))


def archive_of(s: Session, event: Event, now: datetime, *, persons: bool = True) -> dict[str, Any]:
    """The document of an event's archive; equal rows give equal documents, except for ``at``.

    Raises Refused if it may not be made without ``persons``. The session should read one snapshot (``one_moment``).
    """
    document: dict[str, Any] = {
        "format": FORMAT,
        "product": importlib.metadata.version("overseer-desk"),
        "revision": migrations.head(),
        "at": now.astimezone(UTC).isoformat(),
        "tables": {table.name: _rows(s, table, event) for table in tables()},
        "journal": journal_lines(s, event.id),
        "editions": _editions(s, event),
        "scenarios": _scenarios(s, event),
    }
    if not persons:
        check_without_persons(event, now)
        ranked = [] if is_team_event(event) else standings_of(event).of_players()
        document = leave_out_persons(document, [int(row.id) for row in ranked])
    return document | {"sha256": checksum(document)}


def one_moment(s: Session) -> Session:
    """Make the session read one snapshot of the database."""
    if s.get_bind().dialect.name == "postgresql":  # SQLite reads so anyway
        s.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    return s


def archive_bytes(document: Mapping[str, Any]) -> bytes:
    """The archive's file, with one row per line so that two files can be compared."""
    return "".join(_lines(document)).encode()


def checksum(document: Mapping[str, Any]) -> str:
    """The value of ``sha256``, of all other parts but an older archive's signature: it detects damage, not forgery."""
    return sha256_of(
        canonical_text({key: value for key, value in document.items() if key not in ("sha256", "signature")})
    )


def file_name(event: Event, *, persons: bool = True) -> str:
    return f"{event.slug}-archive.json" if persons else f"{event.slug}-archive-without-persons.json"


def stored_rows(s: Session, table: Table, event_id: int) -> list[dict[str, Any]]:
    """An event's rows of a table, with the secrets that its archive leaves out."""
    query = select(table).where(of_event(table, event_id)).order_by(table.c.id)
    return [_row(table, row) for row in s.connection().execute(query).mappings()]


def _rows(s: Session, table: Table, event: Event) -> list[dict[str, Any]]:
    return _without_secrets(event, table.name, stored_rows(s, table, event.id))


def _without_secrets(event: Event, table: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without secrets: boards or forces chosen by only one side, and who voted for whom.

    Such choices and open votes must be made again; closed votes keep their counts.
    """
    if table == "team_match":
        return [row if row["matched_at"] else row | {"a_order": None, "b_order": None} for row in rows]
    if table == "fielded_force":
        both = Counter(row["game_id"] for row in rows)
        return [row for row in rows if both[row["game_id"]] > 1]
    if table == "painting_vote":
        return shuffled_votes(rows, event.painting_vote_closed_at)
    if table == "sports_mark":
        return shuffled_marks(rows, event.sports_closed_at)
    return rows


def shuffled_votes(rows: Sequence[Mapping[str, Any]], closed: datetime | None) -> list[dict[str, Any]]:
    """Votes of a closed ballot, reassigned among the voters: counts stay, and nobody can tell who voted for whom."""
    if closed is None:
        return []
    chosen = sorted(row["for_id"] for row in rows)
    voters = sorted(row["voter_id"] for row in rows)
    for place, voter in enumerate(voters):
        if chosen[place] == voter:  # nobody votes for themselves, so swap with another vote
            other = next(n for n, candidate in enumerate(chosen) if candidate != voter)
            chosen[place], chosen[other] = chosen[other], voter
    shuffled = zip(sorted(rows, key=lambda row: row["id"]), voters, chosen, strict=True)
    return [
        {**row, "voter_id": voter, "for_id": candidate, "at": closed.astimezone(UTC).isoformat()}
        for row, voter, candidate in shuffled
    ]


def shuffled_marks(rows: Sequence[Mapping[str, Any]], closed: datetime | None) -> list[dict[str, Any]]:
    """Closed marks, reassigned among their givers: each player's marks stay, and nobody can tell who gave which."""
    if closed is None:
        return []
    at, marked = closed.astimezone(UTC).isoformat(), []
    for about in sorted({row["about_id"] for row in rows}):
        about_player = [row for row in rows if row["about_id"] == about]
        marks = sorted(row["mark"] for row in about_player)
        marked += [{**row, "mark": mark, "at": at} for row, mark in zip(about_player, marks, strict=True)]
    return sorted(marked, key=lambda row: row["id"])


def _row(table: Table, row: Mapping[Any, Any]) -> dict[str, Any]:
    values = {"id": row["id"]}
    for column in columns(table):
        value = row[column.name]
        values[column.name] = document_in(column, value) if is_document(column) else plain(column, value)
    return values


def journal_lines(s: Session, event_id: int) -> list[dict[str, Any]]:
    """An event's journal, with the details that pages use."""
    entries = select_rows(JournalEntry).where(JournalEntry.event_id == event_id).order_by(col(JournalEntry.id))
    return [_line(entry) for entry in s.exec(entries)]


def _line(entry: JournalEntry) -> dict[str, Any]:
    about = {key: entry.details[key] for key in ABOUT if key in entry.details}
    return {
        "at": entry.at.isoformat(), "actor": entry.actor, "verb": entry.verb, "text": entry.text, "about": about,
    }  # fmt: skip


def _editions(s: Session, event: Event) -> list[dict[str, str]]:
    row = own_edition_row(s, system_of(event), event.edition)
    return [{"edition": row.edition, "text": row.text}] if row is not None else []


def _scenarios(s: Session, event: Event) -> list[dict[str, Any]]:
    """The club's own scenarios that the event uses or may draw."""
    played = {round_["scenario"] for round_ in _rows(s, _table("round"), event)}
    at_tables = {game["scenario"] for game in _rows(s, _table("game"), event)}
    wanted = sorted((played | at_tables | {*event.scenario_pool}) - {None})
    own_scenarios = (own_scenario(s, event.system, slug) for slug in wanted)
    return [{"slug": row.slug, "document": row.document} for row in own_scenarios if row is not None]


def _table(name: str) -> Table:
    return next(table for table in tables() if table.name == name)


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    for number, (key, value) in enumerate(document.items()):
        yield f"{',' if number else '{'}\n{_json(key)}: "
        if key == "tables":
            for place, (name, rows) in enumerate(value.items()):
                yield f"{',' if place else '{'}\n{_json(name)}: {_list(rows)}"
            yield "}"
        else:
            yield _list(value) if isinstance(value, list) else _json(value)
    yield "\n}\n"


def _list(rows: Sequence[Any]) -> str:
    return "[" + ",".join(f"\n{_json(row)}" for row in rows) + "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
