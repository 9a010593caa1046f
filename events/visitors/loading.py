"""For every view: the visitor, the event and the rows that an address names, and a page's version mark."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from flask import abort, current_app, g, request, session, url_for
from sqlalchemy import bindparam, or_
from sqlmodel import Session, col, select
from werkzeug.exceptions import HTTPException, Unauthorized
from werkzeug.wrappers import Response

from events.store.clock_queries import ClockFacts, clock_facts
from events.store.editions import system_by_id
from events.store.errors import Stale
from events.store.games import GONE
from events.store.journal import last_change
from events.store.players import player_of
from events.store.rounds import (
    RoundView,
    is_unbegun,
    over_at,
    round_of,
    round_views,
    rounds_in_play,
)
from events.store.tabs import Tabs, read_tabs
from events.store.team_queries import is_team_event, team_of
from events.store.visitor import Visitor
from events.tournament.clock import local_date
from events.visitors import access
from events.visitors.access import Question, is_of_staff
from events.visitors.bearer import program
from events.visitors.conventions import others_of
from events.visitors.queries import (
    OF_POLL,
    account_in,
    asked_of,
    in_time_of,
    link_token,
    new_sign_in,
    player_key,
    players_in_cookie,
    visitor_of,
)
from events.visitors.staff_routes import question_of
from events.web.answers import is_interface
from events.web.language import keep_language, language_for
from events.web.page_cache import Mark, kept_in_public, shared
from events.web.request import db, now, outside_url
from languages.words import gettext, language
from models.event import Event, EventState, Round, RoundState
from models.join_code import JoinCode
from models.journal import Actor
from models.play import Game, Player
from models.team import Team
from service.settings import Settings
from validators.game_system import GameSystem

Value = TypeVar("Value")

# Built once: building a frequent query takes as long as running it.
BY_SLUG = select(Event).where(col(Event.slug) == bindparam("slug"))
SHOWN = BY_SLUG.where(or_(col(Event.state) != EventState.DRAFT, col(Event.id).in_(bindparam("desks", expanding=True))))


def event_mark(event: Event, who: Visitor, now: datetime, turns: Sequence[datetime]) -> Mark:
    """The version mark of an event for a visitor.

    It changes with every change visible to the visitor, when a deadline passes, and when the clock's text changes
    (``turns``). Each account and player has its own marks, so that nobody gets another visitor's page.
    """
    player = who.player_in(event)
    clock = sum(moment <= now for moment in turns)
    lists = f"{access.lists_locked(event, now):d}{access.lists_shown(event, now):d}"
    lists += f"{access.self_check_in(event, now):d}{access.needs_code(event, now):d}"
    moments = [
        *turns, event.list_deadline, event.lists_shown_from, event.registration_opens, event.registration_closes,
        event.check_in_from, event.check_in_until, event.everybody_from, over_at(event) if is_unbegun(event) else None,
    ]  # fmt: skip
    if event.season is not None:  # its pages say what is due today
        today = local_date(now, event.timezone)
        lists += f"-{today.toordinal()}-"
        moments.append(datetime.combine(today + timedelta(days=1), time(), ZoneInfo(event.timezone)))
    if player is not None:
        lists += f"{access.list_open(event, player, now):d}"
        moments.append(player.list_unlocked_until)
    coming = [moment for moment in moments if moment is not None and moment > now]
    state = f"{event.version}-{event.stamp}" if access.may_see_desk(who, event) else event.public_stamp
    whose = f"{who.account.id if who.account else 0}-{player.id if player else 0}"
    if who.person is not None:
        whose += f"-{who.person.id}-{who.own_entry}"
    if event.convention:  # its pages tell the visitor's places at the same time
        whose += f"-{len(who.players)}"
    return Mark(
        text=f"{event.id}-{state}-{lists}{access.registration_window(event, now)}-{clock}-{whose}-{language()}",
        until=min(coming, default=None),
        ticking=bool(turns),
    )


def visitor() -> Visitor:
    """The visitor of the request, loaded from the database, so that withdrawn rights end at once."""
    if "visitor" not in g:
        settings: Settings = current_app.extensions["overseer_settings"]
        g.visitor = program(db(), now()) if is_interface() else visitor_of(db(), session, now(), settings.idle, _slug())
        if g.visitor.account is not None and _is_opened():
            _note_use()
    current: Visitor = g.visitor
    return current


def signed_in() -> Visitor:
    """The visitor as of now, by a connection that is closed again: a request may wait before it begins.

    It takes neither the request's time, which is that of the end of its body, nor what the request reads.
    """
    settings, clock = (current_app.extensions[name] for name in ("overseer_settings", "overseer_clock"))
    with Session(current_app.extensions["overseer_engine"]) as s:
        if not is_interface():
            return visitor_of(s, session, clock(), settings.idle, _slug())
        try:
            return program(s, clock())
        except Unauthorized:
            return Visitor()  # refused after it was counted


def _slug() -> str:
    return str((request.view_args or {}).get("slug", ""))


NOTED_EVERY = timedelta(minutes=5)
"""How often the cookie notes that an account is used."""


def _is_opened() -> bool:
    """Whether the person asked for this page; an open page also asks by itself for what is new."""
    return request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" or request.method == "POST"


def _note_use() -> None:
    held = account_in(session)
    at = int(now().timestamp())
    if held is not None and at >= max(held.since, held.used) + NOTED_EVERY.total_seconds():
        session["organiser"] = [held.row_id, held.key, held.number, held.since, at]


def once(name: str, event: Event, load: Callable[[], Value]) -> Value:
    """The event's value under this name, loaded once per request. A change (``changing``) makes it load again."""
    loaded: dict[tuple[str, int], Any] = g.setdefault("loaded", {})
    if (name, event.id) not in loaded:
        loaded[name, event.id] = load()
    value: Value = loaded[name, event.id]
    return value


