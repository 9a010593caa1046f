"""What runs in the background: the queues of notices, mails and webhooks, the database's daily check and its copies."""

import gc
import logging
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

import migrations
from events.api.webhook_sending import send_calls
from events.messages.delivery import Connection
from events.messages.dispatching import Sent, send_due
from events.messages.letters import mail_ways
from events.messages.notices import push_ways
from events.messages.outgoing import in_one_pass
from events.messages.permits import count_by
from events.messages.push import Pusher
from events.registration.retention import count_due, delete_one
from events.seasons.league_queries import overdue
from events.setup.repeating import due_events, is_due, make_next
from events.store.act import Act
from events.store.notices import notify
from events.store.visitor import CLOCK
from models.db import empty_log, write
from models.dispatch import DispatchKind, DispatchState, Occasion
from models.event import Event
from models.journal import ChangeSet
from service.backups import Backup, NoBackup, NoProgram, back_up, backups_in, clear_away, faults_of, folder_of
from service.commands.backup import elsewhere_words
from service.commands.database import opened, refuse_other_version
from service.conversations import GRACE, stopping
from service.elsewhere import look_after_elsewhere
from service.health import copies_elsewhere, keep_elsewhere, keep_findings, last_check, was_damaged
from service.lock import share
from service.logs import say, set_up_log
from service.settings import Settings

log = logging.getLogger("overseer.maintenance")

STOPS_WITHIN = GRACE + 2
"""The most seconds that stopping takes; work that has not ended then is left as after a loss of power."""
NO_SUBJECT = "mailto:desk@localhost"
"""The service's address for push services, if it has none."""
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
    """Copy the database if the newest copy is old and lacks changes, and delete old copies. Raises NoBackup.

    A copy of a damaged database is useless, and good copies must stay.
    """
    if was_damaged(data):
        return None
    newest = next((backup for backup in backups_in(folder_of(data), now) if backup.at <= now), None)
    with Session(engine) as s:
        changed = s.exec(select(ChangeSet.at).order_by(col(ChangeSet.id).desc()).limit(1)).first()
    if changed is None or (newest is not None and (changed < newest.at or now - newest.at < COPY_AGAIN)):
        clear_away(folder_of(data), now, damaged=bool(last_check(data)))
        return None
    try:
        made = back_up(engine, folder_of(data), "automatic", now)
    except NoProgram:
        raise
    except NoBackup:  # perhaps it is damaged: staff should hear of it before the daily check
        check(engine, data)
        raise
    clear_away(folder_of(data), now, damaged=bool(last_check(data)))
    return made


@dataclass(frozen=True)
class Work:
    """One kind of work. Each has its own thread, so that a server that does not answer delays no other kind."""

    run: Callable[[Settings, Engine], str]
    """Do one pass, of a limited time, and return its outcome in a line. Raises ClickException."""
    every: float
    """Seconds between two passes."""
    after_failure: float = 30.0


EVERY, COPY_EVERY, AFTER_NO_COPY, CHECK_EVERY, REMIND_EVERY = 2.0, 20.0, 600.0, 86_400.0, 1_800.0
"""Seconds between two passes over a queue, between checks whether a copy is due, after a failed copy, between checks of
the database, and between searches for what a day brings: overdue games, data to delete,
events to make.
"""


