"""What runs in the background: the queues of notices, mails and webhooks, the database's daily check and its copies."""

import gc
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

import migrations
from events.leagues.queries import overdue
from events.messages.delivery import Sent, send_due
from events.messages.notices import Attempt, answer_link_requests, channels_of, send_account_mails, send_notices
from events.messages.permits import count_by
from events.play.notices import notify
from events.webhooks.sending import send_calls
from models.db import write
from models.journal import ChangeSet
from models.message import MailState
from models.notice import Occasion
from service.backups import Backup, NoBackup, NoProgram, back_up, backups_in, clear_away, faults_of, folder_of
from service.commands.backup import elsewhere_words
from service.commands.database import opened, refuse_other_version
from service.elsewhere import look_after_elsewhere
from service.health import keep_findings, last_check, was_damaged
from service.lock import share
from service.logs import say, set_up_log
from service.settings import Settings

log = logging.getLogger("overseer.maintenance")

COPY_AGAIN = timedelta(minutes=10)
"""The age of the newest copy after which changes are copied again."""


def check(engine: Engine, data: Path) -> Sequence[str]:
    """Check the whole database; log and store the faults, a line each. Raises DBAPIError if it does not answer."""
    lines = faults_of(engine)
    for line in lines:
        log.error("the check found: %s", line)
    keep_findings(data, lines)
    return lines


def copy_if_due(engine: Engine, data: Path, now: datetime) -> Backup | None:
    """Copy the database if the newest copy is old and lacks changes, and delete old copies. Raises NoBackup."""
    newest = next((backup for backup in backups_in(folder_of(data), now) if backup.at <= now), None)
    with Session(engine) as s:
        changed = s.exec(select(ChangeSet.at).order_by(col(ChangeSet.id).desc()).limit(1)).first()
    if changed is None or (newest is not None and (changed < newest.at or now - newest.at < COPY_AGAIN)):
        return None
    made = back_up(engine, folder_of(data), "automatic", now)
    clear_away(folder_of(data), now, damaged=bool(last_check(data)))
    return made


def look_after(engine: Engine, data: Path, now: datetime, *, check_due: bool) -> None:
    """Check and copy the database if they are due.

    Raises DBAPIError if it does not answer, and NoBackup if it cannot be copied.
    """
    if check_due:
        check(engine, data)
    if not was_damaged(data):  # a copy of a damaged database is useless, and good copies must stay
        try:
            copy_if_due(engine, data, now)
        except NoProgram:
            raise
        except NoBackup:  # perhaps it is damaged: staff should hear of it before the daily check
            check(engine, data)
            raise


MAIL_EVERY, AFTER_FAILURE = 2.0, 30.0
"""Seconds between checks of the mail queue, and after the mail server or the database failed."""
DATABASE_EVERY, AFTER_NO_COPY, CHECK_EVERY, REMIND_EVERY = 20.0, 600.0, 86_400.0, 1_800.0
"""Seconds between checks whether a copy is due, after a failed copy, between database checks, and between checks
for overdue games.
"""


@click.group()
def maintain() -> None:
    """Send queued mails, check the database every day, and back it up."""


@maintain.command()
def once() -> None:
    """Do all due work once, for a timer. Exit status: 0 all is done, 1 something failed."""
    settings, engine = opened(make=True)  # the secret signs mails
    with suppress(DBAPIError):  # the check below reports a damaged file
        refuse_other_version(engine)
    count_by(engine, settings.secret)
    failures = []
    try:
        look_after(engine, settings.data, now(), check_due=True)
    except NoBackup as failed:
        failures.append(f"The database could not be copied. {failed}")
    found = last_check(settings.data)
    say(f"Database: {'DAMAGED' if found else 'OK'}.")
    if found:
        raise click.ClickException("\n".join([*found, "See `overseer backup --list` and `overseer restore`."]))
    copies = backups_in(folder_of(settings.data), now())
    say(f"Copies: {len(copies)}{f', the newest of {copies[0].at:%Y-%m-%d %H:%M} UTC' if copies else ''}.")
    if settings.backup_to:
        elsewhere = look_after_elsewhere(settings, now())
        say(f"Copies elsewhere: {elsewhere_words(elsewhere)}")
        failures += [elsewhere.fault] if elsewhere.fault else []
    if can_send_notices(settings):
        notices = send_all_notices(settings, engine, remind_too=True)
        say(f"Notices: {sum(one.state == MailState.SENT for one in notices)} sent.")
    if settings.webhooks:
        say(f"Webhooks: {send_webhooks(settings, engine)} calls tried.")
    if settings.mail is not None:
        sent = send_mails(settings, engine)
        say(f"Mail: {summary(sent)}")
        if sent.server_down:
            failures.append(f"{sent.server_down}. The remaining mails stay in the queue.")
    engine.dispose()
    if failures:
        raise click.ClickException("\n".join(failures))


