"""Mail and maintenance in the background: the queue of mails, the daily check of the database, and its backups."""

import gc
import logging
import signal
import threading
import time
from datetime import UTC, datetime

import click
from sqlalchemy import Engine

import migrations
from events.commands.database import opened_in_any_shape
from events.commands.terminal import say
from events.keeping import Keeper, last_check
from events.log_lines import set_up_log
from events.post import Sent, send_due
from events.service_lock import share
from events.settings import Settings
from models.message import MailState

log = logging.getLogger("overseer.maintenance")

MAIL_EVERY = 2.0
"""Seconds between two looks at the queue of mails."""
DATABASE_EVERY = 20.0
"""Seconds between two looks whether a check or a backup is due."""
AFTER_FAILURE = 30.0
"""Seconds until the queue is tried again after the mail server or the database failed."""


@click.group()
def maintain() -> None:
    """Send queued mails, check the database every day, and back it up."""


@maintain.command()
def once() -> None:
    """Do everything that is due and end, for a timer. The exit status is 1 if something is wrong."""
    settings, engine = opened_in_any_shape()
    Keeper(engine, settings.data).pass_by(now())
    found = last_check(settings.data)
    say(f"Database: {'NOT WELL' if found else 'well'}.")
    if found:
        for line in found:
            say(line)
        raise click.ClickException("See `overseer backup --list` and `overseer restore`.")
    if settings.mail is not None:
        sent = send_mails(settings, engine)
        say(f"Mail: {summary(sent)}")
        if sent.server_down:
            raise click.ClickException(f"{sent.server_down}. The remaining mails stay in the queue.")
    engine.dispose()


@maintain.command()
def run() -> None:
    """Do what is due until stopped. `overseer serve` starts this by itself."""
    settings, engine = opened_in_any_shape()
    share(engine)
    set_up_log(settings.log)
    stopped = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopped.set())
    keeper = Keeper(engine, settings.data)
    gc.freeze()
    mail_at, database_at = time.monotonic(), time.monotonic() + DATABASE_EVERY
    while not stopped.wait(MAIL_EVERY):
        if settings.mail is not None and time.monotonic() >= mail_at:
            mail_at = time.monotonic() + (0 if _send(settings, engine) else AFTER_FAILURE)
        if time.monotonic() >= database_at:
            database_at = time.monotonic() + DATABASE_EVERY
            _look_after(keeper)
        gc.collect()
    engine.dispose()


def send_mails(settings: Settings, engine: Engine) -> Sent:
    """Send the mails that are due. A database of another version is left alone."""
    assert settings.mail is not None  # noqa: S101 - the callers ask
    with engine.connect() as connection:
        if not migrations.is_at_head(connection):
            return Sent()
    return send_due(engine, settings.mail, settings.secret, now)


def _send(settings: Settings, engine: Engine) -> bool:
    """Send what is due; False where it failed. A mail that was being sent stays marked as such."""
    try:
        sent = send_mails(settings, engine)
    except Exception:
        log.exception("the queue of mails could not be sent")
        return False
    if sent.server_down:
        log.warning("%s", sent.server_down)
    return not sent.server_down


def _look_after(keeper: Keeper) -> None:
    try:
        keeper.pass_by(now())
    except Exception:  # a busy or unreachable database, a full disk: the next pass tries again
        log.exception("the database could not be checked or backed up")


def summary(sent: Sent) -> str:
    """What happened to the mails of one pass, in a line."""
    words = ((MailState.SENT, "sent"), (MailState.QUEUED, "to be tried again"), (MailState.FAILED, "failed"))
    counts = [f"{sent.count(state)} {word}" for state, word in words]
    unsure = sent.count(MailState.UNSURE) + sent.lost
    return ", ".join([*counts, *([f"{unsure} may have been sent"] if unsure else [])]) + "."


def now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)
