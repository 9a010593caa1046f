"""What everybody sees: events, rounds, standings, players, lists, scenarios, rules."""

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events import access, access_lists, access_play
from events.actions.standings import scheme_of, standings
from events.outcomes import score_of
from events.pairing.tie_breaks import TIE_BREAKS
from events.public_rounds import public_round_views
from events.reading import (
    completed_rounds,
    current_round,
    editions_of,
    force_of,
    forces_of,
    own_scenario,
    own_scenarios,
    placed,
    places_left,
    places_taken,
    players_of,
    round_view,
    round_views,
    scenarios_of,
    seals_of,
    system_of,
    terms_of,
    verdict_on,
)
from events.rounds_in_short import rounds_in_short
from events.team_reading import is_team_event
from events.typed import whole_number
from events.views.request import db, event_or_404, now, player_or_404, polled, shown_round_or_404, visitor
from events.views.teams import round_of_teams
from events.visitor import Visitor
from events.web.page_cache import cached_page, never_cached
from events.words import event_rules, shown_when
from models.event import Event, EventFormat, EventState, RoundState
from models.play import Player, PlayerState
from validators import SYSTEMS
from validators.contract import ForceSummary, Verdict

blueprint = Blueprint("public", __name__)

NOBODY = Visitor()
"""A reader who is neither staff nor player: for pages that are the same for everybody."""


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Events: now, soon, past."""
    query = select(Event).order_by(col(Event.starts_on).desc(), col(Event.id).desc())
    seen = [event for event in db().exec(query) if access.may_see_event(visitor(), event)]
    groups = {
        "Now": [e for e in seen if e.state == EventState.IN_PROGRESS],
        "Soon": [e for e in reversed(seen) if e.state in (EventState.REGISTRATION, EventState.DRAFT)],
        "Past": [e for e in seen if e.state == EventState.FINISHED],
    }
    return render_template("home.html", groups=groups, counts=places_taken(db()))


@blueprint.get("/e/<slug>")
@cached_page()
def event(slug: str) -> ResponseReturnValue:
    """The event: what, when, where, the rules in words, places left."""
    the_event = event_or_404(slug)
    entered = players_of(db(), the_event)
    views = public_round_views(db(), the_event)
    if own_scenarios(db(), the_event.system):
        never_cached()  # a scenario of the club's own is changed without the event's version
    page = render_template(
        "event/event.html",
        rules=event_rules(the_event, terms_of(db(), the_event)),
        added=system_of(the_event).rules_added(terms_of(db(), the_event)),
        players=[p for p in entered if p.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)],
        waiting=[p for p in entered if p.state == PlayerState.WAITING and access.may_see_entry(NOBODY, the_event, p)],
        places_left=places_left(the_event, entered),
        may_register=access.may_register(the_event),
        views=views,
        current=current_round(views),
        plan=[(view, view.announced) for view in views],
        rounds_known=the_event.format == EventFormat.SWISS or views[0].round.state != RoundState.PLANNED,
        tie_breaks=[TIE_BREAKS[name] for name in the_event.tie_breaks],
        locked=access_lists.lists_locked(the_event, now()),
    )
    return polled(page, the_event)


@blueprint.get("/e/<slug>/rounds/<int:number>")
@cached_page("order")
def round_page(slug: str, number: int) -> ResponseReturnValue:
    """The pairings of a round, by table or by name."""
    the_event = event_or_404(slug)
    the_round = shown_round_or_404(the_event, number)
    view = round_view(db(), the_event, the_round)
    people = {p.id: p for p in players_of(db(), the_event)}
    played = {g.id: scenario for g in view.games if (scenario := view.scenario_at(g))}
    scores = {g.id: score for g in view.games if (score := score_of(the_event, number, view.scenario_at(g), g))}
    by_name = sorted(
        ((people[one], game) for game in view.games for one in (game.a_id, game.b_id) if one),
        key=lambda row: row[0].name_key,
    )
    page = render_template(
        "event/team_round.html" if is_team_event(the_event) else "event/round.html",
        **(round_of_teams(the_event, view) if is_team_event(the_event) else {}),
        view=view,
        people=people,
        scenario=view.shared,
        played=played,
        scores=scores,
        by_name=by_name if request.args.get("order") == "name" else None,
        rounds=[r for r in rounds_in_short(db(), the_event) if access_play.may_see_round(visitor(), the_event, r)],
        locked=access_lists.lists_locked(the_event, now()),
    )
    return polled(page, the_event)


@blueprint.get("/e/<slug>/standings")
@cached_page("after")
def standings_page(slug: str) -> ResponseReturnValue:
    """The standings after the last complete round, or after an earlier one."""
    the_event = event_or_404(slug)
    complete = completed_rounds(public_round_views(db(), the_event))
    after = request.args.get("after", complete, type=whole_number)
    if not 0 <= after <= complete:
        abort(404)
    rows = standings(db(), the_event, after) if after else []
    page = render_template(
        "event/standings.html",
        rows=rows,
        in_knockout=any("place" in row.how for row in rows),
        people={str(p.id): p for p in players_of(db(), the_event)},
        after=after,
        complete=complete,
        tie_breaks=[TIE_BREAKS[name] for name in the_event.tie_breaks],
        scheme=scheme_of(the_event),
    )
    return polled(page, the_event)


@blueprint.get("/e/<slug>/players/<int:player_id>")
def player(slug: str, player_id: int) -> ResponseReturnValue:
    """A player in this event: their rounds, and their force once it may be seen."""
    the_event = event_or_404(slug)
    the_player = player_or_404(the_event, player_id)
    if not access.may_see_entry(visitor(), the_event, the_player):
        abort(404)
    people = {p.id: p for p in players_of(db(), the_event)}
    system, terms = system_of(the_event), terms_of(db(), the_event)
    games = []
    for view in public_round_views(db(), the_event):
        if view.state in ("planned", "drawn"):
            continue
        for game in view.games:
            if player_id in (game.a_id, game.b_id):
                scenario = view.scenario_at(game)
                score = score_of(the_event, view.round.number, scenario, game)
                games.append((view, game, scenario, score))
    stored = force_of(db(), the_player)
    submitted = stored is not None and stored.submitted
    force = stored
    if not access_lists.may_see_force(visitor(), the_player, the_event, now(), submitted=submitted):
        force = None
    draft = access_lists.may_see_draft(visitor(), the_player, the_event)
    shown = access_lists.lists_shown(the_event, now())
    seals = seals_of(db(), the_event).get(the_player.id, []) if draft or shown else []
    return render_template(
        "event/player.html",
        player=the_player,
        games=games,
        people=people,
        force=force,
        summary=system.summarise(force.document, terms.edition) if force else None,
        verdict=verdict_on(the_event, the_player, force, terms) if force else None,
        locked=access_lists.lists_locked(the_event, now()),
        shown=shown,
        open=access_lists.list_open(the_event, the_player, now()),
        seals=[seal for seal in seals if draft or seal.submitted],
        linked=draft or submitted,
        secret_until=shown_when(the_event),
        may_edit=access_lists.may_edit_force(visitor(), the_player, the_event, now()),
    )


@blueprint.get("/e/<slug>/lists")
def lists(slug: str) -> ResponseReturnValue:
    """All force lists once they are shown; from the lock until then the names and the hashes alone."""
    the_event = event_or_404(slug)
    locked, shown = access_lists.lists_locked(the_event, now()), access_lists.lists_shown(the_event, now())
    sealed = seals_of(db(), the_event) if locked else {}
    seals = {id_: found for id_, all_ in sealed.items() if (found := [seal for seal in all_ if seal.submitted])}
    forces = forces_of(db(), the_event) if shown else {}
    system, terms = system_of(the_event), terms_of(db(), the_event)
    rows: list[tuple[Player, ForceSummary | None, Verdict | None]] = []
    for one in placed(players_of(db(), the_event)):
        force = forces.get(one.id)
        # The page is the same for all readers: an unlocked list or a draft is not here, even for its own player.
        submitted = force is not None and force.submitted
        if force and access_lists.may_see_force(Visitor(), one, the_event, now(), submitted=submitted):
            rows.append(
                (one, system.summarise(force.document, terms.edition), verdict_on(the_event, one, force, terms))
            )
        elif one.id in seals:
            rows.append((one, None, None))
    return render_template(
        "event/lists.html",
        rows=rows,
        seals=seals,
        linked={id_ for id_, force in forces.items() if force.submitted},
        locked=locked,
        shown=shown,
        secret_until=shown_when(the_event),
    )


@blueprint.get("/e/<slug>/scenarios/<scenario_id>")
def scenario(slug: str, scenario_id: str) -> ResponseReturnValue:
    """A scenario of the event's game: set-up, map, scoring."""
    the_event = event_or_404(slug)
    known = scenarios_of(db(), the_event)
    own = own_scenario(db(), the_event.system, scenario_id) is not None
    drafts = access.may_pair(visitor(), the_event)  # a table's scenario in a draft is nobody else's
    views = (round_views if drafts else public_round_views)(db(), the_event)
    played = {one.id for view in views for one in (view.played if drafts else view.announced)}
    if scenario_id not in known or not access_play.may_see_scenario(visitor(), the_event, played, scenario_id, own=own):
        abort(404)
    return render_template("event/scenario.html", scenario=known[scenario_id])


@blueprint.get("/rules/<game:system_id>")
def rules(system_id: str) -> ResponseReturnValue:
    """The rules of a game with their ids, made from the same data that the checks use."""
    game = SYSTEMS[system_id]
    return render_template("rules.html", game=game, editions=editions_of(db(), game).values())
