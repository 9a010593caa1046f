"""``overseer demo``: a whole event played by the actions that people use, from a seed."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Engine
from sqlmodel import Session

from events.lists import actions as lists_actions
from events.play.errors import Refused
from events.play.queries import players_of, round_of, round_view, system_of, terms_of
from events.play.roles import roles_answered
from events.registration import actions as registration_actions
from events.results import actions as results_actions
from events.results.actions import Agreement, Claim
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup.actions import create_event, default_settings, finish, open_registration, planned
from models.db import write
from models.event import Event
from models.people import Account
from models.play import Game, Player, PlayerState, ReportSide
from service.commands.accounts import reached_at
from service.commands.backup import owner_here
from service.commands.database import ready
from validators import SYSTEMS
from validators.answers import Bound, outside
from validators.scenario import Answers, Scenario

ACTOR = "demonstration"
ZONE = "Europe/Berlin"
ROUND_EVERY = 120
"""Minutes from one round of the demonstration to the next."""
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


def play(
    s: Session,
    changing: Changing,
    system_id: str,
    *,
    players_count: int,
    rounds_count: int,
    seed: int,
    now: datetime,
    leave_open: bool = False,
    owner: Account | None = None,
) -> Iterator[str]:
    """Make an event and play it, telling each step: sign-up, forces, check-in, rounds, results, a drop, a late entry.

    The same seed and day give the same event. With ``leave_open`` the last round is published but not played, so that
    there is something to try. Raises Refused where the numbers cannot be played.
    """
    dice = random.Random(seed)  # noqa: S311 - a game, no secret
    before = now - timedelta(days=3)
    event = _make(changing, system_id, players_count, rounds_count, seed, before, now, owner)
    yield f"Made {event.name}: {event.size} {system_of(event).unit}, {rounds_count} rounds"
    _sign_up(s, changing, event, players_count, dice, before)
    end, length = now, timedelta(minutes=ROUND_EVERY)
    yield f"{players_count} players signed up and submitted a legal force"
    for number in range(1, rounds_count + 1):
        now = end - length * (rounds_count - number)
        if number == 2:
            with changing(event):
                late = registration_actions.register(
                    s, event, _free_name(s, event, dice), dice.choice(CLUBS), "", ACTOR, now, here=True
                )
                _give_force(s, event, late, dice, now)
            yield f"{late.name} came late and plays from round 2"
        if number == 3 and players_count > 4:
            with changing(event):
                here = [p for p in players_of(s, event) if p.state == PlayerState.CHECKED_IN]
                leaver = dice.choice([p for p in here if p.entered_round == 1])
                registration_actions.drop(s, event, leaver, ACTOR, now)
            yield f"{leaver.name} dropped after round 2"
        with changing(event):
            drawing.draw_round(s, event, number, dice.getrandbits(48), ACTOR, now)
        with changing(event):
            rounds_actions.publish_round(s, event, number, ACTOR, now)
        if leave_open and number == rounds_count:
            yield f"Round {number} is drawn and published; it waits to be played"
            return
        _play_round(s, changing, event, number, dice, now)
        yield f"Round {number} is played"
    with changing(event):
        finish(s, event, ACTOR, now)
    yield "The event is closed"


def _make(
    changing: Changing,
    system_id: str,
    players_count: int,
    rounds_count: int,
    seed: int,
    now: datetime,
    play_at: datetime,
    owner: Account | None,
) -> Event:
    day = play_at.astimezone(ZoneInfo(ZONE)).date()
    wanted = default_settings(system_id, "Wasteland Open", "Old Town Hall, Market Square 1", day, ZONE, now)
    wanted = replace(
        wanted,
        description="A demonstration event: every player, force and result is made up.\n"
        "Doors open at 9:00. Tea and coffee all day, hot lunch between rounds 2 and 3.",
        rounds=rounds_count,
        places=players_count + 8,
        painting_points=1,
        scenarios=planned(wanted.scenario_pool, rounds_count),
    )
    with changing(None) as s:
        event = create_event(s, wanted, ACTOR, now, owner)
        event.seed = random.Random(seed).getrandbits(48)  # noqa: S311 - a game, no secret
    with changing(event):
        open_registration(s, event, ACTOR, now)
    return event


def _free_name(s: Session, event: Event, dice: random.Random) -> str:
    taken = {p.name for p in players_of(s, event)}
    for turn in range(10_000):
        name = f"{dice.choice(GIVEN)} {dice.choice(FAMILY)}" + (f" {turn}" if turn > 50 else "")
        if name not in taken:
            return name
    raise Refused("The demonstration has run out of names.")


def _sign_up(s: Session, changing: Changing, event: Event, count: int, dice: random.Random, now: datetime) -> None:
    for _ in range(count):
        with changing(event):
            player = registration_actions.register(
                s, event, _free_name(s, event, dice), dice.choice(CLUBS), "", ACTOR, now
            )
            _give_force(s, event, player, dice, now)
            registration_actions.check_in(s, event, player, ACTOR, now)


def _give_force(s: Session, event: Event, player: Player, dice: random.Random, now: datetime) -> None:
    terms = terms_of(s, event)
    factions = terms.edition.factions
    faction = factions[player.id % len(factions)]
    document = system_of(event).forces.sample(terms, faction, dice.getrandbits(32))
    lists_actions.save_force(s, event, player, document, ACTOR, now, by_organiser=True)
    lists_actions.submit_force(s, event, player, ACTOR, now)
    player.painted = dice.randrange(3) == 0


def _play_round(s: Session, changing: Changing, event: Event, number: int, dice: random.Random, now: datetime) -> None:
    the_round = round_of(s, event, number)
    assert the_round is not None  # noqa: S101 - just published
    view = round_view(s, event, the_round)
    for game in view.games:
        if game.b_id is None:
            continue
        scenario = view.scenario_at(game)
        assert scenario is not None  # noqa: S101 - drawn with the round
        bounds = results_actions.bounds_of(s, event, game, scenario)
        roles = roles_answered(scenario, game)
        answers = possible_answers(event, scenario, dice, bounds, roles)
        with changing(event):
            _send(s, event, game, ReportSide.A, answers, now)
        with changing(event):
            if dice.randrange(20):
                agreed = Agreement(ReportSide.B, ReportSide.A, game.version)
                results_actions.agree(s, event, game, agreed, ACTOR, now)
            else:  # now and then the organiser has to decide
                _send(s, event, game, ReportSide.B, possible_answers(event, scenario, dice, bounds, roles), now)
                _send(s, event, game, ReportSide.ORGANISER, answers, now)


def _send(s: Session, event: Event, game: Game, side: ReportSide, answers: Answers, now: datetime) -> None:
    results_actions.report(s, event, game, Claim(side, answers, game.version, sure=True), ACTOR, now)


def possible_answers(
    event: Event, scenario: Scenario, dice: random.Random, bounds: Sequence[Bound] = (), roles: Answers | None = None
) -> dict[str, int | str]:
    """A made-up result with these roles that neither the scenario's own check nor the forces' bounds refuse."""
    system = system_of(event)
    held = {key: bound.most for bound in bounds for key in bound.questions}
    known = {key for bound in bounds if bound.exact for key in bound.questions}
    answers: dict[str, int | str] = dict(roles or {})
    for question in scenario.questions:
        if question.key in answers:
            continue
        if question.kind == "choice":
            wanted: int | str = dice.choice(question.choices)
        elif question.most == 0:
            continue
        elif question.key in known:
            wanted = held[question.key]
        else:
            few = question.usual or (3 if question.kind != "figure" else event.size)
            wanted = dice.randint(question.least, min(question.most, few, held.get(question.key, few)))
        # Each answer is kept only where it fits with those before it: the scenario knows, not this code.
        tried = answers | {question.key: wanted}
        if not any(d.refused for d in (*system.scoring.check(scenario, tried), *outside(bounds, tried))):
            answers = tried
    return answers


@click.command()
@click.option("--players", default=24, show_default=True, type=click.IntRange(2, 500), help="Players who sign up.")
@click.option("--rounds", default=4, show_default=True, type=click.IntRange(1, 20), help="Rounds to play.")
@click.option(
    "--seed",
    default=7,
    show_default=True,
    type=click.IntRange(0),
    help="In an empty database, the same seed makes the same event.",
)
@click.option("--system", default=next(iter(SYSTEMS)), show_default=True, type=click.Choice(list(SYSTEMS)))
@click.option("--owner", help="The account that owns it; needed where the club has several organisers.")
@click.option("--leave-open", is_flag=True, help="Publish the last round but do not play it.")
def demo(players: int, rounds: int, seed: int, system: str, leave_open: bool, owner: str | None) -> None:
    """Play a whole event through the same actions that people use. The club's organiser owns it."""
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
    """Play an event into this database and print each step; returns its slug."""
    now = datetime.now(UTC)
    with Session(engine, expire_on_commit=False) as session:
        made: list[Event] = []

        @contextmanager
        def changing(event: Event | None) -> Iterator[Session]:
            with write(session, now, event) as s:
                yield s
            if event is not None:
                made[:] = [event]

        try:
            for step in play(
                session, changing, system, players_count=players, rounds_count=rounds, seed=seed, now=now,
                leave_open=leave_open, owner=owner,
            ):  # fmt: skip
                click.echo(f"  {step}")
        except Refused as refused:
            raise click.ClickException(refused.message) from refused
        return made[0].slug
