"""``overseer doctor``: checks the database, makes the pages of every event, takes its archive in and replays it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import click
from flask import Flask, g
from sqlalchemy import Engine
from sqlmodel import Session, col, select
from werkzeug.exceptions import HTTPException

import migrations
from app import attach_database, build_pages
from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import replay
from events.public.projector import VIEWS
from events.setup.archive import archive_bytes, archive_of, one_moment
from events.setup.archive_file import read_archive
from events.setup.archive_import import import_event
from events.setup.archive_upgrade import database_at
from events.store.errors import Refused
from events.store.visitor import SHELL, Visitor
from events.web.request import db
from models.db import write
from models.event import Event
from models.people import Account
from models.play import Player
from models.staff import Role
from service.commands.database import opened, refuse_other_version, secret_warning
from service.logs import say
from service.restore import others_in
from service.settings import Settings

PARTS: Mapping[str, tuple[str, ...]] = {
    "its page": ("", "/lists", "/teams", "/season", "/campaign"),
    "round {number}": ("/rounds/{number}", "/desk/rounds/{number}", "/desk/rounds/{number}/results"),
    "the standings after round {number}": ("/standings?after={number}", "/standings/teams?after={number}"),
    "the standings": ("/standings", "/standings/teams", "/crosstable", "/event.xlsx", "/awards"),
    "the bracket": ("/bracket",),
    "a player's own page": ("/me",),
    "the hall": ("/hall", *(f"/hall/{view}" for view in VIEWS)),
    "the desk": ("/desk", "/desk/players", "/desk/undo", "/desk/ways-back", "/desk/settings", "/desk/awards"),
}
"""The pages of each part, below the event's address; an event answers 404 to those of other kinds of events."""


SOUND = (
    "The stored data is sound, but these parts cannot be worked out. Other pages work: undo the last steps at the desk "
    "of the event, or go back to one of its restore points."
)
DAMAGED = (
    "Stop Overseer and keep a copy of the data folder. Then go back to a copy of the database: `overseer backup "
    "--list`, `overseer restore newest`."
)


@click.command()
def doctor() -> None:
    """Check the database, every event in it, and the event's pages. Changes nothing; the service may run.

    Exit status: 0 all is well, 1 faults were found (prints them).
    """
    settings, engine = opened()
    refuse_other_version(engine)
    with engine.connect() as connection:
        others = others_in(connection)
    with Session(engine) as s:
        broken = check_invariants(one_moment(s))
        events = s.exec(select(Event).order_by(col(Event.id))).all() if all(problem.event for problem in broken) else ()
        failing = [*failing_parts(s, events, settings, engine)]
    if broken or failing:
        raise click.ClickException("\n".join([*in_lines(broken), *failing, DAMAGED if broken else SOUND]))
    if warning := secret_warning(settings, engine):
        say(warning, err=True)
    if others:
        say(f"WARNING: not of Overseer, and no restore takes them: {', '.join(others)}", err=True)
    say(f"OK: {len(events)} event{'' if len(events) == 1 else 's'}, every check passed")


def failing_parts(s: Session, events: Sequence[Event], settings: Settings, engine: Engine) -> Iterator[str]:
    """What of each event cannot be shown or archived, a line each."""
    app = build_pages()
    attach_database(app, replace(settings, metrics=""), engine, lambda: datetime.now(UTC))
    app.extensions["overseer_store_lock"] = lambda event: None  # locking what is due would be a change
    with database_at(migrations.head()) as (empty, _):
        for event in events:
            player = next(iter(event.players), None)
            rounds = [round_.number for round_ in event.schedule]
            for part, pages in PARTS.items():
                for number in rounds if "{" in part else [0]:
                    faults = (_fault(app, event, player, page.format(number=number)) for page in pages)
                    if fault := next(filter(None, faults), ""):
                        yield f"{event.slug}: {part.format(number=number)}: {fault}"
            if fault := _fault_of_archive(s, event, empty):
                yield f"{event.slug}: its archive: {fault}"


def _fault(app: Flask, event: Event, player: Player | None, page: str) -> str:
    """Why this page cannot be made whole for an owner who plays, with its address; "" if it can."""
    address = f"/e/{event.slug}{page}"
    with app.test_request_context(address):
        players = {event.id: db().get_one(Player, player.id)} if player else {}
        account = Account(
            id=0, name=SHELL, name_key=SHELL, password_hash="", session_key="", created_at=event.created_at
        )  # fmt: skip
        g.visitor = Visitor(account, players, {event.id: Role.OWNER})
        try:
            with suppress(HTTPException, Refused):  # these answers are pages too
                app.dispatch_request()
        except Exception as error:
            return f"{address} ({_words(error)})"
        return "".join(f"{address} lacks {name} ({_words(error)})" for name, error in g.get("failed_parts", {}).items())


def _fault_of_archive(s: Session, event: Event, empty: Engine) -> str:
    """Why the archive cannot be made, imported, or replayed; "" if it can."""
    now = datetime.now(UTC)
    try:
        archive = read_archive(archive_bytes(archive_of(s, event, now)))
        now = max(now, *(change.at for change in archive.journal))  # the clock may have been ahead
        with Session(empty, expire_on_commit=False) as other:
            with write(other, now) as act:
                copy = import_event(act, archive, None, SHELL, now)
            difference = replay(other, copy).difference
    except Exception as error:
        return _words(error)
    return f"its journal gives another {difference.table} {difference.row_id}" if difference else ""


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:160]
