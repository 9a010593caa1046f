"""AUTOINCREMENT on SQLite: the number of a row that is gone is given to no other, as on PostgreSQL

SQLite cannot add it to a table. Each is made anew from its own definition, by the steps of
https://www.sqlite.org/lang_altertable.html#otheralter, so that columns, constraints, indexes and triggers stay as they
are.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "20270119_numbers"
down_revision = "20270118_convention"
branch_labels = None
depends_on = None

HAVE_IT = ("player", "person")
"""Tables that were made so."""
ELSEWHERE = {
    "player": (("row_change", "player_id"), ("row_change", "other_id")),
    "round": (("row_change", "round_id"),),
    "organiser": (("report", "account_id"),),
}
"""Columns without a foreign key that name rows, which may be gone."""
COLUMN = "id INTEGER NOT NULL"
KEY = re.compile(r",\s*CONSTRAINT pk_\w+ PRIMARY KEY \(id\)| CONSTRAINT pk_\w+ PRIMARY KEY(?=,)")
"""A table's key, after its columns or, where this migration was taken back, at its column."""
FIRST = re.compile(rf"\(\s*{COLUMN}\b")
COUNTED = f"{COLUMN} PRIMARY KEY AUTOINCREMENT"


def upgrade() -> None:
    for table, definition in numbered():
        named = highest(table)
        without, keys = KEY.subn("", definition)
        if keys != 1:
            raise RuntimeError(f"the table {table} has another key than expected")
        make_anew(table, without.replace(COLUMN, COUNTED, 1))
        op.get_bind().execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table})
        op.get_bind().execute(
            sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)"), {"name": table, "seq": named}
        )


def downgrade() -> None:
    for table, definition in numbered():
        make_anew(table, definition.replace(COUNTED, f"{COLUMN} CONSTRAINT pk_{table} PRIMARY KEY", 1))


def numbered() -> list[tuple[str, str]]:
    """The tables whose rows have a number of their own, with their definitions; none on PostgreSQL."""
    if op.get_bind().dialect.name != "sqlite":
        return []
    tables = op.get_bind().exec_driver_sql("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return [(name, sql) for name, sql in tables if name not in HAVE_IT and FIRST.search(sql)]


def highest(table: str) -> int:
    """The highest number that a row of the table has or had, as far as the journal knows."""
    places = (("id", table, ""), ("row_id", "row_change", f" WHERE table_name = '{table}'"))
    places += tuple((column, other, "") for other, column in ELSEWHERE.get(table, ()))
    queries = (f"SELECT max({column}) FROM {other}{where}" for column, other, where in places)  # noqa: S608 - our names
    return max(op.get_bind().exec_driver_sql(query).scalar() or 0 for query in queries)


def make_anew(table: str, definition: str) -> None:
    """Replace a table by one of this definition, with its rows, indexes and triggers."""
    run = op.get_bind().exec_driver_sql
    attached = "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL"
    again = run(attached, (table,)).scalars().all()
    run(f'CREATE TABLE "new_{table}" {definition[definition.index("(") :]}')
    run(f'INSERT INTO "new_{table}" SELECT * FROM "{table}"')  # noqa: S608 - names of our own tables
    run(f'DROP TABLE "{table}"')
    run("PRAGMA legacy_alter_table=ON")  # references to the table are by its old name, which it gets again
    run(f'ALTER TABLE "new_{table}" RENAME TO "{table}"')
    run("PRAGMA legacy_alter_table=OFF")
    for sql in again:
        run(sql)
