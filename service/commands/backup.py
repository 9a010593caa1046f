"""``overseer backup``, ``restore``, ``archive``, ``archive-in``, ``replay``: copy and check the data."""

import os
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from events.journal.replay import Difference, Replayed
from events.journal.replay import replay as replayed
from events.setup.archive import archive_bytes, archive_of, file_name, one_moment
from events.setup.archive_file import MOST_BYTES, read_archive
from events.setup.archive_import import import_event
from events.store.visitor import SHELL
from events.visitors.loading import event_by_slug
from events.web.parsing import name_key
from languages.words import ngettext
from models.db import open_engine, write
from models.event import Event
from models.people import Account
from service.backups import back_up, backups_in, folder_of, write_copy
from service.commands.database import OTHER_KEY, opened, reached_at, ready, secret_warning, settings_read
from service.elsewhere import fetch
from service.health import Elsewhere, copies_elsewhere
from service.logs import say
from service.private_files import write_private
from service.restore import replaces
from service.restore import restore as put_back
from service.settings import data_folder


@click.command()
@click.argument("event")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@click.option("--without-persons", is_flag=True, help="“Player 12” for names, and no journal.")
def archive(event: str, output: Path | None, *, without_persons: bool) -> None:
    """Write EVENT (its slug) to an archive. A whole one has secret lists: give it only to the event's owner."""
    _, engine = ready()
    with Session(engine) as s:
        found = event_by_slug(one_moment(s), event)
        if found is None:
            raise click.ClickException(f"There is no event “{event}”. The slug is the part after /e/ in its address.")
        path = output or Path(file_name(found, persons=not without_persons))
        data = archive_bytes(archive_of(s, found, datetime.now(UTC), persons=not without_persons))
    write_private(path, data)
    secret = "It names no person." if without_persons else "It contains lists that are still secret."
    say(f"{path}: {len(data)} bytes. {secret}")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--owner", help="The account that owns the event here; required if the club has several organisers.")
def archive_in(file: Path, owner: str | None) -> None:
    """Import the event from FILE, an archive, into this database. If anything is wrong, nothing is imported."""
    settings, engine = ready()
    now = datetime.now(UTC)
    with Session(engine, expire_on_commit=False) as session:
        try:
            with file.open("rb") as opened_file:
                found = read_archive(opened_file.read(MOST_BYTES + 1))
            account = owner_here(session, owner)
            with write(session, now) as s:
                taken = import_event(s, found, account, f"organiser {account.name}" if account else SHELL, now)
        except IntegrityError as quicker:
            raise click.ClickException("Another change was stored at the same moment. Try again.") from quicker
        say(f"{taken.name} is at {reached_at(settings)}/e/{taken.slug} when the service runs.")
        if account is None:
            say("The organiser who uses the next set-up link owns it.")


def owner_here(s: Session, name: str | None) -> Account | None:
    """The account with this name, or without a name the only organiser; None if there is no account.

    Otherwise ends the command.
    """
    if name is not None:
        found = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
        if found is None:
            raise click.ClickException(f"There is no account “{name}” here. Check the spelling.")
        return found
    club = s.exec(select(Account).where(col(Account.runs_club)).order_by(col(Account.id))).all()
    if len(club) > 1:
        names = ", ".join(account.name for account in club)
        raise click.ClickException(f"Choose the event’s owner: --owner NAME, where NAME is one of {names}.")
    return club[0] if club else None


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--list", "listed", is_flag=True, help="List the copies, newest first, without making one.")
def backup(file: Path | None, listed: bool) -> None:
    """Copy the whole database to FILE, or into the data folder. The service may run.

    The copy contains lists that are still secret. Keep it on another machine, with the file "secret" of the data
    folder, which signs private links and badges.
    """
    if listed:  # without a database too
        settings = settings_read(make=False)
        list_copies(folder_of(settings.data))
        if settings.backup_to:
            say(f"Elsewhere: {elsewhere_words(copies_elsewhere(settings.data, settings.backup_to))}")
        return
    settings, engine = opened()
    try:
        path = (
            back_up(engine, folder_of(settings.data), "asked", datetime.now(UTC)).path
            if file is None
            else file.absolute()
        )
        if file is not None:
            write_copy(engine, path)
    finally:
        engine.dispose()
    say(f"{path}: {megabytes(path)}.")
    say("It contains lists that are still secret. To restore it: overseer restore FILE")


@click.command()
@click.argument("file")
@click.option(
    "--unsound",
    is_flag=True,
    help="Restore even if the copy’s checks fail, or PostgreSQL’s database is damaged and cannot be kept.",
)
@click.option("--yes", is_flag=True, help="Restore without asking.")
def restore(file: str, unsound: bool, yes: bool) -> None:
    """Restore FILE, a copy made by `overseer backup` or by the service; "newest" means the newest copy.

    "elsewhere" fetches the newest one from OVERSEER_BACKUP_TO, onto this machine or a new one.

    Stop the service first. The copy is checked and migrated, and the current database is kept as a copy, so a restore
    can be undone. Everyone must sign in again; open invitations and set-up links end.
    """
    source = _fetched() if file == "elsewhere" else _chosen(file, folder_of(settings_read(make=False).data))
    if not source.is_file():
        raise click.ClickException(f"There is no file {source}. `overseer backup --list` names the copies.")
    new_secret = not os.environ.get("OVERSEER_SECRET") and not (data_folder() / "secret").exists()
    settings = settings_read()
    if replaces(settings) and not yes:
        try:
            click.confirm(f"Everything stored after {source.name} was made will be lost. Restore it?", abort=True)
        except click.Abort as unanswered:
            raise click.ClickException("Nothing was restored. `--yes` restores without asking.") from unanswered
    done = put_back(settings, source, lambda: datetime.now(UTC), unsound=unsound)
    for line in done.broken:
        say(line, err=True)
    say(f"Restored {source.name}: {done.events} event{'' if done.events == 1 else 's'}.")
    if done.left:
        say(f"Left out, because they are not of Overseer: {', '.join(done.left)}.")
    if done.before is not None:
        say(f"The database before the restore: {done.before}")
    engine = open_engine(settings.database_url)
    if warning := secret_warning(settings, engine) or (OTHER_KEY.format(data=settings.data) if new_secret else ""):
        say(warning, err=True)
    engine.dispose()
    say("Start Overseer again. Staff must sign in again. Phones send their unsent reports again.")
    say(
        "What was ended or changed since the copy stays so: tokens, links, roles, passwords, second factors. Passkeys "
        "and staff added since are lost: check the Staff and Players pages."
    )