def actor(event: Event) -> str:
    return acting(event).name


def acting(event: Event) -> Actor:
    return visitor().acting_in(event, at_desk=is_of_staff(request.url_rule.rule if request.url_rule else ""))


def event_or_404(slug: str, *, settle: bool = True) -> Event:
    """The event of the address; 404 if the visitor may not see it.

    ``settle`` first locks the lists if their deadline has passed. Reports do not need it.
    """
    entered = next((event for event in visitor().events.values() if event.slug == slug), None)
    event = entered or event_shown_at(db(), slug, visitor().roles)
    if event is None or not access.may_see_event(visitor(), event):
        abort(404)
    g.event = event
    if settle:
        current_app.extensions["overseer_store_lock"](event)
    return event


def managed_event(slug: str) -> Event:
    """The event of a desk's address; 403 if the visitor lacks the permission of the route."""
    event = event_or_404(slug)
    if not question_of(request.endpoint or "", request.view_args or {}, request.method)(visitor(), event):
        abort(403)
    return event


def player_or_404(event: Event, player_id: int) -> Player:
    player = player_of(db(), event, player_id)
    return player or abort(404)


def system_or_404(system_id: str) -> GameSystem:
    return system_by_id(db(), system_id) or abort(404)


def round_or_404(event: Event, number: int) -> Round:
    """The round with this number in any state, for the desk."""
    the_round = round_of(event, number)
    return the_round or abort(404)


def shown_round_or_404(event: Event, number: int) -> Round:
    """The round with this number; 404, before its draw is loaded, if the visitor may not see its pairings."""
    short = next((round_ for round_ in event_rounds(event) if round_.number == number), None)
    if short is None or not access.may_see_round(visitor(), event, short):
        abort(404)
    return db().get_one(Round, short.id)


def game_or_404(event: Event, game_id: int) -> Game:
    """The game with this id in a published round of this event; 404 for byes. Raises Stale for old forms."""
    game = db().get(Game, game_id)
    if game is None and request.method == "POST" and last_change(db(), event, "game", [game_id]):
        raise Stale(gettext(GONE))
    if game is None or game.b_id is None:
        abort(404)
    the_round = db().get_one(Round, game.round_id)
    if the_round.event_id != event.id or the_round.state != RoundState.PUBLISHED:
        abort(404)
    return game


def own_player_or_403(event: Event) -> Player:
    player = visitor().player_in(event)
    if player is None:
        abort(403)
    return player


def private_link(player: Player) -> str:
    """The player's private link; "" if no other device could open it. Renewing the link replaces it."""
    return outside_url("registration.open_private_link", token=link_token(current_app.secret_key, player))


def opposes(event: Event, player: Player) -> bool:
    """Whether the visitor plays against this player in a current round, if opponents may read each other's lists."""
    me = visitor().player_in(event)
    if me is None or not access.lists_open_to_opponents(event, now()):
        return False
    games = (game for view in rounds_in_play(views_of(event)) for game in view.games)
    return any({game.a_id, game.b_id} == {me.id, player.id} for game in games)


def private_path(player: Player) -> str:
    return url_for("registration.open_private_link", token=link_token(current_app.secret_key, player))


def forget_player(event: Event) -> None:
    session["players"] = {key: held for key, held in session.get("players", {}).items() if key != str(event.id)}
    g.pop("visitor", None)


