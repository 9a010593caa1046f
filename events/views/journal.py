"""The journal: the desk's page with its filters and downloads, and what a player may read of it."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import date, datetime
from enum import Enum
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, stream_with_context
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import col, select
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events import access
from events.csv_sheets import cell
from events.journal_pages import (
    ON_A_PAGE,
    Wanted,
    found,
    items,
    names_for,
    newer,
    of_player,
    people_and_kinds,
)
from events.journal_readers import Reader, drafts
from events.journal_reading import begun, changes_of, entries_of
from events.journal_words import as_stored, in_words, who_did
from events.reading import players_of, rounds_of
from events.table_numbers import MOST_TABLES
from events.views.fields import number, text
from events.views.press import id_asked
from events.views.request import LONGEST_ID, db, event_or_404, managed_event, own_player_or_403, polled, visitor
from models.event import Event
from models.journal import ChangeSet, JournalEntry, RowChange

blueprint = Blueprint("journal", __name__)


class JournalFilter(FlaskForm):
    """What is looked for; it changes nothing, so it is part of the address."""

    class Meta:
        """A form that is sent by GET."""

        csrf = False

    words = text("Words", 80, required=False)
    player = SelectField("Player", default="")
    round = SelectField("Round", default="")
    table = number("Table", 1, MOST_TABLES, required=False)
    by = SelectField("Person", default="")
    role = SelectField("Role", default="")
    kind = SelectField("Kind", default="")

    def offer(self, reader: Reader) -> None:
        """Fill the lists to choose from."""
        event = reader.event
        people, roles, kinds = people_and_kinds(db(), reader)
        players = sorted(players_of(db(), event), key=lambda one: one.name_key)
        choices = {
            self.player: [(str(one.id), one.name) for one in players],
            self.round: [(str(one.number), f"Round {one.number}") for one in rounds_of(db(), event)],
            self.by: [(one, one) for one in people],
            self.role: [(one, one.replace("_", " ")) for one in roles],
            self.kind: [(one, one.replace("-", " ")) for one in kinds],
        }
        for field, offered in choices.items():
            field.choices = [SelectChoice("", "All"), *(SelectChoice(value, label) for value, label in offered)]

    def wanted(self) -> Wanted:
        """What was chosen."""
        return Wanted(
            player=int(self.player.data) if self.player.data else None,
            table=self.table.data,
            round=int(self.round.data) if self.round.data else None,
            by=self.by.data or "",
            role=self.role.data or "",
            kind=self.kind.data or "",
            words=self.words.data or "",
        )


@blueprint.get("/e/<slug>/desk/journal")
def page(slug: str) -> ResponseReturnValue:
    """Who did what, newest first, a page at a time."""
    event = managed_event(slug)
    form = JournalFilter(request.args)
    reader = Reader(visitor(), event)
    form.offer(reader)
    right = form.validate()
    wanted = form.wanted() if right else Wanted()
    before = id_asked("before")
    entries = found(db(), reader, wanted, before) if right else []
    chosen = {name: value for name, value in request.args.items() if name in form.data and value}
    newest = id_asked("since") or (entries[0][0].id if entries else 0)
    html = render_template(
        "desk/journal.html",
        form=form,
        chosen=chosen,
        items=items(db(), reader, entries[:ON_A_PAGE]),
        older=entries[ON_A_PAGE - 1][0].id if len(entries) > ON_A_PAGE else None,
        before=before,
        newest=newest,
        new=newer(db(), reader, wanted, newest) if right and before is None else 0,
        begun=begun(db(), event),
    )
    return (html, 422) if not right else polled(html, event)


@blueprint.get("/e/<slug>/desk/journal/<int:change_set_id>")
def one(slug: str, change_set_id: int) -> ResponseReturnValue:
    """One write: its sentences, and everything that it changed."""
    event = managed_event(slug)
    write = db().get(ChangeSet, change_set_id) if change_set_id <= LONGEST_ID else None
    if write is None or write.event_id != event.id or write.baseline:
        abort(404)
    if (
        not access.may_pair(visitor(), event)
        and db().exec(drafts(event).where(RowChange.change_set_id == write.id)).first()
    ):
        abort(404)
    changes = changes_of(db(), event, [write.id]).get(write.id, [])
    reader = Reader(visitor(), event)
    names = names_for(db(), reader, changes)
    told = select(JournalEntry).where(JournalEntry.change_set_id == write.id, reader.entries())
    entries = db().exec(told.order_by(col(JournalEntry.id))).all()
    return render_template("desk/journal_write.html", write=write, entries=entries, rows=in_words(names, changes))


@blueprint.get("/e/<slug>/desk/journal.csv")
def as_csv(slug: str) -> ResponseReturnValue:
    """Every sentence, oldest first, for a spreadsheet."""
    event = managed_event(slug)
    query = select(JournalEntry, ChangeSet.role).outerjoin(ChangeSet, col(JournalEntry.change_set_id) == ChangeSet.id)
    query = query.where(Reader(visitor(), event).entries())
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("at", "who", "role", "kind", "what", "write"))
    for entry, role in db().exec(query.where(JournalEntry.event_id == event.id).order_by(col(JournalEntry.id))):
        told = (who_did(entry), role or "", entry.verb, entry.text)
        writer.writerow((entry.at.isoformat(), *map(cell, told), entry.change_set_id or ""))
    return _download(Response("\ufeff" + out.getvalue(), mimetype="text/csv"), event, "csv")


@blueprint.get("/e/<slug>/desk/journal.jsonl")
def as_json_lines(slug: str) -> ResponseReturnValue:
    """Every write with its sentences and its rows before and after, oldest first, a line of JSON each."""
    event = managed_event(slug)
    response = Response(stream_with_context(_json_lines(event)), mimetype="application/jsonl")
    return _download(response, event, "jsonl")


def _json_lines(event: Event) -> Iterator[str]:
    reader = Reader(visitor(), event)
    query = select(ChangeSet).where(ChangeSet.event_id == event.id)
    if not access.may_pair(visitor(), event):
        query = query.where(col(ChangeSet.id).not_in(drafts(event)))
    sets = db().exec(query.order_by(col(ChangeSet.id))).all()
    for start in range(0, len(sets), 100):
        some = sets[start : start + 100]
        ids = [write.id for write in some]
        entries, changes = entries_of(db(), ids, reader.entries()), changes_of(db(), event, ids)
        for write in some:
            told: dict[str, Any] = {
                "write": write.id, "at": write.at, "who": write.actor, "role": write.role, "version": write.version,
                "baseline": write.baseline,
                "said": [{"kind": e.verb, "who": who_did(e), "text": e.text} for e in entries.get(write.id, ())],
                "rows": as_stored(reader, changes.get(write.id, ())),
            }  # fmt: skip
            yield json.dumps(told, ensure_ascii=False, default=_as_json) + "\n"


def _as_json(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no form in JSON")


def _download(response: Response, event: Event, kind: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{event.slug}-journal.{kind}"'
    return response


@blueprint.get("/e/<slug>/me/journal")
def mine(slug: str) -> ResponseReturnValue:
    """What the player may read of the journal: everything that concerns them and is not for the staff alone."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    return polled(render_template("me/journal.html", player=player, entries=of_player(db(), event, player)), event)
