"""The navigation of an event's pages, with the next step, the calls and the mail's state at the desk."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from flask import request, url_for

from events.desk.due import Stage, due, stages
from events.desk.event_facts import Button, Due, EventFacts, OpenGame, RoundFacts
from events.desk.readiness import KINDS
from events.lists.queries import lists_in, lists_of_players
from events.messages.queries import in_trouble, waiting_since
from events.registration.conventions import shared_tables
from events.registration.retention import NOTICE, deletion_day, is_inviting, players_kept, players_to_delete
from events.results.calls import Call, open_calls
from events.results.no_shows import undecided_absences
from events.rounds.actions import clock_to_stop
from events.rounds.draft_page import publish_doubts, publish_notes, publish_question
from events.rounds.formats import why_no_cut
from events.rounds.inputs import redraw_of
from events.rounds.outcome import steps_by_hand
from events.rounds.queries import why_not_drawn
from events.seasons.league_actions import why_not_drawn_at_once
from events.seasons.league_queries import fixtures
from events.setup.repeating import next_day, opens_at
from events.standings.awards import decided, prizes
from events.standings.loading import is_corrected_in
from events.standings.queries import standings_of
from events.standings.soft_scores import marks_open, vote_open
from events.store.campaign import Games, comes, muster_words, to_forfeit
from events.store.clock_queries import RoundClock, clock_of
from events.store.players import awaits_approval, placed
from events.store.rounds import (
    RoundView,
    first_open_round,
    is_unbegun,
    knockout_title,
    never_played,
    over_at,
)
from events.store.tabs import Tabs
from events.store.team_queries import active, is_team_event, playing
from events.store.tournaments import Loaded
from events.store.verdicts import forces_of, terms_of
from events.store.visitor import TABLE, WORDS, Right
from events.visitors import access
from events.visitors.event_loading import behind_in, campaign_in_play, corrected_in, loaded_in
from events.visitors.loading import event_rounds, may_follow, may_open, tabs_of, views_of, visitor
from events.visitors.staff_routes import STAFF_QUESTIONS, question_of
from events.web.error_pages import try_part
from events.web.request import db, local, local_day, now
from languages.dates import dated
from languages.words import N_, gettext, in_sentence, labelled, ngettext
from models.event import Event, EventState, RoundState
from models.play import Game, GameState, Player, PlayerState
from models.settings import ListsShown
from models.staff import Role
from validators.campaign_history import History


def navigation_facts(event: Event) -> EventFacts:
    loaded = loaded_in(event)
    players, views = loaded.players, loaded.views
    here = [player for player in players if player.state == PlayerState.CHECKED_IN]
    corrected = corrected_in(event)
    campaign = campaign_in_play(event)
    today, of_season = local_day(event), fixtures(event, views, local_day(event))
    more: dict[str, Any] = {}
    if is_team_event(event) and any(view.round.state != RoundState.PUBLISHED for view in views):
        teams = views[0].teams
        more["teams_here"] = len(playing(teams, players))
        more["alone"] = sum(player.team_id is None for player in placed(players))
        more["not_full"] = [team.name for team in teams if 0 < len(active(players, team)) < event.team_size]
    if event.state == EventState.IN_PROGRESS:
        more["marks_open"] = marks_open(event)
        if event.soft_rules.by_vote and event.painting_vote_closed_at is None:
            more["vote"] = "open" if vote_open(event) else "unopened"
    if event.state == EventState.REGISTRATION:
        lists = lists_of_players(event, players, forces_of(event), terms_of(event), now())
        more |= {"no_list": sum(entry.missing for entry in lists), "illegal": sum(entry.illegal for entry in lists)}
    else:
        submitted, needed = lists_in(db(), event, [p for p in players if not loaded.t.is_out(str(p.id))])
        more["no_list"] = needed - submitted
    return EventFacts(
        state=event.state.value,
        rounds=tuple(_round(loaded, view) for view in views),
        unlimited=event.places is None and not event.approval,
        before_the_day=local(now(), event, "%Y-%m-%d") < event.starts_on.isoformat(),
        starts=dated(event.starts_on, "%A %-d %B"),
        signing_up=access.may_register(event, now()),
        here=len(here),
        absent=len(loaded.awaited),
        absentees=undecided_absences(loaded),
        lists_locked=access.lists_locked(event, now()),
        shown_at_lock=event.lists_shown == ListsShown.AT_LOCK,
        to_approve=sum(awaits_approval(event, p) for p in players),
        cut=None if why_no_cut(loaded.t) else event.cut,
        team_size=event.team_size,
        cancelled=event.cancelled_at is not None,
        season=event.season is not None,
        kind="campaign" if event.campaign else "season" if event.season else "event",
        overdue=sum(fixture.overdue for fixture in of_season),
        opened=max((fixture.number for fixture in of_season if fixture.opens <= today), default=0),
        **_steps(loaded, campaign),
        corrected=tuple(p.name for p in here if p.id in corrected),
        no_group=tuple(p.name for p in here if campaign and p.id not in campaign[0].world.groups),
        by_challenge=event.by_challenge,
        ended=now() >= over_at(event),
        never_played=never_played(event, now()),
        left_leader=_left_leader(loaded),
        awards_given=event.awards_published_at is not None,
        awards_corrected=is_corrected_in(event),
        awards_wait=bool(event.awards) and event.awards_published_at is None,
        awards_shown=_awards_shown(event),
        at_once=not why_not_drawn_at_once(event, [view.round for view in views]),
        **more,
    )


def _steps(loaded: Loaded, campaign: tuple[History, Games] | None) -> dict[str, Any]:
    """The groups with open steps, those that have not mustered for a battle to come, and the ones that forfeit it."""
    if campaign is None:
        return {}
    waits, games = behind_in(loaded.event), {} if loaded.t.played_out else to_forfeit(loaded.t, *campaign)
    here = {p.id: p.name for p in loaded.players if p.state == PlayerState.CHECKED_IN}
    ready = {} if loaded.t.played_out else {id_: now for id_ in here if (now := comes(*campaign, id_))}
    idle = {id_ for id_, now in ready.items() if now.forfeits}
    last = {id_ for id_, now in ready.items() if not now.decided and (id_ not in waits or waits[id_].at_last)} - idle
    at_game = {id_: game for game, ids in games.items() for id_ in ids}
    lines = dict[tuple[int, int], list[str]]()
    for id_ in idle:
        game = at_game.get(id_, 0)
        lines.setdefault((game, 0 if game else id_), []).append(muster_words(*campaign, id_))
    named = {id_: f"{name} ({waits[id_].phase})" if id_ in waits else name for id_, name in here.items()}
    return {
        "steps_open": tuple(named[id_] for id_ in here if id_ in waits and id_ not in last | idle),
        "not_mustered": tuple(named[id_] for id_ in here if id_ in last),
        "forfeits": tuple((" ".join(words), game) for (game, _), words in lines.items()),
    }


def _left_leader(loaded: Loaded) -> tuple[int, str] | None:
    left = {player.id: player.name for player in loaded.players if player.state == PlayerState.DROPPED}
    if not left or loaded.event.state != EventState.IN_PROGRESS or not loaded.t.played_out:
        return None
    first = int(standings_of(loaded.event, loaded.t, loaded.players).of_players()[0].id)
    return (first, left[first]) if first in left else None


def _awards_shown(event: Event) -> Literal["", "some", "all"]:
    if not event.awards_shown or event.awards_published_at is not None:
        return ""
    return "all" if event.awards_shown >= len(prizes(decided(db(), event))) else "some"


def _round(loaded: Loaded, view: RoundView) -> RoundFacts:
    event, players, number = loaded.event, loaded.players, view.round.number
    about: dict[str, Any] = {}
    if view.state in ("planned", "drawn"):
        about["why_not"] = why_not_drawn(loaded, number)
    else:
        about |= {"games": view.now.games, "decided": view.now.decided}
    if view.state == "playing":
        games = [game for game in view.games if game.b_id is not None]
        gone = {player.id for player in players if player.state == PlayerState.DROPPED}
        tied, clock = {game.id for game in view.tied}, clock_of(event, view, event_rounds(event), now())
        about |= {
            "disputed": _open(event, (game for game in games if game.state == GameState.DISPUTED)),
            "reported": _open(event, (game for game in games if game.state == GameState.REPORTED)),
            "tied": _open(event, (game for game in games if game.id in tied)),
            "left": _open(
                event,
                (g for g in games if g.state == GameState.OPEN and not g.absent and gone & {g.a_id, g.b_id}),
            ),
            "choosing": view.now.choosing,
            "clock": clock.reading.state.value if clock else "",
        }
    if view.state == "drawn":
        stopped, redraw = clock_to_stop(loaded.views, number), redraw_of(loaded, number)
        about |= {
            "games": view.now.games,
            "byes": sum(game.b_id is None for game in view.matches or view.games),
            "stops": stopped.number if stopped else 0,
            "seed": str(view.round.seed),
            "by_hand": len(steps_by_hand(db(), view.round)) if redraw else 0,
            "stale": redraw.why if redraw else "",
            "doubts": " ".join(publish_doubts(event, number)),
        }
    if view.state == "drawn" or (view.state == "planned" and number == 1 and event.season is not None):
        notes = publish_notes(event, number, players)  # a season's first round may be published with the draw
        about |= {"question": publish_question(event, number, notes), "notes": notes}
    return RoundFacts(number, view.state, knockout_title(view.round), **about)  # type: ignore[arg-type]


def _open(event: Event, games: Iterable[Game]) -> list[OpenGame]:
    return [OpenGame(game.id, game.table_number if event.season is None else None) for game in games]


def table_steps(event: Event) -> list[Due]:
    """Steps that warn, before the event begins, of tables that others of its convention use at the same time."""
    rows = shared_tables(db(), visitor(), event) if is_unbegun(event) else ()
    act = Button(gettext("Change the tables"), "settings.change_section", {"section": "tables"})
    words = N_("Tables that %(event)s uses too at the same time: %(tables)s.")
    return [Due(gettext(words, tables=tables, event=other.name), act) for other, tables in rows]


def deletion_steps(event: Event) -> list[Due]:
    """A step that says from some days before when players' data will be deleted."""
    players = players_to_delete(db(), event) if event.delete_after else []
    day = deletion_day(db(), event) if players or is_inviting(db(), event) else None
    if day is None or local_day(event) < day - NOTICE:
        return []
    text = ngettext(
        "The personal data of %(num)s player will be deleted on %(day)s. The results stay.",
        "The personal data of %(num)s players will be deleted on %(day)s. The results stay.",
        len(players),
        day=dated(day, "%-d %B %Y"),
    )
    if not players:
        words = N_("The personal data of invited people will be deleted on %(day)s.")
        text = gettext(words, day=dated(day, "%-d %B %Y"))
    if kept := players_kept(db(), event):
        text += " " + ngettext(
            "%(num)s player keeps the event on a page of their own.",
            "%(num)s players keep the event on pages of their own.",
            kept,
        )
    return [Due(text, Button(gettext("Change this"), "settings.change_section", {"section": "privacy"}))]


