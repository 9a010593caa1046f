"""A season and a campaign, played by made-up people."""

import random
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from events.results import no_shows
from events.rounds import actions as rounds_actions
from events.rounds import drawing, formats
from events.seasons import campaign_actions as campaigns
from events.seasons import league_actions as leagues
from events.seasons.league_queries import Fixture, fixtures, next_ones
from events.setup.actions import finish, open_registration
from events.setup.campaign_choice import set_campaign
from events.setup.pairing_actions import set_format
from events.setup.pairing_forms import set_season
from events.store.act import Act
from events.store.campaign import campaign_history
from events.store.errors import Refused
from events.store.rounds import round_views
from events.store.tournaments import load
from events.tournament.season import Season
from models.event import Event
from models.play import Absent, Player, Through
from models.settings import EventFormat
from service.commands.demo import ACTOR, ZONE, Run, play_game, play_round, sign_up
from validators.calculator import Asked

LONG = Season(days=14)
CUT = 2
WEEK = timedelta(days=7)


def play_league(run: Run, count: int) -> Iterator[str]:
    """Create a season and play it: agreed days, late results, forfeits, a longer window, a final."""
    s, changing, dice = run.s, run.changing, run.dice()
    rounds = count - 1 + count % 2
    start = run.now - timedelta(days=(rounds + 1) * LONG.days)
    days = (rounds + 1) * LONG.days
    event = make_season(run, "Wasteland League", LONG, start, dice, players=count, rounds=rounds, days=days, cut=CUT)
    yield f"Made {event.name}: {count} players, a round every {LONG.days} days"
    with changing(event):
        leagues.draw_season(Act(s, event, ACTOR, start), dice.getrandbits(40))
    yield f"Drew {rounds} rounds at once"
    today = run.now.astimezone(ZoneInfo(ZONE)).date()
    waiting = next_ones(fixtures(event, round_views(event), today))
    dice.shuffle(waiting)  # results arrive in any order
    waiting.sort(key=lambda fixture: fixture.number + dice.choice((0, 0, 0, 1, 2)))  # some of them late
    played = forfeits = 0
    for fixture in waiting:
        moment = datetime.combine(fixture.due, start.timetz()) - timedelta(days=dice.randrange(LONG.days))
        played += 1
        forfeits += _play(run, event, fixture, dice, moment)
    yield f"Played {played} games, {forfeits} of them forfeited"
    yield from _final(run, event, dice)
    with changing(event):
        finish(Act(s, event, ACTOR, run.now))
    yield "The season is closed"


def make_season(
    run: Run, name: str, season: Season, start: datetime, dice: random.Random, *, players: int, rounds: int, days: int,
    cut: int | None = None, **more: Any,
) -> Event:  # fmt: skip
    """Create an event with this season, which lasts this number of days, and sign up its players.

    ``cut``: the season is a round robin, with play-offs of this size.
    """
    day, made_at = start.astimezone(ZoneInfo(ZONE)).date(), start - timedelta(days=7)
    ends = day + timedelta(days=days - 1)
    event = run.created(name, day, made_at, players=players, rounds=rounds, ends_on=ends, **more)
    with run.changing(event) as s:
        if cut:
            set_format(Act(s, event, ACTOR, made_at), format=EventFormat.ROUND_ROBIN, cut=cut)
        set_season(Act(s, event, ACTOR, made_at), season)
        open_registration(Act(s, event, ACTOR, made_at))
    sign_up(run.s, run.changing, event, players, dice, start - timedelta(days=3))
    return event


def _play(run: Run, event: Event, fixture: Fixture, dice: random.Random, moment: datetime) -> bool:
    """Play a game of the season: agree on a day, confirm a report; now and then a forfeit.

    Returns whether it was a forfeit.
    """
    s, changing, game, day = run.s, run.changing, fixture.game, moment.date()
    if dice.randrange(2):
        with changing(event):
            leagues.propose(Act(s, event, ACTOR, moment), game, "a", day, day)
            leagues.agree_to_day(Act(s, event, ACTOR, moment), game, "b", day, day)
    if not dice.randrange(9):
        with changing(event):
            absent = dice.choice((Absent.A, Absent.B, Absent.BOTH))
            no_shows.set_absent(Act(s, event, ACTOR, moment), game, absent, version=game.version)
        return True
    if not dice.randrange(12):
        with changing(event):
            leagues.set_dates(
                Act(s, event, ACTOR, moment), game, fixture.arranged.standing, fixture.due, "The hall was closed"
            )
    view = next(view for view in round_views(event) if view.round.id == game.round_id)
    play_game(s, changing, event, view, game, dice, moment)
    return False


