"""The settings of an event: the list of their sections, and each section with its form."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField, SelectField

from events.journal.calendar import in_words
from events.lists.actions import Affected, WouldAffect
from events.setup import actions
from events.setup.freezes import frozen
from events.setup.moving import Move, WouldMove
from events.setup.pairing_forms import SectionForm
from events.setup.said import SECTIONS
from events.setup.sections_page import FORMS, find_settings
from events.setup.settings_forms import SettingsForm
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused, Stale
from events.store.rounds import RoundView, ends_of
from events.store.verdicts import terms_of
from events.tournament.season import arranged_in
from events.visitors import access
from events.visitors.loading import managed_event, views_of
from events.web.error_pages import try_part
from events.web.forms import STALE, show_at_field
from events.web.request import changing, db
from languages.words import gettext, listed, ngettext
from models.event import Event, RoundState
from models.play import GameState
from validators.contract import Terms

blueprint = Blueprint("settings", __name__)

SAVED = "at-save"
"""The category of a flash that is shown next to the button instead of at the top."""
PREVIEW = "preview-points"
"""The button that shows a points table before it is saved."""


@blueprint.get("/e/<slug>/desk/settings", endpoint="overview")
def settings_overview(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    typed = request.args.get("q", "").strip()[:80]
    return render_template("setup/settings.html", typed=typed, found=find_settings(event, typed))


@blueprint.route("/e/<slug>/desk/settings/<section>", methods=["GET", "POST"])
def change_section(slug: str, section: str) -> ResponseReturnValue:
    event = managed_event(slug)
    entry = SECTIONS.get(section)
    if entry is None or entry.endpoint != request.endpoint or (request.method == "POST" and section not in FORMS):
        abort(404)
    form = FORMS[section].opened(event, sent=request.method == "POST") if section in FORMS else None
    status, asks, looks = 200, Asks(), request.form.get("do") == PREVIEW
    if request.method == "POST" and form is not None:
        status, asks = _check(form) if looks else _save(event, form)
        if status == 302:
            return redirect(url_for("settings.change_section", slug=slug, section=section, _anchor="save"))
    views = try_part(gettext("the rounds"), lambda: views_of(event), ())
    if section == "event" and form is not None and event.season and (games := _by_window(views)):
        form["starts_on"].description = ngettext(
            "Another first day moves the last day of %(num)s published game. Days that players agreed on stay. Players "
            "learn the new first day, not the last day of the game.",
            "Another first day moves the last day of %(num)s published games. Days that players agreed on stay. "
            "Players learn the new first day, not the last day of each game.",
            games,
        )
    if form is not None:
        _show_frozen(form, try_part(gettext("the rounds"), lambda: frozen(db(), event, list(form.data)), {}))
    page = render_template(
        "setup/section.html",
        section=entry,
        form=form,
        sent=request.method == "POST",
        affected=asks.affected,
        moves=[
            (move, in_words(move.before, event.timezone), in_words(move.after, form["timezone"].data))
            for move in asks.moves
            if form is not None
        ],
        terms=asks.terms,
        fixed={v.round.number: v.shared for v in views if v.round.state != RoundState.PLANNED},
        season_ends=try_part(gettext("the last day"), lambda: ends_of(event), event.ends_on),
        added=system_of(event).checks.rules_added(terms_of(event)),
    )
    return page, status


def _show_frozen(form: SettingsForm | SectionForm, reasons: Mapping[str, str]) -> None:
    """Say at each setting that can no longer change why; what is typed at one all the same is refused."""
    for name, why in reasons.items():
        field = form[name]
        field.description = why
        if isinstance(field, SelectField) and not form.errors:
            field.choices = [choice for choice in field.choices if field.coerce(choice.value) == field.data]
        elif not isinstance(field, SelectField | BooleanField):
            field.render_kw = {**(field.render_kw or {}), "readonly": True}


def _by_window(views: Iterable[RoundView]) -> int:
    """The open games of a season's published rounds whose last day is that of their round."""
    games = (game for view in views if view.round.state == RoundState.PUBLISHED for game in view.games)
    plans = [arranged_in(game.arranged) for game in games if game.b_id and game.state != GameState.CONFIRMED]
    return sum(not plan.due and not plan.challenged for plan in plans)


@dataclass(frozen=True)
class Asks:
    """What must be confirmed before a section is stored: lists that change, dates that move with the first day."""

    affected: Sequence[Affected] = ()
    terms: Terms | None = None
    moves: Sequence[Move] = ()


def _check(form: SettingsForm | SectionForm) -> tuple[int, Asks]:
    """Check a section that is shown but not stored. Returns the status, and nothing to confirm."""
    if not form.validate():
        return 422, Asks()
    try:
        if isinstance(form, SettingsForm):
            form.values()
    except Refused as refused:
        return show_at_field(form, refused), Asks()
    return 200, Asks()


def _save(event: Event, form: SettingsForm | SectionForm) -> tuple[int, Asks]:
    """Store a section as submitted. Returns the status, 302 if it is stored, and what must be confirmed first."""
    if not form.validate():
        return 422, Asks()
    try:
        with changing(event) as act:
            if form.was.data != form.mark(event):
                raise Stale(gettext(STALE))
            sentences = _store(act, form)
    except WouldAffect as first:
        form["seen"].data = first.mark
        return 200, Asks(first.affected, first.terms)
    except WouldMove as first:
        form["moved_seen"].data = first.mark
        return 200, Asks(moves=first.moves)
    except Refused as refused:
        show_at_field(form, refused)
        form.was.data = form.mark(event)
        return refused.status, Asks()
    for words in ("Saved.", *sentences):
        flash(words, SAVED)
    return 302, Asks()


def _store(act: Act, form: SettingsForm | SectionForm) -> list[str]:
    """Store the section. Returns what else happened, in sentences."""
    if isinstance(form, SectionForm):
        if form.is_changed:
            form.store(act)
        return []
    event, deadline, sign_up_by = act.event, act.event.list_deadline, act.event.sign_up_by
    given = actions.change_settings(
        act,
        form.wanted(actions.settings_of(event)),
        seen=form.seen.data or "",
        moved_seen=form.data.get("moved_seen"),
        fee_for=form.data.get("fee_for") or "",
        staying=set(request.form.getlist("move")) - set(request.form.getlist("moves")),
    )
    names, sentences = listed([player.name for player in given]), []
    if given:
        sentences.append(
            ngettext(
                "%(names)s has a place now.", "%(num)s players have a place now: %(names)s.", len(given), names=names
            )
        )
    if event.sign_up_by != sign_up_by and access.needs_code(event, act.now):
        sentences.append(gettext("From now on players need a join code to sign up. Make codes on the page Join codes."))
    if event.lists_locked_at and event.list_deadline != deadline:
        sentences.append(gettext("Lists stay locked. Unlock them on the page Lists."))
    return sentences
