"""The player's page: table, opponent, next step, and the results so far.

All phones of the hall load it at once when a round is published. Their shared data comes from a snapshot of the event
(``events.public.player_page``); otherwise only the player's own rows are read.
"""

from collections.abc import Callable
from typing import Any, Literal

from flask import (
    Blueprint,
    get_template_attribute,
    render_template,
)
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlalchemy.orm.attributes import set_committed_value

from events.journal.calendar import changes
from events.lists.locks import shown_when
from events.lists.queries import plays_without
from events.messages.copies import inbox
from events.public.player_page import (
    Now,
    OwnGames,
    PageFacts,
    Snapshot,
    at_hand,
    now_of,
    open_games,
    own_decisions,
    own_games,
    record_of,
    snapshot,
    standing_of,
)
from events.registration.conventions import clash_words, moved_to
from events.results.reports import latest, waiting
from events.rounds.endings import endings
from events.seasons.campaign_queries import own_row
from events.seasons.league_queries import fixture_of
from events.standings.soft_scores import has_voted, marks_open, vote_open
from events.store.campaign import campaign_rules, muster_words, terms_of_battle, to_forfeit, todo_of
from events.store.clock_queries import RoundClock, running_clock
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.last_games import leaving_of, leaving_words
from events.store.ledger import load_payments
from events.store.outcomes import lone_board, own_score
from events.store.players import gets_place, places_left
from events.store.roles import fields_a_part, role_of
from events.store.rounds import RoundView, ends_of, is_last_round
from events.store.team_queries import captain_of, chosen_by, has_room, own_match, team_of
from events.store.verdicts import cost_when_submitted, fielded_of, terms_of, turn_order, verdict_on
from events.visitors import access
from events.visitors.event_loading import campaign_of
from events.visitors.loading import event_or_404, own_player_or_403, polled, private_path, tabs_of, visitor
from events.web.page_cache import shared
from events.web.request import db, local_day, now
from languages.words import language, ngettext
from models.event import Event, EventState
from models.play import Game, GameState, Player, PlayerState
from models.team import Team, TeamMatch
from validators.measures import measured
from validators.scenario import Scenario, Side

blueprint = Blueprint("player", __name__)


def today_page(event: Event, player: Player) -> str:
    shared = snapshot(event)
    if not shared.ruled:
        set_committed_value(event, "rulings", [])  # known to be empty, so not queried
    if player.id not in shared.paid:
        set_committed_value(player, "payments", [])
    load_payments([player])
    own = own_games(db(), shared, player)
    view, game = at_hand(shared, player, own) or (shared.view, None)
    match = own_match(shared.view.matches, player.team_id) if shared.view else None
    facts = PageFacts(
        event=event.state,
        player=player.state,
        round="none" if view is None else "complete" if view is shared.view and shared.complete else "playing",
        game="none" if game is None else _how_far(game),
        matched=match is not None,
        challenges=event.by_challenge
        and event.state == EventState.IN_PROGRESS
        and not any(round_.bracket for round_ in shared.rounds),
    )
    where, standing = now_of(facts), None if shared.held else standing_of(shared, player)
    today, season = local_day(event), event.season
    ended = season is not None and today > ends_of(event)
    leads = standing is not None and standing.rank == 1 and season is not None and season.kind == "ladder"
    record = record_of(shared, event, player, own)
    everybody = [*shared.people.values()]
    left = places_left(event, everybody)
    return render_template(
        "hall/today.html",
        tabs_of_all=_tabs(event),
        drawn=lambda scenario: _drawn(event, scenario),
        now=where,
        shared=shared,
        people=shared.people,
        player=player,
        view=view,
        clock=None if where == Now.LEFT else _clock(event, shared, own, game),
        game=game,
        open_games=[
            (
                round_view,
                other,
                access.may_report(visitor(), event, other),
                fixture_of(event, round_view.round.number, other, today),
            )
            for round_view, other in open_games(shared, player, own)[1:]
        ],
        **_group(event, shared, player),
        fixture=fixture_of(event, view.round.number, game, today) if where == Now.GAME and view and game else None,
        too_late=event.cut is not None
        and view is not None
        and player.entered_round > event.rounds <= view.round.number,
        is_out=shared.t.is_out(str(player.id)),
        last_round=view is not None and is_last_round(event, shared.rounds, view.round.number),
        record=record,
        endings=endings(
            event,
            [played for played in (game, *(line.game for line in record)) if played is not None],
            player.id,
            reads=True,
            rounds=shared.rounds,
            conceded=shared.conceded,
        ),
        decisions=own_decisions(db(), shared, player, own),
        written=inbox(event, player) if player.id in shared.written else [],
        **_votes(event, player),
        **(_rulings(event, player) if player.id in shared.ruled else {}),
        changes=changes(event, shared.settings, player.registered_at),
        own_awards=shared.won.get(player.id, ()),
        standing=standing,
        today=today,
        ended=ended,
        leads=leads,
        cancelled=shared.cancelled.get(player.id),
        may_challenge=player.state == PlayerState.CHECKED_IN and not ended and not leads,
        may_join_team=shared.t.rules.teams and access.may_join_team(visitor(), event, player),
        may_leave=access.may_leave(visitor(), player, event),
        moved=moved_to(db(), event, player) if where == Now.LEFT else None,
        clashes=clash_words(db(), visitor(), event, player),
        path_of=private_path,
        may_come_back=access.may_come_back(visitor(), player, event, now()),
        is_free=left != 0 if player.team_id is None else gets_place(event, everybody, player.team_id),
        places_left=left,
        on_leaving=_on_leaving(event, shared, player, own),
        waiting=own.waiting,
        **(_of_game(event, shared, player, view, game) if where == Now.GAME and view and game else {}),
        **(_of_team(shared, player, match) if match else {"team_match": None}),
        **_of_list(event, player),
        **_code(event, shared, player),
    )