def remember_player(player: Player) -> None:
    session.permanent = True
    held = players_in_cookie(session).get(player.event_id)
    if not visitor().is_player(player) or held is None or held.row_id != player.id:  # keeps a valid existing sign-in
        row = new_sign_in(player.id, player_key(player), now())
        session["players"] = session.get("players", {}) | {str(player.event_id): row}
        keep_language(player)
    g.pop("visitor", None)


def visitor_mark(event: Event) -> Mark:
    """The event's version mark for the visitor, calculated once per request."""
    if "mark" not in g:
        g.mark = event_mark(event, visitor(), now(), clock_facts_of(event).turns)
        if event.convention and access.may_see_desk(visitor(), event):  # the desk tells of places in the other events
            others = others_of(db(), visitor(), event)
            g.mark = replace(g.mark, text=f"{g.mark.text}-{sum(other.version for other in others)}")
    mark: Mark = g.mark
    return mark


def own_mark(slug: str) -> Mark | None:
    """The event's mark for a browser that is signed in as a player of it, and as nobody else; None for others.

    While the event's public state is the same, it costs the reading of the stamp and the player's keys.
    """
    devices = {} if session.keys() & {"organiser", "person"} else players_in_cookie(session)
    valid = in_time_of(devices, now())
    if not valid:
        return None
    with current_app.extensions["overseer_engine"].connect() as connection:
        row = connection.execute(OF_POLL, {"slug": slug, **asked_of(valid)}).first()
    held = valid.get(row.id) if row is not None else None
    if held is None or (held.row_id, held.key) != (row.player_id, player_key(row)):
        return None
    g.language = language_for(row.language)
    name = f"mark {row.player_id} {g.language} {len(valid)}"
    return kept_in_public(row, name, lambda: visitor_mark(event_or_404(slug)))


def polled(body: str | bytes, event: Event) -> Response:
    """A page or picture with the event's version mark as its ETag; 304 if this visitor's page is unchanged."""
    return marked(body, visitor_mark(event))


def marked(body: str | bytes, mark: Mark) -> Response:
    response = Response(body, mimetype="text/html")
    if not g.get("failed_parts"):  # a page that lacks a part is not kept by the browser
        response.set_etag(mark.text, weak=True)
    response.headers["Server-Now"] = now().isoformat()
    # A page for the cache must be complete, even if this visitor's copy is current.
    return response if g.get("for_cache") else response.make_conditional(request)


def clock_facts_of(event: Event) -> ClockFacts:
    """The event's clock facts, loaded once for each public state of the event."""
    return shared(event, "clock", lambda: clock_facts(db(), event))


def tabs_of(event: Event) -> Tabs:
    """What the event's tabs show, loaded once for each public state of the event."""
    return shared(event, "tab facts", lambda: read_tabs(event, event_rounds(event)))


def require(question: Question, event: Event) -> None:
    """Answer 403 if the visitor lacks the permission; for single buttons of a page."""
    if not question(visitor(), event):
        abort(403)


def require_club() -> None:
    if not access.may_run_club(visitor()):
        abort(403)


def may_follow(address: str, method: str = "GET") -> bool:
    """Whether the visitor may open an address, or with "POST" submit a form to it, by its route's permission.

    Addresses outside the desk need no permission; the desks of other events than the page's are not for it to open.
    """
    path = urlsplit(address).path or request.path
    try:
        rule, args = current_app.url_map.bind("").match(path, method, return_rule=True)
    except HTTPException:
        return False
    if not is_of_staff(rule.rule):
        return True
    event = g.get("event")
    same = event is not None and event.slug == args["slug"]
    return same and question_of(rule.endpoint, args, method)(visitor(), event)


def event_rounds(event: Event) -> Sequence[Round]:
    return once("rounds", event, lambda: event.schedule)


def views_of(event: Event) -> Sequence[RoundView]:
    return once("views", event, lambda: round_views(event))


def may_open(endpoint: str, **args: Any) -> bool:
    return question_of(endpoint, args)(visitor(), g.event)


def team_or_404(event: Event, team_id: int) -> Team:
    the_team = team_of(db(), event, team_id)
    return the_team or abort(404)


def join_code_or_404(event: Event, code_id: int) -> JoinCode:
    code = db().get(JoinCode, code_id)
    return code if code is not None and code.event_id == event.id else abort(404)


def team_event_or_404(event: Event) -> Event:
    """The event, if it is a team event."""
    if not is_team_event(event):
        abort(404)
    return event


def event_by_slug(s: Session, slug: str) -> Event | None:
    return s.exec(BY_SLUG, params={"slug": slug}).first()


def event_shown_at(s: Session, slug: str, desks: Collection[int]) -> Event | None:
    """The event with this slug; a draft only if its id is in ``desks``, at the same cost as an unknown slug."""
    return s.exec(SHOWN, params={"slug": slug, "desks": [*desks]}).first()
