"""the journal keeps before and after, and is only ever added to"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_journal"
down_revision = "20261121_staff"
branch_labels = None
depends_on = None

# As the kinds' column type makes it: a choice stored by value and checked under its name.
KIND = sa.Enum("added", "changed", "removed", "found", name="kind", native_enum=False, length=24, create_constraint=True)
TABLES = ("change_set", "journal_entry", "row_change", "journal_value")
# How a row of each names its event; a row goes only when that is gone, with the event's own deletion.
EVENT = {"row_change": "(SELECT event_id FROM change_set WHERE id = OLD.change_set_id)"}


def upgrade() -> None:
    op.execute("ALTER TABLE event ADD COLUMN journal_from INTEGER")
    op.create_table(
        "change_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=120), nullable=False),
        sa.Column("role", sa.String(length=24), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("baseline", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_change_set_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_set")),
    )
    op.create_index(op.f("ix_change_set_event_id"), "change_set", ["event_id"], unique=False)
    op.create_table(
        "row_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("change_set_id", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.String(length=40), nullable=False),
        sa.Column("row_id", sa.Integer(), nullable=False),
        sa.Column("kind", KIND, nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("other_id", sa.Integer(), nullable=True),
        sa.Column("round_id", sa.Integer(), nullable=True),
        sa.Column("table_number", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["change_set_id"], ["change_set.id"], name=op.f("fk_row_change_change_set_id_change_set"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_row_change")),
    )
    for column in ("change_set_id", "player_id", "other_id"):
        op.create_index(op.f(f"ix_row_change_{column}"), "row_change", [column], unique=False)
    op.create_index("ix_row_change_table_name_row_id", "row_change", ["table_name", "row_id"], unique=False)
    op.create_table(
        "journal_value",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_journal_value_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("event_id", "sha256", name=op.f("pk_journal_value")),
    )
    with op.batch_alter_table("journal_entry") as batch:
        batch.drop_constraint("fk_journal_entry_event_id_event", type_="foreignkey")
        batch.create_foreign_key(
            "fk_journal_entry_event_id_event", "event", ["event_id"], ["id"], ondelete="CASCADE"
        )
        batch.add_column(sa.Column("change_set_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(
            "fk_journal_entry_change_set_id_change_set", "change_set", ["change_set_id"], ["id"], ondelete="CASCADE"
        )
        batch.create_index("ix_journal_entry_change_set_id", ["change_set_id"], unique=False)
    (_guard_postgres if op.get_bind().dialect.name == "postgresql" else _guard_sqlite)()


def _guard_sqlite() -> None:
    for table in TABLES:
        event = EVENT.get(table, "OLD.event_id")
        op.execute(
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END"
        )
        op.execute(
            f"CREATE TRIGGER {table}_remains BEFORE DELETE ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM event WHERE id = {event}) "
            "BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END"
        )


def _guard_postgres() -> None:
    refuse = "RAISE EXCEPTION 'the journal is only ever added to' USING ERRCODE = 'restrict_violation'"
    op.execute(f"CREATE FUNCTION journal_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {refuse}; END $$")
    for table in TABLES:
        event = EVENT.get(table, "OLD.event_id")
        op.execute(
            f"CREATE FUNCTION {table}_remains() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF EXISTS (SELECT 1 FROM event WHERE id = {event}) THEN {refuse}; END IF; RETURN OLD; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION journal_stays()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_remains BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_remains()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_is_not_emptied BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION journal_stays()"
        )


def downgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    on = {table: "" if sqlite else f" ON {table}" for table in TABLES}
    for table in TABLES:
        for name in ("stays", "remains") if sqlite else ("stays", "remains", "is_not_emptied"):
            op.execute(f"DROP TRIGGER {table}_{name}{on[table]}")
        if not sqlite:
            op.execute(f"DROP FUNCTION {table}_remains()")
    if not sqlite:
        op.execute("DROP FUNCTION journal_stays()")
    with op.batch_alter_table("journal_entry") as batch:
        batch.drop_index("ix_journal_entry_change_set_id")
        batch.drop_constraint("fk_journal_entry_change_set_id_change_set", type_="foreignkey")
        batch.drop_column("change_set_id")
        batch.drop_constraint("fk_journal_entry_event_id_event", type_="foreignkey")
        batch.create_foreign_key("fk_journal_entry_event_id_event", "event", ["event_id"], ["id"])
    op.drop_table("journal_value")
    op.drop_table("row_change")
    op.drop_table("change_set")
    op.execute("ALTER TABLE event DROP COLUMN journal_from")
