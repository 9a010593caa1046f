"""The journal's pages, undoing the last step, and going back."""

import csv
import io

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.journal import going_back, undo
from events.journal.forms import JournalFilter
from events.journal.going_back import points_of
from events.journal.queries import (
    ON_A_PAGE,
    Wanted,
    folded_lines,
    found,
    items,
    joined_lines,
    names_for,
    newer,
    of_player,
)
from events.journal.readers import Reader, drafts
from events.journal.wording import rows_in_words, who_did
from events.store.errors import Refused
from events.store.journal import changes_of, entry_words, first_write
from events.visitors import access
from events.visitors.loading import event_or_404, managed_event, own_player_or_403, polled, visitor
from events.web.answers import name_file
from events.web.csv_cells import cell
from events.web.forms import typed
from events.web.request import changing, db, id_asked, id_sent, saving
from languages.words import N_, gettext
from models.journal import ChangeSet, JournalEntry, RowChange

blueprint = Blueprint("journal", __name__)


@blueprint.get("/e/<slug>/desk/journal")
def journal_page(slug: str) -> ResponseReturnValue:
    """The entries, newest first, one page at a time."""
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
        "journal/journal.html",
        form=form,
        chosen=chosen,
        items=items(db(), reader, entries[:ON_A_PAGE]),
        folds=folded_lines(db(), joined_lines(entry for entry, _ in entries[:ON_A_PAGE])),
        older=entries[ON_A_PAGE - 1][0].id if len(entries) > ON_A_PAGE else None,
        before=before,
        newest=newest,
        new=newer(db(), reader, wanted, newest) if right and before is None else 0,
        begun=first_write(db(), event),
    )
    return (html, 422) if not right else polled(html, event)


@blueprint.get("/e/<slug>/desk/journal/<int:change_set_id>")
def one_write(slug: str, change_set_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    write = db().get(ChangeSet, change_set_id)
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
    readable = select(JournalEntry).where(JournalEntry.change_set_id == write.id, reader.entries())
    entries = db().exec(readable.order_by(col(JournalEntry.id))).all()
    return render_template(
        "journal/journal_write.html", write=write, entries=entries, rows=rows_in_words(names, changes)
    )


@blueprint.get("/e/<slug>/desk/journal.csv")
def as_csv(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    query = select(JournalEntry, ChangeSet.role).outerjoin(ChangeSet, col(JournalEntry.change_set_id) == ChangeSet.id)
    query = query.where(Reader(visitor(), event).entries())
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("at", "who", "role", "kind", "what", "write"))
    for entry, role in db().exec(query.where(JournalEntry.event_id == event.id).order_by(col(JournalEntry.id))):
        cells = map(cell, (who_did(entry), role or "", entry.verb, entry_words(entry)))
        writer.writerow((entry.at.isoformat(), *cells, entry.change_set_id or ""))
    return name_file(Response("\ufeff" + out.getvalue(), mimetype="text/csv"), f"{event.slug}-journal.csv")


@blueprint.get("/e/<slug>/me/journal")
def own_journal(slug: str) -> ResponseReturnValue:
    """The entries that concern the player and that players may read."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    return polled(
        render_template("journal/own_journal.html", player=player, entries=of_player(db(), event, player)), event
    )


UNDO = N_("undo")
"""The text to type before the last step is undone."""


@blueprint.route("/e/<slug>/desk/undo", methods=["GET", "POST"])
def undo_last_step(slug: str) -> ResponseReturnValue:
    """The last step of the desk that can be undone, and the reasons why later steps cannot."""
    event = managed_event(slug)
    word, wrong, status = gettext(UNDO), "", 200
    if request.method == "POST":
        if not typed(word):
            wrong, status = gettext("Type “%(word)s” to confirm.", word=word), 422
        else:
            try:
                with changing(event) as act:
                    done = undo.undo(act, id_sent("step") or 0)
            except Refused as refused:
                wrong, status = refused.message, refused.status
            else:
                flash(gettext("Undone: %(step)s.", step=done.text), "success")
                return redirect(url_for("journal.undo_last_step", slug=slug))
    steps = undo.last_steps(db(), event)
    last = steps[-1] if steps and not steps[-1].why_not else None
    reader = Reader(visitor(), event)
    others = [step for step in steps if step is not last and all(map(reader.reads_kind, step.verbs))]
    page = render_template("journal/undo.html", last=last, others=others[:5], wrong=wrong, word=word)
    return page, status


@blueprint.get("/e/<slug>/desk/ways-back")
def ways_back_page(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    return render_template("journal/ways_back.html", points=points_of(db(), event))


@blueprint.post("/e/<slug>/desk/ways-back/<int:point_id>")
def go_back(slug: str, point_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    message = gettext(
        "The event is back where it was. Going back is listed as a step too: you can undo it in the same way."
    )
    with saving(event, message) as act:
        going_back.go_back(act, point_id)
    return redirect(url_for("journal.ways_back_page", slug=slug))