def _on_leaving(event: Event, shared: Snapshot, player: Player, own: OwnGames) -> str:
    played = [(view, own.by_id.get(game.id, game)) for view, game in shared.played.get(player.id, ())]
    return leaving_words(leaving_of(event, played, player, at_once=False), shared.people)


def _group(event: Event, shared: Snapshot, player: Player) -> dict[str, Any]:
    """In a campaign, the player's current group, its open steps, and by game who forfeits it, in words."""
    try:
        history, results = campaign_of(event) if campaign_rules(event) is not None else (None, {})
    except Refused:  # the campaign's own pages show the error
        history, results = None, {}
    if history is None:
        return {"todo": None, "group": None, "not_fought": {}}
    todo = todo_of(event, history, results, player.id) if event.state == EventState.IN_PROGRESS else None
    terms = terms_of_battle(event)
    row = own_row(event, history, results, player, terms, shared.t.won_lost, own=True)
    not_fought = {
        game: [muster_words(history, results, group, own=group == player.id) for group in groups]
        for game, groups in to_forfeit(shared.t, history, results).items()
    }
    return {"todo": todo, "group": row, "not_fought": not_fought}


def _code(event: Event, shared: Snapshot, player: Player) -> dict[str, Team | None]:
    """The team whose code the page shows: the captain's own, while it has space."""
    team = team_of(db(), event, player.team_id)
    if team is None or not has_room(event, shared.people.values(), team):
        return {"code_of": None}
    captain = captain_of(shared.people.values(), team)
    return {"code_of": team if access.may_hand_out_code(visitor(), captain) else None}


def _clock(event: Event, shared: Snapshot, own: OwnGames, game: Game | None) -> RoundClock | None:
    if shared.view is None or shared.complete or event.season is not None:
        return None
    if game is not None and game.round_id != shared.view.round.id:
        return None
    the_round, played = shared.view.round, shared.view.now.begun or shared.view.round.id in own.begun
    return running_clock(event, the_round, shared.timed, shared.rounds, now(), game, played=played)


def _how_far(game: Game) -> Literal["bye", "open", "decided"]:
    if game.b_id is None:
        return "bye"
    return "decided" if game.state == GameState.CONFIRMED else "open"


