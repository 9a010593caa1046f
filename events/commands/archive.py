"""``overseer archive`` and ``overseer archive-in``: an event to one file, and from it into another database."""

from datetime import UTC, datetime
from pathlib import Path

import click
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from events.actions.archives import take_in
from events.archive import archive_bytes, archive_of, file_name, one_moment
from events.archive_file import MOST_BYTES, UnreadableArchive, read_archive
from events.commands.database import ready
from events.commands.links import reached_at
from events.commands.terminal import say
from events.errors import Refused
from events.names import name_key
from events.private_files import write_private
from events.reading import event_by_slug
from models.db import write
from models.people import Account


@click.command()
@click.argument("event")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
def archive(event: str, output: Path | None) -> None:
    """Write everything of EVENT (its slug) into one file, secret lists included; only its owner should have it."""
    _, engine = ready()
    with Session(engine) as s:
        found = event_by_slug(one_moment(s), event)
        if found is None:
            raise click.ClickException(
                f"There is no event “{event}”. The slug is what stands after /e/ in its address."
            )
        path = output or Path(file_name(found))
        data = archive_bytes(archive_of(s, found, datetime.now(UTC)))
    try:
        write_private(path, data)
    except OSError as failed:
        raise click.ClickException(f"{path} cannot be written: {failed.strerror}") from failed
    say(f"{path}: {len(data)} bytes. It holds lists that are still secret.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--owner", help="The account that owns it here; needed where the club has several organisers.")
def archive_in(file: Path, owner: str | None) -> None:
    """Take the event in FILE, an archive, into this database: all of it or, where anything is wrong, nothing."""
    settings, engine = ready()
    now = datetime.now(UTC)
    with Session(engine, expire_on_commit=False) as session:
        try:
            found = read_archive(_bytes(file))
            account = owner_here(session, owner)
            with write(session, now) as s:
                taken = take_in(s, found, account, f"organiser {account.name}" if account else "shell", now)
        except UnreadableArchive as unreadable:
            raise click.ClickException("\n".join((f"{file} cannot be taken in.", *unreadable.faults))) from unreadable
        except Refused as refused:
            raise click.ClickException(refused.message) from refused
        except IntegrityError as quicker:
            raise click.ClickException("Something else was stored at the same moment. Try it again.") from quicker
        say(f"{taken.name} is at {reached_at(settings)}/e/{taken.slug} when the service runs.")
        if account is None:
            say("It belongs to whoever uses the next set-up link.")


def _bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as failed:
        raise click.ClickException(f"{file} cannot be read: {failed.strerror}") from failed


def owner_here(s: Session, name: str | None) -> Account | None:
    """The account of this name, or without one the only organiser; None if there is none. Else ends the command."""
    if name is not None:
        found = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
        if found is None:
            raise click.ClickException(f"There is no account “{name}” here.")
        return found
    club = s.exec(select(Account).where(col(Account.runs_club)).order_by(col(Account.id))).all()
    if len(club) > 1:
        names = ", ".join(one.name for one in club)
        raise click.ClickException(f"Who is to own it? Say --owner and one of these: {names}.")
    return club[0] if club else None
