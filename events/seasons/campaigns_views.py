"""A campaign: its page, the groups with their ledgers, and the desk's page."""

import logging
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm.exc import StaleDataError

from events.charts.picture import emblem, portrait
from events.seasons import campaign_actions as actions
from events.seasons import campaign_queries as queries
from events.seasons import changes, charts
from events.seasons.forms import form_of_questions
from events.seasons.league_queries import fixtures, next_ones
from events.seasons.loading import campaign_or_404, chance_in, groups_shown
from events.setup.campaign_choice import set_campaign, settings_are_fixed
from events.standings.loading import standings_in
from events.store.campaign import differing, founded, terms_of_battle, to_forfeit, todo_of
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import entries_of_kind
from events.store.players import players_by_id
from events.store.visitor import FOUNDER
from events.tournament.ranking import podium
from events.visitors import access
from events.visitors.event_loading import campaign_of, desk_tournament_in, players_in, public_views_in, tournament_in
from events.visitors.loading import event_or_404, managed_event, opposes, player_or_404, polled, visitor
from events.web.answers import figures_asked
from events.web.page_cache import cached_page
from events.web.request import changing, db, local_day, now, saving
from languages.words import gettext
from models.base import new_seed
from models.event import Event, EventState
from models.play import PlayerState
from validators.calculator import Asked, one_of
from validators.campaign import Setting
from validators.sheet import copies

blueprint = Blueprint("campaigns", __name__)
FIRST_FIXTURES = 5
log = logging.getLogger(__name__)


def create_missing_groups(event: Event) -> None:
    """Found the groups that have a legal locked list and no group: the first request after round 1 does."""
    if event.campaign is None or event.state != EventState.IN_PROGRESS:
        return
    here = {player.id for player in players_in(event) if player.state == PlayerState.CHECKED_IN}
    if here <= founded(db(), event):
        return
    if any(document is not None for _, document in actions.to_found(db(), event)):
        try:
            with changing(event) as act:
                actions.found_groups(replace(act, actor=FOUNDER), chance_in(event))
        except (Refused, DBAPIError, StaleDataError):  # the desk sees which group is missing; the next request tries
            log.warning("the groups of %s could not be founded", event.slug, exc_info=True)


@blueprint.get("/e/<slug>/campaign")
@cached_page(others=("figures",))
def campaign_page(slug: str) -> ResponseReturnValue:
    event = campaign_or_404(event_or_404(slug))
    history, results = campaign_of(event)
    people, me = players_by_id(event), visitor().player_in(event)
    rows = groups_shown(event, people)
    open_games = next_ones(fixtures(event, public_views_in(event), local_day(event)), me)
    not_fought = to_forfeit(tournament_in(event), history, results)
    ratings, marks = {row.player.id: row.rating for row in rows if row.rating is not None}, charts.group_marks(history)
    the_map, holders = charts.map_of(history.world.rules.map(history.world), people, marks)
    if (file := figures_asked(event.slug, the_map)) is not None:
        return file
    page = render_template(
        "campaigns/home.html",
        rows=rows,
        ratings=ratings,
        lines_of=charts.ratings_over(history, ratings, people),
        faces={str(id_): portrait(people[id_].name, marks.get(id_)) for id_ in people},
        rating_about=gettext(history.world.rules.rating_about),
        found=open_games[:FIRST_FIXTURES],
        state=queries.state_words(tournament_in(event), rows, not_fought),
        not_fought={id_: [people[number].name for number in groups] for id_, groups in not_fought.items()},
        people=people,
        podium=podium(standings_in(event).after()) if event.state == EventState.FINISHED else [],
        people_by_row={str(id_): player for id_, player in people.items()},
        battles=queries.battles(desk_tournament_in(event), results, people),
        todo=todo_of(event, history, results, me.id) if me else None,
        me_of=me,
        the_map=the_map,
        maps=len({entry.details.get("map") for entry in entries_of_kind(db(), event, "change-campaign")} - {None}),
        holders=holders,
        tables=(*history.world.rules.tables(history.world), queries.statistics(history, rows)),
        chosen=queries.chosen_in(history.world.rules, history.world.settings),
    )
    return polled(page, event)


