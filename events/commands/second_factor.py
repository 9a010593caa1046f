"""Turning off the second factor of somebody who lost phone and spare codes: for whoever has the server's shell."""

from datetime import UTC, datetime

import click
from sqlmodel import Session, select

from events.actions import second_factor
from events.commands.database import ready
from events.names import name_key
from models.db import write
from models.people import Account


@click.command()
@click.argument("name")
def second_factor_off(name: str) -> None:
    """Ask the account of NAME for no second factor any more; its password stays what it is."""
    _, engine = ready()
    with Session(engine) as session, write(session, datetime.now(UTC)) as s:
        account = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
        if account is None:
            raise click.ClickException("Nobody has an account of this name.")
        had, told = bool(account.totp_secret), account.name
        second_factor.turn_off(s, account)
    click.echo(f"{told} signs in by name and password alone." if had else f"{told} had no second factor.")