def works(settings: Settings) -> Sequence[Work]:
    """The kinds of work of this service; for ``once``, copies elsewhere, which can take hours, come last."""
    can_notify = settings.can_push or settings.mail is not None
    kinds = {
        Work(check_database, CHECK_EVERY): True,
        Work(copy_database, COPY_EVERY, AFTER_NO_COPY): True,
        Work(remind_players, REMIND_EVERY): can_notify,
        Work(delete_persons, REMIND_EVERY): True,
        Work(repeat_events, REMIND_EVERY): True,
        Work(send_pushes, EVERY): settings.can_push,
        Work(send_webhooks, EVERY): bool(settings.webhooks),
        Work(send_mails, EVERY): settings.mail is not None,
        Work(copy_elsewhere, COPY_EVERY, AFTER_NO_COPY): bool(settings.backup_to),
    }
    return [work for work, is_wanted in kinds.items() if is_wanted]


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
    if settings.backup_to:  # look at once whether they are still there
        keep_elsewhere(settings.data, replace(copies_elsewhere(settings.data, settings.backup_to), tried=None))
    failures = []
    for work in works(settings):
        try:
            say(work.run(settings, engine))
        except click.ClickException as failed:
            failures.append(failed.message)
        if was_damaged(settings.data):
            break
    engine.dispose()
    if faults := last_check(settings.data):
        failures += [*faults, "See `overseer backup --list` and `overseer restore`."]
    if failures:
        raise click.ClickException("\n".join(failures))


@maintain.command()
def run() -> None:
    """Do due work until stopped. `overseer serve` does this automatically."""
    keep_running()


def keep_running(parent: int | None = None) -> None:
    """Run maintenance until SIGTERM or SIGINT, or until the process ``parent``, if given, has ended.

    In a thread, which gets no signals, it runs until ``stopping`` is set.
    """
    settings, engine = opened(make=True)  # the secret signs mails
    count_by(engine, settings.secret)
    share(engine)
    set_up_log(settings.log)
    if threading.current_thread() is threading.main_thread():
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, stop)
    gc.freeze()
    threads = [threading.Thread(target=repeat, args=(work, settings, engine), daemon=True) for work in works(settings)]
    for thread in threads:
        thread.start()
    while not stopping.wait(EVERY) and parent in (None, os.getppid()):
        gc.collect()
    stopping.set()
    last = time.monotonic() + STOPS_WITHIN
    for thread in threads:
        thread.join(max(0.0, last - time.monotonic()))
    engine.dispose()


def stop(number: int, _: object) -> None:
    """Handle SIGTERM and SIGINT: end what has begun, and by a second Ctrl-C nothing."""
    if stopping.is_set() and number == signal.SIGINT:
        os._exit(1)
    stopping.set()


def repeat(work: Work, settings: Settings, engine: Engine) -> None:
    """Do a kind of work again and again until stopped. What fails is logged; the next pass tries it again."""
    wait = EVERY if work.every > COPY_EVERY else work.every  # what is rare is done at the start, too
    while not stopping.wait(wait):
        try:
            wait = work.every
            work.run(settings, engine)
        except click.ClickException as failed:
            log.error("%s", failed.message)
            wait = work.after_failure
        except Exception:  # a busy or unreachable database, or a full disk
            log.exception("mail or maintenance failed")


def check_database(settings: Settings, engine: Engine) -> str:
    return f"Database: {'DAMAGED' if check(engine, settings.data) else 'OK'}."


def copy_database(settings: Settings, engine: Engine) -> str:
    """Copy the database, if that is due."""
    try:
        copy_if_due(engine, settings.data, now())
    except NoBackup as failed:
        raise click.ClickException(f"The database could not be copied. {failed}") from failed
    copies = backups_in(folder_of(settings.data), now())
    return f"Copies: {len(copies)}{f', the newest of {copies[0].at:%Y-%m-%d %H:%M} UTC' if copies else ''}."


def send_pushes(settings: Settings, engine: Engine) -> str:
    """Push the due notices."""
    subject = settings.public if settings.https else NO_SUBJECT
    with closing(Pusher(settings.secret, subject, settings.push_service)) as pusher:
        sent = send_due(engine, push_ways(pusher, settings.mail), now) if is_current(engine) else Sent()
    return f"Notices: {sent[DispatchKind.PUSH, DispatchState.SENT]} pushed."


