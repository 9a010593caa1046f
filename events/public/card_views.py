"""The pictures of shared links: an event, and a player's final place."""

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from events.charts.card import Card, card_picture
from events.charts.drawing import ordinal
from events.journal.setting_words import entries_words
from events.public.player_page import snapshot
from events.standings.loading import standings_in
from events.store.players import places_left, player_counts
from events.store.rounds import ends_of, never_played
from events.tournament.ranking import podium
from events.visitors import access
from events.visitors.event_loading import players_in
from events.visitors.loading import event_or_404, player_or_404, polled, visitor
from events.web.page_cache import cached_page
from events.web.request import db, now
from languages.dates import dated
from languages.words import gettext, minus, ngettext
from models.event import Event, EventState

blueprint = Blueprint("card", __name__)

Fact = tuple[str, str]


@blueprint.get("/e/<slug>/card.jpg")
@cached_page()
def event_card(slug: str) -> ResponseReturnValue:
    """The event: its name, day and place, and the places left or the podium."""
    event = event_or_404(slug)
    return _answer(event, event.name, (_days(event), event.place), _facts_of(event))


@blueprint.get("/e/<slug>/players/<int:player_id>/card.jpg")
@cached_page()
def player_card(slug: str, player_id: int) -> ResponseReturnValue:
    """The player's faction and final place; 404 before the event is closed, and for players who are not ranked."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    ranked = snapshot(event).standings[-1:] if event.state == EventState.FINISHED else ()
    row = ranked[0].get(player.id) if ranked else None
    if row is None or row.disqualified or not access.may_see_entry(visitor(), event, player):
        abort(404)
    first = row.rank == 1
    facts = [(gettext("Champion"), "") if first else (ordinal(row.rank), gettext("of %(n)s", n=len(ranked[0])))]
    season, games = event.season, row.wins + row.draws + row.losses
    if row.how.get("place"):
        facts.append(("", str(row.merit)))
    elif season is None or season.kind != "ladder":
        facts.append((minus(row.points), gettext("point") if row.points == 1 else gettext("points")))
    if games:
        facts.append((str(row.wins), ngettext("of %(num)s game won", "of %(num)s games won", games)))
    played = ", ".join(filter(None, (player.faction, gettext("first of %(n)s", n=len(ranked[0])) if first else "")))
    return _answer(event, player.name, (played, event.name, _days(event)), tuple(facts))


def _answer(event: Event, title: str, about: tuple[str, ...], facts: tuple[Fact, ...]) -> ResponseReturnValue:
    card = Card(event.slug, title, tuple(filter(None, about)), facts)
    answer = polled(card_picture(card), event)
    answer.mimetype = "image/jpeg"
    return answer


def _days(event: Event) -> str:
    form = "%A %-d %B %Y"
    days = dated(event.starts_on, form) + (f", {event.starts_at}" if event.starts_at else "")
    if ends_of(event) == event.starts_on:
        return days
    return gettext("%(first)s to %(last)s", first=days, last=dated(ends_of(event), form))


def _facts_of(event: Event) -> tuple[Fact, ...]:
    """The podium of a closed event, the places left before it, and the players during it."""
    count, left = player_counts(db(), [event])[event.id], places_left(event, players_in(event))
    if event.cancelled_at is not None:
        return ((gettext("Cancelled"), ""),)
    if never_played(event, now()):
        return ((gettext("Not played"), ""),)
    if event.state == EventState.FINISHED and standings_in(event).t.counted:
        return tuple((str(row.rank), row.name) for row in podium(standings_in(event).after()))
    if event.state != EventState.REGISTRATION:
        rounds = gettext("round") if event.rounds == 1 else gettext("rounds")
        return ((str(count), gettext("players")), (str(event.rounds), rounds))
    if left is None:
        return ((str(count), gettext("registered")),)
    if left:
        return ((str(left), ngettext("of %(num)s place left", "of %(num)s places left", event.places or 0)),)
    return ((gettext("Full"), entries_words(event, count)),)
