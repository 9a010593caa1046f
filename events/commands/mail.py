"""Sending the queue of mails: once, for cron; or on and on, as ``serve`` starts it beside the web server."""

import gc
import logging
import os
import signal
import threading
from datetime import UTC, datetime

import click

from events.commands.database import ready
from events.log_lines import set_up_log
from events.post import Sent, send_due
from models.message import MailState

LOOK_EVERY = 2.0
"""Seconds between two looks at the queue."""
AFTER_TROUBLE = 30.0
"""Seconds, where the mail server or the database did not answer."""
NO_SERVER = "No mail server is set: OVERSEER_SMTP names one (docs/messages.md)."


@click.group()
def mail() -> None:
    """Send the mails that wait in the queue to the server of OVERSEER_SMTP."""


@mail.command()
def once() -> None:
    """Send all mails that are due, say what became of them, and end; for cron."""
    settings, engine = ready()
    if settings.mail is None:
        raise click.ClickException(NO_SERVER)
    done = send_due(engine, settings.mail, settings.secret, now)
    engine.dispose()
    click.echo(report(done))
    if done.server_down:
        raise click.ClickException(f"{done.server_down}. What is left stays in the queue.")


@mail.command()
@click.option("--beside", type=int, default=0, help="End when the process with this number, which started this, ends.")
def run(beside: int) -> None:
    """Send mails as they fall due, until stopped. `overseer serve` starts this by itself."""
    settings, engine = ready()
    if settings.mail is None:
        raise click.ClickException(NO_SERVER)
    set_up_log(settings.log)
    ended = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: ended.set())
    log = logging.getLogger("overseer.mail")
    gc.freeze()  # what was loaded stays
    wait = 0.0
    while not ended.wait(wait) and (not beside or os.getppid() == beside):
        wait = LOOK_EVERY
        gc.collect()
        try:
            done = send_due(engine, settings.mail, settings.secret, now)
        except Exception:
            # A busy database, a full disk, a fault of ours: the next look goes on; what was being sent stays marked.
            log.exception("the queue of mails could not be worked on")
            wait = AFTER_TROUBLE
            continue
        if done.server_down:
            log.warning("%s", done.server_down)
            wait = AFTER_TROUBLE
    engine.dispose()


def report(done: Sent) -> str:
    """What became of the mails of a pass, in a line."""
    words = ((MailState.SENT, "sent"), (MailState.QUEUED, "to be tried again"), (MailState.FAILED, "failed"))
    told = [f"{done.count(state)} {word}" for state, word in words]
    unsure = done.count(MailState.UNSURE) + done.lost
    return ", ".join([*told, *([f"{unsure} may have been sent"] if unsure else [])]) + "."


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)
