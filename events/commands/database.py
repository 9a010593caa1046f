"""The database that a command works on: opened by the settings, and brought to the shape that this version needs."""

import logging

import click
from alembic.runtime.migration import MigrationContext
from alembic.util.exc import CommandError
from sqlalchemy import Engine
from sqlalchemy.exc import ArgumentError, DBAPIError

import migrations
from events.settings import BadSetting, Settings, read_settings
from models.db import open_engine


def opened() -> tuple[Settings, Engine]:
    """The settings, and the database as it is: nothing is brought up to date. Ends the command where that fails."""
    logging.basicConfig(format="%(levelname)s: %(message)s")
    try:
        settings = read_settings()
        engine = open_engine(settings.database_url)
        with engine.connect() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
    except (BadSetting, ArgumentError) as bad:
        raise click.ClickException(str(bad)) from bad
    except DBAPIError as failed:
        raise click.ClickException(f"The database cannot be read: {str(failed.orig).strip()}") from failed
    if found != migrations.head():
        raise click.ClickException(
            f"The database is at {found or 'no revision'}, and this version reads {migrations.head()}: "
            "run `overseer migrate` first."
        )
    return settings, engine


def ready() -> tuple[Settings, Engine]:
    """The settings, and a database in the shape that this version needs. Ends the command where that fails."""
    logging.basicConfig(format="%(levelname)s: %(message)s")
    try:
        settings = read_settings()
    except BadSetting as bad:
        raise click.ClickException(str(bad)) from bad
    try:
        engine = open_engine(settings.database_url)
        migrations.upgrade(engine)
    except (CommandError, DBAPIError, ArgumentError) as failed:
        reason = str(failed.orig if isinstance(failed, DBAPIError) else failed).strip()
        raise click.ClickException(f"The database cannot be used: {reason}\n{_remedy(failed)}") from failed
    return settings, engine


def _remedy(failed: Exception) -> str:
    if isinstance(failed, CommandError):
        return "It was made by another version of Overseer: start that one, or set another OVERSEER_DATA."
    return "Look at DATABASE_URL and OVERSEER_DATA."


@click.command()
def migrate() -> None:
    """Bring the database to the shape that this version needs."""
    settings, _ = ready()
    click.echo(f"The database in {settings.data} is up to date ({migrations.head()}).")