def coming_event(event: Event) -> str:
    """What follows an event that repeats, in a sentence; "" for others and for those who cannot change it."""
    day = next_day(event, now()) if may_open("event_life.next_event") else None
    if day is None:
        return ""
    opens = opens_at(event, day)
    if opens is None:
        return gettext("The next one is on %(day)s; it opens when this one is over.", day=dated(day, "%a %-d %b %Y"))
    return gettext(
        "The next one is on %(day)s; it opens on %(moment)s.",
        day=dated(day, "%a %-d %b %Y"),
        moment=local(opens, event, "%a %-d %b, %H:%M"),
    )


def mail_steps(event: Event) -> list[Due]:
    """Steps for mails that failed or are not being sent."""
    steps = []
    act = Button(gettext("Messages"), "messages.all")
    trouble, since = in_trouble(db(), event), waiting_since(db(), event, now())
    if trouble:
        mails = ngettext("%(num)s mail was not sent", "%(num)s mails were not sent", trouble)
        steps.append(Due(gettext("%(mails)s, or may not have arrived.", mails=mails), act))
    if since:
        text = gettext(
            "Mails have waited since %(local)s: they are not being sent.", local=local(since, event, "%H:%M")
        )
        steps.append(Due(text, act))
    return steps


@dataclass(frozen=True)
class Next:
    text: str
    way: Button | None
    """The primary button; None if the visitor may not do it."""
    who: str
    """Who may do it if the visitor may not: "An organiser: draw round 2."."""
    other: Button | None
    others: Sequence[Due]
    """What else is due that the visitor may do."""
    stages: Sequence[tuple[Stage, str]]
    """Each stage with its address; "" if the visitor may not open it."""
    clock: RoundClock | None
    """The clock of the round, once it was started."""


