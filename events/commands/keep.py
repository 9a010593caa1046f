"""Looking after the database: on and on, as ``serve`` starts it beside the web server; or once, for cron."""

import logging
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime

import click

import migrations
from events.commands.database import opened_in_any_shape
from events.commands.terminal import say
from events.keeping import Keeper
from events.log_lines import set_up_log
from events.trouble import trouble_in

LOOK_EVERY = 20.0
"""Seconds between two looks at what is due."""


@click.group()
def keep() -> None:
    """Look whether the database is whole, and copy it: every day, every hour with changes, after steps of the day."""


@keep.command()
def once() -> None:
    """Look at everything now and make the copy that is due, and tell what was found; ends with 1 if all is not well."""
    settings, engine = opened_in_any_shape()
    Keeper(engine, settings.data).pass_by(datetime.now(UTC))
    engine.dispose()
    known = trouble_in(settings.data)
    if known is None:
        say("well")
        return
    for line in (*known.found, *(f"{slug}: {one}" for slug, lines in known.events.items() for one in lines)):
        say(line)
    raise click.ClickException("See `overseer backup --list` and `overseer restore`.")


@keep.command()
@click.option("--beside", type=int, default=0, help="End when the process with this number, which started this, ends.")
def run(beside: int) -> None:
    """Look after the database until stopped. `overseer serve` starts this by itself."""
    settings, engine = opened_in_any_shape()
    set_up_log(settings.log)
    ended = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: ended.set())
    keeper = Keeper(engine, settings.data)
    while not ended.wait(LOOK_EVERY) and (not beside or os.getppid() == beside):
        try:
            keeper.pass_by(datetime.now(UTC))
        except Exception:
            # A busy or a lost database, a full disk: the next look goes on.
            logging.getLogger("overseer.keeping").exception("the database could not be looked after")
    engine.dispose()


def keep_beside() -> None:
    """Start ``overseer keep run`` as a child of this process, which ends when this one does."""
    command = [sys.executable, "-P", "-m", "events.commands.main", "keep", "run", "--beside", str(os.getpid())]
    subprocess.Popen(command, cwd=migrations.FOLDER.parent, stdin=subprocess.DEVNULL)  # noqa: S603 - our own interpreter
