"""The installation for a command: its settings, its database in this version, and one-time links to its accounts."""

import hmac
import logging
import os
import shlex
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click
from alembic.util.exc import CommandError
from sqlalchemy import Engine
from sqlmodel import Session, select

import migrations
from events.accounts import actions as accounts_actions
from events.accounts import second_factor
from events.accounts.actions import remove_passkeys
from events.web.parsing import name_key
from models.db import empty_log, open_engine, user_version, write
from models.people import Account
from service.backups import NoBackup, back_up, backups_in, folder_of
from service.lock import alone
from service.logs import say
from service.private_files import OURS, address_file, remove_set_up_file, set_up_file, tighten, write_private
from service.restore import refuse_unfinished
from service.settings import Settings, data_folder, read_address, read_settings
from service.system import system

OTHER_KEY = (
    "WARNING: The secret is not the one that this database was used with. Private links, signed badges and second "
    "factors do not work. Put the old file `secret` back into {data}, or set the old OVERSEER_SECRET."
)


def settings_read(*, make: bool = True) -> Settings:
    """The settings without a database. Makes the service's files private if others could read them.

    Raises BadSetting. Ends the command if the data folder belongs to another user. ``make``: see
    ``read_settings``.
    """
    logging.basicConfig(format="%(levelname)s: %(message)s")
    refuse_foreign(data_folder())
    settings = read_settings(make=make)
    if changed := tighten(settings.data, sqlite_file(settings)):
        names = f"{changed[0].name}{f' and {len(changed) - 1} more' if len(changed) > 1 else ''}"
        say(
            f"WARNING: other users of this machine could read {names} in {settings.data}. They no longer can.", err=True
        )
    return settings


def refuse_foreign(data: Path) -> None:
    """End the command if it would create files that the service cannot open, or cannot open the service's own."""
    me, command, name_of = system.me(), shlex.join(sys.argv), system.user_name
    if me is None:  # Windows
        return
    ours = {pattern.partition("/")[0] for pattern in OURS}
    for path in [data, *(path for pattern in sorted(ours) for path in data.glob(pattern))]:
        with suppress(OSError):
            if path == data and not path.is_dir():
                return  # the settings refuse it
            owner = path.stat().st_uid
            usable = os.access(path, os.R_OK | os.W_OK, effective_ids=True)
            if owner != me and path == data and (me == 0 or not usable):
                raise click.ClickException(
                    f"{data} belongs to {name_of(owner)}, and this command runs as {name_of(me)}. Run it as its owner: "
                    f"sudo -u {name_of(owner)} OVERSEER_DATA={data} {command}"
                )
            if owner != me and not usable:
                raise click.ClickException(
                    f"{path} belongs to {name_of(owner)}, so {name_of(me)} cannot use it. Give it back: "
                    f"sudo chown -R {name_of(me)}: {path}"
                )


def opened(*, make: bool = False) -> tuple[Settings, Engine]:
    """The settings, and the database in any version. Ends the command if there is none."""
    settings = settings_read(make=make)
    refuse_lost(settings)
    file = sqlite_file(settings)
    if file is not None and is_missing(file):
        raise click.ClickException(f"There is no database {file}. Check OVERSEER_DATA and DATABASE_URL.")
    return settings, open_engine(settings.database_url)


def refuse_lost(settings: Settings) -> None:
    """End the command if there is no database but copies of it: an empty one could be mistaken for the club's."""
    file, folder = sqlite_file(settings), folder_of(settings.data)
    if file is not None and is_missing(file) and backups_in(folder):
        state = "empty" if file.exists() else "gone"
        raise click.ClickException(
            f"The database {file} is {state}, and copies of it are in {folder}: `overseer restore newest` restores the "
            "newest. To start with an empty database, move that folder away."
        )


