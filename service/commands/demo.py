"""``overseer demo``: play a whole event from a seed, through the same actions that people use."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Engine
from sqlmodel import Session

from events.play.act import Act
from events.play.editions import system_of
from events.play.players import players_of
from events.registration import actions as registration_actions
from events.registration import leaving
from events.registration.check_in import set_window
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup.actions import finish, open_registration
from events.standings.awards import add_usual
from models.db import write
from models.event import Event
from models.people import Account
from models.play import PlayerState
from service.commands.backup import owner_here
from service.commands.database import reached_at, ready
from service.commands.made_up import (
    ACTOR,
    CLUBS,
    ZONE,
    Run,
    free_name,
    give_force,
    play_round,
    sign_up,
)
from validators import SYSTEMS

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
                    Act(s, event, ACTOR, now), free_name(s, event, dice), {"club": dice.choice(CLUBS)}, "", here=True
                )
                give_force(s, event, late, dice, now)
            yield f"{late.name} came late and plays from round 2"
        if number == 3 and players_count > 4:
            with changing(event):
                here = [p for p in players_of(s, event) if p.state == PlayerState.CHECKED_IN]
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
        set_window(Act(s, event, ACTOR, now), begins, begins + timedelta(minutes=45))
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
