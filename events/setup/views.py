"""Creating an event, its settings, opening and closing it, and its archive as a file."""

from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from sqlmodel import Session, col, select
from wtforms import DateField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired

from events.accounts import access
from events.accounts.loading import actor, managed_event, visitor
from events.lists.actions import Affected, WouldAffect
from events.play.errors import Refused, Stale
from events.play.event_rules import ends_of
from events.play.queries import edition_offered, editions_of, system_of, terms_of
from events.play.rounds import round_views
from events.setup import actions
from events.setup.actions import DEFAULT_PLACES, EventSettings, default_settings, settings_of
from events.setup.archive import archive_bytes, archive_of, file_name, one_moment
from events.setup.archive_file import MOST_BYTES, UnreadableArchive, read_archive
from events.setup.archive_import import import_event
from events.setup.settings_forms import NO_LIMIT, SECTIONS, Section, SettingsForm, form_of, mark
from events.web.forms import ZONES, day_time, number, sensible_year, show_at_field, text
from events.web.idempotency import saving
from events.web.request import changing, db, now
from models.event import Event, RoundState
from validators import SYSTEMS

blueprint = Blueprint("setup", __name__)

AT = "at-"
"""The category "at-<section>" of a flash, shown next to a section's button instead of at the top."""


PREVIEW = "preview-points"
"""The button that shows a points table before it is saved."""


class ArchiveForm(FlaskForm):
    """An archive."""

    file = FileField("Archive")


@blueprint.get("/e/<slug>/desk/archive")
def archive_page(slug: str) -> ResponseReturnValue:
    """The page of the event's archive."""
    return render_template("setup/archive.html", found=managed_event(slug))


