"""``overseer set-up-link``, ``password-link`` and ``second-factor-off``: help people who cannot sign in."""

import os
import sys
from contextlib import suppress
from datetime import UTC, datetime

import click
from sqlalchemy import Engine
from sqlmodel import Session, select

from events.accounts import actions as accounts_actions
from events.play.parsing import name_key
from models.db import write
from models.people import Account
from service.commands.database import ready
from service.private_files import address_file, remove_set_up_file, set_up_file, write_private
from service.settings import Settings, read_address


@click.command()
def set_up_link() -> None:
    """Print a new one-time link that creates an organiser."""
    settings, engine = ready()
    click.echo(new_set_up_link(settings, engine))


@click.command()
@click.argument("name")
def password_link(name: str) -> None:
    """Print a one-time link for setting a new password of the account NAME."""
    settings, engine = ready()
    now = datetime.now(UTC)
    with Session(engine) as session, write(session, now) as s:
        account = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
        if account is None:
            raise click.ClickException(
                "There is no account of this name. `overseer set-up-link` makes a new organiser."
            )
        token = accounts_actions.make_password_link(s, account, now)
    click.echo(_address(settings, token))


def new_set_up_link(settings: Settings, engine: Engine) -> str:
    """Create a set-up link. This invalidates the previous link and deletes the file with it."""
    now = datetime.now(UTC)
    with Session(engine) as session, write(session, now) as s:
        token = accounts_actions.make_set_up_link(s, now)
    remove_set_up_file(settings.data)
    return _address(settings, token)


def announced(settings: Settings, link: str) -> str:
    """The text that ``serve`` prints about a set-up link: the link on a terminal, else the private file that holds it.

    Other output may be the system's log, which other people can read.
    """
    good = "good once, for an hour; makes you organiser"
    if sys.stdout.isatty():
        return f"{link}   ({good})"
    file = set_up_file(settings.data)
    write_private(file, f"{link}\n".encode())
    return f"in {file}   (readable by you only; {good})"


def _address(settings: Settings, token: str) -> str:
    return f"{reached_at(settings)}/set-up/{token}"


def reached_at(settings: Settings) -> str:
    """The service's address: from this command's settings, else as ``serve`` saved it in the data folder."""
    if not settings.public and not os.environ.get("HOST") and not os.environ.get("PORT"):
        with suppress(OSError, ValueError):
            return read_address(address_file(settings.data).read_text(encoding="ascii").strip()) or settings.address
    return settings.public or settings.address


@click.command()
@click.argument("name")
def second_factor_off(name: str) -> None:
    """Turn off the second factor of the account NAME; its password stays."""
    _, engine = ready()
    with Session(engine) as session, write(session, datetime.now(UTC)) as s:
        account = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
        if account is None:
            raise click.ClickException("There is no account of this name.")
        had, account_name = bool(account.totp_secret), account.name
        accounts_actions.turn_off(s, account)
    click.echo(
        f"{account_name} signs in by name and password alone." if had else f"{account_name} had no second factor."
    )
