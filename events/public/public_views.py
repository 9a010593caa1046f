"""Public pages: the front page, events, series, players, rules and calculators; and the event's version mark."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from flask import Blueprint, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import col, select
from werkzeug.datastructures import MultiDict

from events.accounts.own_pages import whose
from events.charts.drawing import Chart
from events.lists.locks import secret_until
from events.lists.queries import plays_without
from events.messages.copies import messages_to_all
from events.public.charts import faction_chart_of, vp_chart_of
from events.public.listed import MOST_NAMED, how_far, winners
from events.public.player_page import snapshot
from events.rounds.endings import endings
from events.setup.day import day_of
from events.setup.event_rules import event_rules
from events.standings.charts import rank_chart_of
from events.standings.loading import standings_in
from events.standings.queries import tie_breaks_changed
from events.standings.statistics_queries import has_statistics
from events.store.campaign import founded
from events.store.clock_queries import clock_of
from events.store.editions import editions_of, system_of
from events.store.ledger import load_payments
from events.store.outcomes import missed_rounds
from events.store.players import is_full, placed, places_left, places_left_in, places_taken, player_counts
from events.store.rounds import current_round, first_stage, is_unbegun, never_played
from events.store.scenarios import own_scenarios
from events.store.scoring import ordered_by
from events.store.team_queries import names_of, team_of
from events.store.verdicts import sealed_lists, terms_of, verdict_on
from events.store.visitor import Visitor
from events.tournament.ranking import Row, podium
from events.tournament.season import window_of
from events.visitors import access
from events.visitors.event_loading import players_in, public_views_in, tournament_in
from events.visitors.loading import (
    event_or_404,
    event_rounds,
    marked,
    opposes,
    own_mark,
    player_or_404,
    polled,
    system_or_404,
    visitor,
    visitor_mark,
)
from events.web.answers import figures_asked
from events.web.forms import SiteForm, answers_in, asked_field
from events.web.page_cache import cached_page, never_cached
from events.web.request import db, now
from models.event import Event, EventState, RoundState
from models.play import Game, Player, PlayerState
from validators.calculator import Calculator
from validators.game_system import GameSystem
from validators.scenario import Scenario, Score

blueprint = Blueprint("public", __name__)


@blueprint.get("/rules/<game:system_id>/<calculator_id>")
def calculators(system_id: str, calculator_id: str) -> ResponseReturnValue:
    """A calculator with the values in the address, or the example's, and its result."""
    system, calculator = _calculator(system_id, calculator_id)
    form = _filled(calculator)
    right = form.validate()
    shown = render_template(
        "hall/calculator.html",
        game=system,
        calculator=calculator,
        form=form,
        asked=bool(request.args),
        result=calculator.calculate(answers_in(form, calculator.asks)) if right else None,
    )
    return shown, 200 if right else 422


@blueprint.get("/api/v1/rules/<game:system_id>/<calculator_id>")
def calculator_as_json(system_id: str, calculator_id: str) -> ResponseReturnValue:
    """The calculation as JSON; 422 with the errors by field. Missing values are the example's."""
    system, calculator = _calculator(system_id, calculator_id)
    form = _filled(calculator)
    faults = {key: [f"{key} is not a field of this calculator."] for key in request.args if key not in form}
    if not form.validate():
        faults |= {field.name: [str(fault) for fault in field.errors] for field in form if field.errors}
    if faults:
        return jsonify(faults=faults), 422
    given = answers_in(form, calculator.asks)
    result = calculator.calculate(given)
    return jsonify(
        game=system.id,
        calculator=calculator.id,
        asked=given,
        figures={
            figure.key: {"label": figure.label, "value": figure.value, "unit": figure.unit, "how": figure.how}
            for figure in (*result.main, *result.figures)
        },
        tables=[
            {
                "title": table.title,
                "heads": [column.head for column in table.columns],
                "rows": [[cell.strip() for cell in row] for row in table.rows],
            }
            for table in result.tables
        ],
    )


def _calculator(system_id: str, calculator_id: str) -> tuple[GameSystem, Calculator]:
    system = system_or_404(system_id)
    try:
        return system, system.calculator(calculator_id).said()
    except KeyError:
        abort(404)


def _filled(calculator: Calculator) -> FlaskForm:
    """The form with the values in the address; missing values are the example's."""
    answered = {key: values[-1] for key, values in request.args.lists()}  # a checkbox sends 0, then 1 if ticked
    values = {key: str(value) for key, value in calculator.defaults.items()} | answered
    fields: dict[str, Any] = {ask.key: asked_field(ask) for ask in calculator.asks}
    form = type("CalculatorForm", (SiteForm,), fields)
    return form(formdata=MultiDict(values), meta={"csrf": False})


