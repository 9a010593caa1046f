"""The organiser's desk: the next step of an event for the visitor, the desk's groups, and the search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.accounts import access
from events.accounts.loading import (
    behind_in,
    corrected_in,
    managed_event,
    may_follow,
    players_in,
    polled,
    require,
    rounds_of,
    views_of,
    visitor,
    warnings_of,
)
from events.accounts.staff_routes import STAFF_QUESTIONS, question_of
from events.desk.next_steps import Blocker, Button, Facts, NextStep, OpenGame, RoundFacts, Stage, next_step, stages
from events.journal import queries as journal_queries
from events.journal.readers import Reader
from events.leagues.actions import why_not_drawn_at_once
from events.leagues.queries import fixtures
from events.lists.queries import entries_of, without_list
from events.messages.queries import in_trouble, waiting_since
from events.play.act import Act
from events.play.clock_queries import RoundClock, clock_of, published_meeting
from events.play.players import placed, places_left, player_counts, players_by_id
from events.play.rounds import RoundView, current_round, ends_of, stage_of
from events.play.team_queries import active, is_team_event, playing
from events.play.verdicts import forces_of, terms_of
from events.play.visitor import TABLE, WORDS, Right
from events.registration.check_in import check_in_many, mark_paid, undo_entry, undoable_entry
from events.registration.check_in_views import PERMISSIONS, done_entry, noted, redirect_back
from events.registration.readiness import KINDS, Group, board
from events.registration.search import LONGEST, MOST_FOUND, search
from events.rounds.actions import checked_in_players, why_no_meeting
from events.rounds.draft_views import is_outdated, publish_notes, publish_question
from events.rounds.drawing import why_not_drawn
from events.rounds.formats import why_no_cut
from events.tournament.season import is_by_challenge
from events.web.idempotency import id_in
from events.web.request import LONGEST_ID, db, local, local_day, now
from models.event import Event, EventState, ListsShown, RoundState
from models.play import Game, GameState, Player, PlayerState
from models.staff import Role


def facts_of(event: Event) -> Facts:
    """The facts of the event now."""
    players, views = players_in(event), views_of(event)
    here, waits, corrected = checked_in_players(players), behind_in(event), corrected_in(event)
    facts = Facts(
        state=event.state.value,
        rounds=tuple(_round(event, view, players, views) for view in views),
        unlimited=event.places is None and not event.approval,
        before_the_day=local(now(), event, "%Y-%m-%d") < event.starts_on.isoformat(),
        starts=event.starts_on.strftime("%A %-d %B"),
        signing_up=access.may_register(event, now()),
        here=len(here),
        absent=sum(p.state == PlayerState.REGISTERED for p in players),
        lists_locked=access.lists_locked(event, now()),
        shown_at_lock=event.lists_shown == ListsShown.AT_LOCK,
        to_approve=sum(p.state == PlayerState.WAITING for p in players) if event.approval else 0,
        cut=None if why_no_cut(event, views) else event.cut,
        team_size=event.team_size,
        cancelled=event.cancelled_at is not None,
        season=event.season is not None,
        overdue=sum(one.overdue for one in fixtures(event, views, local_day(event))),
        steps_open=tuple(f"{p.name} ({waits[p.id].phase})" for p in here if p.id in waits),
        corrected=tuple(p.name for p in here if p.id in corrected),
        by_challenge=is_by_challenge(event.season),
        ended=local_day(event) > ends_of(event),
        awards_given=event.awards_published_at is not None,
        awards_wait=bool(event.awards) and event.awards_published_at is None,
        at_once=not why_not_drawn_at_once(event, [view.round for view in views]),
    )
    if is_team_event(event) and any(view.round.state != RoundState.PUBLISHED for view in views):
        alone = sum(one.team_id is None for one in placed(players))
        short = [one.name for one in views[0].teams if 0 < len(active(players, one)) < event.team_size]
        facts = replace(facts, teams_here=len(playing(views[0].teams, players)), alone=alone, not_full=short)
    if event.state != EventState.REGISTRATION:
        return replace(facts, no_list=without_list(db(), event, players))
    lists = entries_of(event, players, forces_of(db(), event), terms_of(db(), event), now())
    meets = event.player_meeting and not why_no_meeting(event, here, views)
    return replace(
        facts,
        no_list=sum(one.missing for one in lists),
        illegal=sum(one.illegal for one in lists),
        unseated=meets and published_meeting(db(), event) is None,
    )


def _round(event: Event, view: RoundView, players: Sequence[Player], views: Sequence[RoundView]) -> RoundFacts:
    one = view.round
    found = RoundFacts(one.number, view.state, stage_of(one))  # type: ignore[arg-type]
    if one.state == RoundState.PUBLISHED:
        games = [game for game in view.games if game.b_id is not None]
        tied = {game.id for game in view.tied}
        found = replace(
            found,
            games=len(games) + view.choosing * view.team_size,
            decided=sum(game.state == GameState.CONFIRMED and game.id not in tied for game in games),
        )
    if view.state == "playing":
        clock = clock_of(event, view, rounds_of(event), now())
        return replace(
            found,
            disputed=[_open(game) for game in games if game.state == GameState.DISPUTED],
            reported=[_open(game) for game in games if game.state == GameState.REPORTED],
            tied=[_open(game) for game in games if game.id in tied],
            choosing=view.choosing,
            clock=clock.reading.state.value if clock else "",
        )
    if view.state == "drawn":
        return replace(
            found,
            seed=str(one.seed),
            by_hand=len((one.outcome or {}).get("steps", ())),
            stale=is_outdated(event, players, views, one.number),
            why_not=why_not_drawn(event, players, views, one.number),
            question=publish_question(event, one.number, players),
            notes=publish_notes(event, one.number, players),
        )
    if view.state == "planned":
        return replace(found, why_not=why_not_drawn(event, players, views, one.number))
    return found


def _open(game: Game) -> OpenGame:
    return OpenGame(game.id, game.table_number)


def mail_steps(event: Event) -> list[Blocker]:
    """Steps for mails that failed or are not being sent."""
    steps = []
    act = Button("Messages", "messages.all")
    trouble, since = in_trouble(db(), event), waiting_since(db(), event, now())
    if trouble:
        mails = "1 mail was not sent" if trouble == 1 else f"{trouble} mails were not sent"
        steps.append(Blocker(f"{mails}, or may not have arrived.", act))
    if since:
        steps.append(Blocker(f"Mails have waited since {local(since, event, '%H:%M')}: they are not being sent.", act))
    return steps


@dataclass(frozen=True)
class Way:
    """A button or a link with its address."""

    label: str
    address: str
    post: bool
    confirm: str


@dataclass(frozen=True)
class Remedy:
    """A blocker, and the way to fix it; None if the visitor may not open it."""

    text: str
    way: Way | None
    of_results: bool
    """Whether the results page shows it too, in the table's row."""