@blueprint.get("/e/<slug>/desk/archive.json")
def archive_file(slug: str) -> ResponseReturnValue:
    """Download the event's archive."""
    event = managed_event(slug)
    response = Response(archive_now(event), mimetype="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name(event)}"'
    return response


def archive_now(event: Event) -> bytes:
    """The archive's file, from one snapshot of the database."""
    with Session(current_app.extensions["overseer_engine"]) as s:
        return archive_bytes(archive_of(one_moment(s), s.get_one(Event, event.id), now()))


@blueprint.route("/desk/archive-in", methods=["GET", "POST"])
def import_archive() -> ResponseReturnValue:
    """Import an event from its archive; the visitor owns it."""
    who = visitor()
    if not access.may_create_events(who):
        abort(403)
    form = ArchiveForm()
    faults: tuple[str, ...] = ()
    if form.validate_on_submit():
        try:
            archive = read_archive(_sent(form))
            with changing() as s:
                event = import_event(s, archive, who.account, who.name_as_owner, now())
            flash(
                f"{event.name} is here, as it was when its archive was made. Players get new private links.", "success"
            )
            return redirect(url_for("desk.desk", slug=event.slug))
        except UnreadableArchive as unreadable:
            form.file.errors, faults = ["This file cannot be imported. See the errors below."], unreadable.faults
        except Refused as refused:
            form.file.errors = [refused.message]
    return render_template("setup/archive_in.html", form=form, faults=faults), 422 if form.errors else 200


def _sent(form: ArchiveForm) -> bytes:
    if not form.file.data:
        raise Refused("Please choose a file.")
    data: bytes = form.file.data.read(MOST_BYTES + 1)
    return data


ROUNDS_FOR = "For one unbeaten winner: 3 for up to 8 players, 4 for 16, 5 for 32, 6 for 64."


class NewEventForm(FlaskForm):
    """The fields of a new event; everything else has a default."""

    name = text("Name of the event", 120)
    place = text("Place", 200, description="Club, street and town, so that players can find it.")
    starts_on = DateField("Date", [InputRequired("Enter a date."), sensible_year])
    starts_at = day_time("Start", description="When round 1 begins.")
    timezone = SelectField("Time zone", choices=ZONES)
    places = number("Players at most", 2, 2000, required=False, default=DEFAULT_PLACES, description=NO_LIMIT)
    rounds = number("Rounds", 1, 20, default=EventSettings.rounds, description=ROUNDS_FOR)
    system = SelectField("Game", choices=[SelectChoice(game.id, game.name) for game in SYSTEMS.values()])


@blueprint.route("/desk/new", methods=["GET", "POST"])
def create_event() -> ResponseReturnValue:
    """A new event, in draft."""
    if not access.may_create_events(visitor()):
        abort(403)
    last = db().exec(select(Event).order_by(col(Event.id).desc())).first()
    form = NewEventForm(data={"timezone": last.timezone if last else "UTC"})
    offered = {game.id: edition_offered(db(), game) for game in SYSTEMS.values()}
    own = [(game.name, offered[game.id].name) for game in SYSTEMS.values() if offered[game.id] != game.editions[0]]
    if form.validate_on_submit():
        wanted = default_settings(
            form.system.data, form.name.data, form.place.data, form.starts_on.data, form.timezone.data, now()
        )
        wanted = replace(
            wanted,
            places=form.places.data,
            rounds=form.rounds.data,
            scenarios=actions.planned(wanted.scenario_pool, form.rounds.data),
            starts_at=form.starts_at.clock,
            edition=offered[wanted.system].id,
        )
        try:
            with changing() as s:
                event = actions.create_event(s, wanted, visitor().name_as_owner, now(), owner=visitor().account)
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash("Event created. Check the settings before you open registration.", "success")
            return redirect(url_for("desk.desk", slug=event.slug))
    return render_template("setup/new.html", form=form, own=own), 422 if form.errors else 200


@blueprint.route("/e/<slug>/desk/settings", methods=["GET", "POST"])
def change_settings(slug: str) -> ResponseReturnValue:
    """All sections of the settings; stores the submitted one."""
    event = managed_event(slug)
    pressed = request.form.get("do", "") if request.method == "POST" else ""
    looks = pressed == PREVIEW
    pressed = "reports" if looks else pressed
    section = next((one for one in SECTIONS if one.id == pressed), None)
    if request.method == "POST" and section is None:
        abort(404)
    before = settings_of(db(), event)
    forms = {one.id: form_of(one, event, before, sent=one is section) for one in SECTIONS}
    status, affected = 200, list[Affected]()
    if section is not None:
        status, affected = _look_at(forms[pressed]) if looks else _save_section(event, section, forms[pressed])
        if not looks and not (affected or forms[pressed].errors):
            return redirect(url_for("setup.change_settings", slug=slug, _anchor=pressed))
    fixed = {v.round.number: v.shared for v in round_views(db(), event) if v.round.state != RoundState.PLANNED}
    page = render_template(
        "setup/settings.html",
        sections=SECTIONS,
        forms=forms,
        pressed=pressed,
        fixed=fixed,
        season_ends=ends_of(event),
        affected=affected,
        edition_name=editions_of(db(), system_of(event))[forms["lists"]["edition"].data].name if affected else "",
        added=system_of(event).checks.rules_added(terms_of(db(), event)),
    )
    return page, status


def _look_at(form: SettingsForm) -> tuple[int, list[Affected]]:
    """Check a section that is shown but not stored. Returns the status, and no lists."""
    if not form.validate():
        return 422, []
    try:
        form.values()
    except Refused as refused:
        show_at_field(form, refused)
        return refused.status, []
    return 200, []


def _save_section(event: Event, section: Section, form: SettingsForm) -> tuple[int, list[Affected]]:
    """Store a section as submitted.

    Returns the status, and the lists that it would change if these must be confirmed first.
    """
    if not form.validate():
        return 422, []
    deadline, seen = event.list_deadline, form.data.get("seen") or ""
    try:
        with changing(event) as s:
            current = settings_of(s, event)
            if form.was.data != mark(section, current):
                raise Stale(
                    "Another person changed these settings after you opened them. Your entries are kept below; "
                    "save again to replace theirs."
                )
            actions.change_settings(s, event, form.wanted(current, now()), actor(event), now(), seen=seen)
    except WouldAffect as first:
        form["seen"].data = first.mark
        return 200, first.affected
    except Refused as refused:
        show_at_field(form, refused)
        form.was.data = mark(section, settings_of(db(), event))
        return refused.status, []
    flash("Saved.", f"{AT}{section.id}")
    if event.lists_locked_at and event.list_deadline != deadline:
        flash("Lists stay locked: unlock them on the page of the lists.", f"{AT}{section.id}")
    return 302, []


@blueprint.post("/e/<slug>/desk/open-registration")
def open_registration(slug: str) -> ResponseReturnValue:
    """Open registration."""
    return _step(managed_event(slug), actions.open_registration, "Registration is open.")


@blueprint.post("/e/<slug>/desk/finish")
def finish(slug: str) -> ResponseReturnValue:
    """Close the event."""
    return _step(managed_event(slug), actions.finish, "The event is closed; the standings are final.")


@blueprint.post("/e/<slug>/desk/reopen")
def reopen(slug: str) -> ResponseReturnValue:
    """Open a closed event again, for a correction."""
    return _step(managed_event(slug), actions.reopen, "The event is open again.")


def _step(event: Event, action: Callable[..., None], message: str) -> ResponseReturnValue:
    with saving(event, message) as s:
        action(s, event, actor(event), now())
    return redirect(url_for("desk.desk", slug=event.slug))