@maintain.command()
def run() -> None:
    """Do due work until stopped. `overseer serve` does this automatically."""
    keep_running()


def keep_running(parent: int | None = None) -> None:
    """Run maintenance until SIGTERM or SIGINT, or until the process ``parent``, if given, has ended.

    In a thread, which gets no signals, it runs until the process ends.
    """
    settings, engine = opened(make=True)  # the secret signs mails
    count_by(engine, settings.secret)
    share(engine)
    set_up_log(settings.log)
    stopped = threading.Event()
    if threading.current_thread() is threading.main_thread():
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: stopped.set())
    gc.freeze()
    sending, calling = threading.Thread(), threading.Thread()
    mail_at = remind_at = time.monotonic()
    database_at = check_at = mail_at + DATABASE_EVERY
    while not stopped.wait(MAIL_EVERY) and parent in (None, os.getppid()):
        moment = time.monotonic()
        try:
            if can_send_notices(settings):
                remind_too = moment >= remind_at
                remind_at = moment + REMIND_EVERY if remind_too else remind_at
                send_all_notices(settings, engine, remind_too=remind_too)
            if settings.webhooks and not calling.is_alive():  # a slow receiver must not delay mails
                calling = apart(send_webhooks, settings, engine)
            if settings.mail is not None and moment >= mail_at:
                mail_at = moment + AFTER_FAILURE
                sent = send_mails(settings, engine)
                if sent.server_down:
                    log.warning("%s", sent.server_down)
                else:
                    mail_at = moment
            if moment >= database_at:
                database_at, check_due = moment + DATABASE_EVERY, moment >= check_at
                check_at += CHECK_EVERY if check_due else 0
                look_after(engine, settings.data, now(), check_due=check_due)
                if settings.backup_to and not sending.is_alive():  # a slow line must not delay mails
                    sending = apart(look_after_elsewhere, settings, now())
        except NoBackup as failed:
            log.error("no copy was made: %s", failed)
            database_at = moment + AFTER_NO_COPY
        except Exception:  # a busy or unreachable database, or a full disk: the next pass tries again
            log.exception("mail or maintenance failed")
        gc.collect()
    engine.dispose()


def apart(work: Callable[..., object], *given: object) -> threading.Thread:
    """Begin work that nothing else waits for. What fails is logged; the next pass tries it again."""

    def tried() -> None:
        try:
            work(*given)
        except Exception:
            log.exception("mail or maintenance failed")

    thread = threading.Thread(target=tried, daemon=True)
    thread.start()
    return thread


def send_mails(settings: Settings, engine: Engine) -> Sent:
    """Send the due mails; does nothing with a database of another version."""
    assert settings.mail is not None  # noqa: S101 - the callers ask
    with engine.connect() as connection:
        if not migrations.is_at_head(connection):
            return Sent()
    answer_link_requests(engine, settings.mail, settings.secret, now)
    send_account_mails(engine, settings.mail, settings.secret, now)
    return send_due(engine, settings.mail, settings.secret, now)


def can_send_notices(settings: Settings) -> bool:
    """Whether notices can be sent by any channel."""
    return settings.mail is not None or settings.can_push


def send_all_notices(settings: Settings, engine: Engine, *, remind_too: bool) -> Sequence[Attempt]:
    """Send the due notices, with ``remind_too`` also reminders of overdue games.

    Does nothing with a database of another version.
    """
    with engine.connect() as connection:
        if not migrations.is_at_head(connection):
            return []
    if remind_too:
        remind(engine, now())
    attempts = send_notices(engine, channels_of(settings), now)
    if down := next((one.server_down for one in attempts if one.server_down), ""):
        log.warning("%s", down)
    return attempts


def send_webhooks(settings: Settings, engine: Engine) -> int:
    """Send the due calls of webhooks; returns how many were tried. Does nothing with a database of another version."""
    with engine.connect() as connection:
        if not migrations.is_at_head(connection):
            return 0
    return send_calls(engine, settings, now)


def remind(engine: Engine, moment: datetime) -> None:
    """Store a notice for both players of each overdue game, once per last day."""
    with Session(engine) as session:
        late = list(overdue(session, moment))
        if late:
            with write(session, moment) as s:
                for about, players in late:
                    notify(s, Occasion.OVERDUE, about, players, moment)


def summary(sent: Sent) -> str:
    """The outcome of one pass over the mails, in a line."""
    words = ((MailState.SENT, "sent"), (MailState.QUEUED, "to be retried"), (MailState.FAILED, "failed"))
    counts = [f"{sent.count(state)} {word}" for state, word in words]
    unsure = sent.count(MailState.UNSURE) + sent.lost
    return ", ".join([*counts, *([f"{unsure} may have been sent"] if unsure else [])]) + "."


def now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)
