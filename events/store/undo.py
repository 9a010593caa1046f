"""Taking back a write: its rows are restored from the journal, if they are still as it left them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, SQLModel, select

from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import Changed, changes_of
from languages.words import N_, gettext
from models.captured import class_of
from models.event import Event
from models.journal import JournalEntry, RowChangeKind
from models.message import Contact
from models.play import Player, Report
from models.team import Team

UNDO = ("undo", "undo-check-in", "undo-step")
"""The kinds of entries that take back the write ``of`` their details, if they name one."""
READ = ("lists_locked_at", "lists_revealed_at")
"""Columns of an event that are never restored, because lists that were read cannot become secret again."""


CHANGED_AGAIN = N_("Its rows were changed again since, so it cannot be undone.")


def put_back(act: Act, write: int) -> None:
    """Restore the rows of a write. Raises Refused if one of them has changed since."""
    for change in reversed(changes_of(act.s, act.event, [write]).get(write, [])):
        _put_back_row(act.s, act.event, change, act.now)
        try:
            act.s.flush()  # foreign keys need this order
        except IntegrityError as taken:  # a table, or a payment's reference, which another row has now
            raise Refused(gettext(CHANGED_AGAIN)) from taken


def _put_back_row(s: Session, event: Event, change: Changed, now: datetime) -> None:
    """Restore one row. Raises Refused if it has changed since the step."""
    model = class_of(SQLModel.metadata.tables[change.table])
    if change.kind == RowChangeKind.REMOVED:
        if model is Contact:
            return  # the journal contains no mail address
        if model in (Player, Team):
            taken = select(model).where(model.event_id == event.id, model.name_key == change.before["name_key"])
            if s.exec(taken).first() is not None:
                raise Refused(gettext("%(name)s has signed up again since.", name=change.before["name"]))
        s.add(model(id=change.row_id, **change.before))
        return
    row = s.get(model, change.row_id)
    if row is None or any(getattr(row, name) != value for name, value in change.after.items() if name != "version"):
        raise Refused(gettext(CHANGED_AGAIN))
    if change.kind == RowChangeKind.ADDED:
        if isinstance(row, Report):
            row.withdrawn_at = now  # reports are never deleted
        else:
            s.delete(row)
        return
    for name, value in change.before.items():
        if isinstance(row, Event) and name in READ:
            continue
        # A version only rises: otherwise a form with the newer version would be accepted as current.
        setattr(row, name, getattr(row, name) + 1 if name == "version" else value)


def gone_writes(entries: Sequence[JournalEntry]) -> set[int]:
    """The writes that were undone, with those that undid them, or that a restore took back, of entries newest first."""
    gone = set[int]()
    for entry in entries:
        id_, of = entry.change_set_id or 0, entry.details.get("of")
        if id_ in gone or of is None:
            continue  # what a restore took back undoes nothing
        if entry.verb in UNDO:
            gone |= {id_, int(of)}
        elif entry.verb == "go-back":
            gone |= {row.change_set_id for row in entries if row.change_set_id and int(of) <= row.change_set_id < id_}
    return gone