def _of_game(event: Event, shared: Snapshot, player: Player, view: RoundView, game: Game) -> dict[str, Any]:
    """The opponent, the scenario, and the player's possible actions."""
    other = shared.people[(game.b_id if player.id == game.a_id else game.a_id) or 0]
    scenario = view.scenario_at(game)
    sideboard = fields_a_part(event, scenario, game)
    chosen = fielded_of(db(), game) if sideboard else {}
    seen = other.id in shared.with_list and access.may_see_force(
        visitor(), other, event, now(), submitted=other.id in shared.submitted, opponent=True
    )
    side: Side = "a" if player.id == game.a_id else "b"
    waits = waiting(latest(db(), game)) if game.state == GameState.REPORTED else None
    return {
        "other": other,
        "scenario": scenario,
        "own_score": own_score(lone_board(event, view.round.number, scenario, game).score, side),
        "call": shared.calls.get(game.id),
        "from_sheet": waits is not None and waits.by_sheet,
        "role": role_of(scenario, game, player.id),
        "sideboard": sideboard,
        "chosen": len(chosen),
        "own_choice": player.id in chosen,
        "may_report": access.may_report(visitor(), event, game),
        "opponent_list": seen,
        "turn_order": _turn_order(event, game, player, other) if seen else (),
    }


def _turn_order(event: Event, game: Game, player: Player, other: Player) -> tuple[str, ...]:
    """The turn order of both forces, if the game has one."""
    if system_of(event).papers.turn_order is None:
        return ()
    forces = {side.id: side.force_list for side in (player, db().get_one(Player, other.id))}  # the other is a copy
    a, b = forces[game.a_id], forces[game.b_id or 0]
    return turn_order(event, a.document if a else None, b.document if b else None)


def _of_team(shared: Snapshot, player: Player, match: TeamMatch) -> dict[str, Any]:
    """In a team event: the match, and whether the player is the captain who chooses the boards."""
    teams = {row.id: row for row in shared.view.teams} if shared.view else {}
    team = teams[match.a_id if match.a_id == player.team_id else match.b_id or 0]
    captain = captain_of(shared.people.values(), team)
    return {
        "teams": teams,
        "team_match": match,
        "captain": captain is not None and captain.id == player.id,
        "order_chosen": chosen_by(match, team.id) is not None,
    }


def _of_list(event: Event, player: Player) -> dict[str, Any]:
    force = player.force_list
    may_edit = access.may_edit_force(visitor(), player, event, now())
    is_open = access.list_open(event, player, now())
    waived = plays_without(player, force)
    has_list = waived or (force is not None and force.submitted)
    late = event.late_list_hours and access.lists_locked(event, now()) and not has_list
    return {
        "list_is_next": may_edit and is_open and not has_list and not event.cancelled_at,
        "force": force,
        "waived": waived,
        "verdict": verdict_on(event, player, force, terms_of(event)) if force else None,
        "cost_before": cost_when_submitted(db(), event, force) if force else None,
        "locked": access.lists_locked(event, now()),
        "open": is_open,
        "may_edit": may_edit,
        "secret_until": shown_when(event),
        "may_come_late": bool(late) and player.state == PlayerState.WAITING,
        "late_time": ngettext("%(num)s hour", "%(num)s hours", event.late_list_hours) if late else "",
    }


def _rulings(event: Event, player: Player) -> dict[str, Any]:
    of_team = event.team_rulings if player.team_id is not None else ()
    return {
        "rulings": [ruling for ruling in event.rulings if ruling.player_id == player.id],
        "team_rulings": [team_ruling for team_ruling in of_team if team_ruling.team_id == player.team_id],
    }


def _votes(event: Event, player: Player) -> dict[str, bool]:
    ballot = access.may_vote(visitor(), event, player, is_open=vote_open(event))
    return {
        "ballot": ballot,
        "voted": ballot and has_voted(db(), player),
        "sports": access.may_mark_opponents(visitor(), event, player, is_open=marks_open(event)),
    }


def _tabs(event: Event) -> Markup | None:
    """The tabs that all players share; None for staff."""
    if access.may_see_desk(visitor(), event):
        return None
    tabs: Callable[..., Markup] = get_template_attribute("web/_event.html", "public_tabs")
    return shared(event, f"tabs {language()}", lambda: tabs(event, tabs_of(event), True, False, "me"))


def _drawn(event: Event, scenario: Scenario) -> Markup:
    """The map of a scenario without names, rendered once per event."""
    drawing: Callable[..., Markup] = get_template_attribute("lists/_map.html", "map_drawing")
    name = f"map {scenario.id} {language()}"
    return shared(event, name, lambda: drawing(scenario, measured(scenario, system_of(event).rulers)))


@blueprint.get("/e/<slug>/me")
def today(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    return polled(today_page(event, player), event)