@blueprint.get("/e/<slug>/campaign/groups/<int:player_id>")
@cached_page()
def group(slug: str, player_id: int) -> ResponseReturnValue:
    event = campaign_or_404(event_or_404(slug))
    player = player_or_404(event, player_id)
    if not access.may_see_group(visitor(), player, event, now(), opponent=opposes(event, player)):
        abort(403)
    history, results = campaign_of(event)
    own_row = queries.own_row(
        event,
        history,
        results,
        player,
        terms_of_battle(event),
        tournament_in(event).won_lost,
        own=visitor().is_player(player),
    )
    purse, items = queries.held(history, player.id)
    people = players_by_id(event)
    page = render_template(
        "campaigns/group.html",
        of=player,
        copies=copies,
        face=portrait(player.name, charts.group_marks(history).get(player.id)),
        row=own_row[0] if own_row else None,
        musters=own_row[1] if own_row else "",
        purse=purse,
        items=items,
        parts=[
            (title, done, queries.sentences_by_subject(done), queries.figures_in(done))
            for title, done in queries.parts_of(history, player.id)
        ],
        line=charts.ratings_over(history, [player.id] if own_row else [], people).get(player.id, ""),
        booked=queries.ledger(history, player.id),
        marked=history.taken_again(player.id),
        acts=visitor().is_player(player) and access.may_take_steps(visitor(), event, player),
        rating_about=gettext(history.world.rules.rating_about),
        emblems={member.name: emblem(member.name) for member in own_row[0].members} if own_row else {},
        doubts=[
            (history.world.names[step.group], doubt)
            for both, step, doubt in queries.doubtful(history)
            if player.id in both and any(access.may_take_steps(visitor(), event, people[id_]) for id_ in both)
        ],
    )
    return polled(page, event)


@blueprint.route("/e/<slug>/desk/campaign", methods=["GET", "POST"])
def manage_campaign(slug: str) -> ResponseReturnValue:
    """The campaign at the desk: its settings until round 1, then where every group stands."""
    event = managed_event(slug)
    rules = system_of(event).campaign
    if event.season is None or rules is None:
        abort(404)
    stored = event.campaign or {"settings": {}}
    settings = rules.chosen(stored["settings"])
    asks = map(_asked, rules.settings)
    form = form_of_questions(asks, "set-", data=settings)
    if request.method == "POST":
        return _change(event, form)
    waiting, differ, doubtful, aside, retaken = actions.to_found(db(), event), [], [], [], []
    if event.campaign is not None:
        people = players_by_id(event)
        history, results = campaign_of(event)
        aside = [(people[id_], len(history.aside_of(id_))) for id_ in {step.group for step in history.aside}]
        retaken = [(player, many) for id_, player in people.items() if (many := len(history.taken_again(id_)))]
        differ = [(people[row[0].group], *row) for row in differing(history, results)]
        doubtful = [(people[step.group], step, doubt) for _, step, doubt in queries.doubtful(history)]
    page = render_template(
        "campaigns/desk.html",
        form=form,
        fixed=settings_are_fixed(db(), event),
        may_change=access.may_change_settings(visitor(), event),
        chosen=queries.chosen_in(rules, settings),
        seed=stored.get("seed"),
        open_lists=[player for player, document in waiting if document is None],
        again=[player for player, document in waiting if document is not None],
        retaken=retaken,
        differ=differ,
        doubtful=doubtful,
        aside=aside,
    )
    return polled(page, event)


def _asked(setting: Setting) -> Asked:
    choices = [(value, gettext(label)) for value, label in setting.choices]
    usual = gettext("By default: %(choice)s.", choice=dict(choices)[setting.default])
    about = f"{gettext(setting.reason)} {usual}"
    return one_of(setting.key, gettext(setting.label), choices, setting.default, about)


def _change(event: Event, form: Any) -> ResponseReturnValue:
    verb = request.form.get("do", "")
    if verb == "found":
        with saving(event, gettext("The groups are founded.")) as act:
            actions.found_groups(act, chance_in(event))
    elif verb == "redo":
        with saving(event) as act:
            flash(queries.redone_words(changes.redo_steps(act)), "success")
    elif verb in ("save", "map", "end") and form.validate():
        seed = (event.campaign or {}).get("seed")
        new = new_seed() if seed is None or verb == "map" else int(seed)
        sentence = gettext("The season is a campaign now. Next, players hand in their lists.")
        sentence = gettext("Saved.") if event.campaign else sentence
        with saving(event, gettext("This season is no longer a campaign.") if verb == "end" else sentence) as act:
            set_campaign(act, None if verb == "end" else form.data, new)
    return redirect(url_for("campaigns.manage_campaign", slug=event.slug))
