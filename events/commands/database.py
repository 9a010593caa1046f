"""The database that a command works on: opened by the settings, and brought to the shape that this version needs."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import click
from alembic.util.exc import CommandError
from sqlalchemy import Engine
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlmodel import Session

import migrations
from events.actions import second_factor
from events.backups import NoBackup, NoProgram, back_up, backups_in, folder_of
from events.commands.terminal import say
from events.private_files import tighten
from events.restoring import refuse_unfinished
from events.service_lock import InUse, alone
from events.settings import BadSetting, Settings, read_settings
from models.db import open_engine, write

log = logging.getLogger(__name__)

LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's SQLSTATE for a lock that others did not give up in time."""


def opened() -> tuple[Settings, Engine]:
    """The settings, and the database as it is: nothing is brought up to date. Ends the command where that fails."""
    logging.basicConfig(format="%(levelname)s: %(message)s")
    try:
        settings = read_settings()
        engine = open_engine(settings.database_url)
        with engine.connect() as connection:
            found = migrations.revision_of(connection)
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


def settings_read() -> Settings:
    """The settings alone; files of the service that others could read are made private.

    Ends the command if a setting cannot be used.
    """
    logging.basicConfig(format="%(levelname)s: %(message)s")
    try:
        settings = read_settings()
    except BadSetting as bad:
        raise click.ClickException(str(bad)) from bad
    if changed := tighten(settings.data, sqlite_file(settings)):
        names = f"{changed[0].name}{f' and {len(changed) - 1} more' if len(changed) > 1 else ''}"
        say(f"WARNING: {names} in {settings.data} could be read by other users of this machine: now private.", err=True)
    return settings


def opened_in_any_shape() -> tuple[Settings, Engine]:
    """The settings, and the database of whatever version; one that is not there is not made."""
    settings = settings_read()
    file = sqlite_file(settings)
    if file is not None and not file.exists():
        raise click.ClickException(f"There is no database {file}.")
    try:
        return settings, open_engine(settings.database_url)
    except ArgumentError as bad:
        raise click.ClickException(str(bad)) from bad


def sqlite_file(settings: Settings) -> Path | None:
    """The file of the database; None where it is a server's."""
    url = settings.database_url
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None


def ready() -> tuple[Settings, Engine]:
    """The settings, and a database in the shape that this version needs. Ends the command where that fails."""
    logging.basicConfig(format="%(levelname)s: %(message)s")
    settings = settings_read()
    refuse_to_begin_anew(settings)
    try:
        refuse_unfinished(settings.data)
        engine = open_engine(settings.database_url)
        try:
            upgraded(settings, engine)
        except BaseException:
            engine.dispose()
            raise
    except (NoBackup, InUse) as failed:
        raise click.ClickException(f"{failed} Nothing was changed.") from failed
    except (CommandError, DBAPIError, ArgumentError) as failed:
        reason = str(failed.orig if isinstance(failed, DBAPIError) else failed).strip()
        raise click.ClickException(f"The database cannot be used: {reason}\n{_remedy(failed)}") from failed
    _encrypt_secrets(settings, engine)
    return settings, engine


def _encrypt_secrets(settings: Settings, engine: Engine) -> None:
    """Encrypt the second factors that an earlier version stored as they are."""
    with Session(engine) as session:
        if second_factor.any_plain(session):
            with write(session, datetime.now(UTC)) as s:
                second_factor.encrypt_plain(s, second_factor.key_from(settings.secret))


def refuse_to_begin_anew(settings: Settings) -> None:
    """End the command where the database is gone and copies of it are there: an empty one would pass for the club's."""
    file, folder = sqlite_file(settings), folder_of(settings.data)
    if file is not None and not file.exists() and backups_in(folder):
        raise click.ClickException(
            f"The database {file} is gone, and copies of it are in {folder}: `overseer restore newest` goes back to "
            "the newest. To begin anew, move that folder away."
        )


def upgraded(settings: Settings, engine: Engine) -> None:
    """Migrate the database to this version, with a copy made first. The service must be stopped.

    Raises CommandError, DBAPIError, InUse where the service runs, and NoBackup where the copy fails: nothing changed.
    """
    with engine.connect() as connection:
        found = migrations.revision_of(connection)
    if found == migrations.head():
        return
    with alone(engine):
        if found is not None:
            migrations.refuse_unknown(found)
            try:
                back_up(engine, folder_of(settings.data), "before-upgrade", datetime.now(UTC))
            except NoProgram as missing:  # the migration is one transaction
                log.warning("migrating without a copy of the database: %s", missing)
        migrations.upgrade(engine)


def _remedy(failed: Exception) -> str:
    if isinstance(failed, CommandError):
        return "It was made by another version of Overseer: start that one, or set another OVERSEER_DATA."
    if isinstance(failed, DBAPIError) and getattr(failed.orig, "sqlstate", None) == LOCK_NOT_AVAILABLE:
        return "Another program uses it. Stop that one first."
    return (
        "Check DATABASE_URL and OVERSEER_DATA. If the database is damaged: `overseer backup --list`, then `overseer "
        "restore NAME`."
    )


@click.command()
def migrate() -> None:
    """Migrate the database to this version, with a copy made first. Stop the service before."""
    settings, engine = ready()
    engine.dispose()
    click.echo(f"The database in {settings.data} is up to date ({migrations.head()}).")
