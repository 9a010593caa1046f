"""What is written with a change, in its transaction: journal entries, and notices to players.

Also reads entries with their row changes, and checks that a cancelled event takes no more entries of play. Notices are
stored only for players who can be reached, by mail or on a device; ``events.messages.notices`` sends them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, SQLModel, col, func, select

from events.store.act import Act
from events.store.errors import Refused
from languages.message import Text, as_data, counted_message, in_english, joined, worded
from languages.words import ENGLISH, gettext, language
from models.captured import followed, hashes_in, lengthened, long_values, typed
from models.db import current_write
from models.event import Event, EventState
from models.journal import ChangeSet, JournalEntry, RowChange, RowChangeKind
from models.play import Player


def check_takes_place(event: Event) -> None:
    """Raise Refused for a cancelled event, where nothing can be drawn, published, started or reported."""
    if event.cancelled_at is not None:
        raise Refused(
            gettext("This event is cancelled. To continue it, press “Undo the cancellation” in its settings.")
        )


def check_not_over(event: Event) -> None:
    """Raise Refused for a closed event."""
    if event.state == EventState.FINISHED:
        raise Refused(gettext("This event is over."))


def note(act: Act, verb: str, said: Text, **details: Any) -> None:
    """Add an entry to the event's journal: actor, time, a verb to filter by, a sentence, and details.

    The sentence is stored in English, and as data for the readers of other languages.
    """
    stored = as_data(details | {"said": said})
    current_write(act.s).add_entry(act.event.id, act.now, act.actor[:120], verb, in_english(said), stored)


def note_players(
    act: Act, players: Sequence[Player], verb: str, text: str, many: str, *, of_many: str = "", right: str = "",
    **figures: object,
) -> None:  # fmt: skip
    """Add one entry about one or several players; nothing if there are none.

    The sentences ``one`` and ``many`` have the figures ``names``, ``num`` and ``figures``. ``of_many`` is the verb for
    several players if it is another, ``right`` the right that the step asked for, if the verb does not tell.
    """
    if players:
        words = counted_message(text, many, len(players), names=joined([player.name for player in players]), **figures)
        ids = [player.id for player in players]
        details: dict[str, Any] = {"right": right} if right else {}
        details |= {"player": ids[0]} if len(ids) == 1 else {"players": ids}
        note(act, verb if len(ids) == 1 else of_many or verb, words, **details)


def entry_words(entry: JournalEntry) -> str:
    """An entry's sentence in the reader's language; in English if it was stored without its data."""
    return entry.text if language() == ENGLISH else worded(entry.details.get("said"), entry.text)


def said_of(entry: JournalEntry) -> Text | str:
    said: Text | str = entry.details.get("said", entry.text)
    return said


def entries_of_kind(s: Session, event: Event, verb: str) -> Sequence[JournalEntry]:
    """The event's entries of one kind, oldest first."""
    query = select(JournalEntry).where(JournalEntry.event_id == event.id, JournalEntry.verb == verb)
    return s.exec(query.order_by(col(JournalEntry.id))).all()


@dataclass(frozen=True)
class Changed:
    """The change of one row in one write. Values have the types of the table's columns."""

    table: str
    row_id: int
    kind: RowChangeKind
    before: Mapping[str, Any]
    """All columns of a removed row, none of an added row, else the changed columns."""
    after: Mapping[str, Any]
    """All columns of an added or found row, none of a removed row, else the changed columns."""
    players: tuple[int, ...]
    """The ids of the players concerned; at most two."""
    round_id: int | None
    table_number: int | None


def first_write(s: Session, event: Event) -> ChangeSet | None:
    """The first write in the event's journal; None if the next write is the first."""
    return None if event.journal_from is None else s.get_one(ChangeSet, event.journal_from)


def entries_of(s: Session, change_sets: Iterable[int]) -> dict[int, list[JournalEntry]]:
    """The entries of these writes by write id, oldest first. Writes without entries are left out."""
    query = select(JournalEntry).where(col(JournalEntry.change_set_id).in_(list(change_sets)))
    rows: dict[int, list[JournalEntry]] = {}
    for entry in s.exec(query.order_by(col(JournalEntry.id))):
        assert entry.change_set_id is not None  # noqa: S101 - it was asked for
        rows.setdefault(entry.change_set_id, []).append(entry)
    return rows


def changes_of(s: Session, event: Event, change_sets: Iterable[int]) -> dict[int, list[Changed]]:
    query = select(RowChange).join(ChangeSet).where(ChangeSet.event_id == event.id)
    query = query.where(col(RowChange.change_set_id).in_(list(change_sets)))
    # Tables that are no longer recorded are left out.
    recorded = [table.name for table in followed()]
    rows = s.exec(query.where(col(RowChange.table_name).in_(recorded)).order_by(col(RowChange.id))).all()
    hashes = {mark for row in rows for values in (row.before, row.after) for mark in hashes_in(values)}
    long = long_values(s, event.id, hashes)
    changes: dict[int, list[Changed]] = {}
    for row in rows:
        changes.setdefault(row.change_set_id, []).append(_changed(row, long))
    return changes


def last_change(s: Session, event: Event, table: str, row_ids: Collection[int]) -> datetime | None:
    """When one of these rows of the event last changed; None if the journal has none of them."""
    query = select(func.max(ChangeSet.at)).join(RowChange).where(ChangeSet.event_id == event.id)
    return s.exec(query.where(RowChange.table_name == table, col(RowChange.row_id).in_(row_ids))).one()


def rows_added(s: Session, write: int, table: str) -> set[int]:
    added = select(RowChange.row_id).where(RowChange.change_set_id == write, RowChange.table_name == table)
    return set(s.exec(added.where(RowChange.kind == RowChangeKind.ADDED)))


def _changed(row: RowChange, long: Mapping[str, str]) -> Changed:
    columns = SQLModel.metadata.tables[row.table_name].columns
    before, after = (
        {name: typed(columns[name], value) for name, value in lengthened(values, long).items() if name in columns}
        for values in (row.before, row.after)
    )
    return Changed(
        row.table_name,
        row.row_id,
        row.kind,
        before,
        after,
        tuple(number for number in (row.player_id, row.other_id) if number is not None),
        row.round_id,
        row.table_number,
    )
