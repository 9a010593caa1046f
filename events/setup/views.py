"""Making an event, its settings, opening and closing it, and its archive as a file."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from sqlmodel import Session, col, select
from wtforms import BooleanField, DateField, FieldList, HiddenField, SelectField, SelectMultipleField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired
from wtforms.widgets import CheckboxInput, ListWidget

from events.accounts import access
from events.accounts.loading import actor, managed_event, visitor
from events.lists.actions import Affected, WouldAffect
from events.play.errors import Refused, Stale
from events.play.queries import edition_offered, editions_of, round_views, scenarios_of, system_of, terms_of
from events.setup import actions
from events.setup.actions import DEFAULT_PLACES, EventSettings, default_settings, settings_of
from events.setup.archive import archive_bytes, archive_of, file_name, one_moment
from events.setup.archive_file import MOST_BYTES, UnreadableArchive, read_archive
from events.setup.archive_import import take_in as put_in
from events.web.forms import ZONES, lines, moment, number, sensible_year, show_at_field, text
from events.web.idempotency import saving
from events.web.request import changing, db, now
from models.event import Event, ListsShown, RoundState
from validators import SYSTEMS

blueprint = Blueprint("setup", __name__)


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
                event = put_in(s, archive, who.account, who.name_in_club, now())
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


NO_LIMIT = "Leave blank for no limit. Without one, anyone on the Internet can sign up any number of players."


class NewEventForm(FlaskForm):
    """The fields of a new event; everything else has a default."""

    name = text("Name of the event", 120)
    place = text("Place", 200, description="Club, street and town, so that players can find it.")
    starts_on = DateField("Date", [InputRequired("Enter a date."), sensible_year])
    timezone = SelectField("Time zone", choices=ZONES)
    places = number("Places", 2, 2000, required=False, default=DEFAULT_PLACES, description=NO_LIMIT)
    system = SelectField("Game", choices=[SelectChoice(game.id, game.name) for game in SYSTEMS.values()])


class SettingsForm(FlaskForm):
    """The settings of an event."""

    name = text("Name", 120)
    place = text("Place", 200)
    description = lines("What players should know", 4000, description="Getting there, food, prizes. Plain text.")
    starts_on = DateField("First day", [InputRequired("Enter a date."), sensible_year])
    ends_on = DateField("Last day", [InputRequired("Enter a date."), sensible_year])
    timezone = SelectField("Time zone", choices=ZONES)
    size = number("Size", 1, 100_000)
    edition = SelectField("Edition of the force lists")
    places = number("Places", 2, 2000, required=False, description=NO_LIMIT)
    waiting_list = BooleanField("Keep a waiting list when all places are taken")
    approval = BooleanField(
        "Approve sign-ups",
        description="Players who sign up wait until you give them a place. Players you add yourself do not wait.",
    )
    list_deadline = moment(
        "List deadline",
        description="Local time. Lists lock then. Leave blank to lock them when round 1 is published.",
    )
    lists_shown = SelectField(
        "Everybody reads the lists",
        choices=[
            SelectChoice("at_lock", "When they are locked"),
            SelectChoice("at_time", "From a set time"),
            SelectChoice("after_event", "After the event"),
            SelectChoice("on_press", "When you press “Show all lists now”"),
        ],
        description="Until then only their players and you can. “Show all lists now” on the page of lists works with "
        "every choice.",
    )
    lists_shown_from = moment("The set time", description="Local time.")
    rounds = number("Rounds", 1, 20)
    round_minutes = number("Minutes a round", 10, 600)
    scenarios = FieldList(SelectField("Scenario"), label="Scenarios", min_entries=0, max_entries=20)
    scenario_pool = SelectMultipleField(
        "Pool to draw from",
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
        description="A drawn scenario comes from here; none is drawn twice. A table that draws its "
        "own gets one that neither player has played.",
    )
    points_win = number("Win", 0, 100)
    points_draw = number("Draw", 0, 100)
    points_loss = number("Loss", 0, 100)
    painting_points = number(
        "Fully painted force", 0, 100, description="Added once, when you tick a player as painted."
    )
    was = HiddenField()
    seen = HiddenField()

    def offer(self, event: Event) -> None:
        """Fill the choices from the event's game."""
        system, scenarios = system_of(event), scenarios_of(db(), event).values()
        self.painting_points.label.text = f"Fully painted {system.words.force}"
        for typed in (self.list_deadline, self.lists_shown_from):
            typed.zone = self.timezone.data or "UTC"
        self.edition.choices = [SelectChoice(e.id, e.name) for e in editions_of(db(), system).values()]
        self.scenario_pool.choices = [SelectChoice(s.id, s.name) for s in scenarios]
        for entry in self.scenarios:
            entry.choices = [
                SelectChoice("", "Drawn from the pool"),
                *(SelectChoice(s.id, s.name) for s in scenarios),
            ]


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
        wanted = replace(wanted, places=form.places.data, edition=offered[wanted.system].id)
        try:
            with changing() as s:
                event = actions.create_event(s, wanted, visitor().name_in_club, now(), owner=visitor().account)
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash("Event created. Check the settings before you open registration.", "success")
            return redirect(url_for("desk.desk", slug=event.slug))
    return render_template("setup/new.html", form=form, own=own), 422 if form.errors else 200


