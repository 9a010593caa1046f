"""``overseer doctor``: a check of the database and of every event in it."""

import click
from alembic.util.exc import CommandError
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, func, select

import migrations
from events.archive import one_moment
from events.commands.database import opened, secret_warning
from events.commands.terminal import say
from events.invariants import check_invariants, in_lines
from models.event import Event


def other_version(revision: str | None) -> str:
    """What to do about a database that is not at this version's revision."""
    try:
        if revision is not None:
            migrations.refuse_unknown(revision)
    except CommandError:
        return (
            f"The database is at {revision}, which this version of Overseer ({migrations.head()}) does not know: "
            "start the version that made it."
        )
    return f"The database is at {revision or 'no revision'}: run `overseer migrate` first."


@click.command()
def doctor() -> None:
    """Check the database and every event in it. Nothing is changed, and the service may run.

    The exit status is 0 if all is well, otherwise 1, with what is wrong.
    """
    settings, engine = opened()
    try:
        with engine.connect() as connection:
            found_at = migrations.revision_of(connection)
            if found_at != migrations.head():
                raise click.ClickException(other_version(found_at))
        with Session(engine) as session:
            found = in_lines(check_invariants(one_moment(session)))
            events = session.exec(select(func.count()).select_from(Event)).one() if not found else 0
    except DBAPIError as damaged:
        found = [f"The database cannot be read: {damaged.orig}"]
    if found:
        raise click.ClickException(
            "\n".join(
                [
                    *found,
                    "Stop Overseer and keep a copy of the data folder. Then go back to a copy of the database: "
                    "`overseer backup --list`, `overseer restore newest`.",
                ]
            )
        )
    if warning := secret_warning(settings, engine):
        say(warning, err=True)
    say(f"well: {events} event{'' if events == 1 else 's'}, every promise kept")