@dataclass(frozen=True)
class Next:
    """The next step for the visitor."""

    text: str
    way: Way | None
    """The primary button; None if the visitor may not do it."""
    who: str
    """Who may do it if the visitor may not: "An organiser: draw round 2."."""
    other: Way | None
    blockers: tuple[Remedy, ...]
    stages: tuple[tuple[Stage, str], ...]
    """Each stage with its address; "" if the visitor may not open it."""
    starts_clock: bool
    clock: RoundClock | None
    """The clock of the round, once it was started."""


def next_of(event: Event) -> Next:
    """The event's next step for the visitor, calculated once per request."""
    if "next" not in g:
        facts = facts_of(event)
        g.next = _for_visitor(event, next_step(facts), stages(facts))
    found: Next = g.next
    return found


def _for_visitor(event: Event, step: NextStep, passed: tuple[Stage, ...]) -> Next:
    way, other = _way(event, step.act), _way(event, step.other) if step.other else None
    if way is not None and other is not None and way.address == request.path:
        way, other = other, None  # the visitor is on that page
    return Next(
        step.text,
        way,
        "" if way else f"{_who(step.act)}: {step.act.label[:1].lower()}{step.act.label[1:]}.",
        other,
        tuple(
            Remedy(one.text, found, one.act.endpoint.startswith("results_desk."))
            for one in step.blockers
            if (found := _way(event, one.act)) is not None
        ),
        tuple((one, _address(event, one.endpoint, one.args)) for one in passed),
        way is not None and step.act.endpoint == "clock.press",
        _clock(event),
    )


def _clock(event: Event) -> RoundClock | None:
    playing = next((view for view in views_of(event) if view.state == "playing"), None)
    started = playing is not None and playing.round.started_at is not None
    return clock_of(event, playing, rounds_of(event), now()) if playing is not None and started else None


def _address(event: Event, endpoint: str, args: object, method: str = "GET") -> str:
    assert isinstance(args, dict)  # noqa: S101 - url_for takes keywords
    address = url_for(endpoint, slug=event.slug, **args)
    return address if may_follow(address, method) else ""


def _way(event: Event, act: Button) -> Way | None:
    address = _address(event, act.endpoint, dict(act.args), "POST" if act.post or act.fills else "GET")
    return Way(act.label, address, act.post, act.confirm) if address else None


def _who(act: Button) -> str:
    """The roles that may do this, in words."""
    question = question_of(act.endpoint, act.args, "POST" if act.post else "GET")
    right = next((one for one in Right if STAFF_QUESTIONS[f"may_{one}"] is question), Right.MANAGE_STAFF)
    roles = [role for role in Role if role in TABLE[right]]
    if Role.ORGANISER in roles:
        roles.remove(Role.OWNER)
    words = [f"{'an' if WORDS[role][0] in 'aeiou' else 'a'} {WORDS[role]}" for role in roles]
    named = " or ".join(words)
    return f"Next, for {named}"


