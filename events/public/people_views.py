"""A person's own page, and the page that everybody reads if the person wants it."""

from collections.abc import Sequence

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from events.accounts.own_pages import main_page, own_entries
from events.public.people_queries import (
    Came,
    OwnEvent,
    load_came,
    open_events,
    opponents,
    own_lists,
    public_entries,
    record_of_games,
)
from events.public.ratings_page import ratings_of
from events.store.rounds import never_played
from events.visitors.loading import visitor
from events.web.answers import figures_asked
from events.web.page_cache import kept_in_public
from events.web.request import db, now
from models.event import Event, EventState
from models.person import Person
from models.play import Player

blueprint = Blueprint("people", __name__)


@blueprint.get("/me")
def own_page() -> ResponseReturnValue:
    """The page of the person whom this browser has opened; how to open or make one, without one."""
    person = visitor().person
    if person is None:
        return render_template("people/none.html")
    ratings = ratings_of(person)
    if (file := figures_asked("own", *(rating.line for rating in ratings))) is not None:
        return file
    entries = own_entries(db(), person)
    events, offered = own_events(entries), open_events(db(), entries, now())
    coming = [own_event for own_event in reversed(events) if not own_event.over]
    return render_template(
        "people/page.html",
        person=person,
        coming=coming,
        past=[own_event for own_event in events if own_event.over],
        games=[game for own_event in events for game in own_event.games],
        record_of=record_of_games,
        opponents=opponents(db(), events),
        lists=own_lists(db(), entries, now()),
        open_events=offered,
        ratings=ratings,
    )


@blueprint.get("/people/<int:person_id>")
def public_page(person_id: int) -> ResponseReturnValue:
    """The page of a person who shows it; 404 for all others."""
    page = db().get(Person, person_id)
    person = main_page(db(), page) if page is not None else None
    if person is None or not person.shown:
        abort(404)
    ratings = ratings_of(person)
    if (file := figures_asked("player", *(rating.line for rating in ratings))) is not None:
        return file
    events = own_events(public_entries(own_entries(db(), person)))
    coming = [own_event for own_event in reversed(events) if not own_event.over]
    return render_template(
        "people/public.html",
        person=person,
        coming=coming,
        past=[own_event for own_event in events if own_event.over],
        games=[game for own_event in events for game in own_event.games],
        record_of=record_of_games,
        ratings=ratings,
    )


BEGUN = (EventState.IN_PROGRESS, EventState.FINISHED)


def came_in(event: Event) -> Came | None:
    """How the players of an event did; None before it has begun."""
    if event.state not in BEGUN:
        return None
    return kept_in_public(event, "came", lambda: load_came(db(), event))


def own_events(entries: Sequence[tuple[Event, Player]]) -> list[OwnEvent]:
    return [OwnEvent(event, player, came_in(event), never_played(event, now())) for event, player in entries]
