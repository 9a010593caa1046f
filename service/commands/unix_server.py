"""Serving on Linux and macOS: gunicorn, mail and maintenance in a process forked from it, and Caddy in front."""

import atexit
import logging
import os
import signal
import sys
import time
from contextlib import suppress

import click
from gunicorn.app import wsgiapp

from models.db import open_engine
from service.commands.maintain import STOPS_WITHIN, keep_running
from service.gunicorn_settings import INSTALL, environment, find_caddy, is_wanted, new_socket, start_proxy
from service.lock import share
from service.logs import say
from service.settings import UNIX, Settings

NICE = 5
"""Pages have priority on the processor."""


def production_server(settings: Settings, made_by: str = "app:served()", listen: str = "") -> list[str]:
    """The production server's command line, for HOST and PORT or gunicorn's address ``listen``.

    gunicorn creates the application by calling ``made_by``.
    """
    config = "python:service.gunicorn_settings"
    bind = listen or settings.host_and_port
    return [sys.executable, "-P", "-m", "gunicorn", "--config", config, "--bind", bind, made_by]


def run_server(settings: Settings) -> None:
    """Become the production server. Never returns."""
    fork_maintenance()
    held = open_engine(settings.database_url)
    share(held)  # SQLite: held from now on; PostgreSQL: shared by each worker's connections
    listen = proxied(settings) if is_wanted(settings) else ""
    command = production_server(settings, listen=listen)
    sys.argv = command[command.index("gunicorn") :]
    wsgiapp.run()


def proxied(settings: Settings) -> str:
    """Start Caddy, and return the address that it forwards to; "" without Caddy, which only a domain needs."""
    path = new_socket()
    values = environment(settings, path)
    caddy, reason = find_caddy(values)
    if caddy:
        os.environ["OVERSEER_PROXIES"] = UNIX
        start_proxy(caddy, settings, values)
        return f"unix:{path}"
    path.parent.rmdir()
    if settings.domain:
        raise click.ClickException(f"OVERSEER_DOMAIN needs Caddy. {reason} {INSTALL}")
    say(f"WARNING: Slow clients can block the server. {reason} {INSTALL}", err=True)
    return ""


def fork_maintenance() -> None:
    """Run maintenance in a process forked from this one, which has loaded the code, until this process ends."""
    parent, pid = os.getpid(), os.fork()
    if pid:
        atexit.register(_end, pid, parent)
        return
    try:
        os.nice(NICE)
        keep_running(parent)
    except Exception:
        logging.getLogger("overseer.maintenance").exception("mail and maintenance could not start")
    finally:
        os._exit(0)  # the caller's code must not continue in this process too


def _end(pid: int, parent: int) -> None:
    """End the process and wait for it, because it holds the service lock until then. Does nothing in a worker."""
    if os.getpid() == parent:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGTERM)
            last = time.monotonic() + 2 * STOPS_WITHIN
            while not os.waitpid(pid, os.WNOHANG)[0]:
                time.sleep(0.05)
                if time.monotonic() > last:
                    os.kill(pid, signal.SIGKILL)
