"""What every view needs: the visitor, the event and rows that an address names, and the mark of a page."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from flask import abort, current_app, g, request, session
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from events.accounts import access
from events.accounts.access import is_of_staff
from events.accounts.look_alikes import name_warnings
from events.accounts.queries import is_link_of, link_token, new_sign_in, player_id_in, player_key, visitor_of
from events.accounts.staff_routes import Question, question_of
from events.play.clock_queries import ClockFacts, clock_facts
from events.play.queries import RoundView, event_by_slug, event_shown_at, player_of, players_of, round_of, round_views
from events.play.rounds import RoundInShort, rounds_in_short
from events.play.team_queries import is_team_event, team_of
from events.play.visitor import Visitor
from events.web.page_cache import Mark, shared
from events.web.request import LONGEST_ID, MOST_ROUNDS, db, now, outside_url
from models.event import Event, Round, RoundState
from models.journal import Actor
from models.play import Game, Player
from models.team import Team


def mark_of(event: Event, who: Visitor, now: datetime, turns: Sequence[datetime]) -> Mark:
    """The mark of an event for a visitor.

    It changes with every change to anything of the event that the visitor may see, which a draft of a round is to its
    staff alone; when a deadline passes, and when a round's clock reaches a
    call or its end. It is another one for every organiser and every player, so that nobody is served another's page.

    ``turns`` are the moments at which the running round's clock says something else.
    """
    player = who.player_in(event)
    clock = sum(moment <= now for moment in turns)
    lists = f"{access.lists_locked(event, now):d}{access.lists_shown(event, now):d}"
    moments = [*turns, event.list_deadline, event.lists_shown_from]
    if player is not None:
        lists += f"{access.list_open(event, player, now):d}"
        moments.append(player.list_unlocked_until)
    coming = [moment for moment in moments if moment is not None and moment > now]
    state = f"{event.version}-{event.stamp}" if access.may_see_desk(who, event) else event.public_stamp
    whose = f"{who.account.id if who.account else 0}-{player.id if player else 0}"
    return Mark(
        text=f"{event.id}-{state}-{lists}-{clock}-{whose}",
        until=min(coming, default=None),
        ticking=bool(turns),
    )


log = logging.getLogger(__name__)


def visitor() -> Visitor:
    """Who sent the request, read afresh from the database: rights end the moment that they are taken."""
    if "visitor" not in g:
        g.visitor = visitor_of(db(), session, now())
    known: Visitor = g.visitor
    return known


def actor(event: Event) -> str:
    """What the journal calls the visitor: by the role in which they act here."""
    return acting(event).name


def acting(event: Event) -> Actor:
    """Who the visitor is to the journal of the event."""
    return visitor().acting_in(event, at_desk=is_of_staff(request.url_rule.rule if request.url_rule else ""))


def event_or_404(slug: str, *, settle: bool = True) -> Event:
    """The event of the address, where the visitor may see it.

    ``settle``: store first what the deadline of the lists has done. A report is no matter of lists.
    """
    own = next((event for event in visitor().events.values() if event.slug == slug), None)
    event = own or event_shown_at(db(), slug, visitor().roles)
    if event is None or not access.may_see_event(visitor(), event):
        abort(404)
    g.event = event
    if settle:
        current_app.extensions["overseer_store_lock"](event)
    return event


def managed_event(slug: str) -> Event:
    """The event of a desk's address, where the visitor may do what the address is for (``questions``)."""
    event = event_or_404(slug)
    if not question_of(request.endpoint or "", request.view_args or {}, request.method)(visitor(), event):
        abort(403)
    return event


def player_or_404(event: Event, player_id: int) -> Player:
    """A player of this event by the id in the address."""
    player = player_of(db(), event, player_id) if player_id <= LONGEST_ID else None
    if player is None:
        abort(404)
    return player


def round_or_404(event: Event, number: int) -> Round:
    """The round of the address, drawn or not: for the desk."""
    the_round = round_of(db(), event, number) if number < MOST_ROUNDS else None
    if the_round is None:
        abort(404)
    return the_round


def shown_round_or_404(event: Event, number: int) -> Round:
    """The round of the address, once the visitor may see its pairings; what it was drawn from is not read before."""
    short = next((one for one in rounds_of(event) if one.number == number), None)
    if short is None or not access.may_see_round(visitor(), event, short):
        abort(404)
    return db().get_one(Round, short.id)


