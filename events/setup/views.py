"""Creating an event, opening and closing it, and its archive as a file."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.journal.setting_words import WAYS
from events.setup import actions
from events.setup.actions import default_settings
from events.setup.archive import check_without_persons, file_name
from events.setup.archive_file import MOST_BYTES, UnreadableArchive, read_archive
from events.setup.archive_import import import_event
from events.setup.archive_now import archive_now
from events.setup.campaign_choice import set_campaign
from events.setup.forms import ArchiveForm, NewEventForm
from events.setup.pairing_actions import set_format
from events.setup.pairing_forms import set_season
from events.store.act import Act
from events.store.editions import edition_offered, systems_of
from events.store.errors import Refused
from events.tournament.clock import local_date
from events.tournament.season import Season
from events.visitors import access
from events.visitors.loading import managed_event, require_club, visitor
from events.web.answers import name_file
from events.web.forms import refusals_at
from events.web.request import changing_club, db, now, saving
from languages.words import gettext, ngettext
from models.event import Event
from models.settings import EventFormat
from validators.names import fold

blueprint = Blueprint("setup", __name__)


@blueprint.get("/e/<slug>/desk/archive")
def archive_page(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    why_not = ""
    try:
        check_without_persons(event, now())
    except Refused as refused:
        why_not = refused.message
    return render_template("setup/archive.html", why_not=why_not)


@blueprint.get("/e/<slug>/desk/archive.json")
def archive_file(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    persons = not request.args  # a page that 0.5.0 showed asks for level=publication
    try:
        response = Response(archive_now(event, persons=persons), mimetype="application/json")
    except Refused as refused:
        flash(refused.message, "error")
        return redirect(url_for("setup.archive_page", slug=slug))
    return name_file(response, file_name(event, persons=persons))


@blueprint.route("/desk/archive-in", methods=["GET", "POST"])
def import_archive() -> ResponseReturnValue:
    """Import an event from its archive; the visitor owns it."""
    who = visitor()
    if not access.may_run_club(who):
        abort(403)
    form = ArchiveForm()
    faults: tuple[str, ...] = ()
    if form.validate_on_submit():
        try:
            archive = read_archive(_sent(form))
            with changing_club() as s:
                event = import_event(s, archive, who.account, who.name_as_owner, now())
            flash(
                gettext(
                    "%(name)s is here, as it was when its archive was made. Players get new private links.",
                    name=event.name,
                ),
                "success",
            )
            return redirect(url_for("desk.desk", slug=event.slug))
        except UnreadableArchive as unreadable:
            form.file.errors, faults = (
                [gettext("This file cannot be imported. See the errors below.")],
                unreadable.faults,
            )
        except Refused as refused:
            form.file.errors = [refused.message]
    return render_template("setup/archive_in.html", form=form, faults=faults), 422 if form.errors else 200


def _sent(form: ArchiveForm) -> bytes:
    if not form.file.data:
        raise Refused(gettext("Please choose a file."))
    data: bytes = form.file.data.read(MOST_BYTES + 1)
    return data


@blueprint.route("/desk/new", methods=["GET", "POST"])
def create_event() -> ResponseReturnValue:
    require_club()
    own = own_events()
    venues = venues_in(own)
    venue = next((event for event in venues if event.slug == request.args.get("place")), None)
    last = venue or next(iter(own), None) or db().exec(select(Event).order_by(col(Event.id).desc())).first()
    zone = last.timezone if last else "UTC"
    chosen_place = {"place": venue.place, "tables": venue.tables} if venue else {}
    saturday = _next_saturday(local_date(now(), zone))
    systems = systems_of(db())
    form = NewEventForm(data={"timezone": zone, "starts_on": saturday, **chosen_place})
    form.offer(systems)
    offered = {game.id: edition_offered(db(), game) for game in systems.values()}
    editions = [(game.name, offered[game.id].name) for game in systems.values() if offered[game.id] != game.editions[0]]
    if form.validate_on_submit():
        wanted = default_settings(
            systems[form.system.data], form.name.data, form.place.data, form.starts_on.data, form.timezone.data, now()
        )
        chosen = {
            "places": form.places.data,
            "rounds": form.rounds.data,
            "scenarios": actions.planned(wanted.scenario_pool, form.rounds.data),
            "starts_at": form.starts_at.clock,
            "edition": offered[wanted.system].id,
            "tables": form.tables.data,
            **(
                {"privacy_notice": own[0].privacy_notice, "delete_after": own[0].delete_after}
                if own
                else {"delete_after": current_app.extensions["overseer_settings"].delete_after}
            ),
        }
        wanted = wanted.model_copy(update=chosen)
        with refusals_at(form):
            with changing_club() as s:
                event = actions.create_event(s, wanted, visitor().name_as_owner, now(), owner=visitor().account)
                act = Act(s, event, visitor().name_as_owner, now())
                if form.kind.data != "event":
                    set_season(act, Season())
                if form.kind.data == "season":
                    set_format(act, format=EventFormat.ROUND_ROBIN)
                if form.kind.data == "campaign":
                    set_campaign(act, {}, event.seed)
            flash(gettext("Event created. Check the settings before you open registration."), "success")
            if form.kind.data != "event":
                days = Season().days
                sentence = ngettext(
                    "Each round has %(num)s day, unless you change that here.",
                    "Each round has %(num)s days, unless you change that here.",
                    days,
                )
                flash(sentence, "info")
                return redirect(url_for("settings.change_section", slug=event.slug, section="season"))
            return redirect(url_for("desk.desk", slug=event.slug))
    starts = default_settings(next(iter(systems.values())), "", "", form.starts_on.data or now().date(), zone, now())
    page = render_template(
        "setup/new.html",
        form=form,
        own=editions,
        venues=venues,
        venue=venue,
        starts=starts,
        days=Season().days,
        ways=[gettext(WAYS[way]) for way in (EventFormat.KNOCKOUT, EventFormat.ROUND_ROBIN, "ladder")],
        campaigns=[game.name for game in systems.values() if game.campaign],
    )
    return page, 422 if form.errors else 200


MOST_VENUES = 8


def own_events() -> list[Event]:
    """The events that the visitor helps to run, newest first."""
    own = select(Event).where(col(Event.id).in_(visitor().roles))
    return list(db().exec(own.order_by(col(Event.id).desc())).all())


def venues_in(events: Iterable[Event]) -> list[Event]:
    """The newest event at each place, of the places used last."""
    newest = {fold(event.place): event for event in reversed([*events]) if event.place}
    return sorted(newest.values(), key=lambda event: event.id, reverse=True)[:MOST_VENUES]


def _next_saturday(day: date) -> date:
    return day + timedelta(days=(5 - day.weekday()) % 7)


@blueprint.post("/e/<slug>/desk/open-registration")
def open_registration(slug: str) -> ResponseReturnValue:
    return _step(managed_event(slug), actions.open_registration, gettext("Registration is open."))


@blueprint.post("/e/<slug>/desk/finish")
def finish(slug: str) -> ResponseReturnValue:
    return _step(managed_event(slug), actions.finish, gettext("The event is closed; the standings are final."))


@blueprint.post("/e/<slug>/desk/reopen")
def reopen(slug: str) -> ResponseReturnValue:
    return _step(managed_event(slug), actions.reopen, gettext("The event is open again."))


def _step(event: Event, action: Callable[..., None], message: str) -> ResponseReturnValue:
    with saving(event, message) as act:
        action(act)
    return redirect(url_for("desk.desk", slug=event.slug))
