"""``overseer backup`` and ``overseer restore``: the whole database to one file, and back."""

import os
from datetime import UTC, datetime
from pathlib import Path

import click

from events.backups import NoBackup, back_up, backups_in, folder_of, write_copy
from events.commands.database import OTHER_KEY, opened, secret_warning, settings_read
from events.commands.terminal import say
from events.restoring import refuse_running
from events.restoring import restore as put_back
from events.service_lock import InUse
from events.settings import data_folder
from models.db import open_engine


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--list", "listed", is_flag=True, help="List the copies, newest first, and make none.")
def backup(file: Path | None, listed: bool) -> None:
    """Copy the whole database to FILE, or into the data folder. The service may run.

    The copy contains lists that are still secret. Keep it on another machine, with the file "secret" of the data
    folder: private links and badges are signed with it.
    """
    settings, engine = opened()
    folder = folder_of(settings.data)
    if listed:
        list_copies(folder)
        return
    try:
        path = back_up(engine, folder, "asked", datetime.now(UTC)).path if file is None else file.absolute()
        if file is not None:
            write_copy(engine, path)
    except NoBackup as failed:
        raise click.ClickException(str(failed)) from failed
    finally:
        engine.dispose()
    say(f"{path}: {megabytes(path)}.")
    say("It contains lists that are still secret. To go back to it: overseer restore FILE")


@click.command()
@click.argument("file")
@click.option("--unsound", is_flag=True, help="Restore the copy even if its checks fail.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(file: str, unsound: bool, yes: bool) -> None:
    """Restore FILE, a copy made by `overseer backup` or by the service; "newest" is the newest of those.

    Stop the service first. The copy is checked and migrated, and the present database is kept as a copy, so a restore
    can be undone. Everybody has to sign in again; open invitations and set-up links end.
    """
    source = _chosen(file, folder_of(settings_read(make=False).data))
    if not source.is_file():
        raise click.ClickException(f"There is no file {source}.")
    new_secret = not os.environ.get("OVERSEER_SECRET") and not (data_folder() / "secret").exists()
    settings = settings_read()
    try:
        refuse_running(settings)
    except InUse as failed:
        raise click.ClickException(str(failed)) from failed
    if not yes:
        click.confirm(f"Everything stored since {source.name} was made will be gone. Restore it?", abort=True)
    try:
        done = put_back(settings, source, lambda: datetime.now(UTC), unsound=unsound)
    except (NoBackup, InUse) as failed:
        raise click.ClickException(str(failed)) from failed
    for line in done.broken:
        say(line, err=True)
    say(f"Restored {source.name}: {done.events} event{'' if done.events == 1 else 's'}.")
    if done.before is not None:
        say(f"The database before the restore: {done.before}")
    engine = open_engine(settings.database_url)
    if warning := secret_warning(settings, engine) or (OTHER_KEY.format(data=settings.data) if new_secret else ""):
        say(warning, err=True)
    engine.dispose()
    say("Start Overseer again. Everybody signs in again. Phones send again what they could not send.")
    say("Passwords, second factors, staff roles and removed players are as they were then: check the Staff pages.")


def list_copies(folder: Path) -> None:
    """Print the copies in a folder, newest first, and which of them "newest" means."""
    copies, newest = backups_in(folder), _newest(folder)
    if not copies:
        say(f"There is no copy in {folder} yet.")
    for one in copies:
        mark = "  (newest)" if one.path == newest else ""
        say(f"{one.at:%Y-%m-%d %H:%M:%S} UTC  {megabytes(one.path):>8}  {one.why:<14}  {one.path.name}{mark}")


def _newest(folder: Path) -> Path | None:
    """The newest copy, without those that only undo a restore."""
    return next((one.path for one in backups_in(folder) if one.why != "before-restore"), None)


def _chosen(file: str, folder: Path) -> Path:
    if file != "newest":
        here = folder / file
        return here if here.is_file() and not Path(file).exists() else Path(file).absolute()
    found = _newest(folder)
    if found is None:
        raise click.ClickException(f"There is no copy in {folder}.")
    return found


def megabytes(path: Path) -> str:
    """The size of a file in words."""
    return f"{path.stat().st_size / 1_000_000:.1f} MB"