@blueprint.get("/e/<slug>/version")
@cached_page()
def version(slug: str) -> ResponseReturnValue:
    """The event's version mark for this visitor, as text; 304 if the request has the current mark."""
    mark = own_mark(slug) or visitor_mark(event_or_404(slug))
    answer = marked(mark.text, mark)
    answer.mimetype = "text/plain"
    return answer


NOBODY = Visitor()
"""A visitor who is neither staff nor player."""


@blueprint.get("/")
def home() -> ResponseReturnValue:
    query = select(Event).order_by(col(Event.starts_on).desc(), col(Event.id).desc())
    seen = [event for event in db().exec(query) if access.is_listed_for(visitor(), event)]
    groups = {
        "Now": [e for e in seen if e.state == EventState.IN_PROGRESS],
        "Soon": [e for e in reversed(seen) if is_unbegun(e) and not never_played(e, now())],
        "Past": [e for e in seen if e.state == EventState.FINISHED],
    }
    return render_template(
        "hall/home.html",
        groups=groups,
        lead=_lead_of(groups["Now"], groups["Soon"]),
        counts=player_counts(db(), seen),
        left=places_left_in(db(), seen),
        how_far=how_far(db(), [e for e in groups["Now"] if not e.cancelled_at], now()),
        won={e.id: winners(e) for e in groups["Past"][:MOST_NAMED] if not e.cancelled_at},
        may_register=lambda event: access.may_register(event, now()),
    )


def _lead_of(running: Sequence[Event], coming: Sequence[Event]) -> Event | None:
    """The event that the front page shows large: one of today, else the next to register for, else a running one."""
    today = [event for event in running if event.season is None and not event.cancelled_at]
    return next(iter([*today, *(event for event in coming if access.may_register(event, now())), *running]), None)


@blueprint.get("/e/<slug>")
@cached_page(others=("figures",))
def event(slug: str) -> ResponseReturnValue:
    the_event = event_or_404(slug)
    entered = players_in(the_event)
    views, t = public_views_in(the_event), tournament_in(the_event)
    current = current_round(views)
    finished = the_event.state == EventState.FINISHED
    running = None if finished else current
    shown = access.may_read_others(NOBODY, the_event, now())
    season, challenged = the_event.season, the_event.by_challenge  # its rounds are not planned
    final, ranks = _final(the_event, entered) if finished and t.counted else ([], None)
    if own_scenarios(db(), the_event.system):
        never_cached()  # changing the club's own scenario does not change the event's version
    # After the end the statistics have it, of all who played.
    factions = faction_chart_of(placed(entered)) if shown and not finished else None
    if (file := figures_asked(the_event.slug, ranks, factions)) is not None:
        return file
    if the_event.pay_link and (me := visitor().player_in(the_event)) is not None:
        load_payments([me])
    page = render_template(
        "hall/event.html",
        teams=names_of(views[0].teams) if views else {},
        written=messages_to_all(the_event),
        rules=event_rules(the_event, terms_of(the_event)),
        added=system_of(the_event).checks.rules_added(terms_of(the_event)),
        players=placed(entered),
        people={str(p.id): p for p in entered},
        factions=factions,
        count=player_counts(db(), [the_event])[the_event.id],
        dropped=[p for p in entered if p.state == PlayerState.DROPPED and p.dropped_after and not p.ringer],
        waiting=[p for p in entered if p.state == PlayerState.WAITING and access.may_see_entry(NOBODY, the_event, p)],
        places_left=places_left(the_event, entered),
        taken=places_taken(the_event, entered),
        full=is_full(the_event, entered),
        may_register=access.may_register(the_event, now()),
        window=access.registration_window(the_event, now()),
        views=views,
        current=current,
        t=t,
        clock=clock_of(the_event, running, event_rounds(the_event), now()) if running else None,
        podium=podium(final),
        ranks=ranks,
        has_statistics=has_statistics(the_event),
        day=day_of(the_event) if the_event.season is None and the_event.campaign is None else [],
        plan=[
            (
                view,
                view.announced,
                None if season is None or challenged else window_of(season, the_event.starts_on, view.round.number)[1],
            )
            for view in views
            if view.stage.has_rounds
        ],
        leaders=_leaders(the_event, entered) if season else [],
        rounds_known=not first_stage(the_event).sets_rounds or views[0].round.state != RoundState.PLANNED,
        tie_breaks=ordered_by(the_event),
        tie_breaks_changed=tie_breaks_changed(db(), the_event),
        locked=access.lists_locked(the_event, now()),
    )
    return polled(page, the_event)