blueprint = Blueprint("desk", __name__)


MOST_AT_ONCE = 2000


def groups_of(event: Event, players: Sequence[Player], views: Sequence[RoundView]) -> list[Group]:
    """The groups of the board that the visitor may see."""
    view = current_round(views)
    clock = clock_of(event, view, [one.round for one in views], now()) if view else None
    lists = entries_of(event, players, forces_of(db(), event), terms_of(db(), event), now())
    found = board(event, players, lists, views, clock, now(), warnings_of(event))
    return [group for group in found if group.kind.question(visitor(), event)]


@blueprint.get("/e/<slug>/desk/ready/<key>")
def readiness_group(slug: str, key: str) -> ResponseReturnValue:
    """All rows of one group."""
    event = managed_event(slug)
    if key not in KINDS:
        abort(404)
    require(KINDS[key].question, event)
    views = views_of(event)
    found = groups_of(event, players_in(event), views)
    page = render_template(
        "desk/ready.html",
        key=key,
        kind=KINDS[key],
        group=next((one for one in found if one.key == key), None),
        others=[one for one in found if one.key != key],
        done=done_entry(event),
    )
    return polled(page, event)


@blueprint.post("/e/<slug>/desk/ready/<verb>")
def check_in_several(slug: str, verb: str) -> ResponseReturnValue:
    """Check in the ticked players, or mark them as paid."""
    event = managed_event(slug)
    if verb not in SEVERAL:
        abort(404)
    ids = {id_in(raw) for raw in request.form.getlist("chosen")[:MOST_AT_ONCE]} - {None}
    did: list[int] = []
    with noted(event, did) as act:
        everybody = players_by_id(act.s, event)
        SEVERAL[verb](act, [everybody[id_] for id_ in everybody if id_ in ids])
    if not ids:
        flash("Nothing was done: tick at least one player first.", "error")
    return redirect_back(event, url_for("desk.desk", slug=slug), did)


@blueprint.post("/e/<slug>/desk/presses/<int:entry_id>/undo")
def undo_check_in(slug: str, entry_id: int) -> ResponseReturnValue:
    """Undo a check-in or a payment, for all of its players."""
    event = managed_event(slug)
    entry = undoable_entry(db(), event, entry_id) if entry_id <= LONGEST_ID else None
    if entry is None:
        abort(404)
    require(PERMISSIONS[entry.verb], event)
    with noted(event, [], "Undone.") as act:
        undo_entry(act, entry)
    return redirect_back(event, url_for("desk.desk", slug=slug), [])


def _check_in(act: Act, chosen: Sequence[Player]) -> None:
    for refusal in check_in_many(act, chosen)[1]:
        flash(refusal, "error")


def _paid(act: Act, chosen: Sequence[Player]) -> None:
    mark_paid(act, chosen)


SEVERAL: dict[str, Callable[[Act, Sequence[Player]], None]] = {"check-in": _check_in, "paid": _paid}


@blueprint.get("/desk")
def home() -> ResponseReturnValue:
    """The events that the visitor helps to run, newest first, with the visitor's roles."""
    who = visitor()
    if who.account is None:
        return redirect(url_for("accounts.sign_in"))
    query = (
        select(Event).where(col(Event.id).in_(who.roles)).order_by(col(Event.starts_on).desc(), col(Event.id).desc())
    )
    found = db().exec(query).all()
    return render_template("desk/home.html", events=found, counts=player_counts(db(), found), roles=who.roles)


@blueprint.get("/e/<slug>/desk")
def desk(slug: str) -> ResponseReturnValue:
    """The desk of an event."""
    event = managed_event(slug)
    entered = players_in(event)
    views = views_of(event)
    latest = journal_queries.found(db(), Reader(visitor(), event), journal_queries.Wanted())
    page = render_template(
        "desk/desk.html",
        groups=groups_of(event, entered, views),
        opened=request.args.get("open", ""),
        done=done_entry(event),
        count=player_counts(db(), [event])[event.id],
        here=sum(p.state == "checked_in" for p in entered),
        waiting=sum(p.state == "waiting" for p in entered),
        places_left=places_left(event, entered),
        views=views,
        journal=[entry for entry, _ in latest[:8]],
    )
    return polled(page, event)


@blueprint.get("/e/<slug>/desk/search")
def search_page(slug: str) -> ResponseReturnValue:
    """Players by name, club, team, table or sheet code, with the staff's data of each; ``?q=``."""
    event = managed_event(slug)
    typed = request.args.get("q", "").strip()[:LONGEST]
    lists = access.may_read_lists(visitor(), event)
    found, count, view = search(db(), event, typed, now(), lists=lists)
    return render_template(
        "desk/search.html", typed=typed, found=found, more=max(0, count - MOST_FOUND), view=view, lists=lists
    )
