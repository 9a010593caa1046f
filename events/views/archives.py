"""An event as one file: its owner takes it away, and whoever runs a club takes one in."""

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from sqlmodel import Session

from events import access
from events.actions.archives import take_in as put_in
from events.archive import archive_bytes, archive_of, file_name, one_moment
from events.archive_file import MOST_BYTES, UnreadableArchive, read_archive
from events.errors import Refused
from events.views.request import changing, managed_event, now, visitor
from models.event import Event

blueprint = Blueprint("archives", __name__)


class ArchiveForm(FlaskForm):
    """An archive."""

    file = FileField("Archive")


@blueprint.get("/e/<slug>/desk/archive")
def page(slug: str) -> ResponseReturnValue:
    """What the archive is for, what is in it, and the file."""
    return render_template("desk/archive.html", found=managed_event(slug))


@blueprint.get("/e/<slug>/desk/archive.json")
def file(slug: str) -> ResponseReturnValue:
    """The event's archive."""
    event = managed_event(slug)
    response = Response(archive_now(event), mimetype="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name(event)}"'
    return response


def archive_now(event: Event) -> bytes:
    """The file of an event's archive, of one moment of the database."""
    with Session(current_app.extensions["overseer_engine"]) as s:
        return archive_bytes(archive_of(one_moment(s), s.get_one(Event, event.id), now()))


@blueprint.route("/desk/archive-in", methods=["GET", "POST"])
def take_in() -> ResponseReturnValue:
    """Take in an event from its archive; whoever sends it owns it."""
    who = visitor()
    if not access.may_create_events(who):
        abort(403)
    form = ArchiveForm()
    faults: tuple[str, ...] = ()
    if form.validate_on_submit():
        try:
            archive = read_archive(_sent(form))
            with changing() as s:
                event = put_in(s, archive, who.account, who.name_in_club, now())
            flash(
                f"{event.name} is here, as it was when its archive was made. Players get new private links.", "success"
            )
            return redirect(url_for("desk.desk", slug=event.slug))
        except UnreadableArchive as unreadable:
            form.file.errors, faults = ["This cannot be taken in as an event: see below."], unreadable.faults
        except Refused as refused:
            form.file.errors = [refused.message]
    return render_template("desk/archive_in.html", form=form, faults=faults), 422 if form.errors else 200


def _sent(form: ArchiveForm) -> bytes:
    if not form.file.data:
        raise Refused("Please choose a file.")
    data: bytes = form.file.data.read(MOST_BYTES + 1)
    return data