def send_webhooks(settings: Settings, engine: Engine) -> str:
    """Send the due calls of webhooks."""
    sent = send_calls(engine, settings, now) if is_current(engine) else Sent()
    return f"Webhooks: {sent.total()} calls tried."


def send_mails(settings: Settings, engine: Engine) -> str:
    """Send the due mails of all kinds."""
    assert settings.mail is not None  # noqa: S101 - works() asks
    if not is_current(engine):
        return "Mail: none sent."
    with closing(Connection(settings.mail)) as connection:
        first = {} if settings.can_push else push_ways(None, settings.mail)
        ways = first | mail_ways(connection, settings.secret)
        sent = send_due(engine, ways, now, lambda: connection.down)
    if connection.down:
        raise click.ClickException(f"{connection.down}. The remaining mails stay in the queue.")
    return f"Notices: {sent[DispatchKind.NOTICE, DispatchState.SENT]} mailed.\nMail: {summary(sent)}"


def copy_elsewhere(settings: Settings, engine: Engine) -> str:
    """Send the newest copy to another disk or machine, and read one back, if they are due."""
    elsewhere = look_after_elsewhere(settings, now())
    if elsewhere.fault:
        raise click.ClickException(elsewhere.fault)
    return f"Copies elsewhere: {elsewhere_words(elsewhere)}"


def is_current(engine: Engine) -> bool:
    """Whether the database is of this version; nothing is sent from another one."""
    with engine.connect() as connection:
        return migrations.is_at_head(connection)


def delete_persons(settings: Settings, engine: Engine) -> str:
    """Delete the personal data of events that ended long enough ago, until none is left."""
    if not is_current(engine):
        return "Players' data: none deleted."
    deleted = delete_due(engine, now())
    with Session(engine) as session:
        left = sum(count_due(session, now()).values())
    return f"Players' data: {deleted} deleted, {left} left."


def delete_due(engine: Engine, moment: datetime) -> int:
    """Delete the data of one player after the other, each in a write of its own; returns how many."""
    deleted = 0
    with Session(engine) as session:
        for event_id in in_one_pass(lambda: next(iter(count_due(session, moment)), None), math.inf):
            event = session.get_one(Event, event_id)
            with write(session, moment, event) as s:
                deleted += delete_one(Act(s, event, CLOCK, moment))
    empty_log(engine)
    return deleted


def repeat_events(settings: Settings, engine: Engine) -> str:
    """Make the next event of each that repeats and is over."""
    return f"Events: {make_due(engine, now()) if is_current(engine) else 0} made."


def make_due(engine: Engine, moment: datetime) -> int:
    """Make the events that are due, each in a write of its own; returns how many."""
    made = 0
    with Session(engine) as session:
        for event in due_events(session, moment):
            with write(session, moment, event) as s:
                made += is_due(event, moment) and make_next(Act(s, event, CLOCK, moment)) is not None
    return made


def remind_players(settings: Settings, engine: Engine) -> str:
    """Store a notice for both players of each overdue game, once per last day."""
    return f"Overdue games: {remind(engine, now()) if is_current(engine) else 0}."


def remind(engine: Engine, moment: datetime) -> int:
    """Store the reminders; returns the number of overdue games."""
    with Session(engine) as session:
        late = list(overdue(session, moment))
        if late:
            with write(session, moment) as s:
                for about, players in late:
                    notify(s, Occasion.OVERDUE, about, players, moment)
        return len(late)


def summary(sent: Sent) -> str:
    """The outcome of one pass over the mails, in a line."""
    words = (DispatchState.SENT, "sent"), (DispatchState.QUEUED, "to be retried"), (DispatchState.FAILED, "failed")
    counts = [f"{sent[DispatchKind.MESSAGE, state]} {word}" for state, word in words]
    unsure = sent[DispatchKind.MESSAGE, DispatchState.UNSURE]
    return ", ".join([*counts, *([f"{unsure} may have been sent"] if unsure else [])]) + "."


def now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)