def _final(run: Run, event: Event, dice: random.Random) -> Iterator[str]:
    s, changing, now = run.s, run.changing, run.now
    with changing(event):
        mark = formats.cut_now(load(event)).mark
        final = rounds_actions.make_cut(Act(s, event, ACTOR, now), mark, dice.getrandbits(40)).number
        rounds_actions.publish_round(Act(s, event, ACTOR, now), final)
    play_round(s, changing, event, final, dice, now)
    for game in round_views(event)[-1].tied:
        with changing(event):
            formats.send_through(Act(s, event, ACTOR, now), game, Through.A)
    yield f"The top {CUT} played the final"


SETTINGS = {"fallout_warfare": {"size": 800}}
"""Of the event, for games whose groups exceed its usual list at the start."""
MAPS = {"fallout_warfare": {"map": "6"}}
MOST_STEPS = 5
"""The most voluntary steps of a group in one phase."""
TRIES = 120


def play_campaign(run: Run, groups: int, rounds: int) -> Iterator[str]:
    """Create a campaign and play it: found groups, report games, and take both groups' steps after each game."""
    s, changing, dice = run.s, run.changing, run.dice()
    start, season, days = run.now - rounds * WEEK, Season(days=WEEK.days), rounds * WEEK.days
    more = SETTINGS.get(run.system, {})
    event = make_season(
        run, "Wasteland Campaign", season, start, dice, players=groups, rounds=rounds, days=days, **more
    )
    yield f"Made {event.name}: {groups} groups, {rounds} rounds"
    with changing(event):
        set_campaign(Act(s, event, ACTOR, start), MAPS.get(run.system, {}), event.seed)
    taken = 0
    for number in range(1, rounds + 1):
        moment = start + (number - 1) * WEEK
        with changing(event):
            drawing.draw_round(Act(s, event, ACTOR, moment), number, dice.getrandbits(48))
            rounds_actions.publish_round(Act(s, event, ACTOR, moment), number)
        if number == 1:
            with changing(event):
                founded = campaigns.found_groups(Act(s, event, ACTOR, moment), _chance(dice))
            yield f"Founded {founded} groups from the locked lists"
            taken += _sequences(run, event, dice, moment)
        play_round(s, changing, event, number, dice, moment + timedelta(days=3))
        for player in event.players:
            with suppress(Refused), changing(event):  # for a bye, no game waits
                campaigns.begin_steps(Act(s, event, ACTOR, moment + timedelta(days=4)), player)
        taken += _sequences(run, event, dice, moment + timedelta(days=4))
    yield f"Played {rounds} rounds and took {taken} steps between the games"
    with changing(event):
        finish(Act(s, event, ACTOR, run.now))
    yield "The campaign is closed"


def _sequences(run: Run, event: Event, dice: random.Random, now: datetime) -> int:
    """Close every open sequence, alternating between groups because some wait for others.

    Returns the number of steps.
    """
    taken = 0
    players = list(event.players)
    while still := [player for player in players if player.id in campaign_history(run.s, event).world.phases]:
        now_taken = sum(_turn(run, event, player, dice, now) for player in still)
        if not now_taken:
            raise Refused(f"The steps of {still[0].name} cannot be closed.")
        taken += now_taken
    return taken


def _turn(run: Run, event: Event, player: Player, dice: random.Random, now: datetime) -> int:
    """Take some of the steps offered in the group's current phase and end it, if the rules allow. Returns how many."""
    s, wished, taken, history = run.s, dice.randrange(MOST_STEPS), 0, campaign_history(run.s, event)
    for tried in range(TRIES):
        world, seen = history.world, campaigns.newest_step(history, player)
        if tried >= wished:
            with suppress(Refused), run.changing(event):
                campaigns.end_phase(Act(s, event, ACTOR, now), player, seen)
                return taken + 1
        offers = world.rules.offers(world, player.id)
        if not offers:
            continue
        fights = tried < TRIES // 2 and any(an_offer.kind == "muster" for an_offer in offers)
        offer = dice.choice([offer for offer in offers if offer.kind != "forfeit"] if fights else offers)
        usual = bool(dice.randrange(2))
        answers = {asked.key: _answer(asked, dice, usual=usual) for asked in offer.asks}
        with suppress(Refused), run.changing(event):
            campaigns.take_offer(Act(s, event, ACTOR, now), player, offer, answers, _chance(dice), seen)
            taken, history = taken + 1, campaign_history(s, event)
    return taken


def _chance(dice: random.Random) -> campaigns.Chance:
    """Made-up seeds, whatever they are about."""
    return lambda about: dice.getrandbits(48)


def _answer(asked: Asked, dice: random.Random, *, usual: bool) -> int | str:
    """A made-up answer to a step's question; ``usual`` keeps the form's default."""
    if asked.default is not None and (usual or dice.randrange(2)):
        return asked.default
    if asked.kind == "choice":
        return dice.choice(asked.choices)[0]
    if asked.kind == "yes":
        return dice.randrange(2)
    return "" if asked.kind == "text" else dice.randint(asked.least, min(asked.most, asked.least + 6))
