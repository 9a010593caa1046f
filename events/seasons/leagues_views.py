"""A season: its home with all fixtures, the days that players agree on, and the desk's page of open games."""

from collections.abc import Iterable

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.results import challenges
from events.rounds.endings import endings
from events.seasons import league_actions as actions
from events.seasons.forms import DatesForm
from events.seasons.league_queries import Fixture, by_urgency, fixture_of, fixtures, next_ones
from events.standings.charts import points_chart_of
from events.standings.loading import rounds_shown, standings_in
from events.store.errors import Refused
from events.store.players import by_name
from events.store.rounds import ends_of, first_stage, knockout_title
from events.store.tournaments import Loaded
from events.tournament.ranking import cross_table
from events.tournament.season import arranged_in
from events.visitors.event_loading import players_in, public_views_in
from events.visitors.loading import (
    event_or_404,
    game_or_404,
    managed_event,
    own_player_or_403,
    player_or_404,
    polled,
    views_of,
    visitor,
)
from events.web.answers import figures_asked
from events.web.forms import refusals_at
from events.web.page_cache import cached_page
from events.web.request import changing, db, id_sent, local_day, saving
from languages.words import gettext
from models.base import new_seed
from models.event import Event, Round
from models.play import Player
from validators.scenario import Side

blueprint = Blueprint("leagues", __name__)
FIRST_RANKS = 8
"""Shown on the season's home."""


def season_or_404(event: Event) -> Event:
    if event.season is None:
        abort(404)
    return event


def _people(event: Event) -> dict[int, Player]:
    return {player.id: player for player in players_in(event)}


@blueprint.get("/e/<slug>/season")
@cached_page("player", others=("figures",))
def season_page(slug: str) -> ResponseReturnValue:
    """The season: the next games, the standings in short, and every fixture; ``?player=`` those of one player."""
    event = season_or_404(event_or_404(slug))
    views, people, table = public_views_in(event), _people(event), standings_in(event)
    wanted = request.args.get("player", "")
    chosen = next((player for player in people.values() if str(player.id) == wanted), None)
    if wanted and chosen is None:
        abort(404)
    games, t = fixtures(event, views, local_day(event)), table.t
    loaded = Loaded(event, players_in(event), views)
    me, season = visitor().player_in(event), t.rules.season
    by_challenge, shown = season is not None and season.by_challenge, rounds_shown(event, t)
    each = table.each(shown)
    begun = max((fixture.number for fixture in games if not fixture.is_open), default=0)
    crossed = first_stage(event).crossed and bool(t.published)
    rows = each[-1] if each else table.of_players(shown)
    points = points_chart_of(event, each[:begun], people)
    if (file := figures_asked(event.slug, points)) is not None:
        return file
    page = render_template(
        "leagues/home.html",
        next_games=next_ones(games, me)[:FIRST_RANKS],
        my_games=[fixture.game.id for fixture in games if me and me.id in (fixture.game.a_id, fixture.game.b_id)],
        groups=_by_round(
            fixture for fixture in games if chosen is None or chosen.id in (fixture.game.a_id, fixture.game.b_id)
        ),
        decided=sum(not fixture.is_open for fixture in games),
        games=len(games),
        chosen=chosen,
        players=sorted({p.id: p for fixture in games
                        for p in (people[fixture.game.a_id], people[fixture.game.b_id or 0])}.values(), key=by_name),
        rows=rows[: None if by_challenge else FIRST_RANKS],
        points=points,
        cross=rows if crossed else [],
        cells=cross_table(t.results(len(t.rounds))) if crossed else {},
        to_play=t.open_pairs() if crossed else {},
        season=season,
        stages={view.round.number: knockout_title(view.round) for view in views},
        reasons=actions.challenge_obstacles(loaded, me, local_day(event)) if me and by_challenge else {},
        people=people,
        by_id={str(id_): player for id_, player in people.items()},
        endings=endings(event, [fixture.game for fixture in games if not fixture.is_open]),
        scores={id_: board.score for id_, board in t.boards.items() if board.score is not None},
        today=local_day(event),
        ends=max([ends_of(event), *(fixture.due for fixture in games)]),
    )  # fmt: skip
    return polled(page, event)


def _by_round(games: Iterable[Fixture]) -> list[tuple[int, list[Fixture]]]:
    """The fixtures by round; challenges, the newest first, under 0."""
    groups: dict[int, list[Fixture]] = {}
    for fixture in games:
        groups.setdefault(0 if fixture.arranged.challenged else fixture.number, []).append(fixture)
    return [
        (number, some if number else sorted(some, key=lambda fixture: -fixture.game.id))
        for number, some in groups.items()
    ]