@blueprint.route("/e/<slug>/desk/settings", methods=["GET", "POST"])
def change_settings(slug: str) -> ResponseReturnValue:
    """All settings of an event."""
    event = managed_event(slug)
    before = settings_of(db(), event)
    form = SettingsForm(data=_shown(before) | {"was": _digest(before)})
    while len(form.scenarios) < min(form.rounds.data or 0, 20):
        form.scenarios.append_entry("")
    form.offer(event)
    status = 200
    affected: list[Affected] = []
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                current = settings_of(s, event)
                if form.was.data != _digest(current):
                    raise Stale(
                        "Another person changed the settings after you opened them. Your entries are kept below; "
                        "save again to replace theirs."
                    )
                actions.change_settings(
                    s, event, _wanted(form, current), actor(event), now(), seen=form.seen.data or ""
                )
        except WouldAffect as first:
            affected, form.seen.data = first.affected, first.mark
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
            form.was.data = _digest(settings_of(db(), event))
        else:
            flash("Saved.", "success")
            if event.lists_locked_at and event.list_deadline != before.list_deadline:
                flash("Lists stay locked: unlock them on the page of the lists.", "message")
            return redirect(request.path)
    elif form.errors:
        status = 422
    fixed = {v.round.number: v.shared for v in round_views(db(), event) if v.round.state != RoundState.PLANNED}
    page = render_template(
        "setup/settings.html",
        form=form,
        fixed=fixed,
        affected=affected,
        edition_name=editions_of(db(), system_of(event))[form.edition.data].name if affected else "",
        added=system_of(event).checks.rules_added(terms_of(db(), event)),
    )
    return page, status


def _shown(settings: EventSettings) -> dict[str, object]:
    values = asdict(settings)
    for name in ("list_deadline", "lists_shown_from"):
        moment_in_utc = getattr(settings, name)
        if moment_in_utc:
            values[name] = moment_in_utc.astimezone(ZoneInfo(settings.timezone)).replace(tzinfo=None)
    return values | {"lists_shown": settings.lists_shown.value}


def _wanted(form: SettingsForm, current: EventSettings) -> EventSettings:
    plain = {
        name: form[name].data
        for name in ("name", "place", "description", "starts_on", "ends_on", "timezone", "size", "edition", "places",
                     "waiting_list", "approval", "rounds", "round_minutes", "points_win", "points_draw", "points_loss",
                     "painting_points")
    }  # fmt: skip
    scenarios = [name or "" for name in form.scenarios.data][: form.rounds.data]
    return replace(
        current,
        **plain,
        list_deadline=form.list_deadline.moment,
        lists_shown=ListsShown(form.lists_shown.data),
        lists_shown_from=form.lists_shown_from.moment,
        scenario_pool=tuple(form.scenario_pool.data or ()),
        scenarios=tuple(scenarios + [""] * (form.rounds.data - len(scenarios))),
    )


def _digest(settings: EventSettings) -> str:
    elsewhere = (
        "tables",
        "avoid_clubs",
        "tie_breaks",
    )  # changed on the page Pairing, so they do not make this form stale
    plain = {name: value for name, value in asdict(settings).items() if name not in elsewhere}
    values = {k: v.isoformat() if isinstance(v, date) else v for k, v in plain.items()}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


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


def _step(event: Event, action: Callable[..., None], said: str) -> ResponseReturnValue:
    with saving(event, said) as s:
        action(s, event, actor(event), now())
    return redirect(url_for("desk.desk", slug=event.slug))
