"""seals: what the journal tells is sealed for each write, and the rows that it does not follow one by one"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "20261125_seals"
down_revision = "20261124_second_factor"
branch_labels = None
depends_on = None

# What a column holds where nothing was set: it is left out of a row's seal.
SEALED: dict[str, Mapping[str, Any]] = {
    "organiser": {"runs_club": False, "totp_secret": "", "totp_step": 0, "spare_codes": ""},
    "set_up_link": {},
    "ended_sign_in": {},
    "own_edition": {},
    "own_scenario": {},
    "kept_answer": {},
    "invitation": {},
    "contact": {},
}
MOMENT, DOCUMENT, FLAG = sa.DateTime(timezone=True), sa.JSON(), sa.Boolean()
TYPED = {
    "created_at": MOMENT, "used_at": MOMENT, "until": MOMENT, "at": MOMENT, "changed_at": MOMENT, "given_at": MOMENT,
    "expires_at": MOMENT, "withdrawn_at": MOMENT, "report": DOCUMENT, "document": DOCUMENT, "details": DOCUMENT,
    "before": DOCUMENT, "after": DOCUMENT, "runs_club": FLAG, "baseline": FLAG,
}  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "journal_seal",
        sa.Column("change_set_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["change_set_id"],
            ["change_set.id"],
            name=op.f("fk_journal_seal_change_set_id_change_set"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("change_set_id", name=op.f("pk_journal_seal")),
    )
    for table in SEALED:
        # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
        op.execute(f"ALTER TABLE {table} ADD COLUMN seal VARCHAR(64) DEFAULT '' NOT NULL")
    connection = op.get_bind()
    _seal_journal(connection)
    for table, defaults in SEALED.items():
        _seal_rows(connection, table, defaults)
    (_guard_postgres if connection.dialect.name == "postgresql" else _guard_sqlite)()


def _table(connection: sa.Connection, name: str) -> sa.TableClause:
    columns = [column["name"] for column in sa.inspect(connection).get_columns(name)]
    return sa.table(name, *(sa.column(one, TYPED.get(one)) for one in columns))


def _rows(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[Mapping[str, Any]]:
    for row in connection.execute(query.execution_options(yield_per=500)).mappings():
        yield {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return (value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)).isoformat()
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


def _digest(table: str, row: Mapping[str, Any], *without: str) -> str:
    said = {name: row[name] for name in sorted(row) if name not in without and row[name] is not None}
    return hashlib.sha256(json.dumps([table, said], ensure_ascii=False).encode()).hexdigest()


def _seal_journal(connection: sa.Connection) -> None:
    sets, entries, changes, events, seals = (
        _table(connection, name) for name in ("change_set", "journal_entry", "row_change", "event", "journal_seal")
    )
    begun = {row["id"]: row["journal_from"] for row in _rows(connection, sa.select(events.c.id, events.c.journal_from))}
    lines: dict[int, list[str]] = {}
    told = sa.select(entries).order_by(entries.c.change_set_id.is_not(None), entries.c.id)
    for row in _rows(connection, told):
        of = begun[row["event_id"]] if row["change_set_id"] is None else row["change_set_id"]
        if of is not None:
            lines.setdefault(of, []).append(_digest("journal_entry", row))
    rows: dict[int, list[str]] = {}
    for row in _rows(connection, sa.select(changes).order_by(changes.c.id)):
        rows.setdefault(row["change_set_id"], []).append(_digest("row_change", row, "id"))
    made = []
    for row in _rows(connection, sa.select(sets).order_by(sets.c.id)):
        words = [_digest("change_set", row), *lines.get(row["id"], []), "", *rows.get(row["id"], [])]
        made.append({"change_set_id": row["id"], "sha256": hashlib.sha256("\n".join(words).encode()).hexdigest()})
    if made:
        connection.execute(sa.insert(seals), made)


def _seal_rows(connection: sa.Connection, name: str, defaults: Mapping[str, Any]) -> None:
    table = _table(connection, name)
    made = []
    for row in _rows(connection, sa.select(table)):
        told = {key: None if key in defaults and value == defaults[key] else value for key, value in row.items()}
        made.append({"of": row["id"], "made": _digest(name, told, "id", "seal")})
    if made:
        change = sa.update(table).where(table.c.id == sa.bindparam("of")).values(seal=sa.bindparam("made"))
        connection.execute(change, made)


def _guard_sqlite() -> None:
    op.execute(
        "CREATE TRIGGER journal_seal_stays BEFORE UPDATE ON journal_seal "
        "BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END"
    )
    op.execute(
        "CREATE TRIGGER journal_seal_remains BEFORE DELETE ON journal_seal WHEN EXISTS "
        "(SELECT 1 FROM event WHERE id = (SELECT event_id FROM change_set WHERE id = OLD.change_set_id)) "
        "BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END"
    )


def _guard_postgres() -> None:
    op.execute(
        "CREATE FUNCTION journal_seal_remains() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF EXISTS "
        "(SELECT 1 FROM event WHERE id = (SELECT event_id FROM change_set WHERE id = OLD.change_set_id)) THEN "
        "RAISE EXCEPTION 'the journal is only ever added to' USING ERRCODE = 'restrict_violation'; "
        "END IF; RETURN OLD; END $$"
    )
    op.execute(
        "CREATE TRIGGER journal_seal_stays BEFORE UPDATE ON journal_seal "
        "FOR EACH ROW EXECUTE FUNCTION journal_stays()"
    )
    op.execute(
        "CREATE TRIGGER journal_seal_remains BEFORE DELETE ON journal_seal "
        "FOR EACH ROW EXECUTE FUNCTION journal_seal_remains()"
    )
    op.execute(
        "CREATE TRIGGER journal_seal_is_not_emptied BEFORE TRUNCATE ON journal_seal "
        "FOR EACH STATEMENT EXECUTE FUNCTION journal_stays()"
    )


def downgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    if sqlite:
        op.execute("DROP TRIGGER journal_seal_stays")
        op.execute("DROP TRIGGER journal_seal_remains")
    op.drop_table("journal_seal")
    if not sqlite:
        op.execute("DROP FUNCTION journal_seal_remains()")
    for table in SEALED:
        op.execute(f"ALTER TABLE {table} DROP COLUMN seal")