@blueprint.post("/e/<slug>/me/season/challenge")
def challenge(slug: str) -> ResponseReturnValue:
    event = season_or_404(event_or_404(slug))
    player = own_player_or_403(event)
    other = player_or_404(event, id_sent("other") or 0)
    with saving(event, gettext("You challenged %(name)s.", name=other.name)) as act:
        actions.challenge(act, player, other, local_day(event))
    return redirect(url_for("player.today", slug=slug))


@blueprint.post("/e/<slug>/me/season/<int:game_id>/<verb>")
def answer_challenge(slug: str, game_id: int, verb: str) -> ResponseReturnValue:
    """Accept or decline a challenge; the challenger withdraws it."""
    event = season_or_404(event_or_404(slug))
    game = game_or_404(event, game_id)
    player = own_player_or_403(event)
    if player.id == game.a_id and verb == "withdraw":
        with saving(event, gettext("You withdrew the challenge.")) as act:
            challenges.withdraw_challenge(act, game, player)
        return redirect(url_for("player.today", slug=slug))
    if player.id != game.b_id or verb not in ("accept", "decline"):
        abort(404)
    accepted, declined = gettext("Accepted. Agree on a day now."), gettext("Declined: the game is forfeited.")
    with saving(event, accepted if verb == "accept" else declined) as act:
        actions.answer_challenge(act, game, player, accept=verb == "accept")
    return redirect(url_for("player.today", slug=slug))


@blueprint.post("/e/<slug>/desk/season/start")
def start_season(slug: str) -> ResponseReturnValue:
    event = season_or_404(managed_event(slug))
    with saving(event, gettext("The season has begun: players can challenge each other.")) as act:
        actions.start_season(act)
    return redirect(url_for("leagues.season_page", slug=slug))


@blueprint.post("/e/<slug>/me/season/<int:game_id>")
def arrange(slug: str, game_id: int) -> ResponseReturnValue:
    """Propose a day for the own game, or agree to the opponent's."""
    event = season_or_404(event_or_404(slug))
    game = game_or_404(event, game_id)
    player = own_player_or_403(event)
    if player.id not in (game.a_id, game.b_id):
        abort(404)
    action = actions.agree_to_day if request.values.get("do") == "agree" else actions.propose
    side: Side = "a" if player.id == game.a_id else "b"
    form = DatesForm()
    with saving(event) as act:
        if not form.validate() or form.day.data is None:
            raise Refused(gettext("Enter a day."))
        action(act, game, side, form.day.data, local_day(event))
        agreed = arranged_in(game.arranged).agreed
        flash(
            gettext("The day is agreed.") if agreed else gettext("Proposed. Your opponent agrees on their own page."),
            "success",
        )
    return redirect(url_for("player.today", slug=slug))


@blueprint.get("/e/<slug>/desk/season")
def manage_season(slug: str) -> ResponseReturnValue:
    event = season_or_404(managed_event(slug))
    today = local_day(event)
    page = render_template(
        "leagues/desk.html",
        found=by_urgency(fixtures(event, views_of(event), today), today),
        people=_people(event),
    )
    return polled(page, event)


@blueprint.post("/e/<slug>/desk/season/draw")
def draw_fixtures(slug: str) -> ResponseReturnValue:
    """Draw and publish all rounds of a round robin."""
    event = season_or_404(managed_event(slug))
    with saving(event, gettext("All rounds are drawn and published.")) as act:
        actions.draw_season(act, new_seed())
    return redirect(url_for("leagues.manage_season", slug=slug))


@blueprint.route("/e/<slug>/desk/season/games/<int:game_id>", methods=["GET", "POST"])
def dates(slug: str, game_id: int) -> ResponseReturnValue:
    event = season_or_404(managed_event(slug))
    game = game_or_404(event, game_id)
    fixture = fixture_of(event, db().get_one(Round, game.round_id).number, game, local_day(event))
    assert fixture is not None  # noqa: S101 - a game of two players in a season
    form = DatesForm(
        data={"day": fixture.arranged.standing, "due": fixture.arranged.due, "reason": fixture.arranged.reason}
    )
    form.reason.flags.optional = False
    if request.form.get("do") == "cancel":
        with refusals_at(form):
            with changing(event) as act:
                challenges.cancel_challenge(act, game, form.reason.data or "")
            flash(gettext("The challenge is cancelled. Both players read why."), "success")
            return redirect(url_for("leagues.manage_season", slug=slug))
    elif request.method == "POST" and form.validate():
        with refusals_at(form):
            with changing(event) as act:
                actions.set_dates(act, game, form.day.data, form.due.data, form.reason.data)
            flash(gettext("The dates are changed."), "success")
            return redirect(url_for("leagues.manage_season", slug=slug))
    page = render_template("leagues/dates.html", one=fixture, form=form, people=_people(event), ends=ends_of(event))
    return page, 422 if form.errors else 200