def refuse_other_version(engine: Engine) -> None:
    """End the command if the database is not at this version's revision."""
    with engine.connect() as connection:
        revision = migrations.revision_of(connection)
    try:
        if revision is not None:
            migrations.refuse_unknown(revision)
    except CommandError as unknown:
        raise click.ClickException(
            f"The database is at {revision}, which this version of Overseer ({migrations.head()}) does not know: "
            "start the version that made it."
        ) from unknown
    if revision != migrations.head():
        raise click.ClickException(f"The database is at {revision or 'no revision'}: run `overseer migrate` first.")


def secret_warning(settings: Settings, engine: Engine, *, keep: bool = False) -> str:
    """What no longer works because the secret has changed since the database was last used; "" if it has not, and on
    PostgreSQL.

    SQLite's ``user_version`` holds 30 bits of the secret's digest, also in copies. ``keep`` stores them if there are
    none.
    """
    if engine.dialect.name != "sqlite":
        return ""
    mark = int.from_bytes(hmac.digest(settings.secret.encode(), b"the mark of the secret", "sha256")[:4], "big")
    mark = mark >> 2 | 1 << 30
    return "" if user_version(engine, mark if keep else 0) in (0, mark) else OTHER_KEY.format(data=settings.data)


def is_missing(file: Path) -> bool:
    """Whether the file contains no database. A full disk or a broken copy leaves an empty file."""
    return not file.exists() or file.stat().st_size == 0


def sqlite_file(settings: Settings) -> Path | None:
    """The database's file; None for a database server."""
    url = settings.database_url
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None


def ready(*, without_copy: bool = False) -> tuple[Settings, Engine]:
    """The settings, and the database migrated to this version. Ends the command if that fails."""
    settings = settings_read()
    refuse_lost(settings)
    refuse_unfinished(settings.data)
    engine = open_engine(settings.database_url)
    try:
        upgrade(settings, engine, without_copy=without_copy)
    except BaseException:
        engine.dispose()
        raise
    return settings, engine


def upgrade(settings: Settings, engine: Engine, *, without_copy: bool = False) -> None:
    """Migrate the database to this version, after making a copy of it. The service must be stopped.

    Raises CommandError, DBAPIError, InUse if the service runs, and NoBackup if the copy fails; then nothing has
    changed.
    """
    with engine.connect() as connection:
        text = migrations.revision_of(connection)
    if text == migrations.head():
        return
    copy = None
    with alone(engine):
        if text is not None:
            migrations.refuse_unknown(text)
            if not without_copy:
                try:
                    copy = back_up(engine, folder_of(settings.data), "before-upgrade", datetime.now(UTC)).path
                except NoBackup as failed:
                    raise NoBackup(
                        f"{failed} An upgrade copies the database first; to upgrade it without a copy: "
                        "`overseer migrate --without-copy`."
                    ) from failed
        migrations.upgrade(engine)
        if text is not None:
            empty_log(engine, "VACUUM")  # earlier versions left erased words in unused bytes
    if text is not None:
        say(
            f"The database was upgraded from {text} to {migrations.head()}. The copy from before: {copy or 'none'}",
            err=True,
        )


@click.command()
@click.option("--without-copy", is_flag=True, help="Make no copy of the database first.")
def migrate(without_copy: bool) -> None:
    """Migrate the database to this version, after making a copy. Stop the service first."""
    settings, engine = ready(without_copy=without_copy)
    engine.dispose()
    click.echo(f"The database in {settings.data} is up to date ({migrations.head()}).")


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
                "There is no account with this name. `overseer set-up-link` makes a new organiser."
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
    """Turn off the second factor of the account NAME and remove its passkeys; its password stays."""
    _, engine = ready()
    with Session(engine) as session, write(session, datetime.now(UTC)) as s:
        account = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
        if account is None:
            raise click.ClickException("There is no account with this name. Check the spelling.")
        had, account_name = bool(account.totp_secret), account.name
        second_factor.turn_off(s, account)
        had = remove_passkeys(s, account) > 0 or had
    click.echo(
        f"{account_name} signs in by name and password alone." if had else f"{account_name} had no second factor."
    )
