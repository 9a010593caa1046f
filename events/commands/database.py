"""The database that a command works on: opened by the settings, and brought to the shape that this version needs."""

import logging

import click
from alembic.util.exc import CommandError
from sqlalchemy import Engine
from sqlalchemy.exc import ArgumentError, DBAPIError

import migrations
from events.settings import BadSetting, Settings, read_settings
from models.db import open_engine


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
