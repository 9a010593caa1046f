"""``overseer demo``: play a whole event of made-up people from a seed, through the same actions that people use."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Engine
from sqlmodel import Session

from events.lists import actions as lists_actions
from events.registration import actions as registration_actions
from events.registration import check_in, leaving
from events.results import actions as results_actions
from events.results.actions import Agreement, Claim
from events.results.disputes import bounds_of
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup.actions import create_event, default_settings, finish, open_registration, planned
from events.standings.awards import add_usual
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.roles import roles_answered
from events.store.rounds import RoundView, round_of, round_view
from events.store.verdicts import terms_of
from models.db import write
from models.event import Event
from models.people import Account
from models.play import Game, Player, PlayerState, ReportSide
from service.commands.backup import owner_here
from service.commands.database import reached_at, ready
from validators import SYSTEMS
from validators.answers import Bound, beyond_bounds
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
    """Where a demonstration is stored, and what it is made from."""

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
        wanted = default_settings(SYSTEMS[self.system], name, "Old Town Hall, Market Square 1", day, ZONE, at)
        scenarios = planned(wanted.scenario_pool, rounds)
        chosen = {"rounds": rounds, "places": players + 8, "scenarios": scenarios} | more
        wanted = wanted.model_copy(update=chosen)
        with self.changing(None) as s:
            event = create_event(s, wanted, ACTOR, at, self.owner)
            event.seed = self.dice().getrandbits(48)
        return event


def free_name(event: Event, dice: random.Random) -> str:
    """A name that nobody in the event has."""
    taken = {p.name for p in event.players}
    for turn in range(10_000):
        name = f"{dice.choice(GIVEN)} {dice.choice(FAMILY)}" + (f" {turn}" if turn > 50 else "")
        if name not in taken:
            return name
    raise Refused("The demonstration has too few names. Choose fewer players.")


def sign_up(s: Session, changing: Changing, event: Event, count: int, dice: random.Random, now: datetime) -> None:
    """Register players, each with a legal force, and check them in."""
    for _ in range(count):
        with changing(event):
            name = free_name(event, dice)
            player = registration_actions.register(Act(s, event, ACTOR, now), name, {"club": dice.choice(CLUBS)}, "")
            give_force(s, event, player, dice, now)
            check_in.check_in(Act(s, event, ACTOR, now), player)


def give_force(s: Session, event: Event, player: Player, dice: random.Random, now: datetime) -> None:
    """Submit a legal force for a player, without queries if any faction has one."""
    terms, game = terms_of(event), system_of(event)
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
    the_round = round_of(event, number)
    assert the_round is not None  # noqa: S101 - just published
    view = round_view(event, the_round)
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


ROUND_EVERY = 120
"""Minutes between rounds of the demonstration."""


def play(run: Run, players_count: int, rounds_count: int) -> Iterator[str]:
    """Make an event and play it, telling each step: sign-up, forces, check-in, rounds, results, a drop, a late entry.

    The same seed and day give the same event. With ``leave_open`` the last round is published but not played, so that
    there is something to try out. Raises Refused where the numbers cannot be played.
    """
    s, changing, now, dice = run.s, run.changing, run.now, run.dice()
    before = now - timedelta(days=3)
    event = _make(run, players_count, rounds_count, before)
    yield f"Made {event.name}: {event.size} {system_of(event).unit}, {rounds_count} rounds"
    sign_up(s, changing, event, players_count, dice, before)
    end, length = now, timedelta(minutes=ROUND_EVERY)
    yield f"{players_count} players signed up and submitted a legal force"
    for number in range(1, rounds_count + 1):
        now = end - length * (rounds_count - number)
        if number == 2:
            with changing(event):
                late = registration_actions.register(
                    Act(s, event, ACTOR, now), free_name(event, dice), {"club": dice.choice(CLUBS)}, "", here=True
                )
                give_force(s, event, late, dice, now)
            yield f"{late.name} came late and plays from round 2"
        if number == 3 and players_count > 4:
            with changing(event):
                here = [p for p in event.players if p.state == PlayerState.CHECKED_IN]
                leaver = dice.choice([p for p in here if p.entered_round == 1])
                leaving.drop(Act(s, event, ACTOR, now), leaver)
            yield f"{leaver.name} dropped after round 2"
        with changing(event):
            drawing.draw_round(Act(s, event, ACTOR, now), number, dice.getrandbits(48))
        with changing(event):
            rounds_actions.publish_round(Act(s, event, ACTOR, now), number)
        if run.leave_open and number == rounds_count:
            yield f"Round {number} is drawn and published; it waits to be played"
            return
        play_round(s, changing, event, number, dice, now)
        yield f"Round {number} is played"
    with changing(event):
        finish(Act(s, event, ACTOR, now))
    yield "The event is closed"


def _make(run: Run, players_count: int, rounds_count: int, now: datetime) -> Event:
    day = run.now.astimezone(ZoneInfo(ZONE)).date()
    event = run.created(
        "Wasteland Open",
        day,
        now,
        players=players_count,
        rounds=rounds_count,
        description="A demonstration event: every player, force and result is made up.\n"
        "Tea, coffee and sandwiches all day.",
        contact="At the desk, or demo@example.org",
        bring="A dice tray.\nA mug for the tea.",
        starts_at="10:00",
        painting_points=1,
    )
    with run.changing(event) as s:
        begins = datetime.combine(day, time(9), ZoneInfo(ZONE)).astimezone(UTC)
        check_in.set_window(Act(s, event, ACTOR, now), begins, begins + timedelta(minutes=45))
        add_usual(Act(s, event, ACTOR, now))
        open_registration(Act(s, event, ACTOR, now))
    return event


@click.command()
@click.option("--players", default=24, show_default=True, type=click.IntRange(2, 500), help="Players who sign up.")
@click.option("--rounds", default=4, show_default=True, type=click.IntRange(1, 20), help="Rounds to play.")
@click.option(
    "--seed",
    default=7,
    show_default=True,
    type=click.IntRange(0),
    help="Seed of chance: in an empty database, the same seed makes the same event.",
)
@click.option("--system", default=next(iter(SYSTEMS)), show_default=True, type=click.Choice(list(SYSTEMS)))
@click.option("--owner", help="The account that owns the event; required if the club has several organisers.")
@click.option("--leave-open", is_flag=True, help="Publish the last round but do not play it.")
def demo(players: int, rounds: int, seed: int, system: str, leave_open: bool, owner: str | None) -> None:
    """Play a demonstration event through the actions that the pages use. The club's organiser owns it."""
    settings, engine = ready()
    with Session(engine, expire_on_commit=False) as session:
        account = owner_here(session, owner)
    slug = play_demonstration(
        engine, players=players, rounds=rounds, seed=seed, system=system, leave_open=leave_open, owner=account
    )
    click.echo(f"See it at {reached_at(settings)}/e/{slug} when the service runs.")
    click.echo(f"{account.name} owns it." if account else "It belongs to the organiser who uses the next set-up link.")


def play_demonstration(
    engine: Engine, *, players: int, rounds: int, seed: int, leave_open: bool, system: str = next(iter(SYSTEMS)),
    owner: Account | None = None,
) -> str:  # fmt: skip
    """Play an event in this database, and print each step. Returns its slug."""
    now = datetime.now(UTC)
    with Session(engine, expire_on_commit=False) as session:
        made: list[Event] = []

        @contextmanager
        def changing(event: Event | None) -> Iterator[Session]:
            with write(session, now, event) as s:
                yield s
            if event is not None:
                made[:] = [event]

        for step in play(Run(session, changing, system, seed, now, leave_open, owner), players, rounds):
            click.echo(f"  {step}")
        return made[0].slug