def _fetched() -> Path:
    settings = settings_read(make=False)
    if not settings.backup_to:
        raise click.ClickException("Set OVERSEER_BACKUP_TO and OVERSEER_BACKUP_PASSWORD first.")
    return fetch(settings)


def elsewhere_words(elsewhere: Elsewhere) -> str:
    """How the copies elsewhere stand, as a line."""
    said = [
        f"{word} {moment:%Y-%m-%d %H:%M} UTC" if moment else f"none {word} yet"
        for word, moment in (("sent", elsewhere.sent), ("read back", elsewhere.read_back))
    ]
    return f"{', '.join(said)}. {elsewhere.fault}".strip()


def list_copies(folder: Path) -> None:
    """Print the copies in a folder, newest first, and which of them "newest" means."""
    copies, newest = backups_in(folder, datetime.now(UTC)), _newest(folder)
    if not copies:
        say(f"There is no copy in {folder} yet.")
    for copy in copies:
        mark = "  (newest)" if copy.path == newest else ""
        say(f"{copy.at:%Y-%m-%d %H:%M:%S} UTC  {megabytes(copy.path):>8}  {copy.why:<14}  {copy.path.name}{mark}")


def _newest(folder: Path) -> Path | None:
    """The newest copy, ignoring copies that only undo a restore."""
    return next(
        (a_backup.path for a_backup in backups_in(folder, datetime.now(UTC)) if a_backup.why != "before-restore"), None
    )


def _chosen(file: str, folder: Path) -> Path:
    if file != "newest":
        here = folder / file
        return here if here.is_file() and not Path(file).exists() else Path(file).absolute()
    path = _newest(folder)
    if path is None:
        raise click.ClickException(f"There is no copy in {folder}.")
    return path


def megabytes(path: Path) -> str:
    """A file's size in words."""
    return f"{path.stat().st_size / 1_000_000:.1f} MB"


EQUAL, DIFFERENT, REFUSED = 0, 1, 2
"""Exit statuses."""
LONGEST = 160
"""The most characters shown of a value."""


@click.command()
@click.argument("event")
@click.pass_context
def replay(context: click.Context, event: str) -> None:
    """Rebuild EVENT (its slug) from its journal and compare it with the tables.

    Exit status: 0 both are equal, 1 they differ (prints the first difference), 2 they cannot be compared.
    """
    _, engine = ready()
    with Session(engine) as session:
        if engine.dialect.name == "postgresql":  # one snapshot, which SQLite reads anyway
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        found = event_by_slug(session, event)
        if found is None:
            say(f"There is no event “{event}”. The slug is the part after /e/ in its address.", err=True)
            context.exit(REFUSED)
        if found.journal_from is None:
            say(f"The journal of “{event}” has not begun. It begins with the next change.", err=True)
            context.exit(REFUSED)
        outcome = replayed(session, found)
        say(as_text(found, outcome))
    context.exit(EQUAL if outcome.difference is None else DIFFERENT)


def as_text(event: Event, outcome: Replayed) -> str:
    since = f"since {_moment(event, outcome)}"
    changes = ngettext("%(num)s change", "%(num)s changes", outcome.changes) + f" {since}"
    if outcome.difference is None:
        rows = ngettext("%(num)s row", "%(num)s rows", outcome.rows)
        tables = ngettext("%(num)s table of the database", "%(num)s tables of the database", outcome.tables)
        return f"equal: {rows} of {tables}, {changes}"
    return f"different, after {changes}\n{first_difference(event, outcome.difference)}"


def first_difference(event: Event, difference: Difference) -> str:
    """The difference in words."""
    where = f"{difference.table.replace('_', ' ')} {difference.row_id}"
    if not difference.column:
        where += (
            ": the row is missing in the journal" if difference.journal is None else ": the row is missing in the table"
        )
        lines = [where]
    else:
        lines = [
            f"{where}, {difference.column.replace('_', ' ')}:",
            f"    journal  {_shown(difference.journal)}",
            f"    table    {_shown(difference.stored)}",
        ]
    if difference.last is None:
        return "\n".join([*lines, "The journal records no change of it."])
    who = difference.last.actor or "an unknown actor"
    when = difference.last.at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%d %H:%M:%S %Z")
    doing = "found" if difference.last.baseline else "last changed"
    return "\n".join([*lines, f"It was {doing} on {when}" + ("." if difference.last.baseline else f" by {who}.")])


def _moment(event: Event, outcome: Replayed) -> str:
    return outcome.since.at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%d %H:%M %Z")


def _shown(value: str | None) -> str:
    if value is None:
        return "nothing"
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}… ({len(value)} characters)"