def _leaders(event: Event, players: Sequence[Player]) -> list[tuple[Player, Row]]:
    """The first three of a season by the standings that everybody reads, from six players and the first result on."""
    rows = (snapshot(event).standings or [{}])[-1]
    if len(rows) <= 5 or not any(row.played for row in rows.values()):
        return []
    first = sorted((rows[p.id].rank, p.id) for p in players if p.id in rows and not rows[p.id].disqualified)[:3]
    people = {p.id: p for p in players}
    return [(people[id_], rows[id_]) for _, id_ in first]


def _final(event: Event, players: Sequence[Player]) -> tuple[list[Row], Chart | None]:
    """The final standings and the ranks by round; of teams no ranks, because those of their players do not count."""
    table = standings_in(event)
    if table.t.rules.teams:
        return table.of_teams(), None
    each = table.each(table.t.counted)
    return each[-1], rank_chart_of(event, each, {str(p.id): p for p in players}, None, final=True)


@blueprint.get("/e/<slug>/players/<int:player_id>")
def player(slug: str, player_id: int) -> ResponseReturnValue:
    """A player's rounds, and the force once it is public."""
    the_event = event_or_404(slug)
    the_player = player_or_404(the_event, player_id)
    if not access.may_see_entry(visitor(), the_event, the_player):
        abort(404)
    people = {p.id: p for p in players_in(the_event)}
    system, terms = system_of(the_event), terms_of(the_event)
    games: list[tuple[int, Game | None, Scenario | None, Score | None, str]] = []
    published: list[int] = []
    t = tournament_in(the_event)
    seen = snapshot(the_event)
    shown_after = seen.standings
    rows = shown_after[-1] if shown_after else {}
    for view in public_views_in(the_event):
        if view.state in ("planned", "drawn"):
            continue
        published.append(view.round.number)
        for game in view.games:
            if player_id in (game.a_id, game.b_id):
                board = t.boards[game.id]
                games.append((board.round, game, board.scenario, board.score, ""))
    if the_event.season is None:
        reasons = missed_rounds(the_player, published, {number for number, *_ in games})
        games += [(number, None, None, None, why) for number, why in reasons.items()]
    games.sort(key=itemgetter(0))
    stored = the_player.force_list
    submitted = stored is not None and stored.submitted
    force = stored
    if not access.may_see_force(
        visitor(), the_player, the_event, now(), submitted=submitted, opponent=opposes(the_event, the_player)
    ):
        force = None
    draft = access.may_see_draft(visitor(), the_player, the_event)
    shown = access.may_read_others(visitor(), the_event, now())
    seals = sealed_lists(the_event).get(the_player.id, []) if draft or shown else []
    vp = vp_chart_of(the_event, the_player, [(number, game, score) for number, game, _, score, _ in games], people)
    if (file := figures_asked(the_event.slug, vp)) is not None:
        return file
    return render_template(
        "hall/player.html",
        player=the_player,
        team=team_of(db(), the_event, the_player.team_id),
        place=None if player_id in rows and rows[player_id].disqualified else rows.get(player_id),
        newest=rows.get(player_id),
        is_begun=bool(published),
        field_size=len(rows),
        complete=len(shown_after),
        won=seen.won.get(player_id, ()),
        games=games,
        vp=vp,
        people=people,
        endings=endings(the_event, [game for _, game, *_ in games if game is not None], the_player.id),
        force=force,
        summary=system.forces.summarise(force.document, terms.edition) if force else None,
        verdict=verdict_on(the_event, the_player, force, terms) if force else None,
        locked=access.lists_locked(the_event, now()),
        shown=shown,
        waived=plays_without(the_player, stored),
        open=access.list_open(the_event, the_player, now()),
        seals=[seal for seal in seals if draft or seal.submitted],
        linked=draft or submitted,
        secret_until=secret_until(the_event, now()),
        may_edit=access.may_edit_force(visitor(), the_player, the_event, now()),
        person=whose(db(), [player_id]).get(player_id),
        grown=force is not None and the_event.campaign is not None and the_player.id in founded(db(), the_event),
    )


@blueprint.get("/rules/<game:system_id>")
def rules(system_id: str) -> ResponseReturnValue:
    """The rules of a game with their ids, from the data that the checks use."""
    game = system_or_404(system_id)
    return render_template("hall/rules.html", game=game, editions=editions_of(db(), game).values())
