"""Bringing over a database of the last version before the migrations began anew with ``20261130_tables``.

It has the same tables, and the digests of rows and writes that are no longer kept.
"""

from alembic.util.exc import CommandError
from sqlalchemy import Connection

LAST_OLD, FIRST = "20261129_secrets", "20261130_tables"
DIGESTED = (
    "organiser", "set_up_link", "ended_sign_in", "own_edition", "own_scenario", "kept_answer", "invitation", "contact",
    "mail_change",
)  # fmt: skip


def refuse_older(revision: str) -> None:
    """Raise CommandError for a revision from before the last old one."""
    if revision < LAST_OLD:
        raise CommandError(
            f"the database is of an early development version ({revision}). Migrate it to {LAST_OLD} with the commit "
            "before 20261130_tables first"
        )


def bring_over(connection: Connection) -> None:
    """Make a database at ``LAST_OLD`` one at ``FIRST``, in the connection's transaction."""
    connection.exec_driver_sql("DROP TABLE journal_seal")
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("DROP FUNCTION journal_seal_remains()")
    for table in DIGESTED:
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN seal")
    connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{FIRST}'")  # noqa: S608 - our constant
