"""``overseer backup`` and ``overseer restore``: everything of a service to one file, and back."""

from datetime import UTC, datetime
from pathlib import Path

import click

from events.backups import NoBackup, back_up, backups_in, folder_of, mark_beside, write_copy
from events.commands.database import opened_in_any_shape, settings_read
from events.commands.terminal import say
from events.invariants import told
from events.restoring import Unsound
from events.restoring import restore as put_back


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--list", "listed", is_flag=True, help="Tell the copies that there are, the newest first, and make none.")
def backup(file: Path | None, listed: bool) -> None:
    """Copy the whole database to FILE, or into the data folder, while the service runs on.

    The copy holds lists that are still secret. Keep it on another machine, and the file "secret" of the data folder
    with it: without that, private links and badges would have to be made anew.
    """
    settings, engine = opened_in_any_shape()
    if listed:
        for one in backups_in(folder_of(settings.data)):
            say(f"{one.at:%Y-%m-%d %H:%M:%S} UTC  {megabytes(one.path):>8}  {one.words:<42}  {one.path.name}")
        return
    try:
        if file is None:
            path = back_up(engine, folder_of(settings.data), "asked", datetime.now(UTC)).path
        else:
            path = file.absolute()
            write_copy(engine, path)
    except NoBackup as failed:
        raise click.ClickException(str(failed)) from failed
    finally:
        engine.dispose()
    say(f"{path}: {megabytes(path)}, and its SHA-256 in {mark_beside(path).name}.")
    say("It holds lists that are still secret. To go back to it: overseer restore FILE")


@click.command()
@click.argument("file")
@click.option("--unsound", is_flag=True, help="Put it in even where its checks fail: better than nothing, if that is.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(file: str, unsound: bool, yes: bool) -> None:
    """Go back to FILE, a copy made by `overseer backup` or by the service itself; "newest" is the newest of those.

    Stop the service first. The copy is checked and migrated, and the present database is kept as a copy, so that a
    restore can be undone. Everybody has to sign in again; open invitations and set-up links end.
    """
    settings = settings_read()
    source = _meant(file, settings.data)
    if not yes:
        click.confirm(f"Everything stored since {source.name} was made will be gone. Go back to it?", abort=True)
    try:
        done = put_back(settings, source, lambda: datetime.now(UTC), unsound=unsound)
    except Unsound as broken:
        raise click.ClickException("\n".join((str(broken), *told(broken.broken)))) from broken
    except NoBackup as failed:
        raise click.ClickException(str(failed)) from failed
    for line in told(done.broken):
        say(line, err=True)
    say(f"Back at {source.name}: {done.events} event{'' if done.events == 1 else 's'}.")
    if not done.marked:
        say("It had no SHA-256 beside it, so that a changed byte in it might have gone unnoticed.")
    if done.before is not None:
        say(f"The database before the restore: {done.before.path}")
    elif done.aside is not None:
        say(f"The database before the restore could not be read; its files are in {done.aside}")
    say("Start Overseer again. Everybody signs in again. Phones send again what they could not send.")
    say("Passwords, second factors, staff roles and removed players are as they were then: look at the Staff pages.")


def _meant(file: str, data: Path) -> Path:
    if file != "newest":
        here = folder_of(data) / file
        return here if here.is_file() and not Path(file).exists() else Path(file).absolute()
    found = [one for one in backups_in(folder_of(data)) if one.why != "before-restore"]
    if not found:
        raise click.ClickException(f"There is no copy in {folder_of(data)}.")
    return found[0].path


def megabytes(path: Path) -> str:
    """The size of a file in words."""
    return f"{path.stat().st_size / 1_000_000:.1f} MB"
