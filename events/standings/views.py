"""The public standings, cross table and awards; awards at the desk."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.standings import awards
from events.standings.awards import calculated, decided, prizes
from events.standings.charts import rank_chart_of
from events.standings.forms import AwardForm, WinnerForm
from events.standings.loading import (
    asked_round,
    calculated_in,
    is_corrected_in,
    is_ranked,
    live_in,
    own_team,
    rounds_shown,
    standings_in,
)
from events.standings.pips import pips_of, ranks_moved, result_letter, ways_of
from events.standings.published_awards import (
    PUBLISHES,
    holds_final,
    is_embargoed,
    publish_awards,
    published_rows,
    unpublish_awards,
)
from events.standings.queries import tie_breaks_changed
from events.standings.raffle import raffle_of
from events.standings.soft_scores import under_vote
from events.store.clock_queries import clock_of
from events.store.editions import system_of
from events.store.rounds import first_stage
from events.store.scoring import knows_vp, ordered_by, scale_words
from events.store.team_queries import seat_id
from events.tournament.live import Live
from events.tournament.ranking import bye_words, cross_table, podium, provisional_words
from events.tournament.team_ranking import team_tie_breaks
from events.visitors import access
from events.visitors.event_loading import desk_tournament_in, drops_of, players_in, public_views_in, tournament_in
from events.visitors.loading import event_or_404, event_rounds, managed_event, polled, team_event_or_404, visitor
from events.web.answers import figures_asked
from events.web.forms import refusals_at
from events.web.page_cache import cached_page
from events.web.request import changing, db, id_sent, now, saving
from languages.words import N_, gettext
from models.award import AWARDED_FOR, Award, AwardKind, AwardPick
from models.event import Event

blueprint = Blueprint("standings", __name__)
blueprint.add_app_template_global(result_letter, "result_letter")


PRESSES: Mapping[str, tuple[Callable[..., None], str]] = {
    "usual": (awards.add_usual, N_("Added the usual awards.")),
    "publish": (publish_awards, N_("Everybody can read the awards now.")),
    "unpublish": (unpublish_awards, N_("The awards are hidden again.")),
    "from-start": (awards.show_from_start, N_("The projector shows no award.")),
}


@blueprint.route("/e/<slug>/desk/awards", methods=["GET", "POST"])
def manage_awards(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    sent = request.form.get("do", "") if request.method == "POST" else ""
    current = calculated(db(), event)
    add = AwardForm(prefix="a-") if sent == "add" else AwardForm(None, prefix="a-")
    faction = system_of(event).words.faction
    kinds = {kind: gettext(words, faction=faction) for kind, words in AWARDED_FOR.items()}
    without = {AwardKind.MOST_VP} if not knows_vp(event) else set()
    without |= set() if desk_tournament_in(event).rules.teams else {AwardKind.TEAM}
    add.kind.choices = [SelectChoice(*row) for row in kinds.items() if row[0] not in without]
    winner = WinnerForm(prefix="w-") if sent == "name" else WinnerForm(None, prefix="w-")
    winner.offer(event, current)
    if request.method == "POST" and sent not in ("add", "name"):
        abort(404)
    form = add if sent == "add" else winner
    if sent and form.validate():
        with refusals_at(form):
            with changing(event) as act, awards.hall_kept(act):
                if sent == "add":
                    kind = AwardKind(add.kind.data)
                    awards.add_award(act, kind, add.name.data, add.place.data)
                else:
                    prize = next(row for row in current if row.key == winner.award.data)
                    award = _award(event, prize.award.id)
                    awards.name_winner(act, award, prize.faction, winner.player.data, winner.reason.data)
            flash(gettext("Saved."), "success")
            return redirect(url_for("standings.manage_awards", slug=slug))
    t = desk_tournament_in(event)
    page = render_template(
        "standings/desk_awards.html",
        found=current,
        run=prizes(decided(db(), event)),
        add=add,
        winner=winner,
        kinds=kinds,
        rules=event.soft_rules,
        voting=under_vote(event),
        publishes=gettext(PUBLISHES),
        missing=awards.suggested_awards(event),
        complete=t.counted > 0,
        corrected=is_corrected_in(event),
        final=t.final,
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/awards/<verb>")
def act_on_awards(slug: str, verb: str) -> ResponseReturnValue:
    """Add the usual awards, publish or unpublish them, and step through the prize-giving."""
    event = managed_event(slug)
    if verb == "next":
        shown = id_sent("shown")
        with saving(event) as act:
            awards.show_next(act, -1 if shown is None else shown)
        return redirect(url_for("standings.manage_awards", slug=slug, _anchor="run"))
    if verb not in PRESSES:
        abort(404)
    action, message = PRESSES[verb]
    with saving(event, gettext(message)) as act:
        action(act)
    return redirect(url_for("standings.manage_awards", slug=slug))


@blueprint.post("/e/<slug>/desk/awards/<int:award_id>/<verb>")
def change_award(slug: str, award_id: int, verb: str) -> ResponseReturnValue:
    event = managed_event(slug)
    award = _award(event, award_id)
    if verb not in ("up", "down", "remove", "unname"):
        abort(404)
    pick_id = id_sent("pick") if verb == "unname" else None
    pick = db().get(AwardPick, pick_id) if pick_id else None
    if verb == "unname" and (pick is None or pick.award_id != award.id):
        abort(404)
    with saving(event) as act, awards.hall_kept(act):
        if pick is not None:
            awards.unname_winner(act, award, pick)
        elif verb == "remove":
            awards.remove_award(act, award)
        else:
            awards.move_award(act, award, -1 if verb == "up" else 1)
    return redirect(url_for("standings.manage_awards", slug=slug, _anchor="awards"))


def _award(event: Event, award_id: int) -> Award:
    award = db().get(Award, award_id)
    if award is None or award.event_id != event.id:
        abort(404)
    return award


@blueprint.get("/e/<slug>/awards")
@cached_page()
def awards_page(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    if not access.may_see_awards(visitor(), event):
        abort(404)
    table, players = standings_in(event), players_in(event)
    t, names = table.t, {str(p.id): p.name for p in players}
    corrected = is_corrected_in(event)
    final = published_rows(event, t) if corrected else table.after() if t.final else []
    first = podium(final)
    page = render_template(
        "standings/awards.html",
        awards=awards.off_podium(decided(db(), event, calculated_in(event), players), first),
        podium=first,
        corrected=corrected,
        raffled=raffle_of(db(), event).shown,
        pips=pips_of(t.results(len(t.rounds)), names, with_vp=knows_vp(event)) if first and not corrected else {},
        ways={}
        if corrected
        else ways_of([b.result for b in t.boards.values() if b.result], names, with_vp=knows_vp(event)),
        people={str(p.id): p for p in players},
    )
    return polled(page, event)


@blueprint.get("/e/<slug>/crosstable")
@cached_page()
def crosstable(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    t = tournament_in(event)
    if not first_stage(event).crossed or not t.published:
        abort(404)
    page = render_template(
        "standings/crosstable.html",
        rows=standings_in(event).of_players(rounds_shown(event, t)),
        cells=cross_table(t.results(len(t.rounds))),
        to_play=t.open_pairs(),
        people={str(p.id): p for p in players_in(event)},
        after=t.counted,
        playing=len(t.published) > t.counted,
    )
    return polled(page, event)


@blueprint.get("/e/<slug>/standings/teams")
@cached_page("after")
def team_standings_page(slug: str) -> ResponseReturnValue:
    event = team_event_or_404(event_or_404(slug))
    after, complete = asked_round(event)
    t, team_id, live = tournament_in(event), own_team(event), _live(event, of_teams=True)
    rows = live.rows if live else standings_in(event).of_teams(after) if after else []
    return _standings(
        event,
        live,
        of_teams=True,
        rows=rows,
        pips={},
        people={seat_id(team.id): team for team in public_views_in(event)[0].teams},
        own=seat_id(team_id) if team_id else "",
        after=after,
        complete=complete,
        tie_breaks=[(label, meaning) for _, label, meaning in team_tie_breaks(t.rules.match_scheme)],
        scheme=t.rules.match_scheme,
        byes=provisional_words(rows),
    )


@blueprint.get("/e/<slug>/standings")
@cached_page("after", others=("figures",))
def standings_page(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    t, (after, complete), live = tournament_in(event), asked_round(event), _live(event)
    people, scheme, season = players_in(event), t.rules.scheme, t.rules.season
    each = standings_in(event).each(after)
    rows = each[-1] if each else standings_in(event).of_players(0) if is_ranked(event, after) else []
    rows, last = ([*live.rows], len(t.published)) if live else (rows, after)
    results = t.results(last)
    on_ladder = first_stage(event).by_ladder
    named = {str(p.id): p for p in people}
    player = visitor().player_in(event)
    ranks = rank_chart_of(event, each, named, player, final=after == complete)
    if (file := figures_asked(event.slug, ranks)) is not None:
        return file
    names, open_pairs = {str(p.id): p.name for p in people}, t.open_pairs() if live else {}
    return _standings(
        event,
        live,
        rows=rows,
        ranks=ranks,
        in_knockout=any(row.how.get("place") for row in rows),
        on_ladder=on_ladder,
        moved=ranks_moved(each[-2], rows) if len(each) > 1 and season is None and not live else {},
        pips={} if on_ladder else pips_of(results, names, with_vp=knows_vp(event), open_pairs=open_pairs),
        people=named,
        own=str(player.id) if player else "",
        drops=drops_of(event, people) if visitor().account else {},
        after=after,
        complete=complete,
        tie_breaks=[(tie_break.label, tie_break.explanation) for tie_break in ordered_by(event)],
        changed=tie_breaks_changed(db(), event),
        scheme=scheme,
        byes=bye_words(rows, results, scheme),
    )


def _live(event: Event, *, of_teams: bool = False) -> Live | None:
    if "after" in request.args:
        return None
    return live_in(event, of_teams=of_teams, for_staff=access.may_see_desk(visitor(), event))


def _standings(event: Event, live: Live | None, **shown: Any) -> ResponseReturnValue:
    t, corrected = tournament_in(event), is_corrected_in(event)
    published = published_rows(event, t) if corrected else []
    playing = [view for view in public_views_in(event) if view.state == "playing"]
    page = render_template(
        "standings/standings.html",
        t=t,
        live=live,
        spans=live.spans if live else {},
        playing=playing,
        clock=clock_of(event, playing[0], event_rounds(event), now()) if playing else None,
        held=is_embargoed(db(), event, t) or (t.is_last_published and holds_final(event)),
        corrected=bool(published) or (corrected and t.final),
        published=published if "after" not in request.args else [],
        shows_now=live is not None or (bool(playing) and "after" in request.args),
        scale=scale_words(event),
        everybody={player.id: player for player in players_in(event)},
        **shown,
    )
    return polled(page, event)
