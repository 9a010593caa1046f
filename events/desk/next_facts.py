"""The facts of an event's next step, and the steps for mails."""

from collections.abc import Sequence
from dataclasses import replace

from events.accounts import access
from events.accounts.loading import behind_in, rounds_of, views_of
from events.desk.next_steps import Act, Blocker, Facts, OpenGame, RoundFacts
from events.leagues.actions import why_not_drawn_at_once
from events.leagues.queries import fixtures
from events.lists.queries import entries_of, without_list
from events.messages.queries import in_trouble, waiting_since
from events.play.clock_queries import clock_of, published_meeting
from events.play.queries import forces_of, placed, players_of, terms_of
from events.play.rounds import RoundView, stage_of
from events.play.season import is_by_challenge
from events.play.team_queries import active, is_team_event, playing
from events.rounds.actions import checked_in_players, why_no_meeting
from events.rounds.draft_views import is_outdated, publish_notes, publish_question
from events.rounds.drawing import why_not_drawn
from events.rounds.formats import why_no_cut
from events.web.request import db, local, local_day, now
from models.event import Event, EventState, ListsShown, RoundState
from models.play import Game, GameState, Player, PlayerState


def facts_of(event: Event) -> Facts:
    """The facts of the event now."""
    players, views = players_of(db(), event), views_of(event)
    here, waits = checked_in_players(players), behind_in(event)
    facts = Facts(
        state=event.state.value,
        rounds=tuple(_round(event, view, players, views) for view in views),
        unlimited=event.places is None and not event.approval,
        before_the_day=local(now(), event, "%Y-%m-%d") < event.starts_on.isoformat(),
        starts=event.starts_on.strftime("%A %-d %B"),
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
        by_challenge=is_by_challenge(event.season),
        awards_given=event.awards_published_at is not None,
        awards_wait=bool(event.awards) and event.awards_published_at is None,
        at_once=event.season is not None and not why_not_drawn_at_once(event),
    )
    if is_team_event(event) and any(view.round.state != RoundState.PUBLISHED for view in views):
        alone = sum(one.team_id is None for one in placed(players))
        short = [one.name for one in views[0].teams if 0 < len(active(players, one)) < event.team_size]
        facts = replace(facts, teams_here=len(playing(views[0].teams, players)), alone=alone, not_full=short)
    if event.state == EventState.IN_PROGRESS:
        return replace(facts, no_list=without_list(db(), event, players))
    if event.state != EventState.REGISTRATION:
        return facts
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
    if view.state == "playing":
        games = [game for game in view.games if game.b_id is not None]
        tied = {game.id for game in view.tied}
        clock = clock_of(event, view, rounds_of(event), now())
        return replace(
            found,
            games=len(games) + view.choosing * view.team_size,
            decided=sum(game.state == GameState.CONFIRMED and game.id not in tied for game in games),
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
            question=publish_question(event, one.number),
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
    act = Act("Messages", "messages.all")
    trouble, since = in_trouble(db(), event), waiting_since(db(), event, now())
    if trouble:
        mails = "1 mail was not sent" if trouble == 1 else f"{trouble} mails were not sent"
        steps.append(Blocker(f"{mails}, or may not have arrived.", act))
    if since:
        steps.append(Blocker(f"Mails wait since {local(since, event, '%H:%M')}: they are not being sent.", act))
    return steps
