"""``overseer demo --league N``: play a whole season from a seed, through the same actions that people use."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session

from events.leagues import actions as leagues
from events.leagues import challenges
from events.leagues.queries import Fixture, fixtures, next_ones
from events.play.queries import players_of
from events.play.rounds import round_views
from events.play.season import Kind, Season
from events.results import actions as results_actions
from events.results.actions import Agreement
from events.results.queries import bounds_of
from events.rounds import actions as rounds_actions
from events.rounds import formats
from events.setup.actions import create_event, default_settings, finish, open_registration, planned
from events.setup.pairing_actions import FormatSettings, set_format
from events.setup.pairing_forms import set_season
from models.event import Event, EventFormat
from models.people import Account
from models.play import Absent, PlayerState, ReportSide, Side
from service.commands.made_up import ACTOR, ZONE, Changing, play_round, possible_answers, send, sign_up

LONG = Season(days=14)
CUT = 2


def play_league(
    s: Session, changing: Changing, system_id: str, *, players_count: int, seed: int, now: datetime,
    leave_open: bool = False, owner: Account | None = None, kind: Kind = "rounds",
) -> Iterator[str]:  # fmt: skip
    """Create a season and play it: agreed days, late results, forfeits, a longer window, a final; or challenges.

    With ``leave_open`` it stops in the middle. Raises Refused where the numbers cannot be played.
    """
    dice = random.Random(seed)  # noqa: S311 - a game, no secret
    if kind != "rounds":
        yield from _challenges(s, changing, system_id, players_count, seed, now, kind, dice, leave_open, owner)
        return
    rounds = players_count - 1 + players_count % 2
    passed = rounds // 2 if leave_open else rounds + 1
    start = now - timedelta(days=passed * LONG.days)
    event = make_season(changing, system_id, "Wasteland League", LONG, players=players_count, rounds=rounds,
                        days=(rounds + 1) * LONG.days, seed=seed, start=start, owner=owner, cut=CUT)  # fmt: skip
    yield f"Made {event.name}: {players_count} players, a round every {LONG.days} days"
    sign_up(s, changing, event, players_count, dice, start - timedelta(days=3))
    with changing(event):
        leagues.draw_season(s, event, dice.getrandbits(40), ACTOR, start)
    yield f"Drew {rounds} rounds at once"
    today = now.astimezone(ZoneInfo(ZONE)).date()
    waiting = next_ones(fixtures(event, round_views(s, event), today))
    dice.shuffle(waiting)  # results arrive in any order
    waiting.sort(key=lambda one: one.number + dice.choice((0, 0, 0, 1, 2)))  # some of them late
    played = forfeits = 0
    for one in waiting:
        if leave_open and one.number > passed - dice.choice((0, 0, 1)):
            continue
        moment = datetime.combine(one.due, start.timetz()) - timedelta(days=dice.randrange(LONG.days))
        played += 1
        forfeits += _play(s, changing, event, one, dice, moment)
    yield f"Played {played} games, {forfeits} of them forfeited"
    if leave_open:
        return
    yield from _final(s, changing, event, dice, now)
    with changing(event):
        finish(s, event, ACTOR, now)
    yield "The season is closed"


def _challenges(
    s: Session, changing: Changing, system_id: str, count: int, seed: int, now: datetime, kind: Kind,
    dice: random.Random, leave_open: bool, owner: Account | None,
) -> Iterator[str]:  # fmt: skip
    """A season in which players challenge each other for twelve weeks; one challenge in eight is declined."""
    start = now - timedelta(days=84)
    event = make_season(changing, system_id, "Wasteland League", replace(LONG, kind=kind), players=count, rounds=1,
                        days=7 * LONG.days, seed=seed, start=start, owner=owner)  # fmt: skip
    yield f"Made {event.name}: {count} players challenge each other"
    sign_up(s, changing, event, count, dice, start - timedelta(days=3))
    with changing(event):
        challenges.start(s, event, ACTOR, start)
    made = declined = 0
    for week in range(11):
        moment = start + timedelta(days=7 * week)
        everybody = [player for player in players_of(s, event) if player.state == PlayerState.CHECKED_IN]
        for player in dice.sample(everybody, len(everybody) // 2):
            free = [id_ for id_, reason in challenges.reasons(s, event, player).items() if not reason]
            if not free:
                continue
            chosen = dice.choice(free)
            other = next(one for one in everybody if one.id == chosen)
            with changing(event):
                game = challenges.challenge(s, event, player, other, moment.date(), ACTOR, moment)
            made += 1
            if leave_open and week == 10:
                continue
            accept = bool(dice.randrange(8))
            with changing(event):
                challenges.answer(s, event, game, other, accept=accept, actor=ACTOR, now=moment)
            declined += not accept
            if accept:
                (one,) = (
                    one for one in fixtures(event, round_views(s, event), moment.date()) if one.game.id == game.id
                )
                _play(s, changing, event, one, dice, moment + timedelta(days=3))
    yield f"{made} challenges were made, {declined} of them declined"
    if leave_open:
        return
    with changing(event):
        finish(s, event, ACTOR, now)
    yield "The season is closed"


def make_season(
    changing: Changing, system_id: str, name: str, season: Season, *, players: int, rounds: int, days: int, seed: int,
    start: datetime, owner: Account | None, cut: int | None = None, size: int = 0,
) -> Event:  # fmt: skip
    """Create an event with this season, which lasts this number of days, and open its registration.

    ``cut``: the season is a round robin, with play-offs of this size.
    """
    day, made_at = start.astimezone(ZoneInfo(ZONE)).date(), start - timedelta(days=7)
    wanted = default_settings(system_id, name, "Old Town Hall, Market Square 1", day, ZONE, made_at)
    wanted = replace(
        wanted,
        description="A demonstration season: every player, force and result is made up.",
        ends_on=day + timedelta(days=days - 1),
        rounds=rounds,
        places=players + 8,
        size=size or wanted.size,
        scenarios=planned(wanted.scenario_pool, rounds),
    )
    with changing(None) as s:
        event = create_event(s, wanted, ACTOR, made_at, owner)
        event.seed = random.Random(seed).getrandbits(48)  # noqa: S311 - a game, no secret
    with changing(event) as s:
        if cut:
            set_format(s, event, FormatSettings(EventFormat.ROUND_ROBIN, cut=cut), ACTOR, made_at)
        set_season(s, event, season, ACTOR, made_at)
        open_registration(s, event, ACTOR, made_at)
    return event


def _play(s: Session, changing: Changing, event: Event, one: Fixture, dice: random.Random, moment: datetime) -> bool:
    """Play a game of the season: agree on a day, confirm a report; now and then a forfeit.

    Returns whether it was a forfeit.
    """
    game, day = one.game, moment.date()
    if dice.randrange(2):
        with changing(event):
            leagues.propose(s, event, game, "a", day, day, ACTOR, moment)
        with changing(event):
            leagues.agree(s, event, game, "b", day, day, ACTOR, moment)
    if not dice.randrange(9):
        with changing(event):
            absent = dice.choice((Absent.A, Absent.B, Absent.BOTH))
            results_actions.set_absent(s, event, game, absent, version=game.version, actor=ACTOR, now=moment)
        return True
    if not dice.randrange(12):
        with changing(event):
            leagues.set_dates(s, event, game, one.agreed, one.due, "The hall was closed", ACTOR, moment)
    view = next(view for view in round_views(s, event) if view.round.id == game.round_id)
    scenario = view.scenario_at(game)
    assert scenario is not None  # noqa: S101 - drawn with the round
    answers = possible_answers(event, scenario, dice, bounds_of(s, event, game, scenario))
    with changing(event):
        send(s, event, game, ReportSide.A, answers, moment)
    with changing(event):
        results_actions.agree(s, event, game, Agreement(ReportSide.B, ReportSide.A, game.version), ACTOR, moment)
    return False


def _final(s: Session, changing: Changing, event: Event, dice: random.Random, now: datetime) -> Iterator[str]:
    with changing(event):
        mark = formats.cut_now(s, event, players_of(s, event), round_views(s, event)).mark
        final = rounds_actions.make_cut(s, event, mark, dice.getrandbits(40), ACTOR, now).number
    with changing(event):
        rounds_actions.publish_round(s, event, final, ACTOR, now)
    play_round(s, changing, event, final, dice, now)
    for game in round_views(s, event)[-1].tied:
        with changing(event):
            formats.send_through(s, event, game, Side.A, ACTOR, now)
    yield f"The top {CUT} played the final"
