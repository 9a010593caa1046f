"""``overseer doctor``: a live database asked whether everything is as it must be, and what is not, in words."""

import click
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, func, select

from events.archive import one_moment
from events.commands.database import opened
from events.commands.terminal import say
from events.invariants import Broken, check_invariants, told
from models.event import Event

WELL, BROKEN = 0, 1
"""Exit statuses."""


@click.command()
@click.pass_context
def doctor(context: click.Context) -> None:
    """Look whether the database and every event in it are whole. Nothing is changed; it may be asked at any time.

    Ends with 0 where everything is as it must be, 1 with what is not.
    """
    _, engine = opened()
    try:
        with Session(engine) as session:
            found = check_invariants(one_moment(session))
            events = session.exec(select(func.count()).select_from(Event)).one() if not found else 0
    except DatabaseError as damaged:
        found, events = [Broken("I9", "", f"the file cannot be read: {damaged.orig}")], 0
    if not found:
        say(f"well: {events} event{'' if events == 1 else 's'}, every promise kept")
        context.exit(WELL)
    for line in told(found):
        say(line)
    say("Keep a copy of the data folder as it is before anything else is tried.", err=True)
    context.exit(BROKEN)
