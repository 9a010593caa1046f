"""erasures: the words of a journal may be replaced while an erasure of its event is open"""

import sqlalchemy as sa
from alembic import op

revision = "20270102_erasures"
down_revision = "20270101_people"
branch_labels = None
depends_on = None

# By table of the journal: the event that a row belongs to, the columns that never change, and those with words.
JOURNAL = {
    "change_set": ("OLD.event_id", "id, event_id, at, role, version, baseline", "actor"),
    "journal_entry": ("OLD.event_id", "id, event_id, at, verb, change_set_id", "actor, text, details"),
    "row_change": (
        "(SELECT event_id FROM change_set WHERE id = OLD.change_set_id)",
        "id, change_set_id, table_name, row_id, kind, player_id, other_id, round_id, table_number",
        "before, after",
    ),
    "journal_value": ("OLD.event_id", "event_id, sha256, packed", ""),
}
REFUSED = "the journal is only ever added to"
OPEN = "EXISTS (SELECT 1 FROM erasure WHERE event_id = {event} AND open_as IS NOT NULL)"


def upgrade() -> None:
    op.create_table(
        "erasure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("open_as", sa.Integer(), nullable=True),
        sa.CheckConstraint("open_as < 0", name=op.f("ck_erasure_open_as_nothing")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_erasure_event_id_event"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["open_as"], ["erasure.id"], name=op.f("fk_erasure_open_as_erasure"), deferrable=True, initially="DEFERRED"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasure")),
    )
    op.create_index(op.f("ix_erasure_event_id"), "erasure", ["event_id"])
    (let_sqlite if op.get_bind().dialect.name == "sqlite" else let_postgres)()


def let_sqlite() -> None:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    for table, (event, fixed, words) in JOURNAL.items():
        is_open = OPEN.format(event=event)
        op.execute(f"DROP TRIGGER {table}_stays")
        op.execute(f"CREATE TRIGGER {table}_stays BEFORE UPDATE OF {fixed} ON {table} {refuse}")
        if words:
            op.execute(f"CREATE TRIGGER {table}_says BEFORE UPDATE OF {words} ON {table} WHEN NOT {is_open} {refuse}")
    event, _, _ = JOURNAL["journal_value"]
    op.execute("DROP TRIGGER journal_value_remains")
    op.execute(
        f"CREATE TRIGGER journal_value_remains BEFORE DELETE ON journal_value WHEN EXISTS "
        f"(SELECT 1 FROM event WHERE id = {event}) AND NOT {OPEN.format(event=event)} {refuse}"
    )


def let_postgres() -> None:
    refuse = f"RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'restrict_violation'"
    for table, (event, fixed, words) in JOURNAL.items():
        op.execute(f"DROP TRIGGER {table}_stays ON {table}")
        op.execute(
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE OF {fixed} ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION journal_stays()"
        )
        if words:
            op.execute(
                f"CREATE OR REPLACE FUNCTION {table}_says() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                f"IF NOT {OPEN.format(event=event)} THEN {refuse}; END IF; RETURN NEW; END $$"
            )
            op.execute(
                f"CREATE TRIGGER {table}_says BEFORE UPDATE OF {words} ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION {table}_says()"
            )
    event, _, _ = JOURNAL["journal_value"]
    op.execute(
        f"CREATE OR REPLACE FUNCTION journal_value_remains() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF EXISTS (SELECT 1 FROM event WHERE id = {event}) AND NOT {OPEN.format(event=event)} THEN {refuse}; "
        f"END IF; RETURN OLD; END $$"
    )


def downgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    for table, (_, _, words) in JOURNAL.items():
        for trigger in (f"{table}_stays", *([f"{table}_says"] if words else ())):
            op.execute(f"DROP TRIGGER {trigger}" + ("" if sqlite else f" ON {table}"))
        if words and not sqlite:
            op.execute(f"DROP FUNCTION {table}_says()")
        op.execute(
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} "
            + (refuse if sqlite else "FOR EACH ROW EXECUTE FUNCTION journal_stays()")
        )
    gone = "EXISTS (SELECT 1 FROM event WHERE id = OLD.event_id)"
    if sqlite:
        op.execute("DROP TRIGGER journal_value_remains")
        op.execute(f"CREATE TRIGGER journal_value_remains BEFORE DELETE ON journal_value WHEN {gone} {refuse}")
    else:
        said = f"RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'restrict_violation'"
        op.execute(
            f"CREATE OR REPLACE FUNCTION journal_value_remains() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF {gone} THEN {said}; END IF; RETURN OLD; END $$"
        )
    op.drop_table("erasure")
