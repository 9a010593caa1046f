"""Creating an event, its settings and restrictions, opening and closing it, and its archive as a file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.accounts import access
from events.accounts.loading import managed_event, require_club, views_of, visitor
from events.lists.actions import Affected, WouldAffect
from events.play.calendar import in_words
from events.play.editions import edition_offered, editions_of, system_of
from events.play.errors import Refused, Stale
from events.play.rounds import RoundView, ends_of
from events.play.verdicts import terms_of
from events.setup import actions
from events.setup.actions import default_settings, settings_of
from events.setup.archive import file_name
from events.setup.archive_file import MOST_BYTES, UnreadableArchive, read_archive
from events.setup.archive_import import import_event
from events.setup.archive_now import archive_now
from events.setup.forms import ArchiveForm, NewEventForm
from events.setup.moving import Move, WouldMove
from events.setup.settings_forms import SECTIONS, SettingsForm, form_of, not_as_new, section_mark
from events.tournament.season import arranged_in
from events.web.forms import refusals_at, show_at_field
from events.web.request import changing, changing_club, db, now, saving
from models.event import Event, RoundState
from models.play import GameState
from validators import SYSTEMS

blueprint = Blueprint("setup", __name__)

AT = "at-"
"""The category "at-<section>" of a flash, shown next to a section's button instead of at the top."""


PREVIEW = "preview-points"
"""The button that shows a points table before it is saved."""


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


@blueprint.route("/desk/new", methods=["GET", "POST"])
def create_event() -> ResponseReturnValue:
    """A new event, in draft."""
    require_club()
    last = db().exec(select(Event).order_by(col(Event.id).desc())).first()
    form = NewEventForm(data={"timezone": last.timezone if last else "UTC"})
    offered = {game.id: edition_offered(db(), game) for game in SYSTEMS.values()}
    own = [(game.name, offered[game.id].name) for game in SYSTEMS.values() if offered[game.id] != game.editions[0]]
    if form.validate_on_submit():
        wanted = default_settings(
            form.system.data, form.name.data, form.place.data, form.starts_on.data, form.timezone.data, now()
        )
        chosen = {
            "places": form.places.data,
            "rounds": form.rounds.data,
            "scenarios": actions.planned(wanted.scenario_pool, form.rounds.data),
            "starts_at": form.starts_at.clock,
            "edition": offered[wanted.system].id,
        }
        wanted = wanted.model_copy(update=chosen)
        with refusals_at(form):
            with changing_club() as s:
                event = actions.create_event(s, wanted, visitor().name_as_owner, now(), owner=visitor().account)
            flash("Event created. Check the settings before you open registration.", "success")
            return redirect(url_for("desk.desk", slug=event.slug))
    return render_template("setup/new.html", form=form, own=own), 422 if form.errors else 200


@blueprint.route("/e/<slug>/desk/settings", methods=["GET", "POST"])
def change_settings(slug: str) -> ResponseReturnValue:
    """All sections of the settings; stores the submitted one."""
    event = managed_event(slug)
    pressed = request.form.get("do", "") if request.method == "POST" else ""
    looks, pressed = pressed == PREVIEW, "reports" if pressed == PREVIEW else pressed
    before = settings_of(db(), event)
    forms = {one.id: form_of(one, event, before, sent=one.id == pressed) for one in SECTIONS}
    form = forms.get(pressed)
    if request.method == "POST" and form is None:
        abort(404)
    status, asks = 200, Asks()
    if form is not None:
        status, asks = _look_at(form) if looks else _save_section(event, form)
        if not looks and status == 302:
            return redirect(url_for("setup.change_settings", slug=slug, _anchor=f"save-{pressed}"))
    usual = default_settings(event.system, event.name, event.place, event.starts_on, event.timezone, now())
    views = views_of(event)
    fixed = {v.round.number: v.shared for v in views if v.round.state != RoundState.PLANNED}
    if event.season and (games := _by_window(views)):
        words = (
            f"Another first day moves the last day of {games} published game{'s' if games > 1 else ''}. "
            "Days that players agreed on stay. Players learn the new first day, not the last day of each game."
        )
        forms["event"]["starts_on"].description = words
    page = render_template(
        "setup/settings.html",
        sections=SECTIONS,
        forms=forms,
        not_as_new={one.id: not_as_new(one, before, usual) for one in SECTIONS},
        pressed=pressed,
        fixed=fixed,
        season_ends=ends_of(event),
        affected=asks.affected,
        moves=[
            (move, in_words(move.before, event.timezone), in_words(move.after, forms["event"]["timezone"].data))
            for move in asks.moves
        ],
        edition_name=editions_of(db(), system_of(event))[forms["lists"]["edition"].data].name if asks.affected else "",
        added=system_of(event).checks.rules_added(terms_of(db(), event)),
    )
    return page, status


def _by_window(views: Iterable[RoundView]) -> int:
    """The open games of a season's published rounds whose last day is that of their round."""
    games = (game for view in views if view.round.state == RoundState.PUBLISHED for game in view.games)
    plans = [arranged_in(game.arranged) for game in games if game.b_id and game.state != GameState.CONFIRMED]
    return sum(not plan.due and not plan.challenged for plan in plans)


@dataclass(frozen=True)
class Asks:
    """What must be confirmed before a section is stored: lists that change, dates that move with the first day."""

    affected: Sequence[Affected] = ()
    moves: Sequence[Move] = ()


def _look_at(form: SettingsForm) -> tuple[int, Asks]:
    """Check a section that is shown but not stored. Returns the status, and nothing to confirm."""
    if not form.validate():
        return 422, Asks()
    try:
        form.values()
    except Refused as refused:
        return show_at_field(form, refused), Asks()
    return 200, Asks()


def _save_section(event: Event, form: SettingsForm) -> tuple[int, Asks]:
    """Store a section as submitted. Returns the status, 302 if it is stored, and what must be confirmed first."""
    if not form.validate():
        return 422, Asks()
    deadline, seen = event.list_deadline, form.data.get("seen") or ""
    moved_seen = form.data.get("moved_seen")
    try:
        with changing(event) as act:
            current = settings_of(act.s, event)
            if form.was.data != section_mark(type(form), current):
                raise Stale(
                    "These settings were changed after you opened them, perhaps in another tab. Your entries are kept "
                    "below; save again to replace that change."
                )
            staying = set(request.form.getlist("move")) - set(request.form.getlist("moves"))
            given = actions.change_settings(
                act, form.wanted(current), seen=seen, moved_seen=moved_seen, staying=staying
            )
    except WouldAffect as first:
        form["seen"].data = first.mark
        return 200, Asks(affected=first.affected)
    except WouldMove as first:
        form["moved_seen"].data = first.mark
        return 200, Asks(moves=first.moves)
    except Refused as refused:
        show_at_field(form, refused)
        form.was.data = section_mark(type(form), settings_of(db(), event))
        return refused.status, Asks()
    flash("Saved.", f"{AT}{form.id}")
    if given:
        names = ", ".join(player.name for player in given)
        many = f"{len(given)} players have a place now: {names}."
        flash(f"{names} has a place now." if len(given) == 1 else many, f"{AT}{form.id}")
    if event.lists_locked_at and event.list_deadline != deadline:
        flash("Lists stay locked. Unlock them on the page Lists.", f"{AT}{form.id}")
    return 302, Asks()


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
    with saving(event, message) as act:
        action(act)
    return redirect(url_for("desk.desk", slug=event.slug))
