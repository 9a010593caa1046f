"""Serving: migrate the database, print the set-up link, run the production server."""

import errno
import gc
import importlib
import os
import shutil
import socket
import sys
from contextlib import suppress

import click
from sqlalchemy.orm import configure_mappers
from sqlmodel import Session, select

import migrations
from events.accounts import actions as accounts_actions
from models.event import Event
from service.commands.database import announced, new_set_up_link, ready, secret_warning, settings_read
from service.commands.demo import play_demonstration
from service.gunicorn_settings import is_wanted
from service.health import METRICS_FOLDER, room_warning
from service.lock import begin_serving
from service.logs import say
from service.private_files import address_file, remove_set_up_file, write_private
from service.settings import Settings
from service.system import system

SERVER = system.__name__.rpartition(".")[2] + "_server"
"""The module that serves on this system."""


def check_port(settings: Settings) -> None:
    """End the command if HOST and PORT cannot be listened on."""
    ports = [settings.http_port, settings.https_port] if settings.domain else [settings.port]
    for port in ports:
        try:
            socket.create_server(
                (settings.host, port), family=socket.AF_INET6 if ":" in settings.host else socket.AF_INET
            ).close()
        except OSError as taken:
            where, reason = f"{settings.host_in_address}:{port}", (taken.strerror or str(taken)).partition(" (while")[0]
            hint = "If Overseer is already running, stop it. Otherwise set another PORT or HOST."
            if taken.errno == errno.EADDRNOTAVAIL:
                hint = "Set HOST to an address of this machine, or to 0.0.0.0 for all its addresses."
            raise click.ClickException(f"Cannot listen on {where}: {reason}. {hint}") from taken


@click.command()
@click.option("--demo/--no-demo", default=False, help="If there is no event, make a demonstration event first.")
@click.option("--insist", is_flag=True, help="Start although another Overseer serves the same SQLite database.")
def serve(demo: bool, insist: bool) -> None:
    """Migrate the database, then serve on HOST and PORT with the production server."""
    settings = settings_read()
    warn(settings)
    check_port(settings)  # before the upgrade, so that an older server that still runs keeps its database
    settings, engine = ready()
    is_first = begin_serving(engine)
    if not is_first and not insist:
        raise click.ClickException(
            f"Another Overseer serves the database in {settings.data}. Stop it first, or start a second by "
            "`overseer serve --insist`."
        )
    if warning := secret_warning(settings, engine, keep=True):
        say(warning, err=True)
    with Session(engine) as session:
        empty = session.exec(select(Event)).first() is None
        new = is_first and not accounts_actions.any_organiser(session)
    if empty and demo:
        play_demonstration(engine, players=24, rounds=4, seed=7, leave_open=True)
    reached = settings.public or settings.address
    figures = settings.data / "metrics"
    if is_first:
        remove_set_up_file(settings.data)
        write_private(address_file(settings.data), f"{reached}\n".encode())
        shutil.rmtree(figures, ignore_errors=True)  # counters of an earlier run
    else:
        say("WARNING: another Overseer serves this database. Stop one of the two.", err=True)
    click.echo(f"\n  Overseer         {reached}")
    if phones := settings.address_for_phones:
        click.echo(f"  Phones in this network   {phones}")
    if is_wanted(settings) and not reached.startswith("https:"):
        click.echo("  Without https    pages do not work offline, and closed phones get no notices")
    if new:
        click.echo(f"  Set-up link      {announced(settings, new_set_up_link(settings, engine))}")
    else:
        click.echo(f"  Organisers       {reached}/sign-in   (lost password: `overseer password-link NAME`)")
    if settings.mail is not None:
        click.echo(f"  Mail             by {settings.mail.host}:{settings.mail.port}, from {settings.mail.sender}")
    click.echo(f"  Data             {settings.data}\n  To stop it       Ctrl-C\n")
    sys.stdout.flush()
    engine.dispose()
    if settings.metrics:
        figures.mkdir(mode=0o700, exist_ok=True)
        os.environ[METRICS_FOLDER] = str(figures)
    hand_over(settings)


def warn(settings: Settings) -> None:
    """Warn about what an administrator should fix: running as root, a full disk, different secrets."""
    if system.me() == 0:
        say("WARNING: Overseer runs as root. Create a user for Overseer, and start it as that user.", err=True)
    with suppress(OSError):
        if nearly_full := room_warning(settings.data):
            say(f"WARNING: {nearly_full}", err=True)
    if settings.database_url.startswith("postgresql") and not os.environ.get("OVERSEER_SECRET"):
        say(
            "WARNING: OVERSEER_SECRET is not set. If other hosts use this database, give them all the same secret. "
            "With different secrets they sign out each other's visitors.",
            err=True,
        )


def hand_over(settings: Settings) -> None:
    """Become the production server, with mail and maintenance beside it.

    The code is imported and templates are compiled here, once, before processes are forked.
    """
    os.environ |= {
        "OVERSEER_DATA": str(settings.data),
        "DATABASE_URL": settings.database_url,
        "OVERSEER_SECRET": settings.secret,
    }
    # Workers import from the code's own folder, so that a pdf.py in the shell's folder cannot replace ours.
    code = str(migrations.FOLDER.parent)
    os.chdir(code)
    sys.path.insert(0, code)
    importlib.import_module("app").shared_pages()
    configure_mappers()
    gc.freeze()  # otherwise each process would scan and copy all of this
    importlib.import_module(f"service.commands.{SERVER}").run_server(settings)
