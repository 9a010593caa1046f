"""``overseer doctor`` checks the database; ``overseer replay`` rebuilds an event from its journal to compare it."""

from zoneinfo import ZoneInfo

import click
from alembic.util.exc import CommandError
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, func, select

import migrations
from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import Difference, Replayed
from events.journal.replay import replay as replayed
from events.play.queries import event_by_slug
from events.setup.archive import one_moment
from models.event import Event
from service.commands.database import opened, ready, secret_warning
from service.logs import say


def other_version(revision: str | None) -> str:
    """What to do if the database is not at this version's revision."""
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
    """Check the database and every event in it. Changes nothing; the service may run.

    The exit status is 0 if all is well, otherwise 1 with the faults.
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
    say(f"OK: {events} event{'' if events == 1 else 's'}, every check passed")


EQUAL, DIFFERENT, REFUSED = 0, 1, 2
"""Exit statuses."""
LONGEST = 160
"""The most characters shown of a value."""


@click.command()
@click.argument("event")
@click.pass_context
def replay(context: click.Context, event: str) -> None:
    """Rebuild EVENT (its slug) from its journal and compare it with the tables.

    Exit status: 0 both are equal, 1 they differ (prints the first difference), 2 they cannot be compared.
    """
    _, engine = ready()
    with Session(engine) as session:
        if engine.dialect.name == "postgresql":  # one snapshot, which SQLite reads anyway
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        found = event_by_slug(session, event)
        if found is None:
            say(f"There is no event “{event}”. The slug is the part after /e/ in its address.", err=True)
            context.exit(REFUSED)
        if found.journal_from is None:
            say(f"The journal of “{event}” has not begun: it keeps before and after from the next change on.", err=True)
            context.exit(REFUSED)
        outcome = replayed(session, found)
        say(as_text(found, outcome))
    context.exit(EQUAL if outcome.difference is None else DIFFERENT)


def as_text(event: Event, outcome: Replayed) -> str:
    """The outcome as text."""
    since = f"since {_moment(event, outcome)}"
    counted = f"{_count(outcome.changes, 'change')} {since}"
    if outcome.difference is None:
        return f"equal: {_count(outcome.rows, 'row')} of {_count(outcome.tables, 'table')}, {counted}"
    return f"different, after {counted}\n{first_difference(event, outcome.difference)}"


def first_difference(event: Event, found: Difference) -> str:
    """The difference in words."""
    where = f"{found.table.replace('_', ' ')} {found.row_id}"
    if not found.column:
        where += ": by the journal there is no such row" if found.journal is None else ": the table has no such row"
        lines = [where]
    else:
        lines = [
            f"{where}, {found.column.replace('_', ' ')}:",
            f"    journal  {_shown(found.journal)}",
            f"    table    {_shown(found.stored)}",
        ]
    if found.last is None:
        return "\n".join([*lines, "No change of it is recorded."])
    who = found.last.actor or "nobody in particular"
    when = found.last.at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%d %H:%M:%S %Z")
    doing = "found" if found.last.baseline else "last changed"
    return "\n".join([*lines, f"It was {doing} on {when}" + ("." if found.last.baseline else f" by {who}.")])


def _moment(event: Event, outcome: Replayed) -> str:
    return outcome.since.at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%d %H:%M %Z")


def _shown(value: str | None) -> str:
    if value is None:
        return "nothing"
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}… ({len(value)} characters)"


def _count(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"
