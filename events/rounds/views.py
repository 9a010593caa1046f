"""Rounds: draw and publish at the desk; the public page of a round."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.rounds import actions, drawing
from events.rounds.byes import players_asking_bye, players_to_draw, stand_in
from events.rounds.draft_page import draft_costs, draft_page
from events.rounds.endings import endings_in
from events.rounds.formats import changeable_choices
from events.rounds.queries import scenarios_by_game, scores_of, why_not_drawn
from events.rounds.unpublishing import unpublishing
from events.standings.loading import own_team, standings_in
from events.store.clock_queries import clock_of
from events.store.players import by_name, placed
from events.store.rounds import (
    RoundView,
    request_drawn,
    round_of,
    round_view,
)
from events.store.team_queries import playing
from events.visitors import access
from events.visitors.event_loading import desk_tournament_in, loaded_in, players_in, tournament_in, view_in, warnings_of
from events.visitors.loading import (
    event_or_404,
    event_rounds,
    managed_event,
    polled,
    round_or_404,
    shown_round_or_404,
    views_of,
    visitor,
)
from events.web.page_cache import cached_page, shared
from events.web.parsing import one_spelling, search_key
from events.web.request import db, now, saving
from languages.words import counted_points, gettext
from models.base import new_seed
from models.event import Event, RoundState
from models.play import Game, Player
from models.team import Team

blueprint = Blueprint("rounds", __name__)


@blueprint.get("/e/<slug>/desk/rounds/<int:number>")
def manage_round(slug: str, number: int) -> ResponseReturnValue:
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if not view_in(event, the_round).stage.has_rounds:
        return redirect(url_for("leagues.manage_season", slug=slug))
    if the_round.state == RoundState.DRAWN and not access.may_pair(visitor(), event):
        return render_template("rounds/not_yet.html", round=the_round, views=views_of(event))
    if the_round.state == RoundState.DRAWN:
        return draft_page(event, the_round)
    loaded = loaded_in(event)
    view, entered, of_teams = view_in(event, the_round), loaded.players, loaded.t.rules.teams
    here = {
        "here": sum(p.state == "checked_in" for p in entered),
        "absent": loaded.awaited,
    }
    return render_template(
        "rounds/desk_round.html",
        **(teams_to_draw(view.teams, entered) | round_of_teams(event, view) if of_teams else here),
        of_teams=of_teams,
        view=view,
        views=loaded.views,
        people={p.id: p for p in entered},
        name_warnings=warnings_of(event) if view.games else {},
        to_draw=len(players_to_draw(entered, the_round.number)),
        misses=players_asking_bye(entered, the_round.number),
        stands_in=stand_in(entered, the_round.number),
        scenario=view.shared,
        played=scenarios_by_game(view),
        scores=scores_of(view),
        endings=endings_in(event, view),
        chosen=changeable_choices(loaded.t, view),
        back=unpublishing(event, the_round),
        costs=draft_costs(view) if the_round.outcome else None,
        by_hand=not the_round.inputs or request_drawn(the_round).format.kind == "swiss",
        why_not=why_not_drawn(loaded, the_round.number),
    )


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/draw")
def draw_round(slug: str, number: int) -> ResponseReturnValue:
    """Draw the round as a draft. ``over`` is the seed of the draw to replace."""
    draw_it = partial(drawing.draw_round, over=request.args.get("over", ""))
    did = gettext("Drawn. Nobody else sees it until you publish it.")
    return _act(managed_event(slug), number, draw_it, did, new_seed(), public=False)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/discard")
def discard(slug: str, number: int) -> ResponseReturnValue:
    return _act(managed_event(slug), number, actions.discard_draw, gettext("The draw is discarded."), public=False)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/publish")
def publish(slug: str, number: int) -> ResponseReturnValue:
    publish_it = partial(actions.publish_round, sure=request.form.get("sure") == "1")
    return _act(managed_event(slug), number, publish_it, gettext("Round %(number)s is published.", number=number))


def _act(
    event: Event, number: int, action: Callable[..., object], message: str, *extra: int, public: bool = True
) -> ResponseReturnValue:
    round_or_404(event, number)
    with saving(event, message, public=public) as act:
        action(act, number, *extra)
    if round_of(event, number) is None:  # discarding a cut's first round deletes the cut
        return redirect(url_for("field.cut", slug=event.slug))
    return redirect(url_for("rounds.manage_round", slug=event.slug, number=number))


@blueprint.get("/e/<slug>/tables/<int:number>")
def table_page(slug: str, number: int) -> ResponseReturnValue:
    """The address of a table's QR code: the table in the newest published round, or the event's page before round 1."""
    event = event_or_404(slug)
    published = [summary.number for summary in event.schedule if summary.state == RoundState.PUBLISHED]
    if not published:
        return redirect(url_for("public.event", slug=slug))
    return redirect(url_for("rounds.round_page", slug=slug, number=published[-1], _anchor=f"table-{number}"))


MOST_FOUND = 6
"""Tables that "Find your table" shows; with more, the name is too short to say."""


def named(typed: str, rows: Sequence[tuple[Player, Game]]) -> list[tuple[Player, Game]]:
    """The players whose name contains what is typed, accents and case aside; none if nothing is typed."""
    wanted = search_key(typed)
    keys = ((row, search_key(row[0].name)) for row in rows)
    return [row for row, key in keys if wanted and (wanted in key or one_spelling(wanted) in one_spelling(key))]


@dataclass(frozen=True)
class PointsBefore:
    """The players' points before a round in words, by their ids: the same for all who read the round's page."""

    cache_bytes: ClassVar[int] = 100_000
    """Its size in bytes with 500 players."""
    points: Mapping[str, int]


def _points_before(event: Event, view: RoundView) -> Mapping[str, str]:
    """The points after the rounds before this one; none before round 2, in a season or knockout, or of teams."""
    number = view.round.number
    if number < 2 or view.stage.by_days or view.stage.one_wins or view.matches:
        return {}

    def made() -> PointsBefore:
        table = standings_in(event)
        rows = table.of_players(number - 1) if table.t.counted else []
        return PointsBefore({row.id: row.points for row in rows})

    points = shared(event, f"points before round {number}", made).points
    return {id_: counted_points(number) for id_, number in points.items()}


@blueprint.get("/e/<slug>/rounds/<int:number>")
@cached_page(order="name", others=("find",))
def round_page(slug: str, number: int) -> ResponseReturnValue:
    """The pairings of a round, by table or by name."""
    the_event = event_or_404(slug)
    the_round = shown_round_or_404(the_event, number)
    view = round_view(the_event, the_round)
    if not view.stage.has_rounds:
        return redirect(url_for("leagues.season_page", slug=slug, _anchor="fixtures"))
    people = {p.id: p for p in players_in(the_event)}
    in_order = sorted(
        ((people[id_], game) for game in view.games for id_ in (game.a_id, game.b_id) if id_),
        key=lambda row: by_name(row[0]),
    )
    typed = request.args.get("find", "")[:80]
    page = render_template(
        "rounds/round.html",
        **(round_of_teams(the_event, view) if view.matches else {}),
        view=view,
        people=people,
        scenario=view.shared,
        played=scenarios_by_game(view),
        scores=scores_of(view),
        draw_count=drawing.count_of_draw(db(), the_event, the_round),
        endings=endings_in(the_event, view),
        by_name=in_order if request.args.get("order") == "name" else None,
        typed=typed,
        found=named(typed, in_order)[:MOST_FOUND],
        clock=clock_of(the_event, view, event_rounds(the_event), now()),
        so_far=_points_before(the_event, view),
        rounds=[r for r in event_rounds(the_event) if access.may_see_round(visitor(), the_event, r)],
        locked=access.lists_locked(the_event, now()),
    )
    return polled(page, the_event)


def round_of_teams(event: Event, view: RoundView) -> dict[str, Any]:
    """Teams, boards and scores, for the page of a round of teams."""
    t = tournament_in(event) if view.round.state == RoundState.PUBLISHED else desk_tournament_in(event)
    worth = t.match_scores(view.round.number)
    return {
        "teams": {team.id: team for team in view.teams},
        # both teams' scores so far
        "match_scores": {match.id: of_both for match, of_both in zip(view.matches, worth, strict=True)},
        "boards": {
            match.id: sorted((g for g in view.games if g.match_id == match.id), key=lambda game: game.board or 0)
            for match in view.matches
        },
        "own_team": own_team(event),
    }


def teams_to_draw(teams: Sequence[Team], players: Sequence[Player]) -> dict[str, Any]:
    """Before a round of teams is drawn: how many have players here, which have none, and players in no team."""
    here = playing(teams, players)
    return {
        "here": len(here),
        "absent": [team for team in teams if team.dropped_after is None and team not in here],
        "alone": [p for p in placed(players) if p.team_id is None],
    }