@dataclass(frozen=True)
class Desk:
    """What every page of an event's desk shows for the visitor."""

    next: Next | None
    """None if it cannot be worked out."""
    calls: Sequence[Call]
    """The open calls for a judge; empty if the visitor may not see rounds."""
    to_manage: int
    """The round that the tab "Rounds" opens."""


@dataclass(frozen=True)
class Navigation:
    """The tabs of an event's pages, and on the desk's pages its calls and its next step."""

    event: Event
    me: Player | None
    sees_desk: bool
    tabs: Tabs
    desk: Desk | None
    """None on public pages."""


ALSO_AT_DESK = frozenset(
    {
        "campaigns.group", "campaigns.campaign_page", "event_life.copy", "field.bracket",
        "leagues.season_page", "standings.crosstable",
        "standings.standings_page", "standings.team_standings_page",
    }
)  # fmt: skip
"""Pages outside the desk that show its tabs to staff."""


def navigation(event: Event) -> Navigation:
    rule, sees_desk = request.url_rule, access.may_see_desk(visitor(), event)
    at_desk = rule is not None and (access.is_of_staff(rule.rule) or rule.endpoint in ALSO_AT_DESK)
    desk = desk_of(event) if sees_desk and at_desk else None
    return Navigation(event, visitor().player_in(event), sees_desk, tabs_of(event), desk)


