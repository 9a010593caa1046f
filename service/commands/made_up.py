"""Made-up players, forces, results, seasons and campaigns for ``overseer demo``, by the actions that people use."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session

from events.campaigns import actions as campaigns
from events.leagues import actions as leagues
from events.leagues.queries import Fixture, fixtures, next_ones
from events.lists import actions as lists_actions
from events.play.act import Act
from events.play.campaign import campaign_history
from events.play.editions import system_of
from events.play.errors import Refused
from events.play.players import players_of
from events.play.roles import roles_answered
from events.play.rounds import RoundView, round_of, round_view, round_views
from events.play.tournaments import load
from events.play.verdicts import terms_of
from events.registration import actions as registration_actions
from events.registration import arrivals
from events.results import actions as results_actions
from events.results import no_shows
from events.results.actions import Agreement, Claim
from events.results.disputes import bounds_of
from events.rounds import actions as rounds_actions
from events.rounds import drawing, formats
from events.setup.actions import create_event, default_settings, finish, open_registration, planned
from events.setup.campaign_choice import set_campaign
from events.setup.pairing_actions import set_format
from events.setup.pairing_forms import set_season
from events.tournament.season import Season
from models.event import Event
from models.people import Account
from models.play import Absent, Game, Player, ReportSide, Through
from models.settings import EventFormat
from validators.answers import Bound, beyond_bounds
from validators.calculator import Asked
from validators.game_system import GameSystem
from validators.scenario import Answers, Scenario

ACTOR = "demonstration"
ZONE = "Europe/Berlin"
# fmt: off
GIVEN = (
    "Ada", "Amara", "Anouk", "Björn", "Carys", "Chidi", "Dmitri", "Elif", "Emeka", "Farah", "Fionn", "Grete",
    "Hana", "Iñigo", "Ines", "Jun", "Kasia", "Léa", "Lotte", "Marek", "Mei", "Nadia", "Niamh", "Oskar", "Priya",
    "Rafał", "Saoirse", "Søren", "Tomás", "Ulla", "Vesna", "Wim", "Xenia", "Yusuf", "Zoë", "Юлия", "Иван", "太郎",
    "민수", "Ωμέγα",
)
FAMILY = (
    "Adeyemi", "Bauer", "Costa", "Dubois", "Eriksen", "Fischer", "García", "Hughes", "Ivanova", "Jensen",
    "Kowalski", "Lindqvist", "Müller", "Nowak", "O’Brien", "Petrov", "Quinn", "Rossi", "Šimić", "Tanaka", "Ünal",
    "Virtanen", "Weber", "Yılmaz", "Zieliński",
)
# fmt: on
CLUBS = ("Dustbowl Gamers", "Second Vault", "Table Six", "Łódź Dice", "The Cooling Tower", "")

Changing = Callable[[Event | None], AbstractContextManager[Session]]
"""Opens one change, like ``models.db.write`` bound to a session."""


@dataclass(frozen=True)
class Run:
    """What every demonstration needs: where it is stored, and what it is made from."""

    s: Session
    changing: Changing
    system: str
    seed: int
    now: datetime
    leave_open: bool
    owner: Account | None

    def dice(self) -> random.Random:
        """The chance that it follows."""
        return random.Random(self.seed)  # noqa: S311 - a game, no secret

    def created(self, name: str, day: date, at: datetime, *, players: int, rounds: int, **more: Any) -> Event:
        """A new event of this day, with ``more`` of its settings, whose draws follow from the seed."""
        wanted = default_settings(self.system, name, "Old Town Hall, Market Square 1", day, ZONE, at)
        scenarios = planned(wanted.scenario_pool, rounds)
        chosen = {"rounds": rounds, "places": players + 8, "scenarios": scenarios} | more
        wanted = wanted.model_copy(update=chosen)
        with self.changing(None) as s:
            event = create_event(s, wanted, ACTOR, at, self.owner)
            event.seed = self.dice().getrandbits(48)
        return event


def free_name(s: Session, event: Event, dice: random.Random) -> str:
    """A name that nobody in the event has."""
    taken = {p.name for p in players_of(s, event)}
    for turn in range(10_000):
        name = f"{dice.choice(GIVEN)} {dice.choice(FAMILY)}" + (f" {turn}" if turn > 50 else "")
        if name not in taken:
            return name
    raise Refused("The demonstration has too few names. Choose fewer players.")


def sign_up(
    s: Session, changing: Changing, event: Event, count: int, dice: random.Random, now: datetime,
    known: Sequence[str] = (),
) -> None:  # fmt: skip
    """Register players, each with a legal force, and check them in; the first ones have the names ``known``."""
    for number in range(count):
        with changing(event):
            name = known[number] if number < len(known) else free_name(s, event, dice)
            player = registration_actions.register(Act(s, event, ACTOR, now), name, {"club": dice.choice(CLUBS)}, "")
            give_force(s, event, player, dice, now)
            arrivals.check_in(Act(s, event, ACTOR, now), player)


def give_force(s: Session, event: Event, player: Player, dice: random.Random, now: datetime) -> None:
    """Submit a legal force for a player, without queries if any faction has one."""
    terms, game = terms_of(s, event), system_of(event)
    factions = terms.edition.factions
    for number in range(len(factions)):
        document = game.forces.sample(terms, factions[(player.id + number) % len(factions)], dice.getrandbits(32))
        if not game.checks.check(document, terms).queries:
            break
    lists_actions.save_force(Act(s, event, ACTOR, now), player, document, by_organiser=True)
    lists_actions.submit_force(Act(s, event, ACTOR, now), player)
    player.painted = dice.randrange(3) == 0


def play_round(s: Session, changing: Changing, event: Event, number: int, dice: random.Random, now: datetime) -> None:
    """Report and confirm every game in a published round."""
    the_round = round_of(s, event, number)
    assert the_round is not None  # noqa: S101 - just published
    view = round_view(s, event, the_round)
    for game in view.games:
        if game.b_id is not None:
            play_game(s, changing, event, view, game, dice, now, disputed=20)


def play_game(
    s: Session, changing: Changing, event: Event, view: RoundView, game: Game, dice: random.Random, now: datetime,
    *, disputed: int = 0,
) -> None:  # fmt: skip
    """Report and confirm a game; one in ``disputed`` is reported differently by both, and the organiser decides."""
    scenario = view.scenario_at(game)
    assert scenario is not None  # noqa: S101 - drawn with the round
    bounds, roles = bounds_of(s, event, game, scenario), roles_answered(scenario, game)
    answers = possible_answers(event, scenario, dice, bounds, roles)
    with changing(event):
        send(s, event, game, ReportSide.A, answers, now)
    with changing(event):
        if disputed and not dice.randrange(disputed):
            send(s, event, game, ReportSide.B, possible_answers(event, scenario, dice, bounds, roles), now)
            send(s, event, game, ReportSide.ORGANISER, answers, now)
        else:
            results_actions.agree(Act(s, event, ACTOR, now), game, Agreement(ReportSide.B, ReportSide.A, game.version))


def send(s: Session, event: Event, game: Game, side: ReportSide, answers: Answers, now: datetime) -> None:
    """Store one report."""
    results_actions.report(Act(s, event, ACTOR, now), game, Claim(side, answers, game.version, sure=True))


def _doubted(
    system: GameSystem, scenario: Scenario, bounds: Sequence[Bound], answers: Answers, key: str, choice: str
) -> bool:
    """Whether this choice would be asked about after these answers."""
    tried = {**answers, key: choice}
    return any(key in doubt.keys for doubt in (*system.scoring.check(scenario, tried), *beyond_bounds(bounds, tried)))


def possible_answers(
    event: Event, scenario: Scenario, dice: random.Random, bounds: Sequence[Bound] = (), roles: Answers | None = None
) -> dict[str, int | str]:
    """A made-up result with these roles that passes the scenario's check and the forces' bounds."""
    system = system_of(event)
    held = {key: bound.most for bound in bounds for key in bound.questions}
    known = {key for bound in bounds if bound.exact for key in bound.questions}
    answers: dict[str, int | str] = dict(roles or {})
    for question in scenario.questions:
        if question.key in answers:
            continue
        if question.kind == "choice":
            first = dice.choice(question.choices)
            doubted = partial(_doubted, system, scenario, bounds, answers, question.key)
            wanted: int | str = min((first, *question.choices), key=doubted)
        elif question.most == 0 or (
            question.seldom and scenario.roles[-1].name == answers.get(f"{question.side}.role")
        ):
            continue
        elif question.key in known:
            wanted = held[question.key]
        else:
            few = question.usual or (3 if question.kind != "figure" else event.size)
            wanted = dice.randint(0, min(question.most, few, held.get(question.key, few)))
        # Keep each answer only if it fits with those before it: only the scenario knows the rules.
        tried = answers | {question.key: wanted}
        if not any(d.refused for d in (*system.scoring.check(scenario, tried), *beyond_bounds(bounds, tried))):
            answers = tried
    return answers


LONG = Season(days=14)
CUT = 2
WEEK = timedelta(days=7)


def play_league(run: Run, count: int) -> Iterator[str]:
    """Create a season and play it: agreed days, late results, forfeits, a longer window, a final.

    With ``leave_open`` it stops in the middle. Raises Refused where the numbers cannot be played.
    """
    s, changing, dice = run.s, run.changing, run.dice()
    rounds = count - 1 + count % 2
    passed = rounds // 2 if run.leave_open else rounds + 1
    start = run.now - timedelta(days=passed * LONG.days)
    days = (rounds + 1) * LONG.days
    event = make_season(run, "Wasteland League", LONG, start, dice, players=count, rounds=rounds, days=days, cut=CUT)
    yield f"Made {event.name}: {count} players, a round every {LONG.days} days"
    with changing(event):
        leagues.draw_season(Act(s, event, ACTOR, start), dice.getrandbits(40))
    yield f"Drew {rounds} rounds at once"
    today = run.now.astimezone(ZoneInfo(ZONE)).date()
    waiting = next_ones(fixtures(event, round_views(s, event), today))
    dice.shuffle(waiting)  # results arrive in any order
    waiting.sort(key=lambda fixture: fixture.number + dice.choice((0, 0, 0, 1, 2)))  # some of them late
    played = forfeits = 0
    for fixture in waiting:
        if run.leave_open and fixture.number > passed - dice.choice((0, 0, 1)):
            continue
        moment = datetime.combine(fixture.due, start.timetz()) - timedelta(days=dice.randrange(LONG.days))
        played += 1
        forfeits += _play(run, event, fixture, dice, moment)
    yield f"Played {played} games, {forfeits} of them forfeited"
    if run.leave_open:
        return
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
    said, ends = "A demonstration season: every player, force and result is made up.", day + timedelta(days=days - 1)
    event = run.created(name, day, made_at, players=players, rounds=rounds, description=said, ends_on=ends, **more)
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
    view = next(view for view in round_views(s, event) if view.round.id == game.round_id)
    play_game(s, changing, event, view, game, dice, moment)
    return False


def _final(run: Run, event: Event, dice: random.Random) -> Iterator[str]:
    s, changing, now = run.s, run.changing, run.now
    with changing(event):
        mark = formats.cut_now(s, load(s, event)).mark
        final = rounds_actions.make_cut(Act(s, event, ACTOR, now), mark, dice.getrandbits(40)).number
        rounds_actions.publish_round(Act(s, event, ACTOR, now), final)
    play_round(s, changing, event, final, dice, now)
    for game in round_views(s, event)[-1].tied:
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
    """Create a campaign and play it: found groups, report games, and take both groups' steps after each game.

    With ``leave_open`` the last round's steps stay open. Raises Refused if these numbers cannot be played.
    """
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
        if run.leave_open and number == rounds:
            yield f"Took {taken} steps; those after round {number} wait"
            return
        for player in players_of(s, event):
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
    players = list(players_of(run.s, event))
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