def game_or_404(event: Event, game_id: int) -> Game:
    """A game at a table of a published round of this event, by the id in the address."""
    game = db().get(Game, game_id) if game_id <= LONGEST_ID else None
    if game is None or game.b_id is None:
        abort(404)
    the_round = db().get_one(Round, game.round_id)
    if the_round.event_id != event.id or the_round.state != RoundState.PUBLISHED:
        abort(404)
    return game


def own_player_or_403(event: Event) -> Player:
    """The visitor's own entry."""
    player = visitor().player_in(event)
    if player is None:
        abort(403)
    return player


def private_link(player: Player) -> str:
    """The player's private address, to hand out; it ends when the link is renewed."""
    return outside_url("registration.enter", token=link_token(current_app.secret_key, player))


def player_by_token(token: str) -> Player | None:
    """The player whose private link has this token; None if it is nobody's, or was renewed."""
    id_ = player_id_in(token)
    player = db().get(Player, id_) if id_ is not None else None
    return player if player is not None and is_link_of(current_app.secret_key, token, player) else None


def remember_player(player: Player) -> None:
    """Sign this browser in as the player."""
    session.permanent = True
    if not visitor().is_player(player):  # a sign-in that still holds stays as it is
        one = new_sign_in(player.id, player_key(player), now())
        session["players"] = session.get("players", {}) | {str(player.event_id): one}
    g.pop("visitor", None)


def mark(event: Event) -> Mark:
    """The mark of the event for the visitor, the same for the whole request."""
    if "mark" not in g:
        g.mark = mark_of(event, visitor(), now(), clock_facts_of(event).turns)
    found: Mark = g.mark
    return found


def polled(body: str, event: Event) -> Response:
    """A page that follows the event: sent again only when the event's mark is another one for this visitor."""
    response = Response(body, mimetype="text/html")
    response.set_etag(mark(event).text, weak=True)
    response.headers["Server-Now"] = now().isoformat()
    # What is kept for others is made whole, whatever this visitor has already.
    return response if g.get("for_cache") else response.make_conditional(request)


def clock_facts_of(event: Event) -> ClockFacts:
    """What the event's clocks show, read once for each public state of it."""
    return shared(event, "clock", lambda: clock_facts(db(), event))


def require(question: Question, event: Event) -> None:
    """Refuse whoever may not: for what only one button of a page may do."""
    if not question(visitor(), event):
        abort(403)


def may_follow(address: str, method: str = "GET") -> bool:
    """Whether the visitor may follow a link, or with "POST" press a button, to an address.

    It is the question that the route itself asks; whatever is not the staff's asks none.
    """
    path = urlsplit(address).path or request.path
    try:
        rule, args = current_app.url_map.bind("").match(path, method, return_rule=True)
    except HTTPException:
        return False
    if not is_of_staff(rule.rule):
        return True
    event = g.get("event")
    if event is None or event.slug != args["slug"]:
        event = event_by_slug(db(), args["slug"])
    return event is not None and question_of(rule.endpoint, args, method)(visitor(), event)


def rounds_of(event: Event) -> Sequence[RoundInShort]:
    """The event's rounds, read once for all that a page asks of them."""
    if "rounds" not in g:
        g.rounds = rounds_in_short(db(), event)
    found: Sequence[RoundInShort] = g.rounds
    return found


def views_of(event: Event) -> Sequence[RoundView]:
    """All rounds of the event with their games, read once for all that a page asks of them; never before a change."""
    if "views" not in g:
        g.views = round_views(db(), event)
    found: Sequence[RoundView] = g.views
    return found


def warnings_of(event: Event) -> Mapping[int, Sequence[str]]:
    """What to look at in the names of the event's players, read once for the page; never before a change."""
    if "name_warnings" not in g:
        g.name_warnings = name_warnings(db(), event, players_of(db(), event))
    found: Mapping[int, Sequence[str]] = g.name_warnings
    return found


def may_open(endpoint: str, **args: Any) -> bool:
    """Whether the visitor may follow a link or press a button to this address of the event's desk."""
    return g.get("event") is not None and question_of(endpoint, args)(visitor(), g.event)


def team_or_404(event: Event, team_id: int) -> Team:
    """A team of this event by the id in the address."""
    the_team = team_of(db(), event, team_id) if team_id < 2**31 else None
    if the_team is None:
        abort(404)
    return the_team


def team_event_or_404(slug: str) -> Event:
    """The event of the address, where teams play in it."""
    event = event_or_404(slug)
    if not is_team_event(event):
        abort(404)
    return event
