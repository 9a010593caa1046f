"""``overseer demo --campaign GAME``: play a whole campaign from a seed, through the same actions that people use."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session

from events.campaigns import actions as campaigns
from events.campaigns.actions import begin_steps
from events.play.campaign import history_of
from events.play.errors import Refused
from events.play.queries import players_of
from events.play.season import Season
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup.actions import finish
from models.event import Event
from models.people import Account
from models.play import Player
from service.commands.demo_league import make_season
from service.commands.made_up import ACTOR, Changing, play_round, sign_up
from validators.calculator import Asked
from validators.campaign import Answered, Dice, RollNeeded, Step, StepRefused, World, after

WEEK = timedelta(days=7)
SIZES = {"fallout_warfare": 800}
"""The sizes of groups at the start, for games where they exceed an event's list."""
MAPS = {"fallout_warfare": {"map": "6"}}
MOST_STEPS = 5
"""The most voluntary steps of a group in one phase."""
TRIES = 120


def play_campaign(
    s: Session, changing: Changing, system_id: str, *, groups: int, rounds: int, seed: int, now: datetime,
    leave_open: bool = False, owner: Account | None = None,
) -> Iterator[str]:  # fmt: skip
    """Create a campaign and play it: found groups, report games, and take both groups' steps after each game.

    With ``leave_open`` the last round's steps stay open. Raises Refused if these numbers cannot be played.
    """
    dice = random.Random(seed)  # noqa: S311 - a game, no secret
    start = now - rounds * WEEK
    season, size = Season(days=WEEK.days), SIZES.get(system_id, 0)
    event = make_season(changing, system_id, "Wasteland Campaign", season, players=groups, rounds=rounds,
                        days=rounds * season.days, seed=seed, start=start, owner=owner, size=size)  # fmt: skip
    yield f"Made {event.name}: {groups} groups, {rounds} rounds"
    sign_up(s, changing, event, groups, dice, start - timedelta(days=3))
    with changing(event):
        campaigns.set_campaign(s, event, MAPS.get(system_id, {}), event.seed, ACTOR, start)
    taken = 0
    for number in range(1, rounds + 1):
        moment = start + (number - 1) * WEEK
        with changing(event):
            drawing.draw_round(s, event, number, dice.getrandbits(48), ACTOR, moment)
        with changing(event):
            rounds_actions.publish_round(s, event, number, ACTOR, moment)
        if number == 1:
            with changing(event):
                founded = campaigns.found_groups(s, event, lambda: dice.getrandbits(48), ACTOR, moment)
            yield f"Founded {founded} groups from the locked lists"
            taken += _sequences(s, changing, event, dice, moment)
        play_round(s, changing, event, number, dice, moment + timedelta(days=3))
        if leave_open and number == rounds:
            yield f"Took {taken} steps; those after round {number} wait"
            return
        for player in players_of(s, event):
            try:
                with changing(event):
                    begin_steps(s, event, player, lambda: dice.getrandbits(48), ACTOR, moment + timedelta(days=4))
            except Refused:
                continue  # for a bye, no game waits
        taken += _sequences(s, changing, event, dice, moment + timedelta(days=4))
    yield f"Played {rounds} rounds and took {taken} steps between the games"
    with changing(event):
        finish(s, event, ACTOR, now)
    yield "The campaign is closed"


def _sequences(s: Session, changing: Changing, event: Event, dice: random.Random, now: datetime) -> int:
    """Close every open sequence, alternating between groups because some wait for others.

    Returns the number of steps.
    """
    taken = 0
    players = list(players_of(s, event))
    while True:
        still = [player for player in players if player.id in history_of(s, event).world.phases]
        if not still:
            return taken
        now_taken = sum(_turn(s, changing, event, player, dice, now) for player in still)
        if not now_taken:
            raise Refused(f"The steps of {still[0].name} cannot be closed.")
        taken += now_taken


def _turn(s: Session, changing: Changing, event: Event, player: Player, dice: random.Random, now: datetime) -> int:
    """Take some of the steps offered in the group's current phase and end it, if the rules allow. Returns how many."""
    wished, taken, history = dice.randrange(MOST_STEPS), 0, history_of(s, event)
    for tried in range(TRIES):
        world, seen = history.world, campaigns.newest(history, player)
        if tried >= wished and _possible(world, player, "next", {}, Dice()):
            with changing(event):
                campaigns.leave(s, event, player, seen, ACTOR, now)
            return taken + 1
        offers = world.rules.offers(world, player.id)
        if not offers:
            continue
        offer, seed = dice.choice(offers), dice.getrandbits(48)
        usual = bool(dice.randrange(2))
        answers = {asked.key: _answer(asked, dice, usual=usual) for asked in offer.asks}
        if _possible(world, player, offer.kind, {**answers, **offer.fixed}, Dice(seed)):
            with changing(event):
                campaigns.take(s, event, player, offer, answers, Dice(seed), seen, ACTOR, now)
            taken, history = taken + 1, history_of(s, event)
    return taken


def _possible(world: World, player: Player, kind: str, data: Answered, dice: Dice) -> bool:
    """Whether the rules allow this step now."""
    try:
        after(world, Step(0, player.id, kind, data), dice)
    except (StepRefused, RollNeeded):
        return False
    return True


def _answer(asked: Asked, dice: random.Random, *, usual: bool) -> int | str:
    """A made-up answer to a step's question; ``usual`` keeps the form's default."""
    if asked.default is not None and (usual or dice.randrange(2)):
        return asked.default
    if asked.kind == "choice":
        return dice.choice(asked.choices)[0]
    if asked.kind == "yes":
        return dice.randrange(2)
    return "" if asked.kind == "text" else dice.randint(asked.least, min(asked.most, asked.least + 6))
