"""A demonstration event from the shell."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click
from sqlalchemy import Engine
from sqlmodel import Session

from events.actions import demonstration
from events.commands.archive import owner_here
from events.commands.database import ready
from events.commands.links import reached_at
from events.errors import Refused
from models.db import write
from models.event import Event
from models.people import Account
from validators import SYSTEMS


@click.command()
@click.option("--players", default=24, show_default=True, type=click.IntRange(2, 500), help="How many sign up.")
@click.option("--rounds", default=4, show_default=True, type=click.IntRange(1, 20), help="How many are played.")
@click.option(
    "--seed",
    default=7,
    show_default=True,
    type=click.IntRange(0),
    help="In an empty database, the same seed is the same event.",
)
@click.option("--system", default=next(iter(SYSTEMS)), show_default=True, type=click.Choice(list(SYSTEMS)))
@click.option("--owner", help="The account that owns it; needed where the club has several organisers.")
@click.option("--leave-open", is_flag=True, help="Publish the last round but do not play it.")
def demo(players: int, rounds: int, seed: int, system: str, leave_open: bool, owner: str | None) -> None:
    """Play a whole event through the same actions that people use. The club's organiser owns it."""
    settings, engine = ready()
    with Session(engine, expire_on_commit=False) as session:
        account = owner_here(session, owner)
    slug = play(engine, players=players, rounds=rounds, seed=seed, system=system, leave_open=leave_open, owner=account)
    click.echo(f"See it at {reached_at(settings)}/e/{slug} when the service runs.")
    click.echo(f"{account.name} owns it." if account else "It belongs to the organiser who uses the next set-up link.")


def play(
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
            for step in demonstration.play(
                session, changing, system, players_count=players, rounds_count=rounds, seed=seed, now=now,
                leave_open=leave_open, owner=owner,
            ):  # fmt: skip
                click.echo(f"  {step}")
        except Refused as refused:
            raise click.ClickException(refused.message) from refused
        return made[0].slug
