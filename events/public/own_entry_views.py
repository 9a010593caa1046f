"""An entry and its person's page: making the page, adding the entry, taking it off. Each needs the entry's key."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.accounts import limits, own_pages
from events.accounts.browser import own_person_or_403, remember_person
from events.accounts.limits import PAGES, TooMany
from events.messages.addresses import warn_owner
from events.messages.text import PAGE_ADDED, PAGE_MADE
from events.registration.retention import lapse_of
from events.store.act import Act
from events.store.errors import Refused
from events.visitors.loading import (
    event_or_404,
    forget_player,
    own_player_or_403,
    remember_player,
    visitor,
)
from events.web.request import changing, changing_club, db, mail_server, now, saving
from languages.words import N_, gettext
from models.event import Event
from models.play import Player

blueprint = Blueprint("own_entry", __name__)


@blueprint.route("/e/<slug>/me/page", methods=["GET", "POST"])
def keep_entry(slug: str) -> ResponseReturnValue:
    """Keep the entry on a person's page: on a new one, or on the one that this browser has opened."""
    event = event_or_404(slug)
    player, person = own_player_or_403(event), visitor().person
    do = request.form.get("do") if request.method == "POST" else None
    if do == "make" and person is None:
        return _make(event, player)
    if do == "add" and person is not None:
        message = gettext("%(event)s is on your page.", event=event.name)
        if event.delete_after:
            message += " " + gettext("Your data there stays until you delete it.")
        with saving(event, message, public=False) as act:
            _count(act, player)
            own_pages.add_entry(act.s, person, player, act.now)
            warn_owner(act, player, PAGE_ADDED, has_server=mail_server() is not None)
        return redirect(url_for("people.own_page"))
    if do == "off":
        with changing_club() as s:
            own_pages.take_off(s, player)
        flash(lapse_of(db(), event, now()) or gettext("%(event)s is on no page any more.", event=event.name), "success")
        return redirect(url_for("player.today", slug=slug))
    if request.method == "POST":  # the page was opened or closed since
        return redirect(url_for("own_entry.keep_entry", slug=slug))
    kept = own_pages.whose(db(), [player.id]).get(player.id)
    return render_template(
        "people/keep.html",
        kept=kept is not None,
        own=kept is not None and kept is person,
        lapse=lapse_of(db(), event, now()),
    )


def _make(event: Event, player: Player) -> ResponseReturnValue:
    try:
        with changing(event, public=False) as act:
            _count(act, player)
            person = own_pages.make_page(act.s, player, act.now)
            warn_owner(act, player, PAGE_MADE, has_server=mail_server() is not None)
    except Refused as refused:
        flash(refused.message, "error")
        return redirect(url_for("own_entry.keep_entry", slug=event.slug))
    remember_person(person)
    return redirect(url_for("own_page.show_link"))


def _count(act: Act, player: Player) -> None:
    """Count that an entry is put on a page. Raises TooMany."""
    if limits.count_attempt(act.s, {PAGES: str(player.id)}, act.now) is not None:
        raise TooMany(gettext("This entry was put on pages many times. Try again in a quarter of an hour."))


@blueprint.post("/me/events/<int:player_id>")
def open_entry(player_id: int) -> ResponseReturnValue:
    """The own page at the event of one of the person's entries, also if the browser was another player there."""
    event, player = _entry_or_404(player_id)
    forget_player(event)
    first = next(mine for an_event, mine in own_pages.own_entries(db(), own_person_or_403()) if an_event.id == event.id)
    if first.id != player.id:  # the page has two entries of one event since it was put together
        remember_player(player)
    return redirect(url_for("player.today", slug=event.slug))


@blueprint.post("/me/events/<int:player_id>/off")
def take_entry_off(player_id: int) -> ResponseReturnValue:
    event, player = _entry_or_404(player_id)
    with changing_club() as s:
        own_pages.take_off(s, player)
    off = N_("%(event)s is not on your page any more. Its private link still opens it.")
    flash(lapse_of(db(), event, now()) or gettext(off, event=event.name), "success")
    return redirect(url_for("people.own_page"))


def _entry_or_404(player_id: int) -> tuple[Event, Player]:
    entries = own_pages.own_entries(db(), own_person_or_403())
    return next((row for row in entries if row[1].id == player_id), None) or abort(404)
