"""Looking after the database: on and on, as ``serve`` starts it beside the web server; or once, for cron."""

import gc
import logging
import os
import signal
import threading
import time
from datetime import UTC, datetime

import click

from events.commands.database import opened_in_any_shape
from events.commands.terminal import say
from events.keeping import Keeper
from events.log_lines import set_up_log
from events.trouble import trouble_in

LOOK_EVERY = 20.0
"""Seconds between two looks at what is due."""
PARENT_EVERY = 1.0
"""Seconds between two looks whether the server is still there."""


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
    for line in known.lines:
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
    gc.freeze()  # what was loaded stays
    looked = time.monotonic()
    while not ended.wait(PARENT_EVERY) and (not beside or os.getppid() == beside):
        if time.monotonic() - looked < LOOK_EVERY:
            continue
        looked = time.monotonic()
        gc.collect()
        try:
            keeper.pass_by(datetime.now(UTC))
        except Exception:
            # A busy or a lost database, a full disk: the next look goes on.
            logging.getLogger("overseer.keeping").exception("the database could not be looked after")
    engine.dispose()
