"""A season by challenge: begun, a player challenged, the challenge answered."""

import random
from dataclasses import replace
from datetime import date, datetime, timedelta

from sqlmodel import Session

from events.lists.locks import close_unlocked, lock_lists, settle
from events.play.errors import Refused
from events.play.event_rules import ends_of
from events.play.journal import about_game, check_takes_place, note, notify
from events.play.queries import games_of, player_of, players_of, rounds_of, scenarios_of
from events.play.rounds import round_views
from events.play.season import Arranged, Season, arranged_document, arranged_in, season_in
from events.results.actions import mark
from events.rounds.drawing import draw_scenario, draws_for_each_table, game_row
from events.rounds.formats import MOST_ROUNDS
from events.rounds.roles import draw_roles
from events.standings.queries import challenges_of, ladder
from events.standings.ranking import why_not_challenged
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.notice import Occasion
from models.play import Absent, Game, GameState, Player, PlayerState


def rules_of(event: Event) -> Season:
    """The rules of a season by challenge. Raises Refused for any other event."""
    season = season_in(event.season)
    if season is None or not season.by_challenge:
        raise Refused("Players of this event do not challenge each other.")
    return season


def start(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Begin the season: lists lock, and players may challenge. Raises Refused."""
    rules_of(event)
    check_takes_place(event)
    if event.state != EventState.REGISTRATION:
        raise Refused("Open registration first." if event.state == EventState.DRAFT else "The season has begun.")
    if sum(player.state == PlayerState.CHECKED_IN for player in players_of(s, event)) < 2:
        raise Refused("At least two players must be checked in.")
    for surplus in rounds_of(s, event)[1:]:  # rounds come with the challenges
        s.delete(surplus)
    event.rounds = 1
    settle(s, event, now)
    event.state = EventState.IN_PROGRESS
    lock_lists(s, event, now, actor, now)
    close_unlocked(s, event, actor, now)
    note(s, event, actor, now, "start-season", "Started the season")


def reasons(s: Session, event: Event, player: Player) -> dict[int, str]:
    """For each other player why this one cannot challenge them now, "" where that is possible."""
    season, players = rules_of(event), players_of(s, event)
    made = challenges_of(event, round_views(s, event))
    order = ladder(players, made)
    above = season.above if season.kind == "ladder" else None
    own = str(player.id)
    return {one.id: why_not_challenged(order, made, own, str(one.id), above) for one in players if one.id != player.id}


def challenge(s: Session, event: Event, player: Player, other: Player, today: date, actor: str, now: datetime) -> Game:
    """Challenge another player: a game arises at once. Raises Refused."""
    season = rules_of(event)
    if event.state != EventState.IN_PROGRESS or today > ends_of(event):
        raise Refused("No challenge is possible: the season is not being played.")
    if PlayerState.CHECKED_IN not in (player.state, other.state) or player.state != other.state:
        raise Refused("Both players must be checked in.")
    if reason := reasons(s, event, player).get(other.id, "This player is not on the ladder now."):
        raise Refused(reason)
    the_round = _round_for(s, event, player, other, now)
    tables = [game.table_number or 0 for game in games_of(s, the_round)]
    own = None
    if draws_for_each_table(event, the_round):
        pool = [one for one in scenarios_of(s, event) if one in event.scenario_pool]
        own = random.Random(f"{the_round.seed}/{len(tables)}").choice(pool)  # noqa: S311 - no secret
    game = game_row(the_round, player.id, other.id, max(tables, default=0) + 1, ["challenge"], own)
    game.arranged = arranged_document(Arranged(challenged=today))
    s.add(game)
    s.flush()  # the draw of roles finds it
    draw_roles(s, event, the_round)
    until = today + timedelta(days=season.answer_days)
    notify(s, Occasion.CHALLENGE, about_game("challenge", game, "made", until, now), [other.id], now)
    note(s, event, actor, now, "challenge", f"{player.name} challenged {other.name}", game=game.id, player=player.id)
    return game


def _round_for(s: Session, event: Event, player: Player, other: Player, now: datetime) -> Round:
    """The first round in which neither has a game, so that each round holds a player once; else a new one."""
    both = {player.id, other.id}
    views = round_views(s, event)
    for view in views:
        taken = {id_ for game in view.games for id_ in (game.a_id, game.b_id)}
        if view.round.state == RoundState.PUBLISHED and both.isdisjoint(taken):
            return view.round
    found = next((view.round for view in views if view.round.state == RoundState.PLANNED), None)
    if found is None:
        if len(views) >= MOST_ROUNDS:
            raise Refused(f"A season has at most {MOST_ROUNDS} rounds of challenges, and all have a game of yours.")
        found = Round(event_id=event.id, number=len(views) + 1)
        s.add(found)
    found.kind, found.state, found.published_at = RoundKind.ROUND_ROBIN, RoundState.PUBLISHED, now
    found.seed = event.seed + found.number
    event.rounds = max(event.rounds, found.number)
    s.flush()  # the draw of its scenario finds it
    if not draws_for_each_table(event, found):
        draw_scenario(s, event, found, found.seed)
    return found


def answer(s: Session, event: Event, game: Game, player: Player, *, accept: bool, actor: str, now: datetime) -> None:
    """Accept a challenge, or decline it, which forfeits the game. Raises Refused."""
    arranged = arranged_in(game.arranged)
    if event.state != EventState.IN_PROGRESS or arranged.challenged is None or game.b_id != player.id:
        raise Refused("This is no challenge for you to answer.")
    if arranged.accepted or game.state != GameState.OPEN:
        raise Refused("This challenge is answered already.")
    if accept:
        game.arranged = arranged_document(replace(arranged, accepted=True))
    else:
        mark(s, event, game, Absent.B)
    challenger = player_of(s, event, game.a_id)
    what = "accepted" if accept else "declined"
    name = challenger.name if challenger else ""
    note(s, event, actor, now, "answer-challenge", f"{player.name} {what} the challenge of {name}", game=game.id)
    about = about_game("challenge", game, what, arranged.challenged, now)
    notify(s, Occasion.CHALLENGE, about, [game.a_id], now)