def desk_of(event: Event) -> Desk:
    """What every page of the event's desk shows, without the parts that cannot be worked out."""
    calls = access.may_see_rounds(visitor(), event)
    views = try_part(gettext("the rounds"), lambda: views_of(event), ())
    return Desk(
        try_part(gettext("the next step"), lambda: _next(event), None),
        try_part(gettext("calls for a judge"), lambda: open_calls(db(), event), ()) if calls else (),
        first_open_round(views) or 1,
    )


def _next(event: Event) -> Next:
    facts = navigation_facts(event)
    step, *others = due(facts)
    way = _way(event, step.act)
    return Next(
        step.text,
        way,
        "" if way else labelled(_who(step.act), f"{in_sentence(step.act.label)}."),
        _way(event, step.other) if step.other else None,
        [replace(other, act=link) for other in others if (link := _way(event, other.act)) is not None],
        [(stage, _address(event, stage.endpoint, stage.args)) for stage in stages(facts)],
        _clock(event),
    )


def _clock(event: Event) -> RoundClock | None:
    playing = next((view for view in views_of(event) if view.state == "playing"), None)
    started = playing is not None and playing.round.started_at is not None
    return clock_of(event, playing, event_rounds(event), now()) if playing is not None and started else None


def _address(event: Event, endpoint: str, args: object, method: str = "GET") -> str:
    assert isinstance(args, dict)  # noqa: S101 - url_for takes keywords
    address = url_for(endpoint, slug=event.slug, **args)
    return address if may_follow(address, method) else ""


def _way(event: Event, act: Button) -> Button | None:
    if act.endpoint == "desk.readiness_group" and not KINDS[str(act.args["key"])].question(visitor(), event):
        return None
    address = _address(event, act.endpoint, dict(act.args), "POST" if act.post or act.fills else "GET")
    return replace(act, address=address) if address else None


def _who(act: Button) -> str:
    question = question_of(act.endpoint, act.args, "POST" if act.post else "GET")
    right = next((right for right in Right if STAFF_QUESTIONS[f"may_{right}"] is question), Right.MANAGE_STAFF)
    roles = [role for role in Role if role in TABLE[right]]
    if Role.ORGANISER in roles:
        roles.remove(Role.OWNER)
    words = [f"{'an' if WORDS[role][0] in 'aeiou' else 'a'} {WORDS[role]}" for role in roles]
    named = " or ".join(words)
    return gettext("Next, for %(named)s", named=named)
